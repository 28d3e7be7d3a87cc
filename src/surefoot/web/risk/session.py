"""A game of Risk on the page."""

import asyncio
import secrets
from collections.abc import Awaitable
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError, IllegalAction, RulesError
from surefoot.risk import actions
from surefoot.risk.actions import Attack
from surefoot.risk.game import Game
from surefoot.risk.observation import Observation
from surefoot.risk.record import Record
from surefoot.risk.situation import Phase

from ..lanes import Lanes
from ..limits import MAX_ACTIONS
from ..messages import (
    Act,
    Advise,
    Agent,
    Assist,
    CreateRisk,
    PaceMessage,
    Restart,
    Seat,
    SessionMessage,
    Step,
    Undo,
)
from ..refusals import Refused
from ..session import Pace, Session, View
from . import work
from .curve import Asked, Curve
from .log import Battle, Entry, Log, Teller, within
from .players import HUMAN, check_agent, check_player, labels
from .table import Chance, Standing, begin
from .view import human_turn, position, viewer_of

T = TypeVar("T")

SPEED: Final = 3.0
"""Moves a second at first: slow enough to follow."""
SETUP_HASTE: Final = 8
"""Placing the starting armies goes so many times as fast: there are many, and none of them decides."""
PATIENCE: Final = 0.2
"""Seconds after which an agent that has not answered is shown to be thinking."""
MOST_UNDONE: Final = 100
"""Actions that can be taken back."""
MOST_FIGHTING: Final = 5_000
"""Armies in one attack of a person: every roll is written down."""
_SETTING_UP: Final = frozenset({Phase.CLAIM, Phase.SETUP, Phase.CAPITAL})


class RiskSession(Session):
    """One game of Risk, and everybody who looks at it."""

    game: ClassVar[str] = "risk"

    def __init__(self, key: str, lanes: Lanes, game: Game, players: list[str], chance: Chance) -> None:
        super().__init__(key, lanes)
        self._players = players
        self._pace = Pace(self, self._advance)
        self._pace.running = True
        self._pace.speed = SPEED
        self._curve = Curve(self)
        self._curving = False
        self._adviser: asyncio.Task[None] | None = None
        self._set_up(game, chance)

    def _set_up(self, game: Game, chance: Chance) -> None:
        self._game = game
        self._chance = chance
        self._era = object()
        """Another one whenever the game goes on otherwise than by the moves that are being thought about."""
        self._moves = [0] * game.players
        self._log = Log()
        self._battle: Battle | None = None
        self._undo: list[_Before] = []
        self._thinking: int | None = None
        self._why_ended: str | None = None
        self._advice: dict[str, Any] | None = None
        self._name_seats()

    def _name_seats(self) -> None:
        self._names = labels(self._players, neutral=self._game.rules.neutral)
        self._teller = Teller(self._game, self._names)

    @classmethod
    async def create(cls, key: str, lanes: Lanes, message: CreateRisk) -> "RiskSession":
        """A new game as a client asks for it, or the one of a record taken up where it ends.

        Raises:
            Refused: there is no such game; the message says why.
        """
        players = [check_player(player) for player in message.seats]
        chance = Chance(_seed(message.seed), len(players))
        if message.text is None:
            game = await _begun(message.map, message.rules, chance)
            session = cls(key, lanes, game, players, chance)
            session._tell(session._teller.beginning())
        else:
            loaded = await lanes.study(work.load_record, message.text, chance)
            there = loaded.standing.players
            if there != len(players):
                raise Refused(
                    "bad-message", f"seats: the record is of {there} players, not of {len(players)}"
                )
            game = loaded.standing.game()
            game.history[:] = loaded.history
            session = cls(key, lanes, game, players, chance)
            session._moves = loaded.moves
            session._tell([Entry({"seat": None, "text": "The game goes on from its record."})])
        session._moved()
        return session

    def record(self) -> str:
        """The game as text, for saving."""
        headers = {f"Seat{seat}": player for seat, player in enumerate(self._players)}
        return str(Record.of(self._game, headers=headers))

    async def handle(self, message: SessionMessage) -> None:
        """Carry out what a client asks.

        Raises:
            Refused: it cannot be done; nothing has changed.
        """
        match message:
            case Act():
                self._act(message.action)
            case Undo():
                self._take_back()
            case Restart():
                await self._restart(message.seed)
            case PaceMessage():
                if message.running:
                    self._why_ended = None
                self._pace.set(running=message.running, speed=message.speed)
                self._trace()
            case Step():
                self._step()
            case Seat():
                self._seat(message.seat, message.player)
            case Assist():
                self._assist(message.what, message.on)
            case Advise():
                self._ask_advice(check_agent(message.agent))
            case Agent():
                raise Refused("bad-message", "agent: that is for Minesweeper; in Risk give the agent a seat")

    # What people do

    def _act(self, text: str) -> None:
        game = self._game
        self._refuse_when_over()
        if not human_turn(game, self._players):
            raise Refused("not-legal", f"it is the turn of {self._names[game.turn]}")
        if len(game.history) >= MAX_ACTIONS:
            raise Refused("too-large", _TOO_LONG)
        try:
            action = actions.parse(text, game.worldmap)
        except FormatError as error:
            raise Refused("bad-message", str(error)) from None
        if isinstance(action, Attack) and action.armies > MOST_FIGHTING:
            raise Refused("too-large", f"at most {MOST_FIGHTING:,} armies fight at once here")
        before = _Before(game.state.copy(), len(game.history), self._log.mark(), self._battle)
        seat = game.turn
        try:
            told = self._teller.play(action)
        except IllegalAction as error:
            raise Refused("not-legal", str(error)) from None
        self._moves[seat] += 1
        # What chance has brought, and what the next player has seen, cannot be taken back.
        if told.chance or game.turn != seat or game.over:
            self._undo.clear()
        else:
            self._undo = [*self._undo[1 - MOST_UNDONE :], before]
        self._battle = told.battle or self._battle
        self._tell(told.entries)
        self._moved(turn_began=game.turn != seat)

    def _step(self) -> None:
        self._refuse_when_over()
        if human_turn(self._game, self._players):
            raise Refused("not-legal", "it is a person's turn: no agent has a move to make")
        self._why_ended = None
        self._pace.step()
        self.changed()

    def _take_back(self) -> None:
        if not self._undo:
            raise Refused(
                "not-legal", "nothing can be taken back: chance has decided, or the turn has passed"
            )
        before = self._undo.pop()
        self._moves[self._game.turn] -= 1
        self._game.state[:] = before.state
        del self._game.history[before.entries :]
        self._log.back(before.log)
        self._battle = before.battle
        self._moved()

    async def _restart(self, seed: int | None) -> None:
        chance = Chance(_seed(seed), self._game.players)
        game = await _begun(self._game.worldmap.name, str(self._game.rules), chance)
        self.lanes.forget(self.key)
        self._curve.clear()
        self._set_up(game, chance)
        self._tell(self._teller.beginning())
        self._moved()

    def _seat(self, seat: int, player: str) -> None:
        self._refuse_when_over()
        if seat >= len(self._players):
            raise Refused("bad-message", f"seat: the players' seats are 0 to {len(self._players) - 1}")
        before = self._names[seat]
        who = "a person" if check_player(player) == HUMAN else player
        self._players[seat] = player
        self._name_seats()
        # What the agents remember is of another table.
        self.lanes.forget(self.key)
        self._tell([Entry({"seat": seat, "text": f"From now on {who} plays for {within(before)}."})])
        self._undo.clear()
        self._moved()

    def _assist(self, what: str, on: bool) -> None:
        if what != "curve":
            raise Refused(
                "bad-message", f"what: Risk has no {what} to switch on; there is the curve, and advice"
            )
        if on and self._foggy:
            raise Refused("not-legal", "the win chance would tell what lies in the fog")
        self._curving = on
        if not on:
            self._curve.clear()
        self._trace()
        self.changed()

    def _refuse_when_over(self) -> None:
        if self._game.over:
            raise Refused("not-legal", "the game is over: start a new one")

    # What happens then

    def _tell(self, entries: list[Entry]) -> None:
        self._log.add(entries, self._names, [land.name for land in self._game.worldmap.territories])

    def _moved(self, *, turn_began: bool = False) -> None:
        """The game stands otherwise than before."""
        self._era = object()
        self._thinking = None
        self._advice = None
        self._why_ended = None
        self._trace(turn_began=turn_began)
        self._pace.wake()
        self.changed()

    def _trace(self, *, turn_began: bool = False) -> None:
        """Let the curve go on, if it is wanted."""
        game = self._game
        waiting = not self._pace.running or human_turn(game, self._players)
        if not self._curving or self._foggy:
            self._curve.moved()
        elif game.over:
            self._curve.over(sum(self._moves), game.players, game.winner)
        elif turn_began or waiting:
            viewer = viewer_of(game, self._players)
            self._curve.ask(Asked(sum(self._moves), Standing.of(game), viewer, kept=turn_began))
        else:
            self._curve.moved()

    # Agents

    async def _advance(self, most: int) -> int:
        """Let agents play some moves; see `Pace`."""
        while True:
            game, era = self._game, self._era
            if game.over or human_turn(game, self._players):
                return 0
            if len(game.history) >= MAX_ACTIONS:
                return self._stop(_TOO_LONG)
            name = self._names[game.turn]
            setting_up = self._pace.running and game.phase in _SETTING_UP
            asked = self.lanes.play(
                self.key,
                work.play,
                self.key,
                Standing.of(game),
                tuple(self._players),
                self._chance,
                most * SETUP_HASTE if setting_up else most,
                setting_up,
            )
            try:
                played = await self._thought(asked)
            except Refused as refused:
                if era is self._era:
                    return self._stop(f"{name}: {refused.message}")
                continue
            if era is self._era:
                return self._take(played)

    def _take(self, played: work.Played) -> int:
        game = self._game
        before = game.round, game.turn
        game.state[:] = played.state
        game.history += played.history
        game.rng = played.rng
        self._moves = [so_far + more for so_far, more in zip(self._moves, played.moves, strict=True)]
        for seat in played.faults:
            self._players[seat] = work.STAND_IN
        if played.faults:
            self._name_seats()
        self._battle = played.battle or self._battle
        self._tell(played.entries)
        self._moved(turn_began=bool(game.round) and (game.round, game.turn) != before)
        return sum(played.moves)

    def _stop(self, why: str) -> int:
        self._pace.running = False
        self._why_ended = why
        self.changed()
        return 0

    async def _thought(self, asked: Awaitable[T]) -> T:
        """What a worker process answers; if it takes its time, clients see who is thinking."""
        task = asyncio.ensure_future(asked)
        try:
            done, _ = await asyncio.wait({task}, timeout=PATIENCE)
            if not done:
                self._thinking = self._game.turn
                self.changed()
                await asyncio.wait({task})
        finally:
            task.cancel()
            if self._thinking is not None:
                self._thinking = None
                self.changed()
        if task.cancelled():
            # Not this session was ended but the process, for somebody else's sake.
            raise Refused("too-slow", "the worker process was stopped; let it play on to ask again")
        return task.result()

    def _ask_advice(self, agent: str) -> None:
        self._refuse_when_over()
        if not human_turn(self._game, self._players):
            raise Refused("not-legal", "advice is for the person whose turn it is")
        self._advice = {
            "agent": agent,
            "action": None,
            "text": None,
            "why": None,
            "thinking": True,
            "moves": self._shown_moves,
        }
        # While one question is being thought about, the next waits; of several that wait, the last counts.
        if self._adviser is None or self._adviser.done():
            self._adviser = self.start(self._advise())
        self.changed()

    async def _advise(self) -> None:
        while (asked := self._advice) is not None and asked["thinking"]:
            try:
                advice = await self.lanes.study(
                    work.advise, Standing.of(self._game), asked["agent"], self._chance.seed
                )
                answer = {"action": advice.action, "text": advice.text, "why": advice.why}
            except Refused as refused:
                answer = {"why": refused.message}
            if asked is self._advice:
                self._advice = asked | answer | {"thinking": False}
                self.changed()

    # The view

    @property
    def _foggy(self) -> bool:
        """Whether somebody plays here who must not see everything."""
        game = self._game
        return game.rules.fog and not game.over and viewer_of(game, self._players) is not None

    @property
    def _shown_moves(self) -> int:
        """Actions so far; in fog the viewer's own: of others one sees only that they have turns."""
        viewer = viewer_of(self._game, self._players)
        return sum(self._moves) if viewer is None or not self._foggy else self._moves[viewer]

    def build(self) -> View:
        """What clients see now, as fresh JSON values."""
        game = self._game
        viewer = viewer_of(game, self._players)
        seen = game if viewer is None else Observation.of(game, viewer)
        # When the game is over everything may be known.
        reader = None if game.over else viewer
        battle = self._battle
        shown = battle is not None and (reader is None or battle.seen >> reader & 1)
        return {
            "game": self.game,
            **position(seen, viewer, self._players, self._names),
            "battle": battle.told if battle is not None and shown else None,
            "log": self._log.lines(reader),
            "moves": self._shown_moves,
            "undo": bool(self._undo),
            "pace": {
                "running": self._pace.running,
                "speed": self._pace.speed,
                "thinking": self._thinking,
                "ended": self._why_ended,
            },
            "advice": self._advice,
            "curve": self._curve.as_dict() if self._curving and not self._foggy else None,
        }


class _Before(NamedTuple):
    """How everything stood before an action that may be taken back."""

    state: NDArray[np.int32]
    entries: int
    log: tuple[int, Entry | None]
    battle: Battle | None


_TOO_LONG: Final = f"a game has at most {MAX_ACTIONS:,} entries here: save it, and start a new one"


def _seed(given: int | None) -> int:
    return secrets.randbits(63) if given is None else given


async def _begun(map_name: str, rules: str, chance: Chance) -> Game:
    """A new game; a large one takes a moment to deal."""
    try:
        return await asyncio.to_thread(begin, map_name, rules, chance.players, chance.seed)
    except (FormatError, RulesError) as error:
        raise Refused("bad-message", str(error)) from None
