"""The chance of many games at once is the chance of each of them."""

import random

import numpy as np
import pytest

from surefoot.minesweeper import Level
from surefoot.minesweeper.bulk import draw_games, game_rng
from surefoot.minesweeper.game import draw_uniforms

LEVEL = Level(9, 9, 10)
LOTS = random.Random(20261130)


@pytest.mark.parametrize("bits", [0, 1, 31, 32, 33, 64, 65, 96, 97, 128, 129, 300])
def test_games_in_bulk_draw_what_each_draws_by_itself(bits: int) -> None:
    """NumPy hashes a root seed by its words of 32 bits: here are seeds of every number of words."""
    for root in (2**bits - 1, 2**bits, *(LOTS.getrandbits(bits) for _ in range(20))):
        for first in (0, LOTS.getrandbits(31), 2**32 - 2):
            for row, drawn in enumerate(draw_games(LEVEL, root, first, 4)):
                alone = draw_uniforms(LEVEL, game_rng(root, first + row))
                np.testing.assert_array_equal(drawn, alone, err_msg=f"root {root}, game {first + row}")
