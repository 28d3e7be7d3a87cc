"""Perfect play where the layouts are known one by one.

What a player knows is a set of layouts: those that agree with all that is open. Opening a cell splits the
set by the number it shows, and what is won is the sum over the parts; in the layouts where it is a mine all
is lost. So the most layouts that can be won from a set is the largest, over the cells, of the sum over the
parts of what can be won from each. A set with one layout is won.

Four things keep the search small. A cell that is safe in the whole set costs nothing to open, so such a
cell, if it tells the layouts apart, is opened first and no other is tried. A *dead* cell, which shows the
same number wherever it is safe, tells nothing but that it is safe, and it loses nothing to open it last;
layouts that differ in dead cells alone are therefore as good as one, for of these only one can be won, and
so is a set in which all cells are dead. What sets are worth is remembered, also by what the living cells
show in them, whichever layouts they come from. And no set is searched to the end once it is clear that it
cannot matter: each is given a floor, and is worth its exact value only above it.

That holds while all layouts have the same number of mines. When the mine count is not told, the end of the
game is itself a sign: a layout is done when its last safe cell is open, and drops out of the set. Then dead
cells are tried too.

The arrays are told in `endgame.Endgame`.
"""

import numpy as np

from surefoot._jit import inlined, kernel

MINED = 9  # in `shown`: the cell is a mine

# Words of `sizes`
CELLS = 0
STAMP = 1  # counts searches: entries of `memo` from another one are stale
NODES = 2  # sets searched so far
UNTOLD = 3  # whether layouts differ in their number of mines
MET_STAMP = 4  # the same for the entries of `met`
SIZES = 5

# Rows of `lists`
CANDIDATE = 0  # a cell
BOUND = 1  # in how many layouts of the set it is safe

# Words of a frame
BEGIN = 0  # the set, in `members`
END = 1
KEY = 2
SIZE = 3
FLOOR = 4  # the set matters only if it is worth more
BEST = 5
BONUS = 6  # layouts that are done
LIST = 7  # the cells that may tell its layouts apart, in `lists`
LENGTH = 8
SOLE = 9  # the one cell to be tried, or -1
NEXT = 10  # the candidate at hand
SUM = 11  # of the candidate at hand: what the parts are worth that are known
REST = 12  # and what the others are worth at most
PART = 13  # the part at hand
PARTS = 14  # how many parts are not known; -1 when the candidate has failed
TOP = 15  # where the parts of the candidate at hand begin, in `members`
PARTS_TOP = 16  # and where they end
PART_BEGIN = 17  # 9 words each
PART_END = 26
PART_KEY = 35
PART_BOUND = 44
SHOWN_KEY = 53  # the set's key by what its living cells show, or 0
FRAME_WORDS = 54

# Sets of so few layouts are solved faster than they are remembered.
SMALL = 3

PROBES = 4  # places in `memo` where a set may stand

# An entry of `memo`: its key, and in one word its stamp, whether the value is exact or a bound from above,
# the value, and how many layouts the set has
SIZE_MASK = (1 << 16) - 1
VALUE_SHIFT = 16
EXACT = 1 << 32
STAMP_SHIFT = 33
LAST_STAMP = (1 << 30) - 1


@kernel
def begin(endgame, layouts):
    """Begin with the set of all layouts, and in how many each cell is safe: less than none if it is dead.

    The answer is how many layouts are done already, and whether a cell is not dead.
    """
    sizes = endgame.sizes
    sizes[NODES] = 0
    if sizes[STAMP] >= LAST_STAMP:
        endgame.memo[1, :] = 0
        sizes[STAMP] = 0
    sizes[STAMP] += 1
    cells = sizes[CELLS]
    members = endgame.members
    for layout in range(layouts):
        members[layout] = layout
    for cell in range(cells):
        endgame.lists[CANDIDATE, cell] = cell
    left = layouts
    if sizes[UNTOLD] or layouts == 1:
        left = drop_done(endgame, 0, left, 0, cells, False)
    living = False
    for cell in range(cells):
        numbers, mines = look_at(endgame.shown[cell], members, 0, left)
        endgame.lists[BOUND, cell] = left - mines
        if mines > 0 and numbers & (numbers - 1) == 0 and not sizes[UNTOLD]:
            endgame.lists[BOUND, cell] = mines - left
        elif mines < left:
            living = True
    return layouts - left, living


@inlined
def look_at(row, members, begin, end):
    """Which numbers a cell shows in a set of layouts, as bits, and in how many of them it is a mine."""
    mask = 0
    mines = 0
    for i in range(begin, end):
        number = np.int64(row[members[i]])
        mask |= 1 << number
        mines += number == MINED
    return mask & ((1 << MINED) - 1), mines


@kernel
def drop_done(endgame, begin, end, first, length, opened):
    """Move the layouts with no safe cell left behind the others; the answer is where they begin.

    ``opened`` says whether the cells that are safe in the whole set are open.
    """
    members = endgame.members
    i = begin
    while i < end:
        layout = members[i]
        done = True
        for k in range(first, first + length):
            cell = endgame.lists[CANDIDATE, k]
            _, mines = look_at(endgame.shown[cell], members, begin, end)
            if endgame.shown[cell, layout] != MINED and (mines > 0 or not opened):
                done = False
                break
        if done:
            end -= 1
            members[i] = members[end]
            members[end] = layout
            # Cells that were a mine in this layout alone are safe everywhere now.
            i = begin
        else:
            i += 1
    return end


@kernel
def search(endgame, layouts, cell, floor, budget):
    """What opening ``cell`` first is worth, or the whole set if it is -1.

    The set is that of `begin`, without the layouts that are done. The answer is exact above ``floor``, else a
    negative number; 0 says that the budget is spent.
    """
    frames = endgame.frames
    sizes = endgame.sizes
    frame = frames[0]
    frame[BEGIN] = 0
    frame[END] = layouts
    frame[TOP] = layouts
    frame[SIZE] = 0  # is not remembered: it is not worth what the set is
    frame[FLOOR] = floor
    frame[BEST] = floor
    frame[BONUS] = 0
    frame[LIST] = 0
    frame[LENGTH] = sizes[CELLS]
    frame[SOLE] = cell
    frame[NEXT] = -1
    frame[PART] = 0
    frame[PARTS] = -1
    if cell < 0:
        _take_whole(endgame, frame)
    depth = 0
    value = np.int64(0)
    while True:
        # A value of 0 says that the set at hand has to be searched on.
        if value != 0:
            if frame[SIZE] > SMALL:
                _remember(endgame.memo, sizes[STAMP], frame[KEY], frame[SIZE], value)
                if frame[SHOWN_KEY] != 0:
                    size = frame[END] - frame[BEGIN]
                    _remember(endgame.memo, sizes[STAMP], frame[SHOWN_KEY], size, value)
            if depth == 0:
                return value
            depth -= 1
            frame = frames[depth]
            if value > 0:
                frame[SUM] += value
            else:
                frame[PARTS] = -1
            value = np.int64(0)
        if frame[PART] < frame[PARTS]:
            part = frame[PART]
            frame[PART] += 1
            frame[REST] -= frame[PART_BOUND + part]
            child = frames[depth + 1]
            child[BEGIN] = frame[PART_BEGIN + part]
            child[END] = frame[PART_END + part]
            child[KEY] = frame[PART_KEY + part]
            child[TOP] = frame[PARTS_TOP]
            child[SIZE] = child[END] - child[BEGIN]
            child[FLOOR] = max(frame[BEST] - frame[SUM] - frame[REST], 0)
            depth += 1
            sizes[NODES] += 1
            if sizes[NODES] > budget:
                return np.int64(0)
            value = _enter(endgame, frame, child)
            frame = child
            continue
        if frame[PARTS] >= 0:
            frame[BEST] = max(frame[BEST], frame[SUM])
        value = _next_candidate(endgame, frame)


@inlined
def _take_whole(endgame, frame):
    """As if a cell had been opened that shows the same in all layouts.

    The search leaves out layouts of a part where it stands, so that this part is a copy: the whole set is
    searched again.
    """
    members = endgame.members
    size = frame[END]
    key = np.int64(0)
    for i in range(size):
        members[size + i] = members[i]
        key ^= endgame.names[members[i]]
    frame[SOLE] = 0
    frame[NEXT] = 0
    frame[SUM] = 0
    frame[REST] = frame[END]
    frame[PARTS] = 1
    frame[PARTS_TOP] = 2 * size
    frame[PART_BEGIN] = size
    frame[PART_END] = 2 * size
    frame[PART_KEY] = key
    frame[PART_BOUND] = frame[END]


@inlined
def _enter(endgame, parent, frame):
    """Prepare the search of a set: find the cells worth trying; what it is worth if that is clear already."""
    members = endgame.members
    lists = endgame.lists
    untold = endgame.sizes[UNTOLD]
    begin = frame[BEGIN]
    end = frame[END]
    frame[BONUS] = 0
    frame[SHOWN_KEY] = 0
    if untold:
        end = drop_done(endgame, begin, end, parent[LIST], parent[LENGTH], True)
        frame[BONUS] = frame[END] - end
        frame[END] = end
        frame[FLOOR] = max(frame[FLOOR] - frame[BONUS], 0)
    if end <= begin + 1:
        return frame[SIZE]
    frame[BEST] = frame[FLOOR]
    frame[NEXT] = -1
    frame[PART] = 0
    frame[PARTS] = -1
    frame[SOLE] = -1
    first = parent[LIST] + parent[LENGTH]
    last = first
    died = False
    for k in range(parent[LIST], first):
        cell = np.int64(lists[CANDIDATE, k])
        numbers, mines = look_at(endgame.shown[cell], members, begin, end)
        tells = numbers & (numbers - 1) != 0
        if mines == 0 and tells:
            frame[LIST] = parent[LIST]
            frame[LENGTH] = parent[LENGTH]
            frame[SOLE] = cell
            return np.int64(0)
        if tells or (untold and mines > 0 and numbers != 0):
            _insert(lists, first, last, cell, end - begin - mines)
            last += 1
        else:
            died |= mines > 0 and numbers != 0
    frame[LIST] = first
    frame[LENGTH] = last - first
    if last == first:
        return frame[BONUS] + 1
    if not untold and frame[SIZE] > SMALL:
        _name_rows(endgame, frame)
        if died:
            _merge(endgame, frame)
            if frame[END] == begin + 1:
                return np.int64(1)
        value = _recall(endgame.memo, endgame.sizes[STAMP], frame[SHOWN_KEY], frame[END] - begin)
        if value > 0 or 0 < -value <= frame[FLOOR]:
            return value
    if lists[BOUND, first] <= frame[FLOOR]:
        return -frame[BONUS] - lists[BOUND, first]
    return np.int64(0)


@inlined
def _insert(lists, first, last, cell, bound):
    """Put a cell among the candidates, which stand in the order of their bounds."""
    at = last
    while at > first and lists[BOUND, at - 1] < bound:
        lists[CANDIDATE, at] = lists[CANDIDATE, at - 1]
        lists[BOUND, at] = lists[BOUND, at - 1]
        at -= 1
    lists[CANDIDATE, at] = cell
    lists[BOUND, at] = bound


@inlined
def _name_rows(endgame, frame):
    """Name each layout by what the candidates show in it, and the set by all of these."""
    first = frame[LIST]
    key = np.int64(0)
    for i in range(frame[BEGIN], frame[END]):
        layout = endgame.members[i]
        name = np.int64(0)
        for k in range(first, first + frame[LENGTH]):
            cell = endgame.lists[CANDIDATE, k]
            name ^= endgame.signs[cell, endgame.shown[cell, layout]]
        # Stirred, so that the exclusive or of these sums up sets, not their cells.
        name = _stir(_stir(name))
        endgame.rows[i - frame[BEGIN]] = name
        key ^= name
    frame[SHOWN_KEY] = key


@inlined
def _stir(name):
    """Another word for a word; the halves are taken apart so that no product overflows."""
    name = ((name & 0x7FFFFFFF) * 0x5851F42D) ^ ((name >> 31) * 0x2545F491)
    return name ^ (name >> 31)


@inlined
def _merge(endgame, frame):
    """Keep one of the layouts that show the same."""
    members = endgame.members
    lists = endgame.lists
    met = endgame.met
    mask = met.shape[1] - 1
    endgame.sizes[MET_STAMP] += 1
    stamp = endgame.sizes[MET_STAMP]
    begin = frame[BEGIN]
    end = begin
    key = np.int64(0)
    for i in range(begin, frame[END]):
        name = endgame.rows[i - begin]
        at = name & mask
        while met[1, at] == stamp and met[0, at] != name:
            at = (at + 1) & mask
        if met[1, at] != stamp:
            met[0, at] = name
            met[1, at] = stamp
            members[end] = members[i]
            end += 1
            key ^= name
    if end == frame[END]:
        return
    frame[END] = end
    frame[SHOWN_KEY] = key
    first = frame[LIST]
    for k in range(first, first + frame[LENGTH]):
        cell = np.int64(lists[CANDIDATE, k])
        _, mines = look_at(endgame.shown[cell], members, begin, end)
        _insert(lists, first, k, cell, end - begin - mines)


@inlined
def _next_candidate(endgame, frame):
    """Go on to the next cell that can be worth more than the best; without one, what the set is worth."""
    lists = endgame.lists
    while True:
        frame[NEXT] += 1
        if frame[SOLE] >= 0:
            cell = frame[SOLE]
            more = frame[NEXT] == 0
        else:
            at = frame[LIST] + frame[NEXT]
            more = frame[NEXT] < frame[LENGTH] and lists[BOUND, at] > frame[BEST]
            cell = np.int64(lists[CANDIDATE, at]) if more else 0
        if not more:
            if frame[BEST] > frame[FLOOR]:
                return frame[BEST] + frame[BONUS]
            return -max(frame[FLOOR] + frame[BONUS], 1)
        _open(endgame, frame, cell)
        if frame[SUM] + frame[REST] > frame[BEST]:
            return np.int64(0)


@inlined
def _open(endgame, frame, cell):
    """Split the set by what ``cell`` shows; the parts whose worth is not clear at once are noted."""
    members = endgame.members
    row = endgame.shown[cell]
    begin = frame[BEGIN]
    end = frame[END]
    names = endgame.names
    part_end = frame[PART_END : PART_END + 9]
    part_key = frame[PART_KEY : PART_KEY + 9]
    part_end[:] = 0
    part_key[:] = 0
    for i in range(begin, end):
        number = row[members[i]]
        if number != MINED:
            part_end[number] += 1
            part_key[number] ^= names[members[i]]
    start = frame[TOP]
    for number in range(9):
        size = part_end[number]
        part_end[number] = start
        start += size
    frame[PARTS_TOP] = start
    for i in range(begin, end):
        number = row[members[i]]
        if number != MINED:
            members[part_end[number]] = members[i]
            part_end[number] += 1
    frame[SUM] = 0
    frame[REST] = 0
    frame[PART] = 0
    parts = 0
    start = frame[TOP]
    for number in range(9):
        stop = part_end[number]
        size = stop - start
        if size == 0:
            continue
        if size == 1:
            frame[SUM] += 1
        else:
            exact, bound = _estimate(endgame, frame, start, stop, part_key[number])
            if exact:
                frame[SUM] += bound
            else:
                # What is kept of the parts overtakes none that is still to be read.
                frame[PART_BEGIN + parts] = start
                part_end[parts] = stop
                part_key[parts] = part_key[number]
                frame[PART_BOUND + parts] = bound
                frame[REST] += bound
                parts += 1
        start = stop
    frame[PARTS] = parts


@inlined
def _estimate(endgame, frame, begin, end, key):
    """What a set is worth at most, and whether exactly."""
    size = end - begin
    if size > SMALL:
        value = _recall(endgame.memo, endgame.sizes[STAMP], key, size)
        if value > 0:
            return True, value
        if value < 0:
            return False, -value
    if endgame.sizes[UNTOLD]:
        return False, size
    bound = np.int64(1)
    for k in range(frame[LIST], frame[LIST] + frame[LENGTH]):
        cell = endgame.lists[CANDIDATE, k]
        numbers, mines = look_at(endgame.shown[cell], endgame.members, begin, end)
        if numbers & (numbers - 1) != 0:
            bound = max(bound, size - mines)
            if mines == 0:
                break
    # Two layouts that a cell tells apart are won; so are two of three.
    return bound == 1 or size == 2 or (size == 3 and bound == 2), bound


@inlined
def _recall(memo, stamp, key, size):
    """What a set is worth: minus a bound from above if that is all that is known, 0 if nothing is."""
    mask = memo.shape[1] - 1
    for probe in range(PROBES):
        at = (key + probe) & mask
        entry = memo[1, at]
        if entry >> STAMP_SHIFT != stamp:
            break
        if memo[0, at] == key and entry & SIZE_MASK == size:
            value = (entry >> VALUE_SHIFT) & SIZE_MASK
            return value if entry & EXACT else -value
    return np.int64(0)


@inlined
def _remember(memo, stamp, key, size, value):
    """Note what a set is worth, in the place of a smaller one if all are taken."""
    mask = memo.shape[1] - 1
    best = key & mask
    smallest = SIZE_MASK + 1
    for probe in range(PROBES):
        at = (key + probe) & mask
        entry = memo[1, at]
        if entry >> STAMP_SHIFT != stamp or memo[0, at] == key:
            best = at
            break
        if entry & SIZE_MASK < smallest:
            smallest = entry & SIZE_MASK
            best = at
    memo[0, best] = key
    memo[1, best] = stamp << STAMP_SHIFT | (EXACT if value > 0 else 0) | abs(value) << VALUE_SHIFT | size
