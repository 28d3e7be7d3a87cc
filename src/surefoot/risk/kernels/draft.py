"""Document B's draft heuristic: new armies go where the enemy's threaten most.

Positions are two arrays, int32, shape (T,): ``owner`` and ``armies``. Whoever is not an enemy is nobody: what
fog hides threatens nothing. A territory's neighbours are those from which it can be attacked, listed by
`list_near`.
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .layout import NEAR, TERRITORIES

RATIO_ONE = 1 << 30
"""A border security ratio of 1. Ratios are whole numbers, so that equal ones compare as equal."""

_SHARE_BITS = 20
_SHARE_ONE = 1 << _SHARE_BITS


@kernel
def list_near(world, starts, near):
    """List from where each territory can be attacked; where every border goes both ways, its neighbours.

    Args:
        starts: int64, shape (T + 1,) at least: where the list of each territory begins, and the last ends.
        near: int64, as long as there are borders at least, each direction counted.
    """
    count = np.int64(world[TERRITORIES])
    row = np.int64(world[NEAR])
    for t in range(count + 1):
        starts[t] = 0
    for place in range(world[row], world[row + count]):
        starts[world[place] + 1] += 1
    for t in range(count):
        starts[t + 1] += starts[t]
    # Each start is moved on while its list is filled, which leaves it where the next list begins.
    for t in range(count):
        for place in range(world[row + t], world[row + t + 1]):
            target = np.int64(world[place])
            near[starts[target]] = t
            starts[target] += 1
    for t in range(count, 0, -1):
        starts[t] = starts[t - 1]
    starts[0] = 0


@inlined
def threat(owner, armies, starts, near, t):
    """BST: enemy armies on the neighbours of territory ``t``."""
    seat = owner[t]
    found = np.int64(0)
    for place in range(starts[t], starts[t + 1]):
        other = near[place]
        if owner[other] >= 0 and owner[other] != seat:
            found += armies[other]
    return found


@kernel
def count_threat(owner, armies, starts, near, t):
    """The same, for callers outside the kernels."""
    return threat(owner, armies, starts, near, t)


@kernel
def ratios(owner, armies, starts, near, seat, most, ratio, order):
    """Fill in BSR of the territories of ``seat``, and sort the upper half by it.

    Args:
        starts, near: see `list_near`.
        most: territories with so many armies have no room and are left out.
        ratio: int64, shape (T,) at least, filled for own territories: threat / armies, in `RATIO_ONE`.
        order: int64, shape (T,) at least, filled from the front: the largest ratio first, the lower number
            first among equals.

    Returns:
        how many were sorted: half of those that were not left out, rounded up.
    """
    kept = np.int64(0)
    for t in range(owner.shape[0]):
        kept += owner[t] == seat and armies[t] < most
    kept -= kept // 2
    found = np.int64(0)
    for t in range(owner.shape[0]):
        if owner[t] != seat or armies[t] >= most:
            continue
        mine = np.int64(threat(owner, armies, starts, near, t) / armies[t] * RATIO_ONE)
        ratio[t] = mine
        if found == kept:
            if mine <= ratio[order[found - 1]]:
                continue
            found -= 1
        place = found
        while place > 0 and ratio[order[place - 1]] < mine:
            order[place] = order[place - 1]
            place -= 1
        order[place] = t
        found += 1
    return kept


@kernel
def spread(owner, armies, starts, near, seat, units, most, ratio, order, shares):
    """Divide ``units`` among the territories of ``seat``.

    The lower half by BSR, rounded down, gets nothing; the others get their part of the units by BSR, in whole
    units: each its part rounded down, then one more for the largest remainders, the lower number first among
    equals. If none of them is threatened they share alike. What finds no room is not placed.

    Args:
        starts, near, most, ratio, order: see `ratios`.
        shares: int64, shape (T,) at least, filled: the units for each territory.

    Returns:
        how many units were placed.
    """
    for t in range(owner.shape[0]):
        shares[t] = 0
    if units <= 0:
        return np.int64(0)
    kept = ratios(owner, armies, starts, near, seat, most, ratio, order)
    if kept == 0:
        return np.int64(0)
    total = 0.0
    for rank in range(kept):
        total += ratio[order[rank]]
    if total == 0.0:
        total = float(kept)
        for rank in range(kept):
            ratio[order[rank]] = 1
    # In whole parts of 2^-20, so that equal remainders compare as equal whatever float64 made of them.
    left = np.int64(units)
    scale = units / total * _SHARE_ONE
    for rank in range(kept):
        t = order[rank]
        part = np.int64(ratio[t] * scale + 0.5)
        shares[t] = part >> _SHARE_BITS
        ratio[t] = part & (_SHARE_ONE - 1)
        left -= shares[t]
    while left > 0:
        best = order[0]
        for rank in range(1, kept):
            t = order[rank]
            if ratio[t] > ratio[best] or (ratio[t] == ratio[best] and t < best):
                best = t
        shares[best] += 1
        ratio[best] = -1
        left -= 1
    placed = np.int64(0)
    for rank in range(kept):
        t = order[rank]
        shares[t] = min(shares[t], most - armies[t])
        placed += shares[t]
    return placed
