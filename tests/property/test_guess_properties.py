"""What is counted after a guess, against all layouts tried one by one."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from surefoot.minesweeper.kernels import count, deduce, leaf, lookahead, mind
from surefoot.minesweeper.kernels.candidates import is_dead
from surefoot.minesweeper.kernels.solve import mark_certain
from surefoot.minesweeper.kernels.threats import LEAST
from surefoot.minesweeper.kernels.words import FEATURES
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.rules import WINDOWS
from surefoot.minesweeper.skill import Skill, network
from surefoot.minesweeper.workspace import Workspace, workspace
from tests import naive

WIDE = Skill(look_ahead=True, window=1.0, candidates=mind.CANDIDATES, threats=True)


@st.composite
def stuck(draw: st.DrawFn) -> tuple[Observation, list[naive.Layout]]:
    """A position of a small board in which nothing is proved safe, and its layouts."""
    height, width = draw(st.sampled_from([(3, 4), (4, 4), (2, 7), (1, 12), (3, 5)]))
    cells = naive.all_cells(height, width)
    mines = draw(st.integers(1, len(cells) // 2))
    order = draw(st.permutations(cells))
    layout, opened = set(order[:mines]), order[mines : mines + draw(st.integers(1, len(cells) // 2))]
    shown = np.full((height, width), -1, np.int8)
    for cell in opened:
        if cell not in layout:
            shown[cell] = len(naive.around(cell, height, width) & layout)
    layouts = list(naive.consistent_layouts(shown.tolist(), mines))
    hidden = [cell for cell in cells if shown[cell] < 0]
    assume((shown >= 0).any() and all(any(cell in one for one in layouts) for cell in hidden))
    return Observation(shown, mines, WINDOWS), layouts


def weighed(observation: Observation) -> tuple[Workspace, int]:
    space = workspace(observation.height, observation.width)
    arrays = space.think_as(WIDE)
    assert observation.mines is not None
    answer = count.weigh(observation.cells, observation.mines, 1.0, space.view, space.tally, space.scratch)
    assert answer == deduce.FINE
    assume(lookahead.is_stuck(space.scratch))
    mark_certain(space.view, space.tally, space.scratch)
    assume(space.tally[deduce.UNKNOWNS] > 0)
    answer, found = lookahead.weigh_candidates(space.view, space.tally, space.scratch, arrays)
    assert answer == deduce.FINE
    return space, found


@settings(max_examples=60, deadline=None)
@given(stuck())
def test_the_numbers_of_a_candidate_are_as_likely_as_layouts_say(
    position: tuple[Observation, list[naive.Layout]],
) -> None:
    observation, layouts = position
    space, found = weighed(observation)
    assert found > 0
    for candidate in range(found):
        place = int(space.mind.value[mind.PLACE, candidate])
        row, col = divmod(place, observation.width + 2)
        cell = (row - 1, col - 1)
        near = naive.around(cell, observation.height, observation.width)
        shown = Counter(len(near & layout) for layout in layouts if cell not in layout)
        expected = [shown[number] / len(layouts) for number in range(9)]
        assert space.mind.chance[candidate].tolist() == pytest.approx(expected, abs=1e-9)
        assert 1.0 - space.mind.value[mind.RISK, candidate] == pytest.approx(sum(expected), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(stuck())
def test_threats_cost_what_layouts_say(position: tuple[Observation, list[naive.Layout]]) -> None:
    observation, _ = position
    space, _ = weighed(observation)
    expected: dict[naive.Cell, float] = defaultdict(float)
    seen = set()
    for (one, two), cost in naive.threats(observation.cells.tolist(), observation.mines).items():
        if (two, one) in seen or cost < LEAST:
            continue
        seen.add((one, two))
        height, width = observation.cells.shape
        for cell in naive.all_cells(height, width):
            block = naive.around(cell, height, width) | {cell}
            if cell in one | two or len(block & one) != len(block & two):
                expected[cell] -= math.log(1 - cost) if cost < 1 else -math.inf
    for row, col in naive.all_cells(*observation.cells.shape):
        place = (row + 1) * (observation.width + 2) + col + 1
        if space.view[deduce.MARK, place] == deduce.UNKNOWN:
            # Threats are not counted where the estimate from single cells is far too low, or they are many.
            assert space.mind.threat[place] <= expected[row, col] + 1e-9


@settings(max_examples=60, deadline=None)
@given(stuck())
def test_a_dead_cell_shows_one_number_only(position: tuple[Observation, list[naive.Layout]]) -> None:
    observation, layouts = position
    space, _ = weighed(observation)
    for row, col in naive.all_cells(*observation.cells.shape):
        place = (row + 1) * (observation.width + 2) + col + 1
        if space.view[deduce.MARK, place] == deduce.UNKNOWN and is_dead(space.view, space.tally, place):
            near = naive.around((row, col), observation.height, observation.width)
            assert len({len(near & layout) for layout in layouts if (row, col) not in layout}) <= 1


def test_the_network_is_a_layer_of_rectified_units() -> None:
    weights = network()
    words = np.random.default_rng(1).random(FEATURES)
    units = weights[mind.BIAS] + words @ weights[mind.WEIGHTS : mind.OUTPUT]
    units[:-1] = np.maximum(units[:-1], 0.0)
    total = units @ weights[mind.OUTPUT]
    estimate = leaf.estimate(words, weights, np.empty(mind.NET_COLUMNS))
    assert estimate == pytest.approx(1.0 / (1.0 + math.exp(-total)))
