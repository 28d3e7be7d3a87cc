"""The socket of one client: what it says is carried out in turn, and what changes is told it in deltas.

A client is sent at most so many deltas a second, each worked out from the view that it was sent last. One
that reads slowly, or not at all, so gets fewer and larger ones; nothing is ever queued for it.
"""

import asyncio
import json
import logging
from contextlib import ExitStack, suppress
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from surefoot import __version__

from .delta import difference
from .hub import Hub
from .limits import BURST, MAX_CONNECTIONS, MAX_MESSAGES_A_SECOND, SEND_SECONDS, UPDATES_A_SECOND
from .messages import CreateMinesweeper, CreateRisk, Join, Snapshot, read, ref_of
from .refusals import Refused, in_words
from .session import Session, View
from .warm import wait_until

_log = logging.getLogger(__name__)

_TRY_LATER: Final = 1013
_POLICY: Final = 1008


class Doorman:
    """Lets clients in, at most so many at once.

    Args:
        hub: where the games are.
        ready: set as soon as games can be played.
        most: how many clients there may be at once.
    """

    def __init__(self, hub: Hub, ready: asyncio.Event, most: int = MAX_CONNECTIONS) -> None:
        self._hub = hub
        self._ready = ready
        self._most = most
        self.connections = 0

    async def serve(self, socket: WebSocket) -> None:
        """Serve a client until it leaves."""
        await socket.accept()
        if self.connections >= self._most:
            client = _Client(socket, self._hub, self._ready)
            with suppress(WebSocketDisconnect, TimeoutError):
                await client.refuse(
                    None, Refused("too-many", f"{self._most} pages are connected; close some of them")
                )
                await socket.close(_TRY_LATER)
            return
        self.connections += 1
        try:
            await _Client(socket, self._hub, self._ready).serve()
        finally:
            self.connections -= 1


class Bucket:
    """Lets things happen at a steady rate, after a pause so many at once.

    Args:
        rate: how many a second in the long run.
        burst: how many at once.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._at = asyncio.get_running_loop().time()

    async def take(self) -> None:
        """Wait until the next one may happen."""
        now = asyncio.get_running_loop().time()
        self._level = min(self._level + (now - self._at) * self._rate, self._burst) - 1
        self._at = now
        if self._level < 0:
            await asyncio.sleep(-self._level / self._rate)


class _Client:
    """One open socket, and the game that it looks at, if any."""

    def __init__(self, socket: WebSocket, hub: Hub, ready: asyncio.Event) -> None:
        self._socket = socket
        self._hub = hub
        self._ready = ready
        self._session: Session | None = None
        self._sent: tuple[int, View] = (0, {})
        # What is sent, and what is taken for granted to have been sent, must go together.
        self._turn = asyncio.Lock()
        self._watch = ExitStack()
        self._follower: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        herald: asyncio.Task[None] | None = None
        try:
            ready = self._ready.is_set()
            await self._send({"type": "hello", "version": __version__, "ready": ready})
            if not ready:
                herald = asyncio.create_task(self._tell_ready())
            await self._listen()
        except (WebSocketDisconnect, TimeoutError):
            pass  # it has left, or has not read for a long time; returning ends the connection
        finally:
            self._leave()
            if herald is not None:
                herald.cancel()

    async def refuse(self, ref: int | None, refused: Refused) -> None:
        await self._answer(ref, {"type": "error", "code": refused.code, "message": refused.message})

    async def _listen(self) -> None:
        bucket = Bucket(MAX_MESSAGES_A_SECOND, MAX_MESSAGES_A_SECOND)
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            # More than the limit is not refused but left where it is until its time has come.
            await bucket.take()
            text = message.get("text")
            if text is None:
                await self.refuse(None, Refused("bad-message", "messages are JSON text, not binary frames"))
                continue
            await self._hear(text)

    async def _hear(self, text: str) -> None:
        ref = None
        try:
            try:
                said = read(text)
            except Refused:
                ref = ref_of(text)
                raise
            ref = said.ref
            if isinstance(said, CreateMinesweeper | CreateRisk):
                await self._look_at(await self._create(said))
            elif isinstance(said, Join):
                await self._look_at(self._hub.get(said.session))
            else:
                session = self._session
                if session is None:
                    raise Refused("no-session", "begin or join a game first")
                if isinstance(said, Snapshot):
                    await self._send_snapshot(session)
                else:
                    # A game may have been closed under the eyes of a client that was slow to join it.
                    await self._hub.get(session.key).handle(said)
        except Refused as refused:
            await self.refuse(ref, refused)
        except (WebSocketDisconnect, TimeoutError):
            raise
        except Exception as error:
            await self.refuse(ref, in_words(error))
        else:
            if ref is not None:
                await self._answer(ref, {"type": "ok"})

    async def _create(self, said: CreateMinesweeper | CreateRisk) -> Session:
        await wait_until(self._ready)
        if isinstance(said, CreateMinesweeper):
            return await self._hub.create_minesweeper(said)
        return await self._hub.create_risk(said)

    async def _look_at(self, session: Session) -> None:
        self._leave()
        self._session = session
        event = self._watch.enter_context(session.watching())
        await self._send_snapshot(session)
        self._follower = asyncio.create_task(self._follow(session, event))

    def _leave(self) -> None:
        if self._follower is not None:
            self._follower.cancel()
            self._follower = None
        self._watch.close()
        self._session = None

    async def _follow(self, session: Session, event: asyncio.Event) -> None:
        """Tell the client what changes, as fast as it may and can take it."""
        bucket = Bucket(UPDATES_A_SECOND, BURST)
        try:
            while True:
                await event.wait()
                await bucket.take()
                # What comes from here on is in the next one.
                event.clear()
                await self._send_delta(session)
        except WebSocketDisconnect:
            pass  # the reader will notice, too
        except Exception as error:
            if not isinstance(error, TimeoutError):
                _log.exception("session %s: it cannot be shown", session.key)
            with suppress(Exception):
                await asyncio.wait_for(self._socket.close(_POLICY), 1)

    async def _send_snapshot(self, session: Session) -> None:
        async with self._turn:
            version, view = session.version, session.view()
            await self._send_now(
                {"type": "snapshot", "session": session.key, "version": version, "view": view}
            )
            self._sent = version, view

    async def _send_delta(self, session: Session) -> None:
        async with self._turn:
            before, old = self._sent
            version, view = session.version, session.view()
            change = difference(old, view)
            if change is None:
                return
            await self._send_now({"type": "delta", "from": before, "to": version, "change": change})
            self._sent = version, view

    async def _tell_ready(self) -> None:
        await self._ready.wait()
        with suppress(WebSocketDisconnect, TimeoutError):
            await self._send({"type": "ready"})

    async def _answer(self, ref: int | None, message: dict[str, Any]) -> None:
        await self._send(message if ref is None else {**message, "ref": ref})

    async def _send(self, message: dict[str, Any]) -> None:
        async with self._turn:
            await self._send_now(message)

    async def _send_now(self, message: dict[str, Any]) -> None:
        text = json.dumps(message, separators=(",", ":"), allow_nan=False)
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._socket.send_text(text)
        except RuntimeError:  # the socket was closed from here
            raise WebSocketDisconnect(1006) from None
