"""Who plays the games of a learning run."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from surefoot.risk.alphabeta import Targets
from surefoot.risk.evolution import WEIGHTS
from surefoot.risk.rules import Rules
from surefoot.risk.selfplay import play_pairs
from surefoot.risk.worldmap import WorldMap

from .evolve_folder import RunFolder


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """The agent ``alphabeta`` with the weights of one gene, against itself with those of another."""

    world: WorldMap
    rules: Rules
    depth: int
    targets: Targets

    @classmethod
    def of(cls, folder: RunFolder) -> "SelfPlay":
        """Who plays in a run."""
        settings = folder.settings
        return cls(folder.world, settings.switches, settings.depth, settings.targets)

    def __call__(
        self, genes: NDArray[np.float64], pairs: NDArray[np.int64], seeds: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Play games, as a `Player`."""
        return play_pairs(self.world, self.rules, genes, pairs, seeds, depth=self.depth, targets=self.targets)

    def warm_up(self) -> None:
        """Compile, so that the workers have only to load."""
        brief = replace(self, rules=replace(self.rules, round_cap=1), depth=1)
        brief(np.ones((2, WEIGHTS)), np.array([[0, 1]]), np.zeros(1, np.uint64))
