"""What a position is worth to each player: its chance to win, by a small network that all seats share.

The network scores each living seat from its own words (see `value_words`), and the chances are the softmax
of the scores. It is one vector, ``net``, float64 of shape (NET_SIZE,): straight weights of the words; weights
of the words in each unit, unit by unit the quickest; the units' biases; their weights in the score. A unit
answers x / (1 + |x|).
"""

import math

import numpy as np

from surefoot._jit import inlined, kernel

from .layout import MAX_SEATS, PLAYERS
from .value_words import HIDDEN_UNITS, UNITS, WORDS, is_alive, tell

STRAIGHT = 0
FIRST = STRAIGHT + WORDS  # weight of word w in unit u: FIRST + w * UNITS + u
BIAS = FIRST + WORDS * UNITS
LAST = BIAS + UNITS
NET_SIZE = LAST + UNITS


@inlined
def _score(row, net):
    for unit in range(UNITS):
        row[HIDDEN_UNITS + unit] = net[BIAS + unit]
    score = 0.0
    for word in range(WORDS):
        value = row[word]
        score += value * net[STRAIGHT + word]
        first = FIRST + word * UNITS
        for unit in range(UNITS):
            row[HIDDEN_UNITS + unit] += value * net[first + unit]
    for unit in range(UNITS):
        value = row[HIDDEN_UNITS + unit]
        score += net[LAST + unit] * value / (1.0 + abs(value))
    return score


@kernel
def weigh(world, rules, state, net, words, out):
    """Each player's chance to win from a position where a turn begins.

    Args:
        world, rules: see `layout`.
        state: int32; of the cards in hands only their number is used, so that it may be seen or whole.
        net: see above.
        words: room: see `value_words`.
        out: float64, shape (MAX_SEATS,), filled: 0 for whoever is out and for the neutral; the rest adds up
            to 1.
    """
    for seat in range(MAX_SEATS):
        out[seat] = 0.0
    tell(world, rules, state, words)
    players = np.int64(state[PLAYERS])
    highest = -math.inf
    for seat in range(players):
        if is_alive(state, seat):
            out[seat] = _score(words[seat], net)
            highest = max(highest, out[seat])
    total = 0.0
    for seat in range(players):
        if is_alive(state, seat):
            out[seat] = math.exp(out[seat] - highest)
            total += out[seat]
    for seat in range(players):
        if is_alive(state, seat):
            out[seat] /= total
