"""What a run shows: standings, ratings, who beats whom, seats, ends, and what it cost.

Everything is reckoned from what `store.Store` has counted, and from who won which game; a million games take
a few seconds. Intervals that are drawn by lot are drawn by the study's seed, so that a report of the same
games is always the same.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import tanh
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .ratings import ELO, Deals, Rating, deals_of, rate
from .sprt import Course, Sprt, places
from .standings import Standing, standings
from .statistics import Interval, mcnemar, wilson
from .store import NOT_PLAYED, Cost, Kept, Store, Tally, joint
from .study import Study

MOST = 16
"""Agents that are compared pair by pair: of more, the best ones; in a gauntlet the first is among them."""

_CURVE = 200
"""Places along a sequential test at which its course is told."""


class Pair(NamedTuple):
    """How two agents compare that played the same worlds, or each other.

    Args:
        one, other: their places in the study's list.
        games: how many both have played.
        one_alone: games that the one has won and the other has not.
        other_alone: games that the other has won and the one has not.
        difference: Minesweeper: the one's win rate less the other's. Risk: the same of those games that one
            of the two has won, so that 1 means that the one has won all of these.
        interval: 95 %, of that difference; Minesweeper: Tango's, see `statistics.mcnemar`; Risk: by bootstrap
            over deals, as for ratings.
        p_value: Minesweeper: two-sided and exact, of the hypothesis that there is no difference; else None.
    """

    one: int
    other: int
    games: int
    one_alone: int
    other_alone: int
    difference: float
    interval: Interval
    p_value: float | None


class Seat(NamedTuple):
    """How often a seat won: ``won`` of ``games``, and by agent how many of how many it played from there."""

    games: int
    won: int
    agents: tuple[tuple[int, int], ...]

    @property
    def ci95(self) -> Interval | None:
        """Wilson's 95 % interval for the seat's win rate; None before the first game."""
        return wilson(self.won, self.games) if self.games else None


class Host(NamedTuple):
    """What a machine did: games, and what they cost."""

    name: str
    games: int
    seconds: float
    cpu_seconds: float
    startup_cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Report:
    """All that is told of a run; agents are named by their places in the study's list.

    Args:
        kept: the run, its study, when it was begun and how many games are there.
        games: how many there are to be; a sequential test may need fewer.
        standings: of each agent.
        ends: of each agent, how many of its games ended how, in words of `pieces.ENDS`.
        ratings: of each agent, if they played each other and decided games link them all; else None.
        pairs: the comparisons of every two agents, of at most `MOST`.
        seats: by seat; empty in Minesweeper.
        course: of a sequential test, or None.
        curve: pairs played and the log-likelihood ratio then, along a sequential test.
        hosts: by machine.
    """

    kept: Kept
    games: int
    standings: tuple[Standing, ...]
    ends: tuple[dict[str, int], ...]
    ratings: tuple[Rating, ...] | None
    pairs: tuple[Pair, ...]
    seats: tuple[Seat, ...]
    course: Course | None
    curve: tuple[tuple[int, float], ...]
    hosts: tuple[Host, ...]

    @property
    def study(self) -> Study:
        """What was played."""
        return self.kept.study

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.kept.games == self.games or (
            self.course is not None and self.course.decision.verdict is not None
        )

    @property
    def order(self) -> list[int]:
        """The agents, the best first: by win rate, and as they are named where it is the same."""
        return ranked(self.standings)

    def as_dict(self) -> dict[str, Any]:
        """The same under its names, ready for JSON."""
        agents = self.study.agents
        rows = []
        for place, standing in enumerate(self.standings):
            row = standing.as_dict() | {"ends": self.ends[place]}
            if self.ratings is not None:
                rating = self.ratings[place]
                row |= {"elo": rating.elo, "elo_ci95": list(rating.interval)}
            rows.append(row)
        limits = self.study.limits
        return {
            "run": self.kept.run,
            "study": self.study.model_dump(mode="json", exclude={"store"}),
            "begun": self.kept.begun,
            "played": self.kept.games,
            "games": self.games,
            "complete": self.complete,
            "standings": rows,
            "pairs": [
                pair._asdict()
                | {"one": agents[pair.one], "other": agents[pair.other], "interval": list(pair.interval)}
                for pair in self.pairs
            ],
            "seats": [
                {
                    "games": seat.games,
                    "won": seat.won,
                    "ci95": None if seat.ci95 is None else list(seat.ci95),
                    "agents": {
                        agent: {"games": games, "won": won}
                        for agent, (games, won) in zip(agents, seat.agents)
                    },
                }
                for seat in self.seats
            ],
            "sprt": None
            if self.course is None
            else {
                "pairs": self.course.pairs,
                "counts": list(self.course.counts),
                **self.course.decision._asdict(),
                "effect": limits.effect,
                "alpha": limits.alpha,
                "beta": limits.beta,
            },
            "hosts": [host._asdict() for host in self.hosts],
        }


def report(store: Store, run: str) -> Report:
    """What is there of a run.

    Args:
        run: the run's whole id.

    Raises:
        FormatError: there is no such run.
    """
    kept = store.find(run)
    study, tallies, winners = kept.study, store.tallies(run), store.winners(run)
    rows = standings(study.agents, tallies)
    rng = np.random.default_rng(study.seed)
    shown = _compared(study, rows)
    ratings = None
    if study.game == "minesweeper":
        pairs = list(_paired(winners, shown))
    else:
        deals = [
            deals_of(contest.agents, np.flatnonzero(won != NOT_PLAYED), won[won != NOT_PLAYED])
            for contest, won in zip(study.contests, winners)
        ]
        pairs = list(_against(study, deals, shown, rng))
        ratings = rate(len(study.agents), [each for mine in deals for each in mine], rng)
    curve = _curve(study, winners) if study.format == "sprt" else []
    return Report(
        kept=kept,
        games=sum(contest.games for contest in study.contests),
        standings=tuple(rows),
        ends=_ends(study, tallies),
        ratings=ratings,
        pairs=tuple(pairs),
        seats=tuple(_seats(study, tallies)) if study.game == "risk" else (),
        course=curve[-1] if curve else None,
        curve=tuple((course.pairs, course.decision.llr) for course in curve),
        hosts=tuple(_hosts(store.pieces(run))),
    )


def ranked(rows: Sequence[Standing]) -> list[int]:
    """The places of agents, the best first."""
    return sorted(range(len(rows)), key=lambda place: -(rows[place].rate or 0.0))


def _compared(study: Study, rows: Sequence[Standing]) -> list[int]:
    order = ranked(rows)
    if study.format == "gauntlet":
        order = [0, *(place for place in order if place)]
    return sorted(order[:MOST])


def _paired(winners: Sequence[NDArray[np.int16]], shown: Sequence[int]) -> Iterator[Pair]:
    """Minesweeper: agents that played the same worlds."""
    for one, other in combinations(shown, 2):
        counts = joint(winners, one, other)
        games = int(counts.sum())
        if not games:
            continue
        alone = int(counts[1, 0]), int(counts[0, 1])
        found = mcnemar(*alone, games)
        yield Pair(one, other, games, *alone, found.difference, found.interval, found.p_value)


def _against(
    study: Study, deals: Sequence[Sequence[Deals]], shown: Sequence[int], rng: np.random.Generator
) -> Iterator[Pair]:
    """Risk: agents that met, contest by contest; two of them meet in one contest alone."""
    for contest, mine in zip(study.contests, deals):
        for one, other in combinations([agent for agent in contest.agents if agent in shown], 2):
            both = [_of_two(each, contest.agents.index(one), contest.agents.index(other)) for each in mine]
            games = sum((sum(each.wins) + each.undecided) * each.times for each in both)
            if not games:
                continue
            first, second = (sum(each.wins[place] * each.times for each in both) for place in (0, 1))
            difference, interval = _difference(both, first, second, rng)
            yield Pair(one, other, games, first, second, difference, interval, None)


def _of_two(deals: Deals, one: int, other: int) -> Deals:
    """What of deals matters to two of the players: games that another has won are undecided between them."""
    wins = deals.wins[one], deals.wins[other]
    return Deals((0, 1), wins, sum(deals.wins) + deals.undecided - sum(wins), deals.times)


def _difference(
    deals: Sequence[Deals], first: int, second: int, rng: np.random.Generator
) -> tuple[float, Interval]:
    """The difference of two agents' shares of the games that one of them has won, with its interval.

    By Bradley and Terry, and by Luce's axiom at a larger table too, the one has the chance
    1 / (1 + exp(s_2 - s_1)) of such a game. So the difference is tanh((s_1 - s_2) / 2), of strengths whose
    mean is 0: tanh(s_1).
    """
    rated = rate(2, deals, rng)
    if rated is None:
        return 0.0, Interval(-1.0, 1.0)
    point = (first - second) / (first + second)
    low, high = (tanh(elo / ELO) for elo in rated[0].interval)
    # Who has won everything has the point at the end of the scale, which no strength reaches.
    return point, Interval(min(low, point), max(high, point))


def _ends(study: Study, tallies: Sequence[Tally]) -> tuple[dict[str, int], ...]:
    """By agent how many games ended how, the most frequent first."""
    counts: list[Counter[str]] = [Counter() for _ in study.agents]
    for tally in tallies:
        counts[tally.agent][tally.end] += tally.games
    return tuple(dict(sorted(mine.items(), key=lambda item: (-item[1], item[0]))) for mine in counts)


def _seats(study: Study, tallies: Sequence[Tally]) -> Iterator[Seat]:
    """Risk: wins by seat; all contests of a study have as many seats."""
    for seat in range(len(study.contests[0].agents)):
        games, won = [0] * len(study.agents), [0] * len(study.agents)
        for tally in tallies:
            if tally.seat == seat:
                games[tally.agent] += tally.games
                won[tally.agent] += tally.games * (tally.outcome == "won")
        yield Seat(sum(games), sum(won), tuple(zip(games, won)))


def _curve(study: Study, winners: Sequence[NDArray[np.int16]]) -> list[Course]:
    """A sequential test as it went, at some places and at its end."""
    limits = study.limits
    test = Sprt(limits.effect, limits.alpha, limits.beta)
    alone = study.game == "minesweeper"
    games = 1 if alone else 2
    other, candidate = [winners[agent] >= 0 if alone else winners[0] == agent for agent in (0, 1)]
    gaps = np.any([each == NOT_PLAYED for each in winners], axis=0)
    there = int(gaps.argmax()) if gaps.any() else len(gaps)
    pairs = places(candidate[: there // games * games], other[: there // games * games], games)
    courses = [test.follow([])]
    for part in np.array_split(pairs, min(_CURVE, max(1, len(pairs)))):
        courses.append(test.follow(part, courses[-1].counts))
    return courses


def _hosts(costs: Sequence[Cost]) -> Iterator[Host]:
    for name in sorted({cost.host for cost in costs}):
        mine = [cost for cost in costs if cost.host == name]
        yield Host(
            name,
            sum(cost.piece.games for cost in mine),
            sum(cost.seconds for cost in mine),
            sum(cost.cpu_seconds for cost in mine),
            sum(cost.startup_cpu_seconds for cost in mine),
        )
