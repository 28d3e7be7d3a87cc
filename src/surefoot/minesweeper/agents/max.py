"""The agent with a budget: it thinks as `expert` does, and plays close decisions out as long as it may."""

import math
import time
from typing import ClassVar

import numpy as np

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
            race = _Race(observation, [c.cell for c in close], [c.win_chance for c in close], self._rng)
            while race.is_open() and time.thread_time() < end:
                race.play_batch()
            self._plan_only(race.best())


class _Race:
    """Candidates of one position, played out on the same layouts until one is clearly the best."""

    def __init__(
        self, observation: Observation, cells: list[Cell], estimates: list[float], rng: np.random.Generator
    ) -> None:
        self._observation = observation
        self._cells = cells
        self._prior = np.array(estimates)
        self._rng = rng
        self._games = 0
        self._sums = np.zeros(len(cells))
        self._products = np.zeros((len(cells), len(cells)))
        self._running = list(range(len(cells)))

    def best(self) -> Cell:
        """The candidate of the best chance as far as is known."""
        return self._cells[self._leader()]

    def is_open(self) -> bool:
        """Whether another candidate may still turn out to be better."""
        return len(self._running) > 1

    def play_batch(self) -> None:
        """Play every running candidate out on some more layouts, and drop those that are beaten."""
        layouts = sample_layouts(self._observation, _BATCH, self._rng)
        won = np.zeros((len(self._cells), _BATCH))
        for index in self._running:
            won[index] = ExactAgent.play_layouts(self._observation, layouts, self._cells[index])
        self._games += _BATCH
        self._sums += won.sum(1)
        self._products += won @ won.T
        leader = self._leader()
        self._running = [
            index
            for index in self._running
            if index == leader or _expected_gain(*self._difference(index, leader)) >= _WORTHWHILE
        ]

    def _leader(self) -> int:
        leader = self._running[0]
        for index in self._running[1:]:
            if self._difference(index, leader)[0] > 0.0:
                leader = index
        return leader

    def _difference(self, index: int, other: int) -> tuple[float, float]:
        """By how much one candidate is better than another: mean and standard deviation of the belief."""
        prior = self._prior[index] - self._prior[other]
        if self._games == 0:
            return prior, _SPREAD
        n = self._games
        mean = (self._sums[index] - self._sums[other]) / n
        squares = self._products[index, index] + self._products[other, other]
        variance = (squares - 2.0 * self._products[index, other]) / n - mean * mean
        # One more game of either kind keeps two candidates that were alike so far from being held for equal.
        noise = (variance + 1.0 / n) / n
        trust = _SPREAD**2 / (_SPREAD**2 + noise)
        return (1.0 - trust) * prior + trust * mean, _SPREAD * math.sqrt(1.0 - trust)


def _expected_gain(mean: float, deviation: float) -> float:
    """How much changing over is expected to bring, if it is done only where it brings something."""
    z = mean / deviation
    density = math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    return deviation * density + mean * 0.5 * math.erfc(-z / math.sqrt(2.0))
