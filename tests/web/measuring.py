"""How fast the page is, in a real browser: from a click to the paint, bytes, the first page, watching.

Used small by the tests and at full size by ``tools/results.py`` and ``benchmarks/bench_page.py``.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import psutil
from playwright.sync_api import Browser, BrowserContext, Page, WebSocket

from tests.web.browser import DESK

PATIENCE: Final = 60_000
"""Milliseconds for a first game, which on a fresh machine may have to compile."""

_CHOSEN: Final = """
localStorage.setItem("surefoot.minesweeper.game", JSON.stringify({ preset: "expert" }));
const overlays = { risks: true, proved: true, best: true };
localStorage.setItem("surefoot.minesweeper.overlays", JSON.stringify(overlays));
"""
_CLOCK: Final = """
(() => {
  // From the button going down to the end of the frame that shows what came of it.
  const clock = (window.surefootClock = { down: null, first: null, last: null });
  const start = () => Object.assign(clock, { down: performance.now(), first: null, last: null });
  addEventListener("pointerdown", start, true);
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    clock.first ??= performance.now();
    clock.last = performance.now();
  };
  let waiting = false;
  new MutationObserver((changes) => {
    const seen = changes.some(({ target }) => target.closest?.("[data-cell]"));
    if (clock.down === null || waiting || !seen) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      channel.port2.postMessage(0);
    });
  }).observe(document, { subtree: true, childList: true, attributes: true });
})();
"""


@dataclass(frozen=True)
class Clicks:
    """What clicks on an expert board cost while the probability overlay is on.

    Args:
        first: milliseconds from each click to the paint of the first change.
        last: to the paint of the last one: by then the overlay is up to date.
        received: bytes that came over the socket for each click.
    """

    first: list[float]
    last: list[float]
    received: list[int]

    def as_dict(self) -> dict[str, Any]:
        return {
            "clicks": len(self.first),
            "first_paint_ms": _spread(self.first),
            "overlay_paint_ms": _spread(self.last),
            "received_bytes": _spread(self.received),
        }


def _spread(values: list[float] | list[int]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
        "most": round(ordered[-1], 1),
    }


def clicks(browser: Browser, url: str, count: int) -> Clicks:
    """Click ``count`` times on expert boards, on proved cells where there are any, else on the best one."""
    context = browser.new_context(viewport={"width": DESK[0], "height": DESK[1]})
    context.add_init_script(_CHOSEN + _CLOCK)
    page = context.new_page()
    received: list[int] = [0]

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: received.__setitem__(0, received[0] + _length(frame)))

    page.on("websocket", listen)
    page.goto(f"{url}/#/minesweeper")
    _wait_for_a_game(page)
    measured = Clicks([], [], [])
    while len(measured.first) < count:
        if page.locator(_OVER).count():
            page.get_by_role("button", name="New").click()
            _wait_for_a_game(page)
        box = page.evaluate(_NEXT_CELL)
        before = received[0]
        page.mouse.click(box["x"], box["y"])
        # The Content-Security-Policy leaves nothing to wait by but time.
        page.wait_for_timeout(300)
        clock = page.evaluate("window.surefootClock")
        measured.first.append(clock["first"] - clock["down"])
        measured.last.append(clock["last"] - clock["down"])
        measured.received.append(received[0] - before)
    context.close()
    return measured


def _length(frame: str | bytes) -> int:
    return len(frame) if isinstance(frame, bytes) else len(frame.encode())


_NEXT_CELL: Final = """
(() => {
  const cells = [...document.querySelectorAll("[data-cell]")];
  const says = (words) => cells.filter((cell) => cell.getAttribute("aria-label").includes(words));
  const hidden = says("hidden");
  const [cell] = [...says("proved safe"), ...says("best cell"), ...hidden];
  const { x, y, width, height } = cell.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
})()
"""


_OVER: Final = ".message[data-kind=won], .message[data-kind=lost]"


def _wait_for_a_game(page: Page) -> None:
    page.locator("[data-cell='479']").wait_for(timeout=PATIENCE)
    page.locator(_OVER).wait_for(state="detached")
    page.wait_for_timeout(300)


@dataclass(frozen=True)
class FirstPage:
    """The first page as a new visitor gets it: bytes over the wire, and milliseconds to first contents."""

    bytes: int
    painted_ms: float


def first_page(browser: Browser, url: str, path: str = "/") -> FirstPage:
    """Load a page with nothing in the cache."""
    context = browser.new_context()
    page = context.new_page()
    lengths: list[float] = []
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: lengths.append(event["encodedDataLength"]))
    page.goto(url + path)
    page.wait_for_load_state("networkidle")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    return FirstPage(int(sum(lengths)), paint)


@dataclass(frozen=True)
class Watching:
    """What several watched games cost the server.

    Args:
        games: how many, each in a page of its own.
        seconds: how long.
        server_core: processor time of the server's own process over the clock's; its workers are apart.
        updates: deltas a second that each page got.
    """

    games: int
    seconds: float
    server_core: float
    updates: list[float]


def _counting(counts: list[int], place: int) -> Callable[[WebSocket], None]:
    def count(frame: str | bytes) -> None:
        counts[place] += '"delta"' in (frame if isinstance(frame, str) else frame.decode())

    return lambda socket: socket.on("framereceived", count)


def watching(browser: Browser, url: str, pid: int, *, games: int, seconds: float) -> Watching:
    """Watch games of six agents, one in each page, at twenty moves a second."""
    contexts: list[BrowserContext] = []
    counts = [0] * games
    for place in range(games):
        context = browser.new_context(viewport={"width": DESK[0], "height": DESK[1]})
        contexts.append(context)
        page = context.new_page()

        page.on("websocket", _counting(counts, place))
        page.goto(f"{url}/#/risk")
        page.get_by_role("button", name="Watch six agents").click(timeout=PATIENCE)
        speed = page.get_by_role("slider", name="Agents' speed")
        speed.focus(timeout=PATIENCE)
        # Twenty moves a second: every update that may be sent has news, and the game lasts.
        for key in ("Home", *["ArrowRight"] * 7):
            speed.press(key)
    page.wait_for_timeout(2000)
    server = psutil.Process(pid)
    before, begun = list(counts), time.monotonic()
    used = sum(server.cpu_times()[:2])
    page.wait_for_timeout(seconds * 1000)
    used, passed = sum(server.cpu_times()[:2]) - used, time.monotonic() - begun
    updates = [(after - first) / passed for after, first in zip(counts, before, strict=True)]
    for context in contexts:
        context.close()
    return Watching(games, passed, used / passed, updates)
