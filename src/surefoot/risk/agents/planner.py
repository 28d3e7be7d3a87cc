"""Our own player."""

from collections.abc import Mapping
from typing import ClassVar

from ..goals import planner_policy
from .scripted import Scripted


class PlannerAgent(Scripted):
    """Pursues one goal at a time by exact odds, and thinks again after every battle.

    The preset ``fast`` is this policy alone, without a search.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, float]]] = {"fast": {}}

    def __init__(self) -> None:
        super().__init__(planner_policy())
