from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from surefoot.errors import FormatError
from surefoot.risk import WorldMap, load
from surefoot.risk.kernels import layout
from surefoot.risk.worldmap import Continent, Territory, key, names
from tests.mutate import survivors

SHIPPED = names()
SMALL = """\
name = "little"

[continents]
Land = 2

[territories]
"One Hill" = { continent = "Land", at = [1, 2.5] }
Two = { continent = "Land", card = "artillery" }
Three = { continent = "Land" }

[borders]
"One Hill" = ["Two", "Three"]

[one-way]
Two = ["Three"]
"""


def test_the_classic_world() -> None:
    world = load("classic")
    counts = Counter(land.continent for land in world.territories)
    assert {continent.name: (continent.bonus, counts[n]) for n, continent in enumerate(world.continents)} == {
        "North America": (5, 9),
        "South America": (2, 4),
        "Europe": (5, 7),
        "Africa": (3, 6),
        "Asia": (7, 12),
        "Australia": (2, 4),
    }
    assert (len(world.territories), len(world.borders), world.one_way) == (42, 83, ())
    degrees = {world.key_of(t): len(near) for t, near in enumerate(world.neighbours)}
    assert (degrees["ukraine"], degrees["china"], degrees["argentina"], degrees["alaska"]) == (6, 6, 2, 3)


def test_classic_82_lacks_one_border() -> None:
    full, less = load("classic"), load("classic-82")
    missing = set(full.borders) - set(less.borders)
    pair = tuple(sorted((full.territory("East Africa"), full.territory("Middle East"))))
    assert missing == {pair}
    assert (full.continents, full.territories) == (less.continents, less.territories)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_maps_write_and_read_back(name: str) -> None:
    world = load(name)
    assert world.name == name
    assert WorldMap.parse(str(world)) == world
    assert WorldMap.parse(str(world).replace("\n", "\r\n")) == world
    assert len({(land.x, land.y) for land in world.territories}) == len(world.territories)


def test_there_are_small_maps_for_every_number_of_players() -> None:
    assert {"classic", "classic-82", "duel", "delta", "archipelago"} <= set(SHIPPED)
    assert [len(load(name).territories) for name in ("duel", "delta", "archipelago")] == [6, 9, 18]


@pytest.mark.parametrize(("width", "height"), [(6, 6), (1, 2), (7, 1), (3, 4), (25, 40)])
def test_grids_of_any_size(width: int, height: int) -> None:
    world = load(f"grid-{width}x{height}")
    assert len(world.territories) == width * height
    assert len(world.borders) == (width - 1) * height + width * (height - 1)
    assert [continent.bonus for continent in world.continents] == [0]
    assert world.territory(f"r{height - 1}c{width - 1}") == width * height - 1
    assert WorldMap.parse(str(world)) == world


@pytest.mark.parametrize("name", ["grid-1x1", "grid-0x5", "grid-40x40"])
def test_grids_that_are_none(name: str) -> None:
    with pytest.raises(FormatError, match="a grid has 2 to 1000 territories"):
        load(name)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "little.toml"
    path.write_text("\ufeff" + SMALL, encoding="utf-8")
    world = load(path)
    assert world == load(str(path))
    assert [land.name for land in world.territories] == ["One Hill", "Two", "Three"]
    assert [world.card_kind(t) for t in range(3)] == ["infantry", "artillery", "artillery"]
    assert (world.borders, world.one_way) == (((0, 1), (0, 2)), ((1, 2),))
    assert (world.territories[0].x, world.territories[0].y) == (1, 2.5)
    assert WorldMap.parse(str(world)) == world
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(FormatError, match=r"little\.toml: not text in UTF-8"):
        load(path)
    with pytest.raises(FormatError, match=r"gone\.toml: No such file"):
        load(tmp_path / "gone.toml")
    with pytest.raises(FormatError, match=r"unknown map 'atlantis' \(known: archipelago, .*grid-WxH"):
        load("atlantis")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "little"', 'name = "Big World"', "a map's name is one word"),
        ('name = "little"\n', "", "a map has a name"),
        ("Land = 2", "Land = 2.5", "line 4: Land: a bonus is a whole number, not '2.5'"),
        ("Land = 2", "Land = -2", "Land: a bonus is 0 to 1000, not -2"),
        ("Land = 2", "Land = 2\nSea = 1", "Sea has no territories"),
        ("[continents]", "[continent]", "unknown entry 'continent'"),
        ('Two = { continent = "Land"', 'Two = { continent = "Sea"', "line 8: Two: no continent 'Sea'"),
        ("at = [1, 2.5]", "at = [1]", r"line 7: One Hill: a position is \[x, y\]"),
        ("at = [1, 2.5]", "at = [nan, 1]", r"line 7: One Hill: a position is \[x, y\]"),
        ("at = [1, 2.5]", "colour = 1", "line 7: One Hill: unknown entry 'colour'"),
        ('"artillery"', '"wild"', "line 8: Two: a card is infantry, cavalry or artillery, not 'wild'"),
        ('Three = { continent = "Land" }', "Three = 3", "line 9: Three: expected"),
        ('["Two", "Three"]', '["Two", "Four"]', "line 12: One Hill: no territory 'Four' to border on"),
        (
            '["Two", "Three"]',
            '["Two", "Two", "Three"]',
            "line 12: One Hill: the border to Two is there already",
        ),
        (
            '["Two", "Three"]',
            '["One Hill", "Two"]',
            "line 12: One Hill: a territory does not border on itself",
        ),
        ('["Two", "Three"]', '"Two"', "line 12: One Hill: expected a list"),
        ('["Two", "Three"]', '["Two"]', "not connected: no way from Three to One Hill"),
        ('Two = ["Three"]', 'Four = ["Three"]', "line 15: Four: no such territory"),
        ("Two = {", '"two-" = { continent = "Land" }\nTwo = {', "two territory names with the same key"),
        ("Two = {", 'Wild_1 = { continent = "Land" }\nTwo = {', "cannot be called 'Wild_1'"),
        ("Two = {", '17 = { continent = "Land" }\nTwo = {', "cannot be called '17'"),
        ("Two = {", "Two = {{", "not TOML: .*line 8"),
        ("[borders]", "[border]", "unknown entry 'border'"),
    ],
)
def test_faults_are_named_with_their_place(old: str, new: str, words: str) -> None:
    assert old in SMALL
    with pytest.raises(FormatError, match=words):
        WorldMap.parse(SMALL.replace(old, new, 1))


def test_what_is_built_by_hand_is_checked_as_well() -> None:
    lands = tuple(Territory(name, 0, 0, 0, 0) for name in ("A", "B"))
    land = (Continent("Land", 1),)
    with pytest.raises(FormatError, match="2 to 1000 territories, not 1"):
        WorldMap("x", land, lands[:1], ((),))
    with pytest.raises(FormatError, match="B is in no continent"):
        WorldMap("x", land, (lands[0], Territory("B", 1, 0, 0, 0)), ((1,), (0,)))
    with pytest.raises(FormatError, match="no way from A to B"):
        WorldMap("x", land, lands, ((), (0,)))
    with pytest.raises(FormatError, match="no way from B to A"):
        WorldMap("x", land, lands, ((1,), ()))
    with pytest.raises(FormatError, match="A borders on itself or on no territory"):
        WorldMap("x", land, lands, ((2,), (0,)))
    with pytest.raises(FormatError, match="A: neighbours are to be in rising order"):
        WorldMap("x", land, lands, ((1, 1), (0,)))


def test_names_keys_and_numbers() -> None:
    world = load("classic")
    for text in ("North Africa", "north-africa", "NORTH_AFRICA", " north  africa "):
        assert world.territory(text) == world.territory("North Africa")
        assert key(text) == "north-africa"
    assert world.territory("3") == 3
    assert [world.card(text) for text in ("wild-1", "wild-2", "43", "alaska")] == [42, 43, 43, 0]
    assert [world.card_key(card) for card in (0, 42, 43)] == ["alaska", "wild-1", "wild-2"]
    for wrong in ("42", "narnia", ""):
        with pytest.raises(FormatError, match="classic has no territory"):
            world.territory(wrong)
    for number in (-1, 42):
        with pytest.raises(FormatError, match="has no territory"):
            world.key_of(number)


@pytest.mark.parametrize("name", [*SHIPPED, "grid-6x6"])
def test_the_kernels_vector_tells_the_same(name: str) -> None:
    world = load(name)
    vector, count = world.world, len(world.territories)
    assert vector.dtype == np.int32
    assert vector.flags.c_contiguous and vector.flags.writeable
    assert (vector[layout.TERRITORIES], vector[layout.CONTINENTS]) == (count, len(world.continents))
    for t, land in enumerate(world.territories):
        assert vector[vector[layout.CONTINENT_OF] + t] == land.continent
        start, end = vector[vector[layout.NEAR] + t], vector[vector[layout.NEAR] + t + 1]
        assert tuple(vector[start:end].tolist()) == world.neighbours[t]
    for c, continent in enumerate(world.continents):
        assert vector[vector[layout.BONUS] + c] == continent.bonus
        assert vector[vector[layout.SIZE] + c] == sum(land.continent == c for land in world.territories)
    assert end == len(vector)


def test_ten_thousand_broken_maps_are_read_or_refused() -> None:
    seeds = [SMALL, str(load("duel")), str(load("grid-2x2"))]
    assert 100 < survivors(WorldMap.parse, FormatError, seeds) < 9_900
