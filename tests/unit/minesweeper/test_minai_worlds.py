from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from surefoot.errors import FormatError, RulesError
from surefoot.minesweeper.board import Board
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.formats.minai import World, generate, looks_like_world, parse_level, write_worlds
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.rules import PRESETS, Level, preset

DOCUMENT = "4 5\n1 1\n0 0 0 0 1 \n0 0 0 0 1 \n0 0 0 0 0 \n0 0 0 0 0 \n"


def test_the_documents_world_reads_and_writes_to_the_letter() -> None:
    world = World.parse(DOCUMENT)
    assert world.start == (3, 0), "1 1 is the bottom left"
    assert [tuple(cell) for cell in np.argwhere(world.board.mines)] == [(0, 4), (1, 4)]
    assert str(world) == DOCUMENT


@pytest.mark.parametrize(
    "text",
    [
        DOCUMENT.replace(" \n", "\n"),
        DOCUMENT.replace("\n", "\r\n"),
        DOCUMENT.rstrip(),
        DOCUMENT + "\n\n",
        DOCUMENT.replace("4 5", " 4   5 "),
    ],
)
def test_spaces_and_line_ends_do_not_matter_on_reading(text: str) -> None:
    assert World.parse(text) == World.parse(DOCUMENT)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1"),
        ("4\n1 1\n", "line 1: '4' is not rows and columns"),
        ("0 5\n1 1\n", "line 1: a board is 1 to 2000"),
        ("4 2001\n1 1\n", "line 1: a board is 1 to 2000"),
        ("4 5", "line 2: '' is not the start"),
        (DOCUMENT.replace("1 1\n", "1 x\n", 1), "line 2: '1 x' is not the start"),
        (DOCUMENT.replace("1 1\n", "6 1\n", 1), "line 2: the start 6 1 is not on a board of 4 rows and 5"),
        (DOCUMENT.replace("1 1\n", "0 1\n", 1), "line 2: the start 0 1 is not on a board"),
        (DOCUMENT.replace("1 1\n", "1 5\n", 1), "line 2: the start 1 5 is not on a board"),
        (DOCUMENT.replace("1 1\n", "4 2\n", 1), "line 2: the start 4 2 has a mine beside it"),
        (DOCUMENT.replace("1 1\n", "5 4\n", 1), "line 2: the start 5 4 is a mine"),
        (DOCUMENT + "0 0 0 0 0\n", "line 1 says 4 rows, but there are 5"),
        (DOCUMENT.replace("4 5", "5 5"), "line 1 says 5 rows, but there are 4"),
        (DOCUMENT.replace("0 0 0 0 1 \n", "0 0 0 0 \n", 1), "line 3: 4 tiles, not 5"),
        (DOCUMENT.replace("0 0 0 0 1 \n", "0 0 2 0 1 \n", 1), "line 3, tile 3: '2' is neither 0 nor 1"),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        World.parse(text)
    assert words in str(caught.value)


def test_a_world_is_closed() -> None:
    board = Board(np.zeros((4, 4), np.bool_), np.zeros((4, 4), np.int8))
    with pytest.raises(FormatError, match="no open"):
        World(board, (0, 0))


def test_files_are_read_or_named_as_unreadable(tmp_path: Path) -> None:
    good, binary = tmp_path / "good.txt", tmp_path / "binary.txt"
    good.write_bytes(b"\xef\xbb\xbf" + DOCUMENT.encode())
    assert World.read(good) == World.parse(DOCUMENT)
    binary.write_bytes(bytes(range(256)))
    with pytest.raises(FormatError, match="line 1"):
        World.read(binary)
    with pytest.raises(FormatError, match="cannot be read"):
        World.read(tmp_path / "none.txt")
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(FormatError, match="too large"):
        World.read(huge)


def test_what_is_meant_as_a_world(tmp_path: Path) -> None:
    contents = {
        "a.txt": b"anything",
        "B.TXT": b"anything",
        "nameless": DOCUMENT.encode(),
        "notes.md": b"4 5 is a size\n",
        "picture.png": b"\x89PNG\r\n\x1a\n",
        "empty": b"",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    meant = {name for name in contents if looks_like_world(tmp_path / name)}
    assert meant == {"a.txt", "B.TXT", "nameless"}


@pytest.mark.parametrize("name", ["easy", "beginner", "intermediate", "expert"])
def test_levels_have_the_names_of_the_presets(name: str) -> None:
    assert parse_level(name) == PRESETS[f"minai-{name}"].level
    assert parse_level(str(parse_level(name))) == parse_level(name)


def test_other_levels_are_refused() -> None:
    with pytest.raises(FormatError, match="easy, beginner, intermediate, expert or WxHxM"):
        parse_level("hard")
    with pytest.raises(RulesError, match="at least 4 rows"):
        generate(Level(3, 9, 2), np.random.default_rng(0))
    with pytest.raises(RulesError, match="1 to 7 mines, not 8"):
        generate(Level(4, 4, 8), np.random.default_rng(0))
    with pytest.raises(RulesError, match="1 to 7 mines, not 0"):
        generate(Level(4, 4, 0), np.random.default_rng(0))


def test_starts_are_uniform_and_so_are_mines_among_what_the_start_leaves() -> None:
    """On 4x4 with one mine: 16 starts, and 16 - 4, 16 - 6 or 16 - 9 places for the mine."""
    n = 4_000
    rng = np.random.default_rng(5)
    pairs: Counter[tuple[tuple[int, int], tuple[int, int]]] = Counter()
    for _ in range(n):
        world = generate(Level(4, 4, 1), rng)
        row, col = np.argwhere(world.board.mines)[0].tolist()
        pairs[world.start, (row, col)] += 1
    seen = 0
    chi2 = 0.0
    for row in range(4):
        for col in range(4):
            room = [(r, c) for r in range(4) for c in range(4) if abs(r - row) > 1 or abs(c - col) > 1]
            expected = n / 16 / len(room)
            for place in room:
                chi2 += (pairs[(row, col), place] - expected) ** 2 / expected
                seen += 1
    assert seen == len(pairs) == 4 * 12 + 8 * 10 + 4 * 7
    assert chi2 < seen + 4 * (2 * seen) ** 0.5


def test_a_set_of_files(tmp_path: Path) -> None:
    level = parse_level("beginner")
    paths = list(write_worlds(tmp_path / "many", "Beginner", level, 12, seed=3))
    assert [path.name for path in paths] == [f"Beginner_world_{number}.txt" for number in range(1, 13)]
    worlds = [World.read(path) for path in paths]
    assert len({str(world) for world in worlds}) == 12
    assert all(world.board.level == level for world in worlds)
    fewer = list(write_worlds(tmp_path / "few", "Beginner", level, 2, seed=3))
    assert [World.read(path) for path in fewer] == worlds[:2]
    assert World.read(next(write_worlds(tmp_path / "other", "x", level, 1, seed=4))) != worlds[0]
    game = Game(*preset("minai-beginner"), rng=game_rng(3, 7))
    assert worlds[7] == World(Board(game.board.mines), game.start or (-1, -1)), "the game of the same number"


def test_the_game_on_a_world_has_its_start_open_and_no_move_made() -> None:
    game = World.parse(DOCUMENT).game()
    assert (game.moves, game.percept, game.start) == (0, 0, (3, 0))
    assert np.argwhere(game.observation().cells >= 0).tolist() == [[3, 0]]
