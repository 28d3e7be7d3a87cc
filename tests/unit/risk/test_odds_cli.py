"""The commands `odds`, `maps` and `import-map`, under a small command line of their own."""

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from surefoot import _jit
from surefoot.cli.failures import OneLineErrors
from surefoot.cli.risk_maps import import_map, maps
from surefoot.cli.risk_odds import odds
from surefoot.risk.battle import battle, campaign
from surefoot.risk.dice import COIN, Dice
from surefoot.risk.formats import read_map
from surefoot.risk.worldmap import WorldMap, load

Run = Callable[..., Result]

SAMPLES = Path(__file__).parents[2] / "data" / "risk_maps"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    # Whether this machine has to compile first is no part of what these tests are about.
    monkeypatch.setattr(_jit, "is_warm", lambda: True)
    app = typer.Typer(cls=OneLineErrors, rich_markup_mode=None, pretty_exceptions_enable=False)
    for command in (odds, maps, import_map):
        app.command()(command)

    def call(*args: str) -> Result:
        return CliRunner().invoke(app, args)

    return call


def answer(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return json.loads(result.stdout)


def refused(result: Result, words: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("surefoot: ")
    assert result.stderr.count("\n") == 1, result.stderr
    assert words in result.stderr


# --- odds -------------------------------------------------------------------------------------------------


def test_odds_of_a_battle_as_json(run: Run) -> None:
    told = answer(run("odds", "8", "5", "--json"))
    fought = battle(8, 5)
    assert told["win"] == fought.win == pytest.approx(0.8184, abs=5e-5)
    assert told["survivors"] == list(fought.attackers)
    assert told["defenders_left"] == list(fought.defenders)
    assert told["mean_left"] == pytest.approx(5.07, abs=0.005)
    assert (told["attackers"], told["defenders"], told["until"]) == (8, [5], 0)
    assert (told["battles"], told["attack_dice"], told["defence_dice"]) == ("dice", 3, 2)
    assert "armies_needed" not in told


def test_odds_of_a_campaign_as_json(run: Run) -> None:
    told = answer(run("odds", "20", "--path", "3,4,2", "--chance", ".75", "--json"))
    marched = campaign(20, [3, 4, 2])
    assert told["win"] == marched.win
    assert told["taken"] == list(marched.taken)
    assert told["survivors"] == list(marched.left)
    assert (told["chance"], told["armies_needed"]) == (0.75, 13)
    assert sum(told["survivors"]) == pytest.approx(1)


def test_dice_and_stops_are_heeded(run: Run) -> None:
    for options, dice, until in (
        (["--attack-dice", "2", "--defence-dice", "3"], Dice(2, 3), 0),
        (["--coin"], COIN, 0),
        (["--until", "3"], Dice(), 3),
    ):
        told = answer(run("odds", "8", "5", *options, "--json"))
        assert told["win"] == battle(8, 5, dice=dice, until=until).win
        assert told["mean_left"] > until


def test_a_battle_in_words(run: Run) -> None:
    lines = run("odds", "8", "5", "--chance", "0.9").stdout.splitlines()
    assert lines[:4] == [
        "8 armies that can fight against 5",
        "taken    81.84 %",
        "needed   10 armies for a chance of 90 %",
        "left     5.07 on average after a win",
    ]
    assert "8   9.11 %   9.11 %" in lines
    assert "1   2.63 %  81.84 %" in lines, "eight to one armies left are all the ways to win"
    assert "1   3.68 %  18.16 %" in lines


def test_a_campaign_in_words(run: Run) -> None:
    lines = run("odds", "20", "--path", "3,4,2").stdout.splitlines()
    assert lines[:5] == [
        "20 armies that can fight against 3, then 4, then 2",
        "all 3    97.81 %",
        "first 2  99.47 %",
        "first 1  99.99 %",
        "left     11.21 on average after a win",
    ]


def test_large_battles_are_shown_in_ranges_and_never_as_certain(run: Run) -> None:
    shown = run("odds", "1000", "100").stdout.splitlines()
    assert "taken    >99.99 %" in shown
    ranges = [(int(low), int(high)) for low, high in re.findall(r"(?m)^ *(\d+)-(\d+) ", "\n".join(shown))]
    assert 10 < len(ranges) <= 20
    assert all(low - 1 == high for (low, _), (_, high) in pairwise(ranges)), "no number is left out"
    assert ranges[-1][0] < 914 < ranges[0][1]


def test_hopeless_battles_have_nothing_left(run: Run) -> None:
    assert "left" not in run("odds", "1", "1000").stdout.splitlines()[2]
    assert answer(run("odds", "1", "1000", "--json"))["mean_left"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["8"], "give either DEFENDERS or --path"),
        (["8", "5", "--path", "3"], "give either DEFENDERS or --path"),
        (["8", "--path", "3,,4"], "--path is numbers of defenders such as 3,4,2, not '3,,4'"),
        (["8", "--path", "3,0"], "a territory is defended by 1 army or more, not 0"),
        (["0", "5"], "ATTACKERS"),
        (["8", "five"], "DEFENDERS"),
        (["8", "5", "--attack-dice", "4"], "the attacker rolls 1 to 3 dice, not 4"),
        (["8", "5", "--defence-dice", "0"], "the defender rolls 1 to 3 dice, not 0"),
        (["8", "5", "--coin", "--attack-dice", "3"], "the attacker rolls one coin, not 3"),
        (["8", "5", "--until", "8"], "--until 8: 8 attackers would not attack at all"),
        (["8", "5", "--chance", "1"], "more than 0 and less than 1, not 1"),
        (["8", "5", "--chance", "nan"], "more than 0 and less than 1, not nan"),
        (["8", "20000"], "a battle of 20000 armies; odds are computed for at most 10000 a side"),
    ],
)
def test_bad_odds_are_one_line(run: Run, arguments: list[str], words: str) -> None:
    refused(run("odds", *arguments), words)


# --- maps -------------------------------------------------------------------------------------------------


def test_the_shipped_maps_are_listed(run: Run) -> None:
    told = answer(run("maps", "--json"))["maps"]
    classic = next(entry for entry in told if entry["name"] == "classic")
    assert (classic["territories"], classic["borders"], classic["one_way"]) == (42, 83, 0)
    assert classic["continents"]["Asia"] == 7
    listed = run("maps").stdout.splitlines()
    assert len(listed) == len(told)
    assert any(line.startswith("classic ") and line.endswith("83 borders") for line in listed)


def test_one_map_is_told_in_full(run: Run) -> None:
    told = run("maps", "grid-2x1", str(SAMPLES / "lux" / "shores.luxb")).stdout
    assert "grid-2x1: 2 territories, 1 continents, 1 borders\nGrid (0)\n  r0c0: r0c1\n" in told
    assert "East (3)\n  Causeway: Mill, Light\n" in told


def test_a_foreign_map_becomes_one_of_ours(run: Run, tmp_path: Path) -> None:
    source = SAMPLES / "conquest" / "shores.map"
    printed = run("import-map", str(source))
    assert printed.exit_code == 0
    assert WorldMap.parse(printed.stdout) == read_map(source)
    target = tmp_path / "mine.toml"
    written = run("import-map", str(source), "--output", str(target))
    assert (written.exit_code, written.stdout) == (0, "")
    assert load(target) == read_map(source)


def test_a_map_of_ours_becomes_one_of_domination(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "world.map"
    written = run("import-map", "classic", "-o", str(target))
    assert written.exit_code == 0
    assert "world.cards" in written.stderr
    assert read_map(target) == load("classic")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["world.cards", "world.map"]


def test_one_way_borders_are_taken_when_asked_for(run: Run) -> None:
    source = str(SAMPLES / "lux" / "one-way.luxb")
    refused(
        run("import-map", source), "one-way.luxb: line 11: the border from 'Harbour' to 'Mill' is one-way"
    )
    assert "[one-way]" in run("import-map", source, "--one-way").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["maps", "atlantis"], "unknown map 'atlantis'"),
        (["maps", "atlantis.map"], "no such file: atlantis.map"),
        (["import-map", "duel", "-o", "duel.doc"], "--output is a .toml or a .map file, not 'duel.doc'"),
        (
            ["import-map", str(SAMPLES / "domination" / "bad-section.map")],
            "line 15: unknown section 'rivers'",
        ),
    ],
)
def test_bad_maps_are_one_line(run: Run, arguments: list[str], words: str) -> None:
    refused(run(*arguments), words)
