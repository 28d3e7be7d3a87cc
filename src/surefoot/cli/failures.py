"""The one place where what went wrong becomes one line on stderr and an exit code."""

import os
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from surefoot.errors import Contradiction, FormatError, IllegalAction, RulesError, TooComplex

_BAD_INPUT = 2
_INTERRUPTED = 130
_FOREIGN = (FormatError, RulesError, IllegalAction, Contradiction, TooComplex)


class OneLineErrors(TyperGroup):
    """A command whose failures are one line, never a traceback, unless they are our own mistake."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run the command and exit; Ctrl-C says what its KeyboardInterrupt has to say."""
        try:
            code = super().main(args, "surefoot", complete_var, False, windows_expand_args, **extra)
        except typer.TyperException as error:
            _fail(error.format_message() + _where_to_look(error), error.exit_code)
        except _FOREIGN as error:
            _fail(str(error), _BAD_INPUT)
        except OSError as error:
            _fail(os_error(error), _BAD_INPUT)
        except BrokenExecutor:
            _fail("a worker process died; with --workers 1 the agent runs in this one and shows why", 1)
        except (_Stopped, typer.Abort) as stop:
            _fail(str(stop) or "stopped", _INTERRUPTED)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:  # Typer would end without a word
            raise _Stopped(str(stop)) from None


class _Stopped(Exception):
    """Somebody has pressed Ctrl-C."""


def os_error(error: OSError) -> str:
    """What the system refused, and for which file."""
    if isinstance(error, FileNotFoundError):
        return f"no such file: {_name(error)}"
    if isinstance(error, IsADirectoryError):
        return f"{_name(error)} is a folder, not a file"
    words = (error.strerror or str(error)).lower()
    return f"{_name(error)}: {words}" if error.filename is not None else words


def _name(error: OSError) -> str:
    return os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else str(error.filename)


def _where_to_look(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return "" if context is None else f" (see {context.command_path} --help)"


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(f"surefoot: {' '.join(message.split())}", err=True)
    sys.exit(code)
