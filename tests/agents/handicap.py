"""`exact` with a handicap: a known weakness, for tests that have to find it."""

import numpy as np

from surefoot.minesweeper.actions import Action, Kind, uncover
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.kernels.layout import HIDDEN
from surefoot.minesweeper.observation import Observation


class Handicap:
    """Where `exact` would guess, opens a hidden cell drawn uniformly instead, now and then.

    Args:
        chance: how often, 0 to 1.
        salt: tells apart agents of the same strength, which then stumble in different places.
        seed: of the game.
    """

    def __init__(self, chance: float = 0.5, salt: int = 0, seed: int = 0) -> None:
        self._exact = ExactAgent()
        self._chance = chance
        self._rng = np.random.default_rng([seed, salt])

    @property
    def guesses(self) -> int:
        """How many cells it has opened without proof."""
        return self._exact.guesses

    def act(self, observation: Observation) -> Action:
        """Choose as `exact` does, unless it guesses and the lot says otherwise."""
        before = self._exact.guesses
        action = self._exact.act(observation)
        guessed = action.kind is Kind.UNCOVER and self._exact.guesses > before
        if not guessed or self._rng.random() >= self._chance:
            return action
        cells = np.argwhere(observation.cells == HIDDEN)
        row, col = cells[self._rng.integers(len(cells))]
        return uncover((int(row), int(col)))
