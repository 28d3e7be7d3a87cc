"""Worker processes in which agents think and positions are counted, so that the event loop never waits.

Each lane is one process. A game keeps to its lane, where its agents live from move to move; studies
(analysis, proofs, win chances) have a lane of their own, so that a long thought never holds up an answer.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import suppress
from itertools import cycle
from typing import Any, TypeVar

from surefoot.arena.play import interrupt_held
from surefoot.errors import Contradiction, FormatError, IllegalAction, RulesError, TooComplex

from .limits import THINKING_SECONDS
from .refusals import Refused, in_words

T = TypeVar("T")


class Lanes:
    """The worker processes of one server; `close` ends them.

    Args:
        players: how many lanes agents share; one more is for studies. By default one a core, at most four.
    """

    def __init__(self, players: int | None = None) -> None:
        self._players = [_Lane() for _ in range(players or min(os.cpu_count() or 1, 4))]
        self._studies = _Lane()
        self._apart = _Lane()
        self._later: asyncio.Task[None] | None = None

    async def play(self, key: str, work: Callable[..., T], *arguments: Any) -> T:
        """Do something in the lane of a game, when its turn comes.

        Raises:
            Refused: it took too long, its process died, or it was refused in the words of the games.
        """
        return await self._lane_of(key).do(work, arguments)

    async def study(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do something in the lane for studies; nobody waits for its turn for longer than it may take.

        Raises:
            Refused: as `play`.
        """
        return await self._studies.do(work, arguments, patience=THINKING_SECONDS)

    async def prepare(self, *works: Callable[[], None]) -> None:
        """Have some things done at once, each in one lane, then all of them in every lane.

        However long that takes: what has to be compiled is so compiled once, by as many as can.
        """
        lanes = [self._studies, *self._players]
        await _together(works, lanes)
        for work in works:
            await _together([work] * len(lanes), lanes)

    def prepare_later(self, work: Callable[[], None]) -> None:
        """Have something done that nobody waits for, first in a process of its own, then in every lane."""

        async def do() -> None:
            try:
                await self._apart.do(work, (), limit=None)
            finally:
                self._apart.close()
            await self.prepare(work)

        self._later = asyncio.get_running_loop().create_task(do())

    def forget(self, key: str) -> None:
        """Let the agents of a game go, if its lane has any."""
        self._lane_of(key).tell(_forget, key)

    def close(self) -> None:
        """End all processes, whatever they are doing, for good."""
        if self._later is not None:
            self._later.cancel()
        for lane in (*self._players, self._studies, self._apart):
            lane.close()

    def _lane_of(self, key: str) -> "_Lane":
        return self._players[sum(key.encode()) % len(self._players)]


async def _together(works: Sequence[Callable[[], None]], lanes: Sequence["_Lane"]) -> None:
    """Have each of some things done in the lane of the same place, or in the first ones again."""
    await asyncio.gather(*(lane.do(work, (), limit=None) for work, lane in zip(works, cycle(lanes))))


class _Lane:
    """One worker process, started when it is first needed, and what waits for it."""

    def __init__(self) -> None:
        self._executor: ProcessPoolExecutor | None = None
        self._turn = asyncio.Lock()
        self._last: Future[Any] | None = None
        self._closed = False

    async def do(
        self,
        work: Callable[..., T],
        arguments: tuple[Any, ...],
        *,
        limit: float | None = THINKING_SECONDS,
        patience: float | None = None,
    ) -> T:
        """Do something within ``limit`` seconds, after waiting for at most ``patience`` seconds."""
        try:
            await asyncio.wait_for(self._turn.acquire(), patience)
        except TimeoutError:
            raise Refused("too-slow", "many are asking; try again in a moment") from None
        try:
            await self._finish_last()
            return await self._run(work, arguments, limit)
        finally:
            self._turn.release()

    async def _finish_last(self) -> None:
        """Wait for what nobody waits for any more, so that its time is not taken from the next one's."""
        if self._last is not None and not self._last.done():
            done, _ = await asyncio.wait([_awaitable(self._last)], timeout=THINKING_SECONDS)
            if not done:
                self._stop()

    async def _run(self, work: Callable[..., T], arguments: tuple[Any, ...], limit: float | None) -> T:
        if self._closed:
            raise Refused("too-slow", "the server is closing")
        try:
            future = self._last = self._started().submit(work, *arguments)
            # Cancelling whoever waits does not stop the process, hence the shield: it is still at work.
            return await asyncio.wait_for(asyncio.shield(_awaitable(future)), limit)
        except TimeoutError:
            self._stop()
            raise Refused("too-slow", f"no answer within {limit:g} seconds") from None
        except BrokenExecutor:
            self._stop()
            raise Refused("too-slow", "the worker process died; ask again") from None
        except (FormatError, RulesError, IllegalAction, Contradiction, TooComplex) as error:
            raise in_words(error) from None

    def tell(self, work: Callable[..., None], *arguments: Any) -> None:
        """Have something done that nobody waits for, if there is a process."""
        if self._executor is not None:
            with suppress(RuntimeError):  # its process died: there is nothing to do any more
                self._executor.submit(work, *arguments)

    def close(self) -> None:
        self._closed = True
        self._stop()

    def _started(self) -> ProcessPoolExecutor:
        if self._executor is None:
            # A forked copy of a process with threads may hang; a spawned one is clean everywhere.
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(1, mp_context=context, initializer=begin_worker)
            with interrupt_held():
                self._executor.submit(int)  # starts the process
        return self._executor

    def _stop(self) -> None:
        executor, self._executor, self._last = self._executor, None, None
        if executor is not None:
            processes = list((getattr(executor, "_processes", None) or {}).values())
            executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()


def _awaitable(future: Future[T]) -> asyncio.Future[T]:
    """What can be waited for, and may be left alone: nobody is told of what came of it then."""
    waited = asyncio.wrap_future(future)
    waited.add_done_callback(lambda done: done.cancelled() or done.exception())
    return waited


_AGENTS: dict[tuple[str, int], tuple[str, Any]] = {}
_MOST_AGENTS = 2000


def agent_of(key: str, seat: int, spec: str, game: str, seed: int) -> Any:
    """In a worker process: the agent that sits there in a game, made when it is first asked for.

    Raises:
        FormatError: there is no such agent.
    """
    from surefoot.spec import parse

    held = _AGENTS.get((key, seat))
    if held is None or held[0] != spec:
        if len(_AGENTS) >= _MOST_AGENTS:
            del _AGENTS[next(iter(_AGENTS))]
        held = _AGENTS[key, seat] = spec, parse(spec, game).make(seed)
    return held[1]


def _forget(key: str) -> None:
    for name in [name for name in _AGENTS if name[0] == key]:
        del _AGENTS[name]


def begin_worker() -> None:
    """First thing in a process of the server's: leave Ctrl-C to the server, and end when it ends."""
    # Ctrl-C is for the server, which then ends its processes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    """Leave as soon as the server is gone, however it went; nobody waits for what is worked out here."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)
