"""The truth and its transitions."""

import numpy as np

from surefoot.errors import FormatError, IllegalAction

from . import actions
from .actions import Action
from .dice import FACES, roll_table
from .events import Dealt, Drawn, Event, Lost, Rolled
from .kernels import chance, layout, step, turn
from .observation import Observation
from .rules import Rules
from .situation import CHANCE_PHASES, Phase, Situation
from .worldmap import WorldMap


class Game(Situation):
    """One game, from the deal on.

    With a generator, all chance is taken from it as soon as it is due, so that a game depends on its
    generator and its actions alone. Without one, chance waits for `resolve`, so that a search can look at
    every outcome and a record can bring the one that came.

    Args:
        worldmap: the map.
        rules: how it is played.
        players: how many play, 2 to 6.
        rng: where dice, deals and cards come from.

    Raises:
        RulesError: the rules cannot be played by so many on this map.
    """

    def __init__(
        self, worldmap: WorldMap, rules: Rules, players: int, *, rng: np.random.Generator | None
    ) -> None:
        super().__init__(worldmap, rules, players, np.zeros(worldmap.state_size, np.int32))
        turn.begin(worldmap.world, self.packed, self.state)
        self._set_up(rng, from_the_deal=True)
        self.settle()

    def _set_up(self, rng: np.random.Generator | None, *, from_the_deal: bool) -> None:
        self.rng = rng
        self.history: list[Action | Event] = []
        self.from_the_deal = from_the_deal
        self._rolls = roll_table(self.rules.battles)

    @classmethod
    def on(cls, seen: Observation, *, rng: np.random.Generator | None, cards: np.random.Generator) -> "Game":
        """A game that goes on from what a seat sees; cards that it does not see are dealt by lot.

        Args:
            seen: the position, without fog (or with the game over).
            rng: as for a new game.
            cards: deals the unseen cards to the hands that hold them, every way as likely.

        Raises:
            ValueError: fog lies on the position, so that there is no telling what is beneath.
        """
        if seen.rules.fog and not seen.over:
            raise ValueError("a game cannot go on from what is seen in fog")
        game = cls.__new__(cls)
        Situation.__init__(game, seen.worldmap, seen.rules, seen.players, seen.state.copy())
        game._set_up(rng, from_the_deal=False)
        hidden = cards.permutation(np.flatnonzero(game.card_places == layout.HIDDEN))
        places = np.full(hidden.size, layout.DECK)
        held = [
            seat for seat, count in enumerate(seen.card_counts) for _ in range(count - len(seen.hand(seat)))
        ]
        places[: len(held)] = held
        game.card_places[hidden] = places
        game.settle()
        return game

    def copy(self, rng: np.random.Generator | None = None) -> "Game":
        """The same game, to go on by itself with another generator, or with none."""
        other = Game.__new__(Game)
        Situation.__init__(other, self.worldmap, self.rules, self.players, self.state.copy())
        other._set_up(rng, from_the_deal=self.from_the_deal)
        other.history = self.history.copy()
        return other

    def play(self, action: Action) -> tuple[Event, ...]:
        """Play one action of the seat whose turn it is; the answer is what chance then brought.

        Raises:
            IllegalAction: a rule forbids it, which the message names; the game is as it was before.
        """
        code = step.apply(self.worldmap.world, self.packed, self.state, actions.pack(action))
        if code:
            raise IllegalAction(f"{self._say(action)}: {self.broken_rule(action)}")
        self.history.append(action)
        return self.settle()

    def settle(self) -> tuple[Event, ...]:
        """Let chance bring what is due, if there is a generator; the answer is what it brought."""
        brought: list[Event] = []
        while self.rng is not None and self.phase in CHANCE_PHASES:
            brought.append(self._draw(self.rng))
            self.resolve(brought[-1])
        return tuple(brought)

    def chance_outcomes(self) -> list[tuple[Event, int]]:
        """What chance may bring next, each with its weight as a whole number; empty if a player is next."""
        count = len(self.worldmap.territories)
        codes, weights = np.zeros((2, count + layout.WILD_CARDS), np.int64)
        found = chance.outcomes(self.worldmap.world, self.packed, self.state, self._rolls, codes, weights)
        make = _EVENTS.get(self.phase, Lost)
        return [(make(int(code)), int(weight)) for code, weight in zip(codes[:found], weights[:found])]

    def resolve(self, event: Event) -> None:
        """Let chance bring ``event``; without a generator, this is the way to go on.

        Raises:
            IllegalAction: chance is not next, or cannot bring that.
        """
        fits = self.phase in _EVENTS and isinstance(event, (_EVENTS[self.phase], *self._dice_too()))
        if fits and isinstance(event, Rolled):
            fits = (len(event.attack), len(event.defence)) == self.dice
        world, state = self.worldmap.world, self.state
        if not fits or not chance.is_possible(world, self.packed, state, event.outcome):
            raise IllegalAction(f"{event}: chance cannot bring that now")
        chance.resolve(world, self.packed, state, event.outcome)
        self.history.append(event)

    def _dice_too(self) -> tuple[type[Rolled], ...]:
        return (Rolled,) if self.phase is Phase.ROLL and self.rules.battles == "dice" else ()

    @property
    def dice(self) -> tuple[int, int]:
        """How many dice the attacker and the defender roll next, while an attack is fought."""
        return (
            int(chance.attack_dice(self.packed, self.state)),
            int(chance.defence_dice(self.worldmap.world, self.packed, self.state)),
        )

    def _draw(self, rng: np.random.Generator) -> Event:
        """What chance brings next, by lot: every face of a die, territory and card is as likely."""
        if self.phase is Phase.ROLL and self.rules.battles == "dice":
            attack, defence = self.dice
            faces = rng.integers(1, FACES + 1, attack + defence).tolist()
            return Rolled(tuple(faces[:attack]), tuple(faces[attack:]))
        # A coin falls on either side, and a deal or a draw has outcomes of one weight.
        outcomes = self.chance_outcomes()
        return outcomes[rng.integers(len(outcomes))][0]

    def _say(self, action: Action) -> str:
        try:
            return actions.to_text(action, self.worldmap)
        except FormatError:  # it names a territory that the map does not have
            return str(action)

    def observation(self, seat: int | None = None) -> Observation:
        """What ``seat`` sees now; by default the one whose turn it is."""
        return Observation.of(self, self.turn if seat is None else seat)


_EVENTS: dict[Phase, type[Dealt] | type[Lost] | type[Drawn]] = {
    Phase.DEAL: Dealt,
    Phase.ROLL: Lost,
    Phase.DRAW: Drawn,
}
