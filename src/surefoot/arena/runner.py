"""Play a study, or what is left of it, into a store."""

import json
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from surefoot.errors import FormatError

from . import cluster as dask
from .cutting import Cutter
from .pieces import Done, Order, Piece, Watch, is_foreign, play_piece, warm_up_contest
from .play import ordered_map, pool, stdout_kept_clean, try_to_make
from .sprt import Course
from .standings import Standing, standings
from .stopping import Stopper
from .store import NOBODY, Store, Tally, tally
from .study import Study

_DEATHS = 3
"""A game during which an agent has ended its process so many times is that agent's loss."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Args:
        played: games that are there, of ``games``.
        new: how many of them have been played since this call began.
        course: of a sequential test, or None.
    """

    study: Study
    played: int
    games: int
    new: int
    course: Course | None
    _tallies: dict[tuple[int, str], Tally]

    def standings(self) -> list[Standing]:
        """How the agents stand by now."""
        return standings(self.study.agents, self._tallies.values())


@dataclass(frozen=True, slots=True)
class Run:
    """What is there of a run.

    Args:
        run: its id.
        store: where it is kept.
        played: games that are there, of ``games``; a sequential test may have needed fewer.
        new: how many of them were played by this call.
        standings: by agent, in the study's order.
        course: of a sequential test, or None.
        seconds: by the clock, of this call while it played; the start of workers is in it.
        cpu_seconds: the sum over all processes, of the whole run, while playing.
        startup_cpu_seconds: the same for loading, compiling and games to warm up.
        warnings: an exception of each agent that had one during this call, in one line.
    """

    run: str
    study: Study
    store: str
    played: int
    games: int
    new: int
    standings: tuple[Standing, ...]
    course: Course | None
    seconds: float
    cpu_seconds: float
    startup_cpu_seconds: float
    warnings: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.played == self.games or (
            self.course is not None and self.course.decision.verdict is not None
        )

    def as_dict(self) -> dict[str, Any]:
        """The figures under their names, ready for JSON."""
        test = None
        if self.course is not None:
            limits = self.study.limits
            test = {
                "verdict": self.course.decision.verdict,
                "pairs": self.course.pairs,
                **self.course.decision._asdict(),
                "effect": limits.effect,
                "alpha": limits.alpha,
                "beta": limits.beta,
            }
        return {
            "run": self.run,
            "store": self.store,
            "study": self.study.model_dump(mode="json", exclude={"store"}),
            "complete": self.complete,
            "played": self.played,
            "games": self.games,
            "new": self.new,
            "standings": [each.as_dict() for each in self.standings],
            "sprt": test,
            "seconds": round(self.seconds, 6),
            "cpu_seconds": round(self.cpu_seconds, 6),
            "startup_cpu_seconds": round(self.startup_cpu_seconds, 6),
            "warnings": list(self.warnings),
        }


def run(
    study: Study,
    *,
    store: Store | str | Path | None = None,
    workers: int = 1,
    cluster: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Play what the store does not have yet of a study; the results are the same whoever plays.

    One worker is this process, as long as all agents are ours; agents from files play in processes of
    their own, for one that ends its process must not end this one. A script then needs the usual
    ``if __name__ == "__main__":``.

    Args:
        store: where results are kept, in place of the study's own choice: a path or a URL.
        workers: how many processes play.
        cluster: the address of a Dask scheduler, whose workers play instead.
        on_progress: is told after every piece how far the run is; an exception that it raises stops the run,
            which loses nothing but the games in flight.

    Raises:
        FormatError: an agent cannot be loaded, the store or the cluster does not open, or somebody else plays
            this run into this store at the same time.
        ValueError: there are no workers.
    """
    if workers < 1:
        raise ValueError(f"at least one worker is needed, not {workers}")
    foreign = _load(study)
    with _opened(study.store if store is None else store) as kept:
        kept.begin(study)
        session = _Session(study, kept, on_progress)
        begun = time.perf_counter()
        if not session.over:
            session.play(_Workers(workers, cluster, apart=foreign or workers > 1))
        return session.summary(time.perf_counter() - begun)


def resume(
    run_id: str | None = None,
    store: Store | str | Path | None = None,
    *,
    workers: int = 1,
    cluster: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Go on with a run that a store has; the beginning of its id will do, or none if there is one run.

    Raises:
        FormatError: as `run`; there is no such run; or what it depends on is no longer what it was.
    """
    with _opened(store, create=False) as kept:
        found = kept.find(run_id)
        study = Study.make(json.loads(found.study.model_dump_json(exclude={"store"})))
        if study.run != found.run:
            raise FormatError(
                f"run {found.run} cannot go on: it was begun by another version of Surefoot, or the map or a "
                f"file of an agent has changed since (now it would be run {study.run})"
            )
        return run(study, store=kept, workers=workers, cluster=cluster, on_progress=on_progress)


@contextmanager
def _opened(store: Store | str | Path | None, *, create: bool = True) -> Iterator[Store]:
    """A store, closed in the end if it was opened here."""
    if isinstance(store, Store):
        yield store
        return
    with Store(None if store is None else str(store), create=create) as opened:
        yield opened


def _load(study: Study) -> bool:
    """See before the games begin that the agents are there; whether any is somebody else's code."""
    with stdout_kept_clean():
        foreign = [is_foreign(spec) for spec in study.specs]
    for spec, other in zip(study.specs, foreign):
        if not other:  # the others' constructors may do anything, which costs them their own games
            try_to_make(spec, 0)
    return any(foreign)


@dataclass(frozen=True, slots=True)
class _Workers:
    """Who plays.

    Args:
        count: how many processes of this machine.
        cluster: the address of a scheduler, or None.
        apart: whether even a single one is a process of its own.
    """

    count: int
    cluster: str | None
    apart: bool

    @contextmanager
    def ready(self) -> Iterator[tuple[Executor | None, int]]:
        """An executor, or None for this process, and how many pieces it works on at a time."""
        with ExitStack() as stack:
            if self.cluster is not None:
                yield stack.enter_context(dask.connected(self.cluster))
            elif self.apart:
                yield stack.enter_context(pool(self.count)), self.count
            else:
                yield None, 1


class _Decided(Exception):
    """The sequential test has come to its end."""


class _Session:
    """One call that plays."""

    def __init__(self, study: Study, store: Store, on_progress: Callable[[Progress], None] | None) -> None:
        self.study = study
        self.store = store
        self.text = study.model_dump_json(exclude={"store"})
        self.games = sum(contest.games for contest in study.contests)
        self.there = [cost.piece for cost in store.pieces(study.run)]
        self.played = sum(piece.games for piece in self.there)
        self.new = 0
        self.stopper = Stopper(study, store.winners(study.run)) if study.format == "sprt" else None
        self._on_progress = on_progress
        self._tallies: dict[tuple[int, str], Tally] = {}
        self._count(store.tallies(study.run))
        self._warnings: dict[int, str] = {}
        self._startup = 0.0
        self._cutter: Cutter
        self._again: deque[Piece] = deque()
        self._out: dict[Piece, None] = {}
        """What was handed out and is not back yet, the oldest first."""

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.played == self.games or (self.stopper is not None and self.stopper.decided)

    def play(self, workers: _Workers) -> None:
        """Play until it is over, whatever becomes of the workers."""
        self._cutter = Cutter(self.study, self.there, workers.count)
        if workers.apart and not any(is_foreign(spec) for spec in self.study.specs):
            # This process goes first: with a cold cache kernels are compiled once, not by every worker.
            self._startup += warm_up_contest(self.study, self.study.contests[0])
        deaths: Counter[Piece] = Counter()
        with suppress(_Decided):
            while True:
                try:
                    self._once(workers)
                    return
                except BrokenExecutor:  # of a pool nothing comes back any more, whoever was to blame
                    deaths.update(self._out.keys())
                    self._sort_out([piece for piece in self._out if deaths[piece] > 1])
                except CancelledError:
                    raise FormatError(f"cluster {workers.cluster}: it is gone") from None
                except Exception as error:
                    if workers.cluster is not None and dask.is_stranger(error):
                        raise FormatError(
                            f"cluster {workers.cluster}: its scheduler and workers need the same Surefoot "
                            "and the same Python as here"
                        ) from error
                    if not dask.is_death(error):
                        raise
                    self._sort_out(list(self._out)[:1])

    def _once(self, workers: _Workers) -> None:
        with workers.ready() as (executor, count):
            for _ in ordered_map(
                play_piece, self._orders(), workers=count, on_result=self._keep, executor=executor
            ):
                pass

    def _orders(self) -> Iterator[Order]:
        """What is to be played, first what has been lost."""
        for piece in chain(iter(self._next_again, None), self._cutter):
            self._out[piece] = None
            yield Order(self.study.run, self.text, piece)

    def _next_again(self) -> Piece | None:
        return self._again.popleft() if self._again else None

    def _sort_out(self, suspects: list[Piece]) -> None:
        """After workers have died: play ``suspects`` with care, and the rest of what was out once more."""
        for piece in suspects:
            self._play_with_care(piece)
        self._again.extend(self._out)
        self._out.clear()

    def _play_with_care(self, piece: Piece) -> None:
        """Play a piece game by game, in a process of this machine that notes who is to move."""
        games = deque(Piece(piece.contest, piece.first + number, 1) for number in range(piece.games))
        self._out.pop(piece)
        deaths: Counter[int] = Counter()
        with TemporaryDirectory() as folder, Watch.new(Path(folder)) as watch:
            while games:
                try:
                    with pool(1) as executor:
                        while games:
                            watch.note(None)
                            dead = frozenset(agent for agent, times in deaths.items() if times >= _DEATHS)
                            order = Order(self.study.run, self.text, games[0], str(watch.path), dead)
                            for done in ordered_map(play_piece, [order], workers=1, executor=executor):
                                self._keep(done)
                            games.popleft()
                            deaths.clear()
                except BrokenExecutor:
                    blamed = NOBODY if watch.noted is None else watch.noted
                    deaths[blamed] += 1
                    if deaths[NOBODY] >= _DEATHS:
                        number = self.study.contests[piece.contest].first + games[0].first
                        raise FormatError(
                            f"run {self.study.run}: the process that plays game {number} has died "
                            f"{_DEATHS} times, and no agent was to move"
                        ) from None

    def _keep(self, done: Done) -> None:
        """A piece is back."""
        self._out.pop(done.piece, None)
        self._cutter.took(done)
        kept = [done] if self.stopper is None else self.stopper.take(done)
        if kept:
            self.store.add(self.study.run, kept)
        for each in kept:
            self._count(tally(each))
            self.played += each.piece.games
            self.new += each.piece.games
        self._warnings = done.warnings | self._warnings
        if self._on_progress is not None and kept:
            course = None if self.stopper is None else self.stopper.course
            self._on_progress(Progress(self.study, self.played, self.games, self.new, course, self._tallies))
        if self.stopper is not None and self.stopper.decided:
            raise _Decided

    def _count(self, tallies: Iterable[Tally]) -> None:
        for each in tallies:
            key = each.agent, each.outcome
            before = self._tallies.get(key)
            sums = each[5:] if before is None else [a + b for a, b in zip(before[5:], each[5:])]
            self._tallies[key] = Tally(*each[:5], *sums)

    def summary(self, seconds: float) -> Run:
        """What is there now."""
        costs = self.store.pieces(self.study.run)
        return Run(
            run=self.study.run,
            study=self.study,
            store=self.store.place,
            played=self.played,
            games=self.games,
            new=self.new,
            standings=tuple(standings(self.study.agents, self._tallies.values())),
            course=None if self.stopper is None else self.stopper.course,
            seconds=seconds,
            cpu_seconds=sum(cost.cpu_seconds for cost in costs),
            startup_cpu_seconds=self._startup + sum(cost.startup_cpu_seconds for cost in costs),
            warnings=tuple(self._warnings[agent] for agent in sorted(self._warnings)),
        )
