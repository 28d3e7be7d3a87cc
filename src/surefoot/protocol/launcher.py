"""The other side: a small process that runs each job in a child of its own and clears up after it.

`surefoot.protocol.host` starts this as a program. It knows nothing of games and never runs an agent's
code itself, so that nothing an agent does outlives its job; it imports the standard library alone, so
that a child is a fork of something small. What makes that fast are libraries loaded beforehand: a job
may name modules that its agent will want, and these are imported here, once.

A job arrives as one line of JSON, with two file descriptors: the channel on which host and child speak
to each other, and the pipe that takes whatever the child prints. No job ever sees another's.
"""

import contextlib
import ctypes
import importlib
import json
import math
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

if sys.platform != "win32":
    import resource

_LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_HEADROOM = 32 << 20
"""Bytes above an agent's limit that are left for saying that it was reached."""


class Channel:
    """JSON lines over a file descriptor, read and written by system calls alone.

    An agent shares this process: it may have replaced or closed anything that Python offers by name.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._pending = b""
        self._read, self._write = os.read, os.write

    def fileno(self) -> int:
        """The file descriptor."""
        return self._fd

    def receive(self) -> Any:
        """The next message; None when the host has closed the channel."""
        while b"\n" not in self._pending:
            data = self._read(self._fd, 1 << 16)
            if not data:
                return None
            self._pending += data
        line, _, self._pending = self._pending.partition(b"\n")
        return json.loads(line)

    def send(self, message: Any) -> None:
        """Send one message."""
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[self._write(self._fd, data) :]


def flush() -> None:
    """Bring what was printed so far on its way, so that it belongs to what was said after it."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def lift_memory_limit() -> None:
    """Allow the little more that reporting the end takes."""
    if _LINUX:
        with contextlib.suppress(Exception):
            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def main(control_fd: int) -> None:
    """Serve jobs until the host closes its end."""
    control = socket.socket(fileno=control_fd)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # Orphans of an agent's processes become children of this one, wherever they have moved to.
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    while (received := _receive_job(control)) is not None:
        job, fds = received
        # The entry itself is ours, not the agent's.
        _preload([job["entry"].partition(":")[0], *job["preload"]])
        pid = os.fork()
        if pid == 0:
            control.close()
            _run(job, *fds)
        for fd in fds:
            os.close(fd)
        _tell(control, {"pid": pid})
        _, status, usage = os.wait4(pid, 0)
        cpu = usage.ru_utime + usage.ru_stime + _kill_strays(pid)
        _tell(control, {"status": os.waitstatus_to_exitcode(status), "cpu": cpu})


def _receive_job(control: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    text, fds = b"", []
    while not text.endswith(b"\n"):
        data, more, _, _ = socket.recv_fds(control, 1 << 16, 2)
        if not data:
            return None
        text += data
        fds += more
    return json.loads(text), fds


def _tell(control: socket.socket, message: dict[str, Any]) -> None:
    control.sendall(json.dumps(message).encode() + b"\n")


def _preload(names: Sequence[str]) -> None:
    for name in names:
        # A library that fails here will fail again in the agent, where it is reported.
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def _run(job: dict[str, Any], channel_fd: int, output_fd: int) -> NoReturn:
    """The child: take its place, then do the job."""
    status = 70
    try:
        os.setsid()
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((nothing, 0), (output_fd, 1), (output_fd, 2)):
            os.dup2(source, target)
        os.close(nothing)
        os.close(output_fd)
        for fd in (1, 2):
            # By lines, so that what was printed before a crash is not lost with it.
            stream = open(fd, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
            setattr(sys, "stdout" if fd == 1 else "stderr", stream)
        module, _, function = job["entry"].partition(":")
        entry = getattr(importlib.import_module(module), function)
        leave, tidy = os._exit, flush
        _limit(job["cpu"], job["memory"])
        entry(Channel(channel_fd), **job["arguments"])
        tidy()
        status = 0
        leave(status)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        raise
    finally:
        os._exit(status)


def _limit(cpu: float, memory: int) -> None:
    """Limits that the kernel keeps, behind those that the host keeps by watching."""
    _set_limit(resource.RLIMIT_CORE, 0, 0)
    _set_limit(resource.RLIMIT_CPU, math.ceil(cpu) + 1, math.ceil(cpu) + 2)
    if _LINUX:
        # Writable private memory, not address space: a library may reserve what it never uses.
        soft = _data_bytes() + memory
        _set_limit(resource.RLIMIT_DATA, soft, soft + _HEADROOM)


def _set_limit(which: int, soft: int, hard: int) -> None:
    # A system, or whoever started us, may allow less; then that holds.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(which, (soft, hard))


def _data_bytes() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) << 10
    return 0


def _kill_strays(group: int) -> float:
    """End every process that the job left behind; the answer is the CPU-seconds that they had used."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    seconds = 0.0
    while True:
        # A process killed hands its own children on to this one, hence once more round for each.
        strays = _children()
        for pid in strays:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            pid, _, usage = os.wait4(-1, 0 if strays else os.WNOHANG)
        except ChildProcessError:
            return seconds
        if pid == 0:
            return seconds
        seconds += usage.ru_utime + usage.ru_stime


def _children() -> list[int]:
    try:
        return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    except OSError:
        return []


def _prctl(option: int, value: int) -> None:
    if _LINUX:
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)
