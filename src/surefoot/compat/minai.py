"""The Min.AI shell: worlds, its agents as agents of ours, and ours as agents of its.

The shell names a tile ``(x, y)`` from the bottom left and tells an agent one number at a time; that stays
in here and in `surefoot.minesweeper.formats.minai`.
"""

import ast
import contextlib
import io
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np

from surefoot.agent import Agent
from surefoot.errors import FormatError, IllegalAction
from surefoot.minesweeper.actions import Action as GameAction
from surefoot.minesweeper.actions import Kind
from surefoot.minesweeper.formats.minai import World, to_cell, to_tile
from surefoot.minesweeper.game import End, Game
from surefoot.minesweeper.kernels.layout import FLAGGED, HIDDEN
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.rules import MINAI
from surefoot.protocol.host import Session, launcher
from surefoot.protocol.limits import AgentEnded, Limits

from .minai_student import AI, Action, Answer, MyAI, describe, how_failed, read_answer

__all__ = [
    "AI",
    "Action",
    "Apart",
    "NotAMove",
    "Run",
    "ShellAgent",
    "StudentApart",
    "StudentFile",
    "as_my_ai",
    "in_process",
    "play_apart",
    "play_world",
]

ILLEGAL_LIMIT = 1000
"""So many illegal answers in a row end a world."""

ENDS = {End.LEFT: "left", End.EXPLODED: "mine", End.MOVE_LIMIT: "moves"}
"""How a world ends by the rules; `AgentEnded.how` has the words for the other ways."""

_KINDS = {
    AI.Action.LEAVE: Kind.LEAVE,
    AI.Action.UNCOVER: Kind.UNCOVER,
    AI.Action.FLAG: Kind.FLAG,
    AI.Action.UNFLAG: Kind.UNFLAG,
}
_MOVES = {kind: move for move, kind in _KINDS.items()}

MinesweeperAgent = Agent[Observation, GameAction]
Ask = Callable[[int], Answer | None]
"""Asks an agent of the shell: a number in, its answer out, None where that is no move at all."""
Start = Callable[[int, int, int, int, int], Ask]
"""Makes such an agent, from rows, columns, mines and the start's x and y."""


class NotAMove(IllegalAction):
    """An answer that is not one of the four moves with a tile."""


class ShellAgent:
    """An agent of the shell as an agent of ours; it is made when it first sees the board.

    ``act`` raises `IllegalAction` for an answer that is no move or lies off the board. Asked again, it
    tells the agent the same number again, as the shell does.
    """

    def __init__(self, start: Start) -> None:
        self._start = start
        self._ask: Ask | None = None
        self._last = GameAction(Kind.LEAVE)

    def act(self, observation: Observation) -> GameAction:
        """Pass the number on, and the answer back."""
        height, width = observation.height, observation.width
        if self._ask is None:
            row, col = (int(index) for index in np.argwhere(observation.cells >= 0)[0])
            self._last = GameAction(Kind.UNCOVER, (row, col))
            self._ask = self._start(height, width, observation.mines or 0, *to_tile((row, col), height))
        uncovered = self._last.kind is Kind.UNCOVER and self._last.cell is not None
        number = int(observation.cells[self._last.cell]) if uncovered else -1
        answer = self._ask(number)
        if answer is None:
            raise NotAMove("the answer is not one of the four moves with a tile")
        move, x, y = answer
        if not (0 <= x < width and 0 <= y < height):
            raise IllegalAction(f"tile {x}, {y} is not on the board")
        kind = _KINDS[AI.Action(move)]
        self._last = GameAction(kind, None if kind is Kind.LEAVE else to_cell(x, y, height))
        return self._last


def in_process(make: Callable[[int, int, int, int, int], MyAI]) -> ShellAgent:
    """A student's class, trusted to run in this process, as an agent of ours."""

    def start(rows: int, cols: int, mines: int, x: int, y: int) -> Ask:
        agent = make(rows, cols, mines, x, y)
        return lambda number: read_answer(agent.getAction(number))

    return ShellAgent(start)


def as_my_ai(make: Callable[[], MinesweeperAgent]) -> type[AI]:
    """An agent of ours as a ``MyAI`` that the original shell can play with."""

    class OurAI(AI):
        """Keeps the position that the numbers tell of, and asks the agent about it."""

        def __init__(self, rows: int, cols: int, mines: int, x: int, y: int) -> None:
            self._cells = np.full((rows, cols), HIDDEN, np.int8)
            self._mines = mines
            self._last = GameAction(Kind.UNCOVER, to_cell(x, y, rows))
            self._agent = make()

        def getAction(self, number: int) -> Action:  # noqa: N802 - the shell's own name
            self._learn(number)
            self._last = self._agent.act(Observation(self._cells, self._mines, MINAI))
            move = _MOVES[self._last.kind]
            if self._last.cell is None:
                return Action(move)
            return Action(move, *to_tile(self._last.cell, len(self._cells)))

        def _learn(self, number: int) -> None:
            cell = self._last.cell
            if cell is None:
                return
            seen, flags = self._cells[cell], (self._cells == FLAGGED).sum()
            if number >= 0:
                self._cells[cell] = number
            elif self._last.kind is Kind.FLAG and seen == HIDDEN and flags < self._mines:
                self._cells[cell] = FLAGGED
            elif self._last.kind is Kind.UNFLAG and seen == FLAGGED:
                self._cells[cell] = HIDDEN

    return OurAI


class Watcher(Protocol):
    """Is told what happens in a world, as it happens."""

    def turn(self, game: Game) -> None:
        """The agent is about to be asked."""

    def played(self, action: GameAction, game: Game) -> None:
        """A move was made."""

    def refused(self, error: IllegalAction) -> None:
        """An answer was illegal."""


@dataclass(frozen=True)
class Run:
    """What came of one world.

    A student's agent and ours meet the same loop, so that the same moves come to the same.

    Args:
        game: as it was when the run ended.
        end: ``left``, ``mine`` or ``moves`` by the rules; ``illegal``, ``error``, ``exit``, ``time``,
            ``memory``, ``processes`` or ``channel`` by the agent's fault.
        seconds: CPU-seconds that the agent used.
        error: what was wrong, for an end by the agent's fault.
        notes: what the agent printed before each move.
    """

    game: Game
    end: str
    seconds: float
    error: str | None = None
    notes: Mapping[int, str] = field(default_factory=dict)

    @property
    def solved(self) -> bool:
        """Whether every safe tile is uncovered. Judged when the run ends, so that a mine uncovered after
        all the rest, as some agents do instead of leaving, changes nothing; an agent that fails has not
        ended its run and gets nothing."""
        return self.game.complete and self.end in ENDS.values()

    @property
    def score(self) -> int:
        """What the world is worth in the shell."""
        return self.game.rules.score(self.game.level, won=self.solved)


class _Notes:
    """What an agent prints, filed under the number of moves made before."""

    def __init__(self, words: Callable[[], str]) -> None:
        self._words = words
        self.filed: dict[int, str] = {}

    def take(self, moves: int) -> None:
        text = self._words()
        if text:
            self.filed[moves] = self.filed.get(moves, "") + text

    def done(self) -> dict[int, str]:
        return {moves: text.removesuffix("\n") for moves, text in self.filed.items()}


def play_world(world: World, agent: MinesweeperAgent, watcher: Watcher | None = None) -> Run:
    """Play a world with an agent in this process; what it prints goes into the run's notes."""
    printed = io.StringIO()

    def words() -> str:
        text = printed.getvalue()
        printed.seek(0)
        printed.truncate()
        return text

    def quiet() -> contextlib.AbstractContextManager[object]:
        return contextlib.redirect_stdout(printed)

    began = time.process_time()
    notes = _Notes(words)
    game = world.game()
    end, error = _loop(game, agent, notes, watcher, quiet)
    return Run(game, end, time.process_time() - began, error, notes.done())


def play_apart(world: World, apart: "Apart", watcher: Watcher | None = None) -> Run:
    """Play a world with an agent in a process of its own."""
    notes = _Notes(apart.words)
    game = world.game()
    try:
        end, error = _loop(game, apart.agent(), notes, watcher, contextlib.nullcontext)
    finally:
        apart.close()
    notes.take(len(game.actions))
    return Run(game, end, apart.seconds, error, notes.done())


def _loop(
    game: Game,
    agent: MinesweeperAgent,
    notes: _Notes,
    watcher: Watcher | None,
    quiet: Callable[[], contextlib.AbstractContextManager[object]],
) -> tuple[str, str | None]:
    """Play until the rules or the agent end the run: how it ended, and what was wrong if anything."""
    illegal = 0
    while not game.over:
        if watcher is not None:
            watcher.turn(game)
        try:
            with quiet():
                action = agent.act(game.observation())
            notes.take(len(game.actions))
            game.play(action)
        except IllegalAction as error:
            notes.take(len(game.actions))
            illegal += 1
            if watcher is not None:
                watcher.refused(error)
            if illegal == ILLEGAL_LIMIT:
                return "illegal", f"{illegal} illegal answers in a row, the last one: {error}"
            continue
        except AgentEnded as ended:
            notes.take(len(game.actions))
            return ended.how, ended.detail
        except (Exception, SystemExit) as error:
            notes.take(len(game.actions))
            return how_failed(error), describe(error)
        illegal = 0
        if watcher is not None:
            watcher.played(action, game)
    return ENDS[game.end], None


class Apart(ABC):
    """An agent in a process of its own, for one world; `agent` is its face in this process."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._session: Session | None = None

    @abstractmethod
    def agent(self) -> MinesweeperAgent:
        """The agent that asks the process."""

    def start(self, entry: str, arguments: Mapping[str, object], preload: Sequence[str]) -> None:
        """Start the process; ``entry`` speaks as `minai_student.serve` does."""
        self._session = launcher(preload).start(entry, arguments, self._limits)

    def ask(self, message: object) -> object:
        """Say something, and take the answer.

        Raises:
            AgentEnded: there is none.
        """
        assert self._session is not None
        self._session.send(message)
        match self._session.receive():
            case {"answer": answer}:
                return answer
            case {"how": str(how), "error": str(error)}:
                raise AgentEnded(how, error)
        raise _nonsense()

    @property
    def seconds(self) -> float:
        """CPU-seconds used; exact once closed."""
        return 0.0 if self._session is None else self._session.cpu

    def words(self) -> str:
        """What was printed since this was last asked for."""
        return "" if self._session is None else self._session.output()

    def close(self) -> None:
        """End the process."""
        if self._session is not None:
            self._session.close()


class StudentApart(Apart):
    """A student's unmodified agent, in a process of its own."""

    def __init__(self, student: "StudentFile", seed: int, limits: Limits) -> None:
        super().__init__(limits)
        self._student = student
        self._seed = seed

    def agent(self) -> MinesweeperAgent:
        """The student's agent as one of ours."""
        return ShellAgent(self._begin)

    def _begin(self, rows: int, cols: int, mines: int, x: int, y: int) -> Ask:
        student = {"path": str(self._student.path), "name": self._student.name, "seed": self._seed}
        world = {"rows": rows, "cols": cols, "mines": mines, "x": x, "y": y}
        self.start("surefoot.compat.minai_student:play", student | world, self._student.libraries)
        return self._number

    def _number(self, number: int) -> Answer | None:
        match self.ask(number):
            case None:
                return None
            case [int(move), int(x), int(y)] if 0 <= move < len(AI.Action):
                return move, x, y
        raise _nonsense()


def _nonsense() -> AgentEnded:
    return AgentEnded("channel", "what came over the channel is not an answer")


@dataclass(frozen=True, slots=True)
class StudentFile:
    """A student's file, unmodified, and the class in it.

    Args:
        path: absolute.
        name: the class, ``MyAI`` as a rule.
        libraries: modules it imports that do not lie beside it.
    """

    path: Path
    name: str
    libraries: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "StudentFile | None":
        """Read ``path/MyAI.py`` or ``path/MyAI.py:Class``; None when it is no file of the shell's kind.

        The shell's kind imports ``AI`` or ``Action``.

        Raises:
            FormatError: there is no such file, or it cannot be read.
        """
        match = re.fullmatch(r"(.+\.py)(?::([A-Za-z_]\w*))?", text.strip(), re.DOTALL)
        if match is None:
            return None
        path = Path(match[1]).expanduser().resolve()
        try:
            source = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise FormatError(f"agent {match[1]}: {error.strerror or error}") from None
        if not _IMPORTS_SHELL.search(source):
            return None
        return cls(path, match[2] or "MyAI", _libraries(source, path.parent))


_IMPORTS_SHELL = re.compile(
    r"^[ \t]*(?:from[ \t]+(?:AI|Action)[ \t]+import|import[ \t]+(?:AI|Action)\b)", re.M
)


def _libraries(source: str, folder: Path) -> tuple[str, ...]:
    """What a file imports that is neither the shell's nor lies beside it."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    tops = {name: name.partition(".")[0] for name in names}
    return tuple(
        sorted(
            name
            for name, top in tops.items()
            if top not in ("AI", "Action")
            and not (folder / f"{top}.py").exists()
            and not (folder / top).exists()
        )
    )
