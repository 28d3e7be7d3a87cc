"""What a student's ``MyAI.py`` imports, and the side of the shell that runs in the student's process.

Only the standard library is imported here: a student's process should hold next to nothing of ours.
"""

import contextlib
import importlib.util
import operator
import os
import random
import sys
from collections.abc import Callable
from enum import Enum, unique
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Protocol

from surefoot.protocol.launcher import Channel, flush, lift_memory_limit

Answer = tuple[int, int, int]
"""What an agent wants, as the channel carries it: the move's value, x, y."""

_FAR = 1 << 31
_LONGEST_ERROR = 300


class AI:
    """The class that a student's ``MyAI`` is made from: ``from AI import AI``."""

    @unique
    class Action(Enum):
        """The four moves."""

        LEAVE = 0
        UNCOVER = 1
        FLAG = 2
        UNFLAG = 3

    def getAction(self, number: int) -> Any:  # noqa: N802 - the shell's own name
        """Choose a move, given the number just uncovered, or -1; the answer is an `Action`, outside."""
        raise NotImplementedError


class Action:
    """A move and its tile: ``from Action import Action``; 0-based, from the bottom left."""

    def __init__(self, action: AI.Action, x: int = 1, y: int = 1) -> None:
        self._action, self._x, self._y = action, x, y

    def getMove(self) -> AI.Action:  # noqa: N802 - the shell's own name
        """What to do."""
        return self._action

    def getX(self) -> int:  # noqa: N802 - the shell's own name
        """The tile's column."""
        return self._x

    def getY(self) -> int:  # noqa: N802 - the shell's own name
        """The tile's row, counted from the bottom."""
        return self._y


class MyAI(Protocol):
    """What the shell asks of a student's class."""

    def getAction(self, number: int) -> Any:  # noqa: N802 - the shell's own name
        """Choose a move."""


def read_answer(answer: Any) -> Answer | None:
    """What a student's agent returned, or None where it is not a move with whole coordinates."""
    try:
        move, x, y = answer.getMove(), operator.index(answer.getX()), operator.index(answer.getY())
    except Exception:
        return None
    if not isinstance(move, AI.Action) or not (-_FAR < x < _FAR and -_FAR < y < _FAR):
        return None
    return move.value, x, y


def provide_modules() -> None:
    """Make ``AI`` and ``Action`` importable, also where the student keeps copies of the originals."""
    for name, content in (("AI", AI), ("Action", Action)):
        module = ModuleType(name)
        setattr(module, name, content)
        sys.modules[name] = module


def load_class(path: Path, name: str) -> Any:
    """The class ``name`` of a student's file, which is run for that.

    Raises:
        AttributeError: there is no such class.
        Exception: whatever the file raises.
    """
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    if not hasattr(module, name):
        raise AttributeError(f"{path.name} has no class {name}")
    return getattr(module, name)


def play(
    channel: Channel, *, path: str, name: str, seed: int, rows: int, cols: int, mines: int, x: int, y: int
) -> None:
    """Play one world: a number comes, a move goes, ``[move, x, y]`` or null for what is no move."""
    file = Path(path)
    provide_modules()
    _seed(seed)
    os.chdir(file.parent)
    sys.path.insert(0, str(file.parent))

    def begin() -> Callable[[int], Answer | None]:
        agent = load_class(file, name)(rows, cols, mines, x, y)
        return lambda number: read_answer(agent.getAction(number))

    serve(channel, begin, file.parent)


def serve(channel: Channel, begin: Callable[[], Callable[[Any], Any]], folder: Path | None) -> None:
    """Let an agent answer what comes over the channel, until that is closed or the agent fails.

    A message is ``{"answer": ...}``, or ``{"how": ..., "error": ...}`` when the agent failed.

    Args:
        begin: makes the agent; what it returns is called with each message.
        folder: where the agent's files are, for telling where it failed.
    """
    try:
        answer = begin()
        while (message := channel.receive()) is not None:
            reply = answer(message)
            flush()
            channel.send({"answer": reply})
    except BaseException as error:
        lift_memory_limit()
        flush()
        channel.send({"how": how_failed(error), "error": describe(error, folder)})


def how_failed(error: BaseException) -> str:
    """The one word for the end that an exception brings about."""
    if isinstance(error, MemoryError):
        return "memory"
    return "exit" if isinstance(error, SystemExit) else "error"


def describe(error: BaseException, folder: Path | None = None) -> str:
    """An exception in one line, with the file and line where the agent was when it happened.

    Args:
        error: what was raised.
        folder: where the agent's files are; without it, the innermost place is named.
    """
    try:
        words = " ".join(str(error).split())[:_LONGEST_ERROR]
    except Exception:
        words = ""
    what = f"{type(error).__name__}: {words}" if words else type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        # Its message names the place already, except when Python leaves that to its display.
        place = f"{Path(error.filename).name}:{error.lineno}"
        return f"{type(error).__name__}: {error.msg} ({place})"
    found = _innermost(error.__traceback__, folder)
    return what if found is None else f"{what} ({found})"


def _innermost(trace: TracebackType | None, folder: Path | None) -> str | None:
    found = None
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if folder is None or file.is_relative_to(folder):
            shown = file.name if folder is None else file.relative_to(folder)
            found = f"{shown}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found


def _seed(seed: int) -> None:
    """An agent that draws lots without a seed of its own draws the same in the same world."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        with contextlib.suppress(AttributeError):
            numpy.random.seed(seed % (1 << 32))
