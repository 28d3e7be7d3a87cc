"""Whole games of Risk in compiled loops, games a CPU-second, and the same games move by move.

The two targets are two `aggressive` and six `continent` on the classic map under standard rules. Each is
played several times in turns with the others; prints medians, and how many times faster the compiled loop is.
"""

import statistics
import sys
import time
from collections.abc import Callable

from surefoot.risk.bulk import GameTable, Match, play_compiled, play_games
from surefoot.risk.rules import Rules
from surefoot.risk.worldmap import load
from surefoot.spec import parse

TABLES = {
    "two aggressive": ["aggressive"] * 2,
    "six continent": ["continent"] * 6,
    "five different": ["aggressive", "spread", "continent", "killer", "turtle"],
}


def speed(play: Callable[[int], GameTable], games: int) -> float:
    start = time.process_time()
    play(games)
    return games / (time.process_time() - start)


def measure(games: int = 1000, rounds: int = 5) -> dict[str, dict[str, float]]:
    """Medians in games a CPU-second by table: ``compiled``, and ``by_move`` on a fiftieth of the games."""
    found: dict[str, dict[str, list[float]]] = {}
    for _ in range(rounds):
        for name, agents in TABLES.items():
            specs = [parse(agent, "risk") for agent in agents]
            match = Match(load("classic"), Rules(), len(specs), 1, True)
            policies = [spec.make(0).policy for spec in specs]
            makers = [spec.make for spec in specs]
            play_compiled(match, policies, 0, 1)  # compiles, or loads from the cache
            play_games(match, makers, 0, 1)
            times = found.setdefault(name, {"compiled": [], "by_move": []})
            times["compiled"].append(speed(lambda n: play_compiled(match, policies, 0, n), games))  # noqa: B023
            few = max(games // 50, 1)
            times["by_move"].append(speed(lambda n: play_games(match, makers, 0, n), few))  # noqa: B023
    return {
        name: {way: statistics.median(speeds) for way, speeds in times.items()}
        for name, times in found.items()
    }


def main(games: int = 1000) -> None:
    print(f"{games} games on classic, games a CPU-second")
    for name, speeds in measure(games).items():
        compiled, by_move = speeds["compiled"], speeds["by_move"]
        print(f"  {name:<15} compiled {compiled:8.0f}  by move {by_move:6.1f}  x {compiled / by_move:.0f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
