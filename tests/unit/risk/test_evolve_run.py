"""Learning runs with a handed-in player: folders, checkpoints, kills, the report."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from surefoot import __version__
from surefoot.arena.evolve import Outcome, Progress, evolve, recorded, summary
from surefoot.arena.evolve_folder import begin, read
from surefoot.arena.evolve_player import SelfPlay
from surefoot.cli import app as main
from surefoot.cli.risk_evolve import app
from surefoot.errors import FormatError, RulesError
from surefoot.risk import evolution
from surefoot.risk.evolution import Settings
from surefoot.risk.worldmap import load

GENETIC = {
    "seed": 4,
    "population": 12,
    "tournaments": 3,
    "size": 4,
    "survivors": 2,
    "crossovers": 3,
    "mutants": 2,
    "generations": 3,
    "map": "grid-3x3",
}
CMA = {"method": "cma", "seed": 4, "size": 5, "tournaments": 2, "generations": 3, "map": "grid-3x3"}
BOTH = pytest.mark.parametrize("given", [GENETIC, CMA], ids=["genetic", "cma"])


class Noisy:
    """The heavier gene wins, with luck from the game's seed; a few games are won by nobody."""

    def __init__(self, pause: float = 0.0) -> None:
        self.pause = pause
        self.games = 0

    def __call__(
        self, genes: NDArray[np.float64], pairs: NDArray[np.int64], seeds: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        time.sleep(self.pause * len(seeds))
        self.games += len(seeds)
        luck = np.array([np.random.default_rng(seed).normal(0, 4, 2) for seed in seeds])
        first, second = (genes.sum(axis=1)[pairs] + luck).T
        return np.where(seeds % np.uint64(9) == 0, -1, np.where(first > second, 0, 1)).astype(np.int64)


def run(folder: Path, given: dict[str, Any], *, resume: bool = False, **options: Any) -> Outcome:
    with begin(folder, given, resume=resume) as opened:
        return evolve(opened, options.pop("player", Noisy()), **options)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@BOTH
def test_the_result_is_the_same_for_any_workers(tmp_path: Path, given: dict[str, Any]) -> None:
    one = run(tmp_path / "one", given)
    two = run(tmp_path / "two", given, workers=2)
    with ThreadPoolExecutor(3) as executor:
        three = run(tmp_path / "three", given, workers=3, executor=executor)
    assert one.as_dict() == two.as_dict() == three.as_dict()
    assert files(tmp_path / "one") == files(tmp_path / "two") == files(tmp_path / "three")
    other = run(tmp_path / "other", given | {"seed": 5})
    assert other.as_dict()["gene"] != one.as_dict()["gene"]


def test_the_folder_holds_all_of_it(tmp_path: Path) -> None:
    outcome = run(tmp_path / "run", GENETIC)
    kept = files(tmp_path / "run")
    generations = [
        f"generation-{g}/{name}"
        for g in (1, 2, 3)
        for name in ("genes.csv", *(f"tournament-{t}.csv" for t in (1, 2, 3)))
    ]
    assert sorted(kept) == sorted([*generations, "map.toml", "result.json", "settings.json"])
    settings = Settings.make(GENETIC)
    assert json.loads(kept["settings.json"]) == {
        "surefoot": __version__,
        **{name: getattr(settings, name) for name in Settings.__slots__ if name != "opponents"},
        "opponents": [],
    }
    result = json.loads(kept["result.json"])
    assert result == outcome.as_dict()
    assert result["games"] == settings.total == 3 * 3 * 6
    games = [line for name in generations if "t-" in name for line in kept[name].decode().split("\n")[1:-1]]
    assert len(games) == settings.total
    assert sum(game.endswith(",nobody") for game in games) == result["capped"] > 0
    genes = kept["generation-3/genes.csv"].decode().split("\n")[1:-1]
    assert [float(word) for word in genes[result["number"]].split(",")] == result["gene"]
    # The fitness, counted from the lines of the last generation.
    number = str(result["number"])
    last = [line.split(",") for name in generations[-3:] for line in kept[name].decode().split("\n")[1:-1]]
    mine = [game for game in last if number in game[:2]]
    won = sum(game[3] == ("first" if game[0] == number else "second") for game in mine)
    assert len(mine) == result["gene_games"]
    assert won / len(mine) == result["fitness"]


def test_progress_is_told(tmp_path: Path) -> None:
    games: list[int] = []
    told: list[Progress] = []
    outcome = run(tmp_path / "run", GENETIC, on_games=games.append, on_generation=told.append)
    assert sum(games) == outcome.played == 54
    assert [each.generation for each in told] == [1, 2, 3]
    assert told[-1].highest == max(each.best.fitness or 0 for each in told)
    assert told[-1].best.fitness == outcome.winner.fitness


class Stopped(BaseException):
    """Stands for a kill."""


@contextmanager
def stopped_at(step: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stop at the ``step``-th place where a file is half written, whole but unnamed, or just there."""
    count = 0

    def tick() -> None:
        nonlocal count
        count += 1
        if count == step:
            raise Stopped

    real_fsync, real_replace = os.fsync, Path.replace

    def fsync(handle: int) -> None:
        tick()
        real_fsync(handle)

    def replace(self: Path, target: Path) -> Path:
        tick()
        return real_replace(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        patch.setattr(Path, "replace", replace)
        yield


@BOTH
def test_stopped_at_any_write_it_resumes_to_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any]
) -> None:
    run(tmp_path / "undisturbed", given)
    expected = files(tmp_path / "undisturbed")
    step = 0
    while True:
        step += 1
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        try:
            with stopped_at(step, monkeypatch):
                run(tmp_path / "run", given)
            break
        except Stopped:
            run(tmp_path / "run", given, resume=True)
        assert files(tmp_path / "run") == expected, f"stopped at write {step}"
    assert step == 3 * len(expected) + 1


def test_a_resumed_run_plays_only_what_is_missing(tmp_path: Path) -> None:
    class Tired(Noisy):
        def __call__(self, *args: Any) -> NDArray[np.int64]:
            if self.games >= 20:
                raise Stopped
            return super().__call__(*args)

    with pytest.raises(Stopped):
        run(tmp_path / "run", GENETIC, player=Tired())
    assert (tmp_path / "run/generation-1/tournament-3.csv").exists()
    told: list[int] = []
    rest = run(tmp_path / "run", {}, resume=True, on_games=told.append)
    assert rest.played == 54 - 18
    assert told[0] == 18 and sum(told) == 54
    again = run(tmp_path / "run", {}, resume=True)
    assert again.played == 0
    assert again.as_dict() == rest.as_dict()


SCRIPT = """
import sys
from pathlib import Path
from tests.unit.risk.test_evolve_run import GENETIC, Noisy, run

if __name__ == "__main__":
    run(Path(sys.argv[1]), GENETIC, resume=True, workers=2, player=Noisy(pause=0.004))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_killed_at_random_moments_it_resumes_to_the_same_files(tmp_path: Path) -> None:
    run(tmp_path / "undisturbed", GENETIC)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    root = Path(__file__).resolve().parents[3]
    chance = random.Random(7)
    kills = 0
    for _ in range(30):
        held = len(list((tmp_path / "run").rglob("*.csv")))
        process = subprocess.Popen([sys.executable, script, tmp_path / "run"], env=_with_path(root))
        if kills < 5:
            # At the start it loads for long; the moment is drawn once it has gone on a little.
            wanted = held + chance.randint(0, 2)
            while process.poll() is None and len(list((tmp_path / "run").rglob("*.csv"))) < wanted:
                time.sleep(0.002)
            time.sleep(chance.uniform(0, 0.05))
            process.kill()
        if process.wait(60) == 0:
            break
        assert process.returncode == -signal.SIGKILL
        kills += 1
    assert kills == 5
    assert files(tmp_path / "run") == files(tmp_path / "undisturbed")


def _with_path(root: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(root)}


def refused(folder: Path, given: dict[str, Any], words: str, *, resume: bool = False) -> None:
    before = files(folder) if folder.is_dir() else None
    with pytest.raises((FormatError, RulesError), match=words), begin(folder, given, resume=resume):
        pass
    assert (files(folder) if folder.is_dir() else None) == before


def test_folders_that_are_refused(tmp_path: Path) -> None:
    refused(tmp_path / "run", GENETIC | {"size": 13}, "size 13 is more")
    refused(tmp_path / "run", GENETIC | {"map": "atlantis"}, "unknown map")
    refused(tmp_path / "run", GENETIC | {"map": "grid-1x2", "rules": "document:neutral=yes"}, "3 seats")
    assert not (tmp_path / "run").exists(), "what is refused leaves nothing behind"
    run(tmp_path / "run", GENETIC)
    refused(tmp_path / "run", GENETIC, "holds a run already; --resume")
    refused(tmp_path / "run", {"seed": 9}, "a run with seed 4, not 9", resume=True)
    refused(tmp_path / "run", {"method": "cma"}, "method genetic, not cma", resume=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear all")
    for resume in (False, True):
        refused(tmp_path / "other", GENETIC, "not empty, and holds no run", resume=resume)
    refused(tmp_path / "other" / "letter.txt", GENETIC, "is a file")


def test_an_empty_folder_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    run(tmp_path / "run", GENETIC)
    run(tmp_path / "new", GENETIC, resume=True)
    assert files(tmp_path / "new") == files(tmp_path / "run")


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked there")
def test_two_processes_do_not_share_a_run(tmp_path: Path) -> None:
    with begin(tmp_path / "run", GENETIC, resume=False):
        with (
            pytest.raises(FormatError, match="another process"),
            begin(tmp_path / "run", GENETIC, resume=True),
        ):
            pass
        assert read(tmp_path / "run").settings.seed == 4, "looking is allowed"


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("settings.json", "{", "[", "settings.json: not the settings"),
        ("settings.json", '"size": 4', '"size": "four"', "settings.json: size"),
        ("settings.json", '"size": 4', '"size": 40', "size 40 is more than"),
        ("settings.json", '"size"', '"sise"', "not the settings"),
        ("settings.json", '"surefoot": "', '"surefoot": "9', "begun by Surefoot 9"),
        ("map.toml", "[borders]", "[borders", "map.toml"),
        ("generation-2/genes.csv", "land", "sea", "line 1: expected land"),
        ("generation-2/genes.csv", "\n", "\nx", r"genes.csv: line \d+: not 4 weights"),
        ("generation-2/genes.csv", "\n", "\n9", r"genes.csv: line 2: a weight is out"),
        ("generation-2/genes.csv", "\n", "", "line 1"),
        ("generation-2/tournament-1.csv", ",first\n", ",last\n", r"won by first or second or nobody"),
        ("generation-2/tournament-1.csv", ",first\n", "7,first\n", r"line \d: the settings lead to another"),
        ("generation-2/tournament-1.csv", ",second\n", ",second\n\n", "expected 6 lines"),
    ],
)
def test_damaged_files_are_named(tmp_path: Path, name: str, old: str, new: str, words: str) -> None:
    run(tmp_path / "run", GENETIC | {"seed": 1})
    text = (tmp_path / "run" / name).read_text()
    assert old in text
    (tmp_path / "run" / name).write_text(text.replace(old, new, 1))
    with pytest.raises(FormatError, match=words):
        recorded(read(tmp_path / "run"))
    with pytest.raises(FormatError, match=words):
        run(tmp_path / "run", {}, resume=True)


def test_a_player_that_loses_games_is_not_believed(tmp_path: Path) -> None:
    def careless(*args: Any) -> NDArray[np.int64]:
        return np.zeros(1, np.int64)

    with pytest.raises(ValueError, match="5 games, but"):
        run(tmp_path / "run", GENETIC, player=careless)


@BOTH
def test_the_report(tmp_path: Path, given: dict[str, Any]) -> None:
    outcome = run(tmp_path / "run", given)
    history = recorded(read(tmp_path / "run"))
    assert [summary(1, each) for each in history] == [summary(1, each) for each in outcome.generations]
    answers = []
    for out in ("a", "b"):
        result = CliRunner().invoke(
            app, ["report", str(tmp_path / "run"), "--out", str(tmp_path / out), "--json"]
        )
        assert result.exit_code == 0, result.output
        answers.append(json.loads(result.stdout))
    assert files(tmp_path / "a") == files(tmp_path / "b"), "drawn again, the same bytes"
    drawn = files(tmp_path / "a")
    assert sorted(drawn) == ["fitness.png", "fitness.svg", "weights.png", "weights.svg"]
    assert all(drawn[name].startswith(b"\x89PNG") for name in drawn if name.endswith("png"))
    assert all(b"</svg>" in drawn[name] for name in drawn if name.endswith("svg"))
    answer = answers[0]
    assert answer["finished"] is True
    assert sum(each["games"] for each in answer["generations"]) == outcome.as_dict()["games"]
    assert sum(each["capped"] for each in answer["generations"]) == outcome.as_dict()["capped"]
    if given is GENETIC:
        assert answer["generations"][-1]["gene"] == outcome.as_dict()["gene"]
        assert answer["generations"][-1]["best"] == outcome.as_dict()["fitness"]


def test_the_report_of_a_run_that_is_under_way(tmp_path: Path) -> None:
    run(tmp_path / "run", GENETIC)
    (tmp_path / "run/generation-2/tournament-2.csv").unlink()
    result = CliRunner().invoke(app, ["report", str(tmp_path / "run")])
    assert result.exit_code == 0
    assert result.stdout.startswith("genetic, seed 4: 1 of 3 generations\n")
    assert (tmp_path / "run/report/weights.svg").exists()
    (tmp_path / "run/generation-1/tournament-2.csv").unlink()
    result = CliRunner().invoke(app, ["report", str(tmp_path / "run")])
    assert isinstance(result.exception, FormatError)
    assert "no generation is complete" in str(result.exception)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "--out RUN is needed"),
        (["--out", "run", "--range", "10"], "--range is LOW,HIGH"),
        (["--out", "run", "--opponents", "nobody"], "unknown agent 'nobody'"),
        (["--out", "run", "--opponents", "killer:chance=lots"], "chance is 0 to 1"),
        (["--out", "run", "--opponents", "alphabeta:ms=5"], "the same twice; give a depth"),
        (["--out", "run", "--opponents", f"{__file__}:Slow"], "has no compiled policy"),
        (["--seed", "1", "report", "run"], "options for report go after that word"),
        (["--json", "report", "run"], "options for report go after that word"),
        (["report", "run"], "run holds no run"),
    ],
)
def test_commands_that_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, FormatError)
    assert words in str(result.exception)
    assert result.stdout == ""
    assert not (tmp_path / "run").exists()


class Slow:
    """An agent that thinks for itself."""

    def act(self, observation: object) -> None:
        """Is never asked."""


def test_an_opponent_with_the_weights_of_a_gene_plays_as_that_gene() -> None:
    settings = Settings.make(
        GENETIC | {"depth": 2, "round_cap": 20, "opponents": ("alphabeta:depth=2,weights=1/9/2/3", "passive")}
    )
    player = SelfPlay.of(settings, load(settings.map))
    genes = np.array([[5.0, 1, 7, 2], [1, 9, 2, 3]])
    seeds = np.arange(20, dtype=np.uint64)
    of_genes = np.tile([[0, 1], [1, 0]], (10, 1))
    with_opponent = np.where(of_genes == 1, 2, of_genes)
    winners = player(genes, of_genes, seeds)
    assert {0, 1} <= set(winners.tolist())
    assert player(genes, with_opponent, seeds).tolist() == winners.tolist()
    against_passive = np.where(of_genes == 1, 3, of_genes)
    assert player(genes, against_passive, seeds).tolist() != winners.tolist()


@BOTH
def test_who_meets_whom_reaches_the_player_unchanged(tmp_path: Path, given: dict[str, Any]) -> None:
    """Each piece brings its own genes only, and opponents keep their place after them."""
    met: dict[int, tuple[tuple[float, ...] | int, ...]] = {}

    class Witness(Noisy):
        def __call__(
            self, genes: NDArray[np.float64], pairs: NDArray[np.int64], seeds: NDArray[np.uint64]
        ) -> NDArray[np.int64]:
            for pair, seed in zip(pairs.tolist(), seeds.tolist()):
                met[seed] = tuple(tuple(genes[n]) if n < len(genes) else n - len(genes) for n in pair)
            return np.zeros(len(seeds), np.int64)

    run(tmp_path / "run", given | {"opponents": ("passive", "turtle")}, player=Witness())
    settings, history = read(tmp_path / "run").settings, recorded(read(tmp_path / "run"))
    expected = {}
    for number, each in enumerate(history, 1):
        n, genes = len(each.population), each.population.genes
        for place in range(1, settings.tournaments + 1):
            tournament = evolution.tournament(settings, number, place)
            for pair, seed in zip(tournament.pairs.tolist(), tournament.seeds.tolist()):
                expected[seed] = tuple(tuple(genes[k]) if k < n else k - n for k in pair)
    assert len(met) == settings.total
    assert met == expected


@pytest.mark.parametrize("method", ["genetic", "cma"])
def test_the_help_tells_the_defaults(method: str) -> None:
    settings = Settings.make({"method": method})
    shown = CliRunner().invoke(main, ["risk", "evolve", "--help"]).stdout
    told = dict(re.findall(r"--([a-z-]+) (?:(?!\n  --).)*?\[default:\s([^]]*)\]", shown, re.DOTALL))
    expected = {
        name: str(getattr(settings, name.replace("-", "_")))
        for name in ("generations", "population", "tournaments", "size", "seed", "map", "rules")
    }
    expected |= {name: str(getattr(settings, name)) for name in ("depth", "targets")}
    expected |= {"range": f"{settings.low:g},{settings.high:g}", "round-cap": str(settings.round_cap)}
    if method == "genetic":
        expected |= {name: str(getattr(settings, name)) for name in ("survivors", "crossovers", "mutants")}
        expected["method"] = method
    for name, value in expected.items():
        usual, _, of_cma = told[name].partition("; ")
        assert (of_cma.removesuffix(" of cma") if of_cma and method == "cma" else usual) == value, name
    assert told["opponents"] == "none" and settings.opponents == ()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_in_one_line_and_leaves_what_was_played(tmp_path: Path, workers: str) -> None:
    options = [word for name, value in GENETIC.items() for word in ("--" + name, str(value))]
    # So much to play that there is time to interrupt.
    options += ["--depth", "4", "--map", "grid-6x6", "--generations", "90"]
    command = [sys.executable, "-m", "surefoot", "risk", "evolve", "--out", str(tmp_path / "run")]
    process = subprocess.Popen(
        [*command, "--workers", workers, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.default_int_handler),
    )
    first = tmp_path / "run/generation-01/tournament-1.csv"
    while process.poll() is None and not first.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said, warned = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, "")
    lines = [line for line in warned.splitlines() if "generation" not in line and "compiling" not in line]
    assert lines == [f"surefoot: stopped; the same command with --resume goes on with {tmp_path / 'run'}"], (
        warned
    )
    assert not (tmp_path / "run/result.json").exists()
    assert len(recorded(read(tmp_path / "run"))) < 90
    assert first.exists() and not list(tmp_path.rglob(".*.part"))


@BOTH
def test_the_command_learns_by_real_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    options = [word for name, value in given.items() for word in ("--" + name, str(value))]
    options += ["--depth", "2", "--round-cap", "20"]
    options += ["--opponents", "turtle", "--opponents", "alphabeta:depth=1,battle=expected"]
    answers = []
    for workers in ("1", "2"):
        result = CliRunner().invoke(
            app, ["--out", f"run{workers}", "--json", "--workers", workers, *options], catch_exceptions=False
        )
        answers.append(json.loads(result.stdout))
    assert files(tmp_path / "run1") == files(tmp_path / "run2")
    answer = answers[0]
    settings = read(tmp_path / "run1").settings
    assert (settings.depth, settings.round_cap) == (2, 20)
    assert settings.opponents == ("turtle", "alphabeta:depth=1,battle=expected")
    assert answer["games"] == answer["played"] == settings.total
    assert 0 <= answer["capped"] < answer["games"]
    assert len(answer["gene"]) == 4 and all(0 <= weight <= 10 for weight in answer["gene"])
    assert (answer["fitness"] is None) == (answer["method"] == "cma")
    kept = json.loads((tmp_path / "run1/result.json").read_text())
    assert kept == {name: answer[name] for name in kept}
