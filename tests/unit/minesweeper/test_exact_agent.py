"""The agent `exact`, move by move, by somebody who does not always do as it says."""

from surefoot.minesweeper.actions import Kind, flag, uncover
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.board import Board
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.rules import WINDOWS


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
