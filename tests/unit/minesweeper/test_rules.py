from typing import Any

import pytest

from surefoot.errors import FormatError, RulesError
from surefoot.minesweeper import PRESETS, Level, Rules, preset

FAMILY = {name: name.partition("-")[0] if "-" in name else name for name in PRESETS}
MINAI = [name for name in PRESETS if FAMILY[name] == "minai"]
WINDOWS = ["beginner", "intermediate", "expert"]


def test_presets_are_the_eight_of_the_table() -> None:
    sizes = {name: (p.level.height, p.level.width, p.level.mines) for name, p in PRESETS.items()}
    assert sizes == {
        "minai-easy": (5, 5, 1),
        "minai-beginner": (8, 8, 10),
        "minai-intermediate": (16, 16, 40),
        "minai-expert": (16, 30, 99),
        "cs50": (8, 8, 8),
        "beginner": (9, 9, 10),
        "intermediate": (16, 16, 40),
        "expert": (16, 30, 99),
    }


# One line of the table of switches a line here: Min.AI, CS50, Windows.
TABLE: dict[str, tuple[Any, Any, Any]] = {
    "first_click": ("opening", "any", "safe"),
    "start": ("random", "agent", "agent"),
    "flood": (False, False, True),
    "chord": (False, False, True),
    "goal": ("open", "flags", "open"),
    "ends_when_won": (False, True, True),
    "may_leave": (True, False, False),
    "flag_cap": (True, False, False),
    "flags_protect": (False, False, True),
    "reopen": (True, False, False),
    "mines_known": (True, False, True),
    "move_limit": (True, False, False),
    "scoring": ("difficulty", "win", "win"),
}


@pytest.mark.parametrize("switch", TABLE)
@pytest.mark.parametrize("name", PRESETS)
def test_switch_of_preset(name: str, switch: str) -> None:
    column = 0 if name in MINAI else 1 if name == "cs50" else 2
    assert getattr(preset(name).rules, switch) == TABLE[switch][column]


def test_the_table_has_every_switch() -> None:
    assert set(TABLE) == set(Rules.__dataclass_fields__)


def test_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RulesError, match=r"unknown preset 'hard' \(known: minai-easy, .*expert\)"):
        preset("hard")


# --- boards that can be -----------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [(1, 1, 0), (1, 1, 1), (500, 500, 250_000), (2000, 2000, 0), (1, 2000, 7)])
def test_any_size_from_1x1_to_2000x2000_can_be(level: tuple[int, int, int]) -> None:
    assert Level(*level).cells == level[0] * level[1]


@pytest.mark.parametrize("level", [(0, 5, 0), (5, 0, 0), (2001, 1, 0), (3, 3, 10), (3, 3, -1)])
def test_other_sizes_are_refused(level: tuple[int, int, int]) -> None:
    with pytest.raises(RulesError):
        Level(*level)


def test_level_text_is_width_first() -> None:
    assert str(Level(16, 30, 99)) == "30x16x99"
    assert Level.parse("30x16x99") == Level(16, 30, 99)


@pytest.mark.parametrize(
    "text", ["30x16", "30x16x", "x", "30X16X99", "-1x2x0", "30x16x99x1", "9" * 9 + "x1x1"]
)
def test_level_text_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="not a board size"):
        Level.parse(text)


@pytest.mark.parametrize(
    ("rules", "height", "width", "most"),
    [
        (Rules(first_click="any"), 3, 3, 9),
        (Rules(first_click="any"), 1, 1, 1),
        (Rules(first_click="safe"), 3, 3, 8),
        (Rules(first_click="safe"), 1, 1, 0),
        (Rules(first_click="opening"), 4, 4, 7),
        (Rules(first_click="opening"), 3, 3, 0),
        (Rules(first_click="opening"), 1, 5, 2),
        # The agent may choose the middle, whose block is the largest; a given corner leaves more room.
        (Rules(first_click="opening", start=(0, 0)), 4, 4, 12),
        (Rules(first_click="opening", start=(3, 1)), 4, 4, 10),
        (Rules(first_click="opening", start="random"), 4, 4, 7),
    ],
)
def test_first_click_leaves_room_for_so_many_mines_and_no_more(
    rules: Rules, height: int, width: int, most: int
) -> None:
    rules.check(Level(height, width, most))
    if most < height * width:
        with pytest.raises(RulesError, match=f"first_click={rules.first_click} leaves room for {most} mines"):
            rules.check(Level(height, width, most + 1))


def test_start_off_the_board_is_refused() -> None:
    with pytest.raises(RulesError, match="start 3,0 is not on a 5x3 board"):
        Rules(start=(3, 0)).check(Level(3, 5, 1))


@pytest.mark.parametrize(
    "setting", [{"first_click": "never"}, {"goal": "points"}, {"scoring": "time"}, {"start": "corner"}]
)
def test_settings_are_refused_by_name(setting: dict[str, Any]) -> None:
    (name, value) = next(iter(setting.items()))
    with pytest.raises(RulesError, match=f"^{name} is .*{value!r}$"):
        Rules(**setting)


# --- move limit and score ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_move_limit_is_twice_the_cells_and_one_in_minai_only(name: str) -> None:
    level, rules = preset(name)
    expected = 2 * level.height * level.width + 1 if name in MINAI else None
    assert rules.max_moves(level) == expected


@pytest.mark.parametrize(
    ("height", "width", "points"), [(8, 8, 1), (16, 16, 2), (16, 30, 3), (5, 5, 1), (30, 16, 1), (20, 20, 1)]
)
def test_minai_score_goes_by_dimensions_alone(height: int, width: int, points: int) -> None:
    rules = preset("minai-easy").rules
    for mines in (1, 17):
        assert rules.score(Level(height, width, mines), won=True) == points
        assert rules.score(Level(height, width, mines), won=False) == 0


@pytest.mark.parametrize("name", ["cs50", *WINDOWS])
def test_elsewhere_a_win_is_worth_one(name: str) -> None:
    level, rules = preset(name)
    assert (rules.score(level, won=True), rules.score(level, won=False)) == (1, 0)


# --- text --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (Rules(), "windows"),
        (preset("minai-expert").rules, "minai"),
        (preset("cs50").rules, "cs50"),
        (Rules(first_click="opening"), "windows:first_click=opening"),
        (Rules(start=(3, 14), flood=False), "windows:start=3,14;flood=no"),
    ],
)
def test_rules_text_names_the_nearest_family_and_what_differs(rules: Rules, text: str) -> None:
    assert str(rules) == text
    assert Rules.parse(text) == rules


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "unknown rules ''"),
        ("solaris", "unknown rules 'solaris'"),
        ("windows:gravity=yes", "unknown switch 'gravity'"),
        ("windows:flood=maybe", "flood is yes or no, not 'maybe'"),
        ("windows:goal=points", "goal is open or flags, not 'points'"),
        ("windows:start=here", "start is agent, random or R,C, not 'here'"),
        ("windows:flood", "flood is yes or no"),
    ],
)
def test_rules_text_is_refused_by_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        Rules.parse(text)
