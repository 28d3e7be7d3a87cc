from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given

from surefoot.errors import FormatError, RulesError
from surefoot.risk import PRESETS, Rules, preset
from surefoot.risk.kernels import layout
from surefoot.risk.rules import TABLE
from tests.mutate import survivors
from tests.risk_strategies import Setting, settings_of_a_game

# One line of the table of switches a line here: standard, modern, document, document-program.
SWITCHES: dict[str, tuple[Any, Any, Any, Any]] = {
    "neutral": (False,) * 4,
    "starting_armies": ("table", "table", "one", "one"),
    "placement": ("dealt",) * 4,
    "setup_step": (1,) * 4,
    "draft": ("standard", "standard", "territories", "territories"),
    "cards": ("progressive", "fixed", "none", "none"),
    "fortify": ("adjacent", "connected", "none", "none"),
    "max_attacks": (0,) * 4,
    "blitz": ("may",) * 4,
    "battles": ("dice", "dice", "dice", "coin"),
    "defence_dice": (2,) * 4,
    "fog": (False,) * 4,
    "capitals": (False,) * 4,
    "max_armies": (0,) * 4,
    "round_cap": (500,) * 4,
}


@pytest.mark.parametrize("switch", SWITCHES)
@pytest.mark.parametrize("column", range(4))
def test_switch_of_preset(switch: str, column: int) -> None:
    name = ["standard", "modern", "document", "document-program"][column]
    assert getattr(preset(name), switch) == SWITCHES[switch][column]


def test_the_table_has_every_switch_and_preset() -> None:
    assert set(SWITCHES) == {field.name for field in fields(Rules)}
    assert list(PRESETS) == ["standard", "modern", "document", "document-program"]


def test_text_is_a_preset_and_what_differs() -> None:
    assert str(Rules()) == "standard"
    assert str(preset("document-program")) == "document-program"
    text = "modern:neutral=yes;starting_armies=30;max_attacks=3"
    rules = Rules.parse(text)
    assert (rules.cards, rules.neutral, rules.starting_armies, rules.max_attacks) == ("fixed", True, 30, 3)
    assert str(rules) == text


@given(setting=settings_of_a_game())
def test_text_parses_back(setting: Setting) -> None:
    assert Rules.parse(str(setting[1])) == setting[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("chess", r"unknown rules 'chess' \(known: standard, modern, document, document-program\)"),
        ("standard:dice=3", "unknown switch 'dice'"),
        ("standard:fog=maybe", "fog is yes or no, not 'maybe'"),
        ("standard:cards=golden", "cards is none or progressive or fixed, not 'golden'"),
        ("standard:defence_dice=4", "defence_dice is 2 to 3, not 4"),
        ("standard:round_cap=0", "round_cap is 1 to 1000000, not 0"),
        ("standard:round_cap=many", "round_cap is a number, not 'many'"),
        ("standard:starting_armies=lots", "starting_armies is table, one or a number, not 'lots'"),
        ("standard:starting_armies=0", "starting_armies is 1 to 1000000, not 0"),
    ],
)
def test_faults_are_named(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        Rules.parse(text)


def test_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RulesError, match=r"unknown preset 'hard' \(known: standard, .*program\)"):
        preset("hard")


@pytest.mark.parametrize(
    ("rules", "players", "territories", "words"),
    [
        (Rules(), 1, 42, "2 to 6 players, not 1"),
        (Rules(), 7, 42, "2 to 6 players, not 7"),
        (Rules(neutral=True), 3, 42, "neutral=yes is for 2 players, not 3"),
        (Rules(), 6, 5, "5 territories are not enough for 6 seats"),
        (Rules(neutral=True), 2, 2, "2 territories are not enough for 3 seats"),
        (Rules(starting_armies=20), 2, 42, "starting_armies=20 is less than the 21 territories of a player"),
    ],
)
def test_what_cannot_be_played_is_refused(rules: Rules, players: int, territories: int, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        rules.pack(players, territories)


@pytest.mark.parametrize("players", TABLE)
def test_the_table_goes_by_the_size_of_the_map(players: int) -> None:
    assert Rules().armies_at_start(players, 42) == TABLE[players]
    assert Rules().armies_at_start(players, 84) == 2 * TABLE[players]
    assert Rules().armies_at_start(players, 21) == TABLE[players] // 2
    assert Rules().armies_at_start(players, players) >= 1
    assert Rules(starting_armies=50).armies_at_start(players, 42) == 50
    assert Rules(starting_armies="one").armies_at_start(players, 42) == 0


def test_every_switch_reaches_the_kernels() -> None:
    other = Rules(
        neutral=True,
        starting_armies=33,
        placement="claimed",
        setup_step=2,
        draft="territories",
        cards="fixed",
        fortify="connected",
        max_attacks=4,
        blitz="never",
        battles="coin",
        defence_dice=3,
        fog=True,
        capitals=True,
        max_armies=9,
        round_cap=7,
    )
    one, two = Rules().pack(2, 42), other.pack(2, 42)
    same = [word for word in range(layout.RULES_SIZE) if one[word] == two[word]]
    assert same == [layout.R_PLAYERS]


def test_ten_thousand_broken_texts_are_read_or_refused() -> None:
    seeds = [*PRESETS, "standard:fog=yes;cards=fixed;round_cap=40", "document:starting_armies=9;blitz=never"]
    assert 100 < survivors(Rules.parse, FormatError, seeds) < 9_900
