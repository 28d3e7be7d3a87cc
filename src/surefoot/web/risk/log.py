"""What happens in a game, told in short sentences, to those who saw it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from surefoot.risk.actions import Action, Attack, Claim, Draft, End, Fortify, Occupy, Trade
from surefoot.risk.cards import MIXED, set_name, value
from surefoot.risk.events import Drawn, Event, Rolled
from surefoot.risk.game import Game
from surefoot.risk.kernels.layout import HIDDEN, PICTURE_BONUS
from surefoot.risk.observation import Observation
from surefoot.risk.situation import Outcome, Phase, Situation
from surefoot.risk.words import armies_in_words

from .players import YOU

SHOWN: Final = 60
"""At least so many of the newest entries are shown, and fewer than twice as many."""
KEPT: Final = 12 * SHOWN
"""So many are kept at most: in fog a viewer sees but some of them."""
MOST_ROLLS: Final = 60
"""Rolls of a battle that are told one by one, the last ones."""
EVERYBODY: Final = -1
"""The seats that saw something are the bits of a number; these are all of them."""

Line = dict[str, Any]


class Placed(NamedTuple):
    """Armies placed on a territory, so that those placed next on the same one can be told with them."""

    seat: int
    territory: int
    armies: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One sentence.

    Args:
        line: what those read who saw it, as the view has it: ``seat`` (None for nobody) and ``text``.
        seen: who saw it.
        own: what the seat itself reads instead, if that is more.
        placed: what was placed, if that is what it tells.
    """

    line: Line
    seen: int = EVERYBODY
    own: Line | None = None
    placed: Placed | None = None

    def told(self, viewer: int | None) -> Line | None:
        """What somebody reads of it, if anything; None sees all."""
        own = self.own is not None and viewer in (None, self.line["seat"])
        if own:
            return self.own
        return self.line if viewer is None or self.seen >> viewer & 1 else None


@dataclass(frozen=True, slots=True)
class Battle:
    """The last attack as the view has it, and who saw it."""

    told: dict[str, Any]
    seen: int


class Log:
    """The newest entries of a game; the oldest go in bundles, so that what is shown seldom shifts."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._gone = 0

    def add(self, entries: Sequence[Entry], names: Sequence[str], places: Sequence[str]) -> None:
        """Go on with some entries; ``names`` are those of the seats, ``places`` of the territories."""
        for entry in entries:
            self._entries.append(self._joined(entry, names, places))
        if len(self._entries) > KEPT:
            surplus = (len(self._entries) - KEPT // 2) // SHOWN * SHOWN
            del self._entries[:surplus]
            self._gone += surplus

    def _joined(self, entry: Entry, names: Sequence[str], places: Sequence[str]) -> Entry:
        """The entry, with the last one taken into it if both place armies on one territory."""
        if entry.placed is None or not self._entries or self._entries[-1].placed is None:
            return entry
        before = self._entries[-1].placed
        if before[:2] != entry.placed[:2]:
            return entry
        del self._entries[-1]
        together = entry.placed._replace(armies=before.armies + entry.placed.armies)
        return replace(entry, line=_placing(names, places, together), placed=together)

    def lines(self, viewer: int | None) -> list[Line]:
        """What somebody reads of the newest entries; None sees all."""
        lines = [line for entry in self._entries if (line := entry.told(viewer)) is not None]
        return lines[max(len(lines) // SHOWN * SHOWN - SHOWN, 0) :]

    def mark(self) -> tuple[int, Entry | None]:
        """Where it stands; see `back`."""
        return self._gone + len(self._entries), self._entries[-1] if self._entries else None

    def back(self, mark: tuple[int, Entry | None]) -> None:
        """Forget what came after a mark."""
        count, last = mark
        del self._entries[max(count - self._gone - 1, 0) :]
        if last is not None:
            self._entries.append(last)


class Told(NamedTuple):
    """What came of an action.

    Args:
        entries: in order.
        battle: if it was an attack.
        chance: whether chance had to decide something.
    """

    entries: list[Entry]
    battle: Battle | None
    chance: bool


class Teller:
    """Plays actions and tells of them.

    Args:
        game: is played on.
        names: of the seats; one may be `players.YOU`.
    """

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self._game = game
        self._names = names
        self._places = [land.name for land in game.worldmap.territories]
        self._before = Situation(game.worldmap, game.rules, game.players, game.state.copy())

    def beginning(self) -> list[Entry]:
        """What there is to tell before the first action."""
        dealt = [Entry({"seat": None, "text": "The territories are dealt."})]
        return (dealt if self._game.history else []) + (self._turn() if self._game.round else [])

    def play(self, action: Action, brought: Sequence[Event] = ()) -> Told:
        """Play an action of the seat whose turn it is.

        Args:
            action: what is played.
            brought: what chance brings then, for a game without a generator.

        Raises:
            IllegalAction: a rule forbids it; the game is as it was before. Or chance cannot bring that.
        """
        game, before = self._game, self._before
        before.state[:] = game.state
        # What is done on territories is told to those who saw them; only who claims one gets to see it so.
        witness = (
            None if isinstance(action, Claim) else [self._seen(before, t) for t in _lands(action, before)]
        )
        events = (*game.play(action), *brought)
        for event in brought:
            game.resolve(event)
        if witness is None:
            witness = [self._seen(game, t) for t in _lands(action, game)]
        seen = EVERYBODY
        for seats in witness:
            seen &= seats
        if isinstance(action, Trade) and game.rules.fog:
            seen = 1 << before.turn
        battle = self._battle(action, events, seen) if isinstance(action, Attack) else None
        entries = [*self._action(action, events, seen), *self._after(events)]
        return Told(entries, battle, bool(events))

    def _seen(self, here: Situation, territory: int) -> int:
        """The seats that see a territory."""
        if not here.rules.fog:
            return EVERYBODY
        return sum(
            1 << seat
            for seat in range(here.players)
            if Observation.of(here, seat).owners[territory] != HIDDEN
        )

    def _action(self, action: Action, events: Sequence[Event], seen: int) -> list[Entry]:
        before, places = self._before, self._places
        seat = before.turn
        match action:
            case Claim(territory):
                words = (
                    f"{self._does('make')} {places[territory]} {self._whose()} capital"
                    if before.phase is Phase.CAPITAL
                    else f"{self._does('claim')} {places[territory]}"
                )
            case Draft(territory, armies):
                placed = Placed(seat, territory, armies)
                return [Entry(_placing(self._names, places, placed), seen, placed=placed)]
            case Trade(cards, bonus):
                kind = set_name(before.worldmap, cards)
                traded = "a mixed set" if kind == MIXED else f"three {kind}"
                worth = value(before.worldmap, before.rules, cards, before.sets_traded)
                more = "" if bonus is None else f", and gets {PICTURE_BONUS} more in {places[bonus]}"
                if self._names[seat] == YOU:
                    more = more.replace("gets", "get")
                words = f"{self._does('trade')} {traded} for {worth} armies{more}"
            case Attack():
                words = self._attack(action, events)
            case Occupy(armies):
                assert before.attack is not None
                words = f"{self._does('move')} {armies} into {places[before.attack[1]]}"
            case Fortify(source, target, armies):
                words = f"{self._does('move')} {armies} from {places[source]} to {places[target]}"
            case End():
                return []
        return [Entry({"seat": seat, "text": f"{words}."}, seen)]

    def _attack(self, attack: Attack, events: Sequence[Event]) -> str:
        before, game, places = self._before, self._game, self._places
        source, target = places[attack.source], places[attack.target]
        lost = _lost(events)
        fallen = f"{lost or 'none'} of {attack.armies:,}"
        if game.owners[attack.target] == before.turn:
            cost = f", losing {fallen}" if lost else " without loss"
            return f"{self._does('take')} {target} from {source}{cost}"
        defender = int(before.owners[attack.target])
        killed = int(before.armies[attack.target] - game.armies[attack.target])
        return (
            f"{self._does('attack')} {target} from {source} and {self._verb('lose', before.turn)} {fallen}; "
            f"{within(self._names[defender])} {self._verb('lose', defender)} {killed or 'none'}"
        )

    def _battle(self, attack: Attack, events: Sequence[Event], seen: int) -> Battle:
        game, seat = self._game, self._before.turn
        won = int(game.owners[attack.target]) == seat
        rolls = [
            [list(event.attack), list(event.defence)] if isinstance(event, Rolled) else [event.outcome]
            for event in events[-MOST_ROLLS:]
        ]
        told = {
            "seat": seat,
            "from": attack.source,
            "to": attack.target,
            "committed": attack.armies,
            "rolls": rolls,
            "attackers": attack.armies - _lost(events),
            "defenders": 0 if won else int(game.armies[attack.target]),
            "won": won,
        }
        return Battle(told, seen)

    def _after(self, events: Sequence[Event]) -> list[Entry]:
        """What follows from an action: who is out, who draws a card, whose turn it is, who has won."""
        before, game = self._before, self._game
        entries = [
            self._out(seat) for seat in range(game.players) if before.alive[seat] and not game.alive[seat]
        ]
        for event in events:
            if isinstance(event, Drawn):
                entries.append(self._drawn(event.card))
        if game.outcome is Outcome.WON:
            assert game.winner is not None
            verb = self._verb("win", game.winner)
            entries.append(Entry({"seat": game.winner, "text": f"{self._names[game.winner]} {verb}!"}))
        elif game.outcome is Outcome.CAPPED:
            text = f"Round {game.round}, the last one, is over: nobody wins."
            entries.append(Entry({"seat": None, "text": text}))
        elif game.round and (game.round, game.turn) != (before.round, before.turn):
            entries += self._turn()
        return entries

    def _out(self, loser: int) -> Entry:
        seat, name = self._before.turn, self._names[loser]
        out = f"{name} {'are' if name == YOU else 'is'} out"
        gained = self._game.card_counts[seat] - self._before.card_counts[seat]
        if not gained:
            return Entry({"seat": loser, "text": f"{out}."})
        cards = "1 card" if gained == 1 else f"{gained} cards"
        took = f"{out}; {within(self._names[seat])} {self._verb('take', seat)} {cards}."
        if not self._game.rules.fog:
            return Entry({"seat": loser, "text": took})
        # In fog others know who is out, but nobody's cards.
        return Entry({"seat": seat, "text": f"{out}."}, own={"seat": seat, "text": took})

    def _drawn(self, card: int) -> Entry:
        seat, worldmap = self._before.turn, self._game.worldmap
        kind = worldmap.card_kind(card)
        named = f"{self._places[card]} ({kind})" if card < len(self._places) else f"a {kind} card"
        return Entry(
            {"seat": seat, "text": f"{self._does('draw')} a card."},
            1 << seat if self._game.rules.fog else EVERYBODY,
            {"seat": seat, "text": f"{self._does('draw')} {named}."},
        )

    def _turn(self) -> list[Entry]:
        game = self._game
        seat, name = game.turn, self._names[game.turn]
        whose = "your turn" if name == YOU else f"{name}'s turn"
        plain = {"seat": seat, "text": f"Round {game.round}: {whose}."}
        if not game.to_place:
            return [Entry(plain)]
        got = f"{within(name)} {self._verb('get', seat)} {armies_in_words(game.to_place)}"
        full = {"seat": seat, "text": f"Round {game.round}: {got}."}
        return [Entry(plain, own=full) if game.rules.fog else Entry(full)]

    def _does(self, verb: str) -> str:
        seat = self._before.turn
        return f"{self._names[seat]} {self._verb(verb, seat)}"

    def _verb(self, verb: str, seat: int) -> str:
        return verb if self._names[seat] == YOU else f"{verb}s"

    def _whose(self) -> str:
        return "your" if self._names[self._before.turn] == YOU else "its"


def gave_up(names: Sequence[str], seat: int, stand_in: str, why: str) -> Entry:
    """Tell that an agent could not go on, and who plays its seat from now on."""
    return Entry({"seat": seat, "text": f"{names[seat]} cannot go on ({why}): {stand_in} plays for it."})


def _placing(names: Sequence[str], places: Sequence[str], placed: Placed) -> Line:
    name = names[placed.seat]
    verb = "place" if name == YOU else "places"
    text = f"{name} {verb} {armies_in_words(placed.armies)} in {places[placed.territory]}."
    return {"seat": placed.seat, "text": text}


def within(name: str) -> str:
    """A name within a sentence."""
    return "you" if name == YOU else name


def _lost(events: Sequence[Event]) -> int:
    return sum(event.outcome for event in events)


def _lands(action: Action, here: Situation) -> tuple[int, ...]:
    """The territories that an action is about."""
    match action:
        case Claim(territory) | Draft(territory, _):
            return (territory,)
        case Attack(source, target, _, _) | Fortify(source, target, _):
            return source, target
        case Occupy():
            return here.attack or ()
    return ()
