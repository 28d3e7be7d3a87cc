"""Document B's tree for several players who each want most for themselves (max-n).

Source: Luckhardt and Irani (1986), An algorithmic solution of n-person games, AAAI. Nothing is cut off: what
is good for one side says nothing about another's. Otherwise everything is as in `alphabeta`.
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .alphabeta import enter, is_over
from .alphabeta_moves import attack, attack_limit, descend, expand, list_moves, win_of
from .alphabeta_rows import (
    ADVICE,
    ATTACKS,
    BATTLE,
    BEST_MOVE,
    CHANCE,
    CONTROL,
    COUNT,
    DEPTH,
    FIRST_VALUES,
    KEPT,
    MOVE,
    MOVES,
    NEXT,
    NODES,
    PASS,
    PLY,
    RETURNED,
    RETURNING,
    SIDE,
    STAGE,
    TABLE,
    USED,
    VALUE,
    VALUES,
)
from .features import EVERY_SEAT, highest, value_of
from .layout import PLAYERS, TERRITORIES


@kernel
def search_maxn(world, rules, states, weights, scratch, zobrist, budget):
    """Search on from where `alphabeta.prepare`, for every seat, or an earlier call has left the room.

    Arguments and answer are those of `alphabeta.search`; ``zobrist`` is to be empty. In the end the row
    RETURNED holds the root's values by seat.
    """
    count = np.int64(world[TERRITORIES])
    players = np.int64(states[0, PLAYERS])
    control = scratch[CONTROL]
    returned = scratch[RETURNED]
    depth = np.int64(weights[DEPTH])
    limit = attack_limit(rules, np.int64(weights[ATTACKS]))
    chance = weights[BATTLE] == CHANCE
    ply = control[PLY]
    returning = control[RETURNING] == 1
    stop = control[NODES] + budget
    while True:
        if not returning:
            if control[NODES] >= stop:
                control[PLY] = ply
                control[RETURNING] = 0
                return False
            control[NODES] += 1
            state = states[ply]
            side = scratch[SIDE, ply]
            returning = True
            if is_over(state, count, side):
                for seat in range(players):
                    returned[seat] = 0
                returned[side] = highest(weights)
            elif ply == depth:
                for seat in range(players):
                    returned[seat] = value_of(world, state, weights, scratch[KEPT + ply], seat)
            else:
                returning = False
                if ply > 0 and scratch[USED, ply] == 0:
                    expand(world, rules, states, scratch, zobrist, ply, EVERY_SEAT)
                list_moves(world, states, weights, scratch, ply, limit)
                scratch[VALUES + side, ply] = -1
                scratch[BEST_MOVE, ply] = PASS
        else:
            if ply == 0:
                control[VALUE] = returned[scratch[SIDE, 0]]
                control[ADVICE] = scratch[BEST_MOVE, 0]
                return True
            ply -= 1
            returning = False
            move = scratch[MOVE, ply]
            if chance and move != PASS:
                if scratch[STAGE, ply] == 0:
                    for seat in range(players):
                        scratch[FIRST_VALUES + seat, ply] = returned[seat]
                    scratch[STAGE, ply] = 1
                    attack(world, states, weights, scratch, zobrist, ply, EVERY_SEAT, True)
                    enter(states[ply + 1], scratch, count, ply, limit, True)
                    ply += 1
                    continue
                win = win_of(world, states[ply], weights, control[TABLE], move)
                for seat in range(players):
                    won = scratch[FIRST_VALUES + seat, ply]
                    returned[seat] = np.int64(win * won + (1.0 - win) * returned[seat] + 0.5)
            _compare(scratch, players, ply, move)
        if returning:
            continue
        if scratch[NEXT, ply] == scratch[COUNT, ply]:
            for seat in range(players):
                returned[seat] = scratch[VALUES + seat, ply]
            returning = True
            continue
        move = scratch[MOVES + ply, scratch[NEXT, ply]]
        scratch[NEXT, ply] += 1
        scratch[MOVE, ply] = move
        if move == PASS:
            descend(world, states, scratch, ply)
        else:
            attack(world, states, weights, scratch, zobrist, ply, EVERY_SEAT, False)
            scratch[STAGE, ply] = 0
        enter(states[ply + 1], scratch, count, ply, limit, move != PASS)
        ply += 1


@inlined
def _compare(scratch, players, ply, move):
    """Keep what the move returned if it is better for the side to move."""
    side = scratch[SIDE, ply]
    value, best = scratch[RETURNED, side], scratch[VALUES + side, ply]
    if value > best or (value == best and move < scratch[BEST_MOVE, ply]):
        for seat in range(players):
            scratch[VALUES + seat, ply] = scratch[RETURNED, seat]
        scratch[BEST_MOVE, ply] = move
