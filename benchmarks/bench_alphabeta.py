"""Document B's agent against itself on its own board, games a CPU-second, and shares of capped games.

6x6 territories, preset `document`, depth 5, games capped at 100 rounds: with all attacks and with the best of
each territory alone, between agents with the shipped weights, and between twenty with random ones as in a
learning run. The rounds take turns with two scripted agents on the same board, which is the reference: prints
medians.
"""

import statistics
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from surefoot.risk.alphabeta import Targets, read_weights
from surefoot.risk.bulk import Match, play_compiled
from surefoot.risk.evolution import WEIGHTS, Settings
from surefoot.risk.selfplay import play_pairs
from surefoot.risk.worldmap import load
from surefoot.spec import parse

_DOCUMENT = Settings()
_WORLD = load(_DOCUMENT.map)
_REFERENCE = "two aggressive"


class Speed(NamedTuple):
    """Games a CPU-second, and the share of games that were capped."""

    games_per_cpu_second: float
    capped: float


def learning(games: int, targets: Targets, shipped: bool) -> Callable[[], float]:
    """Games between agents that think; the answer is the share of capped ones."""
    rng = np.random.default_rng(1)
    genes = np.array([read_weights("document")])
    if not shipped:
        genes = rng.uniform(_DOCUMENT.low, _DOCUMENT.high, (20, WEIGHTS))
    pairs = rng.integers(0, len(genes), (games, 2))
    seeds = rng.integers(0, 1 << 63, games, np.uint64)
    return lambda: float(
        np.mean(play_pairs(_WORLD, _DOCUMENT.switches, genes, pairs, seeds, targets=targets) < 0)
    )


def scripted(games: int) -> Callable[[], float]:
    """Games between agents that do not."""
    policies = [parse("aggressive", "risk").make(0).policy] * 2
    match = Match(_WORLD, _DOCUMENT.switches, 2, 1, True)
    return lambda: float(np.mean(play_compiled(match, policies, 0, games).winner < 0))


def measure(games: int = 100, rounds: int = 5) -> dict[str, Speed]:
    """Medians over the rounds by what was played."""
    jobs: dict[str, tuple[int, Callable[[], float]]] = {_REFERENCE: (20 * games, scripted(20 * games))}
    for targets in ("all", "best"):
        for shipped in (True, False):
            name = f"{targets} targets, {'shipped' if shipped else 'random'} weights"
            jobs[name] = games, learning(games, targets, shipped)
            learning(1, targets, shipped)()  # compiles, or loads from the cache
    found: dict[str, list[Speed]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, (number, play) in jobs.items():
            start = time.process_time()
            capped = play()
            found[name].append(Speed(number / (time.process_time() - start), capped))
    return {name: Speed(*map(statistics.median, zip(*speeds))) for name, speeds in found.items()}


def main(games: int = 100) -> None:
    print(f"{games} games on {_DOCUMENT.map}, rules {_DOCUMENT.rules}, depth {_DOCUMENT.depth}")
    speeds = measure(games)
    for name, (speed, capped) in speeds.items():
        ratio = speed / speeds[_REFERENCE].games_per_cpu_second
        print(f"  {name:<30} {speed:8.1f} games a CPU-second  {capped:4.0%} capped  x {ratio:.4f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
