"""A game of Minesweeper on the page."""

import asyncio
import copy
import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from surefoot.errors import FormatError, IllegalAction
from surefoot.minesweeper.actions import Action
from surefoot.minesweeper.bulk import IDLE_LIMIT, agent_seed
from surefoot.minesweeper.game import End, Game, Outcome
from surefoot.minesweeper.kernels.layout import FLAGGED
from surefoot.minesweeper.record import Record

from ..lanes import Lanes
from ..limits import MAX_ACTIONS
from ..messages import (
    Act,
    Advise,
    Agent,
    Assist,
    CreateMinesweeper,
    PaceMessage,
    Restart,
    Seat,
    SessionMessage,
    Step,
    Undo,
)
from ..refusals import Refused
from ..session import Pace, Session, View
from . import view, work
from .clock import Clock
from .newest import Newest
from .opening import Opening, check_agent, opening_of

GRACE: Final = 0.025
"""Seconds that a change waits for what is worked out about it, so that both are shown at once."""
PATIENCE: Final = 0.25
"""Seconds after which an agent that has not answered is shown to be thinking."""
CLOCK_AGE: Final = 0.5
"""Seconds after which a view that is shown again has its clock set."""


class MinesweeperSession(Session):
    """One game of Minesweeper, and everybody who looks at it."""

    game: ClassVar[str] = "minesweeper"

    def __init__(self, key: str, lanes: Lanes, opening: Opening, game: Game) -> None:
        super().__init__(key, lanes)
        self._opening = opening
        self._seed = opening.seed
        self._game = game
        self._clock = Clock(opening.seconds)
        self._players = list(opening.players)
        self._agent = "exact"
        self._why_ended: str | None = None
        self._thinking = False
        self._quiet = 0
        self._pace = Pace(self, self._advance)
        self._analysing = False
        self._analysis: tuple[bytes, dict[str, Any]] | None = None
        self._curving = False
        self._points: list[list[float]] = []
        self._last_chance: tuple[bytes, tuple[float, float] | None] | None = None
        self._metrics: dict[str, int] | None = None
        self._studies = Newest(self, self._analyze)
        self._chances = Newest(self, self._add_point)
        self._measures = Newest(self, self._measure)

    @classmethod
    async def create(cls, key: str, lanes: Lanes, message: CreateMinesweeper) -> "MinesweeperSession":
        """A new game as a client asks for it.

        Raises:
            Refused: there is no such game; the message says why.
        """
        opening, game = await opening_of(lanes, message)
        session = cls(key, lanes, opening, game)
        if game.over:
            session._measures.ask()
        return session

    def record(self) -> str:
        """The game as text, for saving: it tells where the mines are.

        Raises:
            Refused: nothing was opened yet, so that there is no board to save.
        """
        headers = dict(self._opening.headers)
        if self._players:
            headers["Player"] = ", ".join(self._players)
        if self._opening.record is None:
            headers["Seed"] = str(self._seed)
        if self._clock.seconds:
            headers["Seconds"] = f"{self._clock.seconds:.3f}"
        try:
            return str(Record.of(self._game, notes=self._opening.notes, headers=headers))
        except ValueError:
            raise Refused("not-legal", "nothing is open yet, so there is no board to save") from None

    async def handle(self, message: SessionMessage) -> None:
        """Carry out what a client asks.

        Raises:
            Refused: it cannot be done; nothing has changed.
        """
        match message:
            case Act():
                await self._act(message.action)
            case Restart():
                await self._restart(message.seed)
            case PaceMessage():
                if message.running:
                    self._refuse_when_over()
                self._pace.set(running=message.running, speed=message.speed)
                if message.running:
                    self._why_ended = None
            case Step():
                self._refuse_when_over()
                self._why_ended = None
                self._pace.step()
                self.changed()
            case Agent():
                self._agent = check_agent(message.agent)
                self._why_ended = None
                self.changed()
            case Assist():
                await self._assist(message.what, message.on)
            case Undo():
                raise Refused("not-legal", "in Minesweeper nothing can be taken back")
            case Seat() | Advise():
                raise Refused("bad-message", f"{message.type}: that is for Risk; this is Minesweeper")

    def _refuse_when_over(self) -> None:
        if self._game.over:
            raise Refused("not-legal", "the game is over: start a new one")

    async def _act(self, text: str) -> None:
        try:
            action = Action.parse(text)
        except FormatError as error:
            raise Refused("bad-message", str(error)) from None
        if len(self._game.actions) >= MAX_ACTIONS:
            raise Refused("too-large", f"a game has at most {MAX_ACTIONS:,} actions: start a new one")
        try:
            self._play(action, "human")
        except IllegalAction as error:
            raise Refused("not-legal", str(error)) from None
        self._why_ended = None
        await self._show()

    async def _restart(self, seed: int | None) -> None:
        self._opening = self._opening.again(seed)
        self._seed = self._opening.seed
        self._game = self._opening.game()
        self._clock = Clock(0.0)
        self._players = []
        self._why_ended = None
        self._quiet = 0
        self._points = []
        self._metrics = None
        self.lanes.forget(self.key)
        await self._show()
        self._pace.wake()

    async def _assist(self, what: str, on: bool) -> None:
        if what == "analysis":
            self._analysing = on
        else:
            self._curving = on
            if not on:
                self._points = []
        await self._show()

    def _play(self, action: Action, player: str, since: float | None = None) -> None:
        """Play an action; ``since`` is when the player began to think about it, for a clock that stands."""
        moves = self._game.moves
        opened = self._game.play(action)
        self._quiet = 0 if opened else self._quiet + 1
        if player not in self._players:
            self._players.append(player)
        if self._game.moves > moves or self._game.over:
            self._clock.start(since)
        if self._game.over:
            self._clock.stop()
            # Who starts another game wants to see its board before an agent plays on it.
            self._pace.running = False

    async def _show(self) -> None:
        """Tell clients of a change, together with what can be worked out about it at once."""
        version = self.version
        if self._analysing and not self._game.over:
            self._studies.ask()
        if self._curving:
            self._chances.ask()
        if self._game.over and self._metrics is None:
            self._measures.ask()
        await self._studies.settle(GRACE)
        await self._measures.settle(GRACE)
        if self.version == version:
            self.changed()

    # What is worked out

    async def _analyze(self) -> None:
        observation = self._game.observation()
        position = view.position(observation)
        if self._game.over or (self._analysis is not None and self._analysis[0] == position):
            return
        try:
            answer = await self.lanes.study(work.analyze, observation)
        except Refused as refused:
            answer = view.no_analysis("too-complex", refused.message)
        self._analysis = position, answer
        self.changed()

    async def _add_point(self) -> None:
        game, moves = self._game, self._game.moves
        if game.over:
            chance: tuple[float, float] | None = (float(game.outcome is Outcome.WON), 0.0)
        else:
            observation = game.observation()
            position = view.position(observation)
            if self._last_chance is None or self._last_chance[0] != position:
                try:
                    answer = await self.lanes.play(self.key, work.win_probability, observation)
                except Refused:
                    answer = None
                self._last_chance = position, answer
            chance = self._last_chance[1]
        if game is not self._game or not self._curving:
            return
        if chance is not None:
            # Some actions are no moves, and leaving is none.
            before = [point for point in self._points if point[0] < moves]
            self._points = [*before, [moves, *(round(part, 4) for part in chance)]]
        self.changed()

    async def _measure(self) -> None:
        game = self._game
        if not game.over:
            return
        try:
            found = await self.lanes.study(work.metrics, _packed(game))
        except Refused:
            return
        if game is self._game:
            self._metrics = found
            self.changed()

    # The agent

    async def _advance(self, most: int) -> int:
        """Let the agent play some moves; see `Pace`."""
        game, before = self._game, len(self._game.actions)
        if game.over or self._why_ended is not None:
            self._pace.running = False
            return 0
        if before >= MAX_ACTIONS:
            return self._stop(f"a game has at most {MAX_ACTIONS:,} actions")
        agent, since = self._agent, time.monotonic()
        try:
            with self._shown_to_think():
                turn = await self.lanes.play(
                    self.key, work.play, self.key, agent, agent_seed(self._seed, 0), _packed(game), most
                )
        except Refused as refused:
            return self._stop(f"{agent}: {refused.message}")
        if game is not self._game or len(game.actions) != before or agent != self._agent:
            # Somebody else was quicker. The agent takes its moves for played; another one looks afresh.
            self.lanes.forget(self.key)
            return 1
        for action in turn.actions:
            self._play(action, agent, since)
        if turn.ended is not None:
            self._stop(turn.ended)
        elif self._quiet > IDLE_LIMIT + 2 * game.level.cells:
            self._stop(f"{agent} opens nothing any more")
        await self._show()
        return 0 if self._why_ended is not None else len(turn.actions)

    def _stop(self, why: str) -> int:
        self._why_ended = why
        self._pace.running = False
        self.changed()
        return 0

    @contextmanager
    def _shown_to_think(self) -> Iterator[None]:
        handle = asyncio.get_running_loop().call_later(PATIENCE, self._show_thinking, True)
        try:
            yield
        finally:
            handle.cancel()
            if self._thinking:
                self._show_thinking(False)

    def _show_thinking(self, thinking: bool) -> None:
        self._thinking = thinking
        self.changed()

    # The view

    def view(self) -> View:
        """What clients see now; the same object until something changes, but for the clock."""
        if self._view is not None and self._clock.seconds - self._view["clock"]["seconds"] > CLOCK_AGE:
            self._view = self._view | {"clock": self._clock.as_dict()}
        return super().view()

    def build(self) -> View:
        """What clients see now, as fresh JSON values."""
        game, level, rules = self._game, self._game.level, self._game.rules
        cells = view.cells(game)
        return {
            "game": self.game,
            "level": {"width": level.width, "height": level.height, "mines": level.mines},
            "preset": self._opening.preset,
            "rules": str(rules),
            "switches": {
                "flood": rules.flood,
                "chord": rules.chord,
                "flags_protect": rules.flags_protect,
                "may_leave": rules.may_leave,
                "mines_known": rules.mines_known,
                "first_click": rules.first_click,
                "goal": rules.goal,
            },
            "cells": cells.tolist(),
            "status": game.outcome.name.lower(),
            "end": None if game.end is End.NOT_ENDED else game.end.name.lower(),
            "complete": game.complete,
            "flags": int((game.observation().cells == FLAGGED).sum()),
            "moves": game.moves,
            "score": game.score,
            "clock": self._clock.as_dict(),
            "bbbv": self._metrics,
            "last": str(game.actions[-1]) if game.actions else None,
            "agent": {
                "name": self._agent,
                "running": self._pace.running,
                "speed": self._pace.speed,
                "thinking": self._thinking,
                "ended": self._why_ended,
            },
            "analysis": self._analysis_now(),
            "curve": {"points": self._points, "thinking": self._chances.busy} if self._curving else None,
        }

    def _analysis_now(self) -> dict[str, Any] | None:
        if not self._analysing:
            return None
        if self._game.over:
            return view.no_analysis("over", "the game is over")
        if self._analysis is None or self._analysis[0] != view.position(self._game.observation()):
            return view.no_analysis("thinking", None)
        return self._analysis[1]


def _packed(game: Game) -> bytes:
    """A game for a worker process: how it stands now, without how it came to be so, which may be long."""
    packed = copy.copy(game)
    packed.actions = []
    return pickle.dumps(packed)
