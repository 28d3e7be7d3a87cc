import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from surefoot import _jit
from surefoot.arena.charts import figures
from surefoot.arena.plots import save
from surefoot.arena.report import Report, report
from surefoot.arena.runner import Run, run
from surefoot.arena.statistics import mcnemar, wilson
from surefoot.arena.store import Store
from surefoot.arena.study import Study
from surefoot.cli import app
from surefoot.cli.arena_report import text
from surefoot.errors import FormatError
from tests.arena_studies import PAIRS, TEST, WORLDS, study, table, write_agent
from tests.filled_store import fill


def told(of: Study, place: str) -> tuple[Report, Run]:
    """A study, played and reported."""
    found = run(of, store=place)
    with Store(place) as store:
        return report(store, of.run), found


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with a study of Minesweeper."""
    place = str(tmp_path_factory.mktemp("worlds") / "s.db")
    run(study(WORLDS), store=place)
    return place


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with a study of Risk."""
    place = str(tmp_path_factory.mktemp("pairs") / "s.db")
    run(study(PAIRS), store=place)
    return place


def rows(place: str, out: Path) -> Iterator[dict[str, str]]:
    """The export of the only run, row by row."""
    return csv.DictReader(table(place, out).splitlines())


def test_worlds_are_compared_agent_by_agent(worlds: str, tmp_path: Path) -> None:
    with Store(worlds) as store:
        found = report(store, study(WORLDS).run)
    won: dict[str, set[int]] = {agent: set() for agent in WORLDS["agents"]}
    ends: Counter[tuple[str, str]] = Counter()
    for row in rows(worlds, tmp_path / "s.csv"):
        ends[row["agent"], row["end"]] += 1
        if row["outcome"] == "won":
            won[row["agent"]].add(int(row["game"]))
    assert len(found.pairs) == 3 and found.complete and found.ratings is None and not found.seats
    for pair in found.pairs:
        one, other = (won[WORLDS["agents"][place]] for place in pair[:2])
        assert (pair.games, pair.one_alone, pair.other_alone) == (60, len(one - other), len(other - one))
        assert (pair.difference, pair.interval, pair.p_value) == mcnemar(
            len(one - other), len(other - one), 60
        )
    for agent, standing, mine in zip(WORLDS["agents"], found.standings, found.ends):
        assert standing.won == len(won[agent])
        assert mine == {end: count for (whose, end), count in ends.items() if whose == agent}
    assert [standing.won for standing in map(found.standings.__getitem__, found.order)] == sorted(
        map(len, won.values()), reverse=True
    )


def test_games_against_each_other_are_compared_seat_by_seat(pairs: str, tmp_path: Path) -> None:
    with Store(pairs) as store:
        found = report(store, study(PAIRS).run)
    games: dict[int, list[dict[str, str]]] = {}
    for row in rows(pairs, tmp_path / "s.csv"):
        games.setdefault(int(row["game"]), []).append(row)
    for pair in found.pairs:
        names = {PAIRS["agents"][place] for place in pair[:2]}
        theirs = [game for game in games.values() if {row["agent"] for row in game} == names]
        winners = Counter(row["agent"] for game in theirs for row in game if row["outcome"] == "won")
        one, other = (PAIRS["agents"][place] for place in pair[:2])
        assert (pair.games, pair.one_alone, pair.other_alone) == (20, winners[one], winners[other])
        decided = winners.total()
        assert pair.difference == (winners[one] - winners[other]) / decided
        assert pair.interval.low <= pair.difference <= pair.interval.high
        assert pair.interval.high - pair.interval.low > 0.1  # even if one has won everything
    for number, seat in enumerate(found.seats):
        here = [row for game in games.values() for row in game if int(row["seat"]) == number]
        assert (seat.games, seat.won) == (60, sum(row["outcome"] == "won" for row in here))
        assert seat.ci95 == wilson(seat.won, 60)
        for agent, counts in zip(PAIRS["agents"], seat.agents):
            mine = [row for row in here if row["agent"] == agent]
            assert counts == (len(mine), sum(row["outcome"] == "won" for row in mine))
    assert found.ratings is not None
    elos = [rating.elo for rating in found.ratings]
    assert sum(elos) == pytest.approx(0, abs=1e-6)
    assert elos.index(min(elos)) == PAIRS["agents"].index("random")
    # The chance that the intervals come from is the study's.
    with Store(pairs) as store:
        assert report(store, study(PAIRS).run).as_dict() == found.as_dict()


def test_a_table_of_three_is_compared_too(tmp_path: Path) -> None:
    found, _ = told(study(PAIRS, format="worlds", games=6), str(tmp_path / "s.db"))
    assert [pair[:3] for pair in found.pairs] == [(0, 1, 18), (0, 2, 18), (1, 2, 18)]
    assert len(found.seats) == 3 and sum(seat.won for seat in found.seats) <= 18
    won = [standing.won for standing in found.standings]
    for pair in found.pairs:
        assert (pair.one_alone, pair.other_alone) == (won[pair.one], won[pair.other])


def test_a_test_is_told_with_its_course(tmp_path: Path) -> None:
    found, played = told(study(TEST), str(tmp_path / "s.db"))
    assert found.complete and found.course == played.course
    assert found.course is not None
    assert found.curve[0] == (0, 0.0)
    assert found.curve[-1] == (found.course.pairs, found.course.decision.llr)
    assert [pairs for pairs, _ in found.curve] == sorted(pairs for pairs, _ in found.curve)
    base, candidate = TEST["agents"]
    assert f"H1 accepted: {candidate} is better than {base}" in text(found)
    (pair,) = found.pairs
    assert pair.games == found.course.pairs


def test_games_that_went_wrong_are_told_apart(tmp_path: Path) -> None:
    wrong = write_agent(tmp_path, "if self.seed % 3 == 0:\n    raise ValueError('oh')")
    found, _ = told(study(WORLDS, agents=["random", wrong], games=30), str(tmp_path / "s.db"))
    crashed = found.standings[1].outcomes["crashed"]
    assert 0 < crashed < 30 and found.ends[1]["error"] == crashed
    told_lines = text(found).split("\n")
    heads = next(line for line in told_lines if line.startswith("outcomes"))
    assert heads.split("  ")[0] == "outcomes"
    assert all(word in heads for word in ("won", "lost", "capped", "forfeited", "crashed", "timed out"))
    assert any(f"error {crashed}" in line for line in told_lines)


def test_a_run_may_be_anywhere(tmp_path: Path) -> None:
    base = study(WORLDS)
    with Store(str(tmp_path / "s.db")) as store:
        store.begin(base)
        found = report(store, base.run)
        assert not found.complete and not found.pairs and not found.hosts
        assert [standing.rate for standing in found.standings] == [None] * 3
        assert "'surefoot arena resume" in text(found)
        json.dumps(found.as_dict(), allow_nan=False)
        assert not figures(found)
        other = study(PAIRS)
        store.begin(other)
        assert "no ratings" in text(report(store, other.run))


def test_many_agents_are_compared_as_far_as_one_can_look(tmp_path: Path) -> None:
    agents = [f"continent:{number}" for number in range(20)]
    many = Study.model_validate(PAIRS | {"agents": agents, "format": "gauntlet", "games": 40})
    many.__dict__["run"] = "0" * 16  # there are no such agents, and nobody plays
    with Store(str(tmp_path / "s.db")) as store:
        fill(store, many)
        found = report(store, many.run)
    assert len(found.pairs) == 15 and all(pair.one == 0 for pair in found.pairs)
    assert sum(standing.outcomes["capped"] for standing in found.standings) > 0
    assert "pairs of the best agents only" in text(found)
    assert found.ratings is not None and len(found.ratings) == 20
    assert set(figures(found)) == {"wins", "outcomes", "pairs", "ratings", "seats", "cross"}


def test_figures_are_the_same_bytes_again(pairs: str, tmp_path: Path) -> None:
    with Store(pairs) as store:
        found = report(store, study(PAIRS).run)
    files = save(figures(found), tmp_path / "a")
    again = save(figures(found), tmp_path / "b")
    assert {file.name for file in files} == {
        f"{name}.{kind}"
        for name in ("wins", "outcomes", "pairs", "ratings", "seats", "cross")
        for kind in ("png", "svg")
    }
    for one, other in zip(files, again):
        assert one.read_bytes() == other.read_bytes()
        start = one.read_bytes()[:60]
        assert start.startswith(b"\x89PNG" if one.suffix == ".png" else b"<?xml")


def test_commands(worlds: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jit, "is_warm", lambda: True)

    def call(*args: str) -> str:
        said = CliRunner().invoke(app, ["arena", *args, "--store", worlds])
        assert said.exit_code == 0, said.output
        return said.stdout

    run_id = study(WORLDS).run
    assert [line.split()[0] for line in call("runs").splitlines()] == ["run", run_id]
    listed = json.loads(call("runs", "--json"))
    assert [each["run"] for each in listed["runs"]] == [run_id]
    shown = call("report")
    assert shown.startswith(f"run {run_id}: minesweeper")
    assert all(words in shown for words in ("first alone", "row-column-neither alone", "games a CPU-s"))
    answer = json.loads(call("report", run_id[:6], "--json", "--out", str(tmp_path / "figures")))
    assert answer["played"] == 180 and len(answer["figures"]) == 8
    assert all(Path(file).exists() for file in answer["figures"])
    refused = CliRunner().invoke(app, ["arena", "report", "zz", "--store", worlds])
    assert (refused.exit_code, refused.stdout) == (2, "") and "no run 'zz'" in refused.stderr


def test_figures_are_an_extra(pairs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(pairs) as store:
        found = report(store, study(PAIRS).run)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(FormatError, match="matplotlib"):
        figures(found)
