from pathlib import Path
from typing import Any

import pytest

from surefoot.arena.study import Study
from surefoot.errors import FormatError, RulesError
from tests.arena_studies import PAIRS, TEST, WORLDS, study, write_agent

TEXT = """
game = "minesweeper"
agents = ["exact", "sentence"]
games = 100
seed = 4
store = "here.db"

[limits]
act = 2.5
"""


def test_a_study_reads_its_file(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(TEXT)
    found = Study.load(file)
    assert (found.game, found.agents, found.games, found.seed) == (
        "minesweeper",
        ("exact", "sentence"),
        100,
        4,
    )
    assert (found.format, found.limits.act, found.limits.start, found.store) == ("worlds", 2.5, 30, "here.db")
    assert found == Study.parse(TEXT)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game = ", "s.toml: not TOML"),
        (TEXT.replace("seed", "sead"), "s.toml: unknown key 'sead' (known: game, rules, map, agents, format"),
        (TEXT.replace("act =", "move ="), "unknown key 'limits.move'"),
        (TEXT.replace("100", "0"), "games: "),
        (TEXT.replace("100", '"many"'), "games: "),
        (TEXT.replace("minesweeper", "chess"), "game: "),
        (TEXT.replace("sentence", "exact"), "each is named once"),
        (TEXT.replace("sentence", "sentense"), "unknown agent 'sentense', did you mean sentence?"),
        (TEXT.replace("seed = 4", 'rules = "experts"'), "experts"),
        (TEXT.replace("seed = 4", 'map = "3x3"'), "3x3"),
        (TEXT.replace("seed = 4", 'format = "round-robin"'), "Minesweeper has worlds"),
    ],
)
def test_what_does_not_fit_is_named(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(text)
    with pytest.raises((FormatError, RulesError)) as refused:
        Study.load(file)
    assert words in str(refused.value)


def test_a_table_has_its_limits() -> None:
    with pytest.raises((FormatError, RulesError)):
        study(PAIRS, agents=["continent"], format="worlds")
    with pytest.raises(FormatError, match="even number"):
        study(PAIRS, games=3)
    with pytest.raises(FormatError, match="for two agents"):
        study(PAIRS, format="sprt")


def test_everybody_meets_as_the_format_says() -> None:
    robin = study(PAIRS).contests
    assert [contest.agents for contest in robin] == [(0, 1), (0, 2), (1, 2)]
    assert [contest.first for contest in robin] == [0, 20, 40]
    assert [contest.agents for contest in study(PAIRS, format="gauntlet").contests] == [(0, 1), (0, 2)]
    (whole,) = study(PAIRS, format="worlds").contests
    assert whole == ((0, 1, 2), 0, 60)
    assert [tuple(contest) for contest in study(WORLDS).contests] == [((n,), 0, 60) for n in range(3)]
    assert len(study(TEST).contests) == 2


def test_the_id_hangs_on_what_decides_the_games(tmp_path: Path) -> None:
    base = study(WORLDS)
    assert len(base.run) == 16 and int(base.run, 16)
    assert study(WORLDS, store="elsewhere.db").run == base.run
    assert study(WORLDS, rules="expert").run == base.run  # the same rules on the same board
    changes: list[dict[str, Any]] = [
        {"seed": 4},
        {"games": 61},
        {"agents": ["random", "exact"]},
        {"map": "5x5x5"},
    ]
    changes += [{"rules": "minai-easy"}, {"limits": {"act": 1}}]
    ids = {study(WORLDS, **change).run for change in changes}
    assert len(ids | {base.run}) == len(changes) + 1


def test_a_preset_is_what_it_stands_for() -> None:
    whole = {"game": "minesweeper", "agents": ["exact"], "games": 1}
    assert Study.make(whole).run == Study.make(whole | {"rules": "expert", "map": "30x16x99"}).run


def test_a_file_counts_by_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    here, there = write_agent(tmp_path, "pass"), write_agent(tmp_path / "there", "pass")
    assert study(WORLDS, agents=[here]).run == study(WORLDS, agents=[there]).run
    other = write_agent(tmp_path, "time.sleep(0)")
    assert other == here
    assert study(WORLDS, agents=[other]).run != study(WORLDS, agents=[there]).run


@pytest.mark.parametrize("name", ["study-minesweeper", "study-risk"])
def test_the_examples_are_studies(name: str) -> None:
    assert Study.load(Path(__file__).parents[3] / "examples" / f"{name}.toml").run
