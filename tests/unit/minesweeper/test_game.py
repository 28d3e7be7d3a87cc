"""Every switch of the table of rule sets, on the presets it belongs to, and the edges of the game."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from surefoot.errors import IllegalAction, RulesError
from surefoot.minesweeper import (
    LEAVE,
    PRESETS,
    Board,
    Cell,
    End,
    Game,
    Level,
    Observation,
    Outcome,
    Rules,
    chord,
    flag,
    preset,
    uncover,
    unflag,
)
from tests import naive

MINAI = ["minai-easy", "minai-beginner", "minai-intermediate", "minai-expert"]
WINDOWS = ["beginner", "intermediate", "expert"]
minai = pytest.mark.parametrize("name", MINAI)
windows = pytest.mark.parametrize("name", WINDOWS)
every = pytest.mark.parametrize("name", PRESETS)
RUNNING, WON, LOST = Outcome.RUNNING, Outcome.WON, Outcome.LOST

# Two mines on the left; then a column of numbers, and two of zeros.
SMALL = "4x3x2\nIHHH\nHHHH\nIHHH"


def on(text: str, rules: Rules | str, start: Cell | None = None) -> Game:
    return Game.on(Board.parse(text), preset(rules).rules if isinstance(rules, str) else rules, start)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def open_all(game: Game) -> None:
    for row, col in np.argwhere(~game.board.mines):
        if not game.over and game.observation().cells[row, col] < 0:
            game.play(uncover((int(row), int(col))))


# --- the start --------------------------------------------------------------------------------------------


@minai
def test_minai_starts_with_one_open_zero_that_is_not_a_move(name: str) -> None:
    for seed in range(20):
        game = Game(*preset(name), rng=rng(seed))
        opened = np.argwhere(game.observation().cells >= 0).tolist()
        assert game.start is not None
        assert opened == [list(game.start)]
        assert (game.percept, game.moves) == (0, 0)
        assert game.board.numbers()[game.start] == 0


def test_minai_start_is_uniform_over_the_board() -> None:
    level, rules = preset("minai-easy")
    starts = Counter(Game(level, rules, rng=rng(seed)).start for seed in range(2500))
    assert len(starts) == level.cells
    assert chisquare(list(starts.values())).pvalue > 1e-3


@pytest.mark.parametrize("name", ["cs50", *WINDOWS])
def test_elsewhere_nothing_is_open_at_the_start(name: str) -> None:
    game = Game(*preset(name), rng=rng())
    assert game.start is None
    assert game.observation().hidden.all()
    assert game.percept == -1


def test_start_given_opens_that_cell() -> None:
    rules = replace(preset("minai-easy").rules, start=(4, 0))
    game = Game(Level(5, 5, 3), rules, rng=rng())
    assert game.start == (4, 0)
    assert np.argwhere(game.observation().cells >= 0).tolist() == [[4, 0]]


def test_a_start_floods_where_zeros_do() -> None:
    game = on(SMALL, "beginner", start=(0, 3))
    assert (game.observation().cells >= 0).sum() == 9
    assert game.moves == 0


def test_a_start_on_a_mine_loses_before_the_first_move() -> None:
    game = on(SMALL, "cs50", start=(0, 0))
    assert (game.outcome, game.end, game.moves) == (LOST, End.EXPLODED, 0)


def test_a_start_that_is_open_already_opens_nothing() -> None:
    game = on("3x1x1\nIH0", "beginner", start=(0, 2))
    assert game.percept == 0
    assert game.outcome is RUNNING
    game.play(uncover((0, 1)))
    assert game.outcome is WON


@pytest.mark.parametrize("start", [(-1, 0), (0, 4), (3, 0)])
def test_a_start_off_the_board_is_refused(start: Cell) -> None:
    with pytest.raises(RulesError, match=f"start {start[0]},{start[1]} is not on a 4x3 board"):
        on(SMALL, "cs50", start=start)


# --- the first click --------------------------------------------------------------------------------------


@windows
def test_windows_first_click_is_never_a_mine(name: str) -> None:
    level, rules = preset(name)
    for seed in range(40):
        game = Game(level, rules, rng=rng(seed))
        assert game.play(uncover((0, seed % level.width)))
        assert game.outcome is RUNNING


@windows
def test_windows_opening_shows_a_zero_first(name: str) -> None:
    level, rules = preset(name)
    for seed in range(40):
        game = Game(level, replace(rules, first_click="opening"), rng=rng(seed))
        assert len(game.play(uncover((seed % level.height, 0)))) >= 4
        assert game.observation().cells[seed % level.height, 0] == 0


def test_cs50_first_click_may_be_a_mine() -> None:
    level, rules = preset("cs50")
    lost = 0
    for seed in range(400):
        game = Game(level, rules, rng=rng(seed))
        game.play(uncover((3, 3)))
        lost += game.outcome is LOST
    assert 25 <= lost <= 75  # 400/8 expected, ±3.8 standard deviations


@pytest.mark.parametrize("first_click", ["any", "safe", "opening"])
@pytest.mark.parametrize("first", [(0, 0), (1, 1), (2, 3)])
def test_layouts_are_uniform_over_those_the_first_click_allows(first_click: Any, first: Cell) -> None:
    level = Level(3, 4, 2)
    rules = Rules(first_click=first_click)
    layouts = naive.allowed_layouts(level, first_click, first)
    seen: Counter[naive.Layout] = Counter()
    for seed in range(30 * len(layouts)):
        game = Game(level, rules, rng=rng(seed))
        game.play(uncover(first))
        seen[frozenset((int(r), int(c)) for r, c in np.argwhere(game.board.mines))] += 1
    assert set(seen) <= set(layouts)
    assert chisquare([seen[layout] for layout in layouts]).pvalue > 1e-3


def test_where_the_first_click_makes_no_difference_the_mines_are_there_from_the_start() -> None:
    level, rules = preset("cs50")
    mines = Game(level, rules, rng=rng(5)).board.mines
    game = Game(level, rules, rng=rng(5))
    game.play(uncover((2, 6)))
    assert (game.board.mines == mines).all()


def test_elsewhere_there_is_no_board_before_the_first_click() -> None:
    game = Game(*preset("beginner"), rng=rng())
    game.play(flag((0, 0)))
    with pytest.raises(ValueError, match="laid out when the first cell is opened"):
        _ = game.board


def test_clicking_a_protected_flag_is_not_the_first_click() -> None:
    level, rules = Level(1, 2, 1), Rules(first_click="safe")
    game = Game(level, rules, rng=rng())
    game.play(flag((0, 0)))
    game.play(uncover((0, 0)))
    game.play(uncover((0, 1)))
    assert game.outcome is WON
    assert game.board.mines.tolist() == [[True, False]]


@pytest.mark.parametrize(
    ("level", "rules"),
    [
        (Level(2, 2, 4), preset("beginner").rules),
        (Level(3, 3, 1), preset("minai-easy").rules),
        (Level(5, 5, 17), replace(preset("expert").rules, first_click="opening")),
    ],
)
def test_a_board_without_room_for_the_first_click_is_refused_by_name(level: Level, rules: Rules) -> None:
    with pytest.raises(RulesError, match=f"first_click={rules.first_click} leaves room for"):
        Game(level, rules, rng=rng())


# --- opening ----------------------------------------------------------------------------------------------


@windows
def test_windows_a_zero_opens_its_neighbours(name: str) -> None:
    game = on(SMALL, name)
    assert set(game.play(uncover((1, 3)))) == {(r, c) for r in range(3) for c in (1, 2, 3)}


@pytest.mark.parametrize("name", [*MINAI, "cs50"])
def test_elsewhere_a_zero_opens_alone(name: str) -> None:
    game = on(SMALL, name)
    assert game.play(uncover((1, 3))) == [(1, 3)]
    assert game.percept == 0


def test_flood_takes_a_board_of_500x500_at_once() -> None:
    mines = np.zeros((500, 500), np.bool_)
    mines[0, 0] = True
    game = Game.on(Board(mines), preset("beginner").rules)
    opened = game.play(uncover((499, 499)))
    assert len(opened) == len(set(opened)) == 500 * 500 - 1
    assert game.outcome is WON


def test_flood_goes_round_a_flag_that_protects_and_over_one_that_does_not() -> None:
    for protect, left in ((True, 1), (False, 0)):
        game = on("5x1x0\nHHOHH", Rules(flags_protect=protect))
        game.play(uncover((0, 0)))
        assert game.observation().hidden.sum() == (3 if left else 0)
    assert str(game.observation()) == "5x1x0\n00000"


@minai
def test_minai_uncovering_an_open_tile_tells_its_number_again_and_costs_a_move(name: str) -> None:
    game = on(SMALL, name)
    game.play(uncover((1, 1)))
    game.play(flag((0, 0)))
    assert game.percept == -1
    assert game.play(uncover((1, 1))) == []
    assert (game.percept, game.moves) == (2, 3)


@pytest.mark.parametrize("name", ["cs50", *WINDOWS])
def test_elsewhere_uncovering_an_open_cell_is_ignored(name: str) -> None:
    game = on(SMALL, name)
    game.play(uncover((1, 1)))
    before = (game.observation(), game.percept, game.moves)
    assert game.play(uncover((1, 1))) == []
    assert (game.observation(), game.percept, game.moves) == before


@every
def test_opening_a_mine_loses(name: str) -> None:
    game = on(SMALL, name)
    game.play(uncover((1, 1)))
    assert game.play(uncover((0, 0))) == []
    assert (game.outcome, game.end, game.score) == (LOST, End.EXPLODED, 0)
    assert game.percept == -1


# --- flags ------------------------------------------------------------------------------------------------


@minai
def test_minai_allows_as_many_flags_as_mines(name: str) -> None:
    game = on(SMALL, name)
    for cell in ((0, 1), (0, 2), (0, 3)):
        game.play(flag(cell))
    assert str(game.observation()).count("F") == 2
    assert (game.percept, game.moves) == (-1, 3)
    game.play(unflag((0, 1)))
    game.play(flag((0, 3)))
    assert str(game.observation()) == "4x3x2\nHHFF\nHHHH\nHHHH"


@pytest.mark.parametrize("name", ["cs50", *WINDOWS])
def test_elsewhere_flags_are_unlimited(name: str) -> None:
    game = on(SMALL, name)
    for col in range(1, 4):
        game.play(flag((1, col)))
    assert str(game.observation()).count("F") == 3


@windows
def test_windows_flags_protect_from_a_click(name: str) -> None:
    game = on(SMALL, name)
    for cell in ((0, 0), (1, 1)):
        game.play(flag(cell))
        assert game.play(uncover(cell)) == []
    assert game.outcome is RUNNING
    assert str(game.observation()).count("F") == 2


@pytest.mark.parametrize("name", [*MINAI, "cs50"])
def test_elsewhere_flags_do_not_protect(name: str) -> None:
    game = on(SMALL, name)
    game.play(flag((1, 1)))
    assert game.play(uncover((1, 1))) == [(1, 1)]
    assert "F" not in str(game.observation())
    game.play(flag((0, 0)))
    game.play(uncover((0, 0)))
    assert game.outcome is LOST


@every
def test_flag_and_unflag_answer_minus_one_also_when_they_do_nothing(name: str) -> None:
    game = on(SMALL, name)
    game.play(uncover((1, 1)))
    before = game.observation()
    for action in (flag((1, 1)), unflag((1, 1)), unflag((1, 2)), flag((1, 2)), flag((1, 2))):
        assert game.play(action) == []
        assert game.percept == -1
    game.play(unflag((1, 2)))
    assert game.observation() == before


# --- chords -----------------------------------------------------------------------------------------------


@windows
def test_windows_a_chord_opens_the_other_neighbours(name: str) -> None:
    game = on(SMALL, name)
    game.play(uncover((1, 1)))
    game.play(flag((0, 0)))
    assert game.play(chord((1, 1))) == []
    game.play(flag((2, 0)))
    opened = game.play(chord((1, 1)))
    assert set(opened) == {(r, c) for r in range(3) for c in range(1, 4)} - {(1, 1)} | {(1, 0)}
    assert game.outcome is WON


@windows
def test_windows_a_chord_on_wrong_flags_loses(name: str) -> None:
    game = on(SMALL, name)
    game.play(uncover((1, 1)))
    game.play(flag((0, 1)))
    game.play(flag((2, 0)))
    game.play(chord((1, 1)))
    assert (game.outcome, game.end) == (LOST, End.EXPLODED)


@windows
def test_windows_a_chord_needs_an_open_number(name: str) -> None:
    game = on(SMALL, name)
    game.play(uncover((1, 1)))
    before = (game.observation(), game.percept, game.moves)
    for cell in ((0, 0), (0, 1)):
        with pytest.raises(IllegalAction, match="a chord needs an open number"):
            game.play(chord(cell))
    assert (game.observation(), game.percept, game.moves) == before


@pytest.mark.parametrize("name", [*MINAI, "cs50"])
def test_elsewhere_there_are_no_chords(name: str) -> None:
    game = on(SMALL, name)
    game.play(uncover((1, 1)))
    with pytest.raises(IllegalAction, match="chord 1,1: these rules know no chords"):
        game.play(chord((1, 1)))
    assert (game.percept, game.moves, len(game.actions)) == (2, 1, 1)


# --- the end ----------------------------------------------------------------------------------------------


@minai
def test_minai_leaving_when_every_safe_tile_is_open_wins(name: str) -> None:
    game = Game(*preset(name), rng=rng())
    open_all(game)
    assert game.complete
    assert game.outcome is RUNNING
    game.play(LEAVE)
    assert (game.outcome, game.end) == (WON, End.LEFT)
    assert game.score == {"minai-intermediate": 2, "minai-expert": 3}.get(name, 1)


@minai
def test_minai_leaving_before_that_scores_nothing(name: str) -> None:
    game = Game(*preset(name), rng=rng())
    game.play(LEAVE)
    assert (game.outcome, game.end, game.score, game.moves) == (LOST, End.LEFT, 0, 0)


@pytest.mark.parametrize("name", ["cs50", *WINDOWS])
def test_elsewhere_nobody_leaves(name: str) -> None:
    game = on(SMALL, name)
    with pytest.raises(IllegalAction, match="leave: these rules do not let a player leave"):
        game.play(LEAVE)
    assert game.outcome is RUNNING


@windows
def test_windows_is_won_at_once_when_every_safe_cell_is_open(name: str) -> None:
    game = Game(*preset(name), rng=rng())
    game.play(uncover((0, 0)))
    open_all(game)
    assert (game.outcome, game.end, game.score) == (WON, End.COMPLETED, 1)


def test_cs50_is_won_when_flags_equal_mines() -> None:
    game = on(SMALL, "cs50")
    for cell in ((0, 0), (1, 1), (2, 0)):
        assert game.outcome is RUNNING
        game.play(flag(cell))
    assert game.outcome is RUNNING  # one flag too many
    game.play(unflag((1, 1)))
    assert (game.outcome, game.end, game.score) == (WON, End.COMPLETED, 1)


def test_cs50_is_not_won_by_opening() -> None:
    game = on(SMALL, "cs50")
    open_all(game)
    assert not game.complete
    assert game.outcome is RUNNING


def test_flags_put_before_the_first_click_count_once_the_mines_are_there() -> None:
    level, rules = Level(1, 2, 1), Rules(goal="flags", first_click="safe", flood=False)
    game = Game(level, rules, rng=rng())
    game.play(flag((0, 0)))
    assert game.outcome is RUNNING
    game.play(uncover((0, 1)))
    assert game.outcome is WON


def test_cs50_can_be_won_without_opening_anything() -> None:
    game = Game(*preset("cs50"), rng=rng())
    for row, col in np.argwhere(game.board.mines):
        game.play(flag((int(row), int(col))))
    assert game.outcome is WON


@minai
def test_minai_ends_at_the_move_limit(name: str) -> None:
    level, rules = preset(name)
    for finish, outcome in ((False, LOST), (True, WON)):
        game = Game(level, rules, rng=rng())
        assert game.start is not None
        if finish:
            open_all(game)
        while game.moves < 2 * level.height * level.width:
            game.play(uncover(game.start))
        assert game.outcome is RUNNING
        game.play(uncover(game.start))
        assert (game.outcome, game.end) == (outcome, End.MOVE_LIMIT)


@every
def test_illegal_moves_change_nothing_and_are_not_counted(name: str) -> None:
    game = on(SMALL, name)
    game.play(uncover((1, 1)))
    before = (game.observation(), game.percept, game.moves, list(game.actions))
    for cell in ((-1, 0), (0, -1), (3, 0), (0, 4), (10**12, 0)):
        for make in (uncover, flag, unflag, chord):
            with pytest.raises(IllegalAction, match=rf"{cell[0]},{cell[1]}: there is no such cell"):
                game.play(make(cell))
    assert (game.observation(), game.percept, game.moves, list(game.actions)) == before


@every
def test_nothing_is_legal_after_the_end(name: str) -> None:
    game = on(SMALL, name)
    game.play(uncover((0, 0)))
    for action in (uncover((1, 1)), flag((1, 1)), unflag((1, 1)), chord((1, 1)), LEAVE):
        with pytest.raises(IllegalAction, match="the game is over"):
            game.play(action)
    assert game.moves == 1


# --- what the player is told ------------------------------------------------------------------------------


@every
def test_the_mine_count_is_told_except_in_cs50(name: str) -> None:
    level, rules = preset(name)
    seen = Game(level, rules, rng=rng()).observation()
    assert seen.mines == (None if name == "cs50" else level.mines)
    assert seen.rules == rules


def test_an_observation_stays_as_it_was() -> None:
    game = on(SMALL, "beginner")
    before = game.observation()
    game.play(uncover((1, 1)))
    assert before == Observation.parse("4x3x2\nHHHH\nHHHH\nHHHH")


# --- the edges --------------------------------------------------------------------------------------------


def test_1x1_without_a_mine_is_won_by_one_click() -> None:
    game = Game(Level(1, 1, 0), preset("beginner").rules, rng=rng())
    assert game.outcome is RUNNING
    assert game.play(uncover((0, 0))) == [(0, 0)]
    assert game.outcome is WON


def test_1x1_in_minai_is_complete_at_the_start_and_judged_at_the_end() -> None:
    game = Game(Level(1, 1, 0), preset("minai-easy").rules, rng=rng())
    assert game.complete
    assert game.outcome is RUNNING
    game.play(LEAVE)
    assert game.outcome is WON


@pytest.mark.parametrize("start", ["agent", "random", (0, 0)])
@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 4)])
def test_a_board_of_mines_alone_is_won_at_the_start(start: Any, height: int, width: int) -> None:
    level = Level(height, width, height * width)
    game = Game(level, Rules(first_click="any", start=start), rng=rng())
    assert (game.outcome, game.end) == (WON, End.COMPLETED)
    assert game.observation().hidden.all()


@pytest.mark.parametrize("first_click", ["any", "safe"])
def test_a_flags_win_board_without_mines_is_won_at_the_start(first_click: Any) -> None:
    rules = replace(preset("cs50").rules, first_click=first_click)
    game = Game(Level(3, 3, 0), rules, rng=rng())
    assert (game.outcome, game.end) == (WON, End.COMPLETED)
    assert not game.board.mines.any()


def test_a_board_without_mines_opens_whole() -> None:
    game = Game(Level(4, 6, 0), preset("beginner").rules, rng=rng())
    assert len(game.play(uncover((2, 2)))) == 24
    assert game.outcome is WON


def test_a_game_may_begin_on_a_board_that_is_partly_open_and_flagged() -> None:
    game = on("4x3x2\nFHHH\nH2HH\nIHOH", "cs50")
    game.play(flag((2, 0)))
    assert game.outcome is RUNNING
    game.play(unflag((2, 2)))
    assert game.outcome is WON
    game = on("4x3x2\nFHHH\nH2HH\nIHOH", "beginner")
    game.play(unflag((2, 2)))
    game.play(uncover((2, 3)))
    game.play(uncover((1, 0)))
    assert game.outcome is WON


@every
def test_the_same_generator_gives_the_same_game(name: str) -> None:
    one, other = (Game(*preset(name), rng=rng(9)) for _ in range(2))
    for game in (one, other):
        if game.start is None:
            game.play(uncover((0, 0)))
    assert (one.board, one.start) == (other.board, other.start)
    third = Game(*preset(name), rng=rng(10))
    if third.start is None:
        third.play(uncover((0, 0)))
    assert third.board != one.board
