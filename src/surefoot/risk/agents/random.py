"""The agent that every other should beat."""

from ..kernels.policies import RANDOM
from ..policy import policy
from .scripted import Scripted


class RandomAgent(Scripted):
    """Places and attacks anywhere, with any number of armies, and stops at any time."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(policy(RANDOM), seed)
