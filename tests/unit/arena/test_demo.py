import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from surefoot import _jit
from surefoot.arena.store import Store
from surefoot.cli import app


def test_the_demo_plays_a_study_of_each_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jit, "is_warm", lambda: True)
    args = ["demo", "--games", "10", "--workers", "1", "--out", str(tmp_path)]
    said = CliRunner().invoke(app, args)
    assert said.exit_code == 0, said.output
    for words in ("Minesweeper in the arena", "Risk in the arena", "continent", "Elo"):
        assert words in said.stdout
    assert max(map(len, said.stdout.splitlines())) <= 80
    assert str(tmp_path / "demo.db") in said.stderr and str(tmp_path / "risk") in said.stderr
    with Store(str(tmp_path / "demo.db"), create=False) as store:
        runs = store.runs()
    assert [(kept.study.game, kept.games) for kept in runs] == [("minesweeper", 6), ("risk", 12)]
    for game in ("minesweeper", "risk"):
        assert {file.suffix for file in (tmp_path / game).iterdir()} == {".png", ".svg"}
    # The second time every game is there already, and the answer is the same.
    answer = json.loads(CliRunner().invoke(app, [*args, "--json"]).stdout)["arena"]
    assert answer["store"] == str(tmp_path / "demo.db")
    assert [each["run"] for each in answer["reports"]] == [kept.run for kept in runs]
    assert all(each["complete"] for each in answer["reports"])
    assert all(Path(file).exists() for file in answer["figures"])
