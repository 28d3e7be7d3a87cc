"""Layouts drawn by lot from all that agree with a position.

The method is told in `kernels.sample`: no draw is thrown away, and none depends on the one before.
"""

import numpy as np
from numpy.typing import NDArray

from .kernels import deduce, frontier, sample
from .observation import Observation
from .probability import weigh

_DRAWS_AT_ONCE = 1 << 20
"""Random numbers that are kept at a time; the layouts do not depend on it."""


def sample_layouts(observation: Observation, n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw ``n`` layouts, each from all that agree with the position and its mine count, all as likely.

    When the mine count is not told, layouts of any number of mines are drawn, again all as likely. A flag is
    no evidence of a mine.

    Returns:
        bool, shape (n, height, width): where mines lie.

    Raises:
        Contradiction: no layout agrees with the position; the message names numbers that cannot all be.
        TooComplex: the count would exceed the work limit; the message names the component.
        ValueError: ``n`` is negative.
    """
    if n < 0:
        raise ValueError(f"there is no drawing {n} layouts")
    space = weigh(observation)
    layouts = np.empty((n, observation.cells.size), np.uint8)
    scratch, places = space.scratch, space.view.shape[1]
    own = (
        np.empty(scratch.keys.shape[1], np.int32),
        np.empty(scratch.steps.shape[1], np.int32),
        np.empty((sample.SHARE_ROWS, places), np.int64),
        np.empty(places, np.float64),
    )
    extent = scratch.extent
    draws = int(extent[frontier.COMPONENTS] + extent[frontier.GROUPS] + space.tally[deduce.UNKNOWNS])
    rows = max(_DRAWS_AT_ONCE // draws, 1)
    for first in range(0, n, rows):
        part = layouts[first : first + rows]
        sample.draw_layouts(
            rng.random((len(part), draws)),
            space.view,
            space.tally,
            scratch,
            *own,
            part,
        )
    return layouts.view(np.bool_).reshape(n, *observation.cells.shape)
