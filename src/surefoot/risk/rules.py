"""Every switch of the game, and the named presets."""

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError, RulesError
from surefoot.switches import parse_rules, read_yes_no, rules_text

from .dice import Battles
from .kernels import layout

Placement = Literal["dealt", "claimed"]
Draft = Literal["standard", "territories"]
Cards = Literal["none", "progressive", "fixed"]
Fortify = Literal["none", "adjacent", "connected"]
Blitz = Literal["may", "must", "never"]
StartingArmies = Literal["table", "one"] | int

MIN_PLAYERS = 2
MAX_PLAYERS = 6
MAX_ROUNDS = 1_000_000
TABLE = {2: 40, 3: 35, 4: 30, 5: 25, 6: 20}
"""Starting armies by the number of players, on a map of 42 territories."""
TABLE_TERRITORIES = 42


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How the game is played, whatever the map and the number of players. The defaults are the classic game.

    Raises:
        RulesError: a switch has a value that it does not take.
    """

    neutral: bool = False
    """With two players, a third army that is dealt territories, and only defends."""
    starting_armies: StartingArmies = "table"
    """Armies of each player at the start: by the table, a number, or one on each territory."""
    placement: Placement = "dealt"
    """Whether territories are dealt at random or claimed in turn."""
    setup_step: int = 1
    """How many starting armies a player places before the next one does; 0 for all that are left."""
    draft: Draft = "standard"
    """A third of the territories, at least 3, and the continents' bonuses; or as many as territories."""
    cards: Cards = "progressive"
    """Whether there are cards, and whether a set's value grows or goes by its kinds."""
    fortify: Fortify = "adjacent"
    """Whether the move at the end of a turn goes to a neighbour, through own territories, or nowhere."""
    max_attacks: int = 0
    """Attacks a turn; 0 for no limit."""
    blitz: Blitz = "may"
    """Whether an attack may, must or cannot be fought on after its first roll."""
    battles: Battles = "dice"
    """Dice, or a fair coin for each army."""
    defence_dice: int = 2
    """The defender's dice at the most: 2, or 3 as in Italy."""
    fog: bool = False
    """Only own territories and their neighbours are seen, until the game is over."""
    capitals: bool = False
    """Each player names a capital; who holds all of them wins."""
    max_armies: int = 0
    """Armies in one territory; 0 for no limit but that of the program. What finds no room is lost."""
    round_cap: int = 500
    """So many rounds end the game without a winner."""

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise RulesError(f"{name} is {' or '.join(choices)}, not {getattr(self, name)!r}")
        for name, (least, most) in _RANGES.items():
            if not least <= getattr(self, name) <= most:
                raise RulesError(f"{name} is {least} to {most}, not {getattr(self, name)}")
        armies = self.starting_armies
        if isinstance(armies, str):
            if armies not in ("table", "one"):
                raise RulesError(f"starting_armies is table, one or a number, not {armies!r}")
        elif not 1 <= armies <= layout.MAX_ARMIES:
            raise RulesError(f"starting_armies is 1 to {layout.MAX_ARMIES}, not {armies}")

    def check(self, players: int, territories: int) -> None:
        """Refuse a number of players, or a map, on which these rules cannot be played.

        Raises:
            RulesError: naming what does not fit.
        """
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise RulesError(f"Risk is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}")
        if self.neutral and players != 2:
            raise RulesError(f"neutral=yes is for 2 players, not {players}")
        seats = self.seats(players)
        if territories < seats:
            raise RulesError(f"{territories} territories are not enough for {seats} seats")
        share = -(-territories // seats)
        if isinstance(self.starting_armies, int) and self.starting_armies < share:
            raise RulesError(
                f"starting_armies={self.starting_armies} is less than the {share} territories of a player"
            )

    def seats(self, players: int) -> int:
        """How many seats hold territories, the neutral included."""
        return players + self.neutral

    def armies_at_start(self, players: int, territories: int) -> int:
        """Armies of each seat at the start, or 0 for one on each territory.

        The table's numbers are for 42 territories; other maps take them in proportion, rounded down, but
        at least one for each territory that a seat may get.
        """
        if isinstance(self.starting_armies, int):
            return self.starting_armies
        if self.starting_armies == "one":
            return 0
        share = -(-territories // self.seats(players))
        return max(TABLE[players] * territories // TABLE_TERRITORIES, share)

    def pack(self, players: int, territories: int) -> NDArray[np.int64]:
        """The switches as the kernels take them, shape (RULES_SIZE,).

        Raises:
            RulesError: as `check`.
        """
        self.check(players, territories)
        packed = np.zeros(layout.RULES_SIZE, np.int64)
        packed[layout.R_PLAYERS] = players
        packed[layout.R_NEUTRAL] = self.neutral
        packed[layout.R_STARTING] = self.armies_at_start(players, territories)
        packed[layout.R_CLAIMED] = self.placement == "claimed"
        packed[layout.R_SETUP_STEP] = self.setup_step or layout.MAX_ARMIES
        packed[layout.R_DRAFT] = DRAFT_CODES[self.draft]
        packed[layout.R_CARDS] = CARDS_CODES[self.cards]
        packed[layout.R_FORTIFY] = FORTIFY_CODES[self.fortify]
        packed[layout.R_MAX_ATTACKS] = self.max_attacks
        packed[layout.R_BLITZ] = BLITZ_CODES[self.blitz]
        packed[layout.R_DEFENCE_DICE] = self.defence_dice
        packed[layout.R_COIN] = self.battles == "coin"
        packed[layout.R_FOG] = self.fog
        packed[layout.R_CAPITALS] = self.capitals
        packed[layout.R_MAX_ARMIES] = self.max_armies or layout.MAX_ARMIES
        packed[layout.R_ROUND_CAP] = self.round_cap
        return packed

    def __str__(self) -> str:
        """The preset nearest to these rules and what differs from it, such as ``standard:fog=yes``."""
        return rules_text(self, PRESETS)

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Read a preset's name, and after a colon the switches that differ, separated by semicolons.

        Raises:
            FormatError: an unknown preset or switch, or a value that it does not take.
        """
        return parse_rules(text, PRESETS, _read)


def _read(name: str, value: str) -> object:
    if name in _CHOICES or (name == "starting_armies" and value in ("table", "one")):
        return value
    if name in _RANGES or name == "starting_armies":
        if re.fullmatch(r"[0-9]{1,9}", value) is None:
            expected = "table, one or a number" if name == "starting_armies" else "a number"
            raise FormatError(f"{name} is {expected}, not {value[:40]!r}")
        return int(value)
    return read_yes_no(name, value)


_CHOICES: dict[str, tuple[str, ...]] = {
    "placement": get_args(Placement),
    "draft": get_args(Draft),
    "cards": get_args(Cards),
    "fortify": get_args(Fortify),
    "blitz": get_args(Blitz),
    "battles": get_args(Battles),
}
_RANGES = {
    "setup_step": (0, layout.MAX_ARMIES),
    "max_attacks": (0, layout.MAX_ARMIES),
    "defence_dice": (2, 3),
    "max_armies": (0, layout.MAX_ARMIES),
    "round_cap": (1, MAX_ROUNDS),
}
DRAFT_CODES = {"standard": layout.DRAFT_STANDARD, "territories": layout.DRAFT_TERRITORIES}
CARDS_CODES = {
    "none": layout.CARDS_NONE,
    "progressive": layout.CARDS_PROGRESSIVE,
    "fixed": layout.CARDS_FIXED,
}
FORTIFY_CODES = {
    "none": layout.FORTIFY_NONE,
    "adjacent": layout.FORTIFY_ADJACENT,
    "connected": layout.FORTIFY_CONNECTED,
}
BLITZ_CODES = {"may": layout.BLITZ_MAY, "must": layout.BLITZ_MUST, "never": layout.BLITZ_NEVER}

STANDARD = Rules()
MODERN = Rules(cards="fixed", fortify="connected")
DOCUMENT = Rules(starting_armies="one", draft="territories", cards="none", fortify="none")
DOCUMENT_PROGRAM = replace(DOCUMENT, battles="coin")
PRESETS = {
    "standard": STANDARD,
    "modern": MODERN,
    "document": DOCUMENT,
    "document-program": DOCUMENT_PROGRAM,
}


def preset(name: str) -> Rules:
    """The rules of a named preset.

    Raises:
        RulesError: there is none of that name.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise RulesError(f"unknown preset {name[:40]!r} (known: {', '.join(PRESETS)})") from None
