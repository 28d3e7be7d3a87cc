"""This side: start agents' processes, speak with them, watch what they use, and end them.

Each run of an agent is a process of its own, forked from a launcher that has loaded the libraries the
agent wants but none of its code (see `surefoot.protocol.launcher`). So nothing that an agent does, to its
modules, its process or its files' descriptors, can reach its next run, and yet a run costs milliseconds,
not the fraction of a second that a fresh Python with its libraries takes.

This guards against mistakes, also wild ones. It is no wall against an agent that means harm: its
process has the user's rights.
"""

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import psutil

import surefoot

from .limits import AgentEnded, Limits

_LONGEST_MESSAGE = 1 << 20
_SOONEST_LOOK, _LATEST_LOOK = 0.05, 0.25
"""Seconds between two looks at what an agent's processes use."""
_GRACE = 5.0
"""Seconds for things that take none: the launcher's answers, and an agent's end once it was told."""

# This package is the one that we are, whichever is installed; its folder hides nothing else.
_BOOT = """
import sys
sys.path.insert(0, sys.argv[2])
from surefoot.protocol.launcher import main
sys.path.append(sys.path.pop(0))
main(int(sys.argv[1]))
"""


class Launcher:
    """A process from which agents' processes are forked, one at a time.

    Args:
        preload: modules that the agents will want.

    Raises:
        OSError: this system cannot fork.
    """

    def __init__(self, preload: Sequence[str] = ()) -> None:
        if not hasattr(os, "fork"):
            raise OSError("an agent's own process needs a system that can fork: Linux, macOS or WSL")
        self._preload = list(preload)
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                # -P, -s: only what is installed, not what lies about where we happen to be.
                [sys.executable, "-P", "-s", "-W", "ignore", "-c", _BOOT, str(theirs.fileno()), _root()],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=_environment(),
                start_new_session=True,
            )
        self._heard = b""

    @property
    def alive(self) -> bool:
        """Whether it can still start agents."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """The process from which agents' processes descend."""
        return self._process.pid

    def start(self, entry: str, arguments: Mapping[str, Any], limits: Limits) -> "Session":
        """Run ``entry`` (``module:function``, called with the channel and the arguments) in a process.

        Raises:
            AgentEnded: the launcher is gone.
        """
        job = {
            "entry": entry,
            "arguments": dict(arguments),
            "preload": self._preload,
            "cpu": limits.cpu,
            "memory": limits.memory + limits.reserve,
        }
        ours, theirs = socket.socketpair()
        reader, writer = os.pipe()
        try:
            socket.send_fds(self._control, [json.dumps(job).encode() + b"\n"], [theirs.fileno(), writer])
            self._preload = []
            pid = self.hear(time.monotonic() + limits.clock)["pid"]
        except (OSError, AgentEnded):
            ours.close()
            os.close(reader)
            self.close()
            raise AgentEnded("exit", "its process could not be started") from None
        finally:
            theirs.close()
            os.close(writer)
        return Session(self, pid, ours, reader, limits)

    def fileno(self) -> int:
        """Readable when the launcher has something to say."""
        return self._control.fileno()

    def hear(self, until: float) -> dict[str, Any]:
        """The launcher's next message, awaited until a moment of the monotonic clock.

        Raises:
            AgentEnded: there is none, because the launcher was ended or does not answer.
        """
        while b"\n" not in self._heard:
            self._control.settimeout(max(until - time.monotonic(), 0.001))
            try:
                data = self._control.recv(1 << 12)
            except OSError:
                data = b""
            if not data:
                raise AgentEnded("exit", "it ended the process that watches over it")
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        message: dict[str, Any] = json.loads(line)
        return message

    def close(self) -> None:
        """End the launcher and whatever descends from it."""
        self.kill_tree()
        self._process.kill()
        self._process.wait()
        self._control.close()

    def kill_tree(self) -> None:
        """End every process that descends from the launcher, but not the launcher."""
        for process in self.tree():
            with contextlib.suppress(psutil.Error):
                process.kill()

    def tree(self) -> list[psutil.Process]:
        """Every process that descends from the launcher; once that is gone its number may be another's."""
        with contextlib.suppress(psutil.Error):
            if self.alive:
                return psutil.Process(self.pid).children(recursive=True)
        return []

    def usage(self) -> tuple[float, int, int]:
        """CPU-seconds, bytes added, and number of all processes that descend from the launcher."""
        cpu, memory, count = 0.0, 0, 0
        with contextlib.suppress(psutil.Error):
            shared = psutil.Process(self.pid).memory_info().rss
            for process in self.tree():
                with contextlib.suppress(psutil.Error):
                    times = process.cpu_times()
                    cpu += times.user + times.system + times.children_user + times.children_system
                    # Forked from the launcher, each begins with the launcher's pages and adds its own.
                    memory += max(process.memory_info().rss - shared, 0)
                    count += 1
        return cpu, memory, count


class Session:
    """One run of an agent: what is said to it, what it answers, what it prints, what it uses."""

    def __init__(self, launcher: Launcher, pid: int, channel: socket.socket, output: int, limits: Limits):
        self._launcher = launcher
        self._pid = pid
        self._channel = channel
        self._output = output
        self._limits = limits
        self._heard = b""
        self._printed = bytearray()
        self._room = limits.output
        self._overflow = self._told = False
        self._running = True
        self._owes_answer = False
        self._began = time.monotonic()
        self._look_at = self._began + _SOONEST_LOOK
        self._until = self._began + limits.clock
        self._too_late = f"no answer for too long: {limits.clock:g} s by the clock"
        self.cpu = 0.0
        """CPU-seconds used; exact once the run has ended."""
        self._poll = select.poll()
        for source in (channel.fileno(), output, launcher.fileno()):
            self._poll.register(source, select.POLLIN)
        os.set_blocking(output, False)
        # An agent that does not listen shall not keep us from looking at the clock.
        channel.settimeout(_GRACE)

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether the agent's process runs, by what has been heard of it without waiting."""
        heard = select.poll()
        heard.register(self._launcher, select.POLLIN)
        if self._running and heard.poll(0):
            self._how_it_ended()
        return self._running

    def allow(self, seconds: float, too_late: str) -> None:
        """Let the agent have so long for its next answer; ``too_late`` is what is said when it has none."""
        self._until, self._too_late = time.monotonic() + seconds, too_late
        self._look_at = min(self._look_at, self._until)

    def send(self, message: Any) -> None:
        """Ask the agent something; one that cannot hear it any more is found out by `receive`."""
        self._owes_answer = True
        self.tell(message)

    def tell(self, message: Any) -> None:
        """Say something that needs no answer."""
        with contextlib.suppress(OSError):
            self._channel.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> Any:
        """The agent's next message.

        Raises:
            AgentEnded: there is none: a limit was reached, or its process has ended, or what came is no
                message. The process has been ended by then.
        """
        try:
            line = self._next_line()
        except AgentEnded as ended:
            self._end()
            raise AgentEnded(ended.how, ended.detail) from None
        self._owes_answer = False
        try:
            return json.loads(line)
        except (ValueError, RecursionError):  # the latter for ten thousand brackets
            self._end()
            raise AgentEnded("channel", f"not a message: {bytes(line[:40])!r}") from None

    def output(self) -> str:
        """What was printed since this was last asked for, up to the limit of what is kept."""
        self._drain()
        text = self._printed.decode("utf-8", errors="backslashreplace")
        self._printed.clear()
        if self._overflow:
            text += f"\n(what it printed beyond {self._limits.output} bytes was not kept)"
            self._overflow, self._told = False, True
        return text

    def forget_output(self) -> None:
        """Drop what was printed so far, and keep as much again of what comes from now on."""
        self._drain()
        self._printed.clear()
        self._room = self._limits.output
        self._overflow = self._told = False

    def close(self, *, at_once: bool = False) -> None:
        """Let the agent's process end, and see that it does; at once if it is still busy with a question."""
        if self._running and (at_once or self._owes_answer):
            self._end()
        elif self._running:
            with contextlib.suppress(OSError):
                self._channel.shutdown(socket.SHUT_WR)
            self._await_end(time.monotonic() + _GRACE)
            if self._running:
                self._end()
        if self._output >= 0:
            self._drain()
            os.close(self._output)
            self._output = -1
        self._channel.close()

    def _next_line(self) -> bytes:
        while b"\n" not in self._heard:
            if time.monotonic() >= self._look_at:
                self._look()
            ready = dict(self._poll.poll(1000 * max(self._look_at - time.monotonic(), 0.001)))
            if self._output in ready:
                self._drain()
            if self._channel.fileno() in ready:
                self._read_channel()
            elif self._launcher.fileno() in ready:
                raise self._how_it_ended()
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def _read_channel(self) -> None:
        try:
            data = self._channel.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            # Closed, most likely because its process is ending: then that is the reason to give.
            self._await_end(time.monotonic() + 1.0)
            raise (
                AgentEnded("channel", "it closed the channel on which it is asked")
                if self._running
                else self._reason
            )
        self._heard += data
        if len(self._heard) > _LONGEST_MESSAGE:
            raise AgentEnded("channel", "a message without end")

    def _await_end(self, until: float) -> None:
        """Wait for the launcher to say that the process has ended, draining what it prints meanwhile."""
        poll = select.poll()
        for source in (self._output, self._launcher.fileno()):
            poll.register(source, select.POLLIN)
        while (left := until - time.monotonic()) > 0:
            ready = dict(poll.poll(1000 * left))
            if self._output in ready and not self._drain():
                poll.unregister(self._output)
            if self._launcher.fileno() in ready:
                self._reason = self._how_it_ended()
                return

    def _how_it_ended(self) -> AgentEnded:
        """Take the launcher's report that the process has ended, and put it into words."""
        self._running = False
        try:
            report = self._launcher.hear(time.monotonic() + _GRACE)
        except AgentEnded as gone:
            self._launcher.close()
            return gone
        self.cpu = report["cpu"]
        status = report["status"]
        if status >= 0:
            return AgentEnded("exit", f"its process ended with exit code {status}")
        if -status == signal.SIGXCPU:
            return self._too_long()
        name = signal.Signals(-status).name if -status in set(signal.Signals) else f"signal {-status}"
        return AgentEnded("exit", f"its process was ended by {name}")

    def _end(self) -> None:
        """End the process and all that it started."""
        if not self._running:
            return
        self._launcher.kill_tree()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        self._await_end(time.monotonic() + _GRACE)
        if self._running:
            self._running = False
            self._launcher.close()

    def _look(self) -> None:
        """Compare what the agent's processes use with what they may."""
        now = time.monotonic()
        spent = now - self._began
        # Seldom in a long run, so that watching costs next to nothing, but always in time.
        self._look_at = now + min(max(spent / 10, _SOONEST_LOOK), _LATEST_LOOK)
        if now < self._until:
            self._look_at = min(self._look_at, self._until)
        cpu, memory, count = self._launcher.usage()
        self.cpu = max(self.cpu, cpu)
        if self.cpu > self._limits.cpu:
            raise self._too_long()
        if now >= self._until:
            raise AgentEnded("time", self._too_late)
        if memory > self._limits.memory:
            raise AgentEnded("memory", f"more than {self._limits.memory >> 20} MB added")
        if count > self._limits.processes:
            raise AgentEnded("processes", f"more than {self._limits.processes} processes at a time")

    def _too_long(self) -> AgentEnded:
        return AgentEnded("time", f"more than {self._limits.cpu:g} CPU-seconds")

    def _drain(self) -> bool:
        """Take what was printed; the answer is whether more may come."""
        while True:
            try:
                data = os.read(self._output, 1 << 16)
            except BlockingIOError:
                return True
            except OSError:
                return False
            if not data:
                with contextlib.suppress(KeyError):
                    self._poll.unregister(self._output)
                return False
            kept = data[: self._room]
            self._printed += kept
            self._room -= len(kept)
            if len(kept) < len(data):
                self._overflow = not self._told
                # Who prints without end shall not keep us from looking at the clock.
                if time.monotonic() >= self._look_at:
                    return True


_launchers: dict[tuple[int, tuple[str, ...]], Launcher] = {}


def launcher(preload: Sequence[str]) -> Launcher:
    """This process's launcher for agents that want these modules, started when there is none alive."""
    key = (os.getpid(), tuple(preload))
    known = _launchers.get(key)
    if known is None or not known.alive:
        if known is not None:
            known.close()
        _launchers[key] = known = Launcher(preload)
    return known


@atexit.register
def close_launchers() -> None:
    """End the launchers that this process has started."""
    for (pid, _), known in list(_launchers.items()):
        if pid == os.getpid():
            known.close()
    _launchers.clear()


def _root() -> str:
    """The folder that holds this package, which the launcher may not find by itself."""
    return str(Path(surefoot.__file__).parents[1])


def _environment() -> dict[str, str]:
    """Ours, but with one thread and one order of sets, so that the same seed plays the same game."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return own | threads | {"PYTHONHASHSEED": "0"}
