import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from surefoot import theme as themes
from surefoot.errors import FormatError
from surefoot.risk import Game, Rules, WorldMap, load
from surefoot.risk.kernels.layout import HIDDEN, NOBODY
from surefoot.risk.situation import Situation
from surefoot.risk.svg import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
FOG = replace(Rules(), fog=True)


def game(name: str = "classic", players: int = 3, rules: Rules | None = None) -> Game:
    return Game(load(name), rules or Rules(), players, rng=np.random.default_rng(3))


def fills(picture: str) -> Counter[str]:
    """How many territories have each fill; the name of the picture is left out."""
    uses = [use for use in ElementTree.fromstring(picture).iter(f"{NAMESPACE}use") if use.get("fill")]
    return Counter(re.sub(r"url\(#.*(player-\d)\)", r"\1", use.get("fill", "")) for use in uses)


def texts(picture: str) -> list[str]:
    return [
        "".join(element.itertext()) for element in ElementTree.fromstring(picture).iter(f"{NAMESPACE}text")
    ]


@pytest.mark.parametrize("theme", themes.THEMES)
@pytest.mark.parametrize("name", ["classic", "archipelago", "grid-6x6"])
@pytest.mark.parametrize("players", [3, 6])
def test_every_territory_has_its_owner_and_its_armies(name: str, players: int, theme: str) -> None:
    played = game(name, players)
    picture = svg(played, theme=theme)
    owners = Counter(f"player-{seat}" for seat in played.owners.tolist())
    assert fills(picture) == owners
    root = ElementTree.fromstring(picture)
    assert len({p.get("id") for p in root.iter(f"{NAMESPACE}pattern")}) == players
    assert len({p.get("id") for p in root.iter(f"{NAMESPACE}path") if p.get("id")}) == len(played.owners)
    figures = [text for text in texts(picture) if text.isdecimal()]
    assert figures == [str(armies) for armies in played.armies.tolist()]
    for seat in range(players):
        lands = played.territory_counts[seat]
        assert any(text.startswith(f"seat {seat}: {lands} territor") for text in texts(picture))


def test_the_names_and_bonuses_of_the_classic_world_are_written() -> None:
    written = texts(svg(game()))
    for name in ("Peru", "WesternUnited States", "New Guinea".replace(" ", "")):
        assert name in written
    for words in ("ASIA +7", "NORTH AMERICA +5", "AUSTRALIA +2"):
        assert words in written


def test_references_stay_within_the_picture() -> None:
    picture = svg(game("classic", 6))
    root = ElementTree.fromstring(picture)
    known = {element.get("id") for element in root.iter() if element.get("id")}
    asked = set(re.findall(r"url\(#([^)]*)\)", picture)) | {
        use.get("href", "").removeprefix("#") for use in root.iter(f"{NAMESPACE}use")
    }
    assert asked <= known
    assert re.findall(r"https?://[^\"]*", picture) == ["http://www.w3.org/2000/svg"]


def test_two_pictures_on_a_page_do_not_share_names() -> None:
    moved = WorldMap.parse(str(load("duel")).replace("[20, 30]", "[20, 45]"))
    names: list[set[str]] = []
    for picture in (
        svg(game("duel", 2)),
        svg(game("duel", 2), theme="dark"),
        svg(Game(moved, Rules(), 2, rng=np.random.default_rng(0))),
    ):
        names.append({str(e.get("id")) for e in ElementTree.fromstring(picture).iter() if e.get("id")})
    assert not names[0] & names[1] and not names[0] & names[2] and not names[1] & names[2]


def test_fog_shows_neither_owner_nor_armies() -> None:
    seen = game(rules=FOG).observation(0)
    hidden = int((seen.owners == HIDDEN).sum())
    assert hidden > 5
    picture = svg(seen)
    assert fills(picture)[themes.load().light["fog"]] == hidden
    assert sum(text.isdecimal() for text in texts(picture)) == 42 - hidden
    assert picture.count(": in the fog") == hidden


def test_the_neutral_and_what_nobody_owns() -> None:
    played = game(players=2, rules=replace(Rules(), neutral=True))
    neutral = int((played.owners == 2).sum())
    assert fills(svg(played))[themes.load().light["neutral"]] == neutral > 0
    claimed = game(players=3, rules=replace(Rules(), placement="claimed"))
    assert (claimed.owners == NOBODY).all()
    assert fills(svg(claimed)) == {themes.load().light["unowned"]: 42}


def test_names_are_escaped() -> None:
    text = str(load("duel")).replace("Moor", '"<b>&"').replace("West", '"</svg>"').replace('""', '"')
    world = WorldMap.parse(text)
    picture = svg(Game(world, Rules(), 2, rng=np.random.default_rng(0)))
    assert "<b>" not in picture
    assert {"<b>&", "</SVG> +1"} <= set(texts(picture))


def test_large_armies_get_wide_badges() -> None:
    played = game()
    state = played.state.copy()
    situation = Situation(played.worldmap, played.rules, 3, state)
    situation.armies[0] = 123_456
    narrow, wide = svg(played), svg(situation)
    widths = [
        max(
            float(rect.get("width", "0"))
            for rect in ElementTree.fromstring(picture).iter(f"{NAMESPACE}rect")
            if rect.get("rx") == "9"
        )
        for picture in (narrow, wide)
    ]
    assert widths[0] == 18 and widths[1] > 45


def test_size_and_theme() -> None:
    root = ElementTree.fromstring(svg(game(), size=640))
    assert root.get("width") == "640"
    assert ElementTree.fromstring(svg(game())).get("width") is None
    with pytest.raises(FormatError, match="unknown theme"):
        svg(game(), theme="blue")
