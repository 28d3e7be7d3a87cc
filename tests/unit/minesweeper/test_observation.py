import numpy as np
import pytest

from surefoot.errors import FormatError
from surefoot.minesweeper import Observation, preset
from surefoot.minesweeper.kernels.layout import FLAGGED, HIDDEN

TEXT = "3x2x1\n01H\n0FH"


def test_position_text_is_size_and_rows() -> None:
    seen = Observation.parse(TEXT)
    assert (seen.height, seen.width, seen.mines) == (2, 3, 1)
    assert seen.cells.tolist() == [[0, 1, HIDDEN], [0, FLAGGED, HIDDEN]]
    assert str(seen) == TEXT


def test_flags_are_hidden_cells() -> None:
    assert Observation.parse(TEXT).hidden.tolist() == [[False, False, True], [False, True, True]]


@pytest.mark.parametrize("text", ["3x2x1\n01.\n0F.", "3x2x1\n0 1 H\n0 F H", "\n3x2x1\r\n 0 1 .\r\n0FH \n\n"])
def test_dots_spaces_and_other_line_ends_are_accepted(text: str) -> None:
    assert Observation.parse(text) == Observation.parse(TEXT)


def test_unknown_mine_count_is_a_question_mark() -> None:
    seen = Observation.parse("1x1x?\nH")
    assert seen.mines is None
    assert str(seen) == "1x1x?\nH"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "line 1: '' is not WxHxM"),
        ("3x2\n01H\n0FH", "line 1: '3x2' is not WxHxM"),
        ("3x2x7\n01H\n0FH", "line 1: 7 mines do not fit on 6 cells"),
        ("0x2x0\n\n", "line 1: a board is 1x1 to 2000x2000, not 0x2"),
        ("3x2x1\n01H", "line 1 says 2 rows, but there are 1"),
        ("3x2x1\n01H\n0F", "line 3: 2 cells, not 3"),
        ("3x2x1\n01H\n0F9", "line 3, column 3: '9' is not a cell"),
        ("3x2x1\n01I\n0FH", r"line 2, column 3: 'I' is not a cell \(I and O tell"),
        ("3x2x1\n01H\n0OH", r"line 3, column 2: 'O' is not a cell \(I and O tell"),
    ],
)
def test_refusals_name_the_place(text: str, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        Observation.parse(text)


def test_arrays_are_checked_before_they_are_narrowed() -> None:
    for cells in ([[9]], [[-3]], [[256]], [[-254]]):
        with pytest.raises(FormatError, match="a cell is hidden, flagged or shows 0 to 8"):
            Observation(np.array(cells), None)
    with pytest.raises(FormatError, match="rows and columns"):
        Observation(np.zeros(3, np.int8), None)
    with pytest.raises(FormatError, match="5 mines do not fit on 4 cells"):
        Observation(np.zeros((2, 2), np.int8), 5)


def test_an_observation_does_not_change_with_the_array_it_was_made_of() -> None:
    cells = np.full((2, 2), HIDDEN, np.int8)
    seen = Observation(cells, 1)
    cells[0, 0] = 3
    assert seen.cells[0, 0] == HIDDEN
    with pytest.raises(ValueError, match="read-only"):
        seen.cells[0, 0] = 3


def test_equality_is_by_what_is_seen_and_known() -> None:
    seen = Observation.parse(TEXT)
    assert seen == Observation.parse(TEXT, preset("minai-easy").rules)
    assert hash(seen) == hash(Observation.parse(TEXT))
    assert seen != Observation.parse(TEXT.replace("x1", "x2", 1))
    assert seen != Observation.parse(TEXT.replace("F", "H"))
    assert seen != TEXT


@pytest.mark.parametrize(
    ("cell", "around"),
    [((0, 0), [(0, 1), (1, 0), (1, 1)]), ((1, 1), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2)])],
)
def test_neighbours_stop_at_the_edge(cell: tuple[int, int], around: list[tuple[int, int]]) -> None:
    assert Observation.parse(TEXT).neighbours(cell) == around
