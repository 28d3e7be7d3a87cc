"""Other programs' map files, one format a file, and one reader for all of them."""

import re
from pathlib import Path

from surefoot.errors import FormatError

from ..worldmap import WorldMap

_MAX_BYTES = 4 << 20
"""More than any map takes; what is longer is not read into memory."""


def read_map(path: Path, *, one_way: bool = False) -> WorldMap:
    """Read a map file of any known format: our own TOML, Domination, Conquest or Lux.

    A ``.toml`` or ``.luxb`` file is what it is called; of any other the text decides.

    Args:
        path: the file. The cards of a Domination map are read from the file beside it that the map names, if
            there is one.
        one_way: whether to take one-way borders that the map does not ask for.

    Raises:
        FormatError: naming the line at fault.
        OSError: the file cannot be read.
    """
    from . import conquest, domination, lux

    text = _read(path)
    suffix = path.suffix.lower()
    headings = {heading.lower() for heading in re.findall(r"(?m)^[ \t]*\[([^\]\n]*)\]", text)}
    if suffix == ".toml" or (suffix != ".luxb" and {"territories", "borders"} <= headings):
        return WorldMap.parse(text)
    if suffix == ".luxb" or text.lstrip().startswith("<"):
        return lux.parse(text, one_way=one_way, name=path.stem)
    if {"map", "territories"} & headings:
        return conquest.parse(text, one_way=one_way, name=path.stem)
    if not {"files", "countries", "borders"} & headings:
        raise FormatError("not a map of Domination, Conquest or Lux, nor one of Surefoot's own")
    cards = _cards_beside(path, domination.cards_file(text))
    return domination.parse(text, cards=cards, name=path.stem)


def _cards_beside(path: Path, name: str | None) -> str | None:
    beside = None if name is None else path.parent / name
    return _read(beside) if beside is not None and beside.is_file() else None


def _read(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise FormatError(f"{path.name} is too large for a map")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"line {line}: not UTF-8 text") from None
