"""The text of an observation (see `observation` for its form): written from a state, and read into one."""

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

import numpy as np

from surefoot.errors import FormatError, RulesError

from . import actions
from .actions import Attack
from .kernels import layout, legal
from .rules import Rules
from .situation import Phase, Situation
from .worldmap import WorldMap, load

_Value = TypeVar("_Value")

NEUTRAL: Final = "neutral"
UNOWNED: Final = "nobody"
_MOST: Final = 100_000_000
"""No count in a position is higher, so that sums stay within 32 bits."""
_BEFORE_THE_FIRST_ROUND = frozenset({Phase.DEAL, Phase.CLAIM, Phase.SETUP, Phase.CAPITAL})
_WITH_UNOWNED = frozenset({Phase.DEAL, Phase.CLAIM})


def write(seen: Situation, seat: int) -> str:
    """The text form of what ``seat`` sees."""
    return "\n".join(f"{name}: {value}" for name, value in _lines(seen, seat)) + "\n"


def _lines(seen: Situation, observer: int) -> Iterator[tuple[str, str]]:
    state, worldmap, phase = seen.state, seen.worldmap, seen.phase
    yield "map", worldmap.name
    yield "rules", str(seen.rules)
    yield "players", str(seen.players)
    yield "seat", str(observer)
    yield "turn", str(seen.turn)
    yield "round", str(seen.round)
    yield "phase", phase.name.lower()
    if phase in (Phase.SETUP, Phase.DRAFT):
        yield "in hand", str(seen.to_place)
    if seen.attacks:
        yield "attacks", str(seen.attacks)
    if seen.conquered:
        yield "conquered", "yes"
    if state[layout.MID_TURN]:
        yield "mid-turn", "yes"
    if phase is Phase.ROLL:
        yield "attack", _attack_text(seen)
    if phase is Phase.OCCUPY and seen.attack is not None:
        yield "taken", " ".join(worldmap.key_of(territory) for territory in seen.attack)
    if phase is Phase.OVER and seen.winner is not None:
        yield "winner", str(seen.winner)
    yield from _card_lines(seen, observer)
    if any(_reserves(seen)):
        yield "reserves", " ".join(map(str, _reserves(seen)))
    if any(capital != layout.NOBODY for capital in seen.capitals):
        marks = {layout.NOBODY: "-", layout.HIDDEN: "?"}
        yield "capitals", " ".join(marks.get(place) or worldmap.key_of(place) for place in seen.capitals)
    if seen.rules.fog and phase is not Phase.OVER and not all(seen.alive):
        yield "out", " ".join(str(seat) for seat, plays in enumerate(seen.alive) if not plays)
    for seat in (*range(seen.seats), layout.NOBODY):
        owner = UNOWNED if seat == layout.NOBODY else NEUTRAL if seat == seen.players else str(seat)
        for continent in range(len(worldmap.continents)):
            lands = [
                worldmap.key_of(t) + (f" {seen.armies[t]}" if seat != layout.NOBODY else "")
                for t, territory in enumerate(worldmap.territories)
                if territory.continent == continent and seen.owners[t] == seat
            ]
            if lands:
                yield owner, ", ".join(lands)


def _attack_text(seen: Situation) -> str:
    assert seen.attack is not None
    code = int(seen.state[layout.UNTIL])
    until = {layout.DECIDED: "decided", layout.ONE_ROLL: "roll"}.get(code, code)
    committed = int(seen.state[layout.COMMITTED])
    attack = Attack(*seen.attack, committed, until)  # type: ignore[arg-type]
    return actions.to_text(attack, seen.worldmap).removeprefix("attack ")


def _card_lines(seen: Situation, observer: int) -> Iterator[tuple[str, str]]:
    def keys(place: int) -> str:
        return " ".join(
            seen.worldmap.card_key(int(card)) for card in np.flatnonzero(seen.card_places == place)
        )

    for seat in range(seen.players):
        if keys(seat):
            yield ("cards" if seat == observer else f"cards {seat}"), keys(seat)
    open_hands = seen.phase is Phase.OVER or seen.rules.fog
    if any(seen.card_counts) and not open_hands:
        yield "hands", " ".join(map(str, seen.card_counts))
    if seen.sets_traded:
        yield "sets", str(seen.sets_traded)
    if keys(layout.DISCARD):
        yield "discards", keys(layout.DISCARD)


def _reserves(seen: Situation) -> list[int]:
    first = layout.RESERVE + 3 * len(seen.worldmap.territories)
    return [int(number) for number in seen.state[first : first + seen.seats]]


def read(text: str, worldmap: WorldMap | None = None) -> tuple[Situation, int]:
    """Read the text form: what is seen, and the seat that sees it.

    Raises:
        FormatError: naming the line at fault, or what does not fit together.
    """
    return _Reader(text, worldmap).read()


_FIELDS: Final = frozenset(
    {"map", "rules", "players", "seat", "turn", "round", "phase", "in hand", "attacks", "conquered"}
    | {"mid-turn", "attack", "taken", "winner", "cards", "hands", "sets", "discards", "reserves"}
    | {"capitals", "out"}
)


class _Reader:
    """The lines of a position, each used once, and the state that they add up to."""

    def __init__(self, text: str, worldmap: WorldMap | None) -> None:
        self.fields: dict[str, tuple[int, str]] = {}
        self.lands: list[tuple[int, str, str]] = []
        for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
            plain = line.strip()
            if not plain or plain.startswith(";"):
                continue
            name, colon, value = plain.partition(":")
            name, value = " ".join(name.lower().split()), value.strip()
            if not colon:
                raise FormatError(f"line {number}: expected NAME: VALUE, not {plain[:40]!r}")
            if name in (NEUTRAL, UNOWNED) or re.fullmatch("[0-9]", name):
                self.lands.append((number, name, value))
            elif name not in _FIELDS and re.fullmatch("cards [0-9]", name) is None:
                raise FormatError(f"line {number}: unknown line {name[:40]!r}")
            elif name in self.fields:
                raise FormatError(f"line {number}: a second line {name!r}")
            else:
                self.fields[name] = number, value
        self.map = self._field("map", lambda value: self._load(value, worldmap))
        self.rules = self._field("rules", Rules.parse, Rules())
        self.players = self._field("players", _number)
        try:
            self.rules.check(self.players, len(self.map.territories))
        except RulesError as error:
            raise FormatError(str(error)) from None
        self.count = len(self.map.territories)
        self.state = np.zeros(self.map.state_size, np.int32)
        self.seen = Situation(self.map, self.rules, self.players, self.state)
        self.seat = 0

    @staticmethod
    def _load(name: str, worldmap: WorldMap | None) -> WorldMap:
        if worldmap is not None and worldmap.name == name:
            return worldmap
        # Not a path: a position that came from elsewhere does not open files.
        if re.fullmatch(r"[a-z0-9][a-z0-9-]*", name) is None:
            raise FormatError(f"not the name of a map: {name[:40]!r}")
        return load(name)

    def _field(self, name: str, convert: Callable[[str], _Value], default: _Value | None = None) -> _Value:
        if name not in self.fields:
            if default is None:
                raise FormatError(f"the line {name!r} is missing")
            return default
        number, value = self.fields[name]
        try:
            return convert(value)
        except FormatError as error:
            raise FormatError(f"line {number}: {error}") from None

    def _count(self, name: str, default: int, most: int = _MOST) -> int:
        return self._field(name, lambda value: _number(value, most), default)

    def _flag(self, name: str) -> bool:
        return self._field(name, _yes_or_no, False)

    def _numbers(self, name: str, wanted: int) -> list[int]:
        def convert(value: str) -> list[int]:
            if len(value.split()) != wanted:
                raise FormatError(f"expected {wanted} numbers, not {value[:40]!r}")
            return [_number(word) for word in value.split()]

        return self._field(name, convert, [0] * wanted)

    def read(self) -> tuple[Situation, int]:
        """What is seen, and the seat that sees it."""
        state, seats = self.state, self.seen.seats
        seat = self._count("seat", 0, seats - 1)
        turn = self._count("turn", seat, seats - 1)
        self.seat = seat
        fog = self.rules.fog
        usual = "waiting" if fog and turn != seat else "draft"
        phase = self._field("phase", _phase, Phase[usual.upper()])
        self._check_phase(phase, seat, turn)
        state[layout.PLAYERS], state[layout.SEATS] = self.players, seats
        state[layout.SEAT], state[layout.PHASE] = turn, phase.value
        begun = phase not in _BEFORE_THE_FIRST_ROUND
        lowest = 0 if phase is Phase.WAITING or not begun else 1
        state[layout.ROUND] = self._count("round", int(begun), self.rules.round_cap if begun else 0)
        if state[layout.ROUND] < lowest:
            raise FormatError("round: the first round is 1")
        state[layout.SOURCE] = state[layout.TARGET] = layout.NOBODY
        state[layout.WINNER] = layout.NOBODY
        if phase is Phase.OVER:
            state[layout.STATUS] = layout.CAPPED
            if "winner" in self.fields:
                state[layout.STATUS] = layout.WON
                state[layout.WINNER] = self._count("winner", 0, self.players - 1)
        self._read_lands(phase)
        self._read_alive(phase)
        self._read_cards(phase)
        state[layout.ATTACKS] = self._count("attacks", 0)
        state[layout.CONQUERED] = self._flag("conquered") or phase is Phase.OCCUPY
        state[layout.MID_TURN] = self._flag("mid-turn")
        state[layout.SETS] = self._count("sets", 0)
        first = layout.RESERVE + 3 * self.count
        state[first : first + seats] = self._numbers("reserves", seats)
        self._read_capitals(phase)
        self._read_hand(phase, turn)
        self._read_attack(phase, turn)
        return self.seen, seat

    def _check_phase(self, phase: Phase, seat: int, turn: int) -> None:
        waits = self.rules.fog and turn != seat and phase is not Phase.OVER
        if waits != (phase is Phase.WAITING):
            raise FormatError(
                "phase: in fog, another's turn is waiting" if waits else "phase: nobody waits without fog"
            )
        if turn == self.players and phase not in (Phase.DEAL, Phase.WAITING):
            raise FormatError("turn: the neutral has no turns")

    def _read_lands(self, phase: Phase) -> None:
        owners, armies = self.seen.owners, self.seen.armies
        hidden = self.rules.fog and phase is not Phase.OVER
        owners[:] = layout.HIDDEN if hidden else layout.NOBODY
        listed: set[int] = set()
        for number, name, value in self.lands:
            seat = {NEUTRAL: self.players, UNOWNED: layout.NOBODY}.get(name)
            seat = int(name) if seat is None else seat
            if seat >= (self.seen.seats if name == NEUTRAL else self.players):
                raise FormatError(
                    f"line {number}: there is no {NEUTRAL if name == NEUTRAL else 'seat ' + name}"
                )
            for part in filter(None, (part.strip() for part in value.split(","))):
                try:
                    territory, stack = self._land(part, owned=seat != layout.NOBODY)
                except FormatError as error:
                    raise FormatError(f"line {number}: {error}") from None
                if territory in listed:
                    raise FormatError(f"line {number}: a second time {self.map.key_of(territory)}")
                listed.add(territory)
                owners[territory], armies[territory] = seat, stack
        unowned = np.flatnonzero(owners == layout.NOBODY)
        if unowned.size and phase not in (*_WITH_UNOWNED, Phase.WAITING):
            raise FormatError(f"{self.map.key_of(int(unowned[0]))} has no owner")
        if not unowned.size and phase in _WITH_UNOWNED:
            raise FormatError(f"phase: every territory has an owner, so that {phase.name.lower()} is over")
        self.state[layout.UNOWNED] = unowned.size
        self._count_lands()

    def _land(self, part: str, *, owned: bool) -> tuple[int, int]:
        words = part.split()
        stack = 0
        if owned:
            if len(words) < 2:
                raise FormatError(f"expected TERRITORY ARMIES, not {part[:60]!r}")
            stack = _number(words.pop())
            most = self.rules.max_armies or layout.MAX_ARMIES
            if not 1 <= stack <= most:
                raise FormatError(f"{' '.join(words)[:60]}: 1 to {most} armies, not {stack}")
        return self.map.territory(" ".join(words)), stack

    def _count_lands(self) -> None:
        shift = 3 * self.count
        for territory, owner in enumerate(self.seen.owners.tolist()):
            if owner >= 0:
                continent = self.map.territories[territory].continent
                self.state[layout.TERRITORY_COUNT + shift + owner] += 1
                self.state[layout.ARMY_COUNT + shift + owner] += self.seen.armies[territory]
                self.state[layout.HELD + shift + owner * len(self.map.continents) + continent] += 1

    def _read_alive(self, phase: Phase) -> None:
        alive = [True] * self.players
        if phase not in _WITH_UNOWNED:
            if not self.rules.fog or phase is Phase.OVER:
                alive = [count > 0 for count in self.seen.territory_counts[: self.players]]
            elif "out" in self.fields:
                for seat in self._field("out", lambda value: [_number(word) for word in value.split()]):
                    if seat >= self.players:
                        raise FormatError(f"out: there is no seat {seat}")
                    alive[seat] = False
        if phase is not Phase.OVER and sum(alive) < 2:
            raise FormatError("fewer than two players are left, so that the game is over")
        if self.seen.turn < self.players and phase is not Phase.OVER and not alive[self.seen.turn]:
            raise FormatError(f"turn: player {self.seen.turn} is out")
        self.state[layout.ALIVE] = sum(1 << seat for seat, plays in enumerate(alive) if plays)

    def _read_cards(self, phase: Phase) -> None:
        over = phase is Phase.OVER
        places = self.seen.card_places
        places[:] = layout.DECK if over else layout.HIDDEN
        names = [("discards", layout.DISCARD), ("cards", self.seat)]
        names += [(f"cards {seat}", seat) for seat in range(self.players) if seat != self.seat]
        taken: set[int] = set()
        none: tuple[int, ...] = ()
        for name, place in names:
            for card in self._field(name, self._cards, none):
                if card in taken:
                    raise FormatError(f"{name}: a second time {self.map.card_key(card)}")
                taken.add(card)
                places[card] = place
        for name in self.fields:
            if name.startswith("cards ") and (name, int(name[6:])) not in names:
                raise FormatError(f"{name}: there is no such other player")
            if name.startswith("cards ") and not over:
                raise FormatError(f"{name}: another's cards are not seen")
        counts = [int((places == seat).sum()) for seat in range(self.players)]
        own = counts[self.seat] if self.seat < self.players else 0
        if self.seat == self.players and own != int((places == self.seat).sum()):
            raise FormatError("cards: the neutral has none")
        if "hands" in self.fields:
            if over or self.rules.fog:
                raise FormatError("hands: in fog they are not seen, and in the end they are written out")
            given = self._numbers("hands", self.players)
            if self.seat < self.players and given[self.seat] != own:
                raise FormatError(f"hands: {given[self.seat]} of one's own, but cards names {own}")
            counts = given
        discards = int((places == layout.DISCARD).sum())
        deck = self.count + layout.WILD_CARDS - discards - sum(counts)
        if deck < 0:
            raise FormatError("hands: there are not so many cards")
        first = layout.CARD_COUNT + 3 * self.count
        self.state[first : first + self.players] = counts
        self.state[layout.DISCARD_COUNT] = discards
        self.state[layout.DECK_COUNT] = 0 if self.rules.fog and not over else deck
        if phase is Phase.DRAW and not self.rules.fog and deck == 0:
            raise FormatError("phase: the deck is empty, so that there is no card to draw")

    def _cards(self, value: str) -> tuple[int, ...]:
        return tuple(self.map.card(word) for word in value.split())

    def _read_capitals(self, phase: Phase) -> None:
        def convert(value: str) -> list[int]:
            words = value.split()
            if len(words) != self.players:
                raise FormatError(f"expected {self.players} capitals, - for none and ? for one not seen")
            marks = {"-": layout.NOBODY, "?": layout.HIDDEN}
            return [marks[word] if word in marks else self.map.territory(word) for word in words]

        capitals = self._field("capitals", convert, [layout.NOBODY] * self.players)
        if not self.rules.capitals and any(capital != layout.NOBODY for capital in capitals):
            raise FormatError("capitals: these rules know none")
        named = phase not in _BEFORE_THE_FIRST_ROUND and phase is not Phase.WAITING
        if self.rules.capitals and named and layout.NOBODY in capitals:
            raise FormatError("capitals: after the first round has begun every player has one")
        first = layout.CAPITAL_OF + 3 * self.count
        self.state[first : first + layout.MAX_SEATS] = layout.NOBODY
        self.state[first : first + self.players] = capitals

    def _read_hand(self, phase: Phase, turn: int) -> None:
        """Armies in hand, and whether cards have to be traded first."""
        state = self.state
        if phase is Phase.SETUP:
            reserve = int(state[layout.RESERVE + 3 * self.count + turn])
            most = min(reserve, self.rules.setup_step or layout.MAX_ARMIES)
            state[layout.TO_PLACE] = self._count("in hand", most, most)
            if not state[layout.TO_PLACE]:
                raise FormatError("in hand: at least one army, and no more than the reserves")
            return
        cards = int(state[layout.CARD_COUNT + 3 * self.count + turn]) if turn < self.players else 0
        if phase is Phase.DRAFT:
            state[layout.MUST_TRADE] = cards >= layout.MAX_HAND and self.rules.cards != "none"
            usual = 0 if state[layout.MID_TURN] else self.seen.reinforcements(turn)
            state[layout.TO_PLACE] = self._count("in hand", usual)
            if not (state[layout.TO_PLACE] or state[layout.MUST_TRADE]):
                raise FormatError("in hand: at least one army, or five cards to trade")
        elif self._count("in hand", 0):
            raise FormatError(
                f"in hand: there are no armies to place while the phase is {phase.name.lower()}"
            )
        if phase is Phase.OCCUPY:
            state[layout.MUST_TRADE] = cards >= layout.FORCED_HAND and self.rules.cards != "none"

    def _read_attack(self, phase: Phase, turn: int) -> None:
        for name, wanted in ("attack", Phase.ROLL), ("taken", Phase.OCCUPY):
            if (name in self.fields) != (phase is wanted):
                raise FormatError(
                    f"a line {name!r} goes with the phase {wanted.name.lower()}, and only with it"
                )
        state, world = self.state, self.map.world
        if phase is Phase.ROLL:
            attack = self._field("attack", lambda value: actions.parse(f"attack {value}", self.map))
            # What is being fought would be a legal attack, were it not begun already.
            state[layout.PHASE], attacks = layout.ATTACK, int(state[layout.ATTACKS])
            state[layout.ATTACKS] = 0
            fault = self.seen.broken_rule(attack)
            state[layout.PHASE], state[layout.ATTACKS] = layout.ROLL, attacks
            if fault is not None or not isinstance(attack, Attack):
                raise FormatError(f"attack: {fault}")
            code = actions.pack(attack)
            state[layout.SOURCE], state[layout.TARGET] = attack.source, attack.target
            state[layout.COMMITTED], state[layout.UNTIL] = attack.armies, code & layout.NUMBER_MASK
        elif phase is Phase.OCCUPY:
            places = self._field("taken", lambda value: [self.map.territory(word) for word in value.split()])
            if len(places) != 2 or any(self.seen.owners[place] != turn for place in places):
                raise FormatError("taken: expected two territories of the player, from where and which")
            source, target = places
            if not legal.is_near(world, source, target):
                raise FormatError("taken: the territories are not neighbours")
            least = int(self.seen.armies[target])
            if least > legal.most_dice(self.seen.packed):
                raise FormatError("taken: more armies moved in than dice are rolled")
            state[layout.SOURCE], state[layout.TARGET], state[layout.LEAST] = source, target, least


def _number(text: str, most: int = _MOST) -> int:
    if re.fullmatch(r"[0-9]{1,9}", text) is None or int(text) > most:
        raise FormatError(f"expected a number from 0 to {most}, not {text[:40]!r}")
    return int(text)


def _yes_or_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise FormatError(f"expected yes or no, not {text[:40]!r}")
    return text == "yes"


def _phase(text: str) -> Phase:
    try:
        return Phase[text.upper()]
    except KeyError:
        known = ", ".join(phase.name.lower() for phase in Phase)
        raise FormatError(f"unknown phase {text[:40]!r} (known: {known})") from None
