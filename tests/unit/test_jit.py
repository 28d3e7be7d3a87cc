"""How kernels are compiled and kept, and that they play the same game whichever way they are run."""

import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import surefoot.minesweeper.kernels
import surefoot.risk.kernels
from surefoot._jit import cache_dir
from surefoot.minesweeper import Game, Level, Rules, flag, uncover
from surefoot.minesweeper.kernels import step

ROOT = Path(__file__).parents[2]
MODULES = {
    f"{package.__name__}.{module.name}"
    for package in (surefoot.minesweeper.kernels, surefoot.risk.kernels)
    for module in pkgutil.iter_modules(package.__path__)
} - {f"surefoot.{place}" for place in ("minesweeper.kernels.layout", "risk.kernels.layout")}
MODULES.remove("surefoot.risk.kernels.alphabeta_rows")  # constants, as a layout is
MODULES.remove("surefoot.minesweeper.kernels.scratch")  # tuples of arrays, and nothing that runs
MODULES.remove("surefoot.minesweeper.kernels.mind")
MODULES.remove("surefoot.minesweeper.kernels.words")

# The public jobs of `surefoot warmup`; then, for each kernel, how often it was loaded and how often compiled,
# whether compiled code of it is kept, whether Python called it, and which kernels its own code names.
USE_ALL = """
import importlib, json, pkgutil
from pathlib import Path
import surefoot.minesweeper.kernels, surefoot.risk.kernels
from surefoot.arena.warmup import jobs

answers = {name: str(getattr(job(), "won", "")) for name, job in jobs().items()}

def place(value):
    return f"{value.__module__}.{value.__name__}"

kernels = {}
for package in (surefoot.minesweeper.kernels, surefoot.risk.kernels):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        for name, kernel in vars(importlib.import_module(module.name)).items():
            if hasattr(kernel, "stats") and kernel.__module__ == module.name:
                folder, hits, misses = kernel.stats
                file = f"{module.name.rpartition('.')[2]}.{name}-*.nbi"
                code = kernel.py_func
                named = [code.__globals__.get(word) for word in code.__code__.co_names]
                kernels[place(kernel)] = {
                    "hits": sum(hits.values()),
                    "misses": sum(misses.values()),
                    "kept": any(Path(folder).glob(file)),
                    "called": bool(kernel.signatures),
                    "names": [place(value) for value in named if hasattr(value, "stats")],
                }
print(json.dumps([kernels, answers]))
"""


def python(*arguments: str, **environment: str) -> str:
    """Run Python in a process of its own; its output."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_every_kernel_compiles_and_a_second_process_loads_all_of_them_from_the_cache() -> None:
    """In the cache of this machine, which `make test` has filled by `surefoot warmup` before any test."""
    _, answers = json.loads(python("-c", USE_ALL))  # the first process, where nobody has compiled before
    kernels, again = json.loads(python("-c", USE_ALL))
    assert again == answers
    assert {name.rpartition(".")[0] for name in kernels} == MODULES
    assert [name for name, kernel in kernels.items() if kernel["misses"]] == []
    assert sum(kernel["hits"] for kernel in kernels.values()) > 0
    assert [name for name, kernel in kernels.items() if not kernel["kept"]] == [], "never compiled"
    # Other tests compile too: the cache alone does not tell what `surefoot warmup` would leave uncompiled. It
    # is what neither it calls nor a kernel that it compiles.
    used, waiting = set(), [name for name, kernel in kernels.items() if kernel["called"]]
    while waiting:
        name = waiting.pop()
        if name not in used:
            used.add(name)
            waiting += kernels[name]["names"]
    assert set(kernels) - used == set(), "kernels that `surefoot warmup` leaves uncompiled"


# --- the folder of compiled kernels -----------------------------------------------------------------------

TELL = "from surefoot._jit import cache_dir; print(cache_dir())"


def test_each_way_of_compiling_has_a_folder_of_its_own(tmp_path: Path) -> None:
    ways = [{}, {"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_OPT": "1"}]
    folders = {python("-c", TELL, SUREFOOT_CACHE_DIR=str(tmp_path), **way).strip() for way in ways}
    assert len(folders) == len(ways)
    assert {Path(folder).parent for folder in folders} == {tmp_path}


def test_the_folder_changes_with_any_kernel_source(tmp_path: Path) -> None:
    """A cached caller does not notice a changed callee in another file; the folder's name does."""
    package = tmp_path / "surefoot"
    for path in [Path(surefoot.__file__), *cache_sources()]:
        copy = package / path.relative_to(Path(surefoot.__file__).parent)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    environment = {"PYTHONPATH": str(tmp_path), "SUREFOOT_CACHE_DIR": str(tmp_path / "cache")}
    before = python("-c", TELL, **environment)
    assert python("-c", TELL, **environment) == before
    layout = package / "minesweeper" / "kernels" / "layout.py"
    layout.write_text(layout.read_text() + "\n# a change\n")
    assert python("-c", TELL, **environment) != before


def cache_sources() -> list[Path]:
    home = Path(surefoot.__file__).parent
    return [home / "_jit.py", *home.glob("*/kernels/*.py")]


def test_other_packages_keep_their_own_cache() -> None:
    config: Any = numba.config
    assert Path(config.CACHE_DIR or ".").resolve() != cache_dir().resolve()


def test_other_packages_still_count_from_the_end() -> None:
    @numba.njit
    def last(numbers: Any, place: int) -> Any:
        return numbers[place]

    assert last(np.arange(5), -1) == 4


def test_nothing_is_compiled_or_even_loaded_at_import() -> None:
    loaded = python("-c", "import sys, surefoot, surefoot.minesweeper; print('numba' in sys.modules)")
    assert loaded.strip() == "False"


# --- signatures -------------------------------------------------------------------------------------------

CELLS, HEADER = "array(int64, 1d, C)", "array(int64, 1d, C)"
BOARD = ("array(uint8, 1d, C)", "array(int8, 1d, C)", HEADER, HEADER)
SIGNATURES = {
    "place_mines": (("array(float64, 1d, C)", "int64", "int64", HEADER, "array(uint8, 1d, C)"), "none"),
    "begin": ((HEADER, HEADER), "none"),
    "apply": ((*BOARD, "int64", "int64", CELLS), "int64"),
    "open_start": ((*BOARD, "int64", CELLS), "int64"),
    "is_complete": ((HEADER, HEADER), "bool"),
}


@pytest.fixture(scope="module")
def compiled() -> None:
    """One game that calls every kernel of `step` that the object API calls."""
    rules = Rules(first_click="safe", start="random")
    game = Game(Level(4, 4, 1), rules, rng=np.random.default_rng(0))
    for action in (flag((0, 0)), uncover((3, 3)), uncover((0, 3))):
        if not game.over:
            game.play(action)
    assert game.complete in (True, False)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="there are no signatures without the compiler")  # type: ignore[attr-defined]
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("name", SIGNATURES)
def test_kernels_of_play_are_compiled_once_and_for_these_types(name: str) -> None:
    kernel = getattr(step, name)
    compiled_for = {
        (tuple(map(str, overload.signature.args)), str(overload.signature.return_type))
        for overload in kernel.overloads.values()
    }
    assert compiled_for == {SIGNATURES[name]}


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="there are no types without the compiler")  # type: ignore[attr-defined]
@pytest.mark.usefixtures("compiled")
def test_no_variable_of_the_rules_is_a_float() -> None:
    """Mixing uint64 with int64 makes float64 of a variable; the drawing of mines alone has floats."""
    waiting = {name: kernel for name, kernel in vars(step).items() if hasattr(kernel, "py_func")}
    # What comes from the cache has forgotten the types of its variables and what it calls; a kernel that is
    # compiled anew makes its callees' signatures known, and so on down.
    while known := [name for name, kernel in waiting.items() if kernel.overloads]:
        for name in known:
            kernel = waiting.pop(name)
            fresh = numba.njit(kernel.py_func)
            for overload in list(kernel.overloads.values()):
                fresh.compile(overload.signature.args)
            for overload in fresh.overloads.values():
                types = overload.type_annotation.typemap
                floats = [variable for variable in types if str(types[variable]).startswith("float")]
                assert name == "place_mines" or not floats, f"{name}: {floats}"
    assert not waiting, "nothing that is called from outside calls these"


# --- other ways to run ------------------------------------------------------------------------------------

SELECTION = [
    "tests/unit/minesweeper/test_game.py",
    "tests/property/test_game_properties.py::test_game_and_naive_game_agree_action_by_action",
    "tests/property/test_game_properties.py::test_mines_lie_where_the_plain_twin_lays_them",
    "-k",
    "not uniform and not 500x500",
]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_the_games_tests_pass_without_the_compiler_and_with_checked_bounds(mode: str) -> None:
    report = python("-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", *SELECTION, **{mode: "1"})
    assert "passed" in report
    assert "failed" not in report
