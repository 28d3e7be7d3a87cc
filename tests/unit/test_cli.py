import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from surefoot import __version__, _jit
from surefoot.arena.warmup import jobs
from surefoot.cli import app
from surefoot.minesweeper.actions import flag, uncover
from surefoot.minesweeper.board import Board
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.record import Record
from surefoot.minesweeper.rules import preset

Run = Callable[..., Result]

ROW = "4x1x1\nH1HH\n"  # the mine is at 0,0 or 0,2; 0,3 is safe
PROVED = "3x2x1\n111\nHHH\n"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    # Whether this machine has to compile first is no part of what these tests are about.
    monkeypatch.setattr(_jit, "is_warm", lambda: True)

    def call(*args: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(app, args, input=stdin)

    return call


def answer(result: Result) -> Any:
    assert (result.exit_code, result.exception) == (0, None) or result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def refused(result: Result, *words: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("surefoot: ")
    assert result.stderr.count("\n") == 1, result.stderr
    for word in words:
        assert word in result.stderr


def process(*args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *args], capture_output=True, text=True, timeout=300, check=False, **options
    )


def test_version_and_help() -> None:
    version = process("-m", "surefoot", "--version")
    assert (version.stdout, version.stderr, version.returncode) == (f"surefoot {__version__}\n", "", 0)
    shown = process("-m", "surefoot", "--help")
    assert shown.returncode == 0 and shown.stderr == ""
    assert all(word in shown.stdout for word in ("minesweeper", "minai", "demo", "warmup", "--version"))
    assert process("-m", "surefoot").stdout == shown.stdout


@pytest.mark.parametrize(
    "group",
    [
        [],
        ["minesweeper"],
        ["minai"],
        ["minesweeper", "evaluate"],
        ["risk", "evolve"],
        ["risk", "train"],
        ["demo"],
    ],
)
def test_help_loads_nothing_heavy(group: list[str]) -> None:
    shown = process("-X", "importtime", "-m", "surefoot", *group, "--help")
    assert shown.returncode == 0 and shown.stdout
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in shown.stderr.splitlines()}
    assert "surefoot" in loaded and "typer" in loaded
    assert not loaded & {
        "numba",
        "numpy",
        "scipy",
        "llvmlite",
        "rich",
        "multiprocessing",
        "pygame",
    }


def test_the_groups_show_their_commands(run: Run) -> None:
    shown = run("minesweeper")
    assert shown.exit_code == 0
    assert all(name in shown.stdout for name in ("evaluate", "analyze", "explain", "replay", "worlds"))


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["minesweper"], ["No such command", "minesweeper"]),
        (["minesweeper", "evaluate"], ["AGENT", "surefoot minesweeper evaluate --help"]),
        (["minesweeper", "evaluate", "random"], ["--rules"]),
        (["minesweeper", "evaluate", "random", "--rules", "expert", "--gmes", "3"], ["--gmes"]),
        (["minesweeper", "evaluate", "random", "--rules", "expert", "--games", "0"], ["--games"]),
        (["minesweeper", "evaluate", "random", "--rules", "expert", "--games", "x"], ["--games"]),
        (["minesweeper", "evaluate", "random", "--rules", "expert", "--workers", "0"], ["--workers"]),
        (["minesweeper", "evaluate", "random", "--rules", "expert", "--seed", "-1"], ["--seed"]),
        (
            ["minesweeper", "evaluate", "random", "--rules", "exprt"],
            ["unknown preset 'exprt'", "minai-expert"],
        ),
        (["minesweeper", "evaluate", "randm", "--rules", "expert"], ["unknown agent", "did you mean random"]),
        (["minesweeper", "evaluate", "no.py:A", "--rules", "expert"], ["no such file: no.py"]),
        (["minesweeper", "evaluate", "random:a=1", "--rules", "expert"], ["no option 'a'", "seed"]),
        (
            ["minesweeper", "evaluate", "random", "--rules", "expert", "--size", "9x9"],
            ["--size needs --mines"],
        ),
        (
            ["minesweeper", "evaluate", "random", "--rules", "expert", "--size", "9", "--mines", "9"],
            ["--size is WxH", "'9'"],
        ),
        (
            ["minesweeper", "evaluate", "random", "--rules", "expert", "--size", "3x3", "--mines", "10"],
            ["10 mines do not fit on 9 cells"],
        ),
        (
            ["minesweeper", "evaluate", "random", "--rules", "expert", "--first-click", "nice"],
            ["first_click is any or safe or opening", "'nice'"],
        ),
        (
            ["minesweeper", "evaluate", "random", "--rules", "expert", "--start", "corner"],
            ["start is agent, random or R,C", "'corner'"],
        ),
        (
            ["minesweeper", "evaluate", "random", "--rules", "expert", "--start", "16,0"],
            ["start 16,0 is not on"],
        ),
        (["minesweeper", "analyze"], ["FILE"]),
        (["minesweeper", "explain", "-"], ["--cell"]),
        (["demo", "--games", "-2"], ["--games"]),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(run: Run, args: list[str], words: list[str]) -> None:
    refused(run(*args), *words)


@pytest.mark.parametrize(
    "command", [["analyze"], ["explain", "--cell", "0,0"], ["replay"]], ids=lambda command: command[0]
)
def test_files_that_cannot_be_read(run: Run, tmp_path: Path, command: list[str]) -> None:
    name, *options = command
    refused(run("minesweeper", name, str(tmp_path / "none.txt"), *options), "no such file", "none.txt")
    refused(run("minesweeper", name, str(tmp_path), *options), str(tmp_path), "is a folder")
    latin = tmp_path / "latin.txt"
    latin.write_bytes(b"4x1x1\nH1H\xff\n")
    refused(run("minesweeper", name, str(latin), *options), "latin.txt is not UTF-8 text (byte 10)")
    refused(run("minesweeper", name, "-", *options, stdin=b"\xff"), "stdin is not UTF-8 text (byte 1)")
    refused(run("minesweeper", name, "-", *options, stdin=""), "stdin: ")
    (tmp_path / "junk.txt").write_text("junk\n")
    refused(run("minesweeper", name, str(tmp_path / "junk.txt"), *options), "junk.txt: ")


def test_a_file_that_may_not_be_read_from_a_real_process(tmp_path: Path) -> None:
    done = process("-m", "surefoot", "minesweeper", "analyze", str(tmp_path / "none.txt"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"surefoot: no such file: {tmp_path / 'none.txt'}\n"


def test_ctrl_c_is_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("surefoot.arena.minesweeper.evaluate", interrupted)
    stopped = run("minesweeper", "evaluate", "random", "--rules", "beginner", "--games", "1")
    assert (stopped.exit_code, stopped.stdout, stopped.stderr) == (130, "", "surefoot: stopped\n")


def test_evaluate_prints_one_json_object(run: Run) -> None:
    args = (
        "minesweeper",
        "evaluate",
        "random",
        "--rules",
        "beginner",
        "--games",
        "30",
        "--seed",
        "5",
        "--json",
    )
    found = answer(run(*args, "--size", "5x4", "--mines", "2"))
    assert found["rules"] == "beginner" and found["agent"] == "random"
    assert (found["size"], found["mines"], found["games"], found["seed"]) == ("5x4", 2, 30, 5)
    assert found["rate"] == found["won"] / 30
    assert found["ci95"][0] < found["rate"] < found["ci95"][1]
    assert found["guesses_per_game"] is None
    assert sum(found["ends"].values()) == 30
    again = answer(run(*args, "--size", "5x4", "--mines", "2", "--workers", "2"))
    timed = {"seconds", "cpu_seconds", "startup_cpu_seconds"}
    assert all(again[name] == found[name] for name in set(found) - timed)


def test_evaluate_takes_the_start_and_the_first_click(run: Run) -> None:
    args = ("minesweeper", "evaluate", "random", "--rules", "minai-easy", "--games", "2", "--json")
    assert answer(run(*args, "--start", "0,0"))["switches"] == "minai:start=0,0"
    assert answer(run(*args, "--first-click", "any"))["switches"] == "minai:first_click=any"
    assert answer(run(*args, "--mines", "3"))["mines"] == 3


def test_evaluate_in_words(run: Run) -> None:
    said = run("minesweeper", "evaluate", "random", "--rules", "beginner", "--mines", "1", "--games", "20")
    assert said.exit_code == 0
    assert "random on beginner: 9x9, 1 mines, 20 games of seed 0" in said.stdout
    assert "% (95 %:" in said.stdout and "not counted" in said.stdout


def test_an_agent_that_raises_is_a_warning(run: Run, tmp_path: Path) -> None:
    agent = tmp_path / "bad.py"
    agent.write_text(
        "class Bad:\n    def act(self, observation):\n        print('hm')\n        return {}[7]\n"
    )
    result = run("minesweeper", "evaluate", f"{agent}:Bad", "--rules", "beginner", "--games", "3", "--json")
    assert answer(result)["ends"] == {"error": 3}
    assert "3 error" in result.stderr and "game 0: KeyError: 7 (bad.py, line 4)" in result.stderr


def test_analyze_prints_one_json_object(run: Run) -> None:
    found = answer(run("minesweeper", "analyze", "-", "--json", stdin=ROW))
    assert found["probabilities"] == [[pytest.approx(0.5), None, pytest.approx(0.5), pytest.approx(0)]]
    assert found["safe"] == [[0, 3]] and found["mines"] == []
    assert found["best"] == [0, 3]
    assert found["log10_layouts"] == pytest.approx(0.30103, abs=1e-5)


def test_analyze_shows_the_board(run: Run, tmp_path: Path) -> None:
    (tmp_path / "row.txt").write_text(ROW)
    said = run("minesweeper", "analyze", str(tmp_path / "row.txt"))
    assert said.exit_code == 0
    assert said.stdout.splitlines()[:2] == ["    0   1   2   3", "0 50%   1 50%  ok"]
    assert "safe     0,3" in said.stdout and "mines    none" in said.stdout and "best     0,3" in said.stdout
    assert "layouts  10^0.30" in said.stdout
    assert max(map(len, said.stdout.splitlines())) <= 80


def test_analyze_weighs_the_guesses(run: Run) -> None:
    coin = "2x2x1\nH1\nH1\n"
    found = answer(run("minesweeper", "analyze", "-", "--json", stdin=coin))
    assert found["win_probability"] == {"value": 0.5, "error": 0.0, "exact": True} and found["exact"]
    assert found["candidates"] == [
        {"cell": [row, 0], "safety": 0.5, "progress": 0.5, "win_chance": 0.5} for row in (0, 1)
    ]
    assert found["tosses"] == [
        {"cells": [[0, 0], [1, 0]], "separators": [], "cost": 0.5, "unavoidable": True}
    ]
    said = run("minesweeper", "analyze", "-", stdin=coin).stdout
    assert "win      50.0%, exact" in said and "that nothing can settle" in said
    assert "             0,0   50.0%     50.0%   50.0%" in said
    assert max(map(len, said.splitlines())) <= 80
    assert (
        answer(run("minesweeper", "analyze", "-", "--json", stdin="2x1x?\nHH\n"))["win_probability"] is None
    )


def test_analyze_never_rounds_to_certainty(run: Run) -> None:
    wide = "16x16x1\n" + "\n".join(["H" * 16] * 16)
    assert "<1%" in run("minesweeper", "analyze", "-", stdin=wide).stdout.splitlines()[1]
    full = "16x16x255\n" + "\n".join(["H" * 16] * 16)
    shown = run("minesweeper", "analyze", "-", stdin=full).stdout.splitlines()
    assert ">99" in shown[1] and "**" not in shown[1]
    assert max(map(len, shown[:17])) <= 80


def test_a_position_that_cannot_be_is_named(run: Run) -> None:
    refused(run("minesweeper", "analyze", "-", stdin="2x1x0\n1H\n"), "stdin: ")
    refused(run("minesweeper", "analyze", "-", stdin="2x1x1\n1I\n"), "stdin: line 2, column 2", "'I'")


def test_explain_proves_a_cell(run: Run) -> None:
    said = run("minesweeper", "explain", "-", "--cell", "1,1", stdin=PROVED)
    assert said.exit_code == 0 and "mine" in said.stdout
    assert isinstance(
        answer(run("minesweeper", "explain", "-", "--cell", "1,0", "--json", stdin=PROVED)), dict
    )


@pytest.mark.parametrize(
    ("cell", "words"),
    [("9,9", "--cell 9,9 is not on the 3x2 board"), ("random", "--cell is R,C"), ("1;1", "--cell is R,C")],
)
def test_explain_refuses_what_is_no_cell(run: Run, cell: str, words: str) -> None:
    refused(run("minesweeper", "explain", "-", "--cell", cell, stdin=PROVED), words)


@pytest.fixture
def record(tmp_path: Path) -> str:
    board = Board.parse("3x2x1\nIHH\nHHH")
    game = Game.on(board, preset("beginner").rules)
    for action in (uncover((0, 1)), flag((1, 0)), uncover((0, 0))):
        game.play(action)
    path = tmp_path / "game.txt"
    path.write_text(str(Record.of(game, notes={0: "hello", 2: "oh\nno", 3: "bye"})))
    return str(path)


def test_replay_shows_every_step_with_the_notes(run: Run, record: str) -> None:
    said = run("minesweeper", "replay", record)
    assert said.exit_code == 0
    assert run("minesweeper", "replay", record, "--all").stdout == said.stdout
    steps = said.stdout.strip().split("\n\n")
    assert [step.split("\n")[0] for step in steps] == [
        "start of 3 moves",
        "move 1 of 3: uncover 0,1",
        "move 2 of 3: flag 1,0",
        "move 3 of 3: uncover 0,0",
    ]
    assert steps[1].split("\n")[1:] == ["; hello", "  0 1 2", "0 H 1 H", "1 H H H"]
    assert steps[3].split("\n")[1:6] == ["; oh", "; no", "; bye", "  0 1 2", "0 I 1 H"]
    assert "lost (exploded)" in steps[3]


def test_replay_shows_one_move(run: Run, record: str) -> None:
    said = run("minesweeper", "replay", record, "--move", "2")
    assert said.stdout.strip().split("\n") == ["move 2 of 3: flag 1,0", "  0 1 2", "0 H 1 H", "1 F H H"]
    refused(run("minesweeper", "replay", record, "--move", "4"), "--move 4", "3 moves")
    found = answer(run("minesweeper", "replay", record, "--json"))
    assert (found["moves"], found["end"], len(found["steps"])) == (3, "exploded", 4)
    assert found["steps"][3]["notes"] == ["oh\nno", "bye"]


def test_demo_tells_how_many_worlds_were_solved(run: Run, tmp_path: Path) -> None:
    found = answer(run("demo", "--games", "4", "--workers", "1", "--json", "--out", str(tmp_path)))
    assert list(found["agents"]) == ["random", "sentence", "exact"]
    exact = found["agents"]["exact"]
    assert [each["rules"] for each in exact] == ["minai-beginner", "minai-intermediate", "minai-expert"]
    assert exact[0]["won"] > found["agents"]["random"][0]["won"]
    points = sum(weight * each["rate"] * 1000 for weight, each in zip((1, 2, 3), exact))
    assert found["scores"]["exact"] == pytest.approx(points)


def test_demo_ends_with_a_table(run: Run, tmp_path: Path) -> None:
    said = run("demo", "--games", "2", "--workers", "2", "--out", str(tmp_path))
    assert said.exit_code == 0
    assert all(words in said.stdout for words in ("exact", "77.4", "2636", "3617", "Intermediate"))
    assert "2 worlds a level" in said.stderr
    assert max(map(len, said.stdout.splitlines())) <= 80


def test_warmup_does_every_job(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """That the jobs use every kernel is for `test_jit.py`."""
    done: list[str] = []
    work = {name: partial(done.append, name) for name in jobs()}
    monkeypatch.setattr("surefoot.arena.warmup.jobs", lambda: work)
    found = answer(run("warmup", "--json"))
    assert done == list(work)
    assert found["cache"] == str(_jit.cache_dir()) and found["seconds"] >= 0
    assert f"kept in {_jit.cache_dir()}" in run("warmup").stdout


@pytest.mark.slow
def test_what_is_compiled_for_the_first_time_is_announced_and_plays_as_what_is_loaded(tmp_path: Path) -> None:
    command = ("evaluate", "random", "--rules", "beginner", "--games", "300", "--workers", "1", "--json")
    new_machine = os.environ | {"SUREFOOT_CACHE_DIR": str(tmp_path / "cache")}
    first, again = (process("-m", "surefoot", "minesweeper", *command, env=new_machine) for _ in range(2))
    assert "happens once" in first.stderr and again.stderr == ""
    compiled, loaded = json.loads(first.stdout), json.loads(again.stdout)
    assert compiled["startup_cpu_seconds"] > loaded["startup_cpu_seconds"]
    assert all(compiled[each] == loaded[each] for each in ("games", "won", "score", "ends"))


def test_optimum_tells_what_perfect_play_wins(run: Run) -> None:
    found = answer(run("minesweeper", "optimum", "--size", "4x3", "--mines", "2", "--json"))
    assert found["optimum"] == max(max(row) for row in found["values"])
    assert [found["values"][row][col] for row, col in found["best"]] == [found["optimum"]] * len(
        found["best"]
    )
    assert found["layouts"] == [[55] * 4] * 3
    assert (found["size"], found["mines"], found["first_click"]) == ("4x3", 2, "safe")
    said = run("minesweeper", "optimum", "--size", "4x4", "--mines", "3", "--first-click", "opening").stdout
    assert "optimum  1.000000: 35 of 35 layouts\nbest     1,1 1,2 2,1 2,2\n" in said


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--size", "4", "--mines", "2"], ["--size is WxH"]),
        (["--size", "4x4", "--mines", "16"], ["room for 15 mines"]),
        (["--size", "9x9", "--mines", "10"], ["10^12 ways", "65,535"]),
        (["--size", "4x4", "--mines", "2", "--first-click", "soft"], ["first_click", "soft"]),
        (["--mines", "2"], ["--size"]),
    ],
)
def test_optimum_refuses_in_one_line(run: Run, options: list[str], words: list[str]) -> None:
    refused(run("minesweeper", "optimum", *options), *words)
