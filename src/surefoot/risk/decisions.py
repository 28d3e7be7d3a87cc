"""A recorded game cut into turns and decisions, for a review."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from .actions import Action, Attack, Draft, End, Fortify, Occupy, Trade
from .events import Event
from .observation import Observation
from .planner import PLANNED
from .record import Record
from .situation import CHANCE_PHASES, Phase


class Kind(Enum):
    """What was decided; the value is its name in JSON."""

    SETUP = "starting armies"
    DRAFT = "draft"
    ATTACK = "attack"
    OCCUPY = "occupy"
    END = "end"


@dataclass(slots=True)
class Decision:
    """One choice of a seat: the draft of a turn with its trades as a whole, all else action by action.

    Args:
        move: how many actions were played before it.
        kind: what was decided.
        before: what the seat saw when it had to decide.
        actions: what it played.
        after: what it saw after that and what chance then brought, whoever's turn it is then.
    """

    move: int
    kind: Kind
    before: Observation
    actions: list[Action]
    after: Observation


@dataclass(slots=True)
class Stretch:
    """One turn; or all placements of starting armies together, which are nobody's.

    Args:
        seat: whose turn it is; None for the starting armies.
        round: 0 for the starting armies.
        move: how many actions were played before it.
        start: the position that it begins with, as seen by the seat to move.
        decisions: those that left a choice, in order.
        moves: how many actions it has.
    """

    seat: int | None
    round: int
    move: int
    start: Observation
    decisions: list[Decision] = field(default_factory=list)
    moves: int = 0


@dataclass(frozen=True, slots=True)
class Cut:
    """A game in parts.

    Args:
        stretches: in order; claims and capitals, which no plan is made for, are in none.
        end: what the seat to move sees at the end of the record.
        waits_for_chance: whether the record ends where dice or a card are due.
        outcome: float64, shape (players,): 1 for the winner; None if nobody has won.
    """

    stretches: list[Stretch]
    end: Observation
    waits_for_chance: bool
    outcome: NDArray[np.float64] | None


def cut(record: Record) -> Cut:
    """Replay a record and cut it up."""
    stretches: list[Stretch] = []
    key: tuple[int, int | None] | None = None
    last: Decision | None = None
    move = 0
    before: Observation | None = None
    for entry, game in record.replay():
        seen = game.observation()
        if isinstance(entry, Event) or entry is None:
            if last is not None:
                last.after = game.observation(last.before.turn)
        else:
            assert before is not None
            if before.phase in PLANNED:
                now = before.round, None if before.phase is Phase.SETUP else before.turn
                if now != key:
                    key = now
                    stretches.append(Stretch(now[1], now[0], move, before))
                last = _decision(stretches[-1], before, entry, move, game.observation(before.turn))
                stretches[-1].moves += 1
            move += 1
        before = seen
    assert before is not None
    won = None
    if before.winner is not None:
        won = np.eye(record.players)[before.winner]
    return Cut(stretches, before, before.phase in CHANCE_PHASES, won)


def _decision(
    stretch: Stretch, before: Observation, action: Action, move: int, after: Observation
) -> Decision | None:
    """The decision that an action is, or goes on with; None where it left no choice."""
    kind = _kind(before, action)
    previous = stretch.decisions[-1] if stretch.decisions else None
    if kind is Kind.DRAFT and previous is not None and previous.kind is Kind.DRAFT:
        if previous.move + len(previous.actions) == move:
            previous.actions.append(action)
            previous.after = after
            return previous
    if not _is_choice(before):
        # What chance brings after it is told with the decision before.
        if previous is not None:
            previous.after = after
        return previous
    found = Decision(move, kind, before, [action], after)
    stretch.decisions.append(found)
    return found


def _kind(before: Observation, action: Action) -> Kind:
    match action:
        case Draft() | Trade():
            return Kind.SETUP if before.phase is Phase.SETUP else Kind.DRAFT
        case Attack():
            return Kind.ATTACK
        case Occupy():
            return Kind.OCCUPY
        case End() | Fortify():
            return Kind.END
    raise AssertionError(f"no plan is made for {action}")


def _is_choice(before: Observation) -> bool:
    """Whether more than one action is legal."""
    ways: Iterator[Action] = iter(before.legal_actions)
    return next(ways, None) is not None and next(ways, None) is not None
