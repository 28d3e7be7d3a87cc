"""Many games: play, statistics, and what is made of them.

::

    from surefoot.arena import Study, run
    found = run(Study.make({"game": "minesweeper", "agents": ["exact", "sentence"], "games": 1000}))
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .runner import Progress, Run, resume, run
    from .store import Store
    from .study import Study

__all__ = ["Progress", "Run", "Store", "Study", "resume", "run"]

_PLACES = {"Store": "store", "Study": "study"}


def __getattr__(name: str) -> Any:
    """Load a name when it is first asked for: the database and the games take their time."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_PLACES.get(name, 'runner')}", __name__), name)
