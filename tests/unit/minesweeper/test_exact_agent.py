"""The agent `exact`, move by move, by somebody who does not always do as it says."""

import numpy as np

from surefoot.minesweeper.actions import Kind, flag, uncover
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.board import Board
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.guess import find_dead
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.probability import mine_probabilities
from surefoot.minesweeper.rules import WINDOWS, Level
from surefoot.minesweeper.skill import Skill


def test_it_says_the_same_safe_cells_again_until_they_are_opened() -> None:
    position = Observation.parse("4x2x2\n11HH\nHHHH")
    agent = ExactAgent()
    answers = [agent.act(position) for _ in range(9)]
    assert {answer.kind for answer in answers} == {Kind.UNCOVER}
    assert {answer.cell for answer in answers} == {(0, 2), (1, 2)}
    assert agent.guesses == 0


def test_guesses_that_are_not_played_do_not_disturb_it() -> None:
    game = Game.on(Board.parse("4x2x2\n11HH\nIHHI"), WINDOWS)
    agent = ExactAgent()
    for _ in range(5):
        agent.act(game.observation())
    game.play(flag((1, 0)))
    while not game.over:
        action = agent.act(game.observation())
        if action.kind is Kind.UNFLAG or action.cell != (1, 3):
            game.play(action)
        else:
            game.play(uncover((0, 3)))
    assert game.complete


class _WithoutEndgames(ExactAgent):
    skill = Skill()


def test_dead_cells_wait_until_there_are_no_others() -> None:
    """Opening one tells nothing."""
    guessed = 0
    for number in range(60):
        game = Game(Level(9, 9, 20), WINDOWS, rng=game_rng(5, number))
        agent = _WithoutEndgames()
        while not game.over:
            seen, guesses = game.observation(), agent.guesses
            action = agent.act(seen)
            if agent.guesses > guesses and (seen.cells >= 0).any():
                marginals = mine_probabilities(seen)
                living = set(zip(*np.nonzero((seen.cells < 0) & (marginals < 1)))) - set(find_dead(seen))
                assert action.cell not in find_dead(seen) or not living
                guessed += 1
            game.play(action)
    assert guessed > 50
