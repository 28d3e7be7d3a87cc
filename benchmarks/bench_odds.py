"""CPU time of Risk's odds: large battles, tables, campaigns.

The reference, timed in turns, is the source of the same kernel on a battle of 60 against 60, run by Python
instead of compiled. Prints medians and how many times faster the compiled kernel is.
"""

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from surefoot.risk.battle import armies_needed, battle, campaign, win_table
from surefoot.risk.dice import roll_table
from surefoot.risk.kernels import odds

JOBS: dict[str, Callable[[], object]] = {
    "battle 60 v 60": lambda: battle(60, 60),
    "battle 1000 v 1000": lambda: battle(1000, 1000),
    "table of all up to 60 v 60": lambda: win_table(60, 60),
    "campaign 20 through 3,4,2": lambda: campaign(20, [3, 4, 2]),
    "armies for .75 against 1000": lambda: armies_needed(0.75, 1000),
}


def uncompiled() -> None:
    """60 against 60, by the kernel's source."""
    weights = roll_table()
    chances = weights / np.maximum(weights.sum(axis=2, keepdims=True), 1)
    begin = np.zeros(61)
    begin[60] = 1.0
    fight = getattr(odds.fight, "py_func", odds.fight)
    limits = np.array([3, 2], np.int64)
    fight(begin, 0, limits, chances, 0.0, np.zeros((odds.ROWS, 61)), np.zeros(61), np.zeros(61))


def cpu_micros(call: Callable[[], object]) -> float:
    start = time.process_time_ns()
    call()
    return (time.process_time_ns() - start) / 1000


def measure(rounds: int = 100) -> dict[str, float]:
    """Medians in microseconds by job, and the reference under ``uncompiled 60 v 60``."""
    jobs = JOBS | {"uncompiled 60 v 60": uncompiled}
    for job in jobs.values():  # the first calls compile, or load from the cache
        job()
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            times[name].append(cpu_micros(job))
    return {name: statistics.median(found) for name, found in times.items()}


def main(rounds: int = 100) -> None:
    found = measure(rounds)
    print(f"odds, CPU microseconds a call, medians of {rounds}")
    for name, micros in found.items():
        print(f"  {name:<28} {micros:10.1f}")
    print(f"  compiled: {found['uncompiled 60 v 60'] / found['battle 60 v 60']:.0f} times faster")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
