"""All games of one server, by keys that nobody can guess."""

import secrets
import time

from .lanes import Lanes
from .limits import IDLE_SECONDS, MAX_SESSIONS
from .messages import CreateMinesweeper, CreateRisk
from .refusals import Refused
from .session import Session


class Hub:
    """Makes games, finds them again, and lets those go that nobody needs.

    Args:
        lanes: the worker processes, for all games.
        most: how many games there may be at once.
    """

    def __init__(self, lanes: Lanes, most: int = MAX_SESSIONS) -> None:
        self._lanes = lanes
        self._most = most
        self._sessions: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    async def create_minesweeper(self, message: CreateMinesweeper) -> Session:
        """A new game of Minesweeper.

        Raises:
            Refused: there is no such game, or too many games are open.
        """
        from .minesweeper.session import MinesweeperSession

        self._make_room()
        return self._keep(await MinesweeperSession.create(_new_key(), self._lanes, message))

    async def create_risk(self, message: CreateRisk) -> Session:
        """A new game of Risk.

        Raises:
            Refused: as `create_minesweeper`.
        """
        from .risk.session import RiskSession

        self._make_room()
        return self._keep(await RiskSession.create(_new_key(), self._lanes, message))

    def get(self, key: str) -> Session:
        """The game with this key.

        Raises:
            Refused: there is none, or none any more.
        """
        session = self._sessions.get(key)
        if session is None:
            raise Refused("no-session", "there is no such game here any more; begin a new one")
        return session

    def close_idle(self, now: float | None = None) -> None:
        """Let the games go that nobody watches or has used for hours; ``now`` is in monotonic seconds."""
        now = time.monotonic() if now is None else now
        for session in list(self._sessions.values()):
            if not session.watched and now - session.used > IDLE_SECONDS:
                self._drop(session)

    def close(self) -> None:
        """Let all games go."""
        for session in list(self._sessions.values()):
            self._drop(session)

    def _keep(self, session: Session) -> Session:
        # Others may have been made while this one was.
        try:
            self._make_room()
        except Refused:
            session.close()
            raise
        self._sessions[session.key] = session
        return session

    def _make_room(self) -> None:
        if len(self._sessions) < self._most:
            return
        free = [session for session in self._sessions.values() if not session.watched]
        if not free:
            raise Refused("too-many", f"{self._most} games are being played here; try again later")
        self._drop(min(free, key=lambda session: session.used))

    def _drop(self, session: Session) -> None:
        del self._sessions[session.key]
        session.close()


def _new_key() -> str:
    return secrets.token_urlsafe(18)
