"""Our agents as programs for somebody's host, and the messages of both sides."""

import io
import json
import re
import shlex
import subprocess
import sys
from typing import Any

import pytest

from surefoot.errors import FormatError
from surefoot.minesweeper import preset
from surefoot.minesweeper.actions import LEAVE
from surefoot.minesweeper.bulk import play_games
from surefoot.protocol import messages, server
from surefoot.protocol.dialects import GAMES
from surefoot.protocol.limits import PlayLimits
from surefoot.protocol.server import Server, serve
from surefoot.risk import bulk as risk_bulk
from surefoot.risk.game import Game as RiskGame
from surefoot.risk.rules import Rules
from surefoot.risk.worldmap import WorldMap, load
from surefoot.spec import last_line, parse

PATIENT = PlayLimits(start=300, act=120, game=1200, memory=4 << 30)
"""For a process of ours that may have to compile."""

NEW_GAME = messages.new_game(
    "1", "minesweeper", {"rules": "minai", "seat": 0, "players": 1, "board": "2x1x1"}, 5
)
OBSERVE = messages.observe("1.0.1", "2x1x1\n1H", 10)


class Agent:
    """Leaves, and tells what it was given."""

    def __init__(self, seed: int = 0) -> None:
        if seed == 13:
            raise RuntimeError("unlucky")
        self.guesses = seed

    def act(self, observation: Any) -> Any:
        assert observation.rules.may_leave
        return None if observation.width == 3 else LEAVE


def our_server() -> Server:
    return Server("minesweeper", Agent, "tester", last_line)


def surefoot(spec: str, game: str) -> str:
    return f"cmd:{shlex.join([sys.executable, '-m', 'surefoot', 'agent', spec, '--game', game])}"


def test_it_answers_what_is_asked_and_nothing_else() -> None:
    ours = our_server()
    said = ours.answer(messages.hello("a host"))
    assert said is not None
    assert (said["name"], said["games"], said["protocol"]) == ("tester", ["minesweeper"], 1)
    assert ours.answer(NEW_GAME) is None
    assert ours.answer(OBSERVE) == {"type": "act", "id": "1.0.1", "action": "leave", "guesses": 5}
    assert ours.answer({"type": "a type of later days", "id": 7}) is None
    assert ours.answer(OBSERVE | {"a key of later days": 1}) is not None
    assert ours.answer(messages.game_over("1", "won")) is None
    assert ours.answer(OBSERVE) == messages.fault("1.0.1", "the game is over")


@pytest.mark.parametrize(
    ("begin", "observe", "words"),
    [
        (None, {}, "no game has begun"),
        ({"game": "chess"}, {}, "this plays minesweeper, not chess"),
        ({"rules": "no such rules"}, {}, "unknown rules"),
        ({"seed": 13}, {}, "RuntimeError: unlucky"),
        ({}, {"observation": "2x1x1\n1"}, "line 2: 1 cells, not 2"),
        ({}, {"observation": "3x1x1\n1HH"}, "act() answered NoneType, which is no action"),
        ({"rules": "windows"}, {}, "AssertionError"),
    ],
)
def test_what_goes_wrong_is_said_when_somebody_waits(
    begin: dict[str, Any] | None, observe: dict[str, Any], words: str
) -> None:
    ours = our_server()
    if begin is not None:
        assert ours.answer(NEW_GAME | begin) is None
    said = ours.answer(OBSERVE | observe)
    assert said is not None
    assert (said["type"], said["id"]) == ("error", "1.0.1")
    assert words in said["message"]
    ours.answer(NEW_GAME)
    assert ours.answer(OBSERVE) == {"type": "act", "id": "1.0.1", "action": "leave", "guesses": 5}


@pytest.mark.parametrize(
    "message", [[], 7, None, {}, {"type": "observe"}, {"type": ["hello"]}, NEW_GAME | {"seed": "5"}]
)
def test_a_message_that_is_none_is_answered_with_an_error(message: Any) -> None:
    said = our_server().answer(message)
    if isinstance(message, dict) and message.get("type") not in ("observe", "new_game"):
        assert said is None
    else:
        assert said is not None and said["type"] == "error"


def test_it_serves_line_by_line_until_the_end() -> None:
    lines = [
        json.dumps(messages.hello("a host")),
        "{",
        "[" * 100_000,
        json.dumps(NEW_GAME),
        json.dumps(OBSERVE),
    ]
    sink = io.BytesIO()
    serve(our_server(), io.BytesIO("\n".join(lines).encode()), sink)
    types = [json.loads(line)["type"] for line in sink.getvalue().splitlines()]
    assert types == ["hello", "error", "error", "act"]


def test_a_line_without_end_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "LONGEST_LINE", 100)
    with pytest.raises(FormatError, match="a line of more than"):
        serve(our_server(), io.BytesIO(b"x" * 101), io.BytesIO())


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"type": "act", "id": 1, "action": "leave"}, "act.id"),
        ({"type": "act", "id": "1", "action": "x" * 1001}, "act.action"),
        ({"type": "act", "id": "1", "action": "leave", "guesses": -1}, "act.guesses"),
        ({"type": "act", "id": "1", "action": "leave", "guesses": True}, "act.guesses"),
        ({"type": "hello", "protocol": "1", "name": "x", "games": []}, "hello.protocol"),
        ({"type": "hello", "protocol": 1, "name": "", "games": []}, "hello.name"),
        ({"type": "observe"}, "does not match"),
        (["act"], "dictionary"),
    ],
)
def test_an_agents_messages_are_looked_at(message: Any, words: str) -> None:
    with pytest.raises(FormatError, match=words) as caught:
        messages.from_agent(message)
    assert "\n" not in str(caught.value)


def test_a_map_of_ones_own_reaches_the_other_side() -> None:
    toml = re.sub('"?Moor"?', '"Ann\'s Moor"', str(load("duel"))).replace('"duel"', '"mine"')
    worldmap = WorldMap.parse(toml)
    seen = RiskGame(worldmap, Rules(), 2, rng=None)
    while seen.chance_outcomes():
        seen.resolve(seen.chance_outcomes()[0][0])
    about = GAMES["risk"].about(seen.observation())
    assert about["territories"]["ann's-moor"]["neighbours"]
    table = GAMES["risk"].table(json.loads(json.dumps(about)))
    assert table(str(seen.observation())) == seen.observation()


def test_a_program_of_ours_plays_minesweeper_as_it_does_here() -> None:
    board = preset("minai-beginner")
    here = play_games(parse("sentence").make, *board, 3, 0, 5)
    there = play_games(parse(surefoot("sentence", "minesweeper"), limits=PATIENT).make, *board, 3, 0, 5)
    assert [column.tolist() for column in here] == [column.tolist() for column in there]


@pytest.mark.slow
def test_exact_as_a_program_is_exact() -> None:
    board = preset("expert")
    here = play_games(parse("exact").make, *board, 4, 0, 6)
    there = play_games(parse(surefoot("exact", "minesweeper"), limits=PATIENT).make, *board, 4, 0, 6)
    assert [column.tolist() for column in here] == [column.tolist() for column in there]
    assert here.won.any() and not here.won.all()


@pytest.mark.slow
def test_a_program_of_ours_plays_risk_as_it_does_here() -> None:
    match = risk_bulk.Match(load("classic"), Rules.parse("standard:fog=yes;round_cap=60"), 2, 4, paired=True)
    ours = [parse(name, "risk") for name in ("random", "continent")]
    here = risk_bulk.play_games(match, [spec.make for spec in ours], 0, 4)
    programs = [parse(surefoot(str(spec), "risk"), "risk", PATIENT) for spec in ours]
    there = risk_bulk.play_games(match, [spec.make for spec in programs], 0, 4)
    assert [column.tolist() for column in here] == [column.tolist() for column in there]


def test_what_an_agent_prints_does_not_reach_the_host(tmp_path: Any) -> None:
    file = tmp_path / "prints.py"
    file.write_text(
        "import os\n"
        "from surefoot.minesweeper import uncover\n"
        "print('at the start')\n"
        "class Prints:\n"
        "    def act(self, observation):\n"
        "        print('thinking'); os.write(1, b'below Python\\n'); print(repr(input()) if 0 else '')\n"
        "        return uncover((0, 1))\n"
    )
    lines = [messages.hello("a host"), NEW_GAME, OBSERVE]
    done = subprocess.run(
        [sys.executable, "-m", "surefoot", "agent", f"{file}:Prints"],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
    )
    assert [json.loads(line)["type"] for line in done.stdout.splitlines()] == ["hello", "act"]
    assert json.loads(done.stdout.splitlines()[1])["action"] == "uncover 0,1"
    for words in ("at the start", "thinking", "below Python"):
        assert words in done.stderr
