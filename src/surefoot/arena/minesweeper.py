"""Many games of Minesweeper by one agent, and what they show."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from surefoot.minesweeper.bulk import UNKNOWN, GameTable, agent_seed, end_name
from surefoot.minesweeper.rules import Level, Rules
from surefoot.spec import AgentSpec, last_line

from .play import Played, check_study, ordered_map, split, timed, total, try_to_make, warm_up
from .playing import Games, play_minesweeper
from .statistics import Interval, wilson


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


class _Piece(NamedTuple):
    """Some of the games of an evaluation."""

    spec: AgentSpec
    games: Games


class _Result(NamedTuple):
    """What came of a piece."""

    table: GameTable
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
    check_study(games, seed, workers)
    rules.check(level)
    try_to_make(spec, agent_seed(seed, 0))
    pieces = [_Piece(spec, Games(level, rules, seed, *part)) for part in split(games, workers)]
    # This process goes first: with a cold cache the kernels are compiled once, and not by every worker.
    startup = _warm_up(pieces[0])

    def report(played: Played[_Result]) -> None:
        if on_progress is not None:
            on_progress(len(played.result.table.won))

    parts = list(ordered_map(_play, pieces, workers=workers, on_result=report, executor=executor))
    tables = [part.result.table for part in parts]
    table = GameTable(*(np.concatenate(column) for column in zip(*tables)))
    times = total(parts, startup)
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
        seconds=times.seconds,
        cpu_seconds=times.cpu_seconds,
        startup_cpu_seconds=times.startup_cpu_seconds,
        guesses_per_game=float(known.mean()) if len(known) else None,
        ends={end_name(code): count for code, count in sorted(Counter(table.end.tolist()).items())},
        warning=next((part.result.warning for part in parts if part.result.warning), None),
    )


def _warm_up(piece: _Piece) -> float:
    first = piece._replace(games=piece.games._replace(first=0, games=1))
    return warm_up(first, lambda: play_minesweeper(*first))


def _play(piece: _Piece) -> Played[_Result]:
    warnings: list[str] = []

    def note(number: int, error: BaseException) -> None:
        if not warnings:
            warnings.append(f"game {number}: {last_line(error)}")

    def whole() -> _Result:
        return _Result(play_minesweeper(*piece, note), next(iter(warnings), None))

    return timed(whole, _warm_up(piece))
