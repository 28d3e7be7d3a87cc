"""The socket: games begin, are joined, go on and are watched; whoever is slow or wrong is told so."""

import asyncio
import json
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from surefoot import __version__
from surefoot.web import socket as socket_module
from surefoot.web import warm
from surefoot.web.app import create_app
from surefoot.web.delta import apply
from surefoot.web.hub import Hub
from surefoot.web.lanes import Lanes
from surefoot.web.limits import BURST, MAX_MESSAGE, UPDATES_A_SECOND
from surefoot.web.messages import Act, SessionMessage
from surefoot.web.refusals import FAULT, Refused
from surefoot.web.session import Session, View
from surefoot.web.settings import Settings
from surefoot.web.socket import Bucket, Doorman

URL = "http://127.0.0.1:8000"
WS = "ws://127.0.0.1:8000/ws"
PATIENCE = 30.0
"""Seconds for what takes some hundredths, unless the machine is busy."""


async def nothing_to_prepare(lanes: Lanes) -> None:
    pass


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = create_app(Settings(), Lanes(1), nothing_to_prepare)
    with TestClient(app, base_url=URL) as made:
        yield made


class Player:
    """A client that does as the page does."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.hello = self.hear()
        self.session = ""
        self.version = -1
        self.view: View = {}
        self._ref = 0

    def hear(self) -> dict[str, Any]:
        heard: dict[str, Any] = json.loads(self.socket.receive_text())
        if heard["type"] == "snapshot":
            self.session, self.version, self.view = heard["session"], heard["version"], heard["view"]
        elif heard["type"] == "delta":
            assert heard["from"] == self.version
            self.version, self.view = heard["to"], apply(self.view, heard["change"])
        return heard

    def say(self, kind: str, **values: Any) -> dict[str, Any]:
        """Say something, and hear until it is answered."""
        self._ref += 1
        self.socket.send_text(json.dumps({"type": kind, "ref": self._ref, **values}))
        while True:
            heard = self.hear()
            if heard.get("ref") == self._ref:
                return heard

    def hear_until(self, version: int) -> None:
        while self.version < version:
            self.hear()


@contextmanager
def player(client: TestClient, **headers: str) -> Iterator[Player]:
    with client.websocket_connect(WS, headers=headers) as socket:
        yield Player(socket)


def begin(player: Player, **values: Any) -> None:
    """A game whose first click leaves something to do."""
    assert player.say("create-minesweeper", **({"preset": "beginner", "seed": 3} | values))["type"] == "ok"


def test_it_says_hello_and_begins_a_game(client: TestClient) -> None:
    with player(client) as one:
        assert one.hello == {"type": "hello", "version": __version__, "ready": True}
        begin(one)
        assert one.view["game"] == "minesweeper"
        assert len(one.view["cells"]) == 81
        assert len(one.session) >= 16
        assert one.say("act", action="uncover 4,4")["type"] == "ok"
        one.hear_until(1)
        assert one.view["moves"] == 1


def test_two_clients_agree(client: TestClient) -> None:
    with player(client) as one, player(client) as other:
        begin(one)
        assert other.say("join", session=one.session)["type"] == "ok"
        assert (other.version, other.view) == (one.version, one.view)
        one.say("act", action="flag 0,0")
        other.say("act", action="flag 1,1")
        for who in (one, other):
            who.hear_until(2)
        assert one.view["cells"] == other.view["cells"]
        assert one.view["flags"] == 2


def test_a_game_is_there_after_a_reload(client: TestClient) -> None:
    with player(client) as one:
        begin(one)
        one.say("act", action="flag 0,0")
        one.hear_until(1)
        kept = one.session, one.view
    with player(client) as back:
        assert back.say("join", session=kept[0])["type"] == "ok"
        assert back.view["cells"] == kept[1]["cells"]
    with player(client) as stranger:
        answer = stranger.say("join", session="A" * 24)
        assert (answer["type"], answer["code"]) == ("error", "no-session")
        # It can begin another one on the same socket.
        begin(stranger)


def test_who_has_missed_something_asks_for_a_snapshot(client: TestClient) -> None:
    with player(client) as one:
        begin(one)
        for cell in range(3):
            one.say("act", action=f"flag 0,{cell}")
        assert one.say("snapshot")["type"] == "ok"
        assert one.view["flags"] == 3
        one.say("act", action="flag 1,0")
        one.hear_until(4)
        assert one.view["flags"] == 4


def test_another_game_may_be_begun_on_the_same_socket(client: TestClient) -> None:
    with player(client) as one, player(client) as other:
        begin(one)
        other.say("join", session=one.session)
        first = one.session
        begin(one, preset="expert")
        assert one.session != first
        assert len(one.view["cells"]) == 480
        # What happens in the first game is no longer told.
        other.say("act", action="flag 0,0")
        other.hear_until(1)
        one.say("act", action="flag 5,5")
        one.hear_until(1)
        assert one.view["cells"][5 * 30 + 5] == -2
        assert one.view["flags"] == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "JSON"),
        ("not json", "JSON"),
        ("[]", "object"),
        ("{}", "type"),
        ('{"type": "destroy"}', "destroy"),
        ('{"type": "act"}', "action"),
        ('{"type": "act", "action": 3}', "string"),
        ('{"type": "act", "action": "flag 0,0", "extra": 1}', "extra"),
        ('{"type": "join", "session": "' + "x" * 100 + '"}', "80"),
        ('{"type": "snapshot", "ref": -1}', "ref"),
        ('{"type": "snapshot", "ref": true}', "ref"),
        ('{"type": "create-minesweeper", "width": 1e400, "height": 3, "mines": 1}', "width"),
        ("[" * 100_000, "JSON"),
    ],
)
def test_what_is_no_message_is_refused_in_a_line(client: TestClient, text: str, words: str) -> None:
    with player(client) as one:
        one.socket.send_text(text)
        heard = one.hear()
        assert (heard["type"], heard["code"]) == ("error", "bad-message")
        assert words in heard["message"]
        assert "\n" not in heard["message"] and len(heard["message"]) < 300
        begin(one)


def test_errors_tell_to_what_they_answer(client: TestClient) -> None:
    with player(client) as one:
        one.socket.send_text('{"type": "join", "ref": 77}')
        assert one.hear()["ref"] == 77
        assert one.say("act", action="flag 0,0")["code"] == "no-session"
        begin(one)
        assert one.say("act", action="uncover 99,0")["code"] in ("not-legal", "bad-message")
        assert one.say("act", action="dance")["code"] == "bad-message"
        assert one.say("undo")["code"] == "not-legal"
        assert one.version == 0


def test_what_is_too_large_is_refused_in_words(client: TestClient) -> None:
    with player(client) as one:
        one.socket.send_text('{"ref":5,"type":"act","action":"' + "x" * MAX_MESSAGE + '"}')
        heard = one.hear()
        assert (heard["code"], heard["ref"]) == ("too-large", 5)
        one.socket.send_bytes(b'{"type": "snapshot"}')
        assert "binary" in one.hear()["message"]
        begin(one)


class Count(Session):
    """A game in which one counts."""

    game: ClassVar[str] = "count"

    def __init__(self, key: str, lanes: Lanes) -> None:
        super().__init__(key, lanes)
        self.count = 0
        self.built = 0

    def build(self) -> View:
        self.built += 1
        return {"game": self.game, "count": self.count, "ballast": "x" * 1000}

    async def handle(self, message: SessionMessage) -> None:
        assert isinstance(message, Act)
        if message.action == "fail":
            raise ZeroDivisionError("an oversight")
        if message.action == "refuse":
            raise Refused("not-legal", "not now")
        self.add()

    def record(self) -> str:
        return str(self.count)

    def add(self) -> None:
        self.count += 1
        self.changed()


class Wire:
    """A socket whose other end reads when it likes."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[str | None] = asyncio.Queue()
        self.heard: list[dict[str, Any]] = []
        self.reads = asyncio.Event()
        self.reads.set()
        self.closed: int | None = None

    async def accept(self) -> None:
        pass

    async def receive(self) -> dict[str, Any]:
        text = await self.said.get()
        return (
            {"type": "websocket.disconnect"} if text is None else {"type": "websocket.receive", "text": text}
        )

    async def send_text(self, text: str) -> None:
        await self.reads.wait()
        self.heard.append(json.loads(text))

    async def close(self, code: int = 1000) -> None:
        self.closed = code

    def say(self, **message: Any) -> None:
        self.said.put_nowait(json.dumps(message))

    async def heard_enough(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(self.heard) < count:
                await asyncio.sleep(0.005)


class Table:
    """A game of counting, and clients at it."""

    def __init__(self, *, ready: bool = True, most: int = 10) -> None:
        lanes = Lanes(1)
        self.hub = Hub(lanes)
        self.game = Count("k" * 24, lanes)
        self.hub._sessions[self.game.key] = self.game
        self.ready = asyncio.Event()
        if ready:
            self.ready.set()
        self.doorman = Doorman(self.hub, self.ready, most)
        self.tasks: list[asyncio.Task[None]] = []

    def sit_down(self) -> Wire:
        wire = Wire()
        self.tasks.append(asyncio.create_task(self.doorman.serve(wire)))  # type: ignore[arg-type]
        return wire

    async def join(self) -> Wire:
        wire = self.sit_down()
        wire.say(type="join", session=self.game.key, ref=1)
        await wire.heard_enough(3)
        return wire

    async def end(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


def play(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 2 * PATIENCE))


def test_a_slow_client_loses_steps_but_not_the_game() -> None:
    async def work() -> None:
        table = Table()
        slow, quick = await table.join(), await table.join()
        slow.reads.clear()
        for _ in range(60):
            table.game.add()
            await asyncio.sleep(0.01)
        slow.reads.set()
        for wire in (slow, quick):
            async with asyncio.timeout(PATIENCE):
                while not wire.heard or wire.heard[-1].get("to") != 60:
                    await asyncio.sleep(0.01)
            view = wire.heard[1]["view"]
            version = wire.heard[1]["version"]
            deltas = [heard for heard in wire.heard if heard["type"] == "delta"]
            for delta in deltas:
                assert delta["from"] == version
                version, view = delta["to"], apply(view, delta["change"])
            assert view == table.game.view()
        count = {wire: sum(heard["type"] == "delta" for heard in wire.heard) for wire in (slow, quick)}
        # The first was on its way when it stopped reading; the second holds all that came after.
        assert count[slow] <= 3
        assert count[slow] < count[quick]
        await table.end()

    play(work())


def test_updates_keep_to_their_rate_and_nothing_is_queued() -> None:
    async def work() -> None:
        table = Table()
        wire = await table.join()
        begun = time.perf_counter()
        while time.perf_counter() - begun < 1.5:
            table.game.add()
            await asyncio.sleep(0)
        took = time.perf_counter() - begun
        deltas = [heard for heard in wire.heard if heard["type"] == "delta"]
        assert len(deltas) <= took * UPDATES_A_SECOND + BURST + 1
        # A view is built when it is sent, not when something changes.
        assert table.game.built <= len(deltas) + 2
        await table.end()

    play(work())


def test_a_client_that_does_not_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_module, "SEND_SECONDS", 0.2)

    async def work() -> None:
        table = Table()
        wire = await table.join()
        wire.reads.clear()
        table.game.add()
        async with asyncio.timeout(PATIENCE):
            while wire.closed is None:
                await asyncio.sleep(0.01)
        wire.said.put_nowait(None)
        await asyncio.wait_for(table.tasks[0], PATIENCE)
        assert not table.game.watched
        assert table.doorman.connections == 0

    play(work())


def test_one_that_asks_without_reading_is_not_answered_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        table = Table()
        wire = await table.join()
        wire.reads.clear()
        for ref in range(100):
            wire.say(type="act", action="add", ref=ref)
        await asyncio.sleep(0.1)
        # The first answer is still on its way, so that nothing after it was carried out.
        assert table.game.count == 1
        wire.reads.set()
        await wire.heard_enough(100)
        await table.end()

    play(work())


def test_many_messages_are_read_at_a_bounded_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_module, "MAX_MESSAGES_A_SECOND", 20)

    async def work() -> None:
        table = Table()
        wire = await table.join()
        begun = time.perf_counter()
        for _ in range(40):
            wire.say(type="act", action="add")
        async with asyncio.timeout(PATIENCE):
            while table.game.count < 40:
                await asyncio.sleep(0.005)
        assert time.perf_counter() - begun > 0.9
        await table.end()

    play(work())


def test_our_own_fault_is_one_line_and_the_game_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        table = Table()
        wire = await table.join()
        wire.say(type="act", action="fail", ref=8)
        wire.say(type="act", action="refuse", ref=9)
        wire.say(type="act", action="add", ref=10)
        await wire.heard_enough(6)
        answers = {heard["ref"]: heard for heard in wire.heard if heard.get("ref", 0) >= 8}
        assert answers[8] == {"type": "error", "code": "fault", "message": FAULT, "ref": 8}
        assert answers[9]["message"] == "not now"
        assert answers[10] == {"type": "ok", "ref": 10}
        await table.end()

    play(work())
    assert "an oversight" in caplog.text


def test_before_it_is_ready_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "STARTING_SECONDS", 0.1)

    async def work() -> None:
        table = Table(ready=False)
        wire = table.sit_down()
        wire.say(type="create-minesweeper", preset="beginner", ref=1)
        await wire.heard_enough(2)
        assert wire.heard[0]["ready"] is False
        assert wire.heard[1]["code"] == "starting"
        table.ready.set()
        await wire.heard_enough(3)
        assert wire.heard[2] == {"type": "ready"}
        await table.end()

    play(work())


def test_no_more_clients_than_there_is_room_for() -> None:
    async def work() -> None:
        table = Table(most=1)
        await table.join()
        wire = table.sit_down()
        await wire.heard_enough(1)
        assert wire.heard[0]["code"] == "too-many"
        await asyncio.wait_for(table.tasks[1], PATIENCE)
        assert wire.closed == 1013
        await table.end()
        assert table.doorman.connections == 0

    play(work())


def test_a_game_that_was_closed_is_no_more(client: TestClient) -> None:
    async def work() -> None:
        table = Table()
        wire = await table.join()
        table.hub.close()
        wire.say(type="act", action="add", ref=4)
        await wire.heard_enough(4)
        assert wire.heard[-1]["code"] == "no-session"
        await table.end()

    play(work())


def test_a_bucket_lets_a_burst_through_and_then_a_rate() -> None:
    async def work() -> None:
        loop = asyncio.get_running_loop()
        bucket = Bucket(2, 5)
        begun = loop.time()
        for _ in range(5):
            await bucket.take()
        burst = loop.time() - begun
        bucket = Bucket(100, 5)
        begun = loop.time()
        for _ in range(25):
            await bucket.take()
        assert loop.time() - begun >= 0.19
        # At the rate alone, without a burst, five would have taken two seconds.
        assert burst < 2

    play(work())


def test_sockets_are_only_here(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"{WS}/elsewhere") as socket:
        socket.receive_text()
