"""A sequential test: is the candidate stronger? It stops as soon as that is decided.

What is tested is the mean of the differences of pairs: the candidate's score less the other agent's. In
Minesweeper a pair is one world that both play, in Risk the two games of a deal with the seats changed. A
game is worth 1 to its winner and 0 to anybody else; a pair of games counts with their mean. So a capped
game, which nobody wins, is a difference of 0, just as if each had half a point.

H0 says that the mean is 0, H1 that it is ``effect``. How the differences are distributed besides is not
known: the likelihood of each hypothesis is that of the distribution that suits it best (a generalised
sequential probability ratio test). Its logarithm comes from a convex dual with one unknown, see `_losses`.

Sources: A. Wald (1945), Annals of Mathematical Statistics 16, 117-186, for the bounds and the expected
length; M. Van den Bergh (2019), "The generalized maximum likelihood ratio for the expectation value of a
distribution", for the ratio; A. B. Owen (1988), Biometrika 75, 237-249, for the dual.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

DIFFERENCES = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""What a pair can come to; counts of pairs stand in this order."""

_GRID = np.array(DIFFERENCES)
_BLOCK = 4096
"""Pairs looked at in one go."""

_HALVINGS = 45
"""Bisections of an interval of 2 to 4: what is left does not show in the loss, which is flat there."""


class Decision(NamedTuple):
    """Where a test stands.

    Args:
        llr: the logarithm of H1's likelihood over H0's.
        lower, upper: H0 is accepted at or below the one, H1 at or above the other.
        verdict: which was accepted, or None as long as neither is.
    """

    llr: float
    lower: float
    upper: float
    verdict: Literal["H0", "H1"] | None


class Course(NamedTuple):
    """How far a test has come.

    Args:
        counts: pairs by their difference, in the order of `DIFFERENCES`, up to the one that decided.
        decision: what they say.
    """

    counts: tuple[int, ...]
    decision: Decision

    @property
    def pairs(self) -> int:
        """How many pairs were used."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Sprt:
    """The test with its stated bounds.

    Args:
        effect: the mean difference of H1, more than 0 and less than 1.
        alpha, beta: the chances to accept H1 though H0 holds, and H0 though H1 holds; together less than 1.

    Raises:
        ValueError: one of them is out of bounds.
    """

    effect: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.effect < 1:
            raise ValueError(f"an effect lies between 0 and 1, not {self.effect}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(f"alpha and beta are over 0, together under 1, not {self.alpha} and {self.beta}")

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio H0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this log-likelihood ratio H1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    def decide(self, counts: ArrayLike) -> Decision:
        """What pairs say if the test is asked now for the first time.

        Args:
            counts: how many pairs came to each of `DIFFERENCES`, shape (5,).

        Raises:
            ValueError: they are not five, or one is negative.
        """
        return self._decision(float(self._llr(_checked(counts)[None, :])[0]))

    def follow(self, pairs: ArrayLike, before: ArrayLike = (0, 0, 0, 0, 0)) -> Course:
        """Ask after every pair, in their order, and stop at the first that decides.

        The answer hangs on that order alone, so that it is the same for any number of workers, and however
        the pairs are cut into calls.

        Args:
            pairs: the difference of each by its place in `DIFFERENCES`, shape (pairs,), as from `places`.
            before: the counts of the pairs before these; if they decided it, they alone are told.

        Raises:
            ValueError: there is no such place, or ``before`` is not five counts.
        """
        counts, given = _checked(before), np.asarray(pairs, np.int64)
        if given.ndim != 1 or (len(given) and not 0 <= given.min() <= given.max() < len(_GRID)):
            raise ValueError(f"pairs are places 0 to {len(_GRID) - 1}, in one list")
        decision = self.decide(counts)
        for start in range(0, len(given), _BLOCK):
            if decision.verdict is not None:
                break
            block = np.eye(len(_GRID), dtype=np.int64)[given[start : start + _BLOCK]]
            steps = counts + block.cumsum(axis=0)
            ratios = self._llr(steps)
            decided = np.flatnonzero((ratios <= self.lower) | (ratios >= self.upper))
            last = decided[0] if len(decided) else -1
            counts, decision = steps[last], self._decision(float(ratios[last]))
        return Course(tuple(counts.tolist()), decision)

    def expected_pairs(self, variance: float) -> tuple[float, float]:
        """About how many pairs the test needs, if H0 holds and if H1 holds.

        Wald's approximation for differences of this ``variance``. It forgets by how much the last pair
        oversteps a bound, and so falls short where few pairs are needed.

        Raises:
            ValueError: the variance is not more than 0.
        """
        if variance <= 0:
            raise ValueError(f"a variance is more than 0, not {variance}")
        drift = self.effect**2 / (2 * variance)
        h0 = (1 - self.alpha) * -self.lower - self.alpha * self.upper
        h1 = (1 - self.beta) * self.upper + self.beta * self.lower
        return h0 / drift, h1 / drift

    def _decision(self, llr: float) -> Decision:
        verdict: Literal["H0", "H1"] | None = None
        if llr >= self.upper:
            verdict = "H1"
        elif llr <= self.lower:
            verdict = "H0"
        return Decision(llr, self.lower, self.upper, verdict)

    def _llr(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """The log-likelihood ratio of each row of ``counts``, shape (rows, 5)."""
        h0, h1 = _losses(counts, (0.0, self.effect)).T
        ratios: NDArray[np.float64] = h0 - h1
        return ratios


def places(candidate: ArrayLike, other: ArrayLike, games: int = 1) -> NDArray[np.int64]:
    """The differences of pairs by their places in `DIFFERENCES`.

    Args:
        candidate, other: whether the agent won, game by game in order, shape (pairs * games,).
        games: how many games make a pair: 1 in Minesweeper, 2 in Risk.

    Raises:
        ValueError: the lengths differ or are not a whole number of pairs, or a pair has other than 1 or 2
            games.
    """
    won = np.asarray(candidate, np.int64), np.asarray(other, np.int64)
    if games not in (1, 2):
        raise ValueError(f"a pair has one or two games, not {games}")
    if won[0].shape != won[1].shape or won[0].ndim != 1 or len(won[0]) % games:
        raise ValueError(f"{won[0].shape} and {won[1].shape} are not the games of whole pairs of {games}")
    halves = (won[0] - won[1]).reshape(-1, games).sum(axis=1) * (2 // games)
    found: NDArray[np.int64] = halves + len(_GRID) // 2
    return found


def _checked(counts: ArrayLike) -> NDArray[np.int64]:
    given = np.asarray(counts, np.int64)
    if given.shape != _GRID.shape or given.min() < 0:
        raise ValueError(f"counts are {len(_GRID)} numbers of pairs, none negative, not {counts!r}")
    return given


def _losses(counts: NDArray[np.int64], means: Sequence[float]) -> NDArray[np.float64]:
    """How much log-likelihood pairs lose by the condition that their mean is one of ``means``, at least 0.

    Among distributions with that mean the likeliest gives difference d the chance
    count(d) / n / (1 + x (d - mean)), and what is then missing to 1 goes to an end of the scale that has
    not been seen yet. The x is the one that makes the sum of count(d) log(1 + x (d - mean)) greatest, and
    that sum is the loss. It is concave in x, and no factor may be negative, so that bisection of the slope
    between -1 / (1 - mean) and 1 / (1 + mean) finds it.

    Args:
        counts: shape (rows, 5).
        means: each more than -1 and less than 1.

    Returns:
        shape (rows, means).
    """
    offsets = _GRID - np.array(means)[:, None]
    weights = counts[:, None, :]
    shape = len(counts), len(means)
    low = np.broadcast_to(-1 / offsets[:, -1], shape)
    high = np.broadcast_to(-1 / offsets[:, 0], shape)
    pull = weights * offsets
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        rising = (pull / (1 + middle[:, :, None] * offsets)).sum(axis=2) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    factors = 1 + ((low + high) / 2)[:, :, None] * offsets
    # A difference never seen may get the factor 0 at an end; it counts nothing.
    loss: NDArray[np.float64] = (weights * np.log(np.where(weights > 0, factors, 1.0))).sum(axis=2)
    return loss
