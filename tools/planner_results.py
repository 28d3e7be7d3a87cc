"""The parts of `tools/results.py` that measure the planner of Risk (issue 8).

``SUREFOOT_SHARE`` plays a share of the games of the parts that think by the clock, such as .1.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

SEED = 88
PAIRS, CROWD = 1_000, 600
SHARE = float(os.environ.get("SUREFOOT_SHARE", "1"))
DEALT = "standard:round_cap=200"
TABLES = {
    "dealt, progressive": DEALT,
    "dealt, fixed": "standard:round_cap=200;cards=fixed",
    "claimed, progressive": "standard:round_cap=200;placement=claimed",
    "claimed, fixed": "standard:round_cap=200;cards=fixed;placement=claimed",
}
"""Setups and cards, on `classic`."""
BEST = ("empire", "alphabeta")
"""The best scripted style, and the document's agent."""
OTHERS = ("continent", "killer", "planner:fast")
MIXED = ("empire", "continent", "killer", "aggressive", "alphabeta:depth=2")
CROWDS: dict[str, Sequence[str]] = {
    "five empire": ["empire"] * 5,
    "five continent": ["continent"] * 5,
    "five killer": ["killer"] * 5,
    "five alphabeta": ["alphabeta:depth=2"] * 5,
    "a mixed table": MIXED,
}


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


def duels() -> dict[str, Any]:
    """Issue 8: two players on classic, at least 90 %; 1000 pairs each, `planner` and `planner:fast`."""
    return _duels(BEST)


def other_duels() -> dict[str, Any]:
    """The same against other styles, and of `planner` against `planner:fast`."""
    return _duels(OTHERS)


def _duels(rivals: Sequence[str]) -> dict[str, Any]:
    return {
        f"{agent} against {rival}, {table}": _duel([agent, rival], rules, games)
        for agent, games in (("planner:fast", 2 * PAIRS), ("planner", share(2 * PAIRS, 2)))
        for rival in rivals
        for table, rules in TABLES.items()
        if agent != rival
    }


def crowds() -> dict[str, Any]:
    """Issue 8: one against five on classic: 60 % of the best style, 55 % of `alphabeta` and of a mixed
    table; 600 games each."""
    return {
        f"{agent} against {name}": _duel([agent, *others], TABLES["dealt, progressive"], games)
        for agent, games in (("planner:fast", CROWD), ("planner", share(CROWD, 6)))
        for name, others in CROWDS.items()
    }


def budgets() -> dict[str, Any]:
    """Issue 8: `planner:ms=1000` beats `planner:ms=20`, two and six players."""
    rules = TABLES["dealt, progressive"]
    long, short = "planner:ms=1000", "planner:ms=20"
    return {
        "two players": _duel([long, short], rules, share(2 * PAIRS, 2)),
        "one against five": _duel([long, *[short] * 5], rules, share(CROWD, 6)),
    }


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


PARTS = {
    "planner-duels": duels,
    "planner-other-duels": other_duels,
    "planner-crowds": crowds,
    "planner-budgets": budgets,
    "planner-speed": speed,
}
