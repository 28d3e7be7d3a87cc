"""Minesweeper, complete in itself: the rules, what an agent sees, exact inference, and agents.

Names are imported when they are first asked for, so that looking at the rules does not load the solver.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .actions import LEAVE as LEAVE
    from .actions import Action as Action
    from .actions import Cell as Cell
    from .actions import Kind as Kind
    from .actions import chord as chord
    from .actions import flag as flag
    from .actions import uncover as uncover
    from .actions import unflag as unflag
    from .agents import AGENTS as AGENTS
    from .analysis import Analysis as Analysis
    from .analysis import analyze as analyze
    from .board import Board as Board
    from .endgame import Solution as Solution
    from .endgame import solve_endgame as solve_endgame
    from .explain import Explanation as Explanation
    from .explain import explain as explain
    from .game import End as End
    from .game import Game as Game
    from .game import Outcome as Outcome
    from .observation import Observation as Observation
    from .probability import Probabilities as Probabilities
    from .probability import mine_probabilities as mine_probabilities
    from .probability import solve as solve
    from .record import Record as Record
    from .rules import PRESETS as PRESETS
    from .rules import Level as Level
    from .rules import Rules as Rules
    from .rules import preset as preset

_ROOMS = {
    "actions": ("LEAVE", "Action", "Cell", "Kind", "chord", "flag", "uncover", "unflag"),
    "agents": ("AGENTS",),
    "analysis": ("Analysis", "analyze"),
    "board": ("Board",),
    "endgame": ("Solution", "solve_endgame"),
    "explain": ("Explanation", "explain"),
    "game": ("End", "Game", "Outcome"),
    "observation": ("Observation",),
    "probability": ("Probabilities", "mine_probabilities", "solve"),
    "record": ("Record",),
    "rules": ("PRESETS", "Level", "Rules", "preset"),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}
__all__ = sorted(_ROOM_OF)


def __getattr__(name: str) -> Any:
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_ROOM_OF[name]}", __name__), name)
