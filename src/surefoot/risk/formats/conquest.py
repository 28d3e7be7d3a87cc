"""Maps of Conquest: ``.map`` files in the manner of Windows' INI files.

::

    [Map]
    author=somebody
    warn=no
    [Continents]
    West=2
    East Shore=3
    [Territories]
    Old Harbour,40,60,West,Mill
    Mill,90,60,East Shore,Old Harbour

A territory's line gives its name, its place, its continent and the territories that one can go to from it.
Unless ``warn=no`` is written, all borders lead both ways.
"""

from typing import Final

from ..worldmap import WorldMap
from .draft import Border, Land, Region, build, entries, fault, shown, whole

_SECTIONS: Final = ("map", "continents", "territories")


def parse(text: str, *, one_way: bool = False, name: str = "map") -> WorldMap:
    """Read a map.

    Args:
        text: the file.
        one_way: whether to take one-way borders even if the map does not say ``warn=no``.
        name: what to call the map, which does not say it itself.

    Raises:
        FormatError: naming the line at fault.
    """
    regions: list[Region] = []
    rows: list[tuple[list[str], int]] = []
    section = ""
    for line, words, heading in entries(text):
        if heading is not None:
            section = heading.lower()
            if section not in _SECTIONS:
                known = ", ".join(word.capitalize() for word in _SECTIONS)
                raise fault(line, f"unknown section {shown(heading)} (known: {known})")
        elif section == "territories":
            rows.append(([field.strip() for field in words.split(",")], line))
        elif not section:
            raise fault(line, f"{shown(words)} stands before the first section")
        else:
            label, equals, value = (part.strip() for part in words.partition("="))
            if not equals:
                raise fault(line, f"{shown(words)} has no '='")
            if section == "continents":
                regions.append(Region(label, whole(value, line, "a bonus"), line))
            elif label.lower() == "warn":
                one_way = one_way or value.lower() == "no"
    continents = {region.name: number for number, region in enumerate(regions)}
    lands = [_land(fields, continents, line) for fields, line in rows]
    numbers = {land.name: number for number, land in enumerate(lands)}
    borders = [
        Border(source, _known(neighbour, numbers, line), line)
        for source, (fields, line) in enumerate(rows)
        for neighbour in fields[4:]
        if neighbour  # a comma at the end of the line
    ]
    return build(name, regions, lands, borders, one_way=one_way)


def _land(fields: list[str], continents: dict[str, int], line: int) -> Land:
    if len(fields) < 4:
        raise fault(line, "a territory is a name, x, y, a continent and its neighbours, with commas between")
    name, x, y, continent = fields[:4]
    if continent not in continents:
        what = f"there is none called {shown(continent)}" if continent else "none is named"
        raise fault(line, f"{shown(name)} is in no continent: {what}")
    return Land(
        name,
        continents[continent],
        float(whole(x, line, "a position")),
        float(whole(y, line, "a position")),
        line,
    )


def _known(neighbour: str, numbers: dict[str, int], line: int) -> int:
    if neighbour not in numbers:
        raise fault(line, f"there is no territory {shown(neighbour)} to border on")
    return numbers[neighbour]
