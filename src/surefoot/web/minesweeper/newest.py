"""Work about a game that moves on: only the newest position is worth it."""

import asyncio
from collections.abc import Awaitable, Callable

from ..session import Session


class Newest:
    """Work about the newest position: while it goes on, it is asked for once more at most.

    Args:
        session: whose position it is.
        work: looks at the position when it begins.
    """

    def __init__(self, session: Session, work: Callable[[], Awaitable[None]]) -> None:
        self._session = session
        self._work = work
        self._task: asyncio.Task[None] | None = None
        self._asked = False

    @property
    def busy(self) -> bool:
        """Whether it goes on."""
        return self._task is not None and not self._task.done()

    def ask(self) -> None:
        """The position is a new one."""
        self._asked = True
        if not self.busy:
            self._task = self._session.start(self._run())

    async def settle(self, seconds: float) -> None:
        """Wait until it is done, but no longer than some seconds."""
        if self._task is not None and self.busy:
            await asyncio.wait({self._task}, timeout=seconds)

    async def _run(self) -> None:
        while self._asked:
            self._asked = False
            await self._work()
