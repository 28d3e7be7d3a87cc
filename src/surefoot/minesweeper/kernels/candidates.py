"""Which cells may be worth a guess.

A *dead* cell shows one number only if it is safe. Opening it tells nothing else, and it loses nothing to
open it last, so that it is no candidate while another cell is.
"""

import numpy as np

from surefoot._jit import kernel

from .count import FLOATING_RISK
from .deduce import AROUND, CLOSED, FREE, MARK, OPENED, ROWS, STRIDE, UNKNOWN
from .frontier import FLOATING, GROUP_AT, MEMBER, MEMBERS
from .mind import AROUND as AROUND_ROW
from .mind import CANDIDATES, MOST, PLACE, RISK, WINDOW

# Risks that differ by less are the same but for rounding.
SAME_RISK = 1e-10


@kernel
def is_dead(view, tally, place):
    """Whether a hidden cell, if it is safe, can show one number only, as far as single numbers tell.

    It has no unknown neighbour, or just those of an open number nearby.
    """
    around = view[FREE, place] + CLOSED
    if around == 0:
        return True
    stride = tally[STRIDE]
    own = view[MARK, place] == UNKNOWN
    row = place // stride
    col = place % stride
    for r in range(max(row - 2, 1), min(row + 2, tally[ROWS]) + 1):
        for c in range(max(col - 2, 1), min(col + 2, stride - 2) + 1):
            number = r * stride + c
            if view[MARK, number] != OPENED or view[FREE, number] < around:
                continue
            beside = own and abs(r - row) <= 1 and abs(c - col) <= 1
            if view[FREE, number] != around + beside:
                continue
            same = True
            for direction in range(8):
                near = number + tally[AROUND + direction]
                if view[MARK, near] == UNKNOWN and (
                    abs(near // stride - row) > 1 or abs(near % stride - col) > 1
                ):
                    same = False
                    break
            if same:
                return True
    return False


@kernel
def _add(mind, found, place, risk, around):
    """Put a candidate in its place: by risk, then by unknown neighbours, then by place."""
    value = mind.value
    most = min(int(mind.options[MOST]), CANDIDATES)
    at = found
    while at > 0 and (
        risk < value[RISK, at - 1] - SAME_RISK
        or (risk < value[RISK, at - 1] + SAME_RISK and around < value[AROUND_ROW, at - 1])
    ):
        at -= 1
    if at >= most:
        return found
    for i in range(min(found, most - 1), at, -1):
        value[RISK, i] = value[RISK, i - 1]
        value[PLACE, i] = value[PLACE, i - 1]
        value[AROUND_ROW, i] = value[AROUND_ROW, i - 1]
    value[RISK, at] = risk
    value[PLACE, at] = place
    value[AROUND_ROW, at] = around
    return min(found + 1, most)


@kernel
def find_candidates(view, tally, scratch, mind):
    """List the cells that may be worth a guess, the safest first; the answer is how many."""
    table = scratch.table
    extent = scratch.extent
    odds = scratch.odds
    window = mind.options[WINDOW]
    floating_risk = scratch.weights[FLOATING_RISK]
    # Opening a dead cell tells nothing; it can wait, unless there is no other.
    least = 2.0
    if extent[FLOATING] > 0:
        least = floating_risk
    for index in range(extent[MEMBERS]):
        place = np.int64(table[MEMBER, index])
        risk = odds[table[GROUP_AT, place]]
        if risk < least and not is_dead(view, tally, place):
            least = risk
    dead = least > 1.0
    if dead:
        for index in range(extent[MEMBERS]):
            least = min(least, odds[table[GROUP_AT, table[MEMBER, index]]])
    found = 0
    for index in range(extent[MEMBERS]):
        place = np.int64(table[MEMBER, index])
        risk = odds[table[GROUP_AT, place]]
        if risk <= least + window and risk < 1.0 and (dead or not is_dead(view, tally, place)):
            found = _add(mind, found, place, risk, view[FREE, place] + CLOSED)
    if extent[FLOATING] > 0 and floating_risk <= least + window and floating_risk < 1.0:
        mind.kinds[:] = 0
        stride = tally[STRIDE]
        for row in range(1, tally[ROWS] + 1):
            for place in range(row * stride + 1, row * stride + stride - 1):
                if view[MARK, place] != UNKNOWN or table[GROUP_AT, place] >= 0:
                    continue
                around = 0
                beside = 0
                for direction in range(8):
                    near = place + tally[AROUND + direction]
                    if view[MARK, near] == UNKNOWN:
                        around += 1
                        beside += table[GROUP_AT, near] >= 0
                kind = around * 9 + beside
                if mind.kinds[kind] == 0:
                    mind.kinds[kind] = 1
                    found = _add(mind, found, place, floating_risk, around)
    return found
