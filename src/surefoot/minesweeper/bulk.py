"""Many games at once: what came of each, and how any agent of one method plays them."""

import operator
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot.agent import Agent, finish
from surefoot.errors import IllegalAction

from .actions import Action, Kind
from .game import End, Game, Outcome
from .kernels import chance, exact, layout
from .observation import Observation
from .rules import Level, Rules

IDLE_LIMIT = 1000
"""So many actions in a row that bring nothing new end a game as stalled."""

UNKNOWN = -1
"""Stands in `GameTable.guesses` for an agent that does not count its guesses."""

MinesweeperAgent = Agent[Observation, Action]


class Forfeit(Enum):
    """Why a game was stopped that the rules had not ended; the codes continue those of `End`."""

    STALLED = 100
    ERROR = 101
    NONSENSE = 102


class GameTable(NamedTuple):
    """What came of ``count`` games, one a row; every array has shape (count,)."""

    won: NDArray[np.bool_]
    score: NDArray[np.int64]
    moves: NDArray[np.int64]
    guesses: NDArray[np.int64]
    """Cells opened without proof that they were safe, or `UNKNOWN`."""
    end: NDArray[np.int8]
    """Codes of `End` and `Forfeit`; `end_name` tells them in words."""

    @classmethod
    def empty(cls, count: int) -> "GameTable":
        """A table for ``count`` games, to be filled in."""
        return cls(
            np.zeros(count, np.bool_),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            np.full(count, UNKNOWN, np.int64),
            np.zeros(count, np.int8),
        )


def end_name(code: int) -> str:
    """The word for a code in `GameTable.end`.

    Raises:
        ValueError: there is no such code.
    """
    kind = Forfeit if code >= min(forfeit.value for forfeit in Forfeit) else End
    return kind(code).name.lower()


def game_rng(root: int, game: int) -> np.random.Generator:
    """The chance of game number ``game`` of root seed ``root``: the same whoever plays it, and wherever."""
    # NumPy takes words of 32 bits as they are; any other integers it splits into such words, slowly.
    small = max(root, game) < 1 << 32
    return np.random.default_rng(
        np.random.SeedSequence(np.array([root, game], np.uint32) if small else [root, game])
    )


def agent_seed(root: int, game: int) -> int:
    """The seed of the agent that plays that game, 0 to 2^63 - 1: independent of the board's chance."""
    return int(np.random.SeedSequence([root, game, 1]).generate_state(1, np.uint64)[0] >> np.uint64(1))


def draw_games(level: Level, root_seed: int, first: int, count: int) -> NDArray[np.float64]:
    """All the chance of the games ``first`` to ``first + count - 1``, shape (count, 1 + mines).

    Each row is what `game.draw_uniforms` draws from the game's `game_rng`, in a thirtieth of the time.
    """
    words = max(1, -(-root_seed.bit_length() // 32))
    entropy = np.zeros(words + 2, np.uint64)
    entropy[:words] = np.frombuffer(root_seed.to_bytes(4 * words, "little"), "<u4")
    uniforms = np.empty((count, 1 + level.mines), np.float64)
    chance.draw_games(entropy, first, np.zeros(2 * chance.POOL_SIZE, np.uint64), uniforms)
    return uniforms


def fill_table(level: Level, rules: Rules, results: NDArray[np.int64]) -> GameTable:
    """The table of games that a kernel has played, from its results (see `kernels.exact.play_games`)."""
    table = GameTable.empty(len(results))
    table.won[:] = results[:, exact.RESULT_STATUS] == layout.WON
    table.score[:] = table.won * rules.score(level, won=True)
    table.moves[:] = results[:, exact.RESULT_MOVES]
    table.guesses[:] = results[:, exact.RESULT_GUESSES]
    stalled = results[:, exact.RESULT_STATUS] == layout.RUNNING
    table.end[:] = np.where(stalled, Forfeit.STALLED.value, results[:, exact.RESULT_END])
    return table


def play_games(
    agent_factory: Callable[[int], MinesweeperAgent],
    level: Level,
    rules: Rules,
    root_seed: int,
    first: int,
    count: int,
    on_error: Callable[[int, BaseException], None] | None = None,
    on_game: Callable[[int, Game], None] | None = None,
) -> GameTable:
    """Play the games numbered ``first`` to ``first + count - 1`` of ``root_seed``, action by action.

    A new agent is made for each game, from its `agent_seed`. Whatever an agent does costs it that game
    alone: a game in which it raises, answers what is no action, or stalls is lost and ends as `Forfeit` says.

    Args:
        agent_factory: makes an agent from a seed.
        on_error: is told the number of the game and the exception when an agent raises.
        on_game: is told the number of each game, and the game as it ended.

    Raises:
        RulesError: the rules cannot lay out this board.
    """
    table = GameTable.empty(count)
    for row in range(count):
        number = first + row
        game = Game(level, rules, rng=game_rng(root_seed, number))
        agent: MinesweeperAgent | None = None
        end: End | Forfeit
        try:
            agent = agent_factory(agent_seed(root_seed, number))
            end = _play(agent, game)
        except (Exception, SystemExit) as error:
            end = Forfeit.ERROR
            if on_error is not None:
                on_error(number, error)
        if isinstance(end, End):
            table.won[row] = game.outcome is Outcome.WON
            table.score[row] = game.score
        table.moves[row] = game.moves
        table.guesses[row] = _guesses(agent)
        table.end[row] = end.value
        lost = "lost" if isinstance(end, End) else "forfeited"
        finish(agent, "won" if table.won[row] else lost)
        if on_game is not None:
            on_game(number, game)
    return table


def _play(agent: MinesweeperAgent, game: Game) -> End | Forfeit:
    """Let ``agent`` play until the rules or its own doing end the game."""
    observation = game.observation()
    flagging: set[Action] = set()
    idle = 0
    while not game.over:
        action = _as_action(agent.act(observation))
        if action is None:
            return Forfeit.NONSENSE
        try:
            opened = bool(game.play(action))
        except IllegalAction:
            opened = False
        before, observation = observation, game.observation()
        # Flags alone could go up and down for ever, so that each counts as news only once.
        if opened or (action not in flagging and observation != before):
            idle = 0
        else:
            idle += 1
            if idle >= IDLE_LIMIT and not game.over:
                return Forfeit.STALLED
        if not opened:
            flagging.add(action)
    return game.end


def _as_action(answer: object) -> Action | None:
    """The action with a cell of plain integers (NumPy's are welcome), or None if it is not an action."""
    match answer:
        case Action(kind=Kind(), cell=None):
            return answer
        case Action(kind=Kind() as kind, cell=(row, col)):
            try:
                return Action(kind, (operator.index(row), operator.index(col)))
            except TypeError:
                return None
    return None


def _guesses(agent: object) -> int:
    try:
        count = operator.index(agent.guesses)  # type: ignore[attr-defined]
    except Exception:
        return UNKNOWN
    return max(count, UNKNOWN)
