"""The states that a position may be: what an observer does not see is dealt by lot."""

import numpy as np
from numpy.typing import NDArray

from .game import Game
from .kernels import layout
from .observation import Observation


def possible_states(
    position: Game | Observation, count: int, cards: np.random.Generator
) -> NDArray[np.int32]:
    """``count`` states that the position may be, shape (count, state_size).

    Args:
        position: of a game all is known; cards that an observation hides are dealt anew for every state,
            each way as likely.
        count: how many.
        cards: deals them.

    Raises:
        ValueError: fog lies on an observation.
    """
    if isinstance(position, Observation):
        if (position.card_places == layout.HIDDEN).any():
            return np.stack([Game.on(position, rng=None, cards=cards).state for _ in range(count)])
        position = Game.on(position, rng=None, cards=cards)
    return np.tile(position.state, (count, 1))
