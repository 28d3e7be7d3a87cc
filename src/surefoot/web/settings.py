"""Where the page's server listens, and who may speak to it."""

import ipaddress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """What ``surefoot serve`` was told.

    Args:
        host: the address or name to listen on.
        port: the port it listens on.
        token: what a browser has to show; needed unless only this machine can reach the server.
        lanes: how many worker processes agents share; None for one a core, at most four.
        store: where the arena's results are kept, a path or a URL; None for a file in the user's data folder.

    Raises:
        ValueError: the server could be reached from outside, and there is no token.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None
    lanes: int | None = None
    store: str | None = None

    def __post_init__(self) -> None:
        if not is_loopback(self.host) and not self.token:
            raise ValueError(f"host {self.host} can be reached from outside; it needs an access token")

    @property
    def url(self) -> str:
        """The page's address, as one on this machine types it."""
        name = "localhost" if self.host in EVERYWHERE else _bracketed(self.host)
        return f"http://{name}:{self.port}/"

    def allows_host(self, host: str) -> bool:
        """Whether a request may name this host: the server's own names while no token is asked for.

        A page on another site can make its own name point here. With a token it still cannot come in, since
        the cookie that holds the token belongs to the name under which the page was opened.
        """
        if self.token:
            return bool(host)
        names = {"127.0.0.1", "localhost", "[::1]", _bracketed(self.host).lower()}
        name, _, port = host.lower().rpartition(":")
        # A browser leaves port 80 out.
        return (name in names and port == str(self.port)) or (self.port == 80 and host.lower() in names)


EVERYWHERE = ("0.0.0.0", "::")
"""Addresses that stand for all of a machine's own."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens on ``host``."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
