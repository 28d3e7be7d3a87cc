"""3BV and openings against the definition, followed step by step on sets of cells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from surefoot.errors import FormatError
from surefoot.minesweeper import Board, Game, Level, Rules, uncover
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.metrics import bbbv, openings, solved_bbbv
from tests import naive

Mines = NDArray[np.bool_]

boards = st.tuples(st.integers(1, 7), st.integers(1, 7), st.integers(0, 2**49 - 1), st.integers(0, 2**49 - 1))


def lay(height: int, width: int, one: int, other: int) -> Mines:
    """A board with about a quarter of mines."""
    bits = [one & other & 1 << cell > 0 for cell in range(height * width)]
    return np.array(bits, np.bool_).reshape(height, width)


def clicks(mines: Mines) -> tuple[int, int]:
    """Openings and 3BV as one counts them by hand: open what floods, then the numbers that are left."""
    height, width = mines.shape
    laid = {(int(row), int(col)) for row, col in np.argwhere(mines)}
    left = set(naive.all_cells(height, width)) - laid
    zeros = {cell for cell in left if not naive.around(cell, height, width) & laid}
    floods = 0
    while zeros & left:
        floods += 1
        spreading = {min(zeros & left)}
        while spreading:
            cell = spreading.pop()
            left.discard(cell)
            if cell in zeros:
                spreading |= naive.around(cell, height, width) & left
    return floods, floods + len(left)


@given(boards)
def test_metrics_are_those_of_the_definition(board: tuple[int, int, int, int]) -> None:
    mines = lay(*board)
    assert (openings(mines), bbbv(mines)) == clicks(mines)


@pytest.mark.parametrize(
    ("text", "zeros", "work"),
    [
        ("3x3x0\nHHH\nHHH\nHHH", 1, 1),
        ("3x3x9\nIII\nIII\nIII", 0, 0),
        ("3x3x1\nHHH\nHIH\nHHH", 0, 8),
        ("5x1x1\nHHIHH", 2, 2),
        ("4x4x1\nIHHH\nHHHH\nHHHH\nHHHH", 1, 1),
        ("7x3x3\nHHHIHHH\nHHHIHHH\nHHHIHHH", 2, 2),
        ("4x2x2\nHIIH\nHHHH", 0, 6),
        # Two openings that touch by a corner are one.
        ("5x5x2\nHHHHI\nHHHHH\nHHHHH\nHHHHH\nIHHHH", 1, 1),
    ],
)
def test_small_boards(text: str, zeros: int, work: int) -> None:
    mines = Board.parse(text).mines
    assert (openings(mines), bbbv(mines)) == (zeros, work)


@given(boards, st.integers(0, 2**49 - 1))
def test_what_is_done_and_what_is_to_do_make_up_the_whole(
    board: tuple[int, int, int, int], opened: int
) -> None:
    """What is left to do is counted as by hand: the openings and numbers that still want a click."""
    mines = lay(*board)
    height, width = mines.shape
    numbers = Board(mines).numbers()
    shown = np.array([opened >> cell & 1 for cell in range(mines.size)], np.bool_).reshape(mines.shape)
    cells = np.where(shown & ~mines, numbers, np.int8(-1))
    zero = (numbers == 0) & ~mines
    todo = 0
    seen: set[naive.Cell] = set()
    for cell in naive.all_cells(height, width):
        if zero[cell] and cell not in seen:
            area, spreading = set[naive.Cell](), {cell}
            while spreading:
                now = spreading.pop()
                area.add(now)
                spreading |= {near for near in naive.around(now, height, width) if zero[near]} - area
            seen |= area
            todo += any(cells[each] < 0 for each in area)
        elif not mines[cell] and not zero[cell]:
            lone = not any(zero[near] for near in naive.around(cell, height, width))
            todo += lone and cells[cell] < 0
    assert solved_bbbv(mines, cells) == bbbv(mines) - todo


def test_each_click_of_a_game_does_at_most_one_and_a_win_does_all() -> None:
    game = Game(Level(9, 9, 10), Rules(first_click="opening"), rng=np.random.default_rng(2))
    agent, done = ExactAgent(), 0
    game.play(uncover((4, 4)))
    while True:
        now = solved_bbbv(game.board.mines, game.board.cells)
        assert now - done in (0, 1)
        done = now
        if game.over:
            break
        game.play(agent.act(game.observation()))
    assert done == bbbv(game.board.mines) > 5


def test_what_is_no_board_is_refused() -> None:
    mines = np.array([[True, False]])
    with pytest.raises(FormatError, match="rows and columns"):
        bbbv(np.zeros(4, np.bool_))
    with pytest.raises(FormatError, match="do not lie on"):
        solved_bbbv(mines, np.zeros((2, 2), np.int8))
    with pytest.raises(FormatError, match="cell 0,1 shows 0, not 1"):
        solved_bbbv(mines, np.array([[-1, 0]], np.int8))
