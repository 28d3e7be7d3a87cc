"""A training run's folder.

::

    settings.json              all that the run depends on
    map-1.toml …               the maps, in case their names come to mean others
    round-1/piece-001.npy      the lessons of a piece of its games, as `lessons.play_lessons` returns them
    …
    round-1/value.json         the network fitted to all games so far, and its losses
    …
    value.json                 the network of the last round, and how it was made: what the package ships

A file appears whole or not at all, and only after everything that it follows from. No time of day, duration
or number of workers is in any of them: the same settings give the same bytes on one machine.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError
from surefoot.risk import value
from surefoot.risk.learning import Fit, Settings
from surefoot.risk.worldmap import WorldMap, load

from . import run_folder
from .evolve_player import compiled_specs
from .run_folder import padded, write

_COMMAND = "surefoot risk train"


@dataclass(frozen=True, slots=True)
class TrainFolder:
    """A folder that holds a training run; made by `begin` or `read`."""

    path: Path
    settings: Settings
    worlds: Mapping[str, WorldMap]
    """The maps by what the settings call them."""

    def lessons(self, number: int, place: int) -> NDArray[np.float32] | None:
        """The lessons of a piece of a round, or None if it has not been played.

        Raises:
            FormatError: the file is damaged.
        """
        path = self._piece(number, place)
        try:
            rows: NDArray[np.float32] = np.load(path, allow_pickle=False)
        except FileNotFoundError:
            return None
        except (ValueError, EOFError):
            raise FormatError(f"{path} holds no lessons") from None
        if rows.dtype != np.float32 or rows.ndim != 2 or not np.isfinite(rows).all():
            raise FormatError(f"{path} holds no lessons")
        return rows

    def write_lessons(self, number: int, place: int, rows: NDArray[np.float32]) -> None:
        """Keep the lessons of a piece."""
        path = self._piece(number, place)
        path.parent.mkdir(exist_ok=True)
        buffer = BytesIO()
        np.save(buffer, rows, allow_pickle=False)
        write(path, buffer.getvalue())

    def fit(self, number: int) -> Fit | None:
        """What came of a round, or None if it is not over.

        Raises:
            FormatError: the file is damaged.
        """
        path = self._round(number) / "value.json"
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        net = value.parse(text, str(path))
        try:
            content = json.loads(text)
            losses = tuple((float(taught), float(judged)) for taught, judged in content["losses"])
            return Fit(net, losses, int(content["best"]))
        except (ValueError, TypeError, KeyError):
            raise FormatError(f"{path} holds no network of a round") from None

    def write_fit(self, number: int, fit: Fit) -> Fit:
        """Keep what came of a round; the answer is what `fit` reads back, rounded as the file is."""
        about = {"losses": [list(each) for each in fit.losses], "best": fit.best}
        write(self._round(number) / "value.json", value.write(fit.net, about))
        kept = self.fit(number)
        assert kept is not None
        return kept

    def write_result(self, net: NDArray[np.float64], about: Mapping[str, Any]) -> None:
        """Keep what came out."""
        write(self.path / "value.json", value.write(net, about))

    def _round(self, number: int) -> Path:
        return self.path / f"round-{padded(number, self.settings.rounds)}"

    def _piece(self, number: int, place: int) -> Path:
        return self._round(number) / f"piece-{padded(place, self.settings.pieces)}.npy"


@contextmanager
def begin(path: Path, given: Mapping[str, Any], *, resume: bool) -> Iterator[TrainFolder]:
    """Start a run, or take one up; see `run_folder.opened`.

    Args:
        given: settings by name. Those that are missing are the defaults of a new run, or an old run's own.

    Raises:
        FormatError, RulesError, OSError: as `run_folder.opened`.
    """
    with run_folder.opened(path, given, Settings, _COMMAND, partial(_new, given), resume=resume) as settings:
        yield _folder(path, settings)


def read(path: Path) -> TrainFolder:
    """The run in a folder, to look at.

    Raises:
        FormatError: there is none, it is damaged, or another version of Surefoot made it.
    """
    return _folder(path, run_folder.read_settings(path, Settings, _COMMAND))


def _new(given: Mapping[str, Any]) -> tuple[Settings, Mapping[str, str]]:
    settings = Settings(**given)
    compiled_specs(settings.players, "player")
    worlds = {name: load(name) for name in settings.map}
    for world in worlds.values():
        for players in settings.seats:
            settings.fitting(players, world)
    return settings, {_file(place): str(world) for place, world in enumerate(worlds.values(), 1)}


def _folder(path: Path, settings: Settings) -> TrainFolder:
    names = dict.fromkeys(settings.map)
    worlds = {name: load(path / _file(place)) for place, name in enumerate(names, 1)}
    return TrainFolder(path, settings, worlds)


def _file(place: int) -> str:
    return f"map-{place}.toml"
