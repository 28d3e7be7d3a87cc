"""``surefoot arena``: run, resume, export."""

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from surefoot.errors import FormatError

from .output import announce_kernels, naming, print_json, read_text, say

if TYPE_CHECKING:
    from rich.console import RenderableType

    from surefoot.arena import Progress, Run
    from surefoot.arena.standings import Standing
    from surefoot.arena.study import Study

StoreOption = Annotated[
    str | None,
    typer.Option(
        metavar="STORE", help="A path, or a URL of SQLAlchemy; a file in your data folder unless given."
    ),
]
RunArgument = Annotated[
    str | None,
    typer.Argument(metavar="[RUN]", help="A run's id or its beginning; needless if the store holds one."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
WorkersOption = Annotated[int, typer.Option(min=1, metavar="W", help="How many processes play.")]
ClusterOption = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, whose workers play instead.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Show nothing while it runs.")]

_PAUSE = 0.25
"""Seconds between two looks at how a run goes."""
_SHOWN = 20
"""Agents shown while it goes."""

_COMMA = re.compile(r",(?![^\W\d]\w*=)")
"""A comma between agents, not one between options of an agent."""


def run(
    study: Annotated[
        Path | None, typer.Argument(metavar="[STUDY.toml]", help="The study; options here come before it.")
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="minesweeper or risk.")] = None,
    rules: Annotated[str | None, typer.Option(metavar="RULES", help="A preset, or a text of rules.")] = None,
    worldmap: Annotated[
        str | None, typer.Option("--map", metavar="MAP", help="Risk's map; Minesweeper's board, WxHxM.")
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC,SPEC...", help="Who plays, separated by commas; may be repeated."),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="gauntlet|round-robin|worlds|sprt", help="Who meets whom."),
    ] = None,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Games of two agents, or worlds that each plays.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="The same seed gives the same games.")] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="One of the study's limits, as act=5; may be repeated."),
    ] = None,
    store: StoreOption = None,
    workers: WorkersOption = 1,
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Play a study, or what is left of it; the same study and store go on where they stopped."""
    from surefoot.arena import run as play

    given: dict[str, Any] = {
        "game": game,
        "rules": rules,
        "map": worldmap,
        "agents": [each for text in agents for each in _split(text)] if agents else None,
        "format": form,
        "games": games,
        "seed": seed,
        "store": store,
        "limits": dict(map(_limit, limit)) if limit else None,
    }
    found = _study(study, {name: value for name, value in given.items() if value is not None})
    options = _Options(found.store, as_json, quiet)
    _played(found.run, options, partial(play, found, workers=workers, cluster=cluster))


def resume(
    run_id: RunArgument = None,
    store: StoreOption = None,
    workers: WorkersOption = 1,
    cluster: ClusterOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Go on with a run of the store."""
    from surefoot.arena import Store
    from surefoot.arena import resume as play

    with Store(store, create=False) as opened:
        kept = opened.find(run_id)
    options = _Options(store, as_json, quiet)
    _played(kept.run, options, partial(play, kept.run, store, workers=workers, cluster=cluster))


def export(
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write.")],
    run_id: RunArgument = None,
    store: StoreOption = None,
    form: Annotated[str, typer.Option("--format", metavar="csv|parquet", help="What to write.")] = "csv",
    no_times: Annotated[
        bool, typer.Option("--no-times", help="Without the last three columns: seconds, cpu_seconds, host.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write one row a game and agent, ordered by game, seat and agent."""
    from surefoot.arena import Store
    from surefoot.arena.export import export as write

    with Store(store, create=False) as opened:
        kept = opened.find(run_id)
        rows = write(opened, out, run=kept.run, form=form, times=not no_times)
    if as_json:
        print_json({"run": kept.run, "file": str(out), "format": form, "rows": rows})
    else:
        typer.echo(f"{out}: {rows} rows of run {kept.run}")


HELP = "Many games of many agents: studies, their stores, and what they show."
COMMANDS = (run, resume, export)


def _study(path: Path | None, given: dict[str, Any]) -> "Study":
    """The study of a file, with what is given besides in place of what stands there."""
    import tomllib

    from surefoot.arena import Study

    if path is None:
        return Study.make(given)
    text = read_text(str(path))
    with naming(str(path)):
        try:
            read = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise FormatError(f"not TOML: {error}") from None
        if isinstance(read.get("limits"), dict) and "limits" in given:
            given = given | {"limits": read["limits"] | given["limits"]}
        return Study.make(read | given)


class _Options(NamedTuple):
    """How to tell what happens."""

    store: str | None
    as_json: bool
    quiet: bool


def _split(text: str) -> list[str]:
    """Specs between commas; a command, ``cmd:...``, takes the rest."""
    before, command, rest = text.partition("cmd:")
    if command and (not before or before.endswith(",")):
        return [*filter(None, _COMMA.split(before)), command + rest]
    return _COMMA.split(text)


def _limit(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise FormatError(f"--limit is NAME=VALUE, such as act=5, not {text[:40]!r}")
    return name, value


def _played(run_id: str, options: _Options, play: "Callable[..., Run]") -> None:
    """Play and tell what came out."""
    announce_kernels()
    try:
        with _display(options.quiet) as show:
            found = play(on_progress=show)
    except KeyboardInterrupt:
        where = "" if options.store is None else f" --store {options.store}"
        raise KeyboardInterrupt(f"stopped; 'surefoot arena resume {run_id}{where}' goes on") from None
    for warning in found.warnings:
        say(f"warning: {warning}")
    if options.as_json:
        print_json(found.as_dict())
    else:
        typer.echo(_told(found))


@contextmanager
def _display(quiet: bool) -> "Iterator[Callable[[Progress], None] | None]":
    """On a terminal, how far a run is and how its agents stand, on stderr; else nothing."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live

    # Left alone, Rich would swap sys.stdout from its thread while an agent's prints are redirected.
    with Live(
        console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as live:
        begun = shown = time.monotonic()

        def show(progress: "Progress") -> None:
            nonlocal shown
            now = time.monotonic()
            if now - shown >= _PAUSE:
                shown = now
                live.update(_drawn(progress, now - begun))

        yield show


def _drawn(progress: "Progress", seconds: float) -> "RenderableType":
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    rate = progress.new / seconds
    words = f"{progress.played} of {progress.games} games, {rate:.{0 if rate >= 10 else 2}f} a second"
    if progress.course is None:
        words += f", {timedelta(seconds=round((progress.games - progress.played) / rate))} left"
    else:
        test = progress.course.decision
        words += f" at most; LLR {test.llr:.2f} between {test.lower:.2f} and {test.upper:.2f}"
    table = Table("agent", *_HEADS, box=None, pad_edge=False)
    for head in table.columns[1:]:
        head.justify = "right"
    best = sorted(progress.standings(), key=lambda each: -(each.rate or 0))
    for each in best[:_SHOWN]:
        table.add_row(*_cells(each))
    return Group(ProgressBar(progress.games, progress.played, width=60), words, table)


_HEADS = ("games", "won", "%", "95 %", "capped", "forfeited", "crashed", "timed out")


def _cells(each: "Standing") -> list[str]:
    rate, interval = each.rate, each.ci95
    odd = [str(each.outcomes[word]) for word in ("capped", "forfeited", "crashed", "timed_out")]
    percent = "" if rate is None else f"{100 * rate:.2f}"
    between = "" if interval is None else f"{100 * interval.low:.2f} to {100 * interval.high:.2f}"
    return [each.agent, str(each.games), str(each.won), percent, between, *odd]


def _told(found: "Run") -> str:
    study = found.study
    rows = [["agent", *_HEADS], *map(_cells, found.standings)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [
        f"run {found.run}: {study.game}, {study.format}, seed {study.seed}; "
        f"{found.played} of {found.games} games, {found.new} of them new",
        *("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows),
    ]
    if found.course is not None:
        test, limits = found.course.decision, study.limits
        lines.append(
            f"test   {test.verdict or 'nothing'} accepted after {found.course.pairs} pairs, "
            f"LLR {test.llr:.2f} (H0: no difference, H1: {limits.effect:g} better; "
            f"alpha {limits.alpha:g}, beta {limits.beta:g})"
        )
    lines.append(
        f"time   {found.seconds:.2f} s; {found.cpu_seconds:.2f} CPU-s of the whole run, "
        f"before that {found.startup_cpu_seconds:.2f} CPU-s to start"
    )
    return "\n".join([*lines, f"store  {found.store}"])
