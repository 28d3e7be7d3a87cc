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

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError
from surefoot.risk.evolution import FEATURES, FIRST, NOBODY, SECOND, WEIGHTS, Played, Settings, Tournament
from surefoot.risk.worldmap import WorldMap, load

from . import run_folder
from .evolve_player import SelfPlay
from .run_folder import as_json, padded, write

_WON = {FIRST: "first", SECOND: "second", NOBODY: "nobody"}
_CODES = {word: code for code, word in _WON.items()}
_COMMAND = "surefoot risk evolve"
_MAP = "map.toml"
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
        write(self.path / "result.json", as_json(result))

    def _generation(self, number: int) -> Path:
        return self.path / f"generation-{padded(number, self.settings.generations)}"

    def _tournament(self, generation: int, number: int) -> Path:
        name = f"tournament-{padded(number, self.settings.tournaments)}.csv"
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
    with run_folder.opened(path, given, Settings, _COMMAND, partial(_new, given), resume=resume) as settings:
        yield RunFolder(path, settings, load(path / _MAP))


def _new(given: Mapping[str, Any]) -> tuple[Settings, Mapping[str, str]]:
    settings = Settings.make(given)
    world = load(settings.map)
    settings.switches.check(2, len(world.territories))
    SelfPlay.of(settings, world)
    return settings, {_MAP: str(world)}


def read(path: Path) -> RunFolder:
    """The run in a folder, to look at.

    Raises:
        FormatError: there is none, it is damaged, or another version of Surefoot made it.
    """
    return RunFolder(path, run_folder.read_settings(path, Settings, _COMMAND), load(path / _MAP))


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
