"""The plain styles: random, passive, pacifist, spread and aggressive. Where they draft, and what they attack.

Each drafts by its ``draft_…``, which answers with a packed action in the phases SETUP and DRAFT, and attacks
by its ``attack_…``, which answers with one in the phase ATTACK, or NOTHING when it has attacked enough.
"""

import numpy as np

from surefoot._jit import kernel

from .layout import (
    ATTACK_ACTION,
    BLITZ_MAY,
    BLITZ_NEVER,
    CLAIM_ACTION,
    CONQUERED,
    DECIDED,
    NOBODY,
    OCCUPY_ACTION,
    ONE_ROLL,
    R_BLITZ,
    SEAT,
    TERRITORIES,
    TO_PLACE,
    UNOWNED,
)
from .legal import least_occupy, most_dice, most_occupy
from .policies_common import (
    LEAST_CHANCE,
    NOTHING,
    SOURCES,
    TARGETS,
    armies_on,
    attack,
    can_attack_from,
    list_attacks,
    owner_of,
    pack,
    place,
    room_on,
    win_chance,
)
from .rng import below, uniform


@kernel
def claim_random(world, state, streams, stream):
    """Claim any territory."""
    rank = below(streams, stream, np.int64(state[UNOWNED]))
    t = np.int64(0)
    while True:
        if owner_of(state, t) == NOBODY:
            if rank == 0:
                return pack(CLAIM_ACTION, t, 0, 0, 0)
            rank -= 1
        t += 1


@kernel
def occupy_random(world, rules, state, streams, stream):
    """Move in with any number."""
    least = np.int64(least_occupy(state))
    spare = np.int64(most_occupy(world, rules, state)) - least
    return pack(OCCUPY_ACTION, 0, 0, least + below(streams, stream, spare + 1), 0)


@kernel
def draft_random(world, rules, state, streams, stream):
    """Place some armies anywhere."""
    seat = np.int64(state[SEAT])
    found = np.int64(0)
    chosen = np.int64(NOBODY)
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) == seat and room_on(world, rules, state, t) > 0:
            found += 1
            if below(streams, stream, found) == 0:
                chosen = t
    armies = 1 + below(streams, stream, np.int64(state[TO_PLACE]))
    return place(world, rules, state, chosen, armies)


@kernel
def attack_random(world, rules, state, streams, stream, scratch):
    """Attack anything with any number, or stop; each attack and stopping are equally likely."""
    count = list_attacks(world, rules, state, scratch)
    chosen = below(streams, stream, count + 1)
    if chosen == count:
        return np.int64(NOTHING)
    source, target = scratch[SOURCES, chosen], scratch[TARGETS, chosen]
    armies = 1 + below(streams, stream, armies_on(world, state, source) - 1)
    roll = rules[R_BLITZ] == BLITZ_NEVER
    if rules[R_BLITZ] == BLITZ_MAY:
        roll = uniform(streams, stream) < 0.5
    if roll:
        return pack(ATTACK_ACTION, source, target, min(armies, most_dice(rules)), ONE_ROLL)
    return pack(ATTACK_ACTION, source, target, armies, DECIDED)


@kernel
def draft_weakest(world, rules, state, front_only):
    """Strengthen the weakest territory, of those that can attack or of all, by a fair share of the armies.

    The share is at least as much as it is behind the second weakest, and one more.
    """
    seat = np.int64(state[SEAT])
    best, second = np.int64(NOBODY), np.int64(0)
    count = np.int64(0)
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) != seat or room_on(world, rules, state, t) == 0:
            continue
        if front_only and not can_attack_from(world, state, seat, t):
            continue
        armies = armies_on(world, state, t)
        count += 1
        if best == NOBODY:
            best, second = np.int64(t), armies
        elif armies < armies_on(world, state, best):
            best, second = np.int64(t), armies_on(world, state, best)
        elif count == 2 or armies < second:
            second = armies
    if best == NOBODY:
        return np.int64(NOTHING)
    in_hand = np.int64(state[TO_PLACE])
    share = max(in_hand // count, second - armies_on(world, state, best) + 1)
    return place(world, rules, state, best, min(in_hand, share))


@kernel
def draft_even(world, rules, state):
    """Strengthen the weakest territory that can attack; where all of those are full, the weakest of all."""
    action = draft_weakest(world, rules, state, np.int64(1))
    return action if action != NOTHING else draft_weakest(world, rules, state, np.int64(0))


@kernel
def draft_strongest(world, rules, state):
    """Place everything on the strongest territory that can attack."""
    seat = np.int64(state[SEAT])
    best, most = np.int64(NOBODY), np.int64(0)
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) == seat and armies_on(world, state, t) > most:
            if room_on(world, rules, state, t) > 0 and can_attack_from(world, state, seat, t):
                best, most = np.int64(t), armies_on(world, state, t)
    if best == NOBODY:
        return draft_weakest(world, rules, state, np.int64(0))
    return place(world, rules, state, best, np.int64(state[TO_PLACE]))


@kernel
def attack_strongest(world, rules, state, chances, weights, scratch):
    """Attack from the strongest territory, its weakest neighbour first."""
    best = np.int64(NOTHING)
    strength, weakness = np.int64(0), np.int64(0)
    for k in range(list_attacks(world, rules, state, scratch)):
        armies = armies_on(world, state, scratch[SOURCES, k])
        defenders = armies_on(world, state, scratch[TARGETS, k])
        if armies > strength or (armies == strength and defenders < weakness):
            if win_chance(chances, armies - 1, defenders) >= weights[LEAST_CHANCE]:
                best, strength, weakness = np.int64(k), armies, defenders
    if best == NOTHING:
        return best
    return attack(world, rules, state, scratch[SOURCES, best], scratch[TARGETS, best])


@kernel
def attack_weakest_once(world, rules, state, chances, weights, scratch):
    """Take the weakest neighbour, and no more than one a turn."""
    if state[CONQUERED] == 1:
        return np.int64(NOTHING)
    return attack_surest(world, rules, state, chances, weights, scratch)


@kernel
def attack_surest(world, rules, state, chances, weights, scratch):
    """Make the attack that is likeliest to succeed."""
    best = np.int64(NOTHING)
    surest = weights[LEAST_CHANCE]
    for k in range(list_attacks(world, rules, state, scratch)):
        chance = win_chance(
            chances,
            armies_on(world, state, scratch[SOURCES, k]) - 1,
            armies_on(world, state, scratch[TARGETS, k]),
        )
        if chance >= surest:
            if best == NOTHING or chance > surest:
                best, surest = np.int64(k), chance
    if best == NOTHING:
        return best
    return attack(world, rules, state, scratch[SOURCES, best], scratch[TARGETS, best])
