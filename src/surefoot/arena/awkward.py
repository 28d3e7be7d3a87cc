"""What an awkward game is, for `conformance`."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol


class Play(Protocol):
    """A game that an agent is taken through, one of its moves at a time."""

    def observation(self) -> Any:
        """What the agent sees when it is to move; None when the game is over for it."""

    def play(self, action: Any) -> None:
        """Play its action, and what others do until its next turn.

        Raises:
            IllegalAction: the rules forbid it.
            TypeError: it is no action.
        """

    @property
    def outcome(self) -> str:
        """What the game is for the agent: ``won``, ``lost``, ``capped``, or ``stopped`` before its end."""


class Case(NamedTuple):
    """An awkward game.

    Args:
        name: a few words.
        why: what is awkward about it.
        make: begins the game.
        most: moves that the agent is asked for at the most.
        broken_off: whether it ends there; else a game that lasts longer has no end.
    """

    name: str
    why: str
    make: Callable[[], Play]
    most: int
    broken_off: bool = False
