"""What the scripted policies share: looking around, and the moves that all of them make alike.

A policy sees a state as the seat to move may see it, and answers with a packed action. It takes

* ``world``, ``rules``, ``state``: see `layout`;
* ``chances``: float64, square, [attackers, defenders]: the chance to take a territory;
* ``weights``: float64, shape (WEIGHTS,): how daring it is, the words below;
* ``streams``: uint64, and ``stream``: where its own lots come from (see `rng`);
* ``scratch``: int64, shape (SCRATCH_ROWS, len(world)): room to think, left in any state.
"""

import numpy as np

from surefoot._jit import inlined, kernel

from .layout import (
    ATTACK_ACTION,
    ATTACKS,
    BLITZ_NEVER,
    CARD_KIND,
    CARDS_NONE,
    CLAIM_ACTION,
    CONQUERED,
    CONTINENT_OF,
    CONTINENTS,
    DECIDED,
    DRAFT_ACTION,
    END_ACTION,
    FIRST_SHIFT,
    FORTIFY_ACTION,
    FORTIFY_CONNECTED,
    FORTIFY_NONE,
    HELD,
    KIND_SHIFT,
    MAX_SEATS,
    NEAR,
    NOBODY,
    NUMBER_MASK,
    OCCUPY_ACTION,
    ONE_ROLL,
    OWNER,
    PLACE_MASK,
    R_BLITZ,
    R_CARDS,
    R_FORTIFY,
    R_MAX_ARMIES,
    R_MAX_ATTACKS,
    SEAT,
    SECOND_SHIFT,
    SETS,
    SIZE,
    SOURCE,
    TARGET,
    TERRITORIES,
    THIRD_SHIFT,
    TRADE_ACTION,
    WILD,
    WILD_CARDS,
)
from .legal import least_occupy, most_dice, most_occupy, set_kind, set_value

NOTHING = -1
"""The answer where no move is wanted."""

THINK = -2
"""The answer of a policy that wants more thought than belongs in a kernel of whole games (see
`policy.Policy`)."""

# Words of ``weights``.
LEAST_CHANCE = 0  # an attack is made for its own sake only with at least this chance
CARD_CHANCE = 1  # and one that is made for the card of the turn with this
SUPERIORITY = 2  # so many times the armies of all others make it attack whatever it can
WEIGHTS = 3

# Rows of ``scratch``.
SOURCES = 0  # attacks that are possible: from where
TARGETS = 1  # and where to
THREAT = 2  # by own territory: enemy armies that can attack it
FRONT = 3  # by own territory: enemy territories that it can attack
QUEUE = 4
STEP = 5  # by territory: where the way to it from the start of a search begins, or NOBODY
OWN_ARMIES = 6  # by continent
ENEMY_ARMIES = 7  # by continent
GATES = 8  # by continent: territories from which one can leave it
SEEN = 9  # by seat: armies in sight
SCRATCH_ROWS = 10


@inlined
def owner_of(state, territory):
    """A seat, NOBODY or HIDDEN."""
    return np.int64(state[OWNER + territory])


@inlined
def armies_on(world, state, territory):
    """The armies that are seen there."""
    return np.int64(state[OWNER + world[TERRITORIES] + territory])


@inlined
def continent_of(world, territory):
    """The number of its continent."""
    return np.int64(world[world[CONTINENT_OF] + territory])


@inlined
def held_by(world, state, seat, continent):
    """How many territories of a continent a seat holds."""
    return np.int64(state[HELD + 3 * world[TERRITORIES] + seat * world[CONTINENTS] + continent])


@inlined
def size_of(world, continent):
    """How many territories it has."""
    return np.int64(world[world[SIZE] + continent])


@inlined
def first_near(world, territory):
    """Where in ``world`` the neighbours of a territory begin; they end where the next one's begin."""
    return np.int64(world[world[NEAR] + territory])


@inlined
def can_attack_from(world, state, seat, territory):
    """Whether a territory has a neighbour that is not the seat's."""
    for at in range(first_near(world, territory), first_near(world, territory + 1)):
        if owner_of(state, np.int64(world[at])) != seat:
            return True
    return False


@inlined
def room_on(world, rules, state, territory):
    """How many more armies the rules allow on a territory."""
    return rules[R_MAX_ARMIES] - armies_on(world, state, territory)


@inlined
def win_chance(chances, attackers, defenders):
    """The chance of a battle; one too large for the table is read from one of the same proportions."""
    most = np.int64(chances.shape[0] - 1)
    largest = max(attackers, defenders)
    if largest > most:
        attackers = attackers * most // largest
        defenders = max(defenders * most // largest, 1)
    return chances[attackers, defenders]


@inlined
def pack(kind, first, second, third, fourth):
    """An action as one number (see `layout`)."""
    return (
        np.int64(kind) << KIND_SHIFT
        | np.int64(first) << FIRST_SHIFT
        | np.int64(second) << SECOND_SHIFT
        | np.int64(third) << THIRD_SHIFT
        | np.int64(fourth)
    )


@inlined
def end_turn():
    """The action that ends the turn."""
    return pack(END_ACTION, 0, 0, 0, 0)


@inlined
def attack(world, rules, state, source, target):
    """Attack with everything until it is decided, or with as many dice as may be where that is forbidden."""
    armies = armies_on(world, state, source) - 1
    if rules[R_BLITZ] == BLITZ_NEVER:
        return pack(ATTACK_ACTION, source, target, min(armies, most_dice(rules)), ONE_ROLL)
    return pack(ATTACK_ACTION, source, target, armies, DECIDED)


@inlined
def place(world, rules, state, territory, armies):
    """Place ``armies`` of those in hand, or as many as find room."""
    return pack(DRAFT_ACTION, territory, 0, min(armies, room_on(world, rules, state, territory)), 0)


@inlined
def wants_card(rules, state):
    """Whether a conquest would still earn the card of this turn."""
    return rules[R_CARDS] != CARDS_NONE and state[CONQUERED] == 0


@kernel
def look_around(world, state, scratch):
    """Fill the rows THREAT and FRONT for the seat to move."""
    seat = np.int64(state[SEAT])
    territories = np.int64(world[TERRITORIES])
    for t in range(territories):
        scratch[THREAT, t] = 0
        scratch[FRONT, t] = 0
    for t in range(territories):
        mine = owner_of(state, t) == seat
        armies = armies_on(world, state, t)
        for place_ in range(first_near(world, t), first_near(world, t + 1)):
            other = np.int64(world[place_])
            if (owner_of(state, other) == seat) != mine:
                if mine:
                    scratch[FRONT, t] += 1
                else:
                    scratch[THREAT, other] += armies


@kernel
def list_attacks(world, rules, state, scratch):
    """Fill the rows SOURCES and TARGETS with all attacks that the rules allow now; the answer is how many."""
    if rules[R_MAX_ATTACKS] > 0 and state[ATTACKS] >= rules[R_MAX_ATTACKS]:
        return np.int64(0)
    seat = np.int64(state[SEAT])
    count = np.int64(0)
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) == seat and armies_on(world, state, t) > 1:
            for at in range(first_near(world, t), first_near(world, t + 1)):
                other = np.int64(world[at])
                if owner_of(state, other) != seat:
                    scratch[SOURCES, count] = t
                    scratch[TARGETS, count] = other
                    count += 1
    return count


@kernel
def count_seen(world, state, scratch):
    """Fill the row SEEN with the armies of each seat that are in sight; the answer is that of all others."""
    for seat in range(MAX_SEATS):
        scratch[SEEN, seat] = 0
    others = np.int64(0)
    for t in range(np.int64(world[TERRITORIES])):
        owner = owner_of(state, t)
        if owner >= 0:
            scratch[SEEN, owner] += armies_on(world, state, t)
            if owner != state[SEAT]:
                others += armies_on(world, state, t)
    return others


@kernel
def study_continents(world, state, scratch):
    """Fill the rows of continents: OWN_ARMIES, ENEMY_ARMIES and GATES."""
    seat = np.int64(state[SEAT])
    for continent in range(np.int64(world[CONTINENTS])):
        scratch[OWN_ARMIES, continent] = 0
        scratch[ENEMY_ARMIES, continent] = 0
        scratch[GATES, continent] = 0
    for t in range(np.int64(world[TERRITORIES])):
        continent = continent_of(world, t)
        row = OWN_ARMIES if owner_of(state, t) == seat else ENEMY_ARMIES
        scratch[row, continent] += armies_on(world, state, t)
        for at in range(first_near(world, t), first_near(world, t + 1)):
            if continent_of(world, np.int64(world[at])) != continent:
                scratch[GATES, continent] += 1
                break


@kernel
def claim(world, state):
    """Claim what lies among one's own and fills up a continent."""
    seat = np.int64(state[SEAT])
    best, best_value = np.int64(NOBODY), -1.0
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) != NOBODY:
            continue
        continent = continent_of(world, t)
        size = size_of(world, continent)
        value = 3.0 * held_by(world, state, seat, continent) / size + 1.0 / size
        for at in range(first_near(world, t), first_near(world, t + 1)):
            if owner_of(state, np.int64(world[at])) == seat:
                value += 1.0
        if value > best_value:
            best, best_value = t, value
    return pack(CLAIM_ACTION, best, 0, 0, 0)


@kernel
def name_capital(world, state, scratch):
    """Name the own territory that the fewest enemies can reach."""
    look_around(world, state, scratch)
    best = np.int64(NOBODY)
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) == state[SEAT]:
            if best == NOBODY or scratch[THREAT, t] < scratch[THREAT, best]:
                best = t
    return pack(CLAIM_ACTION, best, 0, 0, 0)


@kernel
def trade(world, rules, state, scratch):
    """Hand in the set that is worth most, with own pictures and without wild cards if possible."""
    hand = scratch[QUEUE]
    seat = np.int64(state[SEAT])
    territories = np.int64(world[TERRITORIES])
    count = np.int64(0)
    for card in range(territories + WILD_CARDS):
        if state[OWNER + 2 * territories + card] == seat:
            hand[count] = card
            count += 1
    best, best_value = np.int64(NOTHING), np.int64(NOTHING)
    for i in range(count):
        for j in range(i + 1, count):
            for k in range(j + 1, count):
                kind = set_kind(world, hand[i], hand[j], hand[k])
                if kind < 0:
                    continue
                value = 8 * np.int64(set_value(rules, state[SETS], kind))
                value += _card_value(world, state, hand[i])
                value += _card_value(world, state, hand[j])
                value += _card_value(world, state, hand[k])
                if value > best_value:
                    best_value = value
                    best = pack(TRADE_ACTION, hand[i], hand[j], hand[k], 0)
    if best == NOTHING:
        return best
    look_around(world, state, scratch)
    bonus = _most_threatened(state, scratch, best >> FIRST_SHIFT & PLACE_MASK, np.int64(NOBODY), territories)
    bonus = _most_threatened(state, scratch, best >> SECOND_SHIFT & PLACE_MASK, bonus, territories)
    bonus = _most_threatened(state, scratch, best >> THIRD_SHIFT & NUMBER_MASK, bonus, territories)
    return best + bonus + 1


@inlined
def _card_value(world, state, card):
    """2 more for an own picture, 1 less for a wild card, which is of more use later."""
    if world[world[CARD_KIND] + card] == WILD:
        return -1
    return 2 if owner_of(state, card) == state[SEAT] else 0


@inlined
def _most_threatened(state, scratch, card, before, territories):
    """The territory of the card if it is owned and more threatened than ``before``, which may be NOBODY."""
    if card >= territories or owner_of(state, card) != state[SEAT]:
        return before
    return card if before == NOBODY or scratch[THREAT, card] > scratch[THREAT, before] else before


@kernel
def occupy(world, rules, state, share):
    """Move in where the enemies are.

    Where both the old and the new territory have enemies to attack, ``share`` of what can go, goes.
    """
    seat = np.int64(state[SEAT])
    source, target = np.int64(state[SOURCE]), np.int64(state[TARGET])
    moved = armies_on(world, state, source) - 1
    if can_attack_from(world, state, seat, source):
        moved = np.int64(moved * share) if can_attack_from(world, state, seat, target) else np.int64(0)
    armies = np.int64(least_occupy(state)) + moved
    return pack(OCCUPY_ACTION, 0, 0, min(armies, np.int64(most_occupy(world, rules, state))), 0)


@kernel
def march(world, rules, state, scratch):
    """The last move of a turn: the largest army that has no enemy goes towards one; else the turn ends."""
    if rules[R_FORTIFY] == FORTIFY_NONE:
        return end_turn()
    seat = np.int64(state[SEAT])
    source = np.int64(NOBODY)
    most = np.int64(1)
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) == seat and armies_on(world, state, t) > most:
            if not can_attack_from(world, state, seat, t):
                source, most = np.int64(t), armies_on(world, state, t)
    if source == NOBODY:
        return end_turn()
    target = _way_to_front(world, rules, state, scratch, source)
    if target == NOBODY:
        return end_turn()
    armies = min(most - 1, room_on(world, rules, state, target))
    if armies < 1:
        return end_turn()
    return pack(FORTIFY_ACTION, source, target, armies, 0)


@kernel
def _way_to_front(world, rules, state, scratch, source):
    """Where an army goes: to the neighbour nearest to the front, or as far as the most threatened place."""
    look_around(world, state, scratch)
    for t in range(np.int64(world[TERRITORIES])):
        scratch[STEP, t] = NOBODY
    scratch[STEP, source] = source
    scratch[QUEUE, 0] = source
    head, tail = np.int64(0), np.int64(1)
    best = np.int64(NOBODY)
    while head < tail:
        t = scratch[QUEUE, head]
        head += 1
        if scratch[FRONT, t] > 0:
            if rules[R_FORTIFY] != FORTIFY_CONNECTED:
                return scratch[STEP, t]
            if room_on(world, rules, state, t) > 0:
                if best == NOBODY or scratch[THREAT, t] > scratch[THREAT, best]:
                    best = t
        for at in range(first_near(world, t), first_near(world, t + 1)):
            other = np.int64(world[at])
            if owner_of(state, other) == state[SEAT] and scratch[STEP, other] == NOBODY:
                scratch[STEP, other] = other if t == source else scratch[STEP, t]
                scratch[QUEUE, tail] = other
                tail += 1
    return best
