"""What one roll of the dice costs whom: counted over all faces, in whole numbers, and never typed in."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import RulesError

Battles = Literal["dice", "coin"]
"""How a roll is decided: by dice, highest against highest, or by a fair coin, one army against one."""

FACES: Final = 6
MAX_DICE: Final = 3
"""The most dice of either side, under any rules."""


@dataclass(frozen=True, slots=True)
class Dice:
    """How many dice each side may roll, and whether they are dice at all; the defaults are the common rules.

    A side rolls as many as it may, but no more than it has armies that fight.

    Raises:
        RulesError: a side rolls no dice, or more than ``MAX_DICE``; or a coin, and more than one a side.
    """

    attack: int = 3
    defence: int = 2
    battles: Battles = "dice"

    def __post_init__(self) -> None:
        if self.battles not in get_args(Battles):
            raise RulesError(f"battles are by {' or '.join(get_args(Battles))}, not {self.battles!r}")
        most = MAX_DICE if self.battles == "dice" else 1
        for side, count in (("attacker", self.attack), ("defender", self.defence)):
            if not 1 <= count <= most:
                expected = f"1 to {most} dice" if most > 1 else "one coin"
                raise RulesError(f"the {side} rolls {expected}, not {count}")


STANDARD: Final = Dice()
COIN: Final = Dice(1, 1, "coin")
"""The battles of document B's own program: each army falls by the toss of a coin."""


def attacker_losses(attack: Sequence[int], defence: Sequence[int]) -> int:
    """How many armies a roll costs the attacker; both sides' dice stand highest first.

    The highest dice are compared, then the second highest, and so on while both sides have one; the defender
    wins ties.
    """
    return sum(mine <= theirs for mine, theirs in zip(attack, defence, strict=False))


@cache
def roll_outcomes(
    attack_dice: int, defence_dice: int, battles: Battles = "dice"
) -> tuple[tuple[int, int], ...]:
    """Every outcome of one roll as (armies that the attacker loses, weight), in rising order of losses.

    The losses of both sides add up to the number of dice compared (see `attacker_losses`). The weights add up
    to ``FACES ** (attack_dice + defence_dice)``; a coin has two outcomes of weight 1.

    Raises:
        RulesError: a side rolls no dice, or too many (see `Dice`).
    """
    Dice(attack_dice, defence_dice, battles)
    if battles == "coin":
        return (0, 1), (1, 1)
    weights: Counter[int] = Counter()
    for (attack, ways), (defence, other_ways) in product(_rolls(attack_dice), _rolls(defence_dice)):
        weights[attacker_losses(attack, defence)] += ways * other_ways
    return tuple(sorted(weights.items()))


def roll_table(battles: Battles = "dice") -> NDArray[np.int64]:
    """The weights for all numbers of dice: int64, shape (4, 4, 4), [attack dice, defence dice, losses].

    Zero where there is no such roll or outcome. By coin, [1, 1] alone is filled: one army against one.
    """
    table = np.zeros((MAX_DICE + 1,) * 3, np.int64)
    most = MAX_DICE if battles == "dice" else 1
    for attack_dice, defence_dice in product(range(1, most + 1), repeat=2):
        for losses, weight in roll_outcomes(attack_dice, defence_dice, battles):
            table[attack_dice, defence_dice, losses] = weight
    return table


@cache
def _rolls(dice: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Each roll, highest first, with the number of ways to throw it."""
    thrown = (tuple(sorted(faces, reverse=True)) for faces in product(range(FACES), repeat=dice))
    return tuple(Counter(thrown).items())
