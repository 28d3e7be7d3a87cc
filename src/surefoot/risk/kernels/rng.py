"""Lots for kernels: SplitMix64, a generator whose whole state is one 64-bit word.

An array of such words is an array of independent streams. All arithmetic is on uint64, where overflow is
meant. Source: Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators, OOPSLA.
"""

import numpy as np

from surefoot._jit import inlined, kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_S30 = np.uint64(30)
_S27 = np.uint64(27)
_S31 = np.uint64(31)
_S11 = np.uint64(11)
_UNIT = 2.0**-53


@inlined
def uniform(streams, number):
    """The next float64 in [0, 1) of stream ``number``, one of 2^53 evenly spaced."""
    word = streams[number] + _GOLDEN
    streams[number] = word
    word = (word ^ (word >> _S30)) * _FIRST
    word = (word ^ (word >> _S27)) * _SECOND
    word = word ^ (word >> _S31)
    return np.float64(word >> _S11) * _UNIT


@kernel
def next_uniform(streams, number):
    """The same, for callers outside the kernels."""
    return uniform(streams, number)


@inlined
def below(streams, number, count):
    """The next whole number from 0 to ``count - 1`` of a stream; even but for ``count`` parts in 2^53."""
    return np.int64(uniform(streams, number) * count)
