import asyncio
import json
import random
from typing import Any, Literal, TypeVar

import numpy as np
import pytest

from surefoot.errors import RulesError
from surefoot.risk import (
    END,
    Attack,
    Claim,
    Draft,
    Fortify,
    Observation,
    Occupy,
    Phase,
    Record,
    Trade,
    load,
    value,
)
from surefoot.risk.cards import sets
from surefoot.risk.kernels import layout
from surefoot.risk.win_chance import WinChances, win_chances
from surefoot.spec import parse
from surefoot.web.lanes import Lanes, agent_of
from surefoot.web.risk import work
from surefoot.web.risk.table import Chance, Standing, begin

from .risk_table import InlineLanes, Table, choose, moved, play_on, refusal, run

T = TypeVar("T")

GAMES = [
    ("classic", "standard:round_cap=12", ["human", "continent", "killer:bold", "turtle", "spread", "random"]),
    ("classic", "standard:neutral=yes;round_cap=12", ["human", "continent"]),
    ("classic", "modern:round_cap=10;placement=claimed", ["human", "human", "aggressive"]),
    ("classic", "standard:capitals=yes;round_cap=10;setup_step=0", ["pacifist", "human", "human", "turtle"]),
    ("classic", "standard:fog=yes;round_cap=10", ["human", "human", "killer"]),
    (
        "classic",
        "standard:fog=yes;capitals=yes;round_cap=8",
        ["human", "continent", "passive", "turtle", "spread"],
    ),
    ("grid-6x6", "document:round_cap=8", ["human", "human"]),
    ("grid-6x6", "document-program:round_cap=15", ["alphabeta", "human"]),
    ("delta", "modern:max_armies=9;round_cap=15", ["human", "human", "spread:careful"]),
    ("duel", "standard:blitz=never;round_cap=20", ["human", "human"]),
    ("duel", "standard:blitz=must;defence_dice=3;max_attacks=2;round_cap=20", ["human", "continent:careful"]),
    (
        "archipelago",
        "standard:fortify=connected;round_cap=10;starting_armies=90",
        ["human", "turtle", "human"],
    ),
]


def check_choices(table: Table) -> None:
    """What is offered is what the rules allow: all of it, and nothing else."""
    view, game = table.view, table.session._game
    count = range(len(game.worldmap.territories))
    choices = view["choices"]
    once: Literal["decided", "roll"] = "decided" if game.rules.blitz == "must" else "roll"

    def legal(action: Any) -> bool:
        return game.broken_rule(action) is None

    attacks = {(s, t): most for s, t, most, _, _ in choices["attack"]}
    marches = {(s, t): most for s, t, most in choices["fortify"]}
    assert choices["claim"] == [t for t in count if legal(Claim(t))]
    assert choices["draft"] == [t for t in count if legal(Draft(t, 1))]
    assert attacks.keys() == {(s, t) for s in count for t in count if legal(Attack(s, t, 1, once))}
    assert marches.keys() == {(s, t) for s in count for t in count if legal(Fortify(s, t, 1))}
    for (source, target), most in marches.items():
        assert legal(Fortify(source, target, most)) and not legal(Fortify(source, target, most + 1))
    if game.rules.blitz != "never":
        for (source, target), most in attacks.items():
            assert legal(Attack(source, target, most)) and not legal(Attack(source, target, most + 1))
    least, most = choices["occupy"] or (1, 0)
    assert [n for n in range(200) if legal(Occupy(n))] == list(range(least, most + 1))
    assert choices["end"] == legal(END)
    offered = [Trade(tuple(offer["cards"]), offer["on"]) for offer in view["sets"]]
    allowed = [
        trade
        for cards in sets(game.worldmap, game.hand(game.turn))
        for on in (None, *cards)
        if on is None or on < len(count)
        if legal(trade := Trade(cards, on))
    ]
    assert len(set(offered)) == len(offered)
    assert set(offered) == set(allowed) if len(allowed) <= 30 else set(offered) <= set(allowed)


def check_sight(table: Table) -> None:
    """The view tells what the viewer sees of the game, and what is hidden could as well be otherwise."""
    view, game = table.view, table.session._game
    viewer = view["viewer"]
    assert viewer == game.turn
    seen = Observation.of(game, viewer)
    assert view["owners"] == seen.owners.tolist() and view["armies"] == seen.armies.tolist()
    assert [card["card"] for card in view["hand"]] == list(seen.cards)
    hidden = np.flatnonzero(seen.owners == layout.HIDDEN)
    unseen = np.flatnonzero(seen.card_places == layout.HIDDEN)
    kept = game.state.copy()
    game.armies[hidden] += 7
    if game.rules.fog:
        game.card_places[unseen] = next(seat for seat in range(game.players) if seat != viewer)
    else:
        game.card_places[unseen] = game.card_places[unseen][::-1]
    assert json.loads(json.dumps(table.session.build())) == view
    game.state[:] = kept


@pytest.mark.parametrize(("name", "rules", "seats"), GAMES)
def test_whole_games_are_played_from_what_the_view_offers(
    lanes: InlineLanes, name: str, rules: str, seats: list[str]
) -> None:
    async def test() -> None:
        table = await Table.lay(lanes, map=name, rules=rules, seats=seats, seed=7)
        await table.say("pace", speed=0)
        steps = 0

        def check(table: Table) -> None:
            nonlocal steps
            steps += 1
            if steps % 5 == 0:
                check_choices(table)
                check_sight(table)

        view = await play_on(table, random.Random(1), check)
        assert view["outcome"] in ("won", "capped")
        assert view["choices"] is None and not view["undo"]
        # The record is that very game, and a game that goes on from it is the same again.
        record = table.session.record()
        again = Record.parse(record).game()
        assert np.array_equal(again.state, table.session._game.state)
        assert again.winner == view["winner"]
        loaded = await Table.lay(lanes, seats=seats, text=record)
        assert loaded.session.record() == record
        for part in ("owners", "armies", "seats", "outcome", "winner", "moves", "round"):
            assert loaded.view[part] == view[part]
        table.session.close()

    run(test)


def test_in_fog_the_log_names_nothing_that_is_not_seen(lanes: InlineLanes) -> None:
    async def test() -> None:
        seats = ["human", "killer", "aggressive", "continent"]
        table = await Table.lay(lanes, rules="standard:fog=yes;round_cap=5;setup_step=0", seats=seats, seed=3)
        await table.say("pace", running=False, speed=1000)
        game, rng = table.session._game, random.Random(2)
        names = [land.name for land in game.worldmap.territories]
        told = silent = 0
        while not game.over and game.alive[0]:
            before = table.view
            sights = [Observation.of(game, 0).owners != layout.HIDDEN]
            if before["choices"] is not None:
                await table.act(choose(before, rng))
            else:
                assert before["phase"] == "waiting" and before["to_place"] == 0
                await table.step()
            if table.view["viewer"] is None or table.view["outcome"] != "running":
                break  # who is out may see everything
            sights.append(Observation.of(game, 0).owners != layout.HIDDEN)
            visible = {name for t, name in enumerate(names) if sights[0][t] or sights[1][t]}
            new = [line for line in table.view["log"] if line not in before["log"]]
            for line in new:
                if line["seat"] == 0:
                    continue
                here = max((name for name in names if name in line["text"]), key=len, default=None)
                assert here is None or here in visible, line
                assert here or not any(letter.isdigit() for letter in line["text"].partition(":")[2]), line
            told += bool(new)
            silent += not new
        assert told > 40 and silent > 20, (told, silent)

    run(test)


def test_hot_seat_shows_each_person_his_own_cards(lanes: InlineLanes) -> None:
    async def test() -> None:
        rules = "standard:round_cap=5;setup_step=0"
        table = await Table.lay(lanes, rules=rules, seats=["human", "turtle", "human"], seed=4)
        await table.say("pace", speed=0)
        assert [seat["name"] for seat in table.view["seats"]] == ["Player 1", "Turtle", "Player 3"]
        seen: dict[int, int] = {0: 0, 2: 0}

        def check(table: Table) -> None:
            viewer, game = table.view["viewer"], table.session._game
            assert [card["card"] for card in table.view["hand"]] == list(game.hand(viewer))
            others = {
                line["text"]
                for line in table.view["log"]
                if "draws" in line["text"] and line["seat"] != viewer
            }
            assert all(text.endswith("draws a card.") for text in others)
            seen[viewer] += len(table.view["hand"])

        await play_on(table, random.Random(3), check)
        assert all(seen.values())
        # Between two people's turns the next one's eyes are those of the page.
        other = await Table.lay(lanes, seats=["human", "passive", "human"], seed=4)
        await other.say("pace", running=False)
        session = other.session
        while session._game.turn == 0:
            view = other.look()
            await other.act(choose(view, random.Random(0), likely=20_000))
        assert other.view["turn"] == 1 and other.view["viewer"] == 2 and other.view["choices"] is None

    run(test)


def test_when_no_person_plays_everything_is_seen(lanes: InlineLanes) -> None:
    async def test() -> None:
        table = await Table.lay(lanes, rules="standard:fog=yes", seats=["continent", "killer"], seed=1)
        view = await table.wait(lambda view: view["moves"] >= 3)
        assert view["viewer"] is None and -3 not in view["owners"] and view["phase"] != "waiting"
        assert view["hand"] == [] and view["choices"] is None and not view["human"]
        await table.say("pace", speed=0)
        view = await table.wait(moved)
        assert view["outcome"] == "won" and view["seats"][view["winner"]]["name"] in view["log"][-1]["text"]

    run(test)


def test_agents_play_at_the_pace_and_stand_still_when_told(lanes: InlineLanes) -> None:
    async def test() -> None:
        loop = asyncio.get_running_loop()
        table = await Table.lay(
            lanes, seats=["spread", "turtle"], seed=2, rules="standard:starting_armies=21"
        )
        assert table.view["pace"] == {"running": True, "speed": 3.0, "thinking": None, "ended": None}
        began = loop.time()
        await table.say("pace", speed=40)
        await table.wait(lambda view: view["moves"] >= 20)
        assert 0.2 < loop.time() - began < 20
        view = await table.say("pace", running=False, speed=1000)
        await asyncio.sleep(0.2)
        still = table.look()["moves"]
        await asyncio.sleep(0.2)
        assert table.look()["moves"] == still and still <= view["moves"] + 2
        for more in (1, 2, 3):
            await table.step()
            await asyncio.sleep(0.05)
            assert table.look()["moves"] == still + more

    run(test)


def test_agents_move_by_themselves_once_a_person_has_ended_the_turn(lanes: InlineLanes) -> None:
    async def test() -> None:
        table = await Table.lay(lanes, map="duel", rules="document", seats=["human", "pacifist"], seed=6)
        await table.say("pace", speed=200)
        view = await play_on(table, random.Random(1), most=60)
        assert view["round"] > 1
        assert {line["seat"] for line in view["log"]} >= {0, 1}

    run(test)


def test_what_took_no_chance_can_be_taken_back(lanes: InlineLanes) -> None:
    async def test() -> None:
        rules = "standard:starting_armies=21"
        table = await Table.lay(lanes, rules=rules, seats=["human", "human"], seed=5)
        assert (await table.refused("undo")).code == "not-legal"
        start = table.view
        first, second = start["choices"]["draft"][:2]
        await table.act(f"draft {first} 1")
        await table.act(f"draft {first} 1")
        after = await table.act(f"draft {second} 1")
        assert [line["text"] for line in after["log"][-2:]] == [
            f"Player 1 places 2 armies in {load('classic').territories[first].name}.",
            f"Player 1 places 1 army in {load('classic').territories[second].name}.",
        ]
        assert after["undo"] and after["moves"] == 3
        for _ in range(3):
            view = await table.say("undo")
        assert view == start
        # The last army opens the attacks; even that can be taken back.
        await table.act(f"draft {first} {start['to_place']}")
        assert table.view["phase"] == "attack" and table.view["undo"]
        assert await table.say("undo") == start
        await table.act(f"draft {first} {start['to_place']}")
        source, target, _, _, _ = table.view["choices"]["attack"][0]
        await table.act(f"attack {source} {target} 1 roll")
        assert not table.view["undo"] and (await table.refused("undo")).code == "not-legal"
        await table.act("end")
        assert table.view["turn"] == 1 and not table.view["undo"]
        assert (await table.refused("undo")).code == "not-legal"

    run(test)


def test_trades_and_occupations_can_be_taken_back(lanes: InlineLanes) -> None:
    async def test() -> None:
        table = await Table.lay(lanes, map="delta", seats=["human", "human"], seed=11)
        rng, taken_back = random.Random(5), set()
        for _ in range(400):
            view = table.look()
            if view["outcome"] != "running":
                break
            action = choose(view, rng)
            await table.act(action)
            kind = action.partition(" ")[0]
            if kind in ("trade", "occupy"):
                assert table.view["undo"]
                length = len(table.session._game.history)
                assert await table.say("undo") == view
                assert len(table.session._game.history) == length - 1
                await table.act(action)
                taken_back.add(kind)
        assert taken_back == {"trade", "occupy"}

    run(test)


def test_a_saved_game_goes_on_where_it_was(lanes: InlineLanes) -> None:
    async def test() -> None:
        seats = ["human", "continent:bold", "human"]
        table = await Table.lay(lanes, seats=seats, seed=8, rules="standard:fog=yes;setup_step=0")
        await table.say("pace", speed=0)
        view = await play_on(table, random.Random(4), most=60)
        record = table.session.record()
        assert '[Seat1 "continent:bold"]' in record
        other = await Table.lay(lanes, seats=seats, text=record)
        same = ("owners", "armies", "seats", "hand", "choices", "turn", "round", "phase", "to_place", "moves")
        assert [other.view[part] for part in same] == [view[part] for part in same]
        assert other.session.record() == record
        await other.say("pace", speed=0)
        await play_on(other, random.Random(4), most=40)
        assert other.session.record().startswith(record[: record.index("[Winner")])
        wrong = await refusal(Table.lay(lanes, seats=["human", "human"], text=record))
        assert wrong.code == "bad-message" and "3 players" in wrong.message

    run(test)


def test_a_restart_has_the_same_settings_and_another_deal(lanes: InlineLanes) -> None:
    async def test() -> None:
        seats = ["human", "continent"]
        table = await Table.lay(lanes, map="delta", rules="modern", seats=seats, seed=1)
        dealt = table.view
        await play_on(table, random.Random(1), most=20)
        await table.say("assist", what="curve", on=True)
        view = await table.say("restart", seed=1)
        assert [view[part] for part in ("owners", "rules", "moves")] == [
            dealt[part] for part in ("owners", "rules", "moves")
        ]
        assert len(view["log"]) == len(dealt["log"]) and not view["undo"]
        assert [seat["player"] for seat in view["seats"]] == seats
        assert table.session.key in lanes.forgotten
        await table.say("assist", what="curve", on=False)
        deals = set()
        for _ in range(6):
            deals.add(str((await table.say("restart"))["owners"]))
        assert len(deals) > 1

    run(test)


def test_a_seat_can_change_hands(lanes: InlineLanes) -> None:
    async def test() -> None:
        table = await Table.lay(lanes, seats=["human", "human", "turtle"], seed=2)
        await table.say("pace", running=False, speed=1000)
        view = await table.say("seat", seat=1, player="killer:careful")
        assert [seat["name"] for seat in view["seats"]] == ["You", "Killer careful", "Turtle"]
        assert view["viewer"] == 0 and "killer:careful plays for Player 2" in view["log"][-1]["text"]
        view = await table.say("seat", seat=0, player="turtle")
        assert [seat["name"] for seat in view["seats"]] == ["Turtle 1", "Killer careful", "Turtle 2"]
        assert view["viewer"] is None and view["choices"] is None
        await table.say("step")
        await table.wait(lambda view: view["moves"] == 1)
        view = await table.say("seat", seat=table.view["turn"], player="human")
        assert view["human"] and view["choices"] is not None and view["viewer"] == view["turn"]
        for seat, player in ((3, "human"), (0, "nobody"), (0, "killer:chance=1"), (0, "cmd:ls")):
            assert (await table.refused("seat", seat=seat, player=player)).code == "bad-message"

    run(test)


def test_an_agent_that_fails_is_replaced_and_the_log_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def act(self, observation: Observation) -> object:
            raise RulesError("no idea")

    class Cheating:
        def act(self, observation: Observation) -> object:
            return Draft(int(np.flatnonzero(observation.owners != observation.turn)[0]), 1)

    class Speechless:
        def act(self, observation: Observation) -> object:
            return "draft alaska 1"

    found = {"killer": Failing(), "turtle": Cheating(), "spread": Speechless()}

    def patched(key: str, seat: int, spec: str, game: str, seed: int) -> Any:
        return found[spec] if spec in found else agent_of(key, seat, spec, game, seed)

    monkeypatch.setattr(work, "agent_of", patched)

    async def test() -> None:
        table = await Table.lay(
            InlineLanes(), seats=["killer", "turtle", "spread"], seed=2, rules="standard:setup_step=0"
        )
        await table.say("pace", running=False, speed=1000)
        for _ in range(100):
            if all(seat["player"] == "passive" for seat in table.view["seats"]):
                break
            await table.step()
        words = " ".join(line["text"] for line in table.view["log"])
        assert "Killer cannot go on (RulesError: no idea" in words
        assert "Turtle cannot go on (IllegalAction: draft" in words
        assert "Spread cannot go on (TypeError: act() answered str" in words
        assert words.count("passive plays for it.") == 3

    run(test)


def test_agents_see_what_their_seat_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Observation] = []

    class Witness:
        def act(self, observation: Observation) -> object:
            shown.append(observation)
            return next(iter(observation.legal_actions))

    monkeypatch.setattr(work, "agent_of", lambda *_: Witness())
    game = begin("classic", "standard:fog=yes", 3, 1)
    work.play("k", Standing.of(game), ("turtle",) * 3, Chance(1, 3), 30, False)
    assert len(shown) == 30 and all(type(seen) is Observation for seen in shown)
    assert all(seen.seat == seen.turn and (seen.owners == layout.HIDDEN).any() for seen in shown)


def test_advice_is_given_once_and_holds_until_the_next_move(lanes: InlineLanes) -> None:
    async def test() -> None:
        table = await Table.lay(
            lanes, seats=["human", "continent"], seed=3, rules="standard:starting_armies=21"
        )
        view = await table.say("advise", agent="turtle:bold")
        assert view["advice"]["thinking"] and view["advice"]["agent"] == "turtle:bold"
        view = await table.wait(lambda view: not view["advice"]["thinking"])
        advice = view["advice"]
        assert advice["text"].startswith("Place ") and "armies against" in advice["why"]
        assert advice["moves"] == view["moves"] == 0
        await table.act(advice["action"])
        assert table.view["advice"] is None
        while table.view["choices"] is not None:
            await table.act(choose(table.view, random.Random(1)))
        assert (await table.refused("advise", agent="planner")).code == "not-legal"
        assert (await table.refused("advise", agent="my.py:Agent")).code == "bad-message"

    run(test)


def test_the_curve_has_a_point_a_turn_and_one_for_now(lanes: InlineLanes) -> None:
    async def test() -> None:
        table = await Table.lay(lanes, map="duel", rules="document", seats=["human", "human"], seed=3)
        assert table.session.view()["curve"] is None
        await table.say("assist", what="curve", on=True)
        view = await table.wait(lambda view: view["curve"]["points"] and not view["curve"]["thinking"])
        [[moves, values, error, capped]] = view["curve"]["points"]
        assert moves == 0 and sum(values) + capped == pytest.approx(1, abs=0.001) and 0 < error < 0.1
        rng = random.Random(3)
        while table.view["outcome"] == "running":
            await table.act(choose(table.view, rng, likely=7000))
            if table.view["outcome"] == "running":
                view = await table.wait(lambda view: not view["curve"]["thinking"])
                points = view["curve"]["points"]
                assert points[-1][0] == view["moves"]
                assert [point[0] for point in points] == sorted({point[0] for point in points})
        points = table.view["curve"]["points"]
        won = [float(seat == table.view["winner"]) for seat in range(2)]
        assert points[-1] == [table.view["moves"], won, 0.0, 0.0]
        assert len(points) >= table.view["round"] > 1
        view = await table.say("assist", what="curve", on=False)
        assert view["curve"] is None

    run(test)


@pytest.mark.parametrize(("rules", "by_value"), [("standard", True), ("standard:capitals=yes", False)])
def test_where_a_turn_begins_the_value_tells_the_chance(
    lanes: InlineLanes, monkeypatch: pytest.MonkeyPatch, rules: str, by_value: bool
) -> None:
    game = begin("delta", f"{rules}{';' if ':' in rules else ':'}setup_step=0", 2, 3)
    agent = parse("continent", "risk").make(0)
    while game.phase is not Phase.DRAFT:
        game.play(agent.act(game.observation()))
    played: list[object] = []

    def count(*rest: Any) -> WinChances:
        played.append(rest)
        return win_chances(*rest)

    monkeypatch.setattr(work, "PLAYOUTS", 10)
    monkeypatch.setattr(work, "win_chances", count)

    async def test() -> None:
        text = str(Record.of(game))
        table = await Table.lay(lanes, seats=["human", "human"], text=text)
        await table.say("assist", what="curve", on=True)
        view = await table.wait(lambda view: view["curve"]["points"] and not view["curve"]["thinking"])
        [[_, values, error, capped]] = view["curve"]["points"]
        assert sum(values) + capped == pytest.approx(1.0, abs=0.001)
        if by_value:
            assert values == [round(chance, 4) for chance in value.chances(game)]
            assert (error, capped, played) == (round(value.gap(2), 4), 0.0, [])
        else:
            assert played
        # Armies that are placed do not show in the value.
        await table.act(choose(table.view, random.Random(1)))
        await table.wait(lambda view: view["curve"]["points"] and not view["curve"]["thinking"])
        assert played

    run(test)


def test_in_fog_the_curve_would_tell_too_much(lanes: InlineLanes) -> None:
    async def test() -> None:
        table = await Table.lay(lanes, rules="standard:fog=yes", seats=["killer", "turtle"], seed=3)
        await table.say("assist", what="curve", on=True)
        await table.wait(lambda view: view["curve"] and view["curve"]["points"])
        view = await table.say("seat", seat=0, player="human")
        assert view["curve"] is None
        assert (await table.refused("assist", what="curve", on=True)).code == "not-legal"
        assert (await table.refused("assist", what="analysis", on=True)).code == "bad-message"

    run(test)


def test_agents_live_in_processes_of_their_own() -> None:
    async def test() -> None:
        lanes = Lanes(1)
        try:
            table = await Table.lay(lanes, map="duel", rules="document", seats=["human", "spread"], seed=6)
            await table.say("pace", speed=0)
            await table.say("assist", what="curve", on=True)
            view = await play_on(table, random.Random(2), most=25)
            assert view["round"] >= 2
            if view["outcome"] == "running":
                await table.say("advise", agent="continent")
                view = await table.wait(lambda view: not view["advice"]["thinking"])
                assert view["advice"]["action"]
                await table.wait(lambda view: view["curve"]["points"])
            loaded = await Table.lay(lanes, seats=["human", "human"], text=table.session.record())
            assert loaded.view["owners"] == view["owners"]
            table.session.close()
        finally:
            lanes.close()

    run(test)
