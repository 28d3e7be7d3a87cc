"""All commands in their groups.

What is heavy (NumPy, Numba, SciPy, Rich) is imported inside the commands, so that help answers at once.
"""

from typing import Annotated

import typer

from surefoot import __version__

from . import (
    agent,
    arena,
    arena_agents,
    arena_report,
    arena_show,
    demo,
    minai,
    minesweeper,
    minesweeper_bench,
    minesweeper_optimum,
    risk,
    risk_evolve,
    risk_maps,
    risk_odds,
    risk_play,
    risk_review,
    risk_train,
    serve,
    warmup,
)
from .failures import OneLineErrors
from .groups import group, help_alone

app = typer.Typer(
    cls=OneLineErrors, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False
)
app.command(context_settings={"help_option_names": ["-h", "--help"]})(minai.minai)
app.command()(demo.demo)
app.command()(agent.agent)
app.command()(serve.serve)
app.command()(warmup.warmup)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"surefoot {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _surefoot(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Play, solve and study two games of hidden danger: Minesweeper and Risk."""
    help_alone(context)


_risk = group(
    risk.HELP,
    *risk.COMMANDS,
    risk_review.review,
    risk_play.play,
    risk_odds.odds,
    risk_maps.maps,
    risk_maps.import_map,
)
_risk.add_typer(risk_evolve.app, name="evolve")
_risk.add_typer(risk_train.app, name="train")
app.add_typer(
    group(
        minesweeper.HELP,
        *minesweeper.COMMANDS,
        minesweeper_optimum.optimum,
        minesweeper_bench.bench_decisions,
        minai.worlds,
    ),
    name="minesweeper",
)
app.add_typer(_risk, name="risk")
app.add_typer(
    group(arena.HELP, *arena.COMMANDS, *arena_report.COMMANDS, arena_show.show, arena_agents.check_agent),
    name="arena",
)


def main() -> None:
    """Run the command that this process was called with."""
    app()
