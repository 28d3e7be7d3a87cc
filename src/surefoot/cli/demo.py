"""``surefoot demo``: the main job of document A on worlds drawn here, beside the figures it is known by; then
a small study of each game through the arena.
"""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from surefoot.errors import FormatError

from . import arena_report
from .minesweeper import JsonOption, warn_of_failures
from .output import announce_kernels, print_json, progress, say

if TYPE_CHECKING:
    from rich.table import Table

    from surefoot.arena import Progress
    from surefoot.arena.minesweeper import Evaluation
    from surefoot.arena.report import Report

_LEVELS = ("minai-beginner", "minai-intermediate", "minai-expert")
_AGENTS = ("random", "sentence", "exact")
_WORLDS = 1000
"""Worlds a level in a tournament of the Min.AI shell; scores are told for that many."""


class _Published(NamedTuple):
    """What others reached: percent solved at each level."""

    who: str
    percent: tuple[float, float, float]


_PUBLISHED = (
    _Published("the course's bar", (60.0, 50.0, 10.0)),
    _Published("document A's own agent", (77.4, 69.4, 15.8)),
    _Published("best complete student run", (88.3, 82.7, 36.0)),
)

_STUDIES: tuple[dict[str, Any], ...] = (
    {"game": "minesweeper", "rules": "intermediate", "agents": _AGENTS, "format": "worlds"},
    {
        "game": "risk",
        "map": "classic",
        "agents": ("continent", "killer", "turtle", "random"),
        "format": "round-robin",
    },
)
_PART = 5
"""A study has as many games as the demo has worlds a level, over this."""


class _Shown(NamedTuple):
    """A study of the arena that was played: what it shows, and the files of its figures."""

    report: "Report"
    figures: list[Path]


def demo(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Worlds a level.")] = _WORLDS,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The same seed gives the same worlds.")] = 1,
    workers: Annotated[
        int | None,
        typer.Option(min=1, metavar="W", help="How many processes play; all processors if not given."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where the arena's store and figures go; a folder in your data folder if not given.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let agents play Min.AI worlds and show how many each solved; then a small study of each game."""
    from surefoot.arena.minesweeper import evaluate
    from surefoot.arena.play import default_workers, pool
    from surefoot.minesweeper.rules import preset
    from surefoot.spec import parse

    count = workers or default_workers()
    announce_kernels()
    say(f"{games} worlds a level for {', '.join(_AGENTS)}, seed {seed}, {count} at a time")
    results: dict[str, list[Evaluation]] = {}
    total = games * len(_AGENTS) * len(_LEVELS)
    with progress(total, "worlds") as bar, pool(count) if count > 1 else nullcontext() as executor:
        for agent in _AGENTS:
            for level in _LEVELS:
                bar.describe(f"{agent} on {level}")
                evaluation = evaluate(
                    parse(agent),
                    *preset(level),
                    games=games,
                    seed=seed,
                    workers=count,
                    on_progress=bar.advance,
                    executor=executor,
                )
                results.setdefault(agent, []).append(evaluation)
                warn_of_failures(evaluation)
    folder = _default_folder() if out is None else out
    place = folder / "demo.db"
    shown = [_study(kind | {"games": _games(games), "seed": seed}, place) for kind in _STUDIES]
    if as_json:
        print_json(
            {
                "games": games,
                "seed": seed,
                "agents": {
                    agent: [
                        evaluation.as_dict() | {"rules": level} for level, evaluation in zip(_LEVELS, row)
                    ]
                    for agent, row in results.items()
                },
                "scores": {agent: _score([each.rate for each in row]) for agent, row in results.items()},
                "arena": {
                    "store": str(place),
                    "reports": [each.report.as_dict() for each in shown],
                    "figures": [str(file) for each in shown for file in each.figures],
                },
            }
        )
    else:
        from rich.console import Console

        console = Console()
        console.print(_table(results, games))
        for each in shown:
            console.print(_standings(each.report))
    say(f"the store of both studies is {place}; 'surefoot arena report RUN --store {place}' tells more:")
    for each in shown:
        where = f"figures in {each.figures[0].parent}" if each.figures else "no figures"
        say(f"run {each.report.kept.run}, {each.report.study.game}: {where}")


def _games(games: int) -> int:
    """Games of a study; an even number, for deals are played from both seats."""
    return max(2, games // _PART // 2 * 2)


def _default_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("surefoot")) / "demo"


def _study(given: dict[str, Any], place: Path) -> _Shown:
    """Play a study in this process, and draw its figures beside its store."""
    from surefoot.arena import Store, Study, run
    from surefoot.arena.report import report

    study = Study.make(given)
    total = sum(contest.games for contest in study.contests)
    say(f"{study.game} in the arena: {study.format}, {total} games of {', '.join(study.agents)}")
    with Store(str(place)) as store:
        done = 0
        with progress(total, study.game) as bar:

            def show(now: "Progress") -> None:
                nonlocal done
                bar.advance(now.new - done)
                done = now.new

            run(study, store=store, on_progress=show)
        told = report(store, study.run)
    try:
        figures = arena_report.draw(told, place.parent / study.game)
    except FormatError as error:  # no matplotlib: the figures are an extra
        say(str(error))
        figures = []
    return _Shown(told, figures)


def _standings(told: "Report") -> "Table":
    from rich.table import Table

    study = told.study
    table = Table(
        title=f"{study.game.capitalize()} in the arena: {study.format}, {told.kept.games} games",
        caption="with 95 % intervals" + ("" if told.ratings is None else "; Elo, the mean being 0"),
    )
    rated = told.ratings is not None
    heads = ["", "Games", "Won", "%", "95 %", *(["Elo", "95 %"] if rated else []), "Odd ends"]
    for head in heads:
        table.add_column(head, justify="right" if head else "left", no_wrap=True)
    for place in told.order:
        row = told.standings[place]
        odd = sum(count for word, count in row.outcomes.items() if word not in ("won", "lost"))
        cells = [row.agent, str(row.games), str(row.won), "", ""]
        if row.rate is not None and row.ci95 is not None:
            cells[3:] = [f"{100 * row.rate:.1f}", f"{100 * row.ci95.low:.1f}-{100 * row.ci95.high:.1f}"]
        if told.ratings is not None:
            elo, (low, high) = told.ratings[place].elo, told.ratings[place].interval
            cells += [f"{elo:+.0f}", f"{low:+.0f} to {high:+.0f}"]
        table.add_row(*cells, str(odd))
    return table


def _score(rates: list[float]) -> float:
    """Points by document A's weights if every level had as many worlds as a tournament has."""
    from surefoot.minesweeper.rules import preset

    boards = [preset(level) for level in _LEVELS]
    return sum(
        _WORLDS * rate * board.rules.score(board.level, won=True) for rate, board in zip(rates, boards)
    )


def _table(results: "dict[str, list[Evaluation]]", games: int) -> "Table":
    from rich.table import Table

    table = Table(
        title=f"Percent solved of {games} worlds a level, with 95 % intervals",
        caption=f"Score: by document A's weights, for {_WORLDS} worlds a level",
    )
    table.add_column("", no_wrap=True)
    for level in ("Beginner", "Intermediate", "Expert", "Score"):
        table.add_column(level, justify="right")
    for agent, row in results.items():
        cells = [
            f"{100 * each.rate:.1f}\n{100 * each.ci95.low:.1f}-{100 * each.ci95.high:.1f}" for each in row
        ]
        table.add_row(agent, *cells, f"{_score([each.rate for each in row]):.0f}", style="bold")
    table.add_section()
    for who, percent in _PUBLISHED:
        rates = [each / 100 for each in percent]
        table.add_row(who, *(f"{each:.1f}" for each in percent), f"{_score(rates):.0f}")
    return table
