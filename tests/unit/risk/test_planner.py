"""The search for a plan: what it finds and drops, where there is none, and the advice that comes of it."""

from collections.abc import Sequence

import numpy as np
import pytest

from surefoot.errors import FormatError
from surefoot.race import Race
from surefoot.risk import Game, Observation, Phase, Rules, load
from surefoot.risk.actions import Attack, Draft, unpack
from surefoot.risk.advice import Advice, advise
from surefoot.risk.agents.planner import PlannerAgent
from surefoot.risk.analysis import ask
from surefoot.risk.bulk import Match, play_games
from surefoot.risk.goals import Goal
from surefoot.risk.planner import (
    BATCH,
    FREE,
    Plan,
    Search,
    gatherings_for,
    placements_for,
    plans_at,
    plans_for,
)
from surefoot.risk.rules import PRESETS
from surefoot.risk.worldmap import names
from surefoot.spec import parse
from tests.risk_positions import DALE, FEN, HEATH, WEALD, WOLD

DUEL = "map: duel\nplayers: 2\nseat: 0\nround: 3\n"
FRONT = "phase: attack\n0: moor 9, fen 4, heath 1\n1: dale 2, weald 3, wold 8"
DRAFT = "0: moor 3, fen 8, heath 2\n1: dale 3, weald 1, wold 4"
OUT_OF_REACH = "phase: attack\n0: moor 1, fen 2, heath 2\n1: dale 30, weald 30, wold 30"
LAST_BATTLE = "phase: attack\n0: moor 1, fen 1, heath 1, dale 40, weald 1\n1: wold 2"
TO_THE_LAST = Attack(DALE, WOLD, 39)
"""Nobody is left but two armies beside forty."""


def position(text: str) -> Observation:
    return Observation.parse(DUEL + text)


def tried(text: str, plans: Sequence[Plan] = (), batches: int = 1, seed: int = 0) -> Search:
    seen = position(text)
    search = Search(seen, plans or plans_at(seen), np.random.default_rng(seed))
    for _ in range(batches):
        search.try_once_more()
    return search


# --- what there is to choose from -------------------------------------------------------------------------


def test_the_plans_are_those_within_sight() -> None:
    plans = plans_for(position(FRONT))
    assert plans[0] == FREE and len(set(plans)) == len(plans)
    assert {plan.goal for plan in plans if plan.kind is Goal.TAKE} == {DALE, WEALD}
    assert {plan.goal for plan in plans if plan.kind is Goal.CONTINENT} == {1}
    assert Plan(Goal.BREAK, 1) in plans and Plan(Goal.ELIMINATE, 1) in plans


def test_all_armies_in_hand_can_be_placed_on_each_border() -> None:
    found = placements_for(position(DRAFT))
    assert found[0] == FREE
    assert {unpack(plan.opening) for plan in found[1:]} == {Draft(FEN, 4), Draft(HEATH, 4)}
    # No more than the rules let stand there.
    few = placements_for(position(f"rules: standard:max_armies=9\n{DRAFT}"))
    assert {unpack(plan.opening) for plan in few[1:]} == {Draft(FEN, 1), Draft(HEATH, 4)}


def test_what_is_chosen_from_depends_on_the_phase() -> None:
    draft = position(DRAFT)
    assert plans_at(draft) == plans_for(draft)
    may = plans_at(position(f"cards: dale moor wild-1\n{DRAFT}"))
    assert may == [*plans_for(draft), Plan(keep=True)]
    taken = "phase: occupy\ntaken: fen dale\n0: moor 9, fen 6, heath 1, dale 3\n1: weald 3, wold 8"
    assert plans_at(position(taken)) == []
    claim = Game(load("duel"), Rules(placement="claimed"), 2, rng=None)
    assert claim.phase is Phase.CLAIM and plans_at(claim.observation()) == []
    dealt = Game(load("duel"), Rules(), 2, rng=np.random.default_rng(3)).observation()
    assert dealt.phase is Phase.SETUP and plans_at(dealt) == gatherings_for(dealt)
    assert plans_at(position(f"rules: standard:fog=yes\n{FRONT}")) == []
    with pytest.raises(ValueError, match="a plan is for"):
        Search(claim.observation(), [FREE], np.random.default_rng(0))


# --- the search -------------------------------------------------------------------------------------------


def test_a_win_that_is_there_is_found() -> None:
    search = tried(LAST_BATTLE, [Plan(Goal.HOLD), Plan(Goal.ELIMINATE, 1)])
    assert search.race.mean(1) == 1.0 > search.race.mean(0)
    assert search.run(60.0) == Plan(Goal.ELIMINATE, 1)
    assert PlannerAgent(ms=1).act(position(LAST_BATTLE)) == TO_THE_LAST


def test_no_more_is_looked_for_than_is_enough() -> None:
    seen = Game(load("classic"), Rules(), 2, rng=np.random.default_rng(0)).observation()

    def samples(enough: float) -> int:
        search = Search(seen, gatherings_for(seen), np.random.default_rng(0))
        search.run(0.5, enough)
        return search.race.samples

    assert samples(0.0) == BATCH < samples(1.0)


def test_a_plan_out_of_reach_is_played_as_the_free_choice_and_dropped() -> None:
    reach = Plan(Goal.CONTINENT, 1)
    search = tried(OUT_OF_REACH, [FREE, reach])
    assert search.twins == {1} and search.race.running == [0]
    assert search.race.mean(0) == search.race.mean(1)


def test_the_same_seed_gives_the_same_plans() -> None:
    def told(seed: int) -> list[float]:
        race = tried(DRAFT, batches=4, seed=seed).race
        return [race.mean(number) for number in range(5)]

    assert told(1) == told(1) != told(2)


def test_every_plan_meets_the_same_dice() -> None:
    """So that a plan which is there twice is known for the same to the last bit."""
    search = tried(DRAFT, [FREE, Plan(Goal.HOLD), FREE])
    assert search.twins == {2}
    assert search.race.mean(0) == search.race.mean(2) != search.race.mean(1)


def test_the_gap_to_another_is_taken_on_the_samples_of_both() -> None:
    race = Race([0.0, 0.0], 0.04, 0.001, 0.0001)
    race.add(np.array([[0.5, 0.7], [0.1, 0.1]]))
    assert race.running == [0]
    race.add(np.array([[0.0, 0.0], [1.0, 1.0]]))
    assert race.mean(0) == pytest.approx(0.3) and race.mean(1) == pytest.approx(0.1)
    assert race.gap(1, 0) == pytest.approx(-0.5) and race.gap(0, 0) == 0.0


def test_who_was_thought_much_worse_is_out_before_the_first_sample() -> None:
    prior = [0.0, -0.3, -0.05]
    race = Race(prior, 0.06, 0.001)
    race.drop_beaten()
    assert race.running == [0, 2] and race.samples == 0
    race.add(np.array([[0.5, 0.5], [0.0, 0.0], [0.9, 0.9]]))
    told = race.beliefs()
    # What was never tried is thought of as before, beside whoever leads now.
    assert max(told) == 0.0 and told[1] == prior[1] - prior[race.leader()]
    assert np.isfinite(told).all()


# --- the agent --------------------------------------------------------------------------------------------


TABLES = [(name, list(PRESETS)[number % len(PRESETS)], 2 + number % 2) for number, name in enumerate(names())]


def test_the_tables_below_have_every_map_and_every_preset() -> None:
    assert {table[0] for table in TABLES} == set(names())
    assert {table[1] for table in TABLES} == set(PRESETS)


@pytest.mark.parametrize(("name", "rules", "seats"), TABLES)
def test_it_plays_on_every_map_and_under_every_preset_without_breaking_a_rule(
    name: str, rules: str, seats: int
) -> None:
    # All starting armies at once, and two rounds: each thought takes some hundredths of a second.
    switches = Rules.parse(f"{rules}:round_cap=2;setup_step=0")
    specs = [parse(each, "risk") for each in ("planner:ms=1", "aggressive", "continent")[:seats]]
    table = play_games(Match(load(name), switches, seats, 1, False), [spec.make for spec in specs], 0, 1)
    assert not table.faults.any() and table.rounds[0] >= 1


def test_in_fog_it_plays_as_its_fast_policy() -> None:
    rules = Rules.parse("modern:fog=yes;round_cap=5")
    tables = []
    for name in ("planner", "planner:fast"):
        specs = [parse(each, "risk") for each in (name, "continent")]
        match = Match(load("delta"), rules, 2, 4, False)
        tables.append(play_games(match, [spec.make for spec in specs], 0, 2))
    for column, other in zip(*tables):
        assert np.array_equal(column, other)


def test_without_time_it_is_a_compiled_policy() -> None:
    assert PlannerAgent(ms=0).compiled and parse("planner:fast", "risk").make(0).compiled
    assert not PlannerAgent(ms=5).compiled and not parse("planner", "risk").make(0).compiled


@pytest.mark.parametrize("ms", ["-1", "nan", "inf", "soon", "True"])
def test_time_that_is_none_is_refused_in_one_line(ms: str) -> None:
    with pytest.raises(FormatError, match=rf"^planner: ms is 0 or more milliseconds, not '{ms}'$"):
        parse(f"planner:ms={ms}", "risk").make(0)


# --- advice -----------------------------------------------------------------------------------------------


def test_advice_is_the_action_of_the_best_plan_and_says_why() -> None:
    found = advise(position(LAST_BATTLE), ms=1)
    best, second = found.plans[:2]
    assert found.action == best.action == TO_THE_LAST
    assert best.win > second.win
    assert found.why == (
        f"{best.words}: {best.win:.1%} to win (±{100 * best.error:.1f}); "
        f"better than {second.win:.1%} to {second.words}"
    )
    wins = [each.win for each in found.plans[1:]]
    assert wins == sorted(wins, reverse=True)
    # The same with the agent, and what the action does after it.
    told = ask(position(LAST_BATTLE), PlannerAgent(ms=1))
    assert told.action == TO_THE_LAST and told.why.startswith(found.why[:12])
    assert told.why.endswith("of 39 are left")


def test_every_plan_that_is_told_begins_with_a_legal_action() -> None:
    for text in (DRAFT, FRONT, f"cards: dale moor wild-1\n{DRAFT}"):
        seen = position(text)
        found = advise(seen, ms=1)
        assert len(found.plans) > 1
        for each in found.plans:
            assert seen.broken_rule(each.action) is None
            assert 0.0 <= each.win <= 1.0 and each.error >= 0.0


def test_where_nothing_is_searched_advice_is_the_fast_policys() -> None:
    fog = position(f"rules: standard:fog=yes\n{FRONT}")
    taken = position("phase: occupy\ntaken: fen dale\n0: moor 9, fen 6, heath 1, dale 3\n1: weald 3, wold 8")
    for seen in (fog, taken):
        assert advise(seen, ms=50) == Advice(PlannerAgent(ms=0).act(seen))
    assert advise(position(FRONT), ms=0) == Advice(PlannerAgent(ms=0).act(position(FRONT)))
