"""Document B's agent: its options, that it plays everywhere as it does in bulk, and what it plays."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from surefoot import _jit
from surefoot.cli import app
from surefoot.errors import FormatError, RulesError
from surefoot.risk import Game, Observation, Rules, load
from surefoot.risk.actions import Action, Attack, Draft, End, Occupy, Trade
from surefoot.risk.alphabeta import MAX_DEPTH, Opponents, Thought, advise, read_weights
from surefoot.risk.battle import battle
from surefoot.risk.bulk import Match, draw_event, play_compiled, play_games
from surefoot.risk.draft import draft
from surefoot.risk.events import Lost
from surefoot.risk.rules import PRESETS
from surefoot.risk.situation import CHANCE_PHASES, Phase
from surefoot.risk.worldmap import names
from surefoot.spec import parse
from tests.risk_positions import DALE, FEN, HEATH, MOOR, WEALD, WOLD, at

STYLES = ["random", "aggressive", "continent", "spread", "killer", "turtle"]
VARIANTS = [
    "alphabeta:depth=2",
    "alphabeta:depth=2,battle=expected,targets=best",
    "alphabeta:depth=2,battle=chance,attacks=2",
    "alphabeta:depth=2,opponents=maxn",
    "alphabeta:depth=1,attacks=0",
    "alphabeta:depth=3,weights=1/0/2.5/0,targets=best",
    "alphabeta:free",
]
EVEN = "weights=1/1/1/1"
"""For what it plays: the weights that are shipped may change."""
CLOSE = 2.0**-26
"""Values are whole numbers of 2^-30, and weigh features that lose a handful of them."""


def make(spec: str) -> Any:
    return parse(spec, "risk").make(0)


def position(text: str, rules: str = "document") -> Observation:
    return Observation.parse(f"map: duel\nrules: {rules}\nplayers: 2\nseat: 0\nround: 3\n{text}")


def answer(spec: str, text: str, rules: str = "document") -> Action:
    action: Action = make(spec).act(position(text, rules))
    return action


# --- options ----------------------------------------------------------------------------------------------


def test_the_defaults_are_the_documents() -> None:
    agent = make("alphabeta")
    document = read_weights("document")
    assert agent.thought == Thought(
        weights=document, depth=5, attacks=3, battle="certain", targets="all", opponents="paranoid"
    )
    assert len(document) == 4 and all(0 <= weight <= 10 for weight in document)
    assert make("alphabeta:weights=document").thought == agent.thought


def test_options_reach_the_tree() -> None:
    agent = make("alphabeta:depth=2,attacks=1,weights=1/0.5/2/3,battle=chance,targets=best,opponents=maxn")
    assert agent.thought == Thought(
        weights=(1, 0.5, 2, 3), depth=2, attacks=1, battle="chance", targets="best", opponents="maxn"
    )
    assert make("alphabeta:ms=5").thought.depth == MAX_DEPTH
    assert make("alphabeta:ms=5,depth=4").thought.depth == 4


FAULTS = {
    "depth=0": "depth is 1 to 16, not 0",
    "depth=17": "depth is 1 to 16, not 17",
    "depth=2.5": "depth is 1 to 16, not 2.5",
    "depth=deep": "depth is 1 to 16, not deep",
    "depth=true": "depth is 1 to 16, not True",
    "attacks=-1": "attacks is 0 to 1000000, not -1",
    "attacks=some": "attacks is 0 to 1000000, not some",
    "weights=heavy": "unknown weights 'heavy' (known: document, free, or four numbers: 1/0.5/2/3)",
    "weights=1": "unknown weights '1'",
    "weights=1/2/3": "weights are four numbers such as 1/0.5/2/3, not '1/2/3'",
    "weights=1/2/3/4/5": "weights are four numbers such as 1/0.5/2/3, not '1/2/3/4/5'",
    "weights=1/2/3/x": "weights are four numbers such as 1/0.5/2/3, not '1/2/3/x'",
    "weights=1/2/3/-4": "weights are 4 numbers from 0 to 1000",
    "weights=1/2/3/1001": "weights are 4 numbers from 0 to 1000",
    "weights=1/2/3/nan": "weights are 4 numbers from 0 to 1000",
    "weights=0/0/0/0": "at least one weight is more than 0",
    "battle=dice": "battle is one of certain, expected, chance, not 'dice'",
    "targets=worst": "targets is one of all, best, not 'worst'",
    "opponents=nice": "opponents is one of paranoid, maxn, not 'nice'",
    "ms=-1": "ms is 0 or more, not -1",
    "ms=soon": "ms is 0 or more, not soon",
    "width=3": "no option 'width'",
}


@pytest.mark.parametrize("option", FAULTS)
def test_what_an_option_does_not_take_is_one_clear_line(option: str) -> None:
    with pytest.raises((FormatError, RulesError)) as caught:
        make(f"alphabeta:{option}")
    assert FAULTS[option] in str(caught.value)
    assert "\n" not in str(caught.value)


# --- every rule, map and number of players ----------------------------------------------------------------


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("name", [*names(), "grid-6x6"])
def test_it_plays_legally_under_every_preset_on_every_map(name: str, rules: str) -> None:
    worldmap = load(name)
    for players in range(2, 7):
        match = Match(worldmap, Rules.parse(f"{rules}:round_cap=40"), players, 1, False)
        specs = [VARIANTS[(players + seat) % len(VARIANTS)] for seat in range(players)]
        table = play_compiled(match, [make(spec).policy for spec in specs], 0, 1)
        assert table.turns[0] > 0 and not table.faults.any()


@pytest.mark.parametrize(
    "rules",
    [
        "standard:fog=yes;capitals=yes",
        "modern:placement=claimed;setup_step=3;blitz=never",
        "document:max_armies=3;starting_armies=60;blitz=must",
        "document:max_attacks=1;fog=yes;defence_dice=3",
        "document-program:max_armies=1",
        "modern:draft=territories;cards=progressive;max_armies=8;fog=yes",
    ],
)
def test_it_plays_legally_under_other_switches(rules: str) -> None:
    for name, players in (("archipelago", 4), ("classic", 3), ("grid-4x4", 6), ("delta", 2)):
        worldmap = load(name)
        if "=60" in rules and len(worldmap.territories) < 20:
            continue  # so many armies would not find room on a small map
        match = Match(worldmap, Rules.parse(f"{rules};round_cap=40"), players, 3, False)
        mixed = [*VARIANTS[:2], *STYLES, *VARIANTS[2:]][:players]
        table = play_compiled(match, [make(spec).policy for spec in mixed], 0, 2)
        assert (table.turns > 0).all() and not table.faults.any()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "rules",
    [
        "standard:round_cap=25",
        "standard:fog=yes;blitz=never;round_cap=15",
        "document:max_armies=4;round_cap=15",
    ],
)
def test_compiled_games_are_those_that_it_plays_move_by_move(rules: str, variant: str) -> None:
    match = Match(load("archipelago"), Rules.parse(rules), 4, 7, False)
    specs = [parse(each, "risk") for each in (variant, "continent", "alphabeta:depth=2", "aggressive")]
    bulk = play_compiled(match, [spec.make(0).policy for spec in specs], 0, 2)
    by_move = play_games(match, [spec.make for spec in specs], 0, 2)
    assert not by_move.faults.any()
    for column, other in zip(bulk, by_move, strict=True):
        assert np.array_equal(column, other)


def turns_of(spec: str, rules: str, seed: int, most: int) -> Iterator[tuple[Observation, Action]]:
    """What an agent sees and plays against itself."""
    match = Match(load("delta"), Rules.parse(rules), 2, seed, False)
    streams, game, agent = match.words(0), Game(match.worldmap, match.rules, 2, rng=None), make(spec)
    for _ in range(most):
        while game.phase in CHANCE_PHASES:
            game.resolve(draw_event(game, streams))
        if game.over:
            return
        seen = game.observation()
        action = agent.act(seen)
        yield seen, action
        game.play(action)


def test_any_room_will_do() -> None:
    """What is remembered is used in its own position only: an agent that is new at each action, and one that
    meets each position twice, play as one that plays a whole game."""
    spec, attacks = f"alphabeta:depth=2,{EVEN}", 0
    again = make(spec)
    for seen, action in turns_of(spec, "document", 5, 200):
        assert again.act(seen) == action
        # A draft is thought out once, and an army goes where it was sent to; who comes to that in the middle
        # thinks anew.
        if not isinstance(action, Draft):
            assert again.act(seen) == action
        if not isinstance(action, Draft | Occupy):
            assert make(spec).act(seen) == action
        attacks += isinstance(action, Attack)
    assert attacks > 3


# --- time -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", ["", ",battle=chance", ",opponents=maxn,targets=best"])
def test_with_time_enough_it_plays_as_without_a_clock(more: str) -> None:
    timed = make(f"alphabeta:ms=1e9,depth=3,{EVEN}{more}")
    attacks = 0
    for seen, action in turns_of(f"alphabeta:depth=3,{EVEN}{more}", "standard", 2, 60):
        assert timed.act(seen) == action
        attacks += isinstance(action, Attack)
    assert attacks > 2


def test_with_hardly_any_time_it_still_plays() -> None:
    actions = [action for _, action in turns_of(f"alphabeta:ms=1e-9,{EVEN}", "document", 3, 60)]
    assert len(actions) > 20 and Attack in map(type, actions)


@pytest.mark.parametrize(("hurried", "depth"), [(True, 1), (False, 4)])
def test_when_the_time_is_over_the_deepest_finished_tree_counts(
    monkeypatch: pytest.MonkeyPatch, hurried: bool, depth: int
) -> None:
    """The clock stands still, or is far ahead after it was set; it is looked at after every node."""
    times = iter([0.0]) if hurried else itertools.repeat(0.0)
    clock = SimpleNamespace(perf_counter=lambda: next(times, 1e9))
    monkeypatch.setattr("surefoot.risk.agents.alphabeta.time", clock)
    monkeypatch.setattr("surefoot.risk.agents.alphabeta._SLICE", 1)
    lands = "phase: attack\n0: moor 5, fen 3, heath 2\n1: dale 1, weald 3, wold 3"
    plain = answer(f"alphabeta:depth={depth},{EVEN}", lands)
    assert (plain == End()) is not hurried  # see below: only the deeper tree sees the answer
    assert answer(f"alphabeta:ms=1,depth=4,{EVEN}", lands) == plain


def test_the_clock_is_looked_at_in_bulk_as_well() -> None:
    match = Match(load("duel"), Rules(round_cap=6), 2, 3, False)
    timed = [make("alphabeta:ms=1e9,depth=2").policy, make("alphabeta:ms=1e9,depth=2").policy]
    plain = [make("alphabeta:depth=2").policy] * 2
    for column, other in zip(
        play_compiled(match, timed, 0, 4), play_compiled(match, plain, 0, 4), strict=True
    ):
        assert np.array_equal(column, other)


# --- what it plays ----------------------------------------------------------------------------------------


def test_it_drafts_by_the_heuristic_from_territory_to_territory() -> None:
    """Fen and Heath share five units 2 to 3 (see `test_draft`)."""
    text = "in hand: 5\n0: moor 3, fen 2, heath 1\n1: dale 4, weald 3, wold 2"
    game, agent = at(f"rules: document\nplayers: 2\nphase: draft\n{text}"), make("alphabeta")
    played = []
    while game.phase is Phase.DRAFT:
        played.append(agent.act(game.observation()))
        game.play(played[-1])
    assert played == [Draft(FEN, 2), Draft(HEATH, 3)]


def test_a_draft_that_has_begun_goes_on_as_it_was_meant() -> None:
    """Thought out anew after each placement it would be another one: the ratios have changed."""
    seen = position("in hand: 6\n0: moor 1, fen 1, dale 1\n1: heath 1, weald 2, wold 2")
    whole = draft(seen.worldmap, seen.owners, seen.armies, 0, 6).tolist()
    # Threats: Moor 1, Fen 1, Dale 4. Moor and Dale are kept, for 1 1/5 and 4 4/5.
    assert whole == [1, 0, 0, 5, 0, 0]
    game, agent = Game.on(seen, rng=None, cards=np.random.default_rng(0)), make("alphabeta")
    assert agent.act(game.observation()) == Draft(MOOR, 1)
    game.play(Draft(MOOR, 1))
    after = draft(seen.worldmap, game.owners, game.armies, 0, 5).tolist()
    assert agent.act(game.observation()) == Draft(DALE, 5)
    # With Moor at two armies its ratio is 1 / 2, so that Fen would be kept in its place.
    assert after[FEN] == 1 and after[MOOR] == 0


def test_it_takes_what_it_can_take_for_nothing() -> None:
    lands = "phase: attack\n0: moor 1, fen 9, heath 9\n1: dale 1, weald 9, wold 1"
    for spec in VARIANTS[:4]:
        attack = answer(f"{spec},{EVEN}", lands)
        assert isinstance(attack, Attack) and (attack.source, attack.target) == (FEN, DALE)


def test_it_finishes_the_opponent_when_it_can() -> None:
    lands = "phase: attack\n0: moor 1, fen 1, heath 1, dale 9, weald 1\n1: wold 3"
    assert answer("alphabeta", lands) == Attack(DALE, WOLD, 6)


def test_it_does_not_attack_where_the_answer_costs_more() -> None:
    """Fen may take Dale, two against one: depth 1 does. But Weald and Wold take it back and more."""
    lands = "phase: attack\n0: moor 5, fen 3, heath 2\n1: dale 1, weald 3, wold 3"
    assert answer(f"alphabeta:depth=1,{EVEN}", lands) == Attack(FEN, DALE, 2)
    assert answer(f"alphabeta:depth=5,{EVEN}", lands) == End()


def test_it_attacks_with_at_least_one_more_than_defend() -> None:
    # Fen against Dale is all there is to attack: 3 free against 3 not, 4 against 3 with all four.
    lands = "phase: attack\n0: moor 1, fen {}, heath 1\n1: dale 3, weald 9, wold 9"
    greedy = "alphabeta:depth=1,weights=1/0/0/0"
    assert answer(greedy, lands.format(4)) == End()
    assert answer(greedy, lands.format(5)) == Attack(FEN, DALE, 4)
    assert answer(f"{greedy},attacks=0", lands.format(5)) == End()


@pytest.mark.parametrize(
    ("stack", "defenders", "army"), [(5, 3, 4), (9, 3, 6), (10, 3, 6), (11, 3, 7), (3, 1, 2)]
)
def test_it_attacks_with_the_average_rounded_up(stack: int, defenders: int, army: int) -> None:
    lands = f"phase: attack\n0: moor 1, fen {stack}, heath 1\n1: dale {defenders}, weald 9, wold 9"
    assert army == -(-(stack - 1 + defenders) // 2)
    assert answer("alphabeta:depth=1,weights=1/0/0/0", lands) == Attack(FEN, DALE, army)


def test_the_army_fights_to_the_end_and_what_is_left_of_it_moves_in() -> None:
    """Six of Fen's nine go out against three; one falls, and five move in."""
    game = at(
        "rules: document\nplayers: 2\nphase: attack\n0: moor 1, fen 9, heath 1\n1: dale 3, weald 9, wold 9"
    )
    agent = make("alphabeta:depth=1,weights=1/0/0/0")
    attack = agent.act(game.observation())
    assert attack == Attack(FEN, DALE, 6, "decided")
    game.play(attack)
    assert game.phase.name == "ROLL"
    game.resolve(Lost(1))  # one each
    game.resolve(Lost(0))  # the attack goes on by itself: two of the defenders
    assert game.phase.name == "OCCUPY"
    occupy = agent.act(game.observation())
    assert occupy == Occupy(5)
    game.play(occupy)
    assert (game.armies[FEN], game.armies[DALE], game.owners[DALE]) == (3, 5, 0)


def test_one_roll_at_a_time_it_rolls_as_many_dice_as_its_army_has() -> None:
    lands = "phase: attack\n0: moor 1, fen {}, heath 1\n1: dale 1, weald 9, wold 9"
    for stack, dice in ((9, 3), (3, 2)):
        action = answer(f"alphabeta:depth=1,{EVEN}", lands.format(stack), "document:blitz=never")
        assert action == Attack(FEN, DALE, dice, "roll")


def test_three_attacks_a_turn_are_the_most() -> None:
    lands = "0: moor 1, fen 9, heath 9\n1: dale 1, weald 1, wold 1"
    for made in range(4):
        action = answer(f"alphabeta:depth=2,{EVEN}", f"phase: attack\nattacks: {made}\n{lands}")
        assert isinstance(action, Attack) == (made < 3)
        action = answer(f"alphabeta:depth=2,attacks=9,{EVEN}", f"phase: attack\nattacks: {made}\n{lands}")
        assert isinstance(action, Attack)


def test_it_trades_cards_as_the_styles_do() -> None:
    seen = position(
        "cards: wild-1 wild-2 moor\n0: moor 9, fen 9, heath 9\n1: dale 1, weald 1, wold 1", "standard"
    )
    cards = (seen.worldmap.card("moor"), seen.worldmap.card("wild-1"), seen.worldmap.card("wild-2"))
    assert make("alphabeta").act(seen) == Trade(cards, bonus=MOOR)


# --- what the tree says -----------------------------------------------------------------------------------


HAND = position("phase: attack\n0: moor 1, fen 5, heath 1\n1: dale 1, weald 3, wold 3")


def test_the_value_of_a_tree_of_one_edge_by_hand() -> None:
    """Fen, 4 free against Dale's 1: three go, two are left in Dale, two stay in Fen.

    Then 4 of 6 territories and 6 of 12 armies are one's own. Moor and Fen have no enemies, Heath 1 stands
    against 3, Dale 2 against 3 and 3. Exposed are none of Moor's and Fen's neighbours, one of Heath's three
    and two of Dale's three.
    """
    found = advise(HAND, Thought(depth=1))
    assert found.attack == (FEN, DALE, 3)
    assert found.depth == 1
    # The root and its children: this attack or none.
    assert found.nodes == 3
    attacked = 4 / 6 + 6 / 12 + (1 + 1 + 1 / 4 + 2 / 5) / 4 + 1 - (1 / 3 + 2 / 3) / 4
    assert abs(found.value - attacked) < CLOSE
    # With no attack allowed: 3 of 6, 7 of 14; Fen 5 against 1, Heath 1 against 3, each one of its three.
    stayed = 3 / 6 + 7 / 14 + (1 + 5 / 6 + 1 / 4) / 3 + 1 - (1 / 3 + 1 / 3) / 3
    found = advise(HAND, Thought(depth=1, attacks=0))
    assert found.attack is None and abs(found.value - stayed) < CLOSE


def test_weights_weigh_the_features() -> None:
    found = advise(HAND, Thought(depth=1, weights=(10, 0.5, 0, 3)))
    assert abs(found.value - (10 * 4 / 6 + 0.5 * 6 / 12 + 3 * (1 - (1 / 3 + 2 / 3) / 4))) < 10 * CLOSE


def test_expected_battles_leave_the_average_of_the_likelier_end() -> None:
    """Three against one are left 2.65 on a win, which is three, instead of two."""
    odds = battle(3, 1)
    left = sum(n * chance for n, chance in enumerate(odds.attackers)) / odds.win
    assert round(left, 2) == 2.65
    found = advise(HAND, Thought(depth=1, weights=(0, 1, 0, 0), battle="expected"))
    # Seven of one's own, and Dale's one is gone. To make no attack is worth 7 / 14.
    assert found.attack == (FEN, DALE, 3) and abs(found.value - 7 / 13) < CLOSE


def test_chance_weighs_both_ends() -> None:
    # Won: 7 of 13 armies. Lost: the army of three is gone, Dale's one stays: 4 of 11.
    win = battle(3, 1).win
    value = win * 7 / 13 + (1 - win) * 4 / 11
    found = advise(HAND, Thought(depth=1, weights=(0, 1, 0, 0), battle="chance"))
    assert found.attack == (FEN, DALE, 3) and abs(found.value - value) < CLOSE


def test_battles_too_large_for_the_table_go_by_their_proportions() -> None:
    """149 free against 51: 100 go out, judged by 40 against 20 and two and a half times as many left."""
    seen = position("phase: attack\n0: moor 1, fen 150, heath 1\n1: dale 51, weald 1, wold 1")
    odds = battle(40, 20)
    left = round(2.5 * sum(n * chance for n, chance in enumerate(odds.attackers)) / odds.win)
    found = advise(seen, Thought(depth=1, weights=(0, 1, 0, 0), battle="expected"))
    assert found.attack == (FEN, DALE, 100)
    assert abs(found.value - (52 + left) / (52 + left + 2)) < CLOSE


def test_best_targets_are_the_weakest_neighbours() -> None:
    # Dale could go for Weald 2 or Wold 1, which one's own territory lies before.
    seen = position("phase: attack\n0: moor 1, fen 1, heath 1, dale 9\n1: weald 2, wold 1")
    greedy = Thought(depth=1, weights=(1, 0, 0, 0))
    assert advise(seen, greedy).attack == (DALE, WEALD, 5)
    assert advise(seen, replace(greedy, targets="best")).attack == (DALE, WOLD, 5)


def test_a_whole_army_attacks_and_moves_in() -> None:
    seen = position("phase: attack\n0: moor 1, fen 1, heath 1, dale 9\n1: weald 2, wold 1")
    greedy = Thought(depth=1, weights=(1, 0, 0, 0), army="whole")
    assert advise(seen, greedy).attack == (DALE, WEALD, 8)


def test_a_draft_by_the_tree_goes_where_it_takes_most() -> None:
    # The ratios send most to Heath, which faces nine; all on Fen they are enough for Dale.
    lands = "phase: draft\nin hand: 4\n0: moor 3, fen 3, heath 1\n1: dale 5, weald 9, wold 9"
    land = "alphabeta:depth=1,weights=1/0/0/0"
    assert answer(f"{land},draft=tree", lands) == Draft(FEN, 4)
    assert answer(land, lands) != Draft(FEN, 4)


def test_what_the_tree_plans_finds_room_or_another_place() -> None:
    # Fen is full; Heath takes what it has room for, and what is left is thought about anew.
    lands = "phase: draft\nin hand: 4\n0: moor 1, fen 6, heath 4\n1: dale 5, weald 5, wold 5"
    rules = "document:max_armies=6"
    assert answer("alphabeta:depth=1,draft=tree", lands, rules) == Draft(HEATH, 2)


def test_opponents_that_want_most_for_themselves_may_be_kinder() -> None:
    """Seat 1 can take Fen from seat 2, Weald or Wold from seat 0. One territory is as good as another, and
    Fen comes first; in the paranoid view it takes what costs seat 0 most."""
    text = (
        "map: duel\nrules: document\nplayers: 3\nphase: attack\n0: heath 1, weald 1, wold 1\n1: dale 9\n"
        "2: moor 1, fen 1"
    )
    seen = Observation.parse(text)
    land = Thought(depth=2, weights=(1, 0, 0, 0), attacks=1)
    for opponents, kept in zip(get_args(Opponents), (2, 3), strict=True):
        found = advise(seen, replace(land, opponents=opponents))
        assert found.attack is None and abs(found.value - kept / 6) < CLOSE


def test_it_is_asked_about_attacks_only() -> None:
    seen = position("in hand: 3\n0: moor 1, fen 5, heath 1\n1: dale 1, weald 3, wold 3")
    with pytest.raises(ValueError, match="the tree is asked about attacks, but the phase is draft"):
        advise(seen, Thought())


# --- the command line -------------------------------------------------------------------------------------


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    # Whether this machine has to compile first is no part of what these tests are about.
    monkeypatch.setattr(_jit, "is_warm", lambda: True)

    def call(*args: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(app, ["risk", *args], input=stdin)

    return call


def test_it_advises_on_the_command_line(run: Any) -> None:
    lands = "0: moor 1, fen 1, heath 1, dale 9, weald 1\n1: wold 3"
    text = f"map: duel\nrules: document\nplayers: 2\nphase: attack\n{lands}"
    shown = run("analyze", "-", "--json", "--agent", "alphabeta:depth=3", stdin=text)
    assert shown.exit_code == 0, shown.stderr
    found = json.loads(shown.stdout)
    assert (found["adviser"], found["advice"]) == ("alphabeta:depth=3", "attack dale wold 6")


def test_it_plays_many_games_on_the_command_line(run: Any) -> None:
    options = ("--map", "duel", "--rules", "document", "--games", "10", "--seed", "2", "--paired", "--json")
    shown = run("evaluate", f"alphabeta:depth=2,{EVEN}", "passive", *options)
    assert shown.exit_code == 0, shown.stderr
    found = json.loads(shown.stdout)
    assert found["wins"][f"alphabeta:depth=2,{EVEN}"]["n"] > 5


def test_a_wrong_option_is_one_line_on_the_command_line(run: Any) -> None:
    for option in ("depth=0", "weights=heavy", "ms=-1"):
        shown = run("evaluate", f"alphabeta:{option}", "passive", "--map", "duel")
        assert shown.exit_code == 2 and shown.stdout == ""
        assert FAULTS[option] in shown.stderr and shown.stderr.count("\n") == 1


@pytest.mark.parametrize("options", ["", ":depth=1", ":opponents=maxn", ":free"])
def test_where_fog_hides_every_other_player_it_passes(options: str) -> None:
    seen = Observation.parse(
        """
        map: delta
        rules: modern:neutral=yes;fog=yes
        players: 2
        phase: attack
        0: alder 1, birch 3, cedar 4, dunlin 4, fir 3
        neutral: egret 3, gorse 2
        """
    )
    action = parse(f"alphabeta{options}", "risk").make(1).act(seen)
    assert seen.broken_rule(action) is None
