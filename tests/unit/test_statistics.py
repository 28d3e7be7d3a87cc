from math import sqrt

import pytest

from surefoot.arena.statistics import wilson


@pytest.mark.parametrize(("won", "games"), [(0, 10), (1, 7), (41, 100), (4128, 10_000), (10, 10)])
def test_wilson_is_the_closed_form(won: int, games: int) -> None:
    z = 1.959963984540054
    rate = won / games
    centre = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    assert wilson(won, games) == pytest.approx((centre - half, centre + half), abs=1e-12)


def test_more_confidence_is_a_wider_interval() -> None:
    wide, narrow = wilson(30, 100, 0.99), wilson(30, 100, 0.5)
    assert wide.low < narrow.low < 0.3 < narrow.high < wide.high


@pytest.mark.parametrize(("won", "games"), [(0, 0), (3, 2), (-1, 2)])
def test_impossible_counts_are_refused(won: int, games: int) -> None:
    with pytest.raises(ValueError):
        wilson(won, games)
