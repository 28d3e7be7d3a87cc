"""What a player knows of a board, kept up to date as cells open, and the deductions that need no counting.

The board lies in a border one cell wide, so that every cell has eight neighbours at fixed offsets: cell
``(row, col)`` is ``(row + 1) * stride + col + 1`` with ``stride = width + 2``. These are *places*; the
kernels that know the game's own board translate.

``view`` is int8 of shape (4, places), with places rounded up to a multiple of 8: what is known of a
place (MARK), and for an open number how many of its mines are still to be found (NEED) among how many
unknown neighbours (FREE). ``tally`` is int64, the totals. The mines themselves never come here.
"""

import numpy as np

from surefoot._jit import inlined, kernel

# Rows of `view`
MARK = 0
NEED = 1
FREE = 2
QUEUED = 3  # whether the number waits in the queue
VIEW_ROWS = 4

# MARK
UNKNOWN = 0
SAFE = 1  # proved safe, still hidden
MINE = 2  # proved a mine
OPENED = 3  # an open number
OUTSIDE = 4  # the border

# Words of `tally`
STRIDE = 0
ROWS = 1
UNKNOWNS = 2  # places marked UNKNOWN
SAFES = 3  # places marked SAFE
MINES_LEFT = 4  # mines not yet found, or NOT_TOLD
QUEUE_HEAD = 5
QUEUE_TAIL = 6
FAULT = 7  # the place of a number that cannot be
AROUND = 8  # 8 words: the ways from a place to its neighbours, in row-major order
FIRST_SAFE_PLACE = 16  # no place before this one is marked SAFE
TALLY_SIZE = 17

NOT_TOLD = -1

# Answers
FINE = 0
CONTRADICTION = 1


@kernel
def reset(view, tally, height, width, mines):
    """Forget everything: a board of unknown cells with ``mines`` mines, or NOT_TOLD."""
    stride = width + 2
    for row in range(VIEW_ROWS):
        for place in range(view.shape[1]):
            view[row, place] = 0
    for place in range(stride):
        view[MARK, place] = OUTSIDE
        view[MARK, (height + 1) * stride + place] = OUTSIDE
    for row in range(1, height + 1):
        view[MARK, row * stride] = OUTSIDE
        view[MARK, row * stride + width + 1] = OUTSIDE
    tally[STRIDE] = stride
    tally[ROWS] = height
    tally[UNKNOWNS] = height * width
    tally[SAFES] = 0
    tally[MINES_LEFT] = mines
    tally[QUEUE_HEAD] = 0
    tally[QUEUE_TAIL] = 0
    tally[FAULT] = -1
    tally[FIRST_SAFE_PLACE] = view.shape[1]
    for direction in range(3):
        tally[AROUND + direction] = direction - 1 - stride
        tally[AROUND + 5 + direction] = direction - 1 + stride
    tally[AROUND + 3] = -1
    tally[AROUND + 4] = 1


@inlined
def _update(view, tally, queue, place, need, free):
    """Note what a number still needs; queue it if that settles its unknown neighbours, or cannot be.

    The queue is a ring, since each number waits in it at most once.
    """
    view[NEED, place] = need
    view[FREE, place] = free
    if (need <= 0 or need >= free) and (free > 0 or need != 0) and view[QUEUED, place] == 0:
        view[QUEUED, place] = 1
        queue[tally[QUEUE_TAIL]] = place
        tally[QUEUE_TAIL] += 1
        if tally[QUEUE_TAIL] == len(queue):
            tally[QUEUE_TAIL] = 0


@inlined
def _settle(view, tally, queue, place, mark):
    """An unknown place is known to be ``mark``; the numbers around it have one unknown less."""
    view[MARK, place] = mark
    tally[UNKNOWNS] -= 1
    found = mark == MINE
    for direction in range(8):
        near = place + tally[AROUND + direction]
        if view[MARK, near] == OPENED:
            _update(view, tally, queue, near, view[NEED, near] - found, view[FREE, near] - 1)


@inlined
def mark_safe(view, tally, queue, place):
    """Note that an unknown place is safe."""
    tally[SAFES] += 1
    tally[FIRST_SAFE_PLACE] = min(tally[FIRST_SAFE_PLACE], place)
    _settle(view, tally, queue, place, SAFE)


@inlined
def mark_mine(view, tally, queue, place):
    """Note that an unknown place is a mine."""
    if tally[MINES_LEFT] != NOT_TOLD:
        tally[MINES_LEFT] -= 1
        if tally[MINES_LEFT] < 0:
            tally[FAULT] = place
            tally[MINES_LEFT] = 0
    _settle(view, tally, queue, place, MINE)


@kernel
def see(view, tally, queue, place, number):
    """Note that a place is open and shows ``number``."""
    if view[MARK, place] == UNKNOWN:
        _settle(view, tally, queue, place, OPENED)
    else:
        tally[SAFES] -= 1
        view[MARK, place] = OPENED
    need = number
    free = 0
    for direction in range(8):
        mark = view[MARK, place + tally[AROUND + direction]]
        if mark == UNKNOWN:
            free += 1
        elif mark == MINE:
            need -= 1
    _update(view, tally, queue, place, need, free)


@kernel
def read_board(cells, mines, view, tally, queue):
    """Begin from a position: ``cells`` is int8 of shape (height, width) as an observation holds them.

    The same as `reset` and a `see` for every open cell, in one sweep.
    """
    height, width = cells.shape
    stride = width + 2
    reset(view, tally, height, width, mines)
    opened = 0
    for row in range(height):
        for col in range(width):
            if cells[row, col] >= 0:
                view[MARK, (row + 1) * stride + col + 1] = OPENED
                opened += 1
    tally[UNKNOWNS] -= opened
    for row in range(height):
        for col in range(width):
            number = cells[row, col]
            if number < 0:
                continue
            place = (row + 1) * stride + col + 1
            free = 0
            for direction in range(8):
                free += view[MARK, place + tally[AROUND + direction]] == UNKNOWN
            _update(view, tally, queue, place, number, free)


@kernel
def propagate(view, tally, queue):
    """Draw every conclusion that one number alone allows, and again, until nothing new comes.

    A number with no mine left to find makes its unknown neighbours safe; one that needs all of them makes
    them mines. So does the mine count, when it is told. The answer is FINE or CONTRADICTION.
    """
    stride = tally[STRIDE]
    while True:
        while tally[QUEUE_HEAD] != tally[QUEUE_TAIL]:
            place = np.int64(queue[tally[QUEUE_HEAD]])
            tally[QUEUE_HEAD] += 1
            if tally[QUEUE_HEAD] == len(queue):
                tally[QUEUE_HEAD] = 0
            view[QUEUED, place] = 0
            need = view[NEED, place]
            free = view[FREE, place]
            if need < 0 or need > free:
                tally[FAULT] = place
                return CONTRADICTION
            if free == 0 or (need != 0 and need != free):
                continue
            for direction in range(8):
                near = place + tally[AROUND + direction]
                if view[MARK, near] == UNKNOWN:
                    if need == 0:
                        mark_safe(view, tally, queue, near)
                    else:
                        mark_mine(view, tally, queue, near)
        if tally[FAULT] >= 0:
            return CONTRADICTION
        left = tally[MINES_LEFT]
        unknown = tally[UNKNOWNS]
        if left == NOT_TOLD or unknown == 0:
            return CONTRADICTION if left > 0 else FINE
        if left > unknown:
            return CONTRADICTION
        if left != 0 and left != unknown:
            return FINE
        for row in range(1, tally[ROWS] + 1):
            for place in range(row * stride + 1, row * stride + stride - 1):
                if view[MARK, place] == UNKNOWN:
                    if left == 0:
                        mark_safe(view, tally, queue, place)
                    else:
                        mark_mine(view, tally, queue, place)
