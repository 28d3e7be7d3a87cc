"""Campaigns: how far a stack can go, at what loss, and with which chance.

`survey` looks at the map once, `spread` finds the cheapest ways from the own stacks to everywhere, `assess`
tells the chance to take all of a goal, and `next_attack` makes the first step towards it. They work in
rows of ``scratch`` (see `policies_common`) that no other policy uses, and remember nothing between actions.

Armies are counted in sixteenths where fractions matter. The cost of a territory is what the attacker loses
there on average, and the army that stays behind: d defenders cost about the rate of losses times d - 1/4,
a single one .6 of it (exact for two dice against three: .515, 1.55, 2.31, 3.21 at a rate of .853).
"""

import math

import numpy as np

from surefoot._jit import inlined, kernel

from .alphabeta_rows import ROOM_ROWS
from .layout import (
    ALIVE,
    ARMY_COUNT,
    BLITZ_MAY,
    CARD_COUNT,
    CONTINENTS,
    HIDDEN,
    MAX_SEATS,
    NOBODY,
    PLAYERS,
    R_BLITZ,
    SEAT,
    TERRITORIES,
)
from .policies_common import (
    NOTHING,
    armies_on,
    attack,
    continent_of,
    first_near,
    owner_of,
    win_chance,
)

# Rows of ``scratch``, by territory unless it says otherwise.
ARM = ROOM_ROWS  # armies, as the plan supposes them
COST = ROOM_ROWS + 1  # 16 times what taking it costs, with the army left behind; 0 on own ones
REM = ROOM_ROWS + 2  # 16 times what the best stack has free when it is there; NONE where none gets
FROM = ROOM_ROWS + 3  # where that stack comes from, or NOBODY
EDGE = ROOM_ROWS + 4  # neighbours that are not own
DANGER = ROOM_ROWS + 5  # armies of players beside it: the mean of all together and the largest stack
GAIN = ROOM_ROWS + 6  # 256 times what taking it is worth; for the caller to fill
PATH_GAIN = ROOM_ROWS + 7  # the sum of gains on the way there, as of the next three
PATH_ARMIES = ROOM_ROWS + 8
PATH_LENGTH = ROOM_ROWS + 9
PATH_LOSS = ROOM_ROWS + 10  # in sixteenths
QUEUED = ROOM_ROWS + 11
RING = ROOM_ROWS + 12
MARK = ROOM_ROWS + 13  # which goals it is part of
MET = ROOM_ROWS + 14  # which part of which goal has counted it
STACK = ROOM_ROWS + 15
PLAN = ROOM_ROWS + 16  # by word, below
CONTINENT_COST = ROOM_ROWS + 17  # by continent: the sum of costs
SEAT_COST = ROOM_ROWS + 18  # by seat
OUTSIDE = ROOM_ROWS + 19  # by continent: the stacks that stand at its gates
CAMPAIGN_ROWS = ROOM_ROWS + 20

# Words of the row PLAN. Of the goal looked at last:
LOOKED_ORIGIN = 0  # the own stack that goes first
LOOKED_ENTRY = 1  # the first territory of the goal it comes to
LOOKED_LEFT = 2  # 16 times what is left of it
LOOKED_LOSS = 3  # 16 times what is lost in all
LOOKED_GAIN = 4  # 256 times the gains of the territories taken
# Of the goal that was chosen:
CHOSEN_KIND = 5
CHOSEN_GOAL = 6
CHOSEN_ORIGIN = 7
CHOSEN_ENTRY = 8
CHOSEN_STEP = 9  # the first territory on the way
# Of the gate that lacks most, see `holding`:
GATE_LACK = 10
GATE_VALUE = 11
# See `planner_goals`:
MENACE = 12

# Kinds of goal.
FREE = 0
TAKE_CONTINENT = 1
BREAK = 2
ELIMINATE = 3
TAKE = 4
CARD = 5
HOLD = 6
GATHER = 7  # all starting armies on one territory; afterwards as FREE

UNIT = 16
NONE = -(1 << 40)
_UNSEEN = 2  # armies supposed in fog
_LEAST_CHANCE = 0.02  # a goal less likely than this is none
_PART = 1024  # more than there are territories


@inlined
def others_armies(world, state, seat):
    """The armies of a seat that are seen."""
    return np.int64(state[ARMY_COUNT + 3 * world[TERRITORIES] + seat])


@inlined
def cards_of(world, state, seat):
    """The cards that a seat is known to hold."""
    return max(np.int64(state[CARD_COUNT + 3 * world[TERRITORIES] + seat]), np.int64(0))


@inlined
def is_rival(state, seat):
    """Whether a seat is a living player other than the one to move."""
    return seat != state[SEAT] and (state[ALIVE] >> seat & 1) == 1


@inlined
def count_rivals(state):
    """Living players besides the one to move, at least 1."""
    count = np.int64(0)
    for seat in range(np.int64(state[PLAYERS])):
        if is_rival(state, seat):
            count += 1
    return max(count, np.int64(1))


@kernel
def loss_rate(chances):
    """Sixteenths of an army that a large battle costs the attacker for each defender killed.

    Read from the table of chances: as many attackers as are even with half the table's defenders.
    """
    most = np.int64(chances.shape[0] - 1)
    defenders = most // 2
    low, high = np.int64(1), most
    while low < high:
        middle = (low + high) // 2
        if chances[middle, defenders] >= 0.5:
            high = middle
        else:
            low = middle + 1
    return max(UNIT * (low - 1) // defenders, np.int64(4))


@inlined
def _loss(rate, defenders):
    if defenders <= 1:
        return rate * 6 // 10
    return rate * defenders - rate // 4


@inlined
def odds(left, armies, places):
    """The chance of a campaign against ``armies`` in so many ``places``, by the normal approximation.

    ``left`` is 16 times what is left on average where all is won. Killing one of many armies costs .853 with
    variance 2.1, killing a single one .515 with .78.
    """
    z = (left / UNIT - 1.0) / math.sqrt(max(2.1 * armies - 1.3 * places, 0.5))
    if z > 4.0:
        return 1.0
    if z < -4.0:
        return 0.0
    return 1.0 / (1.0 + math.exp(-1.7 * z))


@kernel
def survey(world, rules, state, chances, source, target, scratch):
    """Fill the rows about the map; first, unless ``source`` is NOBODY, all but one go over to ``target``."""
    seat = np.int64(state[SEAT])
    count = np.int64(world[TERRITORIES])
    players = np.int64(state[PLAYERS])
    rate = loss_rate(chances)
    for c in range(np.int64(world[CONTINENTS])):
        scratch[CONTINENT_COST, c] = 0
        scratch[OUTSIDE, c] = 0
    for s in range(MAX_SEATS):
        scratch[SEAT_COST, s] = 0
    for t in range(count):
        hidden = owner_of(state, t) == HIDDEN
        scratch[ARM, t] = _UNSEEN if hidden else armies_on(world, state, t)
    if source != NOBODY:
        moved = scratch[ARM, source] - 1
        scratch[ARM, source] -= moved
        scratch[ARM, target] += moved
    for t in range(count):
        owner = owner_of(state, t)
        c = continent_of(world, t)
        edge, danger, most, outside = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        for at in range(first_near(world, t), first_near(world, t + 1)):
            other = np.int64(world[at])
            near = owner_of(state, other)
            if near == seat:
                continue
            edge += 1
            if near < players:  # the neutral never attacks
                armies = scratch[ARM, other]
                danger += armies
                most = max(most, armies)
                if continent_of(world, other) != c:
                    outside = max(outside, armies)
        scratch[EDGE, t] = edge
        scratch[DANGER, t] = (danger + most) // 2
        scratch[OUTSIDE, c] += outside
        scratch[MARK, t] = 0
        scratch[MET, t] = 0
        scratch[QUEUED, t] = 0
        scratch[FROM, t] = NOBODY
        scratch[REM, t] = NONE
        scratch[GAIN, t] = 0
        if owner == seat:
            scratch[COST, t] = 0
            continue
        cost = _loss(rate, scratch[ARM, t]) + UNIT
        scratch[COST, t] = cost
        scratch[CONTINENT_COST, c] += cost
        if owner >= 0:
            scratch[SEAT_COST, owner] += cost


@kernel
def spread(world, state, draft, limit, scratch):
    """Find the cheapest ways from the own stacks, each of which may get the whole ``draft``, to everywhere.

    A way ends where the stack has no more than ``limit`` sixteenths left. Reads `survey`'s rows and GAIN.
    """
    seat = np.int64(state[SEAT])
    count = np.int64(world[TERRITORIES])
    ring = np.int64(scratch.shape[1])
    head, tail, waiting = np.int64(0), np.int64(0), np.int64(0)
    for t in range(count):
        if owner_of(state, t) == seat:
            scratch[REM, t] = UNIT * (scratch[ARM, t] - 1 + draft)
            scratch[PATH_GAIN, t] = 0
            scratch[PATH_ARMIES, t] = 0
            scratch[PATH_LENGTH, t] = 0
            scratch[PATH_LOSS, t] = 0
            if scratch[EDGE, t] > 0 and scratch[REM, t] > limit:
                scratch[RING, tail] = t
                scratch[QUEUED, t] = 1
                tail += 1
                waiting += 1
    while waiting > 0:
        here = scratch[RING, head]
        head = head + 1 if head + 1 < ring else np.int64(0)
        waiting -= 1
        scratch[QUEUED, here] = 0
        for at in range(first_near(world, here), first_near(world, here + 1)):
            t = np.int64(world[at])
            if owner_of(state, t) == seat:
                continue
            left = scratch[REM, here] - scratch[COST, t]
            if left <= scratch[REM, t]:
                continue
            scratch[REM, t] = left
            scratch[FROM, t] = here
            scratch[PATH_GAIN, t] = scratch[PATH_GAIN, here] + scratch[GAIN, t]
            scratch[PATH_ARMIES, t] = scratch[PATH_ARMIES, here] + scratch[ARM, t]
            scratch[PATH_LENGTH, t] = scratch[PATH_LENGTH, here] + 1
            scratch[PATH_LOSS, t] = scratch[PATH_LOSS, here] + scratch[COST, t] - UNIT
            if scratch[QUEUED, t] == 0 and left > limit:
                scratch[QUEUED, t] = 1
                scratch[RING, tail] = t
                tail = tail + 1 if tail + 1 < ring else np.int64(0)
                waiting += 1


@inlined
def way_odds(chances, t, scratch):
    """The chance to take ``t`` by the way that `spread` found; 0 where there is none."""
    before = scratch[FROM, t]
    if before == NOBODY:
        return 0.0
    if scratch[PATH_LENGTH, t] == 1:
        attackers = scratch[REM, before] // UNIT
        return win_chance(chances, attackers, max(scratch[ARM, t], 1)) if attackers > 0 else 0.0
    return odds(scratch[REM, t] + 2 * UNIT, scratch[PATH_ARMIES, t], scratch[PATH_LENGTH, t])


@inlined
def is_member(world, state, t, kind, goal):
    """Whether a territory is to be taken for a goal of the kinds TAKE_CONTINENT and ELIMINATE."""
    owner = owner_of(state, t)
    if owner == state[SEAT]:
        return False
    if kind == ELIMINATE:
        return owner == goal
    return continent_of(world, t) == goal


@kernel
def assess(world, state, support, kind, goal, stamp, draft, scratch):
    """The chance to take all members of a goal this turn; fills the words LOOKED of PLAN unless it is 0.

    A goal may lie in parts that do not touch: each is for the stack that gets there best, which goes to the
    hardest first, because if that fails little is lost.

    Args:
        support: what share of the other own armies beside a part counts as help.
        stamp: an even number from 2 on, larger than those of the goals assessed since `survey`.
        draft: the armies that every stack may get, as in `spread`.
    """
    seat = np.int64(state[SEAT])
    count = np.int64(world[TERRITORIES])
    plan, stack = scratch[PLAN], scratch[STACK]
    for t in range(count):
        if is_member(world, state, t, kind, goal):
            scratch[MARK, t] = stamp
    chance, worst = 1.0, 2.0
    losses, gain = np.int64(0), np.int64(0)
    spent_at, spent = np.int64(NOBODY), np.int64(0)
    for first in range(count):
        if scratch[MARK, first] != stamp:
            continue
        depth = np.int64(1)
        stack[0] = first
        scratch[MARK, first] = stamp + 1
        cost, armies, places = np.int64(0), np.int64(0), np.int64(0)
        entry, best = np.int64(NOBODY), np.int64(NONE)
        helpers = np.int64(0)
        while depth > 0:
            depth -= 1
            t = stack[depth]
            places += 1
            armies += scratch[ARM, t]
            cost += scratch[COST, t]
            gain += scratch[GAIN, t]
            before = scratch[FROM, t]
            if before != NOBODY and scratch[MARK, before] < stamp and scratch[REM, before] > best:
                entry, best = t, scratch[REM, before]
            for at in range(first_near(world, t), first_near(world, t + 1)):
                other = np.int64(world[at])
                if scratch[MARK, other] == stamp:
                    scratch[MARK, other] = stamp + 1
                    stack[depth] = other
                    depth += 1
                elif owner_of(state, other) == seat and scratch[MET, other] != stamp * _PART + first:
                    scratch[MET, other] = stamp * _PART + first
                    helpers += max(scratch[ARM, other] - 1, 0)
        if entry == NOBODY:
            return 0.0
        before = scratch[FROM, entry]
        origin = before
        while owner_of(state, origin) != seat:
            origin = scratch[FROM, origin]
        own = max(scratch[ARM, origin] - 1, 0)
        if origin == before:
            helpers = max(helpers - own, np.int64(0))
        available = best + np.int64(support * UNIT * helpers)
        if origin == spent_at:
            available -= spent
        left = available - cost + UNIT  # nobody stays behind in front of the last
        value = odds(left, armies, places)
        chance *= value
        if chance < _LEAST_CHANCE:
            return 0.0
        losses += cost - UNIT * places + scratch[PATH_LOSS, before]
        spent_at = origin
        spent = cost + UNIT * (own + draft) - best
        if value < worst:
            worst = value
            plan[LOOKED_ORIGIN] = origin
            plan[LOOKED_ENTRY] = entry
            plan[LOOKED_LEFT] = left
    if worst > 1.0:
        return 0.0
    plan[LOOKED_LOSS] = losses
    plan[LOOKED_GAIN] = gain
    return chance


@inlined
def choose_entry(state, kind, goal, entry, scratch):
    """Write the words CHOSEN of PLAN: the way to ``entry`` is walked back to the own stack."""
    plan = scratch[PLAN]
    plan[CHOSEN_KIND] = kind
    plan[CHOSEN_GOAL] = goal
    plan[CHOSEN_ENTRY] = entry
    origin = np.int64(entry)
    while owner_of(state, origin) != state[SEAT]:
        plan[CHOSEN_STEP] = origin
        origin = scratch[FROM, origin]
    plan[CHOSEN_ORIGIN] = origin


@inlined
def _strike(world, rules, state, source, target):
    """Attack until it is decided, or until more is lost than was to be expected, to think again."""
    action = attack(world, rules, state, source, target)
    defenders = armies_on(world, state, target)
    if rules[R_BLITZ] != BLITZ_MAY or defenders < 3:
        return action
    rest = armies_on(world, state, source) - 3 - defenders - defenders // 4
    return action + max(rest, 0)


@kernel
def next_attack(world, rules, state, chances, scratch):
    """The first attack towards the goal in the words CHOSEN of PLAN, packed, or NOTHING."""
    plan = scratch[PLAN]
    seat = np.int64(state[SEAT])
    kind, goal = plan[CHOSEN_KIND], plan[CHOSEN_GOAL]
    origin, step = plan[CHOSEN_ORIGIN], plan[CHOSEN_STEP]
    if kind == TAKE or step != plan[CHOSEN_ENTRY]:
        if scratch[ARM, origin] < 2:
            return np.int64(NOTHING)
        return _strike(world, rules, state, origin, step)
    best, source, target = -1e9, np.int64(NOBODY), np.int64(NOBODY)
    for here in range(np.int64(world[TERRITORIES])):
        if owner_of(state, here) != seat or scratch[ARM, here] < 2:
            continue
        for at in range(first_near(world, here), first_near(world, here + 1)):
            t = np.int64(world[at])
            if not is_member(world, state, t, kind, goal):
                continue
            chance = win_chance(chances, scratch[ARM, here] - 1, max(scratch[ARM, t], 1))
            # Dead ends first: they take few armies, and the stack need not come back for them.
            onward = 0
            for to in range(first_near(world, t), first_near(world, t + 1)):
                if is_member(world, state, np.int64(world[to]), kind, goal):
                    onward += 1
            value = chance - 0.1 * onward
            if here == origin:
                value += 0.3
            elif chance < 0.4:
                value -= 1.0
            if value > best:
                best, source, target = value, np.int64(here), t
    if source == NOBODY:
        return np.int64(NOTHING)
    return _strike(world, rules, state, source, target)
