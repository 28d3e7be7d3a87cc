"""Maps of Lux: ``.luxb`` files, in XML.

::

    <luxboard>
      <title>Two Shores</title>
      <continent>
        <continentname>West</continentname>
        <bonus>2</bonus>
        <country>
          <id>0</id>
          <name>Old Harbour</name>
          <polygon>30,50 50,50 50,70 30,70</polygon>
          <adjoining>1</adjoining>
        </country>
      </continent>
      ...
    </luxboard>

Countries are numbered from 0, in any order. A country lies in the middle of its polygon's corners; one
without a name is called by its number. All borders lead both ways unless the caller allows others. Elements
that are not named here are passed over. A document type is refused before anything of it is read, so that no
entity can be defined, and nothing outside the file is ever fetched.
"""

import re
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from ..worldmap import WorldMap
from .draft import Border, Land, Region, build, fault, shown, whole

_PARENTS: Final = {"continent": ("luxboard",), "country": ("continent", "luxboard")}
"""Where these elements may stand. A country right on the board is in no continent, which is told later."""
_MAX_DEPTH: Final = 20
_COORDINATE: Final = r"[+-]?[0-9]{1,6}(?:\.[0-9]*)?"
_POINT: Final = re.compile(rf"({_COORDINATE})\s*,\s*({_COORDINATE})")


@dataclass(slots=True)
class _Element:
    """An element: its name, the line on which it begins, what is in it, and all text of that."""

    tag: str
    line: int
    children: list["_Element"] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def all(self, tag: str) -> list["_Element"]:
        return [child for child in self.children if child.tag == tag]

    def text(self) -> str:
        """The text, with single spaces."""
        return " ".join("".join(self.texts).split())

    def one(self, tag: str) -> "_Element":
        """The one element of this name that has to be here."""
        found = self.all(tag)
        if len(found) != 1:
            raise fault(self.line, f"a {self.tag} has one <{tag}>, not {len(found)}")
        return found[0]


def parse(text: str, *, one_way: bool = False, name: str = "map") -> WorldMap:
    """Read a map.

    Args:
        text: the file.
        one_way: whether to take borders that lead in one direction only.
        name: what the map is called if it has no title.

    Raises:
        FormatError: naming the line at fault.
    """
    board = _tree(text)
    continents = board.all("continent")
    regions = [_region(continent) for continent in continents]
    placed = [(country, -1) for country in board.all("country")]
    for number, continent in enumerate(continents):
        placed += [(country, number) for country in continent.all("country")]
    ordered = _in_order(placed)
    lands = [_land(country, number, where) for number, (country, where) in enumerate(ordered)]
    borders = [
        Border(source, target, line)
        for source, (country, _) in enumerate(ordered)
        for target, line in _adjoining(country, len(ordered))
    ]
    titles = [title.text() for title in board.all("title")]
    return build(" ".join(titles) or name, regions, lands, borders, one_way=one_way)


def _in_order(placed: list[tuple[_Element, int]]) -> list[tuple[_Element, int]]:
    """Countries and their continents, in the order of the countries' numbers."""
    numbered: dict[int, tuple[_Element, int]] = {}
    for country, continent in placed:
        place = country.one("id")
        number = whole(place.text(), place.line, "a country's number")
        if not 0 <= number < len(placed):
            raise fault(place.line, f"country {number} of {len(placed)}; they are 0 to {len(placed) - 1}")
        if number in numbered:
            raise fault(place.line, f"a second country {number}")
        if continent < 0:
            raise fault(country.line, f"country {number} is in no continent")
        numbered[number] = country, continent
    return [numbered[number] for number in range(len(placed))]


def _region(continent: _Element) -> Region:
    bonus = continent.one("bonus")
    name = continent.one("continentname")
    return Region(name.text(), whole(bonus.text(), bonus.line, "a bonus"), continent.line)


def _land(country: _Element, number: int, continent: int) -> Land:
    corners = [
        (float(x), float(y)) for polygon in country.all("polygon") for x, y in _POINT.findall(polygon.text())
    ]
    if not corners:
        raise fault(country.line, f"country {number} has no polygon with corners such as '10,20 30,20 20,40'")
    names = [name.text() for name in country.all("name")]
    x, y = (round(sum(axis) / len(corners), 1) for axis in zip(*corners, strict=True))
    return Land(" ".join(names) or f"Country {number}", continent, x, y, country.line)


def _adjoining(country: _Element, count: int) -> list[tuple[int, int]]:
    """The numbers of the neighbours, and the line that tells each."""
    found = []
    for near in country.all("adjoining"):
        for word in near.text().replace(",", " ").split():
            number = whole(word, near.line, "a country's number")
            if not 0 <= number < count:
                raise fault(
                    near.line, f"there is no country {number} to border on; they are 0 to {count - 1}"
                )
            found.append((number, near.line))
    return found


def _tree(text: str) -> _Element:
    """The elements of the text, as a tree.

    Raises:
        FormatError: it is not XML, or not a board; or it has a document type.
    """
    parser = expat.ParserCreate("utf-8")
    top = _Element("file", 1)
    path = [top]

    def refuse(name: str, *_: object) -> None:
        raise fault(parser.CurrentLineNumber, f"a document type, {shown(name)}, is not read")

    def begin(tag: str, _: object) -> None:
        element = _Element(tag, parser.CurrentLineNumber)
        if path[-1] is top and tag != "luxboard":
            raise fault(element.line, f"<{tag[:40]}> is not a <luxboard>")
        if path[-1].tag not in _PARENTS.get(tag, (path[-1].tag,)):
            raise fault(element.line, f"a <{tag}> in a <{path[-1].tag[:40]}>")
        if len(path) > _MAX_DEPTH:
            raise fault(element.line, f"more than {_MAX_DEPTH} elements in one another")
        path[-1].children.append(element)
        path.append(element)

    def say(words: str) -> None:
        for element in path:
            element.texts.append(words)

    def end(_: str) -> None:
        path.pop()
        say(" ")  # what stands in two elements is two words

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = say
    try:
        parser.Parse(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        raise fault(error.lineno, f"not XML: {expat.ErrorString(error.code)}") from None
    return top.children[0]
