"""``surefoot serve``: it tells where it is, answers at once, and leaves nothing behind."""

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from tests.web.serving import serving


def command(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "surefoot", "serve", *options],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_page_is_there_before_the_kernels_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUREFOOT_CACHE_DIR", str(tmp_path))  # nothing has been compiled there
    with serving() as server:
        assert server.said() == f"surefoot: serving on {server.url}/\n"
        assert urlsplit(server.url).hostname == "127.0.0.1"
        with urllib.request.urlopen(f"{server.url}/", timeout=60) as answer:
            text = answer.read().decode()
        assert answer.status == 200
        assert text.startswith("<!doctype html>") and "Surefoot" in text
        with urllib.request.urlopen(f"{server.url}/api/about", timeout=60) as answer:
            assert not json.load(answer)["ready"]


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_all_its_processes(stop: signal.Signals) -> None:
    with serving() as server:
        process = psutil.Process(server.process.pid)
        children = _wait_for_children(process)
        server.process.send_signal(stop)
        assert server.process.wait(timeout=60) == 0
        _, alive = psutil.wait_procs(children, timeout=60)
        assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []
        assert server.said() == f"surefoot: serving on {server.url}/\n"


def test_its_processes_end_even_when_it_is_killed() -> None:
    with serving() as server:
        children = _wait_for_children(psutil.Process(server.process.pid))
        server.process.kill()
        server.process.wait(timeout=60)
        _, alive = psutil.wait_procs(children, timeout=60)
        assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []


def _wait_for_children(process: psutil.Process) -> list[psutil.Process]:
    """Its worker processes, as soon as there is one that has begun to work."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        children = process.children(recursive=True)
        # The other one watches over semaphores.
        if len(children) >= 2 and any(one.num_threads() > 1 for one in children):
            return children
        time.sleep(0.1)
    raise TimeoutError("no worker process")


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        run = command("--port", str(port))
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"surefoot: cannot listen on 127.0.0.1, port {port}: address already in use\n"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--port", "-1"], "--port"),
        (["--port", "65536"], "--port"),
        (["--host", "no such host"], "no such host"),
        (["--host", "192.0.2.1", "--port", "0"], "192.0.2.1"),
        (["--log-level", "loud"], "loud"),
    ],
)
def test_what_cannot_be_is_one_line(options: list[str], words: str) -> None:
    run = command(*options)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("surefoot: ") and run.stderr.count("\n") == 1
    assert words in run.stderr


def test_where_others_can_reach_it_a_token_is_printed_once() -> None:
    with serving("--host", "0.0.0.0") as server:
        line = server.said()
        assert line.count("\n") == 1
        token = line.strip().partition("?token=")[2]
        assert len(token) >= 20
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{server.url}/api/about", timeout=60)
        assert refused.value.code == 401
        refused.value.close()
        asked = urllib.request.Request(
            f"{server.url}/api/about", headers={"Authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            assert json.load(answer)["version"]
        assert server.said() == line
