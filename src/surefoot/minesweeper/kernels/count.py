"""Exact mine probabilities: every component's layouts are counted by eliminating its numbers.

The groups of a component are laid one after another. A *state* is what the rest has to respect: for each
number that is half counted, how many mines it still needs, and how many mines lie so far. States that agree
are merged, so that the work follows the width of the frontier, not its length. One pass forward gives every
component's distribution over its number of mines; `combine` turns these into the weight of each number of
mines in the light of all the rest; one pass back over the stored transitions gives every group's mines.

A state is two int64 words: 15 numbers of 4 bits in the first, 11 in the low 44 bits of the second, above
them the mines. The sign bits stay clear, so that signed words serve and no sum overflows.
"""

import math

import numpy as np

from surefoot._jit import inlined, kernel

from .combine import (
    TINY,
    hand_down,
    multiply_up,
    normalise,
    times,
    tree_size,
    weigh_root,
)
from .deduce import (
    CONTRADICTION,
    FINE,
    MINES_LEFT,
    NEED,
    NOT_TOLD,
    UNKNOWNS,
    propagate,
    read_board,
)
from .frontier import (
    AFTERS,
    COMPONENT,
    COMPONENTS,
    FAULTY,
    FLOATING,
    GROUP_NUMBER,
    GROUP_NUMBERS,
    GROUP_SIZE,
    LAYER,
    LEAST,
    MEMBERS,
    NODE_LENGTH,
    NODE_START,
    NUMBER_LEFT,
    NUMBER_PLACE,
    NUMBER_SLOT,
    ORDER,
    QUEUE,
    SHIFTS,
    STAMP,
    STEP,
    WORDS,
    find_frontier,
    order_groups,
)

# Answers beside FINE and CONTRADICTION
FULL_STATES = 2
FULL_STEPS = 3
FULL_TREE = 4
TOO_WIDE = 5  # more numbers half counted at once than a state has slots

SLOTS = 26
FIRST_WORD = 15
MINES_SHIFT = 44

BINOMIAL = np.array([[math.comb(n, k) for k in range(9)] for n in range(9)], np.float64)

# Rows of `mass` (float64, by state)
AHEAD = 0  # mass of the ways to reach a state
BEHIND = 1  # mass of the ways to go on from it
# Rows of `steps` (int32, by transition)
SOURCE = 0
TARGET = 1
LAID = 2
# Rows of `tree` (float64)
INSIDE = 0
OUTSIDE_ROW = 1
# Words of `weights` (float64)
FLOATING_RISK = 0  # probability that a floating cell is a mine
LOG_TOTAL = 1  # natural logarithm of the layouts' total weight
POWERS = 2  # 9 words: the powers of the tilt
WEIGHTS_SIZE = 11


@kernel
def weigh(cells, mines, ratio, view, tally, scratch):
    """Begin from a position, draw the simple conclusions, and `count` the rest; the answer is its answer."""
    queue = scratch.table[QUEUE]
    read_board(cells, mines, view, tally, queue)
    answer = propagate(view, tally, queue)
    if answer != FINE:
        return answer
    return count(view, tally, scratch, ratio)


@kernel
def count(view, tally, scratch, ratio):
    """Mine probabilities: of every group in ``odds``, of a floating cell in ``weights``.

    Call it after `deduce.propagate`. ``scratch`` is a `scratch.Scratch`. ``ratio`` is what a mine weighs
    against a safe cell when the mine count is not told. An answer other than FINE says what stopped it, and
    ``extent[FAULTY]`` at which component (-1 for their sum).
    """
    table = scratch.table
    extent = scratch.extent
    find_frontier(view, tally, table, extent)
    extent[FLOATING] = tally[UNKNOWNS] - extent[MEMBERS]
    order_groups(table, extent, False)
    answer = _count_ordered(view, tally, scratch, ratio)
    if answer != FINE and answer != CONTRADICTION and answer != FULL_TREE:
        find_frontier(view, tally, table, extent)
        order_groups(table, extent, True)
        answer = _count_ordered(view, tally, scratch, ratio)
    return answer


@kernel
def _count_ordered(view, tally, scratch, ratio):
    table, extent, keys, mass, steps, memo, tree, odds, weights = scratch
    mines = tally[MINES_LEFT]
    floating = extent[FLOATING]
    tilt = ratio
    if mines != NOT_TOLD:
        # Where mines or safe cells are all that is left, propagate has said so already.
        tilt = max(mines, 1) / max(tally[UNKNOWNS] - mines, 1)
    power = weights[POWERS : POWERS + 9]
    power[0] = 1.0
    for k in range(1, 9):
        power[k] = power[k - 1] * tilt
    log_scale = 0.0
    # Typed zeros: a literal would have each of the kernels below compiled twice.
    states = np.int64(0)
    transitions = np.int64(0)
    leaf = np.int64(0)
    least = np.int64(0)
    for component in range(extent[COMPONENTS]):
        extent[FAULTY] = component
        answer, states, transitions, scale = _forward(
            view, table, extent, component, keys, mass, steps, memo, power, states, transitions
        )
        if answer != FINE:
            return answer
        answer = _make_leaf(table, component, keys, mass, tree, leaf)
        if answer != FINE:
            return answer
        length = table[NODE_LENGTH, component]
        log_scale += scale + normalise(tree[INSIDE], leaf, length)
        leaf += length
        least += table[LEAST, component]
    if tree_size(table, extent) > tree.shape[1]:
        return FULL_TREE
    log_scale += multiply_up(table, extent, tree[INSIDE])
    root = 2 * extent[COMPONENTS] - 2
    start = table[NODE_START, root]
    length = table[NODE_LENGTH, root]
    possible, log_outside = weigh_root(tree[OUTSIDE_ROW], start, length, least, mines, floating, tilt)
    if not possible:
        extent[FAULTY] = -1
        return CONTRADICTION
    weights[FLOATING_RISK], total = _weigh_floating(tree, start, length, least, mines, floating, ratio)
    if total == 0.0:
        extent[FAULTY] = -1
        return CONTRADICTION
    weights[LOG_TOTAL] = log_scale + log_outside + math.log(total)
    if mines == NOT_TOLD:
        weights[LOG_TOTAL] += floating * math.log1p(ratio)
    hand_down(table, extent, tree[INSIDE], tree[OUTSIDE_ROW])
    for component in range(extent[COMPONENTS] - 1, -1, -1):
        _backward(table, component, keys, mass, steps, tree, power, odds)
    return FINE


@inlined
def _weigh_floating(tree, start, length, least, mines, floating, ratio):
    """The risk of a floating cell, and the total mass of all that is possible."""
    total = 0.0
    floating_mines = 0.0
    low = floating
    high = 0
    for i in range(length):
        both = times(tree[INSIDE, start + i], tree[OUTSIDE_ROW, start + i])
        if both > 0.0:
            total += both
            rest = mines - least - i
            floating_mines += both * rest
            low = min(low, rest)
            high = max(high, rest)
    if mines == NOT_TOLD:
        return ratio / (1.0 + ratio), total
    if floating == 0 or total == 0.0:
        return 0.0, total
    if high == 0:
        return 0.0, total
    if low == floating:
        return 1.0, total
    return floating_mines / total / floating, total


@inlined
def _forward(view, table, extent, component, keys, mass, steps, memo, power, states, transitions):
    """Lay a component's groups one after another.

    The answer is a code, the states and transitions in use, and the logarithm divided out of the masses.
    The last layer ends at ``states``.
    """
    capacity = keys.shape[1]
    room = steps.shape[1]
    shifts = extent[SHIFTS : SHIFTS + 8]
    words = extent[WORDS : WORDS + 8]
    afters = extent[AFTERS : AFTERS + 8]
    free_slots = (1 << SLOTS) - 1
    scale = 0.0
    if extent[STAMP] > (1 << 30):
        memo[:] = 0
        extent[STAMP] = 0
    if states >= capacity:
        return FULL_STATES, states, transitions, scale
    keys[0, states] = 0
    keys[1, states] = 0
    mass[AHEAD, states] = 1.0
    mass[BEHIND, states] = 0.0
    begin = states
    states += 1
    for at in range(table[COMPONENT, component], table[COMPONENT, component + 1]):
        group = table[ORDER, at]
        size = table[GROUP_SIZE, group]
        numbers = table[GROUP_NUMBERS, group]
        enter0 = 0
        enter1 = 0
        unit0 = 0
        unit1 = 1 << MINES_SHIFT
        leaving = 0  # slots that are free again only after this group
        for i in range(numbers):
            number = table[GROUP_NUMBER + i, group]
            slot = table[NUMBER_SLOT, number]
            need = 0
            if slot < 0:
                if free_slots == 0:
                    return TOO_WIDE, states, transitions, scale
                slot = 0
                while (free_slots >> slot) & 1 == 0:
                    slot += 1
                free_slots ^= 1 << slot
                table[NUMBER_SLOT, number] = slot
                need = np.int64(view[NEED, table[NUMBER_PLACE, number]])
            table[NUMBER_LEFT, number] -= size
            afters[i] = table[NUMBER_LEFT, number]
            if slot < FIRST_WORD:
                words[i] = 0
                shifts[i] = 4 * slot
                enter0 += need << shifts[i]
                unit0 -= 1 << shifts[i]
            else:
                words[i] = 1
                shifts[i] = 4 * (slot - FIRST_WORD)
                enter1 += need << shifts[i]
                unit1 -= 1 << shifts[i]
            if afters[i] == 0:
                leaving |= 1 << slot
        free_slots |= leaving
        extent[STAMP] += 1
        stamp = extent[STAMP] << 32
        end = states
        # No more of the memo than the layer needs, so that it stays in the nearest cache.
        mask = 63
        while mask < 2 * (end - begin) * (size + 1):
            mask = 2 * mask + 1
        mask = min(mask, len(memo) - 1)
        table[LAYER, at + component] = begin
        table[STEP, at + component] = transitions
        top = 0.0
        for source in range(begin, end):
            key0 = keys[0, source] + enter0
            key1 = keys[1, source] + enter1
            low = 0
            high = size
            for i in range(numbers):
                need = ((key1 if words[i] else key0) >> shifts[i]) & 15
                low = max(low, need - afters[i])
                high = min(high, need)
            if low > high:
                continue
            if transitions + high - low >= room:
                return FULL_STEPS, states, transitions, scale
            reach = mass[AHEAD, source]
            key0 += low * unit0
            key1 += low * unit1
            for laid in range(low, high + 1):
                weight = max(reach * BINOMIAL[size, laid] * power[laid], TINY)
                # Find the state among those of this layer, or make it.
                probe = _scatter(key0) ^ _scatter(key1 + 1)
                probe = (probe ^ (probe >> 31)) & mask
                while True:
                    entry = memo[probe]
                    if entry < stamp:
                        if states >= capacity:
                            return FULL_STATES, states, transitions, scale
                        memo[probe] = stamp | states
                        keys[0, states] = key0
                        keys[1, states] = key1
                        mass[AHEAD, states] = weight
                        mass[BEHIND, states] = 0.0
                        target = states
                        states += 1
                        break
                    target = entry & 0xFFFFFFFF
                    if keys[0, target] == key0 and keys[1, target] == key1:
                        mass[AHEAD, target] += weight
                        break
                    probe = (probe + 1) & mask
                top = max(top, mass[AHEAD, target])
                steps[SOURCE, transitions] = source
                steps[TARGET, transitions] = target
                steps[LAID, transitions] = laid
                transitions += 1
                key0 += unit0
                key1 += unit1
        if states == end:
            return CONTRADICTION, states, transitions, scale
        if top > 1e60:
            scale += normalise(mass[AHEAD], end, states - end)
        begin = end
    table[LAYER, table[COMPONENT, component + 1] + component] = begin
    table[STEP, table[COMPONENT, component + 1] + component] = transitions
    # Where the last layer ends; the next component begins there.
    table[LAYER, table[COMPONENT, component + 1] + component + 1] = states
    return FINE, states, transitions, scale


@inlined
def _scatter(key):
    """A hash of one word; the halves are taken apart so that no product overflows."""
    return ((key & 0x7FFFFFFF) * 0x5851F42D) ^ ((key >> 31) * 0x2545F491)


@inlined
def _make_leaf(table, component, keys, mass, tree, leaf):
    """Spread a component's last states, which differ in their mines alone, into its distribution."""
    begin = table[LAYER, table[COMPONENT, component + 1] + component]
    states = table[LAYER, table[COMPONENT, component + 1] + component + 1]
    least = 1 << 30
    most = 0
    for state in range(begin, states):
        mines = keys[1, state] >> MINES_SHIFT
        least = min(least, mines)
        most = max(most, mines)
    length = most - least + 1
    if leaf + length > tree.shape[1]:
        return FULL_TREE
    for i in range(leaf, leaf + length):
        tree[INSIDE, i] = 0.0
    for state in range(begin, states):
        tree[INSIDE, leaf + (keys[1, state] >> MINES_SHIFT) - least] = mass[AHEAD, state]
    table[LEAST, component] = least
    table[NODE_START, component] = leaf
    table[NODE_LENGTH, component] = length
    return FINE


@inlined
def _backward(table, component, keys, mass, steps, tree, power, odds):
    """From the weights of a component's numbers of mines, the expected mines of each of its groups."""
    first = table[COMPONENT, component]
    last = table[COMPONENT, component + 1]
    leaf = table[NODE_START, component]
    least = table[LEAST, component]
    for state in range(table[LAYER, last + component], table[LAYER, last + component + 1]):
        mass[BEHIND, state] = tree[OUTSIDE_ROW, leaf + (keys[1, state] >> MINES_SHIFT) - least]
    for at in range(last - 1, first - 1, -1):
        group = table[ORDER, at]
        size = table[GROUP_SIZE, group]
        mines = 0.0
        total = 0.0
        low = size
        high = 0
        top = 0.0
        for index in range(table[STEP, at + component], table[STEP, at + component + 1]):
            behind = mass[BEHIND, steps[TARGET, index]]
            if behind == 0.0:
                continue
            source = steps[SOURCE, index]
            laid = steps[LAID, index]
            weight = BINOMIAL[size, laid] * power[laid] * behind
            mass[BEHIND, source] += max(weight, TINY)
            top = max(top, mass[BEHIND, source])
            both = max(mass[AHEAD, source] * weight, TINY)
            total += both
            mines += both * laid
            low = min(low, laid)
            high = max(high, laid)
        if top > 1e60 or top < 1e-60:
            begin = table[LAYER, at + component]
            normalise(mass[BEHIND], begin, table[LAYER, at + component + 1] - begin)
        if high == 0:
            odds[group] = 0.0
        elif low == size:
            odds[group] = 1.0
        else:
            odds[group] = mines / total / size
