"""Kill a learning run ten times at random moments and see that it ends as if nothing had happened.

    python tools/kill_evolve.py [--kills 10] [--seed 1] [--workers 2] [-- OPTIONS of surefoot risk evolve]

An undisturbed run comes first; how long it takes tells how far the kills are spread. Then the same run is
begun in another folder, killed (SIGKILL to the process alone, so that its workers have to notice), resumed,
and so on; at the end every file of the two folders is compared byte by byte. A run that ends before all kills
were made is followed by another one. Prints one JSON object; the exit code is 0 if all is as it should be.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

_PATIENCE = 10.0
"""Seconds in which the workers of a killed process have to end."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill a learning run at random moments.")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("options", nargs="*", help="for surefoot risk evolve, after --")
    wanted = parser.parse_args()
    chance = random.Random(wanted.seed)
    options = ["--seed", str(wanted.seed), "--workers", str(wanted.workers), *wanted.options]
    with tempfile.TemporaryDirectory() as place:
        undisturbed = Path(place, "undisturbed")
        begun = time.monotonic()
        if begin(undisturbed, options).wait() != 0:
            return 1
        seconds = time.monotonic() - begun
        expected = files(undisturbed)
        kills, runs, left_over, differing = 0, 0, 0, 0
        moments: list[float] = []
        held: list[int] = []
        while kills < wanted.kills:
            runs += 1
            folder = Path(place, f"killed-{runs}")
            while True:
                process = begin(folder, options)
                if kills < wanted.kills:
                    # A kill every quarter of a run on average, so that most of ten fall into one or two.
                    moment = chance.uniform(0, seconds / 2)
                    try:
                        process.wait(moment)
                    except subprocess.TimeoutExpired:
                        left_over += kill(process)
                        kills += 1
                        moments.append(round(moment, 3))
                        held.append(len(files(folder)))
                        continue
                if process.wait() != 0:
                    return 1
                break
            differing += files(folder) != expected
    answer = {
        "command": "surefoot risk evolve --out RUN --resume " + " ".join(options),
        "kills": kills,
        "after_seconds": moments,
        "files_at_kill": held,
        "runs": runs,
        "undisturbed_seconds": round(seconds, 3),
        "files": len(expected),
        "runs_that_differ": differing,
        "workers_left_over": left_over,
    }
    print(json.dumps(answer, indent=2))
    return 1 if differing or left_over else 0


def begin(folder: Path, options: list[str]) -> subprocess.Popen[bytes]:
    """Start the command, or let it go on."""
    command = [sys.executable, "-m", "surefoot", "risk", "evolve", "--out", str(folder), "--resume", *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def kill(process: subprocess.Popen[bytes]) -> int:
    """Kill a process, and tell how many of its workers outlive it; these are ended too."""
    try:
        workers = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        workers = []
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(workers, timeout=_PATIENCE)
    for worker in alive:
        worker.kill()
    return len(alive)


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by its place in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


if __name__ == "__main__":
    sys.exit(main())
