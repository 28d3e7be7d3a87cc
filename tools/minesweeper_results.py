"""The parts of `tools/results.py` that measure the strongest Minesweeper players (issue 7)."""

import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.arena.statistics import mcnemar, wilson
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.agents.expert import ExpertAgent
from surefoot.minesweeper.agents.max import MaxAgent
from surefoot.minesweeper.bulk import GameTable, agent_seed, game_rng, play_games
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.kernels import layout
from surefoot.minesweeper.rules import MINAI, WINDOWS, Level, Rules
from surefoot.minesweeper.win_probability import win_probability

EXPERT = Level(16, 30, 99)
SAFE = replace(WINDOWS, first_click="safe", start=(0, 0))
BOARDS: dict[str, tuple[Level, Rules]] = {
    "30x16x99 safe, corner": (EXPERT, SAFE),
    "30x16x99 opening, 3,3": (EXPERT, replace(WINDOWS, first_click="opening", start=(3, 3))),
    "16x16x40 safe, corner": (Level(16, 16, 40), SAFE),
    "16x16x40 opening, 2,2": (Level(16, 16, 40), replace(WINDOWS, first_click="opening", start=(2, 2))),
    "8x8x10 safe, corner": (Level(8, 8, 10), SAFE),
    "8x8x10 opening, 2,2": (Level(8, 8, 10), replace(WINDOWS, first_click="opening", start=(2, 2))),
    "9x9x10 safe, corner": (Level(9, 9, 10), SAFE),
    "9x9x10 opening, 2,2": (Level(9, 9, 10), replace(WINDOWS, first_click="opening", start=(2, 2))),
    "Min.AI beginner": (Level(8, 8, 10), MINAI),
    "Min.AI intermediate": (Level(16, 16, 40), MINAI),
    "Min.AI expert": (EXPERT, MINAI),
}
SEED = 7
GAMES = 100_000
MAX_GAMES = 20_000
MAX_MS = 250.0
RANDOM_GAMES = 1_000_000
POSITIONS = 100_000
BINS = 20
WORKERS = 2
CHUNK = 2_000

Play = tuple[NDArray[np.bool_], float]
"""Which games of a chunk were won, and the processor time they took."""


def strength() -> dict[str, Any]:
    """Issue 7: `expert` on eleven boards, 100,000 games each, paired with `exact`."""
    return {name: _paired(name, GAMES, _expert) for name in BOARDS}


def budget() -> dict[str, Any]:
    """Issue 7: `max:ms=250` against `expert`, 20,000 paired games of 30x16/99, safe, corner."""
    return {"ms": MAX_MS, **_paired("30x16x99 safe, corner", MAX_GAMES, _max, _expert)}


def _exact(name: str, first: int) -> Play:
    return _bulk(ExactAgent, name, first)


def _expert(name: str, first: int) -> Play:
    return _bulk(ExpertAgent, name, first)


def _bulk(agent: type[ExactAgent], name: str, first: int) -> Play:
    started = time.process_time()
    table = agent.play_games(*BOARDS[name], SEED, first, CHUNK)
    return table.won, time.process_time() - started


def _max(name: str, first: int) -> Play:
    started = time.process_time()
    table: GameTable = play_games(lambda seed: MaxAgent(MAX_MS, seed), *BOARDS[name], SEED, first, CHUNK)
    return table.won, time.process_time() - started


def _paired(
    name: str,
    games: int,
    player: Callable[[str, int], Play],
    other: Callable[[str, int], Play] = _exact,
) -> dict[str, Any]:
    """Two players on the same games."""
    firsts = range(0, games, CHUNK)
    with ProcessPoolExecutor(WORKERS) as pool:
        played = [list(pool.map(one, [name] * len(firsts), firsts)) for one in (player, other)]
    won = [np.concatenate([part for part, _ in chunks]) for chunks in played]
    seconds = [sum(spent for _, spent in chunks) for chunks in played]
    paired = mcnemar(int((won[0] & ~won[1]).sum()), int((won[1] & ~won[0]).sum()), games)
    return {
        "games": games,
        "won": [int(one.sum()) for one in won],
        "rate": [float(one.mean()) for one in won],
        "ci95": [list(wilson(int(one.sum()), games)) for one in won],
        "games_per_cpu_second": [games / spent for spent in seconds],
        "difference": paired._asdict(),
    }


def random_games() -> dict[str, Any]:
    """Issue 7: a million games of `expert` over random sizes and densities; none crashes."""
    chunks = [(first, min(20_000, RANDOM_GAMES - first)) for first in range(0, RANDOM_GAMES, 20_000)]
    with ProcessPoolExecutor(WORKERS) as pool:
        counts = list(pool.map(_random_games, chunks))
    return {"games": sum(games for games, _ in counts), "won": sum(won for _, won in counts)}


def _random_games(chunk: tuple[int, int]) -> tuple[int, int]:
    """Boards of 1x1 to 40x40 and 0 to 100 % mines; ten games each, of which no move may be refused."""
    first, count = chunk
    rng = np.random.default_rng([SEED, first])
    won = 0
    for number in range(first, first + count, 10):
        height, width = rng.integers(1, 41, 2).tolist()
        level = Level(height, width, int(rng.integers(0, height * width + 1)))
        rules = replace(WINDOWS, first_click="any")
        table = ExpertAgent.play_games(level, rules, SEED, number, 10)
        # A cell that was said to be safe and was a mine would be a loss without a guess.
        lost = (table.end == layout.EXPLODED) & (table.guesses == 0)
        if lost.any():
            raise AssertionError(f"a proved cell was a mine: {level}, game {number + int(lost.argmax())}")
        won += int(table.won.sum())
    return count, won


def reliability() -> dict[str, Any]:
    """Issue 7: predicted win chance against outcome, 100,000 positions of games of `expert`."""
    with ProcessPoolExecutor(WORKERS) as pool:
        found = np.concatenate(list(pool.map(_predictions, range(POSITIONS // 1_000))))
    predicted, outcome = found.T
    which = np.minimum((predicted * BINS).astype(int), BINS - 1)
    bins = [
        {
            "positions": int((which == one).sum()),
            "predicted": float(predicted[which == one].mean()),
            "observed": float(outcome[which == one].mean()),
        }
        for one in range(BINS)
        if (which == one).any()
    ]
    gap = sum(row["positions"] * abs(row["predicted"] - row["observed"]) for row in bins) / len(found)
    return {"positions": len(found), "mean_absolute_gap": gap, "bins": bins}


def _predictions(chunk: int) -> NDArray[np.float64]:
    """A thousand positions, one a game, drawn from all moves of the game; shape (1000, 2)."""
    rows: list[tuple[float, float]] = []
    number = 10_000_000 + chunk * 2_000
    while len(rows) < 1_000:
        game = Game(EXPERT, SAFE, rng=game_rng(SEED, number))
        lot = np.random.default_rng(agent_seed(SEED, number))
        agent = ExpertAgent()
        kept, seen = None, 0
        while not game.over:
            observation = game.observation()
            seen += 1
            if lot.random() < 1.0 / seen:
                kept = observation
            game.play(agent.act(observation))
        if kept is not None:
            rows.append((win_probability(kept).value, float(game.complete)))
        number += 1
    return np.array(rows)


PARTS = {
    "expert-strength": strength,
    "max-strength": budget,
    "expert-random": random_games,
    "win-probability": reliability,
}
