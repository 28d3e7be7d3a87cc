"""The document's genetic algorithm: a population and the results of its games in, a population out.

A generation is some tournaments of genes drawn by lot, in which every pair plays; the best of each tournament
make the pool; children of the pool replace the worst of the population. Who plays the games is handed in, so
that everything here is a pure function of the settings and of who won. All chance is drawn from
``SeedSequence([seed, generation, tournament, purpose])``: whatever is asked for can be asked for alone, in
any order and on any worker.

Where the document is silent: the first generation is the random one, and every generation is played. A gene's
fitness is that of all its games of a generation; in a tournament the games of that tournament count. A gene
that is not drawn keeps its last fitness, and one that never played stands below all that have. The pool may
hold a gene twice. The parents of every child are drawn anew. A game without a winner is a win for nobody.
Equal fitness goes by the number of games it was reached in, then to the gene that was drawn or stands first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import RulesError

from .alphabeta import Targets, Thought, Weights
from .features import Features
from .rules import MAX_ROUNDS, Rules

Method = Literal["genetic", "cma"]

FEATURES = Features._fields
"""What the weights of a gene weigh, in their order (see `features`)."""
WEIGHTS = len(FEATURES)
FIRST, SECOND, NOBODY = 0, 1, -1
"""Who won a game: the seat that moves first, the other, or nobody before the round cap."""

_MOST = MAX_ROUNDS
_FIRST_GENES, _TOURNAMENT, _CHILDREN = range(3)  # purposes, the last word of a seed
_CMA_LEAST = 4
"""Of fewer genes the better half is one alone, which shows no covariance."""
_LEAST = {
    "seed": 0,
    "population": 2,
    "tournaments": 1,
    "size": 2,
    "survivors": 0,
    "crossovers": 0,
    "mutants": 0,
    "generations": 1,
    "round_cap": 1,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that a learning run depends on; the defaults are the document's.

    Args:
        method: ``genetic``, or ``cma`` for CMA-ES (see `adaptation`), where every generation is new.
        seed: of all chance.
        population: genes in the population.
        tournaments: tournaments in a generation.
        size: genes in a tournament.
        survivors: the best so many of a tournament go into the pool.
        crossovers: children that are the average of a pair from the pool.
        mutants: children that are one of the pool with one weight drawn anew.
        generations: how many are played.
        low, high: the range of a weight.
        map, rules: what is played, as in `worldmap.load` and `Rules.parse`.
        round_cap: so many rounds end a game without a winner; in place of the rules' own.
        depth, targets: how the agent looks ahead, as in the agent ``alphabeta``.
        opponents: names of further players, whom each gene of a tournament meets once; who plays the games
            knows them.

    Raises:
        RulesError: the numbers do not fit together, or are not such as the agent takes; the message says
            which.
        FormatError: there are no such rules.
    """

    method: Method = "genetic"
    seed: int = 0
    population: int = 100
    tournaments: int = 10
    size: int = 10
    survivors: int = 3
    crossovers: int = 12
    mutants: int = 3
    generations: int = 4
    low: float = 0.0
    high: float = 10.0
    map: str = "grid-6x6"
    rules: str = "document"
    round_cap: int = 100
    depth: int = 5
    targets: Targets = "all"
    opponents: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise RulesError(f"method is {' or '.join(get_args(Method))}, not {str(self.method)[:40]!r}")
        for name, least in _LEAST.items():
            most = 2**63 - 1 if name == "seed" else _MOST
            if not least <= getattr(self, name) <= most:
                raise RulesError(f"{name} is {least} to {most}, not {getattr(self, name)}")
        if not (isfinite(self.low) and isfinite(self.high) and self.low < self.high):
            raise RulesError(
                f"a range goes from a lower number to a higher one, not {self.low} to {self.high}"
            )
        self.thought((self.low, self.low, self.high, self.high))
        _ = self.switches
        if self.size > self.population:
            raise RulesError(f"size {self.size} is more than the population of {self.population}")
        if self.method == "cma":
            self._check_cma()
        else:
            self._check_genetic()

    def _check_genetic(self) -> None:
        children = self.crossovers + self.mutants
        if self.survivors > self.size:
            raise RulesError(f"survivors {self.survivors} are more than the tournament's size {self.size}")
        if children > self.population:
            raise RulesError(
                f"{children} children (crossovers and mutants) are more than the population {self.population}"
            )
        pool = self.tournaments * self.survivors
        needed = 2 if self.crossovers else 1 if self.mutants else 0
        if pool < needed:
            raise RulesError(f"survivors {self.survivors} of {self.tournaments} tournaments leave no parents")

    def _check_cma(self) -> None:
        if self.size < _CMA_LEAST:
            raise RulesError(f"the method cma needs a size of {_CMA_LEAST} or more, not {self.size}")
        if self.survivors or self.crossovers or self.mutants:
            raise RulesError("survivors, crossovers and mutants belong to the method genetic")
        if self.size != self.population:
            raise RulesError(
                f"with the method cma everybody plays: size {self.size} is not population {self.population}"
            )

    @classmethod
    def make(cls, given: Mapping[str, Any]) -> "Settings":
        """Settings with the defaults of the method, which ``given`` may name, but for what is ``given``.

        CMA-ES has a population as large as a tournament and as many generations as the document has
        tournaments, so that both methods play as many games.

        Raises:
            RulesError, FormatError: as the class.
        """
        if given.get("method") != "cma":
            return cls(**given)
        size = given.get("size", given.get("population", _DOCUMENT.size))
        usual = {
            "population": size,
            "size": size,
            "tournaments": 1,
            "survivors": 0,
            "crossovers": 0,
            "mutants": 0,
            "generations": _DOCUMENT.generations * _DOCUMENT.tournaments,
        }
        return cls(**(usual | dict(given)))

    @property
    def switches(self) -> Rules:
        """The rules with the round cap."""
        if "round_cap" in self.rules:
            raise RulesError("the round cap is a setting of its own, and not given with the rules")
        return replace(Rules.parse(self.rules), round_cap=self.round_cap)

    def thought(self, weights: Weights) -> Thought:
        """How the agent with these weights plays.

        Raises:
            RulesError: it cannot play so.
        """
        return Thought(weights=weights, depth=self.depth, targets=self.targets)

    @property
    def games(self) -> int:
        """Games in a tournament."""
        return self.size * (self.size - 1) // 2 + self.size * len(self.opponents)

    @property
    def total(self) -> int:
        """Games in the whole run."""
        return self.generations * self.tournaments * self.games

    def differing(self, given: Mapping[str, Any]) -> list[str]:
        """The names of the settings that are not as ``given``."""
        return [
            field.name
            for field in fields(self)
            if field.name in given and getattr(self, field.name) != given[field.name]
        ]


_DOCUMENT = Settings()


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """Genes, and how each fared when it was last drawn.

    Args:
        genes: float64, shape (n, WEIGHTS).
        wins, games: int64, shape (n,): in the last generation in which the gene was drawn; 0 games before.
    """

    genes: NDArray[np.float64]
    wins: NDArray[np.int64]
    games: NDArray[np.int64]

    @classmethod
    def fresh(cls, genes: NDArray[np.float64]) -> "Population":
        """Genes that have not played."""
        return cls(genes, np.zeros(len(genes), np.int64), np.zeros(len(genes), np.int64))

    def __len__(self) -> int:
        return len(self.genes)

    @property
    def fitness(self) -> NDArray[np.float64]:
        """Wins over games, shape (n,); NaN for a gene that never played."""
        fitness = np.full(len(self), np.nan)
        np.divide(self.wins, self.games, out=fitness, where=self.games > 0)
        return fitness

    def ranking(self) -> NDArray[np.intp]:
        """The genes' numbers from best to worst, shape (n,)."""
        return _ranked(self.wins, self.games)


class Tournament(NamedTuple):
    """Who plays whom. Genes go by their number in the population; after these come the opponents."""

    drawn: NDArray[np.int64]
    """The genes, shape (size,), in the order in which they were drawn."""
    pairs: NDArray[np.int64]
    """Shape (games, 2): who moves first, and who second."""
    seeds: NDArray[np.uint64]
    """The chance of each game, shape (games,), below 2^63."""


class Played(NamedTuple):
    """A tournament and its winners, int64 of shape (games,): FIRST, SECOND or NOBODY."""

    tournament: Tournament
    winners: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """A population that has played.

    Args:
        population: with the results of this generation for those that were drawn.
        drawn: bool, shape (n,): who was.
        pool: int64: the survivors of every tournament, one after the other; a gene may be there twice.
        games, capped: how many games were played, and how many had no winner.
    """

    population: Population
    drawn: NDArray[np.bool_]
    pool: NDArray[np.int64]
    games: int
    capped: int

    def best(self) -> int:
        """The number of the best gene by its games of this generation."""
        ranking = self.population.ranking()
        return int(ranking[self.drawn[ranking]][0])


@dataclass(frozen=True, slots=True, eq=False)
class Winner:
    """What a run ends with.

    Args:
        gene: float64, shape (WEIGHTS,).
        number: in the last population, or None for one that was in no population.
        wins, games: its own in the last generation; 0 games if it did not play.
    """

    gene: NDArray[np.float64]
    number: int | None
    wins: int
    games: int

    @property
    def fitness(self) -> float | None:
        """Wins over games, or None without games."""
        return self.wins / self.games if self.games else None


def population(settings: Settings, history: Sequence[Generation]) -> Population:
    """The population that plays after ``history``: the random one at first, then with the pool's children."""
    if history:
        return breed(settings, history[-1], len(history))
    rng = _rng(settings, 0, 0, _FIRST_GENES)
    return Population.fresh(rng.uniform(settings.low, settings.high, (settings.population, WEIGHTS)))


def tournament(settings: Settings, generation: int, number: int) -> Tournament:
    """Draw the genes of a tournament, who moves first in each game, and the games' seeds.

    Args:
        generation, number: from 1.
    """
    rng = _rng(settings, generation, number, _TOURNAMENT)
    drawn = rng.choice(settings.population, settings.size, replace=False).astype(np.int64)
    one, other = np.triu_indices(settings.size, 1)
    among = np.column_stack([drawn[one], drawn[other]])
    opponents = settings.population + np.arange(len(settings.opponents), dtype=np.int64)
    against = np.column_stack([np.repeat(drawn, len(opponents)), np.tile(opponents, settings.size)])
    pairs = np.concatenate([among, against])
    swapped = rng.random(len(pairs)) < 0.5
    pairs[swapped] = pairs[swapped, ::-1]
    return Tournament(drawn, pairs, rng.integers(0, 1 << 63, len(pairs), np.uint64))


def score(settings: Settings, population: Population, played: Sequence[Played]) -> Generation:
    """Count who won, and choose the survivors of every tournament."""
    n = len(population)
    tallies = [_tally(each, n) for each in played]
    wins, games = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for won, entered in tallies:
        wins += won
        games += entered
    drawn = games > 0
    pool = [
        each.tournament.drawn[_ranked(*(counts[each.tournament.drawn] for counts in tally))]
        for each, tally in zip(played, tallies)
    ]
    return Generation(
        Population(
            population.genes,
            np.where(drawn, wins, population.wins),
            np.where(drawn, games, population.games),
        ),
        drawn,
        np.concatenate([ranked[: settings.survivors] for ranked in pool]),
        sum(len(each.winners) for each in played),
        sum(int(np.count_nonzero(each.winners == NOBODY)) for each in played),
    )


def breed(settings: Settings, generation: Generation, number: int) -> Population:
    """Replace the worst of the population by children of the pool; ``number`` is the generation's, from 1."""
    rng = _rng(settings, number, 0, _CHILDREN)
    before = generation.population
    parents = before.genes[generation.pool]
    children = np.empty((settings.crossovers + settings.mutants, WEIGHTS))
    for row in range(settings.crossovers):
        children[row] = parents[rng.choice(len(parents), 2, replace=False)].mean(axis=0)
    for row in range(settings.crossovers, len(children)):
        children[row] = parents[rng.integers(len(parents))]
        children[row, rng.integers(WEIGHTS)] = rng.uniform(settings.low, settings.high)
    worst = before.ranking()[len(before) - len(children) :]
    genes, wins, games = before.genes.copy(), before.wins.copy(), before.games.copy()
    genes[worst], wins[worst], games[worst] = children, 0, 0
    return Population(genes, wins, games)


def winner(history: Sequence[Generation]) -> Winner:
    """The best gene of the last generation."""
    last = history[-1]
    number, after = last.best(), last.population
    return Winner(after.genes[number], number, int(after.wins[number]), int(after.games[number]))


def _tally(played: Played, n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Wins and games of each gene in one tournament, both of shape (n,); opponents are not counted."""
    pairs, winners = played.tournament.pairs, played.winners
    decided = winners != NOBODY
    won = pairs[decided, winners[decided]]
    games = np.bincount(pairs.ravel(), minlength=n)
    return np.bincount(won, minlength=n)[:n], games[:n]


def _ranked(wins: NDArray[np.integer[Any]], games: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """Places from best to worst; one who never played comes last."""
    fitness = np.divide(wins, games, out=np.full(len(wins), -1.0), where=games > 0)
    return np.lexsort((np.arange(len(wins)), -games, -fitness))


def _rng(settings: Settings, generation: int, tournament: int, purpose: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence([settings.seed, generation, tournament, purpose]))
