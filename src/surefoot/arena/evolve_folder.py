"""A learning run's folder: what is in it, and how it survives being killed at any moment.

::

    settings.json                    all that the run depends on
    map.toml                         the map itself, in case its name comes to mean another
    generation-1/genes.csv           the population, one gene a line
    generation-1/tournament-01.csv   its games, one a line: who moved first, who second, the seed, who won
    …
    result.json                      the weights that came out

A file appears whole or not at all, and only after everything that it follows from. No time of day, duration
or number of workers is in any of them: the same settings give the same bytes.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from surefoot import __version__
from surefoot.errors import FormatError
from surefoot.risk.evolution import FEATURES, FIRST, NOBODY, SECOND, WEIGHTS, Played, Settings, Tournament
from surefoot.risk.worldmap import WorldMap, load

from .evolve_player import SelfPlay

_WON = {FIRST: "first", SECOND: "second", NOBODY: "nobody"}
_CODES = {word: code for code, word in _WON.items()}
_VERSION = "surefoot"
_PART = ".part"
"""Ends the name of a file that is not whole yet."""
_GAMES_HEADER = "first,second,seed,won"
_GENES_HEADER = ",".join(FEATURES)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A folder that holds a run; made by `begin` or `read`."""

    path: Path
    settings: Settings
    world: WorldMap

    def genes(self, generation: int) -> NDArray[np.float64] | None:
        """The population of a generation, shape (n, WEIGHTS), or None if the run has not come so far.

        Raises:
            FormatError: the file is damaged; the message names the line.
        """
        path = self._generation(generation) / "genes.csv"
        lines = _lines(path, _GENES_HEADER, self.settings.population)
        if lines is None:
            return None
        genes = np.empty((len(lines), WEIGHTS))
        for row, line in enumerate(lines):
            try:
                genes[row] = [float(word) for word in line.split(",")]
            except ValueError:
                raise FormatError(f"{path}: line {row + 2}: not {WEIGHTS} weights") from None
            if not ((genes[row] >= self.settings.low) & (genes[row] <= self.settings.high)).all():
                raise FormatError(f"{path}: line {row + 2}: a weight is out of range")
        return genes

    def write_genes(self, generation: int, genes: NDArray[np.float64]) -> None:
        """Keep the population of a generation."""
        folder = self._generation(generation)
        folder.mkdir(exist_ok=True)
        lines = [",".join(map(repr, row)) for row in genes.tolist()]
        write(folder / "genes.csv", "\n".join([_GENES_HEADER, *lines, ""]))

    def winners(self, generation: int, number: int, tournament: Tournament) -> NDArray[np.int64] | None:
        """Who won a tournament's games, shape (games,), or None if it has not been played.

        Raises:
            FormatError: the file is damaged, or is not of this tournament; the message names the line.
        """
        path = self._tournament(generation, number)
        lines = _lines(path, _GAMES_HEADER, len(tournament.seeds))
        if lines is None:
            return None
        winners = np.empty(len(lines), np.int64)
        for row, (line, game) in enumerate(zip(lines, _games(tournament))):
            start, _, won = line.rpartition(",")
            if start != game:
                raise FormatError(f"{path}: line {row + 2}: the settings lead to another game: {game}")
            if won not in _CODES:
                raise FormatError(f"{path}: line {row + 2}: won by {' or '.join(_CODES)}, not {won[:40]!r}")
            winners[row] = _CODES[won]
        return winners

    def write_played(self, generation: int, number: int, played: Played) -> None:
        """Keep a tournament's games."""
        games = zip(_games(played.tournament), played.winners.tolist())
        lines = [f"{game},{_WON[winner]}" for game, winner in games]
        write(self._tournament(generation, number), "\n".join([_GAMES_HEADER, *lines, ""]))

    def write_result(self, result: Mapping[str, Any]) -> None:
        """Keep what came out."""
        write(self.path / "result.json", _json(result))

    def _generation(self, number: int) -> Path:
        return self.path / f"generation-{_padded(number, self.settings.generations)}"

    def _tournament(self, generation: int, number: int) -> Path:
        name = f"tournament-{_padded(number, self.settings.tournaments)}.csv"
        return self._generation(generation) / name


@contextmanager
def begin(path: Path, given: Mapping[str, Any], *, resume: bool) -> Iterator[RunFolder]:
    """Start a run in a new or empty folder, or take up the one in it; nobody else may work on it meanwhile.

    Args:
        given: settings by name. Those that are missing are the defaults of a new run, or an old run's own.
        resume: whether the folder may hold a run.

    Raises:
        FormatError: the folder is used and ``resume`` is not set, it holds something else or another run than
            the settings ask for, or another process is at work on it.
        RulesError: the settings do not fit together.
        OSError: the folder cannot be written.
    """
    if path.exists() and not path.is_dir():
        raise FormatError(f"{path} is a file, not a folder for a run")
    if not _settings(path).exists():
        # Whatever is wrong with the settings is said before anything is made.
        settings, world = _new(given)
        path.mkdir(parents=True, exist_ok=True)
    with _locked(path):
        if not _settings(path).exists():
            if any(not _is_beginning(file) for file in path.iterdir()):
                raise FormatError(f"{path} is not empty, and holds no run")
            write(path / "map.toml", str(world))
            write(_settings(path), _json({_VERSION: __version__, **asdict(settings)}))
        elif not resume:
            raise FormatError(f"{path} holds a run already; --resume goes on with it")
        folder = read(path)
        for name in folder.settings.differing(given):
            has = getattr(folder.settings, name)
            raise FormatError(f"{path} holds a run with {name} {has}, not {given[name]}")
        for leftover in path.rglob(f".*{_PART}"):
            leftover.unlink()
        yield folder


def _new(given: Mapping[str, Any]) -> tuple[Settings, WorldMap]:
    settings = Settings.make(given)
    world = load(settings.map)
    settings.switches.check(2, len(world.territories))
    SelfPlay.of(settings, world)
    return settings, world


def read(path: Path) -> RunFolder:
    """The run in a folder, to look at.

    Raises:
        FormatError: there is none, it is damaged, or another version of Surefoot made it.
    """
    source = _settings(path)
    if not source.is_file():
        raise FormatError(f"{path} holds no run of `surefoot risk evolve`")
    try:
        content = json.loads(source.read_text(encoding="utf-8"))
        version = content.pop(_VERSION)
    except (ValueError, AttributeError, KeyError, TypeError):
        raise FormatError(f"{source}: not the settings of a run") from None
    if version != __version__:
        raise FormatError(
            f"{path} was begun by Surefoot {str(version)[:40]}; {__version__} may play otherwise"
        )
    if set(content) != {field.name for field in fields(Settings)}:
        raise FormatError(f"{source}: not the settings of a run")
    try:
        settings = _SETTINGS.validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise FormatError(f"{source}: {place + ': ' if place else ''}{first['msg']}") from None
    return RunFolder(path, settings, load(path / "map.toml"))


def write(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all, even after the machine itself goes down."""
    part = path.with_name(f".{path.name}{_PART}")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
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


_SETTINGS = TypeAdapter(Settings)


def _settings(path: Path) -> Path:
    return path / "settings.json"


def _is_beginning(file: Path) -> bool:
    """Whether a file may be what is left of a run that was killed before its settings were written."""
    return file.name == "map.toml" or file.name.endswith(_PART)


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def _padded(number: int, most: int) -> str:
    return f"{number:0{len(str(most))}}"


def _games(tournament: Tournament) -> Iterator[str]:
    for (first, second), seed in zip(tournament.pairs.tolist(), tournament.seeds.tolist()):
        yield f"{first},{second},{seed}"


def _lines(path: Path, header: str, count: int) -> list[str] | None:
    """The lines under the header, or None without the file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise FormatError(f"{path} is not UTF-8 text") from None
    first, *lines = text.split("\n")
    if first != header:
        raise FormatError(f"{path}: line 1: expected {header}")
    if len(lines) != count + 1 or lines[-1]:
        raise FormatError(f"{path}: expected {count} lines under the header")
    return lines[:-1]


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
