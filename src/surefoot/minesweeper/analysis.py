"""What a position holds: every cell's risk, what is proved, and the cell to open with the reason."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .actions import Cell
from .kernels import deduce, exact, layout
from .kernels.frontier import QUEUE
from .observation import Observation
from .probability import solve
from .rules import Level
from .workspace import new_plan, workspace


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """A position and what counting tells of it.

    Args:
        observation: the position.
        probabilities: float64, shape (height, width): the probability of a mine, NaN where a cell is open.
        safe: hidden cells that are no mine in any layout, in row-major order.
        mines: hidden cells that are a mine in every layout.
        best: the cell to open, the one the agent `exact` opens; None when no safe cell is left.
        why: the reason, in words.
        log10_layouts: decimal logarithm of the number of layouts.
    """

    observation: Observation
    probabilities: NDArray[np.float64]
    safe: list[Cell]
    mines: list[Cell]
    best: Cell | None
    why: str
    log10_layouts: float


def analyze(observation: Observation) -> Analysis:
    """Count a position and choose the cell to open.

    Raises:
        Contradiction: no layout agrees with the position.
        TooComplex: the count would exceed the work limit.
    """
    known = solve(observation)
    safe = _cells(known.safe)
    best = _choose(observation)
    return Analysis(
        observation,
        known.mine,
        safe,
        _cells(known.mines),
        best,
        _reason(observation, known.mine, safe, best),
        known.log_layouts / math.log(10),
    )


def _cells(where: NDArray[np.bool_]) -> list[Cell]:
    return [(int(row), int(col)) for row, col in np.argwhere(where)]


def _choose(observation: Observation) -> Cell | None:
    """The first cell that `exact` opens here."""
    height, width = observation.cells.shape
    space = workspace(height, width)
    mines = deduce.NOT_TOLD if observation.mines is None else observation.mines
    deduce.read_board(observation.cells, mines, space.view, space.tally, space.scratch.table[QUEUE])
    plan = new_plan(height * width)
    # Whoever asks for the cell to open is not asking where to put a flag.
    rules = observation.rules.pack(Level(height, width, observation.mines or 0))
    rules[layout.FLAG_GOAL] = 0
    exact.think(observation.cells.reshape(-1), rules, space.view, space.tally, space.scratch, plan, False)
    move = int(plan[exact.PLAN_HEAD])
    return None if move & 7 == layout.LEAVE else divmod(move >> 3, width)


def _reason(observation: Observation, risks: NDArray[np.float64], safe: list[Cell], best: Cell | None) -> str:
    if best is None:
        return "every cell that is still hidden is a mine"
    if best in safe:
        others = f", like {len(safe) - 1} more" if len(safe) > 1 else ""
        return f"it is safe in every layout{others}"
    risk = risks[best]
    hidden = observation.hidden
    equals = int((risks[hidden] <= risk + exact.SAME_RISK).sum())
    if not (observation.cells >= 0).any():
        return f"nothing is open yet, and every cell is a mine with {risk:.1%}"
    if equals == 1:
        return f"no cell is safe for certain, and its risk of {risk:.1%} is the least of all"
    around = sum(1 for cell in observation.neighbours(best) if hidden[cell] and risks[cell] < 1)
    return (
        f"no cell is safe for certain; it shares the least risk, {risk:.1%}, with {equals - 1} more "
        f"and has the fewest unknown neighbours of these, {around}, so that its number tells most"
    )
