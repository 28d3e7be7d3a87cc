"""The conformance kit: what passes, what does not, and how that is shown."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot import spec
from surefoot.arena.conformance import cases, check
from surefoot.risk import actions
from surefoot.risk.agents.random import RandomAgent
from surefoot.risk.observation import Observation
from surefoot.spec import parse
from tests.unit.protocol.hostile import HURRIED, JAVASCRIPT, LIMITS, ROOMY, ROOT, SAMPLE, play

BOTH = pytest.mark.parametrize("game", ["minesweeper", "risk"])
FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="agents' processes are forked")
NODE = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")

WRONG = '''
from surefoot.minesweeper import LEAVE, Action, Kind, chord, uncover
from surefoot.minesweeper.agents.sentence import SentenceAgent


class Leaves:
    """Leaves at once, which most rules do not know."""
    def act(self, observation):
        return LEAVE


class GoesNowhere:
    """Opens what is open, for ever."""
    def act(self, observation):
        opened = [(r, c) for r, c in zip(*(observation.cells >= 0).nonzero())]
        return uncover(opened[0] if opened else (0, 0))


class Raises(SentenceAgent):
    """Relies on the number of mines."""
    def act(self, observation):
        assert observation.mines > 0, "how can there be none?"
        return super().act(observation)


class Nothing:
    def act(self, observation):
        return None


class Hangs(SentenceAgent):
    def act(self, observation):
        while observation.width == 40:
            pass
        return super().act(observation)
'''


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    (tmp_path / "wrong.py").write_text(WRONG)
    return str(tmp_path / "wrong.py")


@BOTH
def test_cases_have_names_of_their_own_and_are_always_the_same(game: str) -> None:
    names = [case.name for case in cases(game)]
    assert len(set(names)) == len(names) >= 15
    first, second = ([str(case.make().observation()) for case in cases(game)] for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", ["sentence", "random"])
def test_our_agents_of_minesweeper_pass(name: str) -> None:
    assert not check(parse(name)).breaches


@pytest.mark.slow
def test_exact_passes() -> None:
    assert not check(parse("exact")).breaches


@pytest.mark.parametrize(
    "name", ["random", "continent", "killer", "turtle", "passive", "aggressive", "spread"]
)
def test_our_agents_of_risk_pass(name: str) -> None:
    assert not check(parse(name, "risk")).breaches


@FORKS
@BOTH
@pytest.mark.parametrize("spec", [SAMPLE, pytest.param(JAVASCRIPT, marks=NODE)])
def test_the_samples_pass(spec: str, game: str) -> None:
    report = check(parse(spec, game), limits=ROOMY)
    assert not report.breaches
    assert len(report.cases) == len(cases(game))
    assert {"won", "lost", "stopped"} <= {case.outcome for case in report.cases}


@FORKS
@NODE
@BOTH
def test_the_samples_play_alike(game: str) -> None:
    assert play(SAMPLE, game) == play(JAVASCRIPT, game)


@FORKS
def test_a_breach_shows_what_was_seen_and_what_was_answered(wrong: str) -> None:
    told: list[str] = []
    report = check(parse(f"{wrong}:Leaves"), on_case=lambda case: told.append(case.name))
    assert told == [case.name for case in report.cases] == [case.name for case in cases("minesweeper")]
    by_case = {breach.case: breach for breach in report.breaches}
    first = by_case["one cell"]
    assert (first.move, first.observation, first.answer) == (1, "1x1x0\nH", "leave")
    assert first.what == "leave: these rules do not let a player leave"
    # Where leaving is allowed it is no breach, though the world is lost.
    leaving = {"no mines and no flood", "all mines", "flags that do not protect", "only mines are hidden"}
    assert set(told) - set(by_case) == leaving | {"a student's world"}


@FORKS
@pytest.mark.parametrize(
    ("name", "case", "words", "answer"),
    [
        ("GoesNowhere", "an eight", "no end after 61 moves", "uncover 1,1"),
        ("Raises", "one cell", "AssertionError: how can there be none? (wrong.py, line 22)", None),
        ("Nothing", "expert", "act() answered NoneType, which is no action", None),
        ("Hangs", "one row", "no move within 1.5 s", None),
    ],
)
def test_every_kind_of_breach(wrong: str, name: str, case: str, words: str, answer: str | None) -> None:
    report = check(parse(f"{wrong}:{name}"), limits=HURRIED if name == "Hangs" else LIMITS)
    (found,) = [breach for breach in report.breaches if breach.case == case]
    assert words in found.what
    assert found.answer == answer
    if name == "Hangs":
        # The others are played; only the largest may be slow too, where the machine is busy.
        assert {breach.case for breach in report.breaches} <= {"one row", "a huge board"}


def test_an_agent_of_ours_shows_keys_and_not_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fortifies(RandomAgent):
        def act(self, observation: Observation) -> actions.Action:
            return actions.Fortify(0, 0, 1)

    monkeypatch.setattr("surefoot.risk.agents.random.RandomAgent", Fortifies)
    monkeypatch.setattr(spec, "_load", spec._load.__wrapped__)
    report = check(parse("random", "risk"))
    (first, *_) = report.breaches
    assert first.answer == "fortify r0c0 r0c0 1"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "surefoot", "arena", "check-agent", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


@FORKS
def test_the_command_says_yes_or_no(wrong: str) -> None:
    good = run("sentence")
    assert good.returncode == 0, good.stderr
    count = len(cases("minesweeper"))
    assert good.stdout.splitlines()[-1] == (
        f"{count} of {count} awkward games of minesweeper without a breach"
    )
    bad = run(f"{wrong}:Leaves", "--json")
    assert bad.returncode == 1, bad.stderr
    told = json.loads(bad.stdout)
    assert not told["passed"]
    assert told["breaches"][0]["observation"] == "1x1x0\nH"
    assert sum(case["breach"] for case in told["cases"]) == len(told["breaches"])


@pytest.mark.parametrize(
    "words", [("exakt",), ("sentence", "--game", "chess"), ("cmd:no-such-program-here",)]
)
def test_bad_input_is_one_line(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
