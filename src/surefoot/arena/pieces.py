"""A piece of a study: some games in a row of one contest, played by whatever process is asked to.

A piece goes out as a few words of text and comes back as columns of small integers, one row a game and agent.
What an agent does wrong costs it its own games; which way it went wrong is told apart.
"""

import json
import mmap
import platform
import threading
from collections.abc import Callable
from contextlib import nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError, IllegalAction
from surefoot.minesweeper import bulk as minesweeper_bulk
from surefoot.risk import bulk as risk_bulk
from surefoot.spec import AgentSpec, last_line

from .play import timed, warm_up
from .playing import Games, play_minesweeper, play_risk
from .study import Contest, Study

OUTCOMES = ("won", "lost", "capped", "forfeited", "crashed", "timed_out")
"""What a game was for an agent; the place of a word is its code in `Rows` and in stores: only ever append."""

ENDS = (
    *("completed", "exploded", "left", "move_limit", "stalled", "error", "nonsense"),
    *("won", "capped", "forfeited"),
)
"""How games end, those of Minesweeper first; codes as above."""

NOT_COUNTED = -1
"""Stands in `Rows.guesses` and `Rows.rounds` where there is no such number."""

_WON, _LOST, _CAPPED, _FORFEITED, _CRASHED, _TIMED_OUT = range(len(OUTCOMES))
_BY_END = {"move_limit": _CAPPED, "stalled": _FORFEITED, "nonsense": _FORFEITED, "error": _CRASHED}


class Piece(NamedTuple):
    """So many ``games`` of a contest from number ``first`` on, counted within it."""

    contest: int
    first: int
    games: int

    @property
    def end(self) -> int:
        """The number of the game after the last one."""
        return self.first + self.games


class Rows(NamedTuple):
    """One row a game and agent, by game and then by seat; every array has shape (rows,)."""

    game: NDArray[np.int64]
    """The game's number in the run."""
    agent: NDArray[np.int64]
    """The agent's place in the study's list."""
    seat: NDArray[np.int64]
    outcome: NDArray[np.int64]
    """Codes: places in `OUTCOMES`."""
    score: NDArray[np.int64]
    moves: NDArray[np.int64]
    """Minesweeper: the agent's moves. Risk: the turns of all seats together."""
    end: NDArray[np.int64]
    """Codes: places in `ENDS`."""
    guesses: NDArray[np.int64]
    """Minesweeper: cells opened without proof, or `NOT_COUNTED`."""
    rounds: NDArray[np.int64]
    """Risk: the round in which the game ended; else `NOT_COUNTED`."""

    def of_games(self, below: int) -> "Rows":
        """Those of the games with a number less than ``below``."""
        wanted = self.game < below
        return Rows(*(column[wanted] for column in self))


class Done(NamedTuple):
    """What came of a piece.

    Args:
        piece: which.
        rows: the results.
        seconds: by the clock, while playing.
        cpu_seconds: of the process that played, while playing.
        startup_cpu_seconds: for loading, compiling and a game to warm up, before that.
        host: the machine that played.
        warnings: the first exception of each agent that had one, in one line.
    """

    piece: Piece
    rows: Rows
    seconds: float
    cpu_seconds: float
    startup_cpu_seconds: float
    host: str
    warnings: dict[int, str]

    def cut(self, games: int) -> "Done":
        """Its first ``games`` games alone, with their share of the times."""
        share = games / self.piece.games
        return self._replace(
            piece=self.piece._replace(games=games),
            rows=self.rows.of_games(int(self.rows.game[0]) + games),
            seconds=self.seconds * share,
            cpu_seconds=self.cpu_seconds * share,
        )


class Order(NamedTuple):
    """A piece that a worker is asked to play.

    Args:
        run: the run's id, as whoever asks has it.
        study: its study, in JSON.
        piece: which piece of it.
        watch: a file in which the worker notes who is to move, as `Watch` reads it; or None.
        dead: agents whose games here are lost because they have ended the process too often.
    """

    run: str
    study: str
    piece: Piece
    watch: str | None = None
    dead: frozenset[int] = frozenset()


class WorkerDied(Exception):
    """An agent has ended the process that played its game."""


_one_at_a_time = threading.Lock()


def play_piece(order: Order) -> Done:
    """Play a piece. Workers of a cluster have threads; one at a time plays, or their times could not be told.

    Raises:
        FormatError: the agents, the map or the version of Surefoot are not those of whoever asks.
    """
    with _one_at_a_time:
        study = same_study(order.run, order.study)
        contest = study.contests[order.piece.contest]
        startup = 0.0
        if order.watch is None:
            startup = warm_up_contest(study, contest)
        with nullcontext() if order.watch is None else Watch(Path(order.watch)) as watch:
            player = _Player(study, contest, order.piece, watch, order.dead)
            played = timed(player.play, startup)
        return Done(
            order.piece,
            played.result,
            played.ended - played.begun,
            played.cpu_seconds,
            played.startup_cpu_seconds,
            platform.node(),
            player.warnings,
        )


@lru_cache(maxsize=8)
def same_study(run: str, text: str) -> Study:
    """The study of a JSON text, if its games are the same here as where ``run`` was reckoned.

    Raises:
        FormatError: they are not, or a file of an agent has changed since this process has loaded it.
    """
    study = Study.make(json.loads(text))
    if study.run != run:
        raise FormatError(
            f"run {run} is {study.run} on {platform.node()}: "
            "the version of Surefoot, the map or a file of an agent is another there"
        )
    for spec in study.specs:
        if spec.place is not None and spec.place.endswith(".py"):
            file = Path(spec.place).resolve()
            content = file.read_bytes()
            if _loaded.setdefault(file, content) != content:
                raise FormatError(
                    f"agent {spec.label}: {platform.node()} has loaded another version of it; "
                    "start its workers again"
                )
    return study


_loaded: dict[Path, bytes] = {}
"""Files of agents as they were when this process came to know them: Python loads a file only once."""

_warmed: set[tuple[str, int]] = set()


def warm_up_contest(study: Study, contest: Contest) -> float:
    """Play a game with each agent that this process has not had yet, and tell the CPU time of that."""
    new = {(study.run, agent) for agent in contest.agents} - _warmed
    if not new:
        return 0.0
    _warmed.update(new)
    first = Piece(study.contests.index(contest), 0, 1)
    return warm_up((study.run, contest.agents), _Player(study, contest, first, None, frozenset()).play)


class Watch:
    """A file that outlives a process, and in which that notes which agent is to move: who ended it?

    Args:
        path: a file of at least 8 bytes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 8)

    @classmethod
    def new(cls, folder: Path) -> "Watch":
        """One that notes nobody yet, in a file ``watch`` of a folder."""
        path = folder / "watch"
        path.write_bytes(bytes(8))
        return cls(path)

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: object) -> None:
        self._memory.close()

    def note(self, agent: int | None) -> None:
        """``agent`` is to move, or nobody."""
        self._memory[:] = (0 if agent is None else agent + 1).to_bytes(8, "little")

    @property
    def noted(self) -> int | None:
        """Who was to move at last."""
        found = int.from_bytes(self._memory[:], "little")
        return found - 1 if found else None


class _Watched:
    """An agent that has it noted when it is to move."""

    def __init__(self, agent: Any, note: Callable[[], None], over: Callable[[], None]) -> None:
        self._agent = agent
        self._note = note
        self._over = over

    def act(self, observation: Any) -> Any:
        self._note()
        try:
            return self._agent.act(observation)
        finally:
            self._over()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._agent, name)


class _Player:
    """Plays a piece of a contest and makes rows of it."""

    def __init__(
        self, study: Study, contest: Contest, piece: Piece, watch: Watch | None, dead: frozenset[int]
    ) -> None:
        self.study = study
        self.contest = contest
        self.piece = piece
        self.watch = watch
        self.dead = dead
        self.warnings: dict[int, str] = {}
        self._faults: dict[tuple[int, int], int] = {}

    def play(self) -> Rows:
        """The rows of the piece's games."""
        return self._minesweeper() if self.study.game == "minesweeper" else self._risk()

    def _make(self, agent: int) -> Callable[[int], Any]:
        """What makes an agent from a seed."""
        spec, watch = self.study.specs[agent], self.watch
        if agent in self.dead:
            return _die
        if watch is None:
            return spec.make

        def make(seed: int) -> Any:
            watch.note(agent)
            made = spec.make(seed)
            watch.note(None)
            return _Watched(made, lambda: watch.note(agent), lambda: watch.note(None))

        return make

    def _blame(self, number: int, agent: int, error: BaseException) -> None:
        self._faults[number, agent] = _fault(error)
        game = self.contest.first + number
        self.warnings.setdefault(agent, f"{self.study.agents[agent]}, game {game}: {last_line(error)}")

    def _minesweeper(self) -> Rows:
        (agent,) = self.contest.agents
        level, rules = self.study.board
        first, count = self.piece.first, self.piece.games
        if self.watch is not None:
            self.watch.note(agent)
        table = play_minesweeper(
            self.study.specs[agent],
            Games(level, rules, self.study.seed, first, count),
            lambda number, error: self._blame(number, agent, error),
            make=self._make(agent) if self.dead else None,
        )
        end, words = _codes(table.end, minesweeper_bulk.end_name)
        outcome = np.array([_BY_END.get(word, _LOST) for word in words], np.int64)[end.place]
        outcome[table.won] = _WON
        for (number, _), fault in self._faults.items():
            outcome[number - first] = fault
        return Rows(
            game=np.arange(first, first + count),
            agent=np.full(count, agent),
            seat=np.zeros(count, np.int64),
            outcome=outcome,
            score=table.score,
            moves=table.moves,
            end=end.code,
            guesses=table.guesses,
            rounds=np.full(count, NOT_COUNTED),
        )

    def _risk(self) -> Rows:
        agents, first = np.array(self.contest.agents), self.piece.first
        players, count = len(agents), self.piece.games
        match = risk_bulk.Match(
            self.study.worldmap, self.study.risk_rules, players, self.study.seed, paired=True
        )
        table = play_risk(
            [self.study.specs[agent] for agent in agents],
            match,
            first,
            count,
            lambda number, place, error: self._blame(number, int(agents[place]), error),
            makes=[self._make(agent) for agent in agents.tolist()] if self.watch or self.dead else None,
        )
        end, _ = _codes(table.end, lambda code: risk_bulk.End(code).name.lower())
        # Who sits where, as a place in the contest; then everything by game and seat.
        seating = np.array([match.seating(number) for number in range(first, first + count)])
        won = seating == table.winner[:, None]
        capped = (table.end == risk_bulk.End.CAPPED.value)[:, None]
        outcome = np.where(won, _WON, np.where(capped, _CAPPED, _LOST))
        for (number, agent), fault in self._faults.items():
            row = number - first
            outcome[row, agents[seating[row]] == agent] = fault
        games = self.contest.first + np.arange(first, first + count)
        return Rows(
            game=np.repeat(games, players),
            agent=agents[seating].reshape(-1),
            seat=np.tile(np.arange(players), count),
            outcome=outcome.reshape(-1),
            score=won.reshape(-1).astype(np.int64),
            moves=np.repeat(table.turns, players),
            end=np.repeat(end.code, players),
            guesses=np.full(players * count, NOT_COUNTED),
            rounds=np.repeat(table.rounds, players),
        )


class _Ends(NamedTuple):
    """For each game the place of its end in a list of those that occur, and its place in `ENDS`."""

    place: NDArray[np.int64]
    code: NDArray[np.int64]


def _codes(ends: NDArray[Any], name: Callable[[int], str]) -> tuple[_Ends, list[str]]:
    found, place = np.unique(ends, return_inverse=True)
    words = [name(int(code)) for code in found]
    return _Ends(place, np.array([ENDS.index(word) for word in words], np.int64)[place]), words


def _die(seed: int) -> Any:
    raise WorkerDied("it has ended the process that played this game, three times")


def _fault(error: BaseException) -> int:
    """The outcome for an agent that could not go on; agents in processes of their own say ``how``."""
    how = getattr(error, "how", None)
    if isinstance(error, TimeoutError) or how == "time":
        return _TIMED_OUT
    if isinstance(error, IllegalAction) or how in ("illegal", "forfeit"):
        return _FORFEITED
    return _CRASHED


def is_foreign(spec: AgentSpec) -> bool:
    """Whether an agent is somebody's code that runs in the process that plays, and could end it."""
    module = getattr(spec.load(), "__module__", None) or ""
    return not module.startswith("surefoot.")
