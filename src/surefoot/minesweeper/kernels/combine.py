"""Components put together: each number of mines in one leaves the others and the rest what it does.

The distributions of the components over their numbers of mines are multiplied pairwise in a tree, and the
weights of what lies outside a node are handed down it. That costs the square of the total length once,
however many components there are, and gives every component the weight of each of its numbers of mines.

All masses are tilted: a mine counts ``ratio``, near the odds of a mine, so that the numbers of mines that
matter stand near the top of the range of floats. A positive mass is never rounded to zero: it is kept at
``TINY``, so that *possible* means *positive*, exactly, and certainty never comes from rounding.
"""

import math

from surefoot._jit import inlined, kernel

from .deduce import NOT_TOLD
from .frontier import COMPONENTS, NODE_LENGTH, NODE_START

TINY = 1e-290


@inlined
def times(a, b):
    """The product of two masses; positive if both are."""
    if a > 0.0 and b > 0.0:
        return max(a * b, TINY)
    return 0.0


@kernel
def normalise(row, start, length):
    """Divide a stretch of masses by its largest; the answer is the logarithm of that, 0 if all are 0."""
    top = 0.0
    for i in range(start, start + length):
        top = max(top, row[i])
    if top == 0.0:
        return 0.0
    for i in range(start, start + length):
        if row[i] > 0.0:
            row[i] = max(row[i] / top, TINY)
    return math.log(top)


@inlined
def log_binomial(n, k):
    """The natural logarithm of n choose k."""
    return math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)


@inlined
def multiply_up(table, extent, inside):
    """Build the tree over the leaves in ``inside``; the answer is the logarithm that was divided out.

    The tree of ``k`` leaves has nodes 0 to 2k - 2: the leaves, then each pair's product. The array has
    room for them, which the caller has seen to (`tree_size`).
    """
    log_scale = 0.0
    first = 0
    count = extent[COMPONENTS]
    nodes = count
    end = table[NODE_START, count - 1] + table[NODE_LENGTH, count - 1]
    while first + 1 < nodes:
        left = first
        right = first + 1
        a = table[NODE_START, left]
        b = table[NODE_START, right]
        length = table[NODE_LENGTH, left] + table[NODE_LENGTH, right] - 1
        table[NODE_START, nodes] = end
        table[NODE_LENGTH, nodes] = length
        for i in range(end, end + length):
            inside[i] = 0.0
        for i in range(table[NODE_LENGTH, left]):
            for j in range(table[NODE_LENGTH, right]):
                inside[end + i + j] += times(inside[a + i], inside[b + j])
        log_scale += normalise(inside, end, length)
        end += length
        nodes += 1
        first += 2
    return log_scale


@inlined
def tree_size(table, extent):
    """How many masses the tree over the leaves takes."""
    count = extent[COMPONENTS]
    total = 0
    for node in range(count):
        total += table[NODE_LENGTH, node]
    size = total
    while count > 1:
        count = (count + 1) // 2
        size += total
    return size + total


@inlined
def hand_down(table, extent, inside, outside):
    """From the weights at the root, fill in those of every node; each is known up to a factor."""
    count = extent[COMPONENTS]
    node = 2 * count - 2
    while node >= count:
        left = 2 * (node - count)
        right = left + 1
        root = table[NODE_START, node]
        a = table[NODE_START, left]
        b = table[NODE_START, right]
        for i in range(table[NODE_LENGTH, left]):
            outside[a + i] = 0.0
        for j in range(table[NODE_LENGTH, right]):
            outside[b + j] = 0.0
        for i in range(table[NODE_LENGTH, left]):
            for j in range(table[NODE_LENGTH, right]):
                weight = outside[root + i + j]
                outside[a + i] += times(inside[b + j], weight)
                outside[b + j] += times(inside[a + i], weight)
        normalise(outside, a, table[NODE_LENGTH, left])
        normalise(outside, b, table[NODE_LENGTH, right])
        node -= 1


@inlined
def weigh_root(outside, start, length, least, mines, floating, ratio):
    """The weight of each total number of mines in the components, from ``least`` on.

    That is the number of ways to lay the remaining mines among the floating cells, tilted back. The answer
    is whether any total leaves a possible remainder, and the logarithm that was divided out.
    """
    if mines == NOT_TOLD:
        for i in range(start, start + length):
            outside[i] = 1.0
        return True, 0.0
    low = max(least, mines - floating)
    high = min(least + length - 1, mines)
    for i in range(start, start + length):
        outside[i] = 0.0
    if low > high:
        return False, 0.0
    log_ratio = math.log(ratio)
    top = log_binomial(floating, mines - low)
    # Steps from one binomial to the next are exact ratios; only their logarithms are added up.
    value = 0.0
    highest = 0.0
    for total in range(low, high + 1):
        outside[start + total - least] = value
        highest = max(highest, value)
        rest = mines - total
        if rest > 0:
            value += math.log(rest / (floating - rest + 1.0)) - log_ratio
    for total in range(low, high + 1):
        i = start + total - least
        outside[i] = max(math.exp(outside[i] - highest), TINY)
    return True, top - low * log_ratio + highest
