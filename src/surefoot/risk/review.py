"""A recorded game looked at by the planner: what each decision cost, and what the dice then did.

Every decision is weighed twice: as it was played, and by the best of the planner's plans. The plan is chosen
on some samples; what it would have brought is measured on others, the same for both sides, so that being the
best of many by luck does not count. What is within two standard errors of the difference is no loss.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError, TooComplex

from . import value
from .actions import Action, Attack, Draft, Occupy, Trade, pack, unpack
from .analysis import chance_of, reason
from .decisions import Cut, Decision, Kind, Stretch, cut
from .goals import Goal
from .kernels.policies_common import NOTHING
from .observation import Observation
from .planner import BATCH, CARDS_OF_SET, FREE, PLANNED, Plan, Search, describe, placements_for, plans_at
from .policy import decide
from .record import Record
from .situation import Phase
from .verdicts import Judged, Review, Turn
from .words import armies_in_words, instruction
from .worldmap import WorldMap

SAMPLES = 128
"""Samples that a decision is measured on; its plans are chosen on half as many."""
_CERTAIN = 2.0
"""So many standard errors a loss has to have."""
_LEAST = 0.002
"""What costs less is no loss."""
_CLOSE = 0.03
"""Plans that were worse by more are not tried with the action that was played."""


def review(
    record: Record,
    samples: int = SAMPLES,
    seats: Sequence[int] | None = None,
    seed: int = 0,
    on_decision: Callable[[int, int], None] | None = None,
    first_turn: int = 0,
    turns: int | None = None,
    names: Sequence[str] | None = None,
) -> Review:
    """Weigh the decisions of a recorded game, finished or not.

    The answer depends on the seed, not on the machine. What a decision is worth does not depend on which
    others are looked at.

    Args:
        samples: how many to measure each decision on; at least 2.
        seats: whose decisions are weighed; everybody's if not given.
        seed: where unseen cards and dice come from.
        on_decision: told after each decision how many are done, and of how many.
        first_turn, turns: only so many turns from that one on; the starting armies count as one.
        names: what the seats are called in words; by their numbers if not given.

    Raises:
        FormatError: there is fog, no such seat, or too few samples.
    """
    if record.rules.fog:
        raise FormatError("a game in fog cannot be reviewed: plans are made only of what is seen")
    if samples < 2:
        raise FormatError(f"samples: at least 2, not {samples}")
    asked = range(record.players) if seats is None else seats
    for seat in asked:
        if not 0 <= seat < record.players:
            raise FormatError(f"there is no seat {seat}: {record.players} play")
    game = cut(record)
    last = len(game.stretches) if turns is None else min(first_turn + turns, len(game.stretches))
    chosen = game.stretches[first_turn:last]
    reviewer = _Reviewer(record.worldmap, samples, frozenset(asked), seed, names)
    total = sum(decision.before.turn in asked for stretch in chosen for decision in stretch.decisions)
    reviewer.on_decision = (lambda done: on_decision(done, total)) if on_decision is not None else None
    following = game.stretches[last] if last < len(game.stretches) else None
    return Review(tuple(reviewer.turns(game, chosen, following)), samples, len(game.stretches))


@dataclass(slots=True)
class _Weighed:
    """A decision with the best plan before it, and what both sides are worth."""

    decision: Decision
    plan: Plan
    best: float
    played: float
    error: float
    luck: float
    counts: bool = True

    @property
    def loss(self) -> float:
        if not self.counts:
            return 0.0
        lost = self.best - self.played
        return lost if lost > max(_CERTAIN * self.error, _LEAST) else 0.0

    @property
    def chance(self) -> float:
        """By the better of both."""
        return max(self.best, self.played)


class _Reviewer:
    """Weighs decisions; each has chance of its own, by its place in the game."""

    def __init__(
        self, worldmap: WorldMap, samples: int, seats: frozenset[int], seed: int, names: Sequence[str] | None
    ) -> None:
        self._map = worldmap
        self._samples = samples
        self._seats = seats
        self._seed = seed
        self._names = names
        self._leaders: dict[int, list[Plan]] = {}
        self._done = 0
        self.on_decision: Callable[[int], None] | None = None

    def turns(self, game: Cut, chosen: Sequence[Stretch], following: Stretch | None) -> Iterator[Turn]:
        """The turns, each judged."""
        weighed = [self._weigh_all(stretch) for stretch in chosen]
        starts: list[tuple[float, ...]] = []
        for stretch, found in zip(chosen, weighed):
            starts.append(self._start(stretch, found, starts))
        if following is not None:
            first = next(iter(following.decisions), None)
            mine = first is not None and first.before.turn in self._seats
            later = following.decisions[1] if len(following.decisions) > 1 else None
            found = [self._weigh(first, later)] if first is not None and mine else []
            starts.append(self._start(following, found, starts))
        elif chosen:
            starts.append(self._end(game, chosen[-1], weighed[-1], starts[-1]))
        for number, (stretch, found) in enumerate(zip(chosen, weighed)):
            yield self._judge(stretch, found, starts[number], starts[number + 1])

    # What positions are worth, to everybody.

    def _start(
        self, stretch: Stretch, found: Sequence[_Weighed], before: Sequence[tuple[float, ...]]
    ) -> tuple[float, ...]:
        seen = stretch.start
        if stretch.seat is None:
            # Each by its own first placement; what is left goes to those without, and all make up the whole.
            first = {one.decision.before.turn: one.chance for one in reversed(found)}
            left = max(1.0 - sum(first.values()), 0.0) / max(seen.players - len(first), 1)
            chances = np.array([first.get(seat, left) for seat in range(seen.players)])
            return tuple((chances / max(chances.sum(), 1e-9)).tolist())
        known: Sequence[float]
        if seen.phase is Phase.DRAFT:
            known = value.chances(seen)
        else:
            known = before[-1] if before else [1.0 / seen.players] * seen.players
        # A turn may begin with what left no choice: then there is no search of its start.
        if not found or found[0].decision.before.turn != seen.turn:
            return tuple(known)
        return _scaled(known, seen.turn, found[0].chance)

    def _end(
        self, game: Cut, stretch: Stretch, found: Sequence[_Weighed], before: tuple[float, ...]
    ) -> tuple[float, ...]:
        if game.outcome is not None:
            return tuple(game.outcome.tolist())
        seen, last = game.end, found[-1] if found else None
        if seen.over or game.waits_for_chance or seen.phase not in PLANNED:
            # Nothing is known of it but what the last decision was worth.
            return before if last is None else _scaled(before, last.decision.before.turn, last.played)
        known: Sequence[float] = before
        if seen.phase is Phase.DRAFT and (seen.turn, seen.round) != (stretch.seat, stretch.round):
            known = value.chances(seen)
        if seen.turn not in self._seats:
            return tuple(known)
        move = stretch.move + stretch.moves
        worth = float(self._play(seen, self._lead(seen, move)[:1], move, 3).mean())
        return _scaled(known, seen.turn, worth)

    # What decisions are worth, to the seat that decides.

    def _weigh_all(self, stretch: Stretch) -> list[_Weighed]:
        mine = [one for one in stretch.decisions if one.before.turn in self._seats]
        found = []
        for decision, later in zip(mine, [*mine[1:], None]):
            found.append(self._weigh(decision, later))
            self._done += 1
            if self.on_decision is not None:
                self.on_decision(self._done)
        if stretch.seat is None:
            # What the first army misses, the next can still get: the same chance is not lost twice.
            for seat in self._seats:
                own = [one for one in found if one.decision.before.turn == seat]
                for one in sorted(own, key=lambda one: -one.loss)[1:]:
                    one.counts = False
        return found

    def _weigh(self, decision: Decision, later: Decision | None) -> _Weighed:
        seen, after, move = decision.before, decision.after, decision.move
        best = self._lead(seen, move, later if decision.kind is Kind.OCCUPY else None)[0]
        goal = best._replace(opening=NOTHING)
        if _same(_begun(best, decision), decision.actions):
            plan, values = goal, self._play(seen, [best], move, 2)[[0, 0]]
        elif decision.kind in (Kind.DRAFT, Kind.OCCUPY) and _goes_on(decision):
            # No chance lies between: what was played is worth what the best plan makes of it.
            follows = later is not None and later.move == move + len(decision.actions)
            then = self._lead(after, later.move)[0] if later is not None and follows else FREE
            values = np.vstack([self._play(seen, [best], move, 2), self._play(after, [then, goal], move, 2)])
            number = 1 if values[1].mean() >= values[2].mean() else 2
            plan, values = (then, goal)[number - 1], values[[0, number]]
        else:
            plan = self._opened(seen, decision, move)
            values = self._play(seen, [best, plan], move, 2)
            plan = plan._replace(opening=NOTHING)
        difference = values[0] - values[1]
        error = float(difference.std(ddof=1)) / math.sqrt(self._samples)
        played = float(values[1].mean())
        return _Weighed(
            decision, best, float(values[0].mean()), played, error, self._fell(decision, plan, played)
        )

    def _fell(self, decision: Decision, plan: Plan, played: float) -> float:
        """What the dice of an attack brought: the same plan's chance after them, less that before.

        Only of the same plan is that nothing on average.
        """
        after, seat = decision.after, decision.before.turn
        if decision.kind is not Kind.ATTACK:
            return 0.0
        if after.over:
            return float(after.winner == seat) - played
        if not _goes_on(decision):
            return 0.0
        return float(self._play(after, [plan], decision.move, 3).mean()) - played

    def _lead(self, seen: Observation, move: int, later: Decision | None = None) -> list[Plan]:
        """The plans that are about as good as the best, that one first."""
        if move not in self._leaders:
            plans = _plans(seen)
            if later is not None and later.before.turn == seen.turn and later.before.phase in PLANNED:
                goals = {plan._replace(opening=NOTHING) for plan in self._lead(later.before, later.move)[:1]}
                plans += [plan._replace(kind=goal.kind, goal=goal.goal) for goal in goals for plan in plans]
            self._leaders[move] = self._raced(Search(seen, list(dict.fromkeys(plans)), self._rng(move, 0)))
        return self._leaders[move]

    def _raced(self, search: Search) -> list[Plan]:
        race = search.race
        while race.is_open and race.samples < max(self._samples // 2, 1):
            search.try_once_more(min(BATCH, self._samples // 2 or 1))
        best = race.leader()
        close = [n for n in range(len(search.plans)) if n != best and race.mean(n) > race.mean(best) - _CLOSE]
        return [search.plans[n] for n in (best, *close)]

    def _opened(self, seen: Observation, decision: Decision, move: int) -> Plan:
        """The best plan that begins with what was played."""
        played = pack(decision.actions[0])
        goals = [FREE] if decision.kind in (Kind.END, Kind.SETUP) else [*self._lead(seen, move), FREE]
        plans = [Plan(goal.kind, goal.goal, played) for goal in goals if goal.opening == NOTHING]
        plans = list(dict.fromkeys(plans)) or [Plan(opening=played)]
        if len(plans) == 1:
            return plans[0]
        return self._raced(Search(seen, plans, self._rng(move, 1)))[0]

    def _play(self, seen: Observation, plans: Sequence[Plan], move: int, use: int) -> NDArray[np.float64]:
        """What plans are worth on the samples of one use, shape (plans, samples)."""
        return Search(seen, plans, self._rng(move, use)).play(self._samples)

    def _rng(self, move: int, use: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence([self._seed, move, use]))

    # What is told of them.

    def _judge(
        self, stretch: Stretch, found: Sequence[_Weighed], before: tuple[float, ...], after: tuple[float, ...]
    ) -> Turn:
        players = len(before)
        losses, gifts, luck = np.zeros((3, players))
        judged = []
        for one in found:
            seat = one.decision.before.turn
            judged.append(self._told(one, stretch.round))
            losses[seat] += one.loss
            luck[seat] += one.luck
            # Of what one loses the others get in proportion to their chances.
            shares = np.array(_scaled(before, seat, 0.0))
            shares[seat] = 0.0
            gifts += one.loss * shares
            luck -= one.luck * shares
        rest = np.array(after) - before + losses - gifts - luck
        return Turn(
            stretch.seat,
            stretch.round,
            stretch.move,
            stretch.moves,
            before,
            after,
            losses=tuple(losses.tolist()),
            gifts=tuple(gifts.tolist()),
            luck=tuple(luck.tolist()),
            rest=tuple(rest.tolist()),
            decisions=tuple(judged),
        )

    def _told(self, one: _Weighed, number: int) -> Judged:
        decision = one.decision
        played = _in_words(decision.actions, decision.before)
        better, why = played, ""
        if one.loss:
            actions = _begun(one.plan, decision)
            better = _in_words(actions, decision.before)
            why = f"{better}: {self._reason(one.plan, actions, decision.before)}, "
            why += f"{one.best:.0%} to win against {one.played:.0%}"
        return Judged(
            decision.move,
            decision.before.turn,
            number,
            decision.kind,
            played,
            _outcome(decision),
            better,
            describe(one.plan, self._map, self._names),
            why,
            one.chance,
            one.played,
            one.loss,
            one.error,
            one.luck,
        )

    def _reason(self, plan: Plan, actions: Sequence[Action], seen: Observation) -> str:
        if plan.kind is not Goal.FREE:
            return f"to {describe(plan._replace(opening=NOTHING), self._map, self._names)}"
        action = actions[0]
        if isinstance(action, Trade) and len(actions) > 1:
            action = actions[1]
        return reason(seen, action)


def _scaled(known: Sequence[float], seat: int, chance: float) -> tuple[float, ...]:
    """Everybody's chances with one of them known better; the others keep their proportions."""
    rest = 1.0 - known[seat]
    if rest <= 0.0:
        others = [(1.0 - chance) / max(len(known) - 1, 1)] * len(known)
    else:
        others = [(1.0 - chance) * each / rest for each in known]
    others[seat] = chance
    return tuple(others)


def _plans(seen: Observation) -> list[Plan]:
    """What the planner would think of in a position."""
    if seen.phase is Phase.SETUP:
        return placements_for(seen)
    if seen.phase is Phase.OCCUPY:
        assert seen.occupation is not None
        return [FREE, *(Plan(opening=pack(Occupy(armies))) for armies in seen.occupation)]
    places = seen.phase is Phase.DRAFT and len(seen.hand(seen.turn)) < CARDS_OF_SET
    return plans_at(seen) + (placements_for(seen)[1:] if places else [])


def _goes_on(decision: Decision) -> bool:
    """Whether the turn goes on after it with something to plan."""
    return decision.after.phase in PLANNED and decision.after.turn == decision.before.turn


def _same(some: Sequence[Action], others: Sequence[Action]) -> bool:
    """Whether two beginnings come to the same; placements may be split, and made in any order."""
    placed: tuple[dict[int, int], dict[int, int]] = ({}, {})
    rest: tuple[list[Action], list[Action]] = ([], [])
    for number, actions in enumerate((some, others)):
        for action in actions:
            if isinstance(action, Draft):
                placed[number][action.territory] = placed[number].get(action.territory, 0) + action.armies
            else:
                rest[number].append(action)
    return placed[0] == placed[1] and rest[0] == rest[1]


def _begun(plan: Plan, decision: Decision) -> list[Action]:
    """What a plan begins with: the whole draft, or one action."""
    from .game import Game

    streams = np.zeros(1, np.uint64)
    game = Game.on(decision.before, rng=None, cards=np.random.default_rng(0))
    actions: list[Action] = []
    while not actions or (decision.kind is Kind.DRAFT and game.phase is Phase.DRAFT):
        seen = game.observation()
        code = plan.opening if not actions and plan.opening != NOTHING else decide(plan.policy, seen, streams)
        actions.append(unpack(code))
        game.play(actions[-1])
    return actions


def _outcome(decision: Decision) -> str:
    """What the dice of an attack brought, and how likely it was to take its territory."""
    attack, before, after = decision.actions[0], decision.before, decision.after
    if not isinstance(attack, Attack):
        return ""
    taken = after.owners[attack.target] == before.turn
    left = int(after.armies[attack.source]) + (int(after.armies[attack.target]) if taken else 0)
    cost = armies_in_words(int(before.armies[attack.source]) - left)
    likely = ""
    if attack.until == "decided":
        with suppress(TooComplex):
            win = chance_of(before, attack.source, attack.target, attack.armies).win
            likely = f" ({win:.0%} likely)" if taken else f" ({1.0 - win:.0%} likely)"
    return f"it is taken and costs {cost}{likely}" if taken else f"it is not taken and costs {cost}{likely}"


def _in_words(actions: Sequence[Action], seen: Observation) -> str:
    """Actions of one decision; placements on the same territory are told as one."""
    places = [land.name for land in seen.worldmap.territories]
    placed: dict[int, int] = {}
    words = []
    for action in actions:
        if isinstance(action, Draft):
            placed[action.territory] = placed.get(action.territory, 0) + action.armies
        else:
            words.append(instruction(action, places))
    if placed:
        told = [f"{armies_in_words(armies)} in {places[t]}" for t, armies in placed.items()]
        words.append("Place " + ", ".join(told))
    return "; ".join([words[0], *(one[0].lower() + one[1:] for one in words[1:])])
