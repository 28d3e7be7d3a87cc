"""Make the shapes of the classic Risk map from Natural Earth.

    python tools/make_shapes.py PACKAGE

``PACKAGE`` is the unpacked npm package ``world-atlas`` (2.0.2), whose ``countries-50m.json`` holds the
borders of Natural Earth (naturalearthdata.com, public domain) as TopoJSON; the package itself is under the
ISC licence. Needs shapely (2.1 or newer), which nothing else here does. Writes the shapes that
`surefoot.risk.geometry` reads, the same bytes on every run, and says how large they are.

Countries are grouped into territories, large ones are cut, and everything becomes one net of lines that never
part again: two neighbours share every point of their border, before and after it is simplified. The
projection is that of the Times atlas; on top of it Europe is blown up smoothly, as the printed boards do,
since seven territories have to carry names and armies there.
"""

import argparse
import json
import math
import random
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, MultiPolygon, Polygon

from surefoot.risk.geometry import wrapped
from surefoot.risk.worldmap import load

TARGET = Path(__file__).parents[1] / "src/surefoot/risk/data/shapes/classic.json"
SOURCE = "Natural Earth 1:50m (public domain, naturalearthdata.com), by way of world-atlas 2.0.2"
WIDTH = 1000.0
MARGIN = 14.0  # sea around the land, in units
SEAM = -169.0  # west of this longitude is the far east: the Bering Strait
CENTRE = 11.0  # the longitude in the middle of the map
TOLERANCE = 1.1  # how much a border may be simplified, in units
SMALLEST = 10.0  # islands of a smaller area are left out, in square units
BADGE = 9.0  # radius of an army badge, in units
FONT = 7.4  # height of the names' letters
LEADING = 8.2  # from line to line
LANDING = 5.0  # how far a sea route reaches inland
BEACH = 60.0  # the area of an island on which a sea route may land
STEP = 1.5  # how finely places for badge and name are tried
ENOUGH = 8.0  # more room around badge and name is worth little
LETTER = 0.53  # width of a letter, in heights, on average

GROUPS = {
    "Greenland": "Greenland",
    "Central America": "Mexico, Guatemala, Belize, Honduras, El Salvador, Nicaragua, Costa Rica, Panama, "
    "Cuba, Haiti, Dominican Rep., Jamaica, Puerto Rico, Bahamas",
    "Venezuela": "Venezuela, Colombia, Guyana, Suriname, Trinidad and Tobago",
    "Peru": "Peru, Bolivia, Ecuador",
    "Brazil": "Brazil",
    "Argentina": "Argentina, Chile, Uruguay, Paraguay",
    "Iceland": "Iceland",
    "Scandinavia": "Norway, Sweden, Finland, Åland",
    "Great Britain": "United Kingdom, Ireland, Isle of Man",
    "Northern Europe": "Germany, Denmark, Netherlands, Belgium, Luxembourg, Switzerland, Liechtenstein, "
    "Austria, Czechia, Poland, Slovakia",
    "Western Europe": "France, Spain, Portugal, Andorra, Monaco",
    "Southern Europe": "Italy, San Marino, Vatican, Slovenia, Croatia, Hungary, Bosnia and Herz., Serbia, "
    "Montenegro, Kosovo, Albania, Macedonia, Greece, Bulgaria, Romania",
    "Ukraine": "Ukraine, Belarus, Moldova, Lithuania, Latvia, Estonia, Georgia, Armenia, Azerbaijan",
    "North Africa": "Morocco, W. Sahara, Algeria, Tunisia, Mauritania, Mali, Niger, Chad, Senegal, Gambia, "
    "Guinea-Bissau, Guinea, Sierra Leone, Liberia, Côte d'Ivoire, Burkina Faso, Ghana, Togo, Benin, Nigeria",
    "Egypt": "Egypt, Libya",
    "East Africa": "Sudan, S. Sudan, Ethiopia, Eritrea, Djibouti, Somalia, Somaliland, Kenya, Uganda, "
    "Tanzania, Rwanda, Burundi",
    "Congo": "Dem. Rep. Congo, Congo, Gabon, Eq. Guinea, Cameroon, Central African Rep.",
    "South Africa": "Angola, Zambia, Malawi, Mozambique, Zimbabwe, Botswana, Namibia, South Africa, Lesotho, "
    "eSwatini",
    "Madagascar": "Madagascar",
    "Mongolia": "Mongolia, North Korea, South Korea",
    "Japan": "Japan",
    "Afghanistan": "Afghanistan, Uzbekistan, Turkmenistan, Kyrgyzstan, Tajikistan, Kazakhstan",
    "China": "China, Taiwan, Hong Kong, Macao",
    "Middle East": "Turkey, Syria, Iraq, Iran, Israel, Palestine, Jordan, Lebanon, Saudi Arabia, Yemen, "
    "Oman, United Arab Emirates, Qatar, Bahrain, Kuwait, Cyprus, N. Cyprus",
    "India": "India, Pakistan, Bangladesh, Nepal, Bhutan, Sri Lanka, Siachen Glacier",
    "Siam": "Myanmar, Thailand, Laos, Vietnam, Cambodia, Singapore",
    "Indonesia": "Indonesia, Malaysia, Brunei, Timor-Leste, Philippines",
    "New Guinea": "Papua New Guinea",
    "Yakutsk": "Russia",
    "Eastern Australia": "Australia",
    "Eastern United States": "United States of America",
    "Ontario": "Canada",
}
"""The countries of each territory; where a country is cut, the territory that gets what the cuts leave."""

Line = list[tuple[float, float]]


class Cut(NamedTuple):
    """Whatever is left of a country and lies on one side of a line goes to a territory (None: to the sea)."""

    land: str | None
    side: str
    points: str  # longitude and latitude, from north to south or from west to east
    bent: bool = False  # made to look like a river or a ridge; the others are borders that are straight

    def line(self, seed: str) -> Line:
        pairs = [point.split() for point in self.points.split(", ")]
        plain = [(float(lon), float(lat)) for lon, lat in pairs]
        return rough(plain, seed) if self.bent else plain


CUTS = {
    "United States of America": [
        Cut("Alaska", "north", "-170 50.6, -125 50.6"),
        Cut(None, "south", "-170 23.2, -150 23.2"),
        Cut(None, "east", "100 60, 100 40"),
        Cut(
            "Western United States",
            "west",
            "-97.2 50, -97 48.2, -96.6 46.3, -96.5 43.6, -96.4 42.5, -95.8 40.7, -95.3 40, "
            "-102 40, -102 37, -103 37, -103 32, -106.6 32, -106.6 31",
        ),
    ],
    "Canada": [
        Cut(
            "Northwest Territory",
            "north",
            "-142 60, -81 60, -79.5 62.8, -74.5 63, -70 61.8, -65.2 60.75, -60 60.5",
        ),
        Cut("Alberta", "west", "-102 61, -102 48"),
        Cut(
            "Quebec",
            "east",
            "-79.9 63, -80.2 55, -80 53, -79.5 51.5, -79.5 47.3, -78.6 46.3, -77.2 45.8, "
            "-76.2 45.4, -74.6 45.4, -74.3 44.5",
        ),
    ],
    "Russia": [
        Cut(None, "north", "40 79.2, 70 79.2"),
        Cut(
            "Ukraine",
            "west",
            "72 79, 69 71, 65 69, 66 67.8, 63 66, 60 64.5, 59.3 61, 59 58, 58.6 56, 57.2 54.4, "
            "58.2 52.6, 59.4 51.5, 60 40",
            bent=True,
        ),
        Cut(
            "Ural",
            "west",
            "72.6 80, 73 72.6, 72.6 70, 73.4 68, 76 65.5, 77 62.5, 76.2 60, 77 57.5, 78.2 55.5, "
            "77.8 53, 77.8 40",
            bent=True,
        ),
        Cut(
            "Siberia",
            "west",
            "114 80, 113 76, 110.5 73.5, 107 71.5, 106.4 68, 107 65, 105 62, 102 60, 99.6 58, "
            "97.5 56, 96.8 54, 98 52, 98.6 40",
            bent=True,
        ),
        Cut(
            "Kamchatka",
            "east",
            "152 76, 152 71, 150.5 67, 147 64, 143 61.6, 137 59.8, 131 57.8, 126.5 56.4, "
            "123 55.6, 121 53, 121 40",
            bent=True,
        ),
        Cut(
            "Irkutsk",
            "south",
            "99 62.4, 105 62, 110 60.6, 116 60.2, 121 59.4, 126 58.6, 131 57.8",
            bent=True,
        ),
    ],
    "Kazakhstan": [
        Cut("Siberia", "east", "77.6 54.5, 77.8 53, 79.6 51.2, 82 49.4, 85.7 46.6", bent=True),
        Cut(
            "Ural",
            "north",
            "65.6 55.6, 67 52, 69.5 49.6, 73.5 48, 77.5 46.8, 80 45.9, 82.8 45.1",
            bent=True,
        ),
    ],
    "China": [
        Cut(
            "Mongolia",
            "north",
            "111.2 44.4, 112.6 42.9, 115 42, 117.5 41.4, 119.7 40.2, 120.3 39, 123 37.5, 140 37",
            bent=True,
        ),
    ],
    "Australia": [
        Cut("Western Australia", "west", "138 -9, 138 -26, 135.5 -26, 135.5 -36"),
    ],
    "Indonesia": [
        Cut(
            "New Guinea",
            "east",
            "129.5 3, 129.6 -2.4, 131.2 -2.6, 131.2 -4.5, 132 -5, 134 -8.5, 134 -12",
        ),
    ],
    "Malaysia": [
        Cut("Siam", "west", "105 9, 105 0"),
    ],
    "France": [
        Cut("Venezuela", "west", "-30 60, -30 3, -30 1"),
        Cut(None, "south", "-70 20, 60 20"),
    ],
    "Norway": [
        Cut(None, "north", "-10 73, 40 73"),
    ],
    "Spain": [
        Cut(None, "south", "-20 31, 0 31"),
    ],
    "Portugal": [
        Cut(None, "west", "-12 45, -12 30"),
    ],
    "Ecuador": [
        Cut(None, "west", "-85 3, -85 -3"),
    ],
}
"""How countries are cut, one cut after the other."""

BUMPS = [
    (12.0, 50.5, 105.0, 0.85),
    (-4.0, 54.0, 30.0, 0.35),
    (-19.0, 65.0, 26.0, 0.6),
    (120.0, -3.0, 70.0, 0.3),
    (138.0, 37.0, 42.0, 0.7),
    (-92.0, 19.0, 50.0, 0.3),
]
"""Longitude, latitude, reach in units and strength of the places that are blown up."""

BESIDE = {
    "Iceland": (0.0, 22.0),
    "Great Britain": (-40.0, 25.0),
    "Madagascar": (33.0, 4.0),
    "Japan": (26.0, 3.0),
    "Indonesia": (0.0, 24.5),
    "New Guinea": (24.0, -20.0),
}
"""Names that stand in the sea: from the badge to the middle of the first line."""

WORDS = {
    "North America": (70.0, 330.0),
    "South America": (188.0, 486.0),
    "Europe": (372.0, 262.0),
    "Africa": (428.0, 470.0),
    "Asia": (690.0, 432.0),
    "Australia": (738.0, 528.0),
}
"""Where the names of the continents stand, in units: in the open sea."""


def topology(path: Path) -> dict[str, Any]:
    """The countries of a TopoJSON file by name; neighbours share the points of their border exactly."""
    data = json.loads(path.read_text(encoding="utf-8"))
    scale, shift = np.array(data["transform"]["scale"]), np.array(data["transform"]["translate"])
    arcs = [np.cumsum(np.array(arc), axis=0) * scale + shift for arc in data["arcs"]]

    def ring(numbers: list[int]) -> list[tuple[float, float]]:
        parts = [arcs[n] if n >= 0 else arcs[~n][::-1] for n in numbers]
        points = np.concatenate([part if i == 0 else part[1:] for i, part in enumerate(parts)])
        if np.ptp(points[:, 0]) > 180:  # a ring across the date line
            points[points[:, 0] < 0, 0] += 360
        if points[:, 0].mean() < SEAM:
            points[:, 0] += 360
        return [(x, y) for x, y in points.round(4).tolist()]

    def shape(geometry: dict[str, Any]) -> Any:
        polygons = [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry["arcs"]
        rings = [[ring(numbers) for numbers in polygon] for polygon in polygons]
        whole = [Polygon(polygon[0], polygon[1:]) for polygon in rings if len(set(polygon[0])) > 2]
        return shapely.union_all([shapely.make_valid(polygon) for polygon in whole])

    return {g["properties"]["name"]: shape(g) for g in data["objects"]["countries"]["geometries"]}


def rough(line: Line, seed: str) -> Line:
    """A line with the bends of a river: midpoints pushed aside at random, the same way on every run."""
    chance = random.Random(seed)
    for strength in (0.13, 0.13, 0.12):
        bent = [line[0]]
        for (x0, y0), (x1, y1) in pairwise(line):
            aside = chance.uniform(-strength, strength)
            bent += [((x0 + x1) / 2 - (y1 - y0) * aside, (y0 + y1) / 2 + (x1 - x0) * aside), (x1, y1)]
        line = bent
    return [(round(x, 4), round(y, 4)) for x, y in line]


def side(line: Line, where: str) -> Any:
    """Everything on one side of a line that runs from north to south or from west to east."""
    (x0, y0), (x1, y1) = line[0], line[-1]
    far = {"west": -400, "east": 400, "south": -100, "north": 100}[where]
    corners = [(far, y1), (far, y0)] if where in ("west", "east") else [(x1, far), (x0, far)]
    return shapely.make_valid(Polygon([*line, *corners]))


def partition(countries: dict[str, Any]) -> dict[str, list[Any]]:
    """The pieces of each territory in degrees: faces of one net, so that neighbours share points."""
    home = {name: land for land, names in GROUPS.items() for name in names.split(", ")}
    missing = set(home) - set(countries)
    if missing:
        raise SystemExit(f"no such countries: {', '.join(sorted(missing))}")
    regions: dict[str, list[tuple[str | None, Any]]] = {}
    lines = [countries[name].boundary for name in home]
    for name, cuts in CUTS.items():
        regions[name] = []
        for number, cut in enumerate(cuts):
            drawn = cut.line(f"{name} {number}")
            regions[name].append((cut.land, side(drawn, cut.side)))
            lines.append(countries[name].intersection(LineString(drawn)))
    net = shapely.union_all(lines, grid_size=1e-4)
    faces: dict[str, list[Any]] = {}
    tree = shapely.STRtree([countries[name] for name in home])
    for face in shapely.polygonize([net]).geoms:
        point = face.representative_point()
        owners = [name for n, name in enumerate(home) if n in tree.query(point, "within")]
        if owners:
            name = owners[0]
            hit = [land for land, region in regions.get(name, []) if region.contains(point)]
            land = hit[0] if hit else home[name]
            if land is not None:
                faces.setdefault(land, []).append(face)
    return faces


def project(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The Times projection (J. Muir, 1965), then the bumps; the sphere is about 1000 units wide."""
    units = WIDTH / (2 * math.pi * 0.745)
    t = np.tan(np.radians(points[:, 1]) / 2)
    x = units * 0.74482 * np.radians(points[:, 0] - CENTRE) * np.sqrt(1 - 0.5 * t * t)
    return np.column_stack([x, -units * 1.70711 * t])


def bump(flat: NDArray[np.float64]) -> NDArray[np.float64]:
    """Blow up some places smoothly; what is far away stays where it is."""
    for lon, lat, reach, strength in BUMPS:
        away = flat - project(np.array([[lon, lat]]))
        nearness = np.exp(-(away**2).sum(axis=1) / (2 * reach**2))
        flat = flat + strength * away * nearness[:, None]
    return flat


def on_paper(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return bump(project(points))


def flatten(lands: dict[str, list[Any]]) -> dict[str, Any]:
    """The territories on paper, simplified."""
    names = list(lands)
    drawn = []
    for name in names:
        # Rounded, so that the two sides of a line are divided at the same points to the last bit.
        fine = [shapely.segmentize(face, 0.7) for face in lands[name]]
        parts = [shapely.transform(face, lambda points: on_paper(points.round(6))) for face in fine]
        drawn.append(shapely.coverage_union_all(parts))
    simple = shapely.coverage_simplify(drawn, TOLERANCE)
    kept = [tidy(shape) for shape in simple]
    west, north, east, _ = shapely.total_bounds(kept)
    scale = (WIDTH - 2 * MARGIN) / (east - west)
    placed = [
        shapely.transform(shape, lambda points: (points - (west, north)) * scale + MARGIN) for shape in kept
    ]
    return dict(zip(names, placed))


def tidy(shape: Any) -> Any:
    """Without specks and pinholes; the largest part always stays."""
    parts = [p for p in shapely.get_parts(shape) if isinstance(p, Polygon)]
    largest = max(parts, key=lambda part: part.area)
    whole = [Polygon(p.exterior, [h for h in p.interiors if Polygon(h).area >= SMALLEST]) for p in parts]
    return MultiPolygon([w for p, w in zip(parts, whole) if p is largest or p.area >= SMALLEST])


def block(x: float, y: float, lines: list[str]) -> list[tuple[float, float]]:
    """Points around a badge at (x, y) with its name below it, which all have to be on the land."""
    ring = [
        (x + BADGE * math.cos(math.pi * n / 6), y + BADGE * math.sin(math.pi * n / 6)) for n in range(6, 13)
    ]
    half = LETTER * FONT * max(map(len, lines)) / 2
    top, bottom = y + BADGE + 1, y + BADGE + 1.5 + LEADING * len(lines)
    return ring + [(x + side * half, h) for side in (-1, -0.5, 0, 0.5, 1) for h in (top, bottom)]


def seat(shape: Any, name: str) -> tuple[tuple[float, float], list[str], float]:
    """Where badge and name stand best, the lines of the name, and the room around them (below 0: none)."""
    body = max(shape.geoms, key=lambda part: part.area)
    shapely.prepare(body)
    west, north, east, south = body.bounds
    best: tuple[float, tuple[float, float], list[str]] = (-math.inf, (0, 0), [name])
    for lines in ([name], list(wrapped(name))):
        for x in np.arange(west, east, STEP).tolist():
            for y in np.arange(north, south, STEP).tolist():
                if not shapely.contains_xy(body, x, y):
                    continue
                points = shapely.points(block(x, y, lines))
                inside = shapely.contains(body, points)
                away = shapely.distance(body.exterior, points)
                room = float(away.min()) if inside.all() else -float(away[~inside].sum())
                room = min(room, ENOUGH) - 2 * (len(lines) - 1) + room / 100
                if room > best[0]:
                    best = (room, (x, y), lines)
    return best[1], best[2], best[0]


def packed(tenths: list[int]) -> str:
    """Numbers as SVG path data takes them in the fewest letters: ``1.2-.5.3 4``."""
    text = ""
    for number in tenths:
        word = f"{abs(number) / 10:.1f}".removesuffix(".0")
        word = ("-" if number < 0 else "") + (word.removeprefix("0") or "0")
        last = text.rsplit(" ", 1)[-1].rsplit("-", 1)[-1]
        apart = not text or word.startswith("-") or (word.startswith(".") and "." in last)
        text += word if apart else f" {word}"
    return text


def rounded(line: Any) -> list[tuple[int, int]]:
    """The points of a line or ring in tenths, without those that fall together."""
    points = [(int(x), int(y)) for x, y in (shapely.get_coordinates(line) * 10).round().tolist()]
    return [point for n, point in enumerate(points) if n == 0 or point != points[n - 1]]


def path(line: Any, end: str = "") -> str:
    """A line as SVG path data: where it begins, then from point to point."""
    points = rounded(line)
    steps = [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(points)]
    if end:
        steps.pop()  # closing the ring draws it
    return f"M{packed([*points[0]])}l{packed([n for step in steps for n in step])}{end}"


def rings(shape: Any) -> str:
    whole = [ring for part in shape.geoms for ring in (part.exterior, *part.interiors)]
    return "".join(path(ring, "z") for ring in whole if len(rounded(ring)) > 3)


def mainland(shape: Any) -> Any:
    """The largest part, and others that are large enough to land on."""
    largest = max(part.area for part in shape.geoms)
    return MultiPolygon([part for part in shape.geoms if part.area >= min(largest, BEACH)])


def crossing(a: Any, b: Any, seats: tuple[tuple[float, float], tuple[float, float]]) -> str:
    """A sea route: from a little inside one coast to a little inside the other, further where it is short."""
    shortest = shapely.shortest_line(mainland(a), mainland(b))
    reach = max(LANDING, 2 * LANDING - shortest.length / 2)
    ends = []
    for shore, badge in zip(shortest.coords, seats):
        away = math.dist(shore, badge)
        inland = min(reach, away / 2) / away
        ends.append(tuple(s + (t - s) * inland for s, t in zip(shore, badge)))
    return bow(ends[0], ends[1])


def bow(start: tuple[float, ...], end: tuple[float, ...]) -> str:
    """A quadratic curve, bowed to the north, or to the west, by an eighth of its length."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    aside = 0.25 if dx > 0 or (dx == 0 and dy < 0) else -0.25
    middle = (start[0] + dx / 2 + dy * aside, start[1] + dy / 2 - dx * aside)
    return f"M{packed(tenths(start))}Q{packed(tenths(middle, end))}"


def tenths(*places: tuple[float, ...]) -> list[int]:
    return [round(10 * number) for place in places for number in place]


def around(shapes: dict[str, Any]) -> str:
    """The way from Alaska to Kamchatka, which leaves the map on both sides."""
    alaska = max(shapes["Alaska"].geoms, key=lambda part: part.area)
    kamchatka = max(shapes["Kamchatka"].geoms, key=lambda part: part.area)
    west = min(shapely.get_coordinates(alaska).tolist(), key=lambda at: at[0] + at[1])
    east = max(shapely.get_coordinates(kamchatka).tolist())
    level = (west[1] + east[1]) / 2
    ends = [(0.0, level), (WIDTH, level)]
    inland = [(west[0] + 2, west[1]), (east[0] - 2, east[1])]
    return "".join(f"M{packed(tenths(a))}L{packed(tenths(b))}" for a, b in zip(inland, ends))


def build(package: Path) -> dict[str, Any]:
    """Everything that the file holds."""
    world = load("classic")
    shapes = flatten(partition(topology(package / "countries-50m.json")))
    names = [land.name for land in world.territories]
    if set(names) != set(shapes):
        raise SystemExit(f"these do not match: {sorted(set(names) ^ set(shapes))}")
    height = math.ceil(shapely.total_bounds(list(shapes.values()))[3] + MARGIN)
    lands: dict[str, Any] = {}
    for name in names:
        (x, y), lines, room = seat(shapes[name], name)
        label = (x, y + BADGE + FONT)
        if name in BESIDE:
            x, y = shapely.maximum_inscribed_circle(
                max(shapes[name].geoms, key=lambda p: p.area), 0.5
            ).coords[0]
            label, lines = (x + BESIDE[name][0], y + BESIDE[name][1]), list(wrapped(name))
        elif room < -3:
            raise SystemExit(f"{name} has no room for its badge and its name")
        lands[name] = {
            "path": rings(shapes[name]),
            "badge": [round(x, 1), round(y, 1)],
            "label": [round(label[0], 1), round(label[1], 1)],
            "lines": lines,
            "afloat": name in BESIDE,
        }
    touching, links, divides = [], [], []
    for a, b in world.borders:
        one, two = shapes[names[a]], shapes[names[b]]
        shared = shapely.line_merge(one.intersection(two))
        if shared.length > 1:
            touching.append([names[a], names[b]])
            if world.territories[a].continent != world.territories[b].continent:
                divides += [path(p) for p in shapely.get_parts(shared) if p.length > 0.2]
        elif (names[a], names[b]) == ("Alaska", "Kamchatka"):
            links.append([names[a], names[b], around(shapes)])
        else:
            seats = (tuple(lands[names[a]]["badge"]), tuple(lands[names[b]]["badge"]))
            links.append([names[a], names[b], crossing(one, two, seats)])
    return {
        "source": SOURCE,
        "made by": "tools/make_shapes.py",
        "width": WIDTH,
        "height": height,
        "badge": BADGE,
        "font": FONT,
        "territories": lands,
        "touching": touching,
        "links": links,
        "divides": "".join(divides),
        "continents": WORDS,
    }


def spread(value: Any) -> str:
    """JSON with a line for each entry of a table or list, so that a change can be read as a difference."""
    if isinstance(value, dict):
        rows = [f"{json.dumps(key)}: {json.dumps(entry)}" for key, entry in value.items()]
        return "{\n " + ",\n ".join(rows) + "\n}"
    if isinstance(value, list):
        return "[\n " + ",\n ".join(json.dumps(entry) for entry in value) + "\n]"
    return json.dumps(value)


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the shapes of the classic Risk map.")
    parser.add_argument("package", type=Path, help="the unpacked npm package world-atlas")
    data = build(parser.parse_args().package)
    text = "{\n" + ",\n".join(f"{json.dumps(key)}: {spread(value)}" for key, value in data.items()) + "\n}\n"
    TARGET.write_text(text, encoding="utf-8")
    by_land, by_sea = len(data["touching"]), len(data["links"])
    print(f"{TARGET.name}: {len(text)} bytes, {by_land} borders by land, {by_sea} by sea")


if __name__ == "__main__":
    main()
