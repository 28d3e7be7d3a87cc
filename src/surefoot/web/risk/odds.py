"""The odds of an attack as the view tells them: whole numbers, from battles worked out once."""

from functools import lru_cache
from typing import Final

from surefoot.risk.battle import battle
from surefoot.risk.dice import Dice

EXACT: Final = 300
"""Armies a side up to which odds are exact; larger battles are told as one of the same proportions."""
WIN_UNIT: Final = 10_000
LEFT_UNIT: Final = 100


@lru_cache(maxsize=20_000)
def odds(attackers: int, defenders: int, dice: Dice) -> tuple[int, int]:
    """The chance to take the territory in 1/10000, and the mean of the attackers then left in 1/100.

    What is neither sure nor out of the question is not told to be: the chance is at least 1 and at most 9999.
    """
    largest = max(attackers, defenders)
    if largest > EXACT:
        scale = largest / EXACT
        win, left = odds(max(round(attackers / scale), 1), max(round(defenders / scale), 1), dice)
        return win, round(left * scale)
    fought = battle(attackers, defenders, dice=dice)
    if not fought.win:
        return 0, 0
    mean = sum(armies * chance for armies, chance in enumerate(fought.attackers) if armies) / fought.win
    return min(max(round(fought.win * WIN_UNIT), 1), WIN_UNIT - 1), round(mean * LEFT_UNIT)
