"""The agent `perfect` wins what can be won."""

from dataclasses import replace

import numpy as np
import pytest

from surefoot.arena.minesweeper import evaluate
from surefoot.errors import RulesError, TooComplex
from surefoot.minesweeper import Board, Game, Level, Observation, Rules, preset
from surefoot.minesweeper.actions import LEAVE, Kind, uncover, unflag
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.agents.perfect import PerfectAgent
from surefoot.minesweeper.optimum import optimum
from surefoot.minesweeper.rules import CS50, WINDOWS, FirstClick
from surefoot.spec import parse
from tests.every_layout import play_every_layout


@pytest.mark.parametrize("click", ["safe", "opening"])
@pytest.mark.parametrize("mines", [2, 3])
def test_it_wins_the_optimum_of_all_layouts(mines: int, click: FirstClick) -> None:
    level = Level(4, 4, mines)
    found = play_every_layout(lambda seed: PerfectAgent(), level, click)
    assert found.rate == optimum(level, click).value
    assert play_every_layout(lambda seed: ExactAgent(), level, click).rate <= found.rate


def test_it_plays_any_board_whose_guesses_it_can_solve() -> None:
    """Nothing has to be guessed on most boards of one mine, however many layouts there were."""
    easy = evaluate(parse("perfect"), *preset("minai-easy"), games=20, seed=1)
    assert easy.won == 20 and easy.ends == {"left": 20}
    quiet = evaluate(parse("perfect"), Level(30, 30, 1), Rules(start=(0, 0)), games=5, seed=1)
    assert quiet.won == 5


def test_it_refuses_what_it_cannot_solve() -> None:
    expert = Game(*preset("expert"), rng=np.random.default_rng(0))
    with pytest.raises(TooComplex, match=r"99 mines lie in 479 cells in some 10\^\d+ ways"):
        PerfectAgent().act(expert.observation())
    with pytest.raises(TooComplex, match="2 layouts agree"):
        PerfectAgent(layouts=1).act(Observation.parse("3x1x1\nH1H"))
    with pytest.raises(RulesError, match="not by flags"):
        PerfectAgent().act(Observation(np.full((8, 8), -1, np.int8), 8, CS50))


def test_it_leaves_when_all_is_open_and_takes_flags_away() -> None:
    assert PerfectAgent().act(Observation.parse("2x1x1\n1H")) == LEAVE
    position = Observation.parse("3x1x1\n1HF")
    assert PerfectAgent().act(position) == unflag((0, 2))
    free = replace(position, rules=replace(WINDOWS, flags_protect=False))
    assert PerfectAgent().act(free) == uncover((0, 2))


def test_it_counts_its_guesses_and_finds_its_way_on_another_board() -> None:
    agent = PerfectAgent()
    game = Game.on(Board.parse("3x1x1\nI1H"), WINDOWS)
    assert agent.act(game.observation()).kind is Kind.UNCOVER
    assert agent.guesses == 1
    assert agent.act(Observation.parse("3x1x1\n1HH")) == uncover((0, 2))
    assert agent.guesses == 1
