"""Pairs and boxes of cells whose mines no number may ever tell apart: the 50/50s of a position."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .actions import Cell
from .kernels import count, deduce, threats
from .kernels.frontier import QUEUE
from .kernels.solve import mark_certain
from .knowledge import cell_text, listing
from .observation import Observation
from .probability import make_room, weigh
from .workspace import Workspace

_EVEN = 0.5 - 1e-9


@dataclass(frozen=True, slots=True)
class Toss:
    """Two ways to lay the mines of a few cells that can be exchanged without changing a number outside.

    Args:
        one: the cells that are mines in the one way: one of a pair, or a diagonal of a box of four.
        other: those that are mines in the other way.
        separators: unknown cells outside that touch the two ways unequally. Each would tell them apart
            if it were safe; while all are mines, nothing does.
        cost: the share of all layouts that every player loses to it, 0.5 at the most: those with the one
            way, and all separators mines.
    """

    one: tuple[Cell, ...]
    other: tuple[Cell, ...]
    separators: tuple[Cell, ...]
    cost: float

    @property
    def cells(self) -> list[Cell]:
        """The cells of both ways, in row-major order."""
        return sorted(self.one + self.other)

    @property
    def unavoidable(self) -> bool:
        """Whether every layout has it, so that no number can ever settle it."""
        return self.cost >= _EVEN

    def as_dict(self) -> dict[str, Any]:
        """The toss as plain JSON values."""
        return {
            "cells": [list(cell) for cell in self.cells],
            "separators": [list(cell) for cell in sorted(self.separators)],
            "cost": self.cost,
            "unavoidable": self.unavoidable,
        }

    def in_words(self) -> str:
        """What it is, such as ``a 50/50 of (0,0) and (1,0) that nothing can settle``."""
        if self.unavoidable:
            return f"a 50/50 of {named(self.cells)} that nothing can settle"
        among = f"a possible 50/50 of {named(self.cells)}, which costs {self.cost:.1%} of all games"
        if self.separators:
            return f"{among}; {named(sorted(self.separators))} may settle it"
        return among


def named(cells: list[Cell]) -> str:
    """Cells in words: ``(0,0), (0,1) and (1,0)``."""
    return listing([cell_text(cell) for cell in cells])


def find_tosses(observation: Observation) -> tuple[Toss, ...]:
    """The pairs and boxes of a position that may turn out to be tosses, the costliest first.

    Those that cost less than `threats.LEAST` are left out; how they are found is told in `kernels.threats`.
    Where nothing is open yet there is none: what the first click promises is not in the position.

    Raises:
        Contradiction: no layout agrees with the position.
        TooComplex: the count would exceed the work limit; the message names the component.
    """
    while True:
        space = weigh(observation)
        if observation.hidden.all():
            return ()
        answer, found = _find(space)
        if answer == deduce.FINE:
            return tuple(sorted(found, key=lambda toss: (-toss.cost, toss.cells)))
        make_room(space, answer)


def _find(space: Workspace) -> tuple[int, list[Toss]]:
    view, tally, scratch, mind = space.view, space.tally, space.scratch, space.mind
    mark_certain(view, tally, scratch)
    deduce.propagate(view, tally, scratch.table[QUEUE])
    base = float(scratch.weights[count.LOG_TOTAL])
    answer = threats.find_threats(view, tally, scratch, mind)
    found: list[Toss] = []
    if answer != deduce.FINE:
        return answer, found
    stride = int(tally[deduce.STRIDE])
    for shape in _shapes(np.flatnonzero(mind.threat > 0.0).tolist(), stride):
        mind.shape[: threats.SEPARATORS] = -1
        mind.shape[: len(shape)] = shape
        if any(view[deduce.MARK, place] != deduce.UNKNOWN for place in shape):
            continue
        if threats.find_separators(view, tally, mind.risk, mind.shape) == 0.0:
            continue
        answer, cost = threats.count_cost(view, tally, scratch, base, mind, mind.shape)
        if answer > deduce.CONTRADICTION:
            return answer, found
        if cost >= threats.LEAST:
            separators = mind.shape[threats.SEPARATORS :][: mind.shape[threats.SEPARATOR_COUNT]].tolist()
            half = len(shape) // 2
            found.append(
                Toss(
                    one=_cells(shape[:half], stride),
                    other=_cells(shape[half:], stride),
                    separators=_cells(separators, stride),
                    cost=float(cost),
                )
            )
    return deduce.FINE, found


def _shapes(places: list[int], stride: int) -> Iterator[tuple[int, ...]]:
    """Every pair of neighbours and every box of four among some places; the first half is the one way."""
    known = set(places)
    for place in places:
        for near in (place + 1, place + stride - 1, place + stride, place + stride + 1):
            if near in known:
                yield place, near
        right, below = place + 1, place + stride
        if right in known and below in known and below + 1 in known:
            yield place, below + 1, right, below


def _cells(places: tuple[int, ...] | list[int], stride: int) -> tuple[Cell, ...]:
    return tuple((place // stride - 1, place % stride - 1) for place in places)
