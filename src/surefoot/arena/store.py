"""Where results are kept: any database that SQLAlchemy speaks to, a file of SQLite unless told otherwise.

::

    arena_store     the version of these tables
    arena_words     what the codes of outcomes and ends mean
    arena_runs      a study and its id
    arena_pieces    which games of a run are there, who played and who won them, and what that cost
    arena_tallies   the results of a piece, counted: a million games are summed up in milliseconds
    arena_results   one row a game and agent, in the order of the export

A piece comes with its tallies and its results in one transaction, so that whatever happens a game is either
there, once, or has still to be played.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
import platformdirs
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy import exc

from surefoot.errors import FormatError

from .pieces import ENDS, NOT_COUNTED, OUTCOMES, Done, Piece, Rows
from .study import Study

VERSION = 1

NOBODY = -1
"""Stands in `Store.winners` for a game that nobody won."""
NOT_PLAYED = -2
"""Stands in `Store.winners` for a game that has not been played yet."""

_WON = OUTCOMES.index("won")
_PACKED = np.dtype("<i2")
"""How winners are kept: the agent's place in the study's list, or `NOBODY`."""
_BATCH = 20_000
"""Rows read from the database at a time."""

_metadata = sa.MetaData()
_store = sa.Table("arena_store", _metadata, sa.Column("version", sa.Integer, primary_key=True))
_words = sa.Table(
    "arena_words",
    _metadata,
    sa.Column("kind", sa.String(16), primary_key=True),
    sa.Column("code", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("word", sa.String(32), nullable=False),
)
_runs = sa.Table(
    "arena_runs",
    _metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("run", sa.String(16), nullable=False, unique=True),
    sa.Column("study", sa.Text, nullable=False),
    sa.Column("begun", sa.String(32), nullable=False),
)


def _of_run() -> sa.Column[int]:
    return sa.Column("run", sa.Integer, sa.ForeignKey("arena_runs.id"), primary_key=True)


def _key(name: str, kind: type[sa.types.TypeEngine[int]] = sa.SmallInteger) -> sa.Column[int]:
    return sa.Column(name, kind, primary_key=True, autoincrement=False)


def _number(name: str, kind: type[sa.types.TypeEngine[int]] = sa.Integer) -> sa.Column[int]:
    return sa.Column(name, kind, nullable=False)


_pieces = sa.Table(
    "arena_pieces",
    _metadata,
    _of_run(),
    _key("contest", sa.Integer),
    _key("first", sa.BigInteger),
    _number("games"),
    sa.Column("seconds", sa.Double, nullable=False),
    sa.Column("cpu_seconds", sa.Double, nullable=False),
    sa.Column("startup_cpu_seconds", sa.Double, nullable=False),
    sa.Column("host", sa.String(255), nullable=False),
    sa.Column("winners", sa.LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
_tallies = sa.Table(
    "arena_tallies",
    _metadata,
    _of_run(),
    _key("contest", sa.Integer),
    _key("first", sa.BigInteger),
    _key("agent"),
    _key("seat"),
    _key("outcome"),
    _key("end"),
    _number("games"),
    _number("score", sa.BigInteger),
    _number("moves", sa.BigInteger),
    _number("guesses", sa.BigInteger),
    _number("guessed"),
    sqlite_with_rowid=False,
)
_results = sa.Table(
    "arena_results",
    _metadata,
    _of_run(),
    _key("game", sa.BigInteger),
    _key("seat"),
    _key("agent"),
    _number("outcome", sa.SmallInteger),
    _number("score"),
    _number("moves"),
    _number("end", sa.SmallInteger),
    sa.Column("guesses", sa.Integer),
    sa.Column("rounds", sa.Integer),
    sqlite_with_rowid=False,
)


class Tally(NamedTuple):
    """How often something happened.

    Args:
        contest: the place of the contest in the study's.
        agent: the agent's place in the study's list.
        seat: where it sat.
        outcome: a word of `pieces.OUTCOMES`.
        end: a word of `pieces.ENDS`.
        games: in how many games.
        score, moves: the sums over them.
        guesses: the sum over ``guessed`` of the games, in which the agent counts its guesses.
    """

    contest: int
    agent: int
    seat: int
    outcome: str
    end: str
    games: int
    score: int
    moves: int
    guesses: int
    guessed: int


class Kept(NamedTuple):
    """A run in a store: its id, its study, when it was begun, and how many games are there."""

    run: str
    study: Study
    begun: str
    games: int


class Cost(NamedTuple):
    """A piece and what it cost; see `pieces.Done`."""

    piece: Piece
    seconds: float
    cpu_seconds: float
    startup_cpu_seconds: float
    host: str


class Store:
    """A place for runs; use it as a context, or close it.

    Args:
        place: a path, or a URL of SQLAlchemy such as ``postgresql+psycopg://host/name``; the file
            ``arena.db`` in the user's data folder if left out.
        create: whether a store is made where there is none.

    Raises:
        FormatError: it is no such URL, its driver is not installed, the server or the file cannot be opened,
            there is no store, or it is another program's or another version's.
    """

    def __init__(self, place: str | None = None, *, create: bool = True) -> None:
        url = _url(place)
        self.place = place if place is not None and "://" not in place else url.render_as_string()
        self._engine = _engine(url, self.place, create)
        try:
            with self._errors(), self._engine.begin() as connection:
                self._prepare(connection, create)
        except BaseException:
            self._engine.dispose()
            raise
        self._ids: dict[str, int] = {}

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def _prepare(self, connection: sa.Connection, create: bool) -> None:
        there = set(sa.inspect(connection).get_table_names())
        if _store.name in there:
            found = connection.execute(sa.select(_store.c.version)).scalar()
            if found != VERSION:
                raise FormatError(f"store {self.place}: its version is {found}, this is {VERSION}")
            return
        # A server's database may serve others too; a file that holds something else was named by mistake.
        others = there if connection.dialect.name == "sqlite" else there & set(_metadata.tables)
        if others:
            raise FormatError(f"store {self.place}: it belongs to another program (table {min(others)!r})")
        if not create:
            raise FormatError(f"store {self.place}: there is no run in it")
        _metadata.create_all(connection)
        connection.execute(_store.insert().values(version=VERSION))
        words = {"outcome": OUTCOMES, "end": ENDS}
        connection.execute(
            _words.insert(),
            [
                {"kind": kind, "code": code, "word": word}
                for kind, known in words.items()
                for code, word in enumerate(known)
            ],
        )

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """One line in place of pages of SQLAlchemy's, or of its driver's."""
        try:
            yield
        except (exc.DBAPIError, self._engine.dialect.loaded_dbapi.Error) as error:
            words = " ".join(str(getattr(error, "orig", error)).split())[:300]
            raise FormatError(f"store {self.place}: {words}") from error

    # What is written

    def begin(self, study: Study) -> None:
        """Make room for a run, unless it is there already."""
        with self._errors(), self._engine.begin() as connection:
            known = connection.execute(sa.select(_runs.c.id).where(_runs.c.run == study.run)).first()
            if known is None:
                text = study.model_dump_json(exclude={"store"})
                begun = datetime.now(UTC).isoformat(timespec="seconds")
                connection.execute(_runs.insert().values(run=study.run, study=text, begun=begun))

    def add(self, run: str, parts: Sequence[Done]) -> None:
        """Keep pieces that were played, all of them or, after an error, none.

        Raises:
            FormatError: a game of theirs is there already, so somebody else plays this run at the same time.
        """
        key = self._id(run)
        pieces = [_piece_row(key, done) for done in parts]
        tallies = [row for done in parts for row in _tally_rows(key, done)]
        try:
            with self._errors(), self._engine.begin() as connection:
                connection.execute(_pieces.insert(), pieces)
                connection.execute(_tallies.insert(), tallies)
                for done in parts:
                    _insert_results(connection, key, done.rows)
        except FormatError as error:
            if isinstance(error.__cause__, exc.IntegrityError):
                raise FormatError(
                    f"store {self.place}: somebody else has just stored games of run {run}; one at a time"
                ) from error
            raise

    # What is read

    def runs(self) -> list[Kept]:
        """All runs, the oldest first."""
        played = sa.select(sa.func.coalesce(sa.func.sum(_pieces.c.games), 0)).where(
            _pieces.c.run == _runs.c.id
        )
        columns = _runs.c.run, _runs.c.study, _runs.c.begun, played.scalar_subquery()
        found = self._all(sa.select(*columns).order_by(_runs.c.id))
        return [Kept(run, _study(text), begun, int(games)) for run, text, begun, games in found]

    def find(self, run: str | None = None) -> Kept:
        """The run of this id, or of an id that begins so; without one, the only run there is.

        Raises:
            FormatError: there is none, or more than one.
        """
        runs = self.runs()
        found = [each for each in runs if run is None or each.run.startswith(run)]
        if len(found) == 1:
            return found[0]
        has = ", ".join(each.run for each in found or runs) or "none"
        if run is None and found:
            raise FormatError(f"store {self.place}: which of its runs? It has: {has}")
        what = "there is no run" if run is None else f"no run {run[:40]!r}"
        raise FormatError(f"store {self.place}: {'more than one run' if found else what} (it has: {has})")

    def study(self, run: str) -> Study:
        """The study of a run; what it names, such as files of agents, need no longer exist."""
        (text,) = self._all(sa.select(_runs.c.study).where(_runs.c.id == self._id(run)))[0]
        return _study(text)

    def pieces(self, run: str) -> list[Cost]:
        """What was played of a run, by contest and first game."""
        columns = [column for column in _pieces.c if column.name not in ("run", "winners")]
        rows = self._all(
            sa.select(*columns)
            .where(_pieces.c.run == self._id(run))
            .order_by(_pieces.c.contest, _pieces.c.first)
        )
        return [Cost(Piece(*row[:3]), *row[3:]) for row in rows]

    def tallies(self, run: str) -> list[Tally]:
        """How often each agent had which outcome and end, by contest and seat."""
        keys = [_tallies.c[name] for name in ("contest", "agent", "seat", "outcome", "end")]
        sums = [sa.func.sum(_tallies.c[name]) for name in ("games", "score", "moves", "guesses", "guessed")]
        rows = self._all(
            sa.select(*keys, *sums).where(_tallies.c.run == self._id(run)).group_by(*keys).order_by(*keys)
        )
        return [
            Tally(contest, agent, seat, OUTCOMES[outcome], ENDS[end], *map(int, counts))
            for contest, agent, seat, outcome, end, *counts in rows
        ]

    def winners(self, run: str) -> list[NDArray[np.int16]]:
        """Who won each game: for each contest an array, shape (games,), by the game's number within it.

        It holds the agent's place in the study's list, `NOBODY` or `NOT_PLAYED`.
        """
        found = [np.full(contest.games, NOT_PLAYED, np.int16) for contest in self.study(run).contests]
        columns = _pieces.c.contest, _pieces.c.first, _pieces.c.winners
        for contest, first, packed in self._all(sa.select(*columns).where(_pieces.c.run == self._id(run))):
            won = np.frombuffer(zlib.decompress(packed), _PACKED)
            found[contest][first : first + len(won)] = won
        return found

    def joint(self, run: str, one: int, other: int) -> NDArray[np.int64]:
        """How two agents fared in the worlds that both have played.

        Returns:
            Numbers of worlds, shape (2, 2): at [1, 0] those that agent ``one`` has won and ``other`` has not.

        Raises:
            ValueError: the agents of this study do not play alone.
        """
        if self.study(run).game != "minesweeper":
            raise ValueError(f"run {run}: its agents play against each other, not the same worlds")
        return joint(self.winners(run), one, other)

    def results(self, run: str, game: int | None = None) -> Iterator[Rows]:
        """All results, or those of one game, in batches: by game, then by seat, then by agent."""
        columns = [_results.c[name] for name in Rows._fields]
        wanted = [_results.c.run == self._id(run)] + ([] if game is None else [_results.c.game == game])
        order = _results.c.game, _results.c.seat, _results.c.agent
        for found in self._batches(sa.select(*columns).where(*wanted).order_by(*order)):
            # The last two may be missing.
            rest = [[NOT_COUNTED if value is None else value for value in column] for column in found[-2:]]
            yield Rows(*(np.array(column, np.int64) for column in [*found[:-2], *rest]))

    def _id(self, run: str) -> int:
        """The number of a run, which stands in the tables in place of its id."""
        if run not in self._ids:
            found = self._all(sa.select(_runs.c.id).where(_runs.c.run == run))
            if not found:
                raise FormatError(f"store {self.place}: no run {run[:40]!r}")
            self._ids[run] = found[0][0]
        return self._ids[run]

    def _all(self, query: sa.Select[Any]) -> Sequence[Sequence[Any]]:
        with self._errors(), self._engine.connect() as connection:
            return connection.execute(query).all()

    def _batches(self, query: sa.Select[Any]) -> Iterator[list[Sequence[Any]]]:
        """The columns of a query for integers, some thousand rows at a time."""
        with self._errors(), self._engine.connect() as connection:
            rows = connection.execution_options(yield_per=_BATCH).execute(query)
            for part in rows.partitions():
                yield list(zip(*part))


def joint(winners: Sequence[NDArray[np.int16]], one: int, other: int) -> NDArray[np.int64]:
    """As `Store.joint`, from what `Store.winners` has found: for many pairs of agents."""
    a, b = winners[one], winners[other]
    both = (a != NOT_PLAYED) & (b != NOT_PLAYED)
    return np.bincount(2 * (a[both] >= 0) + (b[both] >= 0), minlength=4).reshape(2, 2)


def default_place() -> Path:
    """The file that is used when no store is named."""
    return Path(platformdirs.user_data_dir("surefoot")) / "arena.db"


def _study(text: str) -> Study:
    return Study.model_validate_json(text)


def _url(place: str | None) -> sa.URL:
    if place is None or "://" not in place:
        return sa.URL.create("sqlite", database=str(default_place() if place is None else place))
    try:
        return sa.make_url(place)
    except exc.ArgumentError:
        raise FormatError(f"store {place}: not a URL of a database, such as postgresql://host/name") from None


def _engine(url: sa.URL, place: str, create: bool) -> sa.Engine:
    """The way to a database.

    Raises:
        FormatError: there is no such kind of database, its driver is not installed, or there is no file.
    """
    if url.drivername == "postgresql":  # SQLAlchemy's own choice of a driver is an older one
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
        file = Path(str(url.database))
        if create:
            file.parent.mkdir(parents=True, exist_ok=True)
        elif not file.exists():
            raise FormatError(f"store {place}: no such file")
    try:
        engine = sa.create_engine(url)
    except exc.NoSuchModuleError:
        raise FormatError(f"store {place}: no such kind of database: {url.drivername}") from None
    except ModuleNotFoundError as error:
        raise FormatError(f"store {place}: its driver is not installed: {error.name}") from None
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _settle_sqlite)
    return engine


def _settle_sqlite(connection: Any, _: object) -> None:
    """Readers and a writer at once, and a commit that survives the death of this process."""
    cursor = connection.cursor()
    for setting in ("busy_timeout=30000", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _piece_row(run: int, done: Done) -> dict[str, Any]:
    return {
        "run": run,
        **done.piece._asdict(),
        "seconds": done.seconds,
        "cpu_seconds": done.cpu_seconds,
        "startup_cpu_seconds": done.startup_cpu_seconds,
        "host": done.host,
        "winners": _packed_winners(done),
    }


def _packed_winners(done: Done) -> bytes:
    """Who won each game of a piece, two bytes a game, packed: a million are read in milliseconds."""
    rows = done.rows
    won = rows.outcome == _WON
    winners = np.full(done.piece.games, NOBODY, _PACKED)
    winners[rows.game[won] - rows.game[0]] = rows.agent[won]
    return zlib.compress(winners.tobytes(), 1)


def tally(done: Done) -> list[Tally]:
    """The results of a piece, counted."""
    rows = done.rows
    columns = rows.agent, rows.seat, rows.outcome, rows.end
    sizes = [int(column.max()) + 1 for column in columns]
    found, place = np.unique(np.ravel_multi_index(columns, sizes), return_inverse=True)
    keys = [column.tolist() for column in np.unravel_index(found, sizes)]
    counted = rows.guesses != NOT_COUNTED
    sums = [
        np.bincount(place, weights).astype(np.int64).tolist()
        for weights in (None, rows.score, rows.moves, rows.guesses * counted, counted)
    ]
    return [
        Tally(done.piece.contest, agent, seat, OUTCOMES[outcome], ENDS[end], *counts)
        for agent, seat, outcome, end, *counts in zip(*keys, *sums)
    ]


def _tally_rows(run: int, done: Done) -> Iterable[dict[str, Any]]:
    for each in tally(done):
        codes = {"outcome": OUTCOMES.index(each.outcome), "end": ENDS.index(each.end)}
        yield each._asdict() | codes | {"run": run, "first": done.piece.first}


def _insert_results(connection: sa.Connection, run: int, rows: Rows) -> None:
    """Insert the results of a piece.

    SQLAlchemy looks at every parameter of every row, at twice the cost of the insertion itself. Integers
    need no such look: the driver is given its own statement and the columns as they are.
    """
    columns = {name: column.tolist() for name, column in rows._asdict().items()}
    for name in ("guesses", "rounds"):
        columns[name] = [None if value == NOT_COUNTED else value for value in columns[name]]
    columns["run"] = [run] * len(columns["game"])
    statement = _results.insert().compile(dialect=connection.dialect, column_keys=list(columns))
    names = getattr(statement, "positiontup", None)
    if names:
        connection.exec_driver_sql(str(statement), list(zip(*(columns[name] for name in names))))
    else:
        given = [dict(zip(columns, values)) for values in zip(*columns.values())]
        connection.exec_driver_sql(str(statement), given)
