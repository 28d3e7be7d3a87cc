"""Training runs: folders, checkpoints, kills, the report; and what the fit makes of lessons."""

import json
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from surefoot.arena.train import Outcome, Progress, train
from surefoot.arena.train_folder import begin
from surefoot.cli import app as main
from surefoot.cli.risk_train import app
from surefoot.errors import FormatError, RulesError
from surefoot.risk import learning
from surefoot.risk.kernels import value
from surefoot.risk.kernels.value_words import MOVES_NOW, WORDS
from surefoot.risk.learning import PIECE, Reliability, Settings, fit, piece, predict, reliability
from surefoot.risk.lessons import Positions, gather, play_lessons, players_of
from surefoot.risk.rules import Rules
from surefoot.risk.value import parse
from surefoot.risk.worldmap import load
from surefoot.spec import parse as agent

SMALL: dict[str, Any] = {
    "seed": 4,
    "rounds": 2,
    "games": PIECE + 20,
    "samples": 2,
    "players": ("aggressive", "spread:chance=0.5", "alphabeta:depth=1"),
    "map": ("duel",),
    "seats": (2, 3),
    "round_cap": 30,
    "units": 3,
    "epochs": 3,
}


def run(folder: Path, given: dict[str, Any], *, resume: bool = False, **options: Any) -> Outcome:
    with begin(folder, given, resume=resume) as opened:
        return train(opened, **options)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("train") / "run"
    run(path, SMALL)
    return path


def test_the_result_is_the_same_for_any_workers(finished: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as executor:
        three = run(tmp_path / "three", SMALL, workers=3, executor=executor)
    assert files(finished) == files(tmp_path / "three")
    again = run(finished, {}, resume=True)
    assert again.played == 0 and again.as_dict() == three.as_dict()
    other = run(tmp_path / "other", SMALL | {"seed": 5})
    assert other.as_dict() != again.as_dict()


def test_the_folder_holds_all_of_it(finished: Path) -> None:
    kept = files(finished)
    rounds = [f"round-{r}/{name}" for r in (1, 2) for name in ("piece-1.npy", "piece-2.npy", "value.json")]
    assert sorted(kept) == sorted([*rounds, "map-1.toml", "settings.json", "value.json"])
    net = parse(kept["value.json"].decode(), "value.json")
    assert np.array_equal(net, parse(kept["round-2/value.json"].decode(), "value.json"))
    assert not net[value.BIAS + 3 : value.LAST].any() and net[value.LAST : value.LAST + 3].any()
    told = json.loads(kept["value.json"])
    assert "seed 4" in told["how"] and "players aggressive spread:chance=0.5" in told["how"]
    assert set(told["held_out"]) == {"2", "3"}


class Stopped(BaseException):
    """Stands for a kill."""


@contextmanager
def stopped_at(step: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stop at the ``step``-th place where a file is half written, or whole but unnamed."""
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


def test_stopped_at_any_write_it_resumes_to_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = SMALL | {"games": 40, "epochs": 1}
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


def test_a_resumed_run_plays_only_what_is_missing(finished: Path, tmp_path: Path) -> None:
    shutil.copytree(finished, tmp_path / "run")
    (tmp_path / "run/round-1/piece-2.npy").unlink()
    (tmp_path / "run/round-2/value.json").unlink()
    games: list[int] = []
    told: list[Progress] = []
    rest = run(tmp_path / "run", {}, resume=True, on_games=games.append, on_progress=told.append)
    assert rest.played == 20
    assert sum(games) == 2 * SMALL["games"]
    assert [(each.round, each.epoch) for each in told] == [(1, 0), (2, 1), (2, 2), (2, 3), (2, 0)]
    assert files(tmp_path / "run") == files(finished)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("round-1/piece-1.npy", b"nothing"),
        ("round-1/piece-1.npy", b""),
        ("round-1/value.json", b"{}"),
        ("settings.json", b"{}"),
    ],
)
def test_a_damaged_file_is_named(finished: Path, tmp_path: Path, file: str, content: bytes) -> None:
    shutil.copytree(finished, tmp_path / "run")
    (tmp_path / "run" / file).write_bytes(content)
    with pytest.raises(FormatError, match=file.split("/")[-1]):
        run(tmp_path / "run", {}, resume=True)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"players": ("nobody",)}, "unknown agent 'nobody'"),
        ({"players": ()}, "players is at least one"),
        ({"players": ("alphabeta:ms=5",)}, "player alphabeta:ms=5: with ms no game"),
        ({"map": ("atlantis",)}, "unknown map 'atlantis'"),
        ({"rules": ("standard:round_cap=5",)}, "the round cap is a setting of its own"),
        ({"rules": ("standard:neutral=yes",)}, "duel, 3 players: no rules that they can play: neutral=yes"),
        ({"seats": (7,)}, "Risk is for 2 to 6 players, not 7"),
        ({"units": 17}, "units is 0 to 16, not 17"),
        ({"decay": 2.0}, "decay is 0 to 1"),
        ({"games": 3}, "too few games were won"),
    ],
)
def test_what_cannot_be_taught_is_refused(tmp_path: Path, given: dict[str, Any], words: str) -> None:
    with pytest.raises((FormatError, RulesError), match=words):
        run(tmp_path / "run", SMALL | given)


def test_other_settings_than_the_folders_are_refused(finished: Path) -> None:
    with pytest.raises(FormatError, match="holds a run already; --resume"):
        run(finished, SMALL)
    with pytest.raises(FormatError, match="holds a run with seats 2,3, not 2,6"):
        run(finished, {"seats": (2, 6)}, resume=True)


def test_lessons_are_of_won_games_and_of_the_beginning_of_turns() -> None:
    rng = np.random.default_rng(0)
    world, games = load("duel"), 300
    chosen = [agent(name, "risk").make(0).policy for name in ("aggressive", "passive")]
    rows = play_lessons(
        world,
        Rules(round_cap=20),
        chosen,
        rng.integers(2, size=(games, 3)),
        rng.integers(0, 1 << 63, (games, 5), np.uint64),
        4,
    )
    assert players_of(rows) == 3
    numbers, counts = np.unique(rows[:, 0], return_counts=True)
    assert 0 < len(numbers) < games  # passive tables have no winner
    assert counts.max() == 4
    lessons = gather([rows])
    assert sum(map(len, lessons.values())) == len(rows)
    for count, each in lessons.items():
        assert each.words.shape[1:] == (count, WORDS)
        assert (each.words[:, :, MOVES_NOW].sum(axis=1) == 1).all()
        assert each.won.max() < count
        assert (each.table == 3).all()
    held_out = np.concatenate([each.held_out for each in lessons.values()])
    assert 0 < held_out.sum() < len(rows) / 5


def test_a_piece_depends_on_its_numbers_alone() -> None:
    settings = Settings(**SMALL)
    worlds = {"duel": load("duel")}
    one, same, other = (piece(settings, worlds, 1, place) for place in (2, 2, 1))
    assert np.array_equal(one.seating, same.seating) and np.array_equal(one.words, same.words)
    assert (one.map, one.rules) == (same.map, same.rules)
    assert len(one.seating) == 20 and len(other.seating) == PIECE
    assert not np.array_equal(one.words, other.words[:20])
    # At some tables all are alike, at others not.
    kinds = [len(set(row)) for row in other.seating.tolist()]
    assert min(kinds) == 1 and max(kinds) > 1


def lessons_of(rule: Any, count: int = 4000) -> dict[int, Positions]:
    """Positions with random words, of two and of three players; ``rule`` scores each seat."""
    rng = np.random.default_rng(1)
    found = {}
    for living in (2, 3):
        words = rng.normal(0, 1, (count, living, WORDS)).astype(np.float32)
        scores = rule(words)
        chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        won = (rng.random((count, 1)) > chances.cumsum(axis=1)).sum(axis=1)
        found[living] = Positions(words, won, np.full(count, living), np.arange(count) % 5 == 0)
    return found


def test_a_fit_finds_what_decides() -> None:
    settings = Settings(units=4, epochs=25, patience=25)
    straight = fit(settings, lessons_of(lambda words: 3 * words[..., 2] - words[..., 5]), 1)
    words = np.zeros((1, 2, WORDS), np.float32)
    words[0, 0, 2], words[0, 1, 5] = 0.5, -0.5
    # 1.5 against 0.5
    assert abs(predict(straight.net, words)[0, 0] - 1 / (1 + np.exp(-1))) < 0.1
    bent = lessons_of(lambda words: 4 * np.abs(words[..., 2]) * (words[..., 3] > 0))
    linear = fit(replace(settings, units=0), bent, 1)
    network = fit(settings, bent, 1)
    assert network.losses[network.best - 1][1] < linear.losses[linear.best - 1][1] - 0.03
    assert network.losses[network.best - 1][1] == min(judged for _, judged in network.losses)


def test_the_slope_is_that_of_the_loss() -> None:
    lessons = {count: each.only(np.arange(50)) for count, each in lessons_of(lambda x: x[..., 0]).items()}
    net = learning._Network.random(3, np.random.default_rng(2))
    net.parameters[:] = np.random.default_rng(3).normal(0, 0.3, len(net.parameters))
    loss, slope = net.learn(list(lessons.values()))
    assert abs(loss - net.loss(lessons)) < 1e-6
    for place in range(0, len(slope), 17):
        other = net.copy()
        other.parameters[place] += 0.01
        less = net.copy()
        less.parameters[place] -= 0.01
        assert abs((other.loss(lessons) - less.loss(lessons)) / 0.02 - slope[place]) < 1e-3


def test_reliability_by_hand() -> None:
    net = np.zeros(value.NET_SIZE)
    net[value.STRAIGHT] = 1.0
    words = np.zeros((4, 2, WORDS), np.float32)
    words[:, 0, 0] = np.log(3)  # a chance of 3/4
    each = Positions(words, np.array([0, 0, 1, 1]), np.array([2, 2, 2, 3]), np.zeros(4, bool))
    found = reliability(net, {2: each})
    # Three quarters and a quarter may fall on either side of a bin's edge.
    assert found.counts.sum() == 8 and sorted(found.counts[found.counts > 0].tolist()) == [4, 4]
    assert np.isclose(found.gap, 1 / 4)
    assert np.isclose(found.loss, -(np.log(3 / 4) + np.log(1 / 4)) / 2)
    assert np.isclose(reliability(net, {2: each}, 2).gap, 1 / 12)
    assert Reliability(np.zeros(20, np.int64), np.zeros(20), np.zeros(20), 0.0).gap == 0.0


def test_commands(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(finished, "run")
    invoke = CliRunner().invoke
    answered = invoke(app, ["--out", "run", "--resume", "--seats", "2,3", "--json"])
    assert answered.exit_code == 0, answered.stderr
    told = json.loads(answered.stdout)
    assert told["played"] == 0 and told["held_out"]["2"]["gap"] >= 0
    assert "round 2 of 2: loss" in answered.stderr
    said = invoke(app, ["--out", "run", "--resume"]).stdout
    assert "network  run/value.json" in said and "2 players  loss" in said
    report = invoke(app, ["report", "run", "--json"])
    drawn = json.loads(report.stdout)
    assert drawn["finished"] and len(drawn["rounds"]) == 2 and len(drawn["reliability"]["3"]["won"]) == 20
    names = ["loss.png", "loss.svg", "reliability.png", "reliability.svg"]
    assert sorted(path.name for path in Path("run/report").iterdir()) == names
    first = files(Path("run/report"))
    assert "best  loss learned from  held out" in invoke(app, ["report", "run"]).stdout
    assert files(Path("run/report")) == first


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "--out RUN is needed"),
        (["--out", "run", "--seats", "two"], "--seats is numbers of players, such as 2,3,6, not 'two'"),
        (["--out", "run", "--players", "continent:chance=0.4,card_chance=2"], "card_chance is 0 to 1"),
        (["--out", "run", "--players", "continent,nobody"], "unknown agent 'nobody'"),
        (["--seed", "1", "report", "run"], "options for report go after that word"),
        (["report", "run"], "run holds no run of `surefoot risk train`"),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    answered = CliRunner().invoke(main, ["risk", "train", *options])
    assert answered.exit_code == 2
    assert words in answered.stderr and len(answered.stderr.strip().splitlines()) == 1
    assert not Path("run").exists()
