"""The actions, each with a text form that parses back to itself.

Territories and cards are numbers on their map. Without a map the text shows those numbers
(``attack 0 31 5``); with one it shows keys (``attack alaska kamchatka 5``), and `parse` reads either.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from surefoot.errors import FormatError

from .kernels import layout
from .worldmap import WorldMap

Until = int | Literal["decided", "roll"]
"""When an attack stops: when it is decided, as soon as at most n of the army are left, or after one roll."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Take a territory that nobody owns, or name one's capital: ``claim alaska``."""

    territory: int

    def __str__(self) -> str:
        return to_text(self)


@dataclass(frozen=True, slots=True)
class Draft:
    """Place armies in hand on an own territory: ``draft alaska 3``."""

    territory: int
    armies: int

    def __str__(self) -> str:
        return to_text(self)


@dataclass(frozen=True, slots=True)
class Trade:
    """Hand in three cards, in any order: ``trade alaska brazil wild-1 on brazil``.

    Args:
        cards: three cards; they are kept in rising order.
        bonus: where the two armies for an owned picture go; None when none of the three is owned.
    """

    cards: tuple[int, int, int]
    bonus: int | None = None

    def __post_init__(self) -> None:
        one, two, three = sorted(self.cards)
        object.__setattr__(self, "cards", (one, two, three))

    def __str__(self) -> str:
        return to_text(self)


@dataclass(frozen=True, slots=True)
class Attack:
    """Commit armies against a neighbour: ``attack alaska kamchatka 5``, ``… 5 until 2``, ``… 3 roll``.

    Args:
        source: the own territory; at least one army stays behind.
        target: its neighbour.
        armies: how many fight; for one roll, how many dice.
        until: "decided", or n to stop as soon as at most n of them are left, or "roll" for one roll.
    """

    source: int
    target: int
    armies: int
    until: Until = "decided"

    def __str__(self) -> str:
        return to_text(self)


@dataclass(frozen=True, slots=True)
class Occupy:
    """How many armies move into the territory just taken, those already there included: ``occupy 4``."""

    armies: int

    def __str__(self) -> str:
        return to_text(self)


@dataclass(frozen=True, slots=True)
class Fortify:
    """Move armies between own territories, which ends the turn: ``fortify alaska alberta 3``."""

    source: int
    target: int
    armies: int

    def __str__(self) -> str:
        return to_text(self)


@dataclass(frozen=True, slots=True)
class End:
    """End the turn: ``end``."""

    def __str__(self) -> str:
        return to_text(self)


Action = Claim | Draft | Trade | Attack | Occupy | Fortify | End
END: Final = End()


def to_text(action: Action, worldmap: WorldMap | None = None) -> str:
    """The text form, with the keys of ``worldmap`` or with numbers."""
    place: Callable[[int], str] = str if worldmap is None else worldmap.key_of
    card: Callable[[int], str] = str if worldmap is None else worldmap.card_key
    match action:
        case Claim(territory):
            return f"claim {place(territory)}"
        case Draft(territory, armies):
            return f"draft {place(territory)} {armies}"
        case Trade(cards, bonus):
            on = "" if bonus is None else f" on {place(bonus)}"
            return f"trade {' '.join(map(card, cards))}{on}"
        case Attack(source, target, armies, until):
            stop = {"decided": "", "roll": " roll"}.get(str(until), f" until {until}")
            return f"attack {place(source)} {place(target)} {armies}{stop}"
        case Occupy(armies):
            return f"occupy {armies}"
        case Fortify(source, target, armies):
            return f"fortify {place(source)} {place(target)} {armies}"
        case End():
            return "end"


_KEY = r"([^\s]{1,60})"
_NUMBER = r"([0-9]{1,7})"
_FORMS: Final = {
    "claim": re.compile(rf"claim {_KEY}"),
    "draft": re.compile(rf"draft {_KEY} {_NUMBER}"),
    "trade": re.compile(rf"trade {_KEY} {_KEY} {_KEY}(?: on {_KEY})?"),
    "attack": re.compile(rf"attack {_KEY} {_KEY} {_NUMBER}(?: (roll|until {_NUMBER}))?"),
    "occupy": re.compile(rf"occupy {_NUMBER}"),
    "fortify": re.compile(rf"fortify {_KEY} {_KEY} {_NUMBER}"),
    "end": re.compile(r"end"),
}
_EXAMPLES: Final = {
    "claim": "claim alaska",
    "draft": "draft alaska 3",
    "trade": "trade alaska brazil wild-1 on brazil",
    "attack": "attack alaska kamchatka 5 until 2",
    "occupy": "occupy 4",
    "fortify": "fortify alaska alberta 3",
    "end": "end",
}


def parse(text: str, worldmap: WorldMap | None = None) -> Action:
    """Read the text form; keys need the map that they belong to.

    Raises:
        FormatError: the text is not an action, or names no territory of the map.
    """
    words = " ".join(text.split())
    verb = words.partition(" ")[0]
    if verb not in _FORMS:
        raise FormatError(f"not an action: {words[:40]!r} (expected one of {', '.join(_FORMS)})")
    match = _FORMS[verb].fullmatch(words)
    if match is None:
        raise FormatError(f"not an action: {words[:60]!r} (expected such as {_EXAMPLES[verb]!r})")
    part = match.groups()

    def place(key: str) -> int:
        return _number(key) if worldmap is None else worldmap.territory(key)

    def card(key: str) -> int:
        return _number(key) if worldmap is None else worldmap.card(key)

    match verb:
        case "claim":
            return Claim(place(part[0]))
        case "draft":
            return Draft(place(part[0]), int(part[1]))
        case "trade":
            bonus = None if part[3] is None else place(part[3])
            return Trade((card(part[0]), card(part[1]), card(part[2])), bonus)
        case "attack":
            until: Until = "decided" if part[3] is None else "roll" if part[4] is None else int(part[4])
            return Attack(place(part[0]), place(part[1]), int(part[2]), until)
        case "occupy":
            return Occupy(int(part[0]))
        case "fortify":
            return Fortify(place(part[0]), place(part[1]), int(part[2]))
    return END


def _number(key: str) -> int:
    if re.fullmatch(r"[0-9]{1,4}", key) is None:
        raise FormatError(f"without a map a territory is a number, not {key[:40]!r}")
    return int(key)


def pack(action: Action) -> int:
    """The action as the kernels take it, or -1 if its numbers are beyond any game."""
    match action:
        case Claim(territory):
            parts = (layout.CLAIM_ACTION, territory, 0, 0, 0)
        case Draft(territory, armies):
            parts = (layout.DRAFT_ACTION, territory, 0, armies, 0)
        case Trade((one, two, three), bonus):
            parts = (layout.TRADE_ACTION, one, two, three, 0 if bonus is None else bonus + 1)
            if bonus is not None and bonus < 0:
                return -1
        case Attack(source, target, armies, until):
            parts = (layout.ATTACK_ACTION, source, target, armies, _until_code(until))
        case Occupy(armies):
            parts = (layout.OCCUPY_ACTION, 0, 0, armies, 0)
        case Fortify(source, target, armies):
            parts = (layout.FORTIFY_ACTION, source, target, armies, 0)
        case End():
            parts = (layout.END_ACTION, 0, 0, 0, 0)
    kind, first, second, third, fourth = parts
    if not (0 <= first <= layout.PLACE_MASK and 0 <= second <= layout.PLACE_MASK):
        return -1
    if not (0 <= third <= layout.NUMBER_MASK and 0 <= fourth <= layout.NUMBER_MASK):
        return -1
    return (
        kind << layout.KIND_SHIFT
        | first << layout.FIRST_SHIFT
        | second << layout.SECOND_SHIFT
        | third << layout.THIRD_SHIFT
        | fourth
    )


def unpack(code: int) -> Action:
    """The action of a packed one.

    Raises:
        FormatError: no action is packed so.
    """
    kind = code >> layout.KIND_SHIFT
    first = code >> layout.FIRST_SHIFT & layout.PLACE_MASK
    second = code >> layout.SECOND_SHIFT & layout.PLACE_MASK
    third = code >> layout.THIRD_SHIFT & layout.NUMBER_MASK
    fourth = code & layout.NUMBER_MASK
    match kind:
        case layout.CLAIM_ACTION:
            return Claim(first)
        case layout.DRAFT_ACTION:
            return Draft(first, third)
        case layout.TRADE_ACTION:
            return Trade((first, second, third), fourth - 1 if fourth else None)
        case layout.ATTACK_ACTION:
            until: Until = fourth
            if fourth in (layout.DECIDED, layout.ONE_ROLL):
                until = "decided" if fourth == layout.DECIDED else "roll"
            return Attack(first, second, third, until)
        case layout.OCCUPY_ACTION:
            return Occupy(third)
        case layout.FORTIFY_ACTION:
            return Fortify(first, second, third)
        case layout.END_ACTION:
            return END
    raise FormatError(f"no action is packed as {code}")


def _until_code(until: Until) -> int:
    if until == "decided":
        return layout.DECIDED
    if until == "roll":
        return layout.ONE_ROLL
    # Zero would be read as "decided" and the highest number as "roll".
    return until if isinstance(until, int) and 0 < until < layout.ONE_ROLL else -1
