"""What an agent may see, and nothing more; its text form parses back to itself.

::

    map: classic
    rules: standard
    players: 3
    seat: 0
    round: 4
    cards: alaska brazil wild-1
    hands: 3 2 0
    0: alaska 3, alberta 1
    0: brazil 12
    1: ontario 2, ...

Typed from a table it may be short: a line that is left out means what it most often is. ``seat`` is who
looks, ``turn`` whose turn it is (the same), ``phase`` is draft, ``in hand`` the reinforcements, ``hands`` the
cards in hand by player (none but one's own). A line after a semicolon has no effect.
"""

import numpy as np
from numpy.typing import NDArray

from . import position
from .kernels import view
from .rules import Rules
from .situation import Situation
from .worldmap import WorldMap


class Observation(Situation):
    """A situation as one seat sees it.

    Cards in the deck or in others' hands are HIDDEN in ``card_places``; in fog so are the owners of what is
    not seen, and of others no more is known than what is. When the game is over all is seen.

    Args:
        worldmap: the map.
        rules: how it is played.
        players: how many play.
        state: int32, as `kernels.layout` says. A copy of the observer's own.
        seat: who looks.
    """

    def __init__(
        self, worldmap: WorldMap, rules: Rules, players: int, state: NDArray[np.int32], seat: int
    ) -> None:
        super().__init__(worldmap, rules, players, state)
        self.seat = seat

    @classmethod
    def of(cls, situation: Situation, seat: int) -> "Observation":
        """What ``seat`` sees of a situation.

        Raises:
            ValueError: there is no such seat.
        """
        if not 0 <= seat < situation.seats:
            raise ValueError(f"there is no seat {seat}: there are {situation.seats}")
        seen = np.empty_like(situation.state)
        view.see(situation.worldmap.world, situation.packed, situation.state, seat, seen)
        return cls(situation.worldmap, situation.rules, situation.players, seen, seat)

    @property
    def cards(self) -> tuple[int, ...]:
        """One's own cards, in rising order."""
        return self.hand(self.seat)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        return (
            (self.seat, self.players, self.rules) == (other.seat, other.players, other.rules)
            and self.worldmap == other.worldmap
            and np.array_equal(self.state, other.state)
        )

    def __hash__(self) -> int:
        return hash((self.seat, self.players, self.worldmap.name, self.state.tobytes()))

    def __repr__(self) -> str:
        return f"<Observation of seat {self.seat}: {self.worldmap.name}, {self.rules}, {self.phase.name}>"

    def __str__(self) -> str:
        """The text form; a map of one's own is written by name, and has to be handed to `parse`."""
        return position.write(self, self.seat)

    @classmethod
    def parse(cls, text: str, worldmap: WorldMap | None = None) -> "Observation":
        """Read the text form.

        Args:
            worldmap: the map, if it is not a shipped one or a grid.

        Raises:
            FormatError: naming the line at fault, or what does not fit together.
        """
        seen, seat = position.read(text, worldmap)
        return cls(seen.worldmap, seen.rules, seen.players, seen.state, seat)
