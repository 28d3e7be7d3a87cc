import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

from surefoot import _jit
from surefoot.arena.film import MOST, film_of, steps
from surefoot.arena.flipbook import Frame, film
from surefoot.arena.retelling import retell
from surefoot.arena.runner import run
from surefoot.arena.store import Store
from surefoot.cli import app
from surefoot.errors import FormatError
from surefoot.minesweeper import svg as minesweeper_svg
from surefoot.minesweeper.record import Record as MinesweeperRecord
from surefoot.risk import svg as risk_svg
from surefoot.risk.record import Record as RiskRecord
from tests.arena_studies import PAIRS, WORLDS, study, write_agent, write_risk_agent

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with a study of each game."""
    found = str(tmp_path_factory.mktemp("show") / "s.db")
    run(study(WORLDS), store=found)
    run(study(PAIRS), store=found)
    return found


def test_games_are_played_as_they_were(place: str) -> None:
    # Bulk games of the store were played in compiled loops, these are played move by move.
    base = study(WORLDS)
    with Store(place) as store:
        for agent in WORLDS["agents"]:
            for game in range(0, 60, 9):
                told = retell(store, base.run, game, agent)
                assert not told.differences and not told.changed and not told.warnings
                assert isinstance(told.record, MinesweeperRecord)
                assert len(told.record.actions) == told.stored["moves"]
                assert told.record.end.name.lower() == told.stored["end"]
                assert MinesweeperRecord.parse(str(told.record)) == told.record
                (seat,) = told.seats
                assert (seat.agent, seat.outcome == "won") == (agent, told.stored["won"])
        base = study(PAIRS)
        for game in range(0, 60, 7):
            told = retell(store, base.run, game)
            assert not told.differences
            assert isinstance(told.record, RiskRecord)
            again = RiskRecord.parse(str(told.record)).game()
            assert (again.round, again.over) == (told.stored["rounds"], True)
            names = [seat.agent for seat in told.seats]
            assert again.winner is not None and names[again.winner] == told.stored["winner"]
            assert [seat.outcome for seat in told.seats].count("won") == 1
            assert [told.record.headers[f"Seat{seat}"] for seat in (0, 1)] == names
        # A deal is played from both seats.
        one, other = retell(store, base.run, 20), retell(store, base.run, 21)
        assert [seat.agent for seat in one.seats] == [seat.agent for seat in other.seats][::-1]
        assert isinstance(one.record, RiskRecord) and isinstance(other.record, RiskRecord)
        lands = len(base.worldmap.territories)
        assert one.record.history[:lands] == other.record.history[:lands]


def test_what_is_not_there_is_named(place: str, tmp_path: Path) -> None:
    worlds, pairs = study(WORLDS), study(PAIRS)
    with Store(place) as store:
        for args, words in (
            ((worlds.run, 60, "exact"), "no game 60: the run's are 0 to 59"),
            ((worlds.run, 5, None), "name one of: random, exact, sentence"),
            ((worlds.run, 5, "clever"), "no agent 'clever'"),
            ((pairs.run, 60, None), "no game 60: the run's are 0 to 59"),
            ((pairs.run, 5, "killer"), "Minesweeper alone"),
        ):
            with pytest.raises(FormatError, match=re.escape(words)):
                retell(store, *args)
        other = study(WORLDS, seed=4)
        store.begin(other)
        with pytest.raises(FormatError, match="game 5 has not been played yet"):
            retell(store, other.run, 5, "exact")


def test_agents_that_change_their_minds_are_found_out(tmp_path: Path) -> None:
    # Each time it is loaded it takes another corner.
    marker = tmp_path / "marker"
    fickle = write_agent(
        tmp_path,
        f"from pathlib import Path\n"
        f"marker = Path({str(marker)!r})\n"
        "if marker.exists():\n"
        "    raise ValueError('changed my mind')",
    )
    base = study(WORLDS, agents=["random", fickle], games=4)
    with Store(str(tmp_path / "s.db")) as store:
        run(base, store=store)
        assert not retell(store, base.run, 2, fickle).differences
        marker.write_text("")
        told = retell(store, base.run, 2, fickle)
        assert any(line.startswith("end: error, stored ") for line in told.differences)
        assert any("changed my mind" in warning for warning in told.warnings)
        assert told.record is None  # no cell was opened
        assert not told.changed
        Path(fickle.removesuffix(":Agent")).write_text(Path(fickle.removesuffix(":Agent")).read_text() + "\n")
        assert retell(store, base.run, 2, fickle).changed


def test_an_agent_that_ends_its_process_ends_not_ours(tmp_path: Path) -> None:
    deadly = write_agent(tmp_path, "os._exit(3)")
    base = study(WORLDS, agents=["random", deadly], games=1)
    with Store(str(tmp_path / "s.db")) as store:
        run(base, store=store)
        with pytest.raises(FormatError, match="has ended the process"):
            retell(store, base.run, 0, deadly)
        assert retell(store, base.run, 0, "random").seats[0].agent == "random"


def test_a_player_at_fault_is_followed_to_the_end(tmp_path: Path) -> None:
    wrong = write_risk_agent(tmp_path, "if observation.round == 1: raise ValueError('oh')")
    agents = ["continent", wrong, "killer"]
    base = study(PAIRS, agents=agents, format="worlds", games=1, map="classic")
    with Store(str(tmp_path / "s.db")) as store:
        run(base, store=store)
        for game in (0, 1):
            told = retell(store, base.run, game)
            assert not told.differences, told.differences
            assert {seat.agent: seat.outcome for seat in told.seats}[wrong] == "crashed"
            assert isinstance(told.record, RiskRecord)
            assert told.record.game().round == told.stored["rounds"]


def shown(picture: str, seconds: float | None = None) -> list[str]:
    """What a picture draws, element by element, with the looks of those around it; a film at some second."""
    root = ElementTree.fromstring(picture)
    style = "".join(each.text or "" for each in root.iter(f"{SVG}style"))
    duration = re.search(r"animation-duration:([0-9.]+)s", style)
    hidden = set()
    for name, steps_ in re.findall(r"@keyframes [\w-]+-(f\d+)\{((?:[0-9.]+%\{[^}]*\})*)\}", style):
        assert duration is not None and seconds is not None
        state = "hidden"
        for percent, word in re.findall(r"([0-9.]+)%\{visibility:(\w+)\}", steps_):
            if float(percent) <= 100 * seconds / float(duration[1]) + 1e-3:
                state = word
        hidden |= {name} if state == "hidden" else set()

    def walk(element: ElementTree.Element, around: tuple[str, ...], seen: bool) -> Iterator[str]:
        name, looks = element.tag.removeprefix(SVG), dict(element.items())
        css = looks.pop("class", None)
        seen = seen if css is None else css not in hidden
        if name in ("title", "style", "defs") or css == "bar":
            return
        if name in ("g", "svg"):
            inner = (*around, str(sorted(looks.items()))) if looks and name == "g" else around
            for child in element:
                yield from walk(child, inner, seen)
            return
        words = "".join(child.text or "" for child in element.iter() if child.tag != f"{SVG}title")
        paths = [looks.pop("d")] if "d" in looks else [""]
        if paths[0].endswith("z"):
            paths = re.findall("M[^M]*z", paths[0])
        if seen:
            yield from (f"{around} {name} {sorted(looks.items())} {path} {words.strip()}" for path in paths)

    return list(walk(root, (), True))


def test_a_film_shows_each_picture_at_its_time(place: str) -> None:
    with Store(place) as store:
        mines = retell(store, study(WORLDS).run, 7, "exact").record
        war = retell(store, study(PAIRS).run, 7).record
    assert isinstance(mines, MinesweeperRecord) and isinstance(war, RiskRecord)
    boards = [
        minesweeper_svg.svg(game.observation(), marks={action.cell: "best"} if action and action.cell else {})
        for action, game in mines.replay()
    ]
    maps = [risk_svg.svg(step.game) for step in steps(war)][:120]
    for stills, share in ((boards, 1.0), (maps, 0.3)):
        frames = [Frame(still, f"number {number} & more") for number, still in enumerate(stills)]
        moving = film(frames, title="a film", speed=2.0)
        assert len(moving) < share * sum(map(len, stills))
        for number, still in enumerate(stills):
            for within in (0.01, 0.49):
                *drawn, ground, caption = shown(moving, number / 2 + within)
                assert drawn == shown(still)
                assert " rect " in ground and caption.endswith(f"number {number} & more")


def test_films_of_records(place: str) -> None:
    with Store(place) as store:
        mines = retell(store, study(WORLDS).run, 7, "exact").record
        war = retell(store, study(PAIRS).run, 7).record
    assert mines is not None and isinstance(war, RiskRecord)
    for record in (mines, war):
        moving = film_of(record, title="one <two>", speed=8)
        assert "<title>one &lt;two&gt;</title>" in moving
        assert "<script" not in moving and "prefers-reduced-motion" in moving
        assert set(re.findall(r"https?://[^\"]*", moving)) == {"http://www.w3.org/2000/svg"}
        ElementTree.fromstring(moving)
    last = shown(film_of(mines, title="t", speed=1), 1e6)
    assert last[-1].endswith("framed in red: the mines")
    told = list(steps(war))
    assert [step.number for step in told] == list(range(len(war.actions) + 1))
    assert told[-1].game.over and not told[-2].game.over
    assert [step.text for step in told if step.number] == [
        line for line in str(war).split("\n") if line and line[0] not in "[;" and not line.startswith("deal")
    ]
    with pytest.raises(ValueError, match="one size"):
        film([Frame(risk_svg.svg(told[0].game), ""), Frame('<svg viewBox="0 0 1 1"/>', "")], title="t")
    with pytest.raises(ValueError, match="at least one"):
        film([], title="t")


def test_a_long_game_is_thinned(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surefoot.arena.film.MOST", 10)
    with Store(place) as store:
        war = retell(store, study(PAIRS).run, 7).record
    assert isinstance(war, RiskRecord) and MOST > 10
    count = len(war.actions)
    moving = film_of(war, title="t")
    captions = re.findall(r"<text class=[^>]*>([^<]*)", moving)
    assert len(captions) == 10 < count
    assert captions[0].startswith("deal")
    names = [war.headers["Seat0"], war.headers["Seat1"]]
    assert list(steps(war))[-1].told(names).startswith(captions[-1].removesuffix("…"))


def test_show(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jit, "is_warm", lambda: True)

    def call(*args: str) -> Any:
        return CliRunner().invoke(app, ["arena", "show", *args, "--store", place])

    worlds, pairs = study(WORLDS).run, study(PAIRS).run
    said = call(worlds[:6], "7", "--agent", "exact")
    assert said.exit_code == 0 and said.stderr == ""
    assert said.stdout.startswith(f"run {worlds}, game 7: exact (")
    lines = said.stdout.strip().split("\n")
    with Store(place) as store:
        record = retell(store, worlds, 7, "exact").record
    assert isinstance(record, MinesweeperRecord)
    moves = len(record.actions)
    assert lines[1] == f"start of {moves} moves"
    assert lines[2 : 2 + moves] == [
        f"move {number} of {moves}: {action}" for number, action in enumerate(record.actions, 1)
    ]
    seen = record.game().observation()
    hidden_mines = int(np.count_nonzero(record.board.mines & seen.hidden))
    assert "\n".join(lines[2 + moves :]).count("*") == hidden_mines
    said = call(pairs, "7")
    assert said.exit_code == 0
    assert "continent " in said.stdout and "winner " in said.stdout and "attack " in said.stdout
    files = tmp_path / "film.svg", tmp_path / "game.txt"
    said = call(pairs, "7", "--svg", str(files[0]), "--record", str(files[1]), "--json", "--speed", "2")
    answer = json.loads(said.stdout)
    assert answer["same"] and answer["stored"] == answer["again"]
    assert files[1].read_text() == answer["record"]
    assert ElementTree.fromstring(files[0].read_text()).tag == f"{SVG}svg"
    replayed = CliRunner().invoke(app, ["risk", "replay", str(files[1]), "--all", "--map", "duel"])
    assert replayed.exit_code == 0, replayed.output
    monkeypatch.setenv("FORCE_COLOR", "1")  # Rich takes it for a terminal, and plays in place
    for args in ((worlds, "7", "--agent", "exact"), (pairs, "7")):
        said = call(*args, "--speed", "100")
        assert said.exit_code == 0
        assert said.stdout.count("\x1b[2K") > moves and ", end " in said.stdout
    refused = call(worlds, "7")
    assert (refused.exit_code, refused.stdout) == (2, "") and "random, exact, sentence" in refused.stderr
