"""How fast the page is, in a real browser: from a click to the paint, bytes, the first page, watching.

Used small by the tests and at full size by ``tools/results.py`` and ``benchmarks/bench_page.py``.
"""

import asyncio
import json
import statistics
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final

import psutil
from playwright.sync_api import Browser, Page, WebSocket
from websockets.asyncio.client import ClientConnection, connect

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
        games: how many, each watched over a socket of its own.
        seconds: how long.
        server_core: processor time of the server's own process over the clock's; its workers are apart.
        updates: deltas a second that each got.
    """

    games: int
    seconds: float
    server_core: float
    updates: list[float]


def watching(url: str, pid: int, *, games: int, seconds: float) -> Watching:
    """Watch games of six agents over sockets of their own, at more moves a second than updates are sent."""
    return asyncio.run(_watch("ws" + url.removeprefix("http") + "/ws", pid, games, seconds))


async def _watch(url: str, pid: int, games: int, seconds: float) -> Watching:
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(connect(url, max_size=None)) for _ in range(games)]
        counts = [0] * games
        tasks = [asyncio.create_task(_follow(socket, counts, place)) for place, socket in enumerate(sockets)]
        await asyncio.sleep(3)
        server = psutil.Process(pid)
        before, begun, used = list(counts), time.monotonic(), sum(server.cpu_times()[:2])
        await asyncio.sleep(seconds)
        used, passed = sum(server.cpu_times()[:2]) - used, time.monotonic() - begun
        updates = [(after - first) / passed for after, first in zip(counts, before, strict=True)]
        for task in tasks:
            task.cancel()
    return Watching(games, passed, used / passed, updates)


async def _follow(socket: ClientConnection, counts: list[int], place: int) -> None:
    """Begin a game, take in every update, and begin anew when it is over."""
    seats = ["continent", "killer", "aggressive", "turtle", "spread", "pacifist"]
    await socket.send(json.dumps({"type": "create-risk", "seats": seats}))
    await socket.send(json.dumps({"type": "pace", "running": True, "speed": 50}))
    async for text in socket:
        message = json.loads(text)
        if message["type"] == "delta":
            counts[place] += 1
            if "outcome" in message["change"].get("o", {}):
                await socket.send(json.dumps({"type": "restart"}))
                await socket.send(json.dumps({"type": "pace", "running": True}))
