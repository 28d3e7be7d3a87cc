"""Races between candidates, on samples made here."""

import math

import numpy as np
import pytest

from surefoot.race import Race, expected_gain


def test_the_expected_gain_of_changing_over() -> None:
    assert expected_gain(0.0, 1.0) == pytest.approx(1.0 / math.sqrt(2.0 * math.pi))
    assert expected_gain(-5.0, 1.0) < 1e-6
    assert expected_gain(5.0, 1.0) == pytest.approx(5.0, abs=1e-6)
    assert expected_gain(0.5, 0.0) == 0.5 and expected_gain(-0.5, 0.0) == 0.0


def test_before_any_sample_the_prior_leads() -> None:
    race = Race([0.1, 0.3, 0.3], 0.1, 0.001)
    assert race.leader() == 1 and race.is_open
    assert race.mean(0) == 0.1 and race.error(0) == math.inf


@pytest.mark.parametrize("best", [0, 1, 2])
def test_the_best_wins_whatever_luck_all_samples_share(best: int) -> None:
    rng = np.random.default_rng(best)
    worth = np.array([0.5, 0.5, 0.5])
    worth[best] += 0.05
    race = Race([0.5, 0.5, 0.5], 0.03, 0.0005, doubt=0.01)
    while race.is_open and race.samples < 10_000:
        luck = rng.normal(0.0, 0.3, 8)
        race.add(worth[:, None] + luck + rng.normal(0.0, 0.05, (3, 8)))
    assert race.running == [best] and race.samples < 1_000
    assert race.mean(best) == pytest.approx(worth[best], abs=5 * race.error(best))


def test_who_is_out_is_not_read_again() -> None:
    race = Race([0.0, 0.0], 0.1, 0.001, doubt=0.01)
    race.add(np.array([[1.0] * 50, [0.0] * 50]))
    assert race.running == [0]
    race.add(np.array([[1.0] * 10, [math.inf] * 10]))
    assert race.mean(1) == 0.0 and race.samples == 60


def test_what_was_thought_before_counts_until_samples_outweigh_it() -> None:
    race = Race([0.2, 0.0], 0.05, 0.0, doubt=1.0)
    race.add(np.array([[0.4], [0.5]]))
    assert race.leader() == 0
    race.add(np.full((2, 2000), 0.4) + np.array([[0.0], [0.1]]))
    assert race.leader() == 1
