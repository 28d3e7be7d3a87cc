"""Perfect play of few layouts, against trying everything."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from surefoot.minesweeper import Board, Observation
from surefoot.minesweeper.kernels import count, deduce, endgame, perfect
from surefoot.minesweeper.kernels.layout import HIDDEN
from surefoot.minesweeper.workspace import new_endgame, workspace
from tests import naive

ARRAYS = new_endgame(layouts=24, nodes=64, cells=12)
PLENTY = 1_000_000


@st.composite
def late(draw: st.DrawFn) -> Observation:
    """A small board on which few cells are still hidden."""
    side = st.integers(1, 5)
    height, width = draw(st.tuples(side, side) | st.tuples(st.integers(1, 2), st.integers(4, 9)))
    cells = height * width
    mines = draw(st.integers(0, min(cells, 5)))
    closed = draw(st.integers(0, min(cells - mines, 8 - mines)))
    order = draw(st.permutations(range(cells)))
    layout = np.zeros(cells, np.bool_)
    layout[order[:mines]] = True
    flat = Board(layout.reshape(height, width)).numbers().ravel().astype(np.int8)
    flat[order[: mines + closed]] = HIDDEN
    return Observation(flat.reshape(height, width), mines if draw(st.booleans()) else None)


class Listed(NamedTuple):
    """A position's layouts as the kernel lists them, or the code it answers."""

    found: int
    cells: list[naive.Cell]
    layouts: list[naive.Layout]


def list_layouts(position: Observation, arrays: endgame.Endgame = ARRAYS) -> Listed:
    space = workspace(*position.cells.shape)
    mines = deduce.NOT_TOLD if position.mines is None else position.mines
    answer = count.weigh(position.cells, mines, 1.0, space.view, space.tally, space.scratch)
    assert answer == deduce.FINE
    found = endgame.list_layouts(space.view, space.tally, space.scratch, arrays)
    if found < 0:
        return Listed(found, [], [])
    stride = position.width + 2
    places = arrays.places[: arrays.sizes[perfect.CELLS]].tolist()
    cells = [(place // stride - 1, place % stride - 1) for place in places]
    proved = {
        (row, col)
        for row, col in naive.all_cells(position.height, position.width)
        if space.view[deduce.MARK, (row + 1) * stride + col + 1] == deduce.MINE
    }
    shown = arrays.shown[: len(cells), :found].T.tolist()
    layouts = [
        frozenset(proved.union(cell for cell, number in zip(cells, row) if number == perfect.MINED))
        for row in shown
    ]
    for layout, row in zip(layouts, shown):
        for cell, number in zip(cells, row):
            near = naive.around(cell, position.height, position.width)
            assert number == (perfect.MINED if cell in layout else len(near & layout))
    return Listed(found, cells, layouts)


@settings(max_examples=400)
@given(late())
def test_perfect_play_is_what_trying_everything_finds(position: Observation) -> None:
    truth = list(naive.consistent_layouts(position.cells.tolist(), position.mines))
    listed = list_layouts(position)
    if len(truth) > ARRAYS.shown.shape[1]:
        assert listed.found == endgame.TOO_MANY_LAYOUTS
        return
    assert listed.found == len(truth)
    assert set(listed.layouts) == set(truth)
    assume(len(truth) <= 16)
    hidden = frozenset(cell for cell in naive.all_cells(*position.cells.shape) if position.cells[cell] < 0)
    worth = naive.perfect(truth, hidden, position.height, position.width)
    code, wins, best = endgame.solve_endgame(ARRAYS, listed.found, PLENTY)
    assert (code, wins) == (deduce.FINE, worth.wins)
    by_cell = np.zeros(len(listed.cells), np.int64)
    assert endgame.rank_cells(ARRAYS, listed.found, PLENTY, by_cell) == deduce.FINE
    assert by_cell.tolist() == [worth.by_cell[cell] for cell in listed.cells]
    if best < 0:
        assert all(cell in layout for cell in listed.cells for layout in truth)
        return
    # Of optimal cells the safest and then the first, leaving out the dead ones unless all are.
    numbers = ARRAYS.shown[: len(listed.cells), : listed.found]
    safe = (numbers != perfect.MINED).sum(axis=1)
    dead = [
        position.mines is not None and count < len(truth) and len({*row.tolist()} - {perfect.MINED}) <= 1
        for row, count in zip(numbers, safe)
    ]
    optimal = [i for i in range(len(safe)) if by_cell[i] == wins and (all(dead) or not dead[i])]
    assert best == min(optimal, key=lambda i: (-safe[i], i))


def test_what_is_too_large_is_told_by_a_code() -> None:
    open_field = Observation.parse("4x3x2\nHHHH\nHHHH\nHHHH")  # 66 layouts of 12 cells
    assert list_layouts(open_field, new_endgame(65, 64, 12)).found == endgame.TOO_MANY_LAYOUTS
    assert list_layouts(open_field, new_endgame(66, 64, 11)).found == endgame.TOO_MANY_CELLS
    arrays = new_endgame(66, 64, 12)
    assert list_layouts(open_field, arrays).found == 66
    assert endgame.solve_endgame(arrays, 66, 3)[0] == endgame.OUT_OF_NODES
    assert endgame.rank_cells(arrays, 66, 3, np.zeros(12, np.int64)) == endgame.OUT_OF_NODES
    assert endgame.solve_endgame(arrays, 66, PLENTY)[0] == deduce.FINE


@pytest.mark.parametrize("mines", [2, 3])
def test_a_crowded_memory_changes_nothing(mines: int) -> None:
    """Sets overwrite each other in a memory of a few words; what they are worth is found again."""
    field = Observation.parse(f"4x4x{mines}\n" + "HHHH\n" * 4)
    answers = set()
    for nodes in (4, 1 << 16):
        arrays = new_endgame(560, nodes, 16)
        answers.add(endgame.solve_endgame(arrays, list_layouts(field, arrays).found, PLENTY))
    assert len(answers) == 1
