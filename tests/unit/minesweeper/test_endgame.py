"""Positions and boards solved: what perfect play wins, and what is too large to say."""

import numpy as np
import pytest

from surefoot.errors import Contradiction, RulesError, TooComplex
from surefoot.minesweeper import Level, Observation
from surefoot.minesweeper.endgame import Limits, solve_endgame
from surefoot.minesweeper.optimum import first_cells, optimum
from surefoot.minesweeper.rules import CS50, FirstClick

# Section 5 of the facts: a safe first click, and an opening.
OPTIMA = {
    "4x4x2": (0.971429, 1),
    "4x4x3": (0.879121, 1),
    "4x4x4": (0.704029, 0.971429),
    "4x4x5": (0.486513, 0.952381),
    "4x4x6": (0.316484, 1),
    "5x5x3": (0.888340, 0.914286),
}


# Some layouts are alike in every cell that may tell. It is searched twice: for its worth, then for a cell.
ALIKE = """
30x16x99
H11HH101112H2002H200001H2H11H1
11122112H12H3102H31100112H1111
1100001H3323H10113H31000111111
H1000012H2H2221003HH22222H11H1
1100000112111H1002H4H3HH4H2122
0111000000001110011213HHHH201H
01H21111111000000000134HHH4221
024H21H22H22110111001HH33HHH31
01HH424H43H2H212H3211344H4HHHH
014H4H4HH42434H22HH311HH3HHHHH
002H32H5H4H3HH2114HH12344HHHHH
0022223H3H3H321113H421H2HHH4HH
112H21H221211012H22H1223233H32
H23H21221001111H211111H210112H
2H21101H2222H2332000013H200022
111000112HH212HH1000002H20001H"""


def test_the_best_cell_is_worth_what_the_position_is() -> None:
    solved = solve_endgame(Observation.parse(ALIKE))
    assert (solved.layouts, solved.wins) == (372, 110)
    assert solved.best is not None
    assert solved.wins_by_cell[solved.best] == solved.wins_by_cell.max() == 110


@pytest.mark.parametrize("board", OPTIMA)
def test_the_optimum_of_small_boards_is_known(board: str) -> None:
    clicks: tuple[FirstClick, ...] = ("safe", "opening")
    found = [round(optimum(Level.parse(board), click).value, 6) for click in clicks]
    assert found == list(OPTIMA[board])


def test_every_first_cell_has_its_worth() -> None:
    found = optimum(Level(4, 4, 4), "safe")
    assert found.values[0, 0] == pytest.approx(0.695238, abs=5e-7)
    assert found.best == [(0, 1), (0, 2), (1, 0), (1, 3), (2, 0), (2, 3), (3, 1), (3, 2)]
    assert (found.layouts == 1365).all()
    assert np.array_equal(found.wins, found.wins.T)


def test_a_first_click_that_promises_nothing_may_be_a_mine() -> None:
    safe, any_ = optimum(Level(2, 3, 1), "safe"), optimum(Level(2, 3, 1), "any")
    assert (safe.layouts == 5).all() and (any_.layouts == 6).all()
    assert np.array_equal(safe.wins, any_.wins)


def test_cells_that_are_alike_are_solved_once() -> None:
    assert [len(cells) for cells in first_cells(Level(4, 4, 3))] == [4, 8, 4]
    assert [len(cells) for cells in first_cells(Level(2, 3, 1))] == [4, 2]
    told: list[None] = []
    optimum(Level(4, 4, 1), "safe", on_cell=lambda: told.append(None))
    assert len(told) == 3


def test_boards_that_are_won_at_the_start() -> None:
    for level, click in ((Level(2, 2, 0), "opening"), (Level(2, 2, 4), "any"), (Level(2, 1, 1), "safe")):
        assert optimum(level, click).value == 1  # type: ignore[arg-type]


def test_a_position_is_solved_with_the_worth_of_every_cell() -> None:
    fair = solve_endgame(Observation.parse("3x1x1\nH1H"))
    assert (fair.layouts, fair.wins, fair.value, fair.best) == (2, 1, 0.5, (0, 0))
    # The last cell is safe, and its number tells where the mine is.
    told = solve_endgame(Observation.parse("4x1x1\nH1HH"))
    assert (told.layouts, told.wins, told.value, told.best) == (2, 2, 1.0, (0, 3))
    assert told.wins_by_cell.tolist() == [[1, -1, 1, 2]]
    assert np.isnan(told.values[0, 1])
    done = solve_endgame(Observation.parse("2x1x1\n1H"))
    assert (done.value, done.best) == (1, None)


def test_flags_mean_nothing() -> None:
    plain = solve_endgame(Observation.parse("4x3x3\nHHHH\nH2HH\nHHHH"))
    flagged = solve_endgame(Observation.parse("4x3x3\nHHFH\nF2HH\nHHHF"))
    assert np.array_equal(plain.wins_by_cell, flagged.wins_by_cell)


FIELD = Observation.parse("5x4x4\n" + "HHHHH\n" * 4)


def test_what_is_too_large_is_named() -> None:
    with pytest.raises(TooComplex, match=r"4,845 layouts agree with this position, .* up to 4,844"):
        solve_endgame(FIELD, Limits(layouts=4844))
    with pytest.raises(TooComplex, match="these 4,845 layouts takes a search of more than 1,000 sets"):
        solve_endgame(FIELD, Limits(layouts=4845, sets=1000))
    with pytest.raises(TooComplex, match=r"10\^\d+\.\d layouts"):
        solve_endgame(Observation.parse("30x16x99\n" + "H" * 30 + ("\n" + "H" * 30) * 15))
    with pytest.raises(TooComplex, match=r"600 cells are unknown, .* up to 512"):
        solve_endgame(Observation.parse("600x1x1\n" + "H" * 600))
    with pytest.raises(TooComplex, match=r"3 mines lie in 15 cells in 455 ways, .* up to 454"):
        optimum(Level(4, 4, 3), "safe", Limits(layouts=454))
    for limits in ((0, 1), (1 << 16, 1), (1, 0)):
        with pytest.raises(ValueError, match="the limit of"):
            Limits(*limits)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(Contradiction, match="0,1"):
        solve_endgame(Observation.parse("3x1x1\nH3H"))
    with pytest.raises(RulesError, match="not by flags"):
        solve_endgame(Observation(np.full((2, 2), -1, np.int8), None, CS50))
    with pytest.raises(RulesError, match="leaves room for 7 mines"):
        optimum(Level(4, 4, 8), "opening")
