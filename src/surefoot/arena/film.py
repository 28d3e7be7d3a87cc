"""A game's record as a film: one picture a move, with what was played below it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from surefoot import theme as themes
from surefoot.minesweeper import svg as minesweeper_svg
from surefoot.minesweeper.actions import Action as MinesweeperAction
from surefoot.minesweeper.actions import Cell
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.record import Record as MinesweeperRecord
from surefoot.risk import actions, events
from surefoot.risk import svg as risk_svg
from surefoot.risk.actions import Action
from surefoot.risk.events import Event
from surefoot.risk.game import Game
from surefoot.risk.geometry import geometry
from surefoot.risk.record import Record as RiskRecord

from .flipbook import Frame, film

MOST = 600
"""Pictures in a film; of a longer game so many are taken, evenly."""

_CAPTION = 110
"""Letters in a caption."""

Picture = TypeVar("Picture")


class Step(NamedTuple):
    """A move of Risk, what chance then brought, and what stood after that.

    Args:
        number: of the move, from 1; 0 for the deal.
        round: in which it was played.
        seat: who played it.
        action: the move, or None for the deal.
        text: the move and what it brought, as in a record.
        game: the game after it.
    """

    number: int
    round: int
    seat: int
    action: Action | None
    text: str
    game: Game

    def told(self, names: Sequence[str]) -> str:
        """The step in a line, with who played it, by the players' names."""
        if self.action is None:
            return self.text
        return f"round {self.round}, seat {self.seat} {names[self.seat]}: {self.text}"


def steps(record: RiskRecord) -> Iterator[Step]:
    """A game of Risk move by move, the deal first; each step has a game of its own."""
    number, action, words = 0, None, ["deal"]
    round_, seat = 0, 0
    before: Game | None = None
    for entry, game in record.replay():
        if entry is None:
            continue
        if isinstance(entry, Event):
            words += ["="] * (len(words) == 1)
            words.append(events.to_text(entry, record.worldmap))
        else:
            if before is not None:
                yield Step(number, round_, seat, action, " ".join(words), before)
            number, action, words = number + 1, entry, [actions.to_text(entry, record.worldmap)]
            round_, seat = (0, 0) if before is None else (before.round, before.turn)
        before = game.copy()
    if before is not None:
        yield Step(number, round_, seat, action, " ".join(words), before)


def move_words(number: int, count: int, action: MinesweeperAction | None) -> str:
    """A move of Minesweeper in a line."""
    return f"start of {count} moves" if action is None else f"move {number} of {count}: {action}"


def film_of(
    record: MinesweeperRecord | RiskRecord, *, title: str, speed: float = 4.0, theme: str = "light"
) -> str:
    """The animated SVG of a game, in one file, without scripts; see `flipbook.film`.

    Args:
        title: what it is called.
        speed: moves a second.
        theme: ``light`` or ``dark``.

    Raises:
        FormatError: there is no such theme.
    """
    if isinstance(record, MinesweeperRecord):
        frames = _minesweeper(record, theme)
    else:
        frames = _risk(record, theme)
    return film(frames, title=title, speed=speed, theme=theme)


def _evenly(pictures: Sequence[Picture]) -> list[Picture]:
    """The first, the last, and evenly as many of those between that there are `MOST`."""
    if len(pictures) <= MOST:
        return list(pictures)
    return [pictures[place] for place in np.linspace(0, len(pictures) - 1, MOST).round().astype(int)]


class _Seen(NamedTuple):
    """A board, the cells to mark on it, and a caption."""

    board: Observation
    marks: dict[Cell, str]
    caption: str


def _minesweeper(record: MinesweeperRecord, theme: str) -> list[Frame]:
    """A frame a move, the cell that was played framed; in the end every mine that is hidden."""
    count = len(record.actions)
    seen: list[_Seen] = []
    for number, (action, game) in enumerate(record.replay()):
        words = move_words(number, count, action)
        marks = {} if action is None or action.cell is None else {action.cell: "best"}
        seen.append(_Seen(game.observation(), marks, words))
    mines = np.argwhere(record.board.mines & seen[-1].board.hidden)
    every: dict[Cell, str] = {(int(row), int(col)): "mine" for row, col in mines}
    said = f"{record.end.name.lower().replace('_', ' ')}; framed in red: the mines"
    seen.append(_Seen(seen[-1].board, every, said))
    return [
        Frame(minesweeper_svg.svg(each.board, marks=each.marks, theme=theme), each.caption)
        for each in _evenly(seen)
    ]


def _risk(record: RiskRecord, theme: str) -> list[Frame]:
    """A frame a move, with an arrow or a ring where armies are moved."""
    names = [record.headers.get(f"Seat{seat}", "") for seat in range(record.players)]
    frames = []
    for step in _evenly(list(steps(record))):
        said = step.told(names)
        if len(said) > _CAPTION:
            said = f"{said[: _CAPTION - 1]}…"
        picture = risk_svg.svg(step.game, theme=theme)
        frames.append(Frame(picture.replace("</svg>", f"{_pointed(step, theme)}</svg>"), said))
    return frames


def _pointed(step: Step, theme: str) -> str:
    """An arrow along which armies go, or a ring around where they are placed."""
    plan = geometry(step.game.worldmap)
    reach = 1.6 * plan.badge
    match step.action:
        case actions.Attack(source, target) | actions.Fortify(source, target):
            (x0, y0), (x, y) = plan.anchors[source], plan.anchors[target]
            line = f'<path d="M{x0:g} {y0:g}L{x:g} {y:g}" stroke-dasharray="6 3"/>'
        case actions.Claim(place) | actions.Draft(place):
            (x, y), line = plan.anchors[place], ""
        case _:
            return ""
    colour = themes.load().palette(theme)["accent"]
    ring = f'<circle cx="{x:g}" cy="{y:g}" r="{reach:g}"/>'
    return f'<g fill="none" stroke="{colour}" stroke-width="2.5">{line}{ring}</g>'
