"""The text of a position: pleasant to type, exact when written, and faults named."""

import numpy as np
import pytest

from surefoot.errors import FormatError
from surefoot.risk import Game, Observation, Phase, Rules, WorldMap, load
from surefoot.risk.kernels import layout
from tests.mutate import mutants, survivors

TYPED = """\
map: duel
players: 3
; what a player types from a table
cards: moor Weald wild-1
hands: 3 2 0
round: 4

0: moor 3, fen 1
1: Heath 2
1: dale 4
2: weald 1, wold 12
"""


def test_a_typed_position_is_short() -> None:
    seen = Observation.parse(TYPED)
    assert (seen.worldmap, seen.rules, seen.players) == (load("duel"), Rules(), 3)
    assert (seen.seat, seen.turn, seen.phase, seen.round) == (0, 0, Phase.DRAFT, 4)
    assert seen.to_place == seen.reinforcements(0) == 3
    assert seen.cards == (0, 4, 6)
    assert seen.card_counts == (3, 2, 0)
    assert seen.owners.tolist() == [0, 0, 1, 1, 2, 2]
    assert seen.armies.tolist() == [3, 1, 2, 4, 1, 12]
    assert (seen.territory_counts, seen.army_counts) == ((2, 2, 2), (4, 6, 13))
    assert seen.state[layout.DECK_COUNT] == 8 - 5
    assert seen.alive == (True, True, True)
    assert len(seen.legal_actions) == 6 + 1  # 1 to 3 armies on two territories, or a trade


def test_written_out_it_reads_back() -> None:
    seen = Observation.parse(TYPED)
    assert str(seen) == (
        "map: duel\nrules: standard\nplayers: 3\nseat: 0\nturn: 0\nround: 4\nphase: draft\nin hand: 3\n"
        "cards: moor weald wild-1\nhands: 3 2 0\n"
        "0: moor 3, fen 1\n1: heath 2\n1: dale 4\n2: weald 1, wold 12\n"
    )
    assert Observation.parse(str(seen)) == seen
    assert Observation.parse(str(seen).replace("\n", "\r\n")) == seen
    assert seen != Observation.parse(TYPED.replace("wold 12", "wold 11"))
    assert len({seen, Observation.parse(TYPED)}) == 1


def test_whose_turn_it_is_may_differ_from_who_looks() -> None:
    seen = Observation.parse(TYPED + "turn: 1\nphase: attack\nattacks: 2\nconquered: yes")
    assert (seen.seat, seen.turn, seen.phase, seen.attacks, seen.conquered) == (0, 1, Phase.ATTACK, 2, True)
    assert Observation.parse(str(seen)) == seen


def test_a_map_of_ones_own_is_handed_in() -> None:
    mine = WorldMap.parse(str(load("duel")).replace('name = "duel"', 'name = "mine"'))
    text = TYPED.replace("map: duel", "map: mine")
    assert Observation.parse(text, mine).worldmap is mine
    with pytest.raises(FormatError, match="line 1: unknown map 'mine'"):
        Observation.parse(text)
    with pytest.raises(FormatError, match="line 1: not the name of a map"):
        Observation.parse(text.replace("mine", "../secret.toml"), mine)


def test_fog_hides_what_is_not_listed() -> None:
    text = "map: duel\nrules: standard:fog=yes\nplayers: 3\nout: 2\n0: moor 3, fen 1\n1: heath 2, dale 1"
    seen = Observation.parse(text)
    assert seen.owners.tolist() == [0, 0, 1, 1, layout.HIDDEN, layout.HIDDEN]
    assert seen.alive == (True, True, False)
    assert Observation.parse(str(seen)) == seen
    assert Observation.parse(text + "\nturn: 1").phase is Phase.WAITING


def test_no_seat_sees_another_hand_or_the_deck() -> None:
    game = Game(load("duel"), Rules(), 2, rng=np.random.default_rng(0))
    game.card_places[:4] = [0, 1, layout.DISCARD, 1]
    assert (
        game.observation(0).card_places.tolist() == [0, layout.HIDDEN, layout.DISCARD] + [layout.HIDDEN] * 5
    )
    with pytest.raises(ValueError, match="there is no seat 2: there are 2"):
        game.observation(2)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("map: duel\n", "", "the line 'map' is missing"),
        ("players: 3\n", "", "the line 'players' is missing"),
        ("players: 3", "players: 9", "2 to 6 players, not 9"),
        ("players: 3", "players: three", "line 2: expected a number"),
        ("round: 4", "round: 4\nround: 5", "line 7: a second line 'round'"),
        ("round: 4", "round: 501", "line 6: expected a number from 0 to 500"),
        ("round: 4", "round: 0", "the first round is 1"),
        ("round: 4", "rounds: 4", "line 6: unknown line 'rounds'"),
        ("round: 4", "round 4", "line 6: expected NAME: VALUE"),
        ("round: 4", "phase: lunch", r"line 6: unknown phase 'lunch' \(known: deal, claim"),
        ("round: 4", "phase: waiting", "nobody waits without fog"),
        ("round: 4", "phase: claim", "every territory has an owner"),
        ("round: 4", "seat: 3", "line 6: expected a number from 0 to 2"),
        ("round: 4", "in hand: 0", "at least one army"),
        ("round: 4", "phase: attack\nin hand: 2", "no armies to place while the phase is attack"),
        ("round: 4", "capitals: moor heath wold", "capitals: these rules know none"),
        ("round: 4", "attack: moor fen 2", "goes with the phase roll"),
        ("round: 4", "phase: roll", "goes with the phase roll"),
        ("round: 4", "phase: roll\nattack: moor wold 2", "attack: the territories are not neighbours"),
        ("round: 4", "phase: occupy\ntaken: moor heath", "taken: expected two territories of the player"),
        ("hands: 3 2 0", "hands: 3 2", "line 5: expected 3 numbers"),
        ("hands: 3 2 0", "hands: 2 2 0", "hands: 2 of one's own, but cards names 3"),
        ("hands: 3 2 0", "hands: 3 4 4", "there are not so many cards"),
        ("hands: 3 2 0", "cards 1: fen", "another's cards are not seen"),
        ("hands: 3 2 0", "discards: moor", "a second time moor"),
        ("wild-1", "wild-7", "line 4: duel has no territory 'wild-7'"),
        ("wold 12", "wold", "line 11: expected TERRITORY ARMIES, not 'wold'"),
        ("wold 12", "wold 0", "line 11: wold: 1 to 1000000 armies, not 0"),
        ("wold 12", "fen 12", "line 11: a second time fen"),
        (", wold 12", "", "wold has no owner"),
        ("2: weald", "3: weald", "line 11: there is no seat 3"),
        ("2: weald", "neutral: weald", "line 11: there is no neutral"),
        ("2: weald", "2: wealt", "line 11: duel has no territory 'wealt'"),
        ("0: moor 3, fen 1", "1: moor 3, fen 1", "player 0 is out"),
    ],
)
def test_faults_are_named(old: str, new: str, words: str) -> None:
    assert old in TYPED
    with pytest.raises(FormatError, match=words):
        Observation.parse(TYPED.replace(old, new, 1))


def a_position(rules: Rules, players: int, seed: int, moves: int) -> str:
    game = Game(load("duel"), rules, players, rng=None)
    rng = np.random.default_rng(seed)
    while len(game.history) < moves and not game.over:
        outcomes = game.chance_outcomes()
        if outcomes:
            game.resolve(outcomes[rng.integers(len(outcomes))][0])
        else:
            actions = list(game.legal_actions)
            game.play(actions[rng.integers(len(actions))])
    return str(game.observation())


POSITIONS = [
    TYPED,
    a_position(Rules(), 2, 3, 40),
    a_position(Rules(fog=True, capitals=True), 3, 5, 60),
    a_position(Rules(neutral=True, placement="claimed"), 2, 1, 4),
    a_position(Rules(cards="fixed", blitz="never"), 3, 2, 80),
]


def test_ten_thousand_broken_positions_are_read_or_refused() -> None:
    assert 100 < survivors(Observation.parse, FormatError, POSITIONS) < 9_900


def test_what_is_read_from_a_broken_text_is_sound() -> None:
    """A mutant that is accepted is a position like any other: it writes, reads back, and can be played on."""
    played = 0
    for text in mutants(POSITIONS, 3000, seed=1):
        try:
            seen = Observation.parse(text)
        except FormatError:
            continue
        assert Observation.parse(str(seen)) == seen
        if not seen.rules.fog:
            game = Game.on(seen, rng=np.random.default_rng(0), cards=np.random.default_rng(0))
            for _ in range(3):
                if not game.over:
                    game.play(next(iter(game.legal_actions)))
                    played += 1
    assert played > 300
