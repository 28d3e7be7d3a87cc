"""The three classes of document C's project, to be imported in place of a student's ``minesweeper.py``.

The names, arguments and attributes are the project's; `Sentence` can be changed here, as it can there.
What follows from what is decided in `surefoot.minesweeper.knowledge` and, where the document's three
rules do not reach, by trying every placement of mines on sentences that are linked with each other.
"""

import random
import sys
from typing import Final

from surefoot.errors import Contradiction, IllegalAction, TooComplex
from surefoot.minesweeper import consistency, knowledge
from surefoot.minesweeper.actions import Cell
from surefoot.minesweeper.observation import neighbours
from surefoot.minesweeper.rules import Level

WORK: Final = 4_000
"""How many steps one enumeration may take, so that the answer comes in a few milliseconds."""


class Minesweeper:
    """A board with mines at random, drawn with the `random` module as in the project.

    Raises:
        RulesError: the mines do not fit on the board.
    """

    def __init__(self, height: int = 8, width: int = 8, mines: int = 8) -> None:
        level = Level(height, width, mines)
        self.height = height
        self.width = width
        self.mines: set[Cell] = {divmod(at, width) for at in random.sample(range(level.cells), mines)}
        self.board = [[(row, col) in self.mines for col in range(width)] for row in range(height)]
        self.mines_found: set[Cell] = set()

    def print(self) -> None:
        """Write where the mines are to stdout."""
        rule = "--" * self.width + "-\n"
        for row in self.board:
            sys.stdout.write(rule + "".join("|X" if mine else "| " for mine in row) + "|\n")
        sys.stdout.write(rule)

    def is_mine(self, cell: Cell) -> bool:
        """Whether a cell is a mine."""
        return self.board[cell[0]][cell[1]]

    def nearby_mines(self, cell: Cell) -> int:
        """How many of the up to eight cells around a cell are mines."""
        return sum(self.is_mine(near) for near in neighbours(cell, self.height, self.width))

    def won(self) -> bool:
        """Whether exactly the mines have been found."""
        return self.mines_found == self.mines


class Sentence:
    """So many of these cells are mines. It can change, so it has no hash."""

    def __init__(self, cells: "set[Cell] | frozenset[Cell] | list[Cell]", count: int) -> None:
        self.cells = set(cells)
        self.count = count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return self.cells == other.cells and self.count == other.count

    def __str__(self) -> str:
        return f"{self.cells} = {self.count}"

    def __repr__(self) -> str:
        return f"Sentence({self.cells}, {self.count})"

    def known_mines(self) -> set[Cell]:
        """The cells that must be mines by this sentence alone."""
        return set(self.cells) if self.count == len(self.cells) else set()

    def known_safes(self) -> set[Cell]:
        """The cells that must be safe by this sentence alone."""
        return set(self.cells) if self.count == 0 else set()

    def mark_mine(self, cell: Cell) -> None:
        """Take out a cell that is known to be a mine."""
        if cell in self.cells:
            self.cells.remove(cell)
            self.count -= 1

    def mark_safe(self, cell: Cell) -> None:
        """Take out a cell that is known to be safe."""
        self.cells.discard(cell)


class MinesweeperAI:
    """A player that knows what it was told and all that follows.

    The attributes are what it knows, and may be changed from outside between calls:

    Attributes:
        moves_made: the cells that were played.
        mines: the cells known to be mines.
        safes: the cells known to be safe.
        knowledge: the unresolved sentences; after `add_knowledge` none is empty and none stands twice.
    """

    def __init__(self, height: int = 8, width: int = 8) -> None:
        self.height = height
        self.width = width
        self.moves_made: set[Cell] = set()
        self.mines: set[Cell] = set()
        self.safes: set[Cell] = set()
        self.knowledge: list[Sentence] = []
        self._base = knowledge.KnowledgeBase()
        # Components that settle no cell, or are too large to be enumerated.
        self._exhausted: set[frozenset[knowledge.Sentence]] = set()

    def mark_mine(self, cell: Cell) -> None:
        """Note that a cell is a mine, in every sentence too."""
        self.mines.add(cell)
        for sentence in self.knowledge:
            sentence.mark_mine(cell)

    def mark_safe(self, cell: Cell) -> None:
        """Note that a cell is safe, in every sentence too."""
        self.safes.add(cell)
        for sentence in self.knowledge:
            sentence.mark_safe(cell)

    def add_knowledge(self, cell: Cell, count: int) -> None:
        """Note that a safe cell was played and has ``count`` mines around it, and all that follows.

        Raises:
            IllegalAction: there is no such cell.
            Contradiction: that cannot be, with what is known; the message names the sentences.
        """
        if not (0 <= cell[0] < self.height and 0 <= cell[1] < self.width):
            raise IllegalAction(f"there is no cell {cell} on a {self.width}x{self.height} board")
        self.moves_made.add(cell)
        self.mark_safe(cell)
        around = frozenset(neighbours(cell, self.height, self.width))
        try:
            self._read_again()
            self._base.tell(knowledge.Sentence(around, count))
            self._enumerate()
        except Contradiction:
            self._base = knowledge.KnowledgeBase()  # the attributes are as they were; start again from them
            raise
        self.mines |= self._base.mines
        self.safes |= self._base.safes
        self._list_knowledge()

    def make_safe_move(self) -> Cell | None:
        """A cell known to be safe that was not played yet, or None; changes nothing."""
        return min(self.safes - self.moves_made, default=None)

    def make_random_move(self) -> Cell | None:
        """A cell that was not played and is not known to be a mine, or None; changes nothing."""
        choices = [
            (row, col)
            for row in range(self.height)
            for col in range(self.width)
            if (row, col) not in self.moves_made and (row, col) not in self.mines
        ]
        return random.choice(choices) if choices else None

    def _read_again(self) -> None:
        """Bring the base in line with the attributes, which somebody else may have changed."""
        base = self._base
        for cell in sorted(self.mines & self.safes):
            raise Contradiction(f"{knowledge.cell_text(cell)} is in mines and in safes")
        listed = {self._unknown_part(frozenset(one.cells), one.count) for one in self.knowledge} - {_NOTHING}
        ours = {self._unknown_part(one.cells, one.count) for one in base.sentences} - {_NOTHING}
        if not (base.mines <= self.mines and base.safes <= self.safes and ours <= listed):
            # Something was taken away, so what was concluded from it may not stand.
            base = self._base = knowledge.KnowledgeBase()
            self._exhausted = set()
        for cell in sorted(self.mines - base.mines):
            base.learn_mine(cell)
        for cell in sorted(self.safes - base.safes):
            base.learn_safe(cell)
        for one in sorted(listed - ours, key=str):
            base.tell(one)

    def _unknown_part(self, cells: frozenset[Cell], count: int) -> knowledge.Sentence:
        """A sentence without the cells that the attributes know."""
        rest = cells - self.safes - self.mines
        return knowledge.Sentence(rest, count - len(cells & self.mines))

    def _enumerate(self) -> None:
        """Find what the three rules do not reach, wherever that takes no more than `WORK` steps."""
        for component in map(frozenset, consistency.components(self._base.basis())):
            if component in self._exhausted:
                continue
            try:
                certain = consistency.certain_cells(component, limit=WORK)
            except TooComplex:
                certain = {}
            for cell, mine in sorted(certain.items()):
                (self._base.learn_mine if mine else self._base.learn_safe)(cell)
            if not certain:
                self._exhausted.add(component)

    def _list_knowledge(self) -> None:
        """Write the unresolved sentences to ``knowledge``, those that it has already as they are."""
        unresolved = set(self._base.sentences)
        kept: dict[knowledge.Sentence, Sentence] = {}
        for one in self.knowledge:
            sentence = knowledge.Sentence(frozenset(one.cells), one.count)
            if sentence in unresolved:
                kept.setdefault(sentence, one)
        new = [Sentence(one.cells, one.count) for one in self._base.sentences if one not in kept]
        self.knowledge[:] = [*kept.values(), *new]


_NOTHING: Final = knowledge.Sentence(frozenset(), 0)
