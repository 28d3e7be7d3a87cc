"""The truth and its transitions."""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import IllegalAction, RulesError

from .actions import Action, Cell, Kind
from .board import Board
from .kernels import layout, step
from .observation import Observation
from .rules import Level, Rules


class Outcome(Enum):
    """How a game stands; the value is its code in the kernels."""

    RUNNING = layout.RUNNING
    WON = layout.WON
    LOST = layout.LOST


class End(Enum):
    """Why a game is over; the value is its code in the kernels."""

    NOT_ENDED = layout.NOT_ENDED
    COMPLETED = layout.COMPLETED
    EXPLODED = layout.EXPLODED
    LEFT = layout.LEFT
    MOVE_LIMIT = layout.MOVE_LIMIT


_BROKEN_RULE = {
    layout.GAME_OVER: "the game is over",
    layout.OFF_BOARD: "there is no such cell",
    layout.NO_CHORDS: "these rules know no chords",
    layout.NO_LEAVING: "these rules do not let a player leave",
    layout.NOT_A_NUMBER: "a chord needs an open number",
}


class Game:
    """One game, on a board that is given or drawn.

    A drawn board is laid out uniformly over the layouts that ``rules.first_click`` allows: when the first
    cell is opened, or at once where that cell makes no difference. All its chance is taken from ``rng``
    here, so that a game depends on its generator and first cell alone. Unless ``rules.start`` is the
    agent's, the first cell is opened here and is not a move.

    Raises:
        RulesError: the rules cannot lay out this board.
    """

    def __init__(self, level: Level, rules: Rules, *, rng: np.random.Generator) -> None:
        rules.check(level)
        self._setup(level, rules)
        self._uniforms = draw_uniforms(level, rng)
        self._drawn = False
        if rules.first_click == "any" or not level.mines:
            self._draw(-1)
        if rules.start != "agent":
            self._open_start(choose_start(level, rules, self._uniforms))

    def _setup(self, level: Level, rules: Rules) -> None:
        self.level = level
        self.rules = rules
        self.start: Cell | None = None
        self.actions: list[Action] = []
        self._packed = rules.pack(level)
        self._mines = np.zeros(level.cells, np.uint8)
        self._shown = np.full(level.cells, layout.HIDDEN, np.int8)
        self.initial_cells = self._shown.reshape(level.height, level.width).copy()
        self._opened = np.empty(level.cells, np.int64)
        self._header = new_header(level)
        step.begin(self._header, self._packed)

    @classmethod
    def on(cls, board: Board, rules: Rules, start: Cell | None = None) -> "Game":
        """A game on a given board, which may be partly open; ``start`` is opened beforehand if given.

        Raises:
            RulesError: ``start`` is not on the board.
        """
        game = cls.__new__(cls)
        game._setup(board.level, rules)
        game._drawn = True
        game._mines[:] = board.mines.ravel()
        game._shown[:] = board.cells.ravel()
        game.initial_cells = board.cells
        header = game._header
        header[layout.OPEN] = (game._shown >= 0).sum()
        header[layout.FLAGS] = (game._shown == layout.FLAGGED).sum()
        game._count_right_flags()
        step.begin(header, game._packed)
        if start is not None:
            if game._index(start) < 0:
                raise RulesError(
                    f"start {start[0]},{start[1]} is not on a {board.level.width}x{board.level.height} board"
                )
            game._open_start(start)
        return game

    def play(self, action: Action) -> list[Cell]:
        """Play one action; the answer is the cells it opened, in order.

        Raises:
            IllegalAction: the rules forbid it; the game is as it was before.
        """
        cell = self._index(action.cell)
        if action.kind is Kind.UNCOVER and cell >= 0 and self._opens(cell):
            self._draw(cell)
        count = step.apply(
            self._mines, self._shown, self._header, self._packed, action.kind.value, cell, self._opened
        )
        if count < 0:
            raise IllegalAction(f"{action}: {_BROKEN_RULE[count]}")
        self.actions.append(action)
        return [divmod(int(index), self.level.width) for index in self._opened[:count]]

    def _open_start(self, start: Cell) -> None:
        self.start = start
        self._draw(self._index(start))
        step.open_start(
            self._mines, self._shown, self._header, self._packed, self._index(start), self._opened
        )

    def _draw(self, first: int) -> None:
        if self._drawn:
            return
        self._drawn = True
        step.place_mines(
            self._uniforms[1:], self._packed[layout.FIRST_CLICK], first, self._header, self._mines
        )
        # Flags may have been put before there was anything to be right about.
        self._count_right_flags()

    def _opens(self, cell: int) -> bool:
        """Whether uncovering opens the cell, so that it is the first click if there was none before."""
        protected = self.rules.flags_protect and self._shown[cell] == layout.FLAGGED
        return not self.over and not protected

    def _count_right_flags(self) -> None:
        right = (self._shown == layout.FLAGGED) & (self._mines == 1)
        self._header[layout.RIGHT_FLAGS] = right.sum()

    def _index(self, cell: Cell | None) -> int:
        if cell is None or not (0 <= cell[0] < self.level.height and 0 <= cell[1] < self.level.width):
            return -1
        return cell[0] * self.level.width + cell[1]

    @property
    def percept(self) -> int:
        """What the last move answered in Min.AI's terms: the number uncovered, or -1."""
        return int(self._header[layout.PERCEPT])

    @property
    def outcome(self) -> Outcome:
        """How the game stands."""
        return Outcome(int(self._header[layout.STATUS]))

    @property
    def end(self) -> End:
        """Why the game is over."""
        return End(int(self._header[layout.END]))

    @property
    def over(self) -> bool:
        """Whether no action is legal any more."""
        return self.outcome is not Outcome.RUNNING

    @property
    def complete(self) -> bool:
        """Whether what wins is done, also where the rules have the player leave first."""
        return bool(step.is_complete(self._header, self._packed))

    @property
    def moves(self) -> int:
        """How many moves were counted."""
        return int(self._header[layout.MOVES])

    @property
    def score(self) -> int:
        """What the game is worth as it stands."""
        return self.rules.score(self.level, won=self.outcome is Outcome.WON)

    @property
    def board(self) -> Board:
        """The truth.

        Raises:
            ValueError: no cell was opened yet, so the mines are not laid out.
        """
        if not self._drawn:
            raise ValueError("the mines are laid out when the first cell is opened")
        shape = self.level.height, self.level.width
        return Board(self._mines.reshape(shape) == 1, self._shown.reshape(shape))

    def observation(self) -> Observation:
        """What the player sees now."""
        shape = self.level.height, self.level.width
        mines = self.level.mines if self.rules.mines_known else None
        return Observation.of_game(self._shown.reshape(shape), mines, self.rules)


def new_header(level: Level) -> NDArray[np.int64]:
    """The header of a game that has not begun, shape (HEADER_SIZE,)."""
    header = np.zeros(layout.HEADER_SIZE, np.int64)
    header[layout.HEIGHT], header[layout.WIDTH], header[layout.MINES] = level.height, level.width, level.mines
    header[layout.PERCEPT] = layout.NOTHING
    return header


def draw_uniforms(level: Level, rng: np.random.Generator) -> NDArray[np.float64]:
    """All the chance of one game, shape (1 + mines,): one draw for the start, one for each mine."""
    return rng.random(1 + level.mines)


def choose_start(level: Level, rules: Rules, uniforms: NDArray[np.float64]) -> Cell:
    """The cell that is opened beforehand, when it is not the agent who opens the first."""
    if isinstance(rules.start, tuple):
        return rules.start
    return divmod(int(uniforms[0] * level.cells), level.width)
