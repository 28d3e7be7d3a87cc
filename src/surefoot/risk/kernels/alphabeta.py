"""Document B's prediction tree, searched by alpha-beta on a stack of its own.

An edge is an attack or none, and the depth counts edges. The turn passes with no attack or after the last
that a turn may have; the next side then drafts by the heuristic, when its node is expanded. A leaf is worth the
weighted features of the side that thinks, in whole numbers of 2^-30, who has won all of them and who is wiped
out nothing. All other sides want it least: with more than two players that is the paranoid view (for the other
one see `alphabeta_maxn`).
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .alphabeta_moves import (
    army_of,
    attack,
    attack_limit,
    end_of,
    expand,
    hash_of,
    list_moves,
    next_side,
    odds_of,
    odds_table,
    take_back,
    withdraw,
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
    CHANCE,
    CONTROL,
    COUNT,
    DEPTH,
    DRAFTED,
    ENEMIES,
    ENTRY_ALPHA,
    ENTRY_BETA,
    EXACT,
    EXPOSURES,
    FIRST_END,
    HASH,
    INVERSE,
    KEY,
    MOVE,
    MOVE_BITS,
    MOVES,
    NEAR_LIST,
    NEXT,
    NODES,
    PARTS,
    PASS,
    PLY,
    RETURNING,
    SIDE,
    SIDE_BITS,
    SOURCE_BEFORE,
    SOURCE_SHIFT,
    STAGE,
    STARTS,
    STRENGTHS,
    TABLE,
    TABLE_DEPTH,
    TABLE_KEY,
    TABLE_MOVE,
    TABLE_VALUE,
    TARGET_BEFORE,
    TERRITORY_MASK,
    UNIT,
    USED,
    USED_BITS,
    VALUE,
    WIN,
)
from .draft import list_near
from .features import combine, highest, list_quotients, shift, study_all, value_of
from .layout import ATTACKS as ATTACKS_MADE
from .layout import ARMY_COUNT, OWNER, PLAYERS, SEAT, SEATS, TERRITORIES, TERRITORY_COUNT
from .legal import reinforcements


@kernel
def prepare(world, rules, state, weights, scratch, zobrist, kept):
    """Set up a search from ``state`` for the seat to move."""
    count = np.int64(world[TERRITORIES])
    list_near(world, scratch[STARTS], scratch[NEAR_LIST])
    list_quotients(scratch[STARTS], count, scratch[INVERSE], scratch[UNIT])
    study_all(
        state[OWNER : OWNER + count],
        state[OWNER + count : OWNER + 2 * count],
        scratch[STARTS],
        scratch[NEAR_LIST],
        scratch[INVERSE],
        scratch[UNIT],
        kept,
        scratch[PARTS],
        scratch[ENEMIES],
        scratch[STRENGTHS],
        scratch[EXPOSURES],
    )
    control = scratch[CONTROL]
    control[PLY] = 0
    control[RETURNING] = 0
    control[VALUE] = 0
    control[ADVICE] = PASS
    control[NODES] = 0
    control[KEY] = 0
    control[TABLE] = odds_table(rules, weights)
    if zobrist.shape[0]:
        for t in range(count):
            if state[OWNER + t] >= 0:
                control[KEY] ^= hash_of(world, state, zobrist, t)
    scratch[SIDE, 0] = state[SEAT]
    scratch[USED, 0] = state[ATTACKS_MADE]
    scratch[ALPHA, 0] = -1
    scratch[BETA, 0] = highest(weights) + 1
    for ply in range(np.int64(weights[DEPTH]) + 1):
        scratch[DRAFTED, ply] = 0


@inlined
def is_over(state, count, side):
    """Whether no other player has a territory."""
    return next_side(state, count, side) == side


@kernel
def search(world, rules, state, weights, scratch, zobrist, table, budget):
    """Search on from where `prepare` or an earlier call has left the room.

    Args:
        state: int32, as the seat sees it that thinks; changed while this runs, and in the end as before.
            After a call that did not finish it is in the middle of a line of play.
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
            side = scratch[SIDE, ply]
            returning = True
            if state[TERRITORY_COUNT + 3 * count + root] == 0:
                value = np.int64(0)
            elif is_over(state, count, root):
                value = top
            elif ply == depth:
                value = value_of(world, state, weights, scratch[STRENGTHS], scratch[EXPOSURES], root)
            elif ply == depth - 1 and ply > 0 and not chance:
                value = frontier(world, rules, state, weights, scratch, ply, limit, top)
            else:
                hint = np.int64(PASS)
                known = False
                if remembers and ply > 0:
                    key = control[KEY] ^ zobrist[count, SIDE_BITS + side]
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
                        control[KEY] ^= expand(world, rules, state, scratch, zobrist, ply, root)
                    list_moves(world, state, weights, scratch, ply, limit - scratch[USED, ply])
                    if ply == 0:
                        _sort(world, state, weights, scratch, ply, top)
                    if hint != PASS:
                        _to_front(scratch[MOVES + ply], scratch[COUNT, ply], hint)
                    scratch[BEST, ply] = -1 if side == root else top + 1
                    scratch[BEST_MOVE, ply] = PASS
                    scratch[ENTRY_ALPHA, ply] = scratch[ALPHA, ply]
                    scratch[ENTRY_BETA, ply] = scratch[BETA, ply]
                    returning = False
        else:
            # The node at this ply is done: its value goes to its parent.
            if scratch[DRAFTED, ply]:
                control[KEY] ^= withdraw(world, state, scratch, zobrist, ply)
            if ply == 0:
                control[VALUE] = value
                control[ADVICE] = scratch[BEST_MOVE, 0]
                return True
            ply -= 1
            move = scratch[MOVE, ply]
            returning = False
            if move != PASS:
                control[KEY] ^= take_back(world, state, scratch, zobrist, ply, root)
                if chance:
                    win = win_of(weights, scratch, ply)
                    if scratch[STAGE, ply] == 0:
                        low, high = _window(scratch, ply, win, 1.0 - win, 0.0, top)
                        if value > low and value < high:
                            # Neither end of the window is out of reach: losing has to be looked at as well.
                            scratch[FIRST_END, ply] = value
                            scratch[STAGE, ply] = 1
                            control[KEY] ^= attack(
                                world, state, weights, scratch, zobrist, ply, root, True
                            )
                            won = win * value
                            low, high = _window(scratch, ply, 1.0 - win, 0.0, won, top)
                            enter(state, scratch, count, ply, limit, True)
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
        if scratch[NEXT, ply] == scratch[COUNT, ply] or scratch[ALPHA, ply] >= scratch[BETA, ply]:
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
        if move != PASS:
            control[KEY] ^= attack(world, state, weights, scratch, zobrist, ply, root, False)
            if chance:
                scratch[STAGE, ply] = 0
                win = win_of(weights, scratch, ply)
                low, high = _window(scratch, ply, win, 1.0 - win, 0.0, top)
                scratch[ALPHA, ply + 1] = low
                scratch[BETA, ply + 1] = high
        enter(state, scratch, count, ply, limit, move != PASS)
        ply += 1


@kernel
def frontier(world, rules, state, weights, scratch, ply, limit, top):
    """The value of a node whose children are leaves, which are looked at without going there."""
    root = scratch[SIDE, 0]
    side = scratch[SIDE, ply]
    alpha, beta = scratch[ALPHA, ply], scratch[BETA, ply]
    fresh = scratch[USED, ply] == 0
    if fresh:
        # The draft can only make the side stronger: if even without its effect on strength the armies are
        # enough to make no attack and stop here, where they go does not matter.
        best = _value_with(world, state, weights, scratch, root, side, reinforcements(world, rules, state, side))
        if (best >= beta) if side == root else (best <= alpha):
            return best
        expand(world, rules, state, scratch, scratch[:0], ply, root)
    best = value_of(world, state, weights, scratch[STRENGTHS], scratch[EXPOSURES], root)
    if (best < beta) if side == root else (best > alpha):
        list_moves(world, state, weights, scratch, ply, limit - scratch[USED, ply])
        for number in range(scratch[COUNT, ply] - 1):
            move = scratch[MOVES + ply, number] & PASS
            value = peek(world, state, weights, scratch, side, move, top)
            if side == root:
                best = max(best, value)
                if best >= beta:
                    break
            else:
                best = min(best, value)
                if best <= alpha:
                    break
    if fresh:
        withdraw(world, state, scratch, scratch[:0], ply)
    return best


@inlined
def _value_with(world, state, weights, scratch, root, side, units):
    """The value of the position if ``side`` had so many armies more, and no territory were stronger for it."""
    counts = ARMY_COUNT + 3 * np.int64(world[TERRITORIES])
    state[counts + side] += units
    value = value_of(world, state, weights, scratch[STRENGTHS], scratch[EXPOSURES], root)
    state[counts + side] -= units
    return value


@kernel
def peek(world, state, weights, scratch, side, move, top):
    """The value of a leaf below an attack, for the side that thinks, without making the attack."""
    count = np.int64(world[TERRITORIES])
    root = scratch[SIDE, 0]
    source, target = move >> SOURCE_SHIFT, move & TERRITORY_MASK
    lands = TERRITORY_COUNT + 3 * count
    counts = ARMY_COUNT + 3 * count
    mine = np.int64(state[OWNER + count + source])
    theirs = np.int64(state[OWNER + count + target])
    owner = np.int64(state[OWNER + target])
    army = army_of(mine - 1, theirs)
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
    stronger, barer = shift(
        world,
        state,
        scratch[STARTS],
        scratch[NEAR_LIST],
        scratch[INVERSE],
        scratch[UNIT],
        root,
        scratch[PARTS],
        scratch[ENEMIES],
        scratch[STRENGTHS],
        scratch[EXPOSURES],
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
        scratch[STRENGTHS, root] + stronger,
        scratch[EXPOSURES, root] + barer,
    )


@kernel
def _sort(world, state, weights, scratch, ply, top):
    """Sort the attacks of a node by what they are worth at once, the best for the side to move first."""
    side = scratch[SIDE, ply]
    moves = scratch[MOVES + ply]
    for number in range(scratch[COUNT, ply] - 1):
        move = moves[number] & PASS
        value = peek(world, state, weights, scratch, side, move, top)
        if side == scratch[SIDE, 0]:
            value = top - value
        packed = value << MOVE_BITS | move
        place = number
        while place > 0 and moves[place - 1] > packed:
            moves[place] = moves[place - 1]
            place -= 1
        moves[place] = packed


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
def win_of(weights, scratch, ply):
    """The chance that the attack of the frame is won."""
    defenders = scratch[TARGET_BEFORE, ply]
    army = army_of(scratch[SOURCE_BEFORE, ply] - 1, defenders)
    return odds_of(weights, scratch[CONTROL, TABLE], WIN, army, defenders)


@inlined
def _window(scratch, ply, share, rest, known, top):
    """The window of one end of a chance node, from the node's own.

    The end has the chance ``share``; the other one adds ``known``, or with the chance ``rest`` anything from 0
    to the highest value. (Ballard 1983, The *-minimax search procedure, Artificial Intelligence 21: Star1.)
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
