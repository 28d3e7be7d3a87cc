"""Document B's agent as a compiled policy: it drafts by the heuristic and attacks by the tree.

The tree is searched outside of it, because a kernel that plays whole games would otherwise have to be
compiled
with the search in it: whoever asks for an action gets THINK, lets `alphabeta` search, says so in the memory,
    and asks again.

It takes what all policies take (see `policies_common`), with more words in ``weights`` and more rows in
``scratch`` (see `alphabeta_rows`). The last rows are its memory from one action of a turn to the next: a
draft is thought out once and then placed territory by territory, and of an army that has won all that is left
moves in. What it remembers is used only in the very position that it was meant for, so that any room will do:
in another one it thinks anew.
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .alphabeta_moves import army_of, attack_limit, may_attack
from .alphabeta_rows import (
    ADVICE,
    ATTACK_NUMBER,
    ATTACK_REST,
    ATTACK_ROUND,
    ATTACK_SEAT,
    ATTACK_SOURCE,
    ATTACK_TARGET,
    ATTACKS,
    CHOSEN,
    CONTROL,
    DRAFT,
    DRAFT_BY_TREE,
    DRAFT_HASH,
    DRAFT_LEFT,
    DRAFT_SEAT,
    GROUND,
    MEMORY,
    ORDER,
    PASS,
    PLANNED,
    RATIO,
    SHARES,
    SOURCE_SHIFT,
    TERRITORY_MASK,
    THOUGHT,
)
from .draft import list_ground, spread
from .layout import (
    ATTACK,
    ATTACK_ACTION,
    BLITZ_NEVER,
    DECIDED,
    OCCUPY_ACTION,
    ONE_ROLL,
    OWNER,
    PHASE,
    R_BLITZ,
    R_MAX_ARMIES,
    ROUND,
    SEAT,
    SOURCE,
    TARGET,
    TERRITORIES,
    TO_PLACE,
)
from .layout import ATTACKS as ATTACKS_MADE
from .layout import DRAFT as DRAFT_PHASE
from .legal import least_occupy, most_dice, most_occupy
from .policies_common import NOTHING, THINK, armies_on, occupy, pack, place
from .turn import place as place_armies

_FACTOR = 6_364_136_223_846_793_005
"""Of the hash, which overflows as it pleases (Knuth, The Art of Computer Programming, volume 2, 3.3.4)."""


@kernel
def draft(world, rules, state, weights, scratch):
    """Place what the heuristic gives to the next territory, or what is planned; THINK if it has to be."""
    count = np.int64(world[TERRITORIES])
    planned = scratch[PLANNED]
    memory = scratch[MEMORY]
    seat = np.int64(state[SEAT])
    left = np.int64(state[TO_PLACE])
    remembered = (
        memory[DRAFT_SEAT] == seat
        and memory[DRAFT_LEFT] == left
        and memory[DRAFT_HASH] == _hash(world, state)
    )
    chosen = _first(planned, count) if remembered else count
    if chosen == count and weights[DRAFT] == DRAFT_BY_TREE and state[PHASE] == DRAFT_PHASE:
        return np.int64(THINK)
    if chosen == count:
        list_ground(world, scratch[GROUND])
        number = spread(
            state[OWNER : OWNER + count],
            state[OWNER + count : OWNER + 2 * count],
            scratch[GROUND],
            seat,
            left,
            rules[R_MAX_ARMIES],
            scratch[ORDER],
            scratch[RATIO],
            scratch[CHOSEN],
            scratch[SHARES],
        )
        for t in range(count):
            planned[t] = 0
        for rank in range(number):
            planned[scratch[CHOSEN, rank]] = scratch[SHARES, rank]
        chosen = _first(planned, count)
    armies = planned[chosen]
    planned[chosen] = 0
    state[OWNER + count + chosen] += armies
    _remember_plan(world, state, memory, left - armies)
    state[OWNER + count + chosen] -= armies
    return place(world, rules, state, chosen, armies)


@kernel
def place_all(world, state, chosen, armies):
    """Place so many armies on one territory, as if attacks were due then."""
    place_armies(world, state, chosen, armies)
    state[TO_PLACE] = 0
    state[PHASE] = ATTACK


@kernel
def plan_draft(world, state, scratch, chosen):
    """Plan to place all armies on one territory, from the position as it is."""
    planned = scratch[PLANNED]
    for t in range(world[TERRITORIES]):
        planned[t] = 0
    planned[chosen] = state[TO_PLACE]
    _remember_plan(world, state, scratch[MEMORY], np.int64(state[TO_PLACE]))


@inlined
def _remember_plan(world, state, memory, left):
    """Say for which position the plan is meant: that as ``state`` is, with so many armies to be placed."""
    memory[DRAFT_SEAT] = state[SEAT]
    memory[DRAFT_LEFT] = left
    memory[DRAFT_HASH] = _hash(world, state)


@inlined
def _first(planned, count):
    for t in range(count):
        if planned[t] > 0:
            return np.int64(t)
    return count


@inlined
def _hash(world, state):
    """A number for owners, armies and the round."""
    count = np.int64(world[TERRITORIES])
    word = np.int64(state[ROUND])
    for place_ in range(OWNER, OWNER + 2 * count):
        word = word * _FACTOR + state[place_]
    return word


@kernel
def attack_as_thought(world, rules, state, weights, scratch):
    """Make the attack that the last search advised; THINK if there was none yet, NOTHING if none is
    possible."""
    memory = scratch[MEMORY]
    if memory[THOUGHT]:
        memory[THOUGHT] = 0
        return order(world, rules, state, weights, scratch, scratch[CONTROL, ADVICE])
    if state[ATTACKS_MADE] >= attack_limit(rules, np.int64(weights[ATTACKS])):
        return np.int64(NOTHING)
    return np.int64(THINK if may_attack(world, state, weights, np.int64(state[SEAT])) else NOTHING)


@inlined
def order(world, rules, state, weights, scratch, move):
    """The packed action for a move of the tree, which is remembered for when the army has won."""
    if move == PASS:
        return np.int64(NOTHING)
    source, target = move >> SOURCE_SHIFT, move & TERRITORY_MASK
    mine = armies_on(world, state, source)
    army = army_of(weights, mine - 1, armies_on(world, state, target))
    memory = scratch[MEMORY]
    memory[ATTACK_SEAT] = state[SEAT]
    memory[ATTACK_ROUND] = state[ROUND]
    memory[ATTACK_NUMBER] = state[ATTACKS_MADE] + 1
    memory[ATTACK_SOURCE] = source
    memory[ATTACK_TARGET] = target
    memory[ATTACK_REST] = mine - army
    if rules[R_BLITZ] == BLITZ_NEVER:
        return pack(ATTACK_ACTION, source, target, min(army, most_dice(rules)), ONE_ROLL)
    return pack(ATTACK_ACTION, source, target, army, DECIDED)


@kernel
def occupy_with_army(world, rules, state, scratch):
    """Move in with what is left of the army that fought."""
    memory = scratch[MEMORY]
    source, target = np.int64(state[SOURCE]), np.int64(state[TARGET])
    if (
        memory[ATTACK_SEAT] != state[SEAT]
        or memory[ATTACK_ROUND] != state[ROUND]
        or memory[ATTACK_NUMBER] != state[ATTACKS_MADE]
        or memory[ATTACK_SOURCE] != source
        or memory[ATTACK_TARGET] != target
    ):
        return occupy(world, rules, state, 1.0)
    armies = armies_on(world, state, source) + armies_on(world, state, target) - memory[ATTACK_REST]
    armies = max(min(armies, most_occupy(world, rules, state)), least_occupy(state))
    return pack(OCCUPY_ACTION, 0, 0, armies, 0)
