"""The part of `tools/results.py` that judges the value of positions of Risk."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from surefoot.arena.play import ordered_map
from surefoot.arena.train import play_piece
from surefoot.risk import learning, load
from surefoot.risk.learning import POOL, Reliability, Settings
from surefoot.risk.lessons import gather
from surefoot.risk.value import shipped

GAMES = 20_000
SEED = 900
TABLES = (2, 3, 6)
OTHERS = ("turtle", "turtle:bold", "turtle:careful", "spread", "spread:bold", "spread:careful")
"""Agents that the shipped network was not taught on."""
RESAMPLES = 1000
WORKERS = 2


def value() -> dict[str, Any]:
    """Issue 8: the value's mean absolute gap on games of other agents, under 3 points for 2, 3 and 6 players.

    Bins of 1/20, weighed by how many chances are in each; intervals by bootstrap over pieces of 200 games.
    """
    from benchmarks import bench_risk_value

    found: dict[str, Any] = {"speed": bench_risk_value.measure(20)}
    for name, agents in {
        "other agents alone": OTHERS,
        "other agents among those taught on": OTHERS + POOL,
    }.items():
        for players in TABLES:
            found[f"{name}, {players} players"] = judge(agents, players)
    return found


def judge(agents: Sequence[str], players: int) -> dict[str, Any]:
    """How the shipped network's chances come true in games of these agents, on the classic map."""
    settings = Settings(
        seed=SEED, games=GAMES, players=tuple(agents), map=("classic",), seats=(players,), samples=3
    )
    worlds = {"classic": load("classic")}
    work = [
        (worlds["classic"], learning.piece(settings, worlds, 1, place))
        for place in range(1, settings.pieces + 1)
    ]
    parts = [
        learning.reliability(shipped(), gather([rows]))
        for rows in ordered_map(partial(play_piece, settings), work, workers=WORKERS)
    ]
    counts = np.array([each.counts for each in parts], np.float64)
    sums = np.array([(each.expected * each.counts, each.won * each.counts) for each in parts])
    rng = np.random.default_rng(0)
    gaps = []
    for _ in range(RESAMPLES):
        drawn = rng.integers(len(parts), size=len(parts))
        gaps.append(_gap(sums[drawn].sum(axis=0), counts[drawn].sum()))
    total = counts.sum(axis=0)
    many = np.maximum(total, 1)
    expected, won = sums.sum(axis=0)
    positions = sums[:, 1].sum(axis=1)  # one player wins from each
    loss = float(np.average([each.loss for each in parts], weights=positions))
    whole = Reliability(total.astype(np.int64), expected / many, won / many, loss)
    return {
        "agents": list(agents),
        "games": GAMES,
        "gap_points": round(100 * whole.gap, 3),
        "ci95": [round(100 * float(bound), 3) for bound in np.quantile(gaps, [0.025, 0.975])],
        **whole.as_dict(),
    }


def _gap(sums: Any, count: float) -> float:
    return float(np.abs(sums[0] - sums[1]).sum() / count)


PARTS = {"risk-value": value}
