"""Our side turned round: an agent of ours plays for somebody's host, over standard input and output."""

import json
from collections.abc import Callable
from typing import Any, BinaryIO

from surefoot import minesweeper, risk
from surefoot.errors import FormatError
from surefoot.minesweeper import bulk as minesweeper_bulk
from surefoot.risk import bulk as risk_bulk

from . import messages
from .dialects import Table, dialect

LONGEST_LINE = 16 << 20
"""Bytes; a position of the largest board takes a quarter of that."""

Make = Callable[[int], Any]
"""Makes an agent for one game from a seed."""


class Server:
    """Answers a host's messages, one game at a time.

    Args:
        game: what the agent plays.
        make: makes it.
        name: what it is called.
        describe: puts an exception of the agent into one line.
    """

    def __init__(self, game: str, make: Make, name: str, describe: Callable[[BaseException], str]) -> None:
        self._game = game
        self._dialect = dialect(game)
        self._make = make
        self._name = name
        self._describe = describe
        self._table: Table | None = None
        self._agent: Any = None
        self._fault = "no game has begun"

    def answer(self, message: Any) -> messages.Message | None:
        """What is said to a message, or None if nothing is; what it does not know it ignores."""
        try:
            said = messages.from_host(message)
        except FormatError as error:
            return messages.fault(None, str(error))
        match said:
            case messages.Hello():
                return messages.hello(self._name, games=(self._game,))
            case messages.NewGame():
                self._begin(said)
            case messages.Observe():
                return self._act(said)
            case messages.GameOver():
                self._end("the game is over")
        return None

    def _begin(self, told: messages.NewGame) -> None:
        self._end("")
        try:
            if told.game != self._game:
                raise FormatError(f"this plays {self._game}, not {told.game[:40]}")
            self._table = self._dialect.table(told.model_extra or {})
            self._agent = self._make(told.seed)
        except (Exception, SystemExit) as error:
            # It is told when somebody waits for an answer.
            self._end(self._describe(error))

    def _act(self, asked: messages.Observe) -> messages.Message:
        if self._agent is None or self._table is None:
            return messages.fault(asked.id, self._fault)
        try:
            seen = self._table(asked.observation)
            action = self._dialect.text(self._agent.act(seen), seen)
            return messages.act(asked.id, action, _guesses(self._agent))
        except (Exception, SystemExit) as error:
            return messages.fault(asked.id, self._describe(error))

    def _end(self, why: str) -> None:
        self._agent = self._table = None
        self._fault = why


def serve(server: Server, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer line by line until ``source`` ends.

    Raises:
        FormatError: a line is longer than `LONGEST_LINE`.
    """
    while line := source.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise FormatError(f"a line of more than {LONGEST_LINE >> 20} MB")
        try:
            answer = server.answer(json.loads(line))
        except (ValueError, RecursionError) as error:
            answer = messages.fault(None, f"not JSON: {error}")
        if answer is not None:
            sink.write(json.dumps(answer).encode() + b"\n")
            sink.flush()


def rehearse(game: str, make: Make) -> None:
    """Play a short game, so that loading and compiling are over before the first move's clock runs."""
    if game == "minesweeper":
        minesweeper_bulk.play_games(make, *minesweeper.preset("beginner"), 0, 0, 1)
    else:
        match = risk_bulk.Match(risk.load("duel"), risk.Rules(round_cap=3), 2, 0, True)
        risk_bulk.play_games(match, [make, make], 0, 1)


def _guesses(agent: Any) -> int | None:
    """How many guesses an agent says it has made, as far as that is a number."""
    count = getattr(agent, "guesses", None)
    return count if isinstance(count, int) and count >= 0 else None
