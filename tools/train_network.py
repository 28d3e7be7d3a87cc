"""Teach the network of `expert` what positions are worth, and write it to the package's data.

    python tools/train_network.py --decisions 20000 --workers 2 --keep FOLDER
    python tools/train_network.py --decisions 0 --keep FOLDER

The lessons are decisions (`surefoot.minesweeper.decisions`): positions to which the present `expert` comes,
their candidates each opened on the same layouts, with `exact` to play on. That agent is eight times as fast
as `expert`, and the differences between candidates are the same but for noise. The network gives every
position after a guess a chance to win; a candidate's chance is the mean over the numbers it could show.
Fitted are, weighed by how well each is known: the differences between the candidates of a decision, on which
choices depend; how often games are won after each number, beside the decision's mean; and that mean itself.
Several networks that begin at different weights are put side by side; their mean is better than any.
"""

import argparse
import itertools
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.agents.expert import ExpertAgent
from surefoot.minesweeper.decisions import Decision, collect, load, save
from surefoot.minesweeper.guess import weigh_guesses
from surefoot.minesweeper.kernels import mind
from surefoot.minesweeper.kernels.mind import UNITS
from surefoot.minesweeper.kernels.words import FEATURES
from surefoot.minesweeper.rules import MINAI, WINDOWS, Level, Rules
from surefoot.minesweeper.skill import EXPERT
from surefoot.minesweeper.workspace import workspace

NETWORK = Path(__file__).parents[1] / "src/surefoot/minesweeper/data/network.json"
Floats = NDArray[np.float64]

EXPERT_BOARD = Level(16, 30, 99)
SAFE_CORNER = replace(WINDOWS, first_click="safe", start=(0, 0))
LESSONS: tuple[tuple[float, Level, Rules], ...] = (
    (0.60, EXPERT_BOARD, SAFE_CORNER),
    (0.16, EXPERT_BOARD, replace(WINDOWS, first_click="opening", start=(3, 3))),
    (0.08, EXPERT_BOARD, MINAI),
    (0.08, Level(16, 16, 40), SAFE_CORNER),
    (0.04, Level(8, 8, 10), SAFE_CORNER),
    (0.04, Level(9, 9, 10), SAFE_CORNER),
)
"""Boards, and the share of the decisions that come from each."""

LAYOUTS = 150
CANDIDATES = 5
# What is known of a quantity is the inverse of its variance: of a difference over so many layouts, of a
# mean (the layouts' luck, and what the network cannot know of a position), of the games after one number.
PAIR_VARIANCE = 0.063
MEAN_VARIANCE = 0.23
POSITION_VARIANCE = 0.004
GAME_VARIANCE = 0.25
NUMBER_SHARE = 0.3
MEAN_SHARE = 0.3
DECAY = 0.01
"""Weight of the squares of the network's weights."""
ROUNDS = 250
NETWORKS = 4
"""So many are put side by side, and share the units."""
OWN_UNITS = UNITS // NETWORKS
# While it learns, a network is a vector: bias, straight weights, and by unit
# bias, weights and weight in the output.
STRAIGHT = 1
FIRST_UNIT = 1 + FEATURES
SIZE = FIRST_UNIT + OWN_UNITS * (FEATURES + 2)


class Lessons(NamedTuple):
    """Decisions as arrays: one row a position after a guess, one entry a candidate, one a decision.

    Args:
        words: float64, shape (rows, FEATURES).
        chance: by row, the probability of the number that leads to it.
        games: by row, layouts on which the number was shown.
        won: by row, the share of them that was won.
        candidate: by row, the index of its candidate.
        rate: by candidate, the share of all layouts that was won.
        decision: by candidate, the index of its decision.
        layouts: on how many layouts each candidate was opened.
    """

    words: Floats
    chance: Floats
    games: Floats
    won: Floats
    candidate: NDArray[np.int64]
    rate: Floats
    decision: NDArray[np.int64]
    layouts: int


def lessons(decisions: list[Decision]) -> Lessons:
    """Describe what follows each candidate as the kernels do."""
    rows: list[tuple[Any, ...]] = []
    rates: list[float] = []
    owners: list[int] = []
    wide = replace(EXPERT, window=1.0, candidates=mind.CANDIDATES)
    for index, decision in enumerate(decisions):
        observation = decision.observation
        if weigh_guesses(observation, wide).exact:
            continue
        arrays = workspace(observation.height, observation.width).mind
        stride = observation.width + 2
        places = arrays.value[mind.PLACE].astype(np.int64)
        shown = _numbers(decision)
        for at, (row, col) in enumerate(decision.cells):
            found = np.flatnonzero(places == (row + 1) * stride + col + 1)
            if len(found) == 0:
                continue
            for number in np.flatnonzero(arrays.chance[found[0]] > 1e-9).tolist():
                those = shown[at] == number
                won = float(decision.won[at][those].mean()) if those.any() else 0.0
                words = arrays.features[found[0], number].copy()
                rows.append((words, arrays.chance[found[0], number], int(those.sum()), won, len(rates)))
            rates.append(float(decision.won[at].mean()))
            owners.append(index)
    columns = [list(column) for column in zip(*rows, strict=True)]
    return Lessons(
        np.array(columns[0]),
        np.array(columns[1]),
        np.array(columns[2], np.float64),
        np.array(columns[3]),
        np.array(columns[4], np.int64),
        np.array(rates),
        np.unique(np.array(owners), return_inverse=True)[1],
        decisions[0].won.shape[1],
    )


def _numbers(decision: Decision) -> NDArray[np.uint8]:
    """What each candidate shows on each layout, 9 for a mine; shape (candidates, layouts)."""
    layouts = decision.layouts().astype(np.uint8)
    padded = np.pad(layouts, ((0, 0), (1, 1), (1, 1)))
    shown = []
    for row, col in decision.cells:
        number = padded[:, row : row + 3, col : col + 3].sum(axis=(1, 2))
        number[layouts[:, row, col] == 1] = 9
        shown.append(number)
    return np.array(shown, np.uint8)


def fit(taught: Lessons) -> Floats:
    """The networks side by side, as `kernels.mind` lays them out, shape (NET_ROWS, NET_COLUMNS)."""
    units, straight = [], np.zeros(FIRST_UNIT)
    for seed in range(NETWORKS):
        own = _fit_one(taught, seed)
        straight += own[:FIRST_UNIT] / NETWORKS
        units.append(own[FIRST_UNIT:].reshape(OWN_UNITS, FEATURES + 2))
        units[-1][:, -1] /= NETWORKS
    return np.vstack([*units, np.append(straight, 1.0)]).T


def _fit_one(taught: Lessons, seed: int) -> Floats:
    shift, scale = taught.words.mean(axis=0), taught.words.std(axis=0) + 1e-6
    words = (taught.words - shift) / scale
    weights = np.zeros(SIZE)
    units = weights[FIRST_UNIT:].reshape(OWN_UNITS, FEATURES + 2)
    rng = np.random.default_rng(seed)
    units[:, 1:-1] = rng.normal(0.0, FEATURES**-0.5, (OWN_UNITS, FEATURES))
    units[:, -1] = rng.normal(0.0, 0.1, OWN_UNITS)
    found = minimize(
        _loss,
        weights,
        args=(words, taught),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": ROUNDS, "maxcor": 20},
    )
    print(f"loss {found.fun:.4f} after {found.nit} rounds", file=sys.stderr)
    weights = found.x
    units = weights[FIRST_UNIT:].reshape(-1, FEATURES + 2)
    # The kernels describe positions by plain words: what was taken off here is put into the biases.
    straight = weights[STRAIGHT:FIRST_UNIT]
    weights[0] -= (straight * shift / scale).sum()
    straight /= scale
    units[:, 0] -= (units[:, 1:-1] * (shift / scale)).sum(axis=1)
    units[:, 1:-1] /= scale
    return weights


def estimate(weights: Floats, words: Floats) -> tuple[Floats, Floats]:
    """The chances to win, shape (rows,), and the units, shape (rows, units); as `kernels.leaf.estimate`."""
    units = weights[FIRST_UNIT:].reshape(-1, FEATURES + 2)
    active = np.maximum(words @ units[:, 1:-1].T + units[:, 0], 0.0)
    total = weights[0] + words @ weights[STRAIGHT:FIRST_UNIT] + active @ units[:, -1]
    return 1.0 / (1.0 + np.exp(-total)), active


def _loss(weights: Floats, words: Floats, taught: Lessons) -> tuple[float, Floats]:
    candidates, decisions = len(taught.rate), int(taught.decision[-1]) + 1
    size = np.bincount(taught.decision)
    value, active = estimate(weights, words)
    owner = taught.decision[taught.candidate]
    off = np.bincount(taught.candidate, taught.chance * value, candidates) - taught.rate
    mean = np.bincount(taught.decision, off, decisions) / size
    pair = off - mean[taught.decision]
    games = np.bincount(owner, taught.games, decisions)
    number = value - taught.won
    number -= (np.bincount(owner, taught.games * number, decisions) / np.maximum(games, 1.0))[owner]
    pair_known = taught.layouts / PAIR_VARIANCE
    mean_known = MEAN_SHARE / (MEAN_VARIANCE / taught.layouts + POSITION_VARIANCE)
    number_known = NUMBER_SHARE * taught.games / GAME_VARIANCE
    decay = weights.copy()
    decay[0] = 0.0
    decay[FIRST_UNIT :: FEATURES + 2] = 0.0
    loss = (
        pair_known * (pair**2).sum()
        + mean_known * (mean**2).sum()
        + (number_known * number**2).sum()
        + DECAY * candidates * (decay**2).sum()
    )
    slope = 2.0 * (pair_known * pair + mean_known * (mean / size)[taught.decision])
    slope_value = slope[taught.candidate] * taught.chance + 2.0 * number_known * number
    slope_total = slope_value * value * (1.0 - value)
    gradient = np.empty_like(weights)
    gradient[0] = slope_total.sum()
    gradient[STRAIGHT:FIRST_UNIT] = words.T @ slope_total
    units = weights[FIRST_UNIT:].reshape(-1, FEATURES + 2)
    slope_units = np.outer(slope_total, units[:, -1]) * (active > 0.0)
    inner = gradient[FIRST_UNIT:].reshape(-1, FEATURES + 2)
    inner[:, 0] = slope_units.sum(axis=0)
    inner[:, 1:-1] = slope_units.T @ words
    inner[:, -1] = active.T @ slope_total
    gradient += 2.0 * DECAY * candidates * decay
    return loss / candidates, gradient / candidates


def _collect(job: tuple[int, int, Path]) -> None:
    """Keep some decisions of one board: its index in LESSONS, how many, and where."""
    index, count, path = job
    _, level, rules = LESSONS[index]
    found = collect(
        level,
        rules,
        seed=1_000_000 + index,
        layouts=LAYOUTS,
        candidates=CANDIDATES,
        player=ExpertAgent,
        continuation=ExactAgent,
    )
    save(path, list(itertools.islice(found, count)), note=f"{level} {rules}, {count} decisions")


def main() -> None:
    """Collect lessons, fit, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--decisions", type=int, default=20_000, help="collect so many; 0: fit to what is kept"
    )
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--keep", type=Path, required=True, help="folder of the decisions")
    parser.add_argument("--out", type=Path, default=NETWORK, help="where to write the network")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    paths = [options.keep / f"lessons-{index}.npz" for index in range(len(LESSONS))]
    if options.decisions:
        jobs = [
            (index, max(int(share * options.decisions), 1), path)
            for index, ((share, _, _), path) in enumerate(zip(LESSONS, paths, strict=True))
        ]
        with ProcessPoolExecutor(options.workers) as pool:
            list(pool.map(_collect, jobs))
    decisions = [decision for path in paths if path.exists() for decision in load(path)[0]]
    weights = fit(lessons(decisions))
    before = json.loads(options.out.read_text("utf-8")) if options.out.exists() else {}
    made = {
        "how": f"tools/train_network.py, {len(decisions)} decisions, {LAYOUTS} layouts each",
        "errors": before.get("errors", [[1.0, 0.1]]),
        "calibration": [[0, 0], [1, 1]],  # until tools/calibrate_network.py has measured it
        "weights": [[float(f"{weight:.6g}") for weight in row] for row in weights],
    }
    options.out.write_text(json.dumps(made) + "\n", "utf-8")


if __name__ == "__main__":
    main()
