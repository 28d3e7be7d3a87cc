"""``surefoot arena report`` and ``runs``: what the runs of a store show."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .arena import JsonOption, RunArgument, StoreOption
from .output import print_json, say

if TYPE_CHECKING:
    from surefoot.arena.report import Pair, Report
    from surefoot.arena.statistics import Interval

_PAIRS = 40
"""Pairs of agents told one by one; the rest stands in the cross table and in JSON."""


def report(
    run_id: RunArgument = None,
    store: StoreOption = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where figures go, as PNG and SVG; none without.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a run has found: standings, who beats whom, seats, ends and times, with intervals."""
    from surefoot.arena import Store
    from surefoot.arena.report import report as reckon

    with Store(store, create=False) as opened:
        told = reckon(opened, opened.find(run_id).run)
    files = [] if out is None else draw(told, out)
    if as_json:
        print_json(told.as_dict() | {"figures": [str(file) for file in files]})
    else:
        typer.echo(text(told))
    if out is not None and not as_json:
        say(f"{len(files)} figures in {out}")


def runs(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the runs of a store, the oldest first."""
    from surefoot.arena import Store

    with Store(store, create=False) as opened:
        found = opened.runs()
    if as_json:
        print_json(
            {
                "store": opened.place,
                "runs": [
                    {
                        "run": each.run,
                        "begun": each.begun,
                        "played": each.games,
                        "games": sum(contest.games for contest in each.study.contests),
                        "study": each.study.model_dump(mode="json", exclude={"store"}),
                    }
                    for each in found
                ],
            }
        )
        return
    rows = [["run", "begun", "game", "format", "played", "of", "agents"]]
    for each in found:
        study = each.study
        games = sum(contest.games for contest in study.contests)
        agents = ", ".join(study.agents)
        rows.append([each.run, each.begun, study.game, study.format, str(each.games), str(games), agents])
    typer.echo("\n".join(columns(rows, left=(0, 1, 2, 3, 6))))


COMMANDS = (report, runs)


def draw(told: "Report", folder: Path) -> list[Path]:
    """Draw the figures of a report into a folder, and tell the files.

    Raises:
        FormatError: matplotlib is not installed.
        OSError: the folder cannot be written.
    """
    from surefoot.arena.charts import figures
    from surefoot.arena.plots import save

    return save(figures(told), folder)


def text(told: "Report") -> str:
    """A report for people, in sections."""
    study, kept = told.study, told.kept
    state = "complete" if told.complete else f"'surefoot arena resume {kept.run}' goes on"
    head = [
        f"run {kept.run}: {study.game}, {study.rules or 'usual rules'}, {study.map or 'usual map'}, "
        f"{study.format}, seed {study.seed}",
        f"{kept.games} of {told.games} games, begun {kept.begun}; {state}",
    ]
    sections = [
        head,
        _standings(told),
        _outcomes(told),
        _test(told),
        _pairs(told),
        _cross(told),
        _seats(told),
        _times(told),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if lines)


def columns(rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> Iterator[str]:
    """Rows in columns as wide as their widest cell, aligned to the right but for those in ``left``."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths))
        ]
        yield "  ".join(cells).rstrip()


def _standings(told: "Report") -> list[str]:
    alone = told.study.game == "minesweeper"
    own = ["score", "moves a game", "guesses a game"] if alone else ["turns a game"]
    rated = [] if told.ratings is None else ["Elo", "95 %"]
    rows = [["agent", "games", "won", "%", "95 %", *rated, *own]]
    for place in told.order:
        row = told.standings[place]
        cells = [row.agent, str(row.games), str(row.won), *_rate(row.rate, row.ci95)]
        if told.ratings is not None:
            rating = told.ratings[place]
            cells += [f"{rating.elo:+.0f}", f"{rating.interval.low:+.0f} to {rating.interval.high:+.0f}"]
        cells += [str(row.score)] if alone else []
        cells.append(f"{row.moves / row.games:.1f}" if row.games else "")
        cells += ["" if row.guesses is None else f"{row.guesses:.2f}"] if alone else []
        rows.append(cells)
    lines = list(columns(rows))
    if told.study.game == "risk" and told.ratings is None:
        lines.append("no ratings: no chain of decided games links all agents")
    return lines


def _rate(rate: float | None, interval: "Interval | None") -> tuple[str, str]:
    if rate is None or interval is None:
        return "", ""
    return f"{100 * rate:.2f}", f"{100 * interval.low:.2f} to {100 * interval.high:.2f}"


def _outcomes(told: "Report") -> list[str]:
    """What the games were, every outcome that there is, also where no agent had it."""
    words = list(told.standings[0].outcomes)
    rows = [["outcomes", *(word.replace("_", " ") for word in words), "ended as"]]
    for place in told.order:
        counts = told.standings[place].outcomes
        ended = ", ".join(f"{end.replace('_', ' ')} {count}" for end, count in told.ends[place].items())
        rows.append([told.standings[place].agent, *(str(counts[word]) for word in words), ended])
    return list(columns(rows, left=(0, len(words) + 1)))


def _test(told: "Report") -> list[str]:
    if told.course is None:
        return []
    decision, limits = told.course.decision, told.study.limits
    base, candidate = told.study.agents
    verdict = {
        "H1": f"H1 accepted: {candidate} is better than {base}",
        "H0": f"H0 accepted: {candidate} is not better than {base} by {limits.effect:g}",
        None: "undecided",
    }[decision.verdict]
    return [
        f"test  {verdict}, after {told.course.pairs} pairs: log-likelihood ratio {decision.llr:.2f}, "
        f"bounds {decision.lower:.2f} and {decision.upper:.2f}",
        f"      H0: no difference; H1: a win rate better by {limits.effect:g}; "
        f"alpha {limits.alpha:g} (H1 accepted though H0 holds), beta {limits.beta:g} (the reverse)",
    ]


def _pairs(told: "Report") -> list[str]:
    """Who did better than whom, by how much."""
    if not told.pairs:
        return []
    alone = told.study.game == "minesweeper"
    rows = [
        [
            "the same worlds" if alone else "the same games",
            "games",
            "first alone" if alone else "first won",
            "second alone" if alone else "second won",
            "difference, %",
            "95 %",
            *(["p"] if alone else []),
        ]
    ]
    for pair in sorted(told.pairs, key=lambda pair: -abs(pair.difference))[:_PAIRS]:
        rows.append(_pair(told, pair))
    lines = list(columns(rows))
    if len(told.pairs) > _PAIRS:
        lines.append(f"and {len(told.pairs) - _PAIRS} pairs more, which --json has")
    if len({agent for pair in told.pairs for agent in pair[:2]}) < len(told.study.agents):
        lines.append("pairs of the best agents only")
    return lines


def _pair(told: "Report", pair: "Pair") -> list[str]:
    agents, interval = told.study.agents, pair.interval
    return [
        f"{agents[pair.one]} v {agents[pair.other]}",
        str(pair.games),
        str(pair.one_alone),
        str(pair.other_alone),
        f"{100 * pair.difference:+.2f}",
        f"{100 * interval.low:+.2f} to {100 * interval.high:+.2f}",
        *([] if pair.p_value is None else [f"{pair.p_value:.2g}"]),
    ]


def _cross(told: "Report") -> list[str]:
    """Agents against agents: games won by the row, by the column, and by neither alone."""
    shown = [place for place in told.order if any(place in pair[:2] for pair in told.pairs)]
    if len(shown) < 3:
        return []
    cells: dict[tuple[int, int], str] = {}
    for pair in told.pairs:
        rest = pair.games - pair.one_alone - pair.other_alone
        cells[pair.one, pair.other] = f"{pair.one_alone}-{pair.other_alone}-{rest}"
        cells[pair.other, pair.one] = f"{pair.other_alone}-{pair.one_alone}-{rest}"
    for place in shown:
        cells[place, place] = "."
    words = "neither alone" if told.study.game == "minesweeper" else "neither"
    rows = [[f"row-column-{words}", *(f"({number})" for number in range(1, len(shown) + 1))]]
    for number, place in enumerate(shown, 1):
        name = f"({number}) {told.study.agents[place]}"
        rows.append([name, *(cells.get((place, other), "") for other in shown)])
    return list(columns(rows))


def _seats(told: "Report") -> list[str]:
    """Wins by seat, of all agents and of each."""
    if not told.seats:
        return []
    names = [told.study.agents[place] for place in told.order]
    rows = [["wins by seat", "games", "won", "%", "95 %", *names]]
    for number, seat in enumerate(told.seats):
        rate = seat.won / seat.games if seat.games else None
        mine = [seat.agents[place] for place in told.order]
        rows.append(
            [
                f"seat {number}",
                str(seat.games),
                str(seat.won),
                *_rate(rate, seat.ci95),
                *(f"{100 * won / games:.2f}" if games else "" for games, won in mine),
            ]
        )
    return list(columns(rows))


def _times(told: "Report") -> list[str]:
    rows = [["host", "games", "seconds", "CPU-s", "games a CPU-s", "CPU-s to start"]]
    for host in told.hosts:
        speed = f"{host.games / host.cpu_seconds:.1f}" if host.cpu_seconds > 0 else ""
        rows.append(
            [
                host.name,
                str(host.games),
                f"{host.seconds:.2f}",
                f"{host.cpu_seconds:.2f}",
                speed,
                f"{host.startup_cpu_seconds:.2f}",
            ]
        )
    return list(columns(rows)) if told.hosts else []
