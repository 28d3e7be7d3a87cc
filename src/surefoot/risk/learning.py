"""Teaching the value: which games are played, and how a network is fitted to who won them.

Who plays is handed in, so that everything here is a pure function of the settings and of what was played.
All chance is drawn from ``SeedSequence([seed, round, piece, purpose])``: whatever is asked for can be asked
for alone, in any order and on any worker.

The network is fitted to the winners by cross-entropy, with decay of its weights, by Adam (Kingma and Ba,
2015, arXiv:1412.6980) on batches of positions, with a rate that falls along half a cosine. The fit ends when
the games that are held out have not gained for some epochs; what comes out is the best epoch by these.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import cos, pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import RulesError

from .kernels import value
from .kernels.value_words import UNITS, WORDS
from .lessons import Lessons, Positions
from .rules import MAX_PLAYERS, MAX_ROUNDS, MIN_PLAYERS, Rules
from .worldmap import WorldMap

PIECE = 200
"""Games that a worker plays in one go, and that are kept together."""
MOST_SAMPLES = 100

_PURPOSE_GAMES, _PURPOSE_FIT = range(10, 12)  # the last word of a seed
_MOST = 10**9
_LEAST = {
    "seed": 0,
    "rounds": 1,
    "games": 1,
    "samples": 1,
    "round_cap": 1,
    "units": 0,
    "epochs": 1,
    "patience": 1,
}
_BATCH = 4096
_STEPS = 16  # at least so many batches, which are smaller if need be
_RATE = 0.01
_FADE, _FADE_SQUARES, _TINY = 0.9, 0.999, 1e-8  # Adam's usual

POOL = (
    *("planner:fast", "planner:fast", "planner:fast"),
    *("empire", "empire", "continent", "killer", "aggressive"),
)
"""Who plays unless told otherwise; `turtle` and `spread` are left to judge what was learned."""

RULES = (
    *("standard", "standard:placement=claimed", "standard:fortify=connected"),
    *("modern", "modern:placement=claimed", "modern:setup_step=0"),
    *("standard:neutral=yes", "standard:cards=none"),
)
MAPS = ("classic", "classic", "classic", "classic", "classic-82", "archipelago")
SEATS = (2, 2, 2, 3, 3, 4, 5, 6, 6, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that a training run depends on.

    Of ``players``, ``map``, ``rules`` and ``seats`` each entry is as likely; one that stands there twice is
    twice as likely.

    Args:
        seed: of all chance.
        rounds: how often games are played and a network is fitted to all games so far.
        games: of each round.
        samples: positions of a game at the most.
        players: who may sit on a seat, agents with a compiled policy; drawn for each seat.
        map, rules: what may be played, as in `worldmap.load` and `Rules.parse`; drawn for each `PIECE` games,
            the rules among those that so many can play.
        seats: how many may play; drawn for each piece.
        round_cap: so many rounds end a game without a winner, and nothing is learned from it; in place of
            the rules' own.
        units: of the network; without any it is linear.
        decay: weight of the squares of the network's weights.
        epochs: how often all positions are looked at, at the most.
        patience: so many epochs without gain end the fit.

    Raises:
        RulesError: the numbers do not fit together; the message says which.
        FormatError: there are no such rules.
    """

    seed: int = 0
    rounds: int = 3
    games: int = 20_000
    samples: int = 3
    players: tuple[str, ...] = POOL
    map: tuple[str, ...] = MAPS
    rules: tuple[str, ...] = RULES
    seats: tuple[int, ...] = SEATS
    round_cap: int = 200
    units: int = UNITS
    decay: float = 5e-4
    epochs: int = 20
    patience: int = 6

    def __post_init__(self) -> None:
        limits = {"round_cap": MAX_ROUNDS, "units": UNITS, "samples": MOST_SAMPLES, "seed": 2**63 - 1}
        for name, least in _LEAST.items():
            most = limits.get(name, _MOST)
            if not least <= getattr(self, name) <= most:
                raise RulesError(f"{name} is {least} to {most}, not {getattr(self, name)}")
        if not 0 <= self.decay <= 1:
            raise RulesError(f"decay is 0 to 1, not {self.decay}")
        for name in ("players", "map", "rules", "seats"):
            if not getattr(self, name):
                raise RulesError(f"{name} is at least one")
        for count in self.seats:
            if not MIN_PLAYERS <= count <= MAX_PLAYERS:
                raise RulesError(f"Risk is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {count}")
        for text in self.rules:
            self.switches(text)

    def switches(self, text: str) -> Rules:
        """Rules of the run with its round cap."""
        if "round_cap" in text:
            raise RulesError("the round cap is a setting of its own, and not given with the rules")
        return replace(Rules.parse(text), round_cap=self.round_cap)

    def fitting(self, players: int, world: WorldMap) -> list[str]:
        """The rules that so many can play on a map.

        Raises:
            RulesError: there are none.
        """
        found, reason = [], ""
        for text in self.rules:
            try:
                self.switches(text).check(players, len(world.territories))
            except RulesError as error:
                reason = str(error)
            else:
                found.append(text)
        if not found:
            raise RulesError(f"{world.name}, {players} players: no rules that they can play: {reason}")
        return found

    @property
    def pieces(self) -> int:
        """Pieces of a round."""
        return -(-self.games // PIECE)

    def differing(self, given: Mapping[str, Any]) -> list[str]:
        """The names of the settings that are not as ``given``."""
        return [
            field.name
            for field in fields(self)
            if field.name in given and getattr(self, field.name) != given[field.name]
        ]


class Piece(NamedTuple):
    """Some games that are played in one go."""

    map: str
    rules: str
    seating: NDArray[np.int64]
    """Who sits on each seat, by place in the settings' ``players``; shape (games, players)."""
    words: NDArray[np.uint64]
    """The chance of each game, as `lessons.play_lessons` takes it."""


def piece(settings: Settings, worlds: Mapping[str, WorldMap], number: int, place: int) -> Piece:
    """Draw the games of a piece.

    Args:
        worlds: the maps of the settings by name.
        number: of the round, from 1.
        place: of the piece in it, from 1.
    """
    rng = _rng(settings, number, place, _PURPOSE_GAMES)
    players = settings.seats[rng.integers(len(settings.seats))]
    name = settings.map[rng.integers(len(settings.map))]
    fitting = settings.fitting(players, worlds[name])
    games = min(PIECE, settings.games - (place - 1) * PIECE)
    return Piece(
        name,
        fitting[rng.integers(len(fitting))],
        _seating(len(settings.players), games, players, rng),
        rng.integers(0, 1 << 63, (games, 2 + players), np.uint64),
    )


def _seating(agents: int, games: int, players: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Who sits on each seat: at each table some agents drawn by lot, one to as many as it has seats.

    At tables of few agents the position tells more of who will win than who plays in which manner, which is
    what carries over to other agents.
    """
    drawn = rng.integers(agents, size=(games, players))
    kinds = rng.integers(1, players + 1, (games, 1))
    return np.take_along_axis(drawn, (rng.random((games, players)) * kinds).astype(np.int64), axis=1)


class Fit(NamedTuple):
    """A fitted network.

    Args:
        net: float64, shape (kernels.value.NET_SIZE,).
        losses: cross-entropy of the lessons and of the games held out, in nats a position, after each epoch.
        best: the epoch that the network is of, from 1.
    """

    net: NDArray[np.float64]
    losses: tuple[tuple[float, float], ...]
    best: int


def fit(
    settings: Settings,
    lessons: Lessons,
    number: int,
    on_epoch: Callable[[int, float, float], None] | None = None,
) -> Fit:
    """Fit a network to lessons.

    Args:
        number: of the round, from 1, for the lots.
        on_epoch: is told each epoch, from 1, and its two losses.

    Raises:
        RulesError: there are too few lessons to learn from some and hold out others.
    """
    taught = {count: each.only(~each.held_out) for count, each in lessons.items()}
    judges = {count: each.only(each.held_out) for count, each in lessons.items()}
    total = sum(map(len, taught.values()))
    if not total or not sum(map(len, judges.values())):
        raise RulesError(f"too few games were won to learn from: {total} positions; play more of them")
    rng = _rng(settings, number, 0, _PURPOSE_FIT)
    mean, scale = _spread(taught)
    net = _Network.random(settings.units, rng)
    losses: list[tuple[float, float]] = []
    best = net.copy()
    steps = max(_STEPS, total // _BATCH)
    adam = _Adam(net, settings.epochs * steps)
    ready = {count: _standard(each, mean, scale) for count, each in taught.items()}
    ready_judges = {count: _standard(each, mean, scale) for count, each in judges.items()}
    chosen = 1
    for epoch in range(1, settings.epochs + 1):
        summed = 0.0
        for batch in _batches(ready, steps, rng):
            loss, slope = net.learn(batch)
            summed += loss
            adam.step(slope, settings.decay)
        judged = net.loss(ready_judges)
        losses.append((summed / steps, judged))
        if on_epoch is not None:
            on_epoch(epoch, *losses[-1])
        if judged <= min(each for _, each in losses):
            best, chosen = net.copy(), epoch
        elif epoch - chosen >= settings.patience:
            break
    return Fit(best.packed(mean, scale), tuple(losses), chosen)


class _Network:
    """The network while it learns, in float32, on words of mean 0 and deviation 1; see `kernels.value`."""

    def __init__(self, parameters: NDArray[np.float32], units: int) -> None:
        self.parameters = parameters
        self.units = units
        ends = np.cumsum([WORDS, WORDS * units, units, units])
        straight, first, bias, last = np.split(parameters, ends[:-1])
        self.straight, self.first, self.bias, self.last = straight, first.reshape(WORDS, units), bias, last

    @classmethod
    def random(cls, units: int, rng: np.random.Generator) -> "_Network":
        net = cls(np.zeros(WORDS + (WORDS + 2) * units, np.float32), units)
        net.first[:] = rng.normal(0, WORDS**-0.5, net.first.shape)
        net.last[:] = rng.normal(0, 0.1, units)
        return net

    def copy(self) -> "_Network":
        return _Network(self.parameters.copy(), self.units)

    def scores(self, words: NDArray[np.float32]) -> tuple[Any, Any, Any]:
        """Scores, and what the units answer and their slopes; of words of shape (rows, WORDS)."""
        inside = words @ self.first + self.bias
        shrunk = 1 / (1 + np.abs(inside))
        answers = inside * shrunk
        return words @ self.straight + answers @ self.last, answers, shrunk * shrunk

    def learn(self, batch: Sequence[Positions]) -> tuple[float, NDArray[np.float32]]:
        """The loss of a batch, in nats a position, and its slope by each parameter."""
        slope = _Network(np.zeros_like(self.parameters), self.units)
        count = sum(map(len, batch))
        loss = 0.0
        for each in batch:
            words = each.words.reshape(-1, WORDS)
            scores, answers, slopes = self.scores(words)
            logs = _log_softmax(scores.reshape(len(each), -1))
            rows = np.arange(len(each))
            loss -= float(logs[rows, each.won].sum(dtype=np.float64))
            errors = np.exp(logs)
            errors[rows, each.won] -= 1
            wrong = (errors / count).reshape(-1).astype(np.float32)
            inside = (wrong[:, None] * slopes) * self.last
            slope.straight += wrong @ words
            slope.last += wrong @ answers
            slope.first += words.T @ inside
            slope.bias += inside.sum(axis=0)
        return loss / count, slope.parameters

    def loss(self, lessons: Mapping[int, Positions]) -> float:
        """Cross-entropy, in nats a position."""
        summed = 0.0
        for each in lessons.values():
            scores = self.scores(each.words.reshape(-1, WORDS))[0]
            logs = _log_softmax(scores.reshape(len(each), -1))
            summed -= float(logs[np.arange(len(each)), each.won].sum(dtype=np.float64))
        return summed / sum(map(len, lessons.values()))

    def packed(self, mean: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
        """The vector that the kernels read, which takes words as they are."""
        net = np.zeros(value.NET_SIZE)
        first = np.zeros((WORDS, UNITS))
        first[:, : self.units] = self.first.astype(np.float64) / scale[:, None]
        net[value.STRAIGHT : value.FIRST] = self.straight.astype(np.float64) / scale
        net[value.FIRST : value.BIAS] = first.ravel()
        net[value.BIAS : value.BIAS + self.units] = self.bias
        net[value.BIAS : value.LAST] -= mean @ first
        net[value.LAST : value.LAST + self.units] = self.last
        return net


class _Adam:
    def __init__(self, net: _Network, steps: int) -> None:
        self.net = net
        self.steps = steps
        self.done = 0
        self.mean = np.zeros(len(net.parameters))
        self.squares = np.zeros(len(net.parameters))

    def step(self, slope: NDArray[np.float32], decay: float) -> None:
        self.done += 1
        parameters = self.net.parameters
        whole = slope + 2 * decay * parameters.astype(np.float64)
        self.mean += (1 - _FADE) * (whole - self.mean)
        self.squares += (1 - _FADE_SQUARES) * (whole * whole - self.squares)
        mean = self.mean / (1 - _FADE**self.done)
        squares = self.squares / (1 - _FADE_SQUARES**self.done)
        rate = _RATE * (1 + cos(pi * (self.done - 1) / self.steps)) / 2
        parameters -= (rate * mean / (np.sqrt(squares) + _TINY)).astype(np.float32)


def predict(net: NDArray[np.float64], words: NDArray[np.float32]) -> NDArray[np.float64]:
    """Each player's chance by a packed network, plainly; shape (positions, living) of words as in lessons."""
    taken = words.astype(np.float64)
    inside = taken @ net[value.FIRST : value.BIAS].reshape(WORDS, UNITS) + net[value.BIAS : value.LAST]
    answers = inside / (1 + np.abs(inside))
    scores = taken @ net[value.STRAIGHT : value.FIRST] + answers @ net[value.LAST :]
    return np.asarray(np.exp(_log_softmax(scores)))


class Reliability(NamedTuple):
    """Chances against what came of them, in bins of the same width from 0 to 1.

    Args:
        counts: int64, shape (bins,): chances in each.
        expected: their means; 0 in an empty bin.
        won: the shares that came true.
        loss: cross-entropy, in nats a position.
    """

    counts: NDArray[np.int64]
    expected: NDArray[np.float64]
    won: NDArray[np.float64]
    loss: float

    @property
    def gap(self) -> float:
        """The mean absolute gap between expected and won, weighed by the counts."""
        return float((np.abs(self.expected - self.won) * self.counts).sum() / max(self.counts.sum(), 1))

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {
            "chances": int(self.counts.sum()),
            "loss": self.loss,
            "gap": self.gap,
            "counts": self.counts.tolist(),
            "expected": self.expected.tolist(),
            "won": self.won.tolist(),
        }


BINS = 20


def reliability(net: NDArray[np.float64], lessons: Lessons, table: int | None = None) -> Reliability:
    """How a network's chances came true.

    Args:
        table: only of games that began with so many players; None for all.
    """
    sums = np.zeros((3, BINS))
    loss, positions = 0.0, 0
    for each in lessons.values():
        part = each if table is None else each.only(each.table == table)
        if not len(part):
            continue
        chances = predict(net, part.words)
        rows = np.arange(len(part))
        came = np.zeros_like(chances)
        came[rows, part.won] = 1
        loss -= float(np.log(chances[rows, part.won]).sum())
        positions += len(part)
        bins = np.minimum((chances * BINS).astype(np.int64), BINS - 1).ravel()
        for row, amounts in enumerate((np.ones(len(bins)), chances.ravel(), came.ravel())):
            sums[row] += np.bincount(bins, amounts, BINS)
    many = np.maximum(sums[0], 1)
    return Reliability(sums[0].astype(np.int64), sums[1] / many, sums[2] / many, loss / max(positions, 1))


def _batches(lessons: Lessons, steps: int, rng: np.random.Generator) -> Iterator[list[Positions]]:
    """All positions in ``steps`` batches, in each the same part of every number of players."""
    orders = {count: rng.permutation(len(each)) for count, each in lessons.items()}
    for step in range(steps):
        batch = []
        for count, each in lessons.items():
            order = orders[count]
            those = order[len(order) * step // steps : len(order) * (step + 1) // steps]
            if len(those):
                batch.append(each.only(those))
        yield batch


def _spread(lessons: Lessons) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and deviation of each word over all seats; 1 for a word that is always the same."""
    rows = sum(each.words.shape[0] * each.words.shape[1] for each in lessons.values())
    total = sum(each.words.sum(axis=(0, 1), dtype=np.float64) for each in lessons.values())
    mean = np.asarray(total / rows)
    squares = sum(((each.words - mean) ** 2).sum(axis=(0, 1)) for each in lessons.values())
    scale = np.sqrt(np.asarray(squares) / rows)
    return mean, np.where(scale > 1e-6, scale, 1.0)


def _standard(each: Positions, mean: NDArray[np.float64], scale: NDArray[np.float64]) -> Positions:
    shifted = np.subtract(each.words, mean, dtype=np.float32)
    return replace(each, words=np.divide(shifted, scale, dtype=np.float32))


def _log_softmax(scores: NDArray[Any]) -> NDArray[Any]:
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))


def _rng(settings: Settings, number: int, place: int, purpose: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence([settings.seed, number, place, purpose]))
