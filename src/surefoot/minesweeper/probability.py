"""Exact mine probabilities of any position.

The method is told in `kernels.count`. Every layout that agrees with the position and the mine count is
equally likely; when the mine count is not told every layout is, or each cell is a mine with a given density.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import Contradiction, TooComplex

from .consistency import refuse_contradiction
from .kernels import count, deduce, frontier
from .kernels.solve import solve as _solve
from .observation import Observation
from .workspace import MAX_STATES, Workspace, workspace


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """What is known of every cell of a position.

    Args:
        mine: float64, shape (height, width): the probability of a mine, NaN where a cell is open.
        safe: bool, same shape: hidden cells that are no mine in any layout.
        mines: bool, same shape: hidden cells that are a mine in every layout.
        log_layouts: natural logarithm of the number of layouts.
    """

    mine: NDArray[np.float64]
    safe: NDArray[np.bool_]
    mines: NDArray[np.bool_]
    log_layouts: float


def mine_probabilities(observation: Observation) -> NDArray[np.float64]:
    """The probability of a mine in every cell; float64, shape (height, width), NaN where a cell is open.

    Raises:
        Contradiction: no layout agrees with the position; the message names numbers that cannot all be.
        TooComplex: the count would exceed the work limit; the message names the component.
    """
    return _fill(observation, 1.0)[0]


def solve(observation: Observation, density: float | None = None) -> Probabilities:
    """Everything that counting tells of a position.

    Args:
        observation: the position.
        density: when the mine count is not told, the probability of a mine in a cell about which
            nothing is known, strictly between 0 and 1. Without it every layout is equally likely.

    Raises:
        Contradiction: no layout agrees with the position; the message names numbers that cannot all be.
        TooComplex: the count would exceed the work limit; the message names the component.
        ValueError: the density is out of range, or given beside a mine count.
    """
    if density is not None:
        if observation.mines is not None:
            raise ValueError("a density goes with an unknown mine count, and this position tells it")
        if not 0.0 < density < 1.0:
            raise ValueError(f"a density lies strictly between 0 and 1, not at {density}")
    risks, space = _fill(observation, 1.0)
    log_layouts = float(space.scratch.weights[count.LOG_TOTAL])
    if density is not None:
        risks, space = _fill(observation, density / (1.0 - density))
    shape = observation.height + 2, observation.width + 2
    marks = space.view[deduce.MARK, : shape[0] * shape[1]].reshape(shape)[1:-1, 1:-1]
    return Probabilities(risks, marks == deduce.SAFE, marks == deduce.MINE, log_layouts)


def weigh(observation: Observation) -> Workspace:
    """The workspace as counting the position leaves it, with every layout as likely.

    Raises:
        Contradiction: no layout agrees with the position; the message names numbers that cannot all be.
        TooComplex: the count would exceed the work limit; the message names the component.
    """
    space = workspace(*observation.cells.shape)
    _count(observation, space, lambda: count.weigh(*_question(observation, 1.0, space)))
    return space


def _fill(observation: Observation, ratio: float) -> tuple[NDArray[np.float64], Workspace]:
    """The probabilities, and the workspace as the kernels left it."""
    risks = np.empty(observation.cells.shape, np.float64)
    space = workspace(*observation.cells.shape)
    _count(observation, space, lambda: _solve(*_question(observation, ratio, space), risks))
    return risks, space


def _question(observation: Observation, ratio: float, space: Workspace) -> tuple[Any, ...]:
    """What the kernels take to begin from a position."""
    mines = deduce.NOT_TOLD if observation.mines is None else observation.mines
    return observation.cells, mines, ratio, space.view, space.tally, space.scratch


def _count(observation: Observation, space: Workspace, kernel: Callable[[], int]) -> None:
    """Let a kernel count, with more room as long as it asks for it."""
    while (answer := kernel()) != deduce.FINE:
        if answer == deduce.CONTRADICTION:
            _refuse(observation)
        make_room(space, answer)


def make_room(space: Workspace, answer: int) -> None:
    """Let a workspace grow after a kernel answered that something is full.

    Raises:
        TooComplex: that is the work limit; the message names the component.
    """
    if not space.grow(answer):
        raise TooComplex(_name_component(space, answer))


def _refuse(observation: Observation) -> NoReturn:
    """Say which numbers contradict each other, or at least that some do."""
    with suppress(TooComplex):
        refuse_contradiction(observation)
    raise Contradiction("no layout explains this position")


def _name_component(space: Workspace, answer: int) -> str:
    """Which component is too large, in words."""
    table = space.scratch.table
    component = int(space.scratch.extent[frontier.FAULTY])
    first, last = table[frontier.COMPONENT, component : component + 2]
    groups = table[frontier.ORDER, first:last]
    numbers = np.unique(
        np.concatenate(
            [
                table[frontier.GROUP_NUMBER : frontier.GROUP_NUMBER + 8, group][
                    : table[frontier.GROUP_NUMBERS, group]
                ]
                for group in groups
            ]
        )
    )
    cells = int(np.abs(table[frontier.GROUP_SIZE, groups]).sum())
    row, col = divmod(int(table[frontier.NUMBER_PLACE, numbers[0]]), int(space.tally[deduce.STRIDE]))
    limit = (
        f"more than {count.SLOTS} of them are entangled at once"
        if answer == count.TOO_WIDE
        else f"counting it takes more than {MAX_STATES:,} states"
    )
    return (
        f"the component of {len(numbers)} numbers and {cells} cells beside cell {row - 1},{col - 1} "
        f"is too complex: {limit}"
    )
