"""The agent that lives on continents."""

from collections.abc import Mapping
from typing import ClassVar

from ..kernels.policies import CONTINENT
from ..policy import policy
from .scripted import Scripted


class ContinentAgent(Scripted):
    """Gathers, takes and then defends a continent, then the next, and breaks the continents of others.

    Args:
        chance: the least chance at which it attacks at all.
        card_chance: the least at which it attacks only to earn the card of the turn.
        superiority: with so many times the armies of all others together it attacks whatever it can.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, float]]] = {
        "bold": {"chance": 0.4, "card_chance": 0.55, "superiority": 0.7},
        "careful": {"chance": 0.65, "card_chance": 0.8, "superiority": 1.3},
    }

    def __init__(self, chance: float = 0.5, card_chance: float = 0.7, superiority: float = 1.0) -> None:
        super().__init__(policy(CONTINENT, chance=chance, card_chance=card_chance, superiority=superiority))
