"""What the scripted agents have in common: a compiled policy, asked for one action."""

import numpy as np

from .. import policy as compiled
from ..actions import Action, unpack
from ..observation import Observation
from ..policy import Policy


class Scripted:
    """An agent that plays what its compiled policy chooses; bulk games ask the same policy.

    Attributes:
        compiled: says that ``act`` does nothing but ask ``policy``, so that whole games may be played by it
            in compiled loops. A subclass that changes ``act`` has to set it to False.
        policy: the style and its weights.
    """

    compiled = True

    def __init__(self, policy: Policy, seed: int = 0) -> None:
        self.policy = policy
        self._streams = np.array([seed], np.uint64)

    def act(self, observation: Observation) -> Action:
        """Choose an action."""
        return unpack(compiled.decide(self.policy, observation, self._streams))
