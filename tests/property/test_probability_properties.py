"""Exact probabilities against a count of layouts in fractions.

``SUREFOOT_POSITIONS=10000 SUREFOOT_LARGE=1 pytest tests/property/test_probability_properties.py`` is the
full-size run.
"""

import math
import os
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.errors import Contradiction
from surefoot.minesweeper import Board, Game, Level, Observation, Rules, uncover
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.kernels.layout import FLAGGED, HIDDEN
from surefoot.minesweeper.probability import mine_probabilities, solve
from tests import naive

POSITIONS = int(os.environ.get("SUREFOOT_POSITIONS", "400"))


class Question(NamedTuple):
    """A position, and the density to assume where the mine count is not told."""

    position: Observation
    density: float | None


# Small boards of every form, and thin ones long enough to hold many components.
sizes = st.one_of(
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    st.tuples(st.integers(1, 3), st.integers(5, 14)),
    st.tuples(st.integers(5, 14), st.integers(1, 3)),
)
densities = st.none() | st.sampled_from([0.001, 0.2, 0.5, 0.999]) | st.floats(0.01, 0.99)


def lay_flags(draw: st.DrawFn, cells: "np.ndarray[Any, np.dtype[np.int8]]") -> None:
    """Flags may stand anywhere, and mean nothing."""
    for row, col in np.argwhere(cells == HIDDEN):
        if draw(st.integers(0, 9)) == 0:
            cells[row, col] = FLAGGED


@st.composite
def played(draw: st.DrawFn) -> Question:
    """What an honest board shows when some of its safe cells are open."""
    height, width = draw(sizes)
    cells = height * width
    mines = draw(st.integers(0, cells // 4) | st.integers(0, cells))
    order = draw(st.permutations(range(cells)))
    layout = np.zeros(cells, np.bool_)
    layout[order[:mines]] = True
    numbers = Board(layout.reshape(height, width)).numbers().ravel()
    flat = np.full(cells, HIDDEN, np.int8)
    some = order[mines : mines + draw(st.integers(0, cells - mines))]
    flat[some] = numbers[some]
    seen = flat.reshape(height, width)
    lay_flags(draw, seen)
    told = draw(st.booleans())
    return Question(Observation(seen, mines if told else None), None if told else draw(densities))


@st.composite
def stamped(draw: st.DrawFn) -> Question:
    """Arbitrary numbers on a board; often nothing explains them."""
    height, width = draw(sizes)
    seen = np.full((height, width), HIDDEN, np.int8)
    some = st.tuples(st.integers(0, height - 1), st.integers(0, width - 1))
    number = st.integers(0, 2) | st.integers(0, 8)
    for cell, shown in draw(st.dictionaries(some, number, max_size=5)).items():
        seen[cell] = shown
    lay_flags(draw, seen)
    told = draw(st.none() | st.integers(0, height * width))
    return Question(Observation(seen, told), draw(densities) if told is None else None)


def truth_of(question: Question) -> naive.Truth | None:
    density = None if question.density is None else Fraction(question.density)
    return naive.probabilities(question.position.cells.tolist(), question.position.mines, density)


@settings(max_examples=POSITIONS)
@given(played() | stamped())
def test_probabilities_are_those_of_a_count_in_fractions(question: Question) -> None:
    position, density = question
    truth = truth_of(question)
    if truth is None:
        with pytest.raises(Contradiction) as refusal:
            solve(position, density)
        assert str(refusal.value)
        with pytest.raises(Contradiction):
            mine_probabilities(position)
        return
    answer = solve(position, density)
    assert (np.isnan(answer.mine) == ~position.hidden).all()
    for cell, chance in truth.mine.items():
        assert abs(answer.mine[cell] - float(chance)) <= 1e-12, cell
        assert answer.safe[cell] == (chance == 0), cell
        assert answer.mines[cell] == (chance == 1), cell
    assert not ((answer.safe | answer.mines) & ~position.hidden).any()
    assert math.isclose(answer.log_layouts, math.log(truth.layouts), rel_tol=1e-11, abs_tol=1e-11)
    if density is None:
        assert np.array_equal(answer.mine, mine_probabilities(position), equal_nan=True)


def test_the_questions_are_of_every_kind() -> None:
    """The property above would mean little if its positions were all alike."""
    kinds: Counter[str] = Counter()

    @settings(max_examples=300, database=None, derandomize=True)
    @given(played() | stamped())
    def look(question: Question) -> None:
        truth = truth_of(question)
        kinds["contradiction" if truth is None else "possible"] += 1
        kinds[
            "density" if question.density else "told" if question.position.mines is not None else "open"
        ] += 1
        if truth is not None:
            kinds["undecided"] += any(0 < chance < 1 for chance in truth.mine.values())
            kinds["decided"] += any(chance in (0, 1) for chance in truth.mine.values())

    look()
    assert min(kinds[kind] for kind in ("contradiction", "density", "told", "open", "decided")) >= 20
    assert kinds["undecided"] >= 100


@st.composite
def tiny(draw: st.DrawFn) -> tuple[Sequence[Sequence[int]], int | None]:
    height, width = draw(st.sampled_from([(1, 1), (1, 5), (2, 2), (2, 4), (3, 3), (3, 4)]))
    row = st.lists(st.sampled_from([-1, -1, -1, -1, 0, 1, 2, 3]), min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=height, max_size=height))
    return rows, draw(st.none() | st.integers(0, height * width))


@given(tiny())
def test_the_reference_itself_counts_what_trying_every_layout_counts(
    question: tuple[Sequence[Sequence[int]], int | None],
) -> None:
    layouts = list(naive.consistent_layouts(*question))
    truth = naive.probabilities(*question)
    if not layouts:
        assert truth is None
        return
    assert truth is not None
    assert truth.layouts == len(layouts)
    for cell, chance in truth.mine.items():
        assert chance == Fraction(sum(cell in layout for layout in layouts), len(layouts))


@given(tiny(), st.fractions(0, 1).filter(lambda d: 0 < d < 1))
def test_the_reference_itself_weighs_layouts_by_a_density(
    question: tuple[Sequence[Sequence[int]], int | None], density: Fraction
) -> None:
    rows, _ = question
    hidden = sum(value < 0 for row in rows for value in row)
    weights = {
        layout: density ** len(layout) * (1 - density) ** (hidden - len(layout))
        for layout in naive.consistent_layouts(rows, None)
    }
    truth = naive.probabilities(rows, None, density)
    if not weights:
        assert truth is None
        return
    assert truth is not None
    for cell, chance in truth.mine.items():
        mine = sum((w for layout, w in weights.items() if cell in layout), Fraction(0))
        assert chance == mine / sum(weights.values())


LARGE = [(16, 30, 99), (40, 40, 300), (100, 100, 2000)]
if os.environ.get("SUREFOOT_LARGE"):  # some minutes of play, action by action
    LARGE.append((500, 500, 40_000))


@pytest.mark.parametrize(("height", "width", "mines"), LARGE)
def test_on_large_boards_reached_by_play_the_chances_sum_to_the_mine_count(
    height: int, width: int, mines: int
) -> None:
    game = Game(Level(height, width, mines), Rules(first_click="opening"), rng=np.random.default_rng(1))
    game.play(uncover((height // 2, width // 2)))
    agent, mined, unlucky = ExactAgent(), game.board.mines, 0
    while not game.over and unlucky < 12:
        position = game.observation()
        action = agent.act(position)
        assert action.cell is not None
        if not mined[action.cell]:
            game.play(action)
            continue
        # A guess that would have ended the game: look hard at the position, then let luck help out.
        unlucky += 1
        answer = solve(position)
        chances = answer.mine[position.hidden]
        assert np.isfinite(chances).all()
        assert ((chances > 0) | answer.safe[position.hidden]).all()
        assert ((chances < 1) | answer.mines[position.hidden]).all()
        assert math.isclose(chances.sum(), mines, rel_tol=1e-9)
        assert math.isfinite(answer.log_layouts)
        assert not (mined & answer.safe).any()
        assert mined[answer.mines].all()
        row, col = np.argwhere(~mined & position.hidden)[0]
        game.play(uncover((int(row), int(col))))
    assert unlucky or game.complete


def test_a_density_beside_a_mine_count_or_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="density"):
        solve(Observation.parse("1x1x1\nH"), 0.5)
    for density in (0.0, 1.0, -0.1, math.nan):
        with pytest.raises(ValueError, match="density"):
            solve(Observation.parse("1x1x?\nH"), density)
