"""An agent that is somebody's program, in any language, as an agent of ours."""

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from surefoot.errors import FormatError, IllegalAction

from . import messages, programs
from .dialects import dialect
from .limits import AgentEnded, PlayLimits

_UNKNOWN = -1


class ExternalAgent:
    """One game of a program; the program itself goes on to the next.

    Nothing is started before the first move is asked for. When the program has failed the game is lost for
    it, and `act` says so again as often as it is asked.

    Args:
        words: the program and its arguments.
        game: ``minesweeper`` or ``risk``.
        seed: of this game.
        limits: what the program may use.

    Attributes:
        guesses: how many guesses the program says it has made, or -1.
        said: the action that it answered last, as it came, or None.
        spent: seconds by the clock for all moves so far.
    """

    def __init__(self, words: Sequence[str], game: str, seed: int, limits: PlayLimits) -> None:
        self.guesses = _UNKNOWN
        self.said: str | None = None
        self.spent = 0.0
        self._game = game
        self._dialect = dialect(game)
        self._seed = seed
        self._command = programs.Command.here(words, limits)
        self._program: programs.Program | None = None
        self._number = ""
        self._questions = 0
        self._moves = 0
        self._ended: AgentEnded | None = None
        self._outcome = "unknown"

    def act(self, observation: Any) -> Any:
        """Ask the program.

        Raises:
            AgentEnded: it gave no answer, or none that the protocol allows.
            IllegalAction: what it answered is not an action.
        """
        if self._ended is not None:
            raise self._ended
        try:
            answer = self._ask(observation)
        except AgentEnded as ended:
            self._ended = self._lost(ended)
            raise self._ended from None
        self._moves += 1
        self.said = answer.action
        if answer.guesses is not None:
            self.guesses = answer.guesses
        try:
            return self._dialect.action(answer.action, observation)
        except FormatError as error:
            self._tell(messages.fault(answer.id, str(error)))
            raise IllegalAction(str(error)) from None

    def over(self, outcome: str) -> None:
        """The game is over; the program is told of the outcome when this is closed."""
        self._outcome = outcome

    def close(self) -> None:
        """Let the program go on to another game."""
        program, self._program = self._program, None
        if program is None:
            return
        program.tell(messages.game_over(self._number, self._outcome))
        programs.give_back(program)
        if self._moves and self._ended is None:
            programs.played(self._command)

    def __del__(self) -> None:
        with suppress(Exception):  # not every loop closes its agents, and the interpreter may be ending
            self.close()

    def _ask(self, observation: Any) -> messages.Act:
        limits = self._command.limits
        if self._program is None:
            self._program = programs.take(self._command)
            self._number = self._program.begin(self._game, self._dialect.about(observation), self._seed)
        self.said = None
        self._questions += 1
        left = limits.game - self.spent
        too_late = f"no move within {limits.act:g} s"
        if left < limits.act:
            too_late = f"more than {limits.game:g} s for the moves of a game"
        seconds = max(min(limits.act, left), 0.001)
        text = str(observation)
        question = f"{self._number}.{self._dialect.seat(observation)}.{self._questions}"
        begun = time.monotonic()
        try:
            return self._program.ask(messages.observe(question, text, seconds), seconds, too_late)
        finally:
            self.spent += time.monotonic() - begun

    def _lost(self, ended: AgentEnded) -> AgentEnded:
        """After a failure: what is to be said of it.

        A strike is what may go on like this, and cost a clock's time, in every game. To fail in the middle of
        a game costs little, and not to be asked again would then change how the others end.
        """
        program = self._program
        if program is not None:
            ended = programs.with_last_words(ended, program.output())
            if ended.how != "error":
                self._program = None
                programs.end(program)
        if (ended.how == "time" or not self._moves) and not isinstance(ended, programs.GivenUp):
            programs.strike(self._command, ended)
        return ended

    def _tell(self, message: messages.Message) -> None:
        if self._program is not None:
            self._program.tell(message)
