"""How likely a board is won by perfect play from its first click on.

Where the first click promises something, every first cell leaves layouts of its own, those that the promise
allows, all as likely: the board is as good as the best of its first cells.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import TooComplex

from .actions import Cell
from .endgame import LIMITS, Endgame, Limits
from .kernels import count, deduce
from .kernels.frontier import QUEUE
from .observation import neighbours
from .rules import WINDOWS, FirstClick, Level
from .workspace import Workspace, workspace


@dataclass(frozen=True, slots=True, eq=False)
class Optimum:
    """What perfect play wins of a board.

    Args:
        level: the board.
        first_click: what the first click promises.
        layouts: int64, shape (height, width): how many layouts there are when this cell is opened first.
        wins: int64, same shape: in how many of them perfect play wins.
        best: the first cells that are worth most, in row-major order.
    """

    level: Level
    first_click: FirstClick
    layouts: NDArray[np.int64]
    wins: NDArray[np.int64]
    best: list[Cell]

    @property
    def value(self) -> float:
        """The probability that perfect play wins."""
        return float(self.values[self.best[0]])

    @property
    def values(self) -> NDArray[np.float64]:
        """The same by the cell that is opened first, shape (height, width)."""
        return self.wins / self.layouts


def optimum(
    level: Level,
    first_click: FirstClick,
    limits: Limits = LIMITS,
    on_cell: Callable[[], None] | None = None,
) -> Optimum:
    """Solve a board by searching all that can happen; it is won by opening every safe cell.

    Args:
        on_cell: is called after each of `first_cells`.

    Raises:
        TooComplex: a first cell leaves more layouts than the limit, or more work than it allows.
        RulesError: the first click leaves no room for so many mines.
    """
    replace(WINDOWS, first_click=first_click).check(level)
    shape = level.height, level.width
    layouts, wins = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for images in first_cells(level):
        listed = Endgame(_promise(level, first_click, images[0], limits), limits)
        won = listed.wins_by_opening(images[0])
        for cell in images:
            layouts[cell], wins[cell] = listed.layouts, won
        if on_cell is not None:
            on_cell()
    # In whole numbers, so that equals are equal.
    top = max(zip(wins.flat, layouts.flat), key=lambda pair: pair[0] / pair[1])
    best = [(int(row), int(col)) for row, col in np.argwhere(wins * top[1] == layouts * top[0])]
    return Optimum(level, first_click, layouts, wins, best)


def first_cells(level: Level) -> list[list[Cell]]:
    """The cells of a board, those that are alike by its symmetries together."""
    classes: dict[Cell, list[Cell]] = {}
    for cell in product(range(level.height), range(level.width)):
        classes.setdefault(min(_images(cell, level)), []).append(cell)
    return list(classes.values())


def _images(cell: Cell, level: Level) -> Iterator[Cell]:
    for row in (cell[0], level.height - 1 - cell[0]):
        for col in (cell[1], level.width - 1 - cell[1]):
            yield row, col
            if level.height == level.width:
                yield col, row


def _promise(level: Level, first_click: FirstClick, cell: Cell, limits: Limits) -> Workspace:
    """What is known and counted of a new board when the first click is to be at ``cell``.

    Raises:
        TooComplex: that leaves more layouts than the limit.
    """
    free = [] if first_click == "any" else [cell]
    if first_click == "opening":
        free += neighbours(cell, level.height, level.width)
    room = level.cells - len(free)
    layouts = math.comb(room, level.mines)
    if layouts > limits.layouts:
        raise TooComplex(
            f"{level.mines} mines lie in {room} cells in {_shorten(layouts)} ways, and perfect play is "
            f"worked out for up to {limits.layouts:,}"
        )
    space = workspace(level.height, level.width)
    view, tally, queue = space.view, space.tally, space.scratch.table[QUEUE]
    deduce.reset(view, tally, level.height, level.width, level.mines)
    for row, col in free:
        deduce.mark_safe(view, tally, queue, (row + 1) * int(tally[deduce.STRIDE]) + col + 1)
    deduce.propagate(view, tally, queue)
    count.count(view, tally, space.scratch, 1.0)
    return space


def _shorten(number: int) -> str:
    """A count, or its order of magnitude."""
    return f"{number:,}" if number < 10**9 else f"some 10^{len(str(number)) - 1}"
