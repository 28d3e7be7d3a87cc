"""The arrays that the solving kernels work in, kept and reused, and grown when a position needs more."""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernels import count, deduce, exact, frontier
from .kernels.scratch import Scratch

MAX_STATES = 1 << 21
"""The work limit of one exact answer: states kept at once, about 32 bytes each."""
_FIRST_STATES = 1 << 11


class Workspace:
    """Arrays for boards of one size; not to be shared between threads."""

    def __init__(self, height: int, width: int) -> None:
        self.view, self.tally = new_knowledge(height, width)
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
