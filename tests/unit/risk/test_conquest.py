from pathlib import Path

import pytest

from surefoot.errors import FormatError
from surefoot.risk.formats import read_map
from surefoot.risk.formats.conquest import parse
from surefoot.risk.worldmap import WorldMap
from tests.mutate import survivors

SAMPLES = Path(__file__).parents[2] / "data" / "risk_maps" / "conquest"
LINE = ((0, 1), (1, 2), (2, 3))


def sample(name: str, *, one_way: bool = False) -> WorldMap:
    return read_map(SAMPLES / f"{name}.map", one_way=one_way)


def text(name: str) -> str:
    return (SAMPLES / f"{name}.map").read_bytes().decode()


def lands(world: WorldMap) -> list[str]:
    return [land.name for land in world.territories]


def test_a_map() -> None:
    world = sample("shores")
    assert world.name == "shores"
    assert [(continent.name, continent.bonus) for continent in world.continents] == [("West", 2), ("East", 3)]
    assert lands(world) == ["Harbour", "Mill", "Causeway", "Light"]
    assert [land.continent for land in world.territories] == [0, 0, 1, 1]
    assert [(land.x, land.y) for land in world.territories] == [(40, 60), (90, 60), (140, 60), (190, 60)]
    assert world.borders == LINE
    assert not world.one_way


# --- oddities that are read -------------------------------------------------------------------------------


def test_windows_line_ends_and_a_byte_order_mark() -> None:
    assert text("crlf").startswith("\ufeff[Map]\r\n")
    assert sample("crlf").borders == LINE
    assert parse(text("crlf"), name="crlf") == sample("crlf")


def test_names_with_spaces_and_spaces_around_commas() -> None:
    world = sample("names")
    assert lands(world)[0] == "Old Harbour"
    assert world.continents[0].name == "The Far West"
    assert world.borders == LINE


def test_unknown_keys_are_passed_over() -> None:
    assert sample("unknown-keys").borders == LINE


def test_headings_in_any_case_and_commas_at_the_end() -> None:
    assert sample("trailing-commas").borders == LINE


def test_warn_no_asks_for_one_way_borders() -> None:
    assert sample("warn-no").one_way == ((0, 1), (1, 2), (2, 3), (3, 0))


# --- faults, with their lines -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bad-one-way", "line 11: the border from 'Mill' to 'Causeway' is one-way: there is none back"),
        (
            "bad-not-connected",
            "line 13: the map is not connected: there is no way from 'Harbour' to 'Causeway'",
        ),
        ("bad-neighbour", "line 14: there is no territory 'Lght' to border on"),
        ("bad-continent", "line 13: 'Causeway' is in no continent: none is named"),
        ("bad-before-section", "line 1: 'author=somebody' stands before the first section"),
        ("bad-empty-continent", "line 9: 'South' has no territories"),
    ],
)
def test_a_fault_is_told_with_its_line(name: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        sample(name)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("West=2", "West", "line 9: 'West' has no '='"),
        ("West=2", "West=many", "line 9: 'many' is not a bonus"),
        ("West=2", "West=-1", "line 9: 'West': a bonus is 0 to 1000, not -1"),
        ("40,60,West", "40,60", "line 13: 'Harbour' is in no continent: there is none called 'Mill'"),
        ("Harbour,40,60,West,Mill\n", "Harbour,40\n", "line 13: a territory is a name, x, y, a continent"),
        ("40,60,West", "40,sixty,West", "line 13: 'sixty' is not a position"),
        ("[Territories]", "[Teritories]", "line 12: unknown section 'Teritories'"),
        ("West,Mill", "West,Mill,Harbour", "line 13: 'Harbour' borders on itself"),
    ],
)
def test_what_is_written_wrong_is_told_with_its_line(old: str, new: str, words: str) -> None:
    whole = text("shores")
    assert whole.count(old) == 1
    with pytest.raises(FormatError) as caught:
        parse(whole.replace(old, new))
    assert str(caught.value).startswith(words)


def test_one_way_borders_may_be_asked_for_by_the_caller() -> None:
    with pytest.raises(FormatError, match="one-way"):
        sample("bad-one-way")
    with pytest.raises(FormatError, match="no way from 'Causeway' to 'Harbour'"):
        sample("bad-one-way", one_way=True)
    there_and_round = text("warn-no").replace("warn=no", "warn=yes")
    assert parse(there_and_round, one_way=True, name="warn-no") == sample("warn-no")


def test_ten_thousand_broken_maps_do_no_worse_than_be_refused() -> None:
    seeds = [text(path.stem) for path in sorted(SAMPLES.glob("*.map")) if not path.name.startswith("bad")]
    assert 300 < survivors(parse, FormatError, seeds) < 9_500
