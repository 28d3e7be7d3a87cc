"""What a session of Risk refuses, and what it does when no answer comes, or one that is too late."""

import asyncio
import random
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from surefoot.risk import Record
from surefoot.web.refusals import Refused
from surefoot.web.risk.session import MOST_FIGHTING

from .risk_table import InlineLanes, Table, play_on, refusal, run

T = TypeVar("T")


class GatedLanes(InlineLanes):
    """Answers only when let."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.asked = 0

    async def do(self, work: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        self.asked += 1
        await self.gate.wait()
        return await super().do(work, arguments)


def test_an_answer_that_comes_too_late_is_not_played() -> None:
    async def test() -> None:
        lanes = GatedLanes()
        table = await Table.lay(lanes, seats=["continent", "human"], seed=2)
        view = await table.wait(lambda view: view["pace"]["thinking"] is not None)
        assert view["pace"]["thinking"] == 0 and lanes.asked == 1
        view = await table.say("seat", seat=0, player="human")
        assert view["choices"] is not None
        lanes.gate.set()
        await asyncio.sleep(0.1)
        assert table.look()["moves"] == 0 and table.view["pace"]["thinking"] is None
        await table.act(f"draft {view['choices']['draft'][0]} 1")
        assert table.view["moves"] == 1
        # A restart is as good a reason.
        lanes.gate.clear()
        await table.say("seat", seat=0, player="turtle")
        await table.say("seat", seat=1, player="turtle")
        await table.say("pace", running=False, speed=1000)
        await table.say("step")
        await table.wait(lambda view: view["pace"]["thinking"] is not None)
        await table.say("restart", seed=3)
        lanes.gate.set()
        await table.wait(lambda view: view["moves"] == 1)
        Record.parse(table.session.record())

    run(test)


def test_of_questions_that_come_too_fast_the_last_is_answered() -> None:
    async def test() -> None:
        lanes = GatedLanes()
        table = await Table.lay(lanes, seats=["human", "human"], seed=3)
        for agent in ("turtle", "killer", "spread", "continent"):
            await table.say("advise", agent=agent)
        await asyncio.sleep(0)
        lanes.gate.set()
        view = await table.wait(lambda view: not view["advice"]["thinking"])
        assert view["advice"]["agent"] == "continent" and view["advice"]["action"]
        assert lanes.asked <= 2

    run(test)


class BrokenLanes(InlineLanes):
    """Does nothing, in one way or another."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error: BaseException | None = error

    async def do(self, work: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        if self.error is not None:
            raise self.error
        return await super().do(work, arguments)


@pytest.mark.parametrize("error", [Refused("too-slow", "no answer"), asyncio.CancelledError()])
def test_where_no_answer_comes_the_page_says_so_and_can_ask_again(error: BaseException) -> None:
    async def test() -> None:
        lanes = BrokenLanes(error)
        table = await Table.lay(lanes, seats=["continent", "turtle"], seed=2)
        view = await table.wait(lambda view: view["pace"]["ended"])
        assert view["pace"]["ended"].startswith("Continent: ") and not view["pace"]["running"]
        lanes.error = None
        await table.say("pace", running=True)
        view = await table.wait(lambda view: view["moves"] > 0)
        assert view["pace"]["ended"] is None and view["pace"]["running"]

    run(test)


BAD = [
    ({"map": "../classic"}, "no map '../classic'"),
    ({"map": "/etc/passwd"}, "no map"),
    ({"map": "classic.toml"}, "no map"),
    ({"map": "grid-21x20"}, "grid-21x20: 420 territories; at most 400"),
    ({"map": "grid-1x1"}, "a grid has 2 to"),
    ({"rules": "chess"}, "unknown rules"),
    ({"rules": "standard:fog=maybe"}, "yes or no"),
    ({"rules": "standard:starting_armies=20000"}, "at most 10,000"),
    ({"rules": "standard:neutral=yes", "seats": ["human"] * 3}, "2 players"),
    ({"map": "duel", "rules": "standard:starting_armies=1"}, "less than"),
    ({"map": "grid-2x2", "seats": ["human"] * 5}, "not enough"),
    ({"seats": ["human", "alphabeta:depth=9"]}, "on the page there is alphabeta or alphabeta:free"),
    ({"seats": ["human", "agent.py:Agent"]}, "no agent"),
    ({"seats": ["human", "cmd:rm"]}, "no agent"),
    ({"seats": ["human", "<script>"]}, "no agent"),
    ({"text": "hello"}, "not a Risk record"),
    ({"text": '[Game "Risk"]\n[Map "/etc/passwd"]\n[Players "2"]\n'}, "not the name of a map"),
    ({"text": '[Game "Risk"]\n[Map "grid-40x20"]\n[Players "2"]\n[Winner "*"]\n'}, "800 territories"),
]


@pytest.mark.parametrize(("fields", "words"), BAD)
def test_a_game_that_cannot_be_is_refused_in_one_line(
    lanes: InlineLanes, fields: dict[str, Any], words: str
) -> None:
    refused = run(lambda: refusal(Table.lay(lanes, **{"seats": ["human", "turtle"], **fields})))
    assert refused.code == "bad-message" and words in refused.message


def test_bad_moves_are_refused_in_one_line(lanes: InlineLanes) -> None:
    async def test() -> None:
        table = await Table.lay(lanes, seats=["human", "turtle"], seed=1)
        enemy = next(t for t, owner in enumerate(table.view["owners"]) if owner == 1)
        for action, code, words in (
            ("jump", "bad-message", "not an action"),
            ("draft atlantis 1", "bad-message", "no territory 'atlantis'"),
            ("draft 9999 1", "bad-message", "no territory"),
            (f"draft {enemy} 1", "not-legal", "not one's own"),
            ("end", "not-legal", "still being placed"),
            ("<script>alert(1)</script>", "bad-message", "not an action"),
            (f"attack 0 1 {MOST_FIGHTING + 1}", "too-large", "at most 5,000 armies"),
            ("occupy 1", "not-legal", "still being placed"),
        ):
            refused = await table.refused("act", action=action)
            assert refused.code == code and words in refused.message, refused.message
        assert (await table.refused("step")).code == "not-legal"
        assert (await table.refused("agent", agent="turtle")).code == "bad-message"
        assert (await table.refused("pace", speed=1e9)).code == "bad-message"
        assert (await table.refused("pace", speed=-1)).code == "bad-message"
        await table.act(f"draft {table.view['choices']['draft'][0]} 1")
        assert "turn of Turtle" in (await table.refused("act", action="end")).message

    run(test)


def test_nothing_is_played_after_the_end(lanes: InlineLanes) -> None:
    async def test() -> None:
        table = await Table.lay(lanes, map="duel", rules="document:round_cap=1", seats=["human", "human"])
        view = await play_on(table, random.Random(1))
        assert view["outcome"] == "capped" and view["winner"] is None
        assert "nobody wins" in view["log"][-1]["text"]
        for kind, fields in (
            ("act", {"action": "end"}),
            ("step", {}),
            ("advise", {"agent": "turtle"}),
            ("seat", {"seat": 0, "player": "turtle"}),
        ):
            refused = await table.refused(kind, **fields)
            assert refused.code == "not-legal" and "over" in refused.message

    run(test)
