"""Document B's agent."""

import time

import numpy as np

from surefoot.errors import RulesError

from ..actions import Action, unpack
from ..alphabeta import Battle, Opponents, Targets, Thought, deepen, read_weights
from ..kernels import alphabeta_moves, alphabeta_policy, policies_common
from ..observation import Observation
from ..policy import Policy, decide, new_scratch
from ..situation import Phase
from ..worldmap import WorldMap

_SLICE = 2000
"""Nodes between two looks at the clock: a millisecond or two."""


class AlphaBetaAgent:
    """Drafts by the border security ratios and attacks by a depth-limited alpha-beta tree.

    Args:
        depth: edges of the tree; with ``ms`` the deepest that is tried.
        attacks: in a turn, at most.
        weights: of the four features: a name of shipped ones, or four numbers separated by slashes.
        battle, targets, opponents: as in `alphabeta.Thought`.
        ms: if not 0, trees of depth 1, 2 … are searched until so many milliseconds have passed, and the move of
            the last finished one is made. What it plays then depends on how fast the machine is.

    Attributes:
        compiled: whether bulk games may play its ``policy`` in compiled loops: not with ``ms``.

    Raises:
        RulesError, FormatError: an option has a value that it does not take.
    """

    compiled = True

    def __init__(
        self,
        depth: int = 5,
        attacks: int = 3,
        weights: str = "document",
        battle: Battle = "certain",
        targets: Targets = "all",
        opponents: Opponents = "paranoid",
        ms: float = 0,
    ) -> None:
        if not ms >= 0:
            raise RulesError(f"ms is 0 or more, not {ms}")
        self.thought = Thought(
            weights=read_weights(weights),
            depth=depth,
            attacks=attacks,
            battle=battle,
            targets=targets,
            opponents=opponents,
        )
        self.policy: Policy = self.thought.policy
        self.compiled = not ms
        self._seconds = ms / 1000
        # It draws no lots, but every policy is handed a stream of them.
        self._streams = np.zeros(1, np.uint64)
        self._worldmap: WorldMap | None = None

    def act(self, observation: Observation) -> Action:
        """Choose an action."""
        if self._worldmap != observation.worldmap:
            # The room is kept: it holds the rest of a draft, and which army is out to conquer.
            self._worldmap = observation.worldmap
            self._scratch = new_scratch(observation.worldmap)
        if self._seconds and observation.phase is Phase.ATTACK:
            return unpack(self._attack_in_time(observation))
        return unpack(decide(self.policy, observation, self._streams, scratch=self._scratch))

    def _attack_in_time(self, observation: Observation) -> int:
        common = (observation.worldmap.world, observation.packed, observation.state)
        action = policies_common.NOTHING
        if observation.attacks < alphabeta_moves.attack_limit_of(observation.packed, self.thought.attacks):
            action = int(alphabeta_policy.order(*common, self._scratch, self._think(observation)))
        return int(
            policies_common.march(*common, self._scratch) if action == policies_common.NOTHING else action
        )

    def _think(self, observation: Observation) -> int:
        """The move of the deepest tree that was finished in time; the first one always is."""
        end = time.perf_counter() + self._seconds
        move = -1
        for search in deepen(observation, self.thought):
            while not search.run(_SLICE):
                if move >= 0 and time.perf_counter() >= end:
                    return move
            move = search.move
        return move
