"""Worker processes: what takes too long or dies is told in words, and the next one is served."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable

import psutil
import pytest

from surefoot.errors import Contradiction, FormatError, IllegalAction, TooComplex
from surefoot.web import lanes as lanes_module
from surefoot.web import session as session_module
from surefoot.web.lanes import Lanes, agent_of
from surefoot.web.messages import SessionMessage
from surefoot.web.refusals import Refused
from surefoot.web.session import Pace, Session, View


def run(work: Callable[[Lanes], Awaitable[None]]) -> None:
    """Do something with lanes of its own, which end afterwards."""

    async def inner() -> None:
        lanes = Lanes(2)
        try:
            await asyncio.wait_for(work(lanes), 120)
        finally:
            lanes.close()

    asyncio.run(inner())


# What is done in the worker processes.


def double(number: int) -> int:
    return 2 * number


def die() -> None:
    os._exit(3)


def fail(kind: type[Exception]) -> None:
    raise kind("in these words")


def agent_number(key: str, seat: int, name: str) -> int:
    return id(agent_of(key, seat, name, "minesweeper", 1))


def agents_held() -> int:
    return len(lanes_module._AGENTS)


def test_work_is_done_elsewhere() -> None:
    async def work(lanes: Lanes) -> None:
        assert await lanes.play("a", double, 21) == 42
        assert await lanes.study(double, 4) == 8
        assert await lanes.study(os.getpid) != os.getpid()
        # A game keeps to its lane.
        assert len({await lanes.play("some-key", os.getpid) for _ in range(3)}) == 1

    run(work)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (FormatError, "bad-message"),
        (Contradiction, "bad-message"),
        (IllegalAction, "not-legal"),
        (TooComplex, "too-complex"),
    ],
)
def test_what_the_games_refuse_is_refused_in_their_words(kind: type[Exception], code: str) -> None:
    async def work(lanes: Lanes) -> None:
        with pytest.raises(Refused, match="in these words") as refused:
            await lanes.study(fail, kind)
        assert refused.value.code == code
        with pytest.raises(ZeroDivisionError):  # our own mistakes stay what they are
            await lanes.study(fail, ZeroDivisionError)

    run(work)


def test_what_takes_too_long_is_ended_and_the_next_one_served() -> None:
    async def work(lanes: Lanes) -> None:
        old = await lanes.play("a", os.getpid)
        lane = lanes._lane_of("a")
        with pytest.raises(Refused, match="seconds") as refused:
            await lane.do(time.sleep, (600,), limit=0.3)
        assert refused.value.code == "too-slow"
        assert await lanes.play("a", double, 1) == 2
        assert await lanes.play("a", os.getpid) != old
        for _ in range(600):
            if not psutil.pid_exists(old) or psutil.Process(old).status() == psutil.STATUS_ZOMBIE:
                return
            await asyncio.sleep(0.1)
        raise AssertionError("the process that took too long is still there")

    run(work)


def test_time_spent_waiting_for_a_turn_does_not_count() -> None:
    async def work(lanes: Lanes) -> None:
        lane = lanes._lane_of("a")
        await lane.do(double, (1,))
        # Four that take half a second each, with less than the time of all four for each.
        done = await asyncio.gather(*(lane.do(time.sleep, (0.5,), limit=1.9) for _ in range(4)))
        assert done == [None] * 4

    run(work)


def test_nobody_waits_for_ever_for_a_study() -> None:
    async def work(lanes: Lanes) -> None:
        lane = lanes._lane_of("a")
        first = asyncio.create_task(lane.do(time.sleep, (2,)))
        await asyncio.sleep(0.1)
        with pytest.raises(Refused, match="many are asking"):
            await lane.do(double, (1,), patience=0.2)
        await first
        assert await lane.do(double, (1,), patience=0.2) == 2

    run(work)


def test_who_gives_up_does_not_take_the_time_of_the_next() -> None:
    async def work(lanes: Lanes) -> None:
        lane = lanes._lane_of("a")
        await lane.do(double, (1,))
        gone = asyncio.create_task(lane.do(time.sleep, (2.5,)))
        await asyncio.sleep(0.2)
        gone.cancel()
        assert await lane.do(double, (3,), limit=2.0) == 6

    run(work)


def test_a_process_that_dies_is_replaced() -> None:
    async def work(lanes: Lanes) -> None:
        with pytest.raises(Refused, match="died") as refused:
            await lanes.play("a", die)
        assert refused.value.code == "too-slow"
        assert await lanes.play("a", double, 5) == 10

    run(work)


def test_agents_live_from_move_to_move_until_their_game_is_forgotten() -> None:
    async def work(lanes: Lanes) -> None:
        first = await lanes.play("k", agent_number, "k", 0, "random")
        assert await lanes.play("k", agent_number, "k", 0, "random") == first
        await lanes.play("k", agent_number, "k", 1, "random")
        assert await lanes.play("k", agents_held) == 2
        # Another agent takes the place of the one before.
        await lanes.play("k", agent_number, "k", 1, "sentence")
        assert await lanes.play("k", agents_held) == 2
        lanes.forget("k")
        assert await lanes.play("k", agents_held) == 0
        with pytest.raises(Refused, match="nobody"):
            await lanes.play("k", agent_number, "k", 0, "nobody")

    run(work)


def test_after_the_end_nothing_is_begun() -> None:
    async def work(lanes: Lanes) -> None:
        assert await lanes.study(double, 1) == 2
        lanes.close()
        with pytest.raises(Refused, match="closing"):
            await lanes.study(double, 1)
        lanes.forget("a")

    run(work)


class Steps(Session):
    """A game in which an agent takes steps."""

    game = "steps"
    steps = 0

    def build(self) -> View:
        return {"steps": self.steps}

    async def handle(self, message: SessionMessage) -> None:
        raise NotImplementedError

    def record(self) -> str:
        return ""

    async def advance(self, most: int) -> int:
        self.steps += max(most, 1)
        self.changed()
        return max(most, 1)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, on however busy a machine."""
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.01)


def test_agents_play_at_their_pace_one_step_or_not_at_all() -> None:
    async def work(lanes: Lanes) -> None:
        game = Steps("k", lanes)
        pace = Pace(game, game.advance)
        pace.set(running=False, speed=100)
        await asyncio.sleep(0.1)
        assert game.steps == 0
        pace.step()
        await asyncio.sleep(0.2)
        assert game.steps == 1
        begun = time.monotonic()
        pace.set(running=True)
        await until(lambda: game.steps >= 40)
        # A hundred a second, five at a time, and one step that was late is caught up.
        assert time.monotonic() - begun > 0.25
        pace.set(running=False)
        stood = game.steps
        await asyncio.sleep(0.3)
        assert game.steps <= stood + 5
        for wrong in (-1, 0.01, 1e9):
            with pytest.raises(Refused, match="speed"):
                pace.set(speed=wrong)
        game.close()

    run(work)


def test_agents_stand_still_while_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "ALONE_SECONDS", 0.2)
    monkeypatch.setattr(session_module, "_LOOK_AGAIN", 0.05)

    async def work(lanes: Lanes) -> None:
        game = Steps("k", lanes)
        pace = Pace(game, game.advance)
        with game.watching():
            pace.set(running=True, speed=20)
            await until(lambda: game.steps > 0)
        await asyncio.sleep(0.5)
        assert game.alone
        stood = game.steps
        await asyncio.sleep(0.5)
        assert game.steps == stood
        with game.watching():
            await until(lambda: game.steps > stood)
        game.close()

    run(work)
