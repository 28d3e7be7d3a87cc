"""The planner's search: what each plan for a turn is worth, by playing it and the replies out.

A plan is a goal that the fast policy is made to pursue (`goals`). It is played with dice, the others' replies
by the same policy, and the position after that is weighed by the value (`value`). Plans are tried on the
same samples, and those that are clearly beaten get no more of them (`surefoot.race`).
"""

import math
import time
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot.race import Race

from . import value
from .actions import Draft, pack, unpack
from .goals import Goal, planner_policy
from .kernels import layout, plan_search, planner_goals
from .kernels.policies_common import NOTHING
from .observation import Observation
from .opponents import STYLES, WEIGHTS, Opponents
from .policy import Policy, new_scratch, tables
from .situation import Phase
from .truths import possible_states
from .words import instruction
from .worldmap import WorldMap

ROUNDS = 1
"""Rounds that are played before the position is weighed: one's own turn, and everybody's reply."""
FIRST_ROUNDS = 2
"""The same of plans for the starting armies."""
PLANNED = frozenset({Phase.SETUP, Phase.DRAFT, Phase.ATTACK, Phase.OCCUPY})
"""Where there is something to plan."""
CARDS_OF_SET = 3
BATCH = 8
"""Samples between two looks at the clock and at who is beaten."""
_SPREAD = 0.04
"""How far what the fast policy thinks of a plan may be off: a standard deviation, in chances to win."""
_FIRST_SPREAD = 0.12
"""The same of plans for the starting armies."""
_LATER_SPREAD = 0.06
"""The same once a search has told."""
_WORTHWHILE = 0.0008
"""A race ends when changing one's mind is expected to bring less than this share of a game."""
_DOUBT = 0.02
"""The variance of one supposed sample (see `Race`): games differ less here than won and lost do."""
_NEVER = 1e9
"""The weight that a set's armies would have to outweigh for it to be traded."""
_HANDICAP = 0.01
"""By how much a plan is thought to be worse than letting the fast policy choose."""


class Plan(NamedTuple):
    """What a turn is played for.

    Args:
        kind: the kind of goal.
        goal: its continent, seat or territory; 0 where the kind names none.
        opening: a packed action to begin with, or NOTHING.
        keep: whether sets that need not be traded are kept.
    """

    kind: Goal = Goal.FREE
    goal: int = 0
    opening: int = NOTHING
    keep: bool = False

    @property
    def policy(self) -> Policy:
        """The fast policy made to play for this plan; not to be written to."""
        return _policy(self.kind, self.goal, self.keep)


@cache
def _policy(kind: Goal, goal: int, keep: bool) -> Policy:
    found = planner_policy(kind, goal, free_afterwards=kind not in (Goal.HOLD, Goal.CARD))
    if keep:
        for first in (0, planner_goals.SET_WORDS):
            found.weights[planner_goals.FIRST + first + planner_goals.TRADE] = _NEVER
    found.weights.flags.writeable = False
    return found


FREE = Plan()


def describe(plan: Plan, worldmap: WorldMap, names: Sequence[str] | None = None) -> str:
    """What a plan is for, as one tells somebody to do it: ``take all of Asia``.

    Of a plan that begins with an action, that action is told, and the goal only if there is one; of one that
    only leaves the choice, ``choose freely``.

    Args:
        plan: what is told.
        worldmap: the map that it is made on.
        names: what the seats are called; by their numbers, from 0 as in records, if not given.
    """
    words = []
    if plan.opening != NOTHING:
        told = instruction(unpack(plan.opening), [land.name for land in worldmap.territories])
        words.append(told[0].lower() + told[1:])
    if plan.kind is not Goal.FREE or not words:
        words.append(_goal_in_words(plan, worldmap, names))
    return ", then ".join(words) + (", keeping the cards" if plan.keep else "")


def _goal_in_words(plan: Plan, worldmap: WorldMap, names: Sequence[str] | None) -> str:
    match plan.kind:
        case Goal.CONTINENT:
            return f"take all of {worldmap.continents[plan.goal].name}"
        case Goal.BREAK:
            return f"break {worldmap.continents[plan.goal].name}"
        case Goal.ELIMINATE:
            return f"eliminate {f'player {plan.goal}' if names is None else names[plan.goal]}"
        case Goal.TAKE:
            return f"take {worldmap.territories[plan.goal].name}"
        case Goal.CARD:
            return "take one territory for the card"
        case Goal.HOLD:
            return "hold"
        case Goal.GATHER:
            return f"gather in {worldmap.territories[plan.goal].name}"
        case Goal.FREE:
            return "choose freely"


def plans_for(position: Observation) -> list[Plan]:
    """The plans that are worth a thought for the seat to move: the free choice first.

    Continents that it does not hold and reaches, continents of others to break, players and territories
    beside its own, one territory for the card, and holding.
    """
    worldmap, seat = position.worldmap, position.turn
    owners = position.owners.tolist()
    near = sorted(
        {
            other
            for t, owner in enumerate(owners)
            if owner == seat
            for other in worldmap.neighbours[t]
            if owners[other] != seat
        }
    )
    found = [FREE, Plan(Goal.HOLD)]
    if not near:
        return found
    found.append(Plan(Goal.CARD))
    beside = {worldmap.territories[t].continent for t in near}
    for number, continent in enumerate(worldmap.continents):
        holders = {owner for owner, land in zip(owners, worldmap.territories) if land.continent == number}
        if continent.bonus > 0 and number in beside:
            found.append(Plan(Goal.CONTINENT, number))
            if len(holders) == 1:
                found.append(Plan(Goal.BREAK, number))
    others = sorted({owners[t] for t in near})
    found.extend(Plan(Goal.ELIMINATE, other) for other in others if 0 <= other < position.players)
    found.extend(Plan(Goal.TAKE, t) for t in near)
    return found


def placements_for(position: Observation) -> list[Plan]:
    """The free choice, and placing all that is in hand on one of the own territories beside others.

    For a review, which has samples enough to tell them apart; the planner itself leaves placing to its goals.
    """
    most = position.rules.max_armies or layout.MAX_ARMIES
    found = [FREE]
    for t in _front(position):
        armies = min(position.to_place, most - int(position.armies[t]))
        if armies > 0:
            found.append(Plan(opening=pack(Draft(t, armies))))
    return found


def gatherings_for(position: Observation) -> list[Plan]:
    """The plans for starting armies: the free choice, and all on one of the own territories beside others."""
    return [FREE, *(Plan(Goal.GATHER, t) for t in _front(position))]


def _front(position: Observation) -> list[int]:
    """The territories of the seat to move that are beside others'."""
    owners, seat = position.owners.tolist(), position.turn
    near = position.worldmap.neighbours
    return [t for t, owner in enumerate(owners) if owner == seat and any(owners[n] != seat for n in near[t])]


def plans_at(position: Observation) -> list[Plan]:
    """What the seat to move has to choose from when it thinks for the first time.

    Empty where nothing is searched: in fog, before the first turn, between a conquest and the next
    attack, and where chance is next or the game is over.
    """
    if position.rules.fog:
        return []
    if position.phase is Phase.SETUP:
        return gatherings_for(position)
    if position.phase is Phase.ATTACK:
        return plans_for(position)
    if position.phase is not Phase.DRAFT:
        return []
    found = plans_for(position)
    may_keep = len(position.hand(position.turn)) >= CARDS_OF_SET and not position.must_trade
    return [*found, Plan(keep=True)] if may_keep else found


class Search:
    """Plans of one position, tried on more and more samples.

    Args:
        position: what the seat to move sees, placing starting armies or in its turn, without fog.
        plans: what is tried; without a ``prior`` the first is thought a little better than the others.
        rng: draws the unseen cards and the dice.
        others: what is thought of the other players; that they play by the fast policy if None.
        prior: what each plan is thought to be worth, where an earlier search has told.

    Attributes:
        plans: as given.
        race: how they stand.
        twins: the numbers of plans that were left out because they are played as one before them.

    Raises:
        ValueError: there is nothing to plan, or fog lies on the position.
    """

    def __init__(
        self,
        position: Observation,
        plans: Sequence[Plan],
        rng: np.random.Generator,
        others: Opponents | None = None,
        prior: Sequence[float] | None = None,
    ) -> None:
        if position.phase not in PLANNED:
            raise ValueError("a plan is for the starting armies, or for a turn from its draft on")
        self.plans = list(plans)
        placing = position.phase is Phase.SETUP
        # Where starting armies gather matters more than a plan for a turn does.
        spread = (_FIRST_SPREAD if prior is None else _LATER_SPREAD) if placing else _SPREAD
        self.race = Race(prior or [0.0] + [-_HANDICAP] * (len(plans) - 1), spread, _WORTHWHILE, _DOUBT)
        self.race.drop_beaten()
        self.twins: set[int] = set()
        self._position = position
        self._rng = rng
        rounds = FIRST_ROUNDS if placing else ROUNDS
        self._replies = rounds * sum(position.alive) - 1
        worldmap, (rolls, odds) = position.worldmap, tables(position.rules)
        self._fixed = (worldmap.world, position.packed, rolls, odds, value.shipped())
        self._others = others
        self._rows = np.stack([plan.policy.weights for plan in plans])
        self._openings = np.array([plan.opening for plan in plans], np.int64)
        self._room = (
            np.zeros(worldmap.state_size, np.int32),
            value.new_words(worldmap),
            np.zeros(layout.MAX_SEATS),
            np.zeros(plan_search.STREAMS, np.uint64),
            new_scratch(worldmap),
        )

    def try_once_more(self, samples: int = BATCH) -> None:
        """Try what is still in the race on some more samples."""
        values = self.play(samples)
        running = self.race.running.copy()
        self.race.add(values)
        # The same to the last bit on several samples: what is out of reach is played as the free choice.
        met: dict[bytes, int] = {}
        for number in running:
            first = met.setdefault(values[number].tobytes(), number)
            if first != number:
                self.race.drop(number)
                self.twins.add(number)

    def play(self, samples: int) -> NDArray[np.float64]:
        """What every plan in the race is worth on some more samples, shape (plans, samples); 0 for others."""
        truths = possible_states(self._position, samples, self._rng)
        seeds = self._rng.integers(2**63, size=(samples, plan_search.STREAMS)).astype(np.uint64)
        active = np.zeros(len(self.plans), np.bool_)
        active[self.race.running] = True
        values = np.zeros((len(self.plans), samples))
        minds = np.zeros((samples, layout.MAX_SEATS), np.int64)
        if self._others is not None:
            minds = self._others.draw(samples, self._position.turn, self._rng)
        with np.errstate(over="ignore"):
            plan_search.play_plans(
                *self._fixed,
                self._rows,
                self._openings,
                active,
                STYLES,
                WEIGHTS,
                minds,
                self._replies,
                truths,
                seeds,
                *self._room,
                values,
            )
        return values

    def run(self, seconds: float, enough: float = math.inf) -> Plan:
        """Try plans until one is clearly the best or the processor time is up; the answer is the best.

        Args:
            seconds: of this thread's processor time; one batch is tried in any case.
            enough: a chance to win that is good enough, so that nothing better is looked for.
        """
        end = time.thread_time() + seconds
        while self.race.is_open:
            self.try_once_more()
            if self.race.mean(self.race.leader()) >= enough or time.thread_time() >= end:
                break
        return self.plans[self.race.leader()]
