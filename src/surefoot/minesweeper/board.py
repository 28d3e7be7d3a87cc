"""Where the mines are: the truth that a game is played on."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError

from .kernels.layout import FLAGGED, HIDDEN
from .observation import LETTERS, Observation, check_cells, parse_position, position_text
from .rules import Level

_MINE_LETTERS: Final = {HIDDEN: "I", FLAGGED: "F"}
_SAFE_LETTERS: Final = {**LETTERS, FLAGGED: "O"}


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Mines, and what of the board is already open or flagged.

    Args:
        mines: bool, shape (height, width).
        cells: int8 of the same shape, as in `Observation`; all hidden unless given.

    Raises:
        FormatError: shapes differ, or an open cell is a mine or shows a wrong number.
    """

    mines: NDArray[np.bool_]
    cells: NDArray[np.int8]

    def __init__(self, mines: NDArray[np.bool_], cells: NDArray[np.int8] | None = None) -> None:
        truth = np.array(mines, np.bool_, order="C")
        if truth.ndim != 2 or not truth.size:
            raise FormatError(f"a board has rows and columns, not shape {truth.shape}")
        seen = np.full(truth.shape, HIDDEN, np.int8) if cells is None else check_cells(cells)
        if seen.shape != truth.shape:
            raise FormatError(f"cells of shape {seen.shape} do not lie on mines of shape {truth.shape}")
        truth.setflags(write=False)
        seen.setflags(write=False)
        object.__setattr__(self, "mines", truth)
        object.__setattr__(self, "cells", seen)
        wrong = (seen >= 0) & (truth | (seen != self.numbers()))
        if wrong.any():
            row, col = np.argwhere(wrong)[0]
            what = (
                "is open and a mine"
                if truth[row, col]
                else f"shows {seen[row, col]}, not {self.numbers()[row, col]}"
            )
            raise FormatError(f"cell {row},{col} {what}")

    @property
    def level(self) -> Level:
        """The board's size and how many mines it holds."""
        height, width = self.mines.shape
        return Level(int(height), int(width), int(self.mines.sum()))

    def numbers(self) -> NDArray[np.int8]:
        """How many of the eight cells around each cell are mines; shape (height, width)."""
        height, width = self.mines.shape
        padded = np.zeros((height + 2, width + 2), np.int8)
        padded[1:-1, 1:-1] = self.mines
        around = sum(padded[r : r + height, c : c + width] for r in range(3) for c in range(3))
        return np.asarray(around - padded[1:-1, 1:-1], np.int8)

    def observation(self) -> Observation:
        """What a player of this board sees who knows the mine count."""
        return Observation(self.cells, self.level.mines)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return np.array_equal(self.mines, other.mines) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.mines.shape, self.mines.tobytes(), self.cells.tobytes()))

    def __str__(self) -> str:
        """Position text with the two letters that tell the truth: ``I`` a hidden mine, ``O`` a wrong flag."""
        level = self.level
        rows = [
            [(_MINE_LETTERS if mine else _SAFE_LETTERS)[int(seen)] for mine, seen in zip(*pair, strict=True)]
            for pair in zip(self.mines, self.cells, strict=True)
        ]
        return position_text(level.width, level.height, level.mines, rows)

    @classmethod
    def parse(cls, text: str) -> "Board":
        """Read the text of a board.

        Raises:
            FormatError: naming the line or cell at fault.
        """
        width, height, count, rows = parse_position(text)
        mines = np.zeros((height, width), np.bool_)
        cells = np.full((height, width), HIDDEN, np.int8)
        for row, letters in enumerate(rows):
            for col, letter in enumerate(letters):
                if letter not in _MEANINGS:
                    raise FormatError(f"line {row + 2}, column {col + 1}: {letter!r} is not a cell")
                mines[row, col], cells[row, col] = _MEANINGS[letter]
        if count is not None and count != mines.sum():
            raise FormatError(f"line 1 says {count} mines, but there are {mines.sum()}")
        return cls(mines, cells)


_MEANINGS: Final = (
    {letter: (False, code) for code, letter in _SAFE_LETTERS.items()}
    | {letter: (True, code) for code, letter in _MINE_LETTERS.items()}
    | {".": (False, HIDDEN)}
)
