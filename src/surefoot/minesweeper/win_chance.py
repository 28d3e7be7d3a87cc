"""The chance to win from a position, by games of an agent on layouts drawn by lot."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from surefoot.intervals import half_width

from .agents.exact import ExactAgent
from .agents.expert import ExpertAgent
from .kernels.layout import HIDDEN
from .observation import Observation
from .probability import solve
from .rules import Level
from .sampling import sample_layouts

_CELLS_AT_ONCE = 1 << 24
"""Cells of the layouts that are kept at a time."""


@dataclass(frozen=True, slots=True)
class WinChance:
    """How likely an agent wins from a position.

    Args:
        value: the share of games that it won.
        error: half the width of the 95 % interval around it; 0 where no chance is left.
        playouts: how many games were played out: 1 where no chance is left.
    """

    value: float
    error: float
    playouts: int


def win_chance(
    observation: Observation,
    playouts: int = 1000,
    seed: int = 0,
    player: type[ExactAgent] = ExpertAgent,
) -> WinChance:
    """How likely an agent wins from here, by the rules of the observation.

    The layouts are drawn from all that agree with the position and its mine count, all as likely; where
    nothing is open yet, from those that the first click allows. Flags are taken off beforehand, and of a
    move limit nothing is used up yet. The same seed gives the same answer.

    Args:
        observation: the position.
        playouts: how many games to play.
        seed: where the layouts come from.
        player: the agent's class: `ExpertAgent`, or `ExactAgent`, which is much faster and a little weaker.

    Raises:
        Contradiction: no layout agrees with the position.
        TooComplex: counting the position would exceed the work limit.
        RulesError: nothing is open, and the rules cannot lay out such a board.
        ValueError: there is nothing to play, or nothing is open of a board whose mine count is not told,
            so that what the first click promises cannot be drawn.
    """
    if playouts < 1:
        raise ValueError(f"a chance takes at least one play-out, not {playouts}")
    cells = np.maximum(observation.cells, np.int8(HIDDEN))
    position = Observation(cells, observation.mines, observation.rules)
    if (cells < 0).all() and is_promised(position):
        return _estimate(_from_the_first_click(position, playouts, seed, player), playouts)
    known = solve(position)
    if not (position.hidden & ~known.safe & ~known.mines).any():
        won = player.play_layouts(position, known.mines[np.newaxis])
        return WinChance(float(won[0]), 0.0, 1)
    rng = np.random.default_rng(seed)
    wins = 0
    for part in _parts(playouts, _CELLS_AT_ONCE // cells.size):
        wins += int(player.play_layouts(position, sample_layouts(position, part, rng)).sum())
    return _estimate(wins, playouts)


def _estimate(wins: int, playouts: int) -> WinChance:
    return WinChance(wins / playouts, half_width(wins, playouts), playouts)


def _parts(count: int, most: int) -> Iterator[int]:
    """``count`` in parts of ``most``, the last of the rest."""
    for first in range(0, count, max(most, 1)):
        yield min(max(most, 1), count - first)


def is_promised(position: Observation) -> bool:
    """Whether the first cell to be opened is kept free of mines, or not the agent's to choose."""
    return position.rules.first_click != "any" or position.rules.start != "agent"


def _from_the_first_click(position: Observation, playouts: int, seed: int, player: type[ExactAgent]) -> int:
    """How many new games of such a board are won."""
    if position.mines is None:
        raise ValueError("nothing is open and the mine count is not told, so there are no games to draw")
    level = Level(position.height, position.width, position.mines)
    return int(player.play_games(level, position.rules, seed, 0, playouts).won.sum())
