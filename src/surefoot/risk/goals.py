"""The fast policy of the planner seen from Python: its weights, and goals that are forced on it."""

import json
from collections.abc import Mapping
from enum import Enum
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError

from .kernels import campaign, planner_goals
from .kernels.policies import PLANNER
from .policy import Policy

SETS = ("duel", "crowd")
"""The two sets of weights: for two living players, and for more."""

WORDS: Mapping[str, int] = {
    name.lower(): getattr(planner_goals, name)
    for name in (
        *(
            "TERR",
            "KILL",
            "LOSS",
            "BREAKS",
            "BONUSES",
            "PROGRESS",
            "SPOIL",
            "CARD_WORTH",
            "ELIM_CARD",
            "ELIM",
        ),
        *("EXPOSE", "MIN_CHANCE", "STOP", "GAMMA", "HOLD_K", "DEFEND", "DEFEND_K", "SUPPORT", "TRADE"),
        *("LEADER", "SPLIT", "LEAVE", "MINE_NEAR", "SETTLE", "MOBILE", "KEEP", "S_STICK", "S_FEAR", "S_PLAN"),
        *("GUARD", "TERR_MENACED", "LOSS_MENACED", "STOP_MENACED", "MOBILE_MENACED"),
    )
}
"""Where each weight lies in its set, by its name in lower case (see `kernels.planner_goals`)."""


class Goal(Enum):
    """Kinds of goal, by the codes of `kernels.campaign`; what is named with each is in brackets."""

    FREE = campaign.FREE
    CONTINENT = campaign.TAKE_CONTINENT
    """Take all of a continent (its number)."""
    BREAK = campaign.BREAK
    """Take one territory of a continent that another holds (the continent)."""
    ELIMINATE = campaign.ELIMINATE
    """Take all that a player has (the seat)."""
    TAKE = campaign.TAKE
    """Take a territory, by the cheapest way (the territory)."""
    CARD = campaign.CARD
    """Take one cheap territory, for the card."""
    HOLD = campaign.HOLD
    """Attack nothing."""
    GATHER = campaign.GATHER
    """Place all starting armies on a territory (the territory); afterwards as if free."""


def pack_weights(sets: Mapping[str, Mapping[str, float]]) -> NDArray[np.float64]:
    """The row of weights that the kernels take, shape (PLANNER_WEIGHTS,), with no goal forced.

    Args:
        sets: by the names in `SETS`, every word of `WORDS` and its value.

    Raises:
        FormatError: a set or a word is missing or unknown.
    """
    row = np.zeros(planner_goals.PLANNER_WEIGHTS, np.float64)
    for number, name in enumerate(SETS):
        words = sets.get(name, {})
        if set(words) != set(WORDS):
            odd = sorted(set(words) ^ set(WORDS))
            raise FormatError(f"weights of the planner, {name}: missing or unknown {', '.join(odd)}")
        for word, value in words.items():
            row[planner_goals.FIRST + number * planner_goals.SET_WORDS + WORDS[word]] = value
    return row


@cache
def shipped_weights() -> Mapping[str, Mapping[str, float]]:
    """The weights in ``data/planner.json``; `tools/tune_planner.py` makes them."""
    text = resources.files("surefoot.risk").joinpath("data", "planner.json").read_text("utf-8")
    data = json.loads(text)
    return {name: data[name] for name in SETS}


def planner_policy(
    kind: Goal = Goal.FREE,
    goal: int = 0,
    *,
    free_afterwards: bool = False,
    sets: Mapping[str, Mapping[str, float]] | None = None,
) -> Policy:
    """The fast policy, left to itself or made to pursue one goal.

    Args:
        kind, goal: what is pursued.
        free_afterwards: whether it chooses for itself once that is reached or out of reach; else it holds.
        sets: weights as for `pack_weights`; those shipped if not given.
    """
    row = pack_weights(shipped_weights() if sets is None else sets)
    row[planner_goals.GOAL_KIND] = kind.value
    row[planner_goals.GOAL] = goal
    row[planner_goals.THEN] = (Goal.FREE if free_afterwards else Goal.HOLD).value
    return Policy(PLANNER, row)
