"""A game as it travels between processes, how one begins, and how it is set up again at the other end."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import RulesError
from surefoot.risk.game import Game
from surefoot.risk.observation import Observation
from surefoot.risk.rules import Rules
from surefoot.risk.worldmap import load

from .maps import map_of

MOST_AT_START = 10_000
"""Starting armies of a player on the page."""


class Standing(NamedTuple):
    """A position with the chance that lies ahead, without how it came to be.

    Args:
        map: the name of a map that comes with the program.
        rules, players, state: as in a `Situation`.
        rng: where the next dice come from.
    """

    map: str
    rules: Rules
    players: int
    state: NDArray[np.int32]
    rng: np.random.Generator | None

    @classmethod
    def of(cls, game: Game) -> "Standing":
        """How a game stands; it may go on meanwhile."""
        return cls(game.worldmap.name, game.rules, game.players, game.state.copy(), game.rng)

    def game(self) -> Game:
        """The game from there on; its history is empty."""
        game = Game(load(self.map), self.rules, self.players, rng=None)
        game.state[:] = self.state
        game.history.clear()
        game.rng = self.rng
        return game

    def seen_by(self, seat: int) -> Observation:
        """What a seat sees."""
        return self.game().observation(seat)


@dataclass(frozen=True, slots=True)
class Chance:
    """What a game takes its chance from: one word for deals, dice and cards, and a seed a seat."""

    seed: int
    players: int

    @property
    def rng(self) -> np.random.Generator:
        """Deals, rolls and draws."""
        return np.random.default_rng([self.seed, 0])

    @property
    def seeds(self) -> tuple[int, ...]:
        """By seat, the seed of the agent there; less than 2^63."""
        words = np.random.SeedSequence([self.seed, 1]).generate_state(self.players, np.uint64)
        return tuple(int(word) >> 1 for word in words)


def begin(map_name: str, rules_text: str, players: int, seed: int) -> Game:
    """A new game.

    Raises:
        FormatError: there is no such map or no such rules, or they are too large for the page.
        RulesError: the rules cannot be played by so many on this map.
    """
    worldmap = map_of(map_name)
    rules = Rules.parse(rules_text)
    if isinstance(rules.starting_armies, int) and rules.starting_armies > MOST_AT_START:
        raise RulesError(f"starting_armies is at most {MOST_AT_START:,} here, not {rules.starting_armies:,}")
    return Game(worldmap, rules, players, rng=Chance(seed, players).rng)
