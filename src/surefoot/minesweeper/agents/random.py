"""The agent that every other should beat."""

import numpy as np

from ..actions import LEAVE, Action, uncover
from ..kernels.layout import HIDDEN
from ..observation import Observation


class RandomAgent:
    """Opens a hidden, unflagged cell drawn uniformly."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)

    def act(self, observation: Observation) -> Action:
        """Choose an action; where only mines are left, leave."""
        candidates = np.argwhere(observation.cells == HIDDEN)
        if observation.hidden.sum() == observation.mines or not len(candidates):
            return LEAVE
        row, col = candidates[self._rng.integers(len(candidates))]
        return uncover((int(row), int(col)))
