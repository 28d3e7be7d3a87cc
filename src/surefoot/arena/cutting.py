"""What is left of a study, cut into pieces as they are asked for.

How a study is cut decides nothing but speed: a game is the same in whatever piece it is played. So pieces can
be as large as half a second of work, whatever the agents, and after a stop the rest is cut anew.
"""

import heapq
from collections.abc import Iterable, Iterator

from .pieces import Done, Piece
from .study import Study

_AIM = 0.5
"""Seconds that a piece should take: long enough to hide its overhead, short enough to lose little."""
_MOST = 5000


class Cutter:
    """Cuts what is left of a study; contests take turns, so that all are about equally far.

    Args:
        study: the study.
        played: the pieces that are there already.
        workers: how many pieces are worked on at a time.
    """

    def __init__(self, study: Study, played: Iterable[Piece], workers: int) -> None:
        self._contests = study.contests
        self._workers = workers
        # Whole deals stay together, so that a pair of games is seldom torn apart.
        self._group = len(self._contests[0].agents)
        there: list[list[tuple[int, int]]] = [[] for _ in self._contests]
        for piece in played:
            there[piece.contest].append((piece.first, piece.end))
        self._gaps = [_gaps(contest.games, sorted(spans)) for contest, spans in zip(self._contests, there)]
        self._next = [(gaps[-1][0], place) for place, gaps in enumerate(self._gaps) if gaps]
        heapq.heapify(self._next)
        self._sizes = [2 * self._group] * len(self._contests)
        self.left = sum(end - first for gaps in self._gaps for first, end in gaps)

    def __iter__(self) -> Iterator[Piece]:
        """The pieces, each cut when it is asked for."""
        while self._next:
            _, contest = heapq.heappop(self._next)
            gaps = self._gaps[contest]
            first, end = gaps.pop()
            # Towards the end pieces get smaller, so that no worker waits long for the last one.
            size = min(self._sizes[contest], self.left // (2 * self._workers))
            last = min(end, self._whole(first + max(size, 1)))
            if last < end:
                gaps.append((last, end))
            if gaps:
                heapq.heappush(self._next, (gaps[-1][0], contest))
            self.left -= last - first
            yield Piece(contest, first, last - first)

    def took(self, done: Done) -> None:
        """Learn how long a piece took."""
        games = done.piece.games
        fitting = int(games * _AIM / max(done.seconds, 1e-6))
        self._sizes[done.piece.contest] = max(1, min(fitting, 2 * max(games, self._group), _MOST))

    def _whole(self, last: int) -> int:
        return -(-last // self._group) * self._group


def _gaps(games: int, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is missing between ``spans``, the last gap first."""
    gaps = []
    at = 0
    for first, end in [*spans, (games, games)]:
        if first > at:
            gaps.append((at, first))
        at = max(at, end)
    return gaps[::-1]
