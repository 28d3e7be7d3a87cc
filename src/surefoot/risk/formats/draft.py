"""A map as other programs' files give it, entry by entry with its line, and the checks that all need."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from surefoot.errors import FormatError

from ..worldmap import MAX_BONUS, Continent, Territory, WorldMap, deal_kinds, key


@dataclass(frozen=True, slots=True)
class Region:
    """A continent, and the line of the file that it stands on."""

    name: str
    bonus: int
    line: int


@dataclass(frozen=True, slots=True)
class Land:
    """A territory: its continent by number, from 0, its place, and its line."""

    name: str
    continent: int
    x: float
    y: float
    line: int


@dataclass(frozen=True, slots=True)
class Border:
    """A way from one territory to another, by number from 0, and the line that opens it."""

    source: int
    target: int
    line: int


def build(
    name: str,
    regions: Sequence[Region],
    lands: Sequence[Land],
    borders: Sequence[Border],
    *,
    one_way: bool,
    kinds: Sequence[int] | None = None,
) -> WorldMap:
    """The map of these entries; a border written twice counts once.

    Args:
        name: anything; the map's name is made of it.
        regions: the continents.
        lands: the territories.
        borders: each direction by itself.
        one_way: whether a border may lead in one direction only.
        kinds: the kinds of the territories' cards; dealt in turn if they are not told.

    Raises:
        FormatError: naming the line at fault.
    """
    if not regions:
        raise fault(1, "the map has no continents")
    _check_names(regions, "continent")
    _check_names(lands, "territory")
    inhabited = {land.continent for land in lands}
    for number, region in enumerate(regions):
        if not 0 <= region.bonus <= MAX_BONUS:
            raise fault(region.line, f"{shown(region.name)}: a bonus is 0 to {MAX_BONUS}, not {region.bonus}")
        if number not in inhabited:
            raise fault(region.line, f"{shown(region.name)} has no territories")
    ways = {(border.source, border.target) for border in borders}
    for border in borders:
        here, there = shown(lands[border.source].name), shown(lands[border.target].name)
        if border.source == border.target:
            raise fault(border.line, f"{here} borders on itself")
        if not one_way and (border.target, border.source) not in ways:
            raise fault(border.line, f"the border from {here} to {there} is one-way: there is none back")
    near: list[list[int]] = [[] for _ in lands]
    back: list[list[int]] = [[] for _ in lands]
    for source, target in sorted(ways):
        near[source].append(target)
        back[target].append(source)
    for land in _unreached(lands, near):
        raise _unconnected(land, lands[0], land)
    for land in _unreached(lands, back):
        raise _unconnected(land, land, lands[0])
    dealt = deal_kinds(len(lands)) if kinds is None else kinds
    territories = [
        Territory(land.name, land.continent, land.x, land.y, kind)
        for land, kind in zip(lands, dealt, strict=True)
    ]
    try:
        return WorldMap(
            slug(name),
            tuple(Continent(region.name, region.bonus) for region in regions),
            tuple(territories),
            tuple(map(tuple, near)),
        )
    except FormatError as error:
        raise _located(error, [*regions, *lands]) from None


def _check_names(named: Sequence[Region] | Sequence[Land], what: str) -> None:
    lines: dict[str, int] = {}
    for entry in named:
        word = key(entry.name)
        if word in lines:
            raise fault(entry.line, f"a {what} called {shown(entry.name)} is on line {lines[word]} already")
        lines[word] = entry.line


def _unreached(lands: Sequence[Land], ways: Sequence[Sequence[int]]) -> list[Land]:
    """The territories to which no way leads from the first."""
    reached = set(range(len(lands[:1])))
    fresh = list(reached)
    while fresh:
        new = set(ways[fresh.pop()]) - reached
        reached |= new
        fresh += new
    return [land for number, land in enumerate(lands) if number not in reached]


def _unconnected(at: Land, source: Land, target: Land) -> FormatError:
    ends = f"from {shown(source.name)} to {shown(target.name)}"
    return fault(at.line, f"the map is not connected: there is no way {ends}")


def _located(error: FormatError, named: Sequence[Region | Land]) -> FormatError:
    """What the map itself refuses, such as a name that cannot be, with the line of the entry it is about."""
    about = [entry.line for entry in named if shown(entry.name) in str(error)]
    return fault(about[0] if about else named[-1].line, str(error))


def fault(line: int, words: str) -> FormatError:
    """What is wrong on a line, counted from 1."""
    return FormatError(f"line {line}: {words}")


def shown(text: str) -> str:
    """Somebody's text as it stands in a message."""
    return repr(text[:40])


def slug(text: str) -> str:
    """A map's name, one word in lower case, made of any text."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:40].strip("-") or "map"


def all_lines(text: str) -> list[str]:
    """The lines as editors count them, without the byte order mark."""
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))


def entries(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Each line that says something, with its number and, if it is a heading, the name of the section.

    Blank lines and comments, which begin with ``;``, are left out.
    """
    for number, line in enumerate(all_lines(text), 1):
        words = line.strip()
        if words and not words.startswith(";"):
            heading = re.fullmatch(r"\[(.*)\]", words)
            yield number, words, None if heading is None else heading[1].strip()


def whole(text: str, line: int, what: str) -> int:
    """A whole number of up to six digits.

    Raises:
        FormatError: it is none; ``what`` is what was looked for.
    """
    if re.fullmatch(r"[+-]?[0-9]{1,6}", text) is None:
        raise fault(line, f"{shown(text)} is not {what}")
    return int(text)
