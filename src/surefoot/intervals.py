"""How sure a share is that was counted in trials."""

from scipy.stats import binomtest

STANDARD_ERRORS = 1.96
"""Half the width of a 95 % interval around a mean, in standard errors."""


def half_width(successes: int, n: int, confidence: float = 0.95) -> float:
    """Half the width of Wilson's score interval for the probability behind ``successes`` out of ``n``.

    Source: E. B. Wilson (1927), Journal of the American Statistical Association 22, 209-212; by SciPy.

    Raises:
        ValueError: ``n`` is 0, there are more successes than trials, or the confidence is not in [0, 1].
    """
    interval = binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return float(interval.high - interval.low) / 2
