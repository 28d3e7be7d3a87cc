"""Running the application: the socket it listens on, and a clean end."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from dataclasses import replace

import uvicorn

from .app import create_app
from .limits import MAX_FRAME
from .settings import EVERYWHERE, Settings

_BACKLOG = 512
_GRACE_SECONDS = 2
_PING_SECONDS = 60.0


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on an address; port 0 takes a free one.

    Raises:
        OSError: there is no such address, or the port is taken; the message names both.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise OSError(f"{host[:80]!r} is no address to listen on") from None
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        words = (error.strerror or str(error)).lower()
        raise OSError(f"cannot listen on {host}, port {port}: {words}") from None
    return listener


def address(settings: Settings) -> str:
    """What to type to get to the server, its token included; from other machines, if they can reach it."""
    if settings.host in EVERYWHERE:
        settings = replace(settings, host=_own_address())
    return settings.url + (f"?token={settings.token}" if settings.token else "")


def _own_address() -> str:
    """This machine's address in its network, or its name for itself."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: this only asks which way it would go. The address is one for documentation.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "localhost"
        return str(probe.getsockname()[0])


class _Server(uvicorn.Server):
    """Tells when it listens."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._announce()


def run(
    settings: Settings, listener: socket.socket, announce: Callable[[], None], log_level: str = "warning"
) -> None:
    """Serve until Ctrl-C or SIGTERM.

    Args:
        settings: with the port of ``listener``.
        listener: as made by `listen`.
        announce: called once, when the server answers.
        log_level: how much uvicorn tells.
    """
    config = uvicorn.Config(
        create_app(settings),
        ws_max_size=MAX_FRAME,
        # A client may be asking something that takes a while; its answer to a ping waits behind that.
        ws_ping_interval=_PING_SECONDS,
        ws_ping_timeout=_PING_SECONDS,
        # On the way to the same machine packing costs more than it saves, and memory for each client.
        ws_per_message_deflate=False,
        proxy_headers=False,
        server_header=False,
        log_config=None,
        log_level=log_level,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    # uvicorn raises both signals again after its end; by itself, the second would cut the clean end short.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        asyncio.run(_Server(config, announce).serve([listener]))
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()
