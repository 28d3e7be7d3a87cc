"""Document B's agent seen from Python: how it is set, and what its tree says about a position."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import resources
from math import isfinite
from typing import Any, Final, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError, RulesError

from .battle import battle
from .dice import COIN, Dice
from .kernels import alphabeta, alphabeta_maxn, alphabeta_moves, alphabeta_policy, features, layout, policies
from .kernels import alphabeta_rows as rows
from .kernels.draft import ONE
from .policy import Policy, Think, new_scratch
from .situation import Situation

Battle = Literal["certain", "expected", "chance"]
Targets = Literal["all", "best"]
Opponents = Literal["paranoid", "maxn"]
Army = Literal["average", "whole"]
Draft = Literal["ratios", "tree"]
Weights = tuple[float, float, float, float]

DEPTH: Final = 5
"""Of the tree, in the document's program."""
MAX_DEPTH: Final = rows.MAX_DEPTH
MAX_WEIGHT: Final = 1000.0
_LARGEST_BATTLE = 40
"""Armies a side in the table of odds; larger battles are judged by one of the same proportions."""
_NO_HASH = np.zeros((0, 0), np.int64)
_NO_LIMIT = 1 << 62
_CODES: dict[str, int] = {
    "certain": rows.CERTAIN,
    "expected": rows.EXPECTED,
    "chance": rows.CHANCE,
    "all": rows.ALL_TARGETS,
    "best": rows.BEST_TARGET,
    "paranoid": rows.PARANOID,
    "maxn": rows.MAXN,
    "average": rows.AVERAGE_ARMY,
    "whole": rows.WHOLE_ARMY,
    "ratios": rows.DRAFT_BY_RATIOS,
    "tree": rows.DRAFT_BY_TREE,
}
_CHOICES = {"battle": Battle, "targets": Targets, "opponents": Opponents, "army": Army, "draft": Draft}


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """How far and by what the tree is searched; the defaults are the document's.

    Args:
        weights: of the features land, armies, strength and safety (see `features`), 0 to ``MAX_WEIGHT``.
        depth: edges of the tree, 1 to ``MAX_DEPTH``.
        attacks: in a turn, at most.
        battle: how a battle in the tree ends: ``certain`` as in the document, a attackers beat d < a and
            a - d are left; ``expected``, the likelier of winning and losing, with as many left as on average;
            ``chance``, both, each weighted by its chance.
        targets: whether all neighbours are attacked, or of each territory only its weakest.
        opponents: whether all others want the least for oneself, or each the most for itself.
        army: who attacks: the ``average`` of attackers and defenders, rounded up, or the ``whole`` army.
        draft: where the agent places new armies: by the ``ratios``, as all do in the tree, or all on the one
            territory with which the ``tree`` is worth most; the starting armies then on the strongest.

    Raises:
        RulesError: one of them has a value that it does not take.
    """

    weights: Weights = (1.0, 1.0, 1.0, 1.0)
    depth: int = DEPTH
    attacks: int = 3
    battle: Battle = "certain"
    targets: Targets = "all"
    opponents: Opponents = "paranoid"
    army: Army = "average"
    draft: Draft = "ratios"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in get_args(choices):
                known = ", ".join(get_args(choices))
                raise RulesError(f"{name} is one of {known}, not {str(getattr(self, name))[:40]!r}")
        for name, least, most in (("depth", 1, MAX_DEPTH), ("attacks", 0, layout.MAX_ARMIES)):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise RulesError(f"{name} is {least} to {most}, not {str(value)[:40]}")
        numbers = self.weights
        if len(numbers) != features.FEATURES or not all(
            isfinite(weight) and 0 <= weight <= MAX_WEIGHT for weight in numbers
        ):
            raise RulesError(f"weights are {features.FEATURES} numbers from 0 to {MAX_WEIGHT:g}")
        if not any(numbers):
            raise RulesError("at least one weight is more than 0")

    def pack(self, *, reorderings: bool = False) -> NDArray[np.float64]:
        """The words that the kernels take.

        Args:
            reorderings: whether to search all orders of attacks that do not depend on each other. Unless
                battles are certain that is always done: a lost one changes what else can be attacked.
        """
        odds = _odds() if self.battle != "certain" else np.zeros(0)
        words = np.zeros(rows.ODDS + len(odds))
        words[: features.FEATURES] = self.weights
        words[rows.DEPTH] = self.depth
        words[rows.ATTACKS] = self.attacks
        words[rows.BATTLE] = _CODES[self.battle]
        words[rows.TARGETS] = _CODES[self.targets]
        words[rows.OPPONENTS] = _CODES[self.opponents]
        words[rows.ARMY] = _CODES[self.army]
        words[rows.DRAFT] = _CODES[self.draft]
        words[rows.REORDERINGS] = reorderings
        words[rows.LARGEST] = _LARGEST_BATTLE
        words[rows.ODDS :] = odds
        return words

    @property
    def policy(self) -> Policy:
        """The policy that plays so."""
        words = self.pack()
        search = partial(_search, self.opponents == "maxn", words)
        return Policy(policies.ALPHABETA, words, partial(think, search))


def think(
    search: Think,
    world: NDArray[np.int32],
    rules: NDArray[np.int64],
    state: NDArray[np.int32],
    scratch: NDArray[np.int64],
) -> None:
    """Advise an attack, or plan a draft, by ``search``, and say so in the memory: see `policy.Think`.

    Args:
        search: leaves what the tree says of a position, in which attacks are due, in the CONTROL of the room.
        world, rules, state, scratch: as in `policy.Think`.
    """
    if state[layout.PHASE] == layout.ATTACK:
        search(world, rules, state, scratch)
        scratch[rows.MEMORY, rows.THOUGHT] = 1
        return
    count = int(world[layout.TERRITORIES])
    owners, armies = state[layout.OWNER :][:count], state[layout.OWNER + count :][:count]
    most, seat = rules[layout.R_MAX_ARMIES], state[layout.SEAT]
    own = [int(t) for t in np.flatnonzero((owners == seat) & (armies < most))]
    starts = world[world[layout.NEAR] :][: count + 1]
    front = [t for t in own if (owners[world[starts[t] : starts[t + 1]]] != seat).any()]
    best, highest = own[0], -1
    for t in front:
        tried = state.copy()
        units = min(int(state[layout.TO_PLACE]), int(most - armies[t]))
        alphabeta_policy.place_all(world, tried, t, units)
        search(world, rules, tried, scratch)
        value = int(scratch[rows.CONTROL, rows.VALUE])
        if value > highest:
            best, highest = t, value
    alphabeta_policy.plan_draft(world, state, scratch, best)


def _search(
    maxn: bool,
    words: NDArray[np.float64],
    world: NDArray[np.int32],
    rules: NDArray[np.int64],
    state: NDArray[np.int32],
    scratch: NDArray[np.int64],
) -> None:
    """Search to the end."""
    kept = features.EVERY_SEAT if maxn else state[layout.SEAT]
    arrays = (world, rules, _line(state), words, scratch, _NO_HASH)
    alphabeta.prepare(*arrays, kept)
    if maxn:
        alphabeta_maxn.search_maxn(*arrays, _NO_LIMIT)
    else:
        alphabeta.search(*arrays, _NO_HASH, _NO_LIMIT)


def _line(state: NDArray[np.int32]) -> NDArray[np.int32]:
    """Room for a line of play that begins with ``state``."""
    states = np.empty((rows.MAX_DEPTH + 1, len(state)), np.int32)
    states[0] = state
    return states


@cache
def _odds() -> NDArray[np.float64]:
    """The tables of odds: for each kind of dice and each pair of attackers and defenders the chance to win,
    and who is left on average after each end."""
    size = _LARGEST_BATTLE + 1
    kinds = {
        rows.TWO_DICE: Dice(layout.MAX_ATTACK_DICE, 2),
        rows.THREE_DICE: Dice(layout.MAX_ATTACK_DICE, 3),
        rows.COIN: COIN,
    }
    tables = np.ones((len(kinds), size, size, rows.ODDS_WORDS))
    for kind, dice in kinds.items():
        for attackers in range(1, size):
            for defenders in range(1, size):
                odds = battle(attackers, defenders, dice=dice)
                pair = tables[kind, attackers, defenders]
                pair[rows.WIN] = odds.win
                pair[rows.LEFT] = _mean(odds.attackers)
                pair[rows.HOLD] = _mean(odds.defenders)
    return tables.reshape(-1)


def _mean(chances: Sequence[float]) -> float:
    """How many are left on average, if any are; 1 where that is as good as impossible."""
    total = sum(chances[1:])
    return sum(number * chance for number, chance in enumerate(chances)) / total if total else 1.0


def read_weights(text: str) -> Weights:
    """The weights of a name, or of four numbers separated by slashes, such as ``1/0.5/2/3``.

    Raises:
        FormatError: there is no such name, or these are not four numbers.
    """
    shipped = resources.files("surefoot.risk") / "data" / "weights"
    if "/" not in text:
        known = sorted(path.name.removesuffix(".toml") for path in shipped.iterdir())
        if text not in known:
            raise FormatError(
                f"unknown weights {text[:40]!r} (known: {', '.join(known)}, or four numbers: 1/0.5/2/3)"
            )
        numbers: Any = tomllib.loads((shipped / f"{text}.toml").read_text(encoding="utf-8"))["weights"]
    else:
        numbers = text.split("/")
    try:
        land, armies, strength, safety = (float(number) for number in numbers)
    except ValueError:
        raise FormatError(f"weights are four numbers such as 1/0.5/2/3, not {text[:40]!r}") from None
    return land, armies, strength, safety


class Advice(NamedTuple):
    """What the tree says.

    Args:
        value: the weighted features at the end of the best line, for the seat to move.
        attack: source, target and army; None to make no attack.
        nodes: how many nodes were entered.
        depth: how deep the tree was.
    """

    value: float
    attack: tuple[int, int, int] | None
    nodes: int
    depth: int


class Search:
    """A search from a position where attacks are due; `run` may be called until it is finished.

    Args:
        world, rules, state: the arrays of the kernels, as the seat to move sees them; the state is copied.
        thought: how to search.
        scratch: room to think (see `policy.new_scratch`).
        memory: positions that were searched before, of the same root; see `new_memory`. Max-n has none.
        reorderings: see `Thought.pack`; always with a memory, which does the same and more.
    """

    def __init__(
        self,
        world: NDArray[np.int32],
        rules: NDArray[np.int64],
        state: NDArray[np.int32],
        thought: Thought,
        scratch: NDArray[np.int64],
        *,
        memory: "Memory | None" = None,
        reorderings: bool = False,
    ) -> None:
        self._thought = thought
        self._maxn = thought.opponents == "maxn"
        self._memory = Memory(_NO_HASH, _NO_HASH) if memory is None or self._maxn else memory
        words = thought.pack(reorderings=reorderings or len(self._memory.table) > 0)
        self._arrays = (world, rules, _line(state), words, scratch, self._memory.zobrist)
        alphabeta.prepare(*self._arrays, features.EVERY_SEAT if self._maxn else state[layout.SEAT])
        self._scratch = scratch
        self.finished = False

    def run(self, nodes: int = _NO_LIMIT) -> bool:
        """Search on for so many nodes; the answer is whether it is finished."""
        if not self.finished:
            self.finished = bool(
                alphabeta_maxn.search_maxn(*self._arrays, nodes)
                if self._maxn
                else alphabeta.search(*self._arrays, self._memory.table, nodes)
            )
        return self.finished

    @property
    def move(self) -> int:
        """The best move as the kernels write it; of a search that is finished."""
        return int(self._scratch[rows.CONTROL, rows.ADVICE])

    @property
    def advice(self) -> Advice:
        """What was found; of a search that is finished."""
        world, states, words = self._arrays[0], self._arrays[2], self._arrays[3]
        armies = states[0, layout.OWNER + world[layout.TERRITORIES] :]
        attack = None
        if self.move != rows.PASS:
            source, target = self.move >> rows.SOURCE_SHIFT, self.move & rows.TERRITORY_MASK
            sides = int(armies[source]) - 1, int(armies[target])
            attack = (source, target, int(alphabeta_moves.army_between(words, *sides)))
        control = self._scratch[rows.CONTROL]
        value = int(control[rows.VALUE]) / ONE
        return Advice(value, attack, int(control[rows.NODES]), self._thought.depth)


class Memory(NamedTuple):
    """A table of positions and the random numbers that their hashes are made of (see `alphabeta_rows`)."""

    zobrist: NDArray[np.int64]
    table: NDArray[np.int64]


def new_memory(territories: int, entries: int = 1 << 16) -> Memory:
    """An empty table for positions on a map of that many territories; ``entries`` is a power of two."""
    numbers = np.random.default_rng(0).integers(0, 1 << 62, (territories + 1, rows.HASH_COLUMNS))
    return Memory(numbers, np.zeros((entries, rows.TABLE_WORDS), np.int64))


def deepen(
    world: NDArray[np.int32],
    rules: NDArray[np.int64],
    state: NDArray[np.int32],
    thought: Thought,
    scratch: NDArray[np.int64],
) -> Iterator[Search]:
    """Searches of depth 1, 2 … up to that of ``thought``, to be run by the caller; they share a memory."""
    memory = new_memory(int(world[layout.TERRITORIES]))
    for depth in range(1, thought.depth + 1):
        yield Search(world, rules, state, replace(thought, depth=depth), scratch, memory=memory)


def advise(situation: Situation, thought: Thought) -> Advice:
    """What the tree of ``thought`` says about a position in which the seat to move may attack.

    Raises:
        ValueError: attacks are not due.
    """
    if int(situation.state[layout.PHASE]) != layout.ATTACK:
        raise ValueError(f"the tree is asked about attacks, but the phase is {situation.phase.name.lower()}")
    worldmap = situation.worldmap
    search = Search(worldmap.world, situation.packed, situation.state, thought, new_scratch(worldmap))
    search.run()
    return search.advice
