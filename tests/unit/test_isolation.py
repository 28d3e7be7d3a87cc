"""A hostile set of students' agents: each costs its own world, and nobody else anything."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import psutil
import pytest

from surefoot.arena.minai import Outcome, Player, WorldFile
from surefoot.arena.play import ordered_map
from surefoot.compat.minai import Run, StudentApart, StudentFile, play_apart
from surefoot.errors import FormatError
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.formats.minai import World, generate, parse_level, write_worlds
from surefoot.protocol.host import Launcher, close_launchers, launcher
from surefoot.protocol.limits import AgentEnded, Limits, parse_size

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="agents' processes are forked")

AGENTS = Path(__file__).parents[1] / "agents" / "minai"
GOOD = Path(__file__).parents[2] / "examples" / "minai" / "MyAI.py"
MEMORY = 128 << 20
LIMITS = Limits(cpu=20, memory=MEMORY)
HURRIED = Limits(cpu=0.3, memory=MEMORY)
"""For agents that use up whatever time they get, so that the tests need not wait."""

HOSTILE = {
    "answers_nonsense": ("illegal", "1000 illegal answers in a row, the last one: the answer is not one of"),
    "closes_everything": ("channel", "it closed the channel"),
    "crashes": ("exit", "SIGSEGV"),
    "eats_memory": ("memory", "MemoryError (eats_memory.py:10)"),
    "eats_memory_in_children": ("memory", "more than 128 MB added"),
    "ends_its_keeper": ("exit", "it ended the process that watches over it"),
    "lacks_the_class": ("error", "lacks_the_class.py has no class MyAI"),
    "loops": ("time", "more than 0.3 CPU-seconds"),
    "loops_on_import": ("time", "more than 0.3 CPU-seconds"),
    "many_forks": ("processes", "more than 64 processes at a time"),
    "os_exit": ("exit", "exit code 3"),
    "out_of_bounds": ("illegal", "tile 8, 8 is not on the board"),
    "prints_for_ever": ("time", "more than 0.3 CPU-seconds"),
    "raises_in_init": ("error", "RuntimeError: not ready (raises_in_init.py:6)"),
    "raises_later": ("error", "KeyError: 'no such key' (raises_later.py:13)"),
    "raises_on_import": ("error", "OSError: no licence found (raises_on_import.py:3)"),
    "scribbles_everywhere": ("channel", "not a message: b'garbage'"),
    "sleeps": ("time", "no answer for too long: 3 s by the clock"),
    "sys_exit": ("exit", "SystemExit: 3 (sys_exit.py:11)"),
    "works_in_children": ("time", "more than 0.3 CPU-seconds"),
}
"""How each ends, and some of what is said about it."""

HARMLESS = ["forks", "prints_garbage", "remembers", "starts_threads", "upsets_its_process"]
"""These do odd things and then leave, as they may."""


@pytest.fixture(scope="module", autouse=True)
def _no_launchers_left() -> Iterator[None]:
    yield
    close_launchers()


def world(number: int = 0) -> World:
    return generate(parse_level("beginner"), game_rng(0, number))


def play(agent: Path, number: int = 0, limits: Limits = LIMITS) -> Run:
    student = StudentFile.parse(str(agent))
    assert student is not None
    return play_apart(world(number), StudentApart(student, number, limits))


@cache
def good_alone() -> tuple[tuple[bool, str, int], ...]:
    return tuple(figures(play(GOOD, number, Limits())) for number in range(6))


def figures(run: Run) -> tuple[bool, str, int]:
    return run.solved, run.end, run.game.moves


def test_the_set_is_complete() -> None:
    assert {path.stem for path in AGENTS.glob("*.py")} == {*HOSTILE, *HARMLESS, "recurses"}


def test_the_good_agent_is_good() -> None:
    assert {solved for solved, _, _ in good_alone()} == {True, False}
    assert {end for _, end, _ in good_alone()} == {"left", "mine"}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_agent_costs_its_own_world_alone(name: str) -> None:
    end, words = HOSTILE[name]
    run = play(AGENTS / f"{name}.py", 0, HURRIED if end == "time" else LIMITS)
    assert (run.solved, run.end) == (False, end)
    assert run.error is not None
    assert words in run.error
    assert "\n" not in run.error
    assert tuple(figures(play(GOOD, number, Limits())) for number in range(6)) == good_alone()


@pytest.mark.parametrize("name", HARMLESS)
def test_an_odd_agent_may_leave_in_peace(name: str) -> None:
    run = play(AGENTS / f"{name}.py")
    assert (run.end, run.error) == ("left", None)


def test_endless_recursion_ends_one_way_or_another() -> None:
    # Python's own doing differs between versions: it fills the memory, overflows the stack, or takes long.
    run = play(AGENTS / "recurses.py", 0, HURRIED)
    assert run.end in ("memory", "exit", "time", "error")
    assert not run.solved


def test_a_syntax_error_is_told_with_its_place(tmp_path: Path) -> None:
    agent = tmp_path / "MyAI.py"
    shutil.copy(AGENTS / "syntax_error.txt", agent)
    run = play(agent)
    assert run.end == "error"
    assert run.error is not None
    assert run.error.startswith("SyntaxError: ")
    assert run.error.endswith("(MyAI.py:3)")


def test_children_that_got_away_are_ended() -> None:
    play(AGENTS / "forks.py")
    assert not [
        each for each in psutil.process_iter(["cmdline"]) if "86399.25" in (each.info["cmdline"] or [])
    ]


def test_worlds_share_nothing() -> None:
    assert [play(AGENTS / "remembers.py", number).notes for number in range(3)] == [{0: "1 1"}] * 3


def test_what_is_printed_is_kept_up_to_the_limit(capfd: pytest.CaptureFixture[str]) -> None:
    run = play(AGENTS / "prints_garbage.py")
    text = run.notes[0]
    assert text.startswith("hello from the constructor\n")
    for words in ("\\xff\x00raw bytes\n", '{"answer": [1, 0, 0]}\n', "from a child\n"):
        assert words in text
    assert text.endswith("(what it printed beyond 65536 bytes was not kept)")
    assert len(text) < 66_000
    assert capfd.readouterr() == ("", "")


def test_prints_belong_to_the_move_that_follows(tmp_path: Path) -> None:
    agent = tmp_path / "MyAI.py"
    agent.write_text(
        "from AI import AI\nfrom Action import Action\n"
        "class MyAI(AI):\n"
        "    def __init__(self, *given): self.given = given; self.asked = 0; print('made', *given)\n"
        "    def getAction(self, number):\n"
        "        self.asked += 1\n"
        "        print('told', number)\n"
        "        if self.asked == 3: return Action(AI.Action.LEAVE)\n"
        "        return Action(AI.Action.FLAG, 0, 0)\n"
    )
    run = play(agent)
    rows, cols = world().board.mines.shape
    x, y = world().start[1], rows - 1 - world().start[0]
    assert run.notes == {0: f"made {rows} {cols} 10 {x} {y}\ntold 0", 1: "told -1", 2: "told -1"}


def test_the_same_seed_plays_the_same_world(tmp_path: Path) -> None:
    agent = tmp_path / "MyAI.py"
    agent.write_text(
        "import random\nfrom AI import AI\nfrom Action import Action\n"
        "class MyAI(AI):\n"
        "    def __init__(self, rows, cols, *rest): self.size = cols, rows\n"
        "    def getAction(self, number):\n"
        "        print(sorted(map(str, {'a', 'b'})), list({'a', 'b', 'c', 'd'}))\n"
        "        return Action(AI.Action.UNCOVER, *(random.randrange(n) for n in self.size))\n"
    )
    runs = [play(agent, 1), play(agent, 1)]
    close_launchers()
    runs.append(play(agent, 1))
    assert len({(str(run.game.actions), str(run.notes)) for run in runs}) == 1
    assert play(agent, 2).game.actions != runs[0].game.actions


def test_a_library_counts_for_nothing_and_what_is_added_for_all(tmp_path: Path) -> None:
    """NumPy alone is more than 32 MB of writable memory in some builds; the agent did not add it."""
    agent = tmp_path / "MyAI.py"
    agent.write_text(
        "import numpy as np\nfrom AI import AI\nfrom Action import Action\n"
        "class MyAI(AI):\n"
        "    def __init__(self, *given): self.table = np.ones(2 << 20)\n"
        "    def getAction(self, number): return Action(AI.Action.LEAVE)\n"
    )
    assert play(agent, 0, Limits(cpu=5, memory=32 << 20)).end == "left"
    assert play(agent, 0, Limits(cpu=5, memory=8 << 20)).end == "memory"


def test_cpu_time_is_that_of_children_too(tmp_path: Path) -> None:
    agent = tmp_path / "MyAI.py"
    agent.write_text(
        "import os, time\nfrom AI import AI\nfrom Action import Action\n"
        "class MyAI(AI):\n"
        "    def __init__(self, *given): pass\n"
        "    def getAction(self, number):\n"
        "        if os.fork() == 0:\n"
        "            while time.process_time() < 0.25: pass\n"
        "            os._exit(0)\n"
        "        os.wait()\n"
        "        return Action(AI.Action.LEAVE)\n"
    )
    run = play(agent, 0, Limits(cpu=5))
    assert run.end == "left"
    assert 0.25 <= run.seconds < 2


def test_the_hostile_set_beside_the_good_one_on_two_workers(tmp_path: Path) -> None:
    """Turn and turn about, in the same two workers."""
    paths = list(write_worlds(tmp_path, "beginner", parse_level("beginner"), 6, seed=0))
    good = Player(str(GOOD), 0, Limits())
    hostile = {
        "loops": "time",
        "ends_its_keeper": "exit",
        "eats_memory": "memory",
        "os_exit": "exit",
        "prints_garbage": "left",
        "forks": "left",
    }
    bad = [
        Player(str(AGENTS / f"{name}.py"), 0, HURRIED if end == "time" else LIMITS)
        for name, end in hostile.items()
    ]
    files = [WorldFile(path, number, Path("x")) for number, path in enumerate(paths)]
    turns = [turn for number, file in enumerate(files) for turn in ((bad[number], file), (good, file))]
    outcomes = list(ordered_map(take_turn, turns, workers=2))
    assert [each.end for each in outcomes[::2]] == list(hostile.values())
    assert [(each.solved, each.end, each.moves) for each in outcomes[1::2]] == list(good_alone())


def take_turn(turn: tuple[Player, WorldFile]) -> Outcome:
    player, file = turn
    return player(file)


def test_nothing_is_left_when_a_run_is_broken_off() -> None:
    keeper = Launcher()
    try:
        session = keeper.start("surefoot.compat.minai_student:play", student_arguments("sleeps"), LIMITS)
        with pytest.raises(KeyboardInterrupt), session:
            session.send(0)
            raise KeyboardInterrupt
        assert keeper.alive
        assert keeper.tree() == []
    finally:
        keeper.close()
    assert not keeper.alive


def test_a_launcher_ends_with_the_process_that_started_it() -> None:
    script = (
        "import os, signal\n"
        "from surefoot.protocol.host import Launcher, Limits\n"
        "keeper = Launcher()\n"
        f"arguments = {student_arguments('loops')}\n"
        "session = keeper.start('surefoot.compat.minai_student:play', arguments, Limits())\n"
        "print(keeper.pid, *(each.pid for each in keeper.tree()), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=False)
    pids = [int(word) for word in done.stdout.split()]
    assert len(pids) == 2
    until = time.monotonic() + 60
    while any(running(each) for each in pids) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(running(each) for each in pids)


def running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def student_arguments(name: str) -> dict[str, object]:
    numbers = {"seed": 0, "rows": 8, "cols": 8, "mines": 10, "x": 0, "y": 0}
    return {"path": str(AGENTS / f"{name}.py"), "name": "MyAI", **numbers}


def test_a_launcher_that_died_is_replaced() -> None:
    first = launcher(())
    os.kill(first.pid, signal.SIGKILL)
    with pytest.raises(AgentEnded, match="could not be started"):
        first.start("surefoot.compat.minai_student:play", student_arguments("sleeps"), LIMITS)
    second = launcher(())
    assert second.pid != first.pid
    assert second.alive


@pytest.mark.parametrize(
    ("text", "size"), [("512MB", 512 << 20), ("1g", 1 << 30), ("1.5 KB", 1536), ("2000000", 2_000_000)]
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "MB", "-1MB", "5TB", "1e9", "nan"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(FormatError, match="not a size"):
        parse_size(text)


def test_limits_are_positive() -> None:
    for cpu in (0, -1, float("nan"), float("inf")):
        with pytest.raises(FormatError, match="time limit"):
            Limits(cpu=cpu)
    with pytest.raises(FormatError, match="memory limit"):
        Limits(memory=1)
