"""Every text parses back to what it says, and no broken text does worse than be refused."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from surefoot.errors import FormatError, RulesError
from surefoot.minesweeper import (
    PRESETS,
    Action,
    Board,
    Game,
    Kind,
    Level,
    Observation,
    Record,
    Rules,
    flag,
    preset,
    uncover,
)
from surefoot.minesweeper.kernels.layout import FLAGGED, HIDDEN
from tests.mutate import mutants, survivors
from tests.strategies import draw_action, play, rules_of_any_kind, settings_of_a_game

coordinate = st.integers(0, 999_999)
actions = st.builds(
    Action, st.sampled_from(sorted(set(Kind) - {Kind.LEAVE}, key=str)), st.tuples(coordinate, coordinate)
) | st.just(Action(Kind.LEAVE))
shapes = hnp.array_shapes(min_dims=2, max_dims=2, max_side=8)


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    cells = draw(hnp.arrays(np.int8, shapes, elements=st.integers(FLAGGED, 8)))
    return Observation(cells, draw(st.none() | st.integers(0, cells.size)))


@st.composite
def boards(draw: st.DrawFn) -> Board:
    mines = draw(hnp.arrays(np.bool_, shapes))
    numbers = Board(mines).numbers()
    states = draw(hnp.arrays(np.int8, mines.shape, elements=st.sampled_from([HIDDEN, FLAGGED, 0])))
    return Board(mines, np.where((states == 0) & ~mines, numbers, np.minimum(states, HIDDEN)))


@given(actions)
def test_action_text_parses_back(action: Action) -> None:
    assert Action.parse(str(action)) == action


@given(st.integers(1, 2000), st.integers(1, 2000), st.data())
def test_level_text_parses_back(height: int, width: int, data: st.DataObject) -> None:
    level = Level(height, width, data.draw(st.integers(0, height * width)))
    assert Level.parse(str(level)) == level


@given(rules_of_any_kind)
def test_rules_text_parses_back(rules: Rules) -> None:
    assert Rules.parse(str(rules)) == rules


@given(observations())
def test_position_text_parses_back(observation: Observation) -> None:
    text = str(observation)
    assert Observation.parse(text) == observation
    assert str(Observation.parse(text)) == text
    spaced = re.sub(r"(?m)^(?!\d+x)(.+)$", lambda row: " ".join(row[1]), text)
    assert Observation.parse(spaced.replace("H", ".")) == observation


@given(boards())
def test_board_text_parses_back(board: Board) -> None:
    assert Board.parse(str(board)) == board


@given(boards())
def test_the_text_of_a_board_without_its_secrets_is_that_of_its_observation(board: Board) -> None:
    header, *rows = str(board).split("\n")
    hidden = [row.replace("I", "H").replace("O", "F") for row in rows]
    assert "\n".join([header, *hidden]) == str(board.observation())


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
header_names = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,9}", fullmatch=True).filter(
    lambda name: name not in ("Game", "Rules", "Start", "End")
)


@given(
    setting=settings_of_a_game(),
    seed=st.integers(0, 10**6),
    headers=st.dictionaries(header_names, words),
    data=st.data(),
)
def test_record_text_parses_back_with_notes_and_headers(
    setting: tuple[Level, Rules], seed: int, headers: dict[str, str], data: st.DataObject
) -> None:
    game = Game(*setting, rng=np.random.default_rng(seed))
    game.play(uncover((0, 0))) if not game.over else None
    for _ in range(data.draw(st.integers(0, 8))):
        play(game, draw_action(data, game))
    try:
        _ = game.board
    except ValueError:
        return
    notes = data.draw(st.dictionaries(st.integers(0, len(game.actions)), words))
    notes = {n: w.replace("\r\n", "\n").replace("\r", "\n") for n, w in notes.items()}
    plain = {name: " ".join(value.split()) for name, value in headers.items()}
    record = Record.of(game, notes=notes, headers=plain)
    assert Record.parse(str(record)) == record
    assert Record.parse(str(record).replace("\n", "\r\n")) == record


# --- broken texts -----------------------------------------------------------------------------------------

POSITIONS = [
    "1x1x?\nH",
    "3x2x1\n01H\n0FH",
    "8x3x?\nHHHH1000\n. . . F 2 1 1 0\nHHHHHHH0",
    "30x2x9\n" + "H" * 30 + "\n" + "1" * 30,
]
BOARDS = ["1x1x1\nI", "4x2x3\nIHFO\n1HI2", "4x3x3\nIHHH\nHHII\nHHHH", "3x2x1\nI10\n110", "2x1x?\nIO"]


def a_record(name: str) -> str:
    game = Game(*preset(name), rng=np.random.default_rng(7))
    game.play(uncover((0, 0)))
    rest = np.argwhere(~game.board.mines & game.observation().hidden)[:4]
    for row, col in rest if not game.over else []:
        game.play(uncover((int(row), int(col))))
    game.play(flag((1, 1))) if not game.over else None
    return str(Record.of(game, notes={0: "a note\nof two lines"}, headers={"Agent": 'say "hi"'}))


RECORDS = [a_record(name) for name in ("minai-easy", "cs50", "beginner")]
RULES = [*(str(p.rules) for p in PRESETS.values()), "windows:start=3,14;flood=no;goal=flags"]
ACTIONS = ["uncover 3,4", "flag 0,0", "unflag 12,7", "chord 1,1", "leave"]


@pytest.mark.parametrize(
    ("read", "allowed", "seeds"),
    [
        pytest.param(Observation.parse, FormatError, POSITIONS, id="position text"),
        pytest.param(Board.parse, FormatError, BOARDS, id="board text"),
        pytest.param(Record.parse, FormatError, RECORDS, id="records"),
        pytest.param(Rules.parse, FormatError, RULES, id="rules"),
        pytest.param(Action.parse, FormatError, ACTIONS, id="actions"),
    ],
)
def test_ten_thousand_broken_texts_are_read_or_refused(read, allowed, seeds) -> None:  # type: ignore[no-untyped-def]
    assert 100 < survivors(read, allowed, seeds) < 9_900


def test_broken_sizes_are_refused_by_form_or_by_rule() -> None:
    def read(text: str) -> None:
        try:
            Level.parse(text)
        except RulesError as error:
            raise FormatError(str(error)) from error

    assert 100 < survivors(read, FormatError, ["30x16x99", "1x1x0", "2000x2000x4000000"]) < 9_900


def test_what_is_read_from_a_broken_text_is_sound() -> None:
    """A mutant that is accepted is a position or a record like any other: it writes and reads back."""
    for text in mutants(POSITIONS, 2000, seed=1):
        try:
            seen = Observation.parse(text)
        except FormatError:
            continue
        assert Observation.parse(str(seen)) == seen
    for text in mutants(RECORDS, 2000, seed=1):
        try:
            record = Record.parse(text)
        except FormatError:
            continue
        assert Record.parse(str(record)).game().observation() == record.game().observation()


def test_mutants_are_the_same_every_time_and_differ_from_their_seeds() -> None:
    texts = list(mutants(POSITIONS, 500))
    assert texts == list(mutants(POSITIONS, 500))
    assert sum(text in POSITIONS for text in texts) < 25
