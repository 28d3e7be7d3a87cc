"""Measure which cell to open first on the usual boards, and write it to the package's data.

    python tools/measure_first_clicks.py [--games 20000] [--finals 200000] [--workers 2]

`exact` plays the same worlds from every first cell, of cells that are alike by reflection from one. The best
few play again, on many fresh worlds. The rule that a board without an entry goes by
(`first_click.first_cell`) stays where no cell is better than its cell by more than two standard errors of
the paired difference: the best of many equals is only the luckiest. Small boards are searched to their end
(`optimum`), and listed where the general rule's cell is not among the best.
"""

import argparse
import itertools
import json
import math
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import RulesError
from surefoot.minesweeper import Level
from surefoot.minesweeper.actions import Cell
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.first_click import first_cell
from surefoot.minesweeper.optimum import optimum
from surefoot.minesweeper.rules import WINDOWS, FirstClick

TABLE = Path(__file__).parents[1] / "src/surefoot/minesweeper/data/first_clicks.json"
BOARDS = ("8x8x10", "9x9x10", "16x16x40", "30x16x99")
FIRST_CLICKS: tuple[FirstClick, ...] = ("safe", "opening")
FINALISTS = 6
PIECE = 5_000
SMALL_SIDE, SMALL_LAYOUTS = 5, 10_000
"""Boards that are searched: no side is longer, and no first cell leaves more layouts."""
HEATS_SEED, FINALS_SEED = 1, 2


def cells_apart(level: Level) -> list[Cell]:
    """One of each kind of cells that reflections, and on a square turns, make alike."""
    found: dict[tuple[int, ...], Cell] = {}
    for row in range((level.height + 1) // 2):
        for col in range((level.width + 1) // 2):
            key = tuple(sorted((row, col))) if level.height == level.width else (row, col)
            found.setdefault(key, (row, col))
    return list(found.values())


def outcomes(
    pool: Executor, level: Level, rule: FirstClick, cells: Sequence[Cell], seed: int, games: int
) -> NDArray[np.bool_]:
    """Which games are won from each first cell, shape (cells, games)."""
    pieces = [(cell, first) for cell in cells for first in range(0, games, PIECE)]
    played = list(pool.map(partial(_play, level, rule, seed), pieces))
    return np.concatenate(played).reshape(len(cells), -1)


def _play(level: Level, rule: FirstClick, seed: int, piece: tuple[Cell, int]) -> NDArray[np.bool_]:
    cell, first = piece
    rules = replace(WINDOWS, first_click=rule, start=cell)
    return ExactAgent.play_games(level, rules, seed, first, PIECE).won


def measure(pool: Executor, level: Level, rule: FirstClick, games: int, finals: int) -> dict[str, Any]:
    """The entry of one board and rule."""
    cells = cells_apart(level)
    usual = first_cell(level, rule, table={})
    rates = outcomes(pool, level, rule, cells, HEATS_SEED, games).mean(1)
    order = [cells[index] for index in np.argsort(-rates, kind="stable")]
    chosen = [usual, *[cell for cell in order if cell != usual][: FINALISTS - 1]]
    won = outcomes(pool, level, rule, chosen, FINALS_SEED, finals)
    gains = won.astype(np.int8) - won[0].astype(np.int8)
    means = gains.mean(1)
    errors = gains.std(1) / math.sqrt(finals)
    best = int(np.argmax(means))
    if means[best] <= 2.0 * errors[best]:
        best = 0
    return {
        "board": str(level),
        "first_click": rule,
        "cell": list(chosen[best]),
        "finals": [
            {
                "cell": list(cell),
                "rate": round(float(won[index].mean()), 5),
                "gain": round(float(means[index]), 5),
                "standard_error": round(float(errors[index]), 5),
            }
            for index, cell in enumerate(chosen)
        ],
        "worst": {"cell": list(order[-1]), "rate": round(float(rates.min()), 5)},
    }


def small_boards() -> list[dict[str, Any]]:
    """The entries of boards whose best first cell is known exactly."""
    sides = range(2, SMALL_SIDE + 1)
    found = []
    for height, width, rule in itertools.product(sides, sides, FIRST_CLICKS):
        for mines in range(1, height * width):
            level = Level(height, width, mines)
            if math.comb(level.cells - 1, mines) > SMALL_LAYOUTS:
                break
            usual = first_cell(level, rule, table={})
            try:
                best = optimum(level, rule)
            except RulesError:
                break
            if usual not in best.best:
                found.append(
                    {
                        "board": str(level),
                        "first_click": rule,
                        "cell": list(best.best[0]),
                        "optimum": round(best.value, 6),
                        "usual": round(float(best.values[usual]), 6),
                    }
                )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20_000, help="from every cell")
    parser.add_argument("--finals", type=int, default=200_000, help="from each of the best")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.workers) as pool:
        entries = small_boards()
        print(len(entries), "small boards", flush=True)
        for board in BOARDS:
            for rule in FIRST_CLICKS:
                entry = measure(pool, Level.parse(board), rule, arguments.games, arguments.finals)
                print(entry["board"], rule, entry["cell"], entry["finals"][:3], flush=True)
                entries.append(entry)
    made = (
        f"python tools/measure_first_clicks.py --games {arguments.games} --finals {arguments.finals}: "
        "`exact` from every cell, the best again on fresh worlds; gains are over the first of the finals, "
        "which is the general rule's cell. Small boards: `optimum`, where the general rule's cell is not best"
    )
    TABLE.write_text(json.dumps({"made": made, "boards": entries}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
