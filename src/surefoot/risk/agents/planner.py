"""Our own player: it searches for a plan, and has the fast policy carry it out.

Before the first turn it searches for where to gather its starting armies, and watches what the others do: who
places as one of some policies does is thought to play on by it (`opponents`). A turn begins with the longest
thought: every plan is tried, which takes half of the turn's time. After every battle the plans that were
nearly as good are tried again, for a quarter of what is left. How long a thought is, the processor time says,
so that a busy machine does not weaken it; its games differ from run to run. Where nothing can be searched,
and in fog, the fast policy chooses alone. ``docs/risk-planner.md`` has more.
"""

import math
import time
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from surefoot.errors import FormatError

from ..actions import Action, unpack
from ..advice import Advice, Adviser, advise
from ..goals import Goal
from ..observation import Observation
from ..opponents import STARTING, Opponents
from ..planner import FREE, Plan, Search, plans_at
from ..policy import decide
from ..situation import Phase
from .scripted import Scripted

_FIRST_SHARE = 0.5
"""Of a turn's time, what its first thought may take; each later one takes `_SHARE` of what is left."""
_SHARE = 0.25
_SETUP_TURNS = 10
"""So many turns' time all starting armies together may take; each takes `_SETUP_SHARE` of what is left."""
_SETUP_SHARE = 0.1
_CLOSE = 0.03
"""Plans that were worse by more are not thought of again in the same turn."""
_ENOUGH = 0.99
"""A game that is won so surely is not worth more thought."""


class PlannerAgent(Scripted, Adviser):
    """Plays each turn for a plan, found by playing plans and replies out; thinks again after every battle.

    The preset ``fast`` is the policy that pursues the plans, choosing for itself; in fog it is all there is.

    Args:
        ms: processor time a turn, in milliseconds; 0 for ``fast``, which is a compiled policy.
        seed: where the dice of its thoughts come from.

    Raises:
        FormatError: the time is no number, negative or not finite.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, float]]] = {"fast": {"ms": 0}}

    def __init__(self, ms: float = 100, seed: int = 0) -> None:
        if isinstance(ms, bool) or not isinstance(ms, int | float) or not 0 <= ms < math.inf:
            raise FormatError(f"planner: ms is 0 or more milliseconds, not {str(ms)[:40]!r}")
        super().__init__(FREE.policy, seed)
        self.compiled = ms == 0
        self._ms, self._seed = ms, seed
        self._budget = ms / 1000.0
        self._rng = np.random.default_rng(seed)
        self._turn: tuple[int, int] | None = None
        self._left = 0.0
        self._plan = FREE
        self._close: list[Plan] = []
        self._others = Opponents()
        self._gathered: dict[Plan, float] = {}

    def act(self, observation: Observation) -> Action:
        """Choose an action."""
        if self._budget == 0:
            return super().act(observation)
        turn = (observation.round, observation.turn)
        if turn != self._turn:
            self._turn, self._left, self._plan, self._close = turn, self._budget, FREE, []
            if observation.phase in STARTING:
                self._left *= _SETUP_TURNS
                self._others = Opponents()
                self._gathered = {}
        if self._others.look(observation):
            self._gathered = {}
        plans = self._asked(observation)
        if plans:
            self._think(observation, plans)
        action = unpack(decide(self._plan.policy, observation, self._streams))
        self._others.remember(observation, action)
        return action

    def advise(self, observation: Observation) -> Advice:
        """What is best here, thought about for a turn's time, and why; its own game goes on as before."""
        return advise(observation, self._ms, self._seed)

    def _asked(self, observation: Observation) -> list[Plan]:
        """The plans to choose from now; none where no thought is due."""
        if self._close and observation.phase is Phase.DRAFT and not observation.attacks:
            # Once a turn, and again after an elimination whose cards have brought armies.
            return []
        if self._close and observation.phase is Phase.ATTACK:
            return list(dict.fromkeys([self._plan, FREE, Plan(Goal.HOLD), Plan(Goal.CARD), *self._close]))
        return plans_at(observation)

    def _think(self, observation: Observation, plans: list[Plan]) -> None:
        started = time.thread_time()
        placing = observation.phase is Phase.SETUP
        share = _SETUP_SHARE if placing else _SHARE if self._close else _FIRST_SHARE
        prior = [self._gathered.get(plan, 0.0) for plan in plans] if placing and self._gathered else None
        search = Search(observation, plans, self._rng, self._others, prior)
        enough = math.inf if placing else _ENOUGH
        self._plan = search.run(share * max(self._left, 0.0), enough)
        race = search.race
        if placing:
            self._gathered = dict(zip(plans, race.beliefs()))
        best = race.mean(race.leader())
        least = best - _CLOSE if best < enough else best
        self._close = [plan for n, plan in enumerate(plans) if race.mean(n) >= least]
        self._left -= time.thread_time() - started
