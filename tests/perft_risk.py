"""Counting what can happen: so many plies from a position, every action and every outcome of chance tried."""

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar

from surefoot.risk import Game, Record
from surefoot.risk.events import Event
from surefoot.risk.situation import Outcome
from tests.naive_risk import NaiveRisk

Position = TypeVar("Position")


class Count(NamedTuple):
    """What there is after so many plies; a ply is an action or an outcome of chance."""

    ways: int
    """Sequences of so many plies."""
    positions: int
    """Different positions that they lead to."""
    over: int
    """How many of the ways end in a game that is won or capped."""


def count(
    position: Position,
    plies: int,
    following: Callable[[Position], list[Position]],
    name: Callable[[Position], Hashable],
    is_over: Callable[[Position], bool],
) -> list[Count]:
    """The counts after 0, 1, ... ``plies`` plies; a game that is over goes no further."""
    found = []
    level: dict[Hashable, tuple[Position, int]] = {name(position): (position, 1)}
    for ply in range(plies + 1):
        over = sum(ways for here, ways in level.values() if is_over(here))
        found.append(Count(sum(ways for _, ways in level.values()), len(level), over))
        if ply == plies:
            break
        after: dict[Hashable, tuple[Position, int]] = {}
        for here, ways in level.values():
            for there in following(here):
                label = name(there)
                after[label] = (there, after[label][1] + ways if label in after else ways)
        level = after
    return found


def count_games(game: Game, plies: int) -> list[Count]:
    """By the compiled rules."""

    def following(here: Game) -> list[Game]:
        after = []
        steps: list[Any] = [event for event, _ in here.chance_outcomes()] or list(here.legal_actions)
        for step in steps:
            there = here.copy()
            there.resolve(step) if isinstance(step, Event) else there.play(step)
            there.history.clear()
            after.append(there)
        return after

    return count(
        game.copy(),
        plies,
        following,
        lambda here: here.state.tobytes(),
        lambda here: here.outcome is not Outcome.RUNNING,
    )


def count_naively(game: NaiveRisk, plies: int) -> list[Count]:
    """By their plain twin."""

    def following(here: NaiveRisk) -> list[NaiveRisk]:
        after = []
        steps: list[Any] = list(here.chance()) or here.legal()
        for step in steps:
            there = here.copy()
            there.resolve(step) if isinstance(step, int) else there.play(step)
            after.append(there)
        return after

    return count(game, plies, following, lambda here: here.snapshot(), lambda here: here.outcome != "running")


def naive_twin(record: Record) -> NaiveRisk:
    """The plain game of a record."""
    twin = NaiveRisk(record.worldmap, record.rules, record.players)
    for step in record.history:
        twin.resolve(step.outcome) if isinstance(step, Event) else twin.play(step)
    return twin
