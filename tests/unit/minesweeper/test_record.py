from collections.abc import Callable

import numpy as np
import pytest

from surefoot.errors import FormatError, IllegalAction
from surefoot.minesweeper import (
    LEAVE,
    PRESETS,
    Board,
    End,
    Game,
    Outcome,
    Record,
    flag,
    preset,
    uncover,
    unflag,
)

TEXT = """\
[Game "Minesweeper"]
[Rules "minai"]
[Start "2,3"]
[Agent "exact"]
[End "left"]

4x3x1
IHHH
HHHH
HHHH

; looks at the board
uncover 2,2
; and gives up
; at once
leave
"""


def played(name: str) -> Record:
    """A game of ten lawful actions at most, mines avoided."""
    game = Game(*preset(name), rng=np.random.default_rng(4))
    game.play(uncover((0, 0)))
    for row, col in np.argwhere(~game.board.mines)[:9]:
        if not game.over and game.observation().cells[row, col] < 0:
            game.play(uncover((int(row), int(col))))
    for row, col in np.argwhere(game.board.mines)[:2]:
        if not game.over:
            game.play(flag((int(row), int(col))))
    return Record.of(game, notes={1: "hm\n\nyes"}, headers={"Agent": 'a "b" \\c'})


@pytest.mark.parametrize("name", PRESETS)
def test_a_played_game_writes_reads_and_replays_exactly(name: str) -> None:
    record = played(name)
    again = Record.parse(str(record))
    assert again == record
    assert str(again) == str(record)
    assert again.game().observation() == record.game().observation()
    assert again.game().moves == record.game().moves


def test_the_text_says_what_was_played() -> None:
    record = Record.parse(TEXT)
    assert record.board == Board.parse("4x3x1\nIHHH\nHHHH\nHHHH")
    assert record.rules == preset("minai-easy").rules
    assert (record.start, record.end) == ((2, 3), End.LEFT)
    assert record.actions == (uncover((2, 2)), LEAVE)
    assert record.headers == {"Agent": "exact"}
    assert record.notes == {0: "looks at the board", 1: "and gives up\nat once"}
    assert str(record) == TEXT


def test_replay_shows_the_game_step_by_step() -> None:
    steps = [(action, game.percept, game.outcome) for action, game in Record.parse(TEXT).replay()]
    assert steps == [
        (None, 0, Outcome.RUNNING),
        (uncover((2, 2)), 0, Outcome.RUNNING),
        (LEAVE, 0, Outcome.LOST),
    ]


def test_a_game_can_be_stopped_at_any_move() -> None:
    record = Record.parse(TEXT)
    assert [record.game(n).moves for n in (0, 1, 2)] == [0, 1, 1]
    assert record.game(0).outcome is Outcome.RUNNING


def test_a_game_from_an_open_position_keeps_that_position() -> None:
    board = Board.parse("3x1x1\nF1H")
    game = Game.on(board, preset("beginner").rules)
    game.play(unflag((0, 0)))
    game.play(uncover((0, 2)))
    record = Record.of(game)
    assert record.board == board
    assert Record.parse(str(record)) == record


def test_what_an_agent_prints_cannot_break_the_record() -> None:
    game = Game.on(Board.parse("2x1x1\nIH"), preset("cs50").rules)
    game.play(flag((0, 0)))
    said = 'progress\r99%\r\nleave\n[End "left"]\n\n; x\n'
    again = Record.parse(str(Record.of(game, notes={0: said})))
    assert again.notes == {0: said.replace("\r\n", "\n").replace("\r", "\n")}
    assert again.actions == (flag((0, 0)),)


def test_nothing_to_record_before_the_mines_are_laid_out() -> None:
    with pytest.raises(ValueError, match="laid out when the first cell is opened"):
        Record.of(Game(*preset("beginner"), rng=np.random.default_rng(0)))


@pytest.mark.parametrize("name", ["Game", "Rules", "Start", "End", "two words", "", "1st", 'a"'])
def test_a_header_of_your_own_has_a_name_of_its_own(name: str) -> None:
    record = Record.parse(TEXT)
    with pytest.raises(FormatError, match="not a name for a header of your own"):
        Record.of(record.game(), headers={name: "x"})


EDITS: list[tuple[Callable[[str], str], str]] = [
    (lambda t: t.replace('[Game "Minesweeper"]\n', ""), "not a Minesweeper record"),
    (lambda t: t.replace("Minesweeper", "Risk"), "not a Minesweeper record"),
    (lambda t: t.replace('"minai"', '"chess"'), "unknown rules 'chess'"),
    (lambda t: t.replace('"2,3"', '"3,3"'), "does not replay: start 3,3 is not on a 4x3 board"),
    (lambda t: t.replace('"2,3"', '"random"'), "the start of a record is a cell, not 'random'"),
    (lambda t: t.replace('"left"', '"boredom"'), "unknown end 'BOREDOM'"),
    (lambda t: t.replace('"left"', '"completed"'), "ended as completed, but it replays to left"),
    (lambda t: t.replace('[Agent "exact"]', "[Agent exact]"), "line 4: not a header"),
    (lambda t: t.replace("Agent", "End"), "line 5: a second header End"),
    (lambda t: t.replace("IHHH", "IHH"), "board at line 7: line 2: 3 cells, not 4"),
    (lambda t: t.replace("uncover", "dig"), "line 13: not an action: 'dig 2,2'"),
    (lambda t: t.replace("2,2", "9,9"), "does not replay: uncover 9,9: there is no such cell"),
    (lambda t: t + "leave\n", "does not replay: leave: the game is over"),
    (lambda _: "", "not a Minesweeper record"),
]


@pytest.mark.parametrize(("edit", "complaint"), EDITS)
def test_refusals_name_what_is_wrong(edit: Callable[[str], str], complaint: str) -> None:
    assert edit(TEXT) != TEXT
    with pytest.raises(FormatError, match=complaint):
        Record.parse(edit(TEXT))


def test_a_record_made_by_hand_that_breaks_the_rules_says_so_when_played() -> None:
    record = Record.parse(TEXT)
    wrong = Record(record.board, record.rules, record.start, (LEAVE, LEAVE), End.LEFT)
    with pytest.raises(IllegalAction, match="the game is over"):
        wrong.game()
