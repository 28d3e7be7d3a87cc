"""The agents that look ahead: `expert` and `max`."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from surefoot.arena.playing import Games, play_minesweeper
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.agents.expert import ExpertAgent
from surefoot.minesweeper.agents.max import MaxAgent, QuickAgent, play_out
from surefoot.minesweeper.bulk import GameTable, play_games
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.guess import Candidate
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.rules import preset
from surefoot.minesweeper.sampling import sample_layouts
from surefoot.minesweeper.skill import EXACT
from surefoot.minesweeper.win_probability import win_probability
from surefoot.race import Race
from surefoot.spec import parse

EXPERT = preset("expert")


@pytest.mark.parametrize("agent", [ExpertAgent, ExactAgent])
@pytest.mark.parametrize("name", ["expert", "minai-beginner"])
def test_bulk_games_end_as_action_by_action(agent: type[ExactAgent], name: str) -> None:
    level, rules = preset(name)
    fast = agent.play_games(level, rules, 3, 0, 30)
    slow = play_games(lambda seed: agent(), level, rules, 3, 0, 30)
    for column in GameTable._fields:
        assert getattr(fast, column).tolist() == getattr(slow, column).tolist(), column


def test_games_from_given_layouts_begin_where_they_are_told_to() -> None:
    position = Observation.parse("4x1x1\nHHHH")
    layouts = np.eye(4, dtype=bool).reshape(4, 1, 4)
    won = ExpertAgent.play_layouts(position, layouts, (0, 2))
    assert won.tolist()[2] is False
    assert won.tolist()[1] is True  # 2 shows 1 and the corner behind 1 is the only doubt


def stuck() -> Observation:
    """A position of the expert board in which nothing is proved safe, with too many layouts to list."""
    game = Game(*EXPERT, rng=np.random.default_rng(4))
    agent = ExpertAgent()
    while True:
        action = agent.act(game.observation())
        if agent.guesses > 1 and game.observation().cells.max() > 0:
            return game.observation()
        game.play(action)


def test_no_game_is_won_that_begins_on_a_mine() -> None:
    position = stuck()
    layouts = sample_layouts(position, 40, np.random.default_rng(0))
    row, col = divmod(int(np.flatnonzero(position.cells.ravel() < 0)[0]), position.width)
    won = ExpertAgent.play_layouts(position, layouts, (row, col))
    assert won.any()
    assert not won[layouts[:, row, col]].any()


class Short(ExactAgent):
    """Plays no endgame perfectly, so that games on small boards go on to their end."""

    skill = replace(EXACT, endgame=0)


class ShortQuick(ExactAgent):
    skill = replace(QuickAgent.skill, endgame=0)


@pytest.mark.parametrize("agent", [Short, ShortQuick])
def test_taking_out_luck_changes_no_mean(agent: type[ExactAgent]) -> None:
    """Over all layouts luck is exactly nothing, whatever the network thinks of these positions."""
    position = Observation.parse("5x4x4\nHHHHH\nHH2HH\nHHHHH\nHHHHH")
    rows = []
    for mines in itertools.combinations(range(20), 4):
        layout = np.zeros((4, 5), bool)
        layout.flat[list(mines)] = True
        if not layout[1, 2] and layout[:3, 1:4].sum() == 2:
            rows.append(layout)
    layouts = np.array(rows)
    won = agent.play_layouts(position, layouts, (3, 0))
    worths = agent.weigh_layouts(position, layouts, (3, 0))
    assert worths.sum() == pytest.approx(won.sum(), abs=1e-6)
    assert 0 < won.sum() < len(layouts) and worths.std() < 0.8 * won.std()


def test_games_freed_of_luck_are_worth_as_much_on_average() -> None:
    position = stuck()
    cell = ExpertAgent().act(position).cell
    assert cell is not None
    layouts = sample_layouts(position, 1500, np.random.default_rng(1))
    won = QuickAgent.play_layouts(position, layouts, cell)
    worths = QuickAgent.weigh_layouts(position, layouts, cell)
    assert worths.std() < 0.8 * won.std()
    assert worths.mean() == pytest.approx(won.mean(), abs=4 * (worths - won).std() / math.sqrt(1500))


def test_max_plays_on_under_any_budget() -> None:
    for ms in (0.001, 20.0):
        table = play_games(lambda seed, ms=ms: MaxAgent(ms, seed), *preset("beginner"), 1, 0, 3)  # type: ignore[misc]
        assert (table.end <= 2).all()


@pytest.mark.parametrize("ms", [0, -1.0, math.inf, math.nan])
def test_a_budget_is_positive(ms: float) -> None:
    with pytest.raises(ValueError, match="positive number of milliseconds"):
        MaxAgent(ms)


def test_playing_out_finds_the_better_cell_whatever_was_thought_before() -> None:
    """One cell is a mine in every second layout, the other in none."""
    position = Observation.parse("5x1x1\nHH1HH")
    values = (0.2, 0.7) + (0.0,) * 7
    candidates = [
        Candidate((0, 1), 0.5, 0.5, 0.51, (0.5, 0.0) + (0.0,) * 7, values),
        Candidate((0, 0), 1.0, 1.0, 0.5, (0.5, 0.5) + (0.0,) * 7, values),
    ]
    race, rng = Race([0.51, 0.5], 0.012, 0.0002), np.random.default_rng(0)
    for _ in range(400):
        if race.is_open:
            race.add(play_out(position, candidates, race.running, rng))
    assert not race.is_open
    assert race.leader() == 1


@pytest.mark.parametrize("make", [ExactAgent, ExpertAgent])
def test_agents_may_take_turns_and_others_may_count_between_two_moves(make: type[ExactAgent]) -> None:
    """They share a workspace; what an agent has still to think about must not lie there."""
    level, rules = preset("intermediate")
    games = [Game(level, rules, rng=np.random.default_rng(seed)) for seed in (1, 2, 3)]
    alone = [Game(level, rules, rng=np.random.default_rng(seed)) for seed in (1, 2, 3)]
    agents = [make() for _ in games]
    while not all(game.over for game in games):
        for game, agent in zip(games, agents, strict=True):
            if not game.over:
                game.play(agent.act(game.observation()))
                win_probability(game.observation())
    for game, other in zip(alone, games, strict=True):
        agent = make()
        while not game.over:
            game.play(agent.act(game.observation()))
        assert str(game.observation()) == str(other.observation())


def test_each_of_many_layouts_is_played_from_the_same_knowledge() -> None:
    """The first layout's game must not leave anything behind that the next one begins with."""
    for seed in range(6):
        game = Game(*EXPERT, rng=np.random.default_rng(seed))
        agent, seen = ExactAgent(), []
        while not game.over:
            seen.append(game.observation())
            game.play(agent.act(seen[-1]))
        truth = game.board.mines
        for position in seen[1::3]:
            assert ExactAgent.play_layouts(position, np.stack([truth] * 3)).tolist() == [game.complete] * 3


def test_max_thinks_in_the_arena_too() -> None:
    """It has no compiled games: those would know nothing of its budget."""
    table = play_minesweeper(parse("max:ms=3"), Games(*preset("beginner"), 1, 0, 3))
    assert (table.end <= 2).all()


def test_a_board_of_another_size_is_another_game() -> None:
    agent = ExpertAgent()
    agent.act(Observation.parse("4x2x2\n11HH\nHHHH"))
    assert agent.act(Observation.parse("2x2x1\nHH\nHH")).cell is not None
