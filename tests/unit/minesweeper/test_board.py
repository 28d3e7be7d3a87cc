import numpy as np
import pytest

from surefoot.errors import FormatError
from surefoot.minesweeper import Board, Level, Observation


def test_board_text_tells_the_truth_in_two_more_letters() -> None:
    text = "4x2x3\nIHFO\n1HI2"
    board = Board.parse(text)
    assert board.mines.tolist() == [[True, False, True, False], [False, False, True, False]]
    assert board.level == Level(2, 4, 3)
    assert board.cells.tolist() == [[-1, -1, -2, -2], [1, -1, -1, 2]]
    assert str(board) == text


def test_numbers_count_the_eight_cells_around() -> None:
    board = Board.parse("4x3x3\nIHHH\nHHII\nHHHH")
    assert board.numbers().tolist() == [[0, 2, 2, 2], [1, 2, 1, 1], [0, 1, 2, 2]]


def test_a_mine_in_the_middle_of_eight_sees_eight() -> None:
    assert Board(np.ones((3, 3), np.bool_)).numbers()[1, 1] == 8


def test_a_board_shows_what_its_player_sees() -> None:
    board = Board.parse("3x2x1\nIHO\n1HH")
    assert board.observation() == Observation.parse("3x2x1\nHHF\n1HH")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("2x1x1\nIF", "line 1 says 1 mines, but there are 2"),
        ("2x1x0\nIH", "line 1 says 0 mines, but there are 1"),
        ("2x1x1\nI0", "cell 0,1 shows 0, not 1"),
        ("2x1x1\nIX", "line 2, column 2: 'X' is not a cell"),
        ("2x2x1\nIH", "line 1 says 2 rows, but there are 1"),
    ],
)
def test_refusals_name_the_place(text: str, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        Board.parse(text)


def test_a_board_whose_count_is_not_told_is_counted() -> None:
    assert str(Board.parse("2x1x?\nIH")) == "2x1x1\nIH"


def test_an_open_mine_cannot_be() -> None:
    with pytest.raises(FormatError, match="cell 0,1 is open and a mine"):
        Board(np.array([[False, True]]), np.array([[1, 0]], np.int8))


def test_arrays_are_checked() -> None:
    mines = np.zeros((1, 2), np.bool_)
    with pytest.raises(FormatError, match=r"cells of shape \(2, 1\) do not lie on mines of shape \(1, 2\)"):
        Board(mines, np.full((2, 1), -1, np.int8))
    with pytest.raises(FormatError, match="a cell is hidden, flagged or shows 0 to 8"):
        Board(mines, np.full((1, 2), -3, np.int8))
    with pytest.raises(FormatError, match="rows and columns"):
        Board(np.zeros((0, 2), np.bool_))


def test_a_board_does_not_change() -> None:
    board = Board.parse("2x1x1\nIH")
    for array in (board.mines, board.cells):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


def test_equality_is_by_mines_and_by_what_is_open() -> None:
    assert Board.parse("2x1x1\nIH") == Board.parse("2x1x1\nI.")
    assert hash(Board.parse("2x1x1\nIH")) == hash(Board.parse("2x1x1\nI."))
    assert Board.parse("2x1x1\nIH") != Board.parse("2x1x1\nHI")
    assert Board.parse("2x1x1\nIH") != Board.parse("2x1x1\nI1")
    assert Board.parse("2x1x1\nIH") != "2x1x1\nIH"
