"""Measure how often positions are won that the network of `expert` values so and so, and write the map.

    python tools/calibrate_network.py --positions 60000 --workers 2

The network is taught to tell candidates apart, and is too low where the game is nearly won. Positions are
drawn from games of `expert`, each of a game's positions as likely as any other's: drawing one a game would
draw the early positions mostly from games that were soon lost. Isotonic regression of the outcomes on the
values, read at a few quantiles, is the map that `win_probability` applies.

How far a single position's chance is off, the standard error that is told with it, is measured by playing
`expert` on from some of them, on layouts drawn from all that agree: the root of the mean square of the
difference, less what the play-outs themselves are uncertain.
"""

import argparse
import itertools
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from surefoot.minesweeper.agents.expert import ExpertAgent
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.rules import WINDOWS, Level, Rules
from surefoot.minesweeper.sampling import sample_layouts
from surefoot.minesweeper.win_probability import network_value, win_probability

NETWORK = Path(__file__).parents[1] / "src/surefoot/minesweeper/data/network.json"
SEED = 8
PIECE = 1_000
KEPT = 1 / 15
"""Of a game's positions, the share that is looked at."""
SAFE = replace(WINDOWS, first_click="safe", start=(0, 0))
BOARDS: tuple[tuple[float, Level, Rules], ...] = (
    (0.50, Level(16, 30, 99), SAFE),
    (0.20, Level(16, 30, 99), replace(WINDOWS, first_click="opening", start=(3, 3))),
    (0.20, Level(16, 16, 40), SAFE),
    (0.10, Level(9, 9, 10), SAFE),
)
FEW = 1 / 60
"""The same, for positions that are played out."""
PLAYOUTS = 200
PIECES_PLAYED_OUT, GAMES_PLAYED_OUT = 16, 60
LEAST = 20
"""So many positions tell of an error."""
QUANTILES = (0, 0.01, 0.02, 0.04, 0.07, 0.1, 0.2, 0.35, 0.5, 0.65, 0.75, 0.82, 0.88, 0.92, 0.95, 0.98, 1)


def positions(
    level: Level, rules: Rules, number: int, lot: np.random.Generator, share: float = KEPT
) -> tuple[list[Observation], bool]:
    """A share of the positions of game ``number`` of `expert`, and whether it is won."""
    game = Game(level, rules, rng=game_rng(SEED, number))
    agent = ExpertAgent()
    kept: list[Observation] = []
    while not game.over:
        observation = game.observation()
        if lot.random() < share:
            kept.append(observation)
        game.play(agent.act(observation))
    return kept, game.complete


def _lessons(piece: int) -> NDArray[np.float64]:
    """Values and outcomes of about a thousand positions, shape (n, 2)."""
    lot = np.random.default_rng([SEED, piece])
    rows: list[tuple[float, float]] = []
    number = piece * PIECE
    while len(rows) < PIECE:
        board = BOARDS[lot.choice(len(BOARDS), p=[share for share, *_ in BOARDS])]
        kept, won = positions(*board[1:], number, lot)
        values = (network_value(position) for position in kept)
        rows.extend((value, float(won)) for value in values if value is not None)
        number += 1
    return np.array(rows)


def fit(lessons: NDArray[np.float64]) -> Iterator[tuple[float, float]]:
    """Points of the map, from (0, 0) to (1, 1), rising."""
    value, won = lessons[np.argsort(lessons[:, 0], kind="stable")].T
    smooth = isotonic_regression(won).x
    yield 0.0, 0.0
    bounds = np.quantile(value, QUANTILES)
    for low, high in itertools.pairwise(bounds):
        inside = (value >= low) & (value <= high)
        yield round(float(value[inside].mean()), 4), round(float(smooth[inside].mean()), 4)
    yield 1.0, 1.0


def _misses(piece: int) -> NDArray[np.float64]:
    """Estimated chances, and the squares by which play-outs differ less their own variance; shape (n, 2)."""
    lot = np.random.default_rng([SEED, 1, piece])
    rows: list[tuple[float, float]] = []
    for number in range(piece * PIECE, piece * PIECE + GAMES_PLAYED_OUT):
        board = BOARDS[lot.choice(len(BOARDS), p=[share for share, *_ in BOARDS])]
        for position in positions(*board[1:], number, lot, FEW)[0]:
            found = win_probability(position)
            if not found.exact and (position.cells >= 0).any():
                won = ExpertAgent.play_layouts(position, sample_layouts(position, PLAYOUTS, lot)).mean()
                noise = won * (1.0 - won) / (PLAYOUTS - 1)
                rows.append((found.value, (won - found.value) ** 2 - noise))
    return np.array(rows)


def errors(misses: NDArray[np.float64]) -> Iterator[tuple[float, float]]:
    """The highest chance of each tenth, and the standard error there."""
    for high in np.linspace(0.2, 1.0, 9):
        inside = (misses[:, 0] > high - 0.1) & (misses[:, 0] <= high) | (misses[:, 0] <= 0.2) & (high < 0.3)
        if inside.sum() >= LEAST:
            yield round(float(high), 1), round(max(float(misses[inside, 1].mean()), 1e-4) ** 0.5, 3)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=60_000)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.workers) as pool:
        lessons = np.concatenate(list(pool.map(_lessons, range(arguments.positions // PIECE))))
    shipped = json.loads(NETWORK.read_text(encoding="utf-8"))
    shipped["measured"] = (
        f"errors and calibration: tools/calibrate_network.py --positions {arguments.positions}"
    )
    shipped["calibration"] = [list(point) for point in fit(lessons)]
    NETWORK.write_text(json.dumps(shipped) + "\n", encoding="utf-8")
    print(f"{len(lessons):,} positions: {shipped['calibration']}")
    with ProcessPoolExecutor(arguments.workers) as pool:  # new processes, which read the new map
        misses = np.concatenate(list(pool.map(_misses, range(PIECES_PLAYED_OUT))))
    shipped["errors"] = [list(row) for row in errors(misses)]
    NETWORK.write_text(json.dumps(shipped) + "\n", encoding="utf-8")
    print(f"{len(misses):,} positions played out: {shipped['errors']}")


if __name__ == "__main__":
    main()
