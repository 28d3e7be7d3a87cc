import sqlite3
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from surefoot.arena.cutting import Cutter
from surefoot.arena.pieces import ENDS, OUTCOMES, Done, Order, Piece, play_piece
from surefoot.arena.runner import run
from surefoot.arena.store import NOBODY, NOT_PLAYED, Store, default_place
from surefoot.arena.study import Study
from surefoot.errors import FormatError
from surefoot.minesweeper import bulk as minesweeper_bulk
from surefoot.minesweeper.game import End
from surefoot.risk import bulk as risk_bulk
from tests.arena_studies import PAIRS, WORLDS, study


def part(of: Study, contest: int, first: int, games: int) -> Done:
    return play_piece(Order(of.run, of.model_dump_json(exclude={"store"}), Piece(contest, first, games)))


def test_every_end_has_a_code() -> None:
    games = {end.name.lower() for end in End} - {"not_ended"}
    ours = {end.name.lower() for end in minesweeper_bulk.Forfeit}
    assert set(ENDS) == games | ours | {end.name.lower() for end in risk_bulk.End}
    assert len(set(ENDS)) == len(ENDS) and len(set(OUTCOMES)) == len(OUTCOMES)


def test_tallies_are_the_rows_counted(tmp_path: Path) -> None:
    for base in (study(WORLDS), study(PAIRS), study(PAIRS, format="worlds", games=7)):
        place = str(tmp_path / f"{base.run}.db")
        run(base, store=place)
        with Store(place) as store:
            games: Counter[tuple[int, int, str, str]] = Counter()
            moves: Counter[tuple[int, int, str, str]] = Counter()
            for rows in store.results(base.run):
                for agent, seat, outcome, end, made in zip(
                    *(
                        column.tolist()
                        for column in (rows.agent, rows.seat, rows.outcome, rows.end, rows.moves)
                    )
                ):
                    key = agent, seat, OUTCOMES[outcome], ENDS[end]
                    games[key] += 1
                    moves[key] += made
            counted: Counter[tuple[int, int, str, str]] = Counter()
            for tally in store.tallies(base.run):
                key = tally.agent, tally.seat, tally.outcome, tally.end
                counted[key] += tally.games
                moves[key] -= tally.moves
            assert counted == games
            assert set(moves.values()) == {0}


def test_winners_tell_every_game(tmp_path: Path) -> None:
    base = study(PAIRS)
    with Store(str(tmp_path / "s.db")) as store:
        store.begin(base)
        store.add(base.run, [part(base, 0, 4, 6), part(base, 2, 0, 20)])
        winners = store.winners(base.run)
        assert [len(each) for each in winners] == [20, 20, 20]
        assert (winners[0][:4] == NOT_PLAYED).all() and (winners[0][10:] == NOT_PLAYED).all()
        assert set(winners[0][4:10].tolist()) <= {0, 1, NOBODY}
        assert (winners[1] == NOT_PLAYED).all()
        match = risk_bulk.Match(base.worldmap, base.risk_rules, 2, base.seed, True)
        specs = [base.specs[1], base.specs[2]]
        alone = risk_bulk.play_games(match, [spec.make for spec in specs], 0, 20)
        assert winners[2].tolist() == np.where(alone.winner >= 0, alone.winner + 1, NOBODY).tolist()


def test_joint_counts_the_worlds_that_both_have_played(tmp_path: Path) -> None:
    base = study(WORLDS)
    with Store(str(tmp_path / "s.db")) as store:
        store.begin(base)
        store.add(base.run, [part(base, 1, 0, 60), part(base, 2, 10, 30)])
        one, other = store.winners(base.run)[1:]
        expected = Counter(zip((one[10:40] >= 0).tolist(), (other[10:40] >= 0).tolist()))
        found = store.joint(base.run, 1, 2)
        assert found.sum() == 30
        assert all(found[int(a), int(b)] == count for (a, b), count in expected.items())
        assert (store.joint(base.run, 2, 1) == found.T).all()
        assert store.joint(base.run, 0, 1).sum() == 0
        robin = study(PAIRS)
        store.begin(robin)
        with pytest.raises(ValueError, match="play against each other"):
            store.joint(robin.run, 0, 1)


def test_a_game_is_kept_once_and_with_all_of_its_piece(tmp_path: Path) -> None:
    base = study(WORLDS)
    with Store(str(tmp_path / "s.db")) as store:
        store.begin(base)
        store.begin(base)
        store.add(base.run, [part(base, 0, 10, 10)])
        before = store.tallies(base.run)
        with pytest.raises(FormatError, match="somebody else has just stored games of run"):
            store.add(base.run, [part(base, 1, 0, 5), part(base, 0, 15, 10)])
        assert store.tallies(base.run) == before
        assert [cost.piece for cost in store.pieces(base.run)] == [Piece(0, 10, 10)]
        assert sum(len(rows.game) for rows in store.results(base.run)) == 10
        assert [kept.games for kept in store.runs()] == [10]


def test_what_is_left_is_cut_without_gap_or_overlap() -> None:
    base = study(WORLDS)
    there = [Piece(0, 10, 10), Piece(0, 30, 1), Piece(2, 0, 60)]
    for workers in (1, 7):
        cutter = Cutter(base, there, workers)
        assert cutter.left == 49 + 60
        played = [range(piece.first, piece.end) for piece in there if piece.contest == 0]
        pieces = list(cutter)
        games = sorted(n for each in pieces if each.contest == 0 for n in range(each.first, each.end))
        assert games == sorted(set(range(60)).difference(*played))
        assert sum(each.games for each in pieces if each.contest == 1) == 60
        assert all(each.contest != 2 for each in pieces) and cutter.left == 0


def test_pieces_grow_until_they_take_a_while() -> None:
    cutter = Cutter(study(WORLDS, agents=["exact"], games=100_000), [], 1)
    sizes = []
    for piece in cutter:
        sizes.append(piece.games)
        cutter.took(part(study(WORLDS), 1, 0, 1)._replace(piece=piece, seconds=piece.games / 1000))
    assert sum(sizes) == 100_000
    assert sizes[0] == 2 and max(sizes) == 500
    slow = Cutter(study(WORLDS, agents=["exact"], games=50), [], 1)
    first = next(iter(slow))
    slow.took(part(study(WORLDS), 1, 0, 1)._replace(piece=first, seconds=100.0))
    assert next(iter(slow)).games == 1


def test_runs_are_found_by_what_they_begin_with(tmp_path: Path) -> None:
    with Store(str(tmp_path / "s.db")) as store:
        with pytest.raises(FormatError, match="there is no run"):
            store.find()
        one, other = study(WORLDS), study(PAIRS)
        store.begin(one)
        assert store.find().run == one.run
        store.begin(other)
        assert store.find(other.run[:6]).study == other
        with pytest.raises(FormatError, match=f"which of its runs.*{one.run}, {other.run}"):
            store.find()
        with pytest.raises(FormatError, match="no run 'zz'"):
            store.find("zz")
        with pytest.raises(FormatError, match="more than one run"):
            store.find("")


def test_a_run_outlives_the_files_of_its_agents(tmp_path: Path) -> None:
    from tests.arena_studies import write_agent

    base = study(WORLDS, agents=[write_agent(tmp_path, "pass")], games=2)
    place = str(tmp_path / "s.db")
    with Store(place) as store:
        store.begin(base)
        store.add(base.run, [part(base, 0, 0, 2)])
    (tmp_path / "agent.py").unlink()
    with Store(place) as store:
        assert store.find().study.agents == base.agents
        assert sum(tally.games for tally in store.tallies(base.run)) == 2


def refuse(place: str, *words: str, create: bool = True) -> None:
    with pytest.raises(FormatError) as refused:
        Store(place, create=create)
    assert "\n" not in str(refused.value)
    for word in ("store", *words):
        assert word in str(refused.value)


def test_a_wrong_place_is_named(tmp_path: Path) -> None:
    refuse("nosuch://host/name", "no such kind of database: nosuch")
    refuse("://", "not a URL")
    refuse("mysql+pymysql://host/name", "driver is not installed: pymysql")
    refuse(str(tmp_path / "missing.db"), "missing.db", "no such file", create=False)
    refuse(str(tmp_path), "unable to open")
    (tmp_path / "text.db").write_text("no database at all, but long enough to look at" * 100)
    refuse(str(tmp_path / "text.db"), "not a database")
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE songs (title TEXT)")
    refuse(str(tmp_path / "other.db"), "belongs to another program", "songs")
    with sqlite3.connect(tmp_path / "other.db") as other:
        assert other.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)


def test_another_version_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "s.db"
    Store(str(place)).close()
    with sqlite3.connect(place) as file:
        file.execute("UPDATE arena_store SET version = 99")
    refuse(str(place), "its version is 99, this is 1")


def test_a_password_is_not_shown(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as refused:
        Store("postgresql://me:secret@127.0.0.1:9/none")
    assert "secret" not in str(refused.value)


def test_there_is_a_usual_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Store() as store:
        assert store.place == f"sqlite:///{default_place()}"
    assert default_place().name == "arena.db"
