"""The one way to play some games in a row, as fast as their agents allow; a worker loads little else."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from surefoot.minesweeper import bulk as minesweeper
from surefoot.minesweeper.rules import Level, Rules
from surefoot.risk import bulk as risk
from surefoot.risk.policy import Policy
from surefoot.spec import AgentSpec

from .play import each_closed


class Games(NamedTuple):
    """So many ``games`` of root seed ``root``, from number ``first`` on."""

    level: Level
    rules: Rules
    root: int
    first: int
    games: int


def play_minesweeper(
    spec: AgentSpec,
    games: Games,
    on_error: Callable[[int, BaseException], None] | None = None,
    make: Callable[[int], Any] | None = None,
) -> minesweeper.GameTable:
    """Let an agent play games: whole ones, if its class has a method ``play_games``, else move by move.

    Args:
        on_error: is told the number of the game and the exception when an agent raises.
        make: makes an agent from a seed, move by move, in place of the spec.

    Raises:
        FormatError: the agent cannot be loaded.
        RulesError: the rules cannot lay out this board.
    """
    in_bulk = getattr(spec.load(), "play_games", None) if make is None else None
    if in_bulk is not None:
        table: minesweeper.GameTable = in_bulk(*games, **dict(spec.options))
        return table
    with each_closed(make or spec.make) as factory:
        return minesweeper.play_games(factory, *games, on_error)


def play_risk(
    specs: Sequence[AgentSpec],
    match: risk.Match,
    first: int,
    count: int,
    on_error: Callable[[int, int, BaseException], None] | None = None,
    makes: Sequence[Callable[[int], Any]] | None = None,
) -> risk.GameTable:
    """Play the games ``first`` to ``first + count - 1``: compiled, if every agent is, else move by move.

    Args:
        specs: one for each player.
        on_error: is told the number of the game, of the agent, and the exception, when one is at fault.
        makes: what makes each agent from a seed, move by move, in place of the specs.

    Raises:
        FormatError: an agent cannot be loaded.
        RulesError: the rules cannot be played by so many on this map.
    """
    if makes is None:
        policies = [_policy(spec) for spec in specs]
        compiled = [policy for policy in policies if policy is not None]
        if len(compiled) == len(policies):
            return risk.play_compiled(match, compiled, first, count)
        makes = [spec.make for spec in specs]
    with ExitStack() as stack:
        factories = [stack.enter_context(each_closed(make)) for make in makes]
        return risk.play_games(match, factories, first, count, on_error)


def _policy(spec: AgentSpec) -> Policy | None:
    """The agent's compiled policy, if its ``act`` asks nothing else (see `agents.scripted`)."""
    if not getattr(spec.load(), "compiled", False):
        return None
    agent = spec.make(0)  # whether it is compiled may depend on its options
    policy: Policy | None = agent.policy if agent.compiled else None
    return policy
