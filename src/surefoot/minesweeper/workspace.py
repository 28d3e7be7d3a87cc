"""The arrays that the solving kernels work in, kept and reused, and grown when a position needs more."""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernels import count, deduce, exact, frontier

MAX_STATES = 1 << 21
"""The work limit of one exact answer: states kept at once, about 32 bytes each."""
_FIRST_STATES = 1 << 11


class Workspace:
    """Arrays for boards of one size; not to be shared between threads."""

    def __init__(self, height: int, width: int) -> None:
        self.view, self.tally = new_knowledge(height, width)
        places = self.view.shape[1]
        self.table = np.zeros((frontier.TABLE_ROWS, places), np.int32)
        self.table[frontier.GROUP_AT] = -1
        self.extent = np.zeros(frontier.EXTENT_SIZE, np.int64)
        self.odds = np.zeros(places, np.float64)
        self.weights = np.zeros(count.WEIGHTS_SIZE, np.float64)
        self.tree = np.zeros((2, 512 + 4 * places), np.float64)
        self._reserve(_FIRST_STATES)

    def _reserve(self, states: int) -> None:
        self.keys = np.zeros((2, states), np.int64)
        self.mass = np.zeros((2, states), np.float64)
        self.steps = np.zeros((3, 4 * states), np.int32)
        self.memo = np.zeros(2 * states, np.int64)

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The arrays in the order in which the kernels take them."""
        return (self.view, self.tally, *self.scratch)

    @property
    def scratch(self) -> tuple[NDArray[Any], ...]:
        """The same without ``view`` and ``tally``, for whoever keeps their own knowledge of a board."""
        return (
            self.table,
            self.extent,
            self.keys,
            self.mass,
            self.steps,
            self.memo,
            self.tree,
            self.odds,
            self.weights,
        )

    def grow(self, answer: int) -> bool:
        """Make room after a kernel answered that something is full; False when the work limit is reached."""
        if answer == count.FULL_TREE:
            self.tree = np.zeros((2, 4 * self.tree.shape[1]), np.float64)
            return True
        if answer not in (count.FULL_STATES, count.FULL_STEPS) or self.keys.shape[1] >= MAX_STATES:
            return False
        self._reserve(4 * self.keys.shape[1])
        return True


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
