"""The style `empire`: what the best open engines' scripts do, by rank.

It finishes a player whom it can finish, for the cards; takes a continent that it can take and hold; breaks
one of another's; works on its next continent; and takes the card of the turn where that is cheap. The whole
draft goes to where that begins, but for what the gates of its continents lack.
"""

import numpy as np

from surefoot._jit import kernel

from .campaign import (
    ARM,
    CHOSEN_KIND,
    CHOSEN_ORIGIN,
    CONTINENT_COST,
    DANGER,
    EDGE,
    ELIMINATE,
    FROM,
    GATE_LACK,
    HOLD,
    LOOKED_ENTRY,
    LOOKED_LEFT,
    OUTSIDE,
    PATH_LENGTH,
    PATH_LOSS,
    PLAN,
    REM,
    SEAT_COST,
    TAKE,
    TAKE_CONTINENT,
    UNIT,
    assess,
    cards_of,
    choose_entry,
    count_rivals,
    is_rival,
    next_attack,
    others_armies,
    spread,
    survey,
    way_odds,
)
from .holding import bonus_of, is_whole, march_to_need, weakest_gate
from .layout import (
    ATTACKS,
    BONUS,
    CONTINENTS,
    NOBODY,
    OCCUPY_ACTION,
    PHASE,
    PLAYERS,
    R_MAX_ATTACKS,
    RESERVE,
    SEAT,
    SETUP,
    SOURCE,
    TARGET,
    TERRITORIES,
    TO_PLACE,
)
from .legal import least_occupy, most_occupy
from .policies_common import (
    CARD_CHANCE,
    ENEMY_ARMIES,
    GATES,
    LEAST_CHANCE,
    NOTHING,
    OWN_ARMIES,
    SUPERIORITY,
    can_attack_from,
    continent_of,
    held_by,
    owner_of,
    pack,
    place,
    room_on,
    size_of,
    study_continents,
    wants_card,
)

CLAIM_NEAR = 1.0  # claims: see `holding.claim_together`
CLAIM_SETTLE = 4.0
_DEFEND = 2.0  # what an army of a continent's bonus is worth in defence
_OUTNUMBERED = 0.7  # the share of a threat that is wanted as defence
_MARCH = 0.5  # the least gain of the last move
_SUPPORT = 0.5  # the share of other stacks beside a goal that counts
_FINISH = 0.8  # the chance with which a player is finished, less so much for each of four cards
_FINISH_CARD = 0.08
_FINISH_LAST = 0.5  # and the last one
_CONTINENT = 0.55  # the chance with which a continent is taken
_HELD = 0.35  # the bonus, by the chance to take and hold it, for which it is taken
_SAFE = 0.75  # against one player: what is taken for its own sake


@kernel
def _next_continent(world, state, scratch):
    """The continent to work on: small and closed, with own armies in it and few others."""
    study_continents(world, state, scratch)
    seat = np.int64(state[SEAT])
    goal, best = np.int64(NOBODY), -1.0
    for c in range(np.int64(world[CONTINENTS])):
        size = size_of(world, c)
        held = held_by(world, state, seat, c)
        if held == size or world[world[BONUS] + c] <= 0:
            continue
        worth = world[world[BONUS] + c] * (1.0 + scratch[OWN_ARMIES, c]) / (1.0 + scratch[GATES, c])
        value = worth * (0.3 + held / size) / (3.0 + scratch[ENEMY_ARMIES, c] + 2.0 * (size - held))
        if value > best:
            goal, best = np.int64(c), value
    return goal


@kernel
def _finish(world, state, draft, scratch):
    """Choose the player who can be finished most surely; whether there is one."""
    best, victim, entry = 0.0, np.int64(NOBODY), np.int64(NOBODY)
    stamp = np.int64(0)
    for s in range(np.int64(state[PLAYERS])):
        if not is_rival(state, s) or scratch[SEAT_COST, s] == 0:
            continue
        stamp += 2
        chance = assess(world, state, _SUPPORT, np.int64(ELIMINATE), np.int64(s), stamp, draft, scratch)
        least = _FINISH - _FINISH_CARD * min(cards_of(world, state, s), 4)
        if count_rivals(state) == 1:
            least = _FINISH_LAST
        if chance >= least and chance > best:
            best, victim, entry = chance, np.int64(s), scratch[PLAN, LOOKED_ENTRY]
    if victim == NOBODY:
        return False
    choose_entry(state, np.int64(ELIMINATE), victim, entry, scratch)
    return True


@kernel
def _take_continent(world, state, draft, scratch):
    """Choose the continent that pays most by the odds of taking and holding it; whether there is one."""
    best, goal, entry = _HELD, np.int64(NOBODY), np.int64(NOBODY)
    stamp = 2 * np.int64(state[PLAYERS])
    for c in range(np.int64(world[CONTINENTS])):
        if scratch[CONTINENT_COST, c] == 0 or world[world[BONUS] + c] <= 0:
            continue
        stamp += 2
        chance = assess(world, state, _SUPPORT, np.int64(TAKE_CONTINENT), np.int64(c), stamp, draft, scratch)
        if chance < _CONTINENT:
            continue
        rest = max(scratch[PLAN, LOOKED_LEFT] / UNIT, 0.0) + 3.0
        value = chance * world[world[BONUS] + c] * rest / (rest + scratch[OUTSIDE, c])
        if value > best:
            best, goal, entry = value, np.int64(c), scratch[PLAN, LOOKED_ENTRY]
    if goal == NOBODY:
        return False
    choose_entry(state, np.int64(TAKE_CONTINENT), goal, entry, scratch)
    return True


@kernel
def _is_superior(world, state, weights, draft):
    others = np.int64(0)
    for s in range(np.int64(state[PLAYERS])):
        if s != state[SEAT]:
            others += others_armies(world, state, s)
    own = others_armies(world, state, np.int64(state[SEAT])) + draft
    return own >= weights[SUPERIORITY] * others


@kernel
def _take_one(world, rules, state, chances, weights, draft, goal, scratch):
    """Choose a territory: to break a continent, of the next one, or for the card; whether there is one."""
    seat = np.int64(state[SEAT])
    card = wants_card(rules, state)
    superior = _is_superior(world, state, weights, draft)
    alone = count_rivals(state) == 1
    least = weights[LEAST_CHANCE]
    best, taken = 0.0, np.int64(NOBODY)
    for t in range(np.int64(world[TERRITORIES])):
        owner = owner_of(state, t)
        if owner == seat:
            continue
        chance = way_odds(chances, t, scratch)
        if chance < least:
            continue
        c = continent_of(world, t)
        value = 0.0
        if owner >= 0 and owner < state[PLAYERS] and is_whole(world, state, owner, c):
            value = 10.0 * chance * bonus_of(world, c) / (1.0 + 0.1 * scratch[PATH_LOSS, t] / UNIT)
        elif scratch[PATH_LENGTH, t] == 1:
            stack = scratch[REM, scratch[FROM, t]] // UNIT
            if c == goal:
                value = 4.0 + chance
            elif superior:
                value = 3.0 + chance
            elif card and chance >= weights[CARD_CHANCE]:
                value = 1.0 + chance - 0.1 * scratch[EDGE, t]
            elif alone and chance >= _SAFE and 2 * scratch[ARM, t] < stack:
                value = 1.0 + chance
        if value > best:
            best, taken = value, np.int64(t)
    if taken == NOBODY:
        return False
    choose_entry(state, np.int64(TAKE), taken, taken, scratch)
    return True


@kernel
def _plan(world, rules, state, chances, weights, draft, scratch):
    """Choose the goal of highest rank; whether there is one."""
    nobody = np.int64(NOBODY)
    goal = _next_continent(world, state, scratch)
    survey(world, rules, state, chances, nobody, nobody, scratch)
    spread(world, state, draft, np.int64(0), scratch)
    scratch[PLAN, CHOSEN_KIND] = HOLD
    if _finish(world, state, draft, scratch):
        return True
    if _take_continent(world, state, draft, scratch):
        return True
    return _take_one(world, rules, state, chances, weights, draft, goal, scratch)


@kernel
def draft_empire(world, rules, state, chances, weights, scratch):
    """Make the weakest gate safe with half at most; the rest goes where the goal begins."""
    seat = np.int64(state[SEAT])
    hand, nobody = np.int64(state[TO_PLACE]), np.int64(NOBODY)
    budget = hand
    if state[PHASE] == SETUP:
        budget = max(np.int64(state[RESERVE + 3 * world[TERRITORIES] + seat]), hand)
    else:
        survey(world, rules, state, chances, nobody, nobody, scratch)
        gate = weakest_gate(world, rules, state, _DEFEND, _OUTNUMBERED, scratch)
        if gate != NOBODY:
            return place(world, rules, state, gate, min(scratch[PLAN, GATE_LACK], (hand + 1) // 2))
    if _plan(world, rules, state, chances, weights, budget, scratch):
        if room_on(world, rules, state, scratch[PLAN, CHOSEN_ORIGIN]) > 0:
            return place(world, rules, state, scratch[PLAN, CHOSEN_ORIGIN], hand)
    goal = _next_continent(world, state, scratch)
    best, most = np.int64(NOBODY), -1.0
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) != seat or room_on(world, rules, state, t) == 0:
            continue
        value = np.float64(scratch[ARM, t])
        if scratch[EDGE, t] > 0:
            value += 25.0 if continent_of(world, t) == goal else 5.0
        if value > most:
            best, most = np.int64(t), value
    return place(world, rules, state, best, hand)


@kernel
def attack_empire(world, rules, state, chances, weights, scratch):
    """Attack towards the goal."""
    if rules[R_MAX_ATTACKS] > 0 and state[ATTACKS] >= rules[R_MAX_ATTACKS]:
        return np.int64(NOTHING)
    if not _plan(world, rules, state, chances, weights, np.int64(0), scratch):
        return np.int64(NOTHING)
    return next_attack(world, rules, state, chances, scratch)


@kernel
def occupy_empire(world, rules, state, chances, scratch):
    """Go on with all that a gate of a held continent does not need."""
    seat = np.int64(state[SEAT])
    source, target = np.int64(state[SOURCE]), np.int64(state[TARGET])
    least, most = np.int64(least_occupy(state)), np.int64(most_occupy(world, rules, state))
    armies = most
    if can_attack_from(world, state, seat, source):
        c = continent_of(world, source)
        if not can_attack_from(world, state, seat, target):
            armies = least
        elif is_whole(world, state, seat, c) and continent_of(world, target) != c:
            survey(world, rules, state, chances, source, target, scratch)
            armies = max(most - scratch[DANGER, source], least)
    return pack(OCCUPY_ACTION, 0, 0, armies, 0)


@kernel
def march_empire(world, rules, state, chances, scratch):
    """The last move of the turn."""
    nobody = np.int64(NOBODY)
    survey(world, rules, state, chances, nobody, nobody, scratch)
    return march_to_need(world, rules, state, _DEFEND, _MARCH, scratch)
