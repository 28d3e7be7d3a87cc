"""The page's server as a user starts it: a process of its own, on a free port."""

import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_START_SECONDS = 120
_READY_SECONDS = 600  # on a machine that has to compile first


@dataclass(frozen=True)
class Running:
    """A server that answers.

    Args:
        url: where, without a slash at the end.
        process: it itself.
        log: the file with what it has said on stderr.
    """

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def websocket(self) -> str:
        return "ws" + self.url.removeprefix("http") + "/ws"

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8")

    def wait_until_ready(self) -> None:
        """Wait until games can be played."""
        end = time.monotonic() + _READY_SECONDS
        while time.monotonic() < end:
            with urllib.request.urlopen(f"{self.url}/api/about", timeout=60) as answer:
                if json.load(answer)["ready"]:
                    return
            time.sleep(0.2)
        raise TimeoutError(f"not ready after {_READY_SECONDS} s: {self.said()}")


@contextmanager
def serving(*options: str) -> Iterator[Running]:
    """A server with such options of ``surefoot serve`` and an empty store; it is ended afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        log, store = Path(folder) / "log", str(Path(folder) / "arena.db")
        with log.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "surefoot", "serve", "--port", "0", "--store", store, *options],
                stdout=subprocess.DEVNULL,
                stderr=out,
                start_new_session=True,
            )
        try:
            yield Running(_url(process, log), process, log)
        finally:
            if process.poll() is None:
                process.terminate()
            process.wait(timeout=60)


def _url(process: subprocess.Popen[bytes], log: Path) -> str:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        for line in log.read_text(encoding="utf-8").splitlines():
            if line.startswith("surefoot: serving on "):
                return line.split()[-1].partition("?")[0].rstrip("/")
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise TimeoutError(f"the server does not say where it is: {log.read_text(encoding='utf-8')}")
