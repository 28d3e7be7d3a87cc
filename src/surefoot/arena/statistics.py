"""Intervals: how sure a figure is."""

from typing import NamedTuple

from scipy.stats import binomtest


class Interval(NamedTuple):
    """From ``low`` to ``high``, both included."""

    low: float
    high: float


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
