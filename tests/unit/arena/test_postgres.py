"""The store on a real PostgreSQL server: that of ``SUREFOOT_TEST_POSTGRES``, or one that is started here."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from surefoot.arena.pieces import Order, Piece, play_piece
from surefoot.arena.runner import Progress, resume, run
from surefoot.arena.store import Store
from surefoot.errors import FormatError
from tests.arena_studies import PAIRS, TEST, WORLDS, played, study, table

WANTED = (
    "THE STORE IS NOT TESTED ON POSTGRESQL: no server in PATH or in /usr/lib/postgresql "
    "(apt-get install postgresql), no SUREFOOT_TEST_POSTGRES, or no driver (pip install 'psycopg[binary]')"
)


def program(name: str) -> str | None:
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, places)]))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The URL of a server, up to the name of a database."""
    pytest.importorskip("psycopg", reason=WANTED)
    given = os.environ.get("SUREFOOT_TEST_POSTGRES")
    if given is not None:
        yield given
        return
    initdb, postgres = program("initdb"), program("postgres")
    if initdb is None or postgres is None:
        pytest.skip(WANTED)
    # PostgreSQL does not run as root; whom Debian's package has made for it may read no test's folder.
    user = "postgres" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="surefoot-postgres-"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    try:
        if user is not None:
            shutil.chown(folder, user, user)
        data = folder / "data"
        log = folder / "log"
        subprocess.run(
            [initdb, "-D", data, "-A", "trust", "-U", "surefoot", "--no-sync", "--no-locale", "-E", "UTF8"],
            user=user,
            group=user,
            cwd=folder,
            check=True,
            capture_output=True,
            timeout=300,
        )
        settings = [f"port={port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}"]
        with log.open("wb") as file:
            process = subprocess.Popen(
                [postgres, "-D", data, *(part for each in settings for part in ("-c", each))],
                user=user,
                group=user,
                cwd=folder,
                stdout=file,
                stderr=file,
            )
        try:
            wait_for(port, process, log)
            yield f"postgresql://surefoot@127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.wait(60)
    finally:
        shutil.rmtree(folder)


def wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(600):
        assert process.poll() is None, log.read_text()
        if "ready to accept connections" in log.read_text():
            return
        time.sleep(0.1)
    raise AssertionError(f"PostgreSQL does not start: {log.read_text()}")


@pytest.fixture
def place(server: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of an empty database."""
    name = f"surefoot_{abs(hash(request.node.name)) % 10**8}_{os.getpid()}"
    command(server, f"CREATE DATABASE {name}")
    try:
        yield server + name
    finally:
        command(server, f"DROP DATABASE {name} WITH (FORCE)")


def command(server: str, text: str) -> None:
    """Have something done that is no transaction."""
    url = sa.make_url(f"{server}postgres").set(drivername="postgresql+psycopg")
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(sa.text(text))
    finally:
        engine.dispose()


def test_it_keeps_what_a_file_keeps(place: str, tmp_path: Path) -> None:
    for base in (study(WORLDS), study(PAIRS), study(TEST)):
        file = str(tmp_path / f"{base.run}.db")
        one = run(base, store=file)
        other = run(base, store=place)
        assert other.standings == one.standings and other.course == one.course
        assert table(place, tmp_path / "p.csv", base.run) == table(file, tmp_path / "f.csv")
        with Store(file) as here, Store(place, create=False) as there:
            assert here.tallies(base.run) == there.tallies(base.run)
            for mine, theirs in zip(here.winners(base.run), there.winners(base.run)):
                assert mine.tolist() == theirs.tolist()
    with Store(place, create=False) as store:
        assert [kept.run for kept in store.runs()] == [study(each).run for each in (WORLDS, PAIRS, TEST)]
        assert (store.joint(study(WORLDS).run, 0, 1).sum(), store.joint(study(WORLDS).run, 1, 2).sum()) == (
            60,
            60,
        )


def test_a_run_goes_on_there(place: str, tmp_path: Path) -> None:
    base = study(WORLDS)

    class Enough(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.new > 50:
            raise Enough

    with pytest.raises(Enough):
        run(base, store=place, on_progress=stop)
    found = resume(store=place)
    assert 0 < found.new < 180 and found.complete
    assert table(place, tmp_path / "p.csv") == played(base, tmp_path, "file")


def test_a_game_is_kept_once(place: str) -> None:
    base = study(WORLDS)
    part = play_piece(Order(base.run, base.model_dump_json(exclude={"store"}), Piece(0, 0, 5)))
    with Store(place) as store, Store(place) as other:
        store.begin(base)
        other.begin(base)
        store.add(base.run, [part])
        with pytest.raises(FormatError, match="somebody else has just stored"):
            other.add(base.run, [part])
        assert [kept.games for kept in other.runs()] == [5]


def test_other_tables_are_left_alone(place: str) -> None:
    engine = sa.create_engine(sa.make_url(place).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE songs (title text)"))
    Store(place).close()
    assert {"songs", "arena_runs"} <= set(sa.inspect(engine).get_table_names())
    engine.dispose()


def test_what_does_not_answer_is_one_line(server: str) -> None:
    for place, words in (
        (f"{server}nowhere", "nowhere"),
        ("postgresql://127.0.0.1:9/x", "127.0.0.1"),
    ):
        with pytest.raises(FormatError, match=words) as refused:
            Store(place)
        assert str(refused.value).startswith("store ") and "\n" not in str(refused.value)
