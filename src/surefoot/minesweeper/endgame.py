"""Perfect play, exactly: how likely a position is won at best, and what each cell is worth.

The method is told in `kernels.perfect`. It lists the layouts one by one, so that it is for positions, and
boards, that have few of them.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import RulesError, TooComplex

from .actions import Cell
from .kernels import count, deduce, endgame, perfect
from .observation import Observation
from .probability import weigh
from .rules import Rules
from .workspace import MAX_LAYOUTS, Workspace
from .workspace import endgame as arrays_for


@dataclass(frozen=True, slots=True)
class Limits:
    """How much work an answer may cost.

    Args:
        layouts: how many layouts there may be, at most `MAX_LAYOUTS`.
        sets: how many sets of layouts may be searched; each takes some microseconds.

    Raises:
        ValueError: a limit is out of range.
    """

    layouts: int = MAX_LAYOUTS
    sets: int = 20_000_000

    def __post_init__(self) -> None:
        if not 1 <= self.layouts <= MAX_LAYOUTS:
            raise ValueError(f"the limit of layouts is 1 to {MAX_LAYOUTS:,}, not {self.layouts:,}")
        if self.sets < 1:
            raise ValueError(f"the limit of sets is at least 1, not {self.sets:,}")


LIMITS = Limits()
MAX_CELLS = 512
"""How many cells may be hidden and no proved mine."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """What perfect play wins from a position, all of whose layouts are equally likely.

    Args:
        observation: the position.
        layouts: how many layouts agree with it.
        wins: in how many of them perfect play wins.
        wins_by_cell: int64, shape (height, width): the same when this cell is opened first and the rest is
            played perfectly; -1 where a cell is open.
        best: a cell to open, of the optimal ones one that is safest now; None when no safe cell is left.
    """

    observation: Observation
    layouts: int
    wins: int
    wins_by_cell: NDArray[np.int64]
    best: Cell | None

    @property
    def value(self) -> float:
        """The probability that perfect play wins."""
        return self.wins / self.layouts

    @property
    def values(self) -> NDArray[np.float64]:
        """The same by the cell that is opened first, shape (height, width), NaN where a cell is open."""
        return np.where(self.wins_by_cell < 0, np.nan, self.wins_by_cell / self.layouts)


def solve_endgame(observation: Observation, limits: Limits = LIMITS) -> Solution:
    """Solve a position by searching all that can happen.

    The game is won by opening every safe cell; where the mine count is not told, the player sees at once
    that it is won. Every layout that agrees with the numbers is taken to be as likely: where nothing is open
    yet and the first click promises something, see `optimum` instead. A flag is no evidence of a mine.

    Raises:
        Contradiction: no layout agrees with the position; the message names numbers that cannot all be.
        TooComplex: there are more layouts than the limit, or solving them takes more work than it allows.
        RulesError: the game is won by flags.
    """
    refuse_flags(observation.rules)
    listed = Endgame(weigh(observation), limits)
    wins, best = listed.solve()
    wins_by_cell = np.where(observation.hidden, np.int64(0), np.int64(-1))
    for cell, won in zip(listed.cells, listed.rank()):
        wins_by_cell[cell] = won
    return Solution(observation, listed.layouts, wins, wins_by_cell, best)


def refuse_flags(rules: Rules) -> None:
    """Refuse a game that is not won by opening cells.

    Raises:
        RulesError: it is won by flags.
    """
    if rules.goal == "flags":
        raise RulesError("perfect play is known for games won by opening every safe cell, not by flags")


class Endgame:
    """The layouts of a position that has been counted, listed; valid until the next is.

    Args:
        space: as counting has left it.
        limits: how much work may be done.

    Attributes:
        layouts: how many there are.
        cells: the cells that are unknown or proved safe, in row-major order.

    Raises:
        TooComplex: there are more layouts than the limit.
    """

    def __init__(self, space: Workspace, limits: Limits) -> None:
        self._limits = limits
        log_layouts = float(space.scratch.weights[count.LOG_TOTAL])
        tally = space.tally
        # The logarithm is off by its rounding, far less than half a layout.
        if log_layouts > math.log(limits.layouts + 0.5):
            raise TooComplex(
                f"{_say(log_layouts)} layouts agree with this position, and perfect play is worked out "
                f"for up to {limits.layouts:,}"
            )
        hidden = int(tally[deduce.UNKNOWNS] + tally[deduce.SAFES])
        if hidden > MAX_CELLS:
            raise TooComplex(
                f"{hidden:,} cells are unknown, and perfect play is worked out for up to {MAX_CELLS}"
            )
        self.layouts = round(math.exp(log_layouts))
        self._arrays = arrays_for(self.layouts, hidden)
        found = endgame.list_layouts(space.view, tally, space.scratch, self._arrays)
        assert found == self.layouts, (found, self.layouts)
        stride = int(tally[deduce.STRIDE])
        places = self._arrays.places[:hidden].tolist()
        self.cells: list[Cell] = [(place // stride - 1, place % stride - 1) for place in places]

    def safe(self) -> list[Cell]:
        """The cells that are safe in every layout."""
        shown = self._arrays.shown[: len(self.cells), : self.layouts]
        return [self.cells[cell] for cell in np.flatnonzero((shown != perfect.MINED).all(axis=1))]

    def solve(self) -> tuple[int, Cell | None]:
        """In how many layouts perfect play wins, and the cell that it opens.

        Raises:
            TooComplex: that takes more work than the limit.
        """
        code, wins, cell = endgame.solve_endgame(self._arrays, self.layouts, self._limits.sets)
        self._refuse(code)
        return int(wins), None if cell < 0 else self.cells[cell]

    def rank(self) -> list[int]:
        """In how many layouts perfect play wins after opening each of `cells` first.

        Raises:
            TooComplex: that takes more work than the limit.
        """
        wins = np.empty(len(self.cells), np.int64)
        self._refuse(endgame.rank_cells(self._arrays, self.layouts, self._limits.sets, wins))
        ranked: list[int] = wins.tolist()
        return ranked

    def wins_by_opening(self, cell: Cell) -> int:
        """The same of one cell.

        Raises:
            TooComplex: that takes more work than the limit.
        """
        if cell not in self.cells:
            # A proved mine; where there is nothing else, all is won already.
            return 0 if self.cells else self.layouts
        at = self.cells.index(cell)
        code, wins = endgame.wins_by_opening(self._arrays, self.layouts, at, self._limits.sets)
        self._refuse(code)
        return int(wins)

    def _refuse(self, code: int) -> None:
        if code != deduce.FINE:
            raise TooComplex(
                f"perfect play of these {self.layouts:,} layouts takes a search of more than "
                f"{self._limits.sets:,} sets of them"
            )


def _say(log_layouts: float) -> str:
    """A number of layouts in words."""
    return f"{math.exp(log_layouts):,.0f}" if log_layouts < 20 else f"10^{log_layouts / math.log(10):.1f}"
