"""A Dask cluster of this machine: a scheduler and workers, each a process of its own."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from surefoot.arena.runner import Progress, run
from surefoot.errors import FormatError
from tests.arena_studies import PAIRS, TEST, WORLDS, played, study, table, write_agent

pytest.importorskip("distributed")

Start = Callable[..., "subprocess.Popen[bytes]"]
ALONE = ("--nthreads", "1", "--no-nanny", "--no-dashboard")


class Dask:
    """A scheduler without workers."""

    def __init__(self, folder: Path, start: Start) -> None:
        file = folder / "scheduler.json"
        self._start = start
        start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", file)
        until(lambda: file.exists() and file.stat().st_size > 0)
        self.address: str = json.loads(file.read_text())["address"]

    def worker(self, *options: str) -> "subprocess.Popen[bytes]":
        return self._start("worker", self.address, *(options or ALONE))


def until(there: Callable[[], bool]) -> None:
    for _ in range(600):
        if there():
            return
        time.sleep(0.1)
    raise AssertionError("nothing has come in a minute")


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    processes: list[subprocess.Popen[bytes]] = []
    # A worker that a piece has ended is not tried again and again, which would take a minute.
    environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}

    def start(part: str, *options: object) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-W", "ignore", "-m", "dask", part, *map(str, options)]
        with (tmp_path / f"{part}.log").open("ab") as log:
            processes.append(subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=log, stderr=log))
        return processes[-1]

    try:
        yield Dask(tmp_path, start)
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in reversed(processes):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            process.wait(60)


def test_a_worker_killed_in_the_middle_costs_nothing(dask: Dask, tmp_path: Path) -> None:
    slow = write_agent(tmp_path, "time.sleep(0.002)")
    base = study(WORLDS, agents=[slow, "exact"])
    whole = played(base, tmp_path, "local")
    victim, _ = dask.worker(), dask.worker()
    left: list[int] = []

    def kill(progress: Progress) -> None:
        if not left and progress.new >= 20:
            left.append(progress.games - progress.played)
            victim.kill()

    assert played(base, tmp_path, "cluster", cluster=dask.address, on_progress=kill) == whole
    assert left and left[0] > 0
    victim.wait(60)
    # What is left of it plays the other game, and stops a test where one process stops it.
    for other in (study(PAIRS), study(TEST)):
        assert played(other, tmp_path, f"{other.run}-cluster", cluster=dask.address) == played(
            other, tmp_path, other.run
        )


@pytest.mark.slow
def test_who_ends_workers_loses_that_game(dask: Dask, tmp_path: Path) -> None:
    dask.worker("--nthreads", "2", "--no-dashboard")  # a nanny starts it again
    deadly = write_agent(tmp_path, "if self.seed % 8 == 0: os._exit(3)")
    base = study(WORLDS, agents=[deadly, "exact"], games=12)
    whole = played(base, tmp_path, "local", workers=2)
    assert "crashed" in whole
    assert played(base, tmp_path, "cluster", cluster=dask.address) == whole


def test_a_worker_with_other_files_refuses(dask: Dask, tmp_path: Path) -> None:
    dask.worker()
    here, there = tmp_path / "here", tmp_path
    here.mkdir()
    write_agent(there, "time.sleep(0)")
    write_agent(here, "pass")
    with contextlib.chdir(here), pytest.raises(FormatError, match=r"run \w+ is \w+ on .*another there"):
        run(study(WORLDS, agents=["agent.py:Agent"], games=3), store="s.db", cluster=dask.address)
    assert table(str(here / "s.db"), tmp_path / "s.csv").count("\n") == 1


def test_no_cluster_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, dask: Dask) -> None:
    monkeypatch.setattr("surefoot.arena.cluster._PATIENCE", 1)
    for address, words in (
        ("tcp://127.0.0.1:9", "nobody answers"),
        ("nonsense://x", "nobody answers"),
        (dask.address, "it has no workers"),
    ):
        with pytest.raises(FormatError, match=f"cluster {address}: {words}") as refused:
            run(study(WORLDS), store=str(tmp_path / "s.db"), cluster=address)
        assert "\n" not in str(refused.value)
