"""Random games under random rules: the compiled rules and their plain twin see the same game."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.minesweeper import Action, Game, Level, Record, Rules
from surefoot.minesweeper.actions import Cell
from surefoot.minesweeper.kernels import step
from surefoot.minesweeper.kernels.layout import FIRST_CLICK, HIDDEN
from tests import naive
from tests.strategies import draw_action, play, settings_of_a_game


def play_naively(twin: naive.NaiveGame, action: Action) -> set[Cell] | None:
    try:
        return twin.play(action.kind.name.lower(), action.cell)
    except naive.Refused:
        return None


def same(game: Game, twin: naive.NaiveGame) -> None:
    assert game.observation().cells.tolist() == twin.view()
    assert (game.outcome.name.lower(), game.end.name.lower()) == (twin.status, twin.end)
    assert (game.percept, game.moves) == (twin.percept, twin.moves)
    assert game.complete == twin.complete()


@settings(max_examples=500)
@given(setting=settings_of_a_game(), seed=st.integers(0, 10**6), data=st.data())
def test_game_and_naive_game_agree_action_by_action(
    setting: tuple[Level, Rules], seed: int, data: st.DataObject
) -> None:
    level, rules = setting
    game = Game(level, rules, rng=np.random.default_rng(seed))
    twin = naive.NaiveGame(level, rules, np.random.default_rng(seed).random(1 + level.mines).tolist())
    same(game, twin)
    for _ in range(data.draw(st.integers(1, 25))):
        action = draw_action(data, game)
        before = len(game.actions)
        opened, expected = play(game, action), play_naively(twin, action)
        assert (opened is None) == (expected is None)
        assert len(game.actions) == before + (opened is not None)
        if opened is not None:
            assert set(opened) == expected
            assert len(opened) == len(set(opened))
        same(game, twin)


@given(setting=settings_of_a_game(), seed=st.integers(0, 10**6), data=st.data())
def test_every_game_is_recorded_and_replays_exactly(
    setting: tuple[Level, Rules], seed: int, data: st.DataObject
) -> None:
    level, rules = setting
    game = Game(level, rules, rng=np.random.default_rng(seed))
    for _ in range(data.draw(st.integers(1, 15))):
        play(game, draw_action(data, game))
    try:
        record = Record.of(game)
    except ValueError:
        assert game.observation().hidden.all()
        return
    again = Record.parse(str(record))
    assert again == record
    last = again.game()
    assert last.observation() == game.observation()
    assert (last.outcome, last.end, last.percept, last.moves, last.score) == (
        game.outcome,
        game.end,
        game.percept,
        game.moves,
        game.score,
    )


@st.composite
def a_placement(draw: st.DrawFn) -> tuple[Level, Any, Cell | None]:
    height, width = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    first_click = draw(st.sampled_from(["any", "safe", "opening"]))
    cell = st.tuples(st.integers(0, height - 1), st.integers(0, width - 1))
    start = draw(cell if first_click != "any" else st.none() | cell)
    room = len(naive.allowed_cells(Level(height, width, 0), first_click, start))
    return Level(height, width, draw(st.integers(0, room))), first_click, start


edge_draws = st.sampled_from([0.0, np.nextafter(1.0, 0.0), 0.5]) | st.floats(0, 1, exclude_max=True)


@settings(max_examples=300)
@given(placement=a_placement(), data=st.data())
def test_mines_lie_where_the_plain_twin_lays_them(
    placement: tuple[Level, Any, Cell | None], data: st.DataObject
) -> None:
    level, first_click, start = placement
    uniforms = np.array(data.draw(st.lists(edge_draws, min_size=level.mines, max_size=level.mines)))
    game = Game(level, Rules(first_click="any"), rng=np.random.default_rng(0))
    rules = Rules(first_click=first_click).pack(level)
    mines = np.full(level.cells, 7, np.uint8)  # whatever was there before
    first = -1 if start is None else start[0] * level.width + start[1]
    step.place_mines(uniforms.astype(np.float64), rules[FIRST_CLICK], first, game._header, mines)
    expected = naive.place_mines(uniforms.tolist(), level, first_click, start)
    assert mines.max(initial=0) <= 1
    assert {divmod(int(i), level.width) for i in np.flatnonzero(mines)} == expected
    assert len(expected) == level.mines


@given(setting=settings_of_a_game(side=9), seed=st.integers(0, 10**6), data=st.data())
def test_what_is_open_shows_the_truth_and_what_is_hidden_shows_nothing(
    setting: tuple[Level, Rules], seed: int, data: st.DataObject
) -> None:
    level, rules = setting
    game = Game(level, rules, rng=np.random.default_rng(seed))
    for _ in range(data.draw(st.integers(1, 15))):
        play(game, draw_action(data, game))
    seen = game.observation().cells
    if (seen == HIDDEN).all():
        return
    try:
        board = game.board
    except ValueError:
        assert (seen < 0).all()
        return
    shown = seen >= 0
    assert not (board.mines & shown).any()
    assert (seen[shown] == board.numbers()[shown]).all()
    assert board.mines.sum() == level.mines
