from math import log
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import LinearConstraint, minimize

from surefoot.arena.sprt import DIFFERENCES, Sprt, places
from surefoot.minesweeper import bulk
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.spec import parse
from tests.simulated import LEVEL, RULES, exact_won, handicapped_won, sprt_agents, sprt_errors

GRID = np.array(DIFFERENCES)


def likeliest(counts: list[int], mean: float) -> float:
    """The greatest log-likelihood of chances with this mean, by a solver that knows nothing of the dual."""
    seen = np.array(counts, np.float64) / sum(counts)

    def loss(chances: NDArray[np.float64]) -> float:
        return -float((seen * np.log(np.maximum(chances, 1e-12))).sum())

    def slope(chances: NDArray[np.float64]) -> NDArray[np.float64]:
        return -seen / np.maximum(chances, 1e-12)

    found = minimize(
        loss,
        0.2 + mean / 4 * np.array([-1.0, -1.0, 0.0, 1.0, 1.0]),
        jac=slope,
        bounds=[(0.0, 1.0)] * 5,
        constraints=[
            LinearConstraint(np.ones((1, 5)), [1.0], [1.0]),
            LinearConstraint(GRID[None, :], [mean], [mean]),
        ],
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 500},
    )
    return -float(found.fun) * sum(counts)


@pytest.mark.parametrize(
    "counts",
    [
        [3, 5, 20, 9, 4],
        [10, 0, 80, 0, 25],
        [0, 0, 30, 0, 9],
        [7, 0, 30, 0, 0],
        [0, 3, 4, 5, 0],
        [0, 0, 0, 6, 0],
        [2, 0, 0, 0, 3],
    ],
)
@pytest.mark.parametrize("effect", [0.05, 0.3])
def test_the_ratio_is_that_of_the_likeliest_distributions(counts: list[int], effect: float) -> None:
    expected = likeliest(counts, effect) - likeliest(counts, 0.0)
    assert Sprt(effect).decide(counts).llr == pytest.approx(expected, abs=2e-3)


def test_the_ratio_where_it_is_plain() -> None:
    test = Sprt(0.1)
    # With mean 0.1 at most 0.9 of the pairs come to 0; with mean 0 all may.
    assert test.decide([0, 0, 50, 0, 0]).llr == pytest.approx(50 * log(0.9))
    # All 1: half of them by chance with mean 0, 0.55 with mean 0.1.
    assert test.decide([0, 0, 0, 0, 20]).llr == pytest.approx(20 * log(1.1))
    assert test.decide([0, 0, 0, 0, 0]).llr == 0


def test_the_bounds_are_walds() -> None:
    decision = Sprt(0.05, alpha=0.05, beta=0.1).decide([0] * 5)
    assert (decision.lower, decision.upper) == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))
    assert decision.verdict is None
    assert Sprt(0.05).decide([0, 0, 100, 0, 0]).verdict == "H0"
    assert Sprt(0.05).decide([0, 0, 60, 0, 60]).verdict == "H1"
    assert Sprt(0.05).decide([60, 0, 60, 0, 0]).verdict == "H0"


def random_pairs(seed: int, count: int) -> NDArray[np.int64]:
    chances = [0.1, 0.15, 0.4, 0.2, 0.15]
    return np.random.default_rng(seed).choice(5, size=count, p=chances)


@pytest.mark.parametrize("seed", range(4))
def test_following_is_deciding_after_every_pair(seed: int) -> None:
    test, pairs = Sprt(0.1), random_pairs(seed, 3000)
    counts = np.zeros(5, np.int64)
    for place in pairs:
        counts[place] += 1
        if test.decide(counts).verdict is not None:
            break
    course = test.follow(pairs)
    assert course.counts == tuple(counts.tolist())
    assert course.decision == test.decide(counts)
    assert course.decision.verdict is not None and course.pairs < len(pairs)


@pytest.mark.parametrize("size", [13, 1000, 5000])
def test_the_cut_into_pieces_changes_nothing(size: int) -> None:
    test, pairs = Sprt(0.003), random_pairs(9, 9000)
    assert 4096 < test.follow(pairs).pairs < 9000  # more than are looked at in one go
    course = test.follow([])
    for start in range(0, len(pairs), size):
        course = test.follow(pairs[start : start + size], course.counts)
        if course.decision.verdict is not None:
            break
    assert course == test.follow(pairs)
    assert test.follow([4] * 100, course.counts) == course  # decided is decided


def test_pairs_of_one_game_and_of_two() -> None:
    candidate, other = [1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 0, 1]
    assert places(candidate, other).tolist() == [2, 4, 0, 2, 2, 0]
    # Won and won; lost and capped; capped and capped; won and lost.
    candidate, other = [1, 1, 0, 0, 0, 0, 1, 0], [0, 0, 1, 0, 0, 0, 0, 1]
    assert [DIFFERENCES[place] for place in places(candidate, other, games=2)] == [1, -0.5, 0, 0]


@pytest.mark.parametrize(
    ("candidate", "other", "games"), [([1, 0, 1], [0, 0, 1], 2), ([1], [0, 0], 1), ([1] * 3, [0] * 3, 3)]
)
def test_parts_of_pairs_are_refused(candidate: list[int], other: list[int], games: int) -> None:
    with pytest.raises(ValueError, match="pair"):
        places(candidate, other, games)


@pytest.mark.parametrize(
    ("effect", "alpha", "beta"), [(0, 0.05, 0.05), (1, 0.05, 0.05), (0.1, 0, 0.1), (0.1, 0.5, 0.5)]
)
def test_impossible_bounds_are_refused(effect: float, alpha: float, beta: float) -> None:
    with pytest.raises(ValueError, match="not"):
        Sprt(effect, alpha, beta)


def test_impossible_pairs_are_refused() -> None:
    test = Sprt(0.1)
    with pytest.raises(ValueError, match="places 0 to 4"):
        test.follow([0, 5])
    with pytest.raises(ValueError, match="5 numbers"):
        test.decide([1, 2, 3])
    with pytest.raises(ValueError, match="none negative"):
        test.follow([1], [0, 0, -1, 0, 0])
    with pytest.raises(ValueError, match="variance"):
        test.expected_pairs(0.0)


@pytest.mark.parametrize(("differing", "halves"), [(0.1, 0.0), (0.5, 0.0), (0.4, 0.3)])
def test_errors_are_as_rare_as_stated(differing: float, halves: float) -> None:
    test, repeats = Sprt(0.1), 200
    for mean in (0.0, test.effect):
        ends = [(differing - mean) / 2, (differing + mean) / 2]
        chances = [ends[0], halves / 2, 1 - differing - halves, halves / 2, ends[1]]
        found = sprt_errors(test, chances, repeats, seed=4)
        assert found["mean"] == pytest.approx(mean)
        wrong = found["h1"] if mean == 0 else found["h0"]
        # Ten are expected of 200; more than 20 by chance once in a thousand.
        assert 1 <= wrong <= 20
        assert found["undecided"] == 0
        expected = found["wald_expected_pairs"][mean > 0]
        assert 0.8 * expected < found["mean_pairs"] < 1.4 * expected


def test_a_handicap_of_nothing_is_none() -> None:
    path = Path(__file__).parents[1] / "agents" / "handicap.py"
    factory = parse(f"{path}:Handicap:chance=0.0").make
    table = bulk.play_games(factory, LEVEL, RULES, 5, 0, 60)
    for ours, theirs in zip(table, ExactAgent.play_games(LEVEL, RULES, 5, 0, 60)):
        np.testing.assert_array_equal(ours, theirs)


def test_a_handicap_costs_games_and_its_salt_only_tells_which() -> None:
    exact = exact_won(1, 0, 400)
    weak, other = (handicapped_won(0.8, salt)(1, 0, 400) for salt in (1, 2))
    assert exact.sum() > weak.sum() + 20
    assert (weak != other).any()


def test_the_stronger_agent_is_found_and_equals_are_told() -> None:
    found = sprt_agents(6, seed=2, chance=1.0, effect=0.1, worlds=400)
    assert found["stronger"]["ci95"][0] > 0.1
    assert found["stronger"]["h1"] >= 5
    assert found["equal"]["h0"] >= 5
