"""What an agent in its own process may use up, and what it means to have gone beyond that."""

import re
from dataclasses import dataclass

from surefoot.errors import FormatError

_UNITS = {
    "": 1,
    "B": 1,
    "K": 1 << 10,
    "KB": 1 << 10,
    "M": 1 << 20,
    "MB": 1 << 20,
    "G": 1 << 30,
    "GB": 1 << 30,
}
_CLOCK_FACTOR = 10
"""An agent that sleeps uses no CPU time: by the clock it has ten times its CPU limit, which with the
default is the five minutes a world that students of the course speak of."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run of an agent.

    Args:
        cpu: CPU-seconds, of the agent and every process that it starts, together.
        memory: bytes that the agent adds to what its process held before it was loaded.
        processes: how many processes at a time, its own included.
        output: how many bytes of what it prints are kept; the rest is counted and dropped.
        reserve: bytes beyond ``memory`` that a process may ask for, as long as it does not use them.

    Raises:
        FormatError: a limit is not positive.
    """

    cpu: float = 30.0
    memory: int = 512 << 20
    processes: int = 64
    output: int = 64 << 10
    reserve: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.cpu < 1e7:
            raise FormatError(f"a time limit is a positive number of seconds, not {self.cpu:g}")
        check_memory(self.memory)

    @property
    def clock(self) -> float:
        """Seconds by the clock."""
        return self.cpu * _CLOCK_FACTOR


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """The limits of an agent that is a program of its own and plays one game after another.

    Args:
        start: seconds by the clock from the start of the program until it says hello.
        act: seconds by the clock for one move.
        game: seconds by the clock for all moves of a game.
        memory: bytes that its processes may hold, together.

    Raises:
        FormatError: a limit is not positive.
    """

    start: float = 30.0
    act: float = 10.0
    game: float = 300.0
    memory: int = 512 << 20

    def __post_init__(self) -> None:
        for name in ("start", "act", "game"):
            if not 0 < getattr(self, name) < 1e7:
                raise FormatError(f"{name} is a positive number of seconds, not {getattr(self, name):g}")
        check_memory(self.memory)


class AgentEnded(Exception):
    """An agent will answer no more.

    Args:
        how: one word: ``time``, ``memory``, ``processes``, ``exit`` or ``channel`` from this room; an
            adapter adds its own, such as ``error`` or ``illegal``.
        detail: one line that says what happened.
    """

    def __init__(self, how: str, detail: str) -> None:
        super().__init__(f"{how}: {detail}")
        self.how = how
        self.detail = detail


def check_memory(limit: int) -> None:
    """Refuse a memory limit in bytes that nothing could keep.

    Raises:
        FormatError: it is less than a megabyte.
    """
    if limit < 1 << 20:
        raise FormatError(f"a memory limit is at least 1MB, not {limit} bytes")


def parse_size(text: str) -> int:
    """Bytes from text such as ``512MB``; KB, MB and GB are powers of 1024.

    Raises:
        FormatError: it is not a size.
    """
    match = re.fullmatch(r"(\d{1,12}(?:\.\d{1,6})?)\s*([KMG]?B?)", text.strip().upper(), re.ASCII)
    if match is None:
        raise FormatError(f"not a size: {text.strip()[:40]!r} (expected such as 512MB)")
    return int(float(match[1]) * _UNITS[match[2]])
