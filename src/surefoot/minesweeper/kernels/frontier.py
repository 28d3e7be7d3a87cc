"""The frontier: unknown cells beside open numbers, in groups, in components, in an order to count them.

Cells with the same set of adjacent numbers are interchangeable and form a *group*; only how many of its
cells are mines matters. Groups linked by numbers form a *component*. Numbers are eliminated one at a time:
the order decides how many are half counted at once, and that decides the work.

``table`` is int32 of shape (TABLE_ROWS, places) and holds every list of this and the counting kernels, one
a row; its rows are named here.
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .deduce import AROUND, FREE, LOWEST_BIT, MARK, UNKNOWN

# Rows by place
QUEUE = 0
NUMBER_AT = 1
GROUP_AT = 2  # -1 where a place is not of the frontier
# Rows by number
NUMBER_PLACE = 3
NUMBER_GROUPS = 4  # how many groups it touches
NUMBER_OPEN = 5  # of these, how many are not yet in the order
NUMBER_LEFT = 6  # unknown cells not yet counted
NUMBER_SLOT = 7  # its slot in a state, or -1
NUMBER_GROUP = 8  # 8 rows: the groups it touches
# Rows by group
GROUP_SIZE = 16
GROUP_NUMBERS = 17  # how many numbers it touches
GROUP_NUMBER = 18  # 8 rows: these numbers
ORDER = 26  # groups in the order of elimination
LAYER = 27  # where the states after each group begin
STEP = 28  # where the transitions of each group begin
# Rows by component
COMPONENT = 29  # where each begins in ORDER
LEAST = 30  # its least number of mines
# Rows of lists
ACTIVE = 31  # numbers that are half counted
MEMBER = 32  # frontier places
NODE_START = 33  # nodes of the tree of convolutions
NODE_LENGTH = 34
TABLE_ROWS = 35

# Words of `extent` (int64): the sizes of all these lists
NUMBERS = 0
GROUPS = 1
COMPONENTS = 2
MEMBERS = 3
FLOATING = 4  # unknown cells beside no number
FAULTY = 5  # the component that could not be counted
STAMP = 6  # counts layers, across calls: the entries of `memo` that are not of this layer are stale
SHIFTS = 7  # 8 words, for the group at hand: where its numbers' slots are
WORDS = 15  # 8 words: and in which word of a state
AFTERS = 23  # 8 words: and how many of their cells come later
EXTENT_SIZE = 31


# Eight bytes at once: all their bits but the top ones, and these.
EIGHT_LOW = np.uint64(0x7F7F7F7F7F7F7F7F)
EIGHT_TOPS = np.uint64(0x8080808080808080)


@kernel
def find_frontier(view, tally, table, extent):
    """Fill the lists of numbers, groups and members from what is known."""
    # The last call's frontier is all that stands in the way of GROUP_AT being -1 everywhere.
    for index in range(extent[MEMBERS]):
        table[GROUP_AT, table[MEMBER, index]] = -1
    numbers = 0
    # Few places are open numbers with free neighbours, all others have no positive FREE: eight places are
    # looked at at once. A byte that is not positive keeps its top bit set, or has none after the sum.
    free = view[FREE]
    eights = free.view(np.uint64)
    for eight in range(len(eights)):
        if not ((eights[eight] & EIGHT_LOW) + EIGHT_LOW) & ~eights[eight] & EIGHT_TOPS:
            continue
        for place in range(8 * eight, 8 * eight + 8):
            if free[place] > 0:
                table[NUMBER_AT, place] = numbers
                table[NUMBER_PLACE, numbers] = place
                table[NUMBER_GROUPS, numbers] = 0
                table[NUMBER_LEFT, numbers] = free[place]
                table[NUMBER_SLOT, numbers] = -1
                numbers += 1
    extent[NUMBERS] = numbers
    extent[GROUPS] = 0
    extent[MEMBERS] = 0
    for number in range(numbers):
        place = table[NUMBER_PLACE, number]
        new = 0
        for direction in range(8):
            near = place + tally[AROUND + direction]
            new |= ((view[MARK, near] == UNKNOWN) & (table[GROUP_AT, near] < 0)) << direction
        while new:
            near = place + tally[AROUND + LOWEST_BIT[new]]
            new &= new - 1
            table[GROUP_AT, near] = _group_of(view, tally, table, extent, near)
            table[MEMBER, extent[MEMBERS]] = near
            extent[MEMBERS] += 1


@inlined
def _group_of(view, tally, table, extent, place):
    """The group of a frontier cell; a new one unless a group with the very same numbers exists."""
    # The numbers are written where a new group would stand; only the count makes the group exist.
    group = extent[GROUPS]
    count = 0
    for direction in range(8):
        near = place + tally[AROUND + direction]
        table[GROUP_NUMBER + count, group] = table[NUMBER_AT, near]
        count += view[FREE, near] > 0  # only open numbers have free neighbours
    first = table[GROUP_NUMBER, group]
    for index in range(table[NUMBER_GROUPS, first]):
        other = table[NUMBER_GROUP + index, first]
        if table[GROUP_NUMBERS, other] != count:
            continue
        same = True
        for i in range(count):
            if table[GROUP_NUMBER + i, other] != table[GROUP_NUMBER + i, group]:
                same = False
                break
        if same:
            table[GROUP_SIZE, other] += 1
            return other
    table[GROUP_SIZE, group] = 1
    table[GROUP_NUMBERS, group] = count
    for i in range(count):
        number = table[GROUP_NUMBER + i, group]
        table[NUMBER_GROUP + table[NUMBER_GROUPS, number], number] = group
        table[NUMBER_GROUPS, number] += 1
    extent[GROUPS] += 1
    return group


@kernel
def order_groups(table, extent, eager):
    """Split the groups into components and order each so that few numbers are half counted at once.

    The next number is the one with the fewest groups left; with ``eager`` the one whose groups open the
    fewest new numbers, which takes longer to find and is for the components that the first order defeats.
    """
    done = 0
    components = 0
    for number in range(extent[NUMBERS]):
        table[NUMBER_OPEN, number] = table[NUMBER_GROUPS, number]
    for seed in range(extent[NUMBERS]):
        if table[NUMBER_SLOT, seed] >= 0:
            continue
        table[COMPONENT, components] = done
        components += 1
        table[NUMBER_SLOT, seed] = 0  # marks a number that has been reached
        table[ACTIVE, 0] = seed
        active = 1
        while active > 0:
            best = 0
            best_cost = 1 << 30
            for index in range(active):
                cost = _cost(table, table[ACTIVE, index], eager)
                if cost < best_cost:
                    best_cost = cost
                    best = index
            number = table[ACTIVE, best]
            for index in range(table[NUMBER_GROUPS, number]):
                group = table[NUMBER_GROUP + index, number]
                if table[GROUP_SIZE, group] < 0:
                    continue
                table[ORDER, done] = group
                done += 1
                # A negative size marks a group that is in the order; turned back at the end.
                table[GROUP_SIZE, group] = -table[GROUP_SIZE, group]
                for i in range(table[GROUP_NUMBERS, group]):
                    other = table[GROUP_NUMBER + i, group]
                    table[NUMBER_OPEN, other] -= 1
                    if table[NUMBER_SLOT, other] < 0:
                        table[NUMBER_SLOT, other] = 0
                        table[ACTIVE, active] = other
                        active += 1
            kept = 0
            for index in range(active):
                other = table[ACTIVE, index]
                if table[NUMBER_OPEN, other] > 0:
                    table[ACTIVE, kept] = other
                    kept += 1
            active = kept
    if components == 0:
        # A board without a frontier is one empty component, so that nobody has to ask.
        table[COMPONENT, 0] = 0
        components = 1
    table[COMPONENT, components] = done
    extent[COMPONENTS] = components
    for group in range(extent[GROUPS]):
        table[GROUP_SIZE, group] = -table[GROUP_SIZE, group]
    for number in range(extent[NUMBERS]):
        table[NUMBER_SLOT, number] = -1


@inlined
def _cost(table, number, eager):
    left = table[NUMBER_OPEN, number]
    if not eager:
        return left
    opens = 0
    for index in range(table[NUMBER_GROUPS, number]):
        group = table[NUMBER_GROUP + index, number]
        if table[GROUP_SIZE, group] < 0:
            continue
        for i in range(table[GROUP_NUMBERS, group]):
            opens += table[NUMBER_SLOT, table[GROUP_NUMBER + i, group]] < 0
    return 16 * opens + left
