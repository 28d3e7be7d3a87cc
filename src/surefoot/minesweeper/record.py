"""A game as text: headers, the board, and the moves, PGN-like; write, read, replay.

::

    [Game "Minesweeper"]
    [Rules "windows"]
    [Agent "exact"]
    [End "completed"]

    4x3x1
    IHHH
    HHHH
    HHHH

    ; a line after a semicolon is somebody's words and has no effect
    uncover 2,3
    uncover 0,1
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from surefoot.errors import FormatError, IllegalAction, RulesError

from .actions import Action, Cell
from .board import Board
from .game import End, Game
from .rules import Rules, parse_start

_NAME = r"[A-Za-z][A-Za-z0-9_-]*"
_HEADER = re.compile(rf'\[({_NAME}) "((?:[^"\\]|\\["\\])*)"\]')
_OWN = ("Game", "Rules", "Start", "End")


@dataclass(frozen=True)
class Record:
    """One game, finished or not, that replays exactly.

    Args:
        board: the truth, as it was before the first move.
        rules: how it was played.
        start: the cell opened beforehand, if any.
        actions: the legal actions, in order.
        end: why it ended.
        notes: words said before action number ``i`` (``len(actions)`` for after the last).
        headers: anything else worth telling, such as who played; in the text, white space in a value
            becomes single spaces.

    Raises:
        FormatError: a header's name is not one word, or is one that the record writes itself.
    """

    board: Board
    rules: Rules
    start: Cell | None
    actions: tuple[Action, ...]
    end: End
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
            ValueError: no cell was opened yet, so there is no board to record.
        """
        board = Board(game.board.mines, game.initial_cells)
        return cls(board, game.rules, game.start, tuple(game.actions), game.end, notes or {}, headers or {})

    def game(self, moves: int | None = None) -> Game:
        """The game after ``moves`` actions, or after all of them.

        Raises:
            IllegalAction: the rules forbid one of the actions.
        """
        game = Game.on(self.board, self.rules, self.start)
        for action in self.actions[:moves]:
            game.play(action)
        return game

    def replay(self) -> Iterator[tuple[Action | None, Game]]:
        """The game step by step: the action that was played, and the game after it; first None."""
        game = Game.on(self.board, self.rules, self.start)
        yield None, game
        for action in self.actions:
            game.play(action)
            yield action, game

    def __str__(self) -> str:
        own = {"Game": "Minesweeper", "Rules": str(self.rules)}
        if self.start is not None:
            own["Start"] = f"{self.start[0]},{self.start[1]}"
        lines = [f'[{name} "{_escape(value)}"]' for name, value in (own | dict(self.headers)).items()]
        lines += [f'[End "{self.end.name.lower()}"]', "", str(self.board), ""]
        for index in range(len(self.actions) + 1):
            if index in self.notes:
                lines += [f"; {line}" for line in _lines(self.notes[index])]
            if index < len(self.actions):
                lines.append(str(self.actions[index]))
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> "Record":
        """Read a record and check that it replays to the end it names.

        Raises:
            FormatError: naming the line at fault.
        """
        reader = _Reader(text)
        headers = reader.headers()
        if headers.pop("Game", None) != "Minesweeper":
            raise FormatError('not a Minesweeper record: it has no line [Game "Minesweeper"]')
        try:
            rules = Rules.parse(headers.pop("Rules", "windows"))
            place = parse_start(headers.pop("Start")) if "Start" in headers else None
            end = End[headers.pop("End", "not_ended").upper()]
        except KeyError as error:
            raise FormatError(f"unknown end {error}") from None
        if isinstance(place, str):
            raise FormatError(f"the start of a record is a cell, not {place!r}")
        board = reader.board()
        actions, notes = reader.actions()
        record = cls(board, rules, place, actions, end, notes, headers)
        record._check()
        return record

    def _check(self) -> None:
        try:
            end = self.game().end
        except (IllegalAction, RulesError) as error:
            raise FormatError(f"the record does not replay: {error}") from None
        if end is not self.end:
            raise FormatError(
                f"the record says it ended as {self.end.name.lower()}, but it replays to {end.name.lower()}"
            )


class _Reader:
    """The lines of a record, taken from the top."""

    def __init__(self, text: str) -> None:
        self.lines = _lines(text)
        self.at = 0

    def _skip_blank(self) -> None:
        while self.at < len(self.lines) and not self.lines[self.at].strip():
            self.at += 1

    def headers(self) -> dict[str, str]:
        found: dict[str, str] = {}
        self._skip_blank()
        while self.at < len(self.lines) and self.lines[self.at].startswith("["):
            match = _HEADER.fullmatch(self.lines[self.at].rstrip())
            if match is None:
                raise FormatError(f'line {self.at + 1}: not a header of the form [Name "value"]')
            if match[1] in found:
                raise FormatError(f"line {self.at + 1}: a second header {match[1]}")
            found[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
            self.at += 1
        return found

    def board(self) -> Board:
        self._skip_blank()
        first = self.at
        while self.at < len(self.lines) and self.lines[self.at].strip():
            self.at += 1
        try:
            return Board.parse("\n".join(self.lines[first : self.at]))
        except FormatError as error:
            raise FormatError(f"board at line {first + 1}: {error}") from None

    def actions(self) -> tuple[tuple[Action, ...], dict[int, str]]:
        actions: list[Action] = []
        notes: dict[int, str] = {}
        for number, line in enumerate(self.lines[self.at :], self.at + 1):
            if line.startswith(";"):
                words = line[1:].removeprefix(" ")
                before = notes.get(len(actions))
                notes[len(actions)] = words if before is None else f"{before}\n{words}"
            elif line.strip():
                try:
                    actions.append(Action.parse(line))
                except FormatError as error:
                    raise FormatError(f"line {number}: {error}") from None
        return tuple(actions), notes


def _lines(text: str) -> list[str]:
    """Lines however they end: what an agent prints may hold a bare carriage return."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _escape(value: str) -> str:
    plain = " ".join(value.split())
    return plain.replace("\\", "\\\\").replace('"', '\\"')
