"""Does an agent play by the rules? Awkward games, and every breach with what was seen and answered.

An agent may lose all of them. A breach is an answer that is no action or that the rules forbid, no answer in
time, a crash, a message that the protocol does not know, or a game that it does not bring to an end.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from surefoot.errors import FormatError, IllegalAction
from surefoot.protocol.dialects import dialect
from surefoot.protocol.limits import AgentEnded, PlayLimits
from surefoot.spec import AgentSpec, CommandSpec, last_line

from . import awkward_minesweeper, awkward_risk
from .awkward import Case
from .play import stdout_kept_clean

_SEED = 20260704


@dataclass(frozen=True, slots=True)
class Breach:
    """What an agent did that it must not do.

    Args:
        case: in which game.
        move: the number of its move there, from 1.
        what: what was wrong, in one line.
        observation: what it saw, as text.
        answer: what it answered, as text; None if there was no answer.
    """

    case: str
    move: int
    what: str
    observation: str
    answer: str | None

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Checked:
    """How a case went: the agent's moves, what the game was for it, and the breach that ended it."""

    name: str
    why: str
    moves: int
    outcome: str
    breach: Breach | None


@dataclass(frozen=True, slots=True)
class Report:
    """How all cases went."""

    agent: str
    game: str
    cases: tuple[Checked, ...]

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """All breaches, one a case at the most."""
        return tuple(case.breach for case in self.cases if case.breach is not None)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "agent": self.agent,
            "game": self.game,
            "passed": not self.breaches,
            "cases": [
                {
                    "name": case.name,
                    "moves": case.moves,
                    "outcome": case.outcome,
                    "breach": case.breach is not None,
                }
                for case in self.cases
            ],
            "breaches": [breach.as_dict() for breach in self.breaches],
        }


def cases(game: str) -> tuple[Case, ...]:
    """The awkward games, always the same and in the same order."""
    return tuple(awkward_minesweeper.cases() if game == "minesweeper" else awkward_risk.cases())


def check(
    spec: AgentSpec,
    *,
    limits: PlayLimits | None = None,
    on_case: Callable[[Checked], None] | None = None,
) -> Report:
    """Take an agent through all cases; a breach ends its case, and the next one goes on.

    An agent from a file or module plays in a process of its own, as ``surefoot agent`` would run it.

    Args:
        limits: of an agent in a process of its own.
        on_case: is told of each case when it is done.

    Raises:
        FormatError: there is no such agent.
    """
    player = _apart(spec, limits or PlayLimits())
    player.load()
    found = []
    for number, case in enumerate(cases(spec.game)):
        with stdout_kept_clean():
            found.append(_check(case, player, _SEED + number))
        if on_case is not None:
            on_case(found[-1])
    return Report(str(spec), spec.game, tuple(found))


def _apart(spec: AgentSpec, limits: PlayLimits) -> AgentSpec:
    """The agent as it is asked: itself, if it is ours or a program already."""
    if isinstance(spec, CommandSpec):
        return CommandSpec(spec.game, None, spec.name, limits=limits)
    if spec.place is None:
        return spec
    spec.load()
    words = [sys.executable, "-m", "surefoot", "agent", str(spec), "--game", spec.game]
    return CommandSpec.of(words, spec.game, limits)


def _check(case: Case, spec: AgentSpec, seed: int) -> Checked:
    game = case.make()
    agent: Any = None
    moves = 0
    breach: Breach | None = None
    while breach is None and (seen := game.observation()) is not None:
        action: Any = None
        try:
            if moves == case.most:
                if case.broken_off:
                    break
                raise IllegalAction(f"no end after {moves} moves")
            agent = spec.make(seed) if agent is None else agent
            action = agent.act(seen)
            game.play(action)
            moves += 1
        except (Exception, SystemExit) as error:
            breach = Breach(
                case.name, moves + 1, _words(error), str(seen), _said(agent, action, seen, spec.game)
            )
    outcome = game.outcome if breach is None else "forfeited"
    _let_go(agent, outcome)
    return Checked(case.name, case.why, moves, outcome, breach)


def _words(error: BaseException) -> str:
    if isinstance(error, AgentEnded):
        return error.detail
    return str(error) if isinstance(error, IllegalAction) else last_line(error)


def _said(agent: Any, action: Any, seen: Any, game: str) -> str | None:
    """The answer, as the agent gave it."""
    said = getattr(agent, "said", None)
    if action is None:
        return said if isinstance(said, str) else None
    try:
        return dialect(game).text(action, seen)
    except (TypeError, FormatError):  # it is no action, or one that no map knows
        return str(action)


def _let_go(agent: Any, outcome: str) -> None:
    """Tell an agent how it ended, if it wants to know, and close it, if it has to be."""
    for name, arguments in ("over", [outcome]), ("close", []):
        tell = getattr(agent, name, None)
        if callable(tell):
            tell(*arguments)
