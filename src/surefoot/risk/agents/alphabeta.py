"""Document B's agent."""

import time
from collections.abc import Mapping
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import RulesError

from ..actions import Action, unpack
from ..alphabeta import (
    DEPTH,
    MAX_DEPTH,
    Army,
    Battle,
    Draft,
    Opponents,
    Targets,
    Thought,
    deepen,
    read_weights,
    think,
)
from ..kernels import alphabeta_rows as rows
from ..observation import Observation
from ..policy import Policy, decide, new_scratch
from ..worldmap import WorldMap

_SLICE = 2000
"""Nodes between two looks at the clock: a millisecond or two."""


class AlphaBetaAgent:
    """Drafts by the border security ratios and attacks by a depth-limited alpha-beta tree.

    Args:
        depth: edges of the tree, 5 unless given; with ``ms`` the deepest that is tried, 16 unless given.
        attacks: in a turn, at most.
        weights: of the four features: a name of shipped ones, or four numbers separated by slashes.
        battle, targets, opponents, army, draft: as in `alphabeta.Thought`.
        ms: if not 0, trees of depth 1, 2 … are searched until so many milliseconds have passed, and the move
            of the last finished one is made. What it plays then depends on how fast the machine is.

    The preset ``free`` is the agent without what the document does to make its tree small: whole armies, as
    many attacks as it likes, expected losses, and drafts by the tree.

    Attributes:
        compiled: as in `scripted.Scripted`.
        policy: its drafts and moves, and how it thinks.

    Raises:
        RulesError, FormatError: an option has a value that it does not take.
    """

    compiled = True
    PRESETS: ClassVar[Mapping[str, Mapping[str, int | str]]] = {
        "free": {
            "depth": 3,
            "attacks": 100,
            "weights": "free",
            "battle": "expected",
            "army": "whole",
            "draft": "tree",
        },
    }

    def __init__(
        self,
        depth: int | None = None,
        attacks: int = 3,
        weights: str = "document",
        battle: Battle = "certain",
        targets: Targets = "all",
        opponents: Opponents = "paranoid",
        army: Army = "average",
        draft: Draft = "ratios",
        ms: float = 0,
    ) -> None:
        if not isinstance(ms, int | float) or not ms >= 0:
            raise RulesError(f"ms is 0 or more, not {str(ms)[:40]}")
        if depth is None:
            depth = MAX_DEPTH if ms else DEPTH
        self.thought = Thought(
            # A spec's option that looks like a number is one.
            weights=read_weights(str(weights)),
            depth=depth,
            attacks=attacks,
            battle=battle,
            targets=targets,
            opponents=opponents,
            army=army,
            draft=draft,
        )
        self.policy: Policy = self.thought.policy
        if ms:
            self._seconds = ms / 1000
            self.policy = self.policy._replace(think=partial(think, self._search_in_time))
        # It draws no lots, but every policy is handed a stream of them.
        self._streams = np.zeros(1, np.uint64)
        self._worldmap: WorldMap | None = None

    def act(self, observation: Observation) -> Action:
        """Choose an action."""
        if self._worldmap != observation.worldmap:
            # The room is kept: it holds the rest of a draft, and which army is out to conquer.
            self._worldmap = observation.worldmap
            self._scratch = new_scratch(observation.worldmap)
        return unpack(decide(self.policy, observation, self._streams, scratch=self._scratch))

    def _search_in_time(
        self,
        world: NDArray[np.int32],
        rules: NDArray[np.int64],
        state: NDArray[np.int32],
        scratch: NDArray[np.int64],
    ) -> None:
        """Find what the deepest tree says that is finished in time; the first one always is."""
        end = time.perf_counter() + self._seconds
        control = scratch[rows.CONTROL]
        said = control.copy()
        for depth, search in enumerate(deepen(world, rules, state, self.thought, scratch), 1):
            while not search.run(_SLICE):
                if depth > 1 and time.perf_counter() >= end:
                    break
            if not search.finished:
                break
            said = control.copy()
        control[:] = said
