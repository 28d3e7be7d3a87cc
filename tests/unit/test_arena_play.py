import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psutil
import pytest

from surefoot.arena.play import default_workers, ordered_map, pool


def square(number: int) -> int:
    return number * number


def square_or_raise(number: int) -> int:
    if number == 3:
        raise LookupError("three")
    return number * number


def where(_: int) -> int:
    return os.getpid()


def die(_: int) -> None:
    os._exit(1)


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_order_and_are_reported_once(workers: int) -> None:
    seen: list[int] = []
    results = list(ordered_map(square, range(20), workers=workers, on_result=seen.append))
    assert results == [number * number for number in range(20)]
    assert sorted(seen) == results


def test_one_worker_is_this_process_and_more_are_not() -> None:
    assert set(ordered_map(where, range(3), workers=1)) == {os.getpid()}
    assert os.getpid() not in set(ordered_map(where, range(3), workers=2))


def test_an_early_finisher_waits_for_its_turn() -> None:
    second_done = threading.Event()
    finished: list[int] = []

    def work(number: int) -> int:
        if number == 0:
            assert second_done.wait(30)
        return number

    def note(number: int) -> None:
        finished.append(number)
        if number == 1:
            second_done.set()

    with ThreadPoolExecutor(2) as executor:
        results = list(ordered_map(work, range(2), workers=2, on_result=note, executor=executor))
    assert results == [0, 1]
    assert finished == [1, 0]


def test_items_are_taken_a_bounded_number_ahead() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield number

    with ThreadPoolExecutor(2) as executor:
        results = ordered_map(square, items(), workers=2, executor=executor)
        assert next(results) == 0
        assert taken < 20
        assert sum(1 for _ in results) == 999


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_comes_in_its_turn(workers: int) -> None:
    results = ordered_map(square_or_raise, range(6), workers=workers)
    assert [next(results) for _ in range(3)] == [0, 1, 4]
    with pytest.raises(LookupError, match="three"):
        next(results)


def test_a_worker_that_dies_is_an_error_and_not_a_wait() -> None:
    from concurrent.futures.process import BrokenProcessPool

    with pytest.raises(BrokenProcessPool):
        list(ordered_map(die, range(3), workers=2))


def test_no_worker_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="at least one worker"):
        ordered_map(square, range(3), workers=0)


def test_there_is_a_processor() -> None:
    assert 1 <= default_workers() <= (os.cpu_count() or 1)


def test_a_pool_left_by_an_exception_ends_its_workers_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), pool(1) as executor:
        process = psutil.Process(executor.submit(os.getpid).result())
        executor.submit(time.sleep, 600)
        raise KeyboardInterrupt
    assert gone(process)


SCRIPT = """
import os, sys, time
from surefoot.arena.play import ordered_map

def work(number):
    print(os.getpid(), flush=True)
    time.sleep(600)

if __name__ == "__main__":
    list(ordered_map(work, range(2), workers=2))
"""


@contextmanager
def ended(process: "subprocess.Popen[str]") -> Iterator[None]:
    """See to it that a test that fails does not wait for ever."""
    try:
        yield
    finally:
        process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_their_parent(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    parent = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        # Tests that run in the background of a shell have Ctrl-C ignored, and would hand that on.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    with parent, ended(parent):
        assert parent.stdout is not None and parent.stderr is not None
        workers = [psutil.Process(int(parent.stdout.readline())) for _ in range(2)]
        # A terminal's Ctrl-C reaches the whole group; a kill reaches the parent alone.
        if how is signal.SIGINT:
            os.killpg(parent.pid, how)
        else:
            parent.send_signal(how)
        assert all(gone(worker) for worker in workers)
        parent.wait(30)
        said = parent.stderr.read()
    assert said.count("Traceback") == (1 if how is signal.SIGINT else 0)
    assert ("KeyboardInterrupt" in said) == (how is signal.SIGINT)


def gone(process: psutil.Process) -> bool:
    """Whether a process ends; one that only waits to be asked for by its new parent has ended."""
    for _ in range(300):
        try:
            if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.1)
    return False
