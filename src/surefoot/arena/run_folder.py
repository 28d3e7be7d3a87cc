"""What the folders of all learning runs have in common: files that are whole or not there, one process at a
time, and settings that are read back only by the version that wrote them."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from surefoot import __version__
from surefoot.errors import FormatError

SETTINGS = "settings.json"
PART = ".part"
"""Ends the name of a file that is not whole yet."""

_VERSION = "surefoot"


class Settings(Protocol):
    """A frozen dataclass that tells what differs."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def differing(self, given: Mapping[str, Any]) -> list[str]:
        """The names of the settings that are not as ``given``."""


S = TypeVar("S", bound=Settings)


@contextmanager
def opened(
    path: Path,
    given: Mapping[str, Any],
    kind: type[S],
    command: str,
    make: Callable[[], tuple[S, Mapping[str, str]]],
    *,
    resume: bool,
) -> Iterator[S]:
    """Start a run in a new or empty folder, or take up the one in it; nobody else may work on it meanwhile.

    Args:
        given: settings by name. Those that are missing are an old run's own.
        kind: the class of the settings.
        command: what makes such runs, for messages.
        make: checks the settings of a new run; answers them, and the text of each map by the file's name,
            which begins with ``map``.
        resume: whether the folder may hold a run.

    Raises:
        FormatError: the folder is used and ``resume`` is not set, it holds something else or another run than
            the settings ask for, or another process is at work on it.
        RulesError: the settings do not fit together.
        OSError: the folder cannot be written.
    """
    if path.exists() and not path.is_dir():
        raise FormatError(f"{path} is a file, not a folder for a run")
    settled = path / SETTINGS
    if not settled.exists():
        # Whatever is wrong with the settings is said before anything is made.
        new, maps = make()
        path.mkdir(parents=True, exist_ok=True)
    with _locked(path):
        if not settled.exists():
            if any(not _is_beginning(file) for file in path.iterdir()):
                raise FormatError(f"{path} is not empty, and holds no run")
            for name, text in maps.items():
                write(path / name, text)
            write(settled, as_json({_VERSION: __version__, **asdict(new)}))
        elif not resume:
            raise FormatError(f"{path} holds a run already; --resume goes on with it")
        settings = read_settings(path, kind, command)
        for name in settings.differing(given):
            has = getattr(settings, name)
            raise FormatError(f"{path} holds a run with {name} {_said(has)}, not {_said(given[name])}")
        for leftover in path.rglob(f".*{PART}"):
            leftover.unlink()
        yield settings


def read_settings(path: Path, kind: type[S], command: str) -> S:
    """The settings of the run in a folder.

    Raises:
        FormatError: there is none, it is damaged, or another version of Surefoot made it.
    """
    source = path / SETTINGS
    if not source.is_file():
        raise FormatError(f"{path} holds no run of `{command}`")
    try:
        content = json.loads(source.read_text(encoding="utf-8"))
        version = content.pop(_VERSION)
    except (ValueError, AttributeError, KeyError, TypeError):
        raise FormatError(f"{source}: not the settings of a run") from None
    if version != __version__:
        raise FormatError(
            f"{path} was begun by Surefoot {str(version)[:40]}; {__version__} may play otherwise"
        )
    if set(content) != {field.name for field in fields(kind)}:
        raise FormatError(f"{source}: not the settings of a run")
    try:
        return TypeAdapter(kind).validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise FormatError(f"{source}: {place + ': ' if place else ''}{first['msg']}") from None


def write(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or not at all, even after the machine itself goes down."""
    part = path.with_name(f".{path.name}{PART}")
    try:
        with part.open("wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        # Also when the user interrupts just here: a part is left over by a kill alone.
        part.unlink(missing_ok=True)
        raise
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def as_json(content: Mapping[str, Any]) -> str:
    """The text of a file of JSON."""
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def padded(number: int, most: int) -> str:
    """A number for a file's name, so that names stand in the order of their numbers."""
    return f"{number:0{len(str(most))}}"


def _said(setting: object) -> str:
    return ",".join(map(str, setting)) if isinstance(setting, tuple) else str(setting)


def _is_beginning(file: Path) -> bool:
    """Whether a file may be what is left of a run that was killed before its settings were written."""
    return (file.name.startswith("map") and file.suffix == ".toml") or file.name.endswith(PART)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the folder as long as this process lives; where there is no such lock, trust the user."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    handle = os.open(path, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FormatError(f"{path}: another process is at work on this run") from None
        yield
    finally:
        os.close(handle)
