"""Threats: pairs and boxes of cells whose mines no number may ever tell apart.

A *shape* is a few unknown cells and two ways to lay their mines: a pair with its mine in the one or in the
other, or a box of four with two on the one or the other diagonal. Its *separators* are the cells outside
that touch the two ways unequally. Where every separator is a mine, exchanging the two ways changes no number,
so that every player loses one of the two layouts. The weight of the layouts with the one way and all
separators mines, over all weight, is what the threat costs; opening a cell of the shape or a separator
settles it.
"""

import math

from surefoot._jit import inlined, kernel

from .count import FLOATING_RISK, LOG_TOTAL, count
from .deduce import (
    AROUND,
    FINE,
    MARK,
    MINE,
    OPENED,
    OUTSIDE,
    ROWS,
    SAFE,
    STRIDE,
    UNKNOWN,
    mark_mine,
    mark_safe,
    propagate,
)
from .frontier import GROUP_AT, QUEUE
from .mind import ALL_THREATS

LEAST = 0.002
"""Threats that cost less are not counted."""
MOST = 24
"""So many shapes are counted at most."""

# Rows of `shapes` (int64), by shape: 4 cells, -1 where there are fewer, of which the first half are mines in
# the one way, then up to 12 separators, and how many they are
CELLS = 0
SEPARATORS = 4
SEPARATOR_COUNT = 16
SHAPE_ROWS = 17


@kernel
def spread_risks(view, tally, scratch, risk):
    """The probability of a mine in every unknown place into ``risk``; it outlives the count."""
    stride = tally[STRIDE]
    floating = scratch.weights[FLOATING_RISK]
    for row in range(1, tally[ROWS] + 1):
        for place in range(row * stride + 1, row * stride + stride - 1):
            if view[MARK, place] == UNKNOWN:
                group = scratch.table[GROUP_AT, place]
                risk[place] = scratch.odds[group] if group >= 0 else floating


@inlined
def _touches(place, cell, stride):
    return abs(place // stride - cell // stride) <= 1 and abs(place % stride - cell % stride) <= 1


@kernel
def find_separators(view, tally, risk, shape):
    """Find the separators of a shape; the answer is an estimate of its cost, 0 where it is no threat."""
    stride = tally[STRIDE]
    half = 1 if shape[2] < 0 else 2
    estimate = 1.0
    for i in range(2 * half):
        p = risk[shape[i]]
        estimate *= p if i < half else 1.0 - p
    # Which cells are mines hangs together, so that an estimate far too low is possible.
    bound = LEAST / 4.0
    found = 0
    for i in range(2 * half):
        cell = shape[i]
        for direction in range(8):
            near = cell + tally[AROUND + direction]
            mark = view[MARK, near]
            if mark in (OUTSIDE, MINE):
                continue
            difference = 0
            inside = False
            for j in range(2 * half):
                if near == shape[j]:
                    inside = True
                if _touches(near, shape[j], stride):
                    difference += 1 if j < half else -1
            if inside or difference == 0:
                continue
            if mark in (OPENED, SAFE):
                return 0.0
            listed = False
            for j in range(found):
                if shape[SEPARATORS + j] == near:
                    listed = True
            if listed:
                continue
            if found == SEPARATOR_COUNT - SEPARATORS:
                return 0.0
            shape[SEPARATORS + found] = near
            found += 1
            estimate *= risk[near]
            if estimate < bound:
                return 0.0
    shape[SEPARATOR_COUNT] = found
    return estimate


@kernel
def count_cost(view, tally, scratch, base, mind, shape):
    """What a shape's threat costs, counted; a code, and the cost."""
    after = mind.after
    totals = mind.totals
    queue = scratch.table[QUEUE]
    for row in range(view.shape[0]):
        for at in range(view.shape[1]):
            after[row, at] = view[row, at]
    for word in range(len(tally)):
        totals[word] = tally[word]
    half = 1 if shape[2] < 0 else 2
    for i in range(2 * half):
        if i < half:
            mark_mine(after, totals, queue, shape[i])
        else:
            mark_safe(after, totals, queue, shape[i])
    for i in range(shape[SEPARATOR_COUNT]):
        mark_mine(after, totals, queue, shape[SEPARATORS + i])
    if propagate(after, totals, queue) != FINE:
        return FINE, 0.0
    answer = count(after, totals, scratch, 1.0)
    if answer != FINE:
        return answer, 0.0
    return FINE, min(math.exp(scratch.weights[LOG_TOTAL] - base), 0.5)


@kernel
def find_threats(view, tally, scratch, mind):
    """Fill ``mind.threat``, by place: what opening the cell settles, as a sum of -log(1 - cost).

    Call it after `count`, which it overwrites; ``mind.risk`` is filled too. Nothing may wait in the queue.
    The answer is FINE or that of a `count` that had no room.
    """
    risk = mind.risk
    threat = mind.threat
    spread_risks(view, tally, scratch, risk)
    base = scratch.weights[LOG_TOTAL]
    stride = tally[STRIDE]
    threat[:] = 0.0
    mind.base[ALL_THREATS] = 0.0
    left = MOST
    for row in range(1, tally[ROWS] + 1):
        for place in range(row * stride + 1, row * stride + stride - 1):
            if view[MARK, place] != UNKNOWN:
                continue
            # Neighbours to the right and below: each pair once; and the box with this cell at its top left.
            for kind in range(5):
                shape = mind.shape
                shape[0] = place
                shape[2] = -1
                shape[3] = -1
                if kind < 4:
                    shape[1] = place + tally[AROUND + 4 + kind]
                    if view[MARK, shape[1]] != UNKNOWN:
                        continue
                else:
                    shape[1] = place + stride + 1
                    shape[2] = place + 1
                    shape[3] = place + stride
                    if not (
                        view[MARK, shape[1]] == UNKNOWN
                        and view[MARK, shape[2]] == UNKNOWN
                        and view[MARK, shape[3]] == UNKNOWN
                    ):
                        continue
                if left == 0 or find_separators(view, tally, risk, shape) == 0.0:
                    continue
                left -= 1
                answer, cost = count_cost(view, tally, scratch, base, mind, shape)
                if answer > 1:
                    return answer
                if cost < LEAST:
                    continue
                settled = -math.log(1.0 - cost)
                mind.base[ALL_THREATS] += settled
                for i in range(4 if kind == 4 else 2):
                    threat[shape[i]] += settled
                for i in range(shape[SEPARATOR_COUNT]):
                    threat[shape[SEPARATORS + i]] += settled
    return FINE
