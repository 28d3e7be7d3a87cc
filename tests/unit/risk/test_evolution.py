from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from surefoot.errors import FormatError, RulesError
from surefoot.risk import adaptation, evolution
from surefoot.risk.evolution import (
    FIRST,
    NOBODY,
    SECOND,
    WEIGHTS,
    Generation,
    Played,
    Population,
    Settings,
    Tournament,
)

SMALL = Settings(population=12, tournaments=4, size=4, survivors=2, crossovers=3, mutants=2, generations=3)

Judge = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def judged(settings: Settings, judge: Judge, generations: int) -> list[Generation]:
    """A run in which the gene with the higher judgement always wins, and nobody wins between equals."""
    method = adaptation if settings.method == "cma" else evolution
    history: list[Generation] = []
    for number in range(1, generations + 1):
        population = method.population(settings, history)
        worth = judge(population.genes)
        played = []
        for place in range(1, settings.tournaments + 1):
            tournament = evolution.tournament(settings, number, place)
            first, second = worth[tournament.pairs].T
            winners = np.where(first > second, FIRST, np.where(second > first, SECOND, NOBODY))
            played.append(Played(tournament, winners))
        history.append(evolution.score(settings, population, played))
    return history


def by_sum(genes: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(genes.sum(axis=1), np.float64)


def test_the_defaults_are_the_documents() -> None:
    settings = Settings()
    assert (settings.population, settings.tournaments, settings.size, settings.survivors) == (100, 10, 10, 3)
    assert (settings.crossovers, settings.mutants, settings.generations) == (12, 3, 4)
    assert (settings.low, settings.high, settings.depth) == (0, 10, 5)
    assert settings.games == 45
    assert settings.total == 4 * 450
    assert Settings.make({"method": "cma"}).total == settings.total
    assert Settings.make({"seed": 3}) == Settings(seed=3)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"method": "luck"}, "method is genetic or cma"),
        ({"targets": "some"}, "targets is one of all, best"),
        ({"depth": 0}, "depth is 1"),
        ({"low": -1.0}, "weight"),
        ({"seed": -1}, "seed is 0"),
        ({"size": 1}, "size is 2"),
        ({"size": 101}, "size 101 is more than the population of 100"),
        ({"survivors": 11}, "survivors 11"),
        ({"crossovers": 98}, "101 children"),
        ({"survivors": 0}, "leave no parents"),
        ({"tournaments": 1, "survivors": 1}, "leave no parents"),
        ({"low": 3.0, "high": 3.0}, "range"),
        ({"low": float("nan")}, "range"),
        ({"rules": "document:round_cap=7"}, "round cap"),
        ({"round_cap": 0}, "round_cap is 1"),
        ({"method": "cma", "mutants": 1}, "genetic"),
        ({"method": "cma", "size": 3}, "size of 4"),
        ({"method": "cma", "size": 5, "population": 6}, "everybody plays"),
    ],
)
def test_settings_that_do_not_fit_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        Settings.make(given)


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(FormatError, match="unknown rules"):
        Settings(rules="of thumb")


def test_the_first_population_is_uniform_over_the_range() -> None:
    settings = Settings(population=4000, low=2, high=10, seed=5)
    genes = evolution.population(settings, []).genes
    assert genes.shape == (4000, WEIGHTS)
    assert genes.min() >= 2 and genes.max() <= 10
    # Four standard errors of the mean of a uniform number.
    assert abs(genes.mean(axis=0) - 6).max() < 4 * 8 / np.sqrt(12 * 4000)
    assert (evolution.population(settings, []).genes == genes).all()
    other = evolution.population(Settings(population=4000, low=2, high=10, seed=6), []).genes
    assert (other != genes).all()


def test_in_a_tournament_every_pair_plays_once_and_seats_are_drawn_by_lot() -> None:
    settings = Settings(seed=9)
    swaps, drawn = 0, Counter[int]()
    for number in range(1, 101):
        tournament = evolution.tournament(settings, 1, number)
        drawn.update(tournament.drawn.tolist())
        assert len(set(tournament.drawn.tolist())) == settings.size
        pairs = {frozenset(pair) for pair in tournament.pairs.tolist()}
        assert len(pairs) == len(tournament.pairs) == 45
        assert set().union(*pairs) == set(tournament.drawn.tolist())
        place = {gene: rank for rank, gene in enumerate(tournament.drawn.tolist())}
        swaps += sum(place[one] > place[other] for one, other in tournament.pairs.tolist())
        assert len(set(tournament.seeds.tolist())) == 45
        assert int(tournament.seeds.max()) < 1 << 63
    # Four standard deviations of a fair coin over 4500 games.
    assert abs(swaps - 2250) < 4 * np.sqrt(4500) / 2
    assert len(drawn) == 100


def test_a_tournament_depends_on_its_place_alone() -> None:
    seen = set()
    for seed, generation, number in [(1, 1, 1), (1, 1, 2), (1, 2, 1), (2, 1, 1)]:
        settings = Settings(seed=seed)
        again = [evolution.tournament(settings, generation, number) for _ in range(2)]
        assert all((one == other).all() for one, other in zip(*again))
        seen.add(again[0].seeds.tobytes())
    assert len(seen) == 4


def test_opponents_meet_every_gene_of_a_tournament_once_and_are_not_bred() -> None:
    settings = Settings(opponents=("one", "another"))
    tournament = evolution.tournament(settings, 1, 1)
    assert len(tournament.pairs) == settings.games == 45 + 20
    met = Counter(
        (int(pair.max()), int(pair.min())) for pair in tournament.pairs if pair.max() >= settings.population
    )
    assert met == {(opponent, gene): 1 for opponent in (100, 101) for gene in tournament.drawn.tolist()}
    population = evolution.population(settings, [])
    # The opponents win everything: nobody else has a win against them.
    winners = np.where(tournament.pairs[:, 0] >= 100, FIRST, SECOND)
    winners[tournament.pairs.max(axis=1) < 100] = NOBODY
    scored = evolution.score(settings, population, [Played(tournament, winners)])
    assert len(scored.population) == 100
    assert scored.population.wins.sum() == 0
    assert scored.population.games.sum() == 10 * 11
    assert (scored.games, scored.capped) == (65, 45)


def by_hand(drawn: list[int], games: list[tuple[int, int, int]]) -> Played:
    pairs = np.array([game[:2] for game in games])
    winners = np.array([game[2] for game in games])
    return Played(Tournament(np.array(drawn), pairs, np.zeros(len(games), np.uint64)), winners)


def test_a_generation_scored_by_hand() -> None:
    settings = Settings(
        population=5, tournaments=2, size=3, survivors=2, crossovers=1, mutants=1, generations=1
    )
    population = Population(
        np.arange(20.0).reshape(5, 4), np.array([0, 0, 0, 3, 0]), np.array([0, 0, 0, 4, 0])
    )
    # First 2 beats 0 and 1, whose own game is capped; then 1 beats 2, 0 beats 1 and 2 beats 0.
    one = by_hand([0, 1, 2], [(0, 1, NOBODY), (2, 0, FIRST), (1, 2, SECOND)])
    two = by_hand([1, 2, 0], [(1, 2, FIRST), (0, 1, FIRST), (0, 2, SECOND)])
    scored = evolution.score(settings, population, [one, two])
    assert scored.population.wins.tolist() == [1, 1, 3, 3, 0]
    assert scored.population.games.tolist() == [4, 4, 4, 4, 0]
    assert scored.drawn.tolist() == [True, True, True, False, False]
    assert scored.pool.tolist() == [2, 0, 1, 2], "equals stand as they were drawn"
    assert (scored.games, scored.capped) == (6, 1)
    # 3 keeps its last fitness and equals the best, but did not play; 4 never played and comes last.
    assert scored.population.ranking().tolist() == [2, 3, 0, 1, 4]
    assert scored.best() == 2
    after = evolution.winner([scored])
    assert (after.number, after.wins, after.games, after.fitness) == (2, 3, 4, 0.75)
    # The two worst make way; the others stay as they are.
    bred = evolution.breed(settings, scored, 1)
    assert bred.genes[[0, 2, 3]].tolist() == population.genes[[0, 2, 3]].tolist()
    assert bred.games.tolist() == [4, 0, 4, 4, 0]
    assert np.isnan(bred.fitness[[1, 4]]).all()


def test_equal_fitness_goes_to_more_games() -> None:
    population = Population(np.zeros((3, 4)), np.array([2, 4, 0]), np.array([2, 4, 1]))
    assert population.ranking().tolist() == [1, 0, 2]


def test_children_are_averages_and_single_changes_of_the_pool() -> None:
    history = judged(SMALL, by_sum, 1)
    before = history[0].population
    parents = before.genes[history[0].pool]
    assert len(parents) == SMALL.tournaments * SMALL.survivors
    after = evolution.population(SMALL, history)
    changed = np.flatnonzero((after.genes != before.genes).any(axis=1))
    worst = before.ranking()[-(SMALL.crossovers + SMALL.mutants) :]
    assert set(changed) <= set(worst)
    children = after.genes[worst]
    averages = {
        tuple((parents[one] + parents[other]) / 2)
        for one in range(len(parents))
        for other in range(len(parents))
        if one != other
    }
    assert all(tuple(child) in averages for child in children[: SMALL.crossovers])
    for mutant in children[SMALL.crossovers :]:
        assert ((parents != mutant).sum(axis=1) == 1).any()
        assert mutant.min() >= SMALL.low and mutant.max() <= SMALL.high


def test_what_is_selected_for_grows() -> None:
    history = judged(Settings(seed=2, generations=12), by_sum, 12)
    means = [generation.population.genes.sum(axis=1).mean() for generation in history]
    assert means[-1] > means[0] + 5
    champion = evolution.winner(history)
    assert champion.number is not None
    assert (champion.gene == history[-1].population.genes[champion.number]).all()
    assert champion.fitness == 1.0


def test_the_best_is_chosen_among_those_that_played_in_the_last_generation() -> None:
    settings = Settings(
        population=12, tournaments=1, size=4, survivors=2, crossovers=1, mutants=1, generations=3
    )
    history = judged(settings, by_sum, 3)
    last = history[-1]
    assert last.drawn.sum() == 4
    playing = np.flatnonzero(last.drawn)
    assert last.best() == playing[last.population.genes[playing].sum(axis=1).argmax()]


@pytest.mark.parametrize("size", [4, 10])
def test_cma_finds_what_is_selected_for(size: int) -> None:
    peak = np.array([8.0, 2.0, 6.0, 4.0])
    settings = Settings.make({"method": "cma", "size": size, "generations": 60})

    def nearness(genes: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(-((genes - peak) ** 2).sum(axis=1), np.float64)

    history = judged(settings, nearness, 60)
    for generation in history:
        assert generation.population.genes.min() >= 0 and generation.population.genes.max() <= 10
        assert generation.drawn.all()
    found = adaptation.winner(settings, history)
    start = adaptation.winner(settings, [])
    assert start.gene.tolist() == [5, 5, 5, 5]
    assert nearness(found.gene[None])[0] > nearness(start.gene[None])[0] / 4
    assert (found.number, found.fitness) == (None, None)
    assert (adaptation.population(settings, history[:3]).genes == history[3].population.genes).all()
