from pathlib import Path

import pytest

from surefoot.errors import FormatError
from surefoot.risk.formats import read_map
from surefoot.risk.formats.lux import parse
from surefoot.risk.worldmap import WorldMap
from tests.mutate import survivors

SAMPLES = Path(__file__).parents[2] / "data" / "risk_maps" / "lux"
LINE = ((0, 1), (1, 2), (2, 3))


def sample(name: str, *, one_way: bool = False) -> WorldMap:
    return read_map(SAMPLES / f"{name}.luxb", one_way=one_way)


def text(name: str) -> str:
    return (SAMPLES / f"{name}.luxb").read_bytes().decode()


def lands(world: WorldMap) -> list[str]:
    return [land.name for land in world.territories]


def test_a_map() -> None:
    world = sample("shores")
    assert world.name == "two-shores"
    assert [(continent.name, continent.bonus) for continent in world.continents] == [("West", 2), ("East", 3)]
    assert lands(world) == ["Harbour", "Mill", "Causeway", "Light"]
    assert [land.continent for land in world.territories] == [0, 0, 1, 1]
    assert [(land.x, land.y) for land in world.territories] == [(40, 60), (90, 60), (140, 60), (190, 60)]
    assert world.borders == LINE


# --- oddities that are read -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["crlf", "one-line"])
def test_line_ends_do_not_matter(name: str) -> None:
    assert sample(name) == sample("shores")


def test_a_byte_order_mark_is_skipped() -> None:
    assert text("crlf").startswith("\ufeff")
    assert parse(text("crlf")) == sample("shores")


def test_countries_without_names_and_in_any_order_are_called_by_their_numbers() -> None:
    world = sample("unnamed")
    assert world.name == "unnamed"
    assert lands(world) == ["Country 0", "Country 1", "Country 2", "Country 3"]
    assert [land.continent for land in world.territories] == [0, 0, 1, 1]
    assert world.borders == LINE
    assert (world.territories[3].x, world.territories[3].y) == (20.3, 30), "the middle of all its corners"


def test_unknown_elements_comments_and_escapes() -> None:
    world = sample("unknown-elements")
    assert lands(world) == ["Harbour & Co", "Mill", "Causeway", "Light <East>"]
    assert world.borders == LINE


def test_one_way_borders_have_to_be_asked_for() -> None:
    with pytest.raises(FormatError, match="line 11: the border from 'Harbour' to 'Mill' is one-way"):
        sample("one-way")
    assert sample("one-way", one_way=True).one_way == ((0, 1), (1, 2), (2, 3), (3, 0))


# --- faults, with their lines -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "bad-not-connected",
            "line 23: the map is not connected: there is no way from 'Harbour' to 'Causeway'",
        ),
        ("bad-neighbour", "line 33: there is no country 4 to border on; they are 0 to 3"),
        ("bad-continent", "line 30: country 3 is in no continent"),
        ("bad-number", "line 30: country 4 of 4; they are 0 to 3"),
        ("bad-nested", "line 7: a <continent> in a <continent>"),
        ("bad-xml", "line 6: not XML: mismatched tag"),
        ("bad-entities", "line 2: a document type, 'luxboard', is not read"),
        ("bad-external", "line 1: a document type, 'luxboard', is not read"),
    ],
)
def test_a_fault_is_told_with_its_line(name: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        sample(name)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<bonus>2</bonus>", "<bonus>two</bonus>", "line 6: 'two' is not a bonus"),
        ("<bonus>2</bonus>", "", "line 4: a continent has one <bonus>, not 0"),
        ("<id>0</id>", "<id>1</id>", "line 14: a second country 1"),
        ("<id>0</id>", "<id>a</id>", "line 8: 'a' is not a country's number"),
        ("<id>0</id>", "", "line 7: a country has one <id>, not 0"),
        ("30,50 50,50 50,70 30,70", "", "line 7: country 0 has no polygon with corners"),
        (
            "<name>Harbour</name>",
            "<name>Mill</name>",
            "line 13: a territory called 'Mill' is on line 7 already",
        ),
        ("<luxboard>", "<board>", "line 2: <board> is not a <luxboard>"),
        ("<name>Harbour</name>", "<name>" + "<b>" * 20, "line 9: more than 20 elements in one another"),
        ("<name>Harbour</name>", "<name>&harbour;</name>", "line 9: not XML: undefined entity"),
    ],
)
def test_what_is_written_wrong_is_told_with_its_line(old: str, new: str, words: str) -> None:
    whole = text("shores")
    assert whole.count(old) == 1
    with pytest.raises(FormatError) as caught:
        parse(whole.replace(old, new))
    assert str(caught.value).startswith(words)


def test_ten_thousand_broken_maps_do_no_worse_than_be_refused() -> None:
    seeds = [text(path.stem) for path in sorted(SAMPLES.glob("*.luxb")) if not path.name.startswith("bad")]
    assert 300 < survivors(parse, FormatError, seeds) < 9_500
