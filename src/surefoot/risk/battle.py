"""The odds of battles and of campaigns: exact, and how many armies a wished-for chance takes.

Attackers are always the armies that can fight: a stack less the one that has to stay behind. Odds are
computed by `kernels.odds` in float64; the functions that begin with ``exact_`` run the very same source on
fractions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import RulesError, TooComplex

from .dice import STANDARD, Battles, Dice, roll_table
from .kernels import odds

Chance = TypeVar("Chance", float, Fraction)

MAX_ARMIES: Final = 10_000
"""The most armies on a side of a battle whose odds are computed."""
MAX_PATH: Final = 1_000
"""The most territories of a campaign."""
MAX_STATES: Final = 10**9
"""The most pairs of attackers and defenders, over all territories, that are gone through: some seconds."""
MAX_EXACT: Final = 40_000
"""The same for fractions."""
MAX_TABLE: Final = 10**7
"""The most battles in one table."""

_NEGLIGIBLE = 1e-300
"""A state no likelier than this is left out: what it could add is far below rounding."""


@dataclass(frozen=True, slots=True)
class Odds(Generic[Chance]):
    """How a battle ends.

    Args:
        win: the chance that the territory is taken.
        attackers: entry ``n`` is the chance that ``n`` attackers are left. That is more than ``until`` if the
            battle was won and not otherwise, so that ``sum(attackers[until + 1:])`` is ``win``.
        defenders: entry ``n`` is the chance that ``n`` defenders are left; entry 0 is ``win``.
    """

    win: Chance
    attackers: tuple[Chance, ...]
    defenders: tuple[Chance, ...]


@dataclass(frozen=True, slots=True)
class Campaign(Generic[Chance]):
    """How a march through a chain of territories ends.

    Args:
        win: the chance to take them all.
        taken: entry ``n`` is the chance to take at least ``n`` of them; entry 0 is 1.
        left: entry ``n`` is the chance that all are taken and ``n`` armies stand in the last; entry 0 is the
            chance that not all are taken.
    """

    win: Chance
    taken: tuple[Chance, ...]
    left: tuple[Chance, ...]

    def at_least(self, armies: int) -> Chance:
        """The chance that all territories are taken and so many armies or more stand in the last."""
        return sum(self.left[max(armies, 1) :], start=self.win * 0)


def battle(attackers: int, defenders: int, *, dice: Dice = STANDARD, until: int = 0) -> Odds[float]:
    """The odds of an attack with ``attackers`` armies that can fight, to the end or until ``until`` are left.

    A roll may cost more than one army, so that fewer than ``until`` may be left.

    Raises:
        RulesError: fewer attackers or ``until`` than 0, or no defender.
        TooComplex: a side has more than ``MAX_ARMIES``.
    """
    return _battle(_FLOATS, attackers, defenders, dice, until)


def exact_battle(
    attackers: int,
    defenders: int,
    *,
    dice: Dice = STANDARD,
    until: int = 0,
) -> Odds[Fraction]:
    """The same as fractions.

    Raises:
        RulesError: as for `battle`.
        TooComplex: there are more than ``MAX_EXACT`` pairs of attackers and defenders.
    """
    return _battle(_FRACTIONS, attackers, defenders, dice, until)


def campaign(
    attackers: int,
    path: Sequence[int],
    *,
    dice: Dice = STANDARD,
    until: int = 0,
) -> Campaign[float]:
    """The odds of taking one territory after another with one army.

    Everything that is left moves on into each territory taken, and one army of it stays there when the next
    is attacked; the march ends when no more than ``until`` can fight.

    Args:
        attackers: the armies that can fight at first.
        path: the defenders of each territory, in the order of attack.
        dice: as for `battle`.
        until: as for `battle`, in each territory.

    Raises:
        RulesError: as for `battle`, or a path without territories.
        TooComplex: a side has more than ``MAX_ARMIES``, the path more than ``MAX_PATH`` territories, or both
            together more than ``MAX_STATES`` pairs of attackers and defenders.
    """
    return _campaign(_FLOATS, attackers, path, dice, until)


def exact_campaign(
    attackers: int,
    path: Sequence[int],
    *,
    dice: Dice = STANDARD,
    until: int = 0,
) -> Campaign[Fraction]:
    """The same as fractions.

    Raises:
        RulesError: as for `campaign`.
        TooComplex: there are more than ``MAX_EXACT`` pairs of attackers and defenders.
    """
    return _campaign(_FRACTIONS, attackers, path, dice, until)


def win_table(
    attackers: int,
    defenders: int,
    *,
    dice: Dice = STANDARD,
    until: int = 0,
) -> NDArray[np.float64]:
    """The chances to win of all smaller battles at once: shape (attackers + 1, defenders + 1).

    Raises:
        RulesError: as for `battle`.
        TooComplex: a side has more than ``MAX_ARMIES``, or the table more than ``MAX_TABLE`` entries.
    """
    _check(_FLOATS, attackers, [defenders], until)
    if attackers * defenders > MAX_TABLE:
        raise TooComplex(f"a table of {attackers} by {defenders} battles; at most {MAX_TABLE} are computed")
    table = np.zeros((max(attackers + 1, odds.ROWS), defenders + 1))
    _win_chances(np.ones(len(table)), table, dice, until)
    table = table[: attackers + 1]
    table[:, 0] = 1.0
    return table


def armies_needed(
    chance: float,
    path: int | Sequence[int],
    *,
    dice: Dice = STANDARD,
    until: int = 0,
) -> int:
    """The fewest attackers that win with at least this chance.

    Args:
        chance: more than 0 and less than 1.
        path: the defenders, or those of each territory of a campaign.
        dice: as for `battle`.
        until: as for `battle`.

    Raises:
        RulesError: the chance is not between 0 and 1, or as for `campaign`.
        TooComplex: it takes more than ``MAX_ARMIES``, or as for `campaign`.
    """
    if not 0 < chance < 1:
        raise RulesError(f"a chance to wish for is more than 0 and less than 1, not {chance:g}")
    defended = [path] if isinstance(path, int) else path
    most = 64
    while True:
        _check(_FLOATS, most, defended, until)
        worth = np.ones(most + 1)
        for defenders in reversed(defended):
            won = _win_chances(worth, np.zeros((odds.ROWS, defenders + 1)), dice, until)
            # One army of those that come in stays when the next territory is attacked.
            worth = np.concatenate([[0.0], won[:-1]])
        enough = np.flatnonzero(won >= chance)
        if len(enough):
            return int(enough[0])
        if most == MAX_ARMIES:
            raise TooComplex(f"a chance of {chance:g} takes more than {MAX_ARMIES} armies")
        most = min(4 * most, MAX_ARMIES)


class _Arithmetic(Generic[Chance]):
    """Floats with the compiled kernel, or fractions with its source."""

    def __init__(self, number: type[Chance]) -> None:
        self.exact = number is Fraction
        self.zero: Chance = number(0)
        self.one: Chance = number(1)
        self.least = 0.0 if self.exact else _NEGLIGIBLE
        # Without the compiler a kernel is its own source.
        self.fight: Any = getattr(odds.fight, "py_func", odds.fight) if self.exact else odds.fight

    def zeros(self, *shape: int) -> NDArray[Any]:
        return np.full(shape, self.zero, object if self.exact else np.float64)

    def fought(
        self, begin: NDArray[Any], defenders: int, dice: Dice, until: int
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """The chances of attackers and of defenders left, from those of the attackers that begin."""
        left, others = self.zeros(len(begin)), self.zeros(defenders + 1)
        rows = self.zeros(odds.ROWS, defenders + 1)
        self.fight(
            begin, until, _limits(dice), _chances(dice.battles, self.exact), self.least, rows, left, others
        )
        # A sum of rounded floats may come out a little above certainty.
        certain: Any = self.one
        return np.minimum(left, certain), np.minimum(others, certain)


_FLOATS = _Arithmetic(float)
_FRACTIONS = _Arithmetic(Fraction)


def _battle(
    numbers: _Arithmetic[Chance], attackers: int, defenders: int, dice: Dice, until: int
) -> Odds[Chance]:
    _check(numbers, attackers, [defenders], until)
    begin = numbers.zeros(attackers + 1)
    begin[attackers] = numbers.one
    left, others = numbers.fought(begin, defenders, dice, until)
    return Odds(others.tolist()[0], tuple(left.tolist()), tuple(others.tolist()))


def _campaign(
    numbers: _Arithmetic[Chance], attackers: int, path: Sequence[int], dice: Dice, until: int
) -> Campaign[Chance]:
    _check(numbers, attackers, path, until)
    begin = numbers.zeros(attackers + 1)
    begin[attackers] = numbers.one
    taken = [numbers.one]
    for defenders in path:
        left, others = numbers.fought(begin, defenders, dice, until)
        left[: until + 1] = numbers.zero  # these have not won
        taken.append(others.tolist()[0])
        begin = numbers.zeros(attackers + 1)
        begin[:-1] = left[1:]
    left[0] = max(numbers.one - taken[-1], numbers.zero)
    return Campaign(taken[-1], tuple(taken), tuple(left.tolist()))


def _win_chances(
    worth: NDArray[np.float64], rows: NDArray[np.float64], dice: Dice, until: int
) -> NDArray[np.float64]:
    wins = np.zeros(len(worth))
    odds.win_chances(worth, until, _limits(dice), _chances(dice.battles, _FLOATS.exact), rows, wins)
    return wins


@cache
def _chances(battles: Battles, exact: bool) -> NDArray[Any]:
    """The roll table as chances, floats or fractions; nobody writes to it."""
    weights = roll_table(battles)
    totals = weights.sum(axis=2)
    if not exact:
        return np.asarray(weights / np.maximum(totals, 1)[:, :, None], np.float64)
    chances = np.full(weights.shape, Fraction(0), object)
    for attack, defence, losses in np.argwhere(weights).tolist():
        weight, total = weights[attack, defence, losses], totals[attack, defence]
        chances[attack, defence, losses] = Fraction(int(weight), int(total))
    return chances


def _limits(dice: Dice) -> NDArray[np.int64]:
    return np.array([dice.attack, dice.defence], np.int64)


def _check(numbers: _Arithmetic[Any], attackers: int, path: Sequence[int], until: int) -> None:
    if attackers < 0:
        raise RulesError(f"the attackers are 0 or more, not {attackers}")
    if until < 0:
        raise RulesError(f"an attack stops when 0 or more armies are left, not {until}")
    if not path:
        raise RulesError("a campaign goes through one territory at least")
    for defenders in path:
        if defenders < 1:
            raise RulesError(f"a territory is defended by 1 army or more, not {defenders}")
    if len(path) > MAX_PATH:
        raise TooComplex(f"a campaign through {len(path)} territories; at most {MAX_PATH} are computed")
    most = max(attackers, until, *path)
    if most > MAX_ARMIES:
        raise TooComplex(f"a battle of {most} armies; odds are computed for at most {MAX_ARMIES} a side")
    states = attackers * sum(path)
    if states > (limit := MAX_EXACT if numbers.exact else MAX_STATES):
        how = " in fractions" if numbers.exact else ""
        raise TooComplex(f"{states} pairs of attackers and defenders{how}; at most {limit} are gone through")
