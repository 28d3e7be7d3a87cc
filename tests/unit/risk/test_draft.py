"""Document B's draft heuristic, on maps small enough for pencil and paper.

The duel map is Moor-Fen, Moor-Heath, Fen-Heath, Fen-Dale, Heath-Weald, Dale-Weald, Dale-Wold, Weald-Wold. A
grid is numbered row by row, and neighbours stand side by side or one above the other.
"""

import numpy as np
import pytest

from surefoot.risk import load
from surefoot.risk.draft import draft, normalised, ratios, threats
from surefoot.risk.kernels import layout
from tests.risk_positions import ARMIES, DALE, DUEL, FEN, RAPIDS, WEST_AND_EAST

HIDDEN, NOBODY = layout.HIDDEN, layout.NOBODY


# --- the numbers ------------------------------------------------------------------------------------------


def test_bst_adds_up_the_enemies_around_a_territory() -> None:
    # Fen: Dale's 4. Heath: Weald's 3. Moor lies behind them.
    assert threats(DUEL, WEST_AND_EAST, ARMIES, 0).tolist() == [0, 4, 3, 0, 0, 0]
    # Dale: Fen's 2. Weald: Heath's 1.
    assert threats(DUEL, WEST_AND_EAST, ARMIES, 1).tolist() == [0, 0, 0, 2, 1, 0]


def test_enemies_of_all_seats_count() -> None:
    # Dale (seat 0) between Fen's 2 (seat 1), Weald's 3 (seat 2) and Wold's 5 (its own).
    assert threats(DUEL, [1, 1, 1, 0, 2, 0], [1, 2, 1, 4, 3, 5], 0)[DALE] == 2 + 3


def test_bsr_is_the_threat_for_each_own_army() -> None:
    assert ratios(DUEL, WEST_AND_EAST, ARMIES, 0).tolist() == [0, 4 / 2, 3 / 1, 0, 0, 0]
    assert np.allclose(
        ratios(DUEL, WEST_AND_EAST, ARMIES, 1), [0, 0, 0, 2 / 4, 1 / 3, 0], rtol=0, atol=2**-30
    )


def test_nbsr_leaves_out_the_lower_half_and_divides_by_the_rest() -> None:
    # Three territories: one is half of them, rounded down. Moor's 0 goes; 2 + 3 remain.
    assert normalised(DUEL, WEST_AND_EAST, ARMIES, 0).tolist() == [0, 2 / 5, 3 / 5, 0, 0, 0]


def test_the_units_go_in_proportion() -> None:
    assert draft(DUEL, WEST_AND_EAST, ARMIES, 0, 5).tolist() == [0, 2, 3, 0, 0, 0]
    assert draft(DUEL, WEST_AND_EAST, ARMIES, 0, 50).tolist() == [0, 20, 30, 0, 0, 0]
    assert draft(DUEL, WEST_AND_EAST, ARMIES, 0, 0).tolist() == [0] * 6


# --- rounding and ties ------------------------------------------------------------------------------------


def test_of_an_even_number_exactly_half_is_left_out() -> None:
    # The upper rows of a grid 2x3 are seat 0's; below stand 6 and 2. Ratios 0, 0, 6 / 2, 2 / 1.
    owners, armies = [0, 0, 0, 0, 1, 1], [1, 1, 2, 1, 6, 2]
    assert normalised(load("grid-2x3"), owners, armies, 0).tolist() == [0, 0, 3 / 5, 2 / 5, 0, 0]


@pytest.mark.parametrize(("own", "kept"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4)])
def test_half_is_rounded_down(own: int, kept: int) -> None:
    # Each of the own territories in the upper row has one enemy below; the others there are nobody's.
    owners = [0] * own + [NOBODY] * (7 - own) + [1] * own + [NOBODY] * (7 - own)
    assert np.count_nonzero(normalised(load("grid-7x2"), owners, [1] * 14, 0)) == kept


def test_among_equal_ratios_the_higher_number_is_left_out() -> None:
    # 2 / 1 three times over: the third goes.
    owners, armies = [0, 0, 0, 1, 1, 1], [1, 1, 1, 2, 2, 2]
    assert normalised(load("grid-3x2"), owners, armies, 0).tolist() == [1 / 2, 1 / 2, 0, 0, 0, 0]
    # Equal as quotients: 3 / 3 and 1 / 1 before the 1 / 2 between them.
    armies = [3, 2, 1, 3, 1, 1]
    assert normalised(load("grid-3x2"), owners, armies, 0).tolist() == [1 / 2, 0, 1 / 2, 0, 0, 0]


def test_what_is_left_over_goes_to_the_largest_remainders() -> None:
    # Ratios 1, 2, 4, 1/2, 1/2, of which three count: sevenths. Of 10 units: 1 3/7, 2 6/7, 5 5/7. Rounded down
    # they are 8; the ninth goes to 6/7, the tenth to 5/7.
    owners, armies = [0] * 5 + [1] * 5, [1, 1, 1, 2, 2, 1, 2, 4, 1, 1]
    placed = draft(load("grid-5x2"), owners, armies, 0, 10)
    assert placed.tolist() == [1, 3, 6, 0, 0, 0, 0, 0, 0, 0]


def test_of_equal_remainders_the_lower_number_gets_the_unit() -> None:
    # Halves of 3 units: 1 1/2 each.
    owners, armies = [0, 0, 0, 1, 1, 1], [1, 1, 1, 2, 2, 2]
    assert draft(load("grid-3x2"), owners, armies, 0, 3).tolist() == [2, 1, 0, 0, 0, 0]
    # Ratios 1 and 3, the larger at the higher number: of 2 units 1/2 and 1 1/2. The remainders are equal.
    assert draft(load("grid-3x2"), owners, [1, 9, 1, 1, 1, 3], 0, 2).tolist() == [1, 0, 1, 0, 0, 0]


def test_a_single_unit_goes_to_the_largest_ratio() -> None:
    assert draft(DUEL, WEST_AND_EAST, ARMIES, 0, 1).tolist() == [0, 0, 1, 0, 0, 0]


# --- special cases ----------------------------------------------------------------------------------------


def test_when_nobody_is_threatened_all_ratios_are_equal() -> None:
    # Six territories, of which the last three lose the tie: thirds. Of 7 units 2 1/3 each, the odd one first.
    owners, armies = [0] * 6, [1, 2, 3, 4, 5, 6]
    assert threats(DUEL, owners, armies, 0).tolist() == [0] * 6
    assert normalised(DUEL, owners, armies, 0).tolist() == [1 / 3, 1 / 3, 1 / 3, 0, 0, 0]
    assert draft(DUEL, owners, armies, 0, 7).tolist() == [3, 2, 2, 0, 0, 0]


def test_a_side_that_is_wiped_out_has_nothing() -> None:
    for numbers in (
        threats(DUEL, WEST_AND_EAST, ARMIES, 2),
        ratios(DUEL, WEST_AND_EAST, ARMIES, 2),
        normalised(DUEL, WEST_AND_EAST, ARMIES, 2),
        draft(DUEL, WEST_AND_EAST, ARMIES, 2, 9),
    ):
        assert numbers.tolist() == [0] * 6


def test_a_border_that_leads_away_is_no_threat() -> None:
    # Hill (seat 1, 6 armies) can attack Ford and Mill; of those only Ford can attack Hill.
    owners, armies = [1, 0, 0], [6, 3, 2]
    assert threats(RAPIDS, owners, armies, 0).tolist() == [0, 6, 6]
    assert threats(RAPIDS, owners, armies, 1).tolist() == [3, 0, 0]


def test_what_fog_hides_and_what_nobody_owns_is_no_enemy() -> None:
    # Fen's neighbours: Moor, Heath and Dale.
    assert threats(DUEL, [1, 0, HIDDEN, HIDDEN, 1, 1], [5, 2, 0, 0, 1, 1], 0)[FEN] == 5
    assert threats(DUEL, [1, 0, HIDDEN, NOBODY, 1, 1], [5, 2, 99, 99, 1, 1], 0)[FEN] == 5


def test_full_territories_are_left_out_and_what_finds_no_room_is_lost() -> None:
    grid, owners, armies = load("grid-3x2"), [0, 0, 0, 1, 1, 1], [3, 1, 1, 9, 2, 1]
    # Ratios 9 / 3, 2 and 1: without a limit the first two, 3 / 5 and 2 / 5 of 5 units.
    assert draft(grid, owners, armies, 0, 5).tolist() == [3, 2, 0, 0, 0, 0]
    # With a limit of 3 the first is full; half of the other two is left out, and one takes what it can hold.
    assert draft(grid, owners, armies, 0, 5, 3).tolist() == [0, 2, 0, 0, 0, 0]
    assert draft(grid, owners, armies, 0, 1, 3).tolist() == [0, 1, 0, 0, 0, 0]
    assert draft(grid, owners, [3, 3, 3, 9, 2, 1], 0, 5, 3).tolist() == [0] * 6


def test_large_numbers_do_not_overflow() -> None:
    most = layout.MAX_ARMIES
    # Fen: 10^6 to 1, Heath: 1 to 10^6; with Moor's 0 left out all goes to Fen but a millionth of a millionth.
    placed = draft(DUEL, WEST_AND_EAST, [1, 1, most, most, 1, 1], 0, most - 1, most)
    assert placed.tolist() == [0, most - 1, 0, 0, 0, 0]


# --- errors -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("owners", "armies", "seat", "words"),
    [
        ([0, 1], ARMIES, 0, r"owners has shape \(2,\), but duel has 6 territories"),
        (WEST_AND_EAST, [[1] * 6], 0, r"armies has shape \(1, 6\), but duel has 6 territories"),
        (WEST_AND_EAST, [1.5] * 6, 0, "armies are whole numbers, not float64"),
        (WEST_AND_EAST, [1, 1, 1, 1, 0, 1], 0, "weald is owned: 1 to 1000000 armies are there, not 0"),
        (WEST_AND_EAST, [1, 1, 1, 1, 1, 10**6 + 1], 0, "wold is owned: .* not 1000001"),
        ([0, 0, 0, 1, 1, 7], ARMIES, 0, "wold is owned by 7, which is no seat"),
        ([0, -2, 0, 1, 1, 1], ARMIES, 0, "fen is owned by -2, which is no seat"),
        (WEST_AND_EAST, ARMIES, 7, "there is no seat 7: they are 0 to 6"),
        (WEST_AND_EAST, ARMIES, -1, "there is no seat -1"),
    ],
)
def test_what_is_no_position_is_refused(owners: list[int], armies: list[int], seat: int, words: str) -> None:
    for function in (threats, ratios, normalised):
        with pytest.raises(ValueError, match=words):
            function(DUEL, owners, armies, seat)
    with pytest.raises(ValueError, match=words):
        draft(DUEL, owners, armies, seat, 3)


@pytest.mark.parametrize("units", [-1, layout.MAX_ARMIES + 1])
def test_units_that_no_turn_brings_are_refused(units: int) -> None:
    with pytest.raises(ValueError, match=f"units are 0 to 1000000, not {units}"):
        draft(DUEL, WEST_AND_EAST, ARMIES, 0, units)
