"""Who may come in, and what becomes of what they bring."""

import http.client
import json
import socket
from collections.abc import Iterator
from typing import Any, get_args
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import WebSocketDenialResponse

from surefoot.web import safety as safety_module
from surefoot.web.app import create_app
from surefoot.web.lanes import Lanes
from surefoot.web.limits import MAX_MESSAGE
from surefoot.web.messages import ClientMessage
from surefoot.web.refusals import FAULT
from surefoot.web.settings import Settings, is_loopback
from tests.web.serving import Running

TOKEN = "right-token"
HOSTILE = {
    "a path": "../../../../etc/passwd",
    "a script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "a command": "cmd:sh -c 'touch /tmp/surefoot-was-here'",
    "code": "__import__('os').system('id')",
    "a file of code": "/tmp/evil.py:Agent",
    "10 MB": "x" * 10_000_000,
}


async def nothing_to_prepare(lanes: Lanes) -> None:
    pass


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    store = str(tmp_path_factory.mktemp("arena") / "arena.db")
    app = create_app(Settings(store=store), Lanes(1), nothing_to_prepare)

    @app.get("/api/broken")
    async def broken() -> None:
        raise ZeroDivisionError("a secret of ours")

    @app.post("/api/echo")
    async def echo(request: Request) -> Response:
        return Response(str(len(await request.body())))

    with TestClient(app, base_url="http://127.0.0.1:8000") as made:
        yield made


@pytest.fixture(scope="module")
def guarded() -> Iterator[TestClient]:
    app = create_app(Settings("0.0.0.0", 8000, TOKEN), Lanes(1), nothing_to_prepare)
    with TestClient(app, base_url="http://box.example:8000", follow_redirects=False) as made:
        yield made


def refused_socket(client: TestClient, url: str = "ws://127.0.0.1:8000/ws", **headers: str) -> int:
    """The status with which a socket is refused; 101 if it is opened."""
    try:
        with client.websocket_connect(url, headers={"host": urlsplit(url).netloc} | headers) as opened:
            opened.receive_text()
            return 101
    except WebSocketDenialResponse as denied:
        assert one_line(denied)
        return int(denied.status_code)


def one_line(response: Any) -> str:
    """The words of a refusal under ``/api``."""
    answer = response.json()
    assert list(answer) == ["detail"]
    assert "\n" not in answer["detail"] and 0 < len(answer["detail"]) < 400
    assert "Traceback" not in answer["detail"]
    return str(answer["detail"])


# Hosts


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000", "[::1]:8000"])
def test_its_own_names_are_let_in(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200
    assert refused_socket(client, f"ws://{host.lower()}/ws") == 101


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8000",
        "127.0.0.1",
        "127.0.0.1:8001",
        "127.0.0.1.evil.example:8000",
        "localhost:80000",
        "",
    ],
)
def test_other_names_are_not(client: TestClient, host: str) -> None:
    for path in ("/", "/api/about", "/static/js/main.js", "/nowhere"):
        assert client.get(path, headers={"host": host}).status_code == 403
    assert refused_socket(client, host=host) == 403


def test_two_hosts_are_none(running_server: Running) -> None:
    parts = urlsplit(running_server.url)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=60) as raw:
        host = f"Host: {parts.netloc}\r\n"
        raw.sendall(f"GET / HTTP/1.1\r\n{host}Host: evil.example\r\n\r\n".encode())
        assert b" 40" in raw.recv(4096).split(b"\r\n")[0]


# Origins


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://evil.example:8000",
        "http://localhost:8000",
        "null",
        "",
        "http://127.0.0.1",
    ],
)
def test_another_page_opens_no_socket_and_changes_nothing(client: TestClient, origin: str) -> None:
    assert refused_socket(client, origin=origin) == 403
    for path in ("/api/minesweeper/analyze", "/api/echo"):
        answer = client.post(path, json={}, headers={"origin": origin})
        assert answer.status_code == 403
        assert "page" in one_line(answer)


def test_the_page_itself_and_programs_may(client: TestClient) -> None:
    for headers in ({}, {"origin": "http://127.0.0.1:8000"}):
        assert refused_socket(client, **headers) == 101
        assert client.post("/api/echo", content=b"abc", headers=headers).text == "3"
    # Another page may send its users here by a link.
    assert client.get("/", headers={"origin": "https://friend.example"}).status_code == 200


# The token


@pytest.mark.parametrize(
    "path", ["/", "/api/about", "/static/js/main.js", "/theme.css", "/api/docs", "/nowhere"]
)
def test_without_the_token_nothing_is_shown(guarded: TestClient, path: str) -> None:
    guarded.cookies.clear()
    for url in (path, f"{path}?token=wrong", f"{path}?token=", f"{path}?token=%ff"):
        answer = guarded.get(url)
        assert answer.status_code == 401
        assert "token" in answer.text and TOKEN not in answer.text


def test_the_printed_link_lets_a_browser_in_for_good(guarded: TestClient) -> None:
    guarded.cookies.clear()
    assert refused_socket(guarded, "ws://box.example:8000/ws") == 401
    answer = guarded.get(f"/?token={TOKEN}&a=b%20c")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/?a=b+c"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
    assert guarded.get("/").status_code == 200
    assert guarded.get("/api/about").status_code == 200
    kept = f"surefoot-8000={TOKEN}"
    assert refused_socket(guarded, "ws://box.example:8000/ws", cookie=kept) == 101
    # With the token or not, another page opens nothing.
    foreign = {"cookie": kept, "origin": "http://evil.example"}
    assert refused_socket(guarded, "ws://box.example:8000/ws", **foreign) == 403
    assert refused_socket(guarded, "ws://box.example:8000/ws", cookie="surefoot-8000=wrong") == 401


def test_programs_bring_the_token_in_a_header(guarded: TestClient) -> None:
    guarded.cookies.clear()
    assert guarded.get("/api/about", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    answer = guarded.get("/api/about", headers={"authorization": "Bearer wrong"})
    assert answer.status_code == 401
    assert "link" in one_line(answer)


def test_the_link_leads_nowhere_else(guarded: TestClient) -> None:
    guarded.cookies.clear()
    answer = guarded.get(f"http://box.example:8000//evil.example/?token={TOKEN}")
    assert answer.headers["location"] == "/evil.example/"


def test_who_can_be_reached_from_outside_needs_a_token() -> None:
    for host in ("0.0.0.0", "192.0.2.7", "::", "box.example"):
        assert not is_loopback(host)
        with pytest.raises(ValueError, match="token"):
            Settings(host)
        assert Settings(host, token="x").token == "x"
    for host in ("127.0.0.1", "127.8.8.8", "::1", "localhost"):
        assert is_loopback(host)
        assert Settings(host).token is None
    assert Settings("::1", 80).url == "http://[::1]:80/"
    assert Settings("::1", 80).allows_host("[::1]")


# Headers and answers


@pytest.mark.parametrize(
    "path", ["/", "/theme.css", "/static/js/main.js", "/api/about", "/nope", "/api/nope"]
)
def test_every_answer_tells_the_browser_what_is_allowed(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy and "*" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers
    assert headers["cache-control"] in ("no-cache", "no-store")


def test_files_are_asked_about_and_sent_once(client: TestClient) -> None:
    for path in ("/", "/static/js/socket.js", "/theme.css"):
        first = client.get(path)
        assert first.status_code == 200 and first.text
        again = client.get(path, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.text) == (304, "")
        assert client.head(path).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/%00",
        "/static/js",
        "/static/" + "x" * 3000,
        "/api/sessions/..%2f..%2fetc%2fpasswd/record",
        "/api/sessions/%3Cscript%3E/record",
        "/api/nope/<script>",
    ],
)
def test_paths_lead_nowhere_else(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (400, 404)
    assert "<script>" not in answer.text or path.startswith("/api/")
    if path.startswith("/api/"):
        assert answer.headers["content-type"] == "application/json"
        one_line(answer)


def test_what_is_not_there_is_told_in_words(client: TestClient) -> None:
    assert "nothing at /api/nope" in one_line(client.get("/api/nope"))
    assert one_line(client.post("/api/about")) == "POST is not for /api/about"
    page = client.get("/<b>bold</b>")
    assert page.status_code == 404
    assert "&lt;b&gt;" in page.text and "<b>" not in page.text
    assert client.get("/api/sessions/nobody/record").status_code == 404


def test_our_own_fault_tells_nothing_of_ours(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    answer = client.get("/api/broken")
    assert answer.status_code == 500
    assert one_line(answer) == FAULT
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "a secret of ours" in caplog.text


# Sizes


def test_bodies_are_bounded(client: TestClient) -> None:
    assert client.post("/api/echo", content=b"x" * MAX_MESSAGE).text == str(MAX_MESSAGE)
    for body in (b"x" * (MAX_MESSAGE + 1), b"x" * 10_000_000):
        answer = client.post("/api/echo", content=body)
        assert answer.status_code == 413
        assert "1,048,576" in one_line(answer)


def test_bodies_in_pieces_are_bounded_too(running_server: Running) -> None:
    parts = urlsplit(running_server.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    connection.request(
        "POST", "/api/minesweeper/analyze", body=iter([b"x" * 100_000] * 100), encode_chunked=True
    )
    answer = connection.getresponse()
    assert answer.status == 413
    assert "bytes" in json.loads(answer.read())["detail"]
    connection.close()


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety_module, "BODY_SECONDS", 0.2)
    app = create_app(Settings(), Lanes(1), nothing_to_prepare)
    sent: list[Any] = []

    async def ask() -> None:
        import asyncio

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(600)
            return {}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/api/minesweeper/analyze",
            "raw_path": b"/api/minesweeper/analyze",
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"127.0.0.1:8000"), (b"content-length", b"100")],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
            "state": {},
        }
        await asyncio.wait_for(app(scope, receive, send), 60)

    import asyncio

    asyncio.run(ask())
    assert sent[0]["status"] == 408


def test_headers_are_bounded(client: TestClient) -> None:
    assert client.get("/", headers={"x-long": "x" * 20_000}).status_code == 431


# Hostile values, in every field


def _socket_fields() -> list[tuple[str, str]]:
    return [
        (kind.model_fields["type"].annotation.__args__[0], field)
        for kind in get_args(ClientMessage)
        for field in kind.model_fields
        if field != "type"
    ]


# Values that go with the others, so that the hostile one is what is looked at.
_GOOD: dict[str, dict[str, Any]] = {
    "create-risk": {"map": "duel", "rules": "standard", "seats": ["human", "human"]},
    "assist": {"what": "analysis", "on": True},
    "seat": {"seat": 0, "player": "human"},
}


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize(("kind", "field"), _socket_fields())
def test_every_field_of_every_message_refuses(
    client: TestClient, kind: str, field: str, hostile: str
) -> None:
    begin: list[dict[str, Any]] = [
        {"type": "create-minesweeper", "preset": "beginner"},
        {"type": "create-risk", **_GOOD["create-risk"]},
    ]
    with client.websocket_connect("ws://127.0.0.1:8000/ws") as opened:
        opened.receive_text()
        for game in begin:
            # Both kinds of game are asked, since they look at the same messages.
            opened.send_text(json.dumps(game))
            assert json.loads(opened.receive_text())["type"] == "snapshot"
            value: Any = HOSTILE[hostile]
            for wrong in (value, [value], {"a": value}) if hostile != "10 MB" else (value,):
                body = {"ref": 1, "type": kind, **_GOOD.get(kind, {}), field: wrong}
                opened.send_text(json.dumps(body))
                while True:
                    heard = json.loads(opened.receive_text())
                    if heard["type"] in ("error", "ok", "snapshot"):
                        break
                assert heard["type"] == "error", (body if len(str(body)) < 500 else field, heard)
                assert heard["code"] in ("bad-message", "too-large", "not-legal", "no-session")
                assert len(heard["message"]) < 400 and "\n" not in heard["message"]


_POSITION = "4x1x1\nH1HH\n"
_ATTACK = """map: duel
players: 2
phase: attack
0: moor 5, fen 3, heath 2
1: dale 1, weald 3, wold 3"""
_BEGUN = """[Game "Risk"]
[Map "duel"]
[Players "2"]

deal = moor heath fen wold weald dale
draft moor 1
"""
_BODIES: list[tuple[str, dict[str, Any]]] = [
    ("/api/minesweeper/analyze", {"position": _POSITION}),
    ("/api/minesweeper/explain", {"position": _POSITION, "row": 0, "col": 3}),
    ("/api/minesweeper/win-chance", {"position": _POSITION, "playouts": 10}),
    ("/api/minesweeper/win-probability", {"position": _POSITION}),
    ("/api/minesweeper/replay", {"text": "4 4\n" * 2}),
    ("/api/risk/odds", {"attackers": 5, "path": [2]}),
    ("/api/risk/analyze", {"position": _ATTACK}),
    ("/api/risk/win-chance", {"position": _ATTACK, "playouts": 10}),
    ("/api/risk/review", {"text": _BEGUN, "turns": 1, "samples": 2}),
    ("/api/risk/replay", {"text": ""}),
    ("/api/arena/runs", {"game": "minesweeper", "rules": "beginner", "agents": ["exact"], "games": 1}),
]


def _described(client: TestClient) -> Iterator[tuple[str, list[str]]]:
    """The paths that take a body, and its fields."""
    described = client.get("/api/openapi.json").json()
    for path, operations in described["paths"].items():
        body = operations.get("post", {}).get("requestBody")
        if body is not None:
            schema = body["content"]["application/json"]["schema"]
            while "$ref" in schema:
                schema = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
            yield path, list(schema["properties"])


def test_the_bodies_above_are_those_that_there_are(client: TestClient) -> None:
    assert sorted(path for path, _ in _described(client)) == sorted(path for path, _ in _BODIES)


@pytest.mark.parametrize(("path", "body"), _BODIES)
def test_every_field_of_every_request_refuses(client: TestClient, path: str, body: dict[str, Any]) -> None:
    if not path.endswith("/replay"):  # what is refused below is not refused for something else
        assert client.post(path, json=body).status_code == 200, client.post(path, json=body).text
    for field in dict(_described(client))[path]:
        others = {} if (path, field) == ("/api/risk/win-chance", "text") else body
        for name, value in HOSTILE.items():
            for wrong in (value, [value], {"a": value}) if name != "10 MB" else (value,):
                answer = client.post(path, json={**others, field: wrong})
                assert 400 <= answer.status_code < 500, (field, name, answer.text[:300])
                one_line(answer)
    assert client.post(path, json={**body, "extra": 1}).status_code == 422
    for text in (b"", b"[]", b"null", b"{", b'{"a": NaN}', b"\0", b"\xff\xfe", b'{"a": "\\ud800"}'):
        answer = client.post(path, content=text, headers={"content-type": "application/json"})
        assert answer.status_code == 422
        one_line(answer)
