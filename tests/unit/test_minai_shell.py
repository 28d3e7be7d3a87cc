"""The Min.AI shell: what it tells an agent, how a world ends, and what the command prints and writes."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from surefoot.agent import Agent
from surefoot.arena.minai import find_worlds
from surefoot.cli import app
from surefoot.compat.minai import AI, Action, Run, StudentFile, as_my_ai, in_process, play_world
from surefoot.errors import FormatError
from surefoot.minesweeper.actions import LEAVE, flag, uncover, unflag
from surefoot.minesweeper.actions import Action as GameAction
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.formats.minai import World, generate, parse_level
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.record import Record
from surefoot.protocol.host import close_launchers

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "minai"
EXAMPLE = ROOT / "examples" / "minai" / "MyAI.py"
DOCUMENT = World.read(GOLDEN / "document.txt")
SAFE = [(row, col) for row in range(4) for col in range(5) if not DOCUMENT.board.mines[row, col]]
U, F, N, L = AI.Action.UNCOVER, AI.Action.FLAG, AI.Action.UNFLAG, AI.Action.LEAVE


@pytest.fixture(scope="module", autouse=True)
def _no_launchers_left() -> Any:
    yield
    close_launchers()


def minai(*words: object, stdin: str = "") -> Result:
    return CliRunner().invoke(app, ["minai", *map(str, words)], input=stdin)


class Scripted:
    """Ours, by a list."""

    def __init__(self, actions: Iterable[Any]) -> None:
        self.actions = iter(actions)

    def act(self, observation: Observation) -> GameAction:
        action: GameAction = next(self.actions)
        return action


def told(answers: Iterable[Any]) -> tuple[list[int], Run]:
    """The numbers that a student's agent is told, and the run."""
    numbers: list[int] = []
    script = iter(answers)

    class MyAI(AI):
        def __init__(self, *given: int) -> None:
            assert given == (4, 5, 2, 0, 0)

        def getAction(self, number: int) -> Any:
            numbers.append(number)
            return next(script)

    return numbers, play_world(DOCUMENT, in_process(MyAI))


# What an agent is told


def test_an_agent_is_told_the_number_just_uncovered_or_minus_one() -> None:
    moves = [
        Action(U, 3, 1),
        Action(F, 4, 3),
        Action(F, 4, 3),
        Action(U, 3, 3),
        Action(N, 4, 3),
        Action(N, 0, 3),
        Action(U, 3, 1),
        Action(L),
    ]
    numbers, run = told(moves)
    assert numbers == [0, 1, -1, -1, 2, -1, -1, 1]
    assert (run.end, run.game.moves) == ("left", 7)


def test_an_illegal_answer_changes_nothing_and_counts_for_nothing() -> None:
    class Odd:
        def getMove(self) -> Any:
            return 5

        getX = getY = getMove  # noqa: N815 - the shell's own names

    answers: list[Any] = [Action(U, 3, 1), Action(U, 5, 0), Action(U, 0, -1), None, Odd(), Action(L)]
    numbers, run = told([*answers[:-1], Action(L, 9, 9), Action(F, 4, 3), Action(U, 4, 4), answers[-1]])
    assert numbers == [0, 1, 1, 1, 1, 1, 1, -1, -1]
    assert (run.end, run.game.moves) == ("left", 2)


def test_a_thousand_illegal_answers_in_a_row_end_a_world() -> None:
    outside = Action(U, 5, 0)
    numbers, run = told([*[outside] * 999, Action(U, 1, 0), *[outside] * 1000])
    assert (run.end, len(numbers), run.game.moves) == ("illegal", 2000, 1)
    assert run.error == "1000 illegal answers in a row, the last one: tile 5, 0 is not on the board"


def test_the_moves_have_the_values_of_the_original() -> None:
    assert {move.name: move.value for move in AI.Action} == {"LEAVE": 0, "UNCOVER": 1, "FLAG": 2, "UNFLAG": 3}
    assert (Action(L).getMove(), Action(L).getX(), Action(L).getY()) == (L, 1, 1)


# How a world ends


@pytest.mark.parametrize(
    ("last", "end", "solved"),
    [
        ([LEAVE], "left", True),
        ([uncover((0, 4))], "mine", True),
        ([uncover((3, 0))] * 100, "moves", True),
        ([None], "error", False),
    ],
)
def test_solved_is_judged_when_the_run_ends(last: list[Any], end: str, solved: bool) -> None:
    run = play_world(DOCUMENT, Scripted([*map(uncover, SAFE), *last]))
    assert (run.end, run.solved, run.score) == (end, solved, int(solved))
    again = play_world(DOCUMENT, Scripted([*map(uncover, SAFE[1:]), *last]))
    assert (again.end, again.solved) == (end, False)


def test_a_run_has_twice_the_tiles_and_one_moves() -> None:
    run = play_world(DOCUMENT, Scripted([uncover((3, 0)), flag((0, 0)), unflag((0, 0))] * 100))
    assert (run.end, run.game.moves) == ("moves", 2 * 4 * 5 + 1)


@pytest.mark.parametrize("level", ["easy", "beginner", "intermediate", "expert"])
def test_a_solved_world_is_worth_what_its_size_says(level: str) -> None:
    world = generate(parse_level(level), game_rng(0, 0))
    rows, cols = world.board.mines.shape
    safe = [(r, c) for r in range(rows) for c in range(cols) if not world.board.mines[r, c]]
    run = play_world(world, Scripted([*map(uncover, safe), LEAVE]))
    assert run.score == {"easy": 1, "beginner": 1, "intermediate": 2, "expert": 3}[level]


def test_an_agent_of_ours_that_fails_is_told_with_its_place() -> None:
    run = play_world(DOCUMENT, Scripted([]))
    assert run.end == "error"
    assert run.error is not None
    assert run.error.startswith("StopIteration (test_minai_shell.py:")


def test_prints_of_ours_go_into_the_notes(capsys: pytest.CaptureFixture[str]) -> None:
    class Talks(Scripted):
        def act(self, observation: Observation) -> GameAction:
            print("thinking")
            return super().act(observation)

    run = play_world(DOCUMENT, Talks([uncover((3, 1)), LEAVE]))
    assert run.notes == {0: "thinking", 1: "thinking"}
    assert capsys.readouterr().out == ""


def test_ours_can_play_in_the_original_shell() -> None:
    moves = [flag((0, 4)), uncover((2, 2)), flag((1, 4)), flag((0, 0)), unflag((0, 4)), LEAVE]
    seen: list[Observation] = []

    class Looks(Scripted):
        def act(self, observation: Observation) -> GameAction:
            seen.append(observation)
            return super().act(observation)

    def play(wrap: Callable[[], Agent[Observation, GameAction]]) -> list[Observation]:
        seen.clear()
        play_world(DOCUMENT, wrap())
        return list(seen)

    direct = play(lambda: Looks(moves))
    assert play(lambda: in_process(as_my_ai(lambda: Looks(moves)))) == direct
    assert len(direct) == len(moves)


# Which agents are a student's


def test_a_students_file_is_known_by_what_it_imports(tmp_path: Path) -> None:
    ours = tmp_path / "ours.py"
    ours.write_text("class Mine:\n    def act(self, observation): ...\n")
    (tmp_path / "helper.py").write_text("")
    student = tmp_path / "MyAI.py"
    student.write_text("import numpy as np, helper\nfrom collections import deque\nfrom  AI import AI\n")
    assert StudentFile.parse("exact") is None
    assert StudentFile.parse(f"{ours}:Mine") is None
    known = StudentFile(student, "MyAI", ("collections", "numpy"))
    assert StudentFile.parse(str(student)) == known
    assert StudentFile.parse(f"{student}:MyAI") == known
    with pytest.raises(FormatError, match=r"agent none\.py: No such file"):
        StudentFile.parse("none.py")


def test_worlds_are_found_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("b/w_10.txt", "b/w_2.txt", "a/w_1.txt", "w_3.txt", "b/photo.jpg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(str(DOCUMENT) if name.endswith("txt") else "")
    worlds, others = find_worlds(tmp_path)
    assert [str(each.path.relative_to(tmp_path)) for each in worlds] == [
        "w_3.txt", "a/w_1.txt", "b/w_2.txt", "b/w_10.txt"
    ]  # fmt: skip
    assert [each.number for each in worlds] == [0, 1, 2, 3]
    assert [str(each.record) for each in worlds[:2]] == ["w_3.record", "a/w_1.record"]
    assert others == [tmp_path / "b" / "photo.jpg"]


# The command


def test_a_folder_prints_and_writes_what_the_original_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(GOLDEN)
    out = tmp_path / "scores"
    done = minai("-v", "-f", "worlds", out, "--agent", EXAMPLE, "--workers", 1)
    assert done.exit_code == 0
    assert done.stdout == (GOLDEN / "folder.out").read_text()
    assert out.read_text() == (GOLDEN / "folder.scores").read_text()
    assert done.stderr.splitlines() == [
        "surefoot: worlds/broken.txt: line 1 says 4 rows, but there are 2",
        "surefoot: 5 of 8 worlds solved; ended by left 5, mine 3",
        "surefoot: 1 broken world left out",
        "surefoot: 1 other file skipped",
    ]


def test_debug_shows_what_the_original_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GOLDEN)
    words = ("-d", "-v", "-f", "document.txt", "--agent", "Scripted.py")
    done = minai(*words, stdin=(GOLDEN / "debug.in").read_text())
    assert (done.exit_code, done.stdout) == (0, (GOLDEN / "debug.out").read_text())
    # With nobody there, the first pause is the last.
    prompt = "Press ENTER to continue..."
    before, *after = done.stdout.split(prompt)
    assert len(after) == 4
    assert minai(*words).stdout == f"{before}{prompt}\n{''.join(after)}"


def test_a_person_plays_as_in_the_original() -> None:
    done = minai("-m", "-f", GOLDEN / "document.txt", stdin=(GOLDEN / "manual.in").read_text())
    assert (done.exit_code, done.stdout) == (0, (GOLDEN / "manual.out").read_text())
    assert done.stderr == ""


def test_a_person_may_just_go() -> None:
    done = minai("-m", "-f", GOLDEN / "document.txt")
    assert done.exit_code == 0
    assert "Last action: LEAVE on (2, 2)" in done.stdout
    assert done.stdout.endswith("\nWORLD INCOMPLETE\n")


def test_one_world_prints_one_line() -> None:
    world = GOLDEN / "worlds" / "beginner_world_1.txt"
    done = minai("-f", world, "--agent", EXAMPLE)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "WORLD COMPLETE\n", "")
    done = minai("-f", world, "--agent", GOLDEN / "Scripted.py")
    assert (done.exit_code, done.stdout) == (0, "WORLD INCOMPLETE\n")


def test_a_random_world_is_that_of_its_seed() -> None:
    first, second = (minai("-r", "-d", "--seed", 5) for _ in range(2))
    assert first.exit_code == 0
    assert first.stdout == second.stdout
    assert "\n 8 | " in first.stdout
    assert "Number of mines: 10\n" in first.stdout
    assert first.stdout.endswith(("scored: 0\nWORLD INCOMPLETE\n", "scored: 1\nWORLD COMPLETE\n"))
    assert minai("-r", "-d", "--seed", 6).stdout != first.stdout


def test_results_and_records_tell_of_every_world(tmp_path: Path) -> None:
    files = {}
    for workers in (1, 2):
        results, records = tmp_path / f"{workers}.jsonl", tmp_path / f"records{workers}"
        words = ("--results", results, "--records", records, "--workers", workers, "--seed", 3)
        done = minai("-f", GOLDEN / "worlds", "--agent", EXAMPLE, *words)
        assert done.exit_code == 0
        lines = [json.loads(line) for line in results.read_text().splitlines()]
        assert all(line.pop("seconds") >= 0 for line in lines)
        kept = {
            str(path.relative_to(records)): path.read_text()
            for path in sorted(records.rglob("*"))
            if path.is_file()
        }
        files[workers] = lines, kept
    assert files[1] == files[2], "the same whatever the workers"
    lines, kept = files[1]
    assert [set(line) for line in lines] == [{"world", "solved", "end", "moves", "error"}] * 9
    assert [line["end"] for line in lines].count("broken") == 1
    assert len(kept) == 8
    for line in lines:
        if line["end"] == "broken":
            continue
        name = Path(line["world"]).relative_to(GOLDEN / "worlds").with_suffix(".record")
        record = Record.parse(kept[str(name)])
        assert record.headers["Ended-By"] == line["end"]
        assert record.game().complete == line["solved"]
        assert record.game().moves == line["moves"]
        assert record.board == World.read(Path(line["world"])).board


def test_a_failure_is_told_in_results_record_and_summary(tmp_path: Path) -> None:
    agent = tmp_path / "MyAI.py"
    agent.write_text(
        "from AI import AI\n\nclass MyAI(AI):\n"
        "    def __init__(self, *given): print('so far so good')\n"
        "    def getAction(self, number): return number.nothing\n"
    )
    words = ("--results", tmp_path / "r.jsonl", "--records", tmp_path / "records", "--workers", 1)
    done = minai("-f", GOLDEN / "worlds", "--agent", agent, *words)
    assert done.exit_code == 0
    error = "AttributeError: 'int' object has no attribute 'nothing' (MyAI.py:5)"
    assert done.stderr.splitlines()[1:3] == [
        "surefoot: 0 of 8 worlds solved; ended by error 8",
        f"surefoot: 8x {error}",
    ]
    line = json.loads((tmp_path / "r.jsonl").read_text().splitlines()[0])
    assert (line["end"], line["solved"], line["error"]) == ("error", False, error)
    record = Record.parse((tmp_path / "records" / "easy_world_1.record").read_text())
    assert record.notes == {0: "so far so good"}
    assert (record.headers["Ended-By"], record.headers["Error"]) == ("error", error)


def test_others_agents_of_our_kind_get_a_process_and_limits_too(tmp_path: Path) -> None:
    agent = tmp_path / "theirs.py"
    agent.write_text(
        "import os\n"
        "from surefoot.minesweeper import LEAVE, uncover\n"
        "class Leaves:\n"
        "    def __init__(self, seed=0, word='x'): print(word)\n"
        "    def act(self, observation): return LEAVE\n"
        "class Dies:\n    def act(self, observation): os._exit(4)\n"
        "class Raises:\n    def act(self, observation): return uncover(None, None)\n"
        "class Mumbles:\n    def act(self, observation): return 'hm'\n"
        "class Loops:\n    def act(self, observation):\n        while True: pass\n"
    )
    ends = {}
    for name in ("Leaves:word='hello'", "Dies", "Raises", "Mumbles", "Loops", "Lacks"):
        # The clock runs while an agent is loaded; only one that loops has to be waited for.
        seconds = 1 if name == "Loops" else 30
        words = ("--results", tmp_path / "r.jsonl", "--records", tmp_path, "--time-limit", seconds)
        done = minai("-f", GOLDEN / "document.txt", "--agent", f"{agent}:{name}", *words)
        assert (done.exit_code, done.stdout) == (0, "WORLD INCOMPLETE\n")
        ends[name] = json.loads((tmp_path / "r.jsonl").read_text())
        if name.startswith("Leaves"):
            assert Record.parse((tmp_path / "document.record").read_text()).notes == {0: "hello"}
    assert {name: line["end"] for name, line in ends.items()} == {
        "Leaves:word='hello'": "left",
        "Dies": "exit",
        "Raises": "error",
        "Mumbles": "illegal",
        "Loops": "time",
        "Lacks": "error",
    }
    assert "(theirs.py:9)" in ends["Raises"]["error"]
    assert "no class 'Lacks'" in ends["Lacks"]["error"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-f", "{golden}/worlds/broken.txt"], "broken.txt: line 1 says 4 rows, but there are 2"),
        (["-f", "{golden}/none"], "no such file: {golden}/none"),
        (["-f", "{empty}"], "there is no world in this folder"),
        (["-f", "{spoilt}", "--agent", "random"], "there is no world in this folder that can be played"),
        (["out.txt"], "out.txt: a file for the scores needs -f PATH before it"),
        (["-f", "{golden}/worlds", "--agent", "exakt"], "unknown agent 'exakt'"),
        (["-f", "{golden}/worlds", "--agent", "none.py"], "agent none.py: No such file"),
        (["-f", "{golden}/worlds", "--memory-limit", "lots"], "not a size: 'lots'"),
        (["-f", "{golden}/worlds", "--time-limit", "0"], "a time limit is a positive number of seconds"),
        (["-f", "{golden}/document.txt", "-r", "--results", "{empty}/no/r.jsonl"], "no such file: "),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], message: str, tmp_path: Path) -> None:
    places = {"golden": GOLDEN, "empty": tmp_path / "empty", "spoilt": tmp_path / "spoilt"}
    for name in ("empty", "spoilt"):
        places[name].mkdir()
    (places["spoilt"] / "world.txt").write_text("not a world")
    done = minai(*(word.format(**places) for word in words))
    assert (done.exit_code, done.stdout) == (2, "")
    assert message.format(**places) in done.stderr.splitlines()[-1]


def test_worlds_are_drawn_by_the_command(tmp_path: Path) -> None:
    words = [
        "minesweeper",
        "worlds",
        "--level",
        "6x5x4",
        "-n",
        "3",
        "--seed",
        "7",
        "--base",
        "Tiny",
        str(tmp_path),
    ]
    done = CliRunner().invoke(app, words)
    assert (done.exit_code, done.stdout) == (0, "")
    worlds = [World.read(path) for path in sorted(tmp_path.glob("Tiny_world_?.txt"))]
    assert [str(world.board.level) for world in worlds] == ["6x5x4"] * 3
    bad = CliRunner().invoke(app, ["minesweeper", "worlds", "--level", "3x3x1", str(tmp_path)])
    assert (bad.exit_code, bad.stdout) == (2, "")
    assert "at least 4 rows" in bad.stderr
