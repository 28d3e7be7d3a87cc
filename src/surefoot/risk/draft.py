"""Document B's draft heuristic, number by number.

For each own territory x with u(x) armies, the *border security threat* BST(x) is the number of enemy armies
on its neighbours, the *ratio* BSR(x) is BST(x) / u(x), and NBSR(x) is BSR(x) over the sum of all that are
kept: the lower half is set to zero. New armies go to x in proportion to NBSR(x). Where the document is
silent:

* half of n territories is n // 2 of them; of equal ratios that of the higher number is set to zero first;
* armies are whole: each territory gets its part rounded down, then those with the largest remainders one
  more, the lower number first among equals, until all are placed; remainders are compared to 2^-20;
* when nobody is threatened, all ratios are taken as equal;
* a neighbour is a territory from which this one can be attacked, and what fog hides is no enemy;
* under rules with a limit of armies, territories that are full are left out.

All functions take a map, ``owners`` and ``armies`` (any integers, shape (T,), such as those of a
`situation.Situation`) and a seat, and return float64 or int64 arrays of shape (T,), zero for others'
territories. They raise ValueError as `Ground` does.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .kernels import draft as kernels
from .kernels import layout
from .worldmap import WorldMap

_OWNERS = frozenset({layout.HIDDEN, layout.NOBODY, *range(layout.MAX_SEATS)})


class Ground:
    """A position as the kernels of the draft and the features take it, looked at by ``seat``.

    Raises:
        ValueError: there is no such seat, owners or armies are not one whole number for each territory, an
            owner is none, or an owned territory has no army or more than there can be.
    """

    def __init__(self, worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike, seat: int) -> None:
        count = len(worldmap.territories)
        if not 0 <= seat < layout.MAX_SEATS:
            raise ValueError(f"there is no seat {seat}: they are 0 to {layout.MAX_SEATS - 1}")
        self.owners = _whole("owners", owners, worldmap)
        self.armies = _whole("armies", armies, worldmap)
        for t in range(count):
            owner, there = self.owners[t], self.armies[t]
            if owner not in _OWNERS:
                raise ValueError(f"{worldmap.key_of(t)} is owned by {owner}, which is no seat")
            if owner >= 0 and not 1 <= there <= layout.MAX_ARMIES:
                raise ValueError(
                    f"{worldmap.key_of(t)} is owned: 1 to {layout.MAX_ARMIES} armies are there, not {there}"
                )
        self.ground = np.zeros(len(worldmap.world), np.int64)
        kernels.list_ground(worldmap.world, self.ground)


def _whole(name: str, numbers: ArrayLike, worldmap: WorldMap) -> NDArray[np.int32]:
    found = np.asarray(numbers)
    count = len(worldmap.territories)
    if found.shape != (count,):
        raise ValueError(f"{name} has shape {found.shape}, but {worldmap.name} has {count} territories")
    if found.dtype.kind not in "iu":
        raise ValueError(f"{name} are whole numbers, not {found.dtype}")
    return np.array(found, np.int32)


def threats(worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike, seat: int) -> NDArray[np.int64]:
    """BST: the enemy armies around each territory of ``seat``."""
    ground = Ground(worldmap, owners, armies, seat)
    found = np.zeros(len(ground.owners), np.int64)
    for t in np.flatnonzero(ground.owners == seat):
        found[t] = kernels.count_threat(ground.owners, ground.armies, ground.ground, int(t))
    return found


def ratios(worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike, seat: int) -> NDArray[np.float64]:
    """BSR: the threat over the armies of each territory of ``seat``, to 2^-40, and 2^12 at the most."""
    listed = _Listed(Ground(worldmap, owners, armies, seat), seat)
    found = np.zeros(listed.territories)
    found[listed.order[: listed.own]] = listed.ratio[: listed.own] / kernels.RATIO_ONE
    return found


def normalised(worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike, seat: int) -> NDArray[np.float64]:
    """NBSR: the ratios of the upper half over their sum; the lower half is zero."""
    listed = _Listed(Ground(worldmap, owners, armies, seat), seat)
    chosen, kept = np.zeros((2, listed.territories), np.int64)
    number = kernels.keep_upper_half(listed.own, listed.order, listed.ratio, chosen, kept)
    parts = kept[:number] if kept[:number].any() else np.ones(number)
    shares = np.zeros(listed.territories)
    shares[chosen[:number]] = parts / max(parts.sum(), 1)
    return shares


def draft(
    worldmap: WorldMap,
    owners: ArrayLike,
    armies: ArrayLike,
    seat: int,
    units: int,
    most: int = layout.MAX_ARMIES,
) -> NDArray[np.int64]:
    """How many of ``units`` new armies the heuristic places on each territory of ``seat``.

    Args:
        worldmap, owners, armies, seat: see above.
        units: new armies, 0 or more.
        most: armies in one territory at the most; what finds no room is not placed.

    Raises:
        ValueError: also if ``units`` is less than 0, or more than a territory can hold.
    """
    if not 0 <= units <= layout.MAX_ARMIES:
        raise ValueError(f"units are 0 to {layout.MAX_ARMIES}, not {units}")
    ground = Ground(worldmap, owners, armies, seat)
    order, ratio, chosen, shares, placed = np.zeros((5, len(ground.owners)), np.int64)
    number = kernels.spread(
        ground.owners, ground.armies, ground.ground, seat, units, most, order, ratio, chosen, shares
    )
    placed[chosen[:number]] = shares[:number]
    return placed


class _Listed:
    """The territories of a seat and their ratios, as the kernels list them."""

    def __init__(self, ground: Ground, seat: int) -> None:
        self.territories = len(ground.owners)
        self.order, self.ratio = np.zeros((2, self.territories), np.int64)
        most = layout.MAX_ARMIES + 1
        self.own = int(
            kernels.ratios(ground.owners, ground.armies, ground.ground, seat, most, self.order, self.ratio)
        )
