"""The goals of the style `planner`: what each is worth, what it costs, and which one is best now.

A territory, a continent or a player is pursued by one score: the chance to take it (see `campaign`) times
what it gains, less the armies it loses. The words of ``weights`` say how much everything counts, in
armies; there are two sets of them, for two living players and for more. Before them stand three words by
which a search forces a goal.
"""

import math

import numpy as np

from surefoot._jit import inlined, kernel

from .campaign import (
    ARM,
    BREAK,
    CARD,
    CHOSEN_KIND,
    CONTINENT_COST,
    DANGER,
    EDGE,
    ELIMINATE,
    FREE,
    FROM,
    GAIN,
    HOLD,
    LOOKED_ENTRY,
    LOOKED_GAIN,
    LOOKED_LEFT,
    LOOKED_LOSS,
    MENACE,
    NONE,
    OUTSIDE,
    PATH_GAIN,
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
    others_armies,
    spread,
    survey,
    way_odds,
)
from .holding import bonus_of, is_whole
from .layout import (
    BONUS,
    CAPITAL_OF,
    CONTINENTS,
    NOBODY,
    PLAYERS,
    R_CAPITALS,
    SEAT,
    SEATS,
    TERRITORIES,
    TO_PLACE,
)
from .policies_common import (
    continent_of,
    first_near,
    held_by,
    owner_of,
    size_of,
    wants_card,
)

# Words of ``weights``. A forced goal: its kind (see `campaign`), its continent, seat or territory, and
# what comes after it is reached or out of reach: FREE to choose for itself, else it holds.
GOAL_KIND = 0
GOAL = 1
THEN = 2
FIRST = 3  # where the first set begins, for two living players; the second follows
# Words of a set, in armies unless it says otherwise.
TERR = 0  # a territory
KILL = 1  # an enemy army killed, shared among the rivals
LOSS = 2  # an own one lost
BREAKS = 3  # for each army of the bonus of a continent that an enemy held
BONUSES = 4  # the same for one of one's own
PROGRESS = 5  # the same for a part of one, by the square of the share then held
SPOIL = 6  # the same for an enemy's part
CARD_WORTH = 7  # the card of the turn
ELIM_CARD = 8  # each card of an eliminated player
ELIM = 9  # the elimination; winning the game is ten times that
EXPOSE = 10  # costs: each neighbour to attack that a territory has more than own ones
MIN_CHANCE = 11  # the least chance
STOP = 12  # the least score
GAMMA = 13  # the score is divided by the losses to this power
HOLD_K = 14  # how much the stacks at its gates lessen the worth of a continent
DEFEND = 15  # a held continent's bonus, where it is defended
DEFEND_K = 16  # the share of a threat that is wanted as defence
SUPPORT = 17  # the share of other stacks beside a goal that counts as help
TRADE = 18  # a set is kept unless each army of it adds so much to the score
LEADER = 19  # how much more it is worth to weaken the strong
SPLIT = 20  # above a half: after the last battle an army stays together
LEAVE = 21  # the least that the last move must gain
MINE_NEAR = 22  # claims: an own neighbour
SETTLE = 23  # claims: a bonus
MOBILE = 24  # each enemy army killed beyond the first of a territory, as those can attack
KEEP = 25  # the share of a threat that stays in a gate as the stack goes on
S_STICK = 26  # starting armies: beside each army that stands there
S_FEAR = 27  # starting armies: costs, for each army that threatens it
S_PLAN = 28  # starting armies: where the best goal begins
GUARD = 29  # costs: each army by which the stack is outnumbered where it ends
# The menace is the largest enemy stack's share of it and the own one together, with the draft. By so much of
# it these are more than said above:
TERR_MENACED = 30
LOSS_MENACED = 31
STOP_MENACED = 32
MOBILE_MENACED = 33
SET_WORDS = 34
PLANNER_WEIGHTS = FIRST + 2 * SET_WORDS

NO_GOAL = -1e9
"""The score where there is nothing to pursue."""

FORCED = 1000.0
"""The score of a forced goal, times its chance."""

_OUT_OF_REACH = 0.2  # the chance below which a forced goal is given up
_CAPITAL_GAIN = 10.0
_MANY = 4.0  # armies a territory, on the whole map


@inlined
def word(weights, state, number):
    """A word of the set that the number of living players asks for."""
    return weights[FIRST + number] if count_rivals(state) == 1 else weights[FIRST + SET_WORDS + number]


@inlined
def first_word(state):
    """Where that set begins."""
    return np.int64(FIRST) if count_rivals(state) == 1 else np.int64(FIRST + SET_WORDS)


@kernel
def _measure_menace(world, state, scratch):
    """Write the word MENACE of PLAN, in parts of 1024: see the words of ``weights``. Reads ARM."""
    own, other = np.int64(1), np.int64(0)
    for t in range(np.int64(world[TERRITORIES])):
        owner = owner_of(state, t)
        if owner == state[SEAT]:
            own = max(own, scratch[ARM, t])
        elif owner < state[PLAYERS]:
            other = max(other, scratch[ARM, t] - 1)
    scratch[PLAN, MENACE] = 1024 * other // (own + other + np.int64(state[TO_PLACE]))


@inlined
def menaced(weights, w, number, more, scratch):
    """A word with what it is more under the menace of this moment."""
    return weights[w + number] + weights[w + more] * scratch[PLAN, MENACE] / 1024.0


@inlined
def stopping(weights, state, scratch):
    """The score that a goal needs for going on; after `pursue`."""
    return menaced(weights, first_word(state), STOP, STOP_MENACED, scratch)


@inlined
def _count_armies(world, state):
    total = np.int64(1)
    for s in range(np.int64(state[SEATS])):
        total += others_armies(world, state, s)
    return total


@inlined
def _army_worth(world, state):
    """What an army counts: 1, and less where there are many, or all would wait behind their heaps."""
    return min(1.0, _MANY * world[TERRITORIES] / _count_armies(world, state))


@kernel
def appraise(world, rules, state, weights, scratch):
    """Fill the row GAIN: what each territory is worth to take."""
    seat = np.int64(state[SEAT])
    count = np.int64(world[TERRITORIES])
    players = np.int64(state[PLAYERS])
    w = first_word(state)
    rivals = count_rivals(state)
    territory = menaced(weights, w, TERR, TERR_MENACED, scratch)
    mobile = menaced(weights, w, MOBILE, MOBILE_MENACED, scratch)
    total = _count_armies(world, state)
    unit = _army_worth(world, state)
    for t in range(count):
        owner = owner_of(state, t)
        if owner == seat:
            continue
        c = continent_of(world, t)
        size = size_of(world, c)
        bonus = bonus_of(world, c)
        neighbours = first_near(world, t + 1) - first_near(world, t)
        exposed = 2 * scratch[EDGE, t] - neighbours
        share = (held_by(world, state, seat, c) + 1.0) / size
        gain = territory - weights[w + EXPOSE] * exposed + weights[w + PROGRESS] * bonus * share * share
        if owner >= 0 and owner < players:
            force = others_armies(world, state, owner) * (rivals + 1.0) / total
            factor = max(1.0 + weights[w + LEADER] * (force - 1.0), 0.1) / rivals
            armies = scratch[ARM, t]
            gain += (weights[w + KILL] * armies + mobile * max(armies - 1, 0)) * factor * unit
            part = held_by(world, state, owner, c) / size
            if part == 1.0:
                gain += weights[w + BREAKS] * bonus * factor
            else:
                gain += weights[w + SPOIL] * bonus * part * part * factor
            if rules[R_CAPITALS] and state[CAPITAL_OF + 3 * count + owner] == t:
                gain += _CAPITAL_GAIN
        scratch[GAIN, t] = np.int64(gain * 256.0)


@inlined
def _density(score, loss, gamma, best):
    """What goals are compared by: no more than the score, worked out only if that is above ``best``."""
    return score / math.pow(loss + 1.0, gamma) if gamma > 0.0 and score > max(best, 0.0) else score


@kernel
def choose_freely(world, rules, state, chances, weights, draft, scratch):
    """Choose the best goal of all, if every stack may get ``draft``; the answer is its score.

    Reads `survey`'s rows and GAIN.
    """
    seat = np.int64(state[SEAT])
    w = first_word(state)
    rivals = count_rivals(state)
    plan = scratch[PLAN]
    gamma, least = weights[w + GAMMA], weights[w + MIN_CHANCE]
    unit = _army_worth(world, state)
    lost = menaced(weights, w, LOSS, LOSS_MENACED, scratch) * unit
    card = weights[w + CARD_WORTH] if wants_card(rules, state) else 0.0
    spread(world, state, draft, np.int64(0), scratch)
    best, best_score = NO_GOAL, NO_GOAL
    kind, goal, entry = np.int64(HOLD), np.int64(NOBODY), np.int64(NOBODY)
    strongest, together = np.int64(0), np.int64(0)
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) == seat:
            if scratch[EDGE, t] > 0:
                strongest = max(strongest, scratch[ARM, t] - 1)
                together += scratch[ARM, t] - 1
            continue
        if scratch[FROM, t] == NOBODY:
            continue
        gain = scratch[PATH_GAIN, t] / 256.0 + card
        # No chance makes more of it, which spares most of the odds.
        if lost >= 0.0 and max(gain, 0.0) <= best:
            continue
        chance = way_odds(chances, t, scratch)
        if chance < least or chance <= 0.0:
            continue
        stack = scratch[REM, scratch[FROM, t]] / UNIT
        loss = min(scratch[PATH_LOSS, t] / UNIT, stack + 1.0)
        score = chance * gain - lost * loss
        rest = max(scratch[REM, t] / UNIT + 1.0, 0.0)
        score -= unit * weights[w + GUARD] * max(min(scratch[DANGER, t] - rest, rest), 0.0)
        density = _density(score, loss, gamma, best)
        if density > best:
            best, best_score = density, score
            kind, goal, entry = np.int64(TAKE), np.int64(t), np.int64(t)
    # Goals that cost much more than there is are not looked at.
    power = UNIT * (strongest + draft + 1 + np.int64(weights[w + SUPPORT] * together))
    stamp = np.int64(0)
    for c in range(np.int64(world[CONTINENTS])):
        bonus = np.float64(world[world[BONUS] + c])
        cost = scratch[CONTINENT_COST, c]
        if cost == 0 or bonus <= 0.0 or 4 * cost > 5 * power:
            continue
        stamp += 2
        chance = assess(
            world, state, weights[w + SUPPORT], np.int64(TAKE_CONTINENT), np.int64(c), stamp, draft, scratch
        )
        if chance < least or chance <= 0.0:
            continue
        loss = plan[LOOKED_LOSS] / UNIT
        rest = max(plan[LOOKED_LEFT] / UNIT, 0.0) + 3.0
        bonus *= rest / (rest + weights[w + HOLD_K] * scratch[OUTSIDE, c])
        gain = plan[LOOKED_GAIN] / 256.0 + weights[w + BONUSES] * bonus + card
        score = chance * gain - lost * loss
        density = _density(score, loss, gamma, best)
        if density > best:
            best, best_score = density, score
            kind, goal, entry = np.int64(TAKE_CONTINENT), np.int64(c), plan[LOOKED_ENTRY]
    for s in range(np.int64(state[PLAYERS])):
        cost = scratch[SEAT_COST, s]
        if not is_rival(state, s) or cost == 0 or 2 * cost > 3 * power:
            continue
        stamp += 2
        chance = assess(
            world, state, weights[w + SUPPORT], np.int64(ELIMINATE), np.int64(s), stamp, draft, scratch
        )
        if chance < 0.5 * least or chance <= 0.0:
            continue
        loss = plan[LOOKED_LOSS] / UNIT
        gain = plan[LOOKED_GAIN] / 256.0 + weights[w + ELIM_CARD] * cards_of(world, state, s) + card
        gain += weights[w + ELIM] * (10.0 if rivals == 1 else 1.0)
        score = chance * gain - lost * loss
        density = _density(score, loss, gamma, best)
        if density > best:
            best, best_score = density, score
            kind, goal, entry = np.int64(ELIMINATE), np.int64(s), plan[LOOKED_ENTRY]
    plan[CHOSEN_KIND] = kind
    if kind == HOLD:
        return NO_GOAL
    choose_entry(state, kind, goal, entry, scratch)
    return best_score


@kernel
def is_done(world, rules, state, kind, goal):
    """Whether a forced goal is reached, or can no longer be."""
    seat = np.int64(state[SEAT])
    if kind == TAKE_CONTINENT:
        return is_whole(world, state, seat, goal)
    if kind == BREAK:
        for s in range(np.int64(state[SEATS])):
            if s != seat and is_whole(world, state, np.int64(s), goal):
                return False
        return True
    if kind == ELIMINATE:
        return not is_rival(state, goal)
    if kind == TAKE:
        return owner_of(state, goal) == seat
    if kind == CARD:
        return not wants_card(rules, state)
    return True


@kernel
def choose_forced(world, state, chances, weights, draft, scratch):
    """Choose the goal that ``weights`` force; the answer is its chance."""
    kind, goal = np.int64(weights[GOAL_KIND]), np.int64(weights[GOAL])
    seat = np.int64(state[SEAT])
    spread(world, state, draft, np.int64(NONE), scratch)
    if kind in (TAKE_CONTINENT, ELIMINATE):
        support = word(weights, state, SUPPORT)
        chance = assess(world, state, support, kind, goal, np.int64(2), draft, scratch)
        if chance > 0.0:
            choose_entry(state, kind, goal, scratch[PLAN, LOOKED_ENTRY], scratch)
        return chance
    best, most, chance = np.int64(NOBODY), NO_GOAL, 0.0
    for t in range(np.int64(world[TERRITORIES])):
        if owner_of(state, t) == seat or scratch[FROM, t] == NOBODY:
            continue
        if (kind == TAKE and t != goal) or (kind == BREAK and continent_of(world, t) != goal):
            continue
        if kind == CARD and scratch[PATH_LENGTH, t] > 1:
            continue
        # Of those that are about as sure, the one that costs and exposes least.
        odds = way_odds(chances, t, scratch)
        value = odds - 0.02 * scratch[PATH_LOSS, t] / UNIT - 0.01 * scratch[EDGE, t]
        if value > most:
            best, most, chance = np.int64(t), value, odds
    if best == NOBODY:
        return 0.0
    choose_entry(state, np.int64(TAKE), best, best, scratch)
    return chance


@kernel
def pursue(world, rules, state, chances, weights, draft, source, target, scratch):
    """Choose what is best to do now, and write it to PLAN; the answer is its score, or NO_GOAL.

    Args:
        draft: armies that may yet be placed on any one stack.
        source, target: supposes that all armies but one went from one to the other; NOBODY if not.
    """
    survey(world, rules, state, chances, source, target, scratch)
    _measure_menace(world, state, scratch)
    kind = np.int64(weights[GOAL_KIND])
    if kind != FREE:
        if not is_done(world, rules, state, kind, np.int64(weights[GOAL])):
            chance = choose_forced(world, state, chances, weights, draft, scratch)
            if chance >= _OUT_OF_REACH:
                return FORCED * chance
            survey(world, rules, state, chances, source, target, scratch)
        if np.int64(weights[THEN]) != FREE:
            return NO_GOAL
    appraise(world, rules, state, weights, scratch)
    return choose_freely(world, rules, state, chances, weights, draft, scratch)
