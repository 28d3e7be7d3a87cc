"""When a sequential study stops: at the same game, whoever plays and however it is cut."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .pieces import OUTCOMES, Done
from .sprt import Sprt, places
from .store import NOT_PLAYED
from .study import Study

_WON = OUTCOMES.index("won")
_OTHER, _CANDIDATE = 0, 1
"""The places of the two agents in the study's list."""


class Stopper:
    """Holds results back until everything before them is there, and asks the test in the games' order.

    Args:
        study: in the format ``sprt``.
        winners: what is there already, as `Store.winners` has it.
    """

    def __init__(self, study: Study, winners: Sequence[NDArray[np.int16]]) -> None:
        limits = study.limits
        self._test = Sprt(limits.effect, limits.alpha, limits.beta)
        self._alone = len(study.contests) == 2
        """Whether each agent plays its own worlds; else both play each game."""
        self._pair = 1 if self._alone else 2
        if self._alone:
            won = [winners[agent] >= 0 for agent in (_OTHER, _CANDIDATE)]
        else:
            won = [winners[0] == agent for agent in (_OTHER, _CANDIDATE)]
        self._won = won
        self._upto = [_prefix(each != NOT_PLAYED) for each in winners]
        """How many games of each contest are there without a gap."""
        self._spans: list[dict[int, int]] = [{} for _ in winners]
        """Where the pieces end that lie beyond such a gap, by their first games."""
        self._held: list[Done] = []
        self._asked = 0
        self.course = self._test.follow([])
        self._ask()

    @property
    def decided(self) -> bool:
        """Whether the test has come to its end."""
        return self.course.decision.verdict is not None

    def take(self, done: Done) -> list[Done]:
        """Another piece is played; the answer is what can be kept for good, cut where the test ends."""
        piece, rows = done.piece, done.rows
        for agent in (_OTHER, _CANDIDATE):
            mine = rows.agent == agent
            self._won[agent][rows.game[mine]] = rows.outcome[mine] == _WON
        self._held.append(done)
        spans, upto = self._spans[piece.contest], self._upto
        spans[piece.first] = piece.end
        while upto[piece.contest] in spans:
            upto[piece.contest] = spans.pop(upto[piece.contest])
        self._ask()
        end = self._pair * (self.course.pairs if self.decided else self._asked)
        kept = [each for each in self._held if each.piece.end <= end]
        self._held = [each for each in self._held if each.piece.end > end]
        if self.decided:
            kept += [each.cut(end - each.piece.first) for each in self._held if each.piece.first < end]
        return kept

    def _ask(self) -> None:
        """Put the pairs to the test that have come in since."""
        pairs = min(self._upto) // self._pair
        news = slice(self._asked * self._pair, pairs * self._pair)
        counts = self.course.counts
        self.course = self._test.follow(
            places(self._won[_CANDIDATE][news], self._won[_OTHER][news], self._pair), counts
        )
        self._asked = pairs


def _prefix(played: NDArray[np.bool_]) -> int:
    """How many are true before the first that is not."""
    return len(played) if played.all() else int(played.argmin())
