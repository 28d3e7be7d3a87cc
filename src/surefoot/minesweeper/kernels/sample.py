"""Layouts drawn by lot from all that agree with a position, each as likely as any other.

`count` leaves behind all that is needed: how likely each number of mines in all components together is, the
tree that says how they may be shared out among the components, and for each component its states, with the
mass of the ways to reach each. A layout is drawn along the same path backwards: the mines of all components,
down the tree those of each, from its last state back to its first those of each group, every way into a
state by its share of the mass; and then which cells of a group they are.

The sampler's own arrays: ``entry`` (int32, by state) and ``link`` (int32, by transition) chain up the
transitions into each state, -1 at the end; ``shares`` (int64, shape (SHARE_ROWS, places)) holds the layout
that is being drawn, ``chances`` (float64, shape (places,)) what is chosen from.
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .combine import TINY, times
from .count import (
    AHEAD,
    BINOMIAL,
    FLOATING_RISK,
    INSIDE,
    LAID,
    MINES_SHIFT,
    OUTSIDE_ROW,
    POWERS,
    SOURCE,
    TARGET,
)
from .deduce import MARK, MINE, MINES_LEFT, NOT_TOLD, ROWS, STRIDE, UNKNOWN
from .frontier import (
    COMPONENT,
    COMPONENTS,
    FLOATING,
    GROUP_AT,
    GROUP_SIZE,
    GROUPS,
    LAYER,
    LEAST,
    NODE_LENGTH,
    NODE_START,
    ORDER,
    STEP,
)

# Rows of `shares`
NODE_MINES = 0  # by node of the tree: mines beyond the fewest it may have
GROUP_MINES = 1  # by group: mines not yet laid; the floating cells are one more group after the others
GROUP_ROOM = 2  # by group: cells not yet looked at
SHARE_ROWS = 3


@kernel
def draw_layouts(
    uniforms,
    view,
    tally,
    scratch,
    entry,
    link,
    shares,
    chances,
    layouts,
):
    """Draw a layout for each row of ``uniforms`` into the same row of ``layouts``, 1 where a mine lies.

    Call it after `count.weigh` or `count.count`, before anything else changes ``view`` or ``tally``.
    ``layouts`` is uint8 of shape (n, cells), ``uniforms`` float64 of shape (n, one for each component,
    group and unknown cell), from [0, 1).
    """
    table = scratch.table
    extent = scratch.extent
    keys = scratch.keys
    mass = scratch.mass
    steps = scratch.steps
    tree = scratch.tree
    weights = scratch.weights
    _chain_steps(table, extent, steps, entry, link)
    for n in range(len(uniforms)):
        row = uniforms[n]
        _share_out(row, table, extent, tree, shares, chances)
        used = extent[COMPONENTS]
        rest = tally[MINES_LEFT]
        for component in range(extent[COMPONENTS]):
            used = _walk_back(
                row, used, component, table, keys, mass, steps, weights, entry, link, shares, chances
            )
            rest -= table[LEAST, component] + shares[NODE_MINES, component]
        shares[GROUP_MINES, extent[GROUPS]] = rest
        shares[GROUP_ROOM, extent[GROUPS]] = extent[FLOATING]
        _lay(row, used, view, tally, table, extent, weights, shares, layouts[n])


@kernel
def _chain_steps(table, extent, steps, entry, link):
    """Chain up the transitions into each state, which `count` lists by the state they come from."""
    last = extent[COMPONENTS] - 1
    end = table[COMPONENT, last + 1] + last
    for state in range(table[LAYER, end + 1]):
        entry[state] = -1
    for step in range(table[STEP, end]):
        target = steps[TARGET, step]
        link[step] = entry[target]
        entry[target] = step


@inlined
def _pick(chances, length, uniform):
    """An index below ``length``, as likely as it has a share in the sum; never one that has none."""
    total = 0.0
    for i in range(length):
        total += chances[i]
    left = uniform * total
    picked = 0
    for i in range(length):
        if chances[i] > 0.0:
            picked = i
            left -= chances[i]
            if left < 0.0:
                break
    return picked


@kernel
def _share_out(uniforms, table, extent, tree, shares, chances):
    """How many mines each component has: first all together, then down the tree, left against right."""
    count = extent[COMPONENTS]
    root = 2 * count - 2
    start = table[NODE_START, root]
    length = np.int64(table[NODE_LENGTH, root])
    for i in range(length):
        chances[i] = times(tree[INSIDE, start + i], tree[OUTSIDE_ROW, start + i])
    shares[NODE_MINES, root] = _pick(chances, length, uniforms[0])
    for node in range(root, count - 1, -1):
        left = 2 * (node - count)
        right = left + 1
        both = shares[NODE_MINES, node]
        a = table[NODE_START, left]
        b = table[NODE_START, right]
        low = max(0, both - table[NODE_LENGTH, right] + 1)
        high = min(both, table[NODE_LENGTH, left] - 1)
        for i in range(low, high + 1):
            chances[i - low] = times(tree[INSIDE, a + i], tree[INSIDE, b + both - i])
        shares[NODE_MINES, left] = low + _pick(chances, high - low + 1, uniforms[1 + root - node])
        shares[NODE_MINES, right] = both - shares[NODE_MINES, left]


@kernel
def _walk_back(uniforms, used, component, table, keys, mass, steps, weights, entry, link, shares, chances):
    """How many mines each group of a component has; the answer is how many uniforms are used by then."""
    first = table[COMPONENT, component]
    last = table[COMPONENT, component + 1]
    mines = table[LEAST, component] + shares[NODE_MINES, component]
    # The last states differ in their mines alone, and one of them has so many.
    state = table[LAYER, last + component]
    while keys[1, state] >> MINES_SHIFT != mines:
        state += 1
    for at in range(last - 1, first - 1, -1):
        group = table[ORDER, at]
        size = table[GROUP_SIZE, group]
        found = 0
        step = entry[state]
        while step >= 0:
            laid = steps[LAID, step]
            reach = mass[AHEAD, steps[SOURCE, step]]
            chances[found] = max(reach * BINOMIAL[size, laid] * weights[POWERS + laid], TINY)
            found += 1
            step = link[step]
        step = entry[state]
        for _ in range(_pick(chances, found, uniforms[used])):
            step = link[step]
        used += 1
        shares[GROUP_MINES, group] = steps[LAID, step]
        shares[GROUP_ROOM, group] = size
        state = steps[SOURCE, step]
    return used


@kernel
def _lay(uniforms, used, view, tally, table, extent, weights, shares, layout):
    """Lay each group's mines in its cells, every way as likely; what is proved lies where it is proved."""
    stride = tally[STRIDE]
    width = stride - 2
    floating = extent[GROUPS]
    for row in range(tally[ROWS]):
        for col in range(width):
            place = (row + 1) * stride + col + 1
            mine = view[MARK, place] == MINE
            if view[MARK, place] == UNKNOWN:
                group = table[GROUP_AT, place]
                if group >= 0 or tally[MINES_LEFT] != NOT_TOLD:
                    if group < 0:
                        group = floating
                    # Of the cells still to come, each is as likely to be one of the mines still to be laid.
                    mine = uniforms[used] * shares[GROUP_ROOM, group] < shares[GROUP_MINES, group]
                    shares[GROUP_ROOM, group] -= 1
                    shares[GROUP_MINES, group] -= mine
                else:
                    mine = uniforms[used] < weights[FLOATING_RISK]
                used += 1
            layout[row * width + col] = mine
