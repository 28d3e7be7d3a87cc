"""What a player knows of a board, kept up to date as cells open, and the deductions that need no counting.

The board lies in a border one cell wide, so that every cell has eight neighbours at fixed offsets: cell
``(row, col)`` is ``(row + 1) * stride + col + 1`` with ``stride = width + 2``. These are *places*; the
kernels that know the game's own board translate.

``view`` is int8 of shape (VIEW_ROWS, places), with places rounded up to a multiple of 8: what is known of
a place (MARK), and for an open number how many of its mines are still to be found (NEED) among how many
unknown neighbours (FREE). ``tally`` is int64, the totals. The mines themselves never come here.

Both are counted for every place, open or not, so that nobody has to ask which neighbours are open when a
place becomes known. As long as a place is not open its NEED stands CLOSED too high and its FREE as much too
low: only open numbers have a positive FREE, and no other ever seems settled.
"""

import numpy as np

from surefoot._jit import inlined, kernel

# Rows of `view`
MARK = 0
NEED = 1
FREE = 2
VIEW_ROWS = 3

CLOSED = 64

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
QUEUED = 5  # how many numbers wait in the queue
FAULT = 6  # the place of a number that cannot be
AROUND = 7  # 8 words: the ways from a place to its neighbours, in row-major order
FIRST_SAFE_PLACE = 15  # no place before this one is marked SAFE
TALLY_SIZE = 16

NOT_TOLD = -1

# By the bits of a byte, the number of the lowest that is set.
LOWEST_BIT = np.array([0] + [(bits & -bits).bit_length() - 1 for bits in range(1, 256)])

# Answers
FINE = 0
CONTRADICTION = 1


@kernel
def reset(view, tally, height, width, mines):
    """Forget everything: a board of unknown cells with ``mines`` mines, or NOT_TOLD."""
    stride = width + 2
    _begin(tally, height, width, mines)
    view[MARK] = OUTSIDE
    view[NEED] = CLOSED
    view[FREE] = -CLOSED
    for row in range(1, height + 1):
        rows = 3 - (row == 1) - (row == height)
        for place in range(row * stride + 1, row * stride + 1 + width):
            view[MARK, place] = UNKNOWN
            view[FREE, place] = 3 * rows - 1 - CLOSED
        view[FREE, row * stride + 1] -= rows
        view[FREE, row * stride + width] -= rows


@inlined
def _begin(tally, height, width, mines):
    """The totals of a board of unknown cells."""
    stride = width + 2
    tally[STRIDE] = stride
    tally[ROWS] = height
    tally[UNKNOWNS] = height * width
    tally[SAFES] = 0
    tally[MINES_LEFT] = mines
    tally[QUEUED] = 0
    tally[FAULT] = -1
    tally[FIRST_SAFE_PLACE] = (height + 2) * stride
    for direction in range(3):
        tally[AROUND + direction] = direction - 1 - stride
        tally[AROUND + 5 + direction] = direction - 1 + stride
    tally[AROUND + 3] = -1
    tally[AROUND + 4] = 1


# The queue is a stack. A number waits in it once: when its last mine is found or its last safe neighbour, and
# others are still unknown; or from the start, if it is settled or cannot be. Each of these happens once at
# most and excludes the others, so that no number has to remember that it waits. It is always written, and
# the count says whether that was meant: what a branch goes wrong costs more.


@inlined
def _settle_safe(view, tally, queue, place, mark):
    """An unknown place is safe, and ``mark`` says more; the numbers around it have one unknown less."""
    view[MARK, place] = mark
    tally[UNKNOWNS] -= 1
    queued = tally[QUEUED]
    for direction in range(8):
        near = place + tally[AROUND + direction]
        free = view[FREE, near] - 1
        view[FREE, near] = free
        queue[queued] = near
        queued += (free == view[NEED, near]) & (free != 0)
    tally[QUEUED] = queued


@inlined
def _settle_mine(view, tally, queue, place):
    """An unknown place is a mine; the numbers around it have one unknown less, and one mine."""
    view[MARK, place] = MINE
    tally[UNKNOWNS] -= 1
    queued = tally[QUEUED]
    for direction in range(8):
        near = place + tally[AROUND + direction]
        free = view[FREE, near] - 1
        need = view[NEED, near] - 1
        view[FREE, near] = free
        view[NEED, near] = need
        queue[queued] = near
        queued += (need == 0) & (free != 0)
    tally[QUEUED] = queued


@inlined
def _queue_new(view, tally, queue, place):
    """Queue a number that has just been opened, if it settles its unknown neighbours or cannot be."""
    need = view[NEED, place]
    free = view[FREE, place]
    queue[tally[QUEUED]] = place
    tally[QUEUED] += ((need <= 0) | (need >= free)) & ((free > 0) | (need != 0))


@inlined
def mark_safe(view, tally, queue, place):
    """Note that an unknown place is safe."""
    tally[SAFES] += 1
    tally[FIRST_SAFE_PLACE] = min(tally[FIRST_SAFE_PLACE], place)
    _settle_safe(view, tally, queue, place, SAFE)


@inlined
def mark_mine(view, tally, queue, place):
    """Note that an unknown place is a mine."""
    if tally[MINES_LEFT] != NOT_TOLD:
        tally[MINES_LEFT] -= 1
        if tally[MINES_LEFT] < 0:
            tally[FAULT] = place
            tally[MINES_LEFT] = 0
    _settle_mine(view, tally, queue, place)


@inlined
def see(view, tally, queue, place, number):
    """Note that a place is open and shows ``number``."""
    if view[MARK, place] == UNKNOWN:
        _settle_safe(view, tally, queue, place, OPENED)
    else:
        tally[SAFES] -= 1
        view[MARK, place] = OPENED
    view[NEED, place] += number - CLOSED
    view[FREE, place] += CLOSED
    _queue_new(view, tally, queue, place)


@kernel
def read_board(cells, mines, view, tally, queue):
    """Begin from a position: ``cells`` is int8 of shape (height, width) as an observation holds them.

    The same as `reset` and a `see` for every open cell, in one sweep.
    """
    height, width = cells.shape
    stride = width + 2
    _begin(tally, height, width, mines)
    view[MARK] = OUTSIDE
    view[NEED] = CLOSED
    view[FREE] = -CLOSED
    opened = 0
    for row in range(height):
        for col in range(width):
            place = (row + 1) * stride + col + 1
            is_open = cells[row, col] >= 0
            view[MARK, place] = OPENED if is_open else UNKNOWN
            opened += is_open
    tally[UNKNOWNS] -= opened
    for place in range(stride + 1, (height + 1) * stride - 1):
        above = place - stride
        below = place + stride
        # Written out, so that the compiler sees that it can do many places at once.
        view[FREE, place] = (
            (view[MARK, above - 1] == UNKNOWN)
            + (view[MARK, above] == UNKNOWN)
            + (view[MARK, above + 1] == UNKNOWN)
            + (view[MARK, place - 1] == UNKNOWN)
            + (view[MARK, place + 1] == UNKNOWN)
            + (view[MARK, below - 1] == UNKNOWN)
            + (view[MARK, below] == UNKNOWN)
            + (view[MARK, below + 1] == UNKNOWN)
            - CLOSED
        )
    for row in range(height):
        for col in range(width):
            number = cells[row, col]
            if number >= 0:
                place = (row + 1) * stride + col + 1
                view[NEED, place] = number
                view[FREE, place] += CLOSED
                _queue_new(view, tally, queue, place)


@kernel
def propagate(view, tally, queue):
    """Draw every conclusion that one number alone allows, and again, until nothing new comes.

    A number with no mine left to find makes its unknown neighbours safe; one that needs all of them makes
    them mines. So does the mine count, when it is told. The answer is FINE or CONTRADICTION.
    """
    stride = tally[STRIDE]
    while True:
        while tally[QUEUED] > 0:
            tally[QUEUED] -= 1
            place = np.int64(queue[tally[QUEUED]])
            need = view[NEED, place]
            free = view[FREE, place]
            if need < 0 or need > free:
                tally[FAULT] = place
                return CONTRADICTION
            # Which neighbours are unknown is gathered first, without a branch.
            unknown = 0
            for direction in range(8):
                unknown |= (view[MARK, place + tally[AROUND + direction]] == UNKNOWN) << direction
            while unknown:
                near = place + tally[AROUND + LOWEST_BIT[unknown]]
                unknown &= unknown - 1
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
