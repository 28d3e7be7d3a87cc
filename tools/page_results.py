"""The parts of `tools/results.py` that show the page at full size."""

import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.web.browser import launch
from tests.web.fuzzing import fuzz_api, fuzz_socket
from tests.web.load import run
from tests.web.measuring import clicks, first_page, watching
from tests.web.serving import Running, serving


def page_speed() -> dict[str, Any]:
    """Issue 5: a click painted in 50 ms (median) with 3 kB, the first page in 1 s with 300 kB; six games."""

    def measure(browser: Browser, server: Running) -> dict[str, Any]:
        return {
            "expert with the probability overlay": clicks(browser, server.url, 300).as_dict(),
            "first page": [
                asdict(first_page(browser, server.url, path))
                for path in ("/", "/#/minesweeper", "/#/risk")
                for _ in range(3)
            ],
        }

    measured = _with_browser(measure)
    with serving() as server:
        server.wait_until_ready()
        measured["six watched games"] = asdict(watching(server.url, server.process.pid, games=6, seconds=30))
    return measured


def page_fuzz() -> dict[str, Any]:
    """Issue 5: 20,000 requests and messages of any kind, no 5xx and no unhandled exception."""
    with serving() as server:
        server.wait_until_ready()
        api = fuzz_api(server.url, 10_000, seed=5)
        socket = fuzz_socket(server.url, 10_000, seed=5)
        tracebacks = server.said().count("Traceback")
    if api["faults"] or socket["faults"] or tracebacks:
        sys.exit("\n".join([*api["faults"][:3], *socket["faults"][:3], f"{tracebacks} tracebacks"]))
    return {"api": api, "socket": socket, "tracebacks": tracebacks}


def page_load() -> dict[str, Any]:
    """Issue 5: 200 games at once, 20 moves a second in all, for two minutes: no error, memory flat."""
    with serving() as server:
        server.wait_until_ready()
        return run(server.url, 200, 20, 120, server.process.pid)


def _with_browser(measure: Callable[[Browser, Running], dict[str, Any]]) -> dict[str, Any]:
    with serving() as server, sync_playwright() as playwright:
        server.wait_until_ready()
        browser = launch(playwright)
        try:
            return measure(browser, server)
        finally:
            browser.close()


PARTS = {"page-speed": page_speed, "page-fuzz": page_fuzz, "page-load": page_load}
