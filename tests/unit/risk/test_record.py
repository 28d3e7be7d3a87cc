import numpy as np
import pytest

from surefoot.errors import FormatError
from surefoot.risk import END, Attack, Draft, Game, Occupy, Record, Rules, WorldMap, load, preset
from surefoot.risk.events import Drawn, Lost, Rolled
from tests.mutate import mutants, survivors

WRITTEN = """\
[Game "Risk"]
[Map "duel"]
[Rules "standard:starting_armies=one"]
[Players "2"]
[First "agent \\"A\\""]
[Winner "*"]

deal = moor dale fen weald heath wold
; to arms
draft fen 4
attack fen dale 2 = 61v4
"""


def a_game(rules: Rules, players: int, seed: int, moves: int, name: str = "duel") -> Game:
    """A game of random moves; the stronger attack of three, so that something happens."""
    rng = np.random.default_rng(seed)
    game = Game(load(name), rules, players, rng=rng)
    while len(game.history) < moves and not game.over:
        actions = list(game.legal_actions)
        picks = [actions[i] for i in rng.integers(len(actions), size=3)]
        game.play(max(picks, key=lambda action: (isinstance(action, Attack), getattr(action, "armies", 0))))
    return game


GAMES = [
    a_game(Rules(), 2, 1, 90),
    a_game(preset("document-program"), 3, 2, 60),
    a_game(Rules(placement="claimed", neutral=True, capitals=True), 2, 3, 60, "delta"),
    a_game(Rules(cards="fixed", round_cap=4), 3, 4, 400),
]
RECORDS = [Record.of(game) for game in GAMES]


def test_a_record_is_text_that_one_can_read() -> None:
    record = Record.parse(WRITTEN)
    assert record.headers == {"First": 'agent "A"'}
    assert record.notes == {0: "to arms"}
    assert record.actions == (Draft(1, 4), Attack(1, 3, 2))
    assert record.history[-1] == Rolled((1, 6), (4,))
    assert record.winner is None
    assert str(record) == WRITTEN


def test_dice_losses_and_cards_stand_behind_the_move() -> None:
    game = Game(load("duel"), Rules(starting_armies="one"), 2, rng=None)
    while game.chance_outcomes():
        game.resolve(game.chance_outcomes()[0][0])  # 0, 1, 0, 1 …
    source, target = 0, 1
    game.play(Draft(source, game.to_place))
    game.play(Attack(source, target, 3))
    game.resolve(Rolled((2, 1, 3), (5,)))
    game.resolve(Lost(0))
    game.play(Occupy(2))
    game.play(END)
    game.resolve(Drawn(7))
    text = str(Record.of(game, notes={1: "now", 4: "later"}, headers={"First": "me"}))
    assert text.splitlines()[-7:] == [
        "deal = moor fen heath dale weald wold",
        "draft moor 3",
        "; now",
        "attack moor fen 3 = 321v5 lost-0",
        "occupy 2",
        "end = wild-2",
        "; later",
    ]
    again = Record.parse(text)
    assert np.array_equal(again.game().state, game.state)
    assert again.notes == {1: "now", 4: "later"}


@pytest.mark.parametrize("record", RECORDS)
def test_records_replay_to_the_same_vector(record: Record) -> None:
    game = GAMES[RECORDS.index(record)]
    again = Record.parse(str(record))
    assert again == record
    assert np.array_equal(again.game().state, game.state)
    assert Record.parse(str(record).replace("\n", "\r\n")) == record


@pytest.mark.parametrize("record", RECORDS)
def test_a_record_can_be_cut_resumed_and_branched(record: Record) -> None:
    half = len(record.actions) // 2
    cut = record.cut(half)
    assert cut.actions == record.actions[:half]
    assert Record.parse(str(cut)) == cut
    assert cut.winner is None
    one, two = cut.game(rng=np.random.default_rng(5)), record.game(half, rng=np.random.default_rng(5))
    assert np.array_equal(one.state, two.state)
    for _ in range(10):
        if not one.over:
            action = next(iter(one.legal_actions))
            assert one.play(action) == two.play(action)
    branched = Record.of(one)
    assert branched.history[: len(cut.history)] == cut.history
    assert np.array_equal(Record.parse(str(branched)).game().state, one.state)


def test_replay_goes_step_by_step() -> None:
    record = RECORDS[0]
    steps = list(record.replay())
    assert [step for step, _ in steps] == [None, *record.history]
    assert np.array_equal(steps[-1][1].state, GAMES[0].state)


def test_the_end_is_written_and_checked() -> None:
    game = Game(load("duel"), Rules(round_cap=1, starting_armies="one"), 2, rng=np.random.default_rng(0))
    for seat in range(2):
        game.play(Draft(int(np.flatnonzero(game.owners == seat)[0]), game.to_place))
        game.play(END)
    capped = Record.of(game)
    assert capped.winner == "capped"
    assert Record.parse(str(capped)) == capped
    with pytest.raises(FormatError, match="says that the winner is 0, but it replays to capped"):
        Record.parse(str(capped).replace("capped", "0"))
    assert RECORDS[3].winner == 0
    assert '[Winner "0"]' in str(RECORDS[3])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('[Game "Risk"]', '[Game "Chess"]', "not a Risk record"),
        ('[Map "duel"]', '[Map "narnia"]', "unknown map 'narnia'"),
        ('[Map "duel"]', '[Map "../x.toml"]', "not the name of a map"),
        ('[Players "2"]', '[Players "two"]', "Players: a number up to 6, not 'two'"),
        ('[Players "2"]', '[Players "7"]', "2 to 6 players, not 7"),
        ('[Players "2"]', '[Players "2"', "line 4: not a header"),
        ('[Players "2"]', '[Players "2"]\n[Players "2"]', "line 5: a second header Players"),
        ('[Winner "*"]', '[Winner "1"]', r"says that the winner is 1, but it replays to \*"),
        ("deal = moor dale", "deal = moor moor", "line 8: .*chance cannot bring that now"),
        ("deal = moor dale fen weald heath wold", "", "line 10: draft fen 4: chance has to decide first"),
        ("draft fen 4", "draft fen 5", "line 10: draft fen 5: there are not so many armies in hand"),
        ("draft fen 4", "march", "line 10: not an action: 'march'"),
        ("draft fen 4", "draft fen 4 = 6v6", "line 10: chance has nothing to decide here"),
        ("61v4", "6v4", "line 11: .*"),
        ("61v4", "7v4", "line 11: .*"),
        ("; to arms", "deal = moor", "line 9: the deal comes first"),
    ],
)
def test_faults_are_named(old: str, new: str, words: str) -> None:
    assert old in WRITTEN
    with pytest.raises(FormatError, match=words):
        Record.parse(WRITTEN.replace(old, new, 1))


def test_headers_of_ones_own_have_names_of_their_own() -> None:
    for name in ("Map", "Winner", "two words", ""):
        with pytest.raises(FormatError, match="not a name for a header of your own"):
            Record.of(GAMES[0], headers={name: "x"})


def test_a_map_of_ones_own_is_handed_in() -> None:
    mine = WorldMap.parse(str(load("duel")).replace('name = "duel"', 'name = "mine"'))
    record = Record.of(Game(mine, Rules(), 2, rng=np.random.default_rng(0)))
    assert Record.parse(str(record), mine) == record
    with pytest.raises(FormatError, match="unknown map 'mine'"):
        Record.parse(str(record))


def test_ten_thousand_broken_records_are_read_or_refused() -> None:
    short = [str(record.cut(25)) for record in RECORDS]
    assert 100 < survivors(Record.parse, FormatError, short) < 9_900


def test_what_is_read_from_a_broken_record_is_sound() -> None:
    for text in mutants([str(record.cut(25)) for record in RECORDS], 1000, seed=1):
        try:
            record = Record.parse(text)
        except FormatError:
            continue
        assert np.array_equal(Record.parse(str(record)).game().state, record.game().state)
