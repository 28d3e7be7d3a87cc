"""Random games under random rules: the compiled rules and their plain twin see the same game.

``SUREFOOT_RISK_GAMES`` sets how many games keep the invariants: 20,000 for the full size.
"""

import os
import random
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.errors import IllegalAction
from surefoot.risk import (
    Attack,
    Claim,
    Draft,
    Fortify,
    Game,
    Observation,
    Occupy,
    Record,
    Trade,
)
from surefoot.risk.actions import END, Action, pack, unpack
from surefoot.risk.kernels import layout
from surefoot.risk.situation import CHANCE_PHASES, Outcome, Phase
from tests import naive_risk
from tests.risk_strategies import Setting, settings_of_a_game

GAMES = int(os.environ.get("SUREFOOT_RISK_GAMES", "150"))


def any_action(rng: random.Random, count: int) -> Action:
    """An action that is seldom legal, but near enough to try the rules."""
    place, other, armies = (rng.randint(-1, count), rng.randint(-1, count), rng.randint(0, 12))
    until: Any = rng.choice(["decided", "roll", rng.randint(0, 12)])
    three = (rng.randint(0, count + 2), rng.randint(0, count + 2), rng.randint(0, count + 2))
    actions: list[Action] = [
        END,
        Claim(place),
        Draft(place, armies),
        Trade(three, rng.choice([None, place])),
        Attack(place, other, armies, until),
        Occupy(armies),
        Fortify(place, other, armies),
    ]
    return rng.choice(actions)


def a_likely_action(rng: random.Random, actions: list[Action]) -> Action:
    """Of a random kind first, so that the many attacks do not crowd out the rest; large armies more often."""
    kind = type(rng.choice(sorted(actions, key=str)))
    if Attack in map(type, actions) and rng.random() < 0.6:
        kind = Attack
    pick = [action for action in actions if type(action) is kind]
    return max(
        rng.sample(pick, min(3, len(pick))), key=lambda action: (getattr(action, "armies", 0), str(action))
    )


def same(game: Game, twin: naive_risk.NaiveRisk) -> None:
    """Every word of the state is what the twin says."""
    count, players = len(game.worldmap.territories), game.players
    assert [None if o == layout.NOBODY else o for o in game.owners.tolist()] == twin.owner
    assert game.armies.tolist() == twin.armies
    assert [set(game.hand(seat)) for seat in range(players)] == twin.hands
    places = game.card_places
    assert set(np.flatnonzero(places == layout.DECK).tolist()) == twin.deck
    assert set(np.flatnonzero(places == layout.DISCARD).tolist()) == twin.discards
    assert (game.phase.name.lower(), game.outcome.name.lower()) == (twin.phase, twin.outcome)
    assert (game.turn, game.round, game.winner) == (twin.turn, twin.round, twin.winner)
    assert (game.to_place, game.attacks, game.sets_traded) == (twin.to_place, twin.attacks, twin.sets)
    assert (game.conquered, game.must_trade) == (twin.conquered, twin.must_trade)
    assert bool(game.state[layout.MID_TURN]) == twin.mid_turn
    assert {seat for seat, plays in enumerate(game.alive) if plays} == twin.alive
    assert list(game.reserves) == twin.reserve[:players]
    assert [None if c == layout.NOBODY else c for c in game.capitals] == twin.capital
    battle = twin.battle or {"source": -1, "target": -1, "army": 0, "until": 0, "least": 0}
    until = int(game.state[layout.UNTIL])
    assert [int(game.state[w]) for w in (layout.SOURCE, layout.TARGET, layout.COMMITTED, layout.LEAST)] == [
        battle[name] for name in ("source", "target", "army", "least")
    ]
    assert (naive_risk.NO_LIMIT if until == layout.ONE_ROLL else until) == battle["until"]
    # The running counts.
    owners = game.owners
    continents = np.array([territory.continent for territory in game.worldmap.territories])
    for seat in range(game.seats):
        assert game.territory_counts[seat] == (owners == seat).sum()
        assert game.army_counts[seat] == game.armies[owners == seat].sum()
        first = layout.HELD + 3 * count + seat * len(game.worldmap.continents)
        held = game.state[first : first + len(game.worldmap.continents)]
        assert held.tolist() == [int(((owners == seat) & (continents == c)).sum()) for c in range(len(held))]
    assert list(game.card_counts) == [len(hand) for hand in twin.hands]
    assert game.state[layout.DECK_COUNT] == len(twin.deck)
    assert game.state[layout.DISCARD_COUNT] == len(twin.discards)
    assert game.state[layout.UNOWNED] == (owners == layout.NOBODY).sum()


@settings(max_examples=100)
@given(setting=settings_of_a_game(maps=("duel", "delta", "grid-2x2", "grid-7x1")), seed=st.integers(0, 10**9))
def test_game_and_naive_game_agree_action_by_action(setting: Setting, seed: int) -> None:
    worldmap, rules, players = setting
    rng = random.Random(seed)
    game, twin = Game(worldmap, rules, players, rng=None), naive_risk.NaiveRisk(worldmap, rules, players)
    for step in range(120):
        same(game, twin)
        outcomes = {event.outcome: weight for event, weight in game.chance_outcomes()}
        assert outcomes == twin.chance()
        assert (game.phase in CHANCE_PHASES) == bool(outcomes)
        for _ in range(3):
            strange = any_action(rng, len(worldmap.territories))
            assert (strange in game.legal_actions) == (twin.allows(strange) and not outcomes), strange
        if outcomes:
            event = rng.choices([event for event, _ in game.chance_outcomes()], list(outcomes.values()))[0]
            game.resolve(event)
            twin.resolve(event.outcome)
            continue
        if game.over:
            assert not game.legal_actions
            break
        actions = list(game.legal_actions)
        if step % 10 == 0:
            assert sorted(map(str, actions)) == sorted(map(str, twin.legal()))
            assert len(game.legal_actions) == len(actions)
        action = a_likely_action(rng, actions)
        assert unpack(pack(action)) == action
        game.play(action)
        twin.play(action)


def check_invariants(game: Game) -> None:
    owned = game.owners >= 0
    assert (game.armies[owned] >= 1).all()
    assert (game.armies[~owned] == 0).all()
    limit = game.rules.max_armies or layout.MAX_ARMIES
    assert game.armies.max() <= limit
    places = game.card_places
    cards = sum(game.card_counts) + (places == layout.DECK).sum() + (places == layout.DISCARD).sum()
    assert cards == len(places)
    if game.phase not in (Phase.DEAL, Phase.CLAIM):
        held = game.territory_counts
        assert sum(held) == len(owned)
        assert [held[seat] > 0 for seat in range(game.players)] == list(game.alive)
        assert all(not game.hand(seat) for seat in range(game.players) if not game.alive[seat])
    assert (game.outcome is Outcome.WON) == (game.winner is not None)


@settings(max_examples=GAMES)
@given(setting=settings_of_a_game(), seed=st.integers(0, 10**9))
def test_every_game_keeps_the_invariants_and_its_record_replays_to_the_same_vector(
    setting: Setting, seed: int
) -> None:
    worldmap, rules, players = setting
    rng = random.Random(seed)
    game = Game(worldmap, rules, players, rng=np.random.default_rng(seed))
    dead: set[int] = set()
    states = [game.state.copy()]
    for _ in range(300):
        check_invariants(game)
        assert dead <= {seat for seat in range(players) if not game.alive[seat]}
        dead = {seat for seat in range(players) if not game.alive[seat]}
        if game.over:
            break
        assert game.turn not in dead
        armies, before = sum(game.army_counts), game.phase
        action = a_likely_action(rng, list(game.legal_actions))
        game.play(action)
        states.append(game.state.copy())
        grown = sum(game.army_counts) - armies
        # Armies come from the hand, claims and pictures; battles only cost.
        assert grown <= {Draft: getattr(action, "armies", 0), Trade: 2, Claim: 1}.get(type(action), 0) or (
            before in (Phase.CLAIM, Phase.DEAL) and type(action) is Claim
        )
    record = Record.of(game)
    again = Record.parse(str(record))
    assert again == record
    assert np.array_equal(again.game().state, game.state)
    moves = rng.randrange(len(states))
    assert np.array_equal(record.game(moves).state, states[moves])
    assert np.array_equal(record.cut(moves).game().state, states[moves])


@settings(max_examples=60)
@given(setting=settings_of_a_game(), seed=st.integers(0, 10**9))
def test_what_a_seat_sees_writes_and_reads_back_and_allows_what_the_game_allows(
    setting: Setting, seed: int
) -> None:
    worldmap, rules, players = setting
    rng = random.Random(seed)
    game = Game(worldmap, rules, players, rng=None)
    for _ in range(60):
        for seat in range(game.seats):
            seen = game.observation(seat)
            again = Observation.parse(str(seen))
            assert again == seen
            assert hash(again) == hash(seen)
        if game.over:
            break
        outcomes = game.chance_outcomes()
        if outcomes:
            game.resolve(rng.choice(outcomes)[0])
            continue
        actions = list(game.legal_actions)
        assert list(game.observation().legal_actions) == actions
        game.play(a_likely_action(rng, actions))


@settings(max_examples=60)
@given(setting=settings_of_a_game(), seed=st.integers(0, 10**9))
def test_in_fog_nothing_seen_depends_on_what_is_not(setting: Setting, seed: int) -> None:
    """Other stacks far away, and other cards in others' hands and the deck, change nothing that it sees."""
    worldmap, rules, players = setting
    rules = replace(rules, fog=True)
    rng = random.Random(seed)
    game = Game(worldmap, rules, players, rng=np.random.default_rng(seed))
    for _ in range(rng.randint(0, 60)):
        if not game.over:
            game.play(a_likely_action(rng, list(game.legal_actions)))
    if game.over:
        assert all((game.observation(seat).owners >= 0).all() for seat in range(players))
        return
    seat = rng.randrange(players)
    seen = game.observation(seat)
    near = {
        t for a in range(len(worldmap.territories)) for t in worldmap.neighbours[a] if game.owners[a] == seat
    }
    for t, owner in enumerate(game.owners.tolist()):
        assert (seen.owners[t] == layout.HIDDEN) == (owner not in (seat, layout.NOBODY) and t not in near)
    other = game.copy()
    for t in np.flatnonzero(seen.owners == layout.HIDDEN).tolist():
        other.armies[t] += rng.randint(0, 3)
        first = layout.ARMY_COUNT + 3 * len(worldmap.territories)
        other.state[first + other.owners[t]] = other.armies[other.owners == other.owners[t]].sum()
    hidden = np.flatnonzero((game.card_places != seat) & (game.card_places != layout.DISCARD))
    other.card_places[hidden] = rng.sample(game.card_places[hidden].tolist(), len(hidden))
    assert other.observation(seat) == seen


@given(setting=settings_of_a_game(), seed=st.integers(0, 10**9))
def test_an_illegal_action_leaves_the_game_as_it_was_and_says_why(setting: Setting, seed: int) -> None:
    worldmap, rules, players = setting
    rng = random.Random(seed)
    game = Game(worldmap, rules, players, rng=np.random.default_rng(seed))
    for _ in range(25):
        before, moves = game.state.copy(), len(game.history)
        action = any_action(rng, len(worldmap.territories))
        reason = game.broken_rule(action)
        try:
            game.play(action)
            assert reason is None
        except IllegalAction as error:
            assert reason is not None and reason in str(error)
            assert np.array_equal(game.state, before)
            assert len(game.history) == moves
        if not game.over:
            game.play(a_likely_action(rng, list(game.legal_actions)))
