"""The rules of play, written once: the object API and the bulk players call the same functions.

A game is three arrays: ``mines`` (uint8, 1 where a mine lies), ``shown`` (int8, what the player sees) and
``header`` (int64, see `layout`).
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .layout import (
    CHORD,
    CHORD_ON,
    COMPLETED,
    END,
    ENDS_WHEN_WON,
    EXPLODED,
    FIRST_ANY,
    FIRST_SAFE,
    FLAG,
    FLAG_CAP,
    FLAG_GOAL,
    FLAGGED,
    FLAGS,
    FLAGS_PROTECT,
    FLOOD,
    GAME_OVER,
    HEIGHT,
    HIDDEN,
    LEAVE,
    LEFT,
    LOST,
    MAX_MOVES,
    MAY_LEAVE,
    MINES,
    MOVE_LIMIT,
    MOVES,
    NO_CHORDS,
    NO_LEAVING,
    NOT_A_NUMBER,
    NOTHING,
    OFF_BOARD,
    OPEN,
    PERCEPT,
    REOPEN,
    RIGHT_FLAGS,
    RUNNING,
    STATUS,
    UNCOVER,
    WIDTH,
    WON,
)


@kernel
def place_mines(uniforms, first_click, start, header, mines):
    """Lay ``header[MINES]`` mines, uniformly over the layouts that the first click allows.

    ``uniforms`` holds at least as many draws from [0, 1) as there are mines. ``start`` is the first cell,
    or -1 when no cell is to be kept free.
    """
    height = header[HEIGHT]
    width = header[WIDTH]
    free = 0
    for cell in range(height * width):
        mines[cell] = 0
    if start >= 0 and first_click != FIRST_ANY:
        row = start // width
        col = start % width
        reach = 0 if first_click == FIRST_SAFE else 1
        rows = min(row + reach, height - 1) - max(row - reach, 0) + 1
        free = rows * (min(col + reach, width - 1) - max(col - reach, 0) + 1)
    # Floyd's method: the i-th draw is over the first `room - count + i + 1` allowed cells, and a cell drawn
    # twice is replaced by the last of them. Uniform over sets, with one draw a mine. Allowed cells are
    # numbered by skipping the free ones, which lie in at most three runs.
    count = header[MINES]
    room = height * width - free
    for i in range(count):
        top = room - count + i
        rank = int(uniforms[i] * (top + 1))
        cell = _unrank(rank, start, free, first_click, height, width)
        if mines[cell] == 1:
            cell = _unrank(top, start, free, first_click, height, width)
        mines[cell] = 1


@kernel
def _unrank(rank, start, free, first_click, height, width):
    """The cell that is number ``rank`` among those where a mine may lie."""
    if free == 0:
        return rank
    row = start // width
    col = start % width
    reach = 0 if first_click == FIRST_SAFE else 1
    left = max(col - reach, 0)
    span = min(col + reach, width - 1) - left + 1
    cell = rank
    for r in range(max(row - reach, 0), min(row + reach, height - 1) + 1):
        if cell >= r * width + left:
            cell += span
    return cell


@inlined
def _count_mines_around(mines, row, col, height, width):
    """The number that a cell without a mine shows when it is open."""
    cell = row * width + col
    if 0 < row < height - 1 and 0 < col < width - 1:
        above = cell - width
        below = cell + width
        return np.int64(
            mines[above - 1]
            + mines[above]
            + mines[above + 1]
            + mines[cell - 1]
            + mines[cell + 1]
            + mines[below - 1]
            + mines[below]
            + mines[below + 1]
        )
    number = 0
    for r in range(max(row - 1, 0), min(row + 1, height - 1) + 1):
        for c in range(max(col - 1, 0), min(col + 1, width - 1) + 1):
            number += mines[r * width + c]
    return number


@inlined
def is_complete(header, rules):
    """Whether what wins the game is done."""
    if rules[FLAG_GOAL]:
        return header[RIGHT_FLAGS] == header[MINES] and header[FLAGS] == header[MINES]
    return header[OPEN] == header[HEIGHT] * header[WIDTH] - header[MINES]


@kernel
def begin(header, rules):
    """Settle a new game: a board with nothing left to do is won at the start."""
    header[STATUS] = RUNNING
    header[END] = 0
    header[PERCEPT] = NOTHING
    _settle(header, rules)


@kernel
def apply(mines, shown, header, rules, kind, cell, opened):
    """Play one action; the answer is how many cells it opened, or a negative code for the rule it breaks.

    The cells opened stand in ``opened`` (int64, room for every cell), in the order in which they opened.
    """
    if header[STATUS] != RUNNING:
        return GAME_OVER
    if kind == LEAVE:
        if not rules[MAY_LEAVE]:
            return NO_LEAVING
        _finish(header, rules, LEFT)
        return 0
    if cell < 0 or cell >= header[HEIGHT] * header[WIDTH]:
        return OFF_BOARD
    if kind == CHORD_ON:
        if not rules[CHORD]:
            return NO_CHORDS
        if shown[cell] < 0:
            return NOT_A_NUMBER
    if kind == UNCOVER and shown[cell] >= 0 and not rules[REOPEN]:
        return 0
    # From here on the action is a move; one that was refused or ignored leaves the percept as it was.
    count = 0
    header[PERCEPT] = NOTHING
    if kind == UNCOVER:
        if shown[cell] >= 0:
            header[PERCEPT] = shown[cell]
        elif not (shown[cell] == FLAGGED and rules[FLAGS_PROTECT]):
            count = _open(mines, shown, header, rules, cell, opened, np.int64(0))
    elif kind == FLAG:
        if shown[cell] == HIDDEN and not (rules[FLAG_CAP] and header[FLAGS] >= header[MINES]):
            shown[cell] = FLAGGED
            header[FLAGS] += 1
            header[RIGHT_FLAGS] += mines[cell]
    elif kind == CHORD_ON:
        count = _chord(mines, shown, header, rules, cell, opened)
    elif shown[cell] == FLAGGED:
        shown[cell] = HIDDEN
        header[FLAGS] -= 1
        header[RIGHT_FLAGS] -= mines[cell]
    header[MOVES] += 1
    if header[STATUS] == RUNNING:
        _settle(header, rules)
    if header[STATUS] == RUNNING and rules[MAX_MOVES] > 0 and header[MOVES] >= rules[MAX_MOVES]:
        _finish(header, rules, MOVE_LIMIT)
    return count


@inlined
def _show(mines, shown, header, row, col):
    cell = row * header[WIDTH] + col
    if shown[cell] == FLAGGED:
        header[FLAGS] -= 1
    shown[cell] = _count_mines_around(mines, row, col, header[HEIGHT], header[WIDTH])
    header[OPEN] += 1


@inlined
def _open(mines, shown, header, rules, cell, opened, count):
    """Open ``cell``, and with flood what a zero opens; ``opened`` is both the answer and the queue."""
    height = header[HEIGHT]
    width = header[WIDTH]
    if mines[cell]:
        # Where the player has to leave in the end, what is complete stays so.
        header[STATUS] = WON if not rules[ENDS_WHEN_WON] and is_complete(header, rules) else LOST
        header[END] = EXPLODED
        return count
    _show(mines, shown, header, cell // width, cell % width)
    header[PERCEPT] = shown[cell]
    head = count
    opened[count] = cell
    count += 1
    if not rules[FLOOD]:
        return count
    while head < count:
        centre = opened[head]
        head += 1
        if shown[centre] != 0:
            continue
        row = centre // width
        col = centre % width
        for r in range(max(row - 1, 0), min(row + 1, height - 1) + 1):
            for c in range(max(col - 1, 0), min(col + 1, width - 1) + 1):
                near = r * width + c
                if shown[near] == HIDDEN or (shown[near] == FLAGGED and not rules[FLAGS_PROTECT]):
                    _show(mines, shown, header, r, c)
                    opened[count] = near
                    count += 1
    return count


@kernel
def _chord(mines, shown, header, rules, cell, opened):
    """Open every unflagged neighbour of a number that has as many flags around it; else do nothing."""
    height = header[HEIGHT]
    width = header[WIDTH]
    row = cell // width
    col = cell % width
    flags = 0
    for r in range(max(row - 1, 0), min(row + 1, height - 1) + 1):
        for c in range(max(col - 1, 0), min(col + 1, width - 1) + 1):
            flags += shown[r * width + c] == FLAGGED
    count = 0
    if flags != shown[cell]:
        return count
    for r in range(max(row - 1, 0), min(row + 1, height - 1) + 1):
        for c in range(max(col - 1, 0), min(col + 1, width - 1) + 1):
            near = r * width + c
            if shown[near] == HIDDEN and header[STATUS] == RUNNING:
                count = _open(mines, shown, header, rules, near, opened, count)
    return count


@kernel
def _settle(header, rules):
    if rules[ENDS_WHEN_WON] and is_complete(header, rules):
        _finish(header, rules, COMPLETED)


@kernel
def _finish(header, rules, end):
    header[STATUS] = WON if is_complete(header, rules) else LOST
    header[END] = end


@kernel
def open_start(mines, shown, header, rules, cell, opened):
    """Open the first cell for the player; that is no move. The answer is how many cells it opened.

    Nothing opens when the game is won at the start, or the cell is open already.
    """
    if header[STATUS] != RUNNING:
        return 0
    if shown[cell] >= 0:
        header[PERCEPT] = shown[cell]
        return 0
    count = _open(mines, shown, header, rules, cell, opened, np.int64(0))
    if header[STATUS] == RUNNING:
        _settle(header, rules)
    return count
