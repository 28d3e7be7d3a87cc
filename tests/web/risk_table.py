"""What the tests of Risk on the page share: a table to play at, and lanes that need no processes."""

import asyncio
import json
import pickle
import random
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from surefoot.web.delta import apply, difference
from surefoot.web.lanes import Lanes
from surefoot.web.messages import CreateRisk, SessionMessage, read
from surefoot.web.refusals import Refused, in_words
from surefoot.web.risk.session import RiskSession

T = TypeVar("T")
PATIENCE = 60.0


class InlineLanes(Lanes):
    """Does the work of worker processes here, with arguments and answers that have travelled all the same."""

    def __init__(self) -> None:
        super().__init__(1)
        self.forgotten: list[str] = []

    async def play(self, key: str, work: Callable[..., T], *arguments: Any) -> T:
        return await self.do(work, arguments)

    async def study(self, work: Callable[..., T], *arguments: Any) -> T:
        return await self.do(work, arguments)

    async def do(self, work: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        await asyncio.sleep(0)
        function, travelled = pickle.loads(pickle.dumps((work, arguments)))
        try:
            answer: T = pickle.loads(pickle.dumps(function(*travelled)))
        except Refused:
            raise AssertionError("a Refused cannot travel between processes") from None
        except Exception as error:
            raise in_words(error) from None
        return answer

    def forget(self, key: str) -> None:
        super().forget(key)
        self.forgotten.append(key)


class Table:
    """A session, and a client that is told of every change by deltas."""

    def __init__(self, session: RiskSession) -> None:
        self.session = session
        self.view: dict[str, Any] = json.loads(json.dumps(session.view()))

    @classmethod
    async def lay(cls, lanes: Lanes, **create: Any) -> "Table":
        message = read(json.dumps({"type": "create-risk", **create}))
        assert isinstance(message, CreateRisk)
        return cls(await RiskSession.create("some-key", lanes, message))

    async def say(self, kind: str, **fields: Any) -> dict[str, Any]:
        message = read(json.dumps({"type": kind, **fields}))
        assert isinstance(message, SessionMessage)
        await self.session.handle(message)
        return self.look()

    async def act(self, action: str) -> dict[str, Any]:
        return await self.say("act", action=action)

    def look(self) -> dict[str, Any]:
        """The view now, by way of what a client would be sent."""
        new = self.session.view()
        change = difference(self.view, json.loads(json.dumps(new)))
        if change is not None:
            self.view = apply(self.view, json.loads(json.dumps(change)))
        return self.view

    async def wait(self, fits: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Wait until the view fits."""
        with self.session.watching() as event:
            async with asyncio.timeout(PATIENCE):
                while not fits(self.look()):
                    event.clear()
                    await event.wait()
        return self.view

    async def step(self) -> dict[str, Any]:
        """Let the agent whose turn it is play one move."""
        history = self.session._game.history
        length = len(history)
        await self.say("step")
        return await self.wait(lambda _: len(history) > length)

    async def refused(self, kind: str, **fields: Any) -> Refused:
        """The refusal of a message, which has to leave everything as it is."""
        before = self.look()
        try:
            await self.say(kind, **fields)
        except Refused as refused:
            assert self.look() == before
            assert "\n" not in refused.message and 0 < len(refused.message) < 300
            return refused
        raise AssertionError(f"{kind} {fields} was not refused")


def run(test: Callable[[], Any]) -> Any:
    """Run a test that waits for a table."""
    return asyncio.run(test())


async def refusal(work: Awaitable[object]) -> Refused:
    try:
        await work
    except Refused as refused:
        assert "\n" not in refused.message and 0 < len(refused.message) < 300
        return refused
    raise AssertionError("it was not refused")


def moved(view: dict[str, Any]) -> bool:
    """Whether there is nothing to wait for: a person is to move, or the game is over."""
    return bool(view["choices"] is not None or view["outcome"] != "running")


def choose(view: dict[str, Any], rng: random.Random, likely: int = 6000) -> str:
    """An action in its text form, from what the view offers and nothing else."""
    choices = view["choices"]
    if choices["claim"]:
        return f"claim {rng.choice(choices['claim'])}"
    if view["sets"]:
        offer = rng.choice(view["sets"])
        on = "" if offer["on"] is None else f" on {offer['on']}"
        return f"trade {' '.join(map(str, offer['cards']))}{on}"
    if choices["draft"]:
        room = view["to_place"]
        return f"draft {rng.choice(choices['draft'])} {rng.randint(1, min(room, 3))}"
    if choices["occupy"]:
        return f"occupy {rng.randint(*choices['occupy'])}"
    good = [offer for offer in choices["attack"] if offer[3] >= likely]
    if good:
        source, target, most, _, _ = rng.choice(good)
        dice = min(most, view["dice"])
        ways = {
            "may": [
                f"{most}",
                f"{dice} roll",
                f"{most} until {rng.randint(1, most - 1)}" if most > 1 else "1",
            ],
            "must": [f"{most}"],
            "never": [f"{dice} roll"],
        }[view["blitz"]]
        return f"attack {source} {target} {rng.choice(ways)}"
    if choices["fortify"] and rng.random() < 0.5:
        source, target, most = rng.choice(choices["fortify"])
        return f"fortify {source} {target} {rng.randint(1, most)}"
    assert choices["end"]
    return "end"


async def play_on(
    table: Table, rng: random.Random, check: Callable[[Table], None] | None = None, most: int = 100_000
) -> dict[str, Any]:
    """Play for all people at the table until the game is over, or for ``most`` actions."""
    for _ in range(most):
        view = await table.wait(moved)
        if view["outcome"] != "running":
            break
        if check is not None:
            check(table)
        await table.act(choose(view, rng))
    return table.view
