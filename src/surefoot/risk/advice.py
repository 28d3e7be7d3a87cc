"""What our own player thinks of a position: its plans, what each is worth, and why the best is better."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from surefoot.intervals import STANDARD_ERRORS

from .actions import Action, unpack
from .kernels.policies_common import NOTHING
from .observation import Observation
from .planner import FREE, Plan, Search, describe, plans_at
from .policy import decide


@dataclass(frozen=True, slots=True)
class Considered:
    """A plan that was tried.

    Args:
        plan: what the turn would be played for.
        words: the same in words, such as "take all of Asia".
        action: what it begins with.
        win: the chance to win under it.
        error: half the width of the 95 % interval around that, as far as the dice of the search go.
    """

    plan: Plan
    words: str
    action: Action
    win: float
    error: float


@dataclass(frozen=True, slots=True)
class Advice:
    """What to play.

    Args:
        action: the action.
        why: why it is better than others, in words; empty where nothing was compared.
        plans: what was compared, the best first; empty where nothing was.
    """

    action: Action
    why: str = ""
    plans: tuple[Considered, ...] = ()


class Adviser(ABC):
    """An agent that can tell what it weighed."""

    @abstractmethod
    def advise(self, observation: Observation) -> Advice:
        """What it would play, and why."""


def advise(observation: Observation, ms: float = 100, seed: int = 0) -> Advice:
    """What our own player would play, and why.

    Where nothing can be searched (see `planner.plans_at`), or in no time, it is what its fast policy plays.

    Args:
        observation: there is something to choose for its seat.
        ms: processor time, in milliseconds; at least one batch of samples is tried if it is more than 0.
        seed: where unseen cards and dice come from.
    """
    plans = plans_at(observation) if ms > 0 else []
    if len(plans) < 2:
        return Advice(_opening(FREE, observation))
    search = Search(observation, plans, np.random.default_rng(seed))
    search.run(ms / 1000.0)
    considered = _considered(search, observation)
    return Advice(considered[0].action, _why(considered), considered)


def _considered(search: Search, observation: Observation) -> tuple[Considered, ...]:
    """The plans of a search that differ, the best first, and the others by what they are worth."""
    race = search.race
    best = race.leader()
    # Those that were dropped early met other dice than the best did later: only the difference is theirs.
    worth = {
        number: min(max(race.mean(best) + race.gap(number, best), 0.0), 1.0)
        for number in range(len(search.plans))
        if number not in search.twins
    }
    order = sorted(worth, key=lambda number: (number != best, -worth[number]))
    return tuple(
        Considered(
            search.plans[number],
            describe(search.plans[number], observation.worldmap),
            _opening(search.plans[number], observation),
            worth[number],
            STANDARD_ERRORS * race.error(number),
        )
        for number in order
    )


def _opening(plan: Plan, observation: Observation) -> Action:
    if plan.opening != NOTHING:
        return unpack(plan.opening)
    return unpack(decide(plan.policy, observation, np.zeros(1, np.uint64)))


def _why(considered: tuple[Considered, ...]) -> str:
    best, *others = considered
    said = f"{best.words}: {best.win:.1%} to win (±{100 * best.error:.1f})"
    if not others:
        return f"{said}; no other plan is played differently"
    second = others[0]
    against = f"{second.win:.1%} to {second.words}"
    if best.win - second.win < best.error:
        return f"{said}; too close to tell from {against}"
    return f"{said}; better than {against}"
