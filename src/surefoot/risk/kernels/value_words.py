"""A position in the words of one seat, for `value`: what it has, what threatens it, and when it moves.

Words are shares, ratios and logarithms of ratios, so that they carry over to any map and any number of
players. They are about positions where a turn begins, and use of the cards in a hand only how many they are:
a state, and what any seat sees of it without fog, have the same words. The neutral is no player: it has no
row, takes no part in shares among players, and threatens nobody.

``words`` is float64, shape (MAX_SEATS, `columns` (continents)). The first WORDS columns of a living seat's
row are its words; the rest, and the last row, are room to count in. All is 0 in the row of whoever is out.

An army *strikes* over a border with what it has beyond the one that stays. A territory with a border to what
is not the seat's own lies at the *front*. A seat's *gain* is its income and what its cards are worth; its
*force* is its armies and its gain. A *mean* is over the living players.
"""

import math

import numpy as np

from surefoot._jit import inlined, kernel

from .layout import (
    ALIVE,
    ARMY_COUNT,
    BONUS,
    CAPITAL_OF,
    CARD_COUNT,
    CARDS_FIXED,
    CARDS_NONE,
    CONTINENT_OF,
    CONTINENTS,
    HELD,
    INFANTRY,
    MAX_SEATS,
    NEAR,
    OWNER,
    PLAYERS,
    R_CARDS,
    SEAT,
    SEATS,
    SETS,
    SIZE,
    TERRITORIES,
    TERRITORY_COUNT,
)
from .legal import reinforcements, set_value

# What a seat has.
LAND = 0  # its share of all territories
LAND_LOG = 1  # log of its territories over the mean, as for the next three
ARMIES = 2  # its share of the players' armies
ARMIES_LOG = 3
INCOME = 4  # its share of the armies that come with the next turns, cards apart
INCOME_LOG = 5
FORCE = 6  # its share of the forces
FORCE_LOG = 7
BONUSES = 8  # bonuses of continents held / mean income
NEARLY = 9  # of those not held, each by its held part squared / mean income
REACH = 10  # the best of those: bonus by the square of own / all armies there, reinforced / mean income
# How it stands.
LARGEST = 11  # the largest army / own armies
FRONT = 12  # armies at the front / own armies
FRONT_LARGEST = 13  # the largest army at the front / mean armies
BORDERS = 14  # territories at the front / own territories
COMPACT = 15  # borders between own territories / all borders of own territories
PRESSURE = 16  # mean over the borders that can be struck: strike / (strike + armies there)
THREATENED = 17  # bonuses of continents held, each by the highest such ratio / mean income
DANGER = 18  # the highest over others: its armies next to the seat and its gain / (these + own armies)
DANGER_SOON = 19  # the same over those who move first
PREY = 20  # the highest over others of what is their danger by this seat
PREY_CARDS = 21  # that by their cards / 5
CARDS = 22  # in hand / 5
SET = 23  # what they are worth, times the chance that they hold a set / mean force
MOVES_NOW = 24  # 1 for whose turn it is
WAIT = 25  # turns of others before its own / most
CAPITALS = 26  # capitals it holds / all; 0 without
# The strongest other.
OTHER_FORCE = 27  # its share of the forces
OTHER_INCOME = 28  # the largest share of income of another
OTHER_CARDS = 29  # the most cards of another / 5
OTHER_SET = 30  # the most that another's cards are worth / mean force
# The table, alike for all seats.
LIVING = 31  # (living players - 2) / 4
DUEL = 32  # 1 with two living players
NEUTRAL = 33  # the neutral's share of all territories
DENSITY = 34  # log of armies a territory
GROWTH = 35  # all income / all armies
NEXT_SET = 36  # the worth of the next set / mean armies
WORDS = 37

NAMES = (
    *("land", "land-log", "armies", "armies-log", "income", "income-log", "force", "force-log"),
    *("bonuses", "nearly", "reach", "largest", "front", "front-largest", "borders", "compact"),
    *("pressure", "threatened", "danger", "danger-soon", "prey", "prey-cards", "cards", "set"),
    *("moves-now", "wait", "capitals", "other-force", "other-income", "other-cards", "other-set"),
    *("living", "duel", "neutral", "density", "growth", "next-set"),
)
"""The words by name, in their order."""

# Room in a row, after the words.
_GAIN = WORDS  # income and what the cards are worth
_ARMY = _GAIN + 1  # its armies
_NEXT_TO = _ARMY + 1  # seats: armies of each that have a border to this one
HIDDEN_UNITS = _NEXT_TO + MAX_SEATS  # for `value`
UNITS = 16
_BEHIND = HIDDEN_UNITS + UNITS  # continents: armies of the seat there; in the last row, all armies there
# and after it, continents: the highest ratio of a strike at one of the seat's territories there.

_TABLE = MAX_SEATS - 1  # players are at most six
_FEWEST = 0.02  # ratios below have this one's logarithm
_HAND = 5.0  # cards are counted in such hands

# Of three and four cards in random hands: how many hold a set. More always do. By counting, with 14 of each
# picture and two wild cards: 5600 of C(44, 3), and all but 24,843 of C(44, 4).
_THREE_CARDS = 0.42
_FOUR_CARDS = 0.82
_FIXED_SET = 9.0  # the mean worth of the best set in a hand that has one, at fixed values


@inlined
def columns(continents):
    """How many columns ``words`` has."""
    return _BEHIND + 2 * continents


@inlined
def next_set(rules, state):
    """What the next set is worth, before it is known of which kind; 0 without cards."""
    if rules[R_CARDS] == CARDS_NONE:
        return 0.0
    if rules[R_CARDS] == CARDS_FIXED:
        return _FIXED_SET
    return float(set_value(rules, state[SETS], INFANTRY))


@inlined
def _set_chance(cards):
    """How likely so many unknown cards hold a set."""
    if cards < 3:
        return 0.0
    if cards == 3:
        return _THREE_CARDS
    return _FOUR_CARDS if cards == 4 else 1.0


@inlined
def _log_ratio(value, mean):
    return math.log(max(value / mean, _FEWEST))


@inlined
def is_alive(state, seat):
    """Whether a player still plays."""
    return state[ALIVE] >> seat & 1 == 1


@kernel
def tell(world, rules, state, words):
    """Fill ``words`` of every seat; the answer is how many players live."""
    players = np.int64(state[PLAYERS])
    for row in range(MAX_SEATS):
        for column in range(words.shape[1]):
            words[row, column] = 0.0
    _walk(world, state, words, players)
    return _compare(world, rules, state, words, players)


@inlined
def _walk(world, state, words, players):
    """Count along all territories and borders: sums go to the columns that they become a word of."""
    count = np.int64(world[TERRITORIES])
    continents = np.int64(world[CONTINENTS])
    continent_of = np.int64(world[CONTINENT_OF])
    near = np.int64(world[NEAR])
    worst = _BEHIND + continents
    for t in range(count):
        seat = np.int64(state[OWNER + t])
        if seat < 0:
            continue
        armies = float(state[OWNER + count + t])
        continent = np.int64(world[continent_of + t])
        words[_TABLE, _BEHIND + continent] += armies
        if seat >= players:
            continue
        words[seat, _BEHIND + continent] += armies
        strike = armies - 1.0
        first = np.int64(world[near + t])
        last = np.int64(world[near + t + 1])
        struck = 0
        own = 0
        for place in range(first, last):
            other = np.int64(world[place])
            enemy = np.int64(state[OWNER + other])
            if enemy == seat:
                own += 1
            elif enemy >= 0 and enemy < players:
                struck |= 1 << enemy
                ratio = strike / (strike + state[OWNER + count + other])
                there = worst + np.int64(world[continent_of + other])
                words[enemy, PRESSURE] += ratio
                words[enemy, DANGER] += 1.0
                words[enemy, there] = max(words[enemy, there], ratio)
        words[seat, COMPACT] += own
        words[seat, WAIT] += last - first
        words[seat, LARGEST] = max(words[seat, LARGEST], armies)
        if own < last - first:
            words[seat, FRONT] += armies
            words[seat, FRONT_LARGEST] = max(words[seat, FRONT_LARGEST], armies)
            words[seat, BORDERS] += 1.0
        if struck:
            for enemy in range(players):
                if struck >> enemy & 1:
                    words[enemy, _NEXT_TO + seat] += armies


@inlined
def _compare(world, rules, state, words, players):
    """Make words of the sums."""
    count = np.int64(world[TERRITORIES])
    counts = 3 * count
    set_worth = next_set(rules, state)
    living = 0
    all_land = 0.0
    all_armies = 0.0
    all_income = 0.0
    all_force = 0.0
    capitals = 0.0
    for seat in range(players):
        if not is_alive(state, seat):
            continue
        living += 1
        income = float(reinforcements(world, rules, state, seat))
        cards = set_worth * _set_chance(state[CARD_COUNT + counts + seat])
        words[seat, INCOME] = income
        words[seat, SET] = cards
        words[seat, _GAIN] = income + cards
        words[seat, _ARMY] = float(state[ARMY_COUNT + counts + seat])
        words[seat, FORCE] = words[seat, _ARMY] + income + cards
        words[seat, CARDS] = state[CARD_COUNT + counts + seat] / _HAND
        all_land += state[TERRITORY_COUNT + counts + seat]
        all_armies += words[seat, _ARMY]
        all_income += income
        all_force += words[seat, FORCE]
    for seat in range(players):
        capital = np.int64(state[CAPITAL_OF + counts + seat])
        if capital >= 0:
            capitals += 1.0
            owner = np.int64(state[OWNER + capital])
            if owner >= 0 and owner < players:
                words[owner, CAPITALS] += 1.0
    if living == 0:
        return living
    # In fog, what is seen of the others may be nothing.
    mean_land = max(all_land / living, 1.0)
    mean_armies = max(all_armies / living, 1.0)
    mean_income = max(all_income / living, 1.0)
    mean_force = max(all_force / living, 1.0)
    neutral = 0.0
    if state[SEATS] > players:
        neutral = state[TERRITORY_COUNT + counts + players] / count
    density = math.log(max(all_armies / max(all_land, 1.0), 1.0))
    turn = 0
    for step in range(players):
        seat = (np.int64(state[SEAT]) + step) % players
        if not is_alive(state, seat):
            continue
        row = words[seat]
        land = float(state[TERRITORY_COUNT + counts + seat])
        armies = row[_ARMY]
        _tell_continents(world, state, row, words[_TABLE], seat, mean_income)
        _tell_others(state, words, seat, players)
        row[LAND] = land / count
        row[LAND_LOG] = _log_ratio(land, mean_land)
        row[ARMIES] = armies / (mean_armies * living)
        row[ARMIES_LOG] = _log_ratio(armies, mean_armies)
        row[INCOME_LOG] = _log_ratio(row[INCOME], mean_income)
        row[FORCE_LOG] = _log_ratio(row[FORCE], mean_force)
        row[LARGEST] /= max(armies, 1.0)
        row[FRONT] /= max(armies, 1.0)
        row[FRONT_LARGEST] /= mean_armies
        row[BORDERS] /= max(land, 1.0)
        row[MOVES_NOW] = 1.0 if turn == 0 else 0.0
        row[WAIT] = turn / max(living - 1.0, 1.0)
        if capitals > 0.0:
            row[CAPITALS] /= capitals
        row[LIVING] = (living - 2.0) / 4.0
        row[DUEL] = 1.0 if living == 2 else 0.0
        row[NEUTRAL] = neutral
        row[DENSITY] = density
        row[GROWTH] = all_income / max(all_armies, 1.0)
        row[NEXT_SET] = set_worth / mean_armies
        turn += 1
    for seat in range(players):
        words[seat, INCOME] /= mean_income * living
        words[seat, FORCE] /= mean_force * living
        words[seat, SET] /= mean_force
        words[seat, OTHER_FORCE] /= mean_force * living
        words[seat, OTHER_INCOME] /= mean_income * living
        words[seat, OTHER_SET] /= mean_force
    return living


@inlined
def _tell_continents(world, state, row, table, seat, mean_income):
    """What a seat holds, what of it is threatened, and what is nearly held or in reach."""
    continents = np.int64(world[CONTINENTS])
    held = HELD + 3 * np.int64(world[TERRITORIES]) + seat * continents
    bonuses = np.int64(world[BONUS])
    sizes = np.int64(world[SIZE])
    for continent in range(continents):
        bonus = world[bonuses + continent] / mean_income
        own = np.int64(state[held + continent])
        size = np.int64(world[sizes + continent])
        if own == 0 or bonus == 0.0:
            continue
        if own == size:
            row[BONUSES] += bonus
            row[THREATENED] += bonus * row[_BEHIND + continents + continent]
            continue
        part = own / size
        row[NEARLY] += bonus * part * part
        enemies = table[_BEHIND + continent] - row[_BEHIND + continent]
        force = row[_BEHIND + continent] + row[_GAIN]
        ratio = force / (force + enemies)
        row[REACH] = max(row[REACH], bonus * ratio * ratio)


@inlined
def _tell_others(state, words, seat, players):
    """Whom a seat has to fear, whom it may eliminate, and how strong the strongest other is."""
    row = words[seat]
    row[PRESSURE] /= max(row[DANGER], 1.0)
    row[COMPACT] /= max(row[WAIT], 1.0)
    row[DANGER] = 0.0
    mover = np.int64(state[SEAT])
    before = (seat - mover + players) % players
    for other in range(players):
        if other == seat or not is_alive(state, other):
            continue
        row[OTHER_FORCE] = max(row[OTHER_FORCE], words[other, FORCE])
        row[OTHER_INCOME] = max(row[OTHER_INCOME], words[other, INCOME])
        row[OTHER_SET] = max(row[OTHER_SET], words[other, SET])
        row[OTHER_CARDS] = max(row[OTHER_CARDS], words[other, CARDS])
        near = row[_NEXT_TO + other]
        if near > 0.0:
            force = near + words[other, _GAIN]
            ratio = force / (force + row[_ARMY])
            row[DANGER] = max(row[DANGER], ratio)
            if (other - mover + players) % players < before:
                row[DANGER_SOON] = max(row[DANGER_SOON], ratio)
        near = words[other, _NEXT_TO + seat]
        if near > 0.0:
            force = near + row[_GAIN]
            ratio = force / (force + words[other, _ARMY])
            row[PREY] = max(row[PREY], ratio)
            row[PREY_CARDS] = max(row[PREY_CARDS], ratio * words[other, CARDS])
