"""The edges of document B's tree: which attacks there are, what they do, and what comes after them."""

import numpy as np

from surefoot._jit import inlined, kernel

from .alphabeta_rows import (
    ALL_TARGETS,
    ARMY,
    ARMY_BITS,
    BATTLE,
    CERTAIN,
    CHANCE,
    CHOSEN,
    COIN,
    CONTROL,
    COUNT,
    GROUND,
    HOLD,
    KEPT,
    KEY,
    LARGEST,
    LEFT,
    LISTED,
    MOVE,
    MOVES,
    NEXT,
    ODDS,
    ODDS_WORDS,
    ORDER,
    OWNER_BITS,
    PASS,
    RATIO,
    REORDERINGS,
    SHARES,
    SIDE,
    SOURCE_SHIFT,
    TABLE,
    TARGETS,
    TERRITORY_MASK,
    THREE_DICE,
    TWO_DICE,
    USED,
    WHOLE_ARMY,
    WIN,
)
from .draft import spread
from .features import KEPT_WORDS, reinforce, shift
from .layout import (
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

_SPARED_SHIFT = 40


@inlined
def army_of(weights, attackers, defenders):
    """How many attack: the average of both sides, rounded up, or all that can."""
    return attackers if weights[ARMY] == WHOLE_ARMY else (attackers + defenders + 1) // 2


@kernel
def army_between(weights, attackers, defenders):
    """The same, for callers outside the kernels."""
    return army_of(weights, attackers, defenders)


@inlined
def attack_limit(rules, attacks):
    """Attacks that a turn may have: those of the agent or of the rules, whichever are fewer."""
    return min(attacks, rules[R_MAX_ATTACKS]) if rules[R_MAX_ATTACKS] else np.int64(attacks)


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
def is_possible(world, state, weights, side, move):
    """Whether the tree of ``side`` may make this attack now; its source is next to its target."""
    count = np.int64(world[TERRITORIES])
    source, target = move >> SOURCE_SHIFT, move & TERRITORY_MASK
    owner = state[OWNER + target]
    possible = state[OWNER + source] == side and owner != side and owner >= 0
    possible = possible and state[OWNER + count + source] - 1 > state[OWNER + count + target]
    if possible and weights[TARGETS] != ALL_TARGETS:
        possible = _weakest(world, state, side, source) == target
    return possible


@inlined
def _weakest(world, state, side, source):
    """The enemy neighbour with the fewest armies, of several the lowest; PASS if there is none to be
    beaten."""
    armies = OWNER + np.int64(world[TERRITORIES])
    free = np.int64(state[armies + source]) - 1
    least = free << SOURCE_SHIFT
    for place in range(world[world[NEAR] + source], world[world[NEAR] + source + 1]):
        target = np.int64(world[place])
        owner = state[OWNER + target]
        spared = np.int64((owner == side) | (owner < 0))
        # One number says both who has fewer and, among equals, who is lower; the spared are out of reach.
        least = min(
            least, np.int64(state[armies + target]) << SOURCE_SHIFT | target | spared << _SPARED_SHIFT
        )
    return least & TERRITORY_MASK if least < free << SOURCE_SHIFT else np.int64(PASS)


@kernel
def may_attack(world, state, weights, side):
    """Whether the tree of ``side`` has any attack to make."""
    for source in range(world[TERRITORIES]):
        if state[OWNER + source] == side and _weakest(world, state, side, source) != PASS:
            return True
    return False


@kernel
def list_moves(world, states, weights, scratch, ply, limit):
    """Fill in the moves of the node at ``ply``, no attack last, and how many there are.

    Those that are left out, because the same attacks in another order are searched, stand behind. Two attacks
    that have no territory in common can be made in either order, and then only the order of rising numbers is
    searched, unless the weights say otherwise: an attack that was possible before the last one, and has the
    lower number, is left out.
    """
    scratch[NEXT, ply] = 0
    if scratch[USED, ply] >= limit:
        scratch[MOVES + ply, 0] = PASS
        scratch[COUNT, ply] = 1
        scratch[LISTED, ply] = 1
    elif ply > 0 and scratch[USED, ply] > 0 and weights[BATTLE] == CERTAIN:
        _list_after(world, states[ply], weights, scratch, ply)
    else:
        _list_all(world, states[ply], weights, scratch, ply)


@inlined
def _list_all(world, state, weights, scratch, ply):
    count = np.int64(world[TERRITORIES])
    side = scratch[SIDE, ply]
    moves = scratch[MOVES + ply]
    sources = scratch[ORDER]
    able = np.int64(0)
    for source in range(count):
        # Written first and counted if it belongs there, as below: a branch would be guessed wrong too often.
        sources[able] = source
        able += (state[OWNER + source] == side) & (state[OWNER + count + source] > 2)
    found = np.int64(0)
    for number in range(able):
        found = _list_from(world, state, weights, side, sources[number], moves, found)
    moves[found] = PASS
    scratch[COUNT, ply] = found + 1
    scratch[LISTED, ply] = found + 1


@inlined
def _list_after(world, state, weights, scratch, ply):
    """List the moves after an attack that was won, from those before it."""
    side = scratch[SIDE, ply]
    before = scratch[MOVES + ply - 1]
    made = scratch[MOVE, ply - 1]
    source, target = made >> SOURCE_SHIFT, made & TERRITORY_MASK
    moves = scratch[MOVES + ply]
    behind = scratch[ORDER]
    found = np.int64(0)
    left_out = np.int64(0)
    for number in range(scratch[LISTED, ply - 1]):
        move = before[number] & PASS
        if move == PASS or move >> SOURCE_SHIFT == source:
            continue
        if move & TERRITORY_MASK == target:
            if weights[TARGETS] != ALL_TARGETS:
                found = _list_from(world, state, weights, side, move >> SOURCE_SHIFT, moves, found)
        elif move < made and not weights[REORDERINGS]:
            behind[left_out] = move
            left_out += 1
        else:
            moves[found] = move
            found += 1
    found = _list_from(world, state, weights, side, source, moves, found)
    found = _list_from(world, state, weights, side, target, moves, found)
    moves[found] = PASS
    scratch[COUNT, ply] = found + 1
    for number in range(left_out):
        moves[found + 1 + number] = behind[number]
    scratch[LISTED, ply] = found + 1 + left_out


@inlined
def _list_from(world, state, weights, side, source, moves, found):
    """Add the attacks from one territory; the answer is how many moves there are then."""
    if weights[TARGETS] != ALL_TARGETS:
        target = _weakest(world, state, side, source)
        moves[found] = source << SOURCE_SHIFT | target
        return found + (target != PASS)
    count = np.int64(world[TERRITORIES])
    row = world[NEAR] + source
    free = state[OWNER + count + source] - 1
    for place in range(world[row], world[row + 1]):
        target = np.int64(world[place])
        owner = state[OWNER + target]
        moves[found] = source << SOURCE_SHIFT | target
        found += (owner != side) & (owner >= 0) & (state[OWNER + count + target] < free)
    return found


@inlined
def end_of(weights, table, army, defenders, loses):
    """Whether the attack is won, by the kind of battle, and with how many armies left of the side that has
    won.

    With ``loses`` it is the lost end of a chance node.
    """
    battle = weights[BATTLE]
    if battle == CERTAIN:
        return True, army - defenders
    if loses or (battle != CHANCE and odds_of(weights, table, WIN, army, defenders) < 0.5):
        return False, _whole(odds_of(weights, table, HOLD, army, defenders), defenders)
    return True, _whole(odds_of(weights, table, LEFT, army, defenders), army)


@inlined
def win_of(world, state, weights, table, move):
    """The chance that an attack is won."""
    armies = OWNER + np.int64(world[TERRITORIES])
    defenders = np.int64(state[armies + (move & TERRITORY_MASK)])
    army = army_of(weights, np.int64(state[armies + (move >> SOURCE_SHIFT)]) - 1, defenders)
    return odds_of(weights, table, WIN, army, defenders)


@inlined
def descend(world, states, scratch, ply):
    """Copy the node at ``ply`` to the ply below."""
    for word in range(states.shape[1]):
        states[ply + 1, word] = states[ply, word]
    for word in range(KEPT_WORDS + 2 * np.int64(world[TERRITORIES])):
        scratch[KEPT + ply + 1, word] = scratch[KEPT + ply, word]
    scratch[KEY, ply + 1] = scratch[KEY, ply]


@kernel
def attack(world, states, weights, scratch, zobrist, ply, whose, loses):
    """Make the position below that at ``ply`` by the attack of its frame."""
    descend(world, states, scratch, ply)
    state = states[ply + 1]
    count = np.int64(world[TERRITORIES])
    move = scratch[MOVE, ply]
    source, target = move >> SOURCE_SHIFT, move & TERRITORY_MASK
    mine = np.int64(state[OWNER + count + source])
    theirs = np.int64(state[OWNER + count + target])
    owner = np.int64(state[OWNER + target])
    army = army_of(weights, mine - 1, theirs)
    wins, there = end_of(weights, scratch[CONTROL, TABLE], army, theirs, loses)
    seat = scratch[SIDE, ply] if wins else owner
    if zobrist.shape[0]:
        scratch[KEY, ply + 1] ^= hash_of(world, state, zobrist, source) ^ hash_of(
            world, state, zobrist, target
        )
    shift(
        world,
        state,
        scratch[GROUND],
        whose,
        scratch[KEPT + ply + 1],
        source,
        mine - army,
        target,
        seat,
        there,
        True,
    )
    if zobrist.shape[0]:
        scratch[KEY, ply + 1] ^= hash_of(world, state, zobrist, source) ^ hash_of(
            world, state, zobrist, target
        )


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
def expand(world, rules, states, scratch, zobrist, ply, whose):
    """Draft for the side of the node at ``ply``, whose turn begins."""
    count = np.int64(world[TERRITORIES])
    state = states[ply]
    side = scratch[SIDE, ply]
    chosen = scratch[CHOSEN]
    shares = scratch[SHARES]
    number = spread(
        state[OWNER : OWNER + count],
        state[OWNER + count : OWNER + 2 * count],
        scratch[GROUND],
        side,
        np.int64(reinforcements(world, rules, state, side)),
        rules[R_MAX_ARMIES],
        scratch[ORDER],
        scratch[RATIO],
        chosen,
        shares,
    )
    if zobrist.shape[0]:
        for rank in range(number):
            scratch[KEY, ply] ^= hash_of(world, state, zobrist, chosen[rank])
    reinforce(world, state, scratch[GROUND], whose, scratch[KEPT + ply], chosen, shares, number, side)
    if zobrist.shape[0]:
        for rank in range(number):
            scratch[KEY, ply] ^= hash_of(world, state, zobrist, chosen[rank])
