"""A position whose layouts are few enough to be listed one by one, and how it is played perfectly.

`count` leaves behind every way to lay the mines, group by group, with no dead end inside a component: so the
layouts are listed without ever trying one in vain, but for the mines that the components must share.
What they are good for is told in `perfect`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot._jit import inlined, kernel

from .count import BEHIND, LAID, SOURCE, TARGET
from .deduce import AROUND, FINE, MARK, MINE, MINES_LEFT, NOT_TOLD, SAFE, SAFES, STRIDE, UNKNOWN, UNKNOWNS
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
    ORDER,
    QUEUE,
    STEP,
)
from .perfect import BOUND, CELLS, MINED, UNTOLD, begin, search

# What `list_layouts` answers instead of a number of layouts
TOO_MANY_LAYOUTS = -1
TOO_MANY_CELLS = -2
# What the search answers beside FINE, apart from the codes of `count`
OUT_OF_NODES = 6

# Rows of `laying` by cell
BASE = 0  # proved mines around it
NEAR_COUNT = 1
NEAR = 2  # 8 rows: the cells around it
NUMBER = 10  # the number it shows in the layout at hand
# Rows by slot: the groups in their order, and after them the floating cells
SLOT_START = 11  # where its cells begin in CELL_LAID
SLOT_SIZE = 12
SLOT_COMPONENT = 13
SLOT_STATE = 14  # the state it starts from
SLOT_STEP = 15  # the transition at hand; of the floating cells, the mines
SLOT_REST = 16  # mines still to lay when it starts
SLOT_LOW = 17  # fewest and most of them that may be left after it
SLOT_HIGH = 18
# Rows by cell in the order of the slots
CELL_LAID = 19
LAID_MINE = 20
# By group, and one more for the floating cells: where its next cell goes
CURSOR = 21
LAYING_ROWS = 22


class Endgame(NamedTuple):
    """The layouts of a position, and the arrays in which they are searched.

    Cells are the places that are unknown or proved safe, numbered in the order of the board.

    Args:
        sizes: int64: the words named in `perfect`.
        places: int64, shape (cells,): where each cell is.
        shown: uint8, shape (cells, layouts): the number a cell shows, or MINED.
        laying: int32, shape (LAYING_ROWS, cells + 2): what the listing needs.
        names: int64, shape (layouts,): random words; the exclusive or of its layouts' names a set.
        signs: int64, shape (cells, 10): random words for what a cell shows; together they name a layout by
            what it shows.
        members: int32, shape (layouts * (cells + 2),): the sets at hand, one after another.
        lists: int32, shape (2, cells * (cells + 2)): their candidates, likewise.
        frames: int64, shape (cells + 3, FRAME_WORDS): one for each set that is being searched.
        memo: int64, shape (2, a power of two): what sets are worth.
        rows: int64, shape (layouts,): the names of the layouts of the set at hand, by what they show.
        met: int64, shape (2, a power of two at least twice the layouts): a hash table of these.
    """

    sizes: NDArray[Any]
    places: NDArray[Any]
    shown: NDArray[Any]
    laying: NDArray[Any]
    names: NDArray[Any]
    signs: NDArray[Any]
    members: NDArray[Any]
    lists: NDArray[Any]
    frames: NDArray[Any]
    memo: NDArray[Any]
    rows: NDArray[Any]
    met: NDArray[Any]


@kernel
def list_layouts(view, tally, scratch, endgame):
    """List every layout that agrees with the position; the answer is how many, or a negative code.

    Call it after `count.count` answered FINE and before anything else changes ``view`` or ``tally``.
    """
    cells = tally[UNKNOWNS] + tally[SAFES]
    if cells > len(endgame.places):
        return TOO_MANY_CELLS
    endgame.sizes[CELLS] = cells
    endgame.sizes[UNTOLD] = tally[MINES_LEFT] == NOT_TOLD
    _number_cells(view, tally, scratch.table[QUEUE], cells, endgame.places, endgame.laying)
    _make_slots(view, tally, scratch, cells, endgame.places, endgame.laying)
    return _lay_all(tally, scratch, cells, endgame.laying, endgame.shown)


@kernel
def _number_cells(view, tally, queue, cells, places, laying):
    """Number the cells, and find which are neighbours.

    After `deduce.propagate` nothing waits in ``queue``: it serves as the map from places to cells.
    """
    place = tally[STRIDE] + 1
    found = 0
    while found < cells:
        if view[MARK, place] == UNKNOWN or view[MARK, place] == SAFE:
            places[found] = place
            queue[place] = found
            found += 1
        place += 1
    for cell in range(cells):
        base = 0
        count = 0
        for direction in range(8):
            near = places[cell] + tally[AROUND + direction]
            mark = view[MARK, near]
            if mark == MINE:
                base += 1
            elif mark in (UNKNOWN, SAFE):
                laying[NEAR + count, cell] = queue[near]
                count += 1
        laying[BASE, cell] = base
        laying[NEAR_COUNT, cell] = count


@kernel
def _make_slots(view, tally, scratch, cells, places, laying):
    """Bring the unknown cells into the order of their groups; note how many mines may be left after each."""
    table = scratch.table
    extent = scratch.extent
    groups = extent[GROUPS]
    start = 0
    for slot in range(groups + 1):
        group = groups
        size = extent[FLOATING]
        if slot < groups:
            group = np.int64(table[ORDER, slot])
            size = np.int64(table[GROUP_SIZE, group])
        laying[SLOT_START, slot] = start
        laying[SLOT_SIZE, slot] = size
        laying[CURSOR, group] = start
        start += size
    for cell in range(cells):
        place = places[cell]
        if view[MARK, place] == UNKNOWN:
            group = groups
            if table[GROUP_AT, place] >= 0:
                group = np.int64(table[GROUP_AT, place])
            laying[CELL_LAID, laying[CURSOR, group]] = cell
            laying[CURSOR, group] += 1
    told = tally[MINES_LEFT] != NOT_TOLD
    low = 0
    high = extent[FLOATING]
    for component in range(extent[COMPONENTS] - 1, -1, -1):
        last = table[COMPONENT, component + 1] - 1
        for slot in range(last, table[COMPONENT, component] - 1, -1):
            laying[SLOT_COMPONENT, slot] = component
            laying[SLOT_LOW, slot] = low if told else -(1 << 30)
            laying[SLOT_HIGH, slot] = high if told and slot == last else 1 << 30
        low += table[LEAST, component]
        high += table[LEAST, component] + table[NODE_LENGTH, component] - 1


@kernel
def _lay_all(tally, scratch, cells, laying, shown):
    """Lay slot after slot in every way that the count has found possible."""
    table = scratch.table
    groups = scratch.extent[GROUPS]
    told = tally[MINES_LEFT] != NOT_TOLD
    laying[SLOT_REST, 0] = tally[MINES_LEFT] if told else 0
    found = 0
    slot = np.int64(0)
    forward = True
    while slot >= 0:
        if slot > groups:
            if found == shown.shape[1]:
                return TOO_MANY_LAYOUTS
            _write_layout(cells, laying, laying[SLOT_START, groups] + laying[SLOT_SIZE, groups], shown, found)
            found += 1
            slot -= 1
            forward = False
            continue
        start = np.int64(laying[SLOT_START, slot])
        size = np.int64(laying[SLOT_SIZE, slot])
        if not forward and _next_choice(laying[LAID_MINE], start, size):
            slot += 1
            forward = True
            continue
        if slot == groups:
            laid = _next_floating(laying, groups, told, forward)
        else:
            if forward:
                component = laying[SLOT_COMPONENT, slot]
                if slot == table[COMPONENT, component]:
                    laying[SLOT_STATE, slot] = table[LAYER, slot + component]
            laid = _next_step(table, scratch.mass, scratch.steps, laying, slot, forward)
        if laid < 0:
            slot -= 1
            forward = False
            continue
        for k in range(size):
            laying[LAID_MINE, start + k] = k < laid
        slot += 1
        forward = True
    return found


@inlined
def _next_choice(mined, start, size):
    """Lay as many mines as before in the slot's next way; False after its last."""
    ones = 0
    for k in range(start, start + size - 1):
        if mined[k] == 1 and mined[k + 1] == 0:
            mined[k] = 0
            mined[k + 1] = 1
            for j in range(start, k):
                mined[j] = j - start < ones
            return True
        ones += mined[k]
    return False


@inlined
def _next_floating(laying, slot, told, forward):
    """How many mines to lay among the floating cells next, or -1."""
    if told:
        return np.int64(laying[SLOT_REST, slot]) if forward else -1
    laying[SLOT_STEP, slot] = 0 if forward else laying[SLOT_STEP, slot] + 1
    return np.int64(laying[SLOT_STEP, slot]) if laying[SLOT_STEP, slot] <= laying[SLOT_SIZE, slot] else -1


@inlined
def _next_step(table, mass, steps, laying, slot, forward):
    """Take the next transition out of the slot's state; the answer is the mines it lays, or -1.

    The transitions of a layer stand in the order of the states they come from.
    """
    component = laying[SLOT_COMPONENT, slot]
    state = laying[SLOT_STATE, slot]
    end = np.int64(table[STEP, slot + component + 1])
    step = np.int64(laying[SLOT_STEP, slot]) + 1
    if forward:
        step = np.int64(table[STEP, slot + component])
        above = end
        while step < above:
            middle = (step + above) >> 1
            if steps[SOURCE, middle] < state:
                step = middle + 1
            else:
                above = middle
    while step < end and steps[SOURCE, step] == state:
        rest = laying[SLOT_REST, slot] - steps[LAID, step]
        target = steps[TARGET, step]
        if mass[BEHIND, target] > 0.0 and laying[SLOT_LOW, slot] <= rest <= laying[SLOT_HIGH, slot]:
            laying[SLOT_STEP, slot] = step
            laying[SLOT_REST, slot + 1] = rest
            laying[SLOT_STATE, slot + 1] = target
            return np.int64(steps[LAID, step])
        step += 1
    return -1


@inlined
def _write_layout(cells, laying, laid, shown, found):
    """Note what every cell shows in the layout at hand."""
    for cell in range(cells):
        laying[NUMBER, cell] = laying[BASE, cell]
    for k in range(laid):
        if laying[LAID_MINE, k]:
            cell = laying[CELL_LAID, k]
            for i in range(laying[NEAR_COUNT, cell]):
                laying[NUMBER, laying[NEAR + i, cell]] += 1
    for cell in range(cells):
        shown[cell, found] = laying[NUMBER, cell]
    for k in range(laid):
        if laying[LAID_MINE, k]:
            shown[laying[CELL_LAID, k], found] = MINED


@kernel
def solve_endgame(endgame, layouts, budget):
    """How many of the first ``layouts`` layouts perfect play wins, and an optimal cell to open.

    Args:
        endgame: as `list_layouts` left it.
        layouts: how many there are, all as likely.
        budget: how many sets of layouts may be searched.

    Returns:
        FINE or OUT_OF_NODES; the layouts won; the cell. Of optimal cells it is the one that is safe in most
        layouts, and of those the first; a dead cell only if all are. It is -1 if there is no layout, or
        nothing to open.
    """
    done, living = begin(endgame, layouts)
    bounds = endgame.lists[BOUND]
    cells = endgame.sizes[CELLS]
    if not living:
        for cell in range(cells):
            bounds[cell] = abs(bounds[cell])
    if layouts == done:
        return FINE, done, -1
    wins = search(endgame, layouts - done, -1, 0, budget)
    if wins == 0:
        return OUT_OF_NODES, 0, -1
    while True:
        cell = 0
        for other in range(1, cells):
            if bounds[other] > bounds[cell]:
                cell = other
        value = search(endgame, layouts - done, cell, wins - 1, budget)
        if value == 0:
            return OUT_OF_NODES, 0, -1
        if value > 0:
            return FINE, wins + done, cell
        bounds[cell] = 0


@kernel
def wins_by_opening(endgame, layouts, cell, budget):
    """How many of the first ``layouts`` layouts are won by opening ``cell`` first and playing perfectly on.

    The arguments are those of `solve_endgame`. The answer is FINE or OUT_OF_NODES, and the layouts.
    """
    done, _ = begin(endgame, layouts)
    return _wins_by_opening(endgame, layouts, done, cell, budget)


@kernel
def rank_cells(endgame, layouts, budget, wins):
    """The same of each cell, in ``wins``, int64; the answer is FINE or OUT_OF_NODES."""
    done, _ = begin(endgame, layouts)
    for cell in range(endgame.sizes[CELLS]):
        code, wins[cell] = _wins_by_opening(endgame, layouts, done, cell, budget)
        if code != FINE:
            return code
    return FINE


@inlined
def _wins_by_opening(endgame, layouts, done, cell, budget):
    if endgame.lists[BOUND, cell] == 0:
        return FINE, done
    value = search(endgame, layouts - done, cell, 0, budget)
    return (OUT_OF_NODES, value) if value == 0 else (FINE, done + value)
