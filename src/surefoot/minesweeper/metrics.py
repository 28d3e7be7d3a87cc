"""How much work a board is: its openings and its 3BV.

3BV, Bechtel's Board Benchmark Value, is the least number of left clicks that solve a board with
flooding: one for each opening, and one for each number that no opening shows.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from .board import Board

_EIGHT = np.ones((3, 3), np.int8)
"""Cells touch by their sides and by their corners."""


def openings(mines: NDArray[np.bool_]) -> int:
    """How many openings a board has: areas of cells without a mine in or beside them.

    Args:
        mines: bool, shape (height, width).

    Raises:
        FormatError: the mines are not a board.
    """
    return int(_label(mines)[1])


def bbbv(mines: NDArray[np.bool_]) -> int:
    """The 3BV of a board.

    Args:
        mines: bool, shape (height, width).

    Raises:
        FormatError: the mines are not a board.
    """
    labels, count = _label(mines)
    return count + int(_isolated(mines, labels).sum())


def solved_bbbv(mines: NDArray[np.bool_], cells: NDArray[np.int8]) -> int:
    """How much of the 3BV is done: the openings without a hidden zero, and the lone numbers that are open.

    Args:
        mines: bool, shape (height, width).
        cells: int8, same shape, as in `Observation`: 0 to 8 where open.

    Raises:
        FormatError: the two are not one board, or an open cell is a mine or shows a wrong number.
    """
    hidden = Board(mines, cells).cells < 0
    labels, count = _label(mines)
    undone = np.unique(labels[hidden & (labels > 0)]).size
    return count - undone + int((_isolated(mines, labels) & ~hidden).sum())


def _label(mines: NDArray[np.bool_]) -> tuple[NDArray[np.int32], int]:
    """The zeros by opening, numbered from 1, with 0 elsewhere; and how many openings there are."""
    board = Board(mines)
    return ndimage.label((board.numbers() == 0) & ~board.mines, structure=_EIGHT)  # type: ignore[return-value]


def _isolated(mines: NDArray[np.bool_], labels: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Safe cells that no opening shows."""
    return ~np.asarray(mines, np.bool_) & ~ndimage.binary_dilation(labels > 0, structure=_EIGHT)
