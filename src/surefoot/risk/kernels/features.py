"""Document B's four features, counted in whole numbers so that they can be kept up to date exactly.

For a territory x with u armies and enemy neighbours y, *strength* is the mean of u(x) / (u(x) + u(y)), 1
where there are none, and *exposure* is the number of enemy neighbours over that of all neighbours. Each
quotient is a whole number of 2^-30, and sums of whole numbers do not depend on the order of adding: a value
that is kept up to date along a game is, bit by bit, the value that is counted afresh. See `draft` for the
position's arrays.

What is kept of a position is a vector ``kept`` (int64, shape (KEPT_WORDS + 2 T,)), with the sums over a
seat's territories and, for each territory of a seat whose features are kept, what its strength is the mean
of.
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .draft import ONE, ONE_BITS, QUOTIENTS, UNITS
from .layout import ARMY_COUNT, MAX_SEATS, NEAR, OWNER, SEATS, TERRITORIES, TERRITORY_COUNT
from .turn import own

# Words of a vector of weights.
LAND = 0  # own territories / all
ARMIES = 1  # own armies / all
STRENGTH = 2  # the mean strength of own territories
SAFETY = 3  # 1 - their mean exposure
FEATURES = 4

# Words of ``kept``.
STRENGTHS = 0  # by seat
EXPOSURES = MAX_SEATS  # by seat
PARTS = 2 * MAX_SEATS  # by territory: the sum over enemy neighbours
KEPT_WORDS = PARTS  # enemies[t], how many they are, is kept[PARTS + T + t]

_UNCHANGED = -1

EVERY_SEAT = -1
"""Stands for a seat where the features of all seats are kept."""


@inlined
def part(armies, enemy):
    """What one enemy neighbour adds to a strength, before the mean is taken."""
    return np.int64(armies / (armies + enemy) * ONE)


@inlined
def _facing(owner, armies, ground, t, seat, mine, changed, seat_there, armies_there):
    """The parts of a strength of ``mine`` armies of ``seat`` in ``t``, and how many enemies they face.

    In the territory ``changed`` are so many armies of that seat; -1 if all is as the arrays say.
    """
    total = np.int64(0)
    found = np.int64(0)
    for place in range(ground[t], ground[t + 1]):
        other = ground[place]
        holder = seat_there if other == changed else np.int64(owner[other])
        if holder != seat and holder >= 0:
            total += part(mine, armies_there if other == changed else np.int64(armies[other]))
            found += 1
    return total, found


@inlined
def strength_of(total, enemies, count, ground):
    """The mean of ``enemies`` parts that add up to ``total``."""
    return total * ground[QUOTIENTS + count + enemies] >> ONE_BITS if enemies else np.int64(ONE)


@inlined
def is_kept(seat, whose):
    """Whether the features of ``seat`` are kept up to date: those of one seat, or of all."""
    return seat == whose or (whose == EVERY_SEAT and seat >= 0)


@kernel
def study_all(owner, armies, ground, whose, kept):
    """Fill in all that is kept, for one seat or all.

    Args:
        ground: see `draft.list_ground`.
        whose: a seat, or EVERY_SEAT.
        kept: see above, filled.
    """
    count = owner.shape[0]
    for word in range(KEPT_WORDS + 2 * count):
        kept[word] = 0
    for t in range(count):
        seat = np.int64(owner[t])
        if not is_kept(seat, whose):
            continue
        total, found = _facing(owner, armies, ground, t, seat, np.int64(armies[t]), _UNCHANGED, seat, 0)
        kept[PARTS + t] = total
        kept[PARTS + count + t] = found
        kept[STRENGTHS + seat] += strength_of(total, found, count, ground)
        kept[EXPOSURES + seat] += found * ground[UNITS + 2 * count + t]


@inlined
def combine(weights, land, lands, armies, all_armies, strength, exposure):
    """The weighted sum of the features of a seat with ``land`` territories, in `ONE`."""
    if land == 0:
        return np.int64(0)
    whole = float(land) * ONE
    value = (
        weights[LAND] * land / lands
        + weights[ARMIES] * armies / all_armies
        + (weights[STRENGTH] * strength + weights[SAFETY] * (whole - exposure)) / whole
    )
    return np.int64(value * ONE)


@inlined
def value_of(world, state, weights, kept, seat):
    """The weighted sum of the features that are kept for ``seat``, in `ONE`; 0 for who has no territory."""
    count = world[TERRITORIES]
    counts = ARMY_COUNT + 3 * count
    all_armies = np.int64(0)
    for other in range(state[SEATS]):
        all_armies += state[counts + other]
    return combine(
        weights,
        np.int64(state[TERRITORY_COUNT + 3 * count + seat]),
        count,
        state[counts + seat],
        all_armies,
        kept[STRENGTHS + seat],
        kept[EXPOSURES + seat],
    )


@inlined
def highest(weights):
    """The value of having won: every feature is 1."""
    return np.int64((weights[LAND] + weights[ARMIES] + weights[STRENGTH] + weights[SAFETY]) * ONE)


@inlined
def shift(world, state, ground, whose, kept, source, left, target, seat, there, really):
    """What an attack changes, made or only looked at.

    Args:
        source, left: the attacking territory, and its armies afterwards.
        target, seat, there: the attacked one, and its owner and armies afterwards.
        really: whether the state and what is kept of it are changed. If not, one seat's features are to be
            kept.

    Returns:
        the changes of the sums of strength and exposure of the seat that is kept, where it only looks.
    """
    count = np.int64(world[TERRITORIES])
    owner = state[OWNER : OWNER + count]
    armies = state[OWNER + count : OWNER + 2 * count]
    parts = kept[PARTS : PARTS + count]
    enemies = kept[PARTS + count : PARTS + 2 * count]
    attacker = np.int64(owner[source])
    before = np.int64(owner[target])
    left_before = armies[source]
    there_before = armies[target]
    stronger = np.int64(0)
    barer = np.int64(0)
    row = world[NEAR]
    # Neighbours of the source alone: only its armies change for them.
    if whose != attacker:
        for place in range(world[row + source], world[row + source + 1]):
            other = world[place]
            holder = np.int64(owner[other])
            if other == target or holder == attacker or not is_kept(holder, whose):
                continue
            if _leads_to(world, target, other):
                continue
            total = parts[other] + part(armies[other], left) - part(armies[other], left_before)
            more = strength_of(total, enemies[other], count, ground)
            more -= strength_of(parts[other], enemies[other], count, ground)
            stronger += more
            if really:
                parts[other] = total
                kept[STRENGTHS + holder] += more
    # Neighbours of the target, for which the source's armies may change as well.
    for place in range(world[row + target], world[row + target + 1]):
        other = world[place]
        holder = np.int64(owner[other])
        if other == source or not is_kept(holder, whose):
            continue
        total = parts[other]
        found = enemies[other]
        if holder != before:
            total -= part(armies[other], there_before)
            found -= 1
        if holder != seat:
            total += part(armies[other], there)
            found += 1
        if holder != attacker and _leads_to(world, source, other):
            total += part(armies[other], left) - part(armies[other], left_before)
        more = strength_of(total, found, count, ground)
        more -= strength_of(parts[other], enemies[other], count, ground)
        bare = (found - enemies[other]) * ground[UNITS + 2 * count + other]
        stronger += more
        barer += bare
        if really:
            parts[other] = total
            enemies[other] = found
            kept[STRENGTHS + holder] += more
            kept[EXPOSURES + holder] += bare
    # The two themselves.
    if is_kept(attacker, whose):
        total, found = _facing(owner, armies, ground, source, attacker, left, target, seat, there)
        more = strength_of(total, found, count, ground)
        more -= strength_of(parts[source], enemies[source], count, ground)
        bare = (found - enemies[source]) * ground[UNITS + 2 * count + source]
        stronger += more
        barer += bare
        if really:
            parts[source] = total
            enemies[source] = found
            kept[STRENGTHS + attacker] += more
            kept[EXPOSURES + attacker] += bare
    if is_kept(before, whose):
        more = strength_of(parts[target], enemies[target], count, ground)
        bare = enemies[target] * ground[UNITS + 2 * count + target]
        stronger -= more
        barer -= bare
        if really:
            kept[STRENGTHS + before] -= more
            kept[EXPOSURES + before] -= bare
    if is_kept(seat, whose):
        total, found = _facing(owner, armies, ground, target, seat, there, source, attacker, left)
        more = strength_of(total, found, count, ground)
        bare = found * ground[UNITS + 2 * count + target]
        stronger += more
        barer += bare
        if really:
            parts[target] = total
            enemies[target] = found
            kept[STRENGTHS + seat] += more
            kept[EXPOSURES + seat] += bare
    if really:
        counts = ARMY_COUNT + 3 * count
        state[counts + attacker] += left - left_before
        state[counts + before] -= there_before
        state[counts + seat] += there
        armies[source] = left
        armies[target] = there
        if seat != before:
            own(world, state, target, seat)
    return stronger, barer


@inlined
def _leads_to(world, source, target):
    found = False
    row = world[NEAR] + source
    for place in range(world[row], world[row + 1]):
        found = found or world[place] == target
    return found


@inlined
def reinforce(world, state, ground, whose, kept, chosen, shares, number, seat):
    """Place the ``number`` shares of a draft of ``seat``, and keep up to date what that changes.

    Args:
        chosen, shares: see `draft.spread`.
    """
    count = np.int64(world[TERRITORIES])
    owner = state[OWNER : OWNER + count]
    armies = state[OWNER + count : OWNER + 2 * count]
    row = world[NEAR]
    placed = np.int64(0)
    for rank in range(number):
        t = chosen[rank]
        share = shares[rank]
        if share == 0:
            continue
        before = np.int64(armies[t])
        armies[t] += share
        placed += share
        if is_kept(seat, whose):
            enemies = kept[PARTS + count + t]
            total, _ = _facing(owner, armies, ground, t, seat, before + share, _UNCHANGED, seat, 0)
            kept[STRENGTHS + seat] += strength_of(total, enemies, count, ground)
            kept[STRENGTHS + seat] -= strength_of(kept[PARTS + t], enemies, count, ground)
            kept[PARTS + t] = total
        if whose != seat:
            for place in range(world[row + t], world[row + t + 1]):
                other = world[place]
                holder = np.int64(owner[other])
                if holder == seat or not is_kept(holder, whose):
                    continue
                enemies = kept[PARTS + count + other]
                total = kept[PARTS + other] + part(armies[other], before + share)
                total -= part(armies[other], before)
                kept[STRENGTHS + holder] += strength_of(total, enemies, count, ground)
                kept[STRENGTHS + holder] -= strength_of(kept[PARTS + other], enemies, count, ground)
                kept[PARTS + other] = total
    state[ARMY_COUNT + 3 * count + seat] += placed
