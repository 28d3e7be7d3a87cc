"""Document B's prediction tree, searched by alpha-beta on a stack of its own.

An edge is an attack or none, and the depth counts edges. The turn passes with no attack or after the last
that a turn may have; the next side then drafts by the heuristic, when its node is expanded. A leaf is worth
the weighted features of the side that thinks, in whole numbers of 2^-30, who has won all of them and who is
wiped out nothing. All other sides want it least: with more than two players that is the paranoid view (for
the other one see `alphabeta_maxn`).
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .alphabeta_moves import (
    army_of,
    attack,
    attack_limit,
    descend,
    end_of,
    expand,
    hash_of,
    is_possible,
    list_moves,
    next_side,
    odds_table,
    win_of,
)
from .alphabeta_rows import (
    ADVICE,
    ALPHA,
    AT_LEAST,
    AT_MOST,
    ATTACKS,
    BATTLE,
    BEST,
    BEST_MOVE,
    BETA,
    CERTAIN,
    CHANCE,
    CONTROL,
    COUNT,
    DEPTH,
    ENTRY_ALPHA,
    ENTRY_BETA,
    EXACT,
    FIRST_END,
    GROUND,
    HASH,
    KEPT,
    KEY,
    KILLER,
    MOVE,
    MOVE_BITS,
    MOVES,
    NEXT,
    NODES,
    PASS,
    PLY,
    RETURNING,
    SIDE,
    SIDE_BITS,
    SOURCE_SHIFT,
    STAGE,
    TABLE,
    TABLE_DEPTH,
    TABLE_KEY,
    TABLE_MOVE,
    TABLE_VALUE,
    TERRITORY_MASK,
    USED,
    USED_BITS,
    VALUE,
)
from .draft import list_ground
from .features import EXPOSURES, STRENGTHS, combine, highest, shift, study_all, value_of
from .layout import (
    ARMY_COUNT,
    MAX_ARMIES,
    OWNER,
    PLAYERS,
    R_MAX_ARMIES,
    SEAT,
    SEATS,
    TERRITORIES,
    TERRITORY_COUNT,
)
from .layout import ATTACKS as ATTACKS_MADE
from .legal import reinforcements


@kernel
def prepare(world, rules, states, weights, scratch, zobrist, whose):
    """Set up a search from the first of ``states`` for the seat to move.

    Args:
        whose: that seat, or with max-n EVERY_SEAT.
    """
    count = np.int64(world[TERRITORIES])
    state = states[0]
    list_ground(world, scratch[GROUND])
    study_all(
        state[OWNER : OWNER + count],
        state[OWNER + count : OWNER + 2 * count],
        scratch[GROUND],
        whose,
        scratch[KEPT],
    )
    control = scratch[CONTROL]
    control[PLY] = 0
    control[RETURNING] = 0
    control[VALUE] = 0
    control[ADVICE] = PASS
    control[NODES] = 0
    control[TABLE] = odds_table(rules, weights)
    scratch[KEY, 0] = 0
    if zobrist.shape[0]:
        for t in range(count):
            if state[OWNER + t] >= 0:
                scratch[KEY, 0] ^= hash_of(world, state, zobrist, t)
    scratch[SIDE, 0] = state[SEAT]
    scratch[USED, 0] = state[ATTACKS_MADE]
    scratch[ALPHA, 0] = -1
    scratch[BETA, 0] = highest(weights) + 1
    # In fog the game may seem over already; such a root is a leaf, and all that it may do is pass.
    scratch[BEST_MOVE, 0] = PASS
    for ply in range(np.int64(weights[DEPTH]) + 1):
        scratch[KILLER, ply] = PASS


@inlined
def is_over(state, count, side):
    """Whether no other player has a territory."""
    return next_side(state, count, side) == side


@kernel
def search(world, rules, states, weights, scratch, zobrist, table, budget):
    """Search on from where `prepare` or an earlier call has left the room.

    Args:
        states: int32, shape (MAX_DEPTH + 1, state_size); the first is the position as the seat sees it that
            thinks, the others are room.
        weights: float64, by the words of `alphabeta_rows`.
        zobrist: int64, shape (T + 1, HASH_COLUMNS) of random numbers; empty to go without a table.
        table: int64, shape (entries, TABLE_WORDS): positions already searched, ``entries`` a power of two.
        budget: after so many nodes it returns, finished or not.

    Returns:
        whether it is finished: then the room's CONTROL holds the value and the move of the root. Of moves of
        equal value that is the lowest.
    """
    count = np.int64(world[TERRITORIES])
    control = scratch[CONTROL]
    depth = np.int64(weights[DEPTH])
    limit = attack_limit(rules, np.int64(weights[ATTACKS]))
    chance = weights[BATTLE] == CHANCE
    top = highest(weights)
    root = scratch[SIDE, 0]
    ply = control[PLY]
    returning = control[RETURNING] == 1
    value = control[VALUE]
    remembers = zobrist.shape[0] > 0
    stop = control[NODES] + budget
    while True:
        if not returning:
            # A node is entered.
            if control[NODES] >= stop:
                control[PLY] = ply
                control[RETURNING] = 0
                return False
            control[NODES] += 1
            state = states[ply]
            side = scratch[SIDE, ply]
            returning = True
            if state[TERRITORY_COUNT + 3 * count + root] == 0:
                value = np.int64(0)
            elif is_over(state, count, root):
                value = top
            elif ply == depth:
                value = value_of(world, state, weights, scratch[KEPT + ply], root)
            elif ply == depth - 1 and ply > 0 and not chance:
                value = frontier(world, rules, states, weights, scratch, ply, limit, top)
            elif (
                ply == depth - 2
                and limit > 1
                and (
                    refutes(world, rules, state, weights, scratch, ply, top)
                    or any_refutes(world, rules, states, weights, scratch, ply, limit, top)
                )
            ):
                value = control[VALUE]
            else:
                hint = np.int64(PASS)
                known = False
                if remembers and ply > 0:
                    key = scratch[KEY, ply] ^ zobrist[count, SIDE_BITS + side]
                    key ^= zobrist[count, USED_BITS + scratch[USED, ply]]
                    scratch[HASH, ply] = key
                    entry = table[key & (table.shape[0] - 1)]
                    if entry[TABLE_KEY] == key and entry[TABLE_DEPTH]:
                        hint = entry[TABLE_MOVE]
                        kind = entry[TABLE_DEPTH] & 3
                        value = entry[TABLE_VALUE]
                        known = entry[TABLE_DEPTH] >> 2 == depth - ply and (
                            kind == EXACT
                            or (kind == AT_LEAST and value >= scratch[BETA, ply])
                            or (kind == AT_MOST and value <= scratch[ALPHA, ply])
                        )
                if not known:
                    if ply > 0 and scratch[USED, ply] == 0:
                        expand(world, rules, states, scratch, zobrist, ply, root)
                    list_moves(world, states, weights, scratch, ply, limit)
                    if ply == 0 or ply == depth - 2:
                        # Two edges above the leaves one of the values that attacks are sorted by may do.
                        stops = ply > 0 and not chance and scratch[USED, ply] + 1 < limit
                        if sort(world, state, weights, scratch, ply, top, stops):
                            value = control[VALUE]
                            continue
                    if ply == 0:
                        _to_front(scratch[MOVES + ply], scratch[COUNT, ply], np.int64(PASS))
                    if hint != PASS:
                        _to_front(scratch[MOVES + ply], scratch[COUNT, ply], hint)
                    scratch[BEST, ply] = -1 if side == root else top + 1
                    scratch[BEST_MOVE, ply] = PASS
                    scratch[ENTRY_ALPHA, ply] = scratch[ALPHA, ply]
                    scratch[ENTRY_BETA, ply] = scratch[BETA, ply]
                    returning = False
        else:
            # The node at this ply is done: its value goes to its parent.
            if ply == 0:
                control[VALUE] = value
                control[ADVICE] = scratch[BEST_MOVE, 0]
                return True
            ply -= 1
            move = scratch[MOVE, ply]
            returning = False
            if chance and move != PASS:
                win = win_of(world, states[ply], weights, control[TABLE], move)
                if scratch[STAGE, ply] == 0:
                    low, high = _window(scratch, ply, win, 1.0 - win, 0.0, top)
                    if value > low and value < high:
                        # Neither end of the window is out of reach: losing has to be looked at as well.
                        scratch[FIRST_END, ply] = value
                        scratch[STAGE, ply] = 1
                        low, high = _window(scratch, ply, 1.0 - win, 0.0, win * value, top)
                        attack(world, states, weights, scratch, zobrist, ply, root, True)
                        enter(states[ply + 1], scratch, count, ply, limit, True)
                        ply += 1
                        scratch[ALPHA, ply] = low
                        scratch[BETA, ply] = high
                        continue
                    # Not even the best, or the worst, that losing can bring would matter.
                    other = top if value <= low else np.int64(0)
                    value = np.int64(win * value + (1.0 - win) * other + 0.5)
                else:
                    value = np.int64(win * scratch[FIRST_END, ply] + (1.0 - win) * value + 0.5)
            side = scratch[SIDE, ply]
            best = scratch[BEST, ply]
            better = value > best if side == root else value < best
            if better or (value == best and move < scratch[BEST_MOVE, ply]):
                scratch[BEST, ply] = value
                scratch[BEST_MOVE, ply] = move
            if side == root:
                # One less at the root, so that a move of equal value is known to be equal.
                scratch[ALPHA, ply] = max(scratch[ALPHA, ply], value - (ply == 0))
            else:
                scratch[BETA, ply] = min(scratch[BETA, ply], value)
        if returning:
            continue
        # The next move of the node at this ply, if there is one and it may matter.
        cut = scratch[ALPHA, ply] >= scratch[BETA, ply]
        if cut or scratch[NEXT, ply] == scratch[COUNT, ply]:
            if cut and scratch[BEST_MOVE, ply] != PASS:
                scratch[KILLER, ply] = scratch[BEST_MOVE, ply]
            value = scratch[BEST, ply]
            returning = True
            if remembers and ply > 0:
                _remember(scratch, table, ply, depth - ply, value)
            continue
        move = scratch[MOVES + ply, scratch[NEXT, ply]] & PASS
        scratch[NEXT, ply] += 1
        scratch[MOVE, ply] = move
        scratch[ALPHA, ply + 1] = scratch[ALPHA, ply]
        scratch[BETA, ply + 1] = scratch[BETA, ply]
        if move == PASS:
            descend(world, states, scratch, ply)
        else:
            attack(world, states, weights, scratch, zobrist, ply, root, False)
            if chance:
                scratch[STAGE, ply] = 0
                win = win_of(world, states[ply], weights, control[TABLE], move)
                low, high = _window(scratch, ply, win, 1.0 - win, 0.0, top)
                scratch[ALPHA, ply + 1] = low
                scratch[BETA, ply + 1] = high
        enter(states[ply + 1], scratch, count, ply, limit, move != PASS)
        ply += 1


@kernel
def frontier(world, rules, states, weights, scratch, ply, limit, top):
    """The value of a node whose children are leaves, which are looked at without going there."""
    root = scratch[SIDE, 0]
    state = states[ply]
    kept = scratch[KEPT + ply]
    side = scratch[SIDE, ply]
    alpha, beta = scratch[ALPHA, ply], scratch[BETA, ply]
    if scratch[USED, ply] == 0:
        # Is it enough to make no attack and stop here? See `refutes`.
        counts = ARMY_COUNT + 3 * np.int64(world[TERRITORIES])
        units = _sure_units(world, rules, state, side)
        state[counts + side] += units
        best = value_of(world, state, weights, kept, root)
        state[counts + side] -= units
        if (best >= beta) if side == root else (best <= alpha):
            return best
        if refutes(world, rules, state, weights, scratch, ply, top):
            return scratch[CONTROL, VALUE]
        expand(world, rules, states, scratch, scratch[:0], ply, root)
    best = value_of(world, state, weights, kept, root)
    if (best < beta) if side == root else (best > alpha):
        list_moves(world, states, weights, scratch, ply, limit)
        for number in range(scratch[COUNT, ply] - 1):
            move = scratch[MOVES + ply, number]
            value = peek(world, state, weights, scratch, ply, move, top)
            best = max(best, value) if side == root else min(best, value)
            if (best >= beta) if side == root else (best <= alpha):
                scratch[KILLER, ply] = move
                break
    return best


@inlined
def _sure_units(world, rules, state, side):
    """Armies that ``side`` will surely place: all, unless the rules may leave no room for some."""
    return (
        np.int64(reinforcements(world, rules, state, side))
        if rules[R_MAX_ARMIES] >= MAX_ARMIES
        else np.int64(0)
    )


@inlined
def _may_refute(weights, scratch, ply):
    """Whether an attack can be enough to cut the node at ``ply`` short before its draft is made.

    A side may stop after an attack, and its draft can only make it stronger: if the attack is worth enough
    without what the draft does for strength, where the armies go does not matter. That holds if it surely
    succeeds, and there is a draft to be saved.
    """
    return ply > 0 and scratch[USED, ply] == 0 and weights[BATTLE] == CERTAIN


@kernel
def refutes(world, rules, state, weights, scratch, ply, top):
    """Whether the attack that cut the last node at this ply short does so again; its value is left in
    VALUE."""
    side = scratch[SIDE, ply]
    move = scratch[KILLER, ply]
    if move == PASS or not _may_refute(weights, scratch, ply):
        return False
    if not is_possible(world, state, weights, side, move):
        return False
    counts = ARMY_COUNT + 3 * np.int64(world[TERRITORIES])
    units = _sure_units(world, rules, state, side)
    state[counts + side] += units
    value = peek(world, state, weights, scratch, ply, move, top)
    state[counts + side] -= units
    scratch[CONTROL, VALUE] = value
    return value >= scratch[BETA, ply] if side == scratch[SIDE, 0] else value <= scratch[ALPHA, ply]


@kernel
def any_refutes(world, rules, states, weights, scratch, ply, limit, top):
    """The same for all attacks."""
    if not _may_refute(weights, scratch, ply):
        return False
    state = states[ply]
    side = scratch[SIDE, ply]
    counts = ARMY_COUNT + 3 * np.int64(world[TERRITORIES])
    units = _sure_units(world, rules, state, side)
    list_moves(world, states, weights, scratch, ply, limit)
    state[counts + side] += units
    found = sort(world, state, weights, scratch, ply, top, True)
    state[counts + side] -= units
    return found


@kernel
def peek(world, state, weights, scratch, ply, move, top):
    """The value of a leaf below an attack at ``ply``, for the side that thinks, without making the attack."""
    count = np.int64(world[TERRITORIES])
    root = scratch[SIDE, 0]
    side = scratch[SIDE, ply]
    source, target = move >> SOURCE_SHIFT, move & TERRITORY_MASK
    lands = TERRITORY_COUNT + 3 * count
    counts = ARMY_COUNT + 3 * count
    mine = np.int64(state[OWNER + count + source])
    theirs = np.int64(state[OWNER + count + target])
    owner = np.int64(state[OWNER + target])
    army = army_of(weights, mine - 1, theirs)
    wins, there = end_of(weights, scratch[CONTROL, TABLE], army, theirs, False)
    seat = side if wins else owner
    if wins and state[lands + owner] == 1:
        if owner == root:
            return np.int64(0)
        if side == root and _is_last(state, count, root, owner):
            return np.int64(top)
    land = np.int64(state[lands + root])
    armies = np.int64(state[counts + root])
    all_armies = there - army - theirs
    for other in range(state[SEATS]):
        all_armies += state[counts + other]
    if side == root:
        armies += there - army if wins else -army
        land += wins
    elif owner == root:
        armies += -theirs if wins else there - theirs
        land -= wins
    kept = scratch[KEPT + ply]
    stronger, barer = shift(
        world,
        state,
        scratch[GROUND],
        root,
        kept,
        source,
        mine - army,
        target,
        seat,
        there,
        False,
    )
    return combine(
        weights,
        land,
        count,
        armies,
        all_armies,
        kept[STRENGTHS + root] + stronger,
        kept[EXPOSURES + root] + barer,
    )


@kernel
def sort(world, state, weights, scratch, ply, top, stops):
    """Sort the attacks of a node by what the position after them is worth, the best for the side to move
    first.

    Returns:
        with ``stops``, whether one cuts the node short as it is: after it the side may make no other attack,
        and that is a leaf. Its value is left in VALUE, and the rest is not sorted.
    """
    moves = scratch[MOVES + ply]
    is_root = scratch[SIDE, ply] == scratch[SIDE, 0]
    for number in range(scratch[COUNT, ply] - 1):
        move = moves[number]
        value = peek(world, state, weights, scratch, ply, move, top)
        if stops and ((value >= scratch[BETA, ply]) if is_root else (value <= scratch[ALPHA, ply])):
            scratch[KILLER, ply] = move
            scratch[CONTROL, VALUE] = value
            return True
        packed = (top - value if is_root else value) << MOVE_BITS | move
        place = number
        while place > 0 and moves[place - 1] > packed:
            moves[place] = moves[place - 1]
            place -= 1
        moves[place] = packed
    return False


@inlined
def _is_last(state, count, root, other):
    """Whether ``root`` and ``other`` are the only players with territories."""
    for seat in range(state[PLAYERS]):
        if seat != root and seat != other and state[TERRITORY_COUNT + 3 * count + seat] > 0:
            return False
    return True


@inlined
def enter(state, scratch, count, ply, limit, attacked):
    """Say whose node is below that at ``ply``."""
    side = scratch[SIDE, ply]
    used = scratch[USED, ply] + 1
    if attacked and used < limit:
        scratch[SIDE, ply + 1] = side
        scratch[USED, ply + 1] = used
    else:
        scratch[SIDE, ply + 1] = next_side(state, count, side)
        scratch[USED, ply + 1] = 0


@inlined
def _window(scratch, ply, share, rest, known, top):
    """The window of one end of a chance node, from the node's own.

    The end has the chance ``share``; the other one adds ``known``, or with the chance ``rest`` anything from
    0 to the highest value. (Ballard 1983, The *-minimax search procedure, Artificial Intelligence 21: Star1.)
    """
    low = np.floor((scratch[ALPHA, ply] - known - rest * top) / share)
    high = np.ceil((scratch[BETA, ply] - known) / share)
    return np.int64(max(low, -1.0)), np.int64(min(high, top + 1.0))


@inlined
def _to_front(moves, count, hint):
    """Put the move that was best before in front."""
    for place in range(1, count):
        if moves[place] & PASS == hint:
            packed = moves[place]
            for later in range(place, 0, -1):
                moves[later] = moves[later - 1]
            moves[0] = packed


@inlined
def _remember(scratch, table, ply, left, value):
    key = scratch[HASH, ply]
    entry = table[key & (table.shape[0] - 1)]
    kind = EXACT
    if value <= scratch[ENTRY_ALPHA, ply]:
        kind = AT_MOST
    elif value >= scratch[ENTRY_BETA, ply]:
        kind = AT_LEAST
    entry[TABLE_KEY] = key
    entry[TABLE_DEPTH] = left << 2 | kind
    entry[TABLE_VALUE] = value
    entry[TABLE_MOVE] = scratch[BEST_MOVE, ply]
