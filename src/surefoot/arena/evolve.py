"""Learning runs: `risk.evolution` over workers, with a checkpoint after every tournament."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from surefoot.risk import adaptation, evolution
from surefoot.risk.evolution import (
    Generation,
    Played,
    Population,
    Settings,
    Tournament,
    Winner,
)

from .evolve_folder import RunFolder
from .play import ordered_map, pool

_PIECE = 5
"""Games that a worker plays in one go: a few tenths of a second, so that nobody waits long for the last."""


class Player(Protocol):
    """Whoever plays the games. It has to be picklable when there is more than one worker."""

    def __call__(
        self, genes: NDArray[np.float64], pairs: NDArray[np.int64], seeds: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Play games; who wins depends on nothing but the arguments.

        Args:
            genes: the weights of all that may play, shape (n, 4).
            pairs: who moves first and who second, shape (games, 2): rows of ``genes``, or n for the first of
                the settings' opponents, n + 1 for the second …
            seeds: the chance of each game, shape (games,), below 2^63.

        Returns:
            For each game 0 or 1, the place of the winner in its pair, or -1 for nobody; shape (games,).
        """


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is after a generation.

    Args:
        generation: its number, from 1.
        best: the best gene of this generation.
        highest: the best fitness of all generations so far.
        games, capped: of this generation.
    """

    generation: int
    best: Winner
    highest: float
    games: int
    capped: int


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What came of a run.

    Args:
        winner: the gene that came out.
        generations: all that was played, in order.
        played: games that were played now; the rest was in the folder already.
        seconds: by the clock, while playing; the start of the workers is in it.
    """

    winner: Winner
    generations: tuple[Generation, ...]
    played: int
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """What the run found, ready for JSON: the same however it was interrupted."""
        return {
            "gene": self.winner.gene.tolist(),
            "number": self.winner.number,
            "fitness": self.winner.fitness,
            "gene_games": self.winner.games,
            "games": sum(generation.games for generation in self.generations),
            "capped": sum(generation.capped for generation in self.generations),
        }


def evolve(
    folder: RunFolder,
    player: Player,
    *,
    workers: int = 1,
    on_games: Callable[[int], None] | None = None,
    on_generation: Callable[[Progress], None] | None = None,
    executor: Executor | None = None,
) -> Outcome:
    """Play what is missing in a run's folder, and tell what came out.

    The result and every file are the same for any number of workers, however often the run was broken off.

    Args:
        folder: as `evolve_folder.begin` gives it, which keeps others away.
        player: who plays; the same as before, if anything was played before.
        workers: how many processes play; 1 is this one.
        on_games: is told how many more games are done, those in the folder at once.
        on_generation: is told how far the run is after each generation.
        executor: plays, in place of a pool made for this call.

    Raises:
        FormatError: a file of the run is damaged, or ``cmaes`` is needed and not installed.
        ValueError: there are no workers, or the player's answer has another shape.
    """
    if workers < 1:
        raise ValueError(f"at least one worker is needed, not {workers}")
    settings = folder.settings
    history: list[Generation] = []
    highest, new = 0.0, 0
    begun = time.perf_counter()
    with ExitStack() as stack:
        for number in range(1, settings.generations + 1):
            population = _population(folder, history, number)
            played, missing = _recorded(folder, number)
            new += len(missing) * settings.games
            if on_games is not None:
                on_games((settings.tournaments - len(missing)) * settings.games)
            if missing and workers > 1 and executor is None:
                executor = stack.enter_context(pool(workers))
            for place, winners in _play(player, population.genes, missing, workers, on_games, executor):
                played[place] = Played(missing[place], winners)
                folder.write_played(number, place, played[place])
            history.append(evolution.score(settings, population, [played[n] for n in sorted(played)]))
            best = evolution.winner(history)
            highest = max(highest, best.fitness or 0.0)
            if on_generation is not None:
                on_generation(Progress(number, best, highest, history[-1].games, history[-1].capped))
    seconds = time.perf_counter() - begun
    outcome = Outcome(_winner(settings, history), tuple(history), new, seconds)
    folder.write_result(outcome.as_dict())
    return outcome


def summary(number: int, generation: Generation) -> dict[str, Any]:
    """A generation in some figures, ready for JSON; fitness is that of the genes that played."""
    population, best = generation.population, generation.best()
    fitness = population.fitness[generation.drawn]
    return {
        "generation": number,
        "games": generation.games,
        "capped": generation.capped,
        "best": float(population.fitness[best]),
        "median": float(np.median(fitness)),
        "mean": float(fitness.mean()),
        "gene": population.genes[best].tolist(),
        "median_weights": np.median(population.genes, axis=0).tolist(),
    }


def recorded(folder: RunFolder) -> list[Generation]:
    """The generations that are complete in a run's folder, without playing or writing anything.

    Raises:
        FormatError: a file of the run is damaged.
    """
    settings = folder.settings
    history: list[Generation] = []
    for number in range(1, settings.generations + 1):
        genes = folder.genes(number)
        if genes is None:
            break
        played, missing = _recorded(folder, number)
        if missing:
            break
        history.append(
            evolution.score(settings, _carried(settings, history, genes), [played[n] for n in sorted(played)])
        )
    return history


def _population(folder: RunFolder, history: Sequence[Generation], number: int) -> Population:
    """The population of a generation: as it was kept, or else drawn, and kept."""
    genes = folder.genes(number)
    if genes is not None:
        return _carried(folder.settings, history, genes)
    next_one = adaptation.population if folder.settings.method == "cma" else evolution.population
    population = next_one(folder.settings, history)
    folder.write_genes(number, population.genes)
    return population


def _carried(settings: Settings, history: Sequence[Generation], genes: NDArray[np.float64]) -> Population:
    """Genes that were kept, with the fitness that they bring along."""
    if settings.method == "cma":
        return Population.fresh(genes)
    return replace(evolution.population(settings, history), genes=genes)


def _winner(settings: Settings, history: Sequence[Generation]) -> Winner:
    return adaptation.winner(settings, history) if settings.method == "cma" else evolution.winner(history)


def _recorded(folder: RunFolder, generation: int) -> tuple[dict[int, Played], dict[int, Tournament]]:
    """The tournaments of a generation by number, from 1: those that were played, and those that were not."""
    played: dict[int, Played] = {}
    missing: dict[int, Tournament] = {}
    for number in range(1, folder.settings.tournaments + 1):
        tournament = evolution.tournament(folder.settings, generation, number)
        winners = folder.winners(generation, number, tournament)
        if winners is None:
            missing[number] = tournament
        else:
            played[number] = Played(tournament, winners)
    return played, missing


class _Piece(NamedTuple):
    """Some of the games of a tournament."""

    genes: NDArray[np.float64]
    pairs: NDArray[np.int64]
    seeds: NDArray[np.uint64]


def _piece(genes: NDArray[np.float64], pairs: NDArray[np.int64], seeds: NDArray[np.uint64]) -> _Piece:
    """The games with the genes that play in them, and no others: a player may have to make ready for each."""
    n = len(genes)
    playing = np.unique(pairs[pairs < n])
    # Opponents come after the genes, however few of these play.
    places = np.where(pairs < n, np.searchsorted(playing, pairs), pairs - n + len(playing))
    return _Piece(genes[playing], places.astype(np.int64), seeds)


def _play(
    player: Player,
    genes: NDArray[np.float64],
    tournaments: dict[int, Tournament],
    workers: int,
    on_games: Callable[[int], None] | None,
    executor: Executor | None,
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Play tournaments; each one's number and winners come as soon as it and those before it are over."""
    pieces = [
        _piece(genes, each.pairs[first : first + _PIECE], each.seeds[first : first + _PIECE])
        for each in tournaments.values()
        for first in range(0, len(each.seeds), _PIECE)
    ]

    def report(winners: NDArray[np.int64]) -> None:
        if on_games is not None:
            on_games(len(winners))

    work = partial(_play_piece, player)
    results = ordered_map(work, pieces, workers=workers, on_result=report, executor=executor)
    for number, each in tournaments.items():
        parts: list[NDArray[np.int64]] = []
        while sum(map(len, parts)) < len(each.seeds):
            parts.append(next(results))
        yield number, np.concatenate(parts)


def _play_piece(player: Player, piece: _Piece) -> NDArray[np.int64]:
    winners = np.asarray(player(*piece), np.int64)
    if winners.shape != piece.seeds.shape:
        raise ValueError(f"{len(piece.seeds)} games, but {winners.shape} winners")
    return winners
