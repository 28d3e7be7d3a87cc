"""The runs that the server plays, each in a process of its own, and what is asked about all of a store's."""

import asyncio
import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Literal

from surefoot.arena.play import interrupt_held

from ..lanes import Lanes
from ..limits import MAX_RUNS
from ..refusals import FAULT, Refused
from . import work

State = Literal["running", "stopped", "complete", "failed"]

_FRESH_SECONDS = 1.0
"""How long an answer is good for all who ask; a report that took longer to make, for four times as long."""
_SHARE = 4.0
_MOST_ANSWERS = 50
_END_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class _Player:
    """A process that plays, and how it can be seen from here."""

    process: SpawnProcess
    counts: Any
    told: "Connection[None, str]"


@dataclass(slots=True)
class _Answer:
    """What was answered last to a question, and until when that is fresh."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    until: float = 0.0
    value: Any = None


class Runs:
    """The arena of one server; `close` ends all that it plays.

    Args:
        place: the store, a path or a URL; None for the user's own.
        most: how many runs are played at once.
    """

    def __init__(self, place: str | None, most: int = MAX_RUNS) -> None:
        self._place = place
        self._most = most
        # A lane apart: a report of a million games takes seconds, which no player should have to wait for.
        self._lanes = Lanes(1)
        self._players: dict[str, _Player] = {}
        self._failed: dict[str, str] = {}
        self._answers: dict[str, _Answer] = {}

    async def list(self) -> list[dict[str, Any]]:
        """All runs of the store, the newest first."""
        rows = await self._fresh("", work.list_runs, self._place)
        return [self._with_state(row) for row in rows]

    async def tell(self, run: str) -> dict[str, Any]:
        """What a run shows.

        Raises:
            Refused: there is no such run.
        """
        found = await self._fresh(run, work.tell, self._place, run)
        return self._with_state(_there(found, run))

    async def plot(self, run: str, name: str) -> str:
        """A figure as SVG.

        Raises:
            Refused: there is no such run or figure, or figures cannot be drawn here.
        """
        found = await self._lanes.study(work.plot, self._place, run, name)
        if found is None:
            words = f"run {run} has no figure {name}; figures need the package matplotlib and some games"
            raise Refused("no-session", words)
        return found

    async def game(self, run: str, number: int, agent: str | None) -> dict[str, Any]:
        """A game, played again.

        Raises:
            Refused: there is no such run or game, or it is not for the page.
        """
        return _there(await self._lanes.study(work.game, self._place, run, number, agent), run)

    async def begin(self, asked: dict[str, Any]) -> str:
        """Start a study, or go on with it; the answer is its run's id.

        Raises:
            Refused: it is no study for the page, or too many are being played.
        """
        self._make_room()
        run = await self._lanes.study(work.begin, self._place, asked)
        self._start(run)
        return run

    async def resume(self, run: str) -> None:
        """Go on with a run; one that is being played is left alone.

        Raises:
            Refused: there is no such run, it is not for the page, or too many are being played.
        """
        if not await self._lanes.study(work.may_go_on, self._place, run):
            raise _missing(run)
        self._start(run)

    async def stop(self, run: str) -> None:
        """Stop a run; of what it has played at most the games in flight are lost.

        Raises:
            Refused: there is no such run.
        """
        self._look_after()
        player = self._players.pop(run, None)
        if player is not None:
            player.process.terminate()
            await asyncio.to_thread(player.process.join, _END_SECONDS)
            player.told.close()
            self._forget(run)
        elif not any(row["run"] == run for row in await self.list()):
            raise _missing(run)

    def close(self) -> None:
        """End all processes."""
        for player in self._players.values():
            player.process.terminate()
        self._players.clear()
        self._lanes.close()

    def _start(self, run: str) -> None:
        self._look_after()
        if run in self._players:
            return
        self._make_room()
        self._failed.pop(run, None)
        # A forked copy of a process with threads may hang; a spawned one is clean everywhere.
        context = multiprocessing.get_context("spawn")
        counts = context.Array("d", 2, lock=False)
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=work.play, args=(self._place, run, counts, there), daemon=True)
        with interrupt_held():
            process.start()
        there.close()
        self._players[run] = _Player(process, counts, here)
        self._forget(run)

    def _make_room(self) -> None:
        self._look_after()
        if len(self._players) >= self._most:
            raise Refused("too-many", f"{self._most} runs are being played here; stop one, or wait for it")

    def _look_after(self) -> None:
        """See which processes have ended, and how."""
        for run, player in list(self._players.items()):
            if player.process.is_alive():
                continue
            del self._players[run]
            self._forget(run)
            words = _words_of(player.told)
            if words is not None or player.process.exitcode != 0:
                self._failed[run] = words or FAULT
            player.told.close()

    def _with_state(self, row: dict[str, Any]) -> dict[str, Any]:
        """What a store tells of a run, and what only this server knows: whether it is being played."""
        run, played, rate = row["run"], row["played"], None
        player = self._players.get(run)
        state: State = "complete" if row["complete"] else "stopped"
        if player is not None:
            state = "running"
            played = max(played, int(player.counts[0]))
            rate = player.counts[1] or None
        elif run in self._failed and state != "complete":
            state = "failed"
        return row | {
            "state": state,
            "played": played,
            "rate": rate,
            "seconds_left": (row["games"] - played) / rate if rate else None,
            "error": self._failed.get(run) if state == "failed" else None,
        }

    async def _fresh(self, name: str, ask: Callable[..., Any], *arguments: Any) -> Any:
        """The answer to a question, asked anew only when the last answer is old: many may be looking on."""
        while True:
            self._look_after()
            answer = self._answers.get(name)
            if answer is None:
                while len(self._answers) >= _MOST_ANSWERS:
                    del self._answers[next(iter(self._answers))]
                answer = self._answers[name] = _Answer()
            async with answer.turn:
                if time.monotonic() >= answer.until:
                    answer.value, took = await self._lanes.study(work.timed, ask, *arguments)
                    answer.until = time.monotonic() + max(_FRESH_SECONDS, _SHARE * took)
            self._look_after()
            # If a run has begun or ended meanwhile, the store may have been read before its last games.
            if self._answers.get(name) is answer:
                return answer.value

    def _forget(self, run: str) -> None:
        """Something has just happened to a run: what was answered before does not hold any more."""
        for name in ("", run):
            self._answers.pop(name, None)


def _words_of(told: "Connection[None, str]") -> str | None:
    """What a process that has ended left to say."""
    try:
        return told.recv()
    except (EOFError, OSError):
        return None


def _there(found: dict[str, Any] | None, run: str) -> dict[str, Any]:
    if found is None:
        raise _missing(run)
    return found


def _missing(run: str) -> Refused:
    return Refused("no-session", f"there is no run {run} in this server's store")
