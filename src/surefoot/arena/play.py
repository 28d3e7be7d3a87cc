"""Many pieces of work over an executor, their results merged in order.

The workers are processes of one machine, or whatever a `concurrent.futures.Executor` stands for. They are
started afresh rather than forked, so that threads and compiled code of this process cannot harm them; a
script that uses more than one worker therefore needs the usual ``if __name__ == "__main__":``.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, Generic, NamedTuple, TypeVar

from surefoot.errors import FormatError
from surefoot.protocol import programs
from surefoot.spec import AgentSpec, last_line

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 4
"""Pieces a worker that are handed out before the oldest one is back: bounds memory, hides uneven pieces."""

_MOST_AT_ONCE = 500
_PIECES_A_WORKER = 64


@dataclass(frozen=True, slots=True)
class Played(Generic[Result]):
    """What came of a piece of the games, and what it cost.

    Args:
        result: what the piece answered.
        begun, ended: seconds of the clock of `time.perf_counter`.
        cpu_seconds: of this process, while playing.
        startup_cpu_seconds: for loading, compiling and a game to warm up, before that.
    """

    result: Result
    begun: float
    ended: float
    cpu_seconds: float
    startup_cpu_seconds: float


class Times(NamedTuple):
    """What many pieces cost: by the clock from first to last, and of processors in all processes together."""

    seconds: float
    cpu_seconds: float
    startup_cpu_seconds: float


def default_workers() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def ordered_map(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    workers: int,
    on_result: Callable[[Result], None] | None = None,
    executor: Executor | None = None,
) -> Iterator[Result]:
    """Apply ``function`` to every item; the results come in the items' order, whoever is first to finish.

    One worker means this process. More are processes of their own, which end with this one however it
    ends, and at once when the iteration is abandoned or interrupted.

    Args:
        function: what is done with an item. It has to be picklable unless it runs in this process.
        items: taken a bounded number ahead of the result that is awaited.
        workers: how many pieces are worked on at a time, at least 1.
        on_result: is told each result here, as soon as it is there: for progress.
        executor: does the work, in place of a pool made for this call.

    Raises:
        ValueError: there are no workers.
        BrokenProcessPool: a worker died, as by a crash of what it ran.
        Exception: whatever ``function`` raised, when the turn of its item comes.
    """
    if workers < 1:
        raise ValueError(f"at least one worker is needed, not {workers}")
    if executor is not None:
        return _merge(executor, function, items, workers * _AHEAD, on_result)
    if workers == 1:
        return _here(function, items, on_result)
    return _in_own_pool(function, items, workers, on_result)


def _here(
    function: Callable[[Item], Result], items: Iterable[Item], on_result: Callable[[Result], None] | None
) -> Iterator[Result]:
    for item in items:
        result = function(item)
        if on_result is not None:
            on_result(result)
        yield result


def _in_own_pool(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    workers: int,
    on_result: Callable[[Result], None] | None,
) -> Iterator[Result]:
    with pool(workers) as executor:
        yield from _merge(executor, function, items, workers * _AHEAD, on_result)


def _merge(
    executor: Executor,
    function: Callable[[Item], Result],
    items: Iterable[Item],
    ahead: int,
    on_result: Callable[[Result], None] | None,
) -> Iterator[Result]:
    source = iter(items)
    pending: deque[Future[Result]] = deque()
    unreported: set[Future[Result]] = set()
    try:
        while True:
            for item in islice(source, ahead - len(pending)):
                with interrupt_held():
                    pending.append(executor.submit(function, item))
                unreported.add(pending[-1])
            if not pending:
                return
            done, unreported = wait(unreported, return_when=FIRST_COMPLETED)
            for future in done:
                if on_result is not None and future.exception() is None:
                    on_result(future.result())
            # One that has come in since is not reported yet.
            while pending and pending[0].done() and pending[0] not in unreported:
                yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


@contextmanager
def pool(workers: int) -> Iterator[Executor]:
    """A pool of worker processes, for several calls of `ordered_map`.

    Left by an exception, it ends its workers at once, in the middle of whatever they do.
    """
    context = multiprocessing.get_context("spawn")
    # The workers watch one end of this pipe; the other end closes with this process, even if it is killed.
    watched, lifeline = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_start_worker, initargs=(watched,)
    )
    try:
        yield executor
    except BaseException:
        lifeline.close()
        executor.shutdown(cancel_futures=True)
        raise
    else:
        executor.shutdown()
    finally:
        lifeline.close()
        watched.close()


def _start_worker(watched: "Connection[object, object]") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    threading.Thread(target=_die_with_parent, args=(watched,), daemon=True).start()


def _die_with_parent(watched: "Connection[object, object]") -> None:
    try:
        watched.poll(None)
    finally:
        os._exit(1)


@contextmanager
def interrupt_held() -> Iterator[None]:
    """Put Ctrl-C off while a worker may be starting, which inherits that and so never hears it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def check_study(games: int, seed: int, workers: int) -> None:
    """Refuse numbers with which nothing can be played.

    Raises:
        ValueError: there is not one game, a negative seed, or no worker.
    """
    if games < 1:
        raise ValueError(f"at least one game is needed, not {games}")
    if seed < 0:
        raise ValueError(f"a seed is 0 or more, not {seed}")
    if workers < 1:
        raise ValueError(f"at least one worker is needed, not {workers}")


def split(games: int, workers: int) -> list[tuple[int, int]]:
    """Cut games into pieces for the workers: the first game of each piece, and how many it has."""
    size = max(1, min(_MOST_AT_ONCE, games // (workers * _PIECES_A_WORKER)))
    return [(first, min(size, games - first)) for first in range(0, games, size)]


def try_to_make(spec: AgentSpec, seed: int) -> object:
    """An agent, to see before the games begin that it can be made.

    Raises:
        FormatError: it cannot.
    """
    with stdout_kept_clean():
        try:
            return spec.make(seed)
        except FormatError:
            raise
        except (Exception, SystemExit) as error:
            raise FormatError(f"agent {spec}: it cannot be made: {last_line(error)}") from error


_warm: set[Hashable] = set()


def warm_up(game: Hashable, play: Callable[[], object]) -> float:
    """Play ``game`` once in every process, so that loading and compiling are not counted as playing.

    The answer is the CPU time that took; in a worker that includes the start of the process.
    """
    if game in _warm:
        return 0.0
    fresh_worker = not _warm and multiprocessing.parent_process() is not None
    before = 0.0 if fresh_worker else time.process_time()
    with stdout_kept_clean():
        play()
    _warm.add(game)
    return time.process_time() - before


def timed(play: Callable[[], Result], startup_cpu_seconds: float) -> Played[Result]:
    """Play a piece and measure what it costs."""
    begun, cpu = time.perf_counter(), _cpu_seconds()
    with stdout_kept_clean():
        result = play()
    ended = time.perf_counter()
    return Played(result, begun, ended, _cpu_seconds() - cpu, startup_cpu_seconds)


def _cpu_seconds() -> float:
    """What this process and the programs that play for it have used so far."""
    return time.process_time() + programs.cpu_seconds()


def total(parts: Sequence[Played[Any]], startup_cpu_seconds: float) -> Times:
    """The cost of all parts together; ``startup_cpu_seconds`` is what came before them."""
    return Times(
        max(part.ended for part in parts) - min(part.begun for part in parts),
        sum(part.cpu_seconds for part in parts),
        startup_cpu_seconds + sum(part.startup_cpu_seconds for part in parts),
    )


@contextmanager
def each_closed(make: Callable[[int], Any]) -> Iterator[Callable[[int], Any]]:
    """What ``make`` makes; each agent that has a method ``close`` is closed before the next, and the last."""
    made: list[Any] = []

    def close() -> None:
        while made:
            ending = getattr(made.pop(), "close", None)
            if callable(ending):
                with suppress(Exception):  # its games are over
                    ending()

    def fresh(seed: int) -> Any:
        close()
        made.append(make(seed))
        return made[0]

    try:
        yield fresh
    finally:
        close()


@contextmanager
def stdout_kept_clean() -> Iterator[None]:
    """Send what agents print, here and in the modules they lie in, to stderr: stdout is the answer's."""
    with redirect_stdout(sys.stderr):
        yield
