"""Document B's four features of a position, each in [0, 1] for the seat whose view it is.

* *land*: own territories / all territories
* *armies*: own armies / all armies on the map
* *strength*: the mean over own territories x of z(x), the mean over its enemy neighbours y of
  u(x) / (u(x) + u(y)); 1 where there are none
* *safety*: 1 - the mean over own territories of p(x) = enemy neighbours / all neighbours

A seat without territories has 0 in all of them. Neighbours are as in `draft`. They are computed in whole
numbers of 2^-30, the same that the search keeps up to date. All functions raise ValueError as `draft.Ground`
does.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .draft import Ground
from .kernels import features as kernels
from .kernels.draft import ONE
from .worldmap import WorldMap


class Features(NamedTuple):
    """The four features, in the order of the weights."""

    land: float
    armies: float
    strength: float
    safety: float


NOTHING = Features(0.0, 0.0, 0.0, 0.0)
"""Those of a side that is wiped out."""


def strengths(worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike, seat: int) -> NDArray[np.float64]:
    """z of each territory of ``seat``, float64, shape (T,); zero for others' territories."""
    studied = _Studied(Ground(worldmap, owners, armies, seat), seat)
    held = studied.held
    parts, enemies = studied.parts[held], studied.enemies[held]
    found = np.zeros(len(held))
    found[held] = np.where(enemies > 0, parts / np.maximum(enemies, 1) / ONE, 1.0)
    return found


def exposures(worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike, seat: int) -> NDArray[np.float64]:
    """p of each territory of ``seat``, float64, shape (T,); zero for others' territories."""
    ground = Ground(worldmap, owners, armies, seat)
    studied = _Studied(ground, seat)
    neighbours = np.diff(ground.ground[: len(studied.held) + 1])
    return np.asarray(np.where(studied.held, studied.enemies / neighbours, 0.0))


def features(worldmap: WorldMap, owners: ArrayLike, armies: ArrayLike, seat: int) -> Features:
    """All four, for ``seat``.

    Args:
        worldmap: the map.
        owners, armies: integers, shape (T,), as in a `situation.Situation`.
        seat: whose view it is.

    Raises:
        ValueError: as `draft.Ground`.
    """
    ground = Ground(worldmap, owners, armies, seat)
    studied = _Studied(ground, seat)
    land = int(studied.held.sum())
    if not land:
        return NOTHING
    whole = land * ONE
    return Features(
        land / len(studied.held),
        int(ground.armies[studied.held].sum()) / int(ground.armies[ground.owners >= 0].sum()),
        studied.strength / whole,
        1.0 - studied.exposure / whole,
    )


class _Studied:
    """What the kernels count for one seat."""

    def __init__(self, ground: Ground, seat: int) -> None:
        count = len(ground.owners)
        kept = np.zeros(kernels.KEPT_WORDS + 2 * count, np.int64)
        kernels.study_all(ground.owners, ground.armies, ground.ground, seat, kept)
        self.held = ground.owners == seat
        self.parts = kept[kernels.PARTS : kernels.PARTS + count]
        self.enemies = kept[kernels.PARTS + count :]
        self.strength = int(kept[kernels.STRENGTHS + seat])
        self.exposure = int(kept[kernels.EXPOSURES + seat])
