"""A folder of Min.AI worlds, played by one agent."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from surefoot.compat.minai import Run, StudentApart, StudentFile, Watcher, play_apart, play_world
from surefoot.errors import FormatError
from surefoot.minesweeper.bulk import agent_seed, game_rng
from surefoot.minesweeper.formats.minai import World, generate, looks_like_world
from surefoot.minesweeper.record import Record
from surefoot.minesweeper.rules import PRESETS
from surefoot.protocol.limits import Limits
from surefoot.spec import AgentSpec, parse

from .apart import SpecApart


@dataclass(frozen=True)
class Player:
    """Plays worlds with the agent that a text names.

    An agent that comes with Surefoot plays in this process. Everybody else's gets one of its own for each
    world, with limits: a student's file for the shell as well as an agent of our kind.

    Args:
        agent: ``MyAI.py`` or ``MyAI.py:Class`` for a student's file, else a spec.
        seed: of all that the agent draws; a world's share depends on its number alone.
        limits: for agents in processes of their own.
        records: the folder for records, or None.

    Raises:
        FormatError: there is no such agent.
    """

    agent: str
    seed: int
    limits: Limits = field(default_factory=Limits)
    records: Path | None = None

    def __post_init__(self) -> None:
        chosen = self._chosen
        if isinstance(chosen, AgentSpec):
            if chosen.place is None:
                chosen.load()
            elif chosen.place.endswith(".py") and not Path(chosen.place).is_file():
                raise FormatError(f"agent {chosen}: no such file: {chosen.place}")

    @cached_property
    def _chosen(self) -> StudentFile | AgentSpec:
        return StudentFile.parse(self.agent) or parse(self.agent)

    @property
    def apart(self) -> bool:
        """Whether the agent plays in processes of its own."""
        return isinstance(self._chosen, StudentFile) or self._chosen.place is not None

    def warm_up(self) -> None:
        """Load and compile what this process will need, so that no world's figures contain it."""
        if not self.apart:
            _warm_up(self.agent)

    def play(self, world: World, number: int, watcher: Watcher | None = None) -> Run:
        """Play one world, the ``number``-th of its set."""
        seed = agent_seed(self.seed, number)
        chosen = self._chosen
        if isinstance(chosen, StudentFile):
            return play_apart(world, StudentApart(chosen, seed, self.limits), watcher)
        if chosen.place is not None:
            return play_apart(world, SpecApart(chosen, seed, self.limits), watcher)
        return play_world(world, chosen.make(seed), watcher)

    def __call__(self, item: "WorldFile") -> "Outcome":
        """Read a world and play it; a broken one is told of in the outcome."""
        self.warm_up()
        try:
            world = World.read(item.path)
        except FormatError as error:
            return Outcome(item.path, broken=str(error))
        return self.settle(item, self.play(world, item.number))

    def settle(self, item: "WorldFile", run: Run) -> "Outcome":
        """Write the record of a run if records are wanted, and sum it up."""
        if self.records is not None:
            self._record(item, run)
        return Outcome(
            item.path,
            solved=run.solved,
            score=run.score,
            end=run.end,
            moves=run.game.moves,
            seconds=run.seconds,
            error=run.error,
        )

    def _record(self, item: "WorldFile", run: Run) -> None:
        assert self.records is not None
        headers = {
            "World": str(item.path),
            "Agent": self.agent,
            "Solved": "yes" if run.solved else "no",
            "Ended-By": run.end,
        }
        if run.error is not None:
            headers["Error"] = run.error
        path = self.records / item.record
        path.parent.mkdir(parents=True, exist_ok=True)
        text = str(Record.of(run.game, notes=run.notes, headers=headers))
        path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


@cache
def _warm_up(agent: str) -> None:
    play_world(generate(PRESETS["minai-expert"].level, game_rng(0, 0)), parse(agent).make(0))


@dataclass(frozen=True, slots=True)
class WorldFile:
    """A world's file, its number in the set, and where its record belongs, relative to the others'."""

    path: Path
    number: int
    record: Path


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one world's file: the figures of a `Run`, or what is wrong with the file."""

    world: Path
    broken: str | None = None
    solved: bool = False
    score: int = 0
    end: str = "broken"
    moves: int = 0
    seconds: float = 0.0
    error: str | None = None

    def line(self) -> str:
        """One line of JSON."""
        return json.dumps(
            {
                "world": os.fsencode(self.world).decode("utf-8", errors="backslashreplace"),
                "solved": self.solved,
                "end": self.end,
                "moves": self.moves,
                "seconds": round(self.seconds, 4),
                "error": self.broken if self.broken is not None else self.error,
            }
        )


def find_worlds(path: Path) -> tuple[list[WorldFile], list[Path]]:
    """The worlds of a folder and the folders in it, in the order of their names; and what else lies there.

    A file that is named itself is a world in any case.

    Raises:
        FileNotFoundError: there is no such file or folder.
    """
    if not path.is_dir():
        if not path.exists():
            raise FileNotFoundError(None, "no such file or folder", str(path))
        return [WorldFile(path, 0, _record_name(Path(path.name)))], []
    worlds: list[WorldFile] = []
    others: list[Path] = []
    for file in _files(path):
        if looks_like_world(file):
            worlds.append(WorldFile(file, len(worlds), _record_name(file.relative_to(path))))
        else:
            others.append(file)
    return worlds, others


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders.sort(key=_natural)
        for name in sorted(names, key=_natural):
            if (file := Path(place, name)).is_file():
                yield file


def _natural(name: str) -> list[tuple[int, str]]:
    """So that world_2 comes before world_10."""
    return [(int(part), part) if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _record_name(path: Path) -> Path:
    return path.with_suffix(".record") if path.suffix == ".txt" else path.with_name(path.name + ".record")


def summary(outcomes: Sequence[Outcome], skipped: int) -> list[str]:
    """How many worlds ended how, the commonest errors, and what was left out: some lines of words."""
    played = [each for each in outcomes if each.broken is None]
    solved = sum(each.solved for each in played)
    ends = Counter(each.end for each in played)
    told = ", ".join(f"{end} {count}" for end, count in ends.most_common())
    lines = [f"{solved} of {_number(len(played), 'world')} solved" + (f"; ended by {told}" if told else "")]
    errors = Counter(each.error for each in played if each.error is not None)
    lines += [f"{count}x {error}" for error, count in errors.most_common(3)]
    broken = len(outcomes) - len(played)
    if broken:
        lines.append(f"{_number(broken, 'broken world')} left out")
    if skipped:
        lines.append(f"{_number(skipped, 'other file')} skipped")
    return lines


def _number(count: int, what: str) -> str:
    return f"{count} {what}" + ("" if count == 1 else "s")
