"""The edges of document B's tree: which attacks there are, what they do, and what comes after them."""

import numpy as np

from surefoot._jit import inlined, kernel

from .alphabeta_rows import (
    ALL_TARGETS,
    ARMY_BITS,
    BATTLE,
    CERTAIN,
    CHANCE,
    COIN,
    CONTROL,
    COUNT,
    DRAFTED,
    DRAFTS,
    ENEMIES,
    EXPOSURES,
    HOLD,
    INVERSE,
    LARGEST,
    LEFT,
    MOVE,
    MOVES,
    NEAR_LIST,
    NEXT,
    ODDS,
    ODDS_WORDS,
    ORDER,
    OWNER_BEFORE,
    OWNER_BITS,
    PARTS,
    PARTS_BEFORE,
    PASS,
    RATIO,
    REORDERINGS,
    SIDE,
    SOURCE_BEFORE,
    SOURCE_SHIFT,
    STARTS,
    STRENGTHS,
    STRENGTHS_BEFORE,
    TABLE,
    TARGET_BEFORE,
    TARGETS,
    TERRITORY_MASK,
    THREE_DICE,
    TWO_DICE,
    UNIT,
    USED,
    WIN,
)
from .draft import spread
from .features import reinforce, shift
from .layout import (
    ARMY_COUNT,
    MAX_SEATS,
    NEAR,
    OWNER,
    PLAYERS,
    R_COIN,
    R_DEFENCE_DICE,
    R_MAX_ARMIES,
    R_MAX_ATTACKS,
    TERRITORIES,
    TERRITORY_COUNT,
)
from .legal import reinforcements

@inlined
def army_of(attackers, defenders):
    """How many attack: the average of both sides, rounded up."""
    return (attackers + defenders + 1) // 2


@kernel
def army_between(attackers, defenders):
    """The same, for callers outside the kernels."""
    return army_of(attackers, defenders)


@inlined
def attack_limit(rules, attacks):
    """Attacks that a turn may have: those of the agent or of the rules, whichever are fewer."""
    return min(attacks, rules[R_MAX_ATTACKS]) if rules[R_MAX_ATTACKS] else np.int64(attacks)


@kernel
def attack_limit_of(rules, attacks):
    """The same, for callers outside the kernels."""
    return attack_limit(rules, attacks)


@inlined
def odds_table(rules, weights):
    """Where in ``weights`` the odds of the rules' dice begin."""
    kind = COIN if rules[R_COIN] else THREE_DICE if rules[R_DEFENCE_DICE] == 3 else TWO_DICE
    most = np.int64(weights[LARGEST])
    return ODDS + kind * (most + 1) * (most + 1) * ODDS_WORDS


@inlined
def odds_of(weights, table, word, attackers, defenders):
    """A number of a table of odds; battles too large for it are judged by one of the same proportions."""
    most = np.int64(weights[LARGEST])
    largest = max(attackers, defenders)
    scale = 1.0
    if largest > most:
        scale = largest / most
        attackers = max(attackers * most // largest, 1)
        defenders = max(defenders * most // largest, 1)
    number = weights[table + (attackers * (most + 1) + defenders) * ODDS_WORDS + word]
    return number if word == WIN else number * scale


@inlined
def _whole(number, most):
    return min(max(np.int64(number + 0.5), 1), most)


@inlined
def next_side(state, count, side):
    """Whose turn is after that of ``side``: the next player with territories, which may be ``side`` again."""
    players = np.int64(state[PLAYERS])
    seat = side
    for _ in range(players):
        seat = (seat + 1) % players
        if state[TERRITORY_COUNT + 3 * count + seat] > 0:
            return seat
    return side


@inlined
def _is_near(world, source, target):
    found = False
    for place in range(world[world[NEAR] + source], world[world[NEAR] + source + 1]):
        found = found or world[place] == target
    return found


@inlined
def _is_needless(world, weights, move, before):
    """Whether ``move`` after ``before`` is left out, because the same two in the other order are searched.

    Two attacks that have no territory in common can be made in either order, if making one does not change
    which target of the other's source is best; then only the order of rising numbers is searched.
    """
    if move > before:
        return False
    source, target = move >> SOURCE_SHIFT, move & TERRITORY_MASK
    source_before, target_before = before >> SOURCE_SHIFT, before & TERRITORY_MASK
    if source == source_before or source == target_before or target == source_before:
        return False
    if target == target_before:
        return False
    if weights[TARGETS] == ALL_TARGETS:
        return True
    return not _is_near(world, source, target_before) and not _is_near(world, source_before, target)


@kernel
def list_moves(world, state, weights, scratch, ply, attacks_left):
    """Fill in the moves of the node at ``ply``, in rising order and no attack last, and how many there are."""
    count = np.int64(world[TERRITORIES])
    side = scratch[SIDE, ply]
    moves = scratch[MOVES + ply]
    found = np.int64(0)
    before = np.int64(PASS)
    if ply > 0 and scratch[USED, ply] > 0 and not weights[REORDERINGS]:
        before = scratch[MOVE, ply - 1]
    only_best = weights[TARGETS] != ALL_TARGETS
    row = np.int64(world[NEAR])
    for source in range(count if attacks_left > 0 else 0):
        free = np.int64(state[OWNER + count + source]) - 1
        if free < 2 or state[OWNER + source] != side:
            continue
        best = np.int64(PASS)
        fewest = free
        for place in range(world[row + source], world[row + source + 1]):
            target = np.int64(world[place])
            owner = state[OWNER + target]
            if owner == side or owner < 0:
                continue
            defenders = np.int64(state[OWNER + count + target])
            if only_best:
                if defenders < fewest:
                    fewest = defenders
                    best = target
            elif free > defenders:
                move = source << SOURCE_SHIFT | target
                if before == PASS or not _is_needless(world, weights, move, before):
                    moves[found] = move
                    found += 1
        if best != PASS:
            move = source << SOURCE_SHIFT | best
            if before == PASS or not _is_needless(world, weights, move, before):
                moves[found] = move
                found += 1
    moves[found] = PASS
    scratch[NEXT, ply] = 0
    scratch[COUNT, ply] = found + 1


@inlined
def end_of(weights, table, army, defenders, loses):
    """Whether the attack is won, by the kind of battle, and with how many armies left of the side that has won.

    With ``loses`` it is the lost end of a chance node.
    """
    battle = weights[BATTLE]
    if battle == CERTAIN:
        return True, army - defenders
    if loses or (battle != CHANCE and odds_of(weights, table, WIN, army, defenders) < 0.5):
        return False, _whole(odds_of(weights, table, HOLD, army, defenders), defenders)
    return True, _whole(odds_of(weights, table, LEFT, army, defenders), army)


@kernel
def attack(world, state, weights, scratch, zobrist, ply, kept, loses):
    """Make the attack of the frame; the answer is the change of the position's hash."""
    count = np.int64(world[TERRITORIES])
    move = scratch[MOVE, ply]
    source, target = move >> SOURCE_SHIFT, move & TERRITORY_MASK
    mine = np.int64(state[OWNER + count + source])
    theirs = np.int64(state[OWNER + count + target])
    owner = np.int64(state[OWNER + target])
    scratch[SOURCE_BEFORE, ply] = mine
    scratch[TARGET_BEFORE, ply] = theirs
    scratch[OWNER_BEFORE, ply] = owner
    army = army_of(mine - 1, theirs)
    wins, there = end_of(weights, scratch[CONTROL, TABLE], army, theirs, loses)
    seat = scratch[SIDE, ply] if wins else owner
    return _shift(world, state, scratch, zobrist, kept, source, mine - army, target, seat, there)


@kernel
def take_back(world, state, scratch, zobrist, ply, kept):
    """Undo `attack`; the answer is the change of the hash."""
    move = scratch[MOVE, ply]
    return _shift(
        world,
        state,
        scratch,
        zobrist,
        kept,
        move >> SOURCE_SHIFT,
        scratch[SOURCE_BEFORE, ply],
        move & TERRITORY_MASK,
        scratch[OWNER_BEFORE, ply],
        scratch[TARGET_BEFORE, ply],
    )


@kernel
def _shift(world, state, scratch, zobrist, kept, source, left, target, seat, there):
    changed = np.int64(0)
    if zobrist.shape[0]:
        changed = hash_of(world, state, zobrist, source) ^ hash_of(world, state, zobrist, target)
    shift(
        world,
        state,
        scratch[STARTS],
        scratch[NEAR_LIST],
        scratch[INVERSE],
        scratch[UNIT],
        kept,
        scratch[PARTS],
        scratch[ENEMIES],
        scratch[STRENGTHS],
        scratch[EXPOSURES],
        source,
        left,
        target,
        seat,
        there,
        True,
    )
    if zobrist.shape[0]:
        changed ^= hash_of(world, state, zobrist, source) ^ hash_of(world, state, zobrist, target)
    return changed


@inlined
def hash_of(world, state, zobrist, t):
    """What a territory adds to the hash of a position: a number for its owner and one for each bit of its
    armies, by exclusive or (after Zobrist, 1970)."""
    word = zobrist[t, OWNER_BITS + state[OWNER + t]]
    armies = np.int64(state[OWNER + world[TERRITORIES] + t])
    bit = ARMY_BITS
    while armies:
        if armies & 1:
            word ^= zobrist[t, bit]
        armies >>= 1
        bit += 1
    return word


@kernel
def expand(world, rules, state, scratch, zobrist, ply, kept):
    """Draft for the side of the node at ``ply``, whose turn begins; the answer is the change of the hash."""
    count = np.int64(world[TERRITORIES])
    side = scratch[SIDE, ply]
    owner = state[OWNER : OWNER + count]
    armies = state[OWNER + count : OWNER + 2 * count]
    drafts = scratch[DRAFTS + ply]
    units = np.int64(reinforcements(world, rules, state, side))
    spread(
        owner,
        armies,
        scratch[STARTS],
        scratch[NEAR_LIST],
        side,
        units,
        rules[R_MAX_ARMIES],
        scratch[RATIO],
        scratch[ORDER],
        drafts,
    )
    scratch[DRAFTED, ply] = 1
    for seat in range(MAX_SEATS):
        scratch[STRENGTHS_BEFORE + seat, ply] = scratch[STRENGTHS, seat]
    for t in range(count):
        scratch[PARTS_BEFORE + ply, t] = scratch[PARTS, t]
    changed = _place(world, state, scratch, zobrist, ply, 1)
    reinforce(
        owner,
        armies,
        world,
        scratch[STARTS],
        scratch[NEAR_LIST],
        scratch[INVERSE],
        kept,
        scratch[PARTS],
        scratch[ENEMIES],
        scratch[STRENGTHS],
        drafts,
        side,
    )
    return changed


@kernel
def withdraw(world, state, scratch, zobrist, ply):
    """Undo `expand`; the answer is the change of the hash."""
    count = np.int64(world[TERRITORIES])
    scratch[DRAFTED, ply] = 0
    for seat in range(MAX_SEATS):
        scratch[STRENGTHS, seat] = scratch[STRENGTHS_BEFORE + seat, ply]
    for t in range(count):
        scratch[PARTS, t] = scratch[PARTS_BEFORE + ply, t]
    return _place(world, state, scratch, zobrist, ply, -1)


@inlined
def _place(world, state, scratch, zobrist, ply, sign):
    count = np.int64(world[TERRITORIES])
    drafts = scratch[DRAFTS + ply]
    changed = np.int64(0)
    placed = np.int64(0)
    for t in range(count):
        if drafts[t]:
            if zobrist.shape[0]:
                changed ^= hash_of(world, state, zobrist, t)
            state[OWNER + count + t] += sign * drafts[t]
            placed += sign * drafts[t]
            if zobrist.shape[0]:
                changed ^= hash_of(world, state, zobrist, t)
    state[ARMY_COUNT + 3 * count + scratch[SIDE, ply]] += placed
    return changed
