"""``surefoot arena show``: one game of a run, played again before one's eyes."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from surefoot.errors import FormatError

from .arena import JsonOption, StoreOption
from .output import announce_kernels, print_json, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, RenderableType

    from surefoot.arena.retelling import Retold
    from surefoot.minesweeper.record import Record as MinesweeperRecord
    from surefoot.risk.record import Record as RiskRecord

_LAST = 6
"""Moves before the last one that stand below the map of Risk."""


def show(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its beginning.")],
    game: Annotated[int, typer.Argument(metavar="GAME", min=0, help="The game's number in the run.")],
    store: StoreOption = None,
    agent: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Minesweeper: whose game, if many played the world.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an animated SVG instead of showing it here.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the record, for 'surefoot GAME replay'.")
    ] = None,
    speed: Annotated[float, typer.Option(min=0.1, max=100, metavar="N", help="Moves a second.")] = 4.0,
    theme: Annotated[str, typer.Option(metavar="light|dark", help="Of the SVG.")] = "light",
    as_json: JsonOption = False,
) -> None:
    """Play one game of a run again from its seed, and show it move by move."""
    from surefoot.arena import Store
    from surefoot.arena.retelling import retell

    announce_kernels()
    with Store(store, create=False) as opened:
        told = retell(opened, opened.find(run_id).run, game, agent)
    _warn(told)
    if record is not None:
        record.write_text(str(_record(told)), encoding="utf-8")
        say(f"the record is in {record}")
    if svg is not None:
        from surefoot.arena.film import film_of

        drawn = film_of(_record(told), title=_title(told), speed=speed, theme=theme)
        svg.write_text(drawn, encoding="utf-8")
        say(f"the film is in {svg}")
    if as_json:
        print_json(told.as_dict())
    elif svg is None and record is None:
        _play(told, speed)


def _record(told: "Retold") -> "MinesweeperRecord | RiskRecord":
    """The record.

    Raises:
        FormatError: no cell was opened.
    """
    if told.record is None:
        raise FormatError(f"game {told.game}: no cell was opened, so there is nothing to show")
    return told.record


def _warn(told: "Retold") -> None:
    """Say what is not as it was."""
    for warning in told.warnings:
        say(f"warning: {warning}")
    if told.changed:
        say("warning: the version of Surefoot, the map or a file of an agent is not what it was in this run")
    if told.differences:
        why = "" if told.changed else ": an agent does not play the same way twice, or its time was up"
        say(f"warning: the game did not end as stored ({'; '.join(told.differences)}){why}")


def _title(told: "Retold") -> str:
    who = " v ".join(f"{seat.agent} ({seat.outcome.replace('_', ' ')})" for seat in told.seats)
    return f"run {told.run}, game {told.game}: {who}"


def _play(told: "Retold", speed: float) -> None:
    """On a terminal in place, so many moves a second; else in lines, and how it stood in the end."""
    from rich.console import Console

    from surefoot.minesweeper.record import Record as MinesweeperRecord

    console = Console(highlight=False)
    console.print(_title(told), markup=False)
    found = _record(told)
    if isinstance(found, MinesweeperRecord):
        screens = _minesweeper(found)
    else:
        screens = _risk(found, [seat.agent for seat in told.seats])
    if console.is_terminal:
        _live(console, screens, speed)
    else:
        last: RenderableType = ""
        for words, screen in screens:
            console.print(words, markup=False, soft_wrap=True)
            last = screen
        console.print(last)
    ended = ", ".join(f"{name} {value}" for name, value in told.again.items())
    console.print(ended, markup=False, soft_wrap=True)


def _live(console: "Console", screens: "Iterator[tuple[str, RenderableType]]", speed: float) -> None:
    from rich.console import Group
    from rich.live import Live
    from rich.text import Text

    with Live(console=console, auto_refresh=False, redirect_stdout=False, redirect_stderr=False) as live:
        for words, screen in screens:
            live.update(Group(Text(words), screen), refresh=True)
            time.sleep(1 / speed)


def _minesweeper(record: "MinesweeperRecord") -> "Iterator[tuple[str, RenderableType]]":
    """Words and board, move by move; in the end with the mines, an asterisk each."""
    import numpy as np

    from surefoot.arena.film import move_words

    from .screens import board

    count = len(record.actions)
    for number, (action, game) in enumerate(record.replay()):
        words = move_words(number, count, action)
        seen = game.observation()
        marks = {} if action is None or action.cell is None else {action.cell: ""}
        if number == count:
            mines = zip(*np.nonzero(record.board.mines & seen.hidden))
            marks |= {(int(row), int(col)): "*" for row, col in mines}
        yield words, board(seen, marks)


def _risk(record: "RiskRecord", names: list[str]) -> "Iterator[tuple[str, RenderableType]]":
    """Words, and the map with the moves before, move by move."""
    from rich.console import Group
    from rich.text import Text

    from surefoot.arena.film import steps

    from .screens import map_table, players_table

    said: list[str] = []
    for step in steps(record):
        said.append(step.told(names))
        last = Text("\n".join(said[-_LAST - 1 : -1]), style="dim", no_wrap=True, overflow="ellipsis")
        yield said[-1], Group(map_table(step.game), players_table(step.game, names), last)
