"""The application: what it says of itself, games as text, and what it asks for before it is ready."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from surefoot import __version__
from surefoot.minesweeper.record import Record
from surefoot.web import limits, warm
from surefoot.web.app import create_app
from surefoot.web.lanes import Lanes
from surefoot.web.settings import Settings

URL = "http://127.0.0.1:8000"


async def nothing_to_prepare(lanes: Lanes) -> None:
    pass


async def never_ready(lanes: Lanes) -> None:
    await asyncio.Event().wait()


async def badly_prepared(lanes: Lanes) -> None:
    raise RuntimeError("no room for kernels")


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Settings(), Lanes(1), nothing_to_prepare), base_url=URL) as made:
        yield made


def test_it_says_what_there_is(client: TestClient) -> None:
    about: Any = client.get("/api/about").json()
    assert (about["version"], about["ready"]) == (__version__, True)
    assert about["limits"]["max_cells"] == limits.MAX_CELLS
    presets = {preset["name"]: preset for preset in about["minesweeper"]["presets"]}
    assert presets["expert"] == {"name": "expert", "width": 30, "height": 16, "mines": 99, "rules": "windows"}
    assert {"exact", "sentence", "random"} <= set(about["minesweeper"]["agents"])
    maps = {world["name"]: world for world in about["risk"]["maps"]}
    assert maps["classic"] == {"name": "classic", "territories": 42, "continents": 6}
    assert {"continent", "alphabeta:free", "killer:bold"} <= set(about["risk"]["agents"])
    for rules in about["risk"]["rules"]:
        assert " " in rules["words"], rules  # one line for each


def test_every_agent_that_is_named_may_play(client: TestClient) -> None:
    about: Any = client.get("/api/about").json()
    with client.websocket_connect("ws://127.0.0.1:8000/ws") as socket:
        socket.receive_text()
        for name in about["risk"]["agents"]:
            socket.send_text(json.dumps({"type": "create-risk", "map": "duel", "seats": ["human", name]}))
            assert json.loads(socket.receive_text())["type"] == "snapshot", name
        socket.send_text(json.dumps({"type": "create-minesweeper", "preset": "beginner"}))
        assert json.loads(socket.receive_text())["type"] == "snapshot"
        for name in about["minesweeper"]["agents"]:
            socket.send_text(json.dumps({"type": "agent", "agent": name, "ref": 1}))
            heard: dict[str, Any] = {}
            while heard.get("ref") != 1:
                heard = json.loads(socket.receive_text())
            assert heard["type"] == "ok", name


def test_a_game_is_saved_as_text(client: TestClient) -> None:
    with client.websocket_connect("ws://127.0.0.1:8000/ws") as socket:
        socket.receive_text()
        socket.send_text(json.dumps({"type": "create-minesweeper", "preset": "expert", "seed": 1}))
        key = json.loads(socket.receive_text())["session"]
        early = client.get(f"/api/sessions/{key}/record")
        assert early.status_code == 422 and "nothing is open" in early.json()["detail"]
        socket.send_text(json.dumps({"type": "act", "action": "uncover 3,4", "ref": 1}))
        while json.loads(socket.receive_text()).get("ref") != 1:
            pass
        saved = client.get(f"/api/sessions/{key}/record")
    assert saved.status_code == 200
    assert saved.headers["content-type"] == "text/plain; charset=utf-8"
    assert saved.headers["content-disposition"] == 'attachment; filename="minesweeper.txt"'
    assert [str(action) for action in Record.parse(saved.text).actions] == ["uncover 3,4"]


def test_before_it_is_ready_questions_wait_but_the_page_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "STARTING_SECONDS", 0.1)
    with TestClient(create_app(Settings(), Lanes(1), never_ready), base_url=URL) as client:
        assert client.get("/").status_code == 200
        assert client.get("/api/about").json()["ready"] is False
        answer = client.post("/api/minesweeper/analyze", json={"position": "4x1x1\nH1HH\n"})
        assert answer.status_code == 408
        assert "getting ready" in answer.json()["detail"]
        assert answer.headers["retry-after"]


def test_what_was_not_prepared_is_loaded_when_it_is_used(caplog: pytest.LogCaptureFixture) -> None:
    with TestClient(create_app(Settings(), Lanes(1), badly_prepared), base_url=URL) as client:
        assert client.get("/api/about").json()["ready"] is True
        assert "no room for kernels" in caplog.text


def test_refusals_are_described_as_they_are(client: TestClient) -> None:
    described: Any = client.get("/api/openapi.json").json()
    assert "HTTPValidationError" not in described["components"]["schemas"]
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            assert operation.get("summary"), (method, path)
            schema = operation["responses"]["422"]["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/Problem"}, (method, path)


def test_the_application_is_made_without_loading_the_games() -> None:
    script = (
        "import sys; from surefoot.web.app import create_app; create_app(); "
        "print([name for name in ('numba', 'scipy', 'llvmlite') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
