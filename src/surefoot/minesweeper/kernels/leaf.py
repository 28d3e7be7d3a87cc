"""What a position promises, told by some words about it."""

import math

import numpy as np

from surefoot._jit import kernel

from .candidates import is_dead
from .count import FLOATING_RISK, LOG_TOTAL
from .deduce import (
    AROUND,
    FIRST_SAFE_PLACE,
    MARK,
    MINES_LEFT,
    ROWS,
    SAFE,
    SAFES,
    STRIDE,
    UNKNOWN,
    UNKNOWNS,
)
from .frontier import (
    COMPONENT,
    COMPONENTS,
    FLOATING,
    GROUP_AT,
    GROUP_SIZE,
    MEMBER,
    MEMBERS,
    ORDER,
)
from .mind import BIAS, FEATURES, NET_COLUMNS, OUTPUT, UNITS, WEIGHTS
from .solve import mark_certain


@kernel
def describe(view, tally, scratch, features):
    """What a position promises, from its features, which are filled."""
    table = scratch.table
    extent = scratch.extent
    odds = scratch.odds
    safes = tally[SAFES]
    mark_certain(view, tally, scratch)
    living = 0
    stride = tally[STRIDE]
    telling = 0  # unknown cells of the frontier that do
    beyond = 0  # unknown cells beside no number that lie beside a safe cell
    left = tally[SAFES]
    place = tally[FIRST_SAFE_PLACE]
    while left > 0:
        if view[MARK, place] == SAFE:
            left -= 1
            living += not is_dead(view, tally, place)
            for direction in range(8):
                near = place + tally[AROUND + direction]
                if view[MARK, near] == UNKNOWN:
                    if table[GROUP_AT, near] < 0:
                        beyond += 1
                    else:
                        telling += 1
        place += 1
    best = 0.0
    second = 0.0
    third = 0.0
    entropy = 0.0
    toss = 0
    uncertain = 0
    growing = 0
    for index in range(extent[MEMBERS]):
        place = np.int64(table[MEMBER, index])
        if view[MARK, place] != UNKNOWN:
            continue
        risk = odds[table[GROUP_AT, place]]
        uncertain += 1
        toss += 0.35 < risk < 0.65
        entropy += risk * (1.0 - risk)
        for direction in range(8):
            near = place + tally[AROUND + direction]
            if view[MARK, near] == UNKNOWN and table[GROUP_AT, near] < 0:
                growing += 1
                break
        if 1.0 - risk > third and not is_dead(view, tally, place):
            if 1.0 - risk > best:
                third = second
                second = best
                best = 1.0 - risk
            elif 1.0 - risk > second:
                third = second
                second = 1.0 - risk
            else:
                third = 1.0 - risk
    floating = extent[FLOATING]
    floating_risk = scratch.weights[FLOATING_RISK]
    if floating > 0 and 0.0 < floating_risk < 1.0:
        if 1.0 - floating_risk > best:
            second = best
            best = 1.0 - floating_risk
        elif 1.0 - floating_risk > second:
            second = 1.0 - floating_risk
    leaf = 1.0
    if living == 0 and tally[UNKNOWNS] > 0:
        leaf = 0.8 * best + 0.2 * second
    features[0] = leaf
    features[1] = living > 0
    features[2] = min(living, 8) / 8.0
    features[3] = min(safes, 8) / 8.0
    features[4] = min(tally[SAFES], 8) / 8.0
    features[5] = best
    features[6] = second
    features[7] = third
    features[8] = entropy / 2.5
    features[9] = toss / 5.0
    features[10] = uncertain / 20.0
    features[11] = growing / 10.0
    features[12] = floating / 400.0
    features[13] = floating_risk * 5.0
    features[14] = min(beyond, 20) / 10.0
    features[15] = tally[UNKNOWNS] / 400.0
    features[16] = extent[COMPONENTS] / 5.0
    # Each component has to be entered some day.
    entering = 0.0
    tossing = 0
    for component in range(extent[COMPONENTS]):
        safest = 0.0
        for at in range(table[COMPONENT, component], table[COMPONENT, component + 1]):
            safest = max(safest, 1.0 - odds[table[ORDER, at]])
        if 0.0 < safest < 1.0:
            entering -= math.log(safest)
            tossing += safest < 0.55
    small = 0
    for component in range(extent[COMPONENTS]):
        size = 0
        for at in range(table[COMPONENT, component], table[COMPONENT, component + 1]):
            if 0.0 < odds[table[ORDER, at]] < 1.0:
                size += table[GROUP_SIZE, table[ORDER, at]]
        small += 0 < size < 6
    corners = 0
    edge = 0
    last = stride - 2
    for col in range(1, last + 1):
        edge += view[MARK, stride + col] == UNKNOWN
        edge += view[MARK, tally[ROWS] * stride + col] == UNKNOWN
    for row in range(1, tally[ROWS] + 1):
        edge += view[MARK, row * stride + 1] == UNKNOWN
        edge += view[MARK, row * stride + last] == UNKNOWN
    corners += view[MARK, stride + 1] == UNKNOWN
    corners += view[MARK, stride + last] == UNKNOWN
    corners += view[MARK, tally[ROWS] * stride + 1] == UNKNOWN
    corners += view[MARK, tally[ROWS] * stride + last] == UNKNOWN
    features[30] = corners / 4.0
    features[31] = edge / 90.0
    features[32] = scratch.weights[LOG_TOTAL] / 100.0
    features[33] = tally[MINES_LEFT] / 99.0
    features[35] = small / 4.0
    features[27] = entering
    features[28] = tossing / 2.0
    features[29] = min(telling, 20) / 10.0
    return leaf


@kernel
def estimate(features, net, units):
    """The chance to win by the network: one layer of rectified units, and a way straight to the output.

    ``units`` is written to. One feature goes to all units at a time, so that they are worked out side by
    side; a unit at a time each addition would have to wait for the last.
    """
    for unit in range(NET_COLUMNS):
        units[unit] = net[BIAS, unit]
    for i in range(FEATURES):
        feature = features[i]
        for unit in range(NET_COLUMNS):
            units[unit] += net[WEIGHTS + i, unit] * feature
    total = units[UNITS]
    for unit in range(UNITS):
        total += net[OUTPUT, unit] * max(units[unit], 0.0)
    return 1.0 / (1.0 + math.exp(-total))
