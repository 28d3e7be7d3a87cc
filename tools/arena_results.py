"""The parts of `tools/results.py` that show the arena at full size."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import bench_arena, bench_protocol
from surefoot.arena.store import Store
from surefoot.arena.study import Study
from tests.filled_store import fill
from tests.simulated import coverage, sprt_agents

GAMES = 1_000_000


def arena_overhead() -> dict[str, Any]:
    """Issue 6: at least 85 % of the bare kernel's games a CPU-second, 100,000 expert games, with a store."""
    rounds = list(bench_arena.measure(100_000, 5))
    return {"rounds": rounds, "median_ratio": statistics.median(found["ratio"] for found in rounds)}


def arena_round_trips() -> dict[str, Any]:
    """Issue 6: an external sample agent answers at least 2000 times a second."""
    return {
        f"{found.language}, {found.what}": {
            "median": statistics.median(found.rates),
            "least": min(found.rates),
            "most": max(found.rates),
            "cpu_us_here": found.here,
            "cpu_us_there": found.there,
        }
        for found in bench_protocol.measure(5)
    }


def arena_ratings() -> dict[str, Any]:
    """Issue 6: 95 % intervals hold the true strength 92 to 98 % of the time, 400 tournaments, two and six."""
    return {f"{players} players": coverage(players, 400, seed=1) for players in (2, 6)}


def arena_sprt() -> dict[str, Any]:
    """Issue 6: the sequential test decides rightly in 90 of 100 repeats, handicapped and equal."""
    return sprt_agents(100, seed=1)


def arena_report() -> dict[str, Any]:
    """Issue 6: a store of 1,000,000 games answers `report` in under 5 s."""
    studies = {
        "minesweeper": {"rules": "expert", "agents": ["exact"]},
        "risk": {"agents": ["continent", "killer"], "format": "round-robin"},
    }
    with tempfile.TemporaryDirectory() as folder:
        return {game: _report_seconds(Path(folder), game, keys) for game, keys in studies.items()}


def _report_seconds(folder: Path, game: str, keys: dict[str, Any]) -> dict[str, Any]:
    place = folder / f"{game}.db"
    study = Study.make({"game": game, "games": GAMES, "seed": 1, **keys})
    with Store(str(place), create=True) as store:
        fill(store, study)
    command = ["arena", "report", "--store", str(place), study.run, "--json"]
    seconds = []
    for _ in range(3):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-m", "surefoot", *command], check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - begun)
    return {"games": GAMES, "seconds": seconds, "median": statistics.median(seconds)}


PARTS = {
    "arena-overhead": arena_overhead,
    "arena-round-trips": arena_round_trips,
    "arena-ratings": arena_ratings,
    "arena-sprt": arena_sprt,
    "arena-report": arena_report,
}
