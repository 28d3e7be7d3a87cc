"""Thousands of messages and requests, from senseless to nearly right; none may be more than refused.

`fuzz_socket` and `fuzz_api` run against a server that is ready, and tell what came of it; ``faults`` must be
empty. The same seed says the same things.
"""

import asyncio
import json
import random
from collections import Counter
from contextlib import suppress
from typing import Any, get_args

import hypothesis
import requests
import schemathesis
from hypothesis import HealthCheck, Phase
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from surefoot.web.delta import apply
from surefoot.web.limits import MAX_FRAME, MAX_MESSAGE
from surefoot.web.messages import ClientMessage
from tests.mutate import mutants

Report = dict[str, Any]
Operation = APIOperation[Any, Any, Any, Any]

_PATIENCE = 120.0
"""Seconds after which an answer is held to be missing."""

# The socket

_CLIENTS = 8
_FIELDS: dict[str, list[str]] = {
    kind.model_fields["type"].annotation.__args__[0]: [
        name for name in kind.model_fields if name not in ("type", "ref")
    ]
    for kind in get_args(ClientMessage)
}
_NAMES = ["exact", "sentence", "random", "continent", "killer:bold", "human", "alphabeta", "aggressive"]
_PLACES = ["moor", "fen", "heath", "dale", "weald", "wold", "alaska", "kamchatka"]
_CLICKS = ["uncover", "uncover", "uncover", "flag", "unflag", "chord", "leave"]
_ORDERS = ["claim", "draft", "draft", "attack", "attack", "occupy", "fortify", "trade", "end"]
_RIGHT: dict[str, list[Any]] = {
    "preset": ["beginner", "expert", "minai-easy", "cs50"],
    "width": [1, 9, 30, 200],
    "height": [1, 9, 16, 50],
    "mines": [0, 1, 10, 9999],
    "first_click": ["any", "safe", "opening"],
    "text": ["3x2x1\n.*.\n...\n", "2 2\n1 0\n0 0\n"],
    "seed": [0, 1, 2**63 - 1],
    "map": ["duel", "delta", "classic", "grid-3x3", "grid-9999x9999"],
    "rules": ["standard", "modern:fog=yes", "document", "standard:neutral=yes", "standard:placement=claimed"],
    "seats": [["human", "human"], ["human", "killer"], ["continent"] * 3, ["turtle", "human"] * 3],
    "running": [True, False],
    "speed": [0, 0.1, 20, 1000],
    "agent": _NAMES,
    "player": _NAMES,
    "seat": [0, 1, 5],
    "what": ["analysis", "curve"],
    "on": [True, False],
}
_WRONG: list[Any] = [
    None,
    True,
    -1,
    1.5,
    2**70,
    "",
    "x" * 500,
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "cmd:id",
    "os:system",
    "\ud800",
    "\0",
    [],
    [[]],
    {},
    {"a": {}},
]


def fuzz_socket(url: str, n: int, seed: int) -> Report:
    """Say about ``n`` things to the socket of the server at ``url``, by some clients at once.

    Returns:
        ``messages``; ``answers``, how many of each kind; ``faults``, what should not be: missing answers,
        answers of a wrong form, deltas that do not fit, and the server's own mistakes.
    """
    answers: Counter[str] = Counter()
    faults: list[str] = []

    async def all_clients() -> None:
        await asyncio.gather(
            *(
                _Fuzzer(_socket_of(url), random.Random(f"{seed}/{number}"), answers, faults).run(
                    n // _CLIENTS
                )
                for number in range(_CLIENTS)
            )
        )

    asyncio.run(all_clients())
    return {"messages": n // _CLIENTS * _CLIENTS, "answers": dict(sorted(answers.items())), "faults": faults}


class _Fuzzer:
    """One client that says anything."""

    def __init__(self, url: str, rng: random.Random, answers: Counter[str], faults: list[str]) -> None:
        self._url = url
        self._rng = rng
        self._answers = answers
        self._faults = faults
        self._ref = 0
        self._session: str | None = None
        self._version = -1
        self._view: Any = None

    async def run(self, count: int) -> None:
        while count > 0:
            async with connect(self._url, max_size=None, compression=None) as socket:
                await self._ask(socket, {"type": "create-minesweeper", "preset": "beginner"})
                # Now and then a client leaves in the middle of it.
                for _ in range(min(count, self._rng.randint(1, 400))):
                    count -= 1
                    try:
                        await asyncio.wait_for(self._say(socket), _PATIENCE)
                    except TimeoutError:
                        self._faults.append("no answer")
                        return
                    except ConnectionClosed as closed:
                        self._answers["closed"] += 1
                        if closed.rcvd is None or closed.rcvd.code != 1009:
                            self._faults.append(f"closed: {closed}")
                        break

    async def _say(self, socket: ClientConnection) -> None:
        rng = self._rng
        kind = rng.random()
        if kind < 0.90:
            await self._ask(socket, self._message())
        elif kind < 0.98:
            (text,) = mutants([json.dumps(self._message())], 1, rng.getrandbits(32))
            await self._shout(socket, text)
        elif kind < 0.997:
            await self._shout(socket, rng.randbytes(rng.randint(0, 200)))
        else:
            size = MAX_FRAME if rng.random() < 0.1 else MAX_MESSAGE
            await self._shout(socket, json.dumps({"type": "act", "action": "x" * size}))

    def _message(self) -> dict[str, Any]:
        """What may well be carried out, or, three times in ten, has something wrong in it."""
        rng = self._rng
        kind = rng.choice([*_FIELDS, *["act"] * 20, *["pace", "step", "assist"]])
        message: dict[str, Any] = {"type": kind}
        if kind == "join":
            message["session"] = self._session or "x" * 24
        elif kind == "act":
            message["action"] = self._action()
        elif kind == "create-minesweeper":
            wanted = rng.choice([["preset"], ["preset", "seed"], ["width", "height", "mines"], ["text"]])
            message |= {name: rng.choice(_RIGHT[name]) for name in wanted}
        else:
            message |= {name: rng.choice(_RIGHT[name]) for name in _FIELDS[kind] if name != "text"}
        if rng.random() < 0.3:
            message[rng.choice([*message, *_RIGHT, "ref"])] = rng.choice(_WRONG)
        return message

    def _action(self) -> str:
        rng = self._rng
        if (self._view or {}).get("game") == "minesweeper":
            text = f"{rng.choice(_CLICKS)} {rng.randint(-1, 9)},{rng.randint(-1, 9)}"
        else:
            words = [rng.choice([*_PLACES, str(rng.randint(0, 9))]) for _ in range(rng.randint(0, 4))]
            text = " ".join([rng.choice(_ORDERS), *words])
        return text if rng.random() < 0.9 else next(iter(mutants([text], 1, rng.getrandbits(32))))

    async def _ask(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        self._ref += 1
        await socket.send(json.dumps({"ref": self._ref, **message}))
        if "ref" in message:  # no number, or a wrong one
            await self._ask(socket, {"type": "snapshot"})
        else:
            await self._hear(socket)

    async def _shout(self, socket: ClientConnection, said: str | bytes) -> None:
        """Say what may not even be a message, and then ask something to see that the server still listens."""
        await socket.send(said)
        await self._ask(socket, {"type": "snapshot"})

    async def _hear(self, socket: ClientConnection) -> None:
        """Hear until the last question is answered."""
        while True:
            heard = json.loads(await socket.recv())
            kind = heard["type"]
            self._answers[heard["code"] if kind == "error" else kind] += 1
            if kind == "snapshot":
                self._session, self._version, self._view = heard["session"], heard["version"], heard["view"]
            elif kind == "delta":
                if heard["from"] != self._version:
                    self._faults.append(f"a delta from {heard['from']} after {self._version}")
                self._version, self._view = heard["to"], apply(self._view, heard["change"])
            elif kind == "error":
                self._check(heard)
            if heard.get("ref") == self._ref and kind in ("ok", "error"):
                return

    def _check(self, heard: dict[str, Any]) -> None:
        words = heard["message"]
        if heard["code"] == "fault" or "\n" in words or not 0 < len(words) < 500:
            self._faults.append(str(heard)[:500])


def _socket_of(url: str) -> str:
    return "ws" + url.removeprefix("http") + "/ws"


# The API

_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def fuzz_api(url: str, n: int, seed: int) -> Report:
    """Send about ``n`` requests to the API of the server at ``url``.

    A third are what Schemathesis makes of the API's description, fitting and not, over all operations; the
    others are bodies from the description's own examples with edits, which get further in.

    Returns:
        ``requests``; ``answers``, how many of each status; ``faults``, what should not be: 5xx, and answers
        that are not as described.
    """
    schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
    operations = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    answers: Counter[str] = Counter()
    faults: list[str] = []
    with requests.Session() as session:

        def send(case: Case[Any]) -> None:
            response = case.call(base_url=url, session=session, timeout=_PATIENCE)
            answers[str(response.status_code)] += 1
            try:
                case.validate_response(response, checks=_CHECKS)
            except FailureGroup as error:
                faults.append(f"{case.method} {case.path}: {error}"[:2000])

        share = max(n // 3 // len(operations) // 2, 1)
        for operation in operations:
            for mode in GenerationMode:
                _send_generated(operation, mode, share, seed, send)
        rng = random.Random(seed)
        posts = [operation for operation in operations if operation.method == "post" and operation.body]
        while answers.total() < n:
            operation = rng.choice(posts)
            send(
                operation.Case(body=_nearly_right(_schema_of(operation), rng), media_type="application/json")
            )
        _stop_runs(url, session)
    return {"requests": answers.total(), "answers": dict(sorted(answers.items())), "faults": faults}


def _stop_runs(url: str, session: requests.Session) -> None:
    """End the studies that were begun by what was sent, so that nobody has to wait for them."""
    for run in session.get(f"{url}/api/arena/runs", timeout=_PATIENCE).json():
        if run["state"] == "running":
            session.post(f"{url}/api/arena/runs/{run['run']}/stop", timeout=_PATIENCE)


def _send_generated(operation: Operation, mode: GenerationMode, count: int, seed: int, send: Any) -> None:
    """Send what Schemathesis generates for an operation; some have nothing that does not fit."""

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(operation.as_strategy(mode))
    def each(case: Case[Any]) -> None:
        send(case)

    with suppress(hypothesis.errors.Unsatisfiable):
        each()


def _schema_of(operation: Operation) -> dict[str, Any]:
    """The description of an operation's body."""
    (body,) = operation.body
    schema: dict[str, Any] = body.optimized_schema
    return schema


def _nearly_right(schema: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    required = schema.get("required", [])
    body = {
        name: _value(inner, rng)
        for name, inner in schema["properties"].items()
        if name in required or rng.random() < 0.5
    }
    if rng.random() < 0.05:
        body[rng.choice([*body, "extra"])] = rng.choice([value for value in _WRONG if value != "\ud800"])
    return body


def _value(schema: dict[str, Any], rng: random.Random) -> Any:
    if "anyOf" in schema:
        return _value(rng.choice(schema["anyOf"]), rng)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema.get("examples"):
        example = rng.choice(schema["examples"])
        if not isinstance(example, str) or rng.random() < 0.3:
            return example
        return next(iter(mutants([example], 1, rng.getrandbits(32))))
    match schema.get("type"):
        case "integer":
            least = int(schema.get("minimum", 0))
            most = int(schema.get("maximum", schema.get("exclusiveMaximum", 101) - 1))
            return rng.choice([least, most, rng.randint(least, min(most, least + 10)), most + 1])
        case "number":
            return rng.random()
        case "boolean":
            return rng.random() < 0.5
        case "array":
            return [_value(schema["items"], rng) for _ in range(rng.randint(schema.get("minItems", 0), 4))]
        case "string":
            return rng.choice([*_NAMES, *_PLACES, ""])
    return None
