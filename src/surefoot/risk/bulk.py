"""Many games at once: what came of each, in compiled loops or move by move by any agents."""

import operator
from collections.abc import Callable, Sequence
from dataclasses import fields
from enum import Enum
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot.agent import Agent, finish
from surefoot.errors import IllegalAction

from .actions import Action, Fortify, unpack
from .actions import End as EndTurn
from .events import Dealt, Drawn, Event, Lost
from .game import Game
from .kernels import bulk, chance, layout, policies, rng
from .observation import Observation
from .policy import Policy, decide, new_scratch, policy, stack_weights, tables
from .rules import Rules
from .situation import CHANCE_PHASES, Phase
from .worldmap import WorldMap

RiskAgent = Agent[Observation, Action]

NOBODY = layout.NOBODY


class End(Enum):
    """How a game ended; the codes of the rules' own ends are those of `kernels.layout`."""

    WON = layout.WON
    CAPPED = layout.CAPPED
    FORFEITED = 100


class Match(NamedTuple):
    """Which games are played: all but who plays them.

    Args:
        worldmap: the map.
        rules: the switches.
        players: how many play, as many as there are agents.
        root: the root seed.
        paired: whether as many games in a row as there are players share their chance, so that each agent
            plays each deal from each seat.
    """

    worldmap: WorldMap
    rules: Rules
    players: int
    root: int
    paired: bool

    def words(self, number: int) -> NDArray[np.uint64]:
        """The chance of game ``number``: a word for deals, dice and cards, then the seed of each seat.

        Game ``number`` takes them from ``SeedSequence([root, number])``; if games are paired, from that of
        the number of its group. Seeds of seats are less than 2^63.
        """
        deal = number // self.players if self.paired else number
        sequence = np.random.SeedSequence([self.root, deal])
        words = sequence.generate_state(1 + self.players, np.uint64).astype(np.uint64)
        words[1:] >>= np.uint64(1)
        return words

    def seating(self, number: int) -> list[int]:
        """The agent on each seat in game ``number``: from game to game each moves on by one seat."""
        return [(seat - number) % self.players for seat in range(self.players)]


class GameTable(NamedTuple):
    """What came of some games, one a row."""

    winner: NDArray[np.int64]
    """The agent that won, by its number, or NOBODY (-1); shape (games,), as are the next four."""
    seat: NDArray[np.int64]
    """Where the winner sat, or NOBODY."""
    end: NDArray[np.int64]
    """Codes of `End`."""
    turns: NDArray[np.int64]
    """Turns of all seats together, the winning one included."""
    rounds: NDArray[np.int64]
    """The round in which the game ended, from 1; 0 if before the first."""
    faults: NDArray[np.bool_]
    """Whether an agent could not finish the game by its own fault; shape (games, agents)."""

    @classmethod
    def empty(cls, games: int, agents: int) -> "GameTable":
        """A table to be filled in."""
        return cls(
            np.full(games, NOBODY, np.int64),
            np.full(games, NOBODY, np.int64),
            np.zeros(games, np.int64),
            np.zeros(games, np.int64),
            np.zeros(games, np.int64),
            np.zeros((games, agents), np.bool_),
        )


def play_compiled(match: Match, chosen: Sequence[Policy], first: int, count: int) -> GameTable:
    """Play the games ``first`` to ``first + count - 1`` by compiled policies, one an agent, in one call.

    They end as if played move by move.

    Raises:
        RulesError: the rules cannot be played by so many on this map.
        IllegalAction: a policy broke a rule, which would be a mistake of ours.
    """
    numbers = range(first, first + count)
    return play_seated(
        match.worldmap,
        match.rules,
        chosen,
        np.array([match.seating(number) for number in numbers], np.int64),
        np.stack([match.words(number) for number in numbers]),
        first,
    )


def play_seated(
    worldmap: WorldMap,
    rules: Rules,
    chosen: Sequence[Policy],
    seating: NDArray[np.int64],
    words: NDArray[np.uint64],
    first: int = 0,
    positions: NDArray[np.int32] | None = None,
) -> GameTable:
    """The same for any seating: which of the policies sits on each seat of each game, shape (games, players).

    Args:
        worldmap, rules, chosen, seating: what is played, and by whom.
        words: the chance of each game, shape (games, 1 + players), as `Match.words`; it is used up.
        first: the number of the first game, for messages.
        positions: the state from which each game goes on, shape (games, worldmap.state_size), laid out as
            `kernels.layout` says, with turns counted from there; None for games from the deal on.

    Raises:
        RulesError, IllegalAction: as for `play_compiled`.
    """
    count, players = seating.shape
    packed = rules.pack(players, len(worldmap.territories))
    rolls, chances = tables(rules)
    state = np.zeros((2, worldmap.state_size), np.int32)
    results = np.zeros((count, bulk.RESULT_WORDS), np.int64)
    scratch = new_scratch(worldmap)
    progress = np.zeros(bulk.PROGRESS_WORDS, np.int64)
    arrays = (
        worldmap.world,
        packed,
        rolls,
        chances,
        np.array([each.style for each in chosen], np.int64),
        stack_weights(chosen),
        seating,
        words,
        np.empty((0, worldmap.state_size), np.int32) if positions is None else positions,
        *state,
        scratch,
        progress,
        results,
    )
    run_to_end(
        partial(bulk.play_games, *arrays), chosen, seating, state, progress, scratch, (worldmap, packed)
    )
    broken = np.flatnonzero(results[:, bulk.RESULT_BROKEN])
    if len(broken):
        code = results[broken[0], bulk.RESULT_BROKEN]
        raise IllegalAction(f"game {first + broken[0]}: a compiled policy broke rule {code}")
    table = GameTable.empty(count, players)
    table.seat[:] = results[:, bulk.RESULT_WINNER]
    won = table.seat != NOBODY
    table.winner[won] = seating[won, table.seat[won]]
    table.end[:] = results[:, bulk.RESULT_STATUS]
    table.turns[:] = results[:, bulk.RESULT_TURNS]
    table.rounds[:] = results[:, bulk.RESULT_ROUNDS]
    return table


def run_to_end(
    play: Callable[[], bool],
    chosen: Sequence[Policy],
    seating: NDArray[np.int64],
    state: NDArray[np.int32],
    progress: NDArray[np.int64],
    scratch: NDArray[np.int64],
    table: tuple[WorldMap, NDArray[np.int64]],
) -> None:
    """Call a kernel of whole games until all is played; a policy that wants to think in between may.

    Args:
        play: the kernel with its arrays, among them those that follow (see `kernels.bulk.play_games`).
        chosen, seating: who plays, and where.
        state: the game, and what the seat to move sees of it.
        progress, scratch: as the kernel has them.
        table: the map, and the packed rules.
    """
    worldmap, packed = table
    # Without the compiler NumPy would warn of the overflow that the generator means.
    with np.errstate(over="ignore"):
        while not play():
            think = chosen[seating[progress[bulk.GAME], state[0, layout.SEAT]]].think
            assert think is not None
            think(worldmap.world, packed, state[1], scratch)


def play_games(
    match: Match,
    factories: Sequence[Callable[[int], RiskAgent]],
    first: int,
    count: int,
    on_error: Callable[[int, int, BaseException], None] | None = None,
    on_game: Callable[[int, Game], None] | None = None,
) -> GameTable:
    """Play the games ``first`` to ``first + count - 1`` move by move, with the chance of `play_compiled`.

    New agents are made for each game. An agent that raises, answers what is no action, or breaks a rule is
    at fault: from there on its seat is played by the style `passive`, cannot win, and once a single seat
    without fault is left, that one has won.

    Args:
        factories: one an agent; each makes an agent from a seed.
        on_error: is told the number of the game, of the agent, and the exception, when one is at fault.
        on_game: is told the number of each game, and the game as it ended.

    Raises:
        RulesError: the rules cannot be played by so many on this map.
    """
    table = GameTable.empty(count, match.players)
    for row in range(count):
        number = first + row
        played = _Table(match, factories, number, on_error)
        played.play()
        table.turns[row] = played.turns
        table.rounds[row] = played.game.round
        for agent in played.faults:
            table.faults[row, agent] = True
        table.end[row] = played.end.value
        if played.winner is not None:
            table.seat[row] = played.winner
            table.winner[row] = played.seating[played.winner]
        played.finish()
        if on_game is not None:
            on_game(number, played.game)
    return table


_STAND_IN = policy(policies.PASSIVE)
_CHANCE = 0
_EVENTS: dict[Phase, type[Dealt] | type[Lost] | type[Drawn]] = {
    Phase.DEAL: Dealt,
    Phase.ROLL: Lost,
    Phase.DRAW: Drawn,
}


def draw_event(game: Game, streams: NDArray[np.uint64]) -> Event:
    """What chance brings next by stream 0, as in compiled games; chance has to be next."""
    with np.errstate(over="ignore"):
        code = chance.draw(
            game.worldmap.world,
            game.packed,
            game.state,
            tables(game.rules).rolls,
            rng.next_uniform(streams, _CHANCE),
        )
    return _EVENTS[game.phase](int(code))


class _Table:
    """The players of one game around it."""

    def __init__(
        self,
        match: Match,
        factories: Sequence[Callable[[int], RiskAgent]],
        number: int,
        on_error: Callable[[int, int, BaseException], None] | None,
    ) -> None:
        self.number = number
        self.on_error = on_error
        self.streams = match.words(number)
        self.seating = match.seating(number)
        self.game = Game(match.worldmap, match.rules, match.players, rng=None)
        self.turns = 0
        self.faults: dict[int, None] = {}
        self.winner: int | None = None
        self.end = End.FORFEITED
        self.agents: list[RiskAgent | None] = []
        for seat, agent in enumerate(self.seating):
            self.agents.append(None)
            try:
                self.agents[seat] = factories[agent](int(self.streams[1 + seat]))
            except (Exception, SystemExit) as error:
                self._blame(seat, error)

    def finish(self) -> None:
        """Tell the agents that are without fault how the game ended."""
        lost = {End.CAPPED: "capped", End.FORFEITED: "forfeited"}.get(self.end, "lost")
        for seat, agent in enumerate(self.agents):
            finish(agent, "won" if seat == self.winner else lost)

    def _blame(self, seat: int, error: BaseException) -> None:
        agent = self.seating[seat]
        finish(self.agents[seat], "forfeited")
        self.agents[seat] = None
        self.faults[agent] = None
        if self.on_error is not None:
            self.on_error(self.number, agent, error)

    def play(self) -> None:
        """Play until the rules end the game or a single seat without fault is left."""
        game = self.game
        while True:
            while game.phase in CHANCE_PHASES:
                game.resolve(draw_event(game, self.streams))
            if game.over:
                self.winner = game.winner
                self.end = End(game.outcome.value)
                break
            if self.faults:
                left = [
                    seat for seat, plays in enumerate(game.alive) if plays and self.agents[seat] is not None
                ]
                if len(left) < 2:
                    self.winner = left[0] if left else None
                    self.end = End.WON if left else End.FORFEITED
                    break
            # These two actions end a turn.
            self.turns += isinstance(self._move(game.turn), EndTurn | Fortify)
        self.turns += self.end is End.WON

    def _move(self, seat: int) -> Action:
        game, agent = self.game, self.agents[seat]
        observation = game.observation()
        if agent is not None:
            try:
                action = as_action(agent.act(observation))
                game.play(action)
                return action
            except (Exception, SystemExit) as error:
                self._blame(seat, error)
        action = unpack(decide(_STAND_IN, observation, self.streams, 1 + seat))
        game.play(action)
        return action


def as_action(answer: object) -> Action:
    """The action with plain integers (NumPy's are welcome).

    Raises:
        TypeError: it is no action, or has something else where numbers belong.
    """
    if not isinstance(answer, Action):
        raise TypeError(f"act() answered {_short(answer)}, which is no action")
    try:
        return type(answer)(*(_plain(getattr(answer, field.name)) for field in fields(answer)))  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"act() answered {_short(answer)}, which has no number where one belongs") from None


def _plain(value: object) -> object:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return tuple(operator.index(each) for each in value)
    return operator.index(value)  # type: ignore[arg-type]


def _short(answer: object) -> str:
    return f"{type(answer).__name__} {' '.join(repr(answer).split())[:60]}"
