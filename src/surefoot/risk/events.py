"""What chance decided, each with a text form that parses back to itself."""

import re
from dataclasses import dataclass
from typing import Final

from surefoot.errors import FormatError

from .dice import FACES, MAX_DICE, attacker_losses
from .kernels import layout
from .worldmap import WorldMap


@dataclass(frozen=True, slots=True)
class Dealt:
    """The seat got a territory: ``alaska``."""

    territory: int

    @property
    def outcome(self) -> int:
        """Its code in the kernels."""
        return self.territory


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice fell, the attacker's and the defender's: ``651v65``; they are kept highest first.

    Raises:
        FormatError: a side has no dice or too many, or a die shows no face.
    """

    attack: tuple[int, ...]
    defence: tuple[int, ...]

    def __post_init__(self) -> None:
        for name in ("attack", "defence"):
            dice = tuple(sorted(getattr(self, name), reverse=True))
            if not 1 <= len(dice) <= MAX_DICE or not all(1 <= die <= FACES for die in dice):
                raise FormatError(f"not a roll of one to {MAX_DICE} dice: {dice}")
            object.__setattr__(self, name, dice)

    @property
    def outcome(self) -> int:
        """Its code in the kernels: the armies that the attacker loses."""
        return attacker_losses(self.attack, self.defence)


@dataclass(frozen=True, slots=True)
class Lost:
    """The attacker lost so many armies, by a coin or by dice that nobody wrote down: ``lost-1``."""

    armies: int

    @property
    def outcome(self) -> int:
        """Its code in the kernels."""
        return self.armies


@dataclass(frozen=True, slots=True)
class Drawn:
    """The seat drew a card: ``brazil``, ``wild-1``."""

    card: int

    @property
    def outcome(self) -> int:
        """Its code in the kernels."""
        return self.card


Event = Dealt | Rolled | Lost | Drawn

_DICE: Final = re.compile(r"([1-6]{1,3})v([1-6]{1,3})")
_LOST: Final = re.compile(r"lost-([0-3])")


def to_text(event: Event, worldmap: WorldMap) -> str:
    """The text form: one word."""
    match event:
        case Dealt(territory):
            return worldmap.key_of(territory)
        case Rolled(attack, defence):
            return f"{''.join(map(str, attack))}v{''.join(map(str, defence))}"
        case Lost(armies):
            return f"lost-{armies}"
        case Drawn(card):
            return worldmap.card_key(card)


def parse(text: str, phase: int, worldmap: WorldMap) -> Event:
    """Read the text form of what chance decided in ``phase`` (see `kernels.layout`).

    Raises:
        FormatError: it is no such thing.
    """
    if phase == layout.ROLL:
        dice = _DICE.fullmatch(text)
        if dice is not None:
            return Rolled(tuple(map(int, dice[1])), tuple(map(int, dice[2])))
        lost = _LOST.fullmatch(text)
        if lost is not None:
            return Lost(int(lost[1]))
        raise FormatError(f"not a roll: {text[:40]!r} (expected such as 651v65 or lost-1)")
    if phase == layout.DEAL:
        return Dealt(worldmap.territory(text))
    if phase == layout.DRAW:
        return Drawn(worldmap.card(text))
    raise FormatError(f"chance has nothing to decide here: {text[:40]!r}")
