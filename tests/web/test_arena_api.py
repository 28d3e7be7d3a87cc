"""The arena over REST: studies are started, watched, stopped, gone on with, and looked into."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import psutil
import pytest
from fastapi.testclient import TestClient

from surefoot.arena import Study, run
from surefoot.minesweeper.record import Record as MinesweeperRecord
from surefoot.risk.record import Record as RiskRecord
from surefoot.web.app import create_app
from surefoot.web.lanes import Lanes
from surefoot.web.limits import MAX_RUNS, MAX_STUDY_GAMES
from surefoot.web.settings import Settings
from tests.web.serving import serving

RUNS = "/api/arena/runs"
SMALL: dict[str, Any] = {
    "game": "minesweeper",
    "rules": "beginner",
    "agents": ["exact", "sentence"],
    "games": 30,
    "seed": 1,
}
LARGE = SMALL | {"games": 400_000, "rules": "expert", "seed": 2}
PLAYERS: dict[str, Any] = {"game": "risk", "rules": None, "agents": ["killer", "continent"]}
TABLE = PLAYERS | {"map": "duel", "format": "round-robin", "games": 20}
PATIENCE = 300.0
"""Seconds; the machine may have to compile first."""


async def nothing_to_prepare(lanes: Lanes) -> None:
    pass


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("arena") / "arena.db")


@pytest.fixture(scope="module")
def client(store: str) -> Iterator[TestClient]:
    app = create_app(Settings(store=store), Lanes(1), nothing_to_prepare)
    with TestClient(app, base_url="http://127.0.0.1:8000") as made:
        assert made.get(RUNS).json() == []
        assert not Path(store).exists()  # looking on leaves nothing behind
        yield made


def until(client: TestClient, run_id: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Watch a run until something holds of it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        told: dict[str, Any] = client.get(f"{RUNS}/{run_id}").json()
        if holds(told):
            return told
        time.sleep(0.1)
    raise TimeoutError(f"not within {PATIENCE:g} s: {told}")


def played(client: TestClient, study: dict[str, Any]) -> dict[str, Any]:
    """Start a study and wait until it is over."""
    answer = client.post(RUNS, json=study)
    assert answer.status_code == 200, answer.text
    return until(client, answer.json()["run"], lambda told: told["state"] != "running")


def test_a_run_is_the_same_as_on_the_command_line(client: TestClient, tmp_path: Path) -> None:
    told = played(client, SMALL)
    assert (told["state"], told["played"], told["games"], told["error"]) == ("complete", 60, 60, None)
    apart = run(Study.make(SMALL), store=tmp_path / "apart.db")
    assert told["run"] == apart.run
    for mine, theirs in zip(told["standings"], apart.standings, strict=True):
        assert mine == mine | theirs.as_dict()
    (pair,) = told["pairs"]
    assert pair["games"] == 30
    assert told["seats"] == []
    (listed,) = [row for row in client.get(RUNS).json() if row["run"] == told["run"]]
    assert (listed["state"], listed["played"]) == ("complete", 60)
    # The same again has nothing left to play.
    assert played(client, SMALL)["played"] == 60


def test_games_open_as_records(client: TestClient) -> None:
    told = played(client, SMALL)
    for each in told["last_games"]:
        place = f"{RUNS}/{told['run']}/games/{each['game']}"
        game = client.get(place, params={"agent": each["agent"]}).json()
        assert game["same"], game
        assert (game["kind"], game["stored"]["end"]) == ("minesweeper", each["end"])
        assert len(MinesweeperRecord.parse(game["record"]).actions) == each["moves"]
    answer = client.get(f"{RUNS}/{told['run']}/games/3")
    assert (answer.status_code, "name one of" in answer.json()["detail"]) == (422, True)
    answer = client.get(f"{RUNS}/{told['run']}/games/30", params={"agent": "exact"})
    assert answer.status_code == 422
    assert answer.json()["detail"] == "there is no game 30: the run's are 0 to 29"


def test_risk_has_seats_and_ratings(client: TestClient) -> None:
    told = played(client, TABLE)
    assert [seat["games"] for seat in told["seats"]] == [20, 20]
    assert {"elo", "elo_ci95"} <= told["standings"][0].keys()
    assert sum(row["won"] for row in told["standings"]) == sum(seat["won"] for seat in told["seats"])
    game = client.get(f"{RUNS}/{told['run']}/games/7").json()
    assert (game["kind"], game["same"]) == ("risk", True)
    assert RiskRecord.parse(game["record"]).actions


def test_a_sequential_test_is_complete_before_all_is_played(client: TestClient) -> None:
    test = SMALL | {"agents": ["random", "exact"], "format": "sprt", "games": 5000}
    told = played(client, test)
    assert (told["state"], told["sprt"]["verdict"]) == ("complete", "H1")
    assert 0 < told["played"] < told["games"]
    (listed,) = [row for row in client.get(RUNS).json() if row["run"] == told["run"]]
    assert (listed["state"], listed["played"]) == ("complete", told["played"])


@pytest.mark.parametrize("form", ["worlds", "gauntlet"])
def test_every_format_of_risk(client: TestClient, form: str) -> None:
    agents = ["killer", "continent", "random"]
    told = played(client, TABLE | {"agents": agents, "map": "grid-3x3", "format": form, "games": 4})
    assert (told["state"], told["played"]) == ("complete", 12 if form == "worlds" else 8)
    assert len(told["seats"]) == (3 if form == "worlds" else 2)
    assert sum(len(row["ends"]) > 0 for row in told["standings"]) == 3


def test_a_run_is_stopped_and_goes_on(client: TestClient) -> None:
    run_id = client.post(RUNS, json=LARGE).json()["run"]
    until(client, run_id, lambda told: told["played"] > 0)
    moving = until(client, run_id, lambda told: told["rate"] is not None)
    assert moving["state"] == "running"
    assert moving["seconds_left"] > 0
    assert client.post(f"{RUNS}/{run_id}/stop").status_code == 200
    stopped = client.get(f"{RUNS}/{run_id}").json()
    assert (stopped["state"], stopped["rate"]) == ("stopped", None)
    assert 0 < stopped["played"] < stopped["games"]
    time.sleep(1.5)
    assert client.get(f"{RUNS}/{run_id}").json()["played"] == stopped["played"]
    assert client.post(f"{RUNS}/{run_id}/resume").status_code == 200
    on = until(client, run_id, lambda told: told["played"] > stopped["played"])
    assert on["state"] == "running"
    client.post(f"{RUNS}/{run_id}/stop")
    client.post(f"{RUNS}/{run_id}/stop")  # nothing is left to stop, which is no fault
    assert client.get(f"{RUNS}/{run_id}").json()["state"] == "stopped"


def test_no_more_than_some_at_once(client: TestClient) -> None:
    started = [client.post(RUNS, json=LARGE | {"seed": 10 + seed}) for seed in range(MAX_RUNS)]
    assert [answer.status_code for answer in started] == [200] * MAX_RUNS
    answer = client.post(RUNS, json=LARGE | {"seed": 99})
    assert (answer.status_code, answer.json()["detail"]) == (
        429,
        f"{MAX_RUNS} runs are being played here; stop one, or wait for it",
    )
    for each in started:
        client.post(f"{RUNS}/{each.json()['run']}/stop")
    assert {row["state"] for row in client.get(RUNS).json()} <= {"complete", "stopped"}


def test_figures_are_drawn(client: TestClient) -> None:
    pytest.importorskip("matplotlib")
    told = played(client, TABLE)
    assert told["plots"] == ["wins", "outcomes", "pairs", "ratings", "seats"]
    for name in told["plots"]:
        answer = client.get(f"{RUNS}/{told['run']}/plots/{name}.svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert ElementTree.fromstring(answer.text).tag.endswith("svg")
    answer = client.get(f"{RUNS}/{told['run']}/plots/cross.svg")
    assert (answer.status_code, "no figure cross" in answer.json()["detail"]) == (404, True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"agents": ["exact", "my.py:Agent"]}, "no agent 'my.py:Agent'"),
        ({"agents": ["cmd:sh -c true"]}, "no agent 'cmd:sh -c true'"),
        ({"agents": ["exact:ms=5"]}, "no agent 'exact:ms=5'"),
        ({"agents": []}, "agents"),
        ({"agents": ["exact", "exact"]}, "each is named once"),
        ({"rules": "hopeless"}, "hopeless"),
        ({"map": "1000x1000x9"}, "cells"),
        ({"format": "round-robin"}, "Minesweeper has worlds"),
        ({"games": 0}, "games"),
        ({"games": MAX_STUDY_GAMES}, "2,000,000 in all"),
        ({"games": 1.5}, "games"),
        ({"seed": -1}, "seed"),
        ({"store": "elsewhere.db"}, "store"),
        (PLAYERS | {"map": "/etc/passwd"}, "no map"),
        (PLAYERS | {"map": "grid-90x90"}, "territories"),
        (PLAYERS | {"agents": ["killer"], "map": "duel"}, "player"),
        ({"game": "chess"}, "game"),
    ],
    ids=str,
)
def test_what_is_no_study_is_refused(client: TestClient, change: dict[str, Any], words: str) -> None:
    before = len(client.get(RUNS).json())
    answer = client.post(RUNS, json=SMALL | change)
    detail = answer.json()["detail"]
    assert (answer.status_code, words in detail, "\n" in detail) == (422, True, False), detail
    assert len(client.get(RUNS).json()) == before


@pytest.mark.parametrize("ask", ["", "/games/1", "/plots/wins.svg"])
def test_there_is_no_such_run(client: TestClient, ask: str) -> None:
    answer = client.get(f"{RUNS}/{'0' * 16}{ask}")
    assert (answer.status_code, "0000000000000000" in answer.json()["detail"]) == (404, True)
    assert client.get(f"{RUNS}/nonsense{ask}").status_code == 422


@pytest.mark.parametrize("what", ["stop", "resume"])
def test_no_run_to_change(client: TestClient, what: str) -> None:
    assert client.post(f"{RUNS}/{'0' * 16}/{what}").status_code == 404


def test_agents_of_others_are_looked_at_only(client: TestClient, store: str, tmp_path: Path) -> None:
    code = tmp_path / "mine.py"
    code.write_text("from surefoot.minesweeper.agents.random import RandomAgent as Mine\n")
    study = SMALL | {"agents": [f"{code}:Mine"], "games": 4}
    found = run(Study.make(study), store=store)
    told = until(client, found.run, lambda told: told["played"] == 4)
    assert told["state"] == "complete"
    for answer in (client.post(f"{RUNS}/{found.run}/resume"), client.get(f"{RUNS}/{found.run}/games/0")):
        assert (answer.status_code, "on the page" in answer.json()["detail"]) == (422, True)


def test_a_run_that_fails_says_why(client: TestClient, store: str) -> None:
    """One that another version has begun: its id is not what its study makes it here."""
    told = played(client, SMALL)
    other = "f" * 16
    with closing(sqlite3.connect(store)) as database, database:
        copy = (
            "INSERT INTO arena_runs (run, study, begun) SELECT ?, study, begun FROM arena_runs WHERE run = ?"
        )
        database.execute(copy, (other, told["run"]))
    assert client.post(f"{RUNS}/{other}/resume").status_code == 200
    failed = until(client, other, lambda told: told["state"] != "running")
    assert failed["state"] == "failed"
    assert "another version of Surefoot" in failed["error"]


@pytest.mark.parametrize("end", ["terminate", "kill"])
def test_a_run_ends_with_the_server(end: str) -> None:
    with serving() as server, httpx.Client(base_url=server.url, timeout=PATIENCE) as asking:
        server.wait_until_ready()
        run_id = asking.post(RUNS, json=LARGE).json()["run"]
        while asking.get(f"{RUNS}/{run_id}").json()["played"] == 0:
            time.sleep(0.2)
        children = psutil.Process(server.process.pid).children(recursive=True)
        assert children
        getattr(server.process, end)()
        server.process.wait(timeout=60)
        _, alive = psutil.wait_procs(children, timeout=60)
        assert not alive
