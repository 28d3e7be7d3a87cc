"""The style `planner`: one goal at a time, drafted for, attacked along and thought about after every battle.

The goals are in `planner_goals`, the campaigns in `campaign`. The style remembers nothing: an action is a
function of what is seen and of ``weights``.
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .campaign import (
    ARM,
    CHOSEN_ORIGIN,
    DANGER,
    EDGE,
    FREE,
    GATE_LACK,
    GATE_VALUE,
    GATHER,
    PLAN,
    next_attack,
    survey,
)
from .holding import is_whole, march_to_need, need, weakest_gate
from .layout import (
    ATTACKS,
    FIRST_SHIFT,
    MUST_TRADE,
    NOBODY,
    NUMBER_MASK,
    OCCUPY_ACTION,
    PHASE,
    PLACE_MASK,
    R_MAX_ATTACKS,
    RESERVE,
    SEAT,
    SECOND_SHIFT,
    SETS,
    SETUP,
    SOURCE,
    TARGET,
    TERRITORIES,
    THIRD_SHIFT,
    TO_PLACE,
)
from .legal import least_occupy, most_occupy, set_kind, set_value
from .planner_goals import (
    DEFEND,
    DEFEND_K,
    GOAL,
    GOAL_KIND,
    KEEP,
    LEAVE,
    NO_GOAL,
    S_FEAR,
    S_PLAN,
    S_STICK,
    SPLIT,
    TRADE,
    pursue,
    stopping,
    word,
)
from .policies_common import (
    NOTHING,
    can_attack_from,
    continent_of,
    owner_of,
    pack,
    place,
    room_on,
    trade,
)

_INSIDE = 5.0  # starting armies are worth so much less where there is nobody to attack


@kernel
def trade_planner(world, rules, state, chances, weights, scratch):
    """Trade the best set, unless it may be kept and adds too little to what can be done now."""
    action = trade(world, rules, state, scratch)
    least = word(weights, state, TRADE)
    if action == NOTHING or state[MUST_TRADE] or least <= 0.0:
        return action
    one, two = action >> FIRST_SHIFT & PLACE_MASK, action >> SECOND_SHIFT & PLACE_MASK
    kind = set_kind(world, one, two, action >> THIRD_SHIFT & NUMBER_MASK)
    armies = np.int64(set_value(rules, state[SETS], kind))
    hand, nobody = np.int64(state[TO_PLACE]), np.int64(NOBODY)
    without = pursue(world, rules, state, chances, weights, hand, nobody, nobody, scratch)
    score = pursue(world, rules, state, chances, weights, hand + armies, nobody, nobody, scratch)
    return action if max(score, 0.0) - max(without, 0.0) >= least * armies else np.int64(NOTHING)


@kernel
def draft_planner(world, rules, state, chances, weights, scratch):
    """Place all where the best goal begins, or what a gate lacks if that is worth more."""
    seat = np.int64(state[SEAT])
    hand, nobody = np.int64(state[TO_PLACE]), np.int64(NOBODY)
    defend = word(weights, state, DEFEND)
    if state[PHASE] == SETUP:
        goal = np.int64(weights[GOAL])
        if (
            weights[GOAL_KIND] == GATHER
            and owner_of(state, goal) == seat
            and room_on(world, rules, state, goal) > 0
        ):
            return place(world, rules, state, goal, hand)
        reserve = np.int64(state[RESERVE + 3 * world[TERRITORIES] + seat])
        budget = max(reserve, hand)
        score = pursue(world, rules, state, chances, weights, budget, nobody, nobody, scratch)
        return _place_starting(world, rules, state, weights, score, scratch)
    survey(world, rules, state, chances, nobody, nobody, scratch)
    gate = weakest_gate(world, rules, state, defend, word(weights, state, DEFEND_K), scratch)
    without = 0.0
    free = weights[GOAL_KIND] == FREE or weights[GOAL_KIND] == GATHER
    if gate != NOBODY and free:
        score = pursue(world, rules, state, chances, weights, np.int64(0), nobody, nobody, scratch)
        without = max(score, 0.0)
    score = pursue(world, rules, state, chances, weights, hand, nobody, nobody, scratch)
    if gate != NOBODY and (score == NO_GOAL or free):
        if score <= 0.0 or score - without < scratch[PLAN, GATE_VALUE] / 256.0:
            return place(world, rules, state, gate, min(scratch[PLAN, GATE_LACK], hand))
    if score != NO_GOAL and room_on(world, rules, state, scratch[PLAN, CHOSEN_ORIGIN]) > 0:
        return place(world, rules, state, scratch[PLAN, CHOSEN_ORIGIN], hand)
    best, most = np.int64(NOBODY), -1.0
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) == seat and room_on(world, rules, state, t) > 0:
            value = need(world, state, seat, t, defend, scratch) / (scratch[ARM, t] + 1.0)
            if value > most:
                best, most = np.int64(t), value
    return place(world, rules, state, best, hand)


@kernel
def _place_starting(world, rules, state, weights, score, scratch):
    seat = np.int64(state[SEAT])
    stick, fear = word(weights, state, S_STICK), word(weights, state, S_FEAR)
    begins = word(weights, state, S_PLAN)
    best, most = np.int64(NOBODY), NO_GOAL
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) != seat or room_on(world, rules, state, t) == 0:
            continue
        value = stick * (scratch[ARM, t] - 1) - fear * scratch[DANGER, t]
        if score != NO_GOAL and t == scratch[PLAN, CHOSEN_ORIGIN]:
            value += begins
        if scratch[EDGE, t] == 0:
            value -= _INSIDE
        if value > most:
            best, most = np.int64(t), value
    return place(world, rules, state, best, np.int64(state[TO_PLACE]))


@kernel
def attack_planner(world, rules, state, chances, weights, scratch):
    """Attack towards the best goal, or NOTHING where going on is worth less than stopping."""
    nobody = np.int64(NOBODY)
    if rules[R_MAX_ATTACKS] > 0 and state[ATTACKS] >= rules[R_MAX_ATTACKS]:
        return np.int64(NOTHING)
    score = pursue(world, rules, state, chances, weights, np.int64(0), nobody, nobody, scratch)
    if score == NO_GOAL or score < stopping(weights, state, scratch):
        return np.int64(NOTHING)
    return next_attack(world, rules, state, chances, scratch)


@kernel
def occupy_planner(world, rules, state, chances, weights, scratch):
    """Go on with the whole stack where the next goal begins; if there is none, as the next turn needs it."""
    seat = np.int64(state[SEAT])
    source, target = np.int64(state[SOURCE]), np.int64(state[TARGET])
    least, most = np.int64(least_occupy(state)), np.int64(most_occupy(world, rules, state))
    if most - least <= 1:
        return _move_in(most)
    behind = can_attack_from(world, state, seat, source)
    if not behind or not can_attack_from(world, state, seat, target):
        return _move_in(least if behind else most)
    forth_score, forth = _score_from(world, rules, state, chances, weights, source, target, target, scratch)
    back_score, back = _score_from(
        world, rules, state, chances, weights, np.int64(NOBODY), target, source, scratch
    )
    stop = stopping(weights, state, scratch)
    if forth and forth_score >= stop and (forth_score >= back_score or not back):
        keep = np.int64(0)
        if is_whole(world, state, seat, continent_of(world, source)):
            keep = np.int64(word(weights, state, KEEP) * scratch[DANGER, source])
        return _move_in(max(most - keep, least))
    if back and back_score >= stop:
        return _move_in(least)
    defend = word(weights, state, DEFEND)
    here = need(world, state, seat, source, defend, scratch)
    there = need(world, state, seat, target, defend, scratch)
    if word(weights, state, SPLIT) > 0.5:
        moved = most if there >= here else least
    else:
        moved = np.int64((scratch[ARM, source] + scratch[ARM, target]) * there / (here + there))
    return _move_in(min(max(moved, least), most))


@inlined
def _move_in(armies):
    return pack(OCCUPY_ACTION, 0, 0, armies, 0)


@kernel
def _score_from(world, rules, state, chances, weights, source, target, origin, scratch):
    """The score of the best goal after a move as in `pursue`, and whether it begins at ``origin``."""
    score = pursue(world, rules, state, chances, weights, np.int64(0), source, target, scratch)
    return score, score != NO_GOAL and scratch[PLAN, CHOSEN_ORIGIN] == origin


@kernel
def march_planner(world, rules, state, chances, weights, scratch):
    """The last move of the turn."""
    nobody = np.int64(NOBODY)
    survey(world, rules, state, chances, nobody, nobody, scratch)
    defend, least = word(weights, state, DEFEND), word(weights, state, LEAVE)
    return march_to_need(world, rules, state, defend, least, scratch)
