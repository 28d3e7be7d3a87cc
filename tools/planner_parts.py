"""What each part of the planner is worth: it is switched off, and the same games are played again (issue 8).

``SUREFOOT_SHARE`` plays a share of the games, as in `planner_results`.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from surefoot.intervals import STANDARD_ERRORS
from surefoot.risk import opponents, planner, value
from surefoot.risk.agents import planner as agent
from surefoot.risk.bulk import Match, play_games
from surefoot.risk.kernels import layout, policies
from surefoot.risk.opponents import Opponents
from surefoot.risk.planner import FREE
from surefoot.risk.policy import Tables, decide, stack_weights, tables
from surefoot.risk.rules import Rules
from surefoot.risk.situation import Phase
from surefoot.risk.worldmap import load
from surefoot.spec import parse
from tools.planner_results import DEALT, SEED, share

GAMES = 2_000
CHUNK = 10

Switch = Callable[[], AbstractContextManager[Any]]


def _no_plans() -> AbstractContextManager[Any]:
    """No goals: there is the free choice, and after a battle holding and one card; starting armies are
    still searched for."""
    return patch.object(planner, "plans_for", lambda _: [FREE])


def _no_gathering() -> AbstractContextManager[Any]:
    """The fast policy places the starting armies."""
    return patch.object(planner, "gatherings_for", lambda _: [])


def _no_watching() -> AbstractContextManager[Any]:
    """Everybody is thought to play by the fast policy."""
    return patch.object(
        Opponents, "draw", lambda _, samples, *__: np.zeros((samples, layout.MAX_SEATS), np.int64)
    )


def _no_model_of_the_rival() -> AbstractContextManager[Any]:
    """The others are watched, but the policy of this rival is not among those that are known."""
    known = tuple(model for model in opponents.MODELS if model.style != policies.EMPIRE)
    strange = ExitStack()
    strange.enter_context(patch.object(opponents, "MODELS", known))
    strange.enter_context(patch.object(planner, "STYLES", np.array([model.style for model in known])))
    strange.enter_context(patch.object(planner, "WEIGHTS", stack_weights(known)))
    return strange


def _no_replanning() -> AbstractContextManager[Any]:
    """The plan of the draft is carried out whatever comes."""
    asked = agent.PlannerAgent._asked
    return patch.object(
        agent.PlannerAgent,
        "_asked",
        lambda self, seen: [] if seen.phase is Phase.ATTACK else asked(self, seen),
    )


def _no_replies() -> AbstractContextManager[Any]:
    """The position is weighed as soon as the own turn is over."""
    begin = planner.Search.__init__

    def alone(self: planner.Search, *arguments: Any) -> None:
        begin(self, *arguments)
        self._replies = 0

    return patch.object(planner.Search, "__init__", alone)


def _no_value() -> AbstractContextManager[Any]:
    """Positions are worth the same whatever they are; games that end count alone."""
    nothing = np.zeros_like(value.shipped())
    return patch.object(value, "shipped", lambda: nothing)


def _no_odds() -> AbstractContextManager[Any]:
    """The larger army is thought to win, by our own policy and by all others'."""

    def rough(rules: Rules) -> Tables:
        exact = tables(rules)
        attackers, defenders = np.indices(exact.chances.shape)
        return exact._replace(chances=np.where(attackers > defenders, 1.0, 0.0))

    both = ExitStack()
    both.enter_context(patch.object(planner, "tables", rough))
    both.enter_context(patch("surefoot.risk.agents.planner.decide", _deciding(rough)))
    return both


def _deciding(rough: Callable[[Rules], Tables]) -> Callable[..., int]:
    def roughly(*arguments: Any) -> int:
        with patch("surefoot.risk.policy.tables", rough):
            return decide(*arguments)

    return roughly


SWITCHES: Mapping[str, Switch] = {
    "whole": ExitStack,
    "plans": _no_plans,
    "gathering": _no_gathering,
    "watching": _no_watching,
    "a model of the rival": _no_model_of_the_rival,
    "replanning": _no_replanning,
    "look-ahead": _no_replies,
    "value": _no_value,
    "odds": _no_odds,
}


def _wins(job: tuple[str, int]) -> NDArray[np.bool_]:
    """Which of ten games against `empire` the planner wins with a part switched off."""
    part, first = job
    specs = [parse(name, "risk") for name in ("planner", "empire")]
    match = Match(load("classic"), Rules.parse(DEALT), len(specs), SEED, True)
    with SWITCHES[part]():
        wins: NDArray[np.bool_] = play_games(match, [spec.make for spec in specs], first, CHUNK).winner == 0
        return wins


def parts() -> dict[str, Any]:
    """Issue 8: each part of the planner switched off, two players, dealt, against `empire`, paired."""
    games = share(GAMES, CHUNK)
    won: dict[str, NDArray[np.bool_]] = {}
    with ProcessPoolExecutor(1) as pool:
        for part in SWITCHES:
            jobs = [(part, first) for first in range(0, games, CHUNK)]
            won[part] = np.concatenate(list(pool.map(_wins, jobs)))
    found = {}
    for part, wins in won.items():
        difference = wins.astype(float) - won["whole"]
        found[part] = {
            "games": games,
            "rate": float(wins.mean()),
            "difference": float(difference.mean()),
            "error": float(STANDARD_ERRORS * difference.std() / np.sqrt(games)),
        }
    return found


PARTS = {"planner-parts": parts}
