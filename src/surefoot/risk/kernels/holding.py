"""Holding what one has: the weakest gate, where armies are of use, and claims that lie well together.

Shared by the styles `empire` and `planner`; reads the rows of `campaign.survey`.
"""

import math

import numpy as np

from surefoot._jit import inlined, kernel

from .campaign import ARM, DANGER, EDGE, GATE_LACK, GATE_VALUE, PLAN
from .layout import (
    BONUS,
    CLAIM_ACTION,
    END_ACTION,
    FORTIFY_ACTION,
    FORTIFY_NONE,
    KIND_SHIFT,
    NOBODY,
    R_FORTIFY,
    SEAT,
    SEATS,
    TERRITORIES,
)
from .policies_common import (
    GATES,
    armies_on,
    can_attack_from,
    continent_of,
    end_turn,
    first_near,
    held_by,
    march,
    owner_of,
    pack,
    room_on,
    size_of,
    study_continents,
)

_LITTLE = 0.1  # what a continent without a bonus is worth
_ALMOST = 0.7  # who holds so much of a continent is about to hold it


@inlined
def bonus_of(world, continent):
    """Its armies a turn, and a little more."""
    return _LITTLE + world[world[BONUS] + continent]


@inlined
def is_whole(world, state, seat, continent):
    """Whether a seat holds a whole continent."""
    return held_by(world, state, seat, continent) == size_of(world, continent)


@inlined
def need(world, state, seat, t, defend, scratch):
    """How much armies are needed on an own territory: by what threatens it, and what lies behind it."""
    c = continent_of(world, t)
    share = held_by(world, state, seat, c) / size_of(world, c)
    worth = defend * bonus_of(world, c)
    if share < 1.0:
        worth *= 0.3 * share * share
    return (1.0 + worth) * (scratch[DANGER, t] + 0.5)


@kernel
def weakest_gate(world, rules, state, defend, outnumbered, scratch):
    """The gate of a held continent that lacks most, or NOBODY; fills the words GATE of PLAN.

    Args:
        defend: what a bonus of one army is worth.
        outnumbered: which share of the threat is wanted as defence.
    """
    seat = np.int64(state[SEAT])
    gate, most = np.int64(NOBODY), 0.0
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) != seat or scratch[EDGE, t] == 0 or room_on(world, rules, state, t) == 0:
            continue
        c = continent_of(world, t)
        if not is_whole(world, state, seat, c):
            continue
        lack = np.int64(outnumbered * scratch[DANGER, t]) + 1 - scratch[ARM, t]
        if lack <= 0:
            continue
        value = defend * bonus_of(world, c) * lack / (lack + scratch[ARM, t])
        if value > most:
            gate, most = np.int64(t), value
            scratch[PLAN, GATE_LACK] = lack
    scratch[PLAN, GATE_VALUE] = np.int64(most * 256.0)
    return gate


@kernel
def march_to_need(world, rules, state, defend, least, scratch):
    """The last move: an army inside goes to the front, else one goes along it if that gains ``least``."""
    if rules[R_FORTIFY] == FORTIFY_NONE:
        return end_turn()
    seat = np.int64(state[SEAT])
    count = np.int64(world[TERRITORIES])
    for t in range(count):
        if owner_of(state, t) == seat and armies_on(world, state, t) > 1:
            if not can_attack_from(world, state, seat, t):
                action = march(world, rules, state, scratch)
                if action >> KIND_SHIFT != END_ACTION:
                    return action
                break
    best, source, target, armies = least, np.int64(NOBODY), np.int64(NOBODY), np.int64(0)
    for here in range(count):
        if owner_of(state, here) != seat or scratch[ARM, here] < 2:
            continue
        need_here = need(world, state, seat, here, defend, scratch)
        for at in range(first_near(world, here), first_near(world, here + 1)):
            t = np.int64(world[at])
            if owner_of(state, t) != seat or scratch[EDGE, t] == 0:
                continue
            need_there = need(world, state, seat, t, defend, scratch)
            together = scratch[ARM, here] + scratch[ARM, t]
            more = np.int64(together * need_there / (need_here + need_there)) - scratch[ARM, t]
            more = min(more, scratch[ARM, here] - 1, room_on(world, rules, state, t))
            if more > 0:
                value = more * (need_there / (1.0 + scratch[ARM, t]) - need_here / (1.0 + scratch[ARM, here]))
                if value > best:
                    best, source, target, armies = value, np.int64(here), t, more
    if source == NOBODY:
        return end_turn()
    return pack(FORTIFY_ACTION, source, target, armies, 0)


@kernel
def claim_together(world, state, near, settle, scratch):
    """Claim what lies among one's own, in small continents that are nobody else's, or another's last hole.

    Args:
        near: what an own neighbour is worth.
        settle: what a continent is, by its bonus, its gates and its size.
    """
    study_continents(world, state, scratch)
    seat = np.int64(state[SEAT])
    best, most = np.int64(NOBODY), -1e9
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) != NOBODY:
            continue
        c = continent_of(world, t)
        size = size_of(world, c)
        bonus = bonus_of(world, c)
        held = held_by(world, state, seat, c)
        others, largest = np.int64(0), np.int64(0)
        for s in range(np.int64(state[SEATS])):
            if s != seat:
                theirs = held_by(world, state, np.int64(s), c)
                others += theirs
                largest = max(largest, theirs)
        closed = (bonus + 0.5) / ((1.0 + scratch[GATES, c]) * math.sqrt(size))
        value = settle * closed * (1.0 + 2.0 * held / size) * (1.0 - others / size)
        for at in range(first_near(world, t), first_near(world, t + 1)):
            if owner_of(state, np.int64(world[at])) == seat:
                value += near
        if largest + 1 >= _ALMOST * size:
            value += bonus * largest / size
        if value > most:
            best, most = np.int64(t), value
    return pack(CLAIM_ACTION, best, 0, 0, 0)
