"""The agent that is equally strong everywhere."""

from collections.abc import Mapping
from typing import ClassVar

from ..kernels.policies import SPREAD
from ..policy import policy
from .scripted import Scripted


class SpreadAgent(Scripted):
    """Evens out the armies of its front, makes the surest attacks, and halves an army that moves on.

    Args:
        chance: the least chance at which it attacks.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, float]]] = {
        "bold": {"chance": 0.4},
        "careful": {"chance": 0.75},
    }

    def __init__(self, chance: float = 0.6) -> None:
        super().__init__(policy(SPREAD, chance=chance))
