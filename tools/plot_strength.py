"""Draw what `docs/minesweeper-strength.md` shows, from the figures in docs/results/.

    python tools/plot_strength.py

Writes ``docs/pictures/minesweeper-strength.svg`` (win rate against time a game) and
``minesweeper-reliability.svg`` (predicted against observed), the same bytes for the same figures.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from surefoot.arena.plots import figure, save

DOCS = Path(__file__).parents[1] / "docs"
BOARD = "30x16x99 safe, corner"
OTHERS = (
    ("strongest public solver (Java)", 1000 / 190, 41.28),
    ("a C++ solver", 1000 / 1386, 39.99),
    ("a C solver, depth 1", 2.2, 39.0),
    ("a C solver, depth 4", 830.0, 40.8),
)
"""Milliseconds a game and win rates in percent of others, as the project's facts give them."""


def result(name: str) -> dict[str, Any]:
    """A file of docs/results/."""
    found: dict[str, Any] = json.loads((DOCS / "results" / f"{name}.json").read_text(encoding="utf-8"))
    return found


def strength() -> Figure:
    """Win rate on 30x16/99, safe, corner, against processor time a game.

    `max` played fewer games: its rate is that of `expert` on all of them and the paired difference.
    """
    speeds = result("expert-speed")
    time = {agent: 1000 / speeds[agent]["games_per_cpu_second"]["median"] for agent in ("exact", "expert")}
    points = []
    for row in result("expert-strength")[BOARD]["standings"]:
        rate, (low, high) = row["rate"], row["ci95"]
        points.append((row["agent"], time[row["agent"]], rate, rate - low, high - rate))
    expert = points[0][2]
    less = result("max-budgets")
    for study in (less["max:ms=10"], less["max:ms=50"], result("max-strength")):
        pair, games = study["pairs"][0], study["study"]["games"]
        spent = sum(host["cpu_seconds"] for host in study["hosts"]) / games * 1000 - time["expert"]
        gain, (low, high) = pair["difference"], pair["interval"]
        points.append((pair["one"], spent, expert + gain, gain - low, high - gain))
    drawn = figure()
    axes = drawn.subplots()
    for name, x, y in OTHERS:
        axes.plot(x, y, "s", color="#8a8a8a")
        axes.annotate(name, (x, y), (0, -14), textcoords="offset points", ha="center", fontsize="small")
    for name, x, rate, below, above in points:
        y = 100 * rate
        axes.errorbar(x, y, [[100 * below], [100 * above]], fmt="o", color="#0b5394", capsize=3)
        side = -6 if name == "max:ms=10" else 6
        align = "right" if side < 0 else "left"
        axes.annotate(name, (x, y), (side, 4), textcoords="offset points", ha=align, fontsize="small")
    axes.set_xscale("log")
    axes.set_xlim(0.04, 3000)
    axes.set_ylim(bottom=38.7)
    axes.set_xlabel("processor time a game, milliseconds")
    axes.set_ylabel("games won, %")
    drawn.suptitle("30x16 with 99 mines, first click safe, in the corner")
    return drawn


def reliability() -> Figure:
    """How often positions are won that are given so much chance."""
    bins = result("win-probability")["bins"]
    drawn = figure()
    axes = drawn.subplots()
    axes.plot([0, 1], [0, 1], "--", color="#8a8a8a", linewidth=1)
    most = max(row["positions"] for row in bins)
    axes.scatter(
        [row["predicted"] for row in bins],
        [row["observed"] for row in bins],
        [8 + 120 * row["positions"] / most for row in bins],
        color="#0b5394",
    )
    axes.set_xlabel("chance to win that is told")
    axes.set_ylabel("share of games won")
    drawn.suptitle("100,000 positions of games of expert (areas: how many)")
    return drawn


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pictures = {"minesweeper-strength": strength(), "minesweeper-reliability": reliability()}
        for file in save(pictures, Path(folder)):
            if file.suffix == ".svg":
                (DOCS / "pictures" / file.name).write_bytes(file.read_bytes())
                print(file.name)


if __name__ == "__main__":
    main()
