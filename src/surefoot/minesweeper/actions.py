"""The actions, each with a text form that parses back to itself."""

import re
from dataclasses import dataclass
from enum import Enum

from surefoot.errors import FormatError

from .kernels import layout

Cell = tuple[int, int]
"""A cell as ``(row, col)``, 0-based, from the top left."""


class Kind(Enum):
    """What an action does; the value is its code in the kernels."""

    UNCOVER = layout.UNCOVER
    FLAG = layout.FLAG
    UNFLAG = layout.UNFLAG
    CHORD = layout.CHORD_ON
    LEAVE = layout.LEAVE


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a player: a kind and, except for leaving, a cell.

    >>> Action.parse("uncover 3,4")
    Action(kind=<Kind.UNCOVER: 0>, cell=(3, 4))
    >>> str(Action(Kind.LEAVE))
    'leave'
    """

    kind: Kind
    cell: Cell | None = None

    def __post_init__(self) -> None:
        if (self.cell is None) != (self.kind is Kind.LEAVE):
            raise FormatError(f"{self.kind.name.lower()} takes {'no' if self.cell else 'a'} cell")

    def __str__(self) -> str:
        word = self.kind.name.lower()
        return word if self.cell is None else f"{word} {self.cell[0]},{self.cell[1]}"

    @classmethod
    def parse(cls, text: str) -> "Action":
        """Read the text form: a word, a space and ``row,col``.

        Raises:
            FormatError: the text is not an action.
        """
        match = _TEXT.fullmatch(text.strip())
        if match is None:
            raise FormatError(
                f"not an action: {text.strip()[:40]!r} (expected such as 'uncover 3,4' or 'leave')"
            )
        word, row, col = match.groups()
        return cls(Kind[word.upper()], None if row is None else (int(row), int(col)))


_TEXT = re.compile(r"(uncover|flag|unflag|chord|leave)(?: ([0-9]{1,6}),([0-9]{1,6}))?")


def uncover(cell: Cell) -> Action:
    """Open a cell."""
    return Action(Kind.UNCOVER, cell)


def flag(cell: Cell) -> Action:
    """Put a flag on a cell."""
    return Action(Kind.FLAG, cell)


def unflag(cell: Cell) -> Action:
    """Take a flag off a cell."""
    return Action(Kind.UNFLAG, cell)


def chord(cell: Cell) -> Action:
    """Open the unflagged neighbours of a number that has its flags."""
    return Action(Kind.CHORD, cell)


LEAVE = Action(Kind.LEAVE)
