"""Positions of Risk typed as at a table, and actions that the rules refuse; for the tests of the rules."""

import numpy as np
import pytest

from surefoot.errors import IllegalAction
from surefoot.risk import Game, Observation, WorldMap, load
from surefoot.risk.actions import Action

CLASSIC = load("classic")
DUEL = load("duel")
MOOR, FEN, HEATH, DALE, WEALD, WOLD = range(6)
PLAYERS = range(2, 7)

# On the duel map: seat 0 west of the border, seat 1 east of it.
WEST_AND_EAST = [0, 0, 0, 1, 1, 1]
ARMIES = [3, 2, 1, 4, 3, 2]

RAPIDS = WorldMap.parse(
    """
    name = "rapids"
    [continents]
    Valley = 0
    [territories]
    Hill = { continent = "Valley", at = [0, 0] }
    Ford = { continent = "Valley", at = [1, 0] }
    Mill = { continent = "Valley", at = [2, 0] }
    [borders]
    Hill = ["Ford"]
    Ford = ["Mill"]
    [one-way]
    Hill = ["Mill"]
    """
)
"""From Hill one can go down to Mill, but not up from Mill to Hill."""

CHAIN = "players: 2\nphase: attack\n0: moor 5, fen 1, dale 1, heath 2\n1: weald 3, wold 3"
TABLE = "players: 3\n0: moor 5, fen 5\n1: heath 1, dale 3\n2: weald 3, wold 3\n"


def at(text: str) -> Game:
    """A game on the duel map, or the one that the text names; chance waits to be told what it brings."""
    full = "map: duel\n" + text if "map:" not in text else text
    return Game.on(Observation.parse(full), rng=None, cards=np.random.default_rng(0))


def refuses(game: Game, action: Action, words: str) -> None:
    """The rules forbid the action in these words, and the game is as it was before."""
    assert action not in game.legal_actions
    before = game.state.copy()
    with pytest.raises(IllegalAction, match=words):
        game.play(action)
    assert np.array_equal(game.state, before)
