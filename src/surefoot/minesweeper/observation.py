"""What an agent may see, and nothing more; its text form parses back to itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError

from .actions import Cell
from .kernels.layout import FLAGGED, HIDDEN
from .rules import MAX_SIDE, WINDOWS, Rules

LETTERS: Final = {HIDDEN: "H", FLAGGED: "F", **{n: str(n) for n in range(9)}}
_TEXT: Final = np.array([ord(LETTERS[code]) for code in range(FLAGGED, 9)], np.uint8)
"""The letters of all codes from the lowest on, as bytes."""
_CODES: Final = {letter: code for code, letter in LETTERS.items()} | {".": HIDDEN}


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """A position as the player sees it.

    Args:
        cells: int8, shape (height, width): 0 to 8 where open, ``HIDDEN`` (-1) or ``FLAGGED`` (-2).
            Kept as a read-only copy. A flag is never evidence of a mine.
        mines: how many mines the board holds, or None when the player is not told.
        rules: how the game is played. The position text has no word for them, so a parsed position is
            taken to be of Windows Minesweeper, and equality leaves them out.

    Raises:
        FormatError: the cells are not a board, or there are more mines than cells.
    """

    cells: NDArray[np.int8]
    mines: int | None
    rules: Rules = field(default=WINDOWS, repr=False)

    def __post_init__(self) -> None:
        cells = check_cells(self.cells)
        if cells.ndim != 2 or not cells.size:
            raise FormatError(f"a position has rows and columns, not shape {cells.shape}")
        check_mines(self.mines, cells.size)
        cells.setflags(write=False)
        object.__setattr__(self, "cells", cells)

    @classmethod
    def of_game(cls, cells: NDArray[np.int8], mines: int | None, rules: Rules) -> "Observation":
        """A copy of a game's cells, which need no checking."""
        seen = object.__new__(cls)
        copy = cells.copy()
        copy.setflags(write=False)
        object.__setattr__(seen, "cells", copy)
        object.__setattr__(seen, "mines", mines)
        object.__setattr__(seen, "rules", rules)
        return seen

    @property
    def height(self) -> int:
        """Number of rows."""
        return int(self.cells.shape[0])

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.cells.shape[1])

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Where cells are not open, flagged ones included; shape (height, width)."""
        return self.cells < 0

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The up to eight cells around ``cell``, in row-major order."""
        return neighbours(cell, self.height, self.width)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        return self.mines == other.mines and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.mines, self.cells.shape, self.cells.tobytes()))

    def __str__(self) -> str:
        """Position text: ``WxHxM`` or ``WxHx?``, then a line a row."""
        rows = [row.tobytes().decode() for row in _TEXT[self.cells - FLAGGED]]
        return position_text(self.width, self.height, self.mines, rows)

    @classmethod
    def parse(cls, text: str, rules: Rules = WINDOWS) -> "Observation":
        """Read position text; ``.`` for hidden and spaces between cells are accepted.

        Raises:
            FormatError: naming the line at fault.
        """
        width, height, mines, rows = parse_position(text)
        cells = np.empty((height, width), np.int8)
        for row, letters in enumerate(rows):
            for col, letter in enumerate(letters):
                if letter not in _CODES:
                    truth = (
                        " (I and O tell where mines are: that is a board, not a position)"
                        if letter in "IO"
                        else ""
                    )
                    raise FormatError(f"line {row + 2}, column {col + 1}: {letter!r} is not a cell{truth}")
                cells[row, col] = _CODES[letter]
        return cls(cells, mines, rules)


def neighbours(cell: Cell, height: int, width: int) -> list[Cell]:
    """The up to eight cells around ``cell``, in row-major order."""
    row, col = cell
    return [
        (r, c)
        for r in range(max(row - 1, 0), min(row + 2, height))
        for c in range(max(col - 1, 0), min(col + 2, width))
        if (r, c) != cell
    ]


def check_cells(cells: NDArray[np.int8]) -> NDArray[np.int8]:
    """A C-ordered int8 copy of cells as a player may see them.

    Raises:
        FormatError: a cell is none of these. Checked before the copy, which would wrap large numbers.
    """
    given = np.asarray(cells)
    if given.size and (given.min() < FLAGGED or given.max() > 8):
        raise FormatError("a cell is hidden, flagged or shows 0 to 8")
    return np.array(given, np.int8, order="C")


def check_mines(mines: int | None, cells: int) -> None:
    """Refuse a mine count that does not fit.

    Raises:
        FormatError: there are more mines than cells, or fewer than none.
    """
    if mines is not None and not 0 <= mines <= cells:
        raise FormatError(f"{mines} mines do not fit on {cells} cells")


def position_text(width: int, height: int, mines: int | None, rows: Sequence[Sequence[str]]) -> str:
    """The text of a position or board from its letters."""
    header = f"{width}x{height}x{'?' if mines is None else mines}"
    return "\n".join([header, *("".join(row) for row in rows)])


def parse_position(text: str) -> tuple[int, int, int | None, list[str]]:
    """Split position text into width, height, mines (or None) and one string of letters a row.

    Raises:
        FormatError: naming the line at fault.
    """
    lines = [line.strip() for line in text.replace("\r\n", "\n").strip().split("\n")]
    match = re.fullmatch(r"(\d{1,6})x(\d{1,6})x(\d{1,8}|\?)", lines[0], re.ASCII)
    if match is None:
        raise FormatError(f"line 1: {lines[0][:40]!r} is not WxHxM, such as 30x16x99 or 8x8x?")
    width, height = int(match[1]), int(match[2])
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise FormatError(f"line 1: a board is 1x1 to {MAX_SIDE}x{MAX_SIDE}, not {width}x{height}")
    mines = None if match[3] == "?" else int(match[3])
    try:
        check_mines(mines, width * height)
    except FormatError as error:
        raise FormatError(f"line 1: {error}") from None
    rows = ["".join(line.split()) for line in lines[1:]]
    if len(rows) != height:
        raise FormatError(f"line 1 says {height} rows, but there are {len(rows)}")
    for number, row in enumerate(rows, 2):
        if len(row) != width:
            raise FormatError(f"line {number}: {len(row)} cells, not {width}")
    return width, height, mines, rows
