"""Tournaments and tests whose truth is known, to see how often the statistics find it.

The tests call these small, `tools/results.py` at full size.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.arena.ratings import ELO, Deals, deals_of, rate
from surefoot.arena.sprt import DIFFERENCES, Sprt, places
from surefoot.arena.statistics import mcnemar, wilson
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.bulk import play_games
from surefoot.minesweeper.rules import PRESETS, Level
from surefoot.spec import parse

STRENGTHS = (-1.0, -0.6, -0.2, 0.2, 0.6, 1.0)
"""Centred log-strengths of six agents: 347 points of Elo from the last to the first."""

NOBODY = -1


def deal(
    table: Sequence[int], deals: int, rng: np.random.Generator, alike: float = 0.0, capped: float = 0.0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Games of the agents at a table that win by their strengths: numbers and winners.

    Args:
        alike: the chance that a deal's luck is the same in all its games, which then have one winner.
        capped: the chance of a game that nobody wins.
    """
    power = np.exp([STRENGTHS[agent] for agent in table])
    shape = (deals, len(table))
    won = rng.choice(table, size=shape, p=power / power.sum())
    same = rng.random(deals) < alike
    won[same] = won[same, :1]
    won[rng.random(shape) < capped] = NOBODY
    return np.arange(won.size), won.reshape(-1)


def tournament(
    players: int, deals: int, rng: np.random.Generator, alike: float = 0.0, capped: float = 0.0
) -> list[Deals]:
    """Every two agents play each other, or tables of all combinations of so many."""
    found: list[Deals] = []
    for table in combinations(range(len(STRENGTHS)), players):
        found += deals_of(table, *deal(table, deals, rng, alike, capped))
    return found


def coverage(
    players: int,
    tournaments: int,
    seed: int,
    *,
    deals: int | None = None,
    alike: float = 0.0,
    resamples: int = 400,
) -> dict[str, Any]:
    """How often the 95 % intervals of ratings hold the true strength.

    Args:
        players: at a table: 2 is a round robin of the six agents, 6 one table of all.
        deals: a contest; by default 20 for two players (40 games), else 50 (at six: 300 games).
        alike: see `deal`.
    """
    deals = deals or (20 if players == 2 else 50)
    truth = ELO * np.array(STRENGTHS)
    held = np.zeros(len(STRENGTHS), np.int64)
    width = 0.0
    for number in range(tournaments):
        rng = np.random.default_rng([seed, number])
        ratings = rate(len(STRENGTHS), tournament(players, deals, rng, alike), rng, resamples=resamples)
        assert ratings is not None
        for agent, rating in enumerate(ratings):
            held[agent] += rating.interval.low <= truth[agent] <= rating.interval.high
            width += rating.interval.high - rating.interval.low
    n = tournaments * len(STRENGTHS)
    return {
        "players": players,
        "tournaments": tournaments,
        "seed": seed,
        "deals_a_contest": deals,
        "alike": alike,
        "coverage": int(held.sum()) / n,
        "ci95": list(wilson(int(held.sum()), n)),
        "coverage_by_agent": (held / tournaments).tolist(),
        "mean_width_elo": width / n,
    }


def sprt_errors(
    test: Sprt, chances: Sequence[float], repeats: int, seed: int, most: int = 100_000
) -> dict[str, Any]:
    """What a test decides on pairs that come to each of `DIFFERENCES` with these chances."""

    def draw(rng: np.random.Generator, _: int, count: int) -> NDArray[np.int64]:
        return rng.choice(len(DIFFERENCES), size=count, p=chances)

    grid, weights = np.array(DIFFERENCES), np.array(chances)
    mean = float(weights @ grid)
    expected = test.expected_pairs(float(weights @ grid**2) - mean**2)
    return {
        "chances": list(chances),
        "mean": mean,
        **_verdicts(test, draw, repeats, seed, most, block=20 + int(min(expected)) // 2),
        "wald_expected_pairs": list(expected),
    }


LEVEL, RULES = Level.parse("8x8x10"), PRESETS["beginner"].rules

Won = Callable[[int, int, int], NDArray[np.bool_]]
"""Whether an agent won the worlds of a root seed, from a first one on, so many."""


def exact_won(root: int, first: int, count: int) -> NDArray[np.bool_]:
    """The worlds that `exact` wins."""
    return ExactAgent.play_games(LEVEL, RULES, root, first, count).won


def handicapped_won(chance: float, salt: int) -> Won:
    """The worlds that `exact` wins with the handicap of tests/agents/handicap.py."""
    path = Path(__file__).parent / "agents" / "handicap.py"
    agent = parse(f"{path}:Handicap:chance={chance},salt={salt}")
    return lambda root, first, count: play_games(agent.make, LEVEL, RULES, root, first, count).won


def sprt_agents(
    repeats: int, seed: int, *, chance: float = 0.4, effect: float = 0.05, worlds: int = 10_000
) -> dict[str, Any]:
    """What a test decides on agents of known difference, and between equals.

    `exact` is the candidate against itself with a handicap, then one that has the handicap against another
    that has it too. The difference is measured on worlds of another seed.

    Args:
        chance: how often a guess of the handicapped agent is random.
        worlds: on how many the differences are measured.
    """
    test = Sprt(effect)
    weak = handicapped_won(chance, 1)
    found: dict[str, Any] = {"effect": effect, "alpha": test.alpha, "beta": test.beta, "handicap": chance}
    for name, candidate in (("stronger", exact_won), ("equal", handicapped_won(chance, 2))):
        ours, theirs = candidate(seed, 0, worlds), weak(seed, 0, worlds)
        known = mcnemar(int((ours & ~theirs).sum()), int((theirs & ~ours).sum()), worlds)

        def draw(rng: np.random.Generator, first: int, count: int, candidate: Won = candidate) -> Any:
            root = int(rng.bit_generator.seed_seq.generate_state(1)[0])
            return places(candidate(root, first, count), weak(root, first, count))

        found[name] = {
            "difference": known.difference,
            "ci95": list(known.interval),
            "worlds": worlds,
            **_verdicts(test, draw, repeats, seed, most=100_000, block=100),
        }
    return found


def _verdicts(
    test: Sprt,
    draw: Callable[[np.random.Generator, int, int], NDArray[np.int64]],
    repeats: int,
    seed: int,
    most: int,
    block: int,
) -> dict[str, Any]:
    """Repeat a test; ``draw`` plays pairs from a first one on, so many."""
    verdicts: Counter[str | None] = Counter()
    pairs = []
    for number in range(repeats):
        rng = np.random.default_rng([seed, number])
        course = test.follow([])
        while course.decision.verdict is None and course.pairs < most:
            course = test.follow(draw(rng, course.pairs, block), course.counts)
        verdicts[course.decision.verdict] += 1
        pairs.append(course.pairs)
    return {
        "repeats": repeats,
        "h0": verdicts["H0"],
        "h1": verdicts["H1"],
        "undecided": verdicts[None],
        "mean_pairs": float(np.mean(pairs)),
        "most_pairs": max(pairs),
    }
