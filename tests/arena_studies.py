"""Small studies, and agents that go wrong in them."""

from pathlib import Path
from typing import Any

from surefoot.arena.export import export
from surefoot.arena.runner import run
from surefoot.arena.store import Store
from surefoot.arena.study import Study

WORLDS: dict[str, Any] = {
    "game": "minesweeper",
    "rules": "beginner",
    "map": "5x5x4",
    "agents": ["random", "exact", "sentence"],
    "games": 60,
    "seed": 3,
}
PAIRS: dict[str, Any] = {
    "game": "risk",
    "map": "duel",
    "agents": ["continent", "random", "killer"],
    "format": "round-robin",
    "games": 20,
    "seed": 3,
}
TEST: dict[str, Any] = WORLDS | {
    "agents": ["sentence", "exact"],
    "format": "sprt",
    "games": 2000,
    "limits": {"effect": 0.1},
}


def study(base: dict[str, Any], **changes: Any) -> Study:
    """A study with some of its keys changed."""
    return Study.make(base | changes)


def table(store: str, out: Path, run_id: str | None = None, *, times: bool = False) -> str:
    """What the export of a run writes."""
    with Store(store, create=False) as opened:
        export(opened, out, run=run_id, times=times)
    return out.read_text()


def played(base: Study, folder: Path, name: str, **how: Any) -> str:
    """The export of a study that is played into a new store."""
    place = str(folder / f"{name}.db")
    run(base, store=place, **how)
    return table(place, folder / f"{name}.csv")


def write_agent(folder: Path, body: str, name: str = "agent") -> str:
    """The spec of an agent of Minesweeper that opens the first hidden cell, unless ``body`` says otherwise.

    Where ``body`` runs, ``self.seed`` is the agent's seed and ``observation`` what it sees.
    """
    path = folder / f"{name}.py"
    lines = [f"        {line}" for line in body.splitlines()]
    path.write_text(
        "import os, sys, time\n"
        "import numpy as np\n"
        "from surefoot.minesweeper import uncover\n"
        "class Agent:\n"
        "    def __init__(self, seed):\n"
        "        self.seed = seed\n"
        "    def act(self, observation):\n"
        + "\n".join(lines)
        + "\n        row, col = np.argwhere(observation.hidden)[0]\n"
        "        return uncover((row, col))\n"
    )
    return f"{path}:Agent"


def write_risk_agent(folder: Path, body: str, name: str = "risk_agent") -> str:
    """The spec of an agent of Risk that plays at random, unless ``body`` says otherwise."""
    path = folder / f"{name}.py"
    lines = [f"        {line}" for line in body.splitlines()]
    path.write_text(
        "import os\n"
        "from surefoot.spec import parse\n"
        "class Agent:\n"
        "    def __init__(self, seed):\n"
        "        self.seed = seed\n"
        "        self.inner = parse('random', 'risk').make(seed)\n"
        "    def act(self, observation):\n"
        + "\n".join(lines)
        + "\n        return self.inner.act(observation)\n"
    )
    return f"{path}:Agent"
