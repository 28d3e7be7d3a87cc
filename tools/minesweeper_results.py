"""The parts of `tools/results.py` that measure the strongest Minesweeper players (issue 7)."""

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.minesweeper.agents.expert import ExpertAgent
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.rules import WINDOWS, Level
from surefoot.minesweeper.win_probability import win_probability
from tools.calibrate_network import positions

EXPERT = Level(16, 30, 99)
SAFE = replace(WINDOWS, first_click="safe", start=(0, 0))
Board = tuple[str, str]
"""A size and rules, as the arena reads them."""


def _board(level: str, first_click: str, start: str) -> Board:
    return level, f"windows:first_click={first_click};start={start}"


BOARDS: dict[str, Board] = {
    "30x16x99 safe, corner": _board("30x16x99", "safe", "0,0"),
    "30x16x99 opening, 3,3": _board("30x16x99", "opening", "3,3"),
    "16x16x40 safe, corner": _board("16x16x40", "safe", "0,0"),
    "16x16x40 opening, 2,2": _board("16x16x40", "opening", "2,2"),
    "8x8x10 safe, corner": _board("8x8x10", "safe", "0,0"),
    "8x8x10 opening, 2,2": _board("8x8x10", "opening", "2,2"),
    "9x9x10 safe, corner": _board("9x9x10", "safe", "0,0"),
    "9x9x10 opening, 2,2": _board("9x9x10", "opening", "2,2"),
    "Min.AI beginner": ("8x8x10", "minai"),
    "Min.AI intermediate": ("16x16x40", "minai"),
    "Min.AI expert": ("30x16x99", "minai"),
}
SEED = 7
GAMES = 100_000
MAX_GAMES = 20_000
BUDGETS, BUDGET_GAMES = (10, 50), 6_000
RANDOM_GAMES = 1_000_000
POSITIONS = 100_000
BINS = 20
WORKERS = 2


def strength() -> dict[str, Any]:
    """Issue 7: `expert` on eleven boards, 100,000 games each, paired with `exact`."""
    return {name: _paired(board, GAMES, "expert", "exact") for name, board in BOARDS.items()}


def budget() -> dict[str, Any]:
    """Issue 7: `max:ms=250` against `expert`, 20,000 paired games of 30x16/99, safe, corner."""
    return _paired(BOARDS["30x16x99 safe, corner"], MAX_GAMES, "max:ms=250", "expert")


def budgets() -> dict[str, Any]:
    """Issue 7: `max` with less time against `expert`, 6,000 paired games each."""
    board = BOARDS["30x16x99 safe, corner"]
    return {f"max:ms={ms}": _paired(board, BUDGET_GAMES, f"max:ms={ms}", "expert") for ms in BUDGETS}


def _paired(board: Board, games: int, *agents: str) -> dict[str, Any]:
    """A study of agents on the same worlds: standings, and how they differ."""
    level, rules = board
    study = ["--game", "minesweeper", "--rules", rules, "--map", level, "--format", "worlds"]
    with tempfile.TemporaryDirectory() as folder:
        store = ["--store", str(Path(folder) / "arena.db"), "--json"]
        size = ["--games", str(games), "--seed", str(SEED), "--workers", str(WORKERS), "--quiet"]
        played = _surefoot("arena", "run", *study, "--agents", ",".join(agents), *size, *store)
        report = _surefoot("arena", "report", played["run"], *store)
    return {name: report[name] for name in ("study", "standings", "pairs", "hosts")}


def _surefoot(*arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "surefoot", *arguments]
    answer: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return answer


def speed() -> dict[str, Any]:
    """Issue 7: 500 games of `expert` a CPU-second on 30x16/99, safe; 12,000 of `exact`; five runs each."""
    return {agent: _speed(agent, games) for agent, games in (("expert", 5_000), ("exact", 40_000))}


def _speed(agent: str, games: int) -> dict[str, Any]:
    fixed = ["--rules", "expert", "--first-click", "safe", "--games", str(games), "--workers", "1", "--json"]
    runs = [_surefoot("minesweeper", "evaluate", agent, *fixed, "--seed", str(seed)) for seed in range(5)]
    speeds = sorted(run["games"] / run["cpu_seconds"] for run in runs)
    return {"games_per_cpu_second": {"median": speeds[2], "least": speeds[0], "most": speeds[-1]}}


def random_games() -> dict[str, Any]:
    """Issue 7: a million games of `expert` over random sizes and densities; none crashes."""
    chunks = [(first, min(20_000, RANDOM_GAMES - first)) for first in range(0, RANDOM_GAMES, 20_000)]
    with ProcessPoolExecutor(WORKERS) as pool:
        counts = list(pool.map(_random_games, chunks))
    return {"games": sum(games for games, _ in counts), "won": sum(won for _, won in counts)}


def _random_games(chunk: tuple[int, int]) -> tuple[int, int]:
    """Boards of 1x1 to 40x40 and 0 to 100 % mines, ten games each in bulk.

    The first of the ten is also played action by action, where it shows whether a game was lost by a guess.
    """
    first, count = chunk
    rng = np.random.default_rng([SEED, first])
    rules = replace(WINDOWS, first_click="any")
    won = 0
    for number in range(first, first + count, 10):
        height, width = rng.integers(1, 41, 2).tolist()
        level = Level(height, width, int(rng.integers(0, height * width + 1)))
        table = ExpertAgent.play_games(level, rules, SEED, number, 10)
        won += int(table.won.sum())
        game = Game(level, rules, rng=game_rng(SEED, number))
        agent = ExpertAgent()
        guesses = 0
        while not game.over:
            guesses = agent.guesses
            game.play(agent.act(game.observation()))
        if not game.complete and agent.guesses == guesses:
            raise AssertionError(f"a proved cell was a mine: {level}, game {number}")
        if game.complete != bool(table.won[0]):
            raise AssertionError(f"in bulk it ends otherwise: {level}, game {number}")
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
    """A thousand positions, a few a game, each of a game's positions as likely as any other's; (1000, 2).

    One position a game would come mostly from games that were soon lost, early in the game.
    """
    rows: list[tuple[float, float]] = []
    number = 10_000_000 + chunk * 2_000
    lot = np.random.default_rng([SEED, chunk])
    while len(rows) < 1_000:
        kept, won = positions(EXPERT, SAFE, number, lot)
        rows.extend((win_probability(position).value, float(won)) for position in kept)
        number += 1
    return np.array(rows[:1_000])


PARTS = {
    "expert-strength": strength,
    "expert-speed": speed,
    "max-strength": budget,
    "max-budgets": budgets,
    "expert-random": random_games,
    "win-probability": reliability,
}
