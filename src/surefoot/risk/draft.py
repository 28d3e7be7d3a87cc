"""Document B's draft heuristic, number by number.

For each own territory x with u(x) armies, the *border security threat* BST(x) is the number of enemy armies on
its neighbours, the *ratio* BSR(x) is BST(x) / u(x), and NBSR(x) is BSR(x) over the sum of all that are kept:
the lower half is set to zero. New armies go to x in proportion to NBSR(x). Where the document is silent:

* half of n territories is n // 2 of them; among equal ratios the territory of the higher number loses it first;
* armies are whole: each territory gets its part rounded down, then those with the largest remainders one
  more, the lower number first among equals, until all are placed;
* when nobody is threatened, all ratios are taken as equal;
* a neighbour is a territory from which this one can be attacked, and what fog hides is no enemy;
* under rules with a limit of armies, territories that are full are left out.

All functions take a map, ``owners`` and ``armies`` (any integers, shape (T,), such as those of a
`situation.Situation`) and a seat, and return float64 or int64 arrays of shape (T,), zero for others' territories.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .kernels import draft as kernels
from .kernels import layout
from .worldmap import WorldMap


class Ground:
    """A position as the kernels of the draft and the features take it.

    Raises:
        ValueError: owners or armies are not one number for each territory, or an owned territory is empty.
    """

    def __init__(self, worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike) -> None:
        count = len(worldmap.territories)
        self.owners = np.array(owners, np.int32)
        self.armies = np.array(armies, np.int32)
        for name, numbers in (("owners", self.owners), ("armies", self.armies)):
            if numbers.shape != (count,):
                raise ValueError(f"{name} has shape {numbers.shape}, but {worldmap.name} {count} territories")
        empty = np.flatnonzero((self.owners >= 0) & (self.armies < 1))
        if len(empty):
            raise ValueError(f"{worldmap.key_of(int(empty[0]))} is owned, but has no army")
        self.starts = np.zeros(count + 1, np.int64)
        self.near = np.zeros(len(worldmap.world), np.int64)
        kernels.list_near(worldmap.world, self.starts, self.near)


def threats(worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike, seat: int) -> NDArray[np.int64]:
    """BST: the enemy armies around each territory of ``seat``."""
    ground = Ground(worldmap, owners, armies)
    found = np.zeros(len(ground.owners), np.int64)
    for t in np.flatnonzero(ground.owners == seat):
        found[t] = kernels.count_threat(ground.owners, ground.armies, ground.starts, ground.near, int(t))
    return found


def ratios(worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike, seat: int) -> NDArray[np.float64]:
    """BSR: the threat over the armies of each territory of ``seat``, to 2^-30."""
    ratio, _ = _ranked(worldmap, owners, armies, seat)
    return ratio / kernels.RATIO_ONE


def normalised(worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike, seat: int) -> NDArray[np.float64]:
    """NBSR: the ratios of the upper half over their sum; the lower half is zero."""
    ratio, kept = _ranked(worldmap, owners, armies, seat)
    shares = np.zeros(len(ratio))
    shares[kept] = ratio[kept] if ratio[kept].any() else 1
    return shares / max(shares.sum(), 1)


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
    """
    ground = Ground(worldmap, owners, armies)
    ratio, order, shares = np.zeros((3, len(ground.owners)), np.int64)
    kernels.spread(
        ground.owners, ground.armies, ground.starts, ground.near, seat, units, most, ratio, order, shares
    )
    return shares


def _ranked(
    worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike, seat: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The ratios, in `RATIO_ONE`, and the territories of the upper half by them, the largest first."""
    ground = Ground(worldmap, owners, armies)
    ratio, order = np.zeros((2, len(ground.owners)), np.int64)
    most = layout.MAX_ARMIES + 1
    found = kernels.ratios(
        ground.owners, ground.armies, ground.starts, ground.near, seat, most, ratio, order
    )
    return ratio, order[:found]
