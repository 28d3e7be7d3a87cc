"""Risk once more, plainly: lists, sets and no kernel, to check the compiled rules against.

It takes the same actions and outcomes as `surefoot.risk.Game`; of a map it uses names, neighbours and
continents only.
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from copy import deepcopy
from functools import cache
from itertools import combinations, product

from surefoot.risk.actions import Action, Attack, Claim, Draft, End, Fortify, Occupy, Trade
from surefoot.risk.rules import Rules
from surefoot.risk.worldmap import WorldMap

NO_LIMIT = 1_000_000
START = {2: 40, 3: 35, 4: 30, 5: 25, 6: 20}


class Refused(Exception):
    """The rules forbid the action."""


@cache
def losses(attack: int, defence: int) -> dict[int, int]:
    """What the attacker loses in one roll, by counting all faces."""
    found: Counter[int] = Counter()
    for faces in product(range(1, 7), repeat=attack + defence):
        mine = sorted(faces[:attack], reverse=True)
        theirs = sorted(faces[attack:], reverse=True)
        found[sum(a <= d for a, d in zip(mine, theirs))] += 1
    return dict(found)


class NaiveRisk:
    """One game; chance waits for `resolve`."""

    def __init__(self, worldmap: WorldMap, rules: Rules, players: int) -> None:
        self.map, self.rules, self.players = worldmap, rules, players
        count = len(worldmap.territories)
        self.lands = range(count)
        self.seats = players + (1 if rules.neutral else 0)
        self.owner: list[int | None] = [None] * count
        self.armies = [0] * count
        self.hands: list[set[int]] = [set() for _ in range(players)]
        self.deck = set(range(count + 2))
        self.discards: set[int] = set()
        start = {"one": 0, "table": max(START[players] * count // 42, -(-count // self.seats))}
        given = rules.starting_armies
        self.reserve = [given if isinstance(given, int) else start[given]] * self.seats
        self.capital: list[int | None] = [None] * players
        self.alive = set(range(players))
        self.turn, self.round, self.sets = 0, 0, 0
        self.to_place, self.attacks = 0, 0
        self.conquered = self.mid_turn = self.must_trade = False
        self.battle: dict[str, int] | None = None
        self.phase = "claim" if rules.placement == "claimed" else "deal"
        self.winner: int | None = None
        self.outcome = "running"

    def copy(self) -> "NaiveRisk":
        shared = self.map, self.rules
        self.map, self.rules = None, None  # type: ignore[assignment]
        other = deepcopy(self)
        self.map, self.rules = other.map, other.rules = shared
        return other

    def snapshot(self) -> Hashable:
        """Everything that tells two positions apart."""
        battle = None if self.battle is None else tuple(sorted(self.battle.items()))
        places = tuple(
            next((seat for seat, hand in enumerate(self.hands) if card in hand), None)
            if card not in self.deck | self.discards
            else ("deck" if card in self.deck else "discard")
            for card in range(len(self.lands) + 2)
        )
        return (
            *(tuple(self.owner), tuple(self.armies), places, tuple(self.reserve), tuple(self.capital)),
            *(tuple(sorted(self.alive)), self.turn, self.round, self.sets, self.to_place, self.attacks),
            *(self.conquered, self.mid_turn, self.must_trade, battle, self.phase, self.winner),
            self.outcome,
        )

    # --- counting ------------------------------------------------------------------------------------------

    def own(self, seat: int) -> list[int]:
        return [t for t in self.lands if self.owner[t] == seat]

    def limit(self) -> int:
        return self.rules.max_armies or NO_LIMIT

    def has_room(self, seat: int) -> bool:
        return any(self.armies[t] < self.limit() for t in self.own(seat))

    def income(self, seat: int) -> int:
        held = self.own(seat)
        if self.rules.draft == "territories":
            return len(held)
        armies = max(3, len(held) // 3)
        for number, continent in enumerate(self.map.continents):
            if all(self.owner[t] == seat for t in self.lands if self.map.territories[t].continent == number):
                armies += continent.bonus
        return armies

    def connected(self, source: int, target: int) -> bool:
        reached, fresh = {source}, [source]
        while fresh:
            for near in self.map.neighbours[fresh.pop()]:
                if near not in reached and self.owner[near] == self.owner[source]:
                    reached.add(near)
                    fresh.append(near)
        return target in reached

    def kind(self, card: int) -> str:
        if card >= len(self.lands):
            return "wild"
        return ("infantry", "cavalry", "artillery")[self.map.territories[card].card]

    def set_values(self, cards: tuple[int, int, int]) -> list[int]:
        """What three cards may be worth in fixed values, with every meaning of the wild ones."""
        plain = ("infantry", "cavalry", "artillery")
        meanings = [plain if self.kind(card) == "wild" else (self.kind(card),) for card in cards]
        found = []
        for kinds in product(*meanings):
            if len(set(kinds)) == 1:
                found.append({"infantry": 4, "cavalry": 6, "artillery": 8}[kinds[0]])
            elif len(set(kinds)) == 3:
                found.append(10)
        return found

    def set_value(self, cards: tuple[int, int, int]) -> int:
        if self.rules.cards == "fixed":
            return max(self.set_values(cards))
        first = [4, 6, 8, 10, 12, 15]
        return first[self.sets] if self.sets < 6 else 15 + 5 * (self.sets - 5)

    # --- actions -------------------------------------------------------------------------------------------

    def candidates(self) -> Iterator[Action]:
        """Actions worth asking about: all legal ones are among them."""
        most = max([self.to_place, *self.armies])
        if self.phase in ("claim", "capital"):
            yield from (Claim(t) for t in self.lands)
        elif self.phase in ("setup", "draft"):
            yield from (Draft(t, n) for t in self.lands for n in range(1, self.to_place + 1))
            if self.phase == "draft":
                for three in combinations(sorted(self.hands[self.turn]), 3):
                    yield from (Trade(three, bonus) for bonus in (None, *three))
        elif self.phase == "attack":
            yield End()
            for a, b in product(self.lands, repeat=2):
                for n in range(1, most):
                    yield Fortify(a, b, n)
                    yield Attack(a, b, n, "roll")
                    yield Attack(a, b, n, "decided")
                    yield from (Attack(a, b, n, left) for left in range(1, n + 1))
        elif self.phase == "occupy":
            yield from (Occupy(n) for n in range(1, 2 * most + 1))

    def legal(self) -> list[Action]:
        return [action for action in self.candidates() if self.allows(action)]

    def allows(self, action: Action) -> bool:
        try:
            self._judge(action)
        except Refused:
            return False
        return True

    def _need(self, *conditions: bool) -> None:
        if not all(conditions):
            raise Refused

    def _judge(self, action: Action) -> None:
        seat, rules = self.turn, self.rules
        match action:
            case Claim(t):
                self._need(self.phase in ("claim", "capital"), t in self.lands)
                self._need(self.owner[t] is None if self.phase == "claim" else self.owner[t] == seat)
            case Draft(t, armies):
                self._need(self.phase in ("setup", "draft"), t in self.lands, not self.must_trade)
                self._need(self.owner[t] == seat, 1 <= armies <= self.to_place)
                self._need(self.armies[t] + armies <= self.limit())
            case Trade(cards, bonus):
                self._need(self.phase == "draft", rules.cards != "none", len(set(cards)) == 3)
                self._need(set(cards) <= self.hands[seat], self.must_trade or not self.mid_turn)
                self._need(bool(self.set_values(cards)))
                pictured = [card for card in cards if card in self.lands and self.owner[card] == seat]
                self._need(bonus in pictured if pictured else bonus is None)
            case Attack(a, b, armies, until):
                self._need(self.phase == "attack", a in self.lands, b in self.lands)
                self._need(self.owner[a] == seat, self.owner[b] != seat, b in self.map.neighbours[a])
                self._need(rules.max_attacks == 0 or self.attacks < rules.max_attacks)
                self._need(1 <= armies <= self.armies[a] - 1)
                if until == "roll":
                    self._need(rules.blitz != "must", armies <= (1 if rules.battles == "coin" else 3))
                elif until == "decided":
                    self._need(rules.blitz != "never")
                else:
                    self._need(rules.blitz == "may", 1 <= int(until) < armies)
            case Occupy(armies):
                self._need(self.phase == "occupy")
                assert self.battle is not None
                a, b = self.battle["source"], self.battle["target"]
                self._need(armies >= self.battle["least"], armies <= self.armies[a] + self.armies[b] - 1)
                self._need(armies <= self.limit())
            case Fortify(a, b, armies):
                self._need(self.phase == "attack", rules.fortify != "none", a in self.lands, b in self.lands)
                self._need(self.owner[a] == seat, self.owner[b] == seat, a != b)
                self._need(1 <= armies < self.armies[a], self.armies[b] + armies <= self.limit())
                near = b in self.map.neighbours[a]
                self._need(near or (rules.fortify == "connected" and self.connected(a, b)))
            case End():
                self._need(self.phase == "attack")

    def play(self, action: Action) -> None:
        """Play one action."""
        self._judge(action)
        seat = self.turn
        match action:
            case Claim(t):
                if self.phase == "claim":
                    self._first_army(t)
                else:
                    self.capital[seat] = t
                    if seat + 1 < self.players:
                        self.turn += 1
                    else:
                        self._first_turn()
            case Draft(t, armies):
                self.armies[t] += armies
                self.to_place -= armies
                if self.phase == "setup":
                    self.reserve[seat] -= armies
                    if self.to_place == 0 or not self.has_room(seat):
                        self._next_setup()
                else:
                    self._settle()
            case Trade(cards, bonus):
                self.to_place += self.set_value(cards)
                self.sets += 1
                self.hands[seat] -= set(cards)
                self.discards |= set(cards)
                if bonus is not None:
                    self.armies[bonus] = min(self.armies[bonus] + 2, self.limit())
                self.must_trade = len(self.hands[seat]) > 4
                self._settle()
            case Attack(a, b, armies, until):
                self.attacks += 1
                stop = {"decided": 0, "roll": NO_LIMIT}.get(str(until))
                until_left = int(until) if stop is None else stop
                self.battle = {"source": a, "target": b, "army": armies, "until": until_left, "least": 0}
                self.phase = "roll"
            case Occupy(armies):
                assert self.battle is not None
                a, b = self.battle["source"], self.battle["target"]
                more = armies - self.armies[b]
                self.armies[a] -= more
                self.armies[b] += more
                self.battle = None
                self.phase = "draft" if self.must_trade else "attack"
                self.mid_turn = self.must_trade
            case Fortify(a, b, armies):
                self.armies[a] -= armies
                self.armies[b] += armies
                self._end_turn()
            case End():
                self._end_turn()

    # --- chance --------------------------------------------------------------------------------------------

    def dice(self) -> tuple[int, int]:
        assert self.battle is not None
        if self.rules.battles == "coin":
            return 1, 1
        there = self.armies[self.battle["target"]]
        return min(3, self.battle["army"]), min(self.rules.defence_dice, there)

    def chance(self) -> dict[int, int]:
        """What chance may bring next, by weight."""
        if self.phase == "deal":
            return {t: 1 for t in self.lands if self.owner[t] is None}
        if self.phase == "draw":
            return dict.fromkeys(sorted(self.deck), 1)
        if self.phase == "roll":
            return {0: 1, 1: 1} if self.rules.battles == "coin" else losses(*self.dice())
        return {}

    def resolve(self, outcome: int) -> None:
        """Let chance bring it."""
        assert outcome in self.chance()
        if self.phase == "deal":
            self._first_army(outcome)
        elif self.phase == "draw":
            self.deck.remove(outcome)
            self.hands[self.turn].add(outcome)
            self._next_turn()
        else:
            self._roll(outcome)

    def _roll(self, lost: int) -> None:
        assert self.battle is not None
        a, b = self.battle["source"], self.battle["target"]
        dice = self.dice()
        self.armies[a] -= lost
        self.battle["army"] -= lost
        self.armies[b] -= min(dice) - lost
        if self.armies[b] == 0:
            self._conquer(a, b, dice[0])
        elif self.battle["army"] <= self.battle["until"]:
            self.battle = None
            self.phase = "attack"

    def _conquer(self, a: int, b: int, dice: int) -> None:
        seat, loser = self.turn, self.owner[b]
        assert loser is not None
        self.owner[b] = seat
        self.armies[a] -= dice
        self.armies[b] = dice
        self.conquered = True
        self.battle = {"source": a, "target": b, "army": 0, "until": 0, "least": dice}
        self.phase = "occupy"
        if loser < self.players and not self.own(loser):
            self.alive.discard(loser)
            self.hands[seat] |= self.hands[loser]
            if self.hands[loser]:
                self.must_trade = len(self.hands[seat]) >= 6
            self.hands[loser] = set()
        capitals = [place for place in self.capital if place is not None]
        ruled = self.rules.capitals and all(self.owner[place] == seat for place in capitals)
        if self.alive == {seat} or ruled:
            self.winner, self.outcome = seat, "won"
            self._finish()

    def _finish(self) -> None:
        self.battle, self.attacks, self.phase = None, 0, "over"
        self.conquered = self.must_trade = False

    # --- from one to the next ------------------------------------------------------------------------------

    def _first_army(self, t: int) -> None:
        self.owner[t], self.armies[t] = self.turn, 1
        if self.rules.starting_armies != "one":
            self.reserve[self.turn] -= 1
        if None not in self.owner:
            if self.rules.neutral:
                while self.reserve[-1] and self.has_room(self.players):
                    for land in self.own(self.players):
                        if self.reserve[-1] and self.armies[land] < self.limit():
                            self.armies[land] += 1
                            self.reserve[-1] -= 1
                self.reserve[-1] = 0
            self.turn = self.players - 1
            self._next_setup()
            return
        self.turn = (self.turn + 1) % self.seats
        claims = self.rules.placement == "claimed" and self.turn < self.players
        self.phase = "claim" if claims else "deal"

    def _next_setup(self) -> None:
        for step in range(1, self.players + 1):
            seat = (self.turn + step) % self.players
            if not self.has_room(seat):
                self.reserve[seat] = 0
            if self.reserve[seat]:
                self.turn, self.phase = seat, "setup"
                self.to_place = min(self.reserve[seat], self.rules.setup_step or NO_LIMIT)
                return
        self.turn = self.to_place = 0
        if self.rules.capitals:
            self.phase = "capital"
        else:
            self._first_turn()

    def _first_turn(self) -> None:
        self.turn, self.round = 0, 1
        self._begin_turn()

    def _begin_turn(self) -> None:
        self.phase = "draft"
        self.attacks, self.conquered, self.mid_turn = 0, False, False
        self.to_place = self.income(self.turn)
        self.must_trade = len(self.hands[self.turn]) >= 5
        self._settle()

    def _settle(self) -> None:
        if not self.must_trade and (self.to_place == 0 or not self.has_room(self.turn)):
            self.to_place, self.mid_turn, self.phase = 0, False, "attack"

    def _end_turn(self) -> None:
        if self.conquered and self.rules.cards != "none":
            if not self.deck:
                self.deck, self.discards = self.discards, set()
            if self.deck:
                self.phase = "draw"
                return
        self._next_turn()

    def _next_turn(self) -> None:
        order = [(self.turn + step) % self.players for step in range(1, self.players + 1)]
        following = next(seat for seat in order if seat in self.alive)
        if following <= self.turn:
            if self.round == self.rules.round_cap:
                self.outcome = "capped"
                self._finish()
                return
            self.round += 1
        self.turn = following
        self._begin_turn()
