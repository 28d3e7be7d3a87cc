"""Getting ready: kernels are compiled and loaded before the first game, so that no click waits for them."""

import asyncio

from .about import about
from .lanes import Lanes
from .limits import STARTING_SECONDS
from .messages import CreateMinesweeper, CreateRisk
from .refusals import Refused


async def get_ready(lanes: Lanes) -> None:
    """Load in every process what it will need; on a machine's first run that includes compiling.

    One process goes first, alone: whatever has to be compiled is then compiled once. Meanwhile the server
    loads what the page asks about before anything else.
    """
    await asyncio.gather(lanes.prepare(load_kernels), asyncio.to_thread(about, ready=False))
    await asyncio.to_thread(load_views)


def load_kernels() -> None:
    """In a worker process: all kernels."""
    from surefoot.arena.warmup import jobs

    for job in jobs().values():
        job()


def load_views() -> None:
    """In the server: what makes and shows a game; run beside the event loop, which goes on answering."""
    asyncio.run(_show_games())


async def _show_games() -> None:
    from .minesweeper.session import MinesweeperSession
    from .risk.session import RiskSession

    lanes = Lanes(1)
    try:
        games = [
            await MinesweeperSession.create(
                "-", lanes, CreateMinesweeper(type="create-minesweeper", preset="expert")
            ),
            await RiskSession.create("-", lanes, CreateRisk(type="create-risk", seats=["human", "human"])),
        ]
        for game in games:
            game.view()
            game.close()
    finally:
        lanes.close()


async def wait_until(ready: asyncio.Event) -> None:
    """Wait until games can be played.

    Raises:
        Refused: the server is still getting ready after `STARTING_SECONDS`.
    """
    try:
        await asyncio.wait_for(ready.wait(), STARTING_SECONDS)
    except TimeoutError:
        raise Refused("starting", "the server is still getting ready; try again in a moment") from None
