from fractions import Fraction

import numpy as np
import pytest

from surefoot.errors import RulesError, TooComplex
from surefoot.risk.battle import (
    MAX_ARMIES,
    armies_needed,
    battle,
    campaign,
    exact_battle,
    exact_campaign,
    win_table,
)
from surefoot.risk.dice import COIN, FACES, MAX_DICE, STANDARD, Dice, roll_outcomes, roll_table
from surefoot.risk.kernels import odds

# --- one roll ---------------------------------------------------------------------------------------------

PUBLISHED = {  # by dice of the attacker and the defender: the weights of losing none, one, ...
    (1, 1): (15, 21),
    (1, 2): (55, 161),
    (2, 1): (125, 91),
    (2, 2): (295, 420, 581),
    (3, 1): (855, 441),
    (3, 2): (2890, 2611, 2275),
    (1, 3): (225, 1071),
    (2, 3): (979, 1981, 4816),
    (3, 3): (6420, 10017, 12348, 17871),
}


@pytest.mark.parametrize("dice", PUBLISHED)
def test_a_rolls_outcomes_are_the_published_ones(dice: tuple[int, int]) -> None:
    assert roll_outcomes(*dice) == tuple(enumerate(PUBLISHED[dice]))
    assert sum(PUBLISHED[dice]) == FACES ** sum(dice)


def test_the_table_holds_the_same_weights_and_nothing_else() -> None:
    table = roll_table()
    assert table.shape == (MAX_DICE + 1,) * 3
    assert table.dtype == np.int64
    for dice, weights in PUBLISHED.items():
        assert table[dice].tolist() == [*weights, 0, 0, 0][:4]
    assert table.sum() == sum(FACES ** sum(dice) for dice in PUBLISHED)


def test_a_coin_is_fair_and_stakes_one_army() -> None:
    assert roll_outcomes(1, 1, "coin") == ((0, 1), (1, 1))
    table = roll_table("coin")
    assert table[1, 1].tolist() == [1, 1, 0, 0]
    assert table.sum() == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 2), "the attacker rolls 1 to 3 dice, not 0"),
        ((4, 2), "the attacker rolls 1 to 3 dice, not 4"),
        ((3, 0), "the defender rolls 1 to 3 dice, not 0"),
        ((3, 4), "the defender rolls 1 to 3 dice, not 4"),
        ((1, 2, "coin"), "the defender rolls one coin, not 2"),
        ((1, 1, "cards"), "battles are by dice or coin, not 'cards'"),
    ],
)
def test_dice_that_no_one_rolls_are_refused(arguments: tuple[int, int], words: str) -> None:
    with pytest.raises(RulesError) as caught:
        Dice(*arguments)
    assert str(caught.value) == words
    with pytest.raises(RulesError):
        roll_outcomes(*arguments)


def whole(*numbers: int) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, numbers))


# --- a battle ---------------------------------------------------------------------------------------------

EXACT = {
    (1, 1): Fraction(5, 12),
    (1, 2): Fraction(275, 2592),
    (2, 1): Fraction(1955, 2592),
    (2, 2): Fraction(235, 648),
    (3, 1): Fraction(342035, 373248),
    (3, 2): Fraction(6610505, 10077696),
    (3, 3): Fraction(511817135, 1088391168),
    (4, 1): Fraction(52218275, 53747712),
}
DECIMAL = {
    (5, 5): 0.5062,
    (8, 5): 0.8184,
    (10, 10): 0.5676,
    (20, 20): 0.6334,
    (30, 30): 0.6761,
    (50, 50): 0.7355,
}


@pytest.mark.parametrize("armies", EXACT)
def test_odds_are_the_published_fractions(armies: tuple[int, int]) -> None:
    assert exact_battle(*armies).win == EXACT[armies]
    assert battle(*armies).win == pytest.approx(float(EXACT[armies]), abs=1e-12)


@pytest.mark.parametrize("armies", DECIMAL)
def test_odds_are_the_published_decimals(armies: tuple[int, int]) -> None:
    assert round(battle(*armies).win, 4) == DECIMAL[armies]


@pytest.mark.parametrize(
    ("armies", "win", "left"),
    [
        ((3, 1), 0.916, 2.65),
        ((5, 3), 0.769, 3.67),
        ((8, 5), 0.818, 5.07),
        ((10, 5), 0.916, 6.59),
        ((15, 10), 0.877, 7.85),
    ],
)
def test_chance_and_mean_left_on_a_win(armies: tuple[int, int], win: float, left: float) -> None:
    """The figures beside document B's assumption that a attackers beat d < a and a - d are left."""
    fought = battle(*armies)
    mean = sum(number * chance for number, chance in enumerate(fought.attackers)) / fought.win
    assert (round(fought.win, 3), round(mean, 2)) == (win, left)


def test_a_battle_of_one_against_one_in_full() -> None:
    assert exact_battle(1, 1).attackers == (Fraction(7, 12), Fraction(5, 12))
    assert exact_battle(1, 1).defenders == (Fraction(5, 12), Fraction(7, 12))


def test_who_cannot_fight_leaves_things_as_they_are() -> None:
    fought = exact_battle(0, 4)
    assert (fought.attackers, fought.defenders) == (whole(1), whole(0, 0, 0, 0, 1))


def test_until_as_many_as_attack_means_no_attack() -> None:
    fought = exact_battle(3, 1, until=3)
    assert (fought.attackers, fought.defenders) == (whole(0, 0, 0, 1), whole(0, 1))


def test_stopping_at_two_may_leave_one() -> None:
    """3 against 2: whatever the one roll of three dice against two costs, it is the last."""
    fought = exact_battle(3, 2, until=2)
    assert fought.attackers == (*whole(0), Fraction(2275, 7776), Fraction(2611, 7776), Fraction(2890, 7776))
    assert fought.defenders == (fought.attackers[3], fought.attackers[2], fought.attackers[1])


def test_three_defence_dice_help_the_defender() -> None:
    assert exact_battle(1, 3, dice=Dice(defence=3)).win < exact_battle(1, 3).win
    one_roll = exact_battle(3, 3, dice=Dice(defence=3), until=2)
    assert one_roll.win == Fraction(6420, 46656)
    assert one_roll.attackers[0] == Fraction(17871, 46656)


def test_fewer_attack_dice() -> None:
    """With one die against one, each army of two is worth 15 in 36."""
    win = Fraction(15, 36)
    assert exact_battle(2, 1, dice=Dice(attack=1)).win == win + (1 - win) * win


def test_coin_battles_are_races_of_tosses() -> None:
    assert exact_battle(4, 4, dice=COIN).win == Fraction(1, 2)
    # Three heads before two tails: three or four heads in four tosses.
    assert exact_battle(2, 3, dice=COIN).win == Fraction(5, 16)


def test_a_thousand_against_a_thousand() -> None:
    fought = battle(1000, 1000)
    assert fought.win == pytest.approx(0.99891, abs=1e-5)
    assert sum(fought.attackers) == pytest.approx(1, abs=1e-12)
    assert sum(fought.defenders) == pytest.approx(1, abs=1e-12)


def test_the_table_holds_every_smaller_battle() -> None:
    table = win_table(6, 4)
    assert table.shape == (7, 5)
    assert (table[:, 0] == 1).all()
    assert (table[0, 1:] == 0).all()
    for attackers in range(1, 7):
        for defenders in range(1, 5):
            assert table[attackers, defenders] == pytest.approx(battle(attackers, defenders).win, abs=1e-12)
    assert win_table(1, 1)[1, 1] == pytest.approx(5 / 12, abs=1e-12)
    assert win_table(5, 1, until=2)[2, 1] == 0


@pytest.mark.parametrize(
    ("attackers", "defenders", "until", "words"),
    [
        (-1, 2, 0, "the attackers are 0 or more, not -1"),
        (3, 0, 0, "a territory is defended by 1 army or more, not 0"),
        (3, 2, -1, "an attack stops when 0 or more armies are left, not -1"),
    ],
)
def test_battles_that_cannot_be_are_refused(attackers: int, defenders: int, until: int, words: str) -> None:
    for fought in (battle, exact_battle):
        with pytest.raises(RulesError) as caught:
            fought(attackers, defenders, until=until)
        assert str(caught.value) == words


def test_what_is_too_large_is_said() -> None:
    with pytest.raises(TooComplex, match="a battle of 10001 armies"):
        battle(3, MAX_ARMIES + 1)
    with pytest.raises(TooComplex, match="40200 pairs of attackers and defenders in fractions"):
        exact_battle(201, 200)
    with pytest.raises(TooComplex, match="through 1001 territories"):
        campaign(3, [1] * 1001)
    with pytest.raises(TooComplex, match="10000000000 pairs of attackers and defenders; at most 1000000000"):
        campaign(MAX_ARMIES, [MAX_ARMIES] * 100)
    with pytest.raises(TooComplex, match="pairs of attackers"):
        armies_needed(0.5, [MAX_ARMIES] * 1000, until=MAX_ARMIES)
    with pytest.raises(TooComplex, match="a table of 10000 by 10000 battles"):
        win_table(MAX_ARMIES, MAX_ARMIES)
    with pytest.raises(TooComplex, match="takes more than 10000 armies"):
        armies_needed(0.5, 1, until=MAX_ARMIES)


@pytest.mark.skipif(not hasattr(odds.fight, "signatures"), reason="there are none without the compiler")
def test_the_kernels_are_compiled_once_each() -> None:
    battle(2, 2, dice=COIN, until=1)
    campaign(5, [1, 2])
    win_table(3, 3)
    armies_needed(0.5, [2, 3])
    assert len(odds.fight.signatures) == len(odds.win_chances.signatures) == 1  # type: ignore[attr-defined]


# --- a campaign -------------------------------------------------------------------------------------------


def test_a_campaign_of_one_is_a_battle() -> None:
    one, march = exact_battle(7, 5), exact_campaign(7, [5])
    assert march.win == one.win
    assert march.taken == (*whole(1), one.win)
    assert march.left == (1 - one.win, *one.attackers[1:])


def test_one_army_stays_in_each_territory() -> None:
    """Two armies take the first territory unharmed, or with one; only if both are left can one attack on."""
    march = exact_campaign(2, [1, 1])
    unharmed, one_lost = exact_battle(2, 1).attackers[2], exact_battle(2, 1).attackers[1]
    assert march.taken == (*whole(1), unharmed + one_lost, unharmed * Fraction(5, 12))
    assert march.left == (1 - march.win, march.win, *whole(0))


def test_a_campaign_counts_at_least() -> None:
    march = exact_campaign(20, [3, 4, 2])
    assert march.at_least(0) == march.at_least(1) == march.win
    assert march.at_least(18) == march.left[18], "each territory left behind keeps one of the twenty"
    assert march.at_least(19) == 0
    assert march.at_least(5) - march.at_least(6) == march.left[5]
    assert float(march.win) == pytest.approx(campaign(20, [3, 4, 2]).win, abs=1e-12)


def test_a_march_stops_when_no_more_than_until_can_fight() -> None:
    assert exact_campaign(3, [1, 1], until=2).taken == (*whole(1), Fraction(855, 1296), *whole(0))


def test_a_path_without_territories_is_refused() -> None:
    with pytest.raises(RulesError, match="through one territory at least"):
        campaign(3, [])


# --- how many it takes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chance", "needed"), [(0.5, [2, 3, 4, 5, 5, 6, 7, 8, 9, 10]), (0.75, [2, 4, 5, 7, 8, 9, 10, 11, 12, 13])]
)
def test_armies_needed_against_one_to_ten(chance: float, needed: list[int]) -> None:
    assert [armies_needed(chance, defenders) for defenders in range(1, 11)] == needed


def test_armies_needed_for_a_campaign_are_enough_and_one_fewer_is_not() -> None:
    for path in ([3, 4, 2], [1, 1, 1, 1], [100, 3]):
        needed = armies_needed(0.75, path)
        assert campaign(needed, path).win >= 0.75 > campaign(needed - 1, path).win


def test_armies_needed_goes_by_the_dice_and_by_where_one_stops() -> None:
    assert armies_needed(0.5, 4, dice=COIN) == 4
    assert armies_needed(0.5, 5, dice=Dice(defence=3)) > armies_needed(0.5, 5, dice=STANDARD)
    assert battle(armies_needed(0.5, 5, until=3), 5, until=3).win >= 0.5
    assert armies_needed(0.5, 5, until=3) > armies_needed(0.5, 5)


@pytest.mark.parametrize("chance", [0.0, 1.0, -0.5, 1.5, float("nan")])
def test_certainty_cannot_be_had(chance: float) -> None:
    with pytest.raises(RulesError, match="more than 0 and less than 1"):
        armies_needed(chance, 3)
