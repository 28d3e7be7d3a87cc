"""The agent with a budget: it thinks as `expert` does, and plays close decisions out as long as it may."""

import math
import time
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot.race import Race

from ..actions import Cell
from ..guess import weigh_guesses
from ..observation import Observation
from ..sampling import sample_layouts
from ..skill import EXPERT, Skill
from ..workspace import Workspace
from .counting import CountingAgent
from .exact import ExactAgent

_SHARE = 0.3
"""Of the time that is left, what one decision may take; a game has a few that matter, the early ones most."""
_BATCH = 64
"""Layouts that are played out before the candidates are compared again."""
_SPREAD = 0.012
"""By how much the network's differences between close candidates are off: a standard deviation (see docs)."""
_CLOSE = 0.03
"""Candidates whose estimates are worse by more are not played out."""
_MOST = 5
"""Candidates that are played out."""
_WORTHWHILE = 0.0002
"""A decision ends when changing one's mind is expected to bring less than this share of a game."""


class MaxAgent(CountingAgent):
    """`expert` with a budget: more time, more wins.

    Positions of more layouts are played perfectly, and where candidates are close, whole games are played
    out on layouts drawn from all that agree with the position, the same for every candidate. What the
    network says and what the play-outs say are weighed by how far each is to be trusted. A decision ends
    when no candidate is likely to be better, or its share of the time is over.

    Args:
        ms: thinking time a game, in milliseconds of processor time.
        seed: the layouts that are drawn.

    Raises:
        ValueError: the time is not positive.
    """

    skill: ClassVar[Skill] = EXPERT

    def __init__(self, ms: float = 250.0, seed: int = 0) -> None:
        super().__init__()
        if not (math.isfinite(ms) and ms > 0.0):
            raise ValueError(f"max takes a positive number of milliseconds, not {ms}")
        self._budget = ms / 1000.0
        self._left = self._budget
        self._rng = np.random.default_rng(seed)

    def _begin(self, observation: Observation) -> None:
        super()._begin(observation)
        self._left = self._budget

    def _think(self, observation: Observation, space: Workspace) -> None:
        started = time.thread_time()
        guesses = self.guesses
        super()._think(observation, space)
        if self.guesses > guesses and (observation.cells >= 0).any():
            self._think_again(observation, started)
        self._left -= time.thread_time() - started

    def _think_again(self, observation: Observation, started: float) -> None:
        """Put the guess that is planned to the test."""
        guesses = weigh_guesses(observation, self.skill)
        if guesses.exact:
            return
        close = [
            candidate
            for candidate in guesses.candidates[:_MOST]
            if candidate.win_chance > guesses.candidates[0].win_chance - _CLOSE
        ]
        if len(close) > 1:
            end = started + _SHARE * max(self._left, 0.0)
            race = Race([c.win_chance for c in close], _SPREAD, _WORTHWHILE)
            cells = [c.cell for c in close]
            while race.is_open and time.thread_time() < end:
                race.add(play_out(observation, cells, race.running, self._rng))
            self._plan_only(cells[race.leader()])


def play_out(
    observation: Observation, cells: list[Cell], running: list[int], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Which games `exact` wins after each of some cells, on layouts drawn by lot, the same for every cell.

    Returns:
        1 or 0, shape (cells, layouts); 0 in the rows that are not ``running``.
    """
    layouts = sample_layouts(observation, _BATCH, rng)
    won = np.zeros((len(cells), _BATCH))
    for number in running:
        won[number] = ExactAgent.play_layouts(observation, layouts, cells[number])
    return won
