"""The transcripts of the page: what the host says there it says, and both samples answer as they do there."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surefoot import __version__
from surefoot.arena.awkward_minesweeper import MinesweeperPlay
from surefoot.arena.awkward_risk import RiskPlay
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.rules import WINDOWS, Level
from surefoot.protocol import programs
from surefoot.protocol.limits import Limits, PlayLimits
from surefoot.risk.game import Game as RiskGame
from surefoot.risk.rules import Rules
from surefoot.risk.worldmap import load
from surefoot.spec import CommandSpec
from tests.unit.protocol.hostile import JAVASCRIPT, ROOT, SAMPLE

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork") or shutil.which("tee") is None, reason="agents' processes are forked"
)

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
TRANSCRIPTS = re.findall(r"```transcript\n(.*?)\n```", PAGE, re.DOTALL)
GAMES = ["minesweeper", "risk"]


def lines(transcript: str, who: str) -> list[dict[str, Any]]:
    return [json.loads(line[2:]) for line in transcript.splitlines() if line.startswith(who)]


def begin(game: str) -> MinesweeperPlay | RiskPlay:
    rng = np.random.default_rng(33)
    if game == "minesweeper":
        return MinesweeperPlay(Game(Level(3, 4, 2), WINDOWS, rng=rng))
    return RiskPlay(RiskGame(load("grid-2x1"), Rules(), 2, rng=rng), 0)


@pytest.mark.parametrize("game", GAMES)
def test_the_host_speaks_as_the_page_says(game: str, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    piped = f"tee {shlex.quote(str(heard))} | {SAMPLE.removeprefix('cmd:')}"
    agent = CommandSpec.of(["sh", "-c", piped], game, PlayLimits()).make(7)
    played = begin(game)
    while (seen := played.observation()) is not None:
        played.play(agent.act(seen))
    agent.over(played.outcome)
    agent.close()
    programs.close_programs()
    told = [json.loads(line) for line in heard.read_text().splitlines()]
    page = lines(TRANSCRIPTS[GAMES.index(game)], ">")
    assert told == [page[0] | {"version": __version__}, *page[1:]]


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=GAMES)
@pytest.mark.parametrize(
    "spec",
    [
        SAMPLE,
        pytest.param(
            JAVASCRIPT, marks=pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
        ),
    ],
)
def test_the_samples_answer_as_the_page_says(transcript: str, spec: str) -> None:
    asked = "".join(line[2:] + "\n" for line in transcript.splitlines() if line.startswith(">"))
    done = subprocess.run(
        shlex.split(spec.removeprefix("cmd:")), input=asked, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    page = lines(transcript, "<")
    assert answers[0] | {"name": ""} == page[0] | {"name": ""}
    assert answers[1:] == page[1:]
    assert len(page) >= 3


def test_the_limits_of_the_page_are_the_limits() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (\d+ \w+) \|", PAGE, re.MULTILINE))
    limits = PlayLimits()
    assert rows == {
        "start": f"{limits.start:g} s",
        "act": f"{limits.act:g} s",
        "game": f"{limits.game:g} s",
        "memory": f"{limits.memory >> 20} MB",
    }
    unnamed = re.findall(r"^\| \| (\d+)(?: (\w\w))? \|", PAGE, re.MULTILINE)
    assert unnamed == [(str(Limits().processes), ""), ("1", "MB"), (str(Limits().output >> 10), "KB")]
