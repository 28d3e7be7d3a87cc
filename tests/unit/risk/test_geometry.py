import json
import math
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from surefoot.errors import FormatError
from surefoot.risk import WorldMap, load
from surefoot.risk.formats import read_map
from surefoot.risk.geometry import Geometry, geometry, wrapped
from surefoot.risk.worldmap import Continent, Territory, names

Ring = list[tuple[float, float]]

DATA = Path(__file__).parents[2] / "data" / "risk_maps"
SHAPES = Path(__file__).parents[3] / "src/surefoot/risk/data/shapes/classic.json"
CLASSIC = ["classic", "classic-82"]
GRIDS = ["grid-1x2", "grid-6x6", "grid-10x4", "grid-30x30"]


def foreign() -> dict[str, WorldMap]:
    found = {}
    for path in sorted(DATA.glob("*/*")):
        if path.suffix in (".map", ".luxb"):
            try:
                found[f"{path.parent.name}/{path.name}"] = read_map(path, one_way=True)
            except FormatError:
                assert path.name.startswith("bad") or "missing" in path.name
    assert len(found) > 15
    return found


def built(positions: list[tuple[float, float]], continents: int = 1) -> WorldMap:
    count = len(positions)
    lands = [Territory(f"Land {n}", n % continents, x, y, n % 3) for n, (x, y) in enumerate(positions)]
    near = [tuple(m for m in (n - 1, n + 1) if 0 <= m < count) for n in range(count)]
    return WorldMap(
        "built", tuple(Continent(f"C{n}", 1) for n in range(continents)), tuple(lands), tuple(near)
    )


ODD = {
    "two in one place": built([(5, 5)] * 2),
    "fifty in one place": built([(0, 0)] * 50, 3),
    "three in a row": built([(0, 0), (10, 0), (20, 0)]),
    "forty in a row": built([(3.0, n) for n in range(40)], 2),
    "on a slope": built([(n * 1e-3, n * 2e-3) for n in range(9)]),
    "on a circle": built([(math.cos(n), math.sin(n)) for n in range(30)], 2),
    "twice each": built([(n // 2, n // 2 % 3) for n in range(20)]),
    "far apart": built([(-1e6, -1e6), (1e6, 1e6), (0, 0), (0.001, 0)]),
    "a thousand": built([(n * 37 % 1000, n * 61 % 709) for n in range(1000)], 7),
}
MAPS = {name: load(name) for name in (*names(), *GRIDS)} | foreign() | ODD


def rings(path: str) -> list[Ring]:
    """The corners of an area that is made of M, L, l and z alone."""
    found: list[Ring] = []
    assert re.fullmatch(r"[MLlz0-9.\- ]+", path)
    for letter, text in re.findall(r"([MLlz])([^MLlz]*)", path):
        numbers = [float(word) for word in re.findall(r"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)", text)]
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            if letter == "M":
                found.append([(x, y)])
            elif letter == "L":
                found[-1].append((x, y))
            else:
                before = found[-1][-1]
                found[-1].append((round(before[0] + x, 1), round(before[1] + y, 1)))
    return found


def inside(spot: tuple[float, float], shape: list[Ring]) -> bool:
    x, y = spot
    crossed = 0
    for ring in shape:
        for (x0, y0), (x1, y1) in pairwise([*ring, ring[0]]):
            if (y0 > y) != (y1 > y) and x < x0 + (x1 - x0) * (y - y0) / (y1 - y0):
                crossed += 1
    return crossed % 2 == 1


def sides(shape: list[Ring]) -> set[frozenset[tuple[float, float]]]:
    return {frozenset(side) for ring in shape for side in pairwise([*ring, ring[0]]) if side[0] != side[1]}


def along(one: list[Ring], other: list[Ring]) -> float:
    """How much of the first outline runs within a fifth of a unit of the second, in units."""
    length = 0.0
    ends = np.array([side for ring in other for side in pairwise([*ring, ring[0]])])
    low, high = ends.min(axis=(0, 1)) - 1, ends.max(axis=(0, 1)) + 1
    begin, step = ends[:, 0], ends[:, 1] - ends[:, 0]
    square = np.maximum((step**2).sum(axis=1), 1e-12)
    for ring in one:
        for (x0, y0), (x1, y1) in pairwise([*ring, ring[0]]):
            whole = math.dist((x0, y0), (x1, y1))
            if max(x0, x1) < low[0] or max(y0, y1) < low[1] or min(x0, x1) > high[0] or min(y0, y1) > high[1]:
                continue
            parts = max(1, math.ceil(whole))
            for part in range(parts):
                share = (part + 0.5) / parts
                spot = np.array([x0 + (x1 - x0) * share, y0 + (y1 - y0) * share])
                at = np.clip(((spot - begin) * step).sum(axis=1) / square, 0, 1)
                near = np.hypot(*(begin + at[:, None] * step - spot).T).min()
                length += whole / parts * (near < 0.2)
    return length


def linked(drawn: Geometry) -> set[tuple[int, int]]:
    return {(min(link.a, link.b), max(link.a, link.b)) for link in drawn.links}


@pytest.mark.parametrize("name", MAPS)
def test_everything_is_drawn_and_in_its_place(name: str) -> None:
    world = MAPS[name]
    drawn = geometry(world)
    count = len(world.territories)
    for part in (drawn.shapes, drawn.anchors, drawn.labels, drawn.names, drawn.afloat):
        assert len(part) == count
    assert len(drawn.continents) == len(world.continents)
    for land, lines in zip(world.territories, drawn.names):
        assert " ".join(lines) == " ".join(land.name.split())
    shapes = [rings(path) for path in drawn.shapes]
    corners = np.array([corner for shape in shapes for ring in shape for corner in ring])
    assert corners.min() >= 0
    assert corners[:, 0].max() <= drawn.width <= 1200
    assert corners[:, 1].max() <= drawn.height <= 1200
    outside = [n for n in range(count) if not inside(drawn.anchors[n], shapes[n])]
    assert not outside
    for x, y in (*drawn.labels, *drawn.continents):
        assert 0 < x < drawn.width and 0 < y < drawn.height
    assert 0 < drawn.font < drawn.badge


@pytest.mark.parametrize("name", [name for name in MAPS if name not in ("a thousand", "grid-30x30")])
def test_what_touches_has_a_border_and_every_other_border_a_link(name: str) -> None:
    world = MAPS[name]
    drawn = geometry(world)
    shapes = [rings(path) for path in drawn.shapes]
    corners = [np.array([corner for ring in shape for corner in ring]) for shape in shapes]
    boxes = [(of.min(axis=0), of.max(axis=0)) for of in corners]
    links = linked(drawn)
    assert links <= {(min(a, b), max(a, b)) for a, near in enumerate(world.neighbours) for b in near}
    for a in range(len(shapes)):
        for b in range(a + 1, len(shapes)):
            gap = np.maximum(boxes[a][0] - boxes[b][1], boxes[b][0] - boxes[a][1]).max()
            shared = along(shapes[a], shapes[b]) if gap < 1 else 0.0
            if (a, b) in world.borders:
                assert shared > 1 or (a, b) in links, (a, b)
            else:
                assert shared < 1, (a, b)
    for link in drawn.links:
        assert link.one_way == ((link.a, link.b) in world.one_way)


def test_neighbours_by_land_of_the_classic_world_share_every_point() -> None:
    world = load("classic")
    drawn = geometry(world)
    outlines = [sides(rings(path)) for path in drawn.shapes]
    links = linked(drawn)
    assert len(links) == 25
    for a, b in world.borders:
        assert bool(outlines[a] & outlines[b]) == ((a, b) not in links)


def test_the_sea_routes_of_the_classic_world() -> None:
    world = load("classic")
    lands = [land.name for land in world.territories]
    routes = {(lands[a], lands[b]) for a, b in linked(geometry(world))}
    for pair in (
        ("Alaska", "Kamchatka"),
        ("Brazil", "North Africa"),
        ("Western Europe", "North Africa"),
        ("Mongolia", "Japan"),
        ("Siam", "Indonesia"),
        ("South Africa", "Madagascar"),
    ):
        assert pair in routes or pair[::-1] in routes
    around = next(link for link in geometry(world).links if lands[link.a] == "Alaska")
    edges = {float(end.split()[0]) for end in re.findall(r"L([^ML]*)", around.path)}
    assert edges == {0.0, geometry(world).width}


def test_the_variant_with_82_borders_lacks_one_link() -> None:
    whole, less = geometry(load("classic")), geometry(load("classic-82"))
    lands = [land.name for land in load("classic").territories]
    (gone,) = linked(whole) - linked(less)
    assert {lands[n] for n in gone} == {"East Africa", "Middle East"}
    assert whole.shapes == less.shapes


def test_territories_of_the_classic_world_are_large_enough_to_click() -> None:
    drawn = geometry(load("classic"))
    for path in drawn.shapes:
        largest = max((np.ptp(np.array(ring), axis=0) for ring in rings(path)), key=lambda size: size.prod())
        assert largest.max() >= 26
    places = np.array(drawn.anchors)
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) + 100 * np.eye(len(places))
    assert apart.min() > 2.2 * drawn.badge


def test_the_shipped_shapes_are_small() -> None:
    assert SHAPES.stat().st_size <= 70_000
    data = json.loads(SHAPES.read_text(encoding="utf-8"))
    assert "public domain" in data["source"] and data["made by"] == "tools/make_shapes.py"


def test_the_same_territories_with_other_borders_get_the_coasts_only_if_all_that_touch_may_be_crossed() -> (
    None
):
    world = load("classic")
    text = str(world)
    more = WorldMap.parse(text.replace('"Great Britain" = [', '"Great Britain" = ["Brazil", '))
    assert geometry(more).shapes == geometry(world).shapes
    assert len(geometry(more).links) == 26
    fewer = WorldMap.parse(text.replace('Peru = ["Brazil", "Argentina"]', 'Peru = ["Argentina"]'))
    assert geometry(fewer).shapes != geometry(world).shapes


def test_a_map_that_only_looks_like_a_grid_is_not_drawn_as_one() -> None:
    grid = load("grid-3x3")
    lands = (Territory("Elsewhere", 0, 0.0, 0.0, 0), *grid.territories[1:])
    other = WorldMap(grid.name, grid.continents, lands, grid.neighbours)
    assert geometry(other).shapes != geometry(grid).shapes


@pytest.mark.parametrize("name", ["classic", "duel", "grid-6x6", "a thousand"])
def test_it_goes_through_json(name: str) -> None:
    drawn = geometry(MAPS[name])
    back = json.loads(json.dumps(drawn.as_dict()))
    assert back["shapes"] == list(drawn.shapes)
    assert back["anchors"] == [list(spot) for spot in drawn.anchors]
    assert [(k["a"], k["b"], k["path"], k["oneWay"]) for k in back["links"]] == [
        (k.a, k.b, k.path, k.one_way) for k in drawn.links
    ]


def test_the_same_map_is_drawn_the_same() -> None:
    world = load("archipelago")
    first = geometry(world)
    assert geometry(WorldMap.parse(str(world))) is first
    geometry.cache_clear()
    assert geometry(world) == first


def test_names_are_wrapped_evenly() -> None:
    assert wrapped("Peru") == ("Peru",)
    assert wrapped("Western United States") == ("Western", "United States")
    assert wrapped("The Isle of the Dead") == ("The Isle", "of the Dead")
