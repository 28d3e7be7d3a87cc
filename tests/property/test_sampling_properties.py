"""Layouts drawn by lot: each explains the position, and all that do are as likely.

The plain twin of the sampler is the list of all layouts that `naive` finds by trying.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chisquare

from surefoot.errors import Contradiction, TooComplex
from surefoot.minesweeper import Board, Game, Observation, mine_probabilities, preset, sampling, workspace
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.sampling import sample_layouts
from tests import naive
from tests.property.test_probability_properties import Question, played, stamped


def explains(layout: NDArray[np.bool_], position: Observation) -> bool:
    """Whether a layout has the mines that are told, and shows the numbers that are open."""
    opened = ~position.hidden
    numbers = Board(layout).numbers()
    told = position.mines is None or int(layout.sum()) == position.mines
    return told and not layout[opened].any() and bool((numbers == position.cells)[opened].all())


@given(played() | stamped(), st.integers(0, 2**32))
def test_every_layout_explains_the_position(question: Question, seed: int) -> None:
    position = question.position
    rng = np.random.default_rng(seed)
    if naive.probabilities(position.cells.tolist(), position.mines) is None:
        with pytest.raises(Contradiction) as refusal:
            sample_layouts(position, 3, rng)
        assert str(refusal.value)
        return
    layouts = sample_layouts(position, 12, rng)
    assert layouts.shape == (12, position.height, position.width)
    assert layouts.dtype == np.bool_
    assert all(explains(layout, position) for layout in layouts)


SMALL = {
    "groups of several cells": "4x4x3\nHHHH\nH11H\nH11H\nHHHH",
    "components that share the count": "7x3x4\nHH1H1HH\nHH2H2HH\nHH1H1HH",
    "three components and floating cells": "9x2x5\n1HH1HHH1H\nHHHHHHHHH",
    "no number": "4x3x5\nHHHH\nHHHH\nHHHH",
    "no number and no count": "3x3x?\nHHH\nHHH\nHHH",
    "no count": "5x3x?\nHHHHH\nH2H1H\nHHHHH",
    "flags that mean nothing": "4x3x4\nFHHH\nH2FH\nHHHF",
    "proved cells beside the rest": "6x2x4\n2HHHHH\nH3HHHH",
    "few mines among many cells": "6x5x2\nHHHHHH\nHHHHHH\nHH1HHH\nHHHHHH\nHHHHHH",
}


@pytest.mark.parametrize("name", SMALL)
def test_all_layouts_are_as_likely(name: str) -> None:
    position = Observation.parse(SMALL[name])
    every = list(naive.consistent_layouts(position.cells.tolist(), position.mines))
    assert len(every) > 1
    rng = np.random.default_rng(20261130)
    counts = dict.fromkeys(every, 0)
    for layout in sample_layouts(position, 30 * len(every) + 3000, rng):
        counts[frozenset((int(row), int(col)) for row, col in np.argwhere(layout))] += 1
    assert chisquare(list(counts.values())).pvalue > 1e-3


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("seed", [6, 11, 29])
def test_cells_of_large_positions_are_mines_as_often_as_is_their_probability(seed: int, told: bool) -> None:
    position = guess_of_expert(seed)
    if not told:
        position = Observation(position.cells, None)
    n = 4000
    layouts = sample_layouts(position, n, np.random.default_rng(seed))
    chances = mine_probabilities(position)[position.hidden]
    shares = layouts.mean(axis=0)[position.hidden]
    assert (shares[chances == 0] == 0).all() and (shares[chances == 1] == 1).all()
    open_ = (chances > 0) & (chances < 1)
    assert open_.sum() > 100
    sigma = np.sqrt(chances * (1 - chances) / n)[open_]
    assert (np.abs(shares - chances)[open_] < 4.5 * sigma).all()
    assert all(explains(layout, position) for layout in layouts[:50])


def guess_of_expert(seed: int) -> Observation:
    """The first position of an expert game, from its 60th open cell on, where nothing is proved."""
    game = Game(*preset("expert"), rng=np.random.default_rng(seed))
    agent = ExactAgent()
    while True:
        position = game.observation()
        before = agent.guesses
        action = agent.act(position)
        if agent.guesses > before and (~position.hidden).sum() >= 60:
            return position
        game.play(action)
        assert not game.over, "another seed, please"


def test_the_layouts_depend_on_the_generator_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    position = guess_of_expert(6)
    whole = sample_layouts(position, 50, np.random.default_rng(3))
    assert np.array_equal(whole, sample_layouts(position, 50, np.random.default_rng(3)))
    assert not np.array_equal(whole, sample_layouts(position, 50, np.random.default_rng(4)))
    monkeypatch.setattr(sampling, "_DRAWS_AT_ONCE", 700)
    assert np.array_equal(whole, sample_layouts(position, 50, np.random.default_rng(3)))


def test_the_workspace_grows_as_it_has_to(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Observation.parse("13x3x12\n" + "H" * 13 + "\nH2H2H2H2H2H2H\n" + "H" * 13)
    whole = sample_layouts(position, 20, np.random.default_rng(3))
    sample_layouts(Observation.parse("1x1x0\nH"), 1, np.random.default_rng(0))  # forgets the larger board's
    monkeypatch.setattr(workspace, "_FIRST_STATES", 4)
    assert np.array_equal(whole, sample_layouts(position, 20, np.random.default_rng(3)))
    sample_layouts(Observation.parse("1x1x0\nH"), 1, np.random.default_rng(0))
    monkeypatch.setattr(workspace, "MAX_STATES", 4)
    with pytest.raises(TooComplex, match="the component of 6 numbers"):
        sample_layouts(position, 20, np.random.default_rng(3))


def test_a_number_of_layouts_is_not_negative() -> None:
    position = Observation.parse("2x1x1\nHH")
    assert sample_layouts(position, 0, np.random.default_rng(0)).shape == (0, 1, 2)
    with pytest.raises(ValueError, match="no drawing -1 layouts"):
        sample_layouts(position, -1, np.random.default_rng(0))
