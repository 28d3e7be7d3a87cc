"""The planner's fast policy: that a goal forced on it is what it pursues, and that it stops there."""

import json
from importlib import resources

import numpy as np
import pytest

from surefoot.errors import FormatError
from surefoot.risk import worldmap
from surefoot.risk.actions import Action, Attack, Draft, Occupy, unpack
from surefoot.risk.goals import SETS, WORDS, Goal, pack_weights, planner_policy, shipped_weights
from surefoot.risk.kernels import campaign, planner_goals
from surefoot.risk.observation import Observation
from surefoot.risk.policy import Policy, decide, tables
from surefoot.spec import parse

CLASSIC = worldmap.load("classic")
KEYS = [CLASSIC.key_of(number) for number in range(len(CLASSIC.territories))]
CONTINENTS = [continent.name for continent in CLASSIC.continents]
AUSTRALIA = CONTINENTS.index("Australia")
SOUTH_AMERICA = CONTINENTS.index("South America")


def place(key: str) -> int:
    return CLASSIC.territory(key)


def position(head: str, **lands: str) -> Observation:
    """Seats 0, 1, 2 with their armies; what none of them names is seat 2's, three armies each."""
    named = [part.rsplit(" ", 1)[0] for text in lands.values() for part in text.split(", ")]
    rest = ", ".join(f"{key} 3" for key in KEYS if key not in named)
    two = ", ".join(part for part in (lands.get("two", ""), rest) if part)
    one = f"1: {lands['one']}\n" if "one" in lands else ""
    return Observation.parse(
        f"map: classic\nplayers: 3\nseat: 0\nround: 3\n{head}0: {lands['own']}\n{one}2: {two}"
    )


def answer(policy: Policy, seen: Observation) -> Action:
    return unpack(decide(policy, seen, np.zeros(1, np.uint64)))


ATTACK = "phase: attack\n"
ONE = "great-britain 5, iceland 5"


def test_a_continent_is_drafted_for_attacked_and_then_left_alone() -> None:
    forced = planner_policy(Goal.CONTINENT, AUSTRALIA)
    own = "siam 20, brazil 30"
    assert answer(forced, position("", own=own, one=ONE)) == Draft(place("siam"), 3)
    attack = answer(forced, position(ATTACK, own=own, one=ONE))
    assert isinstance(attack, Attack)
    assert (attack.source, attack.target) == (place("siam"), place("indonesia"))
    whole = "indonesia 9, new-guinea 1, western-australia 1, eastern-australia 1, brazil 30"
    assert not isinstance(answer(forced, position(ATTACK, own=whole, one=ONE)), Attack)


def test_a_continent_is_broken_only_while_another_holds_it() -> None:
    forced = planner_policy(Goal.BREAK, SOUTH_AMERICA)
    own = "central-america 12, siam 12"
    attack = answer(forced, position(ATTACK, own=own, one=ONE))
    assert isinstance(attack, Attack)
    assert (attack.source, attack.target) == (place("central-america"), place("venezuela"))
    shared = position(ATTACK, own=own, one=f"{ONE}, peru 1")
    assert not isinstance(answer(forced, shared), Attack)


def test_a_player_is_gone_for_through_others() -> None:
    forced = planner_policy(Goal.ELIMINATE, 1)
    seen = position(ATTACK, own="greenland 25, brazil 30", one="scandinavia 2", two="iceland 1")
    attack = answer(forced, seen)
    assert isinstance(attack, Attack)
    assert (attack.source, attack.target) == (place("greenland"), place("iceland"))


def test_a_territory_is_reached_by_the_cheapest_way() -> None:
    forced = planner_policy(Goal.TAKE, place("japan"))
    assert answer(forced, position("", own="alaska 20, peru 30", one=ONE)) == Draft(place("alaska"), 3)
    attack = answer(forced, position(ATTACK, own="alaska 20, peru 30", one=ONE))
    assert isinstance(attack, Attack)
    assert (attack.source, attack.target) == (place("alaska"), place("kamchatka"))
    forth = position(
        "phase: occupy\nconquered: yes\ntaken: alaska kamchatka\n",
        own="alaska 15, kamchatka 3, peru 30",
        one=ONE,
    )
    assert answer(forced, forth) == Occupy(17)
    there = position(ATTACK, own="alaska 1, kamchatka 1, japan 10, peru 30", one=ONE)
    assert not isinstance(answer(forced, there), Attack)


def test_a_card_takes_one_conquest() -> None:
    forced = planner_policy(Goal.CARD)
    own = "siam 20, brazil 30"
    assert isinstance(answer(forced, position(ATTACK, own=own, one=ONE)), Attack)
    assert not isinstance(answer(forced, position(f"{ATTACK}conquered: yes\n", own=own, one=ONE)), Attack)


def test_who_holds_drafts_where_it_lacks_and_attacks_nothing() -> None:
    forced = planner_policy(Goal.HOLD)
    own = "indonesia 2, new-guinea 1, western-australia 1, eastern-australia 1, brazil 30"
    seen = position("", own=own, one="siam 9, great-britain 5")
    draft = answer(forced, seen)
    assert isinstance(draft, Draft) and draft.territory == place("indonesia")
    seen = position(ATTACK, own=own, one="siam 1, great-britain 5")
    assert not isinstance(answer(forced, seen), Attack)


def test_what_is_out_of_reach_is_given_up_or_leaves_the_choice_free() -> None:
    seen = position(ATTACK, own="brazil 30", one=ONE, two="ural 90")
    assert not isinstance(answer(planner_policy(Goal.TAKE, place("ural")), seen), Attack)
    assert isinstance(answer(planner_policy(Goal.TAKE, place("ural"), free_afterwards=True), seen), Attack)
    assert isinstance(answer(planner_policy(), seen), Attack)


def test_its_actions_depend_on_nothing_it_did_before() -> None:
    """Whatever lies in the room to think, the action is the same."""
    seen = position(ATTACK, own="greenland 12, brazil 9, siam 7", one=ONE)
    rng = np.random.default_rng(8)
    answers = set()
    for _ in range(5):
        room = rng.integers(-5000, 5000, (campaign.CAMPAIGN_ROWS, len(CLASSIC.world)))
        for policy in (planner_policy(), parse("empire", "risk").make(0).policy):
            answers.add((policy.style, decide(policy, seen, np.zeros(1, np.uint64), scratch=room)))
    assert len(answers) == 2


def test_the_odds_of_a_campaign_are_near_the_exact_ones() -> None:
    """One battle by the normal approximation, against the table: near enough to choose by."""
    chances = tables(position("", own="siam 20", one=ONE).rules).chances
    rate = int(campaign.loss_rate(chances))
    gaps = []
    for defenders in range(1, 31):
        for attackers in range(1, 41):
            cost = (rate * 6 // 10 if defenders == 1 else rate * defenders - rate // 4) + 16
            left = 16 * attackers - cost + 16
            gaps.append(abs(campaign.odds(left, defenders, 1) - chances[attackers, defenders]))
    assert max(gaps) < 0.2
    assert np.mean(gaps) < 0.03


def test_weights_are_named_and_complete() -> None:
    sets = {name: dict(shipped_weights()[name]) for name in SETS}
    assert sorted(WORDS.values()) == list(range(planner_goals.SET_WORDS))
    row = pack_weights(sets)
    assert row[planner_goals.GOAL_KIND] == Goal.FREE.value
    assert row[planner_goals.FIRST + WORDS["loss"]] == sets["duel"]["loss"]
    del sets["crowd"]["loss"]
    with pytest.raises(FormatError, match="crowd: missing or unknown loss"):
        pack_weights(sets)
    data = json.loads(resources.files("surefoot.risk").joinpath("data", "planner.json").read_text("utf-8"))
    assert data["made"]
