"""Ratings: how strong agents are that played games against each other, and how sure that is.

Agent i wins a game at table T with the chance exp(s_i) / sum of exp(s_j) over j in T. For two players that
is the model of Bradley and Terry, for more that of Plackett and Luce, of which the winner alone is looked
at. The strengths s are the likeliest ones. Games that nobody won say nothing about them; they are left out,
and counted.

The intervals are by bootstrap over deals: the games of a deal share their luck, and are resampled together.
How often each deal counts is drawn as a gamma variable rather than as a whole number (the Bayesian
bootstrap), with a little more spread, for the strengths have been fitted to the same deals. Beside the deals
stand a few imagined wins: half a win on either side for each strength that is looked for, and more if the
games of a deal repeat each other. So an agent that won every game has a finite rating and an interval with a
width, where drawing deals alone would show the same games again and again. For two agents and independent
games that is all but the interval of Jeffreys.

Sources: R. A. Bradley, M. E. Terry (1952), Biometrika 39, 324-345; R. L. Plackett (1975), Applied Statistics
24, 193-202; D. B. Rubin (1981), Annals of Statistics 9, 130-134; D. Firth (1993), Biometrika 80, 27-38, for
imagined wins; J. G. MacKinnon, H. White (1985), Journal of Econometrics 29, 305-325, for the spread.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from openskill.models import PlackettLuce
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from .statistics import Interval, percentiles

ELO = 400 / log(10)
"""Points of Elo for one unit of log-strength: 400 points are odds of ten to one."""

_STEPS = 200
_CLOSE = 1e-7
_LEAST = 1e-6
"""Imagined wins are no fewer: beyond that an agent that never won would only strain the arithmetic."""

_AT_ONCE = 4_000_000
"""Numbers held for the resamples that are fitted in one go."""


class Deals(NamedTuple):
    """Deals with the same players and the same numbers of wins.

    Args:
        agents: who played.
        wins: how many games of a deal each of them won.
        undecided: how many games of a deal nobody won.
        times: how many such deals there were.
    """

    agents: tuple[int, ...]
    wins: tuple[int, ...]
    undecided: int
    times: int


class Rating(NamedTuple):
    """What an agent's games say.

    Args:
        elo: its strength; the mean of all agents is 0.
        interval: of that, by bootstrap.
        games: how many it played that somebody won; ``won`` of them were won by it.
        undecided: how many it played that nobody won; they are left out.
    """

    elo: float
    interval: Interval
    games: int
    won: int
    undecided: int


def deals_of(agents: Sequence[int], games: ArrayLike, winners: ArrayLike) -> list[Deals]:
    """Count the games of a contest by deals; as many games in a row as there are players share a deal.

    Args:
        agents: who plays.
        games: their numbers within the contest, from 0, in any order, shape (games,).
        winners: who won each, or any number that is none of the agents', shape (games,).

    Raises:
        ValueError: an agent is named twice, there is only one, or there are more than 13.
    """
    players = len(agents)
    if len(set(agents)) < players or not 2 <= players <= 13:
        raise ValueError(f"a contest is of two to thirteen different agents, not {tuple(agents)}")
    deal = np.asarray(games, np.int64) // players
    won = np.asarray(winners, np.int64)
    _, deal = np.unique(deal, return_inverse=True)
    # A digit for each number of wins, and for the games without a winner, makes a number of each deal.
    base = players + 1
    digits = np.zeros((int(deal.max(initial=-1)) + 1, base), np.int64)
    decided = np.zeros(won.shape, np.bool_)
    for place, agent in enumerate(agents):
        mine = won == agent
        digits[:, place] = np.bincount(deal[mine], minlength=len(digits))
        decided |= mine
    digits[:, players] = np.bincount(deal[~decided], minlength=len(digits))
    codes = digits @ base ** np.arange(base)
    _, first, counts = np.unique(codes, return_index=True, return_counts=True)
    return [
        Deals(tuple(agents), tuple(row[:-1]), row[-1], count)
        for row, count in zip(digits[first].tolist(), counts.tolist())
    ]


def rate(
    agents: int,
    deals: Iterable[Deals],
    rng: np.random.Generator,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
) -> tuple[Rating, ...] | None:
    """Rate agents 0 to ``agents - 1`` by their games.

    Args:
        deals: of all contests; agents that never met are compared by way of others.
        rng: draws the resamples.

    Returns:
        a rating for each agent; or None if there are two of them that no chain of decided games links, so
        that they cannot be compared.

    Raises:
        ValueError: a deal names an agent that is not there, or has not one number of wins for each player.
        RuntimeError: no strengths were found, which would be a mistake of ours.
    """
    data = _Data.of(agents, deals)
    if not data.linked:
        return None
    expected = data.wins(data.counts[None, :], np.full((1, data.seats), data.imagined))
    point = data.fit(expected, np.zeros((1, agents)))
    # The spread of what the fit leaves over is too small by the strengths it has fitted.
    left_over = max(0.5, 1 - (agents - 1) / data.counts.sum())
    most = max(1, _AT_ONCE // (agents * agents + data.held))
    strengths = np.empty((resamples, agents))
    for first in range(0, resamples, most):
        count = min(most, resamples - first)
        weights = rng.standard_gamma(data.counts * left_over, (count, len(data.counts))) / left_over
        imagined = rng.standard_gamma(data.imagined * left_over, (count, data.seats)) / left_over
        wins = data.wins(weights, np.maximum(imagined, _LEAST))
        strengths[first : first + count] = data.fit(wins, np.repeat(point, count, axis=0))
    return tuple(
        Rating(
            float(ELO * point[0, agent]),
            percentiles(ELO * strengths[:, agent], confidence),
            *(int(number) for number in data.totals[agent]),
        )
        for agent in range(agents)
    )


@dataclass(frozen=True, slots=True)
class _Data:
    """Games in arrays. A seat here is an agent in a contest; contests lie one after another in all lists.

    Args:
        counts: how often each kind of deal occurred, shape (deals,).
        won: sparse, (seats, deals): how many games of a deal the seat won.
        member: sparse, (agents, seats): whose seat it is.
        contest: sparse, (contests, seats): where the seat is.
        pairs: sparse, (agents * agents, pairs): whom two seats of a contest belong to, for every two seats.
        gains: sparse, (agents, pairs): whom the first of the two belongs to.
        owner: whose a seat is, shape (seats,).
        left, right: these two seats, shape (pairs,).
        imagined: imagined wins of a seat, if the games of a deal are independent.
        repeats: how many games of a deal say as much as one independent game, at least 1.
        linked: whether decided games link all agents.
        totals: games, wins and undecided games of each agent, shape (agents, 3).
    """

    counts: NDArray[np.float64]
    won: csr_array
    member: csr_array
    contest: csr_array
    pairs: csr_array
    gains: csr_array
    owner: NDArray[np.int64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    imagined: float
    repeats: float
    linked: bool
    totals: NDArray[np.int64]

    @classmethod
    def of(cls, agents: int, deals: Iterable[Deals]) -> "_Data":
        kinds = list(deals)
        totals = np.zeros((agents, 3), np.int64)
        for each in kinds:
            if len(each.wins) != len(each.agents) or not all(0 <= one < agents for one in each.agents):
                raise ValueError(f"agents are 0 to {agents - 1}, with a number of wins each, not {each}")
            for agent, wins in zip(each.agents, each.wins):
                totals[agent] += np.array([sum(each.wins), wins, each.undecided]) * each.times
        kinds = [each for each in kinds if sum(each.wins) and each.times]
        tables = sorted({each.agents for each in kinds})
        first = dict(zip(tables, np.cumsum([0, *map(len, tables)]).tolist()))
        seat_agent = [agent for table in tables for agent in table]
        seat_table = [place for place, table in enumerate(tables) for _ in table]
        seats = len(seat_agent)
        both = [
            (first[table] + one, first[table] + other)
            for table in tables
            for one in range(len(table))
            for other in range(len(table))
            if one != other
        ]
        counts = np.array([each.times for each in kinds], np.float64)
        won = _sparse(
            [first[each.agents] + place for each in kinds for place in range(len(each.agents))],
            [place for place, each in enumerate(kinds) for _ in each.agents],
            [wins for each in kinds for wins in each.wins],
            (seats, len(kinds)),
        )
        contest = _sparse(seat_table, range(seats), None, (len(tables), seats))
        left, right = np.array(both, np.int64).reshape(-1, 2).T
        owner = np.array(seat_agent, np.int64)
        every = range(len(both))
        linked = _sparse(owner[left], owner[right], None, (agents, agents))
        return cls(
            counts=counts,
            won=won,
            member=_sparse(seat_agent, range(seats), None, (agents, seats)),
            contest=contest,
            pairs=_sparse(owner[left] * agents + owner[right], every, None, (agents**2, len(both))),
            gains=_sparse(owner[left], every, None, (agents, len(both))),
            owner=owner,
            left=left,
            right=right,
            imagined=0.5 * (agents - 1) / max(1, seats - len(tables)),
            repeats=_repeats(won, contest, counts),
            linked=bool(kinds) and connected_components(linked)[0] == 1,
            totals=totals,
        )

    @property
    def seats(self) -> int:
        return self.member.shape[1]

    @property
    def held(self) -> int:
        """Numbers held for one resample beside its second derivatives."""
        return len(self.counts) + len(self.left) + 4 * self.seats

    def wins(self, weights: NDArray[np.float64], imagined: NDArray[np.float64]) -> NDArray[np.float64]:
        """The wins of every seat, shape (rows, seats).

        Args:
            weights: how much each deal counts, shape (rows, deals).
            imagined: imagined wins of each seat, shape (rows, seats).
        """
        wins: NDArray[np.float64] = (self.won @ weights.T).T + self.repeats * imagined
        return wins

    def fit(self, wins: NDArray[np.float64], strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """The likeliest strengths, shape (rows, agents), of mean 0, found from ``strengths`` on.

        Newton's method on all rows at once. Its steps are held to 1, beyond which it could swing across. All
        sums are over two seats of a contest, so that nothing cancels where one agent nearly always wins.
        """
        rows, agents = strengths.shape
        # Strengths are told relative to the agent that won most; to a weak one they would be uncertain.
        top = int((self.member @ wins.sum(axis=0)).argmax())
        free = np.delete(np.arange(agents), top)
        games = (self.contest.T @ (self.contest @ wins.T)).T
        for _ in range(_STEPS):
            power = np.exp(strengths - strengths.max(axis=1, keepdims=True))[:, self.owner]
            chance = power / (self.contest.T @ (self.contest @ power.T)).T
            gained = wins[:, self.left] * chance[:, self.right] - wins[:, self.right] * chance[:, self.left]
            shared = games[:, self.left] * chance[:, self.left] * chance[:, self.right]
            slope = (self.gains @ gained.T).T
            between = (self.pairs @ shared.T).T.reshape(rows, agents, agents)
            bend = -between
            bend[:, range(agents), range(agents)] = between.sum(axis=2)
            step = np.zeros_like(strengths)
            inner = bend[:, free[:, None], free]
            step[:, free] = np.linalg.solve(inner, slope[:, free, None])[:, :, 0]
            size = np.abs(step).max(axis=1, initial=0.0)
            strengths = strengths + step / np.maximum(size, 1.0)[:, None]
            if size.max() < _CLOSE:
                centred: NDArray[np.float64] = strengths - strengths.mean(axis=1, keepdims=True)
                return centred
        raise RuntimeError(f"no strengths found in {_STEPS} steps")


def _repeats(won: csr_array, contest: csr_array, counts: NDArray[np.float64]) -> float:
    """The variance of wins from deal to deal over that of independent games, of all contests together.

    Args:
        won, contest, counts: as in `_Data`.
    """
    each = won.tocoo()
    total = won @ counts
    games = contest.T @ (contest @ total)
    share = total / np.maximum(games, 1.0)
    decided = won.sum(axis=0)
    miss = each.data - decided[each.col] * share[each.row]
    independent = (games * share * (1 - share)).sum()
    return max(1.0, float((counts[each.col] * miss * miss).sum() / independent)) if independent > 0 else 1.0


def _sparse(
    rows: ArrayLike | Sequence[int] | range,
    columns: ArrayLike | Sequence[int] | range,
    values: Sequence[int] | None,
    shape: tuple[int, int],
) -> csr_array:
    """The matrix with these entries, of 1 if no values are given; entries at one place are added."""
    row, column = np.asarray(rows, np.int64), np.asarray(columns, np.int64)
    entries = np.ones(len(row)) if values is None else np.array(values, np.float64)
    return csr_array(coo_array((entries, (row, column)), shape=shape))


class Running(NamedTuple):
    """A rating on the way: OpenSkill's belief in a strength, its mean and how far that may be off."""

    mu: float
    sigma: float


class RunningRatings:
    """Ratings that move with every game, for a display while the games are played.

    They hang on the order of the games and are no measurement: `rate` is.

    Source: R. C. Weng, C.-J. Lin (2011), Journal of Machine Learning Research 12, 267-300; by OpenSkill.

    Args:
        agents: how many there are; each begins at 25 with a sigma of 25 / 3.
    """

    def __init__(self, agents: int) -> None:
        # Agents do not change their strength from game to game, hence no tau.
        self._model = PlackettLuce(tau=0.0)
        self._ratings = [self._model.rating() for _ in range(agents)]

    def update(self, players: Sequence[int], winner: int) -> None:
        """Take in a game; one that none of its players won says nothing.

        Raises:
            IndexError: there is no such agent.
        """
        if winner not in players:
            return
        teams = [[self._ratings[agent]] for agent in players]
        rated = self._model.rate(teams, ranks=[float(agent != winner) for agent in players])
        for agent, team in zip(players, rated):
            self._ratings[agent] = team[0]

    def update_some(self, players: Sequence[int], winners: Sequence[int], most: int = 200) -> None:
        """Take in at most so many of many games between the same players, evenly chosen: one costs 20 to
        50 microseconds, more than some games do.
        """
        for place in range(0, len(winners), max(1, -(-len(winners) // most))):
            self.update(players, winners[place])

    @property
    def standings(self) -> tuple[Running, ...]:
        """The agents' ratings, in their order."""
        return tuple(Running(rating.mu, rating.sigma) for rating in self._ratings)
