import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.compat.minai import as_my_ai, in_process, play_world
from surefoot.errors import FormatError
from surefoot.minesweeper.agents.random import RandomAgent
from surefoot.minesweeper.board import Board
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.formats.minai import World, generate, to_cell, to_tile
from surefoot.minesweeper.rules import Level
from tests.mutate import survivors

MUTANTS = int(os.environ.get("SUREFOOT_MUTANTS", "10000"))


@st.composite
def worlds(draw: st.DrawFn) -> World:
    height, width = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    start = draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))
    mines = np.array(draw(st.lists(st.booleans(), min_size=height * width, max_size=height * width)))
    mines = mines.reshape(height, width)
    mines[max(start[0] - 1, 0) : start[0] + 2, max(start[1] - 1, 0) : start[1] + 2] = False
    return World(Board(mines), start)


@given(worlds())
def test_a_world_reads_back_from_its_text(world: World) -> None:
    text = str(world)
    assert World.parse(text) == world
    assert str(World.parse(text)) == text


@given(st.integers(1, 50), st.data())
def test_tiles_and_cells_are_two_names_of_one_place(height: int, data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, 49))
    x, y = to_tile(cell, height)
    assert 0 <= y < height
    assert to_cell(x, y, height) == cell


@given(st.integers(4, 9), st.integers(4, 9), st.floats(0, 1), st.integers(0, 2**32))
def test_what_is_drawn_is_a_world_of_its_level(height: int, width: int, share: float, seed: int) -> None:
    level = Level(height, width, 1 + int(share * (height * width - 10)))
    world = generate(level, game_rng(seed, 0))
    assert world.board.level == level
    assert World.parse(str(world)) == world


@given(st.integers(0, 2**32))
def test_an_agent_plays_the_same_through_the_shells_eyes(seed: int) -> None:
    world = generate(Level(5, 6, 3), game_rng(seed, 0))
    own = play_world(world, RandomAgent(seed))
    through = play_world(world, in_process(as_my_ai(lambda: RandomAgent(seed))))
    assert through.game.actions == own.game.actions
    assert (through.end, through.solved) == (own.end, own.solved)


@pytest.mark.slow
def test_a_broken_world_is_a_format_error_and_nothing_else() -> None:
    seeds = [
        str(generate(Level(h, w, m), game_rng(0, h))) for h, w, m in ((4, 5, 2), (8, 8, 10), (4, 30, 20))
    ]
    accepted = survivors(World.parse, FormatError, seeds, MUTANTS)
    assert MUTANTS // 100 < accepted < MUTANTS // 2
