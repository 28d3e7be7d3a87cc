"""Other people's agents of our kind, each in a process of its own while it plays a world."""

import random
import sys
from collections.abc import Callable
from pathlib import Path

from surefoot.compat.minai import Apart, MinesweeperAgent, NotAMove
from surefoot.compat.minai_student import serve
from surefoot.errors import FormatError
from surefoot.minesweeper.actions import Action
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.rules import Rules
from surefoot.protocol.launcher import Channel
from surefoot.protocol.limits import Limits
from surefoot.spec import AgentSpec, parse


class SpecApart(Apart):
    """The agent that a spec names, in a process of its own."""

    def __init__(self, spec: AgentSpec, seed: int, limits: Limits) -> None:
        super().__init__(limits)
        self._spec = spec
        self._seed = seed
        self._begun = False

    def agent(self) -> MinesweeperAgent:
        """This itself."""
        return self

    def act(self, observation: Observation) -> Action:
        """Ask the process, which sees what is seen here.

        Raises:
            NotAMove: the answer is not an action.
            AgentEnded: there is no answer.
        """
        if not self._begun:
            self._begun = True
            arguments = {
                "spec": str(self._spec),
                "seed": self._seed,
                "rules": str(observation.rules),
                "search": sys.path,
            }
            self.start("surefoot.arena.apart:play", arguments, ())
        answer = self.ask(str(observation))
        try:
            return Action.parse(answer if isinstance(answer, str) else "")
        except FormatError:
            raise NotAMove(f"the answer is not an action: {str(answer)[:40]}") from None


def play(channel: Channel, *, spec: str, seed: int, rules: str, search: list[str]) -> None:
    """The side in the agent's process: a position comes, an action goes, both as text."""
    sys.path[:] = search
    random.seed(seed)
    switches = Rules.parse(rules)
    place = parse(spec).place

    def begin() -> Callable[[str], str]:
        agent = parse(spec).make(seed)
        return lambda text: str(agent.act(Observation.parse(text, switches)))

    folder = Path(place).resolve().parent if place is not None and place.endswith(".py") else None
    serve(channel, begin, folder)
