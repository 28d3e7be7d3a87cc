"""What a seat may see of a state, and nothing more."""

from surefoot._jit import inlined, kernel

from .layout import (
    ARMY_COUNT,
    ATTACKS,
    CAPITAL_OF,
    CARD_COUNT,
    CONQUERED,
    CONTINENT_OF,
    CONTINENTS,
    DECK_COUNT,
    DISCARD,
    HELD,
    HIDDEN,
    MID_TURN,
    MUST_TRADE,
    NEAR,
    NOBODY,
    OVER,
    OWNER,
    PHASE,
    R_FOG,
    RESERVE,
    SEAT,
    SEATS,
    TERRITORIES,
    TERRITORY_COUNT,
    TO_PLACE,
    WAITING,
    WILD_CARDS,
)
from .turn import clear_attack


@kernel
def see(world, rules, state, seat, seen):
    """Copy ``state`` to ``seen``, less what ``seat`` may not see.

    Cards in the deck and in others' hands are HIDDEN, all alike. In fog a territory is seen that is owned
    or next to an owned one, or that nobody owns; of others, the counts are of what is seen, cards, starting
    armies and unseen capitals are not, and of their turns no more than that they have them. When the game
    is over everything is seen.
    """
    for word in range(state.shape[0]):
        seen[word] = state[word]
    if state[PHASE] == OVER:
        return
    count = world[TERRITORIES]
    for card in range(OWNER + 2 * count, OWNER + 3 * count + WILD_CARDS):
        if seen[card] != seat and seen[card] != DISCARD:
            seen[card] = HIDDEN
    if rules[R_FOG]:
        _fog(world, state, seat, seen)


@kernel
def _fog(world, state, seat, seen):
    count = world[TERRITORIES]
    continents = world[CONTINENTS]
    for other in range(state[SEATS]):
        if other == seat:
            continue
        for block in (TERRITORY_COUNT, ARMY_COUNT, CARD_COUNT, RESERVE):
            seen[block + 3 * count + other] = 0
        for continent in range(continents):
            seen[HELD + 3 * count + other * continents + continent] = 0
        capital = CAPITAL_OF + 3 * count + other
        if state[capital] != NOBODY and not _is_seen(world, state, seat, state[capital]):
            seen[capital] = HIDDEN
    seen[DECK_COUNT] = 0
    for t in range(count):
        owner = state[OWNER + t]
        if owner in (seat, NOBODY):
            continue
        if _is_seen(world, state, seat, t):
            continent = world[world[CONTINENT_OF] + t]
            seen[TERRITORY_COUNT + 3 * count + owner] += 1
            seen[ARMY_COUNT + 3 * count + owner] += state[OWNER + count + t]
            seen[HELD + 3 * count + owner * continents + continent] += 1
        else:
            seen[OWNER + t] = HIDDEN
            seen[OWNER + count + t] = 0
    if state[SEAT] != seat:
        clear_attack(seen)
        for word in (TO_PLACE, ATTACKS, CONQUERED, MID_TURN, MUST_TRADE):
            seen[word] = 0
        seen[PHASE] = WAITING


@inlined
def _is_seen(world, state, seat, t):
    """Whether ``t`` is owned by the seat or next to a territory that is, by a border in either direction."""
    if state[OWNER + t] == seat:
        return True
    row = world[NEAR] + t
    for place in range(world[row], world[row + 1]):
        if state[OWNER + world[place]] == seat:
            return True
    for other in range(world[TERRITORIES]):
        if state[OWNER + other] == seat:
            near = world[NEAR] + other
            for place in range(world[near], world[near + 1]):
                if world[place] == t:
                    return True
    return False
