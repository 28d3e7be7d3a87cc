"""Cells around points: how a map without shapes of its own is drawn.

Each territory gets what is nearer to it than to any other (its Voronoi cell), as far as a circle around it
reaches, so that the whole has a round coast and seas lie where there are no territories. Where two cells
may not be crossed into each other, a channel is left between them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import Delaunay, QhullError, cKDTree

Spot = tuple[float, float]
Pair = tuple[int, int]
"""Two points by number, the lower first."""

_WIDTH: Final = 1000.0
_HEIGHT: Final = 680.0
_CORNERS: Final = 36  # of the polygons that stand for circles
_CHANNEL: Final = 6.0
_MARGIN: Final = 30.0  # sea around the cells
_WIDEST: Final = 110.0  # points lie no further apart, however few they are
_GOLDEN: Final = math.pi * (3 - math.sqrt(5))  # the angle that spreads points evenly
_ROUNDS: Final = 60


@dataclass(frozen=True, slots=True)
class Plan:
    """What `layout` finds.

    Args:
        width: of the picture, in units.
        height: of the picture, in units.
        cells: the convex polygon of each point.
        touching: the pairs that share an edge long enough to be seen.
        spacing: how far apart neighbouring points lie, in units.
    """

    width: float
    height: float
    cells: tuple[tuple[Spot, ...], ...]
    touching: frozenset[Pair]
    spacing: float


def layout(positions: Sequence[Spot], joined: set[Pair], near: set[Pair]) -> Plan:
    """Cells for points in any unit, wherever they lie: on one another, in a row, or all in one place.

    Args:
        positions: two points or more.
        joined: the pairs whose cells may touch.
        near: the pairs between which a border runs; circles reach far enough to touch where they can.
    """
    points = _spread(_scaled(np.array(positions, np.float64)))
    triangles = _triangles(points)
    spacing = float(np.median([math.dist(points[a], points[b]) for a, b in sorted(triangles)]))
    if spacing > _WIDEST:
        points, spacing = points * (_WIDEST / spacing), _WIDEST
    neighbours: list[list[int]] = [[] for _ in positions]
    for a, b in sorted(triangles):
        neighbours[a].append(b)
        neighbours[b].append(a)
    drawn = [
        _cell(number, points, neighbours[number], joined, near, spacing) for number in range(len(points))
    ]
    touching = {pair for pair in triangles & joined if _shared(drawn, *pair) > spacing / 12}
    corners = np.array([corner for cell, _ in drawn for corner in cell])
    west, north = corners.min(axis=0) - _MARGIN
    east, south = corners.max(axis=0) + _MARGIN
    moved = tuple(tuple((x - west, y - north) for x, y in cell) for cell, _ in drawn)
    return Plan(float(east - west), float(south - north), moved, frozenset(touching), spacing)


def nearest(places: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far from each place the nearest of the others is; shapes (n, 2), (m, 2) and (n,)."""
    return np.asarray(cKDTree(others).query(places)[0])


def _scaled(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Into the picture; points that are all in one place become a sunflower."""
    points = points - points.min(axis=0)
    reach = points.max(axis=0)
    if reach.max() == 0:
        steps = np.arange(len(points))
        turn = steps * _GOLDEN
        points = np.sqrt(steps)[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
        points -= points.min(axis=0)
        reach = points.max(axis=0)
    scale = min(size / side for size, side in zip((_WIDTH, _HEIGHT), reach) if side > 0)
    return np.asarray(points * scale)


def _spread(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Push apart what lies too close for a badge, and everything out of line by a hair.

    Points on a line or on a circle leave the triangles between them open; the hair decides, always alike.
    """
    count = len(points)
    reach = points.max(axis=0)
    apart = 0.5 * math.sqrt(max(reach[0], 60.0) * max(reach[1], 60.0) / count)
    turn = np.arange(count) * _GOLDEN
    points = points + 1e-3 * apart * np.column_stack([np.cos(turn), np.sin(turn)])
    for _ in range(_ROUNDS):
        pairs = cKDTree(points).query_pairs(apart, output_type="ndarray")
        if not len(pairs):
            break
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        between = points[pairs[:, 1]] - points[pairs[:, 0]]
        distance = np.maximum(np.hypot(between[:, 0], between[:, 1]), 1e-9)
        push = between * ((apart * 1.02 - distance) / distance / 2)[:, None]
        points = points.copy()
        np.add.at(points, pairs[:, 1], push / 2)
        np.add.at(points, pairs[:, 0], -push / 2)
    return points


def _triangles(points: NDArray[np.float64]) -> set[Pair]:
    """The pairs of points whose cells could meet."""
    count = len(points)
    try:
        corners = Delaunay(points).simplices.tolist() if count > 3 else []
    except QhullError:
        corners = []
    found = {_pair(a, b) for x, y, z in corners for a, b in ((x, y), (y, z), (z, x))}
    # A point that the triangulation leaves out, as being too close to another, is compared with all.
    left_out = set(range(count)) - {number for pair in found for number in pair}
    return found | {_pair(a, b) for a in left_out for b in range(count) if a != b}


def _cell(
    number: int,
    points: NDArray[np.float64],
    neighbours: list[int],
    joined: set[Pair],
    near: set[Pair],
    spacing: float,
) -> tuple[list[Spot], list[int]]:
    """The corners of a cell, and for the side after each corner who lies behind it (-1: the sea)."""
    x, y = points[number].tolist()
    reach = [math.dist((x, y), points[b]) for b in neighbours if _pair(number, b) in near]
    radius = min(max([0.7 * spacing, *(0.6 * d for d in reach)]), 1.1 * spacing)
    turns = [2 * math.pi * k / _CORNERS for k in range(_CORNERS)]
    cell = [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]
    sides = [-1] * _CORNERS
    for other in neighbours:
        dx, dy = points[other][0] - x, points[other][1] - y
        distance = math.hypot(dx, dy)
        channel = 0.0 if _pair(number, other) in joined else min(_CHANNEL, distance / 4)
        cell, sides = _cut(
            cell, sides, (x, y), (dx / distance, dy / distance), (distance - channel) / 2, other
        )
    return cell, sides


def _shared(drawn: Sequence[tuple[list[Spot], list[int]]], a: int, b: int) -> float:
    """How long the border of two cells is: as far as both have a side there, since circles differ in size."""
    spans = []
    for number, other in ((a, b), (b, a)):
        cell, sides = drawn[number]
        if other not in sides:
            return 0.0
        k = sides.index(other)
        spans.append((cell[k], cell[(k + 1) % len(cell)]))
    (begin, end), back = spans
    length = math.dist(begin, end)
    if length == 0:
        return 0.0
    dx, dy = (end[0] - begin[0]) / length, (end[1] - begin[1]) / length
    along = [(x - begin[0]) * dx + (y - begin[1]) * dy for x, y in back]
    return min(length, max(along)) - max(0.0, min(along))


def _cut(
    cell: list[Spot], sides: list[int], origin: Spot, toward: Spot, limit: float, other: int
) -> tuple[list[Spot], list[int]]:
    """What of a convex polygon goes no further than ``limit`` from ``origin`` in the direction ``toward``."""
    over = [(px - origin[0]) * toward[0] + (py - origin[1]) * toward[1] - limit for px, py in cell]
    corners: list[Spot] = []
    behind: list[int] = []
    for k, (corner, side) in enumerate(zip(cell, sides)):
        after = (k + 1) % len(cell)
        if over[k] <= 0:
            corners.append(corner)
            behind.append(side)
        if (over[k] <= 0) != (over[after] <= 0):
            share = over[k] / (over[k] - over[after])
            px, py = corner
            qx, qy = cell[after]
            corners.append((px + (qx - px) * share, py + (qy - py) * share))
            behind.append(other if over[k] <= 0 else side)
    return corners, behind


def _pair(a: int, b: int) -> Pair:
    return (a, b) if a < b else (b, a)
