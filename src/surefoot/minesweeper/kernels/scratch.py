"""The arrays in which a position is counted, under one name.

Numba passes a named tuple of arrays as the arrays themselves. What each holds is told where it is filled:
``table`` and ``extent`` in `frontier`, the others in `count` and `combine`.
"""

from typing import Any, NamedTuple

from numpy.typing import NDArray


class Scratch(NamedTuple):
    """Filled by one count and overwritten by the next.

    Args:
        table: int32, shape (TABLE_ROWS, places): every list of places, numbers, groups and components.
        extent: int64: the sizes of those lists.
        keys: int64, shape (2, states).
        mass: float64, shape (2, states).
        steps: int32, shape (3, transitions).
        memo: int64, a power of two at least twice the states.
        tree: float64, shape (2, size).
        odds: float64, shape (places,): of each group's cells, the probability of a mine.
        weights: float64: what holds of the whole position.
    """

    table: NDArray[Any]
    extent: NDArray[Any]
    keys: NDArray[Any]
    mass: NDArray[Any]
    steps: NDArray[Any]
    memo: NDArray[Any]
    tree: NDArray[Any]
    odds: NDArray[Any]
    weights: NDArray[Any]
