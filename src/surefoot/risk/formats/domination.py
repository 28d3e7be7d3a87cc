"""Maps of Domination: ``.map``, with the cards in a ``.cards`` file beside it; read and write.

::

    ; a comment
    name Two Shores
    [files]
    crd shores.cards
    [continents]
    West 2 yellow
    East_Shore 3 blue
    [countries]
    1 Old_Harbour 1 40 60
    2 Mill 2 90 60
    [borders]
    1 2
    2 1

Continents are numbered from 1 in the order of their lines; a country's line gives its number, name, continent
and place; a border's line goes from the first number to all others and says nothing of the way back, so that
a border that leads one way is one that the map asks for. Colours and pictures are not kept.
"""

import re
from collections.abc import Sequence
from typing import Final

from surefoot.errors import FormatError

from ..kernels import layout
from ..worldmap import KINDS, WorldMap
from .draft import Border, Land, Region, build, entries, fault, shown, whole

_SECTIONS: Final = ("files", "continents", "countries", "borders")
_FILES: Final = ("pic", "map", "crd", "prv")
_KINDS: Final = {"infantry": "infantry", "cavalry": "cavalry", "cannon": "artillery"}
"""What Domination calls the kinds of card, and what they are called here."""
_WILD: Final = "wildcard"
_COLOURS: Final = ("yellow", "red", "blue", "orange", "green", "magenta", "cyan", "pink", "white", "gray")
"""For continents that are written; a map of ours has no colours."""


def parse(text: str, *, cards: str | None = None, name: str = "map") -> WorldMap:
    """Read a map.

    Args:
        text: the ``.map`` file.
        cards: the ``.cards`` file; without it the kinds of cards are dealt in turn.
        name: what the map is called if it does not say so itself.

    Raises:
        FormatError: naming the line at fault, and whether it is one of the cards.
    """
    regions: list[Region] = []
    lands: list[Land] = []
    borders: list[tuple[list[str], int]] = []
    section = ""
    for line, words, heading in entries(text):
        fields = words.split()
        if heading is not None:
            if heading not in _SECTIONS:
                raise fault(line, f"unknown section {shown(heading)} (known: {', '.join(_SECTIONS)})")
            section = heading
        elif section == "files":
            _check_file(fields, line)
        elif section == "continents":
            regions.append(_region(fields, line))
        elif section == "countries":
            lands.append(_land(fields, len(lands) + 1, line))
        elif section == "borders":
            borders.append((fields, line))
        elif fields[0] == "name" and len(fields) > 1:
            name = " ".join(fields[1:])
        # Any other word before the first section is a note of the program's own.
    for land in lands:
        if not 0 <= land.continent < len(regions):
            numbers = f"{land.continent + 1} is not one of 1 to {len(regions)}"
            raise fault(land.line, f"{shown(land.name)} is in no continent: {numbers}")
    names = [land.name for land in lands]
    ways = [way for fields, line in borders for way in _borders(fields, names, line)]
    try:
        kinds = None if cards is None else parse_cards(cards, names)
    except FormatError as error:
        raise FormatError(f"in the cards, {error}") from None
    return build(name, regions, lands, ways, one_way=True, kinds=kinds)


def cards_file(text: str) -> str | None:
    """The name of the cards file that a map speaks of.

    Raises:
        FormatError: it is not a plain name, so that it would lead out of the map's folder.
    """
    section = ""
    for line, words, heading in entries(text):
        section = section if heading is None else heading
        fields = words.split(maxsplit=1)
        if section == "files" and fields[0] == "crd" and len(fields) == 2:
            if re.search(r"[/\\:\0]|^\.+$", fields[1]):
                raise fault(line, f"{shown(fields[1])} is not the name of a file in the map's folder")
            return fields[1]
    return None


def parse_cards(text: str, names: Sequence[str]) -> tuple[int, ...]:
    """Read a ``.cards`` file: the kind of each territory's card, as a place in `KINDS`.

    How many wild cards there are is a rule here and not of the map; missions are not kept.

    Args:
        text: the file.
        names: the territories, in the order of their numbers.

    Raises:
        FormatError: naming the line of the cards file at fault.
    """
    kinds: dict[int, int] = {}
    section, begin = "", 1
    for line, words, heading in entries(text):
        fields = words.lower().split()
        if heading is not None:
            if heading not in ("cards", "missions"):
                raise fault(line, f"unknown section {shown(heading)} (known: cards, missions)")
            section = heading
            begin = line if heading == "cards" else begin
        elif not section:
            raise fault(line, f"{shown(words)} stands before the section [cards]")
        elif section == "cards" and fields != [_WILD]:
            if len(fields) != 2 or fields[0] not in _KINDS:
                raise fault(line, f"{shown(words)} is not a card, such as 'Cannon 7' or '{_WILD}'")
            number = _number(fields[1], names, line)
            if number in kinds:
                raise fault(line, f"a second card of {shown(names[number])}")
            kinds[number] = KINDS.index(_KINDS[fields[0]])
    for number, name in enumerate(names):
        if number not in kinds:
            raise fault(begin, f"there is no card of {shown(name)}")
    return tuple(kinds[number] for number in range(len(names)))


def write(world: WorldMap, cards_file: str | None = None) -> str:
    """The ``.map`` file; positions are rounded, and colours are given to the continents in turn.

    Args:
        world: the map.
        cards_file: what the file of `write_cards` is called, if there is to be one.

    Raises:
        FormatError: a continent's name would be taken for a comment or a heading.
    """
    lines = ["; written by Surefoot", f"name {world.name}", "", "[files]"]
    lines += [] if cards_file is None else [f"crd {cards_file}"]
    lines += ["", "[continents]"]
    for number, continent in enumerate(world.continents):
        token = _token(continent.name)
        if token.startswith((";", "[")):
            raise FormatError(f"{shown(continent.name)} cannot be written as a continent of Domination")
        lines.append(f"{token} {continent.bonus} {_COLOURS[number % len(_COLOURS)]}")
    lines += ["", "[countries]"]
    for number, land in enumerate(world.territories, 1):
        place = f"{land.continent + 1} {round(land.x)} {round(land.y)}"
        lines.append(f"{number} {_token(land.name)} {place}")
    lines += ["", "[borders]"]
    for number, near in enumerate(world.neighbours, 1):
        lines.append(" ".join(str(other) for other in (number, *(other + 1 for other in near))))
    return "\n".join(lines) + "\n"


def write_cards(world: WorldMap) -> str:
    """The ``.cards`` file that goes with `write`."""
    theirs = {KINDS.index(ours): word.capitalize() for word, ours in _KINDS.items()}
    lines = [f"{theirs[land.card]} {number}" for number, land in enumerate(world.territories, 1)]
    return "\n".join(["; written by Surefoot", "[cards]", *lines, *[_WILD] * layout.WILD_CARDS]) + "\n"


def _check_file(fields: list[str], line: int) -> None:
    if fields[0] not in _FILES:
        raise fault(line, f"unknown kind of file {shown(fields[0])} (known: {', '.join(_FILES)})")
    if len(fields) < 2:
        raise fault(line, f"{fields[0]} names no file")


def _region(fields: list[str], line: int) -> Region:
    if len(fields) != 3:
        raise fault(line, "a continent is a name, a bonus and a colour, such as 'Asia 7 green'")
    return Region(_name(fields[0]), whole(fields[1], line, "a bonus"), line)


def _land(fields: list[str], number: int, line: int) -> Land:
    if len(fields) != 5:
        raise fault(line, "a country is a number, a name, a continent, x and y, such as '1 Alaska 1 60 95'")
    if whole(fields[0], line, "a country's number") != number:
        raise fault(line, f"country {fields[0]} stands where country {number} is expected")
    continent = whole(fields[2], line, "a continent's number") - 1
    x, y = (float(whole(field, line, "a position")) for field in fields[3:])
    return Land(_name(fields[1]), continent, x, y, line)


def _borders(fields: list[str], names: Sequence[str], line: int) -> list[Border]:
    source, *targets = (_number(field, names, line) for field in fields)
    return [Border(source, target, line) for target in targets]


def _number(text: str, names: Sequence[str], line: int) -> int:
    """A country's number, from 0."""
    number = whole(text, line, "a country's number")
    if not 1 <= number <= len(names):
        raise fault(line, f"there is no country {number}; they are 1 to {len(names)}")
    return number - 1


def _name(token: str) -> str:
    """What is shown of an identifier."""
    return " ".join(re.sub("[-_]", " ", token).split())


def _token(name: str) -> str:
    return "_".join(name.split())
