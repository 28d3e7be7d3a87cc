"""What the tests of programs share: commands, limits, and games whose outcome is compared."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.arena.play import each_closed
from surefoot.minesweeper import bulk as minesweeper_bulk
from surefoot.minesweeper.rules import preset
from surefoot.protocol import programs
from surefoot.protocol.limits import PlayLimits
from surefoot.risk import bulk as risk_bulk
from surefoot.risk.rules import Rules
from surefoot.risk.worldmap import load
from surefoot.spec import parse

ROOT = Path(__file__).parents[3]
HOSTILE = ROOT / "tests" / "agents" / "hostile_lines"
SAMPLE = f"cmd:{sys.executable} {ROOT / 'examples' / 'agents' / 'python' / 'agent.py'}"
JAVASCRIPT = f"cmd:node {ROOT / 'examples' / 'agents' / 'javascript' / 'agent.mjs'}"

LIMITS = PlayLimits(start=60, act=30, game=120, memory=128 << 20)
"""Generous, for machines with a lot to do."""
ROOMY = PlayLimits(start=60, act=30, game=120)
"""The same with the usual memory."""
HURRIED = PlayLimits(start=60, act=1.5, game=120, memory=128 << 20)
"""For agents that use up whatever time they get."""

GAMES = 4
ROOT_SEED = 10
"""In both games the agent has an odd seed in game 1 alone."""


def hostile(name: str) -> str:
    """The spec of a hostile agent."""
    return f"cmd:{sys.executable} {HOSTILE / name}.py"


class Games(NamedTuple):
    """What came of some games for one agent.

    Args:
        odd: which of them had an odd seed.
        rows: by game, all that its table says.
        errors: by game, what the agent was blamed for.
    """

    odd: list[bool]
    rows: list[tuple[Any, ...]]
    errors: dict[int, BaseException]


def play(text: str, game: str, limits: PlayLimits = LIMITS, games: int = GAMES) -> Games:
    """Let an agent play: Minesweeper's beginner, or Risk on a small map against another program."""
    spec = parse(text, game, limits)
    errors: dict[int, BaseException] = {}
    root = ROOT_SEED
    if game == "minesweeper":
        odd = [minesweeper_bulk.agent_seed(root, number) % 2 == 1 for number in range(games)]
        with each_closed(spec.make) as make:
            table = minesweeper_bulk.play_games(make, *preset("beginner"), root, 0, games, errors.__setitem__)
        return Games(odd, list(zip(*(column.tolist() for column in table))), errors)

    def blame(number: int, agent: int, error: BaseException) -> None:
        assert agent == 0, error
        errors[number] = error

    match = risk_bulk.Match(load("delta"), Rules(round_cap=8), 2, root, paired=True)
    odd = [int(match.words(n)[1 + match.seating(n).index(0)]) % 2 == 1 for n in range(games)]
    with ExitStack() as stack:
        makes = [stack.enter_context(each_closed(each.make)) for each in (spec, parse(SAMPLE, game, LIMITS))]
        risked = risk_bulk.play_games(match, makes, 0, games, blame)
    return Games(odd, list(zip(*(column.tolist() for column in risked))), errors)


@contextmanager
def programs_closed() -> Iterator[Callable[[], None]]:
    """No program from before, and none left behind."""
    programs.close_programs()
    try:
        yield programs.close_programs
    finally:
        programs.close_programs()
