"""Document B's draft heuristic: new armies go where the enemy's threaten most.

Positions are two arrays, int32, shape (T,): ``owner`` and ``armies``. Whoever is not an enemy is nobody: what
fog hides threatens nothing. A territory's neighbours are those from which it can be attacked; where every
border goes both ways, simply its neighbours. They are listed in ``ground`` by `list_ground`.
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .layout import NEAR, TERRITORIES

ONE_BITS = 30
ONE = 1 << ONE_BITS
"""A quotient, a strength or a weighted value of 1: whole numbers, so that equal ones compare as equal."""

RATIO_ONE = 1 << 40
"""The same for a border security ratio, which decides more finely."""
_MOST_RATIO = 1 << 52
"""2^12; so large that no sum of them overflows."""

_SHARE_BITS = 20
_SHARE_ONE = 1 << _SHARE_BITS
_PLACE_BITS = 10
_LAST_PLACE = (1 << _PLACE_BITS) - 1
"""There are fewer territories."""

# Where the blocks of ``ground`` lie, for T territories:
#   starts[t]      ground[t]: neighbours of t are ground[ground[t] : ground[t + 1]]
#   quotients[n]   ground[QUOTIENTS + T + n]: 1 / n for n from 1, in ONE
#   units[t]       ground[UNITS + 2 * T + t]: what one enemy adds to the exposure of t
QUOTIENTS = 1
UNITS = 1
_NEIGHBOURS = 1  # ground[_NEIGHBOURS + 3 * T], where the first list begins


@kernel
def list_ground(world, ground):
    """List from where each territory can be attacked, and what is divided by again and again.

    Args:
        ground: int64, as long as ``world`` at least, filled.
    """
    count = np.int64(world[TERRITORIES])
    row = np.int64(world[NEAR])
    for t in range(count + 1):
        ground[t] = 0
    for place in range(world[row], world[row + count]):
        ground[world[place] + 1] += 1
    ground[0] = _NEIGHBOURS + 3 * count
    for t in range(count):
        ground[t + 1] += ground[t]
    # Each start is moved on while its list is filled, which leaves it where the next list begins.
    for t in range(count):
        for place in range(world[row + t], world[row + t + 1]):
            target = np.int64(world[place])
            ground[ground[target]] = t
            ground[target] += 1
    for t in range(count, 0, -1):
        ground[t] = ground[t - 1]
    ground[0] = _NEIGHBOURS + 3 * count
    ground[QUOTIENTS + count] = 0
    for number in range(1, count):
        ground[QUOTIENTS + count + number] = ONE // number
    for t in range(count):
        ground[UNITS + 2 * count + t] = ONE // max(ground[t + 1] - ground[t], 1)


@inlined
def threat(owner, armies, ground, t):
    """BST: enemy armies on the neighbours of territory ``t``."""
    seat = owner[t]
    found = np.int64(0)
    for place in range(ground[t], ground[t + 1]):
        other = ground[place]
        # Without a branch, which would be guessed wrong half of the time.
        found += armies[other] * ((owner[other] >= 0) & (owner[other] != seat))
    return found


@kernel
def count_threat(owner, armies, ground, t):
    """The same, for callers outside the kernels."""
    return threat(owner, armies, ground, t)


@kernel
def ratios(owner, armies, ground, seat, most, order, ratio):
    """List the territories of ``seat`` with their BSR.

    Args:
        ground: see `list_ground`.
        most: territories with so many armies have no room and are left out.
        order: int64, shape (T,) at least, filled from the front: the territories, in rising order.
        ratio: int64, shape (T,) at least, filled from the front: threat / armies of each, in `RATIO_ONE`,
            2^12 at the most.

    Returns:
        how many they are.
    """
    own = np.int64(0)
    for t in range(owner.shape[0]):
        # Written first and counted if it belongs there: a branch would be guessed wrong too often.
        order[own] = t
        own += (owner[t] == seat) & (armies[t] < most)
    for place in range(own):
        t = order[place]
        ratio[place] = np.int64(min(threat(owner, armies, ground, t) / armies[t] * RATIO_ONE, _MOST_RATIO))
    return own


@kernel
def keep_upper_half(own, order, ratio, kept_order, kept_ratio):
    """Leave the lower half out, rounded down; among equals the higher number goes first.

    Args:
        own, order, ratio: as `ratios` gives and fills them.
        kept_order, kept_ratio: int64, shape (T,) at least, filled from the front with those that stay.

    Returns:
        how many stay.
    """
    most = own - own // 2
    found = np.int64(0)
    for place in range(own):
        mine = ratio[place]
        rank = np.int64(0)
        for other in range(place):
            rank += ratio[other] >= mine
        for other in range(place + 1, own):
            rank += ratio[other] > mine
        kept_order[found] = order[place]
        kept_ratio[found] = mine
        found += rank < most
    return found


@kernel
def spread(owner, armies, ground, seat, units, most, order, ratio, chosen, shares):
    """Divide ``units`` among the territories of ``seat``.

    The lower half by BSR, rounded down, gets nothing; the others get their part of the units by BSR, in whole
    units: each its part rounded down, then one more for the largest remainders, the lower number first among
    equals. If none of them is threatened they share alike. What finds no room is not placed.

    Args:
        ground, most, order, ratio: see `ratios`; the last two are room.
        chosen: int64, shape (T,) at least, filled from the front: who has a part, in rising order.
        shares: int64, shape (T,) at least, filled from the front: the units of each.

    Returns:
        how many were chosen.
    """
    if units <= 0:
        return np.int64(0)
    own = ratios(owner, armies, ground, seat, most, order, ratio)
    kept = keep_upper_half(own, order, ratio, chosen, shares)
    total = np.int64(0)
    for place in range(kept):
        total += shares[place]
    if total == 0:
        total = kept
        for place in range(kept):
            shares[place] = 1
    # In whole parts of 2^-20, so that equal remainders compare as equal whatever float64 made of them.
    left = np.int64(units)
    scale = units / max(total, 1) * _SHARE_ONE
    for place in range(kept):
        part = np.int64(shares[place] * scale + 0.5)
        shares[place] = part >> _SHARE_BITS
        left -= shares[place]
        # One number says both which remainder is larger and, among equals, which comes first.
        ratio[place] = (part & (_SHARE_ONE - 1)) << _PLACE_BITS | (_LAST_PLACE - place)
    for place in range(kept):
        rank = np.int64(0)
        for other in range(kept):
            rank += ratio[other] > ratio[place]
        shares[place] += rank < left
    for place in range(kept):
        shares[place] = min(shares[place], most - armies[chosen[place]])
    return kept
