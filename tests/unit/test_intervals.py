"""Half widths are those of the intervals that evaluations state."""

import pytest

from surefoot.arena.statistics import wilson
from surefoot.intervals import half_width


@pytest.mark.parametrize(("successes", "n"), [(0, 1), (5, 10), (200, 200), (333, 1000)])
def test_a_half_width_is_half_of_the_interval(successes: int, n: int) -> None:
    interval = wilson(successes, n)
    assert half_width(successes, n) == pytest.approx((interval.high - interval.low) / 2)
    assert half_width(successes, n, 0.5) < half_width(successes, n)


def test_it_takes_a_trial() -> None:
    with pytest.raises(ValueError, match="n"):
        half_width(0, 0)
