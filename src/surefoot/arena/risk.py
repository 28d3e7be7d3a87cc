"""Many games of Risk by two to six agents, and what they show."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from surefoot.risk.bulk import NOBODY, End, GameTable, Match
from surefoot.risk.rules import Rules
from surefoot.risk.worldmap import WorldMap
from surefoot.spec import AgentSpec, last_line

from .play import Played, check_study, ordered_map, split, timed, total, try_to_make, warm_up
from .playing import play_risk
from .statistics import Interval, wilson


@dataclass(frozen=True, slots=True)
class Wins:
    """How often an agent won: ``n`` games, the rate of all games, and Wilson's 95 % interval."""

    n: int
    rate: float
    ci95: Interval


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How agents fared against each other.

    Args:
        agents: what each is called: its spec, with a number if others have the same.
        worldmap: the name of the map.
        games: how many were played.
        paired: whether each deal was played from every seating before the next one came.
        seed: the root seed; the same seed gives the same games.
        wins: by agent, in their order.
        wins_by_seat: how many games were won from each seat.
        capped: games that reached the round cap; they are wins for nobody.
        forfeited: games in which no agent without fault was left.
        turns: the mean number of turns of a game, of all seats together.
        faults: by agent, games that it could not finish by its own fault.
        workers: how many processes played.
        seconds: by the clock, from the first game's beginning to the last one's end.
        cpu_seconds: the sum over all processes while playing.
        startup_cpu_seconds: the sum over all processes for loading, compiling and a game to warm up.
        warning: the first exception of an agent, or None.
    """

    agents: tuple[str, ...]
    worldmap: str
    rules: Rules
    games: int
    paired: bool
    seed: int
    wins: tuple[Wins, ...]
    wins_by_seat: tuple[int, ...]
    capped: int
    forfeited: int
    turns: float
    faults: tuple[int, ...]
    workers: int
    seconds: float
    cpu_seconds: float
    startup_cpu_seconds: float
    warning: str | None

    @property
    def games_per_cpu_second(self) -> float | None:
        """Games over CPU seconds, or None if the clock saw no time pass."""
        return self.games / self.cpu_seconds if self.cpu_seconds > 0 else None

    def as_dict(self) -> dict[str, Any]:
        """The figures under their names, ready for JSON."""
        speed = self.games_per_cpu_second
        return {
            "agents": list(self.agents),
            "map": self.worldmap,
            "rules": str(self.rules),
            "games": self.games,
            "paired": self.paired,
            "seed": self.seed,
            "wins": {
                agent: {"n": wins.n, "rate": wins.rate, "ci95": list(wins.ci95)}
                for agent, wins in zip(self.agents, self.wins)
            },
            "wins_by_seat": list(self.wins_by_seat),
            "capped": self.capped,
            "forfeited": self.forfeited,
            "turns": self.turns,
            "faults": dict(zip(self.agents, self.faults)),
            "workers": self.workers,
            "seconds": round(self.seconds, 6),
            "cpu_seconds": round(self.cpu_seconds, 6),
            "startup_cpu_seconds": round(self.startup_cpu_seconds, 6),
            "games_per_cpu_second": None if speed is None else round(speed, 3),
        }


@dataclass(frozen=True, slots=True)
class _Piece:
    """Some of the games of an evaluation."""

    specs: tuple[AgentSpec, ...]
    match: Match
    first: int
    count: int


class _Result(NamedTuple):
    """What came of a piece."""

    table: GameTable
    warning: str | None


def evaluate(
    specs: Sequence[AgentSpec],
    worldmap: WorldMap,
    rules: Rules,
    *,
    games: int,
    seed: int = 0,
    paired: bool = False,
    workers: int = 1,
    on_progress: Callable[[int], None] | None = None,
    executor: Executor | None = None,
) -> Evaluation:
    """Let agents play many games against each other, one on each seat; from game to game they move on a seat.

    Game number 0 to ``games - 1`` of the root seed are the same whatever the workers. They are played in
    compiled loops if every agent has a compiled policy, with the same result as move by move.

    Args:
        specs: one for each player.
        paired: whether as many games in a row as there are players share their chance.
        workers: how many processes play; 1 is this one.
        on_progress: is told how many more games are done.
        executor: plays, in place of a pool made for this call.

    Raises:
        FormatError: an agent cannot be loaded or made.
        RulesError: the rules cannot be played by so many on this map.
        ValueError: there is not one game, a negative seed, or no worker.
    """
    check_study(games, seed, workers)
    rules.check(len(specs), len(worldmap.territories))
    match = Match(worldmap, rules, len(specs), seed, paired)
    for spec, word in zip(specs, match.words(0)[1:]):
        try_to_make(spec, int(word))
    pieces = [_Piece(tuple(specs), match, first, count) for first, count in split(games, workers)]
    # This process goes first: with a cold cache the kernels are compiled once, and not by every worker.
    startup = _warm_up(pieces[0])

    def report(played: Played[_Result]) -> None:
        if on_progress is not None:
            on_progress(len(played.result.table.winner))

    parts = list(ordered_map(_play, pieces, workers=workers, on_result=report, executor=executor))
    tables = [part.result.table for part in parts]
    table = GameTable(*(np.concatenate(column) for column in zip(*tables)))
    times = total(parts, startup)
    won = [int((table.winner == agent).sum()) for agent in range(len(specs))]
    return Evaluation(
        agents=_labels(specs),
        worldmap=worldmap.name,
        rules=rules,
        games=games,
        paired=paired,
        seed=seed,
        wins=tuple(Wins(n, n / games, wilson(n, games)) for n in won),
        wins_by_seat=tuple(np.bincount(table.seat[table.seat != NOBODY], minlength=len(specs)).tolist()),
        capped=int((table.end == End.CAPPED.value).sum()),
        forfeited=int((table.end == End.FORFEITED.value).sum()),
        turns=float(table.turns.mean()),
        faults=tuple(table.faults.sum(axis=0).tolist()),
        workers=workers,
        seconds=times.seconds,
        cpu_seconds=times.cpu_seconds,
        startup_cpu_seconds=times.startup_cpu_seconds,
        warning=next((part.result.warning for part in parts if part.result.warning), None),
    )


def _labels(specs: Sequence[AgentSpec]) -> tuple[str, ...]:
    """The specs; the second of the same is called ``SPEC #2``, and so on."""
    names = [str(spec) for spec in specs]
    return tuple(
        name if names.index(name) == place else f"{name} #{names[: place + 1].count(name)}"
        for place, name in enumerate(names)
    )


def _warm_up(piece: _Piece) -> float:
    specs, match = piece.specs, piece.match
    return warm_up((specs, match.rules, match.worldmap), lambda: play_risk(specs, match, 0, 1))


def _play(piece: _Piece) -> Played[_Result]:
    warnings: list[str] = []

    def note(number: int, agent: int, error: BaseException) -> None:
        if not warnings:
            warnings.append(f"{_labels(piece.specs)[agent]}, game {number}: {last_line(error)}")

    def whole() -> _Result:
        table = play_risk(piece.specs, piece.match, piece.first, piece.count, note)
        return _Result(table, next(iter(warnings), None))

    return timed(whole, _warm_up(piece))
