"""The agent that opens proved cells, else the least likely mine; action by action, and whole games at once.

The agent's part, `think`, takes what is visible alone. The player of whole games calls the same `think`
and the rules' own `step`, so that both ways of playing choose the same actions.

A *plan* is a list of moves in int64 words, ``cell * 8 + kind`` with the codes of `layout`; they are all to
be played before the next thought.
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .candidates import is_dead
from .count import FLOATING_RISK, count
from .deduce import (
    AROUND,
    CONTRADICTION,
    FINE,
    FIRST_SAFE_PLACE,
    FREE,
    MARK,
    MINE,
    MINES_LEFT,
    NEED,
    NOT_TOLD,
    OPENED,
    ROWS,
    SAFE,
    SAFES,
    STRIDE,
    UNKNOWN,
    UNKNOWNS,
    propagate,
    reset,
    see,
)
from .frontier import FLOATING, GROUP_AT, GROUPS, MEMBER, MEMBERS, QUEUE
from .layout import (
    END,
    FIRST_CLICK,
    FLAG,
    FLAG_GOAL,
    FLAGGED,
    FLAGS,
    HEIGHT,
    HIDDEN,
    LEAVE,
    LOST,
    MINES,
    MOVES,
    OPEN,
    RIGHT_FLAGS,
    RUNNING,
    STATUS,
    UNCOVER,
    UNFLAG,
    WIDTH,
    WON,
)
from .lookahead import choose, finish
from .mind import ENDGAME, FIRST_CELL, GUESS_WORTH, GUESSED, LOOK_AHEAD, NONE, PROMISE
from .solve import mark_certain
from .step import apply, begin, open_start, place_mines

# Words of a plan before its moves
LENGTH = 0
NEXT = 1
GUESSES = 2  # how many moves so far were not proved safe
PLAN_HEAD = 3

# Words of a game's result
RESULT_STATUS = 0
RESULT_END = 1
RESULT_MOVES = 2
RESULT_GUESSES = 3
RESULT_WORDS = 4

LUCK = 0.5
"""What a game is about worth when a guess hit no mine."""

# Risks that differ by less are the same but for rounding.
SAME_RISK = 1e-10


@kernel
def think(shown, rules, view, tally, scratch, mind, plan, rough):
    """Fill ``plan`` with the next moves: all that is proved, or one guess.

    ``shown`` is the board as the player sees it, flat; ``view`` and ``tally`` hold what is known of it.
    The answer is FINE, or that of `count` when it could not count; with ``rough`` it then makes do with
    estimates. ``mind.base`` tells what was found out on the way.
    """
    mind.base[GUESSED] = NONE
    mind.base[PROMISE] = NONE
    plan[LENGTH] = PLAN_HEAD
    plan[NEXT] = PLAN_HEAD
    queue = scratch.table[QUEUE]
    answer = propagate(view, tally, queue)
    if answer == CONTRADICTION:
        return answer
    if tally[SAFES] == 0:
        if rules[FLAG_GOAL]:
            _plan_flags(shown, view, tally, plan)
            if plan[LENGTH] > PLAN_HEAD:
                return FINE
        if tally[UNKNOWNS] == 0:
            plan[plan[LENGTH]] = LEAVE
            plan[LENGTH] += 1
            return FINE
        if tally[UNKNOWNS] == tally[ROWS] * (tally[STRIDE] - 2):
            _plan_guess(view, tally, plan, _first_place(tally, mind))
            return FINE
        answer = count(view, tally, scratch, 1.0)
        if answer == FINE:
            if mind.options[ENDGAME] > 0.0:
                place = finish(view, tally, scratch, mind)
                if place >= 0:
                    _plan_guess(view, tally, plan, place)
                    return FINE
            mark_certain(view, tally, scratch)
            if tally[SAFES] == 0:
                if mind.options[LOOK_AHEAD] > 0.0:
                    answer, place = choose(view, tally, scratch, mind)
                    if answer != FINE and not rough:
                        return answer
                else:
                    place, risk = _least_risk(view, tally, scratch)
                    # Nothing is known of the numbers.
                    mind.base[GUESSED] = 0.0
                    mind.base[GUESS_WORTH] = LUCK * (1.0 - risk)
                    mind.leaf[0, :] = LUCK
                _plan_guess(view, tally, plan, place)
                return FINE
        elif rough and answer != CONTRADICTION:
            _plan_guess(view, tally, plan, _least_estimate(view, tally))
            return FINE
        else:
            return answer
    _plan_safe(view, tally, plan)
    return FINE


@kernel
def _plan_safe(view, tally, plan):
    """Every cell that is proved safe, in row-major order."""
    stride = tally[STRIDE]
    place = tally[FIRST_SAFE_PLACE]
    left = tally[SAFES]
    while left > 0:
        if view[MARK, place] == SAFE:
            plan[plan[LENGTH]] = _cell(place, stride) * 8 + UNCOVER
            plan[LENGTH] += 1
            left -= 1
        place += 1
    tally[FIRST_SAFE_PLACE] = view.shape[1]


@inlined
def _cell(place, stride):
    # A row has two places more than cells.
    return place - stride - 1 - 2 * (place // stride - 1)


@kernel
def _plan_flags(shown, view, tally, plan):
    """Where flags win, every proved mine gets one."""
    width = tally[STRIDE] - 2
    for row in range(tally[ROWS]):
        for col in range(width):
            cell = row * width + col
            if view[MARK, (row + 1) * tally[STRIDE] + col + 1] == MINE and shown[cell] != FLAGGED:
                plan[plan[LENGTH]] = cell * 8 + FLAG
                plan[LENGTH] += 1


@kernel
def _plan_guess(view, tally, plan, place):
    plan[plan[LENGTH]] = _cell(place, tally[STRIDE]) * 8 + UNCOVER
    plan[LENGTH] += 1
    plan[GUESSES] += 1


@inlined
def _first_place(tally, mind):
    cell = np.int64(mind.options[FIRST_CELL])
    width = tally[STRIDE] - 2
    return (cell // width + 1) * tally[STRIDE] + cell % width + 1


@inlined
def _unknown_around(view, tally, place, enough):
    """How many neighbours are unknown; counted only until there are more than ``enough``."""
    around = 0
    for direction in range(8):
        around += view[MARK, place + tally[AROUND + direction]] == UNKNOWN
        if around > enough:
            break
    return around


@kernel
def _least_risk(view, tally, scratch):
    """The least likely mine that is not dead, and its risk; of equals that with fewest unknown neighbours.

    Its number tells most, and it is likeliest to be a zero. Dead cells wait until there are no others.
    """
    extent = scratch.extent
    weights = scratch.weights
    spare = -1
    spare_risk = 1.0
    seen = -1.0
    while True:
        least = 2.0
        for group in range(extent[GROUPS]):
            risk = scratch.odds[group]
            if risk > seen + SAME_RISK:
                least = min(least, risk)
        if extent[FLOATING] > 0 and weights[FLOATING_RISK] > seen + SAME_RISK:
            least = min(least, weights[FLOATING_RISK])
        if least > 1.0 - SAME_RISK:
            return spare, spare_risk
        best, dead = _least_around(view, tally, scratch, least)
        if best >= 0:
            return best, least
        if spare < 0:
            spare = dead
            spare_risk = least
        seen = least


@kernel
def _least_around(view, tally, scratch, least):
    """Of the cells with the risk ``least`` that with the fewest unknown neighbours, and the first dead one.

    Each is -1 if there is none.
    """
    table = scratch.table
    extent = scratch.extent
    best = -1
    best_around = 9
    dead = -1
    for index in range(extent[MEMBERS]):
        place = np.int64(table[MEMBER, index])
        if abs(scratch.odds[table[GROUP_AT, place]] - least) <= SAME_RISK:
            around = _unknown_around(view, tally, place, best_around)
            if around < best_around or (around == best_around and place < best):
                if is_dead(view, tally, place):
                    if dead < 0:
                        dead = place
                else:
                    best = place
                    best_around = around
    if extent[FLOATING] == 0 or abs(scratch.weights[FLOATING_RISK] - least) > SAME_RISK:
        return best, dead
    stride = tally[STRIDE]
    for row in range(1, tally[ROWS] + 1):
        for place in range(row * stride + 1, row * stride + stride - 1):
            if view[MARK, place] == UNKNOWN and table[GROUP_AT, place] < 0:
                around = _unknown_around(view, tally, place, best_around)
                if around < best_around or (around == best_around and place < best):
                    if is_dead(view, tally, place):
                        if dead < 0:
                            dead = np.int64(place)
                    else:
                        best = np.int64(place)
                        best_around = around
    return best, dead


@kernel
def _least_estimate(view, tally):
    """The least likely mine by the numbers taken one at a time, for positions that cannot be counted."""
    stride = tally[STRIDE]
    elsewhere = 0.5
    if tally[MINES_LEFT] != NOT_TOLD:
        elsewhere = tally[MINES_LEFT] / tally[UNKNOWNS]
    best = -1
    best_risk = 2.0
    for row in range(1, tally[ROWS] + 1):
        for place in range(row * stride + 1, row * stride + stride - 1):
            if view[MARK, place] != UNKNOWN:
                continue
            risk = -1.0
            for direction in range(8):
                near = place + tally[AROUND + direction]
                if view[MARK, near] == OPENED and view[FREE, near] > 0:
                    risk = max(risk, view[NEED, near] / view[FREE, near])
            if risk < 0.0:
                risk = elsewhere
            if risk < best_risk:
                best = place
                best_risk = risk
    return best


@kernel
def look(shown, height, width, view, tally, queue):
    """Take in what has been opened since the last look; the answer is False if it is another game's board."""
    stride = width + 2
    for row in range(height):
        for col in range(width):
            number = shown[row * width + col]
            place = (row + 1) * stride + col + 1
            if number < 0:
                if view[MARK, place] == OPENED:
                    return False
            elif view[MARK, place] != OPENED:
                if view[MARK, place] == MINE:
                    return False
                see(view, tally, queue, place, number)
    return True


@inlined
def next_move(shown, plan):
    """The next planned move that still does something, or -1."""
    while plan[NEXT] < plan[LENGTH]:
        move = plan[plan[NEXT]]
        kind = move & 7
        if kind == UNCOVER and shown[move >> 3] == FLAGGED:
            # A flag that somebody has put there may protect the cell.
            return move - UNCOVER + UNFLAG
        plan[NEXT] += 1
        if kind == LEAVE or shown[move >> 3] == HIDDEN:
            return move
    return -1


@inlined
def _see_opened(shown, opened, count, view, tally, queue):
    """Take in the first ``count`` cells of ``opened``."""
    stride = tally[STRIDE]
    width = stride - 2
    for i in range(count):
        cell = opened[i]
        # A row has two places more than cells.
        see(view, tally, queue, cell + stride + 1 + 2 * (cell // width), shown[cell])


@kernel
def _play_on(
    uniforms,
    rules,
    mines,
    shown,
    header,
    opened,
    plan,
    result,
    worth,
    view,
    tally,
    scratch,
    mind,
    rough,
):
    """Play one game from where it stands until it is over, and fill its ``result``.

    ``uniforms`` lay the mines when the first cell is opened; there are none if that is done already. The
    answer is FINE, or that of `count` when a position could not be counted; the game is then left as it is.

    If ``worth`` (float64) has a word, not the outcome counts but what is expected of it: the game ends where
    perfect play knows the chance to win, and from each guess the luck is taken out, which is what the
    number that it shows is worth (nothing for a mine) less what the guess was worth before. Luck is nothing
    on average, however wrong these values may be, so that the mean over all layouts stays the same and the
    games only vary less.
    """
    queue = scratch.table[QUEUE]
    drawn = len(uniforms) == 0
    weighs = len(worth) > 0
    guessed = -1
    if weighs:
        worth[0] = 0.0
    while header[STATUS] == RUNNING:
        move = next_move(shown, plan)
        if move < 0:
            answer = think(
                shown,
                rules,
                view,
                tally,
                scratch,
                mind,
                plan,
                rough,
            )
            if answer != FINE:
                return answer
            if weighs and mind.base[PROMISE] != NONE:
                worth[0] += mind.base[PROMISE]
                break
            guessed = int(mind.base[GUESSED])
            continue
        cell = move >> 3
        if not drawn:
            place_mines(uniforms, rules[FIRST_CLICK], cell, header, mines)
            drawn = True
        opens = apply(mines, shown, header, rules, move & 7, cell, opened)
        if opens < 0:
            # Nothing else is left to do, and the rules do not let a player leave.
            break
        if weighs and guessed >= 0:
            worth[0] += mind.base[GUESS_WORTH]
            if header[STATUS] != LOST:
                worth[0] -= mind.leaf[guessed, shown[cell]]
            guessed = -1
        _see_opened(shown, opened, opens, view, tally, queue)
    if weighs:
        worth[0] += header[STATUS] == WON
    result[RESULT_STATUS] = header[STATUS]
    result[RESULT_END] = header[END]
    result[RESULT_MOVES] = header[MOVES]
    result[RESULT_GUESSES] = plan[GUESSES]
    return FINE


@kernel
def play_games(
    uniforms,
    rules,
    start,
    told,
    first,
    mines,
    shown,
    header,
    opened,
    plan,
    results,
    view,
    tally,
    scratch,
    mind,
    rough,
):
    """Play the games ``first``, ``first + 1``… of a batch.

    ``uniforms`` is float64 (games, 1 + mines), all their chance. ``start`` is the cell that is opened
    beforehand, -1 for one drawn, -2 for none; ``told`` is the mine count as the player knows it. A game's
    row of ``results`` (int64) becomes its status, end, moves and guesses. The answer is the number of
    games played, less than asked for when one could not be counted, and that one's answer of `count`.
    """
    height = header[HEIGHT]
    width = header[WIDTH]
    cells = height * width
    for game in range(first, len(uniforms)):
        shown[:] = HIDDEN
        for word in (OPEN, FLAGS, RIGHT_FLAGS, MOVES):
            header[word] = 0
        plan[LENGTH] = PLAN_HEAD
        plan[NEXT] = PLAN_HEAD
        plan[GUESSES] = 0
        reset(view, tally, height, width, told)
        lots = uniforms[game, 1:]
        # Without a layout the flags-goal of a board without mines must already see none.
        mines[:] = 0
        begin(header, rules)
        if start >= -1 and header[STATUS] == RUNNING:
            cell = start if start >= 0 else int(uniforms[game, 0] * cells)
            place_mines(lots, rules[FIRST_CLICK], cell, header, mines)
            lots = uniforms[game, :0]
            opens = open_start(mines, shown, header, rules, cell, opened)
            _see_opened(shown, opened, opens, view, tally, scratch.table[QUEUE])
        answer = _play_on(
            lots,
            rules,
            mines,
            shown,
            header,
            opened,
            plan,
            results[game],
            scratch.weights[:0],
            view,
            tally,
            scratch,
            mind,
            rough,
        )
        if answer != FINE:
            return game, answer
    return len(uniforms), FINE


@kernel
def play_layouts(
    layouts,
    rules,
    position,
    known,
    known_tally,
    first_plan,
    first,
    shown,
    header,
    opened,
    plan,
    results,
    worths,
    view,
    tally,
    scratch,
    mind,
    rough,
):
    """Play on from one position, on the layouts ``first``, ``first + 1``… that explain it.

    ``layouts`` is uint8 (games, cells), 1 where a mine lies; ``position`` the flat cells, int8, without
    flags. ``known``, ``known_tally`` and ``first_plan`` are the ``view``, ``tally`` and ``plan`` of one who
    has thought about it already: the first thought is the same on every layout. Results and answers are
    those of `play_games`. ``worths`` is float64 (games, 1) to have every game weighed as `_play_on` tells, or
    (games, 0) to have it played to its end.
    """
    for game in range(first, len(layouts)):
        mines = layouts[game]
        for word in (OPEN, FLAGS, RIGHT_FLAGS, MOVES, MINES):
            header[word] = 0
        for cell in range(len(position)):
            shown[cell] = position[cell]
            header[OPEN] += position[cell] >= 0
            header[MINES] += mines[cell]
        for row in range(known.shape[0]):
            for place in range(known.shape[1]):
                view[row, place] = known[row, place]
        for word in range(len(known_tally)):
            tally[word] = known_tally[word]
        for word in range(first_plan[LENGTH]):
            plan[word] = first_plan[word]
        begin(header, rules)
        answer = _play_on(
            scratch.weights[:0],
            rules,
            mines,
            shown,
            header,
            opened,
            plan,
            results[game],
            worths[game],
            view,
            tally,
            scratch,
            mind,
            rough,
        )
        if answer != FINE:
            return game, answer
    return len(layouts), FINE
