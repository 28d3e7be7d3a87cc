"""The agent with a budget: it thinks as `expert` does, and plays close decisions out as long as it may."""

import math
import time
from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot.race import Race

from ..guess import Candidate, weigh_guesses
from ..observation import Observation
from ..sampling import sample_layouts
from ..skill import EXACT, EXPERT, Skill
from ..workspace import Workspace
from .counting import CountingAgent
from .exact import ExactAgent

_BATCH = 16
"""Layouts that are played out before the candidates are compared again."""
_DOUBT = 0.1
"""What a play-out's worth may vary by, before any is seen (see `Race`)."""
_CLOSE = 0.04
"""Candidates whose estimates are worse by more are not played out."""
_MOST = 5
"""Candidates that are played out."""
_WORTHWHILE = 0.00005
"""A decision ends when changing one's mind is expected to bring less than this share of a game."""


class _Stage(NamedTuple):
    """How to think from so many open cells on.

    Args:
        least: the cells.
        spread: by how much the network's differences between close candidates are off: a standard deviation.
        share: of the time that is left, what one decision may take.
    """

    least: int
    spread: float
    share: float


_STAGES = (_Stage(60, 0.015, 0.7), _Stage(15, 0.010, 0.35))
"""The latest first. Before these play-outs take long and find nothing (see docs/experiments.md)."""


class QuickAgent(ExactAgent):
    """Plays on in play-outs: `expert` with two candidates at most, no threats and small endgames."""

    skill: ClassVar[Skill] = replace(
        EXPERT, window=0.02, candidates=2, threats=False, endgame=EXACT.endgame, nodes=EXACT.nodes
    )


class MaxAgent(CountingAgent):
    """`expert` with a budget: more time, more wins.

    Where candidates are close, games are played out on layouts drawn from all that agree with the position,
    the same for every candidate, and freed of what is known to be luck. What the network says and what the
    play-outs say are weighed by how far each is to be trusted. A decision ends when no candidate is likely
    to be better, or its share of the time is over.

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
        opened = int((observation.cells >= 0).sum())
        stage = next((stage for stage in _STAGES if opened >= stage.least), None)
        if self.guesses > guesses and stage is not None and self._left > 0.0:
            self._think_again(observation, stage, started + stage.share * self._left)
        self._left -= time.thread_time() - started

    def _think_again(self, observation: Observation, stage: _Stage, end: float) -> None:
        """Put the guess that is planned to the test, until the thread's time is ``end``."""
        guesses = weigh_guesses(observation, self.skill)
        if guesses.exact:
            return
        close = [
            candidate
            for candidate in guesses.candidates[:_MOST]
            if candidate.win_chance > guesses.candidates[0].win_chance - _CLOSE
        ]
        if len(close) > 1:
            race = Race([c.win_chance for c in close], stage.spread, _WORTHWHILE, _DOUBT)
            while race.is_open and time.thread_time() < end:
                race.add(play_out(observation, close, race.running, self._rng))
            self._plan_only(close[race.leader()].cell)


def play_out(
    observation: Observation, candidates: list[Candidate], running: list[int], rng: np.random.Generator
) -> NDArray[np.float64]:
    """What quick games are worth after each of some candidates, on layouts drawn by lot, the same for all.

    Their luck is taken out as far as it is known: that of the games' guesses and ends by
    `ExactAgent.weigh_layouts`, and here that of the candidate, which may be a mine and may show a lucky
    number. What the estimate says of the number on the layout is replaced by what it says of all numbers;
    on average over all layouts that changes nothing, whatever the estimate is.

    Returns:
        float64, shape (candidates, layouts); 0 in the rows that are not ``running``.
    """
    layouts = sample_layouts(observation, _BATCH, rng)
    worths = np.zeros((len(candidates), _BATCH))
    for index in running:
        candidate = candidates[index]
        row, col = candidate.cell
        values = np.array(candidate.values)
        mines = layouts[:, max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2].sum(axis=(1, 2))
        expected = np.where(layouts[:, row, col], 0.0, values[np.minimum(mines, 8)])
        worths[index] = QuickAgent.weigh_layouts(observation, layouts, candidate.cell)
        worths[index] += values @ np.array(candidate.numbers) - expected
    return worths
