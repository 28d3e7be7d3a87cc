"""Expert games a CPU-second of `exact`: whole games in one kernel call against the same games by action.

The reference is `bulk.play_games`, which asks the agent for every action through the object API. Both are
timed in turns in this process; prints medians and their ratio.
"""

import statistics
import sys
import time
from collections.abc import Callable

from surefoot import minesweeper as ms
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.bulk import GameTable, play_games

SEED = 20261130
BY_ACTION = 20  # one game by action takes as long as so many in bulk, or more


def games_per_second(play: Callable[[int], GameTable], games: int) -> float:
    """Games a CPU-second of one run."""
    start = time.process_time()
    play(games)
    return games / (time.process_time() - start)


def main(games: int = 2000, rounds: int = 9) -> None:
    level, rules = ms.preset("expert")

    def in_bulk(count: int) -> GameTable:
        return ExactAgent.play_games(level, rules, SEED, 0, count)

    def by_action(count: int) -> GameTable:
        return play_games(lambda seed: ExactAgent(), level, rules, SEED, 0, count)

    in_bulk(20), by_action(2)  # the first games compile, or load from the cache
    bulk, action = [], []
    for _ in range(rounds):
        bulk.append(games_per_second(in_bulk, games))
        action.append(games_per_second(by_action, games // BY_ACTION))
    print(f"exact, 30x16/99, safe, corner: games a CPU-second, median of {rounds} runs")
    print(f"  in bulk    {statistics.median(bulk):8.0f}  ({min(bulk):.0f} to {max(bulk):.0f})")
    print(f"  by action  {statistics.median(action):8.0f}  ({min(action):.0f} to {max(action):.0f})")
    print(f"  ratio      {statistics.median(a / b for a, b in zip(bulk, action)):8.1f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
