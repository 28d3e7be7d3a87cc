"""CPU time of `mine_probabilities` on expert positions where nothing is proved, each seen once.

The positions are made here, by `exact` playing 30x16/99; the reference, timed in turns with it, is the
reading of the board alone (`deduce.read_board`), which every solver has to do. Prints medians in
microseconds and their ratio.
"""

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from scipy.ndimage import convolve

from surefoot import minesweeper as ms
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.kernels import deduce
from surefoot.minesweeper.kernels.frontier import QUEUE
from surefoot.minesweeper.kernels.layout import HIDDEN
from surefoot.minesweeper.probability import mine_probabilities
from surefoot.minesweeper.workspace import workspace

SEED = 20261130


def guess_positions(count: int) -> list[ms.Observation]:
    """Positions in which `exact` found nothing to be proved, after the first click, one a game."""
    level, rules = ms.preset("expert")
    found: list[ms.Observation] = []
    game_number = 0
    while len(found) < count:
        game = ms.Game(level, rules, rng=game_rng(SEED, game_number))
        game_number += 1
        agent = ExactAgent()
        candidates = []
        while not game.over:
            observation = game.observation()
            guesses = agent.guesses
            game.play(agent.act(observation))
            if agent.guesses > max(guesses, 1):
                candidates.append(observation)
        if candidates:
            found.append(candidates[game_number % len(candidates)])
    return found


def checkerboards(count: int) -> list[ms.Observation]:
    """Boards of 10x21 in which every second cell is open, and 75 mines lie among the others, by lot."""
    rng = np.random.default_rng(SEED)
    rows, cols = np.indices((10, 21))
    open_cells = (rows + cols) % 2 == 0
    found = []
    for _ in range(count):
        mines = np.zeros((10, 21), np.int8)
        mines.flat[rng.choice(np.flatnonzero(~open_cells), 75, replace=False)] = 1
        around = convolve(mines, np.ones((3, 3), np.int8), mode="constant")
        found.append(ms.Observation(np.where(open_cells, around, HIDDEN).astype(np.int8), 75))
    return found


def hard_case(count: int = 200) -> dict[str, float]:
    """Median and highest CPU time of `mine_probabilities` on checkerboards, in milliseconds."""
    boards = checkerboards(count + 1)
    mine_probabilities(boards.pop())
    times = [cpu_micros(mine_probabilities, board) / 1000 for board in boards]
    return {"boards": count, "median_ms": statistics.median(times), "highest_ms": max(times)}


def cpu_micros(call: Callable[..., object], *arguments: object) -> float:
    """CPU time of one call."""
    start = time.process_time_ns()
    call(*arguments)
    return (time.process_time_ns() - start) / 1000


def measure(count: int = 600) -> dict[str, float]:
    """Medians and means in microseconds, over ``count`` positions that are each seen once."""
    positions = guess_positions(count + 20)
    space = workspace(16, 30)
    reading_arrays = (99, space.view, space.tally, space.scratch.table[QUEUE])
    for observation in positions[:20]:  # the first calls compile, or load from the cache
        mine_probabilities(observation)
        deduce.read_board(observation.cells, *reading_arrays)
    ours, reading = [], []
    for observation in positions[20:]:
        ours.append(cpu_micros(mine_probabilities, observation))
        reading.append(cpu_micros(deduce.read_board, observation.cells, *reading_arrays))
    return {
        "positions": count,
        "median_us": statistics.median(ours),
        "mean_us": statistics.mean(ours),
        "reading_median_us": statistics.median(reading),
        "median_ratio": statistics.median(a / b for a, b in zip(ours, reading)),
    }


def main(count: int = 600) -> None:
    found = measure(count)
    print(f"{count} expert positions without a safe move, CPU microseconds a call")
    print(f"  mine_probabilities  median {found['median_us']:6.1f}  mean {found['mean_us']:6.1f}")
    print(f"  reading the board   median {found['reading_median_us']:6.1f}")
    print(f"  ratio               median {found['median_ratio']:6.2f}")
    hard = hard_case()
    print(f"{hard['boards']} checkerboards of 10x21 with 75 mines, CPU milliseconds a call")
    print(f"  mine_probabilities  median {hard['median_ms']:6.3f}  highest {hard['highest_ms']:6.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
