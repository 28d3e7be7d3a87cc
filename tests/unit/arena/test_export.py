import csv
from pathlib import Path

import pytest

from surefoot.arena.export import TIMES, columns, export
from surefoot.arena.runner import run
from surefoot.arena.store import Store
from surefoot.errors import FormatError
from surefoot.minesweeper.bulk import end_name, play_games
from tests.arena_studies import PAIRS, WORLDS, study, table

GENERAL = ["run", "game", "agent", "seat", "outcome", "score", "moves", "end"]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_worlds_are_a_row_a_world_and_agent(tmp_path: Path) -> None:
    base = study(WORLDS)
    place = str(tmp_path / "s.db")
    run(base, store=place)
    text = table(place, tmp_path / "s.csv", times=True)
    assert text.splitlines()[0].split(",") == [*GENERAL, "guesses", *TIMES]
    found = rows(text)
    assert len(found) == 180
    assert [(row["game"], row["agent"]) for row in found] == [
        (str(world), agent) for world in range(60) for agent in base.agents
    ]
    for place_, spec in enumerate(base.specs):
        mine = [row for row in found if row["agent"] == str(spec)]
        alone = play_games(spec.make, *base.board, base.seed, 0, 60)
        assert [row["outcome"] == "won" for row in mine] == alone.won.tolist()
        assert [int(row["moves"]) for row in mine] == alone.moves.tolist()
        assert [row["end"] for row in mine] == [end_name(code) for code in alone.end]
        assert [row["guesses"] or "-1" for row in mine] == [str(count) for count in alone.guesses]
        assert {row["seat"] for row in mine} == {"0"} and {row["run"] for row in mine} == {base.run}
        assert place_ >= 0 and all(float(row["seconds"]) > 0 and row["host"] for row in mine)


def test_a_table_is_a_row_a_seat(tmp_path: Path) -> None:
    base = study(PAIRS, format="worlds", games=5)
    place = str(tmp_path / "s.db")
    run(base, store=place)
    text = table(place, tmp_path / "s.csv")
    assert text.splitlines()[0].split(",") == [*GENERAL, "deal", "rounds"]
    found = rows(text)
    assert [(int(row["game"]), int(row["seat"])) for row in found] == [
        (game, seat) for game in range(15) for seat in range(3)
    ]
    for game in range(15):
        three = found[3 * game : 3 * game + 3]
        assert {row["agent"] for row in three} == set(base.agents)
        assert {int(row["deal"]) for row in three} == {game // 3}
        assert len({(row["moves"], row["rounds"], row["end"]) for row in three}) == 1
        assert sum(row["outcome"] == "won" for row in three) == (three[0]["end"] == "won")
    # Each agent plays each deal once from each seat.
    assert len({(row["deal"], row["seat"], row["agent"]) for row in found}) == 45


def test_deals_are_counted_in_each_contest(tmp_path: Path) -> None:
    place = str(tmp_path / "s.db")
    run(study(PAIRS), store=place)
    found = rows(table(place, tmp_path / "s.csv"))
    assert [int(row["game"]) for row in found] == [game for game in range(60) for _ in range(2)]
    assert [int(row["deal"]) for row in found] == [game % 20 // 2 for game in range(60) for _ in range(2)]


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for base in (study(WORLDS), study(PAIRS)):
        with Store(str(tmp_path / "s.db")) as store:
            run(base, store=store)
            out = tmp_path / "s.parquet"
            count = export(store, out, run=base.run, form="parquet")
            export(store, tmp_path / "s.csv", run=base.run)
        read = parquet.read_table(out)
        assert read.column_names == list(columns(base)) and read.num_rows == count
        text = rows((tmp_path / "s.csv").read_text())
        values = [
            {name: "" if value is None else str(value) for name, value in row.items()}
            for row in read.to_pylist()
        ]
        for row in text:
            row["seconds"], row["cpu_seconds"] = str(float(row["seconds"])), str(float(row["cpu_seconds"]))
        assert values == text


def test_a_run_in_the_middle_is_what_there_is(tmp_path: Path) -> None:
    base = study(WORLDS)
    with Store(str(tmp_path / "s.db")) as store:
        store.begin(base)
        assert export(store, tmp_path / "s.csv") == 0
    assert (tmp_path / "s.csv").read_text() == ",".join([*GENERAL, "guesses", *TIMES]) + "\n"


def test_no_file_is_left_behind_by_a_failure(tmp_path: Path) -> None:
    base = study(WORLDS, games=1)
    with Store(str(tmp_path / "s.db")) as store:
        run(base, store=store)
        with pytest.raises(FormatError, match="'xlsx': it is one of csv, parquet"):
            export(store, tmp_path / "out", form="xlsx")
        with pytest.raises(OSError):
            export(store, tmp_path / "nowhere" / "out.csv")
        (tmp_path / "folder").mkdir()
        with pytest.raises(OSError):
            export(store, tmp_path / "folder")
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix in ("", ".part")) == ["folder"]
