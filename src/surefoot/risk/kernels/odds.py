"""The odds of a battle: what is left on both sides when an attack is fought to its end.

A state of a battle is (attackers, defenders), armies that still fight. A roll goes from it to the states with
one to three armies fewer, and costs the attacker at most three, so that four rows of a table, one a number of
attackers and used in turns, hold all that a battle needs. ``chances`` is float64, shape (4, 4, 4), [attack
dice, defence dice, attacker's losses]; ``limits`` holds the most attack and defence dice.

Only sums and products are taken, and only whole numbers written down, so that the same source, uncompiled,
works on arrays of fractions as well (see `surefoot.risk.battle`).
"""

from surefoot._jit import kernel

ROWS = 4
"""Rows in use at once: of a number of attackers, and of those that one roll leaves of it."""


@kernel
def fight(begin, until, limits, chances, least, rows, attackers, defenders):
    """Fight forward from a distribution of attackers, all against the same number of defenders.

    Args:
        begin: shape (A + 1,), the chance of each number of attackers.
        until: the attacker stops once so many attackers are left, or fewer.
        limits: int64, shape (2,).
        chances: as above.
        least: what is no likelier than this is left out: numbers below the normal range are slow.
        rows: shape (ROWS, D + 1), all zero, and so again in the end.
        attackers: shape (A + 1,), all zero; filled with the chance of each number of attackers in the end.
        defenders: shape (D + 1,), the same for the defenders; 0 means that the territory is taken.
    """
    full = rows.shape[1] - 1
    for a in range(begin.shape[0] - 1, until, -1):
        row = rows[a % ROWS]
        one_less = rows[(a - 1) % ROWS]
        two_less = rows[(a - 2) % ROWS]
        three_less = rows[(a - 3) % ROWS]
        row[full] += begin[a]
        dice = min(a, limits[0])
        for d in range(full, 0, -1):
            mass = row[d]
            row[d] = 0
            if mass <= least:
                continue
            others = min(d, limits[1])
            staked = min(dice, others)
            rest = d - staked
            row[rest] += mass * chances[dice, others, 0]
            one_less[rest + 1] += mass * chances[dice, others, 1]
            if staked > 1:
                two_less[rest + 2] += mass * chances[dice, others, 2]
            if staked > 2:
                three_less[rest + 3] += mass * chances[dice, others, 3]
        # The roll that takes the last defender costs nothing: whoever wins has more than `until` left.
        attackers[a] += row[0]
        defenders[0] += row[0]
        row[0] = 0
    for a in range(min(until, begin.shape[0] - 1), -1, -1):
        attackers[a] += begin[a]
        defenders[full] += begin[a]
        if until - a < ROWS:
            row = rows[a % ROWS]
            for d in range(1, full + 1):
                attackers[a] += row[d]
                defenders[d] += row[d]
                row[d] = 0


@kernel
def win_chances(after, until, limits, chances, rows, wins):
    """The value of attacking with each number of attackers, from what it is worth to have won.

    Args:
        after: shape (A + 1,), what it is worth to have taken the territory with so many attackers left;
            all 1 for the chance to take it.
        until, limits, chances: as in `fight`.
        rows: shape (ROWS or more, D + 1); with A + 1 rows it is in the end the whole table, [attackers,
            defenders].
        wins: shape (A + 1,), filled with the value against D defenders.
    """
    full = rows.shape[1] - 1
    kept = rows.shape[0]
    for a in range(after.shape[0]):
        row = rows[a % kept]
        one_less = rows[(a - 1) % kept]
        two_less = rows[(a - 2) % kept]
        three_less = rows[(a - 3) % kept]
        row[0] = after[a]
        dice = min(a, limits[0])
        for d in range(1, full + 1):
            row[d] = 0
            if a <= until:
                continue
            others = min(d, limits[1])
            staked = min(dice, others)
            rest = d - staked
            row[d] += row[rest] * chances[dice, others, 0]
            row[d] += one_less[rest + 1] * chances[dice, others, 1]
            if staked > 1:
                row[d] += two_less[rest + 2] * chances[dice, others, 2]
            if staked > 2:
                row[d] += three_less[rest + 3] * chances[dice, others, 3]
        wins[a] = row[full]
