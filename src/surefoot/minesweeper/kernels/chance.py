"""The chance of many games: what NumPy's default generator draws for each, without an object a game.

NumPy promises that `SeedSequence` and `PCG64` stay as they are, bit by bit. The first hashes words of 32 bits
into a pool of four (M. E. O'Neill, "Developing a seed_seq alternative", 2015), and the second is PCG XSL RR
128/64 (M. E. O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random
number generation", 2014). A word of 32 bits stands in a uint64 here, a state of 128 bits in two.
"""

import numpy as np

from surefoot._jit import inlined, kernel

U0 = np.uint64(0)
U1 = np.uint64(1)
U11 = np.uint64(11)
U16 = np.uint64(16)
U32 = np.uint64(32)
U58 = np.uint64(58)
U63 = np.uint64(63)
U64 = np.uint64(64)
LOW_HALF = np.uint64(0xFFFFFFFF)

# SeedSequence
POOL_SIZE = 4
INIT_POOL = np.uint64(0x43B0D7E5)
MULTIPLY_POOL = np.uint64(0x931E8875)
INIT_STATE = np.uint64(0x8B51F9DD)
MULTIPLY_STATE = np.uint64(0x58F38DED)
MIX_LEFT = np.uint64(0xCA01F9DD)
MIX_RIGHT = np.uint64(0x4973F715)

# PCG64
MULTIPLIER_HIGH = np.uint64(2549297995355413924)
MULTIPLIER_LOW = np.uint64(4865540595714422341)
UNIT = 2.0**-53


@kernel
def draw_games(entropy, first, pool, uniforms):
    """Fill the rows of ``uniforms`` with the first draws from [0, 1) of the games ``first``, ``first + 1``…

    Each row is what ``default_rng(SeedSequence([root, game])).random`` gives. ``entropy`` (uint64) holds the
    root's words of 32 bits, the lowest first, and room for two more, the game's; ``pool`` (uint64) has
    2 * POOL_SIZE words to work in.
    """
    root_words = len(entropy) - 2
    for row in range(len(uniforms)):
        game = np.uint64(first + row)
        entropy[root_words] = game & LOW_HALF
        entropy[root_words + 1] = game >> U32
        _stir(entropy, root_words + 1 + (entropy[root_words + 1] > U0), pool)
        # The four words of 64 bits that PCG64 asks for: its increment, and what its state is moved by.
        increment_high = (pool[6] << U1) | (pool[7] >> U63)
        increment_low = (pool[7] << U1) | U1
        high, low = _sum(increment_high, increment_low, pool[4], pool[5])
        high, low = _step(high, low, increment_high, increment_low)
        for column in range(uniforms.shape[1]):
            high, low = _step(high, low, increment_high, increment_low)
            word = high ^ low
            turn = high >> U58
            word = (word >> turn) | (word << ((U64 - turn) & U63))
            uniforms[row, column] = np.int64(word >> U11) * UNIT


@kernel
def _stir(entropy, words, pool):
    """Hash the first ``words`` of ``entropy`` into the pool; behind it come four words of 64 bits from it."""
    factor = INIT_POOL
    for i in range(POOL_SIZE):
        pool[i], factor = _hash(entropy[i] if i < words else U0, factor, MULTIPLY_POOL)
    for source in range(max(POOL_SIZE, words)):
        for i in range(POOL_SIZE):
            if i != source:
                word = pool[source] if source < POOL_SIZE else entropy[source]
                word, factor = _hash(word, factor, MULTIPLY_POOL)
                word = (MIX_LEFT * pool[i] - MIX_RIGHT * word) & LOW_HALF
                pool[i] = word ^ (word >> U16)
    factor = INIT_STATE
    for i in range(POOL_SIZE):
        low, factor = _hash(pool[2 * i % POOL_SIZE], factor, MULTIPLY_STATE)
        high, factor = _hash(pool[(2 * i + 1) % POOL_SIZE], factor, MULTIPLY_STATE)
        pool[POOL_SIZE + i] = low | (high << U32)


@inlined
def _hash(word, factor, multiplier):
    """A word hashed, and the factor for the next."""
    word ^= factor
    factor = (factor * multiplier) & LOW_HALF
    word = (word * factor) & LOW_HALF
    return word ^ (word >> U16), factor


@inlined
def _sum(high, low, more_high, more_low):
    """The sum of two numbers of 128 bits."""
    total = low + more_low
    return high + more_high + np.uint64(total < low), total


@inlined
def _step(high, low, increment_high, increment_low):
    """The next state of PCG64: times the multiplier, plus the increment."""
    # The product of the low words, from halves of 32 bits so that nothing is lost.
    a = low & LOW_HALF
    b = low >> U32
    c = MULTIPLIER_LOW & LOW_HALF
    d = MULTIPLIER_LOW >> U32
    middle = b * c + ((a * c) >> U32)
    other = a * d + (middle & LOW_HALF)
    carried = b * d + (middle >> U32) + (other >> U32)
    high = high * MULTIPLIER_LOW + low * MULTIPLIER_HIGH + carried
    return _sum(high, low * MULTIPLIER_LOW, increment_high, increment_low)
