"""What the agents that count have in common: open what is proved, else think as far as a skill goes."""

from typing import ClassVar

import numpy as np

from surefoot.errors import Contradiction

from ..actions import LEAVE, Action, Cell, Kind
from ..first_click import first_cell
from ..kernels import deduce, exact, layout
from ..kernels.frontier import QUEUE
from ..observation import Observation
from ..rules import Level
from ..skill import Skill
from ..workspace import Workspace, new_knowledge, new_plan, workspace


class CountingAgent:
    """Opens every cell that is proved safe; where nothing is, a kernel guesses with the class's ``skill``.

    Where flags win, it flags every proved mine. A position that cannot be counted within the work limit is
    played by estimates from single numbers.
    """

    skill: ClassVar[Skill]

    def __init__(self) -> None:
        self._size: tuple[int, int] | None = None

    @property
    def guesses(self) -> int:
        """How many cells it has opened without proof."""
        return 0 if self._size is None else int(self._plan[exact.GUESSES])

    def _begin(self, observation: Observation) -> None:
        """Forget the last board."""
        height, width = self._size = observation.cells.shape
        self._view, self._tally = new_knowledge(height, width)
        # Its own, because other agents and counts use the workspace between two of its moves.
        self._queue = np.zeros(self._view.shape[1], np.int32)
        self._plan = new_plan(height * width)
        level = Level(height, width, observation.mines or 0)
        self._rules = observation.rules.pack(level)
        self._first = first_cell(level, observation.rules.first_click)
        mines = deduce.NOT_TOLD if observation.mines is None else observation.mines
        deduce.reset(self._view, self._tally, height, width, mines)

    def act(self, observation: Observation) -> Action:
        """Choose an action; leave when all that is safe is open.

        Raises:
            Contradiction: no layout agrees with the position.
        """
        height, width = observation.cells.shape
        shown = observation.cells.reshape(-1)
        space = workspace(height, width)
        self._look(observation, space)
        move = exact.next_move(shown, self._plan)
        if move < 0:
            if self._tally[deduce.SAFES]:
                self._begin_again(observation, space)
            self._think(observation, space)
            move = exact.next_move(shown, self._plan)
        kind = Kind(int(move) & 7)
        return LEAVE if kind is Kind.LEAVE else Action(kind, divmod(int(move) >> 3, width))

    def _look(self, observation: Observation, space: Workspace) -> None:
        """Take in what is open, on this board or on another one."""
        height, width = observation.cells.shape
        shown = observation.cells.reshape(-1)
        if self._size != observation.cells.shape:
            self._begin(observation)
        if not exact.look(shown, height, width, self._view, self._tally, self._queue):
            self._begin(observation)
            exact.look(shown, height, width, self._view, self._tally, self._queue)

    def _begin_again(self, observation: Observation, space: Workspace) -> None:
        """Look at the board afresh: cells that were answered as safe have not been opened."""
        guesses = self._plan[exact.GUESSES]
        self._begin(observation)
        self._plan[exact.GUESSES] = guesses
        self._look(observation, space)

    def _think(self, observation: Observation, space: Workspace) -> None:
        rough, queue = False, space.scratch.table[QUEUE]
        queue[:] = self._queue
        while True:
            answer = exact.think(
                observation.cells.reshape(-1),
                self._rules,
                self._view,
                self._tally,
                space.scratch,
                space.think_as(self.skill, self._first),
                self._plan,
                rough,
            )
            if answer == deduce.FINE:
                self._queue[:] = queue
                return
            if answer == deduce.CONTRADICTION:
                raise Contradiction("no layout agrees with this position")
            rough = not space.grow(answer)

    def _settle(self, cell: Cell) -> None:
        """Make opening ``cell`` the plan; what follows from the board alone is drawn first."""
        self._draw_conclusions()
        self._plan_only(cell)
        self._plan[exact.GUESSES] += 1

    def _draw_conclusions(self) -> None:
        """Empty the queue: what waits there is noted in what is known."""
        if deduce.propagate(self._view, self._tally, self._queue) != deduce.FINE:
            raise Contradiction("no layout agrees with this position")

    def _plan_only(self, cell: Cell) -> None:
        row, col = cell
        width = self._tally[deduce.STRIDE] - 2
        self._plan[exact.PLAN_HEAD] = (row * width + col) * 8 + layout.UNCOVER
        self._plan[exact.LENGTH] = exact.PLAN_HEAD + 1
