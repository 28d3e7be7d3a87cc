"""The chance to win is the share of games that an agent wins, whichever way they are played."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from surefoot.errors import Contradiction, RulesError
from surefoot.minesweeper import Board, Game, Observation, Outcome, Rules, preset
from surefoot.minesweeper import win_chance as module
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.agents.expert import ExpertAgent
from surefoot.minesweeper.rules import CS50, MINAI, WINDOWS
from surefoot.minesweeper.sampling import sample_layouts
from surefoot.minesweeper.win_chance import win_chance
from tests import naive

ONE = "4x4x3\nHHHH\nH11H\nH11H\nHHHH"
TWO = "7x2x3\n1HHHHH1\nHHHHHHH"
RULES = {
    "windows": WINDOWS,
    "minai": MINAI,
    "cs50": CS50,
    "flags": replace(WINDOWS, goal="flags"),
    "flags under a cap": replace(MINAI, goal="flags"),
    "never over": replace(WINDOWS, ends_when_won=False),
    "few moves": replace(MINAI, ends_when_won=True),
}


def won_by_action(
    position: Observation, mines: NDArray[np.bool_], player: type[ExactAgent] = ExactAgent
) -> bool:
    """Whether the agent wins on this layout, played action by action."""
    game, agent = Game.on(Board(mines, position.cells), position.rules), player()
    while not game.over:
        seen = Observation(game.observation().cells, position.mines, position.rules)
        action = agent.act(seen)
        if action.cell is None and not position.rules.may_leave:
            break
        game.play(action)
    return game.outcome is Outcome.WON


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("text", [ONE, TWO, TWO.replace("x3", "x?", 1), "5x3x3\nHHHHH\nH2H1H\nHHHHH"])
def test_games_on_layouts_end_as_if_played_action_by_action(rules: str, text: str) -> None:
    position = Observation.parse(text, RULES[rules])
    layouts = sample_layouts(position, 60, np.random.default_rng(7))
    won = ExactAgent.play_layouts(position, layouts)
    assert won.tolist() == [won_by_action(position, layout) for layout in layouts]


@pytest.mark.parametrize("player", [ExactAgent, ExpertAgent])
def test_large_games_end_alike_too(player: type[ExactAgent]) -> None:
    level, rules = preset("expert")
    game, agent = Game(level, rules, rng=np.random.default_rng(5)), ExactAgent()
    for _ in range(60):
        game.play(agent.act(game.observation()))
    position = game.observation()
    layouts = sample_layouts(position, 25, np.random.default_rng(7))
    won = player.play_layouts(position, layouts)
    assert won.tolist() == [won_by_action(position, layout, player) for layout in layouts]
    assert 0 < won.sum() < 25


@pytest.mark.parametrize("text", [ONE, TWO, "4x3x?\nHHHH\nH2HH\nHHHH", "5x2x3\nHHHHH\nH1HHH"])
def test_the_chance_is_the_share_of_all_layouts_on_which_it_is_won(text: str) -> None:
    position = Observation.parse(text)
    won = []
    for layout in naive.consistent_layouts(position.cells.tolist(), position.mines):
        mines = np.zeros(position.cells.shape, np.bool_)
        for cell in layout:
            mines[cell] = True
        won.append(won_by_action(position, mines))
    chance = sum(won) / len(won)
    assert 0 < chance < 1
    found = win_chance(position, 4000, seed=1, player=ExactAgent)
    assert abs(found.value - chance) < 4.5 * (chance * (1 - chance) / 4000) ** 0.5
    assert found.playouts == 4000
    # The interval is of 95 %: twice 1.96 times the standard error wide, or nearly so.
    assert found.error == pytest.approx(1.96 * (chance * (1 - chance) / 4000) ** 0.5, rel=0.1)


def test_a_coin_is_a_coin() -> None:
    found = win_chance(Observation.parse("2x2x1\nH1\nH1"), 2000)
    assert abs(found.value - 0.5) < 2.5 * found.error
    assert found.error == pytest.approx(0.022, abs=0.001)


@pytest.mark.parametrize("rules", ["windows", "minai", "cs50", "flags"])
@pytest.mark.parametrize("text", ["3x1x1\n01H", "3x1x0\n000", "4x1x1\n01FH"])
def test_what_is_won_or_proved_is_certain(rules: str, text: str) -> None:
    found = win_chance(Observation.parse(text, RULES[rules]), 50)
    assert (found.value, found.error, found.playouts) == (1.0, 0.0, 1)


def test_flags_are_taken_off_beforehand() -> None:
    flagged = ONE.replace("HHHH\nH11H", "FHFH\nF11H")
    assert win_chance(Observation.parse(flagged), 500) == win_chance(Observation.parse(ONE), 500)


def test_the_same_seed_gives_the_same_answer_in_any_number_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Observation.parse(TWO)
    found = win_chance(position, 700, seed=3)
    assert found == win_chance(position, 700, seed=3)
    assert found.value not in {win_chance(position, 700, seed=seed).value for seed in (4, 5)}
    monkeypatch.setattr(module, "_CELLS_AT_ONCE", 1000)
    assert found == win_chance(position, 700, seed=3)


def test_where_nothing_is_open_the_first_click_keeps_its_promise() -> None:
    for name in ("beginner", "minai-beginner"):
        level, rules = preset(name)
        blank = Observation(np.full((level.height, level.width), -1, np.int8), level.mines, rules)
        found = win_chance(blank, 300, seed=4)
        assert found.value == ExpertAgent.play_games(level, rules, 4, 0, 300).won.mean()
    # Three cells, two mines: whichever is opened first, the game is won.
    assert win_chance(Observation.parse("3x1x2\nHHH"), 200).value == 1.0
    unsafe = win_chance(Observation.parse("3x1x2\nHHH", Rules(first_click="any")), 2000)
    assert abs(unsafe.value - 1 / 3) < 2.5 * unsafe.error


def test_what_cannot_be_played_out_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one play-out, not 0"):
        win_chance(Observation.parse(ONE), 0)
    with pytest.raises(ValueError, match="nothing is open and the mine count is not told"):
        win_chance(Observation.parse("2x2x?\nHH\nHH"))
    with pytest.raises(RulesError, match="leaves room for 3 mines"):
        win_chance(Observation.parse("2x2x4\nHH\nHH"))
    with pytest.raises(Contradiction):
        win_chance(Observation.parse("3x1x1\nH2H"))
