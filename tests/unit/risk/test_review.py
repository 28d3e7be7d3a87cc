"""Reviews: losses are found where they are, nothing else is called one, and the sums add up."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner, Result

from surefoot import _jit
from surefoot.cli import app
from surefoot.errors import FormatError
from surefoot.risk import Attack, Draft, Game, Phase, Rules, load
from surefoot.risk.actions import Action, Occupy, pack, unpack
from surefoot.risk.decisions import Kind, cut
from surefoot.risk.events import Rolled
from surefoot.risk.goals import Goal, planner_policy
from surefoot.risk.planner import Plan, describe, plans_for
from surefoot.risk.policy import Policy, decide
from surefoot.risk.record import Record
from surefoot.risk.review import review
from surefoot.risk.verdicts import Review

CLASSIC, DUEL = load("classic"), load("duel")
ATTACK = Attack(CLASSIC.territory("alaska"), CLASSIC.territory("kamchatka"), 2)
SAMPLES = 32


def played(seed: int = 1) -> Record:
    """A game of the fast policy against one that never attacks."""
    game = Game(load("delta"), Rules(), 2, rng=np.random.default_rng(seed))
    styles = [planner_policy(), planner_policy(Goal.HOLD)]
    streams = np.zeros(1, np.uint64)
    while not game.over:
        game.play(choose(game, styles, streams))
    return Record.of(game)


def choose(game: Game, policies: Sequence[Policy], streams: NDArray[np.uint64]) -> Action:
    return unpack(decide(policies[game.turn % 2], game.observation(), streams))


@pytest.fixture(scope="module")
def record() -> Record:
    return played()


@pytest.fixture(scope="module")
def found(record: Record) -> Review:
    return review(record, SAMPLES)


def test_the_parts_add_up_to_the_result(record: Record, found: Review) -> None:
    won = [float(seat == record.winner) for seat in range(2)]
    assert record.winner is not None and list(found.turns[-1].after) == won
    for one, last in zip(found.seats, won, strict=True):
        parts = one.first - one.loss + one.gifts + one.luck + one.others_luck + one.rest
        assert parts == pytest.approx(last) and one.last == last
    for turn, following in zip(found.turns, found.turns[1:]):
        assert turn.after == following.before
        assert sum(turn.before) == pytest.approx(1.0)
    assert sum(turn.moves for turn in found.turns) == len(record.actions)


def test_the_same_seed_gives_the_same_review_also_in_parts(record: Record, found: Review) -> None:
    calls: list[tuple[int, int]] = []
    again = review(record, SAMPLES, on_decision=lambda done, total: calls.append((done, total)))
    assert again == found
    assert calls == [(n + 1, len(calls)) for n in range(len(calls))]
    parts = [review(record, SAMPLES, first_turn=n, turns=1).turns for n in range(len(found.turns))]
    assert tuple(turn for part in parts for turn in part) == found.turns
    assert review(record, SAMPLES, seed=1) != found


def test_one_seat_alone_is_weighed_as_among_all(record: Record, found: Review) -> None:
    alone = review(record, SAMPLES, seats=[1])
    both = [one for turn in found.turns for one in turn.decisions if one.seat == 1]
    assert [one for turn in alone.turns for one in turn.decisions] == both


def test_an_idle_player_loses_more_than_the_planner_itself() -> None:
    """Not in every game, as dice may decide one before it matters, but in a few together."""
    told = [review(played(seed), SAMPLES, seats=[seat]) for seed in range(4) for seat in (0, 1)]
    planner, idle = (sum(one.seats[seat].loss for one in told[seat::2]) for seat in (0, 1))
    assert idle > 2 * planner and idle > 0.5
    worst = max((one.worst[0] for one in told[1::2] if one.worst), key=lambda one: one.loss)
    assert worst.seat == 1 and worst.loss > 2 * worst.error
    assert worst.better != worst.played and "% to win against" in worst.why


def test_what_the_planner_plays_itself_is_no_loss() -> None:
    """The free choice is among the plans, so that few of its decisions are beaten, and none by much."""
    game = Game(DUEL, Rules(), 2, rng=np.random.default_rng(4))
    streams = np.zeros(1, np.uint64)
    while not game.over:
        game.play(choose(game, [planner_policy()] * 2, streams))
    told = review(Record.of(game), SAMPLES)
    decisions = [one for turn in told.turns for one in turn.decisions]
    assert sum(one.loss > 0 for one in decisions) < 0.3 * len(decisions)


def test_drafts_are_one_decision_and_the_only_choice_is_none(record: Record) -> None:
    for stretch in cut(record).stretches:
        kinds = [one.kind for one in stretch.decisions]
        assert stretch.seat is None or kinds.count(Kind.DRAFT) <= 1
        assert (stretch.seat is None) == (Kind.SETUP in kinds)
        for one in stretch.decisions:
            assert len(one.before.legal_actions) > 1
            assert one.kind is not Kind.DRAFT or one.after.phase is not Phase.DRAFT


def test_dice_are_luck_by_what_they_brought(record: Record, found: Review) -> None:
    attacks = [one for turn in found.turns for one in turn.decisions if one.kind is Kind.ATTACK]
    assert attacks and all(one.outcome.startswith("it is") for one in attacks)
    others = [one for turn in found.turns for one in turn.decisions if one.kind is not Kind.ATTACK]
    assert all(one.luck == 0.0 and not one.outcome for one in others)
    assert any(isinstance(entry, Rolled) for entry in record.history)


@pytest.mark.parametrize("entries", range(1, 40, 3))
def test_any_beginning_of_a_game_can_be_reviewed(record: Record, entries: int) -> None:
    """Also one that stops where dice have to fall."""
    part = Record(record.worldmap, record.rules, 2, record.history[:entries], None)
    told = review(part, 2)
    assert all(len(turn.after) == 2 for turn in told.turns)


def test_three_players_and_claims() -> None:
    rules = replace(Rules(), placement="claimed")
    game = Game(load("delta"), rules, 3, rng=np.random.default_rng(2))
    streams = np.zeros(1, np.uint64)
    while game.round < 2 and not game.over:
        game.play(choose(game, [planner_policy()] * 2, streams))
    told = review(Record.of(game), 4)
    assert len(told.seats) == 3
    for turn in told.turns:
        change = np.array(turn.after) - turn.before
        parts = np.array([turn.gifts, turn.luck, turn.rest]).sum(0) - turn.losses
        assert parts == pytest.approx(change)
        assert sum(turn.gifts) == pytest.approx(sum(turn.losses))


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (Plan(Goal.CONTINENT, 4), "take all of Asia"),
        (Plan(Goal.BREAK, 2), "break Europe"),
        (Plan(Goal.ELIMINATE, 2), "eliminate player 2"),
        (Plan(Goal.TAKE, CLASSIC.territory("brazil")), "take Brazil"),
        (Plan(Goal.CARD), "take one territory for the card"),
        (Plan(Goal.HOLD), "hold"),
        (Plan(), "choose freely"),
        (Plan(keep=True), "choose freely, keeping the cards"),
        (Plan(opening=pack(Draft(0, 3))), "place 3 armies in Alaska"),
        (
            Plan(Goal.HOLD, 0, pack(ATTACK)),
            "attack Kamchatka from Alaska with 2, then hold",
        ),
        (Plan(opening=pack(Occupy(3))), "move 3 armies in"),
    ],
)
def test_plans_have_words(plan: Plan, words: str) -> None:
    assert describe(plan, CLASSIC) == words


def test_every_plan_of_a_position_has_words_of_its_own() -> None:
    game = Game(CLASSIC, Rules(), 3, rng=np.random.default_rng(1))
    plans = plans_for(game.observation())
    assert len({describe(plan, CLASSIC) for plan in plans}) == len(plans) > 5


def test_what_cannot_be_reviewed_is_refused(record: Record) -> None:
    with pytest.raises(FormatError, match="there is no seat 2"):
        review(record, seats=[2])
    with pytest.raises(FormatError, match="at least 2"):
        review(record, 1)
    fog = Game(DUEL, replace(Rules(), fog=True), 2, rng=np.random.default_rng(0))
    with pytest.raises(FormatError, match="fog"):
        review(Record.of(fog))
    assert review(Record(DUEL, Rules(), 2, (), None)).seats == ()


def test_the_command(record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jit, "is_warm", lambda: True)
    path = tmp_path / "game.txt"
    path.write_text(str(record), "utf-8")

    def run(*words: str) -> Result:
        return CliRunner().invoke(app, ["risk", "review", str(path), "--samples", "4", *words])

    answer = json.loads(run("--json", "--seed", "3").stdout)
    assert answer["turns"] == json.loads(json.dumps(review(record, 4, seed=3).as_dict()))["turns"]
    assert "turning points" in run().stdout and "player  turns" in run("--seat", "0").stdout
    refused = run("--seat", "2")
    assert (
        refused.exit_code == 2 and refused.stderr.strip().count("\n") == 0 and "no seat 2" in refused.stderr
    )
    path.write_text(str(record).replace('"standard"', '"standard:fog=yes"'), "utf-8")
    assert run().exit_code == 2
