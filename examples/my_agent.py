"""An agent of one method, to start from: it opens what a single number proves safe, else it takes a chance.

surefoot minesweeper evaluate examples/my_agent.py:MyAgent --rules beginner --games 1000 --seed 1
surefoot minesweeper evaluate examples/my_agent.py:MyAgent:corners=no ...
"""

import numpy as np

from surefoot.minesweeper import Action, Observation, uncover


class MyAgent:
    """Looks at one number at a time."""

    def __init__(self, seed: int = 0, corners: str = "yes") -> None:
        self.rng = np.random.default_rng(seed)
        self.corners = corners == "yes"
        self.guesses = 0  # optional: the cells opened without proof, for `guesses_per_game`

    def act(self, observation: Observation) -> Action:
        hidden = {(int(row), int(col)) for row, col in np.argwhere(observation.hidden)}
        opened = {(int(row), int(col)) for row, col in np.argwhere(observation.cells >= 0)}
        mines: set[tuple[int, int]] = set()
        for cell in opened:
            around = hidden.intersection(observation.neighbours(cell))
            if len(around) == observation.cells[cell]:
                mines |= around
        for cell in opened:
            around = hidden.intersection(observation.neighbours(cell))
            if len(around & mines) == observation.cells[cell] and around - mines:
                return uncover(min(around - mines))
        self.guesses += 1
        if not opened and self.corners:
            return uncover((0, 0))
        candidates = sorted(hidden - mines) or sorted(hidden)
        return uncover(candidates[self.rng.integers(len(candidates))])
