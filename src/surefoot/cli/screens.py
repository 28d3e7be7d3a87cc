"""Boards and maps for a terminal, in colours that a Rich console shows."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table
    from rich.text import Text

    from surefoot.minesweeper.actions import Cell
    from surefoot.minesweeper.observation import Observation
    from surefoot.risk.situation import Situation

SEAT_COLOURS = ("cyan", "red", "green", "yellow", "magenta", "blue", "white")
"""By seat; the seat's number stands beside every name, for those who see no colours."""

_NUMBERS = ("dim", "blue", "green", "red", "magenta", "yellow", "cyan", "bold", "bold dim")
_HIDDEN = "\N{MIDDLE DOT}"


def board(seen: "Observation", marks: "Mapping[Cell, str] | None" = None) -> "Text":
    """A position of Minesweeper, a line a row.

    Args:
        marks: for some cells a letter in place of what is seen, shown in reverse; an empty one leaves the
            cell's own.
    """
    from rich.text import Text

    from surefoot.minesweeper.kernels.layout import FLAGGED, HIDDEN

    letters = {HIDDEN: (_HIDDEN, "bold"), FLAGGED: ("F", "bold red"), 0: (" ", "")}
    drawn = Text(no_wrap=True)
    for row, codes in enumerate(seen.cells.tolist()):
        for col, code in enumerate(codes):
            letter, style = letters.get(code) or (str(code), _NUMBERS[code])
            if marks and (row, col) in marks:
                letter, style = marks[row, col] or letter, f"{style} reverse"
            drawn.append(letter, style.strip())
            drawn.append(" ")
        drawn.append("\n")
    return drawn


def player(seat: int, name: str) -> "Text":
    """A player's seat and name in its colour."""
    from rich.text import Text

    return Text(f"{seat} {name}", style=SEAT_COLOURS[seat])


def land(seen: "Situation", place: int, *, armies: bool) -> "Text":
    """A territory in its owner's colour, with the owner's number and the armies if wished for."""
    from rich.text import Text

    owner, name = int(seen.owners[place]), seen.worldmap.key_of(place)
    if owner < 0:
        return Text(name, style="dim")
    mark = "neutral" if owner == seen.players else str(owner)
    return Text(f"{name} {mark}:{seen.armies[place]}" if armies else name, style=SEAT_COLOURS[owner])


def map_table(seen: "Situation") -> "Table":
    """The map of Risk by continent: every territory with its owner and armies."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2))
    table.add_column("continent")
    table.add_column("bonus", justify="right")
    table.add_column("territories: player, armies")
    for number, continent in enumerate(seen.worldmap.continents):
        lands = [
            land(seen, place, armies=True)
            for place, each in enumerate(seen.worldmap.territories)
            if each.continent == number
        ]
        table.add_row(continent.name, str(continent.bonus), Text(", ").join(lands))
    return table


def players_table(seen: "Situation", names: "Sequence[str]") -> "Table":
    """Who plays, with territories, armies and cards; who is to move stands in bold."""
    from rich.table import Table

    table = Table("player", box=None, padding=(0, 2))
    for head in ("territories", "armies", "cards"):
        table.add_column(head, justify="right")
    for seat, name in enumerate(names):
        counts = seen.territory_counts[seat], seen.army_counts[seat], seen.card_counts[seat]
        style = "bold" if seat == seen.turn and not seen.over else ""
        table.add_row(player(seat, name), *map(str, counts), style=style)
    return table
