"""The agent that gathers one army and keeps it moving."""

from collections.abc import Mapping
from typing import ClassVar

from ..kernels.policies import AGGRESSIVE
from ..policy import policy
from .scripted import Scripted


class AggressiveAgent(Scripted):
    """Puts everything on its strongest territory, and attacks from the strongest whatever it can.

    Args:
        chance: the least chance at which it attacks.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, float]]] = {
        "bold": {"chance": 0.35},
        "careful": {"chance": 0.7},
    }

    def __init__(self, chance: float = 0.5) -> None:
        super().__init__(policy(AGGRESSIVE, chance=chance))
