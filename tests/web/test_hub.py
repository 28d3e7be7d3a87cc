"""Games by their keys: found by nobody else, bounded in number, let go when nobody needs them."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

import pytest

from surefoot.web.hub import Hub
from surefoot.web.lanes import Lanes
from surefoot.web.limits import IDLE_SECONDS
from surefoot.web.messages import CreateMinesweeper
from surefoot.web.refusals import Refused

GAME = CreateMinesweeper(type="create-minesweeper", preset="beginner")


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


def test_keys_are_long_and_differ() -> None:
    async def work() -> None:
        hub = Hub(Lanes(1))
        keys = {(await hub.create_minesweeper(GAME)).key for _ in range(20)}
        assert len(keys) == 20
        assert all(len(key) >= 22 for key in keys)
        for key in keys:
            assert hub.get(key).key == key

    run(work())


@pytest.mark.parametrize("key", ["", "x", "../../etc/passwd", "A" * 24, "\0"])
def test_a_key_that_is_none(key: str) -> None:
    async def work() -> None:
        hub = Hub(Lanes(1))
        await hub.create_minesweeper(GAME)
        with pytest.raises(Refused) as refused:
            hub.get(key)
        assert refused.value.code == "no-session"

    run(work())


def test_the_longest_unused_makes_room() -> None:
    async def work() -> None:
        hub = Hub(Lanes(1), most=3)
        first, second, third = [await hub.create_minesweeper(GAME) for _ in range(3)]
        first.used, second.used, third.used = 2.0, 1.0, 3.0
        fourth = await hub.create_minesweeper(GAME)
        assert len(hub) == 3
        with pytest.raises(Refused):
            hub.get(second.key)
        assert [hub.get(one.key) for one in (first, third, fourth)] == [first, third, fourth]
        # One that is watched stays, however long it is.
        with first.watching():
            await hub.create_minesweeper(GAME)
            assert hub.get(first.key) is first
            with pytest.raises(Refused):
                hub.get(third.key)

    run(work())


def test_when_all_are_watched_there_is_no_room() -> None:
    async def work() -> None:
        hub = Hub(Lanes(1), most=1)
        only = await hub.create_minesweeper(GAME)
        with only.watching():
            with pytest.raises(Refused) as refused:
                await hub.create_minesweeper(GAME)
            assert refused.value.code == "too-many"
            assert hub.get(only.key) is only
        await hub.create_minesweeper(GAME)
        assert len(hub) == 1

    run(work())


def test_many_at_once_do_not_exceed_the_bound() -> None:
    async def work() -> None:
        hub = Hub(Lanes(1), most=5)
        await asyncio.gather(*(hub.create_minesweeper(GAME) for _ in range(30)))
        assert len(hub) == 5

    run(work())


def test_a_game_that_cannot_be_takes_no_room() -> None:
    async def work() -> None:
        hub = Hub(Lanes(1))
        with pytest.raises(Refused):
            await hub.create_minesweeper(CreateMinesweeper(type="create-minesweeper", preset="nonsense"))
        assert len(hub) == 0

    run(work())


def test_idle_games_are_let_go() -> None:
    async def work() -> None:
        hub = Hub(Lanes(1))
        idle, watched = [await hub.create_minesweeper(GAME) for _ in range(2)]
        now = time.monotonic()
        hub.close_idle(now)
        assert len(hub) == 2
        with watched.watching():
            hub.close_idle(now + IDLE_SECONDS + 1)
            assert hub.get(watched.key) is watched
            with pytest.raises(Refused):
                hub.get(idle.key)
        hub.close_idle(now + IDLE_SECONDS / 2)
        assert len(hub) == 1
        hub.close()
        assert len(hub) == 0

    run(work())
