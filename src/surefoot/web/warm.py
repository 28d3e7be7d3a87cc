"""Getting ready: kernels are compiled and loaded before the first game, so that no click waits for them."""

import asyncio

from .about import about
from .lanes import Lanes
from .limits import STARTING_SECONDS
from .messages import CreateMinesweeper, CreateRisk
from .refusals import Refused


async def get_ready(lanes: Lanes) -> None:
    """Load in every process what it will need; on a machine's first run that includes compiling.

    The trees of `alphabeta` take long to compile and nobody needs them at once: they come later. Meanwhile
    the server loads what the page asks about before anything else.
    """
    loading = lanes.prepare(load_minesweeper, load_risk)
    await asyncio.gather(loading, asyncio.to_thread(about, ready=False))
    await asyncio.to_thread(load_views)
    lanes.prepare_later(load_trees)


def load_minesweeper() -> None:
    """In a worker process: Minesweeper's kernels."""
    _load("minesweeper")


def load_risk() -> None:
    """In a worker process: Risk's kernels, but for the trees."""
    _load("risk")


def load_trees() -> None:
    """In a worker process: the kernels of Risk's trees."""
    _load("trees")


def _load(group: str) -> None:
    from surefoot.arena.warmup import groups

    for job in groups()[group].values():
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
