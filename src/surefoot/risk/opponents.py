"""What an agent makes of the others: by which of some fast policies each of them seems to play.

The starting armies tell it. They are placed one by one, so that what each policy would have done is known,
and a seat that did the same again and again plays by it. Who does as none of them is thought to be any.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .actions import Action, Claim, Draft, unpack
from .game import Game
from .goals import planner_policy
from .kernels import layout, policies
from .observation import Observation
from .policy import Policy, decide, policy, stack_weights
from .situation import Phase

MODELS: tuple[Policy, ...] = (
    planner_policy(free_afterwards=True),
    policy(policies.EMPIRE, chance=0.6, card_chance=0.7),
    policy(policies.CONTINENT, chance=0.5, card_chance=0.7),
    policy(policies.KILLER, chance=0.5, card_chance=0.7),
)
"""The policies that others may play by; the first is what oneself plays by, too."""

STYLES: NDArray[np.int64] = np.array([model.style for model in MODELS], np.int64)
WEIGHTS: NDArray[np.float64] = stack_weights(MODELS)

_ODD = 0.1
"""How often a seat that plays by a policy is supposed to do something else."""
_MUCH = 0.2
"""A change of a chance that makes what was searched before worthless."""
STARTING = frozenset({Phase.CLAIM, Phase.SETUP})
"""Where what the others do is compared with what each policy would."""


class Opponents:
    """Beliefs about every seat, from what it did before the first turn."""

    def __init__(self) -> None:
        self._logs = np.zeros((layout.MAX_SEATS, len(MODELS)))
        self._game: Game | None = None

    def look(self, seen: Observation) -> bool:
        """Take in what the others have done since the last own action; whether that changes much."""
        before = self.chances()
        self._replay(seen)
        return bool(np.abs(self.chances() - before).max() > _MUCH)

    def _replay(self, seen: Observation) -> None:
        game, self._game = self._game, None
        while game is not None and game.phase in STARTING and game.turn != seen.seat:
            action = _done(game, seen)
            if action is None:
                return
            self._judge(game, action.territory)
            game.play(action)

    def remember(self, seen: Observation, action: Action) -> None:
        """Note an own action: what the others do next is looked at from there."""
        self._game = None
        if seen.phase in STARTING and not seen.rules.fog:
            self._game = Game.on(seen, rng=None, cards=np.random.default_rng(0))
            self._game.play(action)

    def chances(self) -> NDArray[np.float64]:
        """How likely each seat plays by each of the models; shape (MAX_SEATS, models)."""
        weights = np.exp(self._logs - self._logs.max(1, keepdims=True))
        shares: NDArray[np.float64] = weights / weights.sum(1, keepdims=True)
        return shares

    def draw(self, samples: int, seat: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Models for every seat by lot, as likely as they are; ``seat`` itself plays by the first.

        Returns:
            int64, shape (samples, MAX_SEATS).
        """
        bounds = self.chances().cumsum(1)[:, :-1]
        minds: NDArray[np.int64] = (rng.random((samples, layout.MAX_SEATS, 1)) >= bounds).sum(2)
        minds[:, seat] = 0
        return minds

    def _judge(self, game: Game, territory: int) -> None:
        seen = game.observation()
        others = max(int((seen.owners == game.turn).sum()), 1)
        for number, model in enumerate(MODELS):
            meant = unpack(decide(model, seen, np.zeros(1, np.uint64)))
            same = isinstance(meant, Claim | Draft) and meant.territory == territory
            self._logs[game.turn, number] += math.log(1.0 - _ODD if same else _ODD / others)


def _done(game: Game, seen: Observation) -> Claim | Draft | None:
    """What the seat to move did next in a game that came to be what is seen; None if that is not plain."""
    seat = game.turn
    own = seen.owners == seat
    if game.phase is Phase.CLAIM:
        new = np.flatnonzero(own & (game.owners != seat))
        return Claim(int(new[0])) if len(new) == 1 else None
    more = np.where(own, seen.armies - game.armies, 0)
    new = np.flatnonzero(more > 0)
    return Draft(int(new[0]), int(more[new[0]])) if len(new) == 1 else None
