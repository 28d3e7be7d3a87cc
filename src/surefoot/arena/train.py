"""Training runs: `risk.learning` over workers, with a checkpoint after every piece of games and every fit."""

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot import __version__
from surefoot.risk import learning
from surefoot.risk.learning import Fit, Piece, Reliability, Settings
from surefoot.risk.lessons import HELD_OUT, Lessons, gather, play_lessons
from surefoot.risk.policy import Policy
from surefoot.risk.worldmap import WorldMap
from surefoot.spec import parse

from .play import ordered_map, pool
from .train_folder import TrainFolder

TABLES = (2, 3, 6)
"""The tables whose reliability is told."""


class Progress(NamedTuple):
    """How far a run is.

    Args:
        round: its number, from 1.
        epoch: of its fit, from 1; 0 when the round is over.
        taught, judged: the losses after it: of the games learned from and of those held out.
    """

    round: int
    epoch: int
    taught: float
    judged: float


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What came of a run.

    Args:
        fits: of every round.
        reliability: of the last network on the games held out, by `TABLES`, where such were played.
        positions: that were learned from or held out.
        played: games that were played now; the rest was in the folder already.
        seconds: by the clock.
    """

    fits: tuple[Fit, ...]
    reliability: Mapping[int, Reliability]
    positions: int
    played: int
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """What the run found, ready for JSON: the same however it was interrupted."""
        return {
            "positions": self.positions,
            "rounds": [
                {"taught": fit.losses[fit.best - 1][0], "held_out": fit.losses[fit.best - 1][1]}
                for fit in self.fits
            ],
            "held_out": {
                str(table): {"chances": int(each.counts.sum()), "loss": each.loss, "gap": each.gap}
                for table, each in self.reliability.items()
            },
        }


def train(
    folder: TrainFolder,
    *,
    workers: int = 1,
    on_games: Callable[[int], None] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    executor: Executor | None = None,
) -> Outcome:
    """Play what is missing in a run's folder, fit what is not fitted, and tell what came out.

    The result and every file are the same for any number of workers, however often the run was broken off.

    Args:
        folder: as `train_folder.begin` gives it, which keeps others away.
        workers: how many processes play; 1 is this one, which also fits.
        on_games: is told how many more games are done, those in the folder at once.
        on_progress: is told each epoch of a fit, and each round that is over.
        executor: plays, in place of a pool made for this call.

    Raises:
        FormatError: a file of the run is damaged.
        RulesError: too few games were won to learn from.
        ValueError: there are no workers.
    """
    if workers < 1:
        raise ValueError(f"at least one worker is needed, not {workers}")
    settings = folder.settings
    begun = time.perf_counter()
    fits: list[Fit] = []
    played = 0
    with ExitStack() as stack:
        for number in range(1, settings.rounds + 1):
            missing = {
                place: learning.piece(settings, folder.worlds, number, place)
                for place in range(1, settings.pieces + 1)
                if folder.lessons(number, place) is None
            }
            new = sum(len(each.seating) for each in missing.values())
            played += new
            if on_games is not None:
                on_games(settings.games - new)
            if missing and workers > 1 and executor is None:
                executor = stack.enter_context(pool(workers))
            for place, rows in _play(folder, missing, workers, on_games, executor):
                folder.write_lessons(number, place, rows)
            fit = folder.fit(number)
            if fit is None:
                lessons = gathered(folder, number)
                told = None if on_progress is None else _teller(on_progress, number)
                fit = folder.write_fit(number, learning.fit(settings, lessons, number, told))
            fits.append(fit)
            if on_progress is not None:
                on_progress(Progress(number, 0, *fit.losses[fit.best - 1]))
    lessons = gathered(folder, settings.rounds)
    outcome = Outcome(
        tuple(fits),
        reliabilities(fits[-1], lessons),
        sum(map(len, lessons.values())),
        played,
        time.perf_counter() - begun,
    )
    folder.write_result(fits[-1].net, {"how": _how(settings), **outcome.as_dict()})
    return outcome


def gathered(folder: TrainFolder, rounds: int) -> Lessons:
    """The lessons of the first ``rounds`` rounds, which are all played.

    Raises:
        FormatError: a file of the run is damaged.
    """

    def pieces() -> Iterator[NDArray[np.float32]]:
        for number in range(1, rounds + 1):
            for place in range(1, folder.settings.pieces + 1):
                rows = folder.lessons(number, place)
                assert rows is not None
                yield rows

    return gather(pieces())


def recorded(folder: TrainFolder) -> list[Fit]:
    """The fits of the rounds that are over, without playing or writing anything.

    Raises:
        FormatError: a file of the run is damaged.
    """
    fits = []
    for number in range(1, folder.settings.rounds + 1):
        fit = folder.fit(number)
        if fit is None:
            break
        fits.append(fit)
    return fits


def reliabilities(fit: Fit, lessons: Lessons) -> dict[int, Reliability]:
    """How the chances of a fit came true in the games held out, by `TABLES`, where such were played."""
    judges = {count: each.only(each.held_out) for count, each in lessons.items()}
    found = {table: learning.reliability(fit.net, judges, table) for table in TABLES}
    return {table: each for table, each in found.items() if each.counts.any()}


def _how(settings: Settings) -> str:
    """How a network was made, in words."""
    shown = ", ".join(
        f"{name} {' '.join(map(str, given)) if isinstance(given, tuple) else given}"
        for name, given in asdict(settings).items()
    )
    return f"surefoot risk train, version {__version__}; one game in {HELD_OUT} held out; {shown}"


def _teller(on_progress: Callable[[Progress], None], number: int) -> Callable[[int, float, float], None]:
    return lambda epoch, taught, judged: on_progress(Progress(number, epoch, taught, judged))


def _work(folder: TrainFolder, piece: Piece) -> tuple[WorldMap, Piece]:
    return folder.worlds[piece.map], piece


def _play(
    folder: TrainFolder,
    pieces: Mapping[int, Piece],
    workers: int,
    on_games: Callable[[int], None] | None,
    executor: Executor | None,
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Play pieces; the place of each and its lessons come in order."""
    work = [_work(folder, each) for each in pieces.values()]
    play = partial(play_piece, folder.settings)
    results = ordered_map(play, work, workers=workers, executor=executor)
    for (place, piece), rows in zip(pieces.items(), results):
        yield place, rows
        if on_games is not None:
            on_games(len(piece.seating))


def play_piece(settings: Settings, work: tuple[WorldMap, Piece]) -> NDArray[np.float32]:
    """Play a piece on its map; what comes of it depends on nothing but the arguments."""
    world, piece = work
    return play_lessons(
        world,
        settings.switches(piece.rules),
        policies(settings.players),
        piece.seating,
        piece.words.copy(),
        settings.samples,
    )


def warm_up(folder: TrainFolder) -> None:
    """Compile, so that the workers have only to load."""
    settings = replace(folder.settings, games=1, samples=1, round_cap=1)
    play_piece(settings, _work(folder, learning.piece(settings, folder.worlds, 1, 1)))


@cache
def policies(players: tuple[str, ...]) -> list[Policy]:
    """The compiled policies of agents, made once in every process."""
    return [parse(text, "risk").make(0).policy for text in players]
