"""What tests of the page share: one real server, which must have had no fault after them, and lanes."""

from collections.abc import Iterator

import pytest

from tests.web.risk_table import InlineLanes
from tests.web.serving import Running, serving


@pytest.fixture(scope="session")
def running_server() -> Iterator[Running]:
    """A server in a process of its own, ready to play."""
    with serving() as server:
        server.wait_until_ready()
        yield server
        assert "Traceback" not in server.said(), server.said()


@pytest.fixture(scope="session")
def server(running_server: Running) -> str:
    """The address of that server, such as ``http://127.0.0.1:40123``."""
    return running_server.url


@pytest.fixture(scope="module")
def lanes() -> InlineLanes:
    """Lanes for sessions of Risk that need no processes."""
    return InlineLanes()
