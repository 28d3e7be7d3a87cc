"""The compiled policies: one function that asks the style of the seat to move for its next action.

Its arguments are described in `policies_common`. It sees what the seat may see, and the same function plays
in bulk and behind ``act(observation)``, so that both choose the same actions.
"""

import numpy as np

from surefoot._jit import kernel

from .alphabeta_policy import attack_as_thought, draft, occupy_with_army
from .alphabeta_rows import DRAFT as DRAFT_WORD
from .alphabeta_rows import DRAFT_BY_TREE
from .holding import claim_together
from .layout import CAPITAL, CARDS_NONE, CLAIM, DRAFT, MID_TURN, MUST_TRADE, OCCUPY, PHASE, R_CARDS, SETUP
from .planner_goals import MINE_NEAR, SETTLE, word
from .policies_common import NOTHING, claim, end_turn, march, name_capital, occupy, trade
from .policies_empire import (
    CLAIM_NEAR,
    CLAIM_SETTLE,
    attack_empire,
    draft_empire,
    march_empire,
    occupy_empire,
)
from .policies_plain import (
    attack_random,
    attack_strongest,
    attack_surest,
    attack_weakest_once,
    claim_random,
    draft_even,
    draft_random,
    draft_strongest,
    draft_weakest,
    occupy_random,
)
from .policies_planner import (
    attack_planner,
    draft_planner,
    march_planner,
    occupy_planner,
    trade_planner,
)
from .policies_purposeful import (
    attack_continent,
    attack_killer,
    attack_turtle,
    draft_continent,
    draft_killer,
    draft_turtle,
)
from .rng import uniform

# Styles.
RANDOM = 0
PASSIVE = 1
AGGRESSIVE = 2
PACIFIST = 3
SPREAD = 4
CONTINENT = 5
KILLER = 6
TURTLE = 7
ALPHABETA = 8
EMPIRE = 9
PLANNER = 10

# Which share of an army moves on where there are enemies before and behind it.
_ALL = 1.0
_HALF = 0.5


@kernel
def choose(style, world, rules, state, chances, weights, streams, stream, scratch):
    """The next action of the seat to move, packed; chance must not be next, nor the game be over.

    THINK asks the caller to let the policy think about ``state``, and then to ask again.
    """
    phase = state[PHASE]
    if phase == CLAIM:
        return _claim(style, world, state, weights, streams, stream, scratch)
    if phase == CAPITAL:
        return name_capital(world, state, scratch)
    if phase == DRAFT and _may_trade(rules, state):
        if style == PLANNER:
            action = trade_planner(world, rules, state, chances, weights, scratch)
            if action != NOTHING:
                return action
        # Armies now are worth more than a larger set later, which an enemy may come to own.
        elif state[MUST_TRADE] or style != RANDOM or uniform(streams, stream) < 0.5:
            action = trade(world, rules, state, scratch)
            if action != NOTHING:
                return action
    if phase in (DRAFT, SETUP):
        return _draft(style, world, rules, state, chances, weights, streams, stream, scratch)
    if phase == OCCUPY:
        if style == PLANNER:
            return occupy_planner(world, rules, state, chances, weights, scratch)
        if style == EMPIRE:
            return occupy_empire(world, rules, state, chances, scratch)
        if style == RANDOM:
            return occupy_random(world, rules, state, streams, stream)
        if style == ALPHABETA:
            return occupy_with_army(world, rules, state, scratch)
        share = _HALF if style == SPREAD else _ALL
        return occupy(world, rules, state, share)
    action = _attack(style, world, rules, state, chances, weights, streams, stream, scratch)
    if action != NOTHING:
        return action
    if style == PLANNER:
        return march_planner(world, rules, state, chances, weights, scratch)
    if style == EMPIRE:
        return march_empire(world, rules, state, chances, scratch)
    return end_turn() if style == PASSIVE else march(world, rules, state, scratch)


@kernel
def _claim(style, world, state, weights, streams, stream, scratch):
    if style == RANDOM:
        return claim_random(world, state, streams, stream)
    if style == PLANNER:
        return claim_together(
            world, state, word(weights, state, MINE_NEAR), word(weights, state, SETTLE), scratch
        )
    if style == EMPIRE:
        return claim_together(world, state, CLAIM_NEAR, CLAIM_SETTLE, scratch)
    return claim(world, state)


@kernel
def _may_trade(rules, state):
    return rules[R_CARDS] != CARDS_NONE and (state[MID_TURN] == 0 or state[MUST_TRADE] == 1)


@kernel
def _draft(style, world, rules, state, chances, weights, streams, stream, scratch):
    if style == PLANNER:
        return draft_planner(world, rules, state, chances, weights, scratch)
    if style == EMPIRE:
        return draft_empire(world, rules, state, chances, weights, scratch)
    if style == AGGRESSIVE:
        return draft_strongest(world, rules, state)
    if style == CONTINENT:
        return draft_continent(world, rules, state, scratch)
    if style == KILLER:
        return draft_killer(world, rules, state, scratch)
    if style == TURTLE:
        return draft_turtle(world, rules, state, scratch)
    if style == ALPHABETA:
        if state[PHASE] == SETUP and weights[DRAFT_WORD] == DRAFT_BY_TREE:
            return draft_strongest(world, rules, state)
        return draft(world, rules, state, weights, scratch)
    if style == RANDOM:
        return draft_random(world, rules, state, streams, stream)
    if style in (SPREAD, PACIFIST):
        return draft_even(world, rules, state)
    return draft_weakest(world, rules, state, np.int64(0))


@kernel
def _attack(style, world, rules, state, chances, weights, streams, stream, scratch):
    if style == PLANNER:
        return attack_planner(world, rules, state, chances, weights, scratch)
    if style == EMPIRE:
        return attack_empire(world, rules, state, chances, weights, scratch)
    if style == AGGRESSIVE:
        return attack_strongest(world, rules, state, chances, weights, scratch)
    if style == CONTINENT:
        return attack_continent(world, rules, state, chances, weights, scratch)
    if style == KILLER:
        return attack_killer(world, rules, state, chances, weights, scratch)
    if style == TURTLE:
        return attack_turtle(world, rules, state, chances, weights, scratch)
    if style == PACIFIST:
        return attack_weakest_once(world, rules, state, chances, weights, scratch)
    if style == SPREAD:
        return attack_surest(world, rules, state, chances, weights, scratch)
    if style == RANDOM:
        return attack_random(world, rules, state, streams, stream, scratch)
    if style == ALPHABETA:
        return attack_as_thought(world, rules, state, weights, scratch)
    return np.int64(NOTHING)
