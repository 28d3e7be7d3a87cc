"""Many games at once: how the server bears them, and whether its memory stays as it is."""

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import psutil
from websockets.asyncio.client import ClientConnection, connect

from surefoot.web.delta import apply

Figures = dict[str, Any]

_SAMPLE_SECONDS = 1.0
_ANSWER_SECONDS = 30.0


def run(
    url: str, sessions: int, moves_per_second: float, seconds: float, pid: int | None = None, seed: int = 0
) -> Figures:
    """Play ``sessions`` games of Minesweeper at once, so many moves a second in all.

    Each game has a client of its own, which follows it by deltas and compares what it has with a snapshot at
    the end.

    Args:
        url: of a server that is ready.
        pid: the server's process, if its memory is to be measured.

    Returns:
        ``sessions``, ``moves``, ``games`` (a finished one is begun anew), ``seconds``; ``errors``, a list of
        lines, which should be empty; milliseconds from a move to its answer, ``median_ms`` and ``p99_ms``;
        ``bytes_per_move``; and with ``pid`` ``memory_mb``, the server's own memory once a second while the
        games go on, ``memory_growth_mb`` from the first to the last fifth of it, and ``cpu_seconds``.
    """
    return asyncio.run(_Load(url, sessions, moves_per_second, seconds, pid, random.Random(seed)).run())


class _Load:
    def __init__(
        self, url: str, sessions: int, rate: float, seconds: float, pid: int | None, rng: random.Random
    ) -> None:
        self._socket_url = "ws" + url.removeprefix("http") + "/ws"
        self._sessions = sessions
        self._rate = rate
        self._seconds = seconds
        self._server = None if pid is None else psutil.Process(pid)
        self._rng = rng
        self._players: list[_Player] = []
        self._memory: list[float] = []

    async def run(self) -> Figures:
        async with asyncio.TaskGroup() as group:
            for number in range(self._sessions):
                self._players.append(_Player(self._socket_url, random.Random(self._rng.random()), number))
                group.create_task(self._players[-1].begin())
        cpu = self._cpu()
        begun = time.perf_counter()
        sampling = asyncio.create_task(self._sample())
        await self._play(begun)
        took = time.perf_counter() - begun
        sampling.cancel()
        cpu_after = self._cpu()
        await asyncio.gather(*(player.end() for player in self._players))
        return self._figures(took) | (
            {} if cpu is None or cpu_after is None else {"cpu_seconds": cpu_after - cpu}
        )

    async def _play(self, begun: float) -> None:
        """Moves at a steady rate, whoever makes them; who still waits for an answer is passed over."""
        async with asyncio.TaskGroup() as group:
            for number in count():
                due = begun + number / self._rate
                if due > begun + self._seconds:
                    return
                await asyncio.sleep(max(due - time.perf_counter(), 0))
                free = [player for player in self._players if not player.busy]
                if free:
                    group.create_task(self._rng.choice(free).move())

    async def _sample(self) -> None:
        while self._server is not None:
            self._memory.append(self._server.memory_info().rss / 2**20)
            await asyncio.sleep(_SAMPLE_SECONDS)

    def _cpu(self) -> float | None:
        if self._server is None:
            return None
        used = self._server.cpu_times()
        return float(used.user + used.system)

    def _figures(self, took: float) -> Figures:
        waits = sorted(wait for player in self._players for wait in player.waits)
        moves = len(waits)
        figures: Figures = {
            "sessions": self._sessions,
            "moves": moves,
            "games": sum(player.games for player in self._players),
            "seconds": round(took, 1),
            "errors": [error for player in self._players for error in player.errors],
            "median_ms": round(1000 * waits[moves // 2], 2) if waits else None,
            "p99_ms": round(1000 * waits[moves * 99 // 100], 2) if waits else None,
            "bytes_per_move": round(sum(player.bytes for player in self._players) / max(moves, 1)),
        }
        if self._memory:
            part = max(len(self._memory) // 5, 1)
            first, last = sum(self._memory[:part]) / part, sum(self._memory[-part:]) / part
            figures["memory_mb"] = [round(sample, 1) for sample in self._memory]
            figures["memory_growth_mb"] = round(last - first, 1)
        return figures


@dataclass
class _Player:
    """One client and its game."""

    url: str
    rng: random.Random
    number: int
    errors: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    games: int = 0
    bytes: int = 0
    busy: bool = True

    def __post_init__(self) -> None:
        self._socket: ClientConnection | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._answers: dict[int, asyncio.Future[str]] = {}
        self._refs = count(1)
        self._version = -1
        self._view: dict[str, Any] = {}
        self._snapshots = 0

    async def begin(self) -> None:
        self._socket = await connect(self.url, max_size=None, compression=None, open_timeout=60)
        self._hearing = asyncio.create_task(self._hear())
        await self._ask({"type": "create-minesweeper", "preset": "expert", "seed": self.number})
        self.games = 1
        self.busy = False

    async def move(self) -> None:
        """One click on a cell that is hidden; after the end of a game the next one begins."""
        self.busy = True
        try:
            if self._view.get("status") != "running":
                await self._ask({"type": "restart"})
                self.games += 1
            else:
                hidden = [place for place, cell in enumerate(self._view["cells"]) if cell == -1]
                row, col = divmod(self.rng.choice(hidden), self._view["level"]["width"])
                begun = time.perf_counter()
                heard = self.bytes
                # One that opens a mine is as good as another.
                await self._ask({"type": "act", "action": f"uncover {row},{col}"})
                self.waits.append(time.perf_counter() - begun)
                assert self.bytes > heard
        finally:
            self.busy = False

    async def end(self) -> None:
        """Compare what was heard with what is."""
        assert self._socket is not None and self._hearing is not None
        # What was changed last may still be on its way.
        await asyncio.sleep(0.5)
        mine = self._view
        await self._ask({"type": "snapshot"})
        if any(mine[key] != self._view[key] for key in ("cells", "status", "moves", "flags")):
            self.errors.append(f"client {self.number}: its view is not the server's")
        self._hearing.cancel()
        await self._socket.close()

    async def _ask(self, message: dict[str, Any]) -> None:
        assert self._socket is not None
        ref = next(self._refs)
        answer = self._answers[ref] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(json.dumps({"ref": ref, **message}))
            words = await asyncio.wait_for(answer, _ANSWER_SECONDS)
        except Exception as error:  # whatever it is, it should not be
            words = f"{type(error).__name__} {error}"
        if words:
            self.errors.append(f"client {self.number}: {message['type']}: {words}")

    async def _hear(self) -> None:
        assert self._socket is not None
        async for text in self._socket:
            self.bytes += len(text)
            heard = json.loads(text)
            match heard["type"]:
                case "snapshot":
                    self._version, self._view = heard["version"], heard["view"]
                case "delta":
                    if heard["from"] != self._version:
                        self.errors.append(f"client {self.number}: a delta was missed")
                    self._version, self._view = heard["to"], apply(self._view, heard["change"])
                case "ok":
                    self._answers.pop(heard["ref"]).set_result("")
                case "error":
                    self._answers.pop(heard["ref"]).set_result(heard["message"])
