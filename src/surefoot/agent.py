"""What an agent is, for both games."""

from contextlib import suppress
from typing import Any, Protocol, TypeVar

Observation_contra = TypeVar("Observation_contra", contravariant=True)
Action_co = TypeVar("Action_co", covariant=True)


class Agent(Protocol[Observation_contra, Action_co]):
    """One player of one game.

    A new agent is made for every game. If its constructor takes a ``seed`` it is given an integer that
    belongs to that game, so that an agent that draws lots plays the same game again.
    """

    def act(self, observation: Observation_contra, /) -> Action_co:
        """Choose an action from what may be seen, and nothing else."""


def finish(agent: Any, outcome: str) -> None:
    """Tell an agent how its game ended and let it go, if it wants to know: by ``over(outcome)``, ``close()``.

    Whatever it does then, its game is over and stays as it is.

    Args:
        outcome: ``won``, ``lost``, ``capped`` or ``forfeited``, for this agent.
    """
    for name, said in (("over", (outcome,)), ("close", ())):
        with suppress(Exception):
            if callable(tell := getattr(agent, name, None)):
                tell(*said)
