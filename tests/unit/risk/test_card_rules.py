"""The rules of section 3, cases 4 to 6: cards in a turn."""

import pytest

from surefoot.risk import (
    END,
    Attack,
    Draft,
    Game,
    Occupy,
    Phase,
    Trade,
)
from surefoot.risk.events import Drawn, Rolled
from tests.risk_positions import DALE, FEN, HEATH, MOOR, TABLE, WEALD, WOLD, at, refuses

# --- 4. and 5. cards in a turn -----------------------------------------------------------------------------


@pytest.mark.parametrize("held", [3, 4])
def test_three_or_four_cards_may_be_traded(held: int) -> None:
    cards = ["wild-1", "dale", "weald", "wold"][:held]
    game = at(TABLE + f"cards: {' '.join(cards)}\nhands: {held} 0 0")
    assert not game.must_trade
    assert Draft(MOOR, 3) in game.legal_actions
    game.play(next(a for a in game.legal_actions if isinstance(a, Trade)))
    assert (game.to_place, game.sets_traded, game.card_counts[0]) == (3 + 4, 1, held - 3)


@pytest.mark.parametrize("held", [5, 6, 7])
def test_five_or_more_cards_must_be_traded_until_four_or_fewer_are_left(held: int) -> None:
    cards = ["wild-1", "wild-2", "dale", "weald", "wold", "heath", "moor"][:held]
    game = at(TABLE + f"cards: {' '.join(cards)}\nhands: {held} 0 0")
    trades = 0
    while game.must_trade:
        refuses(game, Draft(MOOR, 1), "cards have to be traded first")
        game.play(next(a for a in game.legal_actions if isinstance(a, Trade)))
        trades += 1
    assert trades == 1
    assert game.card_counts[0] == held - 3


def test_an_owned_picture_gives_two_armies_once_on_one_of_them() -> None:
    game = at(TABLE + "cards: moor fen wild-1\nhands: 3 0 0")
    both = (MOOR, FEN, 6)
    refuses(game, Trade(both), "the bonus goes on an own territory")
    refuses(game, Trade(both, HEATH), "the bonus goes on an own territory")
    assert Trade(both, MOOR) in game.legal_actions
    game.play(Trade(both, FEN))
    assert (game.armies[MOOR], game.armies[FEN], game.to_place) == (5, 7, 7)


def test_no_owned_picture_gives_nothing() -> None:
    game = at(TABLE + "cards: dale weald wild-1\nhands: 3 0 0")
    three = (DALE, WEALD, 6)
    refuses(game, Trade(three, MOOR), "the bonus goes on an own territory")
    game.play(Trade(three))
    assert game.army_counts[0] == 10


@pytest.mark.parametrize(
    ("own", "taken", "forced"), [(3, 2, False), (3, 3, True), (4, 3, True), (4, 4, True)]
)
def test_cards_of_an_eliminated_player(own: int, taken: int, forced: bool) -> None:
    """With six or more one trades at once until four or fewer are left; exactly five wait."""
    deck = ["moor", "fen", "heath", "dale", "weald", "wold", "wild-1", "wild-2"]
    game = at(
        "players: 3\nphase: attack\n0: moor 1, fen 9, heath 1\n1: dale 1\n2: weald 3, wold 3\n"
        + f"cards: {' '.join(deck[:own])}\nhands: {own} {taken} 0"
    )
    game.play(Attack(FEN, DALE, 8))
    game.resolve(Rolled((6, 5, 4), (1,)))
    assert game.alive == (True, False, True)
    assert game.card_counts == (own + taken, 0, 0)
    game.play(Occupy(4))
    if not forced:
        assert (game.phase, game.must_trade) == (Phase.ATTACK, False)
        return
    assert (game.phase, game.must_trade, game.to_place) == (Phase.DRAFT, True, 0)
    while game.must_trade:
        assert game.card_counts[0] > 4
        game.play(next(a for a in game.legal_actions if isinstance(a, Trade)))
    assert game.card_counts[0] in (own + taken - 3, own + taken - 6)
    assert game.card_counts[0] <= 4
    assert not any(isinstance(action, Trade) for action in game.legal_actions)
    assert game.to_place in (4, 4 + 6)
    game.play(Draft(DALE, game.to_place))
    assert game.phase is Phase.ATTACK
    assert Attack(DALE, WEALD, 2) in game.legal_actions


def test_after_the_forced_trade_no_further_set_may_be_traded() -> None:
    deck = "moor fen heath wild-1"
    game = at(
        "players: 3\nphase: attack\n0: moor 1, fen 9, heath 1\n1: dale 1\n2: weald 3, wold 3\n"
        + f"cards: {deck}\nhands: 4 3 0"
    )
    game.play(Attack(FEN, DALE, 8))
    game.resolve(Rolled((6,) * 3, (1,)))
    game.play(Occupy(3))
    game.play(next(a for a in game.legal_actions if isinstance(a, Trade)))
    left = game.hand(0)
    assert len(left) == 4
    for trade in (Trade((left[0], left[1], left[2])), Trade((left[1], left[2], left[3]))):
        refuses(game, trade, "in mid-turn cards are traded only as long as they have to be")


# --- 6. drawing cards --------------------------------------------------------------------------------------


@pytest.mark.parametrize("conquests", [0, 1, 2])
def test_at_most_one_card_a_turn_and_only_after_a_conquest(conquests: int) -> None:
    game = at("players: 3\nphase: attack\n0: moor 20, fen 1\n1: heath 1, dale 1\n2: weald 1, wold 9")
    for source, target in [(MOOR, HEATH), (HEATH, WEALD)][:conquests]:
        game.play(Attack(source, target, int(game.armies[source]) - 1))
        game.resolve(Rolled((6, 5, 4), (1,)))
        game.play(Occupy(game.occupation[1]))  # type: ignore[index]
    game.play(END)
    if conquests:
        assert game.phase is Phase.DRAW
        assert [weight for _, weight in game.chance_outcomes()] == [1] * 8
        game.resolve(Drawn(WOLD))
    assert game.card_counts == (min(conquests, 1), 0, 0)
    assert game.turn == 1


def _conquer_and_end(extra: str) -> Game:
    game = at("players: 3\nphase: attack\n0: moor 9, fen 1\n1: heath 1, dale 2\n2: weald 2, wold 2\n" + extra)
    game.play(Attack(MOOR, HEATH, 8))
    game.resolve(Rolled((6, 5, 4), (1,)))
    game.play(Occupy(3))
    game.play(END)
    return game


def test_an_empty_deck_takes_the_discards_back() -> None:
    game = _conquer_and_end("discards: moor fen heath\nhands: 0 3 2")
    assert game.phase is Phase.DRAW
    assert [event for event, _ in game.chance_outcomes()] == [Drawn(MOOR), Drawn(FEN), Drawn(HEATH)]


def test_without_deck_and_discards_there_is_no_card() -> None:
    game = _conquer_and_end("hands: 0 4 4")
    assert (game.phase, game.turn, game.card_counts) == (Phase.DRAFT, 1, (0, 4, 4))


def test_a_sixth_card_at_the_end_of_a_turn_waits() -> None:
    game = _conquer_and_end("cards: moor fen heath dale weald\nhands: 5 0 0")
    game.resolve(Drawn(WOLD))
    assert game.card_counts == (6, 0, 0)
    for place in (DALE, WEALD):
        game.play(Draft(place, 3))
        game.play(END)
    assert (game.turn, game.phase, game.must_trade) == (0, Phase.DRAFT, True)


def test_no_cards_where_the_rules_know_none() -> None:
    game = _conquer_and_end("rules: standard:cards=none")
    assert (game.phase, game.turn) == (Phase.DRAFT, 1)
    refuses(game, Trade((0, 1, 2)), "these rules know no cards")
