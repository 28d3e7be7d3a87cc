import numpy as np
import pytest

from surefoot.minesweeper.actions import LEAVE, Action, flag, uncover, unflag
from surefoot.minesweeper.agents.sentence import SentenceAgent
from surefoot.minesweeper.board import Board
from surefoot.minesweeper.game import End, Game, Outcome
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.rules import CS50, MINAI, PRESETS, WINDOWS, Level


def play(game: Game, agent: SentenceAgent) -> None:
    """Play to the end, checking that only a guess ever opens a mine and that every move does something."""
    while not game.over:
        before, guesses = game.observation(), agent.guesses
        action = agent.act(before)
        game.play(action)
        if action == LEAVE:
            assert game.over
        else:
            assert game.end is End.EXPLODED or game.observation() != before
        if game.end is End.EXPLODED:
            assert agent.guesses == guesses + 1


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_played_to_its_end(name: str) -> None:
    level, rules = PRESETS[name]
    for seed in range(6):
        game = Game(level, rules, rng=np.random.default_rng([5, seed]))
        agent = SentenceAgent(seed)
        play(game, agent)
        mines = {(row, col) for row, col in np.argwhere(game.board.mines).tolist()}
        assert agent.knowledge.mines <= mines
        assert not agent.knowledge.safes & mines


def test_a_game_that_needs_no_guess_is_won_without_one() -> None:
    board = Board.parse("5x5x2\nHHHHH\nHHHHH\nHHHHH\nHHHHH\nIHHHI")
    for rules, end in ((WINDOWS, End.COMPLETED), (MINAI, End.LEFT), (CS50, End.COMPLETED)):
        game, agent = Game.on(board, rules, start=(0, 0)), SentenceAgent()
        play(game, agent)
        assert (game.outcome, game.end, agent.guesses) == (Outcome.WON, end, 0)


def test_the_same_seed_plays_the_same_game() -> None:
    level, rules = PRESETS["cs50"]

    def actions(seed: int) -> list[Action]:
        game = Game(level, rules, rng=np.random.default_rng(3))
        play(game, SentenceAgent(seed))
        return game.actions

    assert actions(1) == actions(1)
    assert len({str(actions(seed)) for seed in range(5)}) > 1


def test_guesses_are_counted_and_spare_known_mines() -> None:
    # The 2 makes mines of its two neighbours; three hidden cells beyond are left to chance.
    observation = Observation.parse("6x1x?\nH2HHHH")
    opened = set()
    for seed in range(40):
        agent = SentenceAgent(seed)
        opened.add(agent.act(observation))
        assert agent.guesses == 1
    assert opened == {uncover((0, col)) for col in (3, 4, 5)}


def test_it_leaves_when_only_mines_are_hidden() -> None:
    assert SentenceAgent().act(Observation.parse("3x1x2\nH2H", MINAI)) == LEAVE


def test_flags_win_where_flags_count() -> None:
    agent = SentenceAgent()
    assert agent.act(Observation.parse("3x1x?\nH2H", CS50)) == flag((0, 0))
    assert agent.act(Observation.parse("3x1x?\nF2H", CS50)) == flag((0, 2))


def test_flags_of_another_hand_are_put_right() -> None:
    assert SentenceAgent().act(Observation.parse("4x1x?\n1HFH", CS50)) == unflag((0, 2))
    # A flag that protects is taken off before its safe cell is opened; one that does not is no matter.
    assert SentenceAgent().act(Observation.parse("2x1x0\n0F", WINDOWS)) == unflag((0, 1))
    assert SentenceAgent().act(Observation.parse("2x1x0\n0F", MINAI)) == uncover((0, 1))


def test_a_position_taken_back_is_learned_afresh() -> None:
    agent = SentenceAgent()
    assert agent.act(Observation.parse("3x1x?\n0HH")) == uncover((0, 1))
    assert agent.act(Observation.parse("3x1x?\nHH0")) == uncover((0, 1))
    assert agent.knowledge.safes == {(0, 1), (0, 2)}


def test_large_and_tiny_boards() -> None:
    for level in (Level(1, 1, 0), Level(1, 2, 1), Level(60, 70, 500)):
        play(Game(level, WINDOWS, rng=np.random.default_rng(0)), SentenceAgent())
