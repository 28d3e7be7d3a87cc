"""World files of the Min.AI shell: read, write, and generate by the document's rule.

A world file counts rows from the top and the start tile as ``X Y`` from the bottom left, from 1::

    4 5
    1 1
    0 0 0 0 1
    0 0 0 0 1
    0 0 0 0 0
    0 0 0 0 0

That way of counting lives here and in `surefoot.compat.minai` alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from surefoot.errors import FormatError, RulesError

from ..actions import Cell
from ..board import Board
from ..bulk import game_rng
from ..game import Game
from ..rules import MAX_SIDE, MINAI, PRESETS, Level

_PAIR = re.compile(r"\s*(\d{1,6})\s+(\d{1,6})\s*", re.ASCII)
_MAX_BYTES = 4 * MAX_SIDE * MAX_SIDE
"""More than any world takes; what is longer is not read into memory."""


@dataclass(frozen=True, slots=True)
class World:
    """A Min.AI world: where the mines are, and the tile that is uncovered beforehand.

    Args:
        board: the mines; no cell is open.
        start: (row, col) as everywhere inside. It and its neighbours are free of mines.

    Raises:
        FormatError: the start is off the board or not a zero, or a cell is open or flagged already.
    """

    board: Board
    start: Cell

    def __post_init__(self) -> None:
        level = self.board.level
        row, col = self.start
        if not (0 <= row < level.height and 0 <= col < level.width):
            x, y = to_tile(self.start, level.height)
            raise FormatError(
                f"the start {x + 1} {y + 1} is not on a board "
                f"of {level.height} rows and {level.width} columns"
            )
        if (self.board.cells >= 0).any() or (self.board.cells < -1).any():
            raise FormatError("a world has no open and no flagged tiles")
        near = self.board.mines[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
        if near.any():
            x, y = to_tile(self.start, level.height)
            where = "is a mine" if self.board.mines[row, col] else "has a mine beside it"
            raise FormatError(f"the start {x + 1} {y + 1} {where}; it has to be a zero")

    def game(self) -> Game:
        """The game on this world, the start open and no move made."""
        return Game.on(self.board, MINAI, self.start)

    def __str__(self) -> str:
        """The text of the file, with the space after each row that the original writes."""
        level = self.board.level
        x, y = to_tile(self.start, level.height)
        rows = ("".join("1 " if mine else "0 " for mine in row) for row in self.board.mines)
        return "\n".join([f"{level.height} {level.width}", f"{x + 1} {y + 1}", *rows]) + "\n"

    @classmethod
    def parse(cls, text: str) -> "World":
        """Read the text of a world file; spaces at a row's end and blank lines at the text's are optional.

        Raises:
            FormatError: naming the line at fault.
        """
        lines = text.replace("\r\n", "\n").rstrip().split("\n")
        rows, cols = _pair(lines, 1, "rows and columns, such as '8 8'")
        if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
            raise FormatError(f"line 1: a board is 1 to {MAX_SIDE} rows and columns, not {rows} and {cols}")
        x, y = _pair(lines, 2, "the start's column and row, such as '1 1'")
        if len(lines) != rows + 2:
            raise FormatError(f"line 1 says {rows} rows, but there are {len(lines) - 2}")
        mines = np.zeros((rows, cols), np.bool_)
        for row, line in enumerate(lines[2:]):
            tiles = line.split()
            if len(tiles) != cols:
                raise FormatError(f"line {row + 3}: {len(tiles)} tiles, not {cols}")
            for col, tile in enumerate(tiles):
                if tile not in ("0", "1"):
                    raise FormatError(f"line {row + 3}, tile {col + 1}: {tile[:20]!r} is neither 0 nor 1")
                mines[row, col] = tile == "1"
        try:
            return cls(Board(mines), to_cell(x - 1, y - 1, rows))
        except FormatError as error:
            raise FormatError(f"line 2: {error}") from None

    @classmethod
    def read(cls, path: Path) -> "World":
        """Read a world file.

        Raises:
            FormatError: naming the line at fault, or saying why the file cannot be read.
        """
        try:
            if path.stat().st_size > _MAX_BYTES:
                raise FormatError("too large for a world file")
            text = path.read_text(encoding="utf-8-sig", errors="replace")
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror or error}") from None
        return cls.parse(text)


def to_tile(cell: Cell, height: int) -> tuple[int, int]:
    """A cell as the shell's agents name it: ``(x, y)``, 0-based, from the bottom left."""
    return int(cell[1]), int(height - 1 - cell[0])


def to_cell(x: int, y: int, height: int) -> Cell:
    """The cell that the shell's agents name ``(x, y)``."""
    return height - 1 - y, x


def looks_like_world(path: Path) -> bool:
    """Whether a file is meant as a world: named ``.txt``, or beginning with a world's two lines."""
    if path.suffix.lower() == ".txt":
        return True
    try:
        with path.open("rb") as file:
            head = file.read(64).decode("ascii", errors="replace").splitlines()
    except OSError:
        return False
    return len(head) > 2 and all(_PAIR.fullmatch(line) for line in head[:2])


def parse_level(text: str) -> Level:
    """A board by name (easy, beginner, intermediate, expert) or as ``WxHxM``.

    Raises:
        FormatError: it is neither.
        RulesError: no such board can be.
    """
    names = [name.removeprefix("minai-") for name in PRESETS if name.startswith("minai-")]
    if text in names:
        return PRESETS[f"minai-{text}"].level
    try:
        return Level.parse(text)
    except FormatError:
        raise FormatError(
            f"not a level: {text[:40]!r} (expected {', '.join(names)} or WxHxM, such as 30x16x99)"
        ) from None


def check_level(level: Level) -> None:
    """Refuse a board that the document's generator does not make.

    Raises:
        RulesError: naming what is out of bounds.
    """
    if min(level.height, level.width) < 4:
        raise RulesError(f"a world has at least 4 rows and 4 columns, not {level.height} and {level.width}")
    if not 1 <= level.mines <= level.cells - 9:
        raise RulesError(
            f"a world of {level.height} rows and {level.width} columns has 1 to {level.cells - 9} mines, "
            f"not {level.mines}"
        )


def generate(level: Level, rng: np.random.Generator) -> World:
    """Draw a world: the start uniform over the board, the mines uniform outside the 3x3 around it.

    Raises:
        RulesError: the document's generator makes no such board.
    """
    check_level(level)
    game = Game(level, MINAI, rng=rng)
    assert game.start is not None
    return World(Board(game.board.mines), game.start)


def write_worlds(folder: Path, base: str, level: Level, n: int, seed: int) -> Iterator[Path]:
    """Write ``<base>_world_1.txt`` to ``<base>_world_<n>.txt``, each as its path is asked for.

    A world depends on the seed and its number alone, so that a larger set begins with the smaller one; its
    board is that of the game of the same root seed and of the number before.

    Raises:
        RulesError: the document's generator makes no such board.
        OSError: the folder cannot be written.
    """
    check_level(level)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, n + 1):
        world = generate(level, game_rng(seed, number - 1))
        path = folder / f"{base}_world_{number}.txt"
        path.write_text(str(world), encoding="ascii", newline="\n")
        yield path


def _pair(lines: list[str], number: int, what: str) -> tuple[int, int]:
    line = lines[number - 1] if len(lines) >= number else ""
    match = _PAIR.fullmatch(line)
    if match is None:
        raise FormatError(f"line {number}: {line.strip()[:40]!r} is not {what}")
    return int(match[1]), int(match[2])
