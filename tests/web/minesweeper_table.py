"""What the tests of Minesweeper on the page share: worker processes, and a client without a socket."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

import pytest

from surefoot.minesweeper.actions import Action
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.rules import PRESETS
from surefoot.web import delta
from surefoot.web.lanes import Lanes
from surefoot.web.messages import (
    Act,
    CreateMinesweeper,
    SessionMessage,
)
from surefoot.web.minesweeper import session as session_module
from surefoot.web.minesweeper import work
from surefoot.web.minesweeper.session import MinesweeperSession
from surefoot.web.refusals import Refused

Run = Callable[[Coroutine[Any, Any, Any]], Any]

BOARD = "4x4x2\nHHHI\nHHHH\nHHHH\nIHHH"
"""Two mines in opposite corners."""


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


@pytest.fixture(scope="module")
def lanes(loop: asyncio.AbstractEventLoop) -> Iterator[Lanes]:
    made = Lanes(1)

    async def warm() -> None:
        """Kernels may have to be compiled first, which is not what the tests wait for."""
        game = Game(*PRESETS["expert"], rng=game_rng(3, 0))
        game.play(Action.parse("uncover 8,15"))
        seen = game.observation()
        await made.study(work.analyze, seen)
        await made.play("a", work.analyze, seen)
        await made.play("a", work.win_probability, seen)
        await made.play("a", work.play, "a", "exact", 0, session_module._packed(game), 1)

    loop.run_until_complete(warm())
    yield made
    made.close()


@pytest.fixture
def run(loop: asyncio.AbstractEventLoop) -> Run:
    """Runs a scenario to its end, and lets go what it has left going on."""

    async def to_the_end(scenario: Coroutine[Any, Any, Any]) -> Any:
        try:
            return await scenario
        finally:
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.sleep(0)

    return lambda scenario: loop.run_until_complete(to_the_end(scenario))


class Player:
    """A client without a socket: says things to a session, and sees its view through deltas alone."""

    def __init__(self, session: MinesweeperSession) -> None:
        self.session = session
        self.seen: Any = json.loads(json.dumps(session.view()))
        self.sent = session.view()
        self.bytes: list[int] = []

    @property
    def view(self) -> Any:
        now = self.session.view()
        change = delta.difference(self.sent, now)
        if change is not None:
            text = json.dumps(change, separators=(",", ":"))
            self.bytes.append(len(text))
            self.seen = delta.apply(self.seen, json.loads(text))
        self.sent = now
        assert self.seen == json.loads(json.dumps(now))
        return self.seen

    async def act(self, *actions: str) -> Any:
        for action in actions:
            await self.session.handle(Act(type="act", action=action))
        return self.view

    async def say(self, message: SessionMessage) -> Any:
        await self.session.handle(message)
        return self.view

    async def until(self, holds: Callable[[Any], bool], seconds: float = 60) -> Any:
        """Wait for the view to be so."""
        with self.session.watching() as changed:

            async def wait() -> Any:
                while not holds(self.view):
                    await changed.wait()
                    changed.clear()
                return self.view

            return await asyncio.wait_for(wait(), seconds)


async def created(lanes: Lanes, **what: Any) -> Player:
    message = CreateMinesweeper(type="create-minesweeper", **what)
    return Player(await MinesweeperSession.create("key", lanes, message))


async def refused(doing: Awaitable[object]) -> Refused:
    with pytest.raises(Refused) as caught:
        await doing
    assert "\n" not in caught.value.message
    return caught.value


def at(view: Any, row: int, col: int) -> int:
    value: int = view["cells"][row * view["level"]["width"] + col]
    return value


def numbers_of(view: Any) -> list[int]:
    return [cell for cell in view["cells"] if cell >= 0]
