"""The rules of section 3, case by case: starts, reinforcements, battles, moves and ends."""

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from surefoot.errors import IllegalAction, RulesError
from surefoot.risk import (
    END,
    Attack,
    Draft,
    Fortify,
    Game,
    Observation,
    Occupy,
    Outcome,
    Phase,
    Rules,
    WorldMap,
    preset,
)
from surefoot.risk.events import Lost, Rolled
from surefoot.risk.kernels import layout
from tests.risk_positions import (
    CHAIN,
    CLASSIC,
    DALE,
    DUEL,
    FEN,
    HEATH,
    MOOR,
    PLAYERS,
    WEALD,
    WOLD,
    at,
    refuses,
)


def classic(owned: int, *, others: int = 1, extra: str = "") -> str:
    """A position on the classic map: player 0 owns the first territories, the rest go round the others."""
    keys = [CLASSIC.key_of(t) for t in range(42)]
    lines = [f"map: classic\nplayers: {others + 1}\n{extra}"]
    lines.append("0: " + ", ".join(f"{key} 1" for key in keys[:owned]))
    lines += [f"{1 + n % others}: {key} 1" for n, key in enumerate(keys[owned:])]
    return "\n".join(lines)


# --- 1. starting armies ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "armies"), [(2, 40), (3, 35), (4, 30), (5, 25), (6, 20)])
def test_starting_armies_of_the_table(players: int, armies: int) -> None:
    game = Game(CLASSIC, preset("standard"), players, rng=np.random.default_rng(1))
    assert game.phase.name == "SETUP"
    for seat in range(players):
        assert game.army_counts[seat] + game.reserves[seat] == armies
        assert game.territory_counts[seat] in (42 // players, -(-42 // players))
    placed = 0
    while game.phase is Phase.SETUP:
        assert game.to_place == 1
        game.play(next(iter(game.legal_actions)))
        placed += 1
    assert placed == armies * players - 42
    assert game.army_counts == (armies,) * players
    assert (game.phase, game.turn, game.round) == (Phase.DRAFT, 0, 1)


def test_two_players_and_a_neutral_have_14_territories_and_40_armies_each() -> None:
    game = Game(CLASSIC, Rules(neutral=True), 2, rng=np.random.default_rng(1))
    while game.phase is Phase.SETUP:
        assert game.turn < 2
        game.play(next(iter(game.legal_actions)))
    assert game.territory_counts == (14, 14, 14)
    assert game.army_counts == (40, 40, 40)
    spread = game.armies[game.owners == 2]
    assert set(spread.tolist()) == {2, 3}


def test_the_neutral_has_no_turn_and_its_end_is_not_the_end() -> None:
    rules = "rules: standard:neutral=yes\nplayers: 2\n"
    game = at(rules + "phase: attack\n0: moor 5, fen 5\n1: dale 1\nneutral: heath 1, weald 1, wold 1")
    game.play(Attack(MOOR, HEATH, 3))
    game.resolve(Rolled((6, 5, 4), (1,)))
    game.play(Occupy(3))
    assert game.alive == (True, True)
    game.play(END)
    game.resolve(game.chance_outcomes()[0][0])
    assert game.turn == 1
    game.play(Draft(DALE, 3))
    game.play(END)
    assert game.turn == 0
    assert game.to_place == 3 + 1  # the West is whole
    game.play(Draft(FEN, 4))
    game.play(Attack(FEN, DALE, 8))
    while game.phase is Phase.ROLL:
        game.resolve(Lost(0))
    assert (game.outcome, game.winner) == (Outcome.WON, 0)
    assert game.territory_counts[2] == 2


def test_neutral_is_for_two_players() -> None:
    for players in PLAYERS:
        if players > 2:
            with pytest.raises(RulesError, match="neutral=yes is for 2 players"):
                Game(CLASSIC, Rules(neutral=True), players, rng=None)


# --- 2. reinforcements -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("owned", "armies"),
    [
        (1, 3),
        (8, 3),
        (9, 3 + 5),
        (11, 3 + 5),
        (12, 4 + 5),
        (14, 4 + 5 + 2),
        (15, 5 + 5 + 2),
        (42 - 1, 13 + 24 - 2),
    ],
)
@pytest.mark.parametrize("others", range(1, 6))
def test_reinforcements_by_territories_and_continents(owned: int, armies: int, others: int) -> None:
    """The first nine territories are North America (5), the next four South America (2)."""
    others = min(others, 42 - owned)
    game = at(classic(owned, others=others))
    assert game.reinforcements(0) == game.to_place == armies


@pytest.mark.parametrize(("count", "armies"), [(1, 3), (8, 3), (9, 3), (11, 3), (12, 4), (14, 4), (15, 5)])
def test_reinforcements_without_a_continent(count: int, armies: int) -> None:
    # Every third territory: no continent is whole until 15 are taken that way and one of each is left out.
    spread = [t for t in range(42) if t not in (0, 9, 13, 20, 26, 38)][::2]
    mine = set((spread + [t for t in range(42) if t not in (0, 9, 13, 20, 26, 38)][1::2])[:count])
    lines = [f"{0 if t in mine else 1}: {CLASSIC.key_of(t)} 1" for t in range(42)]
    game = at("map: classic\nplayers: 2\n" + "\n".join(lines))
    assert game.to_place == armies


def test_eleven_territories_that_hold_all_of_asia_are_worth_ten() -> None:
    """The classic Asia has twelve, which makes eleven armies; with one less in it, it is ten."""
    asia = [land for land in CLASSIC.territories if CLASSIC.continents[land.continent].name == "Asia"]
    assert len(asia) == 12
    for held, armies in [(asia, 4 + 7), (asia[:-1], 3 + 7)]:
        lands = tuple(
            replace(land, continent=0) if land in asia and land not in held else land
            for land in CLASSIC.territories
        )
        worldmap = WorldMap("smaller-asia", CLASSIC.continents, lands, CLASSIC.neighbours)
        lines = [f"{int(land not in held)}: {land.name} 1" for land in lands]
        seen = Observation.parse("map: smaller-asia\nplayers: 2\n" + "\n".join(lines), worldmap)
        assert seen.to_place == armies


def test_the_whole_world_is_worth_38() -> None:
    game = at(classic(41))
    game.owners[41] = 0
    game.state[layout.TERRITORY_COUNT + 3 * 42] = 42
    game.state[layout.HELD + 3 * 42 + 5] = 4
    assert game.reinforcements(0) == 14 + 24


def test_the_document_drafts_as_many_armies_as_territories() -> None:
    for owned in (1, 9, 20):
        assert at(classic(owned, extra="rules: document")).to_place == owned


# --- 7. dice -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attack", "defence", "lost"),
    [((6, 5, 1), (6, 5), 2), ((5, 4), (4,), 0), ((5, 1, 6), (2, 5), 0), ((3,), (3,), 1), ((6, 2), (5, 3), 1)],
)
def test_dice_are_compared_highest_first_and_ties_are_the_defenders(
    attack: tuple[int, ...], defence: tuple[int, ...], lost: int
) -> None:
    assert Rolled(attack, defence).outcome == lost


@pytest.mark.parametrize("stack", [2, 3, 4, 9])
@pytest.mark.parametrize("defenders", [1, 2, 3])
@pytest.mark.parametrize("most", [2, 3])
def test_dice_are_limited_by_the_stacks(stack: int, defenders: int, most: int) -> None:
    rules = f"rules: standard:defence_dice={most}\n"
    game = at(
        rules
        + f"players: 2\nphase: attack\n0: moor {stack}, fen 1\n1: heath {defenders}, dale 1, weald 1, wold 1"
    )
    for dice in range(1, 4):
        roll = Attack(MOOR, HEATH, dice, "roll")
        assert (roll in game.legal_actions) == (dice <= min(3, stack - 1))
        if roll in game.legal_actions:
            trial = game.copy()
            trial.play(roll)
            assert trial.dice == (dice, min(most, defenders))
            assert sum(weight for _, weight in trial.chance_outcomes()) == 6 ** sum(trial.dice)
            with pytest.raises(IllegalAction, match="chance cannot bring that now"):
                trial.resolve(Rolled((6,) * dice, (1,) * (min(most, defenders) % 3 + 1)))
    refuses(game, Attack(MOOR, HEATH, stack), "at least one army has to stay behind")
    refuses(
        game, Attack(MOOR, HEATH, 4, "roll"), "there are not so many dice" if stack > 4 else "stay behind"
    )


def test_an_attack_fights_until_decided_or_until_some_are_left_or_for_one_roll() -> None:
    text = "players: 2\nphase: attack\n0: moor 7, fen 1\n1: heath 9, dale 1, weald 1, wold 1"
    stops: list[tuple[int | Literal["decided"], int]] = [("decided", 3), (3, 2), (4, 1), (5, 1)]
    for until, rolls in stops:
        game = at(text)
        game.play(Attack(MOOR, HEATH, 6, until))
        fought = 0
        while game.phase is Phase.ROLL:
            game.resolve(Lost(2))
            fought += 1
        assert fought == rolls
        assert (game.phase, game.attack) == (Phase.ATTACK, None)
        assert (game.armies[MOOR], game.armies[HEATH]) == (7 - 2 * rolls, 9)
    game = at(text)
    game.play(Attack(MOOR, HEATH, 2, "roll"))
    game.resolve(Lost(1))
    assert (game.phase, game.armies[MOOR], game.armies[HEATH]) == (Phase.ATTACK, 6, 8)
    refuses(game, Attack(MOOR, HEATH, 3, 3), "stops with fewer armies left than it began with")


# --- 8. conquest -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", [1, 2, 3])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_as_many_move_in_as_dice_were_rolled_and_one_stays(dice: int, players: int) -> None:
    others = ["dale 1", "weald 1", "wold 1", "fen 1"]
    lines = [f"{1 + n % (players - 1)}: {land}" for n, land in enumerate(others)]
    game = at(f"players: {players}\nphase: attack\n0: moor 8\n1: heath 1\n" + "\n".join(lines))
    game.play(Attack(MOOR, HEATH, dice, "roll"))
    game.resolve(Lost(0))
    assert (game.phase, game.occupation) == (Phase.OCCUPY, (dice, 7))
    if dice > 1:
        refuses(game, Occupy(dice - 1), "at least as many armies move in as dice were rolled")
    refuses(game, Occupy(8), "at least one army has to stay behind")
    refuses(game, END, "the territory just taken has to be occupied first")
    assert len(game.legal_actions) == 8 - dice
    game.play(Occupy(5))
    assert (game.armies[MOOR], game.armies[HEATH]) == (3, 5)
    assert Attack(HEATH, WEALD, 4) in game.legal_actions  # a new territory may attack on


# --- 9. fortifying -----------------------------------------------------------------------------------------


def test_fortifying_is_adjacent_connected_or_none() -> None:
    game = at("rules: standard\n" + CHAIN)
    refuses(game, Fortify(MOOR, DALE, 1), "the territories are not neighbours")
    refuses(game, Fortify(MOOR, WEALD, 1), "not one's own")
    refuses(game, Fortify(MOOR, FEN, 5), "at least one army has to stay behind")
    refuses(game, Fortify(MOOR, MOOR, 1), "the two territories are the same")
    game.play(Fortify(MOOR, FEN, 4))
    assert (game.armies[MOOR], game.armies[FEN], game.turn) == (1, 5, 1)  # once, and the turn is over
    game = at("rules: modern\n" + CHAIN)
    game.play(Fortify(MOOR, DALE, 4))
    assert game.armies[DALE] == 5
    game = at(
        "rules: modern\nplayers: 2\nphase: attack\n0: moor 5, dale 1\n1: fen 1, heath 1, weald 3, wold 3"
    )
    refuses(game, Fortify(MOOR, DALE, 1), "no way through own territories leads there")
    refuses(at("rules: document\n" + CHAIN), Fortify(MOOR, FEN, 1), "do not let armies move")


# --- 10. and 11. the end -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_an_eliminated_players_turn_never_comes(players: int) -> None:
    lands = ["fen 1", "dale 1", "weald 1", "wold 1"]
    rest = [f"{2 + n % (players - 2)}: {land}" for n, land in enumerate(lands)]
    game = at(f"players: {players}\nphase: attack\n0: moor 9\n1: heath 1\n" + "\n".join(rest))
    game.play(Attack(MOOR, HEATH, 8))
    game.resolve(Rolled((6, 5, 4), (1,)))
    game.play(Occupy(3))
    game.play(END)
    game.resolve(game.chance_outcomes()[0][0])
    seen = []
    while game.round == 1:
        seen.append(game.turn)
        game.play(Draft(int(np.flatnonzero(game.owners == game.turn)[0]), game.to_place))
        game.play(END)
    assert seen == list(range(2, players))


@pytest.mark.parametrize("players", PLAYERS)
def test_the_last_player_standing_wins_at_once(players: int) -> None:
    game = at("players: 2\nphase: attack\n0: moor 9, fen 1, heath 1, dale 1, weald 4\n1: wold 1")
    if players > 2:  # the others are out already
        game = at(f"players: {players}\nphase: attack\n0: moor 9, fen 1, heath 1, dale 1, weald 4\n1: wold 1")
    game.play(Attack(WEALD, WOLD, 3))
    game.resolve(Rolled((6, 5, 4), (1,)))
    assert (game.over, game.winner, game.phase) == (True, 0, Phase.OVER)
    assert game.alive == (True,) + (False,) * (players - 1)
    assert not list(game.legal_actions)
    refuses(game, END, "the game is over")


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("cap", [1, 3])
def test_a_capped_game_has_no_winner(players: int, cap: int) -> None:
    game = Game(DUEL, Rules(round_cap=cap, starting_armies="one"), players, rng=np.random.default_rng(2))
    turns = 0
    while not game.over:
        game.play(next(action for action in game.legal_actions if isinstance(action, Draft)))
        if game.phase is Phase.ATTACK:
            game.play(END)
            turns += 1
    assert (game.outcome, game.winner, game.round, turns) == (Outcome.CAPPED, None, cap, cap * players)
