"""The REST API's questions about Minesweeper, asked of the application itself."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np
import pytest
from fastapi import FastAPI
from pydantic import BaseModel

from surefoot.minesweeper.actions import chord, flag, uncover
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.explain import explain
from surefoot.minesweeper.formats.minai import generate
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.probability import mine_probabilities
from surefoot.minesweeper.record import Record
from surefoot.minesweeper.rules import PRESETS, Level
from surefoot.web.app import create_app
from surefoot.web.lanes import Lanes
from surefoot.web.minesweeper import api, work
from surefoot.web.settings import Settings

POSITION = "4x2x2\n11HH\nHHHH"
BOARD = "3x3x2\nIHH\nHHH\nHHI"


class Client:
    """Asks the application without a network in between."""

    def __init__(self, loop: asyncio.AbstractEventLoop, app: FastAPI) -> None:
        transport = httpx.ASGITransport(app)
        self._client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000", timeout=60)
        self._loop = loop

    def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return self._loop.run_until_complete(self._client.post(path, json=body))


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    async def prepare(lanes: Lanes) -> None:
        await lanes.prepare(load)

    loop = asyncio.new_event_loop()
    app = create_app(Settings(lanes=1), prepare=prepare)
    lifespan = app.router.lifespan_context(app)
    loop.run_until_complete(lifespan.__aenter__())
    loop.run_until_complete(app.state.ready.wait())
    yield Client(loop, app)
    loop.run_until_complete(lifespan.__aexit__(None, None, None))
    loop.close()


def load() -> None:
    """In the worker process: what the questions need, so that none waits for a compiler."""
    work.analysis_json(POSITION, "windows")
    work.win_chance_json(POSITION, "windows", 10, 0)
    work.win_probability_json("9x9x10\n" + "\n".join(["H" * 9] * 9), "windows")


def ask(client: Client, path: str, model: type[BaseModel], **body: Any) -> Any:
    """The answer, which has exactly the form that the documentation says."""
    response = client.post(f"/api/minesweeper/{path}", body)
    assert response.status_code == 200, response.text
    answer = response.json()
    assert model.model_validate(answer).model_dump(by_alias=True) == answer
    return answer


def refusal(client: Client, path: str, status: int = 422, **body: Any) -> str:
    response = client.post(f"/api/minesweeper/{path}", body)
    assert response.status_code == status, response.text
    answer = response.json()
    assert list(answer) == ["detail"] and "\n" not in answer["detail"]
    return str(answer["detail"])


def test_analyze(client: Client) -> None:
    answer = ask(client, "analyze", api.Analysis, position=POSITION)
    assert answer["contradiction"] is None
    assert answer["safe"] == [[0, 2], [1, 2]] and answer["mines"] == []
    assert answer["best"] in answer["safe"] and answer["why"].startswith("it is safe")
    expected = mine_probabilities(Observation.parse(POSITION))
    for row, risks in enumerate(answer["probabilities"]):
        for col, risk in enumerate(risks):
            assert (risk is None) == bool(np.isnan(expected[row, col]))
            assert risk is None or risk == expected[row, col]
    assert answer["log10_layouts"] == pytest.approx(np.log10(4))


def test_analyze_with_an_unknown_mine_count_and_flags(client: Client) -> None:
    plain = ask(client, "analyze", api.Analysis, position="4x2x?\n11HH\nHHHH")
    flagged = ask(client, "analyze", api.Analysis, position="4x2x?\n11FF\nHHHF", rules="cs50")
    assert flagged["probabilities"] == plain["probabilities"]


def test_a_contradiction_is_an_answer(client: Client) -> None:
    answer = ask(client, "analyze", api.Analysis, position="3x2x?\n1H3\nHHH")
    assert answer["contradiction"]["numbers"] == [[0, 0], [0, 2]]
    assert "contradict each other" in answer["contradiction"]["text"]
    assert answer["probabilities"] is answer["best"] is answer["log10_layouts"] is None
    answer = ask(client, "analyze", api.Analysis, position="2x1x1\n0H")
    assert answer["contradiction"]["mines"] in (1, None) and answer["contradiction"]["text"]
    answer = ask(client, "analyze", api.Analysis, position="5x5x2\n1HHH1\nHHHHH\nHHHHH\nHHHHH\n1HHH1")
    assert answer["contradiction"]["mines"] == 2 and len(answer["contradiction"]["numbers"]) >= 3


def test_explain_gives_cells_to_light_up(client: Client) -> None:
    answer = ask(client, "explain", api.Explanation, position="4x2x?\n11HH\nHHHH", row=0, col=2)
    assert (answer["verdict"], answer["method"], answer["supposition"]) == ("safe", "sentences", None)
    assert [step["text"] for step in answer["steps"]] == [
        "the 1 at (0,1): {(0,2), (1,0), (1,1), (1,2)} = 1",
        "the 1 at (0,0): {(1,0), (1,1)} = 1",
        "take 2 from 1: {(0,2), (1,2)} = 0",
        "none of 3 is a mine: {(0,2)} = 0",
    ]
    assert answer["steps"][2]["cells"] == [[0, 2], [1, 2]] and answer["steps"][2]["count"] == 0
    assert answer["steps"][2]["from"] == [0, 1]
    assert answer["premises"][1] == {
        "sentence": "{(1,0), (1,1)} = 1",
        "cells": [[1, 0], [1, 1]],
        "count": 1,
        "source": "the 1 at (0,0)",
    }
    assert answer["text"] == str(explain(Observation.parse("4x2x?\n11HH\nHHHH"), (0, 2)))


def test_explain_by_contradiction_and_not_at_all(client: Client) -> None:
    answer = ask(client, "explain", api.Explanation, position="5x2x?\nH121H\nHHHHH", row=1, col=1)
    assert (answer["verdict"], answer["method"]) == ("mine", "contradiction")
    assert answer["supposition"] == "{(1,1)} = 0"
    assert answer["steps"][3]["text"] == "take the known 3 from 2: {(1,2), (1,3)} = 2"
    assert answer["steps"][-1]["text"] == "take the known 5 and 6 from 1: {(0,4), (1,4)} = -1"
    answer = ask(client, "explain", api.Explanation, position="3x3x1\nHHH\nH1H\nHHH", row=0, col=0)
    assert (answer["verdict"], answer["steps"], answer["method"]) == ("not proved", [], None)
    answer = ask(client, "explain", api.Explanation, position="2x2x1\n1H\nHH", row=0, col=0)
    assert (answer["verdict"], answer["number"]) == ("open", 1)


def test_explain_by_the_mine_count_on_the_largest_board(client: Client) -> None:
    rows = "\n".join(["1" + "H" * 99] + ["H" * 100] * 99)
    answer = ask(client, "explain", api.Explanation, position=f"100x100x1\n{rows}", row=99, col=99)
    assert answer["verdict"] == "safe" and answer["mine_count"]
    assert len(json.dumps(answer)) < 2_000_000


def test_win_chance(client: Client) -> None:
    sure = ask(client, "win-chance", api.WinChance, position=POSITION)
    assert (sure["error"] == 0) or 0 < sure["value"] < 1
    half = ask(client, "win-chance", api.WinChance, position="2x1x1\nHH", rules="windows:first_click=any")
    assert abs(half["value"] - 0.5) <= half["error"] * 2 and half["playouts"] == 1000
    one = {"position": "9x9x10\n" + "\n".join(["H" * 9] * 9), "playouts": 130, "seed": 5}
    first = ask(client, "win-chance", api.WinChance, **one)
    assert first == ask(client, "win-chance", api.WinChance, **one) and first["playouts"] == 130
    assert 0.5 < first["value"] < 1 and 0.01 < first["error"] < 0.08
    won = ask(client, "win-chance", api.WinChance, position="2x1x1\n1H")
    assert won == {"value": 1.0, "error": 0.0, "playouts": 1}


def test_win_probability(client: Client) -> None:
    half = ask(client, "win-probability", api.WinProbability, position="2x2x1\nH1\nH1")
    assert half == {"value": 0.5, "error": 0.0, "exact": True}
    blank = ask(client, "win-probability", api.WinProbability, position="9x9x10\n" + "\n".join(["H" * 9] * 9))
    assert 0 < blank["value"] < 1 and blank["error"] > 0 and not blank["exact"]


def test_guesses_are_weighed_and_named(client: Client) -> None:
    answer = ask(client, "analyze", api.Analysis, position="2x2x1\nH1\nH1")
    assert [one["cell"] for one in answer["candidates"]] == [[0, 0], [1, 0]] and answer["exact"]
    assert answer["tosses"][0]["unavoidable"] and answer["dead"] == [[0, 0], [1, 0]]
    assert "that nothing can settle" in answer["why"]
    told = ask(client, "explain", api.Explanation, position="2x2x1\nH1\nH1", row=0, col=0)
    assert told["guess"]["toss"] == answer["tosses"][0] and told["guess"]["risk"] == 0.5


def test_replay_of_a_record(client: Client) -> None:
    game = Game(*PRESETS["intermediate"], rng=game_rng(4, 0))
    for action in (uncover((8, 8)), flag((0, 0)), chord((8, 8)), uncover((15, 15))):
        if not game.over:
            game.play(action)
    count = len(game.actions)
    record = Record.of(game, notes={0: "here", count: "so\nthere"}, headers={"Agent": "me"})
    answer = ask(client, "replay", api.Replay, text=str(record))
    assert answer["level"] == {"width": 16, "height": 16, "mines": 40}
    assert (answer["rules"], answer["start"], answer["headers"]) == ("windows", None, {"Agent": "me"})
    assert answer["mines"] == np.flatnonzero(game.board.mines).tolist()
    frames = answer["frames"]
    assert [frame["action"] for frame in frames] == [None, *map(str, game.actions)]
    assert frames[0]["changed"] == [] and frames[1]["note"] == "here" and frames[-1]["note"] == "so\nthere"
    cells = [-1] * 256
    for frame, (_, then) in zip(frames, record.replay(), strict=True):
        for cell, value in frame["changed"]:
            cells[cell] = value
        assert (frame["status"], frame["moves"]) == (then.outcome.name.lower(), then.moves)
        if not then.over:
            assert cells == then.observation().cells.ravel().tolist()


def test_replay_of_a_lost_game_shows_its_mines(client: Client) -> None:
    game = Game.on(generate(Level(8, 8, 10), game_rng(1, 0)).board, PRESETS["beginner"].rules)
    mine = tuple(int(part) for part in np.argwhere(game.board.mines)[0])
    game.play(uncover((mine[0], mine[1])))
    frames = ask(client, "replay", api.Replay, text=str(Record.of(game)))["frames"]
    values = [value for _, value in frames[-1]["changed"]]
    assert frames[-1]["status"] == "lost" and sorted(values) == [9] * 9 + [10]


def test_replay_of_a_world_and_a_board(client: Client) -> None:
    world = generate(Level(8, 8, 10), game_rng(1, 0))
    answer = ask(client, "replay", api.Replay, text=str(world))
    assert answer["rules"] == "minai" and answer["start"] == list(world.start)
    assert answer["frames"][0]["changed"] == [[world.start[0] * 8 + world.start[1], 0]]
    answer = ask(client, "replay", api.Replay, text=BOARD)
    assert len(answer["frames"]) == 1 and answer["mines"] == [0, 8]


LARGE = "200x200x0\n" + "\n".join(["H" * 200] * 200)


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("analyze", {"position": "hello"}, "line 1: 'hello' is not WxHxM"),
        ("analyze", {"position": "3x1x1\nHH"}, "line 2: 2 cells, not 3"),
        ("analyze", {"position": BOARD}, "'I' is not a cell (I and O tell where mines are"),
        ("analyze", {"position": LARGE}, "the board has 40,000 cells; at most 10,000 are taken here"),
        ("analyze", {"position": POSITION, "rules": "chess"}, "unknown rules 'chess'"),
        ("analyze", {"position": POSITION, "more": 1}, "more: Extra inputs are not permitted"),
        ("analyze", {"position": 5}, "position: Input should be a valid string"),
        ("analyze", {}, "position: Field required"),
        ("explain", {"position": POSITION, "row": 2, "col": 0}, "there is no cell 2,0 on a 4x2 board"),
        ("explain", {"position": POSITION, "row": -1, "col": 0}, "row: Input should be greater"),
        ("explain", {"position": POSITION, "row": 0.5, "col": 0}, "row: Input should be a valid integer"),
        ("explain", {"position": "3x2x?\n1H3\nHHH", "row": 1, "col": 1}, "no layout explains this position"),
        ("win-chance", {"position": "2x1x1\n0H"}, "no layout"),
        ("win-probability", {"position": "2x1x1\n0H"}, "no layout"),
        ("win-probability", {"position": "2x2x?\nHH\nHH"}, "mine count is not told"),
        ("win-probability", {"position": "2x1x2\nHH"}, "first_click=safe leaves room for 1 mines"),
        ("win-chance", {"position": "2x2x?\nHH\nHH"}, "mine count is not told"),
        ("win-chance", {"position": "2x1x2\nHH"}, "first_click=safe leaves room for 1 mines"),
        ("win-chance", {"position": POSITION, "playouts": 0}, "playouts: Input should be greater"),
        ("win-chance", {"position": POSITION, "playouts": 10**9}, "playouts: Input should be less"),
        ("win-chance", {"position": POSITION, "seed": -1}, "seed: Input should be greater"),
        ("replay", {"text": ""}, "the text is empty"),
        ("replay", {"text": POSITION}, "this is a position, which does not tell where the mines are"),
        ("replay", {"text": LARGE}, "the board has 40,000 cells"),
        ("replay", {"text": '[Game "Minesweeper"]\n\n' + LARGE}, "the board has 40,000 cells"),
        ("replay", {"text": "[Game"}, "line 1: not a header"),
        ("replay", {"text": "<script>alert(1)</script>"}, "is not rows and columns"),
        ("replay", {"text": "../../etc/passwd"}, "is not rows and columns"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    path: str, body: dict[str, Any], words: str, client: Client
) -> None:
    assert words in refusal(client, path, **body)


def test_what_is_too_complex_says_what(client: Client) -> None:
    """Numbers on every other cell, and too many of them to count."""
    side = 60
    rows = ["".join("4" if (row + col) % 2 else "H" for col in range(side)) for row in range(side)]
    words = refusal(client, "win-chance", position=f"{side}x{side}x?\n" + "\n".join(rows))
    assert "complex" in words or "no layout" in words
