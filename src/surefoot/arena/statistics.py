"""Intervals and tests: how sure a figure is."""

from math import copysign, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.stats import binomtest, norm


class Interval(NamedTuple):
    """From ``low`` to ``high``, both included."""

    low: float
    high: float


class Paired(NamedTuple):
    """How two agents differ that played the same worlds.

    Args:
        difference: the first one's win rate less the second one's.
        interval: of that difference.
        p_value: two-sided, of the hypothesis that there is none.
    """

    difference: float
    interval: Interval
    p_value: float


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval for the probability behind ``successes`` out of ``n``.

    Source: E. B. Wilson (1927), Journal of the American Statistical Association 22, 209-212; by SciPy.

    Raises:
        ValueError: ``n`` is 0, there are more successes than trials, or the confidence is not in [0, 1].
    """
    if n < 1:
        raise ValueError(f"an interval needs at least one trial, not {n}")
    interval = binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return Interval(float(interval.low), float(interval.high))


def mcnemar(only_a: int, only_b: int, n: int, confidence: float = 0.95) -> Paired:
    """Compare two agents on the same ``n`` worlds, of which each won some that the other lost.

    The p-value is exact: if the agents are equal, the worlds won by one alone are as the throws of a coin.
    The interval is Tango's score interval, which holds for few worlds and for differences near 0 and 1 too.

    Source: Q. McNemar (1947), Psychometrika 12, 153-157; T. Tango (1998), Statistics in Medicine 17, 891-908.

    Raises:
        ValueError: there is no world, a count is negative, they exceed ``n``, or the confidence is not in
            (0, 1).
    """
    if n < 1:
        raise ValueError(f"a comparison needs at least one world, not {n}")
    if only_a < 0 or only_b < 0 or only_a + only_b > n:
        raise ValueError(f"{only_a} and {only_b} worlds won by one alone do not fit into {n}")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not {confidence}")
    differing = only_a + only_b
    return Paired(
        (only_a - only_b) / n,
        _tango(only_a, only_b, n, float(norm.ppf((1 + confidence) / 2))),
        float(binomtest(only_a, differing).pvalue) if differing else 1.0,
    )


def _tango(only_a: int, only_b: int, n: int, z: float) -> Interval:
    """The differences that a score test at ``z`` standard errors does not refuse."""
    observed = (only_a - only_b) / n

    def beyond(difference: float) -> float:
        """By how much the squared score exceeds ``z`` squared; it grows with the distance from the middle."""
        # The chance that B alone wins, at its likeliest if this is the difference: the root of a quadratic.
        linear = (2 * n - only_a + only_b) * difference - only_a - only_b
        constant = -only_b * difference * (1 - difference)
        root = sqrt(max(linear * linear - 8 * n * constant, 0.0))
        only_b_chance = (root - linear) / (4 * n)
        variance = n * (2 * only_b_chance + difference * (1 - difference))
        miss = only_a - only_b - n * difference
        return miss * miss - z * z * variance

    def limit(end: float) -> float:
        if observed == end:
            return end
        # At the very end the variance is 0, and in the middle the miss: the signs differ.
        start = observed + copysign(1e-12, end - observed)
        return float(brentq(beyond, start, end, xtol=1e-12))

    return Interval(limit(-1.0), limit(1.0))


def bootstrap_mean(
    values: ArrayLike,
    rng: np.random.Generator,
    *,
    counts: ArrayLike | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Interval:
    """The bootstrap percentile interval for the mean of ``values``, such as paired differences of scores.

    Equal values are counted first and resampled by their numbers, so that a million games cost no more than
    the values that occur in them are many.

    Source: B. Efron (1979), Annals of Statistics 7, 1-26.

    Args:
        values: shape (k,).
        rng: draws the resamples.
        counts: how often each value occurred, shape (k,); once if left out.

    Raises:
        ValueError: there is no value, or the shapes or the counts do not fit.
    """
    found, places = np.unique(np.asarray(values, np.float64), return_inverse=True)
    weights = np.ones(places.shape) if counts is None else np.asarray(counts, np.float64)
    if weights.shape != places.shape or weights.ndim != 1:
        raise ValueError(f"values and counts are lists of one length, not {places.shape} and {weights.shape}")
    if not len(weights) or weights.min() < 0 or weights.sum() < 1:
        raise ValueError("a mean needs at least one value, and no count is negative")
    total = np.bincount(places, weights)
    n = round(total.sum())
    means = rng.multinomial(n, total / total.sum(), size=resamples) @ found / n
    return percentiles(means, confidence)


def percentiles(samples: NDArray[np.float64], confidence: float) -> Interval:
    """The middle part of ``samples``, shape (resamples,), that holds ``confidence`` of them."""
    tail = (1 - confidence) / 2
    low, high = np.quantile(samples, (tail, 1 - tail))
    return Interval(float(low), float(high))
