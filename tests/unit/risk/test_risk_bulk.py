"""Many games: the same for every way of playing them, and honest about who could not finish."""

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surefoot.arena.risk import evaluate
from surefoot.arena.statistics import wilson
from surefoot.errors import FormatError, RulesError
from surefoot.risk import worldmap
from surefoot.risk.actions import Attack, Draft
from surefoot.risk.bulk import NOBODY, End, Match, as_action, draw_event, play_compiled, play_games
from surefoot.risk.game import Game
from surefoot.risk.kernels import layout, rng
from surefoot.risk.rules import Rules
from surefoot.risk.situation import CHANCE_PHASES
from surefoot.spec import AgentSpec, parse

DUEL = worldmap.load("duel")
DELTA = worldmap.load("delta")
STANDARD = Rules()

Write = Callable[[str], AgentSpec]


def specs(*names: str) -> list[AgentSpec]:
    return [parse(name, "risk") for name in names]


def policies(*names: str) -> list[Any]:
    return [spec.make(0).policy for spec in specs(*names)]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Makes an agent from the body of its class."""
    monkeypatch.setattr(sys, "path", list(sys.path))

    def make(body: str) -> AgentSpec:
        path = tmp_path / "agent.py"
        path.write_text(
            "import numpy as np\nfrom surefoot.risk.actions import END, Attack, Draft, Occupy\n"
            f"from surefoot.risk.agents.passive import PassiveAgent\nclass Agent:\n{body}"
        )
        return parse(f"{path}:Agent", "risk")

    return make


# --- the same games ---------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_games_for_any_number_of_workers() -> None:
    played = specs("random", "aggressive", "continent")
    done: list[int] = []
    options: dict[str, Any] = {"games": 30, "seed": 7, "paired": True}
    one = evaluate(played, DELTA, STANDARD, **options, on_progress=done.append)
    two = evaluate(played, DELTA, STANDARD, **options, workers=2)
    with ThreadPoolExecutor(1) as executor:
        three = evaluate(played, DELTA, STANDARD, **options, workers=3, executor=executor)
    same: dict[str, Any] = {"seconds": 0.0, "cpu_seconds": 0.0, "startup_cpu_seconds": 0.0, "workers": 0}
    assert replace(one, **same) == replace(two, **same) == replace(three, **same)
    assert sum(done) == 30
    other = evaluate(played, DELTA, STANDARD, games=30, seed=8, paired=True)
    assert other.turns != one.turns


def test_a_game_is_the_same_on_its_own() -> None:
    match = Match(DELTA, STANDARD, 3, 5, False)
    chosen = policies("random", "killer", "spread")
    whole, part = play_compiled(match, chosen, 0, 12), play_compiled(match, chosen, 7, 3)
    for column, other in zip(whole, part):
        assert np.array_equal(column[7:10], other)


def test_one_agent_that_is_not_compiled_changes_nothing_but_the_speed(write: Write) -> None:
    own = write(
        "    def __init__(self, seed):\n        self.inner = PassiveAgent()\n"
        "    def act(self, observation):\n        return self.inner.act(observation)\n"
    )
    compiled = evaluate(specs("passive", "random"), DELTA, STANDARD, games=6, seed=3)
    by_move = evaluate([own, *specs("random")], DELTA, STANDARD, games=6, seed=3)
    assert by_move.wins == compiled.wins
    assert (by_move.turns, by_move.wins_by_seat) == (compiled.turns, compiled.wins_by_seat)


def test_a_subclass_that_plays_otherwise_is_asked_itself(write: Write) -> None:
    # It says so, because its policy is not what it plays.
    spec = write(
        "    pass\nclass Loud(PassiveAgent):\n    compiled = False\n    def act(self, o):\n        1 / 0\n"
    )
    loud = parse(str(spec).replace(":Agent", ":Loud"), "risk")
    found = evaluate([loud, *specs("passive")], DELTA, STANDARD, games=2)
    assert found.faults == (2, 0)


# --- seats and deals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 7))
def test_seats_rotate_and_paired_games_share_their_deal(players: int) -> None:
    match = Match(worldmap.load("classic"), STANDARD, players, 4, True)
    for seat in range(players):
        assert {match.seating(game)[seat] for game in range(players)} == set(range(players))
    deals = []
    for number in range(2 * players):
        game = Game(match.worldmap, match.rules, players, rng=None)
        words = match.words(number)
        while game.phase in CHANCE_PHASES:
            game.resolve(draw_event(game, words))
        deals.append(game.state.tobytes())
    assert len(set(deals[:players])) == len(set(deals[players:])) == 1
    assert deals[0] != deals[players]


def test_unpaired_games_have_deals_of_their_own() -> None:
    words = {
        Match(DUEL, STANDARD, 2, root, False).words(game).tobytes() for root in range(9) for game in range(9)
    }
    assert len(words) == 81


def test_two_of_a_kind_win_a_paired_game_each() -> None:
    """The same play from the same chance: they change seats, so that one wins where the other did."""
    found = evaluate(specs("aggressive", "aggressive"), DELTA, STANDARD, games=40, paired=True)
    assert found.wins[0].n == found.wins[1].n == 20
    assert found.agents == ("aggressive", "aggressive #2")


def test_the_seed_of_a_seat_fits_an_agent() -> None:
    words = Match(DUEL, STANDARD, 6, 2**40, False).words(2**35)
    assert words.dtype == np.uint64 and words.shape == (7,)
    assert (words[1:] < 2**63).all()


# --- figures ----------------------------------------------------------------------------------------------


def test_the_figures_are_those_of_the_games() -> None:
    match = Match(DELTA, STANDARD, 2, 3, False)
    table = play_compiled(match, policies("aggressive", "random"), 0, 50)
    found = evaluate(specs("aggressive", "random"), DELTA, STANDARD, games=50, seed=3)
    won = int((table.winner == 0).sum())
    assert 25 < won < 50
    assert (found.wins[0].n, found.wins[0].rate, found.wins[0].ci95) == (won, won / 50, wilson(won, 50))
    assert found.wins_by_seat == tuple((table.seat == seat).sum() for seat in (0, 1))
    assert sum(found.wins_by_seat) + found.capped == 50
    assert found.turns == table.turns.mean()
    assert found.cpu_seconds > 0 and found.seconds > 0


def test_capped_games_are_wins_for_nobody() -> None:
    rules = Rules(round_cap=5)
    found = evaluate(specs("passive", "passive", "passive"), DELTA, rules, games=9)
    assert found.capped == 9
    assert [wins.n for wins in found.wins] == [0, 0, 0] and found.wins_by_seat == (0, 0, 0)
    assert found.turns == 15


def test_the_neutral_wins_nothing_and_has_no_seat_in_the_count() -> None:
    rules = Rules(neutral=True)
    found = evaluate(specs("aggressive", "killer"), DELTA, rules, games=10)
    assert len(found.wins_by_seat) == 2
    assert sum(found.wins_by_seat) == 10


def test_the_dictionary_has_what_the_command_promises() -> None:
    found = evaluate(specs("random", "passive"), DUEL, STANDARD, games=4).as_dict()
    promised = (
        "agents map rules games paired seed wins wins_by_seat capped turns workers seconds cpu_seconds "
        "games_per_cpu_second"
    )
    assert set(promised.split()) <= set(found)
    assert set(found["wins"]["random"]) == {"n", "rate", "ci95"}
    assert (found["map"], found["rules"], found["agents"]) == ("duel", "standard", ["random", "passive"])
    json.dumps(found, allow_nan=False)


# --- agents that go wrong ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "warning"),
    [
        ("    def act(self, o):\n        return 1 / 0", "ZeroDivisionError"),
        ("    def act(self, o):\n        raise SystemExit", "SystemExit"),
        ("    def act(self, o):\n        return None", "which is no action"),
        ("    def act(self, o):\n        return 'end'", "which is no action"),
        ("    def act(self, o):\n        return Draft(0.5, 1)", "no number where one belongs"),
        ("    def act(self, o):\n        return Attack(0, 1, 10**40)", "no game has such numbers"),
        ("    def act(self, o):\n        return Draft(-1, 1)", "IllegalAction"),
    ],
)
def test_an_agent_that_goes_wrong_loses_its_games_only(write: Write, body: str, warning: str) -> None:
    found = evaluate([*specs("aggressive"), write(body)], DUEL, STANDARD, games=4, seed=2)
    assert found.faults == (0, 4)
    assert [wins.n for wins in found.wins] == [4, 0]
    assert found.warning is not None and warning in found.warning
    assert found.warning.partition(", game ")[0].endswith("agent.py:Agent")


def test_an_agent_that_cannot_be_made_for_a_game_loses_that_one(write: Write) -> None:
    moody = write(
        "    def __init__(self, seed):\n        self.inner = PassiveAgent()\n        1 / (seed % 2)\n"
        "    def act(self, o):\n        return self.inner.act(o)\n"
    )
    match = Match(DUEL, Rules(round_cap=3), 2, 2, False)
    told: list[tuple[int, int]] = []
    makers = [moody.make, *(spec.make for spec in specs("passive"))]
    table = play_games(match, makers, 0, 12, lambda game, agent, _: told.append((game, agent)))
    even = [int(match.words(game)[1 + match.seating(game).index(0)]) % 2 == 0 for game in range(12)]
    assert 0 < sum(even) < 12
    assert table.faults[:, 0].tolist() == even
    assert told == [(game, 0) for game in range(12) if even[game]]
    assert (table.winner == 1).tolist() == even


def test_others_go_on_when_one_of_them_goes_wrong(write: Write) -> None:
    bad = write("    def act(self, o):\n        return 1 / 0")
    match = Match(DELTA, STANDARD, 3, 2, False)
    table = play_games(match, [spec.make for spec in [*specs("aggressive", "random"), bad]], 0, 6)
    assert table.faults.tolist() == [[False, False, True]] * 6
    assert set(table.winner.tolist()) == {0}
    assert (table.end == End.WON.value).all()
    assert table.turns.min() > 1


def test_a_game_that_all_give_up_is_won_by_nobody(write: Write) -> None:
    bad = write("    def __init__(self, seed):\n        1 / 0\n    def act(self, o): pass\n")
    match = Match(DUEL, STANDARD, 2, 2, False)
    table = play_games(match, [bad.make, bad.make], 0, 3)
    assert (table.end == End.FORFEITED.value).all()
    assert (table.winner == NOBODY).all() and (table.seat == NOBODY).all()


def test_numbers_of_numpy_are_welcome_in_an_action() -> None:
    action = as_action(Attack(np.int32(3), np.int8(4), np.int64(5), np.uint8(2)))  # type: ignore[arg-type]
    assert action == Attack(3, 4, 5, 2)
    assert isinstance(action, Attack) and type(action.source) is int and type(action.until) is int
    assert as_action(Draft(np.int16(1), 2)) == Draft(1, 2)  # type: ignore[arg-type]


def test_what_cannot_be_played_is_refused_before_it_begins(write: Write) -> None:
    spec = write("    def __init__(self):\n        raise OSError('no weights')\n    def act(self, o): pass\n")
    with pytest.raises(FormatError, match=r"cannot be made: OSError: no weights"):
        evaluate([spec, spec], DUEL, STANDARD, games=1)
    with pytest.raises(RulesError, match="2 to 6 players, not 1"):
        evaluate(specs("random"), DUEL, STANDARD, games=1)
    with pytest.raises(ValueError, match="at least one game"):
        evaluate(specs("random", "random"), DUEL, STANDARD, games=0)


# --- the generator of the kernels -------------------------------------------------------------------------


def test_the_generator_is_splitmix64() -> None:
    """Against the plain arithmetic on Python's integers."""
    mask = 2**64 - 1
    word = 12345
    streams = np.array([99, word], np.uint64)
    with np.errstate(over="ignore"):
        drawn = [float(rng.next_uniform(streams, 1)) for _ in range(50)]
    for number in drawn:
        word = (word + 0x9E3779B97F4A7C15) & mask
        mixed = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
        assert number == ((mixed ^ mixed >> 31) >> 11) * 2.0**-53
    assert streams[0] == 99


def test_dice_fall_as_the_exact_table_says() -> None:
    """Six thousand rolls of three dice against two, by the chance of compiled games."""
    from surefoot.risk.dice import roll_table
    from surefoot.risk.kernels import chance

    game = Game(DUEL, STANDARD, 2, rng=None)
    state = game.state
    state[layout.PHASE] = layout.ROLL
    state[layout.SOURCE], state[layout.TARGET], state[layout.COMMITTED] = 0, 1, 3
    state[layout.OWNER + len(DUEL.territories) + 1] = 2
    table = roll_table()
    streams = np.array([2026], np.uint64)
    count = 6000
    fallen = [0, 0, 0]
    with np.errstate(over="ignore"):
        for _ in range(count):
            fallen[chance.draw(DUEL.world, game.packed, state, table, rng.next_uniform(streams, 0))] += 1
    for losses, weight in enumerate((2890, 2611, 2275)):
        expected = weight / 7776
        assert abs(fallen[losses] / count - expected) < 4 * (expected * (1 - expected) / count) ** 0.5
