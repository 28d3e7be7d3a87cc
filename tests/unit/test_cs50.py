"""Document C's three classes: their API, and what students get wrong, each checked against brute force."""

import doctest
import importlib
import random
import sys
import time
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from surefoot.compat.cs50 import Minesweeper, MinesweeperAI, Sentence
from surefoot.errors import Contradiction, IllegalAction, RulesError
from tests import naive

Cell = tuple[int, int]
Fact = tuple[Cell, int]
ROOT = Path(__file__).parents[2]


def told(height: int, width: int, facts: list[Fact] | tuple[Fact, ...]) -> MinesweeperAI:
    ai = MinesweeperAI(height, width)
    for cell, count in facts:
        ai.add_knowledge(cell, count)
        check_tidy(ai)
    return ai


def truth(height: int, width: int, facts: list[Fact] | tuple[Fact, ...]) -> tuple[set[Cell], set[Cell]]:
    """The certain mines and the certain safe cells, by trying every placement."""
    numbers = dict(facts)
    position = [[numbers.get((row, col), -1) for col in range(width)] for row in range(height)]
    layouts = list(naive.consistent_layouts(position, None))
    cells = set(product(range(height), range(width)))
    return set.intersection(*map(set, layouts)), cells.difference(*layouts)


def check_tidy(ai: MinesweeperAI) -> None:
    listed = [(frozenset(sentence.cells), sentence.count) for sentence in ai.knowledge]
    assert len(listed) == len(set(listed))
    assert all(0 < count < len(cells) for cells, count in listed)
    assert not any(cells & (ai.mines | ai.safes) for cells, _ in listed)
    assert not ai.mines & ai.safes


def test_a_board() -> None:
    random.seed(1)
    game = Minesweeper(height=3, width=5, mines=4)
    assert (game.height, game.width, len(game.mines), game.mines_found) == (3, 5, 4, set())
    assert [len(row) for row in game.board] == [5, 5, 5]
    for cell in product(range(3), range(5)):
        assert game.is_mine(cell) is (cell in game.mines) is game.board[cell[0]][cell[1]]
        assert game.nearby_mines(cell) == len(naive.around(cell, 3, 5) & game.mines)
    assert not game.won()
    game.mines_found = set(game.mines)
    assert game.won()
    with pytest.raises(RulesError, match="10 mines do not fit on 9 cells"):
        Minesweeper(3, 3, 10)


def test_the_defaults_are_the_documents() -> None:
    game, ai = Minesweeper(), MinesweeperAI()
    assert (game.height, game.width, len(game.mines)) == (8, 8, 8)
    assert (ai.height, ai.width) == (8, 8)
    assert ai.moves_made == ai.mines == ai.safes == set()
    assert ai.knowledge == []


def test_a_board_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    game = Minesweeper(2, 2, 4)
    game.print()
    assert capsys.readouterr().out == "-----\n|X|X|\n-----\n|X|X|\n-----\n"


def test_a_sentence() -> None:
    cells = [(0, 1), (1, 0)]
    sentence = Sentence(cells, 1)
    assert sentence.cells == set(cells)
    assert sentence == Sentence({(1, 0), (0, 1)}, 1)
    assert sentence != Sentence({(1, 0), (0, 1)}, 2)
    assert str(Sentence({(0, 1)}, 1)) == "{(0, 1)} = 1"
    assert sentence.known_mines() == sentence.known_safes() == set()
    sentence.mark_mine((5, 5))
    sentence.mark_safe((5, 5))
    assert sentence == Sentence(cells, 1)
    sentence.mark_mine((0, 1))
    assert sentence == Sentence({(1, 0)}, 0)
    assert sentence.known_safes() == {(1, 0)}
    sentence.mark_safe((1, 0))
    assert sentence == Sentence(set(), 0)


def test_returned_sets_are_copies() -> None:
    given = {(0, 0), (0, 1)}
    mines, safes = Sentence(given, 2), Sentence(given, 0)
    mines.known_mines().clear()
    safes.known_safes().clear()
    mines.mark_mine((0, 0))
    assert mines.cells == {(0, 1)}
    assert safes.cells == given == {(0, 0), (0, 1)}


def test_marking_while_going_through_the_answer() -> None:
    sentence = Sentence({(0, 0), (0, 1), (0, 2)}, 3)
    for cell in sentence.known_mines():
        sentence.mark_mine(cell)
    assert sentence == Sentence(set(), 0)


def test_marking_twice_changes_nothing() -> None:
    sentence = Sentence({(0, 0), (0, 1), (0, 2)}, 2)
    for _ in range(2):
        sentence.mark_mine((0, 0))
        sentence.mark_safe((0, 1))
    assert sentence == Sentence({(0, 2)}, 1)
    ai = MinesweeperAI(2, 2)
    ai.knowledge.append(Sentence({(0, 0), (0, 1)}, 1))
    ai.mark_mine((0, 0))
    ai.mark_mine((0, 0))
    assert ai.knowledge == [Sentence({(0, 1)}, 0)]


def test_marking_reaches_every_sentence() -> None:
    ai = MinesweeperAI(3, 3)
    one, other = Sentence({(0, 0), (0, 1)}, 1), Sentence({(0, 0), (2, 2)}, 1)
    ai.knowledge += [one, other]
    ai.mark_mine((0, 0))
    assert (ai.mines, one, other) == ({(0, 0)}, Sentence({(0, 1)}, 0), Sentence({(2, 2)}, 0))
    ai.mark_safe((0, 1))
    assert (ai.safes, one) == ({(0, 1)}, Sentence(set(), 0))


def test_a_number_in_a_corner_becomes_a_sentence() -> None:
    ai = told(8, 8, [((0, 0), 1)])
    assert ai.knowledge == [Sentence({(0, 1), (1, 0), (1, 1)}, 1)]
    assert (ai.moves_made, ai.safes, ai.mines) == ({(0, 0)}, {(0, 0)}, set())


PROBLEMS: dict[str, tuple[int, int, tuple[Fact, ...]]] = {
    "repeats until nothing new comes": (2, 4, (((0, 0), 1), ((0, 1), 1))),
    "any order": (2, 4, (((0, 0), 1), ((0, 2), 2), ((0, 1), 2))),
    "known mines are subtracted": (4, 4, (((0, 0), 3), ((1, 2), 3))),
    "thin board": (5, 1, (((4, 0), 1), ((2, 0), 1))),
    "no over-inference": (2, 4, (((0, 0), 1), ((0, 1), 2))),
    "1-2-1": (2, 5, (((0, 1), 1), ((0, 2), 2), ((0, 3), 1))),
    "1-2-2-1": (2, 6, (((0, 1), 1), ((0, 2), 2), ((0, 3), 2), ((0, 4), 1))),
    "1 and 3": (3, 4, (((0, 1), 1), ((0, 2), 3))),
}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_order_of_the_facts_gives_the_whole_truth(problem: str) -> None:
    height, width, facts = PROBLEMS[problem]
    expected = truth(height, width, facts)
    knowledge = set()
    for order in permutations(facts):
        ai = told(height, width, order)
        assert (ai.mines, ai.safes) == expected
        knowledge.add(frozenset((frozenset(one.cells), one.count) for one in ai.knowledge))
    assert len(knowledge) == 1


def test_what_the_facts_say_of_these_problems() -> None:
    def new(problem: str) -> tuple[set[Cell], set[Cell]]:
        height, width, facts = PROBLEMS[problem]
        ai = told(height, width, facts)
        return ai.mines, ai.safes - ai.moves_made

    assert new("repeats until nothing new comes") == (set(), {(0, 2), (1, 2)})
    assert (1, 2) in new("any order")[0]
    assert new("thin board") == ({(3, 0)}, {(1, 0)})
    assert new("no over-inference") == (set(), set())
    assert new("1-2-1")[0] == {(1, 1), (1, 3)}
    assert new("1-2-2-1")[0] == {(1, 2), (1, 3)}
    assert new("1 and 3") == ({(0, 3), (1, 3)}, {(0, 0), (1, 0)})


def test_known_mines_are_subtracted_when_a_sentence_enters() -> None:
    ai = told(4, 4, PROBLEMS["known mines are subtracted"][2])
    assert ai.mines == {(0, 1), (1, 0), (1, 1)}
    assert ai.knowledge == [Sentence({(0, 2), (0, 3), (1, 3), (2, 1), (2, 2), (2, 3)}, 1)]


def test_graders_change_the_sets_between_calls() -> None:
    ai = MinesweeperAI(4, 5)
    ai.mines |= {(0, 1)}
    ai.safes.add((1, 1))
    ai.add_knowledge((0, 0), 2)
    assert (1, 0) in ai.mines
    ai.add_knowledge((2, 2), 2)
    assert Sentence(naive.around((2, 2), 4, 5) - {(1, 1)}, 2) in ai.knowledge
    ai.mines.add((3, 3))
    ai.add_knowledge((0, 2), 1)  # its one mine is (0,1), so (1,2) and (1,3) are safe
    assert Sentence({(2, 1), (2, 3), (3, 1), (3, 2)}, 1) in ai.knowledge
    check_tidy(ai)


def test_what_graders_take_away_is_not_known_any_more() -> None:
    ai = told(2, 4, [((0, 0), 1), ((0, 1), 1)])
    ai.safes -= {(0, 2), (1, 2)}
    ai.knowledge.clear()
    ai.add_knowledge((0, 3), 1)
    assert ai.safes == {(0, 0), (0, 1), (0, 3)}
    assert ai.knowledge == [Sentence({(0, 2), (1, 2), (1, 3)}, 1)]


def test_sentences_that_graders_take_away_are_forgotten() -> None:
    ai = told(2, 4, [((0, 0), 1)])
    ai.knowledge.clear()
    ai.add_knowledge((0, 1), 1)
    assert ai.safes == {(0, 0), (0, 1)}
    assert ai.knowledge == [Sentence({(0, 2), (1, 0), (1, 1), (1, 2)}, 1)]


def test_graders_change_the_knowledge_between_calls() -> None:
    ai = MinesweeperAI(3, 3)
    ai.knowledge += [Sentence({(2, 0), (2, 1), (2, 2)}, 1), Sentence(set(), 0), Sentence({(2, 0), (2, 1)}, 1)]
    ai.knowledge.append(Sentence({(2, 0), (2, 1)}, 1))
    ai.add_knowledge((0, 0), 1)
    check_tidy(ai)
    assert (2, 2) in ai.safes
    assert Sentence({(2, 0), (2, 1)}, 1) in ai.knowledge


def test_unresolved_sentences_stay_listed_as_they_are() -> None:
    ai = told(5, 5, [((0, 0), 1)])
    first = ai.knowledge[0]
    held = ai.knowledge
    ai.add_knowledge((4, 4), 2)
    assert ai.knowledge is held
    assert ai.knowledge[0] is first
    assert len(ai.knowledge) == 2
    ai.add_knowledge((4, 4), 2)
    assert len(ai.knowledge) == 2


def test_a_safe_move_changes_nothing() -> None:
    ai = told(2, 4, [((0, 0), 1), ((0, 1), 1)])
    before = repr((ai.moves_made, ai.mines, ai.safes, ai.knowledge))
    assert {ai.make_safe_move() for _ in range(9)} <= {(0, 2), (1, 2)}
    assert ai.make_random_move() in {(0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)}
    assert repr((ai.moves_made, ai.mines, ai.safes, ai.knowledge)) == before


def test_moves_run_out() -> None:
    ai = told(1, 3, [((0, 1), 2)])
    assert ai.mines == {(0, 0), (0, 2)}
    assert ai.make_safe_move() is None
    assert ai.make_random_move() is None


def test_a_random_move_is_any_cell_that_may_be_played() -> None:
    ai = told(1, 4, [((0, 0), 1)])
    assert {ai.make_random_move() for _ in range(60)} == {(0, 2), (0, 3)}


def test_what_cannot_be_is_refused_and_forgotten() -> None:
    ai = told(2, 2, [((0, 0), 1)])
    with pytest.raises(Contradiction, match="contradict"):
        ai.add_knowledge((0, 1), 3)
    with pytest.raises(IllegalAction, match="there is no cell"):
        ai.add_knowledge((2, 0), 1)
    ai.add_knowledge((1, 1), 1)
    assert ai.mines == {(1, 0)}
    ai.mines.add((0, 0))
    with pytest.raises(Contradiction, match=r"\(0,0\) is in mines and in safes"):
        ai.add_knowledge((1, 1), 1)


def test_no_addition_on_an_expert_board_takes_over_50_ms() -> None:
    """CPU time; the slowest addition of a game is played again up to three times, for a noisy machine."""
    for seed, order in product(range(3), ("safe first", "any")):
        facts = list(expert_facts(seed, order))
        slowest, at = max((cost, index) for index, cost in enumerate(costs(facts)))
        if slowest > 0.05:
            slowest = min(costs(facts[: at + 1])[-1] for _ in range(3))
        assert slowest <= 0.05, f"addition {at} of game {seed}, {order}: {slowest * 1000:.0f} ms"


def costs(facts: list[Fact]) -> list[float]:
    """CPU seconds of each addition."""
    ai = MinesweeperAI(16, 30)
    times = []
    for cell, count in facts:
        before = time.process_time()
        ai.add_knowledge(cell, count)
        times.append(time.process_time() - before)
    check_tidy(ai)
    return times


def expert_facts(seed: int, order: str) -> Iterator[Fact]:
    """All safe cells of an expert board: as the AI would play them, mines passed over, or in any order."""
    random.seed(seed)
    game, ai = Minesweeper(16, 30, 99), MinesweeperAI(16, 30)
    closed = [cell for cell in product(range(16), range(30)) if not game.is_mine(cell)]
    random.shuffle(closed)
    while closed:
        known = ai.make_safe_move() if order == "safe first" else None
        cell = closed[-1] if known is None else known
        closed.remove(cell)
        if order == "safe first":
            ai.add_knowledge(cell, game.nearby_mines(cell))
        yield cell, game.nearby_mines(cell)


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Our window, without a screen, with the two-line ``minesweeper.py`` beside it."""
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.syspath_prepend(ROOT / "examples" / "cs50")
    names = ("runner", "minesweeper")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    module = importlib.import_module("runner")
    yield module
    module.pygame.quit()
    for name in names:
        sys.modules.pop(name, None)


def test_the_two_line_module_is_ours() -> None:
    lines = (ROOT / "examples" / "cs50" / "minesweeper.py").read_text().split("\n")
    assert len([line for line in lines if line]) == 2


def test_the_window_opens_and_draws(runner: Any) -> None:
    window = runner.main(["--height", "4", "--width", "6", "--mines", "5"], max_frames=2)
    assert (window.game.height, window.game.width, len(window.game.truth.mines)) == (4, 6, 5)
    assert runner.Minesweeper is Minesweeper


def test_a_board_that_cannot_be_ends_with_one_line(runner: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        runner.main(["--mines", "65"], max_frames=1)
    assert stop.value.code == 2
    assert "65 mines do not fit on 64 cells" in capsys.readouterr().err


def test_clicks_are_moves(runner: Any) -> None:
    window = runner.Window(4, 4, 3)
    game, pygame = window.game, runner.pygame
    mine = min(game.truth.mines)
    safe = next(cell for cell in product(range(4), range(4)) if cell not in game.truth.mines)

    def press(point: Cell, button: int) -> None:
        window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=point, button=button))
        window.draw()

    press(window.place(safe).center, pygame.BUTTON_LEFT)
    assert game.opened == {safe: game.truth.nearby_mines(safe)}
    assert game.ai.moves_made == {safe}
    press(window.place(mine).center, pygame.BUTTON_RIGHT)
    assert game.flags == {mine}
    flag_picture = window.screen.copy()
    press(window.place(mine).center, pygame.BUTTON_LEFT)
    assert not game.over  # the flag protects
    press(window.place(mine).center, pygame.BUTTON_RIGHT)
    assert game.flags == set()
    assert differ(pygame, flag_picture, window.screen)
    press(window.place(mine).center, pygame.BUTTON_LEFT)
    assert (game.burst, game.over, game.won) == (mine, True, False)
    press(window.reset_button.center, pygame.BUTTON_LEFT)
    assert window.game is not game
    assert window.game.opened == {}
    window.handle(pygame.event.Event(pygame.QUIT))
    assert not window.running


def differ(pygame: Any, one: Any, other: Any) -> bool:
    return bool(pygame.image.tobytes(one, "RGB") != pygame.image.tobytes(other, "RGB"))


def test_the_button_plays_games_to_their_end(runner: Any) -> None:
    window = runner.Window(8, 8, 8)
    won = 0
    for seed in range(20):
        random.seed(seed)
        window.click(window.reset_button.center, runner.pygame.BUTTON_LEFT)
        for _ in range(66):
            window.click(window.ai_button.center, runner.pygame.BUTTON_LEFT)
        window.draw()
        assert window.game.over
        won += window.game.won
    assert won > 5


def test_the_page_tells_the_truth() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "cs50.md"), module_relative=False)
    assert tried > 5
    assert failed == 0
