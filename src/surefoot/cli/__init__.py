"""The command line: one module a command group; nothing but parsing and printing.

What is heavy (NumPy, Numba, SciPy, Rich) is imported inside the commands, so that help answers at once.
"""

from typing import Annotated

import typer

from surefoot import __version__

from . import demo, minai, minesweeper, risk, risk_evolve, risk_maps, risk_odds, risk_play, warmup
from .failures import OneLineErrors

app = typer.Typer(
    cls=OneLineErrors, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False
)
app.command(context_settings={"help_option_names": ["-h", "--help"]})(minai.minai)
app.command()(demo.demo)
app.command()(warmup.warmup)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"surefoot {__version__}")
        raise typer.Exit


def _help_alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.callback(invoke_without_command=True)
def _surefoot(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Play, solve and study two games of hidden danger: Minesweeper and Risk."""
    _help_alone(context)


_MINESWEEPER = "Minesweeper: many games, positions, proofs, records and worlds."
_RISK = "Risk: many games, play at this terminal, positions, odds, records, maps and learning."
for words, module, others in (
    (_MINESWEEPER, minesweeper, (minesweeper.explain, minai.worlds)),
    (_RISK, risk, (risk_play.play, risk_odds.odds, risk_maps.maps, risk_maps.import_map)),
):
    group = typer.Typer(rich_markup_mode=None, help=words, invoke_without_command=True, callback=_help_alone)
    app.add_typer(group, name=module.__name__.rpartition(".")[2])
    for command in (module.evaluate, module.analyze, module.replay, *others):
        group.command()(command)
    if module is risk:
        group.add_typer(risk_evolve.app, name="evolve")


def main() -> None:
    """Run the command that this process was called with."""
    app()
