"""Who plays the games of a learning run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError
from surefoot.risk.alphabeta import Targets
from surefoot.risk.evolution import WEIGHTS, Settings
from surefoot.risk.policy import Policy
from surefoot.risk.rules import Rules
from surefoot.risk.selfplay import play_pairs
from surefoot.risk.worldmap import WorldMap
from surefoot.spec import AgentSpec, parse

from .play import try_to_make


def compiled_specs(texts: Sequence[str], role: str) -> tuple[AgentSpec, ...]:
    """Agents that can play whole games in compiled loops.

    Args:
        texts: their specs.
        role: what they are, for messages.

    Raises:
        FormatError: one is no agent, cannot be made, has no compiled policy, or plays by the clock, so that
            no run would be the same twice.
    """
    specs = tuple(parse(text, "risk") for text in texts)
    for spec in specs:
        try_to_make(spec, 0)
        if not getattr(spec.load(), "compiled", False):
            raise FormatError(f"{role} {spec}: it has no compiled policy, which self-play needs")
        if dict(spec.options).get("ms"):
            raise FormatError(f"{role} {spec}: with ms no game would be the same twice; give a depth")
    return specs


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """The agent ``alphabeta`` with the weights of one gene, against itself with those of another, or others.

    Made by `of`.
    """

    world: WorldMap
    rules: Rules
    depth: int
    targets: Targets
    opponents: tuple[AgentSpec, ...]

    @classmethod
    def of(cls, settings: Settings, world: WorldMap) -> "SelfPlay":
        """Who plays in a run.

        Raises:
            FormatError: an opponent is no agent, cannot be made, has no compiled policy, or plays by the
                clock, so that the run would not be the same twice.
        """
        opponents = compiled_specs(settings.opponents, "opponent")
        return cls(world, settings.switches, settings.depth, settings.targets, opponents)

    def __call__(
        self, genes: NDArray[np.float64], pairs: NDArray[np.int64], seeds: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Play games, as a `Player`."""
        others: list[Policy] = [spec.make(0).policy for spec in self.opponents]
        return play_pairs(
            self.world,
            self.rules,
            genes,
            pairs,
            seeds,
            depth=self.depth,
            targets=self.targets,
            others=others,
        )

    def warm_up(self) -> None:
        """Compile, so that the workers have only to load."""
        brief = replace(self, rules=replace(self.rules, round_cap=1), depth=1)
        pairs = np.array([[0, 1 + other] for other in range(1 + len(self.opponents))])
        brief(np.ones((2, WEIGHTS)), pairs, np.zeros(len(pairs), np.uint64))
