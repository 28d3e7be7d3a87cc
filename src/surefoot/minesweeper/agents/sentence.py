"""Document C's agent: what the sentences prove, and else a random cell."""

import numpy as np
from numpy.typing import NDArray

from ..actions import LEAVE, Action, Cell, flag, uncover, unflag
from ..kernels.layout import FLAGGED
from ..knowledge import MINE_COUNT, KnowledgeBase, Sentence, mine_count_sentence, number_name
from ..observation import Observation


class SentenceAgent:
    """Opens a cell proved safe; where flags win the game, flags proved mines; else opens a random cell.

    The random cell is any that is not known to be a mine. Where nothing but known mines is left, it
    leaves. The knowledge grows with what each observation adds to the one before.

    Attributes:
        guesses: how many random cells it has opened.
        knowledge: what it knows.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)
        self.guesses = 0
        self.knowledge = KnowledgeBase()
        self._seen: NDArray[np.int8] | None = None
        # Dicts, because they keep an order: the oldest conclusion is acted upon first.
        self._safe: dict[Cell, None] = {}
        self._mines: dict[Cell, None] = {}

    def act(self, observation: Observation) -> Action:
        """Choose an action.

        Raises:
            Contradiction: the position cannot be.
        """
        self._learn(observation)
        if observation.rules.goal == "flags":
            action = self._mend_flags(observation)
            if action is not None:
                return action
        while self._safe:
            cell = next(iter(self._safe))
            if observation.cells[cell] < 0:
                return _open(cell, observation)
            del self._safe[cell]
        return self._guess(observation)

    def _learn(self, observation: Observation) -> None:
        """Tell the knowledge base what is new."""
        cells = observation.cells
        before = self._seen
        if before is None or before.shape != cells.shape or ((before >= 0) & (before != cells)).any():
            self.knowledge = KnowledgeBase()
            self._safe, self._mines = {}, {}
            total = mine_count_sentence(observation)
            if total is not None:
                self._note(self.knowledge.tell(total, MINE_COUNT))
            before = np.full_like(cells, FLAGGED)
        self._seen = cells
        opened: list[Cell] = [(row, col) for row, col in np.argwhere((cells >= 0) & (before < 0)).tolist()]
        # All that is open is told first, so that the sentences enter short.
        for cell in opened:
            self._note(self.knowledge.learn_safe(cell))
        for cell in opened:
            around = frozenset(observation.neighbours(cell))
            sentence = Sentence(around, int(cells[cell]))
            self._note(self.knowledge.tell(sentence, number_name(cell, observation)))

    def _note(self, news: list[Cell]) -> None:
        for cell in news:
            (self._mines if self.knowledge.known(cell) else self._safe)[cell] = None

    def _mend_flags(self, observation: Observation) -> Action | None:
        """Take off a flag that is on no known mine, or put one on a known mine; None if flags are right."""
        for row, col in np.argwhere(observation.cells == FLAGGED).tolist():
            if (row, col) not in self._mines:
                return unflag((row, col))
        return next((flag(cell) for cell in self._mines if observation.cells[cell] != FLAGGED), None)

    def _guess(self, observation: Observation) -> Action:
        possible = observation.hidden.copy()
        if self._mines:
            possible[tuple(np.array(list(self._mines)).T)] = False
        candidates = np.argwhere(possible)
        if not len(candidates):
            return LEAVE
        row, col = candidates[self._rng.integers(len(candidates))]
        action = _open((int(row), int(col)), observation)
        self.guesses += action == uncover((int(row), int(col)))
        return action


def _open(cell: Cell, observation: Observation) -> Action:
    """Open a cell; where a flag protects it, take that off first."""
    if observation.cells[cell] == FLAGGED and observation.rules.flags_protect:
        return unflag(cell)
    return uncover(cell)
