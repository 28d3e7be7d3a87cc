"""The agent that builds an empire: continents taken and held, players finished for their cards."""

from collections.abc import Mapping
from typing import ClassVar

from ..kernels.policies import EMPIRE
from ..policy import policy
from .scripted import Scripted


class EmpireAgent(Scripted):
    """Finishes a player, takes or breaks a continent, or earns a card, in that order and by the odds.

    Args:
        chance: the least chance at which it attacks one territory.
        card_chance: the least at which it does so for the card of the turn.
        superiority: with so many times the armies of all others together it attacks whatever it can.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, float]]] = {
        "bold": {"chance": 0.5, "card_chance": 0.6, "superiority": 0.7},
        "careful": {"chance": 0.7, "card_chance": 0.8, "superiority": 1.3},
    }

    def __init__(self, chance: float = 0.6, card_chance: float = 0.7, superiority: float = 1.0) -> None:
        super().__init__(policy(EMPIRE, chance=chance, card_chance=card_chance, superiority=superiority))
