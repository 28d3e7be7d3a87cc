"""Who sits at the table: people, and agents by the names and presets of the game, and nothing else."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

from surefoot.risk.agents import AGENTS

from .. import about
from ..refusals import Refused

HUMAN: Final = "human"
NEUTRAL: Final = "neutral"
YOU: Final = "You"


@cache
def agents() -> tuple[str, ...]:
    """The names of all agents, each followed by those of its presets, such as ``turtle:bold``."""
    return tuple(about.agents("risk"))


def check_agent(name: str) -> str:
    """The name, if it is one of an agent.

    Raises:
        Refused: it is none; options, files and commands are none either.
    """
    if name in agents():
        return name
    if name.partition(":")[0] in AGENTS:
        known = [known for known in agents() if known.partition(":")[0] == name.partition(":")[0]]
        raise Refused("bad-message", f"no agent {name[:40]!r}: on the page there is {' or '.join(known)}")
    raise Refused("bad-message", f"no agent {name[:40]!r} (known: {', '.join(AGENTS)})")


def check_player(name: str) -> str:
    """The name, if it is `HUMAN` or one of an agent.

    Raises:
        Refused: it is neither.
    """
    return name if name == HUMAN else check_agent(name)


def labels(players: Sequence[str], *, neutral: bool) -> tuple[str, ...]:
    """What the seats are called, in the order of the seats; no two of them alike.

    Args:
        players: who plays each seat.
        neutral: whether there is one more seat, which nobody plays.
    """
    alone = players.count(HUMAN) == 1
    plain = [player.replace(":", " ").capitalize() for player in players]
    often = Counter(plain)
    met: Counter[str] = Counter()
    named: list[str] = []
    for seat, (player, name) in enumerate(zip(players, plain, strict=True)):
        met[name] += 1
        if player == HUMAN:
            named.append(YOU if alone else f"Player {seat + 1}")
        else:
            named.append(f"{name} {met[name]}" if often[name] > 1 else name)
    return (*named, "Neutral") if neutral else tuple(named)
