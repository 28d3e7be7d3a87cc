"""Chromium for the tests of the page: fixtures to import, and what a picky user would look at.

A test module takes the fixtures by ``from tests.web.browser import browser, open_page, page``. The browser
lasts as long as a module's tests: while Playwright's own event loop runs in a thread, nothing else there can
run one.
"""

from collections.abc import Callable, Iterator
from shutil import which
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

CHROMIUM: Final = which("chromium") or which("chromium-browser") or which("google-chrome")
"""The system's own; `make test` installs it where that may be."""
ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE: Final = (360, 740)
DESK: Final = (1280, 800)
WALL: Final = (2560, 1440)
SIZES: Final = (PHONE, DESK, WALL)

PATIENCE: Final = 60_000.0
"""Milliseconds: the first thing that is worked out waits for a process to start, and machines may be busy."""

expect.set_options(timeout=PATIENCE)

_GRAVE = ("serious", "critical")

Opener = Callable[..., Page]
"""``open_page(size=DESK, dark=False, touch=False)``: a page of its own, with its own storage."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    if CHROMIUM is None:
        pytest.skip("NO CHROMIUM ON THIS MACHINE: the page is not tested in a browser")
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()


def launch(playwright: Playwright) -> Browser:
    """Start the system's Chromium."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[Opener]:
    """Open pages on the server; after the test none may have complained."""
    complaints: list[str] = []
    contexts = []

    def opener(*, size: tuple[int, int] = DESK, dark: bool = False, touch: bool = False) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            has_touch=touch,
            is_mobile=touch,
            base_url=server,
            accept_downloads=True,
        )
        context.set_default_timeout(PATIENCE)
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)
        contexts.append(context)
        made = context.new_page()
        watch(made, complaints)
        return made

    yield opener
    for context in contexts:
        context.close()
    assert not complaints, complaints


@pytest.fixture
def page(open_page: Opener) -> Page:
    """One page of a desk's size."""
    return open_page()


def watch(page: Page, complaints: list[str]) -> None:
    """Write down whatever scripts or the Content-Security-Policy complain about."""
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on(
        "console",
        # A refused request shows up there too, and is told to the user by the page itself.
        lambda said: (
            complaints.append(f"console: {said.text}")
            if said.type == "error" and "Failed to load resource" not in said.text
            else None
        ),
    )


def accessibility_faults(page: Page) -> list[str]:
    """What axe-core calls serious or critical on a page, one line a fault."""
    found: dict[str, Any] = Axe().run(page).response
    return [
        f"{fault['id']}: {fault['help']}: {node['html'][:160]}"
        for fault in found["violations"]
        if fault["impact"] in _GRAVE
        for node in fault["nodes"][:3]
    ]


def overflow(page: Page) -> int:
    """By how many CSS pixels the page is wider than its window."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider
