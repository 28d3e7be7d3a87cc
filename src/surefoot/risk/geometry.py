"""Where everything of a map is drawn: the page and the still pictures read the same shapes.

The classic world has shapes made from real coasts (``data/shapes/classic.json``, see
``tools/make_shapes.py``), grids are squares, and any other map is drawn from the positions of its
territories. In each picture territories that touch have a border; every other border is drawn as a link.
"""

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .worldmap import WorldMap

if TYPE_CHECKING:
    from .cells import Plan

Spot = tuple[float, float]
"""A place in the picture: x and y from the top left, in units."""

_WIDTH: Final = 1000.0
_BADGE: Final = 9.0
_FONT_TO_BADGE: Final = 0.82
_LANDING: Final = 9.0  # how far a link reaches into a cell


@dataclass(frozen=True, slots=True)
class Link:
    """A border between territories that do not touch in the picture.

    Args:
        a: a territory.
        b: the other.
        path: SVG path data of the line between them.
        one_way: whether it leads from ``a`` to ``b`` only.
    """

    a: int
    b: int
    path: str
    one_way: bool = False


@dataclass(frozen=True, slots=True)
class Geometry:
    """How a map is drawn, in units of its own; one territory or continent after the other, by number.

    Args:
        width: of the picture.
        height: of the picture.
        shapes: SVG path data of each territory.
        anchors: the middle of each army badge, on its territory.
        labels: where the first line of each territory's name stands: the middle of its base line.
        names: the lines of each territory's name, 1.1 `font` apart.
        afloat: for each name whether it stands in the sea beside its territory.
        links: the borders that cannot be seen from shapes that touch.
        divides: SVG path data of the borders by land between continents; may be empty.
        continents: the middle of the name of each continent.
        badge: radius of an army badge.
        font: height of the letters of the territories' names.
    """

    width: float
    height: float
    shapes: tuple[str, ...]
    anchors: tuple[Spot, ...]
    labels: tuple[Spot, ...]
    names: tuple[tuple[str, ...], ...]
    afloat: tuple[bool, ...]
    links: tuple[Link, ...]
    divides: str
    continents: tuple[Spot, ...]
    badge: float
    font: float

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON takes it."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        links = [{"a": k.a, "b": k.b, "path": k.path, "oneWay": k.one_way} for k in self.links]
        return plain | {"links": links}


@lru_cache(maxsize=64)
def geometry(worldmap: WorldMap) -> Geometry:
    """How ``worldmap`` is drawn. The same map is always drawn the same."""
    grid = re.fullmatch(r"grid-([0-9]+)x([0-9]+)", worldmap.name)
    if grid is not None and worldmap == WorldMap.grid(int(grid[1]), int(grid[2])):
        return _grid(worldmap, int(grid[1]), int(grid[2]))
    return _classic(worldmap) or _from_positions(worldmap)


def wrapped(name: str) -> tuple[str, ...]:
    """A name in one line, or in two as even as they come."""
    words = name.split()
    cuts = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    return min(cuts, key=lambda cut: max(map(len, cut))) if cuts else (name,)


def outline(corners: Iterable[Spot]) -> str:
    """SVG path data of a polygon."""
    return "M" + "L".join(f"{_tenth(x)} {_tenth(y)}" for x, y in corners) + "z"


@cache
def _shipped() -> dict[str, Any]:
    path = resources.files("surefoot.risk") / "data" / "shapes" / "classic.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def _classic(worldmap: WorldMap) -> Geometry | None:
    """The shipped shapes, if they are of these territories and none touch that have no border."""
    data = _shipped()
    lands = data["territories"]
    numbers = {land.name: number for number, land in enumerate(worldmap.territories)}
    if set(numbers) != set(lands):
        return None
    touching = {_pair(numbers[a], numbers[b]) for a, b in data["touching"]}
    if not touching <= set(worldmap.borders):
        return None
    drawn = {_pair(numbers[a], numbers[b]): path for a, b, path in data["links"]}
    entries = [lands[land.name] for land in worldmap.territories]
    anchors = tuple(_spot(entry["badge"]) for entry in entries)
    links = [
        Link(a, b, drawn.get((a, b)) or _bow(anchors[a], anchors[b]))
        for a, b in worldmap.borders
        if (a, b) not in touching
    ]
    links += [Link(a, b, _bow(anchors[a], anchors[b]), True) for a, b in worldmap.one_way]
    words = data["continents"]
    middles = [
        _spot(words[continent.name])
        if continent.name in words
        else _mean(_members(anchors, worldmap, number))
        for number, continent in enumerate(worldmap.continents)
    ]
    return Geometry(
        data["width"],
        data["height"],
        tuple(entry["path"] for entry in entries),
        anchors,
        tuple(_spot(entry["label"]) for entry in entries),
        tuple(tuple(entry["lines"]) for entry in entries),
        tuple(entry["afloat"] for entry in entries),
        tuple(links),
        data["divides"],
        tuple(middles),
        data["badge"],
        data["font"],
    )


def _grid(worldmap: WorldMap, columns: int, rows: int) -> Geometry:
    margin = 10.0
    side = min((_WIDTH - 2 * margin) / columns, (700 - 2 * margin) / rows, 120)
    badge = min(side * 0.24, 2 * _BADGE)
    places = [(margin + side * col, margin + side * row) for row in range(rows) for col in range(columns)]
    squares = [[(x, y), (x + side, y), (x + side, y + side), (x, y + side)] for x, y in places]
    width = _tenth(2 * margin + side * columns)
    return Geometry(
        width,
        _tenth(2 * margin + side * rows),
        tuple(outline(square) for square in squares),
        tuple((_tenth(x + side / 2), _tenth(y + side * 0.44)) for x, y in places),
        tuple((_tenth(x + side / 2), _tenth(y + side * 0.9)) for x, y in places),
        tuple((land.name,) for land in worldmap.territories),
        (False,) * len(places),
        (),
        "",
        ((_tenth(width / 2), margin),),
        _tenth(badge),
        _tenth(badge * _FONT_TO_BADGE),
    )


def _from_positions(worldmap: WorldMap) -> Geometry:
    from . import cells  # SciPy is loaded for maps that need it

    two_way = set(worldmap.borders)
    of = [land.continent for land in worldmap.territories]
    joined = {(a, b) for a, b in two_way if of[a] == of[b]}
    near = two_way | {_pair(a, b) for a, b in worldmap.one_way}
    plan = cells.layout([(land.x, land.y) for land in worldmap.territories], joined, near)
    anchors = [_middle(cell) for cell in plan.cells]
    badge = min(1.3 * _BADGE, 0.2 * plan.spacing)
    links = [
        Link(a, b, _between(anchors[a], plan.cells[a], anchors[b], plan.cells[b]), (a, b) not in two_way)
        for a, b in (*worldmap.borders, *worldmap.one_way)
        if (a, b) not in plan.touching
    ]
    names = [wrapped(land.name) for land in worldmap.territories]
    font = badge * _FONT_TO_BADGE
    return Geometry(
        _tenth(plan.width),
        _tenth(plan.height),
        tuple(outline(cell) for cell in plan.cells),
        tuple((_tenth(x), _tenth(y)) for x, y in anchors),
        tuple((_tenth(x), _tenth(y + badge + font)) for x, y in anchors),
        tuple(names),
        (False,) * len(names),
        tuple(links),
        "",
        _words(worldmap, plan, anchors),
        _tenth(badge),
        _tenth(font),
    )


def _words(worldmap: WorldMap, plan: "Plan", anchors: list[Spot]) -> tuple[Spot, ...]:
    """Where the names of the continents stand: near their own territories, in the sea if there is room."""
    from .cells import nearest

    across, down = np.linspace(0, plan.width, 51)[1:-1], np.linspace(0, plan.height, 41)[1:-1]
    tries = np.array([(x, y) for y in down for x in across])
    taken = np.array([(x, y + _BADGE / 2) for x, y in anchors])  # between a badge and the name below it
    spots: list[Spot] = []
    for number, continent in enumerate(worldmap.continents):
        half = 3.6 * (len(continent.name) + 3)
        steps = [np.array((part * half, 0)) for part in (-1, -0.5, 0, 0.5, 1)]
        clear = np.min([nearest(tries + step, taken) for step in steps], axis=0)
        score = -nearest(tries, np.array(_members(anchors, worldmap, number)))
        score -= 6 * np.maximum(0, 26 - clear)
        score -= 90 * (clear < 0.75 * plan.spacing)  # on land
        score -= 1e4 * ((tries[:, 0] < half) | (tries[:, 0] > plan.width - half))
        x, y = tries[int(np.argmax(score))].tolist()
        taken = np.concatenate([taken, [np.array((x, y)) + step for step in steps]])
        spots.append((_tenth(x), _tenth(y)))
    return tuple(spots)


def _members(anchors: Sequence[Spot], worldmap: WorldMap, continent: int) -> list[Spot]:
    return [spot for spot, land in zip(anchors, worldmap.territories) if land.continent == continent]


def _mean(spots: Sequence[Spot]) -> Spot:
    return (
        _tenth(sum(x for x, _ in spots) / len(spots)),
        _tenth(sum(y for _, y in spots) / len(spots)),
    )


def _middle(cell: Sequence[Spot]) -> Spot:
    """The centre of gravity of a polygon."""
    area = across = down = 0.0
    for (x0, y0), (x1, y1) in zip(cell, (*cell[1:], cell[0])):
        part = x0 * y1 - x1 * y0
        area += part
        across += (x0 + x1) * part
        down += (y0 + y1) * part
    return across / (3 * area), down / (3 * area)


def _between(start: Spot, one: Sequence[Spot], end: Spot, other: Sequence[Spot]) -> str:
    """A line from a little inside one cell to a little inside the other, along the line of their middles."""
    return _bow(_shore(start, end, one), _shore(end, start, other))


def _shore(inside: Spot, outside: Spot, cell: Sequence[Spot]) -> Spot:
    """Where the way from a cell's middle to a point outside leaves the cell, and a step back."""
    dx, dy = outside[0] - inside[0], outside[1] - inside[1]
    leave = 1.0
    for (x0, y0), (x1, y1) in zip(cell, (*cell[1:], cell[0])):
        turn = dx * (y1 - y0) - dy * (x1 - x0)
        if abs(turn) < 1e-12:
            continue
        share = ((x0 - inside[0]) * (y1 - y0) - (y0 - inside[1]) * (x1 - x0)) / turn
        along = ((x0 - inside[0]) * dy - (y0 - inside[1]) * dx) / turn
        if share > 0 and -1e-9 <= along <= 1 + 1e-9:
            leave = min(leave, share)
    back = min(_LANDING / max(math.hypot(dx, dy), 1e-9), leave / 2)
    return inside[0] + dx * (leave - back), inside[1] + dy * (leave - back)


def _bow(start: Spot, end: Spot) -> str:
    """A line that is bowed a little, so that it can be followed where it passes others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    aside = 0.12 if dx > 0 else -0.12
    middle = (start[0] + dx / 2 + dy * aside, start[1] + dy / 2 - dx * aside)
    return "M{} {}Q{} {} {} {}".format(*(_tenth(n) for spot in (start, middle, end) for n in spot))


def _spot(place: list[float]) -> Spot:
    return float(place[0]), float(place[1])


def _tenth(number: float) -> float:
    return round(float(number), 1)


def _pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)
