"""A run as a table: one row a game and agent, in an order that hangs on nothing but the games.

The times come last, for they alone differ from one time to the next: without them the file is the same byte
for byte, however many workers played and wherever. A piece of games is timed as a whole; each of its rows has
the mean.
"""

import csv
import importlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError

from .pieces import ENDS, NOT_COUNTED, OUTCOMES
from .store import Cost, Store
from .study import Study

FORMATS = ("csv", "parquet")

TIMES = ("seconds", "cpu_seconds", "host")

Table = dict[str, list[Any]]
"""Columns by name, all of one length."""


def export(store: Store, out: Path, *, run: str | None = None, form: str = "csv", times: bool = True) -> int:
    """Write all games of a run, and tell how many rows that are.

    The columns are ``run, game, agent, seat, outcome, score, moves, end``; then in Minesweeper ``guesses``
    (empty if the agent does not count them), in Risk ``deal, rounds``; then, if wanted, `TIMES`. The rows are
    ordered by game, seat, and the agent's place in the study. The file appears when it is complete.

    Args:
        run: an id, or the beginning of one; the only run of the store if left out.
        form: ``csv`` or ``parquet``.

    Raises:
        FormatError: there is no such run or form, or pyarrow is not installed, which Parquet needs.
        OSError: the file cannot be written.
    """
    if form not in FORMATS:
        raise FormatError(f"format {form!r}: it is one of {', '.join(FORMATS)}")
    kept = store.find(run)
    write = _write_csv if form == "csv" else _write_parquet
    part = out.with_name(f"{out.name}.part")
    try:
        rows = write(part, tables(store, kept.run, kept.study, times=times), columns(kept.study, times))
        part.replace(out)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    return rows


def columns(study: Study, times: bool = True) -> dict[str, type]:
    """The columns of a study's table and their types, in order."""
    general = {"run": str, "game": int, "agent": str, "seat": int}
    general |= {"outcome": str, "score": int, "moves": int, "end": str}
    own = {"guesses": int} if study.game == "minesweeper" else {"deal": int, "rounds": int}
    return general | own | (dict(zip(TIMES, (float, float, str))) if times else {})


def tables(store: Store, run: str, study: Study, *, times: bool = True) -> Iterator[Table]:
    """The rows of a run, in order, some thousands at a time."""
    contests = study.contests
    alone = study.game == "minesweeper"
    firsts = np.array([contest.first for contest in contests])
    clock = _Clock(store.pieces(run), len(contests)) if times else None
    for rows in store.results(run):
        contest = rows.agent if alone else np.searchsorted(firsts, rows.game, "right") - 1
        number = rows.game - firsts[contest]
        table = {
            "run": [run] * len(number),
            "game": rows.game.tolist(),
            "agent": [study.agents[agent] for agent in rows.agent],
            "seat": rows.seat.tolist(),
            "outcome": [OUTCOMES[code] for code in rows.outcome],
            "score": rows.score.tolist(),
            "moves": rows.moves.tolist(),
            "end": [ENDS[code] for code in rows.end],
        }
        if alone:
            table["guesses"] = [None if count == NOT_COUNTED else count for count in rows.guesses.tolist()]
        else:
            players = np.array([len(each.agents) for each in contests])[contest]
            table["deal"] = (number // players).tolist()
            table["rounds"] = rows.rounds.tolist()
        yield table if clock is None else table | clock.of(contest, number)


class _Shares(NamedTuple):
    """For each piece of a contest, in order: its first game, and what each of its games cost."""

    first: NDArray[np.int64]
    seconds: NDArray[np.float64]
    cpu_seconds: NDArray[np.float64]
    host: NDArray[np.object_]


def _shares(costs: Sequence[Cost]) -> _Shares:
    games = np.array([cost.piece.games for cost in costs])
    return _Shares(
        np.array([cost.piece.first for cost in costs]),
        np.round(np.array([cost.seconds for cost in costs]) / games, 9),
        np.round(np.array([cost.cpu_seconds for cost in costs]) / games, 9),
        np.array([cost.host for cost in costs], object),
    )


class _Clock:
    """What each game cost: its share of its piece."""

    def __init__(self, costs: Sequence[Cost], contests: int) -> None:
        of_contest: list[list[Cost]] = [[] for _ in range(contests)]
        for cost in costs:
            of_contest[cost.piece.contest].append(cost)
        self._shares = [_shares(mine) for mine in of_contest]

    def of(self, contest: NDArray[np.int64], number: NDArray[np.int64]) -> Table:
        """The columns `TIMES` of games, given by their contests and their numbers therein."""
        seconds, cpu_seconds = np.empty(len(number)), np.empty(len(number))
        host = np.empty(len(number), object)
        for place in np.unique(contest):
            here = np.flatnonzero(contest == place)
            mine = self._shares[place]
            pieces = np.searchsorted(mine.first, number[here], "right") - 1
            seconds[here] = mine.seconds[pieces]
            cpu_seconds[here] = mine.cpu_seconds[pieces]
            host[here] = mine.host[pieces]
        return {"seconds": seconds.tolist(), "cpu_seconds": cpu_seconds.tolist(), "host": host.tolist()}


def _write_csv(path: Path, parts: Iterator[Table], kinds: dict[str, type]) -> int:
    rows = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(kinds)
        for table in parts:
            writer.writerows(zip(*(table[name] for name in kinds)))
            rows += len(table["game"])
    return rows


def _write_parquet(path: Path, parts: Iterator[Table], kinds: dict[str, type]) -> int:
    try:
        pyarrow: Any = importlib.import_module("pyarrow")  # which has no types
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise FormatError("Parquet needs pyarrow: pip install 'surefoot[parquet]'") from None
    rows = 0
    schema = pyarrow.schema([(name, _arrow(pyarrow, kind)) for name, kind in kinds.items()])
    with parquet.ParquetWriter(path, schema) as writer:
        for table in parts:
            writer.write_table(pyarrow.table(table, schema=schema))
            rows += len(table["game"])
    return rows


def _arrow(pyarrow: Any, kind: type) -> Any:
    return {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}[kind]
