"""What the planner makes of the others: by which policy each seems to play, from its starting armies."""

import numpy as np
import pytest

from surefoot.risk import Game, Rules, load
from surefoot.risk.actions import Draft
from surefoot.risk.agents.planner import PlannerAgent
from surefoot.risk.kernels import layout, policies
from surefoot.risk.opponents import MODELS, STARTING, STYLES, Opponents
from surefoot.spec import parse

WATCHED = {"planner:fast": policies.PLANNER, "empire": policies.EMPIRE, "continent": policies.CONTINENT}


def watched(names: list[str], rules: str = "standard", seed: int = 4) -> Opponents:
    """What seat 0 thinks after the starting armies; it plays the first of the agents."""
    agents = [parse(name, "risk").make(0) for name in names]
    game = Game(load("classic"), Rules.parse(rules), len(names), rng=np.random.default_rng(seed))
    beliefs = Opponents()
    while game.phase in STARTING:
        seen = game.observation()
        if seen.seat == 0:
            beliefs.look(seen)
        action = agents[seen.seat].act(seen)
        if seen.seat == 0:
            beliefs.remember(seen, action)
        game.play(action)
    return beliefs


@pytest.mark.parametrize("placement", ["dealt", "claimed"])
@pytest.mark.parametrize("name", WATCHED)
def test_who_plays_by_a_policy_is_known_for_it(name: str, placement: str) -> None:
    chances = watched(["killer", name], f"standard:placement={placement}").chances()[1]
    assert STYLES[chances.argmax()] == WATCHED[name] and chances.max() > 0.45
    assert chances.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["planner:fast", "empire", "continent", "killer"])
def test_the_models_are_the_agents_as_they_are_shipped(name: str) -> None:
    shipped = parse(name, "risk").make(0).policy
    model = next(model for model in MODELS if model.style == shipped.style)
    assert np.array_equal(model.weights, shipped.weights)


def test_everybody_at_the_table_is_watched() -> None:
    beliefs = watched(["killer", "empire", "continent"])
    assert STYLES[beliefs.chances()[1].argmax()] == policies.EMPIRE
    assert STYLES[beliefs.chances()[2].argmax()] == policies.CONTINENT


def test_who_plays_by_none_of_them_may_be_any() -> None:
    assert watched(["killer", "random"]).chances()[1].max() < 0.9


@pytest.mark.parametrize("rules", ["standard:fog=yes", "standard:setup_step=0"])
def test_where_nothing_can_be_seen_all_are_as_likely(rules: str) -> None:
    assert watched(["killer", "random"], rules).chances()[1] == pytest.approx(
        np.full(len(MODELS), 1 / len(MODELS))
    )


def test_others_are_drawn_as_likely_as_they_are_and_oneself_is_the_fast_policy() -> None:
    beliefs = watched(["killer", "empire"])
    drawn = beliefs.draw(2000, 0, np.random.default_rng(1))
    assert drawn.shape == (2000, layout.MAX_SEATS) and not drawn[:, 0].any()
    assert np.bincount(drawn[:, 1], minlength=len(MODELS)) / 2000 == pytest.approx(
        beliefs.chances()[1], abs=0.05
    )


def test_a_change_of_mind_is_told() -> None:
    game = Game(load("classic"), Rules(), 2, rng=np.random.default_rng(4))
    mine, other = (parse(name, "risk").make(0) for name in ("killer", "continent"))
    beliefs, told = Opponents(), []
    while game.phase in STARTING:
        seen = game.observation()
        if seen.seat == 0:
            told.append(beliefs.look(seen))
        action = (mine, other)[seen.seat].act(seen)
        if seen.seat == 0:
            beliefs.remember(seen, action)
        game.play(action)
    assert not told[0] and any(told) and not any(told[-5:])


def test_the_planner_forgets_the_last_game() -> None:
    agent = PlannerAgent(ms=1)
    rules = Rules.parse("standard:setup_step=3")
    for name in ("empire", "continent"):
        other = parse(name, "risk").make(0)
        game = Game(load("classic"), rules, 2, rng=np.random.default_rng(2))
        while game.phase in STARTING:
            seen = game.observation()
            game.play((agent, other)[seen.seat].act(seen))
        agent.act(game.observation(0)) if game.turn == 0 else None
        assert STYLES[agent._others.chances()[1].argmax()] == WATCHED[name]


def test_the_planner_gathers_where_it_has_begun_to() -> None:
    """A thought goes on from what the last one found, so that few armies stand astray."""
    agent, other = PlannerAgent(ms=30, seed=1), parse("continent", "risk").make(0)
    game = Game(load("classic"), Rules(), 2, rng=np.random.default_rng(3))
    placed: dict[int, int] = {}
    while game.phase in STARTING:
        seen = game.observation()
        action = (agent, other)[seen.seat].act(seen)
        if seen.seat == 0:
            assert isinstance(action, Draft)
            placed[action.territory] = placed.get(action.territory, 0) + 1
        game.play(action)
    assert sum(placed.values()) == 19 and max(placed.values()) >= 6
