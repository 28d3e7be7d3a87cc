"""Document B's four features, on maps small enough for pencil and paper.

The duel map is Moor-Fen, Moor-Heath, Fen-Heath, Fen-Dale, Heath-Weald, Dale-Weald, Dale-Wold, Weald-Wold.
"""

import numpy as np
import pytest

from surefoot.risk.features import NOTHING, Features, exposures, features, strengths
from surefoot.risk.kernels import layout
from tests.risk_positions import ARMIES, DUEL, RAPIDS, WEST_AND_EAST

HIDDEN, NOBODY = layout.HIDDEN, layout.NOBODY

CLOSE = 2.0**-27
"""The features are whole numbers of 2^-30, and lose at most one at each of a handful of steps."""


def near(found: Features, *expected: float) -> bool:
    return np.allclose(found, expected, rtol=0, atol=CLOSE)


def test_all_four_of_both_sides() -> None:
    """West: Fen 2 against Dale's 4, Heath 1 against Weald's 3, Moor has no enemies.

    Exposed are none of Moor's two neighbours, one of Fen's three and one of Heath's three. In the east it is
    the same the other way round, with Wold behind.
    """
    west = features(DUEL, WEST_AND_EAST, ARMIES, 0)
    assert west._fields == ("land", "armies", "strength", "safety")
    strength = (1 + 2 / (2 + 4) + 1 / (1 + 3)) / 3
    assert near(west, 3 / 6, 6 / 15, strength, 1 - (0 / 2 + 1 / 3 + 1 / 3) / 3)
    east = features(DUEL, WEST_AND_EAST, ARMIES, 1)
    strength = (4 / (4 + 2) + 3 / (3 + 1) + 1) / 3
    assert near(east, 3 / 6, 9 / 15, strength, 1 - (1 / 3 + 1 / 3 + 0 / 2) / 3)


def test_strength_is_the_mean_over_enemy_neighbours_first() -> None:
    # Dale, 4, between Fen's 4 and Weald's 12, and its own Wold's 6, which has Weald's 12 beside it.
    owners, armies = [1, 1, 1, 0, 2, 0], [1, 4, 1, 4, 12, 6]
    dale, wold = (4 / 8 + 4 / 16) / 2, 6 / 18
    found = strengths(DUEL, owners, armies, 0)
    assert np.allclose(found, [0, 0, 0, dale, 0, wold], rtol=0, atol=CLOSE)
    # Not by its number of enemies: the mean over territories weighs both alike.
    assert abs(features(DUEL, owners, armies, 0).strength - (dale + wold) / 2) < CLOSE


def test_exposure_is_the_share_of_neighbours_that_are_enemies() -> None:
    owners = [1, 1, 1, 0, 2, 0]
    # Of Dale's three neighbours two, of Wold's two one.
    assert exposures(DUEL, owners, ARMIES, 0).tolist() == [0, 0, 0, 2 / 3, 0, 1 / 2]
    assert abs(features(DUEL, owners, ARMIES, 0).safety - (1 - (2 / 3 + 1 / 2) / 2)) < CLOSE


def test_who_owns_everything_has_one_in_all_of_them() -> None:
    assert features(DUEL, [0] * 6, ARMIES, 0) == (1, 1, 1, 1)
    assert strengths(DUEL, [0] * 6, ARMIES, 0).tolist() == [1] * 6
    assert exposures(DUEL, [0] * 6, ARMIES, 0).tolist() == [0] * 6


def test_a_side_that_is_wiped_out_has_nothing() -> None:
    assert features(DUEL, WEST_AND_EAST, ARMIES, 2) == NOTHING
    assert not any(NOTHING)
    assert strengths(DUEL, WEST_AND_EAST, ARMIES, 2).tolist() == [0] * 6
    assert exposures(DUEL, WEST_AND_EAST, ARMIES, 2).tolist() == [0] * 6


def test_neighbours_are_those_who_can_attack() -> None:
    """Hill leads down to Mill, but Mill does not lead up to Hill."""
    owners, armies = [1, 0, 1], [6, 3, 2]
    # Hill can be attacked from Ford alone, Mill from Hill and Ford.
    assert exposures(RAPIDS, owners, armies, 1).tolist() == [1 / 1, 0, 1 / 2]
    assert np.allclose(strengths(RAPIDS, owners, armies, 1), [6 / 9, 0, 2 / 5], rtol=0, atol=CLOSE)
    other = [0, 0, 1]
    assert exposures(RAPIDS, other, armies, 0).tolist() == [0, 1 / 2, 0]
    assert strengths(RAPIDS, other, armies, 0)[0] == 1


def test_what_fog_hides_and_what_nobody_owns_is_no_enemy() -> None:
    """It is a neighbour and a territory all the same; armies on it are none that one knows of."""
    owners, armies = [1, 0, HIDDEN, NOBODY, HIDDEN, HIDDEN], [6, 2, 0, 0, 0, 0]
    expected = (1 / 6, 2 / 8, 2 / (2 + 6), 1 - 1 / 3)
    assert near(features(DUEL, owners, armies, 0), *expected)
    assert near(features(DUEL, owners, [6, 2, 50, 50, 50, 50], 0), *expected)


def test_the_largest_armies_do_not_overflow() -> None:
    most = layout.MAX_ARMIES
    found = features(DUEL, WEST_AND_EAST, [most, most, 1, 1, most, most], 0)
    strength = (1 + most / (most + 1) + 1 / (1 + most)) / 3
    assert near(found, 1 / 2, 1 / 2, strength, 7 / 9)


@pytest.mark.parametrize(
    ("owners", "armies", "seat", "words"),
    [
        ([0, 1], ARMIES, 0, r"owners has shape \(2,\), but duel has 6 territories"),
        (WEST_AND_EAST, [1, 1, 1, 1, 0, 1], 0, "weald is owned: 1 to 1000000 armies are there, not 0"),
        (WEST_AND_EAST, ARMIES, 7, "there is no seat 7"),
    ],
)
def test_what_is_no_position_is_refused(owners: list[int], armies: list[int], seat: int, words: str) -> None:
    for function in (strengths, exposures, features):
        with pytest.raises(ValueError, match=words):
            function(DUEL, owners, armies, seat)
