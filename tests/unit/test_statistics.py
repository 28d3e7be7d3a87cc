from math import comb, log, sqrt

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import bootstrap

from surefoot.arena.statistics import bootstrap_mean, mcnemar, wilson

Z = 1.959963984540054


@pytest.mark.parametrize(("won", "games"), [(0, 10), (1, 7), (41, 100), (4128, 10_000), (10, 10)])
def test_wilson_is_the_closed_form(won: int, games: int) -> None:
    z = Z
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


def test_mcnemar_is_as_exact_as_throws_of_a_coin() -> None:
    tail = sum(comb(12, k) for k in range(3)) / 2**12
    assert mcnemar(10, 2, 50).p_value == pytest.approx(2 * tail)
    assert mcnemar(0, 0, 50).p_value == mcnemar(6, 6, 50).p_value == 1
    assert mcnemar(10, 2, 50).difference == pytest.approx(8 / 50)


@pytest.mark.parametrize(("only_a", "only_b", "n"), [(10, 2, 50), (1, 7, 21), (40, 20, 160), (0, 3, 9)])
def test_the_ends_of_the_interval_are_just_not_refused(only_a: int, only_b: int, n: int) -> None:
    for difference in mcnemar(only_a, only_b, n).interval:

        def loss(b: float, d: float = difference) -> float:
            chances = (max(b + d, 1e-300), max(b, 1e-300), max(1 - 2 * b - d, 1e-300))
            return -sum(k * log(p) for k, p in zip((only_a, only_b, n - only_a - only_b), chances))

        bounds = (max(0.0, -difference), (1 - difference) / 2)
        b = minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-12}).x
        variance = n * (2 * b + difference - difference**2)
        assert abs(only_a - only_b - n * difference) == pytest.approx(Z * sqrt(variance), rel=1e-4)


def test_swapping_the_agents_mirrors_the_comparison() -> None:
    one, other = mcnemar(30, 12, 200), mcnemar(12, 30, 200)
    assert one.p_value == other.p_value
    assert (-other.interval.high, -other.interval.low) == pytest.approx(one.interval)


def test_the_interval_at_the_edges() -> None:
    same = mcnemar(0, 0, 40)
    assert same.interval == pytest.approx((-(Z**2) / (40 + Z**2), Z**2 / (40 + Z**2)))
    assert mcnemar(9, 0, 9).interval.high == 1
    assert mcnemar(0, 9, 9).interval.low == -1
    million = mcnemar(100_500, 100_000, 1_000_000)
    assert million.interval == pytest.approx(
        (0.0005 - Z * sqrt(0.2005e-6), 0.0005 + Z * sqrt(0.2005e-6)), abs=1e-7
    )


@pytest.mark.parametrize(("a", "b"), [(0.1, 0.1), (0.1, 0.02), (0.4, 0.3), (0.6, 0.0)])
def test_the_interval_holds_the_true_difference(a: float, b: float) -> None:
    rng = np.random.default_rng(1)
    n, repeats = 60, 1000
    counts = rng.multinomial(n, [a, b, 1 - a - b], size=repeats)
    intervals = [mcnemar(only_a, only_b, n).interval for only_a, only_b, _ in counts.tolist()]
    held = sum(low <= a - b <= high for low, high in intervals)
    assert 0.93 < held / repeats < 0.975


@pytest.mark.parametrize(
    ("counts", "confidence"),
    [((0, 0, 0), 0.95), ((-1, 2, 5), 0.95), ((3, 3, 5), 0.95), ((1, 1, 5), 1.0), ((1, 1, 5), 0.0)],
)
def test_impossible_comparisons_are_refused(counts: tuple[int, int, int], confidence: float) -> None:
    with pytest.raises(ValueError):
        mcnemar(*counts, confidence)


def test_the_bootstrap_is_scipys() -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(-3, 5, 300)
    ours = bootstrap_mean(values, rng, resamples=20_000)
    theirs = bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=rng)
    assert ours == pytest.approx(theirs.confidence_interval, abs=0.01)
    assert bootstrap_mean(values, rng, confidence=0.5).high < ours.high


def test_counted_values_are_those_values() -> None:
    counted = bootstrap_mean([4, -1, 0, 4], np.random.default_rng(1), counts=[2, 3, 40, 1])
    spelled = bootstrap_mean([4] * 3 + [-1] * 3 + [0] * 40, np.random.default_rng(1))
    assert counted == spelled


@pytest.mark.parametrize(
    ("values", "counts"), [([], None), ([1, 2], [1]), ([1, 2], [1, -1]), ([1], [0]), ([[1, 2]], None)]
)
def test_a_mean_of_nothing_is_refused(values: list[int], counts: list[int] | None) -> None:
    with pytest.raises(ValueError):
        bootstrap_mean(values, np.random.default_rng(0), counts=counts)
