"""What the arena asks of stores, in a worker process; and the process that plays a run. Both load the games.

What somebody else's code or files decide is for the command line: a run with such agents or maps can be
looked at here, but neither goes on nor is played again.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from surefoot.errors import FormatError, RulesError

from .. import about
from ..lanes import begin_worker
from ..limits import MAX_CELLS, MAX_MESSAGE, MAX_STUDY_GAMES
from ..refusals import FAULT
from ..risk.maps import map_of

if TYPE_CHECKING:
    from surefoot.arena.report import Report
    from surefoot.arena.runner import Progress
    from surefoot.arena.store import Kept, Store
    from surefoot.arena.study import Study

PLOTS = ("wins", "outcomes", "pairs", "ratings", "seats", "cross", "test")
"""Names of figures; not every run has all of them."""

_LAST_GAMES = 12
_NICENESS = 10
"""How far a run stands back behind whoever plays on the page; POSIX only."""

_log = logging.getLogger(__name__)

T = TypeVar("T")


# What is asked of a store


def timed(ask: Callable[..., T], *arguments: Any) -> tuple[T, float]:
    """An answer, and the seconds that it took to make.

    A process that has only just started loads what it needs before that: else the first report of a run
    would seem so dear that it stood for half a minute.
    """
    import surefoot.arena.report  # noqa: F401

    begun = time.monotonic()
    return ask(*arguments), time.monotonic() - begun


def list_runs(place: str | None) -> list[dict[str, Any]]:
    """The runs of a store, the newest first."""
    from surefoot.arena import Store

    if not _is_there(place):
        return []
    with Store(place) as store:
        return [_row(store, kept) for kept in reversed(store.runs())]


def begin(place: str | None, asked: dict[str, Any]) -> str:
    """Make room for a study in a store; the answer is the run's id.

    Raises:
        FormatError, RulesError: there is no such study, or it is not for the page.
    """
    from surefoot.arena import Store, Study

    # Before a study is made of them: that opens the files that they name.
    _check_names(asked["game"], asked["agents"], asked.get("map"))
    study = Study.make(asked)
    if study.game == "minesweeper" and study.board.level.cells > MAX_CELLS:
        cells = study.board.level.cells
        raise FormatError(f"map: the board has {cells:,} cells; at most {MAX_CELLS:,} are taken here")
    games = _games(study)
    if games > MAX_STUDY_GAMES:
        raise FormatError(f"games: {games:,} in all; at most {MAX_STUDY_GAMES:,} are played here")
    with Store(place) as store:
        store.begin(study)
    return study.run


def may_go_on(place: str | None, run: str) -> bool:
    """Whether a run is there; and it may go on.

    Raises:
        FormatError: it has agents or a map that are not for the page.
    """
    with _with_run(place, run) as store:
        if store is None:
            return False
        _check_study(store.study(run))
        return True


def tell(place: str | None, run: str) -> dict[str, Any] | None:
    """All that a run shows, and its last games; None if there is no such run."""
    from surefoot.arena.report import report

    with _with_run(place, run) as store:
        if store is None:
            return None
        told = report(store, run)
        return told.as_dict() | {"plots": _plots(told), "last_games": _last_games(store, told.study, run)}


def plot(place: str | None, run: str, name: str) -> str | None:
    """A figure of a run as SVG; None if there is no such run, figure, or nobody to draw it."""
    from surefoot.arena.charts import figures
    from surefoot.arena.report import report

    with _with_run(place, run) as store:
        if store is None:
            return None
        try:
            drawn = figures(report(store, run)).get(name)
        except FormatError:  # matplotlib is not installed
            return None
        if drawn is None:
            return None
        from matplotlib import rc_context

        text = StringIO()
        with rc_context({"svg.hashsalt": "surefoot"}):
            drawn.savefig(text, format="svg", metadata={"Date": None})
        return text.getvalue()


def game(place: str | None, run: str, number: int, agent: str | None) -> dict[str, Any] | None:
    """A game of a run, played again; None if there is no such run.

    Raises:
        FormatError: there is no such game, or it cannot be played again here.
    """
    from surefoot.arena.retelling import retell

    with _with_run(place, run) as store:
        if store is None:
            return None
        study = store.study(run)
        _check_study(study)
        told = retell(store, run, number, agent)
        answer = told.as_dict() | {"kind": study.game, "changed": told.changed}
        if answer["record"] is None:
            raise FormatError(f"game {number}: no cell was opened, so there is nothing to show")
        if len(answer["record"]) > MAX_MESSAGE:
            raise FormatError(f"game {number} is too long for the page; 'surefoot arena show' shows it")
        return answer


# The process that plays


def play(place: str | None, run: str, counts: Any, told: "Connection[str, None]") -> None:
    """Play what is left of a run; the whole life of a process.

    Args:
        counts: shared memory for two numbers: games that are there, and games a second since the first piece.
        told: takes one line of words if it goes wrong.
    """
    begin_worker()
    from surefoot.arena import resume

    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    begun: list[float] = []

    def on_progress(progress: "Progress") -> None:
        # The first piece is played while kernels are still being loaded.
        now = time.monotonic()
        if not begun:
            begun.extend((now, progress.new))
        elif now > begun[0]:
            counts[1] = (progress.new - begun[1]) / (now - begun[0])
        counts[0] = progress.played

    try:
        resume(run, place, on_progress=on_progress)
    except (FormatError, RulesError) as error:
        told.send(" ".join(str(error).split()))
    except Exception:
        _log.exception("run %s", run)
        told.send(FAULT)


# What they are made of


def _check_names(game: str, agents: Sequence[str], map_name: str | None) -> None:
    """Refuse what needs files or commands.

    Raises:
        FormatError: naming it.
    """
    known = about.agents(game)
    for agent in agents:
        if agent not in known:
            raise FormatError(f"agents: no agent {agent[:60]!r} on the page (there is {', '.join(known)})")
    if game == "risk":
        map_of(map_name or "classic")


def _check_study(study: "Study") -> None:
    """As `_check_names`, for a study of the store."""
    _check_names(study.game, study.agents, study.map)


def _is_there(place: str | None) -> bool:
    """Whether there is a store: looking for one must not make one. A server's database counts as one."""
    from surefoot.arena.store import default_place

    if place is not None and "://" in place:
        return True
    return (default_place() if place is None else Path(place)).exists()


@contextmanager
def _with_run(place: str | None, run: str) -> "Iterator[Store | None]":
    """The store, if it has a run."""
    from surefoot.arena import Store

    if not _is_there(place):
        yield None
        return
    with Store(place) as store:
        yield store if any(kept.run == run for kept in store.runs()) else None


def _games(study: "Study") -> int:
    return sum(contest.games for contest in study.contests)


def _row(store: "Store", kept: "Kept") -> dict[str, Any]:
    from surefoot.arena.stopping import Stopper

    study, games = kept.study, _games(kept.study)
    complete = kept.games == games or (
        study.format == "sprt" and Stopper(study, store.winners(kept.run)).decided
    )
    return {
        "run": kept.run,
        "study": study.model_dump(mode="json", exclude={"store"}),
        "begun": kept.begun,
        "played": kept.games,
        "games": games,
        "complete": complete,
    }


def _plots(told: "Report") -> list[str]:
    """The names of the figures there are; none without matplotlib."""
    try:
        import matplotlib  # noqa: F401 - whether it is there
    except ImportError:
        return []
    there = {
        "wins": told.kept.games,
        "outcomes": told.kept.games,
        "pairs": told.pairs,
        "ratings": told.ratings,
        "seats": told.seats,
        "cross": told.pairs and len(told.study.agents) > 2,
        "test": told.curve,
    }
    return [name for name in PLOTS if there[name]]


def _last_games(store: "Store", study: "Study", run: str) -> list[dict[str, Any]]:
    """What came of the games with the highest numbers, as many of each contest."""
    from surefoot.arena.pieces import ENDS, OUTCOMES

    ends: dict[int, int] = {}
    for cost in store.pieces(run):
        ends[cost.piece.contest] = max(ends.get(cost.piece.contest, 0), cost.piece.end)
    each = max(1, _LAST_GAMES // max(1, len(ends)))
    # In Minesweeper a number stands for a world that several agents have played.
    numbers = {
        study.contests[contest].first + number
        for contest, end in ends.items()
        for number in range(max(0, end - each), end)
    }
    found = []
    for number in sorted(numbers, reverse=True)[:_LAST_GAMES]:
        for rows in store.results(run, number):
            columns = rows.agent, rows.seat, rows.outcome, rows.end, rows.moves
            found += [
                {
                    "game": number,
                    "agent": study.agents[agent],
                    "seat": seat,
                    "outcome": OUTCOMES[outcome],
                    "end": ENDS[end],
                    "moves": moves,
                }
                for agent, seat, outcome, end, moves in zip(*(column.tolist() for column in columns))
            ]
    return found
