"""What speaks for each guess: how safe it is, what it opens, and the chance to win after it.

Where a position's layouts are few they are played perfectly, and the chances are exact. Else every number
that a candidate could show is counted, and what that leaves is estimated; `kernels.lookahead` tells how.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .actions import Cell
from .first_click import first_cell
from .kernels import count, deduce, endgame, exact, layout, lookahead, mind, perfect, words
from .kernels.candidates import SAME_RISK, is_dead
from .kernels.frontier import QUEUE
from .kernels.solve import mark_certain
from .observation import Observation
from .probability import make_room, weigh
from .rules import Level
from .skill import EXPERT, Skill, calibrated
from .workspace import Workspace, new_plan, workspace

_RANKING = 10
"""To value every cell may take so many times the work that may go into finding the best one."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that may be worth a guess.

    Args:
        cell: where it is.
        safety: the probability that it is no mine.
        progress: the probability that it is no mine and leaves a cell that is proved safe and may tell
            more, or settles everything.
        win_chance: the chance to win when it is opened first.
        numbers: the probability that it is safe and shows each number, 0 to 8.
        values: what the position after each number is worth, as far as estimates say; before they are
            calibrated. Empty where the win chance is exact.
    """

    cell: Cell
    safety: float
    progress: float
    win_chance: float
    numbers: tuple[float, ...]
    values: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Guesses:
    """What a player may do where nothing is proved safe.

    Args:
        candidates: the best first. There is none where no guess is called for: a cell is proved safe,
            no safe cell is left, or nothing is open yet, where the first cell is chosen by rule.
        exact: whether the win chances are those of perfect play; else they are estimates.
        dead: cells that can show one number only, if they are safe: opening one tells nothing else, so
            that they can wait.
    """

    candidates: tuple[Candidate, ...] = ()
    exact: bool = False
    dead: tuple[Cell, ...] = ()

    @property
    def best(self) -> Candidate | None:
        """The candidate that the agent `expert` opens."""
        return self.candidates[0] if self.candidates else None


def weigh_guesses(observation: Observation, skill: Skill = EXPERT) -> Guesses:
    """What speaks for each cell that may be worth a guess.

    Args:
        observation: the position.
        skill: how far to look. With one that does not use the network, win chances that are not exact are
            in truth the chances to survive the next guess.

    Raises:
        Contradiction: no layout agrees with the position.
        TooComplex: a count would exceed the work limit; the message names the component.
        ValueError: the skill does not look ahead.
    """
    if not skill.look_ahead:
        raise ValueError("guesses are weighed by looking ahead, and this skill does not")
    while True:
        space = weigh(observation)
        if not _is_guess(space):
            return Guesses()
        arrays = space.think_as(skill)
        ended = play_perfectly(space, skill)
        if ended is not None and ended.cell >= 0:
            return _exact_guesses(space, skill, ended)
        mark_certain(space.view, space.tally, space.scratch)
        answer, found = lookahead.weigh_candidates(space.view, space.tally, space.scratch, arrays)
        if answer == deduce.FINE:
            return _estimated_guesses(space, arrays, found)
        make_room(space, answer)


def _is_guess(space: Workspace) -> bool:
    """Whether something is open, something unknown, and nothing proved safe."""
    tally = space.tally
    cells = tally[deduce.ROWS] * (tally[deduce.STRIDE] - 2)
    return bool(
        0 < tally[deduce.UNKNOWNS] < cells and tally[deduce.SAFES] == 0 and lookahead.is_stuck(space.scratch)
    )


class Ended(NamedTuple):
    """A position of few layouts, played perfectly.

    Args:
        layouts: how many there are.
        won: how many perfect play wins.
        cell: the number of an optimal cell to open, as `kernels.endgame` counts cells; -1 if all is open.
    """

    layouts: int
    won: int
    cell: int


def play_perfectly(space: Workspace, skill: Skill) -> Ended | None:
    """Solve a position as `probability.weigh` leaves it; None where that takes more than the skill allows."""
    arrays = space.think_as(skill).endgame
    most = min(skill.endgame, arrays.shown.shape[1])
    if space.scratch.weights[count.LOG_TOTAL] > math.log(most + 0.5):
        return None
    layouts = endgame.list_layouts(space.view, space.tally, space.scratch, arrays)
    if layouts <= 0:
        return None
    answer, won, cell = endgame.solve_endgame(arrays, layouts, skill.nodes)
    return Ended(layouts, won, cell) if answer == deduce.FINE else None


def _exact_guesses(space: Workspace, skill: Skill, ended: Ended) -> Guesses:
    arrays = space.mind.endgame
    layouts = ended.layouts
    cells = int(arrays.sizes[perfect.CELLS])
    shown = arrays.shown[:cells, :layouts]
    safe = (shown != perfect.MINED).sum(axis=1)
    several = np.array([len(np.unique(row[row != perfect.MINED])) > 1 for row in shown])
    # What is seen when the game goes on is a sign of its own where the mine count is not told.
    dead = ~several & (safe < layouts) & (not arrays.sizes[perfect.UNTOLD])
    wins = np.zeros(cells, np.int64)
    listed = [ended.cell]
    if endgame.rank_cells(arrays, layouts, _RANKING * skill.nodes, wins) == deduce.FINE:
        others = [cell for cell in range(cells) if cell != ended.cell and safe[cell] > 0]
        others.sort(key=lambda cell: (dead[cell], -wins[cell], -safe[cell], cell))
        listed += others[: skill.candidates - 1]
    wins[ended.cell] = ended.won
    stride = int(space.tally[deduce.STRIDE])
    candidates = [
        Candidate(
            cell=_cell(int(arrays.places[cell]), stride),
            safety=float(safe[cell] / layouts),
            progress=_leading_on(shown, cell) / layouts,
            win_chance=float(wins[cell] / layouts),
            numbers=tuple(float((shown[cell] == number).sum() / layouts) for number in range(9)),
        )
        for cell in listed
    ]
    return Guesses(
        tuple(candidates),
        True,
        tuple(_cell(int(arrays.places[cell]), stride) for cell in np.flatnonzero(dead & (safe > 0))),
    )


def _leading_on(shown: NDArray[np.uint8], cell: int) -> int:
    """In how many layouts opening a cell leaves a safe one that tells more, or no doubt."""
    total = 0
    for number in range(perfect.MINED):
        part = shown[:, shown[cell] == number]
        if part.shape[1] == 0:
            continue
        goes_on = (part.max(axis=1) < perfect.MINED) & (part.max(axis=1) > part.min(axis=1))
        if part.shape[1] == 1 or goes_on.any():
            total += part.shape[1]
    return total


def _estimated_guesses(space: Workspace, arrays: mind.Mind, found: int) -> Guesses:
    worth = arrays.value[mind.WORTH, :found]
    best = 0
    for candidate in range(1, found):  # as `lookahead.choose` does
        if worth[candidate] > worth[best] + SAME_RISK:
            best = candidate
    order = [best, *sorted((c for c in range(found) if c != best), key=lambda c: -worth[c])]
    stride = int(space.tally[deduce.STRIDE])
    by_network = (
        arrays.options[mind.LEAF] == mind.NETWORK and space.tally[deduce.MINES_LEFT] != deduce.NOT_TOLD
    )
    candidates = []
    for candidate in order:
        value = float(worth[candidate])
        chance = arrays.chance[candidate]
        features = arrays.features[candidate]
        leads_on = (chance > 0.0) & (
            (features[:, words.GOES_ON] > 0.0) | (features[:, words.UNKNOWN_CELLS] == 0.0)
        )
        candidates.append(
            Candidate(
                cell=_cell(int(arrays.value[mind.PLACE, candidate]), stride),
                safety=1.0 - float(arrays.value[mind.RISK, candidate]),
                progress=float(chance[leads_on].sum()),
                win_chance=calibrated(value) if by_network else value,
                numbers=tuple(chance.tolist()),
                values=tuple(arrays.leaf[candidate].tolist()),
            )
        )
    return Guesses(tuple(candidates), False, _dead(space))


def find_dead(observation: Observation) -> tuple[Cell, ...]:
    """The cells that may be a mine and, if they are safe, can show one number only.

    As far as single numbers tell; `weigh_guesses` knows more of them where few layouts are left.

    Raises:
        Contradiction: no layout agrees with the position.
        TooComplex: the count would exceed the work limit; the message names the component.
    """
    space = weigh(observation)
    mark_certain(space.view, space.tally, space.scratch)
    return _dead(space)


def _dead(space: Workspace) -> tuple[Cell, ...]:
    """The unknown cells that are dead, of a position whose certain cells are marked."""
    stride = int(space.tally[deduce.STRIDE])
    rows = int(space.tally[deduce.ROWS]) + 2
    marks = space.view[deduce.MARK, : rows * stride].reshape(rows, stride)
    # Far from all numbers a cell is dead only if nothing around it is unknown; boards may be large.
    unknown = marks == deduce.UNKNOWN
    asked = unknown & (_around(marks == deduce.OPENED) | ~_around(unknown))
    dead = (place for place in np.flatnonzero(asked).tolist() if is_dead(space.view, space.tally, place))
    return tuple(_cell(place, stride) for place in dead)


def _around(where: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which places have a neighbour that is marked; not of the border."""
    near = np.zeros_like(where)
    for row in range(3):
        for col in range(3):
            if (row, col) != (1, 1):
                height, width = where.shape
                near[1:-1, 1:-1] |= where[row : height - 2 + row, col : width - 2 + col]
    return near


def _cell(place: int, stride: int) -> Cell:
    return place // stride - 1, place % stride - 1


def choose_cell(observation: Observation, skill: Skill = EXPERT) -> Cell | None:
    """The first cell that an agent of this skill opens, also where nothing is open yet or a cell is safe.

    None when no safe cell is left. What cannot be counted within the work limit is chosen by estimates.

    Raises:
        Contradiction: no layout agrees with the position.
    """
    height, width = observation.cells.shape
    space = workspace(height, width)
    told = deduce.NOT_TOLD if observation.mines is None else observation.mines
    plan = new_plan(height * width)
    # Whoever asks for the cell to open is not asking where to put a flag.
    level = Level(height, width, observation.mines or 0)
    rules = observation.rules.pack(level)
    arrays = space.think_as(skill, first_cell(level, observation.rules.first_click))
    rules[layout.FLAG_GOAL] = 0
    shown = np.maximum(observation.cells, np.int8(layout.HIDDEN)).reshape(-1)
    answer, rough = -1, False
    while answer != deduce.FINE:
        deduce.read_board(observation.cells, told, space.view, space.tally, space.scratch.table[QUEUE])
        answer = exact.think(shown, rules, space.view, space.tally, space.scratch, arrays, plan, rough)
        if answer == deduce.CONTRADICTION:
            weigh(observation)  # it names the numbers that contradict each other
            raise AssertionError("a position that cannot be was counted")
        rough = answer != deduce.FINE and not space.grow(answer)
    move = int(plan[exact.PLAN_HEAD])
    return None if move & 7 == layout.LEAVE else divmod(move >> 3, width)
