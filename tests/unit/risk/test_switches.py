"""The rules of section 3, case 12: the switches; and what a game offers whatever they are."""

from itertools import islice

import numpy as np
import pytest

from surefoot.errors import IllegalAction
from surefoot.risk import (
    END,
    Attack,
    Claim,
    Draft,
    Fortify,
    Game,
    Observation,
    Phase,
    Record,
    Rules,
    load,
)
from surefoot.risk.events import Dealt, Lost, Rolled
from surefoot.risk.kernels import layout
from surefoot.risk.truths import possible_states
from tests.risk_positions import (
    CHAIN,
    CLASSIC,
    DALE,
    DUEL,
    FEN,
    HEATH,
    MOOR,
    PLAYERS,
    TABLE,
    WEALD,
    WOLD,
    at,
    refuses,
)

# --- 12. switches ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_claiming_goes_round_and_then_places_the_rest(players: int) -> None:
    game = Game(DUEL, Rules(placement="claimed"), players, rng=None)
    for land in (5, 3, 1, 0, 2, 4):
        assert (game.phase, game.turn) == (Phase.CLAIM, (0, 1, 2, 3, 4, 5)[len(game.history) % players])
        game.play(Claim(land))
        if game.phase is Phase.CLAIM:
            refuses(game, Claim(land), "the territory has an owner already")
    expected = [0] * 6
    for turn, land in enumerate((5, 3, 1, 0, 2, 4)):
        expected[land] = turn % players
    assert game.owners.tolist() == expected
    assert game.phase in (Phase.SETUP, Phase.DRAFT)


def test_the_neutral_is_dealt_its_territories_where_players_claim() -> None:
    game = Game(DUEL, Rules(placement="claimed", neutral=True), 2, rng=None)
    game.play(Claim(0))
    game.play(Claim(1))
    assert (game.phase, game.turn) == (Phase.DEAL, 2)
    assert [event for event, _ in game.chance_outcomes()] == [Dealt(t) for t in (2, 3, 4, 5)]
    refuses(game, Claim(2), "chance has to decide first")
    game.resolve(Dealt(4))
    assert (game.owners[4], game.turn) == (2, 0)


@pytest.mark.parametrize("players", PLAYERS)
def test_every_deal_is_as_likely_and_fair(players: int) -> None:
    game = Game(DUEL, Rules(), players, rng=None)
    for dealt in range(6):
        outcomes = game.chance_outcomes()
        assert [weight for _, weight in outcomes] == [1] * (6 - dealt)
        game.resolve(outcomes[-1][0])
    counts = game.territory_counts
    assert max(counts) - min(counts) <= 1
    assert game.owners.tolist() == [(5 - t) % players for t in range(6)]


def test_setup_steps() -> None:
    for step, placed in [(0, 2), (1, 1), (2, 2), (3, 2)]:
        game = Game(DUEL, Rules(setup_step=step), 2, rng=np.random.default_rng(0))
        assert (game.reserves, game.to_place) == ((2, 2), placed)


def test_blitz_and_the_number_of_attacks() -> None:
    never = at("rules: standard:blitz=never\n" + CHAIN)
    refuses(never, Attack(HEATH, WEALD, 1), "one roll at a time")
    assert Attack(HEATH, WEALD, 1, "roll") in never.legal_actions
    must = at("rules: standard:blitz=must\n" + CHAIN)
    refuses(must, Attack(HEATH, WEALD, 1, "roll"), "until it is decided")
    assert Attack(HEATH, WEALD, 1) in must.legal_actions
    game = at("rules: standard:max_attacks=1\n" + CHAIN)
    game.play(Attack(HEATH, WEALD, 1))
    game.resolve(Lost(1))
    refuses(game, Attack(HEATH, WEALD, 1), "allow no more attacks this turn")
    assert set(map(type, game.legal_actions)) == {Fortify, type(END)}


def test_coins_decide_one_army_at_a_time() -> None:
    game = at("rules: document-program\n" + CHAIN)
    game.play(Attack(HEATH, WEALD, 1))
    assert game.chance_outcomes() == [(Lost(0), 1), (Lost(1), 1)]
    with pytest.raises(IllegalAction, match="chance cannot bring that"):
        game.resolve(Rolled((6,), (1,)))
    game.resolve(Lost(0))
    assert game.armies[WEALD] == 2
    refuses(at("rules: document-program\n" + CHAIN), Attack(MOOR, HEATH, 2, "roll"), "own territory")


def test_armies_in_a_territory_are_capped_and_what_finds_no_room_is_lost() -> None:
    text = "rules: standard:max_armies=6\nplayers: 2\n0: moor 5, fen 6\n1: heath 1, dale 1, weald 1, wold 1"
    game = at(text)
    refuses(game, Draft(FEN, 1), "no room for so many armies")
    refuses(game, Draft(MOOR, 2), "no room for so many armies")
    assert game.to_place == 3
    game.play(Draft(MOOR, 1))
    assert (game.to_place, game.phase) == (0, Phase.ATTACK)
    refuses(game, Fortify(MOOR, FEN, 1), "no room for so many armies")


@pytest.mark.parametrize("players", [2, 3])
def test_whoever_holds_all_capitals_wins(players: int) -> None:
    game = Game(DUEL, Rules(capitals=True, starting_armies="one"), players, rng=np.random.default_rng(4))
    for seat in range(players):
        assert (game.phase, game.turn) == (Phase.CAPITAL, seat)
        own, foreign = (int(np.flatnonzero((game.owners == seat) == mine)[0]) for mine in (True, False))
        refuses(game, Claim(foreign), "not one's own")
        game.play(Claim(own))
        assert game.capitals[seat] == own
    lines = "rules: standard:capitals=yes\nplayers: 2\nphase: attack\ncapitals: moor dale\n"
    game = at(lines + "0: moor 1, fen 9, heath 1\n1: dale 1, weald 1, wold 1")
    game.play(Attack(FEN, DALE, 8))
    game.resolve(Rolled((6, 5, 4), (1,)))
    assert (game.winner, game.alive) == (0, (True, True))
    game = at(
        lines.replace("moor dale", "moor wold") + "0: moor 1, fen 9, heath 1\n1: dale 1, weald 1, wold 1"
    )
    game.play(Attack(FEN, DALE, 8))
    game.resolve(Rolled((6, 5, 4), (1,)))
    assert not game.over


@pytest.mark.parametrize("players", PLAYERS)
def test_fog_hides_what_is_far_and_lifts_at_the_end(players: int) -> None:
    rules = Rules(fog=True, starting_armies="one", round_cap=1)
    game = Game(load("classic"), rules, players, rng=np.random.default_rng(3))
    for seat in range(players):
        seen = game.observation(seat)
        near = {t for a in range(42) for t in CLASSIC.neighbours[a] if game.owners[a] == seat}
        for t in range(42):
            shown = game.owners[t] == seat or t in near
            assert (seen.owners[t] == game.owners[t]) == shown
            assert seen.armies[t] == (game.armies[t] if shown else 0)
        assert (seen.phase is Phase.WAITING) == (seat != game.turn)
        assert seen.to_place == (game.to_place if seat == game.turn else 0)
        assert sum(seen.territory_counts) == (seen.owners >= 0).sum()
    while not game.over:
        game.play(next(action for action in game.legal_actions if isinstance(action, Draft)))
        if game.phase is Phase.ATTACK:
            game.play(END)
    assert all(np.array_equal(game.observation(seat).state, game.state) for seat in range(players))


# --- legal actions, chance, copies -------------------------------------------------------------------------


def test_legal_actions_count_contain_and_are_listed_lazily() -> None:
    game = at("players: 2\nphase: attack\n0: moor 400, fen 300, heath 1\n1: dale 1, weald 1, wold 1")
    actions = game.legal_actions
    free = 299
    assert len(actions) == free * (free + 1) // 2 + 3 + (399 + 399 + 299 + 299) + 1
    assert len(list(islice(actions, 5))) == 5
    assert Attack(FEN, DALE, 299, 17) in actions
    assert "end" not in actions
    game.play(END)
    assert END in actions  # as it was when it was asked for


def test_a_game_is_its_seed_and_its_actions() -> None:
    one, two = (Game(CLASSIC, Rules(), 3, rng=np.random.default_rng(7)) for _ in range(2))
    for _ in range(200):
        action = next(iter(one.legal_actions))
        assert one.play(action) == two.play(action)
    assert np.array_equal(one.state, two.state)
    assert one.history == two.history


def test_a_copy_goes_its_own_way() -> None:
    game = at(TABLE)
    other = game.copy()
    other.play(Draft(MOOR, 3))
    assert (game.armies[MOOR], other.armies[MOOR]) == (5, 8)
    assert (len(game.history), len(other.history)) == (0, 1)


def test_a_game_on_a_position_deals_hidden_cards_by_lot_and_has_no_record() -> None:
    text = "map: duel\n" + TABLE + "cards: moor\nhands: 1 2 3\ndiscards: wold"
    hands = set()
    for seed in range(20):
        game = Game.on(Observation.parse(text), rng=None, cards=np.random.default_rng(seed))
        assert game.hand(0) == (MOOR,)
        assert [len(game.hand(seat)) for seat in range(3)] == [1, 2, 3]
        assert (game.card_places == layout.DECK).sum() == 1
        assert game.observation(0) == Observation.parse(text)
        hands.add(game.hand(2))
    assert len(hands) > 5
    with pytest.raises(ValueError, match="began on a position"):
        Record.of(game)
    fog = text.replace("hands: 1 2 3\n", "rules: standard:fog=yes\n")
    with pytest.raises(ValueError, match="fog"):
        Game.on(Observation.parse(fog), rng=None, cards=np.random.default_rng(0))


def test_unseen_cards_are_dealt_anew_for_every_state_each_way_as_likely() -> None:
    seen = Observation.parse("map: duel\n" + TABLE + "cards: moor\nhands: 1 2 3\ndiscards: wold")
    count = 3000
    states = possible_states(seen, count, np.random.default_rng(1))
    first = layout.OWNER + 2 * len(seen.worldmap.territories)
    places = states[:, first : first + len(seen.card_places)]
    known = seen.card_places != layout.HIDDEN
    assert (places[:, known] == seen.card_places[known]).all()
    for place, cards in ((1, 2), (2, 3), (layout.DECK, 1)):
        held = places == place
        assert (held.sum(1) == cards).all()
        shares = held[:, ~known].mean(0)
        assert shares == pytest.approx(np.full(6, cards / 6), abs=0.05)
    rest = np.delete(states, range(first, first + len(seen.card_places)), axis=1)
    assert (rest == rest[0]).all()


def test_dice_fall_as_the_table_says() -> None:
    """Real dice, thrown 3v2: the share of each outcome within five standard deviations of the exact one."""
    game = at("players: 2\nphase: attack\n0: moor 9, fen 1\n1: heath 9, dale 1, weald 1, wold 1")
    game.play(Attack(MOOR, HEATH, 3, "roll"))
    rng = np.random.default_rng(1)
    count, seen = 5000, [0, 0, 0]
    for _ in range(count):
        seen[game._draw(rng).outcome] += 1
    for got, weight in zip(seen, (2890, 2611, 2275)):
        share = weight / 7776
        assert abs(got / count - share) < 5 * (share * (1 - share) / count) ** 0.5


def test_what_is_off_the_map_is_refused_in_words() -> None:
    game = at(TABLE)
    refuses(game, Draft(99, 1), "draft 99 1: there is no such territory")
    refuses(game, Draft(-1, 1), "no game has such numbers")
    refuses(game, Draft(MOOR, 0), "draft moor 0: it takes at least one army")
    refuses(game, Draft(MOOR, 4), "there are not so many armies in hand")
    refuses(game, Attack(MOOR, HEATH, 1), "the armies in hand have to be placed first")
    game.play(Draft(MOOR, 3))
    refuses(game, Draft(MOOR, 1), "the time for that in this turn is over")
    refuses(game, Attack(MOOR, FEN, 1), "one does not attack one's own territory")
    refuses(game, Attack(MOOR, WOLD, 1), "not neighbours")
    refuses(game, Attack(HEATH, MOOR, 1), "not one's own")
