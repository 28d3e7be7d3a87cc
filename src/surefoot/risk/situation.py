"""What can be read off a state: the truth and what a seat sees of it are read alike."""

from collections.abc import Iterator
from enum import Enum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from . import actions, cards
from .actions import END, Action, Attack, Claim, Draft, Fortify, Occupy, Trade
from .kernels import choices, layout, legal
from .rules import Rules
from .worldmap import WorldMap


class Phase(Enum):
    """What comes next; the value is its code in the kernels."""

    DEAL = layout.DEAL
    CLAIM = layout.CLAIM
    SETUP = layout.SETUP
    CAPITAL = layout.CAPITAL
    DRAFT = layout.DRAFT
    ATTACK = layout.ATTACK
    ROLL = layout.ROLL
    OCCUPY = layout.OCCUPY
    DRAW = layout.DRAW
    OVER = layout.OVER
    WAITING = layout.WAITING


class Outcome(Enum):
    """How a game stands; the value is its code in the kernels. A capped game has no winner."""

    RUNNING = layout.RUNNING
    WON = layout.WON
    CAPPED = layout.CAPPED


CHANCE_PHASES = frozenset({Phase.DEAL, Phase.ROLL, Phase.DRAW})


class Situation:
    """A state on its map and under its rules, with names for what its words mean.

    Args:
        worldmap: the map.
        rules: the switches.
        players: how many play; the neutral, if any, is the seat after them.
        state: int32, shape (worldmap.state_size,), laid out as `kernels.layout` says. Not to be written to.

    Raises:
        RulesError: the rules cannot be played by so many on this map.
    """

    def __init__(self, worldmap: WorldMap, rules: Rules, players: int, state: NDArray[np.int32]) -> None:
        self.worldmap = worldmap
        self.rules = rules
        self.players = players
        self.packed = rules.pack(players, len(worldmap.territories))
        self.state = state

    def _block(self, begin: int, seats: int) -> tuple[int, ...]:
        first = begin + 3 * len(self.worldmap.territories)
        return tuple(int(number) for number in self.state[first : first + seats])

    @property
    def seats(self) -> int:
        """How many seats hold territories, the neutral included."""
        return self.rules.seats(self.players)

    @property
    def phase(self) -> Phase:
        """What comes next."""
        return Phase(int(self.state[layout.PHASE]))

    @property
    def outcome(self) -> Outcome:
        """How the game stands."""
        return Outcome(int(self.state[layout.STATUS]))

    @property
    def over(self) -> bool:
        """Whether no action is legal any more."""
        return self.outcome is not Outcome.RUNNING

    @property
    def winner(self) -> int | None:
        """The seat that has won, if any."""
        seat = int(self.state[layout.WINNER])
        return None if seat == layout.NOBODY else seat

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return int(self.state[layout.SEAT])

    @property
    def round(self) -> int:
        """1 in the first round, 0 while territories and starting armies are placed."""
        return int(self.state[layout.ROUND])

    @property
    def to_place(self) -> int:
        """Armies that the seat has in hand."""
        return int(self.state[layout.TO_PLACE])

    @property
    def attacks(self) -> int:
        """Attacks begun this turn."""
        return int(self.state[layout.ATTACKS])

    @property
    def conquered(self) -> bool:
        """Whether a territory was taken this turn."""
        return bool(self.state[layout.CONQUERED])

    @property
    def must_trade(self) -> bool:
        """Whether the seat must trade cards before anything else."""
        return bool(self.state[layout.MUST_TRADE])

    @property
    def sets_traded(self) -> int:
        """Card sets handed in so far, by everybody."""
        return int(self.state[layout.SETS])

    @property
    def owners(self) -> NDArray[np.int32]:
        """The owner of each territory, shape (T,): a seat, NOBODY (-1), or HIDDEN (-3) in fog. A view."""
        return self.state[layout.OWNER : layout.OWNER + len(self.worldmap.territories)]

    @property
    def armies(self) -> NDArray[np.int32]:
        """The armies on each territory, shape (T,). A view."""
        count = len(self.worldmap.territories)
        return self.state[layout.OWNER + count : layout.OWNER + 2 * count]

    @property
    def card_places(self) -> NDArray[np.int32]:
        """Where each card is, shape (T + 2,): a seat, DECK, DISCARD or HIDDEN. A view."""
        count = len(self.worldmap.territories)
        first = layout.OWNER + 2 * count
        return self.state[first : first + count + layout.WILD_CARDS]

    @property
    def territory_counts(self) -> tuple[int, ...]:
        """Territories by seat; in fog only those that are seen."""
        return self._block(layout.TERRITORY_COUNT, self.seats)

    @property
    def army_counts(self) -> tuple[int, ...]:
        """Armies on the map by seat; in fog only those that are seen."""
        return self._block(layout.ARMY_COUNT, self.seats)

    @property
    def card_counts(self) -> tuple[int, ...]:
        """Cards in hand by player; in fog 0 for others."""
        return self._block(layout.CARD_COUNT, self.players)

    @property
    def reserves(self) -> tuple[int, ...]:
        """Starting armies not on the map yet, by player; in fog 0 for others."""
        return self._block(layout.RESERVE, self.players)

    @property
    def capitals(self) -> tuple[int, ...]:
        """The capital of each player, NOBODY (-1) or, in fog, HIDDEN (-3)."""
        return self._block(layout.CAPITAL_OF, self.players)

    @property
    def alive(self) -> tuple[bool, ...]:
        """By player, whether it still plays."""
        return tuple(bool(self.state[layout.ALIVE] >> seat & 1) for seat in range(self.players))

    def hand(self, seat: int) -> tuple[int, ...]:
        """The cards of ``seat`` as far as they are seen, in rising order."""
        return tuple(int(card) for card in np.flatnonzero(self.card_places == seat))

    def reinforcements(self, seat: int) -> int:
        """Armies that ``seat`` gets at the start of a turn as things stand, without cards."""
        return int(legal.reinforcements(self.worldmap.world, self.packed, self.state, seat))

    @property
    def attack(self) -> tuple[int, int] | None:
        """Source and target of the attack that is being fought or was just won."""
        source = int(self.state[layout.SOURCE])
        return None if source == layout.NOBODY else (source, int(self.state[layout.TARGET]))

    @property
    def occupation(self) -> tuple[int, int] | None:
        """How few and how many armies may move into the territory just taken, if one was."""
        if self.phase is not Phase.OCCUPY:
            return None
        most = legal.most_occupy(self.worldmap.world, self.packed, self.state)
        return int(self.state[layout.LEAST]), int(most)

    @property
    def legal_actions(self) -> "LegalActions":
        """What the seat whose turn it is may do."""
        return LegalActions(self)

    def broken_rule(self, action: Action) -> str | None:
        """Why the seat whose turn it is may not play ``action``, in words; None if it may."""
        code = int(legal.check(self.worldmap.world, self.packed, self.state, actions.pack(action)))
        return explain(code, self.phase) if code else None


class LegalActions:
    """The legal actions of a situation as it is when this is made: counted, tested and listed lazily."""

    def __init__(self, situation: Situation) -> None:
        # A copy of its own: the situation may go on, and looking for ways marks owners for a moment.
        self._here = Situation(situation.worldmap, situation.rules, situation.players, situation.state.copy())

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self._here.broken_rule(action) is None

    def __len__(self) -> int:
        others = sum(1 for _ in self._trades()) + len(self._occupations) + self._may_end
        return others + sum(self._ways(kind, most) for kind, _, _, most in self._choices)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __iter__(self) -> Iterator[Action]:
        yield from self._trades()
        for armies in self._occupations:
            yield Occupy(armies)
        for kind, source, target, most in self._choices:
            if kind == layout.CLAIM_ACTION:
                yield Claim(source)
            elif kind == layout.DRAFT_ACTION:
                yield from (Draft(source, armies) for armies in range(1, most + 1))
            elif kind == layout.FORTIFY_ACTION:
                yield from (Fortify(source, target, armies) for armies in range(1, most + 1))
            else:
                yield from self._attacks(source, target, most)
        if self._may_end:
            yield END

    @cached_property
    def _choices(self) -> list[tuple[int, int, int, int]]:
        """Kind, source, target and the most armies."""
        here = self._here
        count = len(here.worldmap.territories)
        rows = np.empty((2 * count, 3), np.int64)
        found: list[tuple[int, int, int, int]] = []
        for source in np.flatnonzero((here.owners == here.turn) | (here.owners == layout.NOBODY)):
            filled = choices.choices_from(here.worldmap.world, here.packed, here.state, int(source), rows)
            found += [(kind, int(source), target, most) for kind, target, most in rows[:filled].tolist()]
        return found

    def _ways(self, kind: int, most: int) -> int:
        if kind != layout.ATTACK_ACTION:
            return most
        rolls = min(most, int(legal.most_dice(self._here.packed)))
        return {
            "may": most * (most + 1) // 2 + rolls,  # an army of n goes on until 0, 1, ... n - 1 are left
            "must": most,
            "never": rolls,
        }[self._here.rules.blitz]

    def _attacks(self, source: int, target: int, most: int) -> Iterator[Action]:
        blitz = self._here.rules.blitz
        if blitz != "must":
            dice = int(legal.most_dice(self._here.packed))
            for armies in range(1, min(most, dice) + 1):
                yield Attack(source, target, armies, "roll")
        if blitz != "never":
            for armies in range(1, most + 1):
                yield Attack(source, target, armies)
                if blitz == "may":
                    yield from (Attack(source, target, armies, left) for left in range(1, armies))

    def _trades(self) -> Iterator[Action]:
        here = self._here
        if here.phase is not Phase.DRAFT:
            return
        count = len(here.worldmap.territories)
        for chosen in cards.sets(here.worldmap, here.hand(here.turn)):
            pictured = [card for card in chosen if card < count and here.owners[card] == here.turn]
            bonuses: list[int] | list[None] = pictured or [None]
            for bonus in bonuses:
                trade = Trade(chosen, bonus)
                if here.broken_rule(trade) is None:
                    yield trade

    @property
    def _occupations(self) -> range:
        bounds = self._here.occupation
        return range(0) if bounds is None else range(bounds[0], bounds[1] + 1)

    @property
    def _may_end(self) -> bool:
        return self._here.broken_rule(END) is None


def explain(code: int, phase: Phase) -> str:
    """A broken rule in words."""
    return _NOT_NOW[phase] if code == layout.WRONG_PHASE else _BROKEN_RULE[code]


_NOT_NOW = {
    Phase.CLAIM: "territories are still being claimed",
    Phase.SETUP: "the starting armies are still being placed",
    Phase.CAPITAL: "capitals are still being named",
    Phase.DRAFT: "the armies in hand have to be placed first",
    Phase.ATTACK: "the time for that in this turn is over",
    Phase.OCCUPY: "the territory just taken has to be occupied first",
    Phase.WAITING: "it is another player's turn",
}
_BROKEN_RULE = {
    layout.GAME_OVER: "the game is over",
    layout.CHANCE_IS_NEXT: "chance has to decide first",
    layout.NO_SUCH_TERRITORY: "there is no such territory",
    layout.NOT_UNOWNED: "the territory has an owner already",
    layout.NOT_OWN: "the territory is not one's own",
    layout.NOT_ENEMY: "one does not attack one's own territory",
    layout.NOT_ADJACENT: "the territories are not neighbours",
    layout.NOT_CONNECTED: "no way through own territories leads there",
    layout.AT_LEAST_ONE: "it takes at least one army",
    layout.MORE_THAN_IN_HAND: "there are not so many armies in hand",
    layout.LEAVE_ONE: "at least one army has to stay behind",
    layout.TERRITORY_FULL: "the territory has no room for so many armies",
    layout.MUST_TRADE_FIRST: "cards have to be traded first",
    layout.NO_CARDS: "these rules know no cards",
    layout.NOT_YOUR_CARDS: "these are not three different cards of one's own hand",
    layout.NOT_A_SET: "the three cards are no set",
    layout.WRONG_BONUS: "the bonus goes on an own territory pictured on one of the cards, if there is one",
    layout.NO_TRADE_NOW: "in mid-turn cards are traded only as long as they have to be",
    layout.TOO_MANY_ATTACKS: "these rules allow no more attacks this turn",
    layout.NO_BLITZ: "these rules fight one roll at a time",
    layout.ONLY_BLITZ: "these rules fight every attack until it is decided",
    layout.TOO_MANY_DICE: "there are not so many dice",
    layout.UNTIL_TOO_MANY: "an attack stops with fewer armies left than it began with",
    layout.BELOW_LEAST: "at least as many armies move in as dice were rolled last",
    layout.NO_FORTIFY: "these rules do not let armies move at the end of a turn",
    layout.SAME_TERRITORY: "the two territories are the same",
    layout.NO_SUCH_ACTION: "no game has such numbers",
}
