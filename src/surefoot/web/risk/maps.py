"""The maps that are played on here: those that come with the program, and grids that are not too large."""

import re

from surefoot.errors import FormatError
from surefoot.risk.worldmap import WorldMap, load, names

from ..limits import MAX_TERRITORIES


def map_of(name: str) -> WorldMap:
    """A map by its name; unlike `load`, this opens no files but those that come with the program.

    Raises:
        FormatError: there is none of that name, or it is too large for the page.
    """
    grid = re.fullmatch(r"grid-([0-9]{1,4})x([0-9]{1,4})", name, re.ASCII)
    if grid is not None:
        territories = int(grid[1]) * int(grid[2])
        if territories > MAX_TERRITORIES:
            raise FormatError(
                f"map {name}: {territories:,} territories; at most {MAX_TERRITORIES} are played on here"
            )
    elif name not in names():
        raise FormatError(f"no map {name[:40]!r} (known: {', '.join(names())}, and grid-WxH)")
    return load(name)


def check_size(worldmap: WorldMap) -> None:
    """Refuse a map that is too large for the page.

    Raises:
        FormatError: it is.
    """
    territories = len(worldmap.territories)
    if territories > MAX_TERRITORIES:
        raise FormatError(
            f"map {worldmap.name}: {territories:,} territories; at most {MAX_TERRITORIES} are taken here"
        )
