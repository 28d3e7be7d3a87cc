"""The plain twin of document B's agent: minimax without any pruning, in fractions, from the facts alone.

Nothing here calls a kernel. A position is a tuple of owners and a tuple of armies; a border may be one-way, and
neighbours are those from whom a territory can be attacked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import NamedTuple

from surefoot.risk.worldmap import WorldMap

Weights = Sequence[Fraction]
Move = tuple[int, int] | None
"""Source and target, or no attack."""


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
        return [other for other in self.near(t) if self.owners[other] not in (self.owners[t], -3)]

    def own(self, seat: int) -> list[int]:
        return [t for t, owner in enumerate(self.owners) if owner == seat]

    def changed(self, armies: dict[int, int], owners: dict[int, int] | None = None) -> "Board":
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


def normalised(board: Board, seat: int) -> dict[int, Fraction]:
    """The lower half set to nothing, the others over the sum of all that is left."""
    ratio = ratios(board, seat)
    ranked = sorted(ratio, key=lambda t: -ratio[t])
    kept = ranked[: len(ranked) - len(ranked) // 2]
    total = sum((ratio[t] for t in kept), Fraction(0))
    if not total:
        return {t: Fraction(t in kept, len(kept)) for t in ratio}
    return {t: ratio[t] / total if t in kept else Fraction(0) for t in ratio}


def draft(board: Board, seat: int, units: int) -> dict[int, int]:
    parts = {t: share * units for t, share in normalised(board, seat).items()}
    placed = {t: floor(part) for t, part in parts.items()}
    left = units - sum(placed.values())
    for t in sorted(parts, key=lambda t: placed[t] - parts[t])[:left]:
        placed[t] += 1
    return placed


# --- the features ------------------------------------------------------------------------------------------


def features(board: Board, seat: int) -> list[Fraction]:
    own = board.own(seat)
    if not own:
        return [Fraction(0)] * 4
    armies = board.armies
    strengths, exposures = [], []
    for x in own:
        enemies = board.enemies(x)
        shares = [Fraction(armies[x], armies[x] + armies[y]) for y in enemies]
        strengths.append(sum(shares, Fraction(0)) / len(shares) if shares else Fraction(1))
        exposures.append(Fraction(len(enemies), len(board.near(x))))
    return [
        Fraction(len(own), len(armies)),
        Fraction(sum(armies[x] for x in own), sum(armies)),
        sum(strengths, Fraction(0)) / len(own),
        1 - sum(exposures, Fraction(0)) / len(own),
    ]


# --- the tree ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tree:
    players: int
    weights: Weights
    attacks: int = 3
    best_only: bool = False
    maxn: bool = False
    by_territories: bool = True
    odds: dict[tuple[int, int], Odds] | None = None
    chance: bool = False

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
        found: list[Move] = [None]
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
        return found

    def ends(self, board: Board, move: tuple[int, int]) -> list[tuple[Fraction, Board]]:
        """What the attack may lead to, each end with its chance."""
        source, target = move
        free, defenders = board.armies[source] - 1, board.armies[target]
        army = -(-(free + defenders) // 2)
        rest = board.armies[source] - army
        seat = board.owners[source]

        def won(left: int) -> Board:
            return board.changed({source: rest, target: left}, {target: seat})

        if self.odds is None:
            return [(Fraction(1), won(army - defenders))]
        win, left, hold = self.odds[army, defenders]
        taken = won(min(max(floor(left + Fraction(1, 2)), 1), army))
        lost = board.changed(
            {source: rest, target: min(max(floor(hold + Fraction(1, 2)), 1), defenders)}
        )
        if self.chance:
            return [(win, taken), (1 - win, lost)]
        return [(Fraction(1), taken if win >= Fraction(1, 2) else lost)]

    def next_seat(self, board: Board, seat: int) -> int:
        order = [(seat + step) % self.players for step in range(1, self.players + 1)]
        return next(other for other in order if board.own(other))

    def leaf(self, board: Board) -> list[Fraction]:
        return [
            sum((w * f for w, f in zip(self.weights, features(board, seat))), Fraction(0))
            for seat in range(self.players)
        ]

    def best(
        self, board: Board, seat: int, depth: int, used: int = 0, root: int | None = None
    ) -> tuple[list[Fraction], dict[Move, list[Fraction]]]:
        """The values by seat of a node, and those of each of its moves; the turn is a fresh one below the
        root."""
        if root is None:
            root = seat
        elif used == 0 and depth > 0 and not self.over(board, seat, root):
            placed = draft(board, seat, self.units(board, seat))
            board = board.changed({t: board.armies[t] + more for t, more in placed.items()})
        if self.over(board, seat, root):
            left = self.next_seat(board, seat)
            return [sum(self.weights) * (each == left) + Fraction(0) for each in range(self.players)], {}
        if depth == 0:
            return self.leaf(board), {}
        values: dict[Move, list[Fraction]] = {}
        for move in self.moves(board, seat) if used < self.attacks else [None]:
            if move is None:
                values[move] = self.best(board, self.next_seat(board, seat), depth - 1, 0, root)[0]
                continue
            total = [Fraction(0)] * self.players
            for share, after in self.ends(board, move):
                if used + 1 < self.attacks:
                    below = self.best(after, seat, depth - 1, used + 1, root)[0]
                else:
                    below = self.best(after, self.next_seat(after, seat), depth - 1, 0, root)[0]
                total = [a + share * b for a, b in zip(total, below)]
            values[move] = total
        lane = seat if self.maxn else root
        wants = max if self.maxn or seat == root else min
        return wants(values.values(), key=lambda each: each[lane]), values

    def over(self, board: Board, seat: int, root: int) -> bool:
        if not self.maxn and not board.own(root):
            return True
        return self.next_seat(board, seat) == seat
