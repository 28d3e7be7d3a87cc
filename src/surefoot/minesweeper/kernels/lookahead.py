"""What follows a guess: every number that a cell could show is tried, and what it leaves is counted again.

A candidate's worth is the sum, over the numbers it could show, of their probability times what the position
after it promises (see `leaf`).
"""

import math

from surefoot._jit import kernel

from . import words
from .candidates import SAME_RISK, find_candidates
from .count import FLOATING_RISK, LOG_TOTAL, count
from .deduce import (
    AROUND,
    CONTRADICTION,
    FINE,
    MARK,
    MINE,
    MINES_LEFT,
    NOT_TOLD,
    OUTSIDE,
    UNKNOWN,
    UNKNOWNS,
    propagate,
    see,
)
from .endgame import list_layouts, solve_endgame
from .frontier import FLOATING, GROUP_AT, GROUPS, QUEUE
from .leaf import describe, estimate
from .mind import (
    ALL_THREATS,
    ENDGAME,
    GUESS_WORTH,
    GUESSED,
    LEAF,
    LOG_LAYOUTS,
    NETWORK,
    NODES,
    PLACE,
    PROMISE,
    THREATS,
    WORTH,
)
from .threats import find_threats, spread_risks


@kernel
def look_ahead(view, tally, scratch, mind, found):
    """Count what follows each of the first ``found`` candidates; the answer is that of `count`.

    ``mind.chance``, ``mind.leaf`` and ``mind.features`` are filled, and the candidates' WORTH.
    """
    # The network knows positions whose mine count is told alone.
    network = mind.options[LEAF] == NETWORK and tally[MINES_LEFT] != NOT_TOLD
    for candidate in range(found):
        place = int(mind.value[PLACE, candidate])
        mines = 0
        unknown = 0
        for direction in range(8):
            mark = view[MARK, place + tally[AROUND + direction]]
            mines += mark == MINE
            unknown += mark == UNKNOWN
        worth = 0.0
        for number in range(9):
            mind.chance[candidate, number] = 0.0
            mind.leaf[candidate, number] = 0.0
        for number in range(mines, mines + unknown + 1):
            answer = _try(view, tally, scratch, mind, place, number)
            if answer == CONTRADICTION:
                continue
            if answer != FINE:
                return answer
            chance = math.exp(scratch.weights[LOG_TOTAL] - mind.base[LOG_LAYOUTS])
            mind.chance[candidate, number] = chance
            features = mind.features[candidate, number]
            leaf = describe(mind.after, mind.totals, scratch, features)
            if network and mind.totals[UNKNOWNS] > 0:
                _tell_guess(view, tally, mind, place, chance, number == mines, features)
                leaf = estimate(features, mind.net, mind.units)
            mind.leaf[candidate, number] = leaf
            worth += chance * leaf
        if not network:
            worth *= math.exp(mind.threat[place])
        mind.value[WORTH, candidate] = worth
    return FINE


@kernel
def _try(view, tally, scratch, mind, place, number):
    """What is known if a cell shows a number, into ``mind.after``, counted; the answer is that of `count`."""
    for row in range(view.shape[0]):
        for at in range(view.shape[1]):
            mind.after[row, at] = view[row, at]
    for word in range(len(tally)):
        mind.totals[word] = tally[word]
    queue = scratch.table[QUEUE]
    see(mind.after, mind.totals, queue, place, number)
    answer = propagate(mind.after, mind.totals, queue)
    if answer == FINE:
        answer = count(mind.after, mind.totals, scratch, 1.0)
    return answer


@kernel
def _tell_guess(view, tally, mind, place, chance, lowest, features):
    """Fill the words of `words` that are about the guess."""
    mines = 0
    walls = 0
    around = 0
    untouched = 0
    for direction in range(8):
        near = place + tally[AROUND + direction]
        mark = view[MARK, near]
        mines += mark == MINE
        walls += mark == OUTSIDE
        around += mark == UNKNOWN
        untouched += mark == UNKNOWN and mind.floating[near]
    features[words.NEWS] = -math.log(chance) / 3.0
    features[words.LOWEST] = lowest
    features[words.CHANCE] = chance
    features[words.RISK] = mind.risk[place]
    features[words.SETTLED] = mind.threat[place] * 10.0
    features[words.AROUND] = around / 8.0
    features[words.AROUND_UNTOUCHED] = untouched / 8.0
    features[words.UNTOUCHED] = mind.floating[place]
    # Five of its neighbours lie in a corner's walls, three in one wall.
    features[words.WALLS] = (walls + 1) // 3
    features[words.MINES_AROUND] = mines / 4.0
    features[words.THREATS] = (mind.base[ALL_THREATS] - mind.threat[place]) * 5.0


@kernel
def is_stuck(scratch):
    """Whether counting has found no safe cell."""
    safest = 1.0
    if scratch.extent[FLOATING] > 0:
        safest = scratch.weights[FLOATING_RISK]
    for group in range(scratch.extent[GROUPS]):
        safest = min(safest, scratch.odds[group])
    return safest > 0.0


@kernel
def finish(view, tally, scratch, mind):
    """The place to open in a position of few layouts by perfect play, or -1; call it after `count`.

    What it promises is noted.
    """
    endgame = mind.endgame
    most = min(mind.options[ENDGAME], endgame.shown.shape[1])
    if scratch.weights[LOG_TOTAL] > math.log(most + 0.5) or not is_stuck(scratch):
        return -1
    layouts = list_layouts(view, tally, scratch, endgame)
    if layouts <= 0:
        return -1
    answer, wins, cell = solve_endgame(endgame, layouts, int(mind.options[NODES]))
    if answer != FINE or cell < 0:
        return -1
    mind.base[PROMISE] = wins / layouts
    return endgame.places[cell]


@kernel
def weigh_candidates(view, tally, scratch, mind):
    """Fill ``mind`` with all that speaks for each candidate; a code, and how many there are.

    Call it after `count` when nothing is proved safe; it overwrites the count.
    """
    # Mines that counting has proved still wait to be taken in; copies must not share that queue.
    propagate(view, tally, scratch.table[QUEUE])
    found = find_candidates(view, tally, scratch, mind)
    mind.base[LOG_LAYOUTS] = scratch.weights[LOG_TOTAL]
    mind.base[ALL_THREATS] = 0.0
    for place in range(view.shape[1]):
        mind.floating[place] = view[MARK, place] == UNKNOWN and scratch.table[GROUP_AT, place] < 0
        mind.threat[place] = 0.0
    answer = FINE
    if mind.options[THREATS] > 0.0:
        answer = find_threats(view, tally, scratch, mind)
    else:
        spread_risks(view, tally, scratch, mind.risk)
    if answer == FINE:
        answer = look_ahead(view, tally, scratch, mind, found)
    return answer, found


@kernel
def choose(view, tally, scratch, mind):
    """The place to guess; a code, and the place. It may be called when `weigh_candidates` may."""
    answer, found = weigh_candidates(view, tally, scratch, mind)
    best = 0
    if answer == FINE:
        for candidate in range(1, found):
            if mind.value[WORTH, candidate] > mind.value[WORTH, best] + SAME_RISK:
                best = candidate
        mind.base[GUESSED] = best
        mind.base[GUESS_WORTH] = 0.0
        for number in range(9):
            mind.base[GUESS_WORTH] += mind.chance[best, number] * mind.leaf[best, number]
    return answer, int(mind.value[PLACE, best])
