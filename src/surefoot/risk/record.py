"""A game as text: headers, the deal, and the moves with what chance brought, PGN-like; write, read, replay.

::

    [Game "Risk"]
    [Map "classic"]
    [Rules "standard"]
    [Players "3"]
    [Winner "1"]

    deal = alaska brazil ...
    draft alaska 1
    ; a line after a semicolon is somebody's words and has no effect
    attack alaska kamchatka 5 = 651v65 54v4
    occupy 3
    end = brazil

After ``=`` come, in order, the territories dealt, the dice of each roll (attacker v defender) or what it cost
the attacker (``lost-1``), and the card drawn.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from surefoot.errors import FormatError, IllegalAction, RulesError

from . import actions, events
from .actions import Action
from .events import Event
from .game import Game
from .rules import MAX_PLAYERS, Rules
from .situation import Outcome
from .worldmap import WorldMap, load

_NAME = r"[A-Za-z][A-Za-z0-9_-]*"
_HEADER = re.compile(rf'\[({_NAME}) "((?:[^"\\]|\\["\\])*)"\]')
_OWN = ("Game", "Map", "Rules", "Players", "Winner")
_DEAL = "deal"
_CAPPED = "capped"
_NONE_YET = "*"


@dataclass(frozen=True)
class Record:
    """One game, finished or not, that replays exactly.

    Args:
        worldmap: the map; its name alone is written.
        rules: how it was played.
        players: how many played.
        history: actions, and what chance brought, in order.
        winner: the seat that won; ``capped`` at the round cap; None while it goes on.
        notes: words said before action number ``i`` (as many as there are actions for after the last).
        headers: anything else worth telling, such as who played; in the text, white space in a value
            becomes single spaces.

    Raises:
        FormatError: a header's name is not one word, or is one that the record writes itself.
    """

    worldmap: WorldMap
    rules: Rules
    players: int
    history: tuple[Action | Event, ...]
    winner: int | str | None
    notes: Mapping[int, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.headers:
            if name in _OWN or re.fullmatch(_NAME, name) is None:
                raise FormatError(f"not a name for a header of your own: {name[:40]!r}")

    @classmethod
    def of(
        cls, game: Game, *, notes: Mapping[int, str] | None = None, headers: Mapping[str, str] | None = None
    ) -> "Record":
        """The record of a game as it stands.

        Raises:
            ValueError: the game did not begin with the deal, but on a position.
        """
        if not game.from_the_deal:
            raise ValueError("a game that began on a position has no record")
        return cls(
            game.worldmap,
            game.rules,
            game.players,
            tuple(game.history),
            _winner(game),
            notes or {},
            headers or {},
        )

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions alone."""
        return tuple(entry for entry in self.history if not isinstance(entry, Event))

    def game(self, moves: int | None = None, rng: np.random.Generator | None = None) -> Game:
        """The game after ``moves`` actions and what chance then brought, or after all of them.

        With a generator it can be played on from there: so a game is resumed, or branched off.

        Raises:
            IllegalAction: the rules forbid one of the actions, or chance could not bring what it is said to.
        """
        game = Game(self.worldmap, self.rules, self.players, rng=None)
        played = 0
        for entry in self.history:
            if isinstance(entry, Event):
                game.resolve(entry)
            elif played == moves:
                break
            else:
                game.play(entry)
                played += 1
        game.rng = rng
        game.settle()
        return game

    def cut(self, moves: int) -> "Record":
        """The record of the game up to ``moves`` actions, with the words said before them."""
        shorter = Record.of(self.game(moves), headers=self.headers)
        notes = {number: words for number, words in self.notes.items() if number <= len(shorter.actions)}
        return Record(
            self.worldmap, self.rules, self.players, shorter.history, shorter.winner, notes, self.headers
        )

    def replay(self) -> Iterator[tuple[Action | Event | None, Game]]:
        """The game step by step: what was played or came, and the game after it; first None."""
        game = Game(self.worldmap, self.rules, self.players, rng=None)
        yield None, game
        for entry in self.history:
            if isinstance(entry, Event):
                game.resolve(entry)
            else:
                game.play(entry)
            yield entry, game

    def __str__(self) -> str:
        winner = _NONE_YET if self.winner is None else str(self.winner)
        own = {
            "Game": "Risk",
            "Map": self.worldmap.name,
            "Rules": str(self.rules),
            "Players": str(self.players),
        }
        lines = [f'[{name} "{_escape(value)}"]' for name, value in (own | dict(self.headers)).items()]
        lines += [f'[Winner "{winner}"]', ""]
        moves: list[list[str]] = [[_DEAL]]
        for entry in self.history:
            if not isinstance(entry, Event):
                moves.append([actions.to_text(entry, self.worldmap)])
            else:
                moves[-1] += [] if len(moves[-1]) > 1 else ["="]
                moves[-1].append(events.to_text(entry, self.worldmap))
        if len(moves[0]) > 1:
            lines.append(" ".join(moves[0]))
        for number, words in enumerate([*moves[1:], []]):
            if number in self.notes:
                lines += [f"; {line}" for line in _split(self.notes[number])]
            if words:
                lines.append(" ".join(words))
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str, worldmap: WorldMap | None = None) -> "Record":
        """Read a record, and check that it replays to the end it names.

        Args:
            worldmap: the map, if it is not a shipped one or a grid.

        Raises:
            FormatError: naming the line at fault.
        """
        return _Reader(text, worldmap).read()


def _winner(game: Game) -> int | str | None:
    return _CAPPED if game.outcome is Outcome.CAPPED else game.winner


class _Reader:
    """The lines of a record, taken from the top; the moves are played as they are read."""

    def __init__(self, text: str, worldmap: WorldMap | None) -> None:
        self.lines = _split(text)
        self.at = 0  # how many lines the headers take
        headers = self._headers()
        if headers.pop("Game", None) != "Risk":
            raise FormatError('not a Risk record: it has no line [Game "Risk"]')
        self.map = self._load(headers.pop("Map", ""), worldmap)
        self.rules = Rules.parse(headers.pop("Rules", "standard"))
        players = headers.pop("Players", "")
        if re.fullmatch("[0-9]", players) is None:
            raise FormatError(f"Players: a number up to {MAX_PLAYERS}, not {players[:40]!r}")
        self.winner = headers.pop("Winner", _NONE_YET)
        self.headers = headers
        try:
            self.game = Game(self.map, self.rules, int(players), rng=None)
        except RulesError as error:
            raise FormatError(str(error)) from None

    @staticmethod
    def _load(name: str, worldmap: WorldMap | None) -> WorldMap:
        if worldmap is not None and worldmap.name == name:
            return worldmap
        # Not a path: a record that came from elsewhere does not open files.
        if re.fullmatch(r"[a-z0-9][a-z0-9-]*", name) is None:
            raise FormatError(f"Map: not the name of a map: {name[:40]!r}")
        return load(name)

    def _headers(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for number, line in enumerate(self.lines, 1):
            if line.strip() and not line.startswith("["):
                break
            self.at = number
            if not line.strip():
                continue
            match = _HEADER.fullmatch(line.rstrip())
            if match is None:
                raise FormatError(f'line {number}: not a header of the form [Name "value"]')
            if match[1] in found:
                raise FormatError(f"line {number}: a second header {match[1]}")
            found[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        return found

    def read(self) -> Record:
        """The record."""
        notes: dict[int, str] = {}
        played = 0
        for number, line in enumerate(self.lines[self.at :], self.at + 1):
            if line.startswith(";"):
                words = line[1:].removeprefix(" ")
                notes[played] = words if played not in notes else f"{notes[played]}\n{words}"
            elif line.strip():
                try:
                    played += self._play(line)
                except (FormatError, IllegalAction) as error:
                    raise FormatError(f"line {number}: {error}") from None
        ended = _winner(self.game)
        said = _NONE_YET if ended is None else str(ended)
        if self.winner != said:
            raise FormatError(
                f"the record says that the winner is {self.winner[:40]}, but it replays to {said}"
            )
        return Record.of(self.game, notes=notes, headers=self.headers)

    def _play(self, line: str) -> bool:
        """Play one line; whether it held an action."""
        words, _, brought = line.partition("=")
        deal = words.strip() == _DEAL
        if deal and self.game.history:
            raise FormatError("the deal comes first")
        if not deal:
            self.game.play(actions.parse(words, self.map))
        for word in brought.split():
            self.game.resolve(events.parse(word, int(self.game.phase.value), self.map))
        return not deal


def _split(text: str) -> list[str]:
    """Lines however they end: what somebody says may hold a bare carriage return."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _escape(value: str) -> str:
    plain = " ".join(value.split())
    return plain.replace("\\", "\\\\").replace('"', '\\"')
