"""The commands of Risk: what they answer, and that bad input is one clear line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from surefoot import _jit
from surefoot.cli import app
from surefoot.risk import worldmap
from surefoot.risk.analysis import attacks
from surefoot.risk.game import Game
from surefoot.risk.observation import Observation
from surefoot.risk.record import Record
from surefoot.risk.rules import Rules
from surefoot.spec import parse

Run = Callable[..., Result]

POSITION = """map: duel
players: 2
seat: 0
round: 3
phase: attack
0: moor 9, fen 4, heath 1
1: dale 2, weald 3, wold 8
"""

# A file is loaded once in a process, so that each test has one of its own name.
DIVIDES = "class Bad:\n    def act(self, observation):\n        return 1 / 0\n"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    # Whether this machine has to compile first is no part of what these tests are about.
    monkeypatch.setattr(_jit, "is_warm", lambda: True)
    monkeypatch.chdir(tmp_path)

    def call(*args: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(app, ["risk", *args], input=stdin)

    return call


@pytest.fixture(scope="module")
def record() -> Record:
    """A whole game between two agents."""
    game = Game(worldmap.load("duel"), Rules(), 2, rng=np.random.default_rng(3))
    agents = [parse(name, "risk").make(0) for name in ("killer", "continent")]
    while not game.over:
        game.play(agents[game.turn].act(game.observation()))
    return Record.of(game, notes={3: "here it begins\nin earnest"}, headers={"Event": "a test"})


def answer(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def refused(result: Result, *words: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("surefoot: ") and result.stderr.count("\n") == 1, result.stderr
    for word in words:
        assert word in result.stderr


def test_the_group_shows_its_commands(run: Run) -> None:
    shown = run()
    assert shown.exit_code == 0
    for name in ("evaluate", "analyze", "replay", "play", "odds", "maps", "import-map"):
        assert name in shown.stdout


# --- evaluate ---------------------------------------------------------------------------------------------


def test_evaluate_answers_one_json_object(run: Run) -> None:
    options = ("--map", "delta", "--rules", "modern", "--games", "12", "--seed", "4", "--paired", "--json")
    found = answer(run("evaluate", "aggressive", "random", "passive", *options))
    assert found["agents"] == ["aggressive", "random", "passive"]
    assert (found["map"], found["rules"], found["games"], found["seed"]) == ("delta", "modern", 12, 4)
    assert found["paired"] is True and found["workers"] == 1
    assert sum(wins["n"] for wins in found["wins"].values()) + found["capped"] == 12
    assert sum(found["wins_by_seat"]) + found["capped"] == 12
    low, high = found["wins"]["aggressive"]["ci95"]
    assert low < found["wins"]["aggressive"]["rate"] < high or found["wins"]["aggressive"]["rate"] == 1
    again = answer(run("evaluate", "aggressive", "random", "passive", *options))
    assert again["wins"] == found["wins"] and again["turns"] == found["turns"]


def test_evaluate_tells_the_same_in_words(run: Run) -> None:
    shown = run("evaluate", "aggressive", "aggressive:bold", "--map", "duel", "--games", "10", "--seed", "1")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("duel, standard: 10 games of seed 1\n")
    assert "aggressive:bold  won " in shown.stdout and "by seat" in shown.stdout and "turns" in shown.stdout


def test_evaluate_warns_of_an_agent_that_fails(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("class Bad:\n    def act(self, observation):\n        print('hello')\n")
    shown = run("evaluate", "bad.py:Bad", "random", "--map", "duel", "--games", "2", "--json")
    assert answer(shown)["faults"] == {"bad.py:Bad": 2, "random": 0}
    assert "warning: not all games were finished: bad.py:Bad in 2; first: bad.py:Bad, game 0" in shown.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["evaluate"], ["AGENT"]),
        (["evaluate", "random"], ["2 to 6 players, not 1"]),
        (["evaluate", *["random"] * 7], ["2 to 6 players, not 7"]),
        (["evaluate", "random", "randm"], ["unknown agent 'randm'", "did you mean random"]),
        (["evaluate", "random", "exact"], ["unknown agent 'exact'", "turtle"]),
        (["evaluate", "random", "turtle:quick"], ["no preset 'quick'", "bold, careful"]),
        (["evaluate", "random", "turtle:chance=2"], ["chance is 0 to 1"]),
        (["evaluate", "random", "random", "--map", "clasic"], ["unknown map 'clasic'", "classic"]),
        (["evaluate", "random", "random", "--rules", "standrd"], ["unknown rules 'standrd'", "document"]),
        (["evaluate", "random", "random", "--rules", "standard:fog=maybe"], ["fog is yes or no"]),
        (["evaluate", *["random"] * 3, "--rules", "standard:neutral=yes"], ["neutral=yes is for 2 players"]),
        (["evaluate", *["random"] * 6, "--map", "grid-2x2"], ["4 territories are not enough for 6 seats"]),
        (["evaluate", "random", "random", "--games", "0"], ["--games"]),
        (["evaluate", "random", "random", "--seed", "-1"], ["--seed"]),
        (["evaluate", "random", "random", "--workers", "0"], ["--workers"]),
        (["analyze", "nowhere.txt"], ["no such file: nowhere.txt"]),
        (["replay", "nowhere.txt"], ["no such file: nowhere.txt"]),
        (["play", "human"], ["2 to 6 players, not 1"]),
        (["play", "human", "nobody"], ["unknown agent 'nobody'"]),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(run: Run, args: list[str], words: list[str]) -> None:
    refused(run(*args), *words)


# --- analyze ----------------------------------------------------------------------------------------------


def test_analyze_gives_reinforcements_odds_and_advice(run: Run) -> None:
    found = answer(run("analyze", "-", "--json", stdin=POSITION))
    seen = Observation.parse(POSITION)
    assert found["reinforcements"] == [4, 4]
    assert [(a["source"], a["target"], a["win"]) for a in found["attacks"]] == [
        ("fen", "dale", attacks(seen)[0].win)
    ]
    assert found["adviser"] == "planner"
    best, *others = found["plans"]
    assert found["advice"] == best["action"] and found["why"].startswith(f"{best['plan']}: ")
    assert "choose freely" in [plan["plan"] for plan in found["plans"]]
    assert others and all(0 <= plan["win"] <= 1 and plan["error"] >= 0 for plan in found["plans"])
    other = answer(run("analyze", "-", "--json", "--agent", "passive", stdin=POSITION))
    assert (other["adviser"], other["advice"], other["plans"]) == ("passive", "end", [])
    fast = answer(run("analyze", "-", "--json", "--agent", "planner:fast", stdin=POSITION))
    assert (fast["advice"], fast["plans"]) == ("attack fen dale 3", [])


def test_analyze_tells_the_same_in_words(run: Run, tmp_path: Path) -> None:
    (tmp_path / "position.txt").write_text(POSITION)
    shown = run("analyze", "position.txt", "--agent", "continent")
    assert shown.exit_code == 0
    assert "round 3, player 0 to move (attack)" in shown.stdout
    assert "Fen - Dale" in shown.stdout and "65.6 %" in shown.stdout
    assert "advice   attack fen dale 3 (continent)" in shown.stdout and "begins with" not in shown.stdout
    planned = run("analyze", "position.txt").stdout
    assert "begins with" in planned and "(planner)" in planned and "choose freely" in planned


def test_analyze_names_what_is_wrong(run: Run, tmp_path: Path) -> None:
    refused(run("analyze", "-", stdin=POSITION.replace("dale 2", "dell 2")), "stdin: line 7", "'dell'")
    refused(run("analyze", "-", "--agent", "bad", stdin=POSITION), "unknown agent 'bad'")
    (tmp_path / "fails.py").write_text(DIVIDES)
    refused(
        run("analyze", "-", "--agent", "fails.py:Bad", stdin=POSITION),
        "ZeroDivisionError",
        "fails.py, line 3",
    )
    (tmp_path / "odd.py").write_text(
        "from surefoot.risk.actions import Claim\nclass Odd:\n    def act(self, observation):\n"
        "        return Claim(0)\n"
    )
    refused(run("analyze", "-", "--agent", "odd.py:Odd", stdin=POSITION), "claim 0", "the time for that")


# --- replay -----------------------------------------------------------------------------------------------


def test_replay_tells_every_move_and_the_end(run: Run, record: Record) -> None:
    shown = run("replay", "-", "--all", stdin=str(record))
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    moves = [line for line in lines if line.startswith("  ") and not line.startswith("  ;")]
    assert len(moves) == len(record.actions)
    assert "  ; here it begins" in lines and "  ; in earnest" in lines
    assert lines[-1] == f"player {record.winner} has won in round {record.game().round}"
    written = [line for line in str(record).splitlines() if line.partition(" ")[0] == "attack"]
    assert [line.strip() for line in moves if "attack" in line] == written


def test_replay_as_json_and_at_one_move(run: Run, record: Record) -> None:
    found = answer(run("replay", "-", "--json", stdin=str(record)))
    assert found["moves"] == len(record.actions) == len(found["steps"])
    assert found["winner"] == record.winner
    assert found["steps"][3]["notes"] == ["here it begins", "in earnest"]
    one = answer(run("replay", "-", "--json", "--move", "9", stdin=str(record)))
    assert Observation.parse(one["position"]) == record.game(9).observation()
    refused(run("replay", "-", "--move", "9999", stdin=str(record)), "--move 9999", "moves")
    refused(run("replay", "-", stdin='[Game "Risk"]\n'), "stdin: ")


# --- play -------------------------------------------------------------------------------------------------


def test_a_human_can_ask_err_play_and_quit_and_the_record_is_kept(run: Run) -> None:
    said = "help\nmap\nodds\nhint\ndraf dale 1\ndraft dael 1\nend\ndraft moor 1\ndraft dale 1\nq\n"
    shown = run(
        "play", "human", "passive", "--map", "duel", "--seed", "3", "--record", "game.txt", stdin=said
    )
    assert shown.exit_code == 0, shown.output
    for words in (
        "fight until it is decided",
        "not an action: 'draf dale 1'",
        "did you mean dale?",
        "the starting armies are still being placed",
        "the territory is not one's own",
        "draft dale 1",
        "Until next time.",
        "The record is in game.txt",
    ):
        assert words in shown.stdout, words
    kept = Record.parse(Path("game.txt").read_text())
    assert kept.headers == {"Seat0": "human", "Seat1": "passive"}
    assert len(kept.actions) >= 1 and kept.winner is None


def test_agents_play_to_the_end_and_the_record_replays(run: Run) -> None:
    shown = run("play", "killer", "continent", "--map", "duel", "--seed", "5", "--record", "game.txt")
    assert shown.exit_code == 0
    kept = Record.parse(Path("game.txt").read_text())
    assert isinstance(kept.winner, int)
    assert f"{kept.winner} {['killer', 'continent'][kept.winner]} has won." in shown.stdout
    again = run("play", "killer", "continent", "--map", "duel", "--seed", "5", "--record", "again.txt")
    assert again.exit_code == 0
    assert Path("again.txt").read_text() == Path("game.txt").read_text()


def test_a_record_that_is_there_is_not_overwritten(run: Run) -> None:
    Path("game.txt").write_text("precious")
    refused(run("play", "killer", "turtle", "--map", "duel", "--record", "game.txt"), "game.txt", "already")
    assert Path("game.txt").read_text() == "precious"


def test_a_record_is_kept_without_asking(run: Run) -> None:
    assert run("play", "--map", "duel", stdin="q\n").exit_code == 0
    (kept,) = Path().glob("risk-*.txt")
    assert Record.parse(kept.read_text()).winner is None


def test_fog_hides_what_others_do(run: Run) -> None:
    rules = ("--rules", "standard:fog=yes;setup_step=0;starting_armies=6")
    said = "draft moor 9\nhint\nq\n"
    shown = run("play", "passive", "human", "--map", "grid-6x1", *rules, "--seed", "1", stdin=said)
    assert shown.exit_code == 0
    assert "0 passive  draft" not in shown.stdout


def test_an_agent_that_fails_at_the_table_is_named_and_the_record_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "breaks.py").write_text(DIVIDES)
    shown = run("play", "breaks.py:Bad", "passive", "--map", "duel", "--record", "game.txt")
    assert shown.exit_code == 2
    assert "agent breaks.py:Bad: ZeroDivisionError" in shown.stderr
    assert Record.parse(Path("game.txt").read_text()).winner is None
