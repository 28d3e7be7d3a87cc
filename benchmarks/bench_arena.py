"""What the arena costs: games a CPU-second of a study with its store, against those of the bare kernel.

Both play the same expert games by `exact` in this process, in turns; starting up is left aside. Prints each
pair, and the median of their ratios.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from surefoot import minesweeper as ms
from surefoot.arena import Study, run
from surefoot.minesweeper.agents.exact import ExactAgent

SEED = 20261130


def cpu_seconds(play: Callable[[], object]) -> float:
    start = time.process_time()
    play()
    return time.process_time() - start


def measure(games: int, rounds: int) -> Iterator[dict[str, float]]:
    """Games a CPU-second bare and in the arena, and their ratio, one round after another."""
    level, rules = ms.preset("expert")
    given = {"game": "minesweeper", "rules": "expert", "agents": ["exact"]}
    study = Study.make(given | {"games": games, "seed": SEED})
    warm = Study.make(given | {"games": 20, "seed": SEED})
    with TemporaryDirectory() as folder:
        ExactAgent.play_games(level, rules, SEED, 0, 20)
        run(warm, store=Path(folder) / "warm.db")
        for number in range(rounds):
            bare = cpu_seconds(lambda: ExactAgent.play_games(level, rules, SEED, 0, games))
            place = Path(folder) / f"{number}.db"
            kept = cpu_seconds(lambda place=place: run(study, store=place))  # type: ignore[misc]
            yield {"bare": games / bare, "arena": games / kept, "ratio": bare / kept}


def main(games: int = 100_000, rounds: int = 3) -> None:
    print(f"exact, 30x16/99: {games} games; games a CPU-second bare and in the arena, {rounds} rounds")
    ratios = []
    for found in measure(games, rounds):
        ratios.append(found["ratio"])
        print("  bare {bare:8.0f}  arena {arena:8.0f}  ratio {ratio:.3f}".format(**found))
    print(f"  median ratio {statistics.median(ratios):.3f} (at least 0.85 is wanted)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
