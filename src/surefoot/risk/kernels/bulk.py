"""Whole games in one call: chance, policies and the rules' own step, until each game is over.

The chance of a game is stream 0 of its row of ``streams`` (see `rng`); the policy of a seat draws from a
stream of its own, number seat + 1, and sees no more of the state than `view.see` shows to its seat.
"""

import numpy as np

from surefoot._jit import kernel

from .chance import draw, is_chance, resolve
from .layout import (
    END_ACTION,
    FORTIFY_ACTION,
    KIND_SHIFT,
    OVER,
    PHASE,
    ROUND,
    SEAT,
    STATUS,
    WINNER,
    WON,
)
from .policies import choose
from .policies_common import THINK
from .rng import uniform
from .step import apply
from .turn import begin
from .view import see

# Words of a game's result
RESULT_STATUS = 0
RESULT_WINNER = 1  # a seat, or NOBODY
RESULT_TURNS = 2  # of all seats together
RESULT_ROUNDS = 3
RESULT_ACTIONS = 4
RESULT_BROKEN = 5  # the number of the rule that a policy broke, which is a mistake of ours; else 0
RESULT_WORDS = 6

# Words of the progress of a call
GAME = 0  # the row of the game that is being played
UNDER_WAY = 1  # whether it has begun
PROGRESS_WORDS = 2


@kernel
def settle(world, rules, state, rolls, streams):
    """Let chance bring what it brings until a player is to move or the game is over."""
    while is_chance(state):
        outcome = draw(world, rules, state, rolls, uniform(streams, np.int64(0)))
        resolve(world, rules, state, np.int64(outcome))


@kernel
def play_games(
    world,
    rules,
    rolls,
    chances,
    styles,
    weights,
    seating,
    streams,
    positions,
    state,
    seen,
    scratch,
    progress,
    results,
):
    """Play one game for each row of ``results``; stop at a game in which a policy breaks a rule.

    Args:
        world, rules: see `layout`.
        rolls: see `chance`.
        chances: see `policies_common`, as are ``scratch`` and the rows of ``weights``.
        styles: int64, shape (agents,): the style of each agent; shape (agents, WEIGHTS) for ``weights``.
        seating: int64, shape (games, players): which agent sits where.
        streams: uint64, shape (games, 1 + players), used up.
        positions: int32, shape (games, state_size): the state from which each game goes on, with turns and
            actions counted from there; of shape (0, state_size) where games begin with the deal.
        state, seen: int32, shape (state_size,): room for a game and for what a seat sees of it.
        progress: int64, shape (PROGRESS_WORDS,), zeros at first: where the call goes on.
        results: int64, shape (games, RESULT_WORDS), zeros at first, filled.

    Returns:
        whether all is played. If not, the seat to move wants to think about ``seen``; let it, and call again.
    """
    while progress[GAME] < results.shape[0]:
        game = progress[GAME]
        row = streams[game]
        result = results[game]
        if not progress[UNDER_WAY]:
            if positions.shape[0] > 0:
                for word in range(state.shape[0]):
                    state[word] = positions[game, word]
            else:
                begin(world, rules, state)
            settle(world, rules, state, rolls, row)
            progress[UNDER_WAY] = 1
        while state[PHASE] != OVER:
            seat = np.int64(state[SEAT])
            agent = seating[game, seat]
            see(world, rules, state, seat, seen)
            action = choose(
                styles[agent], world, rules, seen, chances, weights[agent], row, seat + 1, scratch
            )
            if action == THINK:
                return False
            result[RESULT_BROKEN] = apply(world, rules, state, action)
            if result[RESULT_BROKEN]:
                return True
            result[RESULT_ACTIONS] += 1
            if action >> KIND_SHIFT in (END_ACTION, FORTIFY_ACTION):
                result[RESULT_TURNS] += 1
            settle(world, rules, state, rolls, row)
        if state[STATUS] == WON:
            result[RESULT_TURNS] += 1  # the winning turn does not end
        result[RESULT_STATUS] = state[STATUS]
        result[RESULT_WINNER] = state[WINNER]
        result[RESULT_ROUNDS] = state[ROUND]
        progress[GAME] += 1
        progress[UNDER_WAY] = 0
    return True
