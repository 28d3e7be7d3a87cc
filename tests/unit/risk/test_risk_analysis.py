"""What is told of a position is what the rules and the odds say."""

from typing import Any

import numpy as np
import pytest

from surefoot.errors import FormatError, TooComplex
from surefoot.risk import worldmap
from surefoot.risk.actions import END, Action, Attack, Claim, Draft, Fortify, Occupy, Trade
from surefoot.risk.analysis import analyze, attacks, chance_of, reason
from surefoot.risk.battle import battle
from surefoot.risk.bulk import draw_event
from surefoot.risk.dice import Dice
from surefoot.risk.game import Game
from surefoot.risk.observation import Observation
from surefoot.risk.rules import Rules
from surefoot.risk.situation import CHANCE_PHASES
from surefoot.spec import parse

DUEL = "map: duel\nplayers: 2\nseat: 0\nround: 3\n"
FRONT = "0: moor 9, fen 4, heath 1\n1: dale 2, weald 3, wold 8\n"
MOOR, FEN, HEATH, DALE, WEALD, WOLD = range(6)


class Says:
    """An agent that always answers the same."""

    def __init__(self, action: Any) -> None:
        self.action = action

    def act(self, observation: Observation) -> Action:
        answer: Action = self.action
        return answer


def position(text: str) -> Observation:
    return Observation.parse(DUEL + text)


def test_every_attack_with_its_exact_odds_the_surest_first() -> None:
    seen = position(f"phase: attack\n{FRONT}")
    # Heath has nobody to spare, and Moor no enemy beside it.
    assert [(each.source, each.target) for each in attacks(seen)] == [(FEN, DALE)]
    (chance,) = attacks(seen)
    odds = battle(3, 2)
    assert (chance.attackers, chance.defenders, chance.win) == (3, 2, odds.win)
    assert chance.left == pytest.approx(sum(n * p for n, p in enumerate(odds.attackers) if n) / odds.win)
    two = position("phase: attack\n0: fen 4, heath 9, moor 1\n1: dale 2, weald 3, wold 8")
    assert [(each.source, each.target) for each in attacks(two)] == [(HEATH, WEALD), (FEN, DALE)]


@pytest.mark.parametrize(
    ("rules", "dice"),
    [("standard:defence_dice=3", Dice(3, 3)), ("document-program", Dice(1, 1, "coin"))],
)
def test_the_odds_are_those_of_the_rules(rules: str, dice: Dice) -> None:
    seen = position(f"rules: {rules}\nphase: attack\n{FRONT}")
    assert attacks(seen)[0].win == battle(3, 2, dice=dice).win


def test_reinforcements_are_those_of_the_rules() -> None:
    seen = position(f"phase: draft\n{FRONT}")
    found = analyze(seen, Says(Draft(FEN, 3)))
    assert found.reinforcements == (4, 4)  # three, and one for the held half
    assert analyze(position(f"rules: document\n{FRONT}"), Says(Draft(FEN, 3))).reinforcements == (3, 3)


def test_the_advice_is_the_agents_and_legal() -> None:
    seen = position(f"phase: attack\n{FRONT}")
    agent = parse("continent", "risk").make(0)
    assert analyze(seen, agent).advice == agent.act(seen)
    found = analyze(seen, Says(Attack(np.int64(FEN), DALE, 3)))  # type: ignore[arg-type]
    assert found.advice == Attack(FEN, DALE, 3)
    with pytest.raises(FormatError, match=r"answered attack 0 3 1, but the territories are not neighbours"):
        analyze(seen, Says(Attack(MOOR, DALE, 1)))
    with pytest.raises(FormatError, match="no action"):
        analyze(seen, Says("end"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"turn: 1\n{FRONT}", "the turn of player 1"),
        (f"phase: draw\nconquered: yes\n{FRONT}", "chance is next"),
        ("phase: over\nwinner: 0\n0: moor 9, fen 4, heath 1, dale 1, weald 1, wold 1", "the game is over"),
    ],
)
def test_where_nothing_is_to_be_chosen_nobody_is_asked(text: str, why: str) -> None:
    found = analyze(position(text), Says(None))
    assert found.advice is None
    assert why in found.why


def test_a_reason_for_every_kind_of_action() -> None:
    seen = position(f"phase: attack\n{FRONT}")
    odds = battle(3, 2)
    assert f"takes Dale with {odds.win:.1%}" in reason(seen, Attack(FEN, DALE, 3))
    assert reason(seen, Fortify(MOOR, FEN, 8)) == (
        "8 armies go from Moor, where 0 enemies are near, to Fen, where 2 are"
    )
    assert "no attack" in reason(seen, END)
    draft = position(f"cards: wild-1 wild-2 dale\n{FRONT}")
    assert reason(draft, Draft(FEN, 4)) == "Fen then has 8 armies against 2 around it"
    assert reason(draft, Trade((DALE, 6, 7))) == "the set is worth 4 armies"
    taken = position("phase: occupy\ntaken: fen dale\n0: moor 9, fen 6, heath 1, dale 3\n1: weald 3, wold 8")
    assert reason(taken, Occupy(5)) == "5 in Dale, where 11 enemies are near, and 4 stay behind"
    claim = Game(worldmap.load("duel"), Rules(placement="claimed"), 2, rng=None)
    claim.play(Claim(MOOR))
    claim.play(Claim(WOLD))
    assert reason(claim, Claim(FEN)) == "Fen has 1 own neighbours"


@pytest.mark.parametrize("rules", ["standard", "modern:fog=yes;capitals=yes;placement=claimed"])
def test_a_whole_game_can_be_analyzed_position_by_position(rules: str) -> None:
    game = Game(worldmap.load("delta"), Rules.parse(rules), 3, rng=None)
    words = np.arange(4, dtype=np.uint64)
    agent = parse("killer", "risk").make(0)
    asked = 0
    while asked < 150:
        while game.phase in CHANCE_PHASES:
            game.resolve(draw_event(game, words))
        if game.over:
            break
        found = analyze(game.observation(), agent)
        assert found.advice is not None and found.why
        game.play(found.advice)
        asked += 1
    assert asked > 20


def test_a_stack_beyond_all_measure_is_too_complex() -> None:
    seen = position(FRONT.replace("fen 4", "fen 20000"))
    with pytest.raises(TooComplex, match=r"a battle of 19999 armies"):
        attacks(seen)
    assert chance_of(seen, FEN, DALE, 5).win == battle(5, 2).win
