"""The rules of play, written once: the object API, searches and the bulk players call the same functions.

What needs chance is left to `chance.resolve`: after a claim, an attack or the end of a turn the state may be
in one of the chance phases.
"""

from surefoot._jit import kernel

from .layout import (
    ATTACK,
    ATTACK_ACTION,
    ATTACKS,
    CARD_COUNT,
    CLAIM,
    CLAIM_ACTION,
    COMMITTED,
    DISCARD,
    DISCARD_COUNT,
    DRAFT,
    DRAFT_ACTION,
    FIRST_SHIFT,
    FORTIFY_ACTION,
    KIND_SHIFT,
    MAX_AFTER_ELIMINATION,
    MAX_HAND,
    MID_TURN,
    MUST_TRADE,
    NUMBER_MASK,
    OCCUPY_ACTION,
    OWNER,
    PHASE,
    PICTURE_BONUS,
    PLACE_MASK,
    R_MAX_ARMIES,
    RESERVE,
    ROLL,
    SEAT,
    SECOND_SHIFT,
    SETS,
    SETUP,
    SOURCE,
    TARGET,
    TERRITORIES,
    THIRD_SHIFT,
    TO_PLACE,
    TRADE_ACTION,
    UNTIL,
)
from .legal import check, has_room, set_kind, set_value
from .turn import clear_attack, end_turn, first_army, name_capital, next_setup, place, settle_draft


@kernel
def apply(world, rules, state, action):
    """Play one action of the seat whose turn it is.

    Args:
        world: int32, the map.
        rules: int64, the switches.
        state: int32, changed in place; untouched if a rule is broken.
        action: int64, packed (see `layout`).

    Returns:
        0, or the negative number of the rule that forbids it.
    """
    broken = check(world, rules, state, action)
    if broken:
        return broken
    kind = action >> KIND_SHIFT
    first = action >> FIRST_SHIFT & PLACE_MASK
    second = action >> SECOND_SHIFT & PLACE_MASK
    third = action >> THIRD_SHIFT & NUMBER_MASK
    fourth = action & NUMBER_MASK
    count = world[TERRITORIES]
    if kind == ATTACK_ACTION:
        state[ATTACKS] += 1
        state[SOURCE] = first
        state[TARGET] = second
        state[COMMITTED] = third
        state[UNTIL] = fourth
        state[PHASE] = ROLL
    elif kind == DRAFT_ACTION:
        place(world, state, first, third)
        state[TO_PLACE] -= third
        if state[PHASE] == SETUP:
            state[RESERVE + 3 * count + state[SEAT]] -= third
            if state[TO_PLACE] == 0 or not has_room(world, rules, state, state[SEAT]):
                next_setup(world, rules, state)
        else:
            settle_draft(world, rules, state)
    elif kind == OCCUPY_ACTION:
        more = third - state[OWNER + count + state[TARGET]]
        state[OWNER + count + state[SOURCE]] -= more
        state[OWNER + count + state[TARGET]] += more
        clear_attack(state)
        # The cards of an eliminated player may have to be traded before the attacks go on.
        if state[MUST_TRADE]:
            state[MID_TURN] = 1
            state[PHASE] = DRAFT
        else:
            state[PHASE] = ATTACK
    elif kind == FORTIFY_ACTION:
        state[OWNER + count + first] -= third
        state[OWNER + count + second] += third
        end_turn(world, rules, state)
    elif kind == CLAIM_ACTION:
        if state[PHASE] == CLAIM:
            first_army(world, rules, state, first)
        else:
            name_capital(world, rules, state, first)
    elif kind == TRADE_ACTION:
        _trade(world, rules, state, first, second, third, fourth)
    else:
        end_turn(world, rules, state)
    return 0


@kernel
def _trade(world, rules, state, one, two, three, bonus):
    count = world[TERRITORIES]
    cards = OWNER + 2 * count
    hand = CARD_COUNT + 3 * count + state[SEAT]
    state[TO_PLACE] += set_value(rules, state[SETS], set_kind(world, one, two, three))
    state[SETS] += 1
    state[cards + one] = DISCARD
    state[cards + two] = DISCARD
    state[cards + three] = DISCARD
    state[DISCARD_COUNT] += 3
    state[hand] -= 3
    if bonus:
        room = rules[R_MAX_ARMIES] - state[OWNER + count + bonus - 1]
        place(world, state, bonus - 1, min(PICTURE_BONUS, room))
    allowed = MAX_AFTER_ELIMINATION if state[MID_TURN] else MAX_HAND - 1
    state[MUST_TRADE] = 1 if state[hand] > allowed else 0
    settle_draft(world, rules, state)
