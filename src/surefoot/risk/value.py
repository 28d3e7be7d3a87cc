"""What a position is worth: each player's chance to win, by a network that was taught on games.

``data/value.json`` is the shipped network, and says how it was made; how good it is stands in
``docs/risk-value.md``. A network's file is JSON: the words that it reads, how many units it has, and its
weights as `kernels.value` lays them out.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError

from .game import Game
from .kernels import layout, value, value_words
from .observation import Observation
from .situation import Phase
from .worldmap import WorldMap

_ROUNDS_LEFT = 50
"""With fewer, the last round may come before somebody has won, of which the network knows nothing."""


def chances(position: Game | Observation, net: NDArray[np.float64] | None = None) -> tuple[float, ...]:
    """Each player's chance to win from a position where a turn begins, or where the game has been won.

    What it says is about games that somebody wins. Of the cards in hands only their number is used.

    Args:
        position: the whole game, or what a seat sees of it.
        net: in place of the shipped network, shape (kernels.value.NET_SIZE,).

    Raises:
        ValueError: no turn begins there, or the game is over without a winner.
    """
    if position.winner is not None:
        return tuple(float(seat == position.winner) for seat in range(position.players))
    if not _begins_turn(position):
        raise ValueError("the value is of a position where a turn begins, before its first action")
    out = np.zeros(layout.MAX_SEATS)
    value.weigh(
        position.worldmap.world,
        position.packed,
        position.state,
        shipped() if net is None else net,
        new_words(position.worldmap),
        out,
    )
    return tuple(out[: position.players].tolist())


def is_meant_for(position: Game | Observation) -> bool:
    """Whether `chances` may be believed: no armies of the turn are placed yet, and it was taught on the like.

    That leaves out fog, capitals, and games near their last round.
    """
    rules = position.rules
    return (
        _begins_turn(position)
        and position.to_place == position.reinforcements(position.turn)
        and not (rules.fog or rules.capitals)
        and rules.round_cap - position.round >= _ROUNDS_LEFT
    )


def gap(players: int) -> float:
    """How far the shipped network is off: the mean gap between a chance and how often that was won.

    On games held out of its training, with so many players; where none were, the largest of the others.
    """
    held_out: dict[str, dict[str, float]] = _about_shipped()["held_out"]
    own = held_out.get(str(players))
    return own["gap"] if own is not None else max(each["gap"] for each in held_out.values())


def _begins_turn(position: Game | Observation) -> bool:
    """Whether the draft has begun, and in it no attack has been made; armies already placed do not show."""
    mid_turn = bool(position.state[layout.MID_TURN])
    return position.phase is Phase.DRAFT and position.attacks == 0 and not mid_turn


def new_words(worldmap: WorldMap) -> NDArray[np.float64]:
    """Room for the words of a position on a map, as `kernels.value_words` lays them out."""
    return np.zeros((layout.MAX_SEATS, value_words.columns(len(worldmap.continents))))


@cache
def shipped() -> NDArray[np.float64]:
    """The shipped network, shape (kernels.value.NET_SIZE,). Not to be written to."""
    return parse(_shipped_text(), "value.json")


@cache
def _about_shipped() -> Mapping[str, Any]:
    content: dict[str, Any] = json.loads(_shipped_text())
    return content


def _shipped_text() -> str:
    return resources.files("surefoot.risk").joinpath("data/value.json").read_text("utf-8")


def parse(text: str, source: str) -> NDArray[np.float64]:
    """Read a network's file.

    Raises:
        FormatError: it is none, or is made for other words.
    """
    try:
        content = json.loads(text)
        words, units, weights = content["words"], content["units"], content["net"]
        net = np.array(weights, np.float64)
    except (ValueError, TypeError, KeyError):
        raise FormatError(f"{source} holds no network") from None
    if words != list(value_words.NAMES) or units != value_words.UNITS:
        raise FormatError(f"{source}: the network reads other words than this version has")
    if net.shape != (value.NET_SIZE,) or not np.isfinite(net).all():
        raise FormatError(f"{source}: a network is {value.NET_SIZE} finite numbers")
    return net


def write(net: NDArray[np.float64], about: Mapping[str, Any]) -> str:
    """A network's file; ``about`` stands before the weights, ready for JSON."""
    content = {
        **about,
        "words": list(value_words.NAMES),
        "units": value_words.UNITS,
        "net": [float(f"{weight:.7g}") for weight in net.tolist()],
    }
    return json.dumps(content, allow_nan=False) + "\n"
