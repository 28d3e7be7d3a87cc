"""A position from beginning to end: deductions, counting, and every cell's probability of a mine."""

import numpy as np

from surefoot._jit import inlined, kernel

from .count import FLOATING_RISK, weigh
from .deduce import (
    FINE,
    MARK,
    MINE,
    OPENED,
    ROWS,
    SAFE,
    STRIDE,
    UNKNOWN,
    mark_mine,
    mark_safe,
    propagate,
)
from .frontier import FLOATING, GROUP_AT, MEMBER, MEMBERS, QUEUE


@kernel
def solve(cells, mines, ratio, view, tally, scratch, risks):
    """Fill ``risks`` (float64, shape of ``cells``) with mine probabilities, NaN where a cell is open.

    Afterwards ``view[MARK]`` tells which cells are certain. The answer is that of `count`.
    """
    answer = weigh(cells, mines, ratio, view, tally, scratch)
    if answer != FINE:
        return answer
    table = scratch.table
    odds = scratch.odds
    weights = scratch.weights
    height, width = cells.shape
    stride = tally[STRIDE]
    for row in range(height):
        for col in range(width):
            place = (row + 1) * stride + col + 1
            mark = view[MARK, place]
            if mark == OPENED:
                risk = float("nan")
            elif mark == SAFE:
                risk = 0.0
            elif mark == MINE:
                risk = 1.0
            elif table[GROUP_AT, place] >= 0:
                risk = odds[table[GROUP_AT, place]]
            else:
                risk = weights[FLOATING_RISK]
            risks[row, col] = risk
    mark_certain(view, tally, scratch)
    return FINE


@kernel
def mark_certain(view, tally, scratch):
    """Note what counting has proved: cells whose risk is exactly 0 or 1, and what follows at once.

    Nothing new can follow; but the queue is empty afterwards, so that after-states begin with an empty one.
    """
    table = scratch.table
    extent = scratch.extent
    odds = scratch.odds
    for index in range(extent[MEMBERS]):
        place = np.int64(table[MEMBER, index])
        _mark(view, tally, table, place, odds[table[GROUP_AT, place]])
    risk = scratch.weights[FLOATING_RISK]
    if extent[FLOATING] > 0 and (risk == 0.0 or risk == 1.0):
        stride = tally[STRIDE]
        for row in range(1, tally[ROWS] + 1):
            for place in range(row * stride + 1, row * stride + stride - 1):
                if view[MARK, place] == UNKNOWN and table[GROUP_AT, place] < 0:
                    _mark(view, tally, table, place, risk)
    propagate(view, tally, table[QUEUE])


@inlined
def _mark(view, tally, table, place, risk):
    if risk == 0.0:
        mark_safe(view, tally, table[QUEUE], place)
    elif risk == 1.0:
        mark_mine(view, tally, table[QUEUE], place)
