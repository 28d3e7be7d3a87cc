"""The plain twin of document B's agent: minimax without any pruning, in fractions, from the facts alone.

Nothing here calls a kernel. A position is a tuple of owners and a tuple of armies; a border may be one-way,
and neighbours are those from whom a territory can be attacked.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import floor
from typing import NamedTuple

from surefoot.risk.worldmap import WorldMap

Move = tuple[int, int] | None
"""Source and target, or no attack."""

HIDDEN = -3
NO_LIMIT = 10**6
"""Armies in a territory under rules that set no limit."""
_HALF = Fraction(1, 2)
_NOTHING = Fraction(0)


class TooLarge(Exception):
    """The tree has more nodes than one wants to wait for."""


class Odds(NamedTuple):
    """How a battle ends: the chance to win, and who is left on average after winning or losing."""

    win: Fraction
    left: Fraction
    hold: Fraction


@dataclass(frozen=True)
class Board:
    worldmap: WorldMap
    owners: tuple[int, ...]
    armies: tuple[int, ...]

    def near(self, t: int) -> list[int]:
        return [other for other, ways in enumerate(self.worldmap.neighbours) if t in ways]

    def enemies(self, t: int) -> list[int]:
        return [other for other in self.near(t) if self.owners[other] not in (self.owners[t], HIDDEN)]

    def own(self, seat: int) -> list[int]:
        return [t for t, owner in enumerate(self.owners) if owner == seat]

    def changed(self, armies: Mapping[int, int], owners: Mapping[int, int] | None = None) -> "Board":
        return Board(
            self.worldmap,
            tuple((owners or {}).get(t, owner) for t, owner in enumerate(self.owners)),
            tuple(armies.get(t, old) for t, old in enumerate(self.armies)),
        )


# --- the draft ---------------------------------------------------------------------------------------------


def threats(board: Board, seat: int) -> dict[int, int]:
    return {t: sum(board.armies[y] for y in board.enemies(t)) for t in board.own(seat)}


def ratios(board: Board, seat: int) -> dict[int, Fraction]:
    return {t: Fraction(bst, board.armies[t]) for t, bst in threats(board, seat).items()}


def normalised(board: Board, seat: int, most: int = NO_LIMIT) -> dict[int, Fraction]:
    """The lower half of what has room set to nothing, the others over the sum of all that is left."""
    ratio = {t: bsr for t, bsr in ratios(board, seat).items() if board.armies[t] < most}
    ranked = sorted(ratio, key=lambda t: -ratio[t])
    kept = ranked[: len(ranked) - len(ranked) // 2]
    total = sum((ratio[t] for t in kept), _NOTHING)
    if not total:
        return {t: Fraction(t in kept, len(kept)) for t in ratio}
    return {t: ratio[t] / total if t in kept else _NOTHING for t in ratio}


def draft(board: Board, seat: int, units: int, most: int = NO_LIMIT) -> dict[int, int]:
    parts = {t: share * units for t, share in normalised(board, seat, most).items()}
    placed = {t: floor(part) for t, part in parts.items()}
    left = units - sum(placed.values())
    for t in sorted(parts, key=lambda t: placed[t] - parts[t])[:left]:
        placed[t] += 1
    return {t: min(more, most - board.armies[t]) for t, more in placed.items()}


# --- the features ------------------------------------------------------------------------------------------


def features(board: Board, seat: int) -> list[Fraction]:
    own = board.own(seat)
    if not own:
        return [_NOTHING] * 4
    armies = board.armies
    strengths, exposures = [], []
    for x in own:
        enemies = board.enemies(x)
        shares = [Fraction(armies[x], armies[x] + armies[y]) for y in enemies]
        strengths.append(sum(shares, _NOTHING) / len(shares) if shares else Fraction(1))
        exposures.append(Fraction(len(enemies), len(board.near(x))))
    return [
        Fraction(len(own), len(armies)),
        Fraction(sum(armies[x] for x in own), sum(armies)),
        sum(strengths, _NOTHING) / len(own),
        1 - sum(exposures, _NOTHING) / len(own),
    ]


# --- the tree ----------------------------------------------------------------------------------------------

Values = tuple[Fraction, ...]
"""What a node is worth: for the side that thinks, or in max-n for each seat."""


@dataclass(frozen=True)
class Tree:
    """Everything that the tree depends on but the position.

    Args:
        players: how many play; a neutral owns territories as a seat beyond them.
        weights: of the four features.
        attacks: in a turn.
        best_only: of each territory only its weakest neighbour is attacked, the lower number among equals.
        whole: all that can attack do, and not the average of both sides, rounded up.
        maxn: everybody wants most for themselves; else all others want least for the root.
        by_territories: whether a draft is as many armies as territories.
        most: armies in a territory.
        odds: by attackers and defenders; None for battles that the larger army wins with the difference left.
        chance: whether both ends of a battle are weighed, or the likelier one is taken for certain.
        slack: values that differ by no more may be taken for equal, and each is followed; None to take of
            equal values, and only of those, the first move in the order of `moves`.
        limit: of nodes.
    """

    players: int
    weights: Sequence[Fraction]
    attacks: int = 3
    best_only: bool = False
    whole: bool = False
    maxn: bool = False
    by_territories: bool = True
    most: int = NO_LIMIT
    odds: Mapping[tuple[int, int], Odds] | None = None
    chance: bool = False
    slack: Fraction | None = None
    limit: int = NO_LIMIT
    _known: dict[object, dict[Move, set[Values]]] = field(default_factory=dict, compare=False)

    def units(self, board: Board, seat: int) -> int:
        own = board.own(seat)
        if self.by_territories:
            return len(own)
        lands = board.worldmap.territories
        held = [
            continent.bonus
            for number, continent in enumerate(board.worldmap.continents)
            if all(board.owners[t] == seat for t, land in enumerate(lands) if land.continent == number)
        ]
        return max(3, len(own) // 3) + sum(held)

    def moves(self, board: Board, seat: int) -> list[Move]:
        """By rising source and target, and no attack last."""
        found: list[Move] = []
        for source in board.own(seat):
            free = board.armies[source] - 1
            targets = [
                t
                for t in board.worldmap.neighbours[source]
                if board.owners[t] >= 0 and board.owners[t] != seat and free >= board.armies[t] + 1
            ]
            if self.best_only and targets:
                targets = [min(targets, key=lambda t: (board.armies[t], t))]
            found += [(source, t) for t in targets]
        return [*found, None]

    def ends(self, board: Board, move: tuple[int, int]) -> list[tuple[Fraction, Board]]:
        """What the attack may lead to, each end with its chance."""
        source, target = move
        free, defenders = board.armies[source] - 1, board.armies[target]
        army = free if self.whole else -(-(free + defenders) // 2)
        rest = board.armies[source] - army
        seat = board.owners[source]

        def won(left: int) -> Board:
            return board.changed({source: rest, target: left}, {target: seat})

        if self.odds is None:
            return [(Fraction(1), won(army - defenders))]
        win, left, hold = self.odds[army, defenders]
        taken = won(min(max(floor(left + _HALF), 1), army))
        lost = board.changed({source: rest, target: min(max(floor(hold + _HALF), 1), defenders)})
        if self.chance:
            return [(win, taken), (1 - win, lost)]
        return [(Fraction(1), taken if win >= _HALF else lost)]

    def next_seat(self, board: Board, seat: int) -> int:
        order = [(seat + step) % self.players for step in range(1, self.players + 1)]
        return next((other for other in order if board.own(other)), seat)

    def over(self, board: Board, seat: int, root: int) -> bool:
        """Whether the root is wiped out, in its own view of the tree, or no other player is left."""
        return (not self.maxn and not board.own(root)) or self.next_seat(board, seat) == seat

    def leaf(self, board: Board, root: int) -> Values:
        return tuple(
            sum((w * f for w, f in zip(self.weights, features(board, seat), strict=True)), _NOTHING)
            for seat in (range(self.players) if self.maxn else [root])
        )

    def won(self, winner: int, root: int) -> Values:
        return tuple(
            sum(self.weights) * (seat == winner) + _NOTHING
            for seat in (range(self.players) if self.maxn else [root])
        )

    def root(self, board: Board, seat: int, depth: int, used: int = 0) -> dict[Move, set[Values]]:
        """What the moves of a position may be worth, those that may be the best alone.

        Args:
            board, seat: the position; its turn's armies are placed.
            depth: edges of the tree.
            used: attacks made this turn.

        Raises:
            TooLarge: the tree has more nodes than the limit.
        """
        return self._choose(board, seat, depth, used, seat)

    def _values(self, board: Board, seat: int, depth: int, used: int, root: int) -> set[Values]:
        """What a node below the root may be worth; with no attack used, its turn begins with the draft."""
        if self.over(board, seat, root):
            return {self.won(seat if board.own(seat) else self.next_seat(board, seat), root)}
        if depth == 0:
            return {self.leaf(board, root)}
        if used == 0:
            placed = draft(board, seat, self.units(board, seat), self.most)
            board = board.changed({t: board.armies[t] + more for t, more in placed.items()})
        return set().union(*self._choose(board, seat, depth, used, root).values())

    def _choose(self, board: Board, seat: int, depth: int, used: int, root: int) -> dict[Move, set[Values]]:
        key = (board.owners, board.armies, seat, depth, used)
        if key not in self._known:
            if len(self._known) >= self.limit:
                raise TooLarge
            self._known[key] = {}
            moves = self.moves(board, seat) if used < self.attacks else [None]
            values = {move: set(self._after(board, seat, depth, used, root, move)) for move in moves}
            self._known[key] = self._best(values, seat, root)
        return self._known[key]

    def _after(
        self, board: Board, seat: int, depth: int, used: int, root: int, move: Move
    ) -> Iterator[Values]:
        if move is None:
            yield from self._values(board, self.next_seat(board, seat), depth - 1, 0, root)
            return
        shares, below = [], []
        for share, after in self.ends(board, move):
            shares.append(share)
            if used + 1 < self.attacks:
                below.append(self._values(after, seat, depth - 1, used + 1, root))
            else:
                below.append(self._values(after, self.next_seat(after, seat), depth - 1, 0, root))
        for ends in product(*below):
            yield tuple(
                sum((share * value for share, value in zip(shares, lane, strict=True)), _NOTHING)
                for lane in zip(*ends, strict=True)
            )

    def _best(self, values: dict[Move, set[Values]], seat: int, root: int) -> dict[Move, set[Values]]:
        """The moves, and of each the values, that the side to move may end up with."""
        lane = seat if self.maxn else 0
        sign = 1 if self.maxn or seat == root else -1
        if self.slack is None:
            best, (value,) = max(values.items(), key=lambda item: sign * next(iter(item[1]))[lane])
            return {best: {value}}
        sure = max(min(sign * each[lane] for each in found) for found in values.values())
        kept = {
            move: {each for each in found if sign * each[lane] >= sure - self.slack}
            for move, found in values.items()
        }
        return {move: found for move, found in kept.items() if found}
