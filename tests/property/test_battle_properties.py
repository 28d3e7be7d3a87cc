"""The odds against a plain twin that counts in fractions and knows nothing of the kernels.

``SUREFOOT_ODDS=50`` compares all battles up to 50 against 50; the suite goes up to 20.
"""

import os
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from surefoot.risk.battle import (
    armies_needed,
    battle,
    campaign,
    exact_battle,
    exact_campaign,
    win_table,
)
from surefoot.risk.dice import COIN, Dice

SIZE = int(os.environ.get("SUREFOOT_ODDS", "20"))

Ends = dict[tuple[int, int], Fraction]
"""The chance of each pair of (attackers, defenders) in the end."""


# --- the plain twin ---------------------------------------------------------------------------------------


@cache
def losses(attack: int, defence: int, coin: bool) -> dict[int, Fraction]:
    """The chance of each number of armies that the attacker loses, counted roll by roll."""
    if coin:
        return {0: Fraction(1, 2), 1: Fraction(1, 2)}
    counted: dict[int, Fraction] = {}
    for roll in product(range(1, 7), repeat=attack + defence):
        pairs = zip(sorted(roll[:attack])[::-1], sorted(roll[attack:])[::-1], strict=False)
        lost = len([1 for mine, theirs in pairs if mine <= theirs])
        counted[lost] = counted.get(lost, Fraction(0)) + Fraction(1, 6 ** (attack + defence))
    return counted


@cache
def ends(attackers: int, defenders: int, dice: Dice, until: int) -> Ends:
    """How a battle ends, by what one roll leaves of it."""
    if defenders == 0 or attackers <= until:
        return {(attackers, defenders): Fraction(1)}
    attack, defence = min(attackers, dice.attack), min(defenders, dice.defence)
    counted: Ends = {}
    for lost, chance in losses(attack, defence, dice == COIN).items():
        others = min(attack, defence) - lost
        for end, share in ends(attackers - lost, defenders - others, dice, until).items():
            counted[end] = counted.get(end, Fraction(0)) + chance * share
    return counted


@cache
def plain_win(attackers: int, defenders: int, dice: Dice) -> Fraction:
    if defenders == 0 or attackers == 0:
        return Fraction(defenders == 0)
    attack, defence = min(attackers, dice.attack), min(defenders, dice.defence)
    staked = min(attack, defence)
    return sum(
        (
            chance * plain_win(attackers - lost, defenders - staked + lost, dice)
            for lost, chance in losses(attack, defence, dice == COIN).items()
        ),
        Fraction(0),
    )


def march(attackers: int, path: Sequence[int], dice: Dice, until: int) -> Ends:
    """The chance of (territories taken, armies in the last); 0 armies stands for a march that stopped."""
    if not path:
        return {(0, attackers): Fraction(1)}
    counted: Ends = {}
    for (left, others), chance in ends(attackers, path[0], dice, until).items():
        if others:
            further: Ends = {(-1, 0): Fraction(1)}
        elif len(path) == 1:
            further = {(0, left): Fraction(1)}
        else:
            further = march(left - 1, path[1:], dice, until)
        for (taken, stand), share in further.items():
            counted[taken + 1, stand] = counted.get((taken + 1, stand), Fraction(0)) + chance * share
    return counted


# --- what is compared -------------------------------------------------------------------------------------

kinds_of_dice = st.just(COIN) | st.builds(Dice, attack=st.integers(1, 3), defence=st.integers(1, 3))
armies = st.integers(1, 12)
stops = st.just(0) | st.integers(0, 5)


def assert_close(floats: Sequence[float], exact: Sequence[Fraction]) -> None:
    assert all(abs(a - b) < 1e-12 for a, b in zip(floats, exact, strict=True))


@given(st.integers(0, 12), armies, kinds_of_dice, stops)
def test_battles_end_as_the_plain_twin_says(attackers: int, defenders: int, dice: Dice, until: int) -> None:
    counted = ends(attackers, defenders, dice, until)
    exact = exact_battle(attackers, defenders, dice=dice, until=until)
    left = [Fraction(0)] * (attackers + 1)
    others = [Fraction(0)] * (defenders + 1)
    for (mine, theirs), chance in counted.items():
        left[mine] += chance
        others[theirs] += chance
    assert exact.attackers == tuple(left)
    assert exact.defenders == tuple(others)
    assert exact.win == others[0] == sum(left[until + 1 :]), "a win leaves more than `until`"
    floats = battle(attackers, defenders, dice=dice, until=until)
    assert abs(floats.win - exact.win) < 1e-12
    assert_close(floats.attackers, exact.attackers)
    assert_close(floats.defenders, exact.defenders)


@given(st.integers(0, 14), st.lists(st.integers(1, 5), min_size=1, max_size=4), kinds_of_dice, stops)
def test_campaigns_end_as_the_plain_twin_says(
    attackers: int, path: list[int], dice: Dice, until: int
) -> None:
    counted = march(attackers, path, dice, until)
    exact = exact_campaign(attackers, path, dice=dice, until=until)
    for number, chance in enumerate(exact.taken):
        assert chance == sum((share for (taken, _), share in counted.items() if taken >= number), Fraction(0))
    for stand, chance in enumerate(exact.left[1:], start=1):
        assert chance == counted.get((len(path), stand), 0)
    assert sum(exact.left) == 1
    floats = campaign(attackers, path, dice=dice, until=until)
    assert_close(floats.taken, exact.taken)
    assert_close(floats.left, exact.left)


def test_the_table_of_all_battles_agrees_with_fractions() -> None:
    for dice in (Dice(), Dice(defence=3), COIN):
        table = win_table(SIZE, SIZE, dice=dice)
        for attackers, defenders in product(range(SIZE + 1), range(1, SIZE + 1)):
            assert abs(table[attackers, defenders] - plain_win(attackers, defenders, dice)) < 1e-12


@given(
    st.floats(0.01, 0.99),
    st.lists(st.integers(1, 30), min_size=1, max_size=3),
    kinds_of_dice,
    stops,
)
def test_armies_needed_are_the_fewest(chance: float, path: list[int], dice: Dice, until: int) -> None:
    needed = armies_needed(chance, path, dice=dice, until=until)
    # What two ways of summing round differently may decide a chance that is met to the last digit.
    assert campaign(needed, path, dice=dice, until=until).win > chance - 1e-12
    for fewer in range(max(needed - 3, 0), needed):
        assert campaign(fewer, path, dice=dice, until=until).win < chance + 1e-12
