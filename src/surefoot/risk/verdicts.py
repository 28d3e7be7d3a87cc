"""What a review says of a game: turns, decisions, turning points, and everybody's sum."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .decisions import Kind

_NOTABLE = 0.05
"""Changes of the chance to win that may be turning points."""
TURNING_POINTS = 6
WORST = 3
"""So many of a turn's decisions are told."""
_BY_PLAYER = ("before", "after", "losses", "gifts", "luck", "rest")


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision.

    Args:
        move: how many actions were played before it.
        seat: who decided.
        round: 0 for starting armies.
        kind: what was decided.
        played: what was played, in words.
        outcome: what the dice of an attack brought, in words; else empty.
        better: what the best plan begins with, in words; the same as ``played`` if that is best.
        plan: what that plan is for, in words.
        why: the reason, in words, with both chances; empty without a loss.
        chance: the chance to win before it, by the best that is known.
        after_played: the chance to win after what was played, before dice and cards.
        loss: the difference, where it is certain enough, else 0.
        error: the standard error of the difference.
        luck: what the dice of an attack then changed; else 0.
    """

    move: int
    seat: int
    round: int
    kind: Kind
    played: str
    outcome: str
    better: str
    plan: str
    why: str
    chance: float
    after_played: float
    loss: float
    error: float
    luck: float

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        return plain | {"kind": self.kind.value}


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn; or the starting armies, which all seats place in turn.

    Args:
        seat: whose turn it was; None for the starting armies.
        round: 0 for the starting armies.
        move: how many actions were played before it.
        moves: how many actions it had.
        before, after: everybody's chance to win, by player.
        losses: by player, what its decisions cost it.
        gifts: by player, what it got from the losses of others.
        luck: by player, what the dice of its attacks brought.
        rest: by player, what is left of the change: the cards, what was too small or too uncertain to be
            called a loss, and where the estimates before and after do not agree.
        decisions: those that were weighed, in order.
    """

    seat: int | None
    round: int
    move: int
    moves: int
    before: tuple[float, ...]
    after: tuple[float, ...]
    losses: tuple[float, ...]
    gifts: tuple[float, ...]
    luck: tuple[float, ...]
    rest: tuple[float, ...]
    decisions: tuple[Judged, ...]

    @property
    def worst(self) -> tuple[Judged, ...]:
        """The decisions that cost most, those first; none that cost nothing."""
        costly = [one for one in self.decisions if one.loss > 0]
        return tuple(sorted(costly, key=lambda one: -one.loss)[:WORST])

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        plain: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        plain |= {name: list(plain[name]) for name in _BY_PLAYER}
        return plain | {"decisions": [one.as_dict() for one in self.decisions]}


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A large change of a seat's chance to win.

    Args:
        move: how many actions were played before the one that brought it.
        seat: whose chance changed; it was its own turn.
        round: when.
        kind: ``loss`` or ``luck``.
        change: by how much.
        text: what happened.
    """

    move: int
    seat: int
    round: int
    kind: str
    change: float
    text: str

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Summary:
    """One seat's game; ``first - loss + gifts + luck + others_luck + rest`` is ``last``.

    Args:
        seat: who.
        turns: how many it had, without the starting armies.
        first, last: its chance to win at the beginning and at the end.
        loss: what its decisions cost it.
        mean_loss: the same a turn.
        gifts: what it got from the losses of others.
        luck: what dice brought it in its own turns.
        others_luck: what those of others did.
        rest: what is left (see `Turn`).
    """

    seat: int
    turns: int
    first: float
    last: float
    loss: float
    mean_loss: float
    gifts: float
    luck: float
    others_luck: float
    rest: float

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Review:
    """A game, or a part of it, turn by turn.

    Args:
        turns: in order.
        samples: those that each decision was measured on.
        total_turns: how many turns the record has.
    """

    turns: tuple[Turn, ...]
    samples: int
    total_turns: int

    @property
    def turning_points(self) -> tuple[TurningPoint, ...]:
        """The largest changes, in the order of the game."""
        found = [point for turn in self.turns for one in turn.decisions for point in _points(one)]
        found.sort(key=lambda point: -abs(point.change))
        return tuple(sorted(found[:TURNING_POINTS], key=lambda point: point.move))

    @property
    def worst(self) -> tuple[Judged, ...]:
        """The decisions of the game that cost most, those first."""
        costly = [one for turn in self.turns for one in turn.worst]
        return tuple(sorted(costly, key=lambda one: -one.loss))

    @property
    def seats(self) -> tuple[Summary, ...]:
        """Every seat's game in short; none if there are no turns."""
        if not self.turns:
            return ()
        return tuple(self._summary(seat) for seat in range(len(self.turns[0].before)))

    def _summary(self, seat: int) -> Summary:
        own = [turn for turn in self.turns if turn.seat == seat]
        loss = math.fsum(turn.losses[seat] for turn in self.turns)
        return Summary(
            seat,
            len(own),
            self.turns[0].before[seat],
            self.turns[-1].after[seat],
            loss,
            loss / len(own) if own else 0.0,
            math.fsum(turn.gifts[seat] for turn in self.turns),
            math.fsum(turn.luck[seat] for turn in own),
            math.fsum(turn.luck[seat] for turn in self.turns if turn.seat != seat),
            math.fsum(turn.rest[seat] for turn in self.turns),
        )

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "samples": self.samples,
            "total_turns": self.total_turns,
            "turns": [turn.as_dict() for turn in self.turns],
            "turning_points": [point.as_dict() for point in self.turning_points],
            "worst": [one.as_dict() for one in self.worst],
            "seats": [seat.as_dict() for seat in self.seats],
        }


def _points(one: Judged) -> Iterator[TurningPoint]:
    if one.loss >= _NOTABLE:
        text = f"{one.played}, rather than {one.why[0].lower()}{one.why[1:]}"
        yield TurningPoint(one.move, one.seat, one.round, "loss", -one.loss, text)
    if abs(one.luck) >= _NOTABLE:
        now = min(max(one.after_played + one.luck, 0.0), 1.0)
        text = f"{one.played}: {one.outcome}, {one.after_played:.0%} to win before and {now:.0%} after"
        yield TurningPoint(one.move, one.seat, one.round, "luck", one.luck, text)
