"""Document B's four features, counted in whole numbers so that they can be kept up to date exactly.

For a territory x with u armies and enemy neighbours y, *strength* is the mean of u(x) / (u(x) + u(y)), 1 where
there are none, and *exposure* is the number of enemy neighbours over that of all neighbours. Each quotient is a
whole number of 2^-30, and sums of whole numbers do not depend on the order of adding: a value that is kept up
to date along a game is, bit by bit, the value that is counted afresh. See `draft` for the position's arrays.
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .layout import ARMY_COUNT, MAX_SEATS, NEAR, OWNER, SEATS, TERRITORIES, TERRITORY_COUNT
from .turn import own

ONE_BITS = 30
ONE = 1 << ONE_BITS
"""A strength, an exposure or a weighted value of 1."""

# Words of a vector of weights.
LAND = 0  # own territories / all
ARMIES = 1  # own armies / all
STRENGTH = 2  # the mean strength of own territories
SAFETY = 3  # 1 - their mean exposure
FEATURES = 4

EVERY_SEAT = -1
"""Stands for a seat where the features of all seats are kept."""


@inlined
def part(armies, enemy):
    """What one enemy neighbour adds to a strength, before the mean is taken."""
    return np.int64(armies / (armies + enemy) * ONE)


@kernel
def list_quotients(starts, count, inverse, unit):
    """Fill in what is divided by again and again.

    Args:
        starts: see `draft.list_near`.
        count: T.
        inverse: int64, shape (T,) at least, filled: 1 / n for n from 1, in `ONE`.
        unit: int64, shape (T,) at least, filled: what one enemy adds to the exposure of each territory.
    """
    inverse[0] = 0
    for number in range(1, count):
        inverse[number] = ONE // number
    for t in range(count):
        unit[t] = inverse[max(starts[t + 1] - starts[t], 1)]


@inlined
def strength_of(total, enemies, inverse):
    """The mean of ``enemies`` parts that add up to ``total``."""
    return total * inverse[enemies] >> ONE_BITS if enemies else np.int64(ONE)


@inlined
def is_kept(seat, kept):
    """Whether the features of ``seat`` are kept up to date: those of one seat, or of all."""
    return seat == kept or (kept == EVERY_SEAT and seat >= 0)


@kernel
def study_all(owner, armies, starts, near, inverse, unit, kept, parts, enemies, strength, exposure):
    """Fill in all that is kept, for one seat or all.

    Args:
        starts, near: see `draft.list_near`.
        inverse, unit: see `list_quotients`.
        kept: a seat, or EVERY_SEAT.
        parts, enemies: int64, shape (T,) at least, filled for the territories of that seat: the sum over enemy
            neighbours of what a strength is the mean of, and how many they are.
        strength, exposure: int64, shape (MAX_SEATS,) at least, filled: sums over the territories of a seat.
    """
    for seat in range(MAX_SEATS):
        strength[seat] = 0
        exposure[seat] = 0
    for t in range(owner.shape[0]):
        seat = owner[t]
        if not is_kept(seat, kept):
            continue
        total = np.int64(0)
        found = np.int64(0)
        for place in range(starts[t], starts[t + 1]):
            other = near[place]
            if owner[other] != seat and owner[other] >= 0:
                total += part(armies[t], armies[other])
                found += 1
        parts[t] = total
        enemies[t] = found
        strength[seat] += strength_of(total, found, inverse)
        exposure[seat] += found * unit[t]


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
def value_of(world, state, weights, strength, exposure, seat):
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
        strength[seat],
        exposure[seat],
    )


@inlined
def highest(weights):
    """The value of having won: every feature is 1."""
    return np.int64((weights[LAND] + weights[ARMIES] + weights[STRENGTH] + weights[SAFETY]) * ONE)


@inlined
def shift(
    world,
    state,
    starts,
    near,
    inverse,
    unit,
    kept,
    parts,
    enemies,
    strength,
    exposure,
    source,
    left,
    target,
    seat,
    there,
    really,
):
    """What an attack changes, made or only looked at.

    Args:
        source, left: the attacking territory, and its armies afterwards.
        target, seat, there: the attacked one, and its owner and armies afterwards.
        really: whether the state and what is kept of it are changed; taking back is a change as well. If not,
            one seat's features are to be kept.

    Returns:
        the changes of the sums of strength and exposure of the seat that is kept, where it only looks.
    """
    count = world[TERRITORIES]
    owner = state[OWNER : OWNER + count]
    armies = state[OWNER + count : OWNER + 2 * count]
    attacker = owner[source]
    before = owner[target]
    left_before = armies[source]
    there_before = armies[target]
    stronger = np.int64(0)
    barer = np.int64(0)
    row = world[NEAR]
    # Neighbours of the source alone: only its armies change for them.
    if kept != attacker:
        for place in range(world[row + source], world[row + source + 1]):
            other = world[place]
            holder = owner[other]
            if other == target or holder == attacker or not is_kept(holder, kept):
                continue
            if _leads_to(world, target, other):
                continue
            total = parts[other] + part(armies[other], left) - part(armies[other], left_before)
            more = strength_of(total, enemies[other], inverse)
            more -= strength_of(parts[other], enemies[other], inverse)
            stronger += more
            if really:
                parts[other] = total
                strength[holder] += more
    # Neighbours of the target, for which the source's armies may change as well.
    for place in range(world[row + target], world[row + target + 1]):
        other = world[place]
        holder = owner[other]
        if other == source or not is_kept(holder, kept):
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
        more = strength_of(total, found, inverse) - strength_of(parts[other], enemies[other], inverse)
        bare = (found - enemies[other]) * unit[other]
        stronger += more
        barer += bare
        if really:
            parts[other] = total
            enemies[other] = found
            strength[holder] += more
            exposure[holder] += bare
    # The two themselves.
    if is_kept(attacker, kept):
        total = np.int64(0)
        found = np.int64(0)
        for place in range(starts[source], starts[source + 1]):
            other = near[place]
            holder = seat if other == target else np.int64(owner[other])
            if holder != attacker and holder >= 0:
                total += part(left, there if other == target else np.int64(armies[other]))
                found += 1
        more = strength_of(total, found, inverse) - strength_of(parts[source], enemies[source], inverse)
        bare = (found - enemies[source]) * unit[source]
        stronger += more
        barer += bare
        if really:
            parts[source] = total
            enemies[source] = found
            strength[attacker] += more
            exposure[attacker] += bare
    if is_kept(before, kept):
        more = strength_of(parts[target], enemies[target], inverse)
        bare = enemies[target] * unit[target]
        stronger -= more
        barer -= bare
        if really:
            strength[before] -= more
            exposure[before] -= bare
    if is_kept(seat, kept):
        total = np.int64(0)
        found = np.int64(0)
        for place in range(starts[target], starts[target + 1]):
            other = near[place]
            holder = owner[other]
            if holder != seat and holder >= 0:
                total += part(there, left if other == source else np.int64(armies[other]))
                found += 1
        more = strength_of(total, found, inverse)
        bare = found * unit[target]
        stronger += more
        barer += bare
        if really:
            parts[target] = total
            enemies[target] = found
            strength[seat] += more
            exposure[seat] += bare
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


@kernel
def reinforce(owner, armies, ways, starts, near, inverse, kept, parts, enemies, strength, drafts, seat):
    """Keep up to date what armies newly placed by ``seat`` change; they are on the map already.

    Args:
        ways: the map, from which the ways out of a territory are read.
        drafts: int64, shape (T,) at least: how many armies were placed on each territory.
    """
    row = ways[NEAR]
    for t in range(owner.shape[0]):
        if drafts[t] == 0:
            continue
        if is_kept(seat, kept):
            strength[seat] -= strength_of(parts[t], enemies[t], inverse)
            total = np.int64(0)
            for place in range(starts[t], starts[t + 1]):
                other = near[place]
                if owner[other] != seat and owner[other] >= 0:
                    total += part(armies[t], armies[other])
            parts[t] = total
            strength[seat] += strength_of(total, enemies[t], inverse)
        if kept != seat:
            for place in range(ways[row + t], ways[row + t + 1]):
                other = ways[place]
                holder = owner[other]
                if holder == seat or not is_kept(holder, kept):
                    continue
                total = parts[other] + part(armies[other], armies[t])
                total -= part(armies[other], armies[t] - drafts[t])
                strength[holder] += strength_of(total, enemies[other], inverse)
                strength[holder] -= strength_of(parts[other], enemies[other], inverse)
                parts[other] = total
