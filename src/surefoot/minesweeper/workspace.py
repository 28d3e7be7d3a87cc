"""The arrays that the solving kernels work in, kept and reused, and grown when a position needs more."""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .actions import Cell
from .kernels import count, deduce, exact, frontier, mind, perfect, threats, words
from .kernels.endgame import LAYING_ROWS, Endgame
from .kernels.mind import Mind
from .kernels.scratch import Scratch
from .skill import Skill

MAX_STATES = 1 << 21
"""The work limit of one exact answer: states kept at once, about 32 bytes each."""
_FIRST_STATES = 1 << 11
MAX_LAYOUTS = perfect.SIZE_MASK
"""How many layouts an endgame has at most."""
_NAMES_SEED = 20261130  # of the random words that name sets of layouts; any will do


class Workspace:
    """Arrays for boards of one size; not to be shared between threads."""

    def __init__(self, height: int, width: int) -> None:
        self.view, self.tally = new_knowledge(height, width)
        self._width = width
        places = self.view.shape[1]
        table = np.zeros((frontier.TABLE_ROWS, places), np.int32)
        table[frontier.GROUP_AT] = -1
        self.scratch = Scratch(
            table=table,
            extent=np.zeros(frontier.EXTENT_SIZE, np.int64),
            **_states(_FIRST_STATES),
            tree=np.zeros((2, 512 + 4 * places), np.float64),
            odds=np.zeros(places, np.float64),
            weights=np.zeros(count.WEIGHTS_SIZE, np.float64),
        )
        self._skill: Skill | None = None
        self.mind = Mind(
            options=np.zeros(mind.OPTIONS, np.float64),
            net=np.zeros((mind.NET_ROWS, mind.NET_COLUMNS), np.float64),
            units=np.zeros(mind.NET_COLUMNS, np.float64),
            after=np.zeros_like(self.view),
            totals=np.zeros_like(self.tally),
            base=np.zeros(mind.BASE_SIZE, np.float64),
            risk=np.zeros(places, np.float64),
            floating=np.zeros(places, np.int8),
            threat=np.zeros(places, np.float64),
            shape=np.zeros(threats.SHAPE_ROWS, np.int64),
            kinds=np.zeros(81, np.int64),
            value=np.zeros((mind.VALUE_ROWS, mind.CANDIDATES), np.float64),
            chance=np.zeros((mind.CANDIDATES, 9), np.float64),
            leaf=np.zeros((mind.CANDIDATES, 9), np.float64),
            features=np.zeros((mind.CANDIDATES, 9, words.FEATURES), np.float64),
            endgame=new_endgame(2200, 1 << 16),
        )

    def think_as(self, skill: Skill, first: Cell = (0, 0)) -> Mind:
        """The arrays to think with, set to a skill and to the cell that opens an untouched board."""
        if self._skill is not skill:
            self._skill = skill
            skill.load(self.mind)
        self.mind.options[mind.FIRST_CELL] = first[0] * self._width + first[1]
        return self.mind

    def grow(self, answer: int) -> bool:
        """Make room after a kernel answered that something is full; False when the work limit is reached."""
        if answer == count.FULL_TREE:
            tree = np.zeros((2, 4 * self.scratch.tree.shape[1]), np.float64)
            self.scratch = self.scratch._replace(tree=tree)
            return True
        states = self.scratch.keys.shape[1]
        if answer not in (count.FULL_STATES, count.FULL_STEPS) or states >= MAX_STATES:
            return False
        self.scratch = self.scratch._replace(**_states(4 * states))
        return True


def _states(states: int) -> dict[str, NDArray[Any]]:
    """The arrays of a scratch whose size follows the states it has room for."""
    return {
        "keys": np.zeros((2, states), np.int64),
        "mass": np.zeros((2, states), np.float64),
        "steps": np.zeros((3, 4 * states), np.int32),
        "memo": np.zeros(2 * states, np.int64),
    }


_kept = threading.local()


def workspace(height: int, width: int) -> Workspace:
    """This thread's workspace for boards of a size; the last size used is kept."""
    size = (height, width)
    if getattr(_kept, "size", None) != size:
        _kept.size = size
        _kept.workspace = Workspace(height, width)
    kept: Workspace = _kept.workspace
    return kept


def new_knowledge(height: int, width: int) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """The arrays ``view`` and ``tally`` (see `kernels.deduce`) for boards of a size, not yet reset."""
    places = (height + 2) * (width + 2)
    return np.zeros((deduce.VIEW_ROWS, places + -places % 8), np.int8), np.zeros(deduce.TALLY_SIZE, np.int64)


def new_plan(cells: int) -> NDArray[np.int64]:
    """An empty plan (see `kernels.exact`) for a board of so many cells."""
    plan = np.zeros(exact.PLAN_HEAD + cells + 1, np.int64)
    plan[exact.LENGTH] = plan[exact.NEXT] = exact.PLAN_HEAD
    return plan


def new_endgame(layouts: int, nodes: int, cells: int = 128) -> Endgame:
    """Arrays for endgames of at most so many layouts and cells.

    Args:
        layouts: at most `MAX_LAYOUTS`.
        nodes: how many sets of layouts are remembered, rounded up to a power of two.
        cells: how many unknown cells there may be.
    """
    if not 1 <= layouts <= MAX_LAYOUTS:
        raise ValueError(f"an endgame has between 1 and {MAX_LAYOUTS:,} layouts, not {layouts:,}")
    rng = np.random.default_rng(_NAMES_SEED)
    top = np.iinfo(np.int64).max
    return Endgame(
        sizes=np.zeros(perfect.SIZES, np.int64),
        places=np.zeros(cells, np.int64),
        shown=np.zeros((cells, layouts), np.uint8),
        laying=np.zeros((LAYING_ROWS, cells + 2), np.int32),
        names=rng.integers(top, size=layouts),
        signs=rng.integers(top, size=(cells, perfect.MINED + 1)),
        members=np.zeros(layouts * (cells + 2), np.int32),
        lists=np.zeros((2, cells * (cells + 2)), np.int32),
        frames=np.zeros((cells + 3, perfect.FRAME_WORDS), np.int64),
        memo=np.zeros((2, _power_of_two(nodes)), np.int64),
        rows=np.zeros(layouts, np.int64),
        met=np.zeros((2, _power_of_two(2 * layouts)), np.int64),
    )


def endgame(layouts: int, cells: int) -> Endgame:
    """This thread's arrays for endgames, with room for at least so many layouts and cells."""
    kept: Endgame | None = getattr(_kept, "endgame", None)
    if kept is None or kept.shown.shape[0] < cells or kept.shown.shape[1] < layouts:
        room = min(max(_power_of_two(layouts), 256), MAX_LAYOUTS)
        # Searches of many layouts meet more sets than they have layouts, those of few fewer.
        nodes = min(64 * room, 1 << 22)
        kept = _kept.endgame = new_endgame(room, nodes, max(_power_of_two(cells), 32))
    return kept


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()
