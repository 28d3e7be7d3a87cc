"""Every switch of the game, and the named presets."""

import re
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError, RulesError
from surefoot.switches import parse_rules, read_yes_no, rules_text

from .actions import Cell
from .kernels import layout

FirstClick = Literal["any", "safe", "opening"]
Goal = Literal["open", "flags"]
Scoring = Literal["win", "difficulty"]
Start = Literal["agent", "random"] | Cell
"""Who opens the first cell: the agent, chance, or the rules, which name it. Row and column."""

MAX_SIDE = 2000


@dataclass(frozen=True, slots=True)
class Level:
    """The size of a board and how many mines it holds; its text is ``WxHxM``."""

    height: int
    width: int
    mines: int

    def __post_init__(self) -> None:
        if not (1 <= self.height <= MAX_SIDE and 1 <= self.width <= MAX_SIDE):
            raise RulesError(f"a board is 1x1 to {MAX_SIDE}x{MAX_SIDE}, not {self.width}x{self.height}")
        if not 0 <= self.mines <= self.cells:
            raise RulesError(f"{self.mines} mines do not fit on {self.cells} cells")

    @property
    def cells(self) -> int:
        """How many cells the board has."""
        return self.height * self.width

    def __str__(self) -> str:
        return f"{self.width}x{self.height}x{self.mines}"

    @classmethod
    def parse(cls, text: str) -> "Level":
        """Read ``WxHxM``.

        Raises:
            FormatError: the text does not have that form.
            RulesError: no such board can be.
        """
        match = re.fullmatch(r"(\d{1,6})x(\d{1,6})x(\d{1,8})", text.strip(), re.ASCII)
        if match is None:
            raise FormatError(f"not a board size: {text.strip()[:40]!r} (expected WxHxM, such as 30x16x99)")
        width, height, mines = map(int, match.groups())
        return cls(height, width, mines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How the game is played, whatever the board. The defaults are those of Windows Minesweeper."""

    first_click: FirstClick = "safe"
    """What the first cell opened is sure to be: nothing, no mine, or a zero."""
    start: Start = "agent"
    """Who opens the first cell. Unless it is the agent, that is done before the game begins."""
    flood: bool = True
    """A zero opens its neighbours."""
    chord: bool = True
    """A number with its flags around it can be told to open its other neighbours."""
    goal: Goal = "open"
    """What wins: every safe cell open, or the flags equal to the mines."""
    ends_when_won: bool = True
    """The game is over as soon as the goal is reached; else the player has to leave."""
    may_leave: bool = False
    """The player may end the game; what is not complete by then is lost."""
    flag_cap: bool = False
    """At most as many flags as mines; one more does nothing."""
    flags_protect: bool = True
    """Uncovering a flagged cell does nothing."""
    reopen: bool = False
    """Uncovering an open cell is a move and tells its number again; else it is ignored."""
    mines_known: bool = True
    """The player is told how many mines there are."""
    move_limit: bool = False
    """The game ends after 2·height·width + 1 moves."""
    scoring: Scoring = "win"
    """A win is worth 1, or what its difficulty is worth in document A: 3 for 16×30, 2 for 16×16, else 1."""

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise RulesError(f"{name} is {' or '.join(choices)}, not {getattr(self, name)!r}")
        if isinstance(self.start, str) and self.start not in ("agent", "random"):
            raise RulesError(f"start is agent, random or R,C, not {self.start!r}")

    def check(self, level: Level) -> None:
        """Refuse a board that these rules cannot lay out, whichever cell is opened first.

        Raises:
            RulesError: naming the switch and the room it needs.
        """
        if not isinstance(self.start, str):
            row, col = self.start
            if not (0 <= row < level.height and 0 <= col < level.width):
                raise RulesError(f"start {row},{col} is not on a {level.width}x{level.height} board")
        room = level.cells - self._kept_free(level)
        if level.mines > room:
            raise RulesError(
                f"first_click={self.first_click} leaves room for {max(room, 0)} mines "
                f"on a {level.width}x{level.height} board, not for {level.mines}"
            )

    def _kept_free(self, level: Level) -> int:
        """How many cells a first click keeps free of mines, at the most."""
        if self.first_click == "any":
            return 0
        if self.first_click == "safe":
            return 1
        if isinstance(self.start, str):
            return min(level.height, 3) * min(level.width, 3)
        return len(range(max(self.start[0] - 1, 0), min(self.start[0] + 2, level.height))) * len(
            range(max(self.start[1] - 1, 0), min(self.start[1] + 2, level.width))
        )

    def max_moves(self, level: Level) -> int | None:
        """How many moves a game may last, or None."""
        return 2 * level.cells + 1 if self.move_limit else None

    def score(self, level: Level, *, won: bool) -> int:
        """What the outcome is worth."""
        if not won:
            return 0
        if self.scoring == "win":
            return 1
        return _DIFFICULTY.get((level.height, level.width), 1)

    def pack(self, level: Level) -> NDArray[np.int64]:
        """The switches as the kernels take them, shape (RULES_SIZE,)."""
        packed = np.zeros(layout.RULES_SIZE, np.int64)
        packed[layout.FLOOD] = self.flood
        packed[layout.CHORD] = self.chord
        packed[layout.FLAG_GOAL] = self.goal == "flags"
        packed[layout.ENDS_WHEN_WON] = self.ends_when_won
        packed[layout.MAY_LEAVE] = self.may_leave
        packed[layout.FLAG_CAP] = self.flag_cap
        packed[layout.FLAGS_PROTECT] = self.flags_protect
        packed[layout.REOPEN] = self.reopen
        packed[layout.MAX_MOVES] = self.max_moves(level) or 0
        packed[layout.FIRST_CLICK] = FIRST_CLICK_CODES[self.first_click]
        return packed

    def __str__(self) -> str:
        """The family nearest to these rules and what differs from it, such as ``minai:start=0,0``."""
        return rules_text(self, FAMILIES)

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Read a family's name, and after a colon the switches that differ, separated by semicolons.

        Raises:
            FormatError: an unknown family or switch, or a value that it does not take.
        """
        return parse_rules(text, FAMILIES, _read)


def parse_start(text: str) -> Start:
    """Read who opens the first cell: ``agent``, ``random`` or ``R,C``.

    Raises:
        FormatError: it is none of these.
    """
    if text == "agent":
        return "agent"
    if text == "random":
        return "random"
    match = re.fullmatch(r"(\d{1,6}),(\d{1,6})", text, re.ASCII)
    if match is None:
        raise FormatError(f"start is agent, random or R,C, not {text[:40]!r}")
    return int(match[1]), int(match[2])


def read_first_click(text: str) -> FirstClick:
    """Read what the first cell is sure to be.

    Raises:
        RulesError: it is not one of the choices.
    """
    return replace(WINDOWS, first_click=text).first_click  # type: ignore[arg-type]


def _read(name: str, value: str) -> object:
    if name == "start":
        return parse_start(value)
    return value if name in _CHOICES else read_yes_no(name, value)


_CHOICES: dict[str, tuple[str, ...]] = {
    "first_click": get_args(FirstClick),
    "goal": get_args(Goal),
    "scoring": get_args(Scoring),
}
FIRST_CLICK_CODES = {
    "any": layout.FIRST_ANY,
    "safe": layout.FIRST_SAFE,
    "opening": layout.FIRST_OPENING,
}
_DIFFICULTY = {(16, 16): 2, (16, 30): 3}

WINDOWS = Rules()
MINAI = Rules(
    first_click="opening",
    start="random",
    flood=False,
    chord=False,
    ends_when_won=False,
    may_leave=True,
    flag_cap=True,
    flags_protect=False,
    reopen=True,
    move_limit=True,
    scoring="difficulty",
)
CS50 = Rules(
    first_click="any", flood=False, chord=False, goal="flags", flags_protect=False, mines_known=False
)
FAMILIES = {"windows": WINDOWS, "minai": MINAI, "cs50": CS50}


class Preset(NamedTuple):
    """A board and the rules it is played by."""

    level: Level
    rules: Rules


PRESETS = {
    "minai-easy": Preset(Level(5, 5, 1), MINAI),
    "minai-beginner": Preset(Level(8, 8, 10), MINAI),
    "minai-intermediate": Preset(Level(16, 16, 40), MINAI),
    "minai-expert": Preset(Level(16, 30, 99), MINAI),
    "cs50": Preset(Level(8, 8, 8), CS50),
    "beginner": Preset(Level(9, 9, 10), WINDOWS),
    "intermediate": Preset(Level(16, 16, 40), WINDOWS),
    "expert": Preset(Level(16, 30, 99), WINDOWS),
}


def preset(name: str) -> Preset:
    """The board and rules of a named preset.

    Raises:
        RulesError: there is none of that name.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise RulesError(f"unknown preset {name[:40]!r} (known: {', '.join(PRESETS)})") from None
