"""The agent behind walls."""

from collections.abc import Mapping
from typing import ClassVar

from ..kernels.policies import TURTLE
from ..policy import policy
from .scripted import Scripted


class TurtleAgent(Scripted):
    """Defends its choke points and takes one territory a turn, for the card, until it is far superior.

    Args:
        chance: the least chance at which it attacks once it is superior.
        card_chance: the least at which it attacks to earn the card of the turn.
        superiority: with so many times the armies of all others together it attacks whatever it can.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, float]]] = {
        "bold": {"chance": 0.4, "card_chance": 0.6, "superiority": 0.8},
        "careful": {"chance": 0.65, "card_chance": 0.9, "superiority": 1.5},
    }

    def __init__(self, chance: float = 0.5, card_chance: float = 0.75, superiority: float = 1.0) -> None:
        super().__init__(policy(TURTLE, chance=chance, card_chance=card_chance, superiority=superiority))
