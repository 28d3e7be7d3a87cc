"""The command line: one module a command group; nothing but parsing and printing.

What is heavy (NumPy, Numba, SciPy, Rich) is imported inside the commands, so that help answers at once.
"""

from typing import Annotated

import typer

from surefoot import __version__

from . import demo, minai, minesweeper, warmup
from .failures import OneLineErrors

app = typer.Typer(
    cls=OneLineErrors, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False
)
group = typer.Typer(rich_markup_mode=None)
app.add_typer(group, name="minesweeper")
app.command(context_settings={"help_option_names": ["-h", "--help"]})(minai.minai)
app.command()(demo.demo)
app.command()(warmup.warmup)
for command in (
    minesweeper.evaluate,
    minesweeper.analyze,
    minesweeper.explain,
    minesweeper.replay,
    minai.worlds,
):
    group.command()(command)


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
    _help_alone(context)


@group.callback(invoke_without_command=True)
def _help_alone(context: typer.Context) -> None:
    """Minesweeper: many games, positions, proofs, records and worlds."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command that this process was called with."""
    app()
