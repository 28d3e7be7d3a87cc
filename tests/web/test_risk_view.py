import json
from typing import Any

import numpy as np
import pytest

from surefoot.risk import END, Attack, Claim, Draft, Fortify, Game, Occupy, Rules, Trade, load
from surefoot.risk.actions import Action
from surefoot.risk.battle import battle
from surefoot.risk.dice import COIN, STANDARD, Dice
from surefoot.risk.events import Dealt, Drawn, Lost, Rolled
from surefoot.risk.observation import Observation
from surefoot.risk.words import instruction
from surefoot.web.refusals import Refused
from surefoot.web.risk.log import SHOWN, Entry, Log, Teller, gave_up
from surefoot.web.risk.odds import EXACT, odds
from surefoot.web.risk.players import agents, check_agent, check_player, labels
from surefoot.web.risk.view import MOST_MARCHES, MOST_SETS, position, viewer_of

MOOR, FEN, HEATH, DALE, WEALD, WOLD = range(6)
NAMES = ("You", "Killer", "Turtle")


def a_game(text: str) -> Game:
    """The game of a position on the map duel, in which nothing is hidden but cards."""
    return Game.on(Observation.parse(f"map: duel\n{text}"), rng=None, cards=np.random.default_rng(0))


def attacking(text: str) -> Game:
    """The same once the armies in hand are placed, on Moor."""
    game = a_game(text)
    game.play(Draft(MOOR, game.to_place))
    return game


def test_seats_are_called_by_who_plays_there() -> None:
    assert labels(["human", "continent", "turtle:bold"], neutral=False) == ("You", "Continent", "Turtle bold")
    assert labels(["human", "killer", "human"], neutral=False) == ("Player 1", "Killer", "Player 3")
    assert labels(["killer", "killer:bold", "killer"], neutral=False) == (
        "Killer 1",
        "Killer bold",
        "Killer 2",
    )
    assert labels(["human", "random"], neutral=True) == ("You", "Random", "Neutral")


def test_agents_are_those_of_the_game_and_their_presets() -> None:
    known = {"planner", "planner:fast", "empire", "turtle:careful", "alphabeta", "alphabeta:free"}
    assert known <= set(agents())
    assert check_agent("alphabeta:free") == "alphabeta:free" and check_player("human") == "human"
    for name in ("human", "alphabeta:depth=3", "alphabeta:free:depth=3", "x.py:A", "os:system", "", "Killer"):
        with pytest.raises(Refused) as refused:
            check_agent(name)
        assert refused.value.code == "bad-message"


def test_odds_are_exact_and_never_sure() -> None:
    for dice in (STANDARD, COIN, Dice(3, 3)):
        for attackers, defenders in ((1, 1), (3, 2), (8, 5), (2, 9), (40, 31)):
            fought = battle(attackers, defenders, dice=dice)
            win, left = odds(attackers, defenders, dice)
            assert win == round(10_000 * fought.win)
            mean = sum(n * chance for n, chance in enumerate(fought.attackers) if n) / fought.win
            assert left == round(100 * mean)
    assert odds(200, 1, STANDARD)[0] == 9999 and odds(1, 200, STANDARD)[0] in (0, 1)
    # Beyond, the same proportions: a little more or less than the exact figure.
    win, left = odds(2 * EXACT, 2 * EXACT, STANDARD)
    assert win == odds(EXACT, EXACT, STANDARD)[0] and left == 2 * odds(EXACT, EXACT, STANDARD)[1]
    win, left = odds(1_000_000, 3, STANDARD)
    assert win == 9999 and left == pytest.approx(100_000_000, rel=0.01)
    assert odds(3, 1_000_000, STANDARD)[0] <= 1


def told(game: Game, action: Action, *brought: Any, names: tuple[str, ...] = NAMES) -> list[str]:
    return [entry.line["text"] for entry in Teller(game, names).play(action, brought).entries]


def shown(game: Game, viewer: int | None, players: list[str]) -> dict[str, Any]:
    """The position as the view has it, fit for JSON."""
    seen = game if viewer is None else game.observation(viewer)
    view = position(seen, viewer, players, labels(players, neutral=game.rules.neutral))
    read: dict[str, Any] = json.loads(json.dumps(view))
    return read


WEST = "players: 2\n0: moor 3, fen 8, heath 2\n1: dale 3, weald 1, wold 4"


def test_what_is_done_is_told_in_short_sentences() -> None:
    game = a_game(WEST)
    assert told(game, Draft(FEN, 1)) == ["You place 1 army in Fen."]
    assert told(game, Draft(MOOR, game.to_place)) == ["You place 3 armies in Moor."]
    assert told(game, Attack(FEN, DALE, 3, "roll"), Rolled((6, 5, 1), (6, 4))) == [
        "You attack Dale from Fen and lose 1 of 3; Killer loses 1."
    ]
    assert told(game, Attack(FEN, DALE, 3, "roll"), Rolled((2, 2, 1), (6, 4))) == [
        "You attack Dale from Fen and lose 2 of 3; Killer loses none."
    ]
    assert told(game, Attack(FEN, DALE, 3), Rolled((6, 5, 1), (5, 4))) == [
        "You take Dale from Fen without loss."
    ]
    assert told(game, Occupy(4)) == ["You move 4 into Dale."]
    assert told(game, Attack(DALE, WOLD, 3, 1), Rolled((6, 5, 1), (6, 4)), Rolled((1, 1), (2, 2))) == [
        "You attack Wold from Dale and lose 3 of 3; Killer loses 1."
    ]
    assert told(game, END, Drawn(WOLD)) == ["You draw a card.", "Round 1: Killer gets 3 armies."]
    assert told(game, Draft(WEALD, 3)) == ["Killer places 3 armies in Weald."]
    assert told(game, Attack(WEALD, HEATH, 2), Lost(1), Lost(0)) == [
        "Killer takes Heath from Weald, losing 1 of 2."
    ]


def test_a_drawn_card_is_told_to_who_drew_it() -> None:
    game = attacking(WEST)
    teller = Teller(game, ("Player 1", "Player 2"))
    teller.play(Attack(FEN, DALE, 5), (Lost(0), Lost(0)))
    teller.play(Occupy(5))
    drawn = teller.play(END, (Drawn(6),)).entries[0]
    assert drawn.told(0) == drawn.told(None) == {"seat": 0, "text": "Player 1 draws a wild card."}
    assert drawn.told(1) == {"seat": 0, "text": "Player 1 draws a card."}


def test_who_is_out_and_who_wins_is_told() -> None:
    last = "0: moor 3, fen 8, heath 2, dale 3, weald 9\n1: wold 1"
    game = attacking(f"players: 2\nhands: 0 2\n{last}")
    assert told(game, Attack(WEALD, WOLD, 3), Lost(0), names=("Killer", "You")) == [
        "Killer takes Wold from Weald without loss.",
        "You are out; Killer takes 2 cards.",
        "Killer wins!",
    ]
    capped = a_game(f"rules: standard:round_cap=4\nplayers: 2\nseat: 1\nround: 4\n{last}")
    capped.play(Draft(WOLD, capped.to_place))
    assert told(capped, END)[-1] == "Round 4, the last one, is over: nobody wins."


def test_trades_and_marches_are_told() -> None:
    game = a_game(f"sets: 2\ncards: moor fen heath\nhands: 3 0\nin hand: 3\n{WEST}")
    assert told(game, Trade((MOOR, FEN, HEATH), FEN)) == [
        "You trade a mixed set for 8 armies, and get 2 more in Fen."
    ]
    game.play(Draft(MOOR, game.to_place))
    assert told(game, Fortify(MOOR, HEATH, 2)) == [
        "You move 2 from Moor to Heath.",
        "Round 1: Killer gets 4 armies.",
    ]


def test_claims_and_capitals_are_told() -> None:
    game = Game(load("duel"), Rules(placement="claimed", capitals=True, starting_armies=3), 2, rng=None)
    assert Teller(game, NAMES).beginning() == []
    assert told(game, Claim(MOOR)) == ["You claim Moor."]
    assert told(game, Claim(WOLD)) == ["Killer claims Wold."]
    for territory in (FEN, WEALD, HEATH, DALE):
        game.play(Claim(territory))
    assert told(game, Claim(MOOR)) == ["You make Moor your capital."]
    assert told(game, Claim(WOLD)) == ["Killer makes Wold its capital.", "Round 1: you get 4 armies."]


def test_a_battle_is_told_roll_by_roll() -> None:
    game = attacking(WEST)
    teller = Teller(game, NAMES)
    battle = teller.play(Attack(FEN, DALE, 7, 4), (Rolled((1, 6, 5), (5, 6)), Lost(2))).battle
    assert battle is not None and battle.told == {
        "seat": 0,
        "from": FEN,
        "to": DALE,
        "committed": 7,
        "rolls": [[[6, 5, 1], [6, 5]], [2]],
        "attackers": 3,
        "defenders": 3,
        "won": False,
    }
    won = teller.play(Attack(HEATH, WEALD, 1), (Rolled((6,), (5,)),)).battle
    assert won is not None and won.told["won"] and won.told["attackers"] == 1 and won.told["defenders"] == 0


def test_in_fog_only_those_who_saw_it_are_told() -> None:
    game = Game(load("duel"), Rules(fog=True, starting_armies=9, setup_step=0), 3, rng=None)
    for territory in (MOOR, WOLD, FEN, WEALD, HEATH, DALE):  # 0: the first three's odd ones, and so on
        game.resolve(Dealt(territory))
    owner = dict(enumerate(game.owners.tolist()))
    assert owner == {MOOR: 0, WEALD: 0, WOLD: 1, HEATH: 1, FEN: 2, DALE: 2}
    teller = Teller(game, ("A", "B", "C"))
    (placed,) = teller.play(Draft(MOOR, 7)).entries
    # Moor lies beside Fen and Heath, so that both others see it; Wold beside Dale and Weald.
    assert all(placed.told(seat) for seat in range(3))
    for territory, seat in ((WOLD, 1), (FEN, 2)):
        entries = teller.play(Draft(territory, 7)).entries
        assert entries[0].told(seat) and entries[0].told(None)
    begun = entries[-1]
    assert begun.told(0) == {"seat": 0, "text": "Round 1: A gets 3 armies."}
    assert begun.told(1) == {"seat": 0, "text": "Round 1: A's turn."}
    # What lies apart is not told: a line of territories, each seat at its own end.
    far = Game(load("grid-4x1"), Rules(fog=True, starting_armies=5, setup_step=0), 2, rng=None)
    for territory in (0, 3, 1, 2):
        far.resolve(Dealt(territory))
    (hidden,) = Teller(far, ("A", "B")).play(Draft(0, 3)).entries
    assert hidden.told(0) and hidden.told(None) and hidden.told(1) is None


def test_the_log_joins_what_is_placed_on_one_territory() -> None:
    names, places = ("You", "Killer"), ["Moor", "Fen"]
    game = a_game(WEST)
    log, teller = Log(), Teller(game, names)
    log.add(teller.beginning(), names, places)
    marks = []
    for territory in (MOOR, MOOR, FEN):
        marks.append((log.mark(), log.lines(0)))
        log.add(teller.play(Draft(territory, 1)).entries, names, places)
    assert [line["text"] for line in log.lines(0)][-2:] == [
        "You place 2 armies in Moor.",
        "You place 1 army in Fen.",
    ]
    for mark, lines in reversed(marks):
        log.back(mark)
        assert log.lines(0) == lines


def test_the_log_shows_the_newest_and_seldom_shifts() -> None:
    log, firsts = Log(), []
    for number in range(20 * SHOWN):
        log.add([Entry({"seat": None, "text": str(number)})], (), ())
        lines = log.lines(None)
        assert lines[-1]["text"] == str(number)
        assert min(SHOWN, number + 1) <= len(lines) < 2 * SHOWN
        firsts.append(lines[0]["text"])
        mark = log.mark()
        for extra in range(number % 50):
            log.add([Entry({"seat": None, "text": f"more {extra}"})], (), ())
        log.back(mark)
        assert log.lines(None) == lines
    assert len(set(firsts)) <= 20


def test_in_fog_what_others_do_does_not_push_out_what_one_has_seen() -> None:
    log = Log()
    for number in range(10):
        log.add([Entry({"seat": 0, "text": f"own {number}"})], (), ())
        log.add([Entry({"seat": 1, "text": "hidden"}, seen=0b10) for _ in range(50)], (), ())
    assert [line["text"] for line in log.lines(0)] == [f"own {number}" for number in range(10)]
    assert log.lines(None)[-1]["text"] == "hidden"


def test_a_fault_and_advice_are_told() -> None:
    line = gave_up(("You", "Killer"), 1, "passive", "ValueError: no").line
    assert line == {"seat": 1, "text": "Killer cannot go on (ValueError: no): passive plays for it."}
    places = ["Moor", "Fen", "Heath"]
    for action, words in (
        (Claim(0), "Take Moor"),
        (Draft(1, 1), "Place 1 army in Fen"),
        (Attack(0, 1, 5), "Attack Fen from Moor with 5"),
        (Attack(0, 1, 3, "roll"), "Attack Fen from Moor with 3, one roll"),
        (Attack(0, 1, 5, 2), "Attack Fen from Moor with 5, until 2 are left"),
        (Occupy(4), "Move 4 armies in"),
        (Fortify(0, 2, 2), "Move 2 armies from Moor to Heath"),
        (Trade((0, 1, 4), 1), "Trade Moor, Fen, a wild card, with the extra armies in Fen"),
        (END, "End the turn"),
    ):
        assert instruction(action, places) == words


def test_the_viewer_is_the_person_whose_turn_it_is_or_comes_next() -> None:
    game = a_game("players: 3\nseat: 1\n0: moor 3, fen 8\n1: dale 3, weald 1\n2: heath 2, wold 4")
    assert viewer_of(game, ["human", "human", "human"]) == 1
    assert viewer_of(game, ["human", "turtle", "human"]) == 2
    assert viewer_of(game, ["human", "turtle", "turtle"]) == 0
    assert viewer_of(game, ["turtle", "turtle", "turtle"]) is None
    out = a_game("players: 3\nseat: 1\n1: dale 3, weald 1, moor 1\n2: heath 2, wold 4, fen 1")
    assert viewer_of(out, ["human", "turtle", "human"]) == 2 and viewer_of(out, ["human", "a", "b"]) is None


def test_the_view_of_a_turn() -> None:
    players = ["human", "killer"]
    text = f"sets: 1\ncards: moor wild-1 dale heath\nhands: 4 2\n{WEST}"
    view = shown(a_game(text), 0, players)
    assert (view["phase"], view["to_place"], view["next_set"], view["must_trade"]) == ("draft", 4, 6, False)
    assert view["owners"] == [0, 0, 0, 1, 1, 1] and view["armies"] == [3, 8, 2, 3, 1, 4]
    assert view["hand"][0] == {"card": MOOR, "kind": "infantry", "territory": MOOR}
    assert view["hand"][-1] == {"card": 6, "kind": "wild", "territory": None}
    # Moor infantry, Dale infantry, Heath artillery and a wild card, all worth the same: pictures first.
    assert {tuple(offer["cards"]) for offer in view["sets"]} == {(0, 3, 6), (0, 2, 6), (2, 3, 6)}
    assert all(offer["worth"] == 6 and offer["on"] in (MOOR, HEATH) for offer in view["sets"])
    assert view["choices"]["draft"] == [MOOR, FEN, HEATH] and not view["choices"]["end"]
    assert view["choices"]["attack"] == view["choices"]["fortify"] == view["choices"]["claim"] == []
    mine, theirs = view["seats"]
    assert mine == {
        "name": "You",
        "player": "human",
        "alive": True,
        "territories": 3,
        "armies": 13,
        "cards": 4,
        "income": 4,
        "reserve": 0,
        "capital": None,
    }
    assert theirs["cards"] == 2 and theirs["name"] == "Killer"
    view = shown(attacking(WEST), 0, players)
    fought = battle(7, 3)
    assert [FEN, DALE, 7, *odds(7, 3, STANDARD)] in view["choices"]["attack"]
    assert odds(7, 3, STANDARD)[0] == round(10_000 * fought.win)
    assert sorted(view["choices"]["fortify"]) == [
        [MOOR, FEN, 6],
        [MOOR, HEATH, 6],
        [FEN, MOOR, 7],
        [FEN, HEATH, 7],
        [HEATH, MOOR, 1],
        [HEATH, FEN, 1],
    ]
    assert view["choices"]["end"] and view["sets"] == []


def test_who_watches_sees_no_choices_and_in_fog_no_others() -> None:
    rules = "rules: standard:fog=yes"
    seen = Observation.parse(
        f"map: duel\n{rules}\nplayers: 2\nseat: 0\nturn: 1\n0: moor 3, fen 8\n1: heath 2, dale 3"
    )
    view = json.loads(json.dumps(position(seen, 0, ["human", "killer"], ("You", "Killer"))))
    assert view["phase"] == "waiting" and view["choices"] is None and view["owners"][WOLD] == -3
    theirs = view["seats"][1]
    assert (theirs["cards"], theirs["income"], theirs["reserve"], theirs["capital"]) == (None,) * 4
    assert theirs["territories"] == 2 and theirs["alive"]


def test_a_neutral_seat_is_shown_like_the_others() -> None:
    game = Game(load("classic"), Rules(neutral=True), 2, rng=np.random.default_rng(1))
    view = shown(game, 0, ["human", "killer"])
    assert view["seats"][2] == {
        "name": "Neutral",
        "player": "neutral",
        "alive": True,
        "territories": 14,
        "armies": 40,
        "cards": 0,
        "income": 0,
        "reserve": 0,
        "capital": None,
    }


def test_what_is_offered_is_bounded() -> None:
    # Seven wild-free hands of a conqueror: hundreds of sets, and the best of them are offered.
    lands = [load("classic").key_of(t) for t in range(42)]
    text = "\n".join(
        [
            "map: classic",
            "players: 2",
            f"cards: {' '.join(lands[:20])}",
            "hands: 20 0",
            f"0: {', '.join(f'{land} 2' for land in lands[:41])}",
            f"1: {lands[41]} 2",
        ]
    )
    game = Game.on(Observation.parse(text), rng=None, cards=np.random.default_rng(0))
    view = shown(game, 0, ["human", "killer"])
    assert len(view["sets"]) == MOST_SETS and view["must_trade"] and view["choices"]["draft"] == []
    assert all(offer["on"] is not None for offer in view["sets"])
    grid = load("grid-20x20")
    text = "\n".join(
        [
            "map: grid-20x20",
            "rules: modern",
            "players: 2",
            f"0: {', '.join(f'{grid.key_of(t)} 3' for t in range(399))}",
            f"1: {grid.key_of(399)} 2",
        ]
    )
    game = Game.on(Observation.parse(text), rng=None, cards=np.random.default_rng(0))
    game.play(Draft(5, game.to_place))
    view = shown(game, 0, ["human", "killer"])
    marches = view["choices"]["fortify"]
    assert len(marches) == MOST_MARCHES and marches[0][0] == 5  # the largest stack first
    assert all(game.broken_rule(Fortify(*march)) is None for march in marches[::100])
