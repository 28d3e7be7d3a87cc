"""The figures of a report."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from surefoot import theme as themes

from .pieces import OUTCOMES
from .plots import figure
from .report import Pair, Report
from .statistics import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST = 30
"""Agents, or pairs of agents, in a figure: the first ones."""
_ROW, _MARGIN = 0.26, 1.3
"""Inches for each of them, and for what stands around."""

_COLOURS = ("good", "line", "player-3", "player-4", "danger", "player-5")
_HATCHES = ("", "", "////", "....", "xxxx", "\\\\\\\\")
"""By outcome; by colour and by pattern, so that one will do."""


def figures(told: Report) -> "dict[str, Figure]":
    """The figures of a report by name: those for which there is something to draw.

    ``wins`` and ``outcomes``; ``pairs``, differences of two; in Risk ``ratings``, ``seats`` and, of more
    than two agents that met two by two, ``cross``; of a sequential test ``test``.

    Raises:
        FormatError: matplotlib is not installed.
    """
    drawn = {"wins": _wins(told), "outcomes": _outcomes(told)} if told.kept.games else {}
    if told.pairs:
        drawn["pairs"] = _pairs(told)
    if told.ratings is not None:
        drawn["ratings"] = _ratings(told)
    if told.seats:
        drawn["seats"] = _seats(told)
    if told.pairs and len(told.study.agents) > 2:
        drawn["cross"] = _cross(told)
    if told.curve:
        drawn["test"] = _test(told)
    return drawn


def _rows(count: int) -> "tuple[Figure, Axes]":
    """A figure with a row for each of so many things, the first one on top."""
    whole = figure(_MARGIN + _ROW * count)
    axes = whole.subplots()
    axes.set_ylim(count - 0.5, -0.5)
    axes.spines[["top", "right"]].set_visible(False)
    return whole, axes


def _forest(
    names: Sequence[str], points: Sequence[float], intervals: Sequence[Interval], *, zero: float | None = None
) -> "tuple[Figure, Axes]":
    """Points with their intervals, one a row, and a line where nothing would differ."""
    colour = themes.load().light
    whole, axes = _rows(len(names))
    low, high = np.array(intervals).T
    middle = np.array(points)
    if zero is not None:
        axes.axvline(zero, color=colour["muted"], linewidth=1, linestyle="--")
    # An interval of a rate of 0 or 1 ends there; rounding must not make an error bar negative.
    reach = np.maximum(0, [middle - low, high - middle])
    rows = np.arange(len(names))
    axes.errorbar(middle, rows, xerr=reach, fmt="o", color=colour["player-0"], capsize=3, markersize=5)
    axes.set_yticks(rows, names)
    return whole, axes


def _wins(told: Report) -> "Figure":
    order = [place for place in told.order if told.standings[place].games][:_MOST]
    rows = [told.standings[place] for place in order]
    intervals = [row.ci95 or Interval(0, 0) for row in rows]
    whole, axes = _forest([row.agent for row in rows], [row.rate or 0.0 for row in rows], intervals)
    axes.set_xlim(left=0)
    axes.set_xlabel("games won / games played, with Wilson's 95 % interval")
    whole.suptitle(f"Wins ({_called(told)})")
    return whole


def _outcomes(told: Report) -> "Figure":
    """What the games were for each agent, all of them: bars that add up to 1."""
    colour = themes.load().light
    order = [place for place in told.order if told.standings[place].games][:_MOST]
    rows = [told.standings[place] for place in order]
    whole, axes = _rows(len(rows))
    places = np.arange(len(rows))
    left = np.zeros(len(rows))
    for word, fill, hatch in zip(OUTCOMES, _COLOURS, _HATCHES):
        share = np.array([row.outcomes[word] / row.games for row in rows])
        if share.any():
            axes.barh(
                places,
                share,
                left=left,
                label=word.replace("_", " "),
                color=colour[fill],
                edgecolor=colour["text"],
                linewidth=0.5,
                hatch=hatch,
            )
        left += share
    axes.set_yticks(places, [row.agent for row in rows])
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the games")
    whole.legend(loc="outside lower center", ncols=len(OUTCOMES), frameon=False, fontsize="small")
    whole.suptitle(f"What the games were ({_called(told)})")
    return whole


def _pairs(told: Report) -> "Figure":
    pairs = sorted(told.pairs, key=lambda pair: -abs(pair.difference))[:_MOST]
    whole, axes = _forest(
        [_versus(told, pair) for pair in pairs],
        [_facing(pair)[0] for pair in pairs],
        [_facing(pair)[1] for pair in pairs],
        zero=0.0,
    )
    what = "win rates" if told.study.game == "minesweeper" else "shares of what either won"
    axes.set_xlabel(f"difference of their {what}, with its 95 % interval")
    whole.suptitle(f"Two by two ({_called(told)})")
    return whole


def _versus(told: Report, pair: Pair) -> str:
    agents = told.study.agents
    better, worse = (pair.one, pair.other) if pair.difference >= 0 else (pair.other, pair.one)
    return f"{agents[better]} - {agents[worse]}"


def _facing(pair: Pair) -> tuple[float, Interval]:
    """The difference and its interval as they are for the better one."""
    if pair.difference >= 0:
        return pair.difference, pair.interval
    return -pair.difference, Interval(-pair.interval.high, -pair.interval.low)


def _ratings(told: Report) -> "Figure":
    ratings = told.ratings or ()
    order = sorted(range(len(ratings)), key=lambda place: -ratings[place].elo)[:_MOST]
    whole, axes = _forest(
        [told.study.agents[place] for place in order],
        [ratings[place].elo for place in order],
        [ratings[place].interval for place in order],
        zero=0.0,
    )
    axes.set_xlabel("Elo, the mean of all agents being 0, with its 95 % interval")
    whole.suptitle(f"Ratings ({_called(told)})")
    return whole


def _seats(told: Report) -> "Figure":
    seats = [(number, seat) for number, seat in enumerate(told.seats) if seat.games]
    intervals = [seat.ci95 or Interval(0, 0) for _, seat in seats]
    whole, axes = _forest(
        [f"seat {number}" for number, _ in seats],
        [seat.won / seat.games for _, seat in seats],
        intervals,
        zero=1 / len(told.seats),
    )
    axes.set_xlabel("games won from the seat / games played, with Wilson's 95 % interval")
    whole.suptitle(f"Wins by seat ({_called(told)})")
    return whole


def _cross(told: Report) -> "Figure":
    """Of every two agents the share of games that the row's has won and the column's has not."""
    shown = [place for place in told.order if any(place in pair[:2] for pair in told.pairs)]
    at = {agent: row for row, agent in enumerate(shown)}
    share = np.full((len(shown), len(shown)), np.nan)
    for pair in told.pairs:
        share[at[pair.one], at[pair.other]] = pair.one_alone / pair.games
        share[at[pair.other], at[pair.one]] = pair.other_alone / pair.games
    whole = figure(_MARGIN + 1.2 + 0.42 * len(shown))
    axes = whole.subplots()
    most = max(0.01, float(np.nanmax(share)))
    axes.imshow(share, cmap="cividis", vmin=0, vmax=most, aspect="auto")
    for (row, column), value in np.ndenumerate(share):
        if not np.isnan(value):
            ink = "black" if value > 0.5 * most else "white"
            axes.text(
                column, row, f"{100 * value:.0f}", ha="center", va="center", color=ink, fontsize="small"
            )
    names = [told.study.agents[place] for place in shown]
    axes.set_yticks(range(len(shown)), names)
    axes.set_xticks(range(len(shown)), names, rotation=30, ha="right", rotation_mode="anchor")
    whole.suptitle(f"% won by the row alone ({_called(told)})")
    return whole


def _test(told: Report) -> "Figure":
    """The log-likelihood ratio of a sequential test between its bounds."""
    assert told.course is not None
    colour, decision = themes.load().light, told.course.decision
    whole = figure()
    axes = whole.subplots()
    pairs, ratios = zip(*told.curve)
    axes.plot(pairs, ratios, color=colour["player-0"])
    for bound, words in ((decision.upper, "H1: better"), (decision.lower, "H0: no difference")):
        axes.axhline(bound, color=colour["muted"], linewidth=1, linestyle="--")
        axes.annotate(words, (0, bound), xytext=(4, 3), textcoords="offset points", fontsize="small")
    axes.set_xlabel("pairs played")
    axes.set_ylabel("log-likelihood ratio")
    axes.margins(y=0.12)
    limits = told.study.limits
    stated = f"effect {limits.effect:g}, alpha {limits.alpha:g}, beta {limits.beta:g}"
    verdict = "undecided" if decision.verdict is None else f"{decision.verdict} accepted"
    whole.suptitle(f"{verdict} after {told.course.pairs} pairs ({stated})")
    return whole


def _called(told: Report) -> str:
    return f"{told.study.game} {told.study.format}, run {told.kept.run}"
