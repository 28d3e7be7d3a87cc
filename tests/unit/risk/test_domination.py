import shutil
from pathlib import Path

import pytest

from surefoot.errors import FormatError
from surefoot.risk.formats import read_map
from surefoot.risk.formats.domination import cards_file, parse, parse_cards, write, write_cards
from surefoot.risk.worldmap import KINDS, WorldMap, load, names
from tests.mutate import survivors

SAMPLES = Path(__file__).parents[2] / "data" / "risk_maps" / "domination"
LINE = ((0, 1), (1, 2), (2, 3))
"""The borders of most samples: four territories in a row."""


def sample(name: str) -> WorldMap:
    return read_map(SAMPLES / f"{name}.map")


def text(name: str) -> str:
    return (SAMPLES / name).read_bytes().decode()


def lands(world: WorldMap) -> list[str]:
    return [land.name for land in world.territories]


def kinds(world: WorldMap) -> list[str]:
    return [KINDS[land.card] for land in world.territories]


def test_a_map_with_its_cards() -> None:
    world = sample("shores")
    assert world.name == "two-shores"
    assert [(continent.name, continent.bonus) for continent in world.continents] == [("West", 2), ("East", 3)]
    assert lands(world) == ["Harbour", "Mill", "Causeway", "Light"]
    assert [land.continent for land in world.territories] == [0, 0, 1, 1]
    assert [(land.x, land.y) for land in world.territories] == [(40, 60), (90, 60), (140, 60), (190, 60)]
    assert world.borders == LINE
    assert kinds(world) == ["infantry", "cavalry", "infantry", "artillery"]


# --- oddities that are read -------------------------------------------------------------------------------


def test_a_byte_order_mark_is_skipped() -> None:
    assert text("byte-order-mark.map").startswith("\ufeff")
    assert sample("byte-order-mark").borders == LINE
    assert parse(text("byte-order-mark.map")) == sample("byte-order-mark")


def test_windows_line_ends() -> None:
    assert "\r\n" in text("crlf.map")
    assert sample("crlf").borders == LINE
    assert lands(sample("crlf"))[-1] == "Light"


def test_comments_blank_lines_and_tabs() -> None:
    world = sample("comments")
    assert lands(world) == ["Harbour", "Mill", "Causeway", "Light"]
    assert world.borders == LINE


def test_underlines_and_hyphens_of_names_are_shown_as_spaces() -> None:
    world = sample("names")
    assert lands(world) == ["Old Harbour", "Mill on Sea", "Århus", "The Light"]
    assert [continent.name for continent in world.continents] == ["Far West", "North East Coast"]


def test_borders_are_directed() -> None:
    world = sample("one-way")
    assert world.borders == ((1, 2),)
    assert world.one_way == ((0, 1), (2, 3), (3, 0))


def test_colours_are_anything_and_not_kept() -> None:
    assert [continent.bonus for continent in sample("colours").continents] == [2, 3]


def test_unknown_words_before_the_first_section_are_passed_over() -> None:
    assert sample("unknown-keys").name == "unknown-keys", "without a name the map is called by its file"


def test_sections_stand_in_any_order() -> None:
    assert sample("sections-in-another-order").borders == LINE


def test_without_its_cards_file_a_map_deals_the_kinds_in_turn() -> None:
    assert cards_file(text("cards-file-missing.map")) == "there_is_no_such.cards"
    assert kinds(sample("cards-file-missing")) == ["infantry", "cavalry", "artillery", "infantry"]


# --- faults, with their lines -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bad-number-order", "line 7: country 3 stands where country 2 is expected"),
        ("bad-section", "line 15: unknown section 'rivers'"),
        ("bad-file-key", "line 4: unknown kind of file 'snd'"),
        (
            "bad-not-connected",
            "line 8: the map is not connected: there is no way from 'Harbour' to 'Causeway'",
        ),
        ("bad-no-way-back", "line 9: the map is not connected: there is no way from 'Light' to 'Harbour'"),
        ("bad-neighbour", "line 13: there is no country 5; they are 1 to 4"),
        ("bad-continent", "line 9: 'Light' is in no continent: 0 is not one of 1 to 2"),
        ("bad-cards-path", "line 3: '../shores.cards' is not the name of a file in the map's folder"),
        ("bad-cards", "in the cards, line 4: 'Artillery 3' is not a card"),
        ("bad-twice", "line 9: a territory called 'mill' is on line 7 already"),
    ],
)
def test_a_fault_is_told_with_its_line(name: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        sample(name)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("West 2 yellow", "West 2", "line 12: a continent is a name, a bonus and a colour"),
        ("West 2 yellow", "West two yellow", "line 12: 'two' is not a bonus"),
        ("West 2 yellow", "West 1001 yellow", "line 12: 'West': a bonus is 0 to 1000, not 1001"),
        ("East 3 blue", "East 3 blue\nSouth 1 red", "line 14: 'South' has no territories"),
        (
            "1 Harbour 1 40 60",
            "1 Harbour 1 40",
            "line 16: a country is a number, a name, a continent, x and y",
        ),
        ("1 Harbour 1 40 60", "1 Harbour 1 40 y", "line 16: 'y' is not a position"),
        ("1 Harbour 1 40 60", "1 77 1 40 60", "line 16: a territory cannot be called '77'"),
        ("1 Harbour 1 40 60", f"1 {'H' * 61} 1 40 60", "line 16: not a name for a territory"),
        ("2 1 3", "2 1 2 3", "line 23: 'Mill' borders on itself"),
        ("2 1 3", "x 1 3", "line 23: 'x' is not a country's number"),
        ("crd shores.cards", "crd", "line 8: crd names no file"),
        ("[continents]\nWest 2 yellow\nEast 3 blue", "", "line 14: 'Harbour' is in no continent"),
    ],
)
def test_what_is_written_wrong_is_told_with_its_line(old: str, new: str, words: str) -> None:
    whole = text("shores.map")
    assert whole.count(old) == 1
    with pytest.raises(FormatError) as caught:
        parse(whole.replace(old, new))
    assert str(caught.value).startswith(words)


def test_an_empty_file_is_no_map() -> None:
    with pytest.raises(FormatError, match="line 1: the map has no continents"):
        parse("")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Cannon 4", "Cannon 5", "line 6: there is no country 5"),
        ("Cannon 4", "Cannon 3", "line 6: a second card of 'Causeway'"),
        ("Cannon 4\n", "", "line 2: there is no card of 'Light'"),
        ("Cannon 4", "Cannon", "line 6: 'Cannon' is not a card"),
        ("[missions]", "[fates]", "line 10: unknown section 'fates'"),
        ("; One", "One", "line 1: 'One card a country.' stands before the section [cards]"),
    ],
)
def test_faults_of_the_cards_are_told_with_their_line(old: str, new: str, words: str) -> None:
    whole = text("shores.cards")
    assert whole.count(old) == 1
    with pytest.raises(FormatError) as caught:
        parse_cards(whole.replace(old, new), ["Harbour", "Mill", "Causeway", "Light"])
    assert str(caught.value).startswith(words)


# --- writing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*names(), "grid-6x6"])
def test_shipped_maps_are_written_and_read_back(name: str) -> None:
    world = load(name)
    assert parse(write(world), cards=write_cards(world)) == world


@pytest.mark.parametrize("name", ["shores", "names", "one-way"])
def test_what_is_read_is_written_and_read_back(name: str) -> None:
    world = sample(name)
    assert parse(write(world), cards=write_cards(world)) == world


def test_a_written_map_finds_its_cards(tmp_path: Path) -> None:
    world = sample("shores")
    assert kinds(world) != kinds(parse(write(world))), "the cards say something"
    (tmp_path / "out.map").write_text(write(world, "out.cards"), encoding="utf-8")
    (tmp_path / "out.cards").write_text(write_cards(world), encoding="utf-8")
    assert read_map(tmp_path / "out.map") == world


def test_a_continent_that_would_be_a_comment_is_not_written() -> None:
    world = WorldMap.parse(str(load("duel")).replace("West", ";West").replace(";West =", '";West" ='))
    with pytest.raises(FormatError, match="';West' cannot be written"):
        write(world)


# --- files of any format ----------------------------------------------------------------------------------


def test_our_own_maps_are_read_too(tmp_path: Path) -> None:
    for name in ("duel.toml", "duel.txt"):
        (tmp_path / name).write_text(str(load("duel")), encoding="utf-8")
        assert read_map(tmp_path / name) == load("duel")


def test_what_is_no_map_is_said(tmp_path: Path) -> None:
    path = tmp_path / "notes.map"
    path.write_text("buy milk\n")
    with pytest.raises(FormatError, match="not a map of Domination, Conquest or Lux"):
        read_map(path)
    path.write_bytes(b"[countries]\n1 M\xfchle 1 2 3\n")
    with pytest.raises(FormatError, match="line 2: not UTF-8 text"):
        read_map(path)
    path.write_bytes(b";" * (4 << 20) + b"\n")
    with pytest.raises(FormatError, match=r"notes\.map is too large for a map"):
        read_map(path)
    with pytest.raises(FileNotFoundError):
        read_map(tmp_path / "nowhere.map")


def test_a_map_moved_away_from_its_cards_is_read(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "shores.map", tmp_path)
    assert kinds(read_map(tmp_path / "shores.map")) == ["infantry", "cavalry", "artillery", "infantry"]


# --- broken texts -----------------------------------------------------------------------------------------


def test_ten_thousand_broken_maps_do_no_worse_than_be_refused() -> None:
    seeds = [text(path.name) for path in sorted(SAMPLES.glob("*.map")) if not path.name.startswith("bad")] + [
        write(load("delta"))
    ]

    def read(broken: str) -> None:
        cards_file(broken)
        world = parse(broken)
        assert parse(write(world)).neighbours == world.neighbours

    assert 300 < survivors(read, FormatError, seeds) < 9_500


def test_ten_thousand_broken_files_of_any_format_do_no_worse_than_be_refused(tmp_path: Path) -> None:
    foreign = [*SAMPLES.parent.glob("*/shores.*"), *SAMPLES.parent.glob("*/crlf.*")]
    seeds = [path.read_bytes().decode() for path in sorted(foreign)] + [str(load("duel"))]
    path = tmp_path / "any.map"

    def read(broken: str) -> None:
        path.write_bytes(broken.encode())
        read_map(path)

    assert 300 < survivors(read, FormatError, seeds) < 9_500


def test_ten_thousand_broken_cards_do_no_worse_than_be_refused() -> None:
    four = ["Harbour", "Mill", "Causeway", "Light"]
    accepted = survivors(lambda broken: parse_cards(broken, four), FormatError, [text("shores.cards")])
    assert 500 < accepted < 9_500
