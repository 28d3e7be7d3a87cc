"""Many games of Minesweeper by one agent, and what they show."""

import contextlib
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from surefoot.errors import FormatError
from surefoot.minesweeper.bulk import UNKNOWN, GameTable, agent_seed, end_name, play_games
from surefoot.minesweeper.rules import Level, Rules
from surefoot.spec import AgentSpec, last_line

from .play import ordered_map
from .statistics import Interval, wilson

_MOST_AT_ONCE = 500
_PIECES_A_WORKER = 64


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How an agent fared.

    Args:
        agent: its spec.
        games: how many were played; ``won`` of them were won.
        rate: won games over games, with Wilson's 95 % interval.
        score: the sum of what the games were worth.
        seed: the root seed; the same seed gives the same games.
        seconds: by the clock, from the first game's beginning to the last one's end.
        cpu_seconds: the sum over all processes while playing.
        startup_cpu_seconds: the sum over all processes for loading, compiling and a game to warm up.
        guesses_per_game: cells opened without proof, over the games of which they are known; or None.
        ends: how many games ended how.
        warning: the first exception of the agent, or None.
    """

    agent: str
    level: Level
    rules: Rules
    games: int
    won: int
    rate: float
    ci95: Interval
    score: int
    seed: int
    seconds: float
    cpu_seconds: float
    startup_cpu_seconds: float
    guesses_per_game: float | None
    ends: dict[str, int]
    warning: str | None

    def as_dict(self) -> dict[str, Any]:
        """The figures under their names, ready for JSON; the size is ``WxH``."""
        return {
            "agent": self.agent,
            "rules": str(self.rules),
            "size": f"{self.level.width}x{self.level.height}",
            "mines": self.level.mines,
            "games": self.games,
            "won": self.won,
            "rate": self.rate,
            "ci95": list(self.ci95),
            "score": self.score,
            "seed": self.seed,
            "seconds": round(self.seconds, 6),
            "cpu_seconds": round(self.cpu_seconds, 6),
            "startup_cpu_seconds": round(self.startup_cpu_seconds, 6),
            "guesses_per_game": self.guesses_per_game,
            "ends": self.ends,
        }


@dataclass(frozen=True, slots=True)
class _Piece:
    """Some of the games of an evaluation."""

    spec: AgentSpec
    level: Level
    rules: Rules
    root: int
    first: int
    count: int


class _Played(NamedTuple):
    """What came of a piece, and what it cost."""

    table: GameTable
    begun: float
    ended: float
    cpu_seconds: float
    startup_cpu_seconds: float
    warning: str | None


def evaluate(
    spec: AgentSpec,
    level: Level,
    rules: Rules,
    *,
    games: int,
    seed: int = 0,
    workers: int = 1,
    on_progress: Callable[[int], None] | None = None,
    executor: Executor | None = None,
) -> Evaluation:
    """Let an agent play many games: number 0 to ``games - 1`` of the root seed, whatever the workers.

    Args:
        workers: how many processes play; 1 is this one.
        on_progress: is told how many more games are done.
        executor: plays, in place of a pool made for this call.

    Raises:
        FormatError: the agent cannot be loaded or made.
        RulesError: the rules cannot lay out this board.
        ValueError: there is not one game, a negative seed, or no worker.
    """
    if games < 1:
        raise ValueError(f"at least one game is needed, not {games}")
    if seed < 0:
        raise ValueError(f"a seed is 0 or more, not {seed}")
    if workers < 1:
        raise ValueError(f"at least one worker is needed, not {workers}")
    rules.check(level)
    _try_to_make(spec, agent_seed(seed, 0))
    size = max(1, min(_MOST_AT_ONCE, games // (workers * _PIECES_A_WORKER)))
    pieces = [
        _Piece(spec, level, rules, seed, first, min(size, games - first)) for first in range(0, games, size)
    ]
    # This process goes first: with a cold cache the kernels are compiled once, and not by every worker.
    startup = _warm_up(pieces[0])

    def report(played: _Played) -> None:
        if on_progress is not None:
            on_progress(len(played.table.won))

    parts = list(ordered_map(_play, pieces, workers=workers, on_result=report, executor=executor))
    table = GameTable(*(np.concatenate(column) for column in zip(*(part.table for part in parts))))
    won = int(table.won.sum())
    known = table.guesses[table.guesses != UNKNOWN]
    return Evaluation(
        agent=str(spec),
        level=level,
        rules=rules,
        games=games,
        won=won,
        rate=won / games,
        ci95=wilson(won, games),
        score=int(table.score.sum()),
        seed=seed,
        seconds=max(part.ended for part in parts) - min(part.begun for part in parts),
        cpu_seconds=sum(part.cpu_seconds for part in parts),
        startup_cpu_seconds=startup + sum(part.startup_cpu_seconds for part in parts),
        guesses_per_game=float(known.mean()) if len(known) else None,
        ends={end_name(code): count for code, count in sorted(Counter(table.end.tolist()).items())},
        warning=next((part.warning for part in parts if part.warning), None),
    )


def _try_to_make(spec: AgentSpec, seed: int) -> None:
    with stdout_kept_clean():
        try:
            spec.make(seed)
        except FormatError:
            raise
        except (Exception, SystemExit) as error:
            raise FormatError(f"agent {spec}: it cannot be made: {last_line(error)}") from error


_warm: set[_Piece] = set()


def _warm_up(piece: _Piece) -> float:
    """Play one game first in every process, so that loading and compiling are not counted as playing.

    The answer is the CPU time that took; in a worker that includes the start of the process.
    """
    game = replace(piece, first=0, count=1)
    if game in _warm:
        return 0.0
    fresh_worker = not _warm and multiprocessing.parent_process() is not None
    before = 0.0 if fresh_worker else time.process_time()
    with stdout_kept_clean():
        _table(game, None)
    _warm.add(game)
    return time.process_time() - before


def _play(piece: _Piece) -> _Played:
    startup = _warm_up(piece)
    warnings: list[str] = []

    def note(number: int, error: BaseException) -> None:
        if not warnings:
            warnings.append(f"game {number}: {last_line(error)}")

    begun, cpu = time.perf_counter(), time.process_time()
    with stdout_kept_clean():
        table = _table(piece, note)
    ended = time.perf_counter()
    return _Played(table, begun, ended, time.process_time() - cpu, startup, next(iter(warnings), None))


def _table(piece: _Piece, on_error: Callable[[int, BaseException], None] | None) -> GameTable:
    board = piece.level, piece.rules, piece.root, piece.first, piece.count
    in_bulk = getattr(piece.spec.load(), "play_games", None)
    if in_bulk is not None:
        table: GameTable = in_bulk(*board, **dict(piece.spec.options))
        return table
    return play_games(piece.spec.make, *board, on_error)


@contextlib.contextmanager
def stdout_kept_clean() -> Iterator[None]:
    """Send what agents print, here and in the modules they lie in, to stderr: stdout is the answer's."""
    with contextlib.redirect_stdout(sys.stderr):
        yield
