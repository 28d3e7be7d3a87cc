"""How far an agent thinks: what tells `exact` from `expert`, as numbers that the kernels read."""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernels import mind


@dataclass(frozen=True, slots=True)
class Skill:
    """How far an agent thinks when nothing is proved.

    Args:
        look_ahead: whether to count what every number of every candidate leaves; else the least likely
            mine is opened.
        window: candidates are at most so much riskier than the safest.
        candidates: so many are looked into.
        threats: whether to look for pairs and boxes that no number may tell apart.
        network: whether the network estimates what a position is worth; else the chance to survive the
            next guess does.
        endgame: positions of at most so many layouts are played perfectly.
        nodes: how many sets of layouts that may search.
    """

    look_ahead: bool = False
    window: float = 0.0
    candidates: int = 0
    threats: bool = False
    network: bool = False
    endgame: int = 0
    nodes: int = 0

    def load(self, arrays: mind.Mind) -> None:
        """Make the kernels that think with ``arrays`` think so far."""
        options = arrays.options
        options[mind.LOOK_AHEAD] = self.look_ahead
        options[mind.WINDOW] = self.window
        options[mind.MOST] = self.candidates
        options[mind.THREATS] = self.threats
        options[mind.LEAF] = mind.NETWORK if self.network else mind.SURVIVAL
        options[mind.ENDGAME] = self.endgame
        options[mind.NODES] = self.nodes
        if self.network:
            arrays.net[:] = network()


EXACT = Skill(endgame=100, nodes=5000)
EXPERT = Skill(
    look_ahead=True, window=0.1, candidates=8, threats=True, network=True, endgame=2200, nodes=100_000
)


@cache
def _shipped() -> dict[str, Any]:
    """The network's file; how it was made stands in it."""
    text = resources.files("surefoot.minesweeper").joinpath("data/network.json").read_text("utf-8")
    shipped: dict[str, Any] = json.loads(text)
    return shipped


@cache
def network() -> NDArray[np.float64]:
    """The shipped network, shape (NET_ROWS, NET_COLUMNS)."""
    weights: NDArray[np.float64] = np.array(_shipped()["weights"], np.float64)
    if weights.shape != (mind.NET_ROWS, mind.NET_COLUMNS):
        raise ValueError(f"the network has the shape {weights.shape}")
    weights.flags.writeable = False
    return weights


def network_error(chance: float) -> float:
    """The standard error of a win chance that is estimated by the network.

    It was measured by playing on (`tools/calibrate_network.py`); the file lists errors by the highest chance
    that each holds for.
    """
    errors: list[list[float]] = _shipped()["errors"]
    return next((error for bound, error in errors if chance <= bound), errors[-1][1])


def calibrated(value: float) -> float:
    """How often positions are won that the network values so (see `tools/calibrate_network.py`)."""
    values, chances = np.array(_shipped()["calibration"]).T
    return float(np.interp(value, values, chances))
