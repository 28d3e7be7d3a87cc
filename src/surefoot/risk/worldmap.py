"""World maps: territories, continents, borders; their TOML form, the shipped ones, and grids of any size.

::

    name = "duel"

    [continents]
    West = 2
    East = 2

    [territories]
    Moor = { continent = "West", at = [10, 20] }
    Fen = { continent = "West", at = [40, 20] }

    [borders]
    Moor = ["Fen"]

Each border is written once, at either end; a table ``[one-way]`` of the same form holds those that can be
crossed in one direction only. A territory may name the picture on its card (``card = "cavalry"``); where it
does not, the kinds are dealt in turn. Positions are from the top left, in units of the author's choice.
"""

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError

from .kernels import layout

KINDS: Final = ("infantry", "cavalry", "artillery", "wild")
"""The kinds of card; a kind's place here is its code in the kernels."""

MAX_CONTINENTS: Final = 100
MAX_BONUS: Final = 1000
_MAX_POSITION = 1e6


@dataclass(frozen=True, slots=True)
class Continent:
    """A continent and what holding all of it is worth each turn."""

    name: str
    bonus: int


@dataclass(frozen=True, slots=True)
class Territory:
    """A territory: its continent by number, where it lies, and the kind of its card (see `KINDS`)."""

    name: str
    continent: int
    x: float
    y: float
    card: int


@dataclass(frozen=True, slots=True)
class WorldMap:
    """A map to play on.

    Args:
        name: one word; ``load`` knows the shipped maps by it.
        continents: in the order of their numbers.
        territories: in the order of their numbers.
        neighbours: for each territory where one can go from it, in rising order.

    Raises:
        FormatError: two names have the same key, a territory has no continent or neighbours that do not
            exist, or some territory cannot be reached from another.
    """

    name: str
    continents: tuple[Continent, ...]
    territories: tuple[Territory, ...]
    neighbours: tuple[tuple[int, ...], ...]
    world: NDArray[np.int32] = field(init=False, repr=False, compare=False)
    """The map as the kernels take it (see `kernels.layout`). Not to be written to: it is left writable only
    because Numba compiles a second version of everything for arrays that are not."""
    _number: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if re.fullmatch(r"[a-z0-9][a-z0-9-]{0,40}", self.name) is None:
            raise FormatError(f"a map's name is one word in lower case, not {self.name[:40]!r}")
        count = len(self.territories)
        if not 2 <= count <= layout.MAX_TERRITORIES:
            raise FormatError(f"a map has 2 to {layout.MAX_TERRITORIES} territories, not {count}")
        if not 1 <= len(self.continents) <= MAX_CONTINENTS:
            raise FormatError(f"a map has 1 to {MAX_CONTINENTS} continents, not {len(self.continents)}")
        _distinct_keys([continent.name for continent in self.continents], "continent")
        numbers = _distinct_keys([territory.name for territory in self.territories], "territory")
        for continent in self.continents:
            if not 0 <= continent.bonus <= MAX_BONUS:
                raise FormatError(f"{continent.name}: a bonus is 0 to {MAX_BONUS}, not {continent.bonus}")
        for territory in self.territories:
            if not 0 <= territory.continent < len(self.continents):
                raise FormatError(f"{territory.name} is in no continent")
            if not 0 <= territory.card < layout.WILD:
                raise FormatError(f"{territory.name}: a card's kind is 0 to 2, not {territory.card}")
        for number, continent in enumerate(self.continents):
            if not any(territory.continent == number for territory in self.territories):
                raise FormatError(f"{continent.name} has no territories")
        self._check_neighbours()
        object.__setattr__(self, "world", self._pack())
        object.__setattr__(self, "_number", numbers)

    def _check_neighbours(self) -> None:
        count = len(self.territories)
        if len(self.neighbours) != count:
            raise FormatError(f"{count} territories, but neighbours of {len(self.neighbours)}")
        for number, near in enumerate(self.neighbours):
            name = self.territories[number].name
            if list(near) != sorted(set(near)):
                raise FormatError(f"{name}: neighbours are to be in rising order, each once")
            if any(not 0 <= other < count or other == number for other in near):
                raise FormatError(f"{name} borders on itself or on no territory")
        backwards: list[list[int]] = [[] for _ in range(count)]
        for number, near in enumerate(self.neighbours):
            for other in near:
                backwards[other].append(number)
        first = self.territories[0].name
        for direction, there in (self.neighbours, True), (tuple(map(tuple, backwards)), False):
            reached = _reach(direction)
            if len(reached) < count:
                lost = next(t.name for n, t in enumerate(self.territories) if n not in reached)
                pair = (first, lost) if there else (lost, first)
                raise FormatError(f"the map is not connected: no way from {pair[0]} to {pair[1]}")

    def _pack(self) -> NDArray[np.int32]:
        count, continents = len(self.territories), len(self.continents)
        members = [territory.continent for territory in self.territories]
        blocks = [
            members,
            [continent.bonus for continent in self.continents],
            [members.count(number) for number in range(continents)],
            [territory.card for territory in self.territories] + [layout.WILD] * layout.WILD_CARDS,
        ]
        header = [0] * layout.WORLD_HEADER
        header[layout.TERRITORIES], header[layout.CONTINENTS] = count, continents
        begin = layout.WORLD_HEADER
        for word, block in zip(
            (layout.CONTINENT_OF, layout.BONUS, layout.SIZE, layout.CARD_KIND), blocks, strict=True
        ):
            header[word] = begin
            begin += len(block)
        header[layout.NEAR] = begin
        starts = [begin + count + 1]
        for near in self.neighbours:
            starts.append(starts[-1] + len(near))
        body = [number for block in blocks for number in block]
        return np.array(
            header + body + starts + [other for near in self.neighbours for other in near], np.int32
        )

    @property
    def state_size(self) -> int:
        """How many words the state of a game on this map has."""
        return layout.state_size(len(self.territories), len(self.continents))

    @property
    def borders(self) -> tuple[tuple[int, int], ...]:
        """The borders that can be crossed both ways, lower number first, in rising order."""
        return tuple(
            (a, b) for a, near in enumerate(self.neighbours) for b in near if a < b and self._back(a, b)
        )

    @property
    def one_way(self) -> tuple[tuple[int, int], ...]:
        """The borders that can be crossed from the first to the second only."""
        return tuple((a, b) for a, near in enumerate(self.neighbours) for b in near if not self._back(a, b))

    def _back(self, a: int, b: int) -> bool:
        return a in self.neighbours[b]

    def key_of(self, territory: int) -> str:
        """The name of a territory as one word, such as ``north-africa``.

        Raises:
            FormatError: there is no such number.
        """
        if not 0 <= territory < len(self.territories):
            raise FormatError(f"{self.name} has no territory {territory}")
        return key(self.territories[territory].name)

    def territory(self, text: str) -> int:
        """The number of the territory with this name, key or number.

        Raises:
            FormatError: there is none.
        """
        number = self._number.get(key(text))
        if number is None and re.fullmatch(r"[0-9]{1,4}", text) and int(text) < len(self.territories):
            number = int(text)
        if number is None:
            raise FormatError(f"{self.name} has no territory {text[:60]!r}")
        return number

    def card_key(self, card: int) -> str:
        """A card as one word: the key of its territory, or ``wild-1`` and ``wild-2``.

        Raises:
            FormatError: there is no such card.
        """
        wild = card - len(self.territories)
        if 0 <= wild < layout.WILD_CARDS:
            return f"wild-{wild + 1}"
        return self.key_of(card)

    def card(self, text: str) -> int:
        """The number of the card with this key or number; a territory's card has the territory's number.

        Raises:
            FormatError: there is none.
        """
        for wild in range(layout.WILD_CARDS):
            number = len(self.territories) + wild
            if text.lower() == f"wild-{wild + 1}" or text == str(number):
                return number
        return self.territory(text)

    def card_kind(self, card: int) -> str:
        """What is on a card: one of `KINDS`."""
        return KINDS[self.world[self.world[layout.CARD_KIND] + card]]

    def __str__(self) -> str:
        """The TOML form."""
        lines = [f"name = {_quote(self.name)}", "", "[continents]"]
        lines += [f"{_quote_key(continent.name)} = {continent.bonus}" for continent in self.continents]
        lines += ["", "[territories]"]
        dealt = deal_kinds(len(self.territories))
        for number, land in enumerate(self.territories):
            card = "" if land.card == dealt[number] else f', card = "{KINDS[land.card]}"'
            lines.append(
                f"{_quote_key(land.name)} = {{ continent = {_quote(self.continents[land.continent].name)}, "
                f"at = [{_show(land.x)}, {_show(land.y)}]{card} }}"
            )
        for title, borders in ("borders", self.borders), ("one-way", self.one_way):
            if borders or title == "borders":
                lines += ["", f"[{title}]"]
            for number, land in enumerate(self.territories):
                near = [_quote(self.territories[b].name) for a, b in borders if a == number]
                if near:
                    lines.append(f"{_quote_key(land.name)} = [{', '.join(near)}]")
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> "WorldMap":
        """Read the TOML form.

        Raises:
            FormatError: naming the line or the entry at fault.
        """
        try:
            tables = tomllib.loads(text.removeprefix("\ufeff"))
        except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
            raise FormatError(f"not TOML: {' '.join(str(error).split())[:200]}") from None
        return _Reader(text, tables).read()

    @classmethod
    def grid(cls, width: int, height: int) -> "WorldMap":
        """A rectangle of territories with up to four neighbours each, in one continent without a bonus.

        Raises:
            FormatError: it has fewer territories than two, or too many.
        """
        if not (width >= 1 and height >= 1 and 2 <= width * height <= layout.MAX_TERRITORIES):
            raise FormatError(f"a grid has 2 to {layout.MAX_TERRITORIES} territories, not {width}x{height}")
        kinds = deal_kinds(width * height)
        lands = [
            Territory(f"r{row}c{col}", 0, col, row, kinds[row * width + col])
            for row in range(height)
            for col in range(width)
        ]
        near = [
            tuple(
                r * width + c
                for r, c in ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
                if 0 <= r < height and 0 <= c < width
            )
            for row in range(height)
            for col in range(width)
        ]
        return cls(f"grid-{width}x{height}", (Continent("Grid", 0),), tuple(lands), tuple(near))


def names() -> list[str]:
    """The shipped maps, in alphabetical order; to these come ``grid-WxH`` of any size."""
    return sorted(
        path.name.removesuffix(".toml") for path in _shipped().iterdir() if path.name.endswith(".toml")
    )


def load(name_or_path: str | Path) -> WorldMap:
    """A shipped map by its name, a ``grid-WxH``, or a TOML file.

    Raises:
        FormatError: there is no such map, or the file is not one.
    """
    text = str(name_or_path)
    grid = re.fullmatch(r"grid-([0-9]{1,4})x([0-9]{1,4})", text)
    if grid is not None:
        return _load_grid(int(grid[1]), int(grid[2]))
    if text in names():
        return _load_shipped(text)
    path = Path(name_or_path)
    if path.suffix != ".toml" and not path.is_file():
        raise FormatError(
            f"unknown map {text[:80]!r} (known: {', '.join(names())}, grid-WxH, or a .toml file)"
        )
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not text in UTF-8"
        raise FormatError(f"map {text[:200]}: {reason}") from None
    try:
        return WorldMap.parse(content)
    except FormatError as error:
        raise FormatError(f"map {text[:200]}: {error}") from None


def key(name: str) -> str:
    """A name as one word in lower case: ``North Africa`` is ``north-africa``."""
    return "-".join(name.lower().replace("_", " ").replace("-", " ").split())


def deal_kinds(count: int) -> tuple[int, ...]:
    """The kinds of the cards of ``count`` territories, dealt in turn: a third each."""
    return tuple(number % layout.WILD for number in range(count))


def _shipped() -> Any:
    return resources.files("surefoot.risk") / "data" / "maps"


@cache
def _load_shipped(name: str) -> WorldMap:
    return WorldMap.parse((_shipped() / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def _load_grid(width: int, height: int) -> WorldMap:
    return WorldMap.grid(width, height)


def _reach(neighbours: tuple[tuple[int, ...], ...]) -> set[int]:
    reached, fresh = {0}, [0]
    while fresh:
        for other in neighbours[fresh.pop()]:
            if other not in reached:
                reached.add(other)
                fresh.append(other)
    return reached


def _distinct_keys(named: list[str], what: str) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for number, name in enumerate(named):
        word = key(name)
        if not word or len(word) > 60 or any(ord(letter) < 32 for letter in name):
            raise FormatError(f"not a name for a {what}: {name[:40]!r}")
        if word.isdecimal() or (what == "territory" and re.fullmatch(r"wild-\d+|on", word)):
            raise FormatError(
                f"a {what} cannot be called {name[:40]!r}: it would be taken for something else"
            )
        if word in numbers:
            raise FormatError(f"two {what} names with the same key: {named[numbers[word]]!r} and {name!r}")
        numbers[word] = number
    return numbers


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\x7f", "\\u007F")
    return f'"{escaped}"'


def _quote_key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else _quote(text)


def _show(number: float) -> str:
    return f"{number:.10g}" if number != int(number) else str(int(number))


class _Reader:
    """The tables of a map file; a fault is named with the line where its entry is."""

    def __init__(self, text: str, tables: dict[str, Any]) -> None:
        self.lines = text.splitlines()
        self.tables = tables

    def read(self) -> WorldMap:
        for entry in self.tables:
            if entry not in ("name", "continents", "territories", "borders", "one-way"):
                raise FormatError(f"unknown entry {entry[:40]!r}")
        name = self.tables.get("name")
        if not isinstance(name, str):
            raise FormatError('a map has a name, such as name = "my-map"')
        continents = [
            Continent(label, self._bonus(label, bonus)) for label, bonus in self._table("continents").items()
        ]
        places = {continent.name: number for number, continent in enumerate(continents)}
        entries = self._table("territories")
        kinds = deal_kinds(len(entries))
        lands = [
            self._territory(label, entry, places, kinds[number])
            for number, (label, entry) in enumerate(entries.items())
        ]
        near = self._neighbours([land.name for land in lands])
        return WorldMap(name, tuple(continents), tuple(lands), near)

    def _table(self, name: str, *, needed: bool = True) -> dict[str, Any]:
        table = self.tables.get(name, None if needed else {})
        if not isinstance(table, dict):
            raise FormatError(f"a map has a table [{name}]")
        return table

    def _bonus(self, label: str, bonus: object) -> int:
        if type(bonus) is not int:
            raise self._fault("continents", label, f"a bonus is a whole number, not {str(bonus)[:40]!r}")
        return bonus

    def _territory(self, label: str, entry: object, places: dict[str, int], dealt: int) -> Territory:
        if not isinstance(entry, dict):
            raise self._fault("territories", label, "expected { continent = ..., at = [x, y] }")
        for part in entry:
            if part not in ("continent", "at", "card"):
                raise self._fault("territories", label, f"unknown entry {part[:40]!r}")
        continent = entry.get("continent")
        if not isinstance(continent, str) or continent not in places:
            raise self._fault("territories", label, f"no continent {str(continent)[:40]!r}")
        at = entry.get("at", [0, 0])
        if not (
            isinstance(at, list)
            and len(at) == 2
            and all(type(n) in (int, float) and abs(n) <= _MAX_POSITION for n in at)
        ):
            raise self._fault("territories", label, "a position is [x, y]")
        kind: object = entry.get("card", KINDS[dealt])
        if not isinstance(kind, str) or kind not in KINDS[: layout.WILD]:
            raise self._fault(
                "territories", label, f"a card is infantry, cavalry or artillery, not {str(kind)[:40]!r}"
            )
        return Territory(label, places[continent], float(at[0]), float(at[1]), KINDS.index(kind))

    def _neighbours(self, labels: list[str]) -> tuple[tuple[int, ...], ...]:
        numbers = {label: number for number, label in enumerate(labels)}
        near: list[set[int]] = [set() for _ in labels]
        for table in "borders", "one-way":
            for label, others in self._table(table, needed=table == "borders").items():
                if label not in numbers:
                    raise self._fault(table, label, "no such territory")
                if not isinstance(others, list):
                    raise self._fault(table, label, "expected a list of territories")
                for other in others:
                    if not isinstance(other, str) or other not in numbers:
                        raise self._fault(table, label, f"no territory {str(other)[:40]!r} to border on")
                    a, b = numbers[label], numbers[other]
                    if a == b:
                        raise self._fault(table, label, "a territory does not border on itself")
                    if b in near[a] or (table == "borders" and a in near[b]):
                        raise self._fault(table, label, f"the border to {other} is there already")
                    near[a].add(b)
                    if table == "borders":
                        near[b].add(a)
        return tuple(tuple(sorted(others)) for others in near)

    def _fault(self, table: str, label: str, words: str) -> FormatError:
        inside = False
        for number, line in enumerate(self.lines, 1):
            plain = line.strip()
            if plain.startswith("["):
                inside = plain.startswith(f"[{table}]")
            elif inside and plain.startswith((label, _quote(label), f"'{label}'")):
                return FormatError(f"line {number}: {label[:60]}: {words}")
        return FormatError(f"[{table}] {label[:60]}: {words}")
