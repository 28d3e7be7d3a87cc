"""What a plan is worth: one's own turn is played out under it, the replies too, and the position weighed.

A plan is a row of weights of the fast policy with its goal written in (see `planner_goals`), or an action to
begin with. Battles are fought with dice, the same for every plan of a sample, so that plans differ by what
they do.
"""

import numpy as np

from surefoot._jit import kernel

from .bulk import settle
from .layout import (
    END_ACTION,
    FORTIFY_ACTION,
    KIND_SHIFT,
    OVER,
    PHASE,
    SEAT,
    STATUS,
    WINNER,
    WON,
)
from .policies import PLANNER, choose
from .policies_common import NOTHING
from .step import apply
from .value import weigh

_DICE = 0
_LOTS = 1  # of the policies, which draw none
STREAMS = 2


@kernel
def play_plans(
    world,
    rules,
    rolls,
    chances,
    net,
    plans,
    openings,
    active,
    styles,
    models,
    minds,
    replies,
    truths,
    seeds,
    state,
    words,
    out,
    streams,
    scratch,
    values,
):
    """Play every active plan out on every sample; fill ``values`` with the chance to win after it.

    Args:
        world, rules, rolls, chances: as in `bulk.play_games`.
        net: see `value`.
        plans: float64, shape (plans, weights): the weights of PLANNER by which the turn is played to its end.
        openings: int64, shape (plans,): an action to begin with, packed and legal, or NOTHING.
        active: bool, shape (plans,): others are left out.
        styles: int64, shape (models,): the styles that seats may play by outside this turn, none that thinks.
        models: float64, shape (models, weights): their weights.
        minds: int64, shape (samples, MAX_SEATS): by which model each seat plays.
        replies: so many turns are played after this one before the position is weighed.
        truths: int32, shape (samples, state_size): states that the position may be, the seat to move in its
            turn, chance not next.
        seeds: uint64, shape (samples, STREAMS): the chance of each sample.
        state, words, out, streams, scratch: room: a state; see `value_words`; float64 (MAX_SEATS,); uint64
            (STREAMS,); see `policies_common`.
        values: float64, shape (plans, samples), filled in the rows of active plans.
    """
    for sample in range(truths.shape[0]):
        seat = np.int64(truths[sample, SEAT])
        for plan in range(plans.shape[0]):
            if active[plan]:
                for word in range(state.shape[0]):
                    state[word] = truths[sample, word]
                for word in range(STREAMS):
                    streams[word] = seeds[sample, word]
                _play_out(
                    world,
                    rules,
                    rolls,
                    chances,
                    seat,
                    plans[plan],
                    openings[plan],
                    styles,
                    models,
                    minds[sample],
                    replies,
                    state,
                    streams,
                    scratch,
                )
                if state[PHASE] == OVER:
                    won = state[STATUS] == WON and state[WINNER] == seat
                    values[plan, sample] = 1.0 if won else 0.0
                else:
                    weigh(world, rules, state, net, words, out)
                    values[plan, sample] = out[seat]


@kernel
def _play_out(
    world,
    rules,
    rolls,
    chances,
    seat,
    plan,
    opening,
    styles,
    models,
    minds,
    replies,
    state,
    streams,
    scratch,
):
    """Play until the turn and so many after it are over, or the game is; ``seat`` plays the plan."""
    turns = np.int64(0)
    lots = np.int64(_LOTS)
    action = opening
    while state[PHASE] != OVER:
        if action == NOTHING:
            mind = minds[state[SEAT]]
            style, weights = styles[mind], models[mind]
            # Starting armies are placed in turn, before the first turn of anybody.
            if turns == 0 and state[SEAT] == seat:
                style, weights = np.int64(PLANNER), plan
            action = choose(style, world, rules, state, chances, weights, streams, lots, scratch)
        apply(world, rules, state, action)
        settle(world, rules, state, rolls, streams)
        if action >> KIND_SHIFT in (END_ACTION, FORTIFY_ACTION):
            turns += 1
            if turns > replies:
                return
        action = np.int64(NOTHING)
