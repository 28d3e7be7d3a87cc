"""Compiled policies seen from Python: what one is, and what it reads besides the position."""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError

from .battle import win_table
from .dice import Dice, roll_table
from .kernels import campaign, layout, policies, policies_common
from .rules import Rules
from .situation import Situation
from .worldmap import WorldMap

_LARGEST_BATTLE = 64
"""Armies a side in the table of chances; larger battles are judged by one of the same proportions."""


Think = Callable[[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]], None]
"""Thinks about a position (world, rules, state, scratch), and leaves in the scratch what comes of it."""


class Policy(NamedTuple):
    """A compiled style and how daring it is.

    Args:
        style: its code in `kernels.policies`.
        weights: float64, by the words of `kernels.policies_common`, or of the style's own module.
        think: is called when the kernel answers THINK, before it is asked again; of a style that never
            does, None.
    """

    style: int
    weights: NDArray[np.float64]
    think: Think | None = None


def policy(style: int, *, chance: float = 1.0, card_chance: float = 1.0, superiority: float = 1.0) -> Policy:
    """A policy that attacks with at least these chances (see `kernels.policies_common`).

    Raises:
        FormatError: a chance is not in [0, 1], or the superiority is negative.
    """
    for name, value, most in (
        ("chance", chance, 1.0),
        ("card_chance", card_chance, 1.0),
        ("superiority", superiority, math.inf),
    ):
        if not isinstance(value, int | float) or not 0 <= value <= most:
            expected = "0 or more" if most == math.inf else "0 to 1"
            raise FormatError(f"{name} is {expected}, not {value!r}")
    weights = np.empty(policies_common.WEIGHTS, np.float64)
    weights[policies_common.LEAST_CHANCE] = chance
    weights[policies_common.CARD_CHANCE] = card_chance
    weights[policies_common.SUPERIORITY] = superiority
    return Policy(style, weights)


class Tables(NamedTuple):
    """The tables that chance and policies read; they depend on the rules alone.

    Args:
        rolls: int64, shape (4, 4, 4): see `dice.roll_table`.
        chances: float64, square: the chance to win by attackers that can fight and defenders.
    """

    rolls: NDArray[np.int64]
    chances: NDArray[np.float64]


def tables(rules: Rules) -> Tables:
    """The tables of these rules."""
    return _tables(dice_of(rules))


def dice_of(rules: Rules) -> Dice:
    """The dice that these rules fight with."""
    if rules.battles == "coin":
        return Dice(1, 1, "coin")
    return Dice(layout.MAX_ATTACK_DICE, rules.defence_dice)


@cache
def _tables(dice: Dice) -> Tables:
    chances = win_table(_LARGEST_BATTLE, _LARGEST_BATTLE, dice=dice)
    return Tables(roll_table(dice.battles), np.ascontiguousarray(chances))


def new_scratch(worldmap: WorldMap) -> NDArray[np.int64]:
    """Room for policies to think on a map."""
    return np.zeros((campaign.CAMPAIGN_ROWS, len(worldmap.world)), np.int64)


def stack_weights(chosen: Sequence[Policy]) -> NDArray[np.float64]:
    """The weights of several policies as rows, shape (policies, the longest); none reads beyond its own."""
    rows = np.zeros((len(chosen), max(len(each.weights) for each in chosen)))
    for row, each in zip(rows, chosen, strict=True):
        row[: len(each.weights)] = each.weights
    return rows


def decide(
    chosen: Policy,
    position: Situation,
    streams: NDArray[np.uint64],
    stream: int = 0,
    scratch: NDArray[np.int64] | None = None,
) -> int:
    """The packed action that a policy plays; the position is as the seat to move sees it.

    Args:
        streams: uint64, the state of generators (see `kernels.rng`); number ``stream`` is used up further.
        scratch: room to think, for a policy that remembers there what it is about (see `new_scratch`).
    """
    world, rules, state = position.worldmap.world, position.packed, position.state
    room = new_scratch(position.worldmap) if scratch is None else scratch
    chances = tables(position.rules).chances

    def choose() -> int:
        # Without the compiler NumPy would warn of the overflow that the generator means.
        with np.errstate(over="ignore"):
            return int(
                policies.choose(
                    chosen.style, world, rules, state, chances, chosen.weights, streams, stream, room
                )
            )

    action = choose()
    if action == policies_common.THINK:
        assert chosen.think is not None
        chosen.think(world, rules, state, room)
        action = choose()
    return action
