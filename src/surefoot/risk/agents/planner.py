"""Our own player."""

import math
import time
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..actions import Action, unpack
from ..goals import Goal
from ..kernels.policies_common import NOTHING
from ..observation import Observation
from ..planner import FREE, Plan, Search, placements_for, plans_for
from ..policy import decide
from ..situation import Phase
from .scripted import Scripted

_FIRST_SHARE = 0.5
"""Of a turn's time, what its first thought may take; each later one takes `_SHARE` of what is left."""
_SHARE = 0.25
_SETUP_SHARE = 0.1
"""The same of one placement of starting armies, which have a turn's time together in each round of them."""
CARDS_OF_SET = 3
_CLOSE = 0.03
"""Plans that were worse by more are not thought of again in the same turn."""


class PlannerAgent(Scripted):
    """Plays each turn for a plan, found by playing plans and replies out; thinks again after every battle.

    The preset ``fast`` is the policy that pursues the plans, choosing for itself; in fog it is all there is.

    Args:
        ms: processor time a turn, in milliseconds; 0 for ``fast``.
        seed: where the dice of its thoughts come from.

    Raises:
        ValueError: the time is negative or not finite.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, float]]] = {"fast": {"ms": 0}}

    def __init__(self, ms: float = 100, seed: int = 0) -> None:
        if not (math.isfinite(ms) and ms >= 0):
            raise ValueError(f"planner takes 0 or more milliseconds, not {ms}")
        super().__init__(FREE.policy, seed)
        self.compiled = ms == 0
        self._budget = ms / 1000.0
        self._rng = np.random.default_rng(seed)
        self._turn: tuple[int, int] | None = None
        self._left = 0.0
        self._plan = FREE
        self._close: list[Plan] = []

    def act(self, observation: Observation) -> Action:
        """Choose an action."""
        turn = (observation.round, observation.turn)
        if turn != self._turn:
            self._turn, self._left, self._plan, self._close = turn, self._budget, FREE, []
        plans = self._asked(observation)
        if plans:
            self._think(observation, plans)
            if self._plan.opening != NOTHING:
                opening, self._plan = self._plan.opening, self._plan._replace(opening=NOTHING)
                return unpack(opening)
        return unpack(decide(self._plan.policy, observation, self._streams))

    def _asked(self, observation: Observation) -> list[Plan]:
        """The plans to choose from now; none where no thought is due."""
        if self._budget == 0 or observation.rules.fog:
            return []
        if observation.phase is Phase.SETUP:
            return placements_for(observation)
        if observation.phase is Phase.DRAFT:
            # Once a turn, and again after an elimination whose cards have brought armies.
            if self._close and not observation.attacks:
                return []
            found = plans_for(observation)
            if len(observation.hand(observation.turn)) < CARDS_OF_SET:
                return found + placements_for(observation)[1:]
            return found if observation.must_trade else [*found, Plan(keep=True)]
        if observation.phase is not Phase.ATTACK:
            return []
        if not self._close:
            return plans_for(observation)
        return list(dict.fromkeys([self._plan, FREE, Plan(Goal.HOLD), Plan(Goal.CARD), *self._close]))

    def _think(self, observation: Observation, plans: list[Plan]) -> None:
        started = time.thread_time()
        search = Search(observation, plans, self._rng)
        if observation.phase is Phase.SETUP:
            self._plan = search.run(_SETUP_SHARE * self._budget)
            return
        share = _SHARE if self._close else _FIRST_SHARE
        self._plan = search.run(share * max(self._left, 0.0))
        race = search.race
        best = race.mean(race.leader())
        self._close = [plan for n, plan in enumerate(plans) if race.mean(n) > best - _CLOSE]
        self._left -= time.thread_time() - started
