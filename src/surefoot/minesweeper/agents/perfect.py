"""The agent that cannot be beaten, where the layouts are few enough to search all that can happen."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..actions import LEAVE, Action, Cell, uncover, unflag
from ..endgame import LIMITS, Endgame, Limits, refuse_flags
from ..kernels.layout import FLAGGED, HIDDEN
from ..observation import Observation
from ..optimum import optimum
from ..probability import weigh
from ..rules import FirstClick, Level

Plan = tuple[Cell, ...]
"""Cells to open, the last of them first."""

_KEPT = 1 << 16
"""Positions whose cells are remembered, from game to game."""


class PerfectAgent:
    """Opens every cell that is safe, else a cell from which perfect play wins most.

    The first cell is the best of the board under the rules' first click. Where the rules have the player
    leave, it leaves when all that is safe is open.

    Args:
        layouts: how many layouts a position may have.
        sets: how many sets of them may be searched.

    Attributes:
        guesses: how many cells it has opened that were not safe in every layout.
    """

    def __init__(self, layouts: int = LIMITS.layouts, sets: int = LIMITS.sets) -> None:
        self._limits = Limits(layouts, sets)
        self.guesses = 0
        self._seen: NDArray[np.int8] | None = None
        self._safe: list[Cell] = []

    def act(self, observation: Observation) -> Action:
        """Choose an action.

        Raises:
            Contradiction: no layout agrees with the position.
            TooComplex: the position has more layouts than the limit, or takes more work than it allows.
            RulesError: the game is won by flags.
        """
        cells = np.maximum(observation.cells, np.int8(HIDDEN))
        if not self._follows(cells):
            self._safe = []
        self._seen = cells
        while self._safe and cells[self._safe[-1]] >= 0:
            self._safe.pop()
        if not self._safe:
            plan, guess = self._think(cells, observation)
            self._safe = list(plan)
            self.guesses += guess
        if not self._safe:
            return LEAVE
        cell = self._safe[-1]
        flagged = observation.cells[cell] == FLAGGED and observation.rules.flags_protect
        return unflag(cell) if flagged else uncover(cell)

    def _follows(self, cells: NDArray[np.int8]) -> bool:
        """Whether all that was open is open, with the same numbers."""
        before = self._seen
        return (
            before is not None
            and before.shape == cells.shape
            and not ((before >= 0) & (before != cells)).any()
        )

    def _think(self, cells: NDArray[np.int8], observation: Observation) -> tuple[Plan, bool]:
        """The cells to open, and whether that is a guess."""
        rules, mines = observation.rules, observation.mines
        refuse_flags(rules)
        if rules.start == "agent" and mines is not None and (cells < 0).all():
            level = Level(observation.height, observation.width, mines)
            return _first(level, rules.first_click, self._limits)
        return _choose(cells.tobytes(), observation.height, mines, self._limits)


@lru_cache(maxsize=64)
def _first(level: Level, first_click: FirstClick, limits: Limits) -> tuple[Plan, bool]:
    return (optimum(level, first_click, limits).best[0],), first_click == "any" and level.mines > 0


@lru_cache(maxsize=_KEPT)
def _choose(cells: bytes, height: int, mines: int | None, limits: Limits) -> tuple[Plan, bool]:
    """The same for a position of flat ``cells``, int8."""
    position = Observation(np.frombuffer(cells, np.int8).reshape(height, -1), mines)
    listed = Endgame(weigh(position), limits)
    safe = listed.safe()
    if safe:
        return tuple(reversed(safe)), False
    best = listed.solve()[1]
    return (() if best is None else (best,)), best is not None
