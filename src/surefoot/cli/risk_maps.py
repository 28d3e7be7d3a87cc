"""``surefoot risk maps`` and ``import-map``: the maps there are, and those of other programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.errors import FormatError

from .output import naming, print_json, say

if TYPE_CHECKING:
    from surefoot.risk.worldmap import WorldMap


def maps(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MAP]...", help="Maps by name or file; all that are shipped, unless given."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Tell what maps there are, or what is on a map."""
    from surefoot.risk.worldmap import names as shipped

    worlds = [_load(name) for name in names or shipped()]
    if as_json:
        print_json({"maps": [_counted(world) for world in worlds]})
    elif names:
        typer.echo("\n\n".join(_told(world) for world in worlds))
    else:
        width = max(len(world.name) for world in worlds)
        typer.echo("\n".join(f"{world.name:<{width}}  {_summary(world)}" for world in worlds))


def import_map(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A Domination, Conquest or Lux map, or one of Surefoot's by name."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to: .toml, or .map for Domination, with the .cards beside it. Else TOML on stdout.",
        ),
    ] = None,
    one_way: Annotated[
        bool, typer.Option("--one-way", help="Take one-way borders even if the map does not ask for them.")
    ] = False,
) -> None:
    """Turn a map of another program into one of Surefoot's, or into one of Domination."""
    from surefoot.risk.formats import domination

    if output is not None and output.suffix not in (".toml", ".map"):
        raise FormatError(f"--output is a .toml or a .map file, not {output.name[:40]!r}")
    world = _load(source, one_way=one_way)
    if output is None:
        typer.echo(str(world), nl=False)
        return
    cards = output.with_suffix(".cards")
    if output.suffix == ".toml":
        files = {output: str(world)}
    else:
        files = {output: domination.write(world, cards.name), cards: domination.write_cards(world)}
    for path, text in files.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    say(f"wrote {' and '.join(map(str, files))}: {_summary(world)}")


def _load(name: str, *, one_way: bool = False) -> "WorldMap":
    """A shipped map, a grid, or a map file of any known format."""
    from surefoot.risk.formats import read_map
    from surefoot.risk.worldmap import load, names

    path = Path(name)
    if name in names() or not (path.suffix or path.is_file()):
        return load(name)
    with naming(name):
        return read_map(path, one_way=one_way)


def _counted(world: "WorldMap") -> dict[str, Any]:
    return {
        "name": world.name,
        "territories": len(world.territories),
        "continents": {continent.name: continent.bonus for continent in world.continents},
        "borders": len(world.borders),
        "one_way": len(world.one_way),
    }


def _summary(world: "WorldMap") -> str:
    parts = [(len(world.territories), "territories"), (len(world.continents), "continents")]
    parts += [(len(world.borders), "borders"), (len(world.one_way), "one-way borders")]
    return ", ".join(f"{count} {what}" for count, what in parts if count)


def _told(world: "WorldMap") -> str:
    lines = [f"{world.name}: {_summary(world)}"]
    for number, continent in enumerate(world.continents):
        lines.append(f"{continent.name} ({continent.bonus})")
        for place, land in enumerate(world.territories):
            if land.continent == number:
                near = ", ".join(world.territories[other].name for other in world.neighbours[place])
                lines.append(f"  {land.name}: {near}")
    return "\n".join(lines)
