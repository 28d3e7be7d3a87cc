"""Win chances are shares of games that go on from the position, whatever its phase."""

from dataclasses import replace

import numpy as np
import pytest

from surefoot.errors import FormatError
from surefoot.risk import Game, Observation, Phase, Rules, load
from surefoot.risk.actions import Action
from surefoot.risk.agents import AGENTS, ROLL_OUT
from surefoot.risk.bulk import draw_event, play_seated
from surefoot.risk.situation import CHANCE_PHASES
from surefoot.risk.win_chance import ROUNDS, win_chances
from surefoot.spec import parse
from tests.risk_positions import at

DUEL = "map: duel\nplayers: 2\n"
HOPELESS = DUEL + "phase: attack\n0: moor 1\n1: fen 40, heath 40, dale 40, weald 40, wold 40\n"
EVEN = DUEL + "turn: {turn}\n0: moor 6, fen 4, heath 3\n1: dale 4, weald 3, wold 6\n"


def test_a_seat_with_one_army_hardly_wins() -> None:
    found = win_chances(Observation.parse(HOPELESS), 400)
    assert found.values[0] < 0.02 and found.values[1] > 0.98
    assert (found.capped, found.playouts) == (0.0, 400)


def test_the_shares_make_up_the_whole() -> None:
    game = Game(load("delta"), Rules(), 3, rng=np.random.default_rng(1))
    found = win_chances(game, 300, seed=2)
    assert len(found.values) == len(found.errors) == 3
    assert sum(found.values) + found.capped == pytest.approx(1.0)
    assert min(found.values) > 0
    for value, error in zip(found.values, found.errors):
        assert error == pytest.approx(1.96 * (value * (1 - value) / 300) ** 0.5, rel=0.1)


def test_a_symmetric_duel_is_as_good_for_whoever_is_on_turn() -> None:
    """The map's two halves are alike, so that the seats may be changed for each other."""
    n = 1500
    west = win_chances(Observation.parse(EVEN.format(turn=0)), n, seed=1)
    east = win_chances(Observation.parse(EVEN.format(turn=1)), n, seed=2)
    sigma = (west.values[0] * west.values[1] * 2 / n) ** 0.5
    assert west.values[0] > 0.5 > west.values[1]
    assert abs(west.values[0] - east.values[1]) < 4.5 * sigma


def test_the_same_seed_gives_the_same_answer() -> None:
    seen = Observation.parse(EVEN.format(turn=0))
    assert win_chances(seen, 200, seed=5) == win_chances(seen, 200, seed=5)
    assert len({win_chances(seen, 200, seed=seed).values for seed in range(4)}) > 1


# --- the games are those that the rules play --------------------------------------------------------------

PHASES = {
    Phase.DRAFT: "0: moor 6, fen 4, heath 3\n1: dale 4, weald 3, wold 6\n",
    Phase.ATTACK: "phase: attack\n0: moor 6, fen 4, heath 3\n1: dale 4, weald 3, wold 6\n",
    Phase.ROLL: "phase: roll\nattack: fen dale 3\n0: moor 6, fen 4, heath 3\n1: dale 4, weald 3, wold 6\n",
    Phase.OCCUPY: "phase: occupy\ntaken: fen dale\nconquered: yes\n0: moor 6, fen 4, heath 3, dale 3\n"
    "1: weald 3, wold 6\n",
    Phase.DRAW: "phase: draw\nconquered: yes\n0: moor 6, fen 4, heath 3, dale 3\n1: weald 3, wold 6\n",
}


@pytest.mark.parametrize("phase", PHASES)
def test_games_from_any_phase_go_on_as_if_played_move_by_move(phase: Phase) -> None:
    game = at("players: 2\n" + PHASES[phase])
    assert game.phase is phase
    policy = parse("continent", "risk").make(0).policy
    words = np.random.SeedSequence(3).generate_state(3 * 20, np.uint64).astype(np.uint64).reshape(20, 3)
    positions = np.tile(game.state, (20, 1))
    table = play_seated(
        game.worldmap,
        game.rules,
        [policy],
        np.zeros((20, 2), np.int64),
        words.copy(),
        positions=positions,
    )
    assert np.array_equal(positions, np.tile(game.state, (20, 1)))
    assert set(table.seat.tolist()) == {0, 1}
    for row in range(20):
        one, agent = game.copy(), parse("continent", "risk").make(0)
        while not one.over:
            while one.phase in CHANCE_PHASES:
                one.resolve(draw_event(one, words[row]))
            if not one.over:
                action: Action = agent.act(one.observation())
                one.play(action)
        assert (one.winner, one.round) == (table.seat[row], table.rounds[row])


@pytest.mark.parametrize("rules", ["standard", "modern:placement=claimed;capitals=yes", "document"])
def test_every_position_of_a_game_can_be_judged(rules: str) -> None:
    """From the first claim to the end, by the truth and by what the seat on turn sees of it."""
    game = Game(load("delta"), Rules.parse(rules), 3, rng=np.random.default_rng(4))
    agent, phases = parse("killer", "risk").make(0), set()
    while not game.over:
        phases.add(game.phase)
        for position in (game, game.observation()):
            found = win_chances(position, 10)
            assert sum(found.values) + found.capped == pytest.approx(1.0)
            dead = [value for value, alive in zip(found.values, game.alive) if not alive]
            assert not any(dead)
        game.play(agent.act(game.observation()))
    assert phases >= {Phase.DRAFT, Phase.ATTACK, Phase.OCCUPY}
    won = win_chances(game, 10)
    assert won.values == tuple(float(seat == game.winner) for seat in range(3))
    assert (won.errors, won.capped, won.playouts) == ((0.0,) * 3, 0.0, 1)


# --- cards, rounds, styles, refusals ----------------------------------------------------------------------


def test_cards_that_are_not_seen_are_dealt_anew_for_each_game() -> None:
    """A set in the other's hand decides this game; whether there is one is not seen."""
    armies = "0: moor 5, fen 2, heath 2\n1: dale 2, weald 1, wold 1"
    seen = Observation.parse(f"{DUEL}rules: modern\nhands: 0 3\nphase: attack\n{armies}")
    chance = win_chances(seen, 1500, seed=1)
    sure = [
        win_chances(Game.on(seen, rng=None, cards=np.random.default_rng(seed)), 300, seed=1).values[0]
        for seed in range(12)
    ]
    assert max(sure) - min(sure) > 0.1
    assert min(sure) < chance.values[0] < max(sure)


def test_a_game_that_goes_on_too_long_is_counted_apart() -> None:
    start = Game(load("duel"), Rules(), 2, rng=np.random.default_rng(1))
    found = win_chances(start, 20, style="passive")
    assert (found.values, found.capped) == ((0.0, 0.0), 1.0)
    late = Observation.parse(DUEL + "round: 30\nrules: standard:round_cap=30\n" + PHASES[Phase.DRAFT])
    soon = win_chances(late, 200)
    assert soon.capped > 0.3
    assert win_chances(Observation.parse(str(late).replace(":round_cap=30", "")), 200).capped == 0.0
    capped = Observation.parse(DUEL + "phase: over\nround: 500\n" + PHASES[Phase.DRAFT])
    assert win_chances(capped).capped == 1.0


def test_the_rules_own_cap_stands_where_it_is_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Observation.parse(DUEL + "round: 7\n" + PHASES[Phase.DRAFT])
    caps: list[int] = []

    def note(worldmap: object, rules: Rules, *rest: object, **more: object) -> object:
        caps.append(rules.round_cap)
        return play_seated(worldmap, rules, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("surefoot.risk.win_chance.play_seated", note)
    for cap in (9, 500):
        rules = replace(seen.rules, round_cap=cap)
        win_chances(Observation(seen.worldmap, rules, 2, seen.state, 0), 5)
    assert caps == [9, 7 + ROUNDS]


@pytest.mark.parametrize("style", [*(name for name in AGENTS if name != "planner"), ROLL_OUT, "turtle:bold"])
def test_any_style_can_play_on(style: str) -> None:
    found = win_chances(Observation.parse(HOPELESS), 5, style=style)
    assert sum(found.values) + found.capped == pytest.approx(1.0)


def test_the_neutral_has_no_chance_of_its_own() -> None:
    game = Game(load("delta"), Rules(neutral=True), 2, rng=np.random.default_rng(1))
    found = win_chances(game, 50)
    assert len(found.values) == 2 and sum(found.values) + found.capped == pytest.approx(1.0)


def test_what_cannot_be_judged_is_refused() -> None:
    seen = Observation.parse(EVEN.format(turn=0))
    with pytest.raises(ValueError, match="at least one play-out, not 0"):
        win_chances(seen, 0)
    with pytest.raises(FormatError, match="unknown style 'clever'"):
        win_chances(seen, style="clever")
    with pytest.raises(FormatError, match=r"turtle: no preset 'fast' \(it has: bold, careful\)"):
        win_chances(seen, style="turtle:fast")
    with pytest.raises(FormatError, match="planner has no compiled policy"):
        win_chances(seen, style="planner")
    game = Game(load("delta"), Rules(fog=True), 3, rng=np.random.default_rng(1))
    with pytest.raises(ValueError, match="what is seen in fog"):
        win_chances(game.observation(), 5)
    assert sum(win_chances(game, 20).values) > 0.5
