"""Awkward games of Risk: the agent sits on one seat, random players on the others."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from surefoot.risk.agents.random import RandomAgent
from surefoot.risk.bulk import as_action
from surefoot.risk.game import Game
from surefoot.risk.observation import Observation
from surefoot.risk.rules import Rules
from surefoot.risk.situation import Outcome
from surefoot.risk.worldmap import WorldMap, load

from .awkward import Case

_SEED = 1
_MOST = 3000
"""Moves of one seat in a dozen rounds: who needs more gets nowhere."""

_ONE_WAY = """name = "one-way"

[continents]
Shore = 2
"Far Isle" = 1

[territories]
"Old Harbour" = { continent = "Shore", at = [0, 0] }
Beacon = { continent = "Shore", at = [10, 0] }
Mill = { continent = "Shore", at = [0, 10] }
"St. Anne's Rock" = { continent = "Far Isle", at = [20, 5] }
Skerry = { continent = "Far Isle", at = [20, 15] }

[borders]
"Old Harbour" = ["Beacon", "Mill"]
"St. Anne's Rock" = ["Skerry"]

[one-way]
Beacon = ["St. Anne's Rock"]
Skerry = ["Mill"]
"""

_FIVE_CARDS = """map: duel
rules: {rules}
players: 2
round: 9
cards: moor fen heath dale wild-1
hands: 5 2
in hand: 3
0: moor 5, fen 1, dale 2
1: heath 3, weald 3, wold 4
"""

_SIX_CARDS = """map: duel
rules: standard
players: 3
round: 9
phase: draft
mid-turn: yes
conquered: yes
cards: moor fen heath dale weald wold wild-1
hands: 7 0 1
in hand: 0
0: moor 5, fen 1, dale 2, heath 2
2: weald 3, wold 4
"""
"""The agent has just taken a hand, and has to trade in the middle of its turn until four cards are left."""


class RiskPlay:
    """A game in which others sit on all seats but the agent's."""

    def __init__(self, game: Game, seat: int) -> None:
        self._game = game
        self._seat = seat
        self._others = [RandomAgent(_SEED + each) for each in range(game.players)]
        self._go_on()

    def observation(self) -> Observation | None:
        """What the agent sees, or None when it is out or the game is over."""
        game = self._game
        return None if game.over or not game.alive[self._seat] else game.observation()

    def play(self, action: Any) -> None:
        """Play the agent's action, and the others' until it is to move again.

        Raises:
            IllegalAction: the rules forbid it.
            TypeError: it is no action.
        """
        self._game.play(as_action(action))
        self._go_on()

    @property
    def outcome(self) -> str:
        """``won``, ``lost``, ``capped`` or ``stopped``."""
        game = self._game
        if game.outcome is Outcome.CAPPED:
            return "capped"
        if game.winner == self._seat:
            return "won"
        return "lost" if game.over or not game.alive[self._seat] else "stopped"

    def _go_on(self) -> None:
        game = self._game
        while not game.over and game.alive[self._seat] and game.turn != self._seat:
            game.play(self._others[game.turn].act(game.observation()))


def cases() -> Iterator[Case]:
    """The games, easy ones first."""
    yield _dealt("two territories", "the smallest map", "grid-2x1", "standard:round_cap=12", 2)
    yield _dealt("one round", "the cap comes before anything can", "classic", "standard:round_cap=1", 3)
    yield _dealt("six on six", "one territory each, in a row", "grid-6x1", "standard:round_cap=12", 6, 5)
    yield _dealt("six players", "the classic map at its fullest", "classic", "standard:round_cap=4", 6, 3)
    yield _dealt(
        "neutral", "a third army that never moves", "classic", "standard:neutral=yes;round_cap=6", 2, 1
    )
    yield _dealt(
        "claimed", "territories are taken in turn", "delta", "standard:placement=claimed;round_cap=6", 3, 2
    )
    yield _dealt(
        "all armies at once",
        "a first turn that places every army",
        "delta",
        "standard:setup_step=0;round_cap=6",
        2,
        1,
    )
    yield _dealt(
        "capitals", "each names one; who holds all wins", "delta", "standard:capitals=yes;round_cap=8", 3
    )
    yield _dealt(
        "fog", "most owners and armies are not seen", "classic", "standard:fog=yes;round_cap=6", 3, 1
    )
    yield _dealt(
        "fog over everything",
        "claimed territories, capitals and a neutral, in fog",
        "delta",
        "modern:placement=claimed;capitals=yes;fog=yes;neutral=yes;round_cap=8",
        2,
    )
    yield _on(
        "five cards",
        "a set has to be traded before anything else",
        _FIVE_CARDS.format(rules="standard:round_cap=20"),
    )
    yield _on(
        "five cards of fixed value",
        "the same, worth what they show",
        _FIVE_CARDS.format(rules="modern:round_cap=20"),
    )
    yield _on("a hand taken", "trades in the middle of a turn", _SIX_CARDS)
    yield _dealt(
        "full territories",
        "no more than four armies find room",
        "duel",
        "standard:max_armies=4;round_cap=12",
        2,
    )
    yield _dealt(
        "single rolls", "no attack goes on by itself", "duel", "standard:blitz=never;round_cap=12", 2
    )
    yield _dealt(
        "to the end",
        "every attack is fought until it is decided",
        "duel",
        "standard:blitz=must;round_cap=12",
        2,
    )
    yield _dealt(
        "one attack a turn",
        "and no move at the end",
        "duel",
        "standard:max_attacks=1;fortify=none;round_cap=12",
        2,
    )
    yield _dealt(
        "coins", "document B's game, as its program fights", "delta", "document-program:round_cap=12", 2
    )
    yield _dealt("three dice against", "Italian defence", "duel", "standard:defence_dice=3;round_cap=12", 2)
    yield Case(
        "a map of one's own",
        "unknown names, and borders of one direction",
        partial(_begin, WorldMap.parse(_ONE_WAY), Rules(round_cap=12), 3, 0),
        _MOST,
    )
    yield Case(
        "broken off",
        "a game that is ended after five moves",
        partial(_begin, load("classic"), Rules(), 2, 0),
        5,
        True,
    )
    yield _dealt("another game", "nothing of the last one is left", "duel", "standard:round_cap=5", 2, 1)


def _dealt(name: str, why: str, worldmap: str, rules: str, players: int, seat: int = 0) -> Case:
    return Case(name, why, partial(_begin, load(worldmap), Rules.parse(rules), players, seat), _MOST)


def _begin(worldmap: WorldMap, rules: Rules, players: int, seat: int) -> RiskPlay:
    return RiskPlay(Game(worldmap, rules, players, rng=np.random.default_rng(_SEED)), seat)


def _on(name: str, why: str, text: str) -> Case:
    return Case(name, why, partial(_go_on, Observation.parse(text)), _MOST)


def _go_on(seen: Observation) -> RiskPlay:
    rng = np.random.default_rng(_SEED)
    return RiskPlay(Game.on(seen, rng=rng, cards=np.random.default_rng(_SEED)), seen.seat)
