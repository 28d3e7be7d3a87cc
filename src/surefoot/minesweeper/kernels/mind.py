"""What a player thinks with beyond the count, under one name."""

from typing import Any, NamedTuple

from numpy.typing import NDArray

from .endgame import Endgame
from .words import FEATURES

CANDIDATES = 48
"""So many cells are weighed against each other at most."""
UNITS = 96
"""Hidden units of the network, at most."""

# Words of `options`: how far a player looks
LOOK_AHEAD = 0  # whether to count what follows a guess; else the least likely mine is opened
WINDOW = 1  # candidates are at most so much riskier than the safest
MOST = 2  # so many candidates are looked into
THREATS = 3  # whether to look for threats
LEAF = 4  # what a position is worth: SURVIVAL or NETWORK
ENDGAME = 5  # most layouts of a position that is played perfectly; 0 for none
NODES = 6  # how many sets of layouts that may search
FIRST_CELL = 7  # opened on an untouched board; a cell's number
OPTIONS = 8

# LEAF
SURVIVAL = 0  # the chance to survive the next guess
NETWORK = 1  # the chance to win as the network estimates it

# Words of `base`, the position before the guess
LOG_LAYOUTS = 0  # as LOG_TOTAL
ALL_THREATS = 1  # what all threats cost together
# and of the last thought
GUESSED = 2  # the candidate that it guesses, or NONE
GUESS_WORTH = 3  # what that is worth: the mean of its row of `leaf`
PROMISE = 4  # the chance to win that perfect play has found, or NONE
BASE_SIZE = 5

NONE = -1.0

# Rows of `value`, by candidate
PLACE = 0
RISK = 1
AROUND = 2  # its unknown neighbours
WORTH = 3
VALUE_ROWS = 4

# Rows of `net`: a column a unit, and one more that goes straight to the output
BIAS = 0
WEIGHTS = 1  # FEATURES rows
OUTPUT = 1 + FEATURES  # what each unit weighs in the output; the last column's is 1
NET_ROWS = 2 + FEATURES
NET_COLUMNS = UNITS + 1


class Mind(NamedTuple):
    """Filled by one thought and overwritten by the next; ``options`` and ``net`` are only read.

    Args:
        options: float64: the words above.
        net: float64, shape (NET_ROWS, NET_COLUMNS): the network of `leaf`.
        units: float64, shape (NET_COLUMNS,): where it is worked out.
        after, totals: what is known after a guess, as ``view`` and ``tally`` are.
        base: float64: the words above.
        risk: float64, shape (places,): the probability of a mine before the guess.
        floating: int8, shape (places,): 1 where an unknown cell lies beside no number.
        threat: float64, shape (places,): see `threats.find_threats`.
        shape: int64: the threat at hand.
        kinds: int64: which kinds of floating cells are among the candidates.
        value: float64, shape (VALUE_ROWS, CANDIDATES): the candidates, the safest first.
        chance: float64, shape (CANDIDATES, 9): the probability that a candidate is safe and shows a number.
        leaf: float64, shape (CANDIDATES, 9): what the position after that is worth.
        features: float64, shape (CANDIDATES, 9, FEATURES): the position after that.
        endgame: where few layouts are searched.
    """

    options: NDArray[Any]
    net: NDArray[Any]
    units: NDArray[Any]
    after: NDArray[Any]
    totals: NDArray[Any]
    base: NDArray[Any]
    risk: NDArray[Any]
    floating: NDArray[Any]
    threat: NDArray[Any]
    shape: NDArray[Any]
    kinds: NDArray[Any]
    value: NDArray[Any]
    chance: NDArray[Any]
    leaf: NDArray[Any]
    features: NDArray[Any]
    endgame: Endgame
