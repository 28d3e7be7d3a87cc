"""What the commands share in reading and showing: stdout carries the answer, stderr everything else."""

import json
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from surefoot.errors import Contradiction, FormatError, IllegalAction, RulesError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_PATIENCE = 1.0
"""Seconds of work before a progress bar appears."""


def say(message: str) -> None:
    """One line on stderr, for what is not the answer."""
    typer.echo(f"surefoot: {message}", err=True)


def announce_kernels() -> None:
    """Say that the first use takes longer, if it does."""
    from surefoot import _jit

    if not _jit.is_warm():
        say("compiling for this machine; that happens once and takes up to a minute")


def print_json(answer: dict[str, Any]) -> None:
    """The answer as one JSON object."""
    typer.echo(json.dumps(answer, allow_nan=False))


def read_text(path: str) -> str:
    """The text of a file, or of stdin for ``-``.

    Raises:
        FormatError: it is not UTF-8.
        OSError: it cannot be read.
    """
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{source(path)} is not UTF-8 text (byte {error.start + 1})") from None


def source(path: str) -> str:
    """What a file argument is called in a message."""
    return "stdin" if path == "-" else path


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Put the file's name before what is wrong in it."""
    try:
        yield
    except (FormatError, RulesError, IllegalAction, Contradiction) as error:
        raise type(error)(f"{source(path)}: {error}") from error


def grid(rows: Sequence[Sequence[str]]) -> str:
    """A board in text, with its row and column numbers; every column is as wide as the widest cell."""
    width = max(len(cell) for row in rows for cell in row)
    width = max(width, len(str(len(rows[0]) - 1)))
    margin = len(str(len(rows) - 1))
    lines = [" " * margin + "".join(f" {col:>{width}}" for col in range(len(rows[0])))]
    lines += [
        f"{number:>{margin}}" + "".join(f" {cell:>{width}}" for cell in row)
        for number, row in enumerate(rows)
    ]
    return "\n".join(lines)


class Bar:
    """A progress bar, or nothing where no one would see one."""

    def __init__(self, bar: "Progress | None", task: "TaskID | None") -> None:
        self._bar = bar
        self._task = task

    def advance(self, steps: int = 1) -> None:
        """So many more steps are done."""
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task, steps)

    def describe(self, label: str) -> None:
        """What is worked on now."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=label)


@contextmanager
def progress(total: int, label: str) -> Iterator[Bar]:
    """A progress bar on stderr, if that is a terminal, for as long as the work lasts past a second."""
    if not sys.stderr.isatty():
        yield Bar(None, None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    # Left alone, Rich would swap sys.stdout from the timer's thread while an agent's prints are redirected.
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        refresh_per_second=4,
    )
    task = bar.add_task(label, total=total)
    lock = threading.Lock()
    over = False

    def show() -> None:
        with lock:
            if not over:
                bar.start()

    timer = threading.Timer(_PATIENCE, show)
    timer.daemon = True
    timer.start()
    try:
        yield Bar(bar, task)
    finally:
        timer.cancel()
        with lock:
            over = True
        bar.stop()
