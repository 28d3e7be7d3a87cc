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
    if not isinstance(position, Observation):
        return np.tile(position.state, (count, 1))
    dealt = Game.on(position, rng=None, cards=cards)
    states = np.tile(dealt.state, (count, 1))
    hidden = np.flatnonzero(position.card_places == layout.HIDDEN)
    words = layout.OWNER + 2 * len(position.worldmap.territories) + hidden
    states[:, words] = cards.permuted(states[:, words], axis=1)
    return states
