"""From text to agent: ``exact``, ``my_agent.py:Mine``, ``package.module:Class:depth=2,name='x'``.

A spec is a name from the game's table of agents or from an entry point, or the place of a class or of a
function that makes agents; after a colon come options, separated by commas, which are handed to it by name.
Between the name and the options may stand a preset, ``aggressive:bold``: options that the agent's class keeps
under a name, in its table ``PRESETS``.

After ``cmd:`` the rest of the line is a program, with its arguments, that speaks as `docs/protocol.md` says.
"""

import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import re
import shlex
import shutil
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from surefoot.errors import FormatError
from surefoot.protocol.limits import AgentEnded, PlayLimits

Option = int | float | bool | str
Factory = Callable[..., Any]

_PRESET = r"[^\W\d][\w-]*"
_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_FILE = re.compile(rf"(?P<place>.+?\.py):(?P<name>{_DOTTED})(?::(?P<options>.*))?", re.DOTALL)
_MODULE = re.compile(rf"(?P<place>{_DOTTED}):(?P<name>{_DOTTED})(?::(?P<options>.*))?", re.DOTALL)
_OPTION = re.compile(r"""([^\W\d]\w*)=('[^']*'|"[^"]*"|[^,'"]*)(?:,(?=.)|\Z)""", re.DOTALL)
_INT = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_FLOAT = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf)", re.ASCII)
_COMMAND = "cmd:"
_BOOLS = {"true": True, "True": True, "false": False, "False": False}


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """Which agent, and with what options; its text form parses back to itself.

    Args:
        game: whose agents are meant, such as ``minesweeper``.
        place: the file or module of the class, or None when ``name`` is the name of an agent.
        name: the name of the agent, or of the class or function in ``place``.
        options: what its constructor is given, by name.
        preset: the name of the options that come before these.
    """

    game: str
    place: str | None
    name: str
    options: tuple[tuple[str, Option], ...] = ()
    preset: str | None = None

    def __str__(self) -> str:
        options = ",".join(f"{name}={_show(value)}" for name, value in self.options)
        return ":".join(filter(None, (self.place, self.name, self.preset, options)))

    def load(self) -> Factory:
        """The class, or the function that makes agents, after a look at whether the options suit it.

        Raises:
            FormatError: it is not there or cannot be loaded, it has no ``act``, there is no such preset, or
                it takes other options.
        """
        return _load(self)

    def make(self, seed: int) -> Any:
        """A new agent, for one game; it is given ``seed`` if its constructor takes one.

        Raises:
            FormatError: as `load`, or what was made has no ``act``.
            Exception: whatever the constructor raises.
        """
        factory = self.load()
        options = _preset(self, factory) | dict(self.options)
        if "seed" not in options and _takes(factory, "seed"):
            options["seed"] = seed
        agent = factory(**options)
        if not callable(getattr(agent, "act", None)):
            raise FormatError(
                f"agent {self.label}: it made a {type(agent).__name__} without a method act(observation)"
            )
        return agent

    @property
    def label(self) -> str:
        """The spec without its options."""
        return ":".join(filter(None, (self.place, self.name)))


@dataclass(frozen=True, slots=True)
class CommandSpec(AgentSpec):
    """An agent that is a program of its own, ``cmd:node bot.js``; ``name`` is the whole text.

    Args:
        limits: what the program may use up. They are no part of the text.
    """

    limits: PlayLimits = field(default_factory=PlayLimits)

    @classmethod
    def of(cls, words: Iterable[str], game: str, limits: PlayLimits) -> "CommandSpec":
        """The spec of a program and its arguments."""
        return cls(game, None, _COMMAND + shlex.join(words), limits=limits)

    @property
    def words(self) -> tuple[str, ...]:
        """The program and its arguments, split as a shell does; no shell runs them.

        Raises:
            FormatError: a quote is not closed, or there is no program.
        """
        try:
            words = tuple(shlex.split(self.name.removeprefix(_COMMAND)))
        except ValueError as error:
            raise FormatError(f"agent {self.name[:80]}: {str(error).lower()}") from None
        if not words:
            raise FormatError("agent cmd: which program? Write cmd:PROGRAM ARGUMENTS")
        return words

    @property
    def files(self) -> tuple[Path, ...]:
        """Those of the words that are files here: what the agent is, as far as one can tell."""
        from surefoot.protocol.programs import files_among

        return files_among(self.words)

    def load(self) -> Factory:
        """The class that speaks with it, after a look at whether there is such a program.

        Raises:
            FormatError: there is none, or this system cannot run one.
        """
        from surefoot.protocol.external import ExternalAgent

        if not hasattr(os, "fork"):
            raise FormatError("agents that are programs of their own need Linux, macOS or WSL")
        if shutil.which(self.words[0]) is None:
            raise FormatError(f"agent {self.name[:80]}: no such program: {self.words[0]}")
        return ExternalAgent

    def make(self, seed: int) -> Any:
        """The agent for one game; its program starts with the first move, unless it runs already.

        Raises:
            FormatError: as `load`.
        """
        return self.load()(self.words, self.game, seed, self.limits)


def parse(text: str, game: str = "minesweeper", limits: PlayLimits | None = None) -> AgentSpec:
    """Read a spec; nothing of the agent is loaded yet.

    Args:
        game: whose agents are meant.
        limits: of an agent that is a program of its own.

    Raises:
        FormatError: it has none of the forms, the name is unknown, or an option is not ``name=value``.
    """
    text = text.strip()
    head, _, rest = text.partition(":")
    if text.startswith(_COMMAND):
        spec = CommandSpec(game, None, text, limits=limits or PlayLimits())
        spec.words  # noqa: B018 - they are looked at
        return spec
    if head in _names(game):
        preset, colon, options = rest.partition(":")
        if re.fullmatch(_PRESET, preset) is None:
            preset, options = "", rest
        elif colon and not options:
            raise FormatError(f"agent {head}:{preset}: no options after the colon")
        return AgentSpec(game, None, head, _read_options(head, options), preset or None)
    match = _FILE.fullmatch(text) or _MODULE.fullmatch(text)
    if match is not None:
        label = f"{match['place']}:{match['name']}"
        return AgentSpec(game, match["place"], match["name"], _read_options(label, match["options"] or ""))
    if text.endswith(".py"):
        raise FormatError(f"agent {text}: which class of it? Write {text}:NAME")
    raise FormatError(
        f"unknown agent {head[:60]!r}{_suggest(head, _names(game))} "
        f"(known: {', '.join(_names(game))}; or FILE.py:Class, or module:Class, or cmd:PROGRAM)"
    )


def last_line(error: BaseException) -> str:
    """An exception in one line: its type, its words, and where in which file it was raised."""
    if isinstance(error, AgentEnded):  # elsewhere, so that no place here is of interest
        return error.detail
    try:
        words = " ".join(str(error).split())[:200]
    except Exception:  # an agent's own exception may fail at this too
        words = ""
    if isinstance(error, SyntaxError):
        words, place = error.msg, f"{Path(error.filename or '?').name}, line {error.lineno}"
    else:
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return ": ".join(filter(None, (type(error).__name__, words))) + (f" ({place})" if place else "")


@cache
def _names(game: str) -> dict[str, str]:
    """The places of the named agents, as ``module:Class``; the game's own cannot be replaced."""
    own: dict[str, str] = importlib.import_module(f"surefoot.{game}.agents").AGENTS
    added = importlib.metadata.entry_points(group=f"surefoot.{game}.agents")
    return {entry.name: entry.value for entry in added} | own


@cache
def _load(spec: AgentSpec) -> Factory:
    factory = _find(spec)
    if inspect.isclass(factory) and not callable(getattr(factory, "act", None)):
        hint = (
            " (a MyAI of the Min.AI shell plays in 'surefoot minai --agent')"
            if hasattr(factory, "getAction")
            else ""
        )
        raise FormatError(f"agent {spec.label}: it has no method act(observation){hint}")
    _preset(spec, factory)
    _check_options(spec, factory)
    return factory


def _preset(spec: AgentSpec, factory: Factory) -> dict[str, Option]:
    """The options of the spec's preset."""
    if spec.preset is None:
        return {}
    presets: Mapping[str, Mapping[str, Option]] = getattr(factory, "PRESETS", {})
    if spec.preset not in presets:
        has = f"it has: {', '.join(presets)}" if presets else "it has none; options are name=value"
        raise FormatError(
            f"agent {spec.label}: no preset {spec.preset!r}{_suggest(spec.preset, presets)} ({has})"
        )
    return dict(presets[spec.preset])


def _find(spec: AgentSpec) -> Factory:
    place, name = spec.place, spec.name
    if place is None:
        place, _, name = _names(spec.game)[name].partition(":")
    try:
        module = _load_file(place) if place.endswith(".py") else _load_module(place, _names(spec.game))
    except _NotLoaded as error:
        raise FormatError(f"agent {spec.label}: {error}") from error.__cause__
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        agents = [key for key, value in vars(module).items() if hasattr(value, "act")]
        raise FormatError(
            f"agent {spec.label}: there is no class {name!r} in {place}{_suggest(name, agents)}"
            + (f" (it has: {', '.join(agents)})" if agents else "")
        )
    factory: Factory = found
    return factory


class _NotLoaded(Exception):
    """The module of an agent is not there or fails when it is run; the message says which."""


@cache
def _load_file(place: str) -> ModuleType:
    path = Path(place)
    if path.is_dir():
        raise _NotLoaded(f"{place} is a folder, not a file")
    if not path.is_file():
        raise _NotLoaded(f"no such file: {place}")
    path = path.resolve()
    # A name of its own keeps two files called my_agent.py apart, and is the same in every process.
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    description = importlib.util.spec_from_file_location(name, path)
    if description is None or description.loader is None:
        raise _NotLoaded(f"{place} is not a Python file")
    module = importlib.util.module_from_spec(description)
    # What lies beside the file can be imported by it, but hides nothing that is installed.
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    sys.modules[name] = module
    try:
        description.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _NotLoaded(f"{place} cannot be loaded: {last_line(error)}") from error
    return module


def _load_module(place: str, known: Iterable[str]) -> ModuleType:
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{place}.".startswith(f"{error.name}."):
            raise _NotLoaded(f"no such module: {error.name}{_suggest(place, known)}") from error
        raise _NotLoaded(f"{place} cannot be loaded: {last_line(error)}") from error
    except (Exception, SystemExit) as error:
        raise _NotLoaded(f"{place} cannot be loaded: {last_line(error)}") from error


def _parameters(factory: Factory) -> dict[str, inspect.Parameter] | None:
    """What a constructor takes by name, or None where Python cannot tell."""
    try:
        found = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return None
    return {
        name: parameter
        for name, parameter in found.items()
        if parameter.kind is not parameter.POSITIONAL_ONLY
    }


def _takes(factory: Factory, option: str) -> bool:
    parameters = _parameters(factory)
    return parameters is not None and (
        option in parameters or any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    )


def _check_options(spec: AgentSpec, factory: Factory) -> None:
    parameters = _parameters(factory)
    if parameters is None:
        return
    named = {
        name: each
        for name, each in parameters.items()
        if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    }
    takes = f"it takes: {', '.join(named)}" if named else "it takes none"
    given = dict(spec.options)
    for option in given:
        if not _takes(factory, option) or (option in parameters and option not in named):
            raise FormatError(f"agent {spec.label}: no option {option!r}{_suggest(option, named)} ({takes})")
    for name, each in named.items():
        if each.default is each.empty and name not in given and name != "seed":
            raise FormatError(f"agent {spec.label}: option {name!r} is needed ({takes})")


def _read_options(label: str, text: str) -> tuple[tuple[str, Option], ...]:
    options: dict[str, Option] = {}
    at = 0
    while at < len(text):
        match = _OPTION.match(text, at)
        if match is None:
            raise FormatError(f"agent {label}: {text[at:][:40]!r} is not an option of the form name=value")
        if match[1] in options:
            raise FormatError(f"agent {label}: option {match[1]!r} is given twice")
        options[match[1]] = _read(match[2])
        at = match.end()
    return tuple(options.items())


def _read(text: str) -> Option:
    if text[:1] in ("'", '"'):
        return text[1:-1]
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def _show(value: Option) -> str:
    if not isinstance(value, str):
        return str(value)
    if _read(value) == value and not set(value) & set(",'\""):
        return value
    return f'"{value}"' if "'" in value else f"'{value}'"


def _suggest(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, list(known), n=2)
    return f", did you mean {' or '.join(near)}?" if near else ""
