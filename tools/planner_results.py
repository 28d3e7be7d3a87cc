"""The parts of `tools/results.py` that measure the planner of Risk (issue 8).

Who thinks by the clock plays long: each rival and setup is a part of its own, and ``SUREFOOT_SHARE`` plays a
share of the games, such as .1.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

SEED = 88
PAIRS, CROWD = 1_000, 600
SHARE = float(os.environ.get("SUREFOOT_SHARE", "1"))
DEALT = "standard:round_cap=200"
TABLES = {
    "dealt": {"progressive": DEALT, "fixed": "standard:round_cap=200;cards=fixed"},
    "claimed": {
        "progressive": "standard:round_cap=200;placement=claimed",
        "fixed": "standard:round_cap=200;cards=fixed;placement=claimed",
    },
}
"""Rules by setup and by cards; all on `classic`."""
BEST = ("empire", "alphabeta")
"""The best scripted style, and the document's agent."""
OTHERS = ("continent", "killer")
CROWDS: Mapping[str, Sequence[str]] = {
    "empire": ["empire"] * 5,
    "alphabeta": ["alphabeta:depth=2"] * 5,
    "mixed": ("empire", "continent", "killer", "aggressive", "alphabeta:depth=2"),
    "continent": ["continent"] * 5,
    "killer": ["killer"] * 5,
}
FAST, SLOW = "planner:fast", "planner"

Part = Callable[[], dict[str, Any]]


def _play(agents: Sequence[str], rules: str, games: int) -> dict[str, Any]:
    """Paired games of these agents: each deal from every seat."""
    command = ["risk", "evaluate", *agents, "--map", "classic", "--rules", rules, "--games", str(games)]
    fixed = ["--paired", "--seed", str(SEED), "--workers", "2", "--json"]
    run = subprocess.run(
        [sys.executable, "-m", "surefoot", *command, *fixed], check=True, stdout=subprocess.PIPE
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def _duel(agents: Sequence[str], rules: str, games: int) -> dict[str, Any]:
    """The same of two, with how often the first of them won from the second seat."""
    answer = _play(agents, rules, games)
    found = {name: answer[name] for name in ("agents", "rules", "games", "wins", "wins_by_seat", "capped")}
    if len(agents) == 2:
        # Whoever won from the first seat without the agent there, it lost to from the second.
        won, first = answer["wins"][answer["agents"][0]]["n"], answer["wins_by_seat"][0]
        found["won_when_second"] = (won - first + (games - answer["capped"]) / 2) / games
    return found


def share(games: int, players: int) -> int:
    """A share of the games, whole deals only."""
    return max(int(games * SHARE) // players, 1) * players


def _duels(agent: str, rival: str, setup: str, games: int) -> dict[str, Any]:
    return {
        f"{agent} against {rival}, {setup}, {cards}": _duel([agent, rival], rules, games)
        for cards, rules in TABLES[setup].items()
    }


def _crowd(agent: str, table: str, games: int) -> dict[str, Any]:
    return {f"{agent} against five, {table}": _duel([agent, *CROWDS[table]], DEALT, games)}


def fast() -> dict[str, Any]:
    """Issue 8: `planner:fast`, 1000 pairs of two, 600 games of one against five."""
    found: dict[str, Any] = {}
    for rival in (*BEST, *OTHERS):
        for setup in TABLES:
            found |= _duels(FAST, rival, setup, 2 * PAIRS)
    for table in CROWDS:
        found |= _crowd(FAST, table, CROWD)
    return found


def _told(shows: str, play: Part) -> Part:
    play.__doc__ = shows
    return play


def duel_part(rival: str, setup: str) -> Part:
    """`planner` against one rival, with both kinds of cards."""
    return _told(
        f"Issue 8: `planner` and `{rival}`, {setup}, 1000 pairs: at least 90 %, 75 % when it moves second.",
        lambda: _duels(SLOW, rival, setup, share(2 * PAIRS, 2)),
    )


def crowd_part(table: str) -> Part:
    """`planner` against five."""
    return _told(
        f"Issue 8: `planner` against five, {table}, 600 games: at least 60 % ({BEST[0]}), 55 % (others).",
        lambda: _crowd(SLOW, table, share(CROWD, 6)),
    )


def budget_part(rivals: int, games: int) -> Part:
    """More time, more wins."""
    long, short = "planner:ms=1000", "planner:ms=20"
    return _told(
        f"Issue 8: {long} against {rivals} of {short}, outside the interval.",
        lambda: {
            f"one against {rivals}": _duel([long, *[short] * rivals], DEALT, share(games, rivals + 1)),
        },
    )


def speed() -> dict[str, Any]:
    """Issue 8: whole six-player games of `planner:fast`, at least 150 a CPU-second; five runs."""
    fixed = ["--map", "classic", "--rules", "standard", "--games", "600", "--workers", "1", "--json"]
    speeds = []
    for seed in range(5):
        command = ["risk", "evaluate", *["planner:fast"] * 6, *fixed, "--seed", str(seed)]
        run = subprocess.run([sys.executable, "-m", "surefoot", *command], check=True, stdout=subprocess.PIPE)
        speeds.append(json.loads(run.stdout)["games_per_cpu_second"])
    speeds.sort()
    return {"games_per_cpu_second": {"median": speeds[2], "least": speeds[0], "most": speeds[-1]}}


PARTS: dict[str, Part] = {
    "planner-fast": fast,
    **{f"planner-{rival}-{setup}": duel_part(rival, setup) for rival in BEST for setup in TABLES},
    **{f"planner-crowd-{table}": crowd_part(table) for table in CROWDS},
    "planner-budget-two": budget_part(1, 2 * PAIRS),
    "planner-budget-six": budget_part(5, CROWD),
    **{f"planner-{rival}": duel_part(rival, "dealt") for rival in OTHERS},
    "planner-itself": duel_part(FAST, "dealt"),
    "planner-speed": speed,
}
