import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from pydantic import BaseModel

from surefoot.risk import Game, Record, load
from surefoot.risk.agents import STRONGEST
from surefoot.risk.analysis import attacks
from surefoot.risk.battle import armies_needed, battle, campaign
from surefoot.risk.observation import Observation
from surefoot.risk.rules import Rules
from surefoot.risk.worldmap import names
from surefoot.web.app import create_app
from surefoot.web.lanes import Lanes
from surefoot.web.risk import api, studies

from .risk_table import InlineLanes

POSITION = "map: duel\nplayers: 2\n0: moor 3, fen 8, heath 2\n1: dale 3, weald 1, wold 4"


async def ready(lanes: Lanes) -> None:
    """Nothing has to be loaded: the work is done here."""


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = create_app(lanes=InlineLanes(), prepare=ready)
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        yield client


def ask(client: TestClient, what: str, **question: Any) -> dict[str, Any]:
    answer = client.post(f"/api/risk/{what}", json=question)
    assert answer.status_code == 200, answer.text
    model: dict[str, type[BaseModel]] = {
        "odds": api.Odds,
        "analyze": api.Analysis,
        "win-chance": api.WinChances,
        "replay": api.Replay,
        "review": api.Review,
    }
    model[what].model_validate_json(answer.text, strict=True)
    read: dict[str, Any] = answer.json()
    return read


def refused(client: TestClient, what: str, status: int = 422, **question: Any) -> str:
    answer = client.post(f"/api/risk/{what}", json=question)
    assert answer.status_code == status, answer.text
    detail = answer.json()["detail"]
    assert isinstance(detail, str) and "\n" not in detail and 0 < len(detail) < 300
    return detail


def a_game(rules: str = "standard", seed: int = 1, moves: int = 10_000, seats: int = 2) -> Game:
    from surefoot.spec import parse

    game = Game(load("delta"), Rules.parse(rules), seats, rng=np.random.default_rng(seed))
    agents = [parse(name, "risk").make(seed) for name in ("continent", "killer", "spread")]
    for _ in range(moves):
        if game.over:
            break
        game.play(agents[game.turn].act(game.observation()))
    return game


def test_odds_of_a_battle(client: TestClient) -> None:
    told = ask(client, "odds", attackers=8, path=[5], until=2, chance=0.9)
    fought = battle(8, 5, until=2)
    assert told["win"] == fought.win and told["taken"] == [1.0, fought.win]
    assert {entry["attackers"]: entry["chance"] for entry in told["left"]} == {
        n: chance for n, chance in enumerate(fought.attackers) if chance > 1e-9
    }
    assert {entry["defenders"]: entry["chance"] for entry in told["defenders"]} == {
        n: chance for n, chance in enumerate(fought.defenders) if chance > 1e-9
    }
    won = [entry for entry in told["left"] if entry["attackers"] > 2]
    assert sum(entry["chance"] for entry in won) == pytest.approx(fought.win)
    mean = sum(entry["attackers"] * entry["chance"] for entry in won) / fought.win
    assert told["mean_left"] == pytest.approx(mean)
    assert told["needed"] == armies_needed(0.9, 5, until=2)


def test_odds_of_a_march_and_of_other_dice(client: TestClient) -> None:
    told = ask(client, "odds", attackers=12, path=[3, 2, 1])
    march = campaign(12, [3, 2, 1])
    assert told["win"] == march.win and told["taken"] == list(march.taken)
    assert told["defenders"] is None and told["needed"] is None
    assert sum(entry["chance"] for entry in told["left"]) == pytest.approx(1)
    assert told["mean_left"] == pytest.approx(sum(n * march.left[n] for n in range(13)) / march.win)
    coins = ask(client, "odds", attackers=1, path=[1], battles="coin")
    assert coins["win"] == 0.5
    assert ask(client, "odds", attackers=5, path=[5], defence_dice=3)["win"] < battle(5, 5).win
    assert ask(client, "odds", attackers=2, path=[1], until=5)["win"] == 0.0
    assert ask(client, "odds", attackers=2, path=[1], until=5)["mean_left"] is None


def test_a_position_is_analyzed(client: TestClient) -> None:
    told = ask(client, "analyze", position=POSITION)
    seen = Observation.parse(POSITION)
    assert told["agent"] == STRONGEST and told["reinforcements"] == [4, 4]
    assert [(one["source"], one["target"], one["win"]) for one in told["attacks"]] == [
        (one.source, one.target, one.win) for one in attacks(seen)
    ]
    assert told["action"].startswith("draft ") and told["advice"].startswith("Place ") and told["why"]
    assert told["plans"][0]["action"] == told["action"]
    assert told["why"].startswith(told["plans"][0]["plan"])
    other = ask(client, "analyze", position=POSITION, agent="alphabeta:free")
    assert other["agent"] == "alphabeta:free" and other["action"] and other["plans"] == []
    waiting = ask(client, "analyze", position=POSITION + "\nturn: 1")
    assert waiting["action"] is None and waiting["why"] == "it is the turn of player 1"


def test_win_chances_from_a_position_and_along_a_record(client: TestClient) -> None:
    told = ask(client, "win-chance", position=POSITION, playouts=120, seed=4)
    assert sum(told["values"]) + told["capped"] == pytest.approx(1)
    assert told["playouts"] == 120 and all(0 < error < 0.1 for error in told["errors"])
    assert told == ask(client, "win-chance", position=POSITION, playouts=120, seed=4)
    even = POSITION.replace("fen 8", "fen 2")
    values = [ask(client, "win-chance", position=even, playouts=60, seed=seed)["values"] for seed in range(4)]
    assert len(set(map(tuple, values))) > 1
    game = a_game()
    text, moves = str(Record.of(game)), len(Record.of(game).actions)
    assert game.winner is not None
    start = ask(client, "win-chance", text=text, moves=0, playouts=50)
    assert 0 < start["values"][0] < 1
    end = ask(client, "win-chance", text=text, moves=moves)
    assert end["values"] == [float(seat == game.winner) for seat in range(2)] and end["errors"] == [0, 0]
    assert end == ask(client, "win-chance", text=text)


def test_a_review_is_asked_for_in_parts(client: TestClient) -> None:
    text = str(Record.of(a_game(moves=60), headers={"Seat0": "continent", "Seat1": "human"}))
    first = ask(client, "review", text=text, turns=1, samples=4)
    total = first["total_turns"]
    assert total > 2 and len(first["turns"]) == 1 and first["turns"][0]["seat"] is None
    second = ask(client, "review", text=text, first_turn=1, turns=8, samples=4)
    assert first["turns"][0]["after"] == second["turns"][0]["before"]
    assert [turn["move"] for turn in second["turns"]] == sorted(turn["move"] for turn in second["turns"])
    assert second == ask(client, "review", text=text, first_turn=1, turns=8, samples=4)
    assert ask(client, "review", text=text, first_turn=total)["turns"] == []
    fog = str(Record.of(a_game("standard:fog=yes", moves=3)))
    assert "fog" in refused(client, "review", text=fog)
    assert "turns" in refused(client, "review", text=text, turns=9)
    assert refused(client, "review", text="no record")


@pytest.mark.parametrize(
    "rules", ["standard", "modern:placement=claimed", "document-program", "standard:fog=yes"]
)
def test_a_replay_leads_from_frame_to_frame_through_the_game(client: TestClient, rules: str) -> None:
    game = a_game(f"{rules}{';' if ':' in rules else ':'}round_cap=6", seats=3)
    record = Record.of(game, headers={"Seat0": "human", "Seat1": "killer", "Seat2": "killer"})
    told = ask(client, "replay", text=str(record))
    assert [seat["name"] for seat in told["seats"]] == ["You", "Killer 1", "Killer 2"]
    assert (told["map"], told["players"], told["winner"]) == ("delta", 3, game.winner)
    assert told["headers"]["Seat1"] == "killer"
    assert len(told["frames"]) == len(record.actions) + 1
    owners, armies = [-1] * 9, [0] * 9
    for moves, frame in enumerate(told["frames"]):
        for territory, owner in frame["changed"]["owners"]:
            owners[territory] = owner
        for territory, count in frame["changed"]["armies"]:
            armies[territory] = count
        if moves % 7 == 0 or moves == len(record.actions):
            there = record.game(moves)
            assert owners == there.owners.tolist() and armies == there.armies.tolist()
            assert (frame["turn"], frame["round"]) == (there.turn, there.round)
            assert frame["phase"] == there.phase.name.lower()
    fights = [frame for frame in told["frames"] if frame["action"] and frame["action"].startswith("attack")]
    assert fights and all(frame["battle"]["rolls"] and frame["text"] for frame in fights)


def test_words_of_a_record_stand_with_their_move(client: TestClient) -> None:
    record = Record.of(a_game(moves=3), notes={0: "to arms", 2: "hm"})
    frames = ask(client, "replay", text=str(record))["frames"]
    assert [frame["note"] for frame in frames] == [None, "to arms", None, "hm"]


def test_maps_are_told_with_their_shapes(client: TestClient) -> None:
    listed = client.get("/api/risk/maps").json()
    assert [one["name"] for one in listed] == names()
    for name in (*names(), "grid-3x2"):
        answer = client.get(f"/api/risk/maps/{name}")
        assert answer.status_code == 200
        told = answer.json()
        api.WorldMap.model_validate_json(answer.text, strict=True)
        worldmap = load(name)
        count = len(worldmap.territories)
        assert [land["key"] for land in told["territories"]] == [worldmap.key_of(t) for t in range(count)]
        assert told["neighbours"] == [list(near) for near in worldmap.neighbours]
        assert [one["bonus"] for one in told["continents"]] == [one.bonus for one in worldmap.continents]
        assert len(told["geometry"]["shapes"]) == len(told["geometry"]["anchors"]) == count
    again = client.get("/api/risk/maps/classic")
    tag = again.headers["etag"]
    kept = client.get("/api/risk/maps/classic", headers={"If-None-Match": tag})
    assert kept.status_code == 304 and kept.content == b""
    assert client.get("/api/risk/maps/duel", headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize(
    "name", ["atlantis", "grid-400x400", "grid-1x1", "..%2Fclassic", "classic.toml", "%00", "x" * 500]
)
def test_a_map_that_is_none_is_refused(client: TestClient, name: str) -> None:
    answer = client.get(f"/api/risk/maps/{name}")
    assert answer.status_code in (404, 422) and "\n" not in answer.json()["detail"]


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("odds", {"attackers": 0, "path": [1]}, "attackers"),
    ("odds", {"attackers": 10_001, "path": [1]}, "attackers"),
    ("odds", {"attackers": 5, "path": []}, "path"),
    ("odds", {"attackers": 5, "path": [0]}, "path.0"),
    ("odds", {"attackers": 5, "path": [1] * 101}, "path"),
    ("odds", {"attackers": 5, "path": [1], "defence_dice": 4}, "defence_dice"),
    ("odds", {"attackers": 5, "path": [1], "battles": "swords"}, "battles"),
    ("odds", {"attackers": "5", "path": [1]}, "attackers"),
    ("odds", {"attackers": 5, "path": [1], "chance": 1}, "chance"),
    ("odds", {"attackers": 5, "path": [9999] * 100, "chance": 0.5}, "pairs of attackers"),
    ("odds", {"attackers": 5, "path": [1], "more": 1}, "more"),
    ("analyze", {"position": ""}, "the line 'map' is missing"),
    ("analyze", {"position": "map: /etc/passwd\nplayers: 2"}, "not the name of a map"),
    ("analyze", {"position": POSITION, "agent": "my.py:Agent"}, "no agent"),
    ("analyze", {"position": POSITION, "agent": "killer:chance=0.1"}, "no agent"),
    ("analyze", {"position": POSITION + ", moor 3"}, "a second time"),
    ("analyze", {}, "position"),
    ("win-chance", {}, "either a position or a text"),
    ("win-chance", {"position": POSITION, "text": "x"}, "either a position or a text"),
    ("win-chance", {"position": POSITION, "moves": 1}, "moves are those of a record"),
    ("win-chance", {"position": POSITION, "playouts": 0}, "playouts"),
    ("win-chance", {"position": POSITION, "playouts": 10**9}, "playouts"),
    ("win-chance", {"position": "rules: standard:fog=yes\n" + POSITION}, "fog"),
    ("replay", {"text": ""}, "not a Risk record"),
    ("replay", {"text": '[Game "Risk"]\n[Map "duel"]\n[Players "9"]\n'}, "2 to 6 players"),
    ("replay", {"text": '[Game "Risk"]\n[Map "duel"]\n[Players "2"]\n\nend\n'}, "line 5"),
    ("replay", {"text": '[Game "Risk"]\n[Map "grid-30x30"]\n[Players "2"]\n'}, "at most 400"),
]


@pytest.mark.parametrize(("what", "question", "words"), BAD)
def test_a_bad_question_is_refused_in_one_line(
    client: TestClient, what: str, question: dict[str, Any], words: str
) -> None:
    assert words in refused(client, what, **question)


def test_what_is_too_large_is_refused(client: TestClient) -> None:
    refused(client, "replay", 413, text="x" * (2 << 20))
    lands = [f"r{row}c{col} 1" for row in range(30) for col in range(30)]
    text = f"map: grid-30x30\nplayers: 2\n0: {', '.join(lands[:450])}\n1: {', '.join(lands[450:])}"
    assert "at most 400" in refused(client, "analyze", position=text)
    assert "at most 400" in refused(client, "win-chance", position=text)


def test_answers_fit_their_models_when_a_game_is_not_over() -> None:
    record = Record.of(a_game(moves=1))
    told = json.loads(studies.replay_json(str(record)))
    assert told["winner"] is None and len(told["frames"]) == 2
    assert told["frames"][0]["text"].startswith("The territories are dealt.")
    assert [seat["name"] for seat in told["seats"]] == ["Player 1", "Player 2"]
