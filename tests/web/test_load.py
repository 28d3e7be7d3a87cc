"""Some games at once for a few seconds; `tools/results.py` plays two hundred for two minutes."""

from tests.web.load import run
from tests.web.serving import Running


def test_many_games_at_once(running_server: Running) -> None:
    figures = run(running_server.url, 30, 20, 5, running_server.process.pid)
    assert figures["errors"] == []
    assert figures["moves"] > 50
    assert figures["games"] >= 30
    assert figures["bytes_per_move"] < 3000
    assert figures["memory_growth_mb"] < 50
