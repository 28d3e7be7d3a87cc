"""Risk, complete in itself: maps, the rules, what an agent sees, odds, and agents.

Names are imported when they are first asked for, so that looking at the rules does not load the kernels.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .actions import END as END
    from .actions import Action as Action
    from .actions import Attack as Attack
    from .actions import Claim as Claim
    from .actions import Draft as Draft
    from .actions import End as End
    from .actions import Fortify as Fortify
    from .actions import Occupy as Occupy
    from .actions import Trade as Trade
    from .agents import AGENTS as AGENTS
    from .game import Game as Game
    from .observation import Observation as Observation
    from .record import Record as Record
    from .rules import PRESETS as PRESETS
    from .rules import Rules as Rules
    from .rules import preset as preset
    from .situation import Outcome as Outcome
    from .situation import Phase as Phase
    from .worldmap import WorldMap as WorldMap
    from .worldmap import load as load

_ROOMS = {
    "actions": ("END", "Action", "Attack", "Claim", "Draft", "End", "Fortify", "Occupy", "Trade"),
    "agents": ("AGENTS",),
    "game": ("Game",),
    "observation": ("Observation",),
    "record": ("Record",),
    "rules": ("PRESETS", "Rules", "preset"),
    "situation": ("Outcome", "Phase"),
    "worldmap": ("WorldMap", "load"),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}
__all__ = sorted(_ROOM_OF)


def __getattr__(name: str) -> Any:
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_ROOM_OF[name]}", __name__), name)
