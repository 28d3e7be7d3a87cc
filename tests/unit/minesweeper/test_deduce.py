"""What is known of a board is the same however it was learned, and is what a plain count finds."""

import numpy as np
import pytest

from surefoot.minesweeper import Game, Level, Rules, uncover
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.kernels import deduce
from surefoot.minesweeper.workspace import new_knowledge

LEVELS = [Level(1, 9, 2), Level(9, 1, 2), Level(2, 7, 3), Level(8, 9, 12), Level(16, 30, 99)]


def some_position(level: Level, number: int) -> Game:
    """A game after a few cells, drawn by lot, were opened."""
    lots = np.random.default_rng(number)
    game = Game(level, Rules(first_click="safe"), rng=game_rng(20261130, number))
    for cell in lots.permutation(level.cells)[: 1 + level.cells // 12]:
        if not game.over:
            game.play(uncover(divmod(int(cell), level.width)))
    return game


@pytest.mark.parametrize("level", LEVELS, ids=str)
@pytest.mark.parametrize("number", range(12))
def test_reading_a_board_and_seeing_its_cells_one_by_one_tell_the_same(level: Level, number: int) -> None:
    cells = some_position(level, number).observation().cells
    (read, read_tally), (seen, seen_tally) = (new_knowledge(level.height, level.width) for _ in range(2))
    queue = np.zeros(read.shape[1], np.int32)
    deduce.read_board(cells, level.mines, read, read_tally, queue)
    # Nothing is proved of what is opened, so that the order does not matter.
    deduce.reset(seen, seen_tally, level.height, level.width, level.mines)
    for row, col in np.random.default_rng(number).permutation(np.argwhere(cells >= 0)):
        place = (row + 1) * (level.width + 2) + col + 1
        deduce.see(seen, seen_tally, queue, place, cells[row, col])
    shape = level.height + 2, level.width + 2
    one, other = (view[:, : shape[0] * shape[1]].reshape(-1, *shape)[:, 1:-1, 1:-1] for view in (read, seen))
    np.testing.assert_array_equal(one, other)
    assert read_tally[deduce.UNKNOWNS] == seen_tally[deduce.UNKNOWNS] == (cells < 0).sum()


@pytest.mark.parametrize("level", LEVELS, ids=str)
@pytest.mark.parametrize("number", range(12))
def test_needs_and_free_neighbours_are_what_a_plain_count_finds(level: Level, number: int) -> None:
    cells = some_position(level, number).observation().cells
    view, tally = new_knowledge(level.height, level.width)
    queue = np.zeros(view.shape[1], np.int32)
    deduce.read_board(cells, level.mines, view, tally, queue)
    deduce.propagate(view, tally, queue)
    shape = level.height + 2, level.width + 2
    marks, needs, free = view[:, : shape[0] * shape[1]].reshape(-1, *shape)
    for row, col in np.argwhere(cells >= 0) + 1:
        around = marks[row - 1 : row + 2, col - 1 : col + 2]
        assert free[row, col] == (around == deduce.UNKNOWN).sum()
        assert needs[row, col] == cells[row - 1, col - 1] - (around == deduce.MINE).sum()
    assert not ((free > 0) & (marks != deduce.OPENED)).any()
