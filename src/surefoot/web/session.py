"""A game on the page: what its clients see of it, who watches, and what goes on in it by itself.

Sessions live on the event loop and are touched there alone; whatever takes time is done in worker processes
(see `lanes`), and what comes back is looked at again before it is used, since the game may have moved on.
"""

import asyncio
import logging
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from .lanes import Lanes
from .limits import ALONE_SECONDS, MAX_SPEED
from .messages import SessionMessage
from .refusals import Refused

View = dict[str, Any]

_LOOK_AGAIN = 0.5
"""Seconds between two looks at whether somebody has come back."""

_log = logging.getLogger(__name__)


class Session(ABC):
    """One game, and everybody who looks at it.

    Args:
        key: by which clients find it; nobody can guess it.
        lanes: the worker processes.
    """

    game: ClassVar[str]
    """Which game it is; the page shows it by this name."""

    def __init__(self, key: str, lanes: Lanes) -> None:
        self.key = key
        self.lanes = lanes
        self.version = 0
        self.used = time.monotonic()
        self._left = math.inf
        self._view: View | None = None
        self._watchers: set[asyncio.Event] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @abstractmethod
    def build(self) -> View:
        """What clients see now, as fresh JSON values."""

    @abstractmethod
    async def handle(self, message: SessionMessage) -> None:
        """Carry out what a client asks.

        Raises:
            Refused: it cannot be done; nothing has changed.
        """

    @abstractmethod
    def record(self) -> str:
        """The game as text, for saving.

        Raises:
            Refused: there is nothing to save yet.
        """

    def view(self) -> View:
        """What clients see now; the same object until something changes."""
        if self._view is None:
            self._view = self.build()
        return self._view

    def changed(self) -> None:
        """Something is not as clients have seen it; they will be told."""
        self.version += 1
        self._view = None
        self.used = time.monotonic()
        for watcher in self._watchers:
            watcher.set()

    @property
    def watched(self) -> bool:
        """Whether any client looks at it."""
        return bool(self._watchers)

    @property
    def alone(self) -> bool:
        """Whether its last client left a while ago."""
        return not self._watchers and time.monotonic() - self._left > ALONE_SECONDS

    @contextmanager
    def watching(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever something has changed; the watcher clears it."""
        event = asyncio.Event()
        self._watchers.add(event)
        try:
            yield event
        finally:
            self._watchers.discard(event)
            self.used = self._left = time.monotonic()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let something go on beside the messages; it ends with the session."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_over)
        return task

    def _task_over(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("session %s: %s", self.key, error, exc_info=error)

    def close(self) -> None:
        """End everything that goes on; worker processes forget the game."""
        for task in self._tasks:
            task.cancel()
        self.lanes.forget(self.key)


class Pace:
    """Agents' moves at a steady speed, in steps of at most about twenty a second.

    Args:
        session: whose moves they are.
        advance: plays up to ``n`` moves (0: as many as fit in one step) and tells how many it played; 0 means
            that there is nothing to play now, which stops the clock until `wake`.
    """

    def __init__(self, session: Session, advance: Callable[[int], Awaitable[int]]) -> None:
        self.running = False
        self.speed = 4.0
        self._session = session
        self._advance = advance
        self._task: asyncio.Task[None] | None = None
        self._single = False

    def set(self, *, running: bool | None = None, speed: float | None = None) -> None:
        """Start or stop, or change the speed in moves a second; 0 is as fast as possible."""
        if speed is not None:
            if speed != 0 and not 0.1 <= speed <= MAX_SPEED:
                raise Refused(
                    "bad-message", f"speed is 0.1 to {MAX_SPEED:g} moves a second, or 0 for no limit"
                )
            self.speed = speed
        if running is not None:
            self.running = running
        self.wake()
        self._session.changed()

    def step(self) -> None:
        """Play one move, then stand still."""
        self.running = False
        self._single = True
        self.wake()

    def wake(self) -> None:
        """There may be something to play again."""
        if (self.running or self._single) and (self._task is None or self._task.done()):
            self._task = self._session.start(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while self.running or self._single:
            if self._session.alone:  # nobody sees it; the clock stands still until somebody does
                await asyncio.sleep(_LOOK_AGAIN)
                continue
            single, self._single = self._single, False
            speed = self.speed
            # Slow agents are shown move by move, fast ones some moves a step.
            step = max(1 / speed, 0.05) if speed else 0.05
            count = 1 if single else round(speed * step)
            if not await self._advance(count):
                return
            due = max(due + step, loop.time() - step)
            await asyncio.sleep(max(due - loop.time(), 0))
