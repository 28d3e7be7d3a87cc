"""Everybody's chance to win along a game: a point at the start of each turn, and one where it stands now."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from ..refusals import Refused
from ..session import Session
from . import work
from .table import Standing

MOST_POINTS: Final = 400
"""Points that are kept; from then on every second one is let go."""

Point = list[Any]
"""Actions so far, the chance of each player, how far it may be off, and the share without winner.

By play-outs it may be off by half the width of the 95 % interval; by the value, by its mean gap.
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """A position whose chances are wanted.

    Args:
        moves: actions so far.
        standing: the position.
        viewer: from whose seat it is seen; None for all there is to see.
        kept: whether its point stays when the game goes on.
    """

    moves: int
    standing: Standing
    viewer: int | None
    kept: bool


class Curve:
    """The points so far; those of positions that come too fast are left out.

    Args:
        session: the game; it is told of every change.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._kept: dict[int, Point] = {}
        self._now: Point | None = None
        self._start: Asked | None = None
        self._present: Asked | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether points are being worked out."""
        return self._task is not None and not self._task.done()

    def ask(self, asked: Asked) -> None:
        """Want the chances of the position that the game has come to."""
        self._now = self._present = None
        if asked.moves in self._kept:
            return
        if asked.kept:
            self._start = asked
        else:
            self._present = asked
        if not self.busy:
            self._task = self._session.start(self._run())

    def moved(self) -> None:
        """The game has gone on, or back, to a position that is not asked about."""
        self._now = self._present = None

    def clear(self) -> None:
        """Forget everything: another game begins, or nobody wants to know."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._kept = {}
        self._now = self._start = self._present = None

    def over(self, moves: int, players: int, winner: int | None) -> None:
        """The game has ended, and nothing is left to chance."""
        self._now = self._present = None
        won = [float(seat == winner) for seat in range(players)]
        self._keep([moves, won, 0.0, float(winner is None)])

    def as_dict(self) -> dict[str, Any]:
        """The curve as the view has it."""
        points = [self._kept[moves] for moves in sorted(self._kept)]
        if self._now is not None:
            points.append(self._now)
        return {"points": points, "thinking": self.busy}

    async def _run(self) -> None:
        while (asked := self._start or self._present) is not None:
            # Without an answer a point is missing; the next may be there again.
            with suppress(Refused):
                await self._work_out(asked)
            if asked is self._start:
                self._start = None
            elif asked is self._present:
                self._present = None
        self._task = None
        self._session.changed()

    async def _work_out(self, asked: Asked) -> None:
        lanes, key = self._session.lanes, self._session.key
        weighed = await lanes.play(key, work.weigh, asked.standing)
        if weighed is not None:
            self._put(asked, [asked.moves, _rounded(weighed.values), _rounded([weighed.error])[0], 0.0])
            return
        tally: work.Tally | None = None
        while tally is None or tally.playouts < work.PLAYOUTS:
            # In the game's own lane, so that it holds up nobody else.
            tally = await lanes.play(key, work.roll_out, asked.standing, asked.viewer, asked.moves, tally)
            shares = _rounded([won / tally.playouts for won in tally.wins])
            error, capped = _rounded([max(tally.errors), tally.capped / tally.playouts])
            if not self._put(asked, [asked.moves, shares, error, capped]):
                return

    def _put(self, asked: Asked, point: Point) -> bool:
        """Show a point, if it is still wanted; the answer is whether it is."""
        if asked.kept:
            self._keep(point)
        elif asked is self._present:
            self._now = point
        else:
            return False
        self._session.changed()
        return True

    def _keep(self, point: Point) -> None:
        self._kept[point[0]] = point
        if len(self._kept) > MOST_POINTS:
            self._kept = {moves: self._kept[moves] for moves in sorted(self._kept)[::2]} | {point[0]: point}


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(value, 4) for value in values]
