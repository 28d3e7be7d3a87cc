"""The agent that takes only what nobody can hold."""

from collections.abc import Mapping
from typing import ClassVar

from ..kernels.policies import PACIFIST
from ..policy import policy
from .scripted import Scripted


class PacifistAgent(Scripted):
    """Evens out the armies of its front, and takes the weakest neighbouring territory, one a turn.

    Args:
        chance: the least chance at which it attacks.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, float]]] = {
        "bold": {"chance": 0.5},
        "careful": {"chance": 0.9},
    }

    def __init__(self, chance: float = 0.7) -> None:
        super().__init__(policy(PACIFIST, chance=chance))
