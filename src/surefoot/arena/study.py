"""A study: who plays what how often, as a TOML file or from Python; and its games, numbered.

::

    game = "risk"
    rules = "standard"
    map = "classic"
    agents = ["continent", "killer", "alphabeta:free"]
    format = "round-robin"
    games = 200
    seed = 1

    [limits]
    act = 5.0

What decides the games is hashed into the run's id; where they are kept, and who plays them, is not.
"""

import hashlib
import json
import tomllib
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from surefoot import __version__
from surefoot.errors import FormatError
from surefoot.minesweeper import rules as minesweeper_rules
from surefoot.protocol.limits import PlayLimits
from surefoot.risk import rules as risk_rules
from surefoot.risk.worldmap import WorldMap, load
from surefoot.spec import AgentSpec, CommandSpec, parse

Format = Literal["gauntlet", "round-robin", "worlds", "sprt"]

MAX_GAMES = 100_000_000


class StudyLimits(BaseModel):
    """What an agent in a process of its own may use up, and the bounds of a sequential test.

    Args:
        start: seconds until an agent is ready.
        act: seconds for one move, by the clock.
        game: seconds for all moves of a game, by the clock.
        memory: megabytes.
        effect: in ``sprt``, what H1 says of the candidate: its score is better by so much; H0: by nothing.
        alpha, beta: in ``sprt``, the chances to accept H1 though H0 holds, and H0 though H1 holds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    start: Annotated[float, Field(gt=0, le=3600)] = 30.0
    act: Annotated[float, Field(gt=0, le=3600)] = 10.0
    game: Annotated[float, Field(gt=0, le=86400)] = 300.0
    memory: Annotated[int, Field(ge=1, le=1 << 20)] = 512
    effect: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    beta: Annotated[float, Field(gt=0, lt=0.5)] = 0.05


class Contest(NamedTuple):
    """Some agents that play games against each other, or one that plays alone.

    Args:
        agents: their places in the study's list.
        first: the number of its first game; within the contest games count from 0.
        games: how many there are.
    """

    agents: tuple[int, ...]
    first: int
    games: int


class Study(BaseModel):
    """Who plays what, how often.

    Args:
        game: ``minesweeper`` or ``risk``.
        rules: Minesweeper: a preset, or the text of rules (then ``map`` tells the board); Risk: the text.
        map: Risk: a map's name, a grid or a TOML file. Minesweeper: the board, ``WxHxM``, instead of the
            preset's.
        agents: specs.
        format: ``worlds``: each of ``games`` worlds is played by every agent (in Risk all agents sit at one
            table, and each deal is played once from every seating); ``round-robin``: every two agents play
            ``games`` games; ``gauntlet``: the first agent plays ``games`` games against each other one;
            ``sprt``: the second against the first, until it is decided which hypothesis holds, at most
            ``games`` games (Minesweeper: worlds). Deals of two come in pairs with the seats changed.
        seed: of all chance; the same seed gives the same games.

    Raises:
        FormatError: a key is unknown, a value does not fit, or the parts do not fit together.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: Literal["minesweeper", "risk"]
    rules: str | None = None
    map: str | None = None
    agents: Annotated[tuple[str, ...], Field(min_length=1, max_length=1000)]
    format: Format = "worlds"
    games: Annotated[int, Field(ge=1, le=MAX_GAMES)]
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    limits: StudyLimits = StudyLimits()
    store: str | None = None

    @model_validator(mode="after")
    def _fits_together(self) -> "Study":
        if len(set(self.agents)) < len(self.agents):
            raise ValueError("agents: each is named once")
        if self.format != "worlds" and len(self.agents) < 2:
            raise ValueError(f"format={self.format} needs two agents")
        if self.format == "sprt" and len(self.agents) != 2:
            raise ValueError("format=sprt is for two agents: the one to beat, then the candidate")
        if self.game == "minesweeper" and self.format in ("gauntlet", "round-robin"):
            raise ValueError(f"format={self.format} is for games against each other; Minesweeper has worlds")
        if self.game == "risk" and self.format != "worlds" and self.games % 2:
            raise ValueError("games: an even number, for deals of two are played from both seats")
        return self

    @classmethod
    def parse(cls, text: str, name: str = "study") -> "Study":
        """Read the TOML form.

        Raises:
            FormatError: naming the key at fault.
        """
        try:
            return cls.make(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise FormatError(f"{name}: not TOML: {error}") from None
        except FormatError as error:
            raise FormatError(f"{name}: {error}") from None

    @classmethod
    def load(cls, path: Path) -> "Study":
        """Read a TOML file.

        Raises:
            FormatError: as `parse`.
            OSError: it cannot be read.
        """
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise FormatError(f"{path}: not text in UTF-8") from None
        return cls.parse(text, str(path))

    @classmethod
    def make(cls, given: dict[str, Any]) -> "Study":
        """A study from its keys and values; what it names has to exist.

        Raises:
            FormatError: naming the key at fault.
            RulesError: the rules do not fit the board or the number of players.
        """
        try:
            study = cls.model_validate(given)
        except ValidationError as error:
            fault = error.errors(include_url=False)[0]
            place = ".".join(map(str, fault["loc"]))
            if fault["type"] == "extra_forbidden":
                raise FormatError(f"unknown key {place!r} (known: {', '.join(cls.model_fields)})") from None
            words = fault["msg"].removeprefix("Value error, ")
            raise FormatError(f"{place}: {words}" if place else words) from None
        study.specs  # noqa: B018 - the names are looked up
        study.check()
        return study

    def check(self) -> None:
        """Refuse rules that do not fit the board or the table.

        Raises:
            FormatError, RulesError: naming what does not fit.
        """
        if self.game == "minesweeper":
            level, switches = self.board
            switches.check(level)
        else:
            for contest in self.contests:
                self.risk_rules.check(len(contest.agents), len(self.worldmap.territories))

    @cached_property
    def specs(self) -> tuple[AgentSpec, ...]:
        """The agents' specs."""
        spent = self.limits
        limits = PlayLimits(spent.start, spent.act, spent.game, spent.memory << 20)
        return tuple(parse(agent, self.game, limits) for agent in self.agents)

    @cached_property
    def board(self) -> minesweeper_rules.Preset:
        """Minesweeper: the board and its rules."""
        name = self.rules or "expert"
        preset = minesweeper_rules.PRESETS.get(name)
        level = None if self.map is None else minesweeper_rules.Level.parse(self.map)
        if preset is not None:
            return minesweeper_rules.Preset(level or preset.level, preset.rules)
        switches = minesweeper_rules.Rules.parse(name)
        if level is None:
            raise FormatError("map: rules that are no preset need a board, WxHxM")
        return minesweeper_rules.Preset(level, switches)

    @cached_property
    def risk_rules(self) -> risk_rules.Rules:
        """Risk: the switches."""
        return risk_rules.Rules.parse(self.rules or "standard")

    @cached_property
    def worldmap(self) -> WorldMap:
        """Risk: the map."""
        return load(self.map or "classic")

    @cached_property
    def contests(self) -> tuple[Contest, ...]:
        """Who plays whom. In Minesweeper every agent plays the same worlds, which have the same numbers."""
        everybody = range(len(self.agents))
        if self.game == "minesweeper":
            return tuple(Contest((agent,), 0, self.games) for agent in everybody)
        if self.format == "worlds":
            return (Contest(tuple(everybody), 0, self.games * len(self.agents)),)
        pairs = [(0, other) for other in everybody[1:]] if self.format == "gauntlet" else None
        return tuple(
            Contest(pair, place * self.games, self.games)
            for place, pair in enumerate(pairs or combinations(everybody, 2))
        )

    @cached_property
    def run(self) -> str:
        """The run's id: 16 hexadecimal digits of the hash of all that decides its games."""
        described = {
            "surefoot": __version__,
            "game": self.game,
            "rules": " ".join(map(str, self.board if self.game == "minesweeper" else [self.risk_rules])),
            "map": None if self.game == "minesweeper" else str(self.worldmap),
            "agents": [_identity(spec) for spec in self.specs],
            "format": self.format,
            "games": self.games,
            "seed": self.seed,
            "limits": self.limits.model_dump(),
        }
        text = json.dumps(described, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _identity(spec: AgentSpec) -> str:
    """What an agent is, wherever its files lie."""
    if isinstance(spec, CommandSpec):
        files = {str(path): _hash(path, spec) for path in spec.files}
        return "cmd:" + " ".join(files.get(word, Path(word).name) for word in spec.words)
    if spec.place is None or not spec.place.endswith(".py"):
        return str(spec)
    code = _hash(Path(spec.place), spec)
    options = ",".join(f"{name}={value}" for name, value in spec.options)
    return ":".join(filter(None, (code, spec.name, spec.preset, options)))


def _hash(path: Path, spec: AgentSpec) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise FormatError(f"agent {spec.label}: {error.strerror or error}") from None
