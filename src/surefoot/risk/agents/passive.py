"""The agent that only waits."""

from ..kernels.policies import PASSIVE
from ..policy import policy
from .scripted import Scripted


class PassiveAgent(Scripted):
    """Strengthens its weakest territories and never attacks."""

    def __init__(self) -> None:
        super().__init__(policy(PASSIVE))
