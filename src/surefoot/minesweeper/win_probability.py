"""The chance to win a position, at once: exactly where few layouts are left, else by the network."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from surefoot.errors import Contradiction, TooComplex
from surefoot.intervals import STANDARD_ERRORS

from .actions import Cell
from .agents.exact import ExactAgent
from .agents.expert import ExpertAgent
from .guess import choose_cell, play_perfectly, weigh_guesses
from .kernels import deduce, mind, words
from .kernels.frontier import QUEUE
from .kernels.layout import HIDDEN
from .kernels.leaf import describe, estimate
from .kernels.threats import find_threats
from .observation import Observation
from .probability import make_room, weigh
from .rules import Level
from .skill import EXPERT, calibrated, network_error
from .win_chance import is_promised, win_chance
from .workspace import Workspace

_PLAYOUTS = 400
"""Games that are played out where nothing else tells."""


@dataclass(frozen=True, slots=True)
class WinProbability:
    """How likely a position is won.

    Args:
        value: the probability.
        error: its standard error; 0 where it is exact, and only there.
        exact: whether it is that of perfect play; else it is an agent's, estimated.
    """

    value: float
    error: float
    exact: bool

    def as_dict(self) -> dict[str, Any]:
        """The probability as plain JSON values."""
        return {"value": self.value, "error": self.error, "exact": self.exact}


def probability_or_none(observation: Observation) -> WinProbability | None:
    """The same as `win_probability`, but None where it cannot be told.

    Raises:
        Contradiction: no layout agrees with the position.
    """
    try:
        return win_probability(observation)
    except Contradiction:
        raise
    except (ValueError, TooComplex):
        return None


def win_probability(observation: Observation) -> WinProbability:
    """How likely a position is won from here, by opening cells, in a few milliseconds.

    It is exact where `expert` would play perfectly. Else the network estimates what the best guess leaves,
    or, where cells are proved safe, the position itself, and a measured map makes that a chance; where
    nothing is open yet, what the agent's first click leaves. A board whose mine count is not told is played
    out by `exact` instead, and one whose first cell is drawn by lot by `expert`, which takes longer. No
    position tells that it is lost.

    Raises:
        Contradiction: no layout agrees with the position.
        TooComplex: counting the position would exceed the work limit.
        RulesError: nothing is open, and the rules cannot lay out such a board.
        ValueError: nothing is open of a board whose mine count is not told, so that what the first click
            promises cannot be drawn.
    """
    position = _without_flags(observation)
    untouched = bool((position.cells < 0).all())
    if untouched and is_promised(position):
        return _of_first_click(position)
    exact = _exact(position)
    if exact is not None:
        return WinProbability(exact, 0.0, True)
    if position.mines is None:
        return _played_out(position)
    if untouched:
        return _of_first_click(position)
    best = weigh_guesses(position).best
    value = calibrated(_estimate(position)) if best is None else best.win_chance
    return WinProbability(value, network_error(value), False)


def network_value(observation: Observation) -> float | None:
    """What the network says of a position in which a cell is proved safe (see `skill.calibrated`).

    None where it is not asked that: few layouts, nothing proved or nothing open, or a mine count that is
    not told.

    Raises:
        Contradiction: no layout agrees with the position.
        TooComplex: counting the position would exceed the work limit.
    """
    position = _without_flags(observation)
    if position.mines is None or (position.cells < 0).all() or _exact(position) is not None:
        return None
    return _estimate(position) if weigh_guesses(position).best is None else None


def _without_flags(observation: Observation) -> Observation:
    cells = np.maximum(observation.cells, np.int8(HIDDEN))
    return Observation(cells, observation.mines, observation.rules)


def _exact(position: Observation) -> float | None:
    """The chance of perfect play where `expert` would play perfectly."""
    space = weigh(position)
    # Where flags win, the end of the game tells of a mine count that is not told otherwise.
    if position.mines is None and position.rules.goal != "open":
        return None
    ended = play_perfectly(space, EXPERT)
    return None if ended is None else ended.won / ended.layouts


def _played_out(position: Observation) -> WinProbability:
    # The network knows positions whose mine count is told alone; there the agent `exact` is as good a judge.
    player = ExactAgent if position.mines is None else ExpertAgent
    chance = win_chance(position, _PLAYOUTS, player=player)
    return WinProbability(chance.value, chance.error / STANDARD_ERRORS, chance.error == 0.0)


def _estimate(position: Observation) -> float:
    """What the network says of a position in which a cell is proved safe."""
    while True:
        space = weigh(position)
        answer, value = _estimate_safe(space)
        if answer == deduce.FINE:
            return value
        make_room(space, answer)


def _estimate_safe(space: Workspace) -> tuple[int, float]:
    """The same of a position as `probability.weigh` leaves it.

    Returns:
        a code of `count`, and the value.
    """
    view, tally, arrays = space.view, space.tally, space.think_as(EXPERT)
    features = np.zeros(words.FEATURES, np.float64)
    describe(view, tally, space.scratch, features)
    # It has marked what counting proves.
    answer = deduce.propagate(view, tally, space.scratch.table[QUEUE])
    if answer == deduce.FINE:
        answer = find_threats(view, tally, space.scratch, arrays)
    # No guess has led here; that counts as one that was sure.
    features[words.CHANCE] = 1.0
    features[words.THREATS] = arrays.base[mind.ALL_THREATS] * 5.0
    return answer, float(estimate(features, arrays.net, arrays.units))


def _of_first_click(position: Observation) -> WinProbability:
    """The mean over the numbers that the first cell may show, each as likely as the rules make it."""
    height, width = position.cells.shape
    rules = position.rules
    if position.mines is None or rules.start == "random":
        return _played_out(position)
    rules.check(Level(height, width, position.mines))
    first = choose_cell(position) if rules.start == "agent" else rules.start
    if first is None:  # there is nothing but mines
        return WinProbability(1.0, 0.0, True)
    value = error = 0.0
    exact = True
    for number, chance in enumerate(_first_numbers(position, position.mines, first)):
        if chance > 0.0:
            cells = position.cells.copy()
            cells[first] = number
            after = win_probability(Observation(cells, position.mines, rules))
            value += chance * after.value
            error += chance * after.error
            exact = exact and after.exact
    return WinProbability(value, error, exact)


def _first_numbers(position: Observation, mines: int, first: Cell) -> list[float]:
    """The probability that the first cell opened is safe and shows each number."""
    around = len(position.neighbours(first))
    if position.rules.first_click == "opening":
        return [1.0]
    others = position.cells.size - 1
    # The cell itself holds no mine, or is drawn like any other.
    whole = position.cells.size if position.rules.first_click == "any" else others
    return [
        math.exp(
            _log_ways(around, number) + _log_ways(others - around, mines - number) - _log_ways(whole, mines)
        )
        for number in range(around + 1)
    ]


def _log_ways(cells: int, mines: int) -> float:
    """Natural logarithm of the ways to lay mines into cells; minus infinity where there is none."""
    if not 0 <= mines <= cells:
        return -math.inf
    return math.lgamma(cells + 1) - math.lgamma(mines + 1) - math.lgamma(cells - mines + 1)
