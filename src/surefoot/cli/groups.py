"""Groups of commands, which show their help when no command is named."""

from collections.abc import Callable

import typer


def help_alone(context: typer.Context) -> None:
    """Print the help unless a command follows."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def group(words: str, *commands: Callable[..., None]) -> typer.Typer:
    """A group of commands, described by ``words``."""
    made = typer.Typer(rich_markup_mode=None, help=words, invoke_without_command=True, callback=help_alone)
    for command in commands:
        made.command()(command)
    return made
