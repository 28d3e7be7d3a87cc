"""The styles with a purpose: continent, killer and turtle. Where they draft, and what they attack.

They answer as the plain ones do (see `policies_plain`).
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .layout import (
    BONUS,
    CARD_COUNT,
    CONTINENTS,
    NOBODY,
    PLAYERS,
    SEAT,
    TERRITORIES,
    TO_PLACE,
)
from .policies_common import (
    CARD_CHANCE,
    ENEMY_ARMIES,
    GATES,
    LEAST_CHANCE,
    NOTHING,
    OWN_ARMIES,
    SEEN,
    SOURCES,
    SUPERIORITY,
    TARGETS,
    THREAT,
    armies_on,
    attack,
    continent_of,
    count_seen,
    first_near,
    held_by,
    list_attacks,
    look_around,
    owner_of,
    place,
    room_on,
    size_of,
    study_continents,
    wants_card,
    win_chance,
)
from .policies_plain import draft_strongest, draft_weakest


@inlined
def is_held(world, state, seat, continent):
    """Whether a seat holds a whole continent."""
    return held_by(world, state, seat, continent) == size_of(world, continent)


@kernel
def choose_goal(world, state, scratch):
    """The continent worth most for the trouble of taking and holding it, of those not held yet."""
    study_continents(world, state, scratch)
    seat = np.int64(state[SEAT])
    goal, best = np.int64(NOBODY), -1.0
    for continent in range(np.int64(world[CONTINENTS])):
        if is_held(world, state, seat, continent):
            continue
        worth = 0.5 + world[world[BONUS] + continent]
        trouble = 2.0 + scratch[ENEMY_ARMIES, continent] + 3.0 * scratch[GATES, continent]
        held = held_by(world, state, seat, continent) / size_of(world, continent)
        value = worth * (1.0 + scratch[OWN_ARMIES, continent]) * (0.5 + held) / (trouble * trouble)
        if value > best:
            goal, best = continent, value
    return goal


@kernel
def _weak_gate(world, rules, state, scratch):
    """The gate of a held continent that is most outnumbered by a neighbour, or NOBODY."""
    seat = np.int64(state[SEAT])
    gate, worst = np.int64(NOBODY), np.int64(0)
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) != seat or scratch[THREAT, t] == 0 or room_on(world, rules, state, t) == 0:
            continue
        if world[world[BONUS] + continent_of(world, t)] > 0:
            if is_held(world, state, seat, continent_of(world, t)):
                lack = scratch[THREAT, t] - armies_on(world, state, t)
                if lack > worst:
                    gate, worst = t, lack
    return gate


@kernel
def draft_continent(world, rules, state, scratch):
    """Make the gates of held continents safe; what is left goes where the next continent can be attacked."""
    look_around(world, state, scratch)
    in_hand = np.int64(state[TO_PLACE])
    gate = _weak_gate(world, rules, state, scratch)
    if gate != NOBODY:
        lack = scratch[THREAT, gate] - armies_on(world, state, gate)
        # Half of them at most, so that no threat, however great, keeps it from going forward.
        return place(world, rules, state, gate, min(lack, (in_hand + 1) // 2))
    goal = choose_goal(world, state, scratch)
    seat = np.int64(state[SEAT])
    best, value = np.int64(NOBODY), np.int64(-1)
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) != seat or room_on(world, rules, state, t) == 0:
            continue
        for at in range(first_near(world, t), first_near(world, t + 1)):
            other = np.int64(world[at])
            if owner_of(state, other) != seat and continent_of(world, other) == goal:
                if armies_on(world, state, t) > value:
                    best, value = t, armies_on(world, state, t)
                break
    if best == NOBODY:
        return draft_strongest(world, rules, state)
    return place(world, rules, state, best, in_hand)


@kernel
def attack_continent(world, rules, state, chances, weights, scratch):
    """Take the goal; break the continents of others; earn a card; and, far superior, take whatever it can."""
    count = list_attacks(world, rules, state, scratch)
    goal = choose_goal(world, state, scratch)
    superior = _is_superior(world, state, weights, scratch)
    card = wants_card(rules, state)
    best, best_value = np.int64(NOTHING), 0.0
    for k in range(count):
        source, target = scratch[SOURCES, k], scratch[TARGETS, k]
        chance = win_chance(chances, armies_on(world, state, source) - 1, armies_on(world, state, target))
        if chance < weights[LEAST_CHANCE]:
            continue
        value = 0.0
        continent = continent_of(world, target)
        owner = owner_of(state, target)
        if continent == goal:
            value = 3.0 + chance
        elif owner >= 0 and is_held(world, state, owner, continent):
            value = 2.0 + chance + 0.01 * world[world[BONUS] + continent]
        elif superior or (card and chance >= weights[CARD_CHANCE]):
            value = 1.0 + chance
        if value > best_value:
            best, best_value = np.int64(k), value
    if best == NOTHING:
        return best
    return attack(world, rules, state, scratch[SOURCES, best], scratch[TARGETS, best])


@kernel
def _is_superior(world, state, weights, scratch):
    others = count_seen(world, state, scratch)
    return scratch[SEEN, np.int64(state[SEAT])] >= weights[SUPERIORITY] * others


@kernel
def choose_victim(world, state, scratch):
    """The player in reach who is nearest to elimination, the more so the more cards there are to win.

    Reads the row SEEN of `count_seen`. The neutral has nothing to win and never is the victim.
    """
    seat = np.int64(state[SEAT])
    victim, best = np.int64(NOBODY), 0.0
    for other in range(np.int64(state[PLAYERS])):
        if other == seat or scratch[SEEN, other] == 0:
            continue
        cards = state[CARD_COUNT + 3 * world[TERRITORIES] + other]
        value = (2.0 + max(cards, 0)) / (2.0 + scratch[SEEN, other])
        if value > best:
            if _is_in_reach(world, state, seat, other):
                victim, best = np.int64(other), value
    return victim


@kernel
def _is_in_reach(world, state, seat, other):
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) == seat:
            for at in range(first_near(world, t), first_near(world, t + 1)):
                if owner_of(state, np.int64(world[at])) == other:
                    return True
    return False


@kernel
def draft_killer(world, rules, state, scratch):
    """Place everything beside the victim, on the strongest territory that is."""
    count_seen(world, state, scratch)
    victim = choose_victim(world, state, scratch)
    seat = np.int64(state[SEAT])
    best = np.int64(NOBODY)
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) != seat or room_on(world, rules, state, t) == 0:
            continue
        for at in range(first_near(world, t), first_near(world, t + 1)):
            if owner_of(state, np.int64(world[at])) == victim:
                if best == NOBODY or armies_on(world, state, t) > armies_on(world, state, best):
                    best = t
                break
    if best == NOBODY:
        return draft_strongest(world, rules, state)
    return place(world, rules, state, best, np.int64(state[TO_PLACE]))


@kernel
def attack_killer(world, rules, state, chances, weights, scratch):
    """Attack the victim wherever it pays, its strongest stack last; else earn a card."""
    count = list_attacks(world, rules, state, scratch)
    superior = _is_superior(world, state, weights, scratch)
    victim = choose_victim(world, state, scratch)
    card = wants_card(rules, state)
    best, best_value = np.int64(NOTHING), 0.0
    for k in range(count):
        target = scratch[TARGETS, k]
        chance = win_chance(
            chances, armies_on(world, state, scratch[SOURCES, k]) - 1, armies_on(world, state, target)
        )
        if chance < weights[LEAST_CHANCE]:
            continue
        value = 0.0
        if owner_of(state, target) == victim:
            value = 2.0 + chance
        elif superior or (card and chance >= weights[CARD_CHANCE]):
            value = 1.0 + chance
        if value > best_value:
            best, best_value = np.int64(k), value
    if best == NOTHING:
        return best
    return attack(world, rules, state, scratch[SOURCES, best], scratch[TARGETS, best])


@kernel
def draft_turtle(world, rules, state, scratch):
    """Place half of what is in hand where the threat is greatest beside the defence, and so on.

    A choke point counts more the more of its continent lies behind it.
    """
    look_around(world, state, scratch)
    seat = np.int64(state[SEAT])
    best, worst = np.int64(NOBODY), 0.0
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) != seat or scratch[THREAT, t] == 0 or room_on(world, rules, state, t) == 0:
            continue
        continent = continent_of(world, t)
        behind = 1.0 + held_by(world, state, seat, continent) / size_of(world, continent)
        need = behind * scratch[THREAT, t] / armies_on(world, state, t)
        if need > worst:
            best, worst = t, need
    if best == NOBODY:
        return draft_weakest(world, rules, state, np.int64(0))
    return place(world, rules, state, best, (np.int64(state[TO_PLACE]) + 1) // 2)


@kernel
def attack_turtle(world, rules, state, chances, weights, scratch):
    """Take one territory for the card, the one that exposes it least; far superior, take whatever it can."""
    count = list_attacks(world, rules, state, scratch)
    superior = _is_superior(world, state, weights, scratch)
    if not superior and not wants_card(rules, state):
        return np.int64(NOTHING)
    seat = np.int64(state[SEAT])
    least = weights[LEAST_CHANCE] if superior else weights[CARD_CHANCE]
    best, best_value = np.int64(NOTHING), -1.0
    for k in range(count):
        target = scratch[TARGETS, k]
        chance = win_chance(
            chances, armies_on(world, state, scratch[SOURCES, k]) - 1, armies_on(world, state, target)
        )
        if chance < least:
            continue
        exposed = 0
        for at in range(first_near(world, target), first_near(world, target + 1)):
            if owner_of(state, np.int64(world[at])) != seat:
                exposed += 1
        value = chance / (1.0 + exposed)
        if value > best_value:
            best, best_value = np.int64(k), value
    if best == NOTHING:
        return best
    return attack(world, rules, state, scratch[SOURCES, best], scratch[TARGETS, best])
