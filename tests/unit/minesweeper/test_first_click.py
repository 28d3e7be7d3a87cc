"""Which cell an untouched board is opened at."""

import numpy as np
import pytest

from surefoot.minesweeper import Game, Level, Observation
from surefoot.minesweeper.agents.expert import ExpertAgent
from surefoot.minesweeper.first_click import first_cell, measured
from surefoot.minesweeper.kernels.layout import HIDDEN
from surefoot.minesweeper.optimum import optimum
from surefoot.minesweeper.rules import WINDOWS, FirstClick
from surefoot.spec import parse
from tests.every_layout import play_every_layout


def test_boards_that_were_not_measured_go_by_a_rule() -> None:
    assert first_cell(Level(40, 7, 3), "safe") == (0, 0)
    assert first_cell(Level(40, 7, 3), "any") == (0, 0)
    assert first_cell(Level(40, 7, 3), "opening") == (3, 3)
    assert first_cell(Level(2, 1, 1), "opening") == (0, 0)


@pytest.mark.parametrize("board, rule", [("4x4x5", "safe"), ("5x2x3", "safe"), ("5x4x2", "opening")])
def test_the_table_holds_cells_of_the_optimum(board: str, rule: FirstClick) -> None:
    level = Level.parse(board)
    assert measured()[board, rule] == first_cell(level, rule)
    assert first_cell(level, rule) in optimum(level, rule).best
    assert first_cell(level, rule, table={}) not in optimum(level, rule).best


def test_every_cell_of_the_table_lies_on_its_board() -> None:
    for (board, _), (row, col) in measured().items():
        level = Level.parse(board)
        assert 0 <= row < level.height and 0 <= col < level.width


def test_agents_begin_there_in_both_ways_of_playing() -> None:
    level = Level(4, 4, 4)
    untouched = Observation(np.full((4, 4), HIDDEN, np.int8), 4, WINDOWS)
    assert ExpertAgent().act(untouched).cell == measured()["4x4x4", "safe"]
    table = ExpertAgent.play_games(level, WINDOWS, 5, 0, 20)
    for number, won in enumerate(table.won):
        game, agent = Game(level, WINDOWS, rng=np.random.default_rng([5, number])), ExpertAgent()
        while not game.over:
            game.play(agent.act(game.observation()))
        assert game.complete == won


def test_expert_is_perfect_where_it_begins_well_and_counts_the_rest() -> None:
    level = Level(4, 4, 4)
    assert play_every_layout(parse("expert").make, level, "safe").rate == optimum(level, "safe").value
