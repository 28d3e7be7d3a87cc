"""The value of a position: its words by hand and against a plain twin, the network, and what is refused."""

import numpy as np
import pytest
from numpy.typing import NDArray

from surefoot.errors import FormatError
from surefoot.risk import Game, Observation, Rules, WorldMap, load
from surefoot.risk.bulk import Match, draw_event
from surefoot.risk.kernels import layout, value, value_words
from surefoot.risk.kernels.value_words import NAMES
from surefoot.risk.learning import predict
from surefoot.risk.situation import CHANCE_PHASES, Phase, Situation
from surefoot.risk.value import chances, gap, is_meant_for, new_words, parse, shipped, write
from surefoot.spec import parse as agent
from tests import naive_value
from tests.risk_positions import DUEL, RAPIDS

RANDOM = np.random.default_rng(5).normal(0, 1, value.NET_SIZE)


def told(position: Situation) -> NDArray[np.float64]:
    words = new_words(position.worldmap)
    words[:] = 99.0  # what was there before is no matter
    value_words.tell(position.worldmap.world, position.packed, position.state, words)
    return words[: position.players, : value_words.WORDS]


def turns(world: WorldMap, rules: Rules, styles: tuple[str, ...], games: int, most: int = 12) -> list[Game]:
    """Games as they stand where a turn begins, played on by these agents for so many rounds."""
    found = []
    match = Match(world, rules, len(styles), 3, False)
    for number in range(games):
        game, streams = Game(world, rules, len(styles), rng=None), match.words(number)
        agents = [agent(style, "risk").make(seat) for seat, style in enumerate(styles)]
        before = (0, 0)
        while game.round < most and not _is_over(game, streams):
            turn = (game.round, game.turn)
            if game.phase is Phase.DRAFT and turn != before:
                before = turn
                kept = Game(world, rules, len(styles), rng=None)
                kept.state[:] = game.state
                found.append(kept)
            game.play(agents[game.turn].act(game.observation()))
    return found


def _is_over(game: Game, streams: NDArray[np.uint64]) -> bool:
    """Let chance bring what is due; the answer is whether the game is over."""
    while game.phase in CHANCE_PHASES:
        game.resolve(draw_event(game, streams))
    return game.over


TABLES = [
    ("classic", "standard", ("continent", "killer", "aggressive", "turtle", "spread", "random")),
    ("delta", "modern:neutral=yes", ("continent", "killer")),
    ("delta", "standard:capitals=yes;cards=none", ("continent", "killer", "spread")),
    ("grid-4x3", "document", ("aggressive", "passive", "pacifist")),
]


@pytest.mark.parametrize(("world", "rules", "styles"), TABLES, ids=lambda x: str(x)[:24])
def test_the_words_are_those_of_the_plain_twin(world: str, rules: str, styles: tuple[str, ...]) -> None:
    positions = turns(load(world), Rules.parse(rules), styles, 3)
    assert len(positions) > 10
    for position in positions:
        words, expected = told(position), naive_value.words(position)
        for seat in range(position.players):
            if seat not in expected:
                assert not words[seat].any()
                continue
            assert tuple(expected[seat]) == NAMES
            assert np.allclose(words[seat], list(expected[seat].values()), rtol=0, atol=1e-12), seat


def test_a_border_counts_in_the_direction_in_which_it_can_be_crossed() -> None:
    seen = Observation.parse("map: rapids\nplayers: 2\n0: hill 4, ford 2\n1: mill 3", RAPIDS)
    words, expected = told(seen), naive_value.words(seen)
    assert np.allclose(words, [list(expected[seat].values()) for seat in (0, 1)], rtol=0, atol=1e-12)
    # Mill cannot strike Hill: of its enemies only Ford's two are in reach.
    assert words[0, value_words.PRESSURE] == 2 / (2 + 2)
    assert words[1, value_words.PRESSURE] == (3 / (3 + 3) + 1 / (1 + 3)) / 2


def test_words_by_hand() -> None:
    """West holds the west, 7 armies and one card; the east has two of three, 9 armies and three cards."""
    seen = Observation.parse(
        "map: duel\nplayers: 3\nturn: 1\nseat: 1\nhands: 1 3 0\ncards: dale weald wild-1\n"
        "0: moor 3, fen 2, heath 2\n1: dale 4, weald 5\n2: wold 2"
    )
    words = dict(zip(NAMES, told(seen).T))
    bonus = DUEL.continents[0].bonus
    income = np.array([3 + bonus, 3, 3])
    cards = np.array([0, 4 * 0.42, 0])  # the first set is worth 4
    force = np.array([7, 9, 2]) + income + cards
    assert np.allclose(words["land"], [3 / 6, 2 / 6, 1 / 6])
    assert np.allclose(words["armies"], np.array([7, 9, 2]) / 18)
    assert np.allclose(words["income-log"], np.log(income / income.mean()))
    assert np.allclose(words["force"], force / force.sum())
    assert np.allclose(words["bonuses"], np.array([bonus, 0, 0]) / income.mean())
    # Fen 2 against Dale's three that can strike, Heath 2 against Weald's four.
    assert np.isclose(words["threatened"][0], bonus / income.mean() * 4 / (4 + 2))
    assert np.isclose(words["pressure"][0], (3 / 5 + 4 / 6) / 2)
    assert words["moves-now"].tolist() == [0, 1, 0]
    assert words["wait"].tolist() == [1, 0, 1 / 2]
    # Seat 1 stands next to both others with all that it has.
    attack = 9 + 3 + cards[1]
    assert np.allclose(words["danger"][[0, 2]], [attack / (attack + 7), attack / (attack + 2)])
    assert np.isclose(words["danger-soon"][2], attack / (attack + 2))
    assert words["danger-soon"][1] == 0
    assert np.isclose(words["prey"][1], attack / (attack + 2))
    assert np.isclose(words["prey-cards"][1], attack / (attack + 7) / 5)
    assert words["front"].tolist() == [4 / 7, 1, 1]
    assert words["largest"].tolist() == [3 / 7, 5 / 9, 1]


def test_hidden_cards_make_no_difference() -> None:
    for game in turns(load("classic"), Rules(), ("continent", "killer", "aggressive"), 1):
        for seat in range(3):
            assert np.array_equal(told(game), told(game.observation(seat)))


def test_the_network_is_what_numpy_makes_of_it() -> None:
    for world, rules, styles in TABLES[:2]:
        for position in turns(load(world), Rules.parse(rules), styles, 1):
            alive = [seat for seat in range(position.players) if position.state[layout.ALIVE] >> seat & 1]
            plain = predict(RANDOM, told(position)[None, alive].astype(np.float32))
            found = chances(position, RANDOM)
            assert np.allclose([found[seat] for seat in alive], plain[0], rtol=0, atol=1e-4)
            assert np.isclose(sum(found), 1)
            assert all(found[seat] == 0 for seat in range(position.players) if seat not in alive)


def test_the_shipped_network_knows_who_stands_well() -> None:
    seen = Observation.parse("map: duel\nplayers: 2\n0: moor 9, fen 9, heath 9, dale 9, weald 9\n1: wold 1")
    assert chances(seen)[0] > 0.95
    even = Observation.parse("map: duel\nplayers: 2\n0: moor 3, fen 3, heath 3\n1: dale 3, weald 3, wold 3")
    assert 0.5 < chances(even)[0] < 0.95


def test_a_won_game_is_certain() -> None:
    won, streams = Game(load("duel"), Rules(), 2, rng=None), np.ones(1, np.uint64)
    agents = [agent(style, "risk").make(0) for style in ("aggressive", "passive")]
    while not _is_over(won, streams):
        won.play(agents[won.turn].act(won.observation()))
    assert chances(won) == (1.0, 0.0)


@pytest.mark.parametrize("phase", ["attack", "draft"])
def test_the_value_is_of_the_beginning_of_a_turn(phase: str) -> None:
    text = f"map: duel\nplayers: 2\nphase: {phase}\n0: moor 3, fen 3, heath 3\n1: dale 3, weald 3, wold 3"
    if phase == "draft":
        text += "\nmid-turn: yes\nattacks: 1"
    with pytest.raises((ValueError, FormatError)):
        chances(Observation.parse(text))


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('"units": 16', '"units": 15', "reads other words than this version has"),
        ('"land"', '"sea"', "reads other words"),
        ('"net": [', '"net": [1.0, ', f"a network is {value.NET_SIZE} finite numbers"),
        ('"net"', '"nets"', "x.json holds no network"),
        ("{", "", "x.json holds no network"),
    ],
)
def test_a_damaged_network_is_refused(before: str, after: str, words: str) -> None:
    text = write(RANDOM, {"how": "by lot"})
    assert np.allclose(parse(text, "x.json"), RANDOM, rtol=1e-6)
    assert before in text
    with pytest.raises(FormatError, match=words):
        parse(text.replace(before, after, 1), "x.json")


def test_the_shipped_network_says_how_it_was_made() -> None:
    assert shipped().shape == (value.NET_SIZE,)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("", True),
        ("cards: dale\nhands: 1 4", True),
        ("in hand: 2", False),
        ("phase: attack", False),
        ("round: 460", False),
        ("rules: standard:round_cap=40", False),
        ("rules: standard:capitals=yes\ncapitals: moor wold", False),
        ("rules: standard:fog=yes", False),
    ],
)
def test_it_is_asked_where_it_knows_its_way(text: str, meant: bool) -> None:
    armies = "0: moor 3, fen 8, heath 2\n1: dale 3, weald 1, wold 4"
    assert is_meant_for(Observation.parse(f"map: duel\nplayers: 2\n{text}\n{armies}")) is meant


def test_how_far_it_is_off_is_told_with_the_network() -> None:
    gaps = [gap(players) for players in range(2, 7)]
    assert all(0.0 < each < 0.03 for each in gaps)
    assert gaps[2] == gaps[3] == max(gaps)
