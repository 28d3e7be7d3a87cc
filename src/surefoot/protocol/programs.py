"""Agents' programs: started when a game needs one, kept for the next game, and given up after three strikes.

A program plays one game at a time. It shares the isolation of students' agents (`host`): its processes are
watched, ended when they use too much, and cleared up after. Three games in a row that came to nothing, each
because no move came at all or because a clock ran out, are three strikes. From then on its games are lost
without asking it, in the same way as the third, until a minute has passed.
"""

import atexit
import logging
import os
import shlex
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from surefoot.errors import FormatError

from . import messages
from .host import Launcher, Session
from .limits import AgentEnded, Limits, PlayLimits

STRIKES = 3
_FORGIVEN_AFTER = 60.0
"""Seconds, so that a machine that was too busy for a while does not cost an agent the rest of a long run."""

_MOST_WAITING = 12
_MOST_REMEMBERED = 1000
_NO_CPU_LIMIT = 2e5
"""CPU-seconds of one process: the clocks are its limits. A program that comes halfway is replaced."""

_SURROUNDINGS = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "PYTHONHASHSEED": "0",
}
"""What the environment says unless it says otherwise, so that the same seed plays the same game."""

_log = logging.getLogger(__name__)


class GivenUp(AgentEnded):
    """A game is lost without asking the agent, which has three strikes."""


@dataclass(frozen=True, slots=True)
class Command:
    """A program as it stands: a change of its files makes another of it.

    Args:
        words: the program and its arguments.
        limits: of each of its processes.
        folder: where it runs.
        files: those of the words that are files, each with its time in ns and its size in bytes.
    """

    words: tuple[str, ...]
    limits: PlayLimits
    folder: str
    files: tuple[tuple[str, int, int], ...]

    @classmethod
    def here(cls, words: Sequence[str], limits: PlayLimits) -> "Command":
        """The command as it would run now, in this folder."""
        files = [(str(path), path.stat()) for path in files_among(words)]
        stamps = tuple((name, found.st_mtime_ns, found.st_size) for name, found in files)
        return cls(tuple(words), limits, str(Path.cwd()), stamps)


def files_among(words: Sequence[str]) -> tuple[Path, ...]:
    """Those of the words of a command that are files."""
    found = []
    for word in words:
        with suppress(OSError, ValueError):
            if Path(word).is_file():
                found.append(Path(word))
    return tuple(found)


class Program:
    """A running program, from its hello to its end.

    Raises:
        AgentEnded: it did not say hello in time, or not as it should.
    """

    def __init__(self, command: Command) -> None:
        self.command = command
        self.owner = os.getpid()
        self._games = 0
        self._keeper = Launcher()
        try:
            self._session = self._start()
        except BaseException:
            self._keeper.close()
            raise

    def _start(self) -> Session:
        limits = self.command.limits
        session = self._keeper.start(
            "surefoot.protocol.execute:execute",
            {
                "command": self.command.words,
                "environment": _SURROUNDINGS | os.environ,
                "folder": self.command.folder,
            },
            # The engines of many languages take hold of more than they will ever use.
            Limits(cpu=_NO_CPU_LIMIT, memory=limits.memory, reserve=limits.memory),
        )
        try:
            session.allow(limits.start, f"no hello within {limits.start:g} s")
            session.send(messages.hello())
            self.hello = _hello(session.receive())
        except BaseException as error:
            session.close(at_once=True)
            if isinstance(error, AgentEnded):
                raise with_last_words(error, session.output()) from None
            raise
        return session

    @property
    def usable(self) -> bool:
        """Whether it can play another game."""
        return self._session.alive and self._session.cpu < _NO_CPU_LIMIT / 2

    def begin(self, game: str, about: Mapping[str, Any], seed: int) -> str:
        """Begin a game; the answer is its number, as text.

        Raises:
            AgentEnded: it does not play that game.
        """
        if game not in self.hello.games:
            raise AgentEnded("channel", f"it does not play {game}, only {', '.join(self.hello.games)}")
        self._games += 1
        self._session.forget_output()
        number = str(self._games)
        self._session.tell(messages.new_game(number, game, dict(about), seed))
        return number

    def ask(self, question: messages.Message, seconds: float, too_late: str) -> messages.Act:
        """Ask for an action, and wait for it.

        Raises:
            AgentEnded: there is none; with ``error`` as its ``how`` the agent has said so itself, and can
                play another game.
        """
        self._session.allow(seconds, too_late)
        self._session.send(question)
        try:
            answer = messages.from_agent(self._session.receive())
        except FormatError as error:
            raise AgentEnded("channel", f"not a message of the protocol: {error}") from None
        if isinstance(answer, messages.Hello):
            raise AgentEnded("channel", "it said hello again")
        _check_id(answer.id, question["id"])
        if isinstance(answer, messages.Fault):
            raise AgentEnded("error", " ".join(answer.message.split())[:300])
        return answer

    def tell(self, message: messages.Message) -> None:
        """Tell it something that needs no answer."""
        self._session.tell(message)

    def output(self) -> str:
        """What it has written to its standard error in this game, up to a limit."""
        return self._session.output()

    @property
    def cpu(self) -> float:
        """CPU-seconds of its processes so far."""
        return max(self._session.cpu, self._keeper.usage()[0])

    def close(self, *, at_once: bool = False) -> None:
        """End it: by the end of its input, unless ``at_once``; and by force if it does not go."""
        self._session.close(at_once=at_once)
        self._keeper.close()


def _hello(message: Any) -> messages.Hello:
    try:
        hello = messages.from_agent(message)
    except FormatError as error:
        raise AgentEnded("channel", f"its first message is no hello: {error}") from None
    if isinstance(hello, messages.Fault):
        raise AgentEnded("error", " ".join(hello.message.split())[:300])
    if not isinstance(hello, messages.Hello):
        raise AgentEnded("channel", f"its first message is no hello, but of type {hello.type}")
    if hello.protocol != messages.VERSION:
        raise AgentEnded(
            "channel", f"it speaks version {hello.protocol} of the protocol, not {messages.VERSION}"
        )
    return hello


def _check_id(said: str | None, asked: str) -> None:
    """Refuse an answer to another question than the one that is open.

    Raises:
        AgentEnded: telling which it is: ids are ``GAME.SEAT.QUESTION``.
    """
    if said == asked:
        return
    ours, theirs = asked.split("."), (said or "").split(".")
    if len(theirs) != len(ours):
        words = "which is none"
    elif theirs[0] != ours[0]:
        words = "which is of another game"
    elif theirs[1] != ours[1]:
        words = f"which is of seat {theirs[1][:20]}, but it sits on seat {ours[1]}"
    else:
        words = "which came too late, or a second time"
    raise AgentEnded("channel", f"it answered question {str(said)[:40]!r}, not {asked!r}: {words}")


def with_last_words(ended: AgentEnded, output: str) -> AgentEnded:
    """The same end, with the last line that the program wrote to its standard error."""
    lines = output.split("\n(what it printed beyond", 1)[0].strip().splitlines()
    if not lines or ended.how == "error":
        return ended
    return AgentEnded(ended.how, f"{ended.detail} (its last words: {lines[-1].strip()[:200]})")


@dataclass(slots=True)
class _Strikes:
    count: int
    last: AgentEnded
    at: float


# An agent that nobody closed is closed when it is collected, which may happen while the lock is held.
_lock = threading.RLock()
_waiting: list[Program] = []
_all: set[Program] = set()
_strikes: OrderedDict[Command, _Strikes] = OrderedDict()
_cpu_of_ended = 0.0


def take(command: Command) -> Program:
    """A program for one game: one that waits for work, or a new one.

    Raises:
        GivenUp: it has three strikes.
        AgentEnded: it did not start.
    """
    with _lock:
        struck = _strikes.get(command)
        if struck and struck.count >= STRIKES and time.monotonic() - struck.at < _FORGIVEN_AFTER:
            raise GivenUp(struck.last.how, f"given up after {struck.count} strikes: {struck.last.detail}")
        mine = [each for each in _waiting if each.command == command and each.owner == os.getpid()]
        for program in reversed(mine):
            _waiting.remove(program)
            if program.usable:
                return program
            _discard(program)
    program = Program(command)
    with _lock:
        _all.add(program)
    return program


def give_back(program: Program) -> None:
    """A game is over, and the program waits for the next."""
    with _lock:
        _waiting.append(program)
        if len(_waiting) > _MOST_WAITING:
            _discard(_waiting.pop(0))


def end(program: Program) -> None:
    """End a program that has failed, at once."""
    with _lock:
        _discard(program, at_once=True)


def _discard(program: Program, *, at_once: bool = False) -> None:
    global _cpu_of_ended
    _all.discard(program)
    program.close(at_once=at_once)
    _cpu_of_ended += program.cpu


def strike(command: Command, ended: AgentEnded) -> None:
    """A game came to nothing."""
    with _lock:
        before = _strikes.pop(command, None)
        found = _Strikes(1 + (before.count if before else 0), ended, time.monotonic())
        _strikes[command] = found
        if len(_strikes) > _MOST_REMEMBERED:
            _strikes.popitem(last=False)
    if found.count == STRIKES:
        _log.warning(
            "agent cmd:%s: %d strikes, and games are lost without asking it until %g s after the last: %s",
            shlex.join(command.words),
            STRIKES,
            _FORGIVEN_AFTER,
            ended.detail,
        )


def played(command: Command) -> None:
    """A game was played as it should: what was before is forgotten."""
    with _lock:
        _strikes.pop(command, None)


def cpu_seconds() -> float:
    """What all programs that this process has started have used so far, in CPU-seconds."""
    with _lock:
        return _cpu_of_ended + sum(program.cpu for program in _all if program.owner == os.getpid())


@atexit.register
def close_programs() -> None:
    """End all programs that this process has started, and forget all strikes."""
    with _lock:
        for program in list(_all):
            if program.owner == os.getpid():
                _discard(program, at_once=program not in _waiting)
        _all.clear()
        _waiting.clear()
        _strikes.clear()
