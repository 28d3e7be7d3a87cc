"""A few hundred messages and requests of any kind; `tools/results.py` sends twenty thousand."""

from tests.web.fuzzing import fuzz_api, fuzz_socket
from tests.web.serving import Running


def test_anything_may_be_said_to_the_socket(running_server: Running) -> None:
    report = fuzz_socket(running_server.url, 400, seed=1)
    assert report["faults"] == []
    # Neither all nonsense nor all harmless.
    assert report["answers"]["ok"] > 20
    assert report["answers"]["bad-message"] > 40
    assert report["answers"]["delta"] > 10
    assert "Traceback" not in running_server.said(), running_server.said()


def test_anything_may_be_asked_of_the_api(running_server: Running) -> None:
    report = fuzz_api(running_server.url, 400, seed=1)
    assert report["requests"] >= 400
    assert report["faults"] == []
    assert report["answers"]["200"] > 20
    assert report["answers"]["422"] > 100
    assert "Traceback" not in running_server.said(), running_server.said()
