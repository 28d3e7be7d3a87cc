"""Card sets: which there are in a hand, and what they are worth."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from .kernels import layout, legal
from .rules import CARDS_CODES, Rules
from .worldmap import KINDS, WorldMap

MIXED = "mixed"
"""A set of three different kinds; a set of one kind is called by that kind."""

CardSet = tuple[int, int, int]


def sets(worldmap: WorldMap, hand: Sequence[int]) -> Iterator[CardSet]:
    """Every set of three cards among ``hand``, cards in rising order."""
    for one, two, three in combinations(sorted(hand), 3):
        if set_name(worldmap, (one, two, three)) is not None:
            yield one, two, three


def set_name(worldmap: WorldMap, cards: CardSet) -> str | None:
    """A kind or ``mixed``, taking wild cards as what makes them worth most; None if it is no set."""
    code = int(legal.set_kind(worldmap.world, *cards))
    if code < 0:
        return None
    return MIXED if code == layout.WILD else KINDS[code]


def value(worldmap: WorldMap, rules: Rules, cards: CardSet, traded: int = 0) -> int:
    """Armies for a set when ``traded`` sets were handed in before it, by anybody.

    Pictures of own territories come on top: see `kernels.layout.PICTURE_BONUS`.

    Raises:
        ValueError: the cards are no set, or these rules know no cards.
    """
    code = int(legal.set_kind(worldmap.world, *cards))
    if code < 0:
        raise ValueError(f"cards {cards} are no set")
    if rules.cards == "none":
        raise ValueError("these rules know no cards")
    packed = np.zeros(layout.RULES_SIZE, np.int64)
    packed[layout.R_CARDS] = CARDS_CODES[rules.cards]
    return int(legal.set_value(packed, traded, code))
