"""What a position after a guess is worth: it is described in some words, and a small network reads them."""

import math

import numpy as np

from surefoot._jit import kernel

from . import words
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
from .mind import BIAS, NET_COLUMNS, OUTPUT, UNITS, WEIGHTS
from .solve import mark_certain

# A cell with a risk between these is about as likely a mine as not.
TOSS_FROM = 0.35
TOSS_TO = 0.65
# A component whose safest cell is less safe is entered by a toss.
TOSS_SAFETY = 0.55
SMALL_SIZE = 5


@kernel
def describe(view, tally, scratch, features):
    """Fill the words of `words` that are about the position; the answer is the chance to survive.

    Call it after `count`; it marks what counting has proved, safe cells and mines.
    """
    at_sight = tally[SAFES]
    mark_certain(view, tally, scratch)
    _tell_safe(view, tally, scratch.table, features)
    best, second = _tell_frontier(view, tally, scratch, features)
    _tell_components(scratch, features)
    _tell_walls(view, tally, features)
    features[words.SAFE_AT_SIGHT] = min(at_sight, 8) / 8.0
    features[words.ALL_SAFE] = min(tally[SAFES], 8) / 8.0
    features[words.FLOATING_CELLS] = scratch.extent[FLOATING] / 400.0
    features[words.FLOATING_ODDS] = scratch.weights[FLOATING_RISK] * 5.0
    features[words.UNKNOWN_CELLS] = tally[UNKNOWNS] / 400.0
    features[words.LAYOUTS] = scratch.weights[LOG_TOTAL] / 100.0
    features[words.MINES] = tally[MINES_LEFT] / 99.0
    survival = 1.0
    if features[words.GOES_ON] == 0.0 and tally[UNKNOWNS] > 0:
        # A second cell that is nearly as safe leaves a choice.
        survival = 0.8 * best + 0.2 * second
    features[words.SURVIVAL] = survival
    return survival


@kernel
def _tell_safe(view, tally, table, features):
    """What the cells that are proved safe promise."""
    living = 0
    telling = 0
    beyond = 0
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
    features[words.GOES_ON] = living > 0
    features[words.LIVING_SAFE] = min(living, 8) / 8.0
    features[words.BEYOND] = min(beyond, 20) / 10.0
    features[words.TELLING] = min(telling, 20) / 10.0


@kernel
def _tell_frontier(view, tally, scratch, features):
    """What the unknown cells promise; the safeties of the safest two that live."""
    table = scratch.table
    best = 0.0
    second = 0.0
    third = 0.0
    doubt = 0.0
    tosses = 0
    uncertain = 0
    growing = 0
    for index in range(scratch.extent[MEMBERS]):
        place = np.int64(table[MEMBER, index])
        if view[MARK, place] != UNKNOWN:
            continue
        risk = scratch.odds[table[GROUP_AT, place]]
        uncertain += 1
        tosses += TOSS_FROM < risk < TOSS_TO
        doubt += risk * (1.0 - risk)
        for direction in range(8):
            near = place + tally[AROUND + direction]
            if view[MARK, near] == UNKNOWN and table[GROUP_AT, near] < 0:
                growing += 1
                break
        safety = 1.0 - risk
        if safety > third and not is_dead(view, tally, place):
            if safety > best:
                third = second
                second = best
                best = safety
            elif safety > second:
                third = second
                second = safety
            else:
                third = safety
    floating_risk = scratch.weights[FLOATING_RISK]
    if scratch.extent[FLOATING] > 0 and 0.0 < floating_risk < 1.0:
        if 1.0 - floating_risk > best:
            second = best
            best = 1.0 - floating_risk
        elif 1.0 - floating_risk > second:
            second = 1.0 - floating_risk
    features[words.BEST] = best
    features[words.SECOND] = second
    features[words.THIRD] = third
    features[words.DOUBT] = doubt / 2.5
    features[words.TOSSES] = tosses / 5.0
    features[words.UNCERTAIN] = uncertain / 20.0
    features[words.GROWING] = growing / 10.0
    return best, second


@kernel
def _tell_components(scratch, features):
    """Each component has to be entered some day, by its safest cell at best."""
    table = scratch.table
    components = scratch.extent[COMPONENTS]
    entering = 0.0
    tossed = 0
    small = 0
    for component in range(components):
        safest = 0.0
        size = 0
        for at in range(table[COMPONENT, component], table[COMPONENT, component + 1]):
            group = table[ORDER, at]
            risk = scratch.odds[group]
            safest = max(safest, 1.0 - risk)
            if 0.0 < risk < 1.0:
                size += table[GROUP_SIZE, group]
        small += 0 < size <= SMALL_SIZE
        if 0.0 < safest < 1.0:
            entering -= math.log(safest)
            tossed += safest < TOSS_SAFETY
    features[words.PARTS] = components / 5.0
    features[words.ENTERING] = entering
    features[words.TOSSED_PARTS] = tossed / 2.0
    features[words.SMALL_PARTS] = small / 4.0


@kernel
def _tell_walls(view, tally, features):
    """Walls are where threats and openings are likeliest."""
    first = tally[STRIDE] + 1
    last = tally[ROWS] * tally[STRIDE] + 1
    width = tally[STRIDE] - 2
    edge = 0
    for place in range(first, first + width):
        edge += view[MARK, place] == UNKNOWN
    for place in range(last, last + width):
        edge += view[MARK, place] == UNKNOWN
    for row in range(tally[ROWS]):
        place = first + row * tally[STRIDE]
        edge += view[MARK, place] == UNKNOWN
        edge += view[MARK, place + width - 1] == UNKNOWN
    corners = 0
    for place in (first, first + width - 1, last, last + width - 1):
        corners += view[MARK, place] == UNKNOWN
    features[words.EDGE] = edge / 90.0
    features[words.CORNERS] = corners / 4.0


@kernel
def estimate(features, net, units):
    """The chance to win by the network: one layer of rectified units, and a way straight to the output.

    ``units`` is written to. One feature goes to all units at a time, so that they are worked out side by
    side; a unit at a time each addition would have to wait for the last.
    """
    for unit in range(NET_COLUMNS):
        units[unit] = net[BIAS, unit]
    for i in range(words.FEATURES):
        feature = features[i]
        for unit in range(NET_COLUMNS):
            units[unit] += net[WEIGHTS + i, unit] * feature
    total = units[UNITS]
    for unit in range(UNITS):
        total += net[OUTPUT, unit] * max(units[unit], 0.0)
    return 1.0 / (1.0 + math.exp(-total))
