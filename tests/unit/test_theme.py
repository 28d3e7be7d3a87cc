import re
from itertools import combinations, product
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

from surefoot import theme
from surefoot.errors import FormatError

NAMES = [
    "ground",
    "surface",
    "raised",
    "line",
    "text",
    "muted",
    "accent",
    "on-accent",
    "danger",
    "good",
    "warn",
]
NAMES += [f"cell-{part}" for part in ("hidden", "hidden-edge", "open", "line")]
NAMES += ["flag", "mine", "exploded", "neutral", "on-neutral", "unowned", "fog", "sea", "land"]
NAMES += [f"number-{n}" for n in range(1, 9)]
NAMES += [f"{on}risk-{n}" for n in range(9) for on in ("", "on-")]
NAMES += [f"{on}player-{n}" for n in range(6) for on in ("", "on-")]
NAMES += [f"continent-{n}" for n in range(6)]

# How linear light reaches those without the cones for red or for green (Machado, Oliveira, Fernandes 2009).
PROTANOPIA = np.array(
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
)
DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
# From linear light to OKLab (Ottosson 2020).
LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def light_of(colour: str) -> NDArray[np.float64]:
    assert re.fullmatch(r"#[0-9a-f]{6}", colour)
    channels = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    dim, bright = sorted(float(light_of(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other))
    return (bright + 0.05) / (dim + 0.05)


def weaker(least: float, colour: theme.Palette, pairs: list[tuple[str, str]]) -> dict[tuple[str, str], float]:
    found = {(one, other): contrast(colour[one], colour[other]) for one, other in pairs}
    return {pair: value for pair, value in found.items() if value < least}


def seen(colour: str, eyes: NDArray[np.float64]) -> NDArray[np.float64]:
    light = np.clip(eyes @ light_of(colour), 0, 1)
    return np.asarray(LAB @ np.cbrt(LMS @ light))


@pytest.mark.parametrize("name", theme.THEMES)
def test_both_themes_have_every_colour(name: str) -> None:
    palette = theme.load().palette(name)
    assert sorted(palette) == sorted(NAMES)
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in palette.values())


@pytest.mark.parametrize("name", theme.THEMES)
def test_text_can_be_read(name: str) -> None:
    colour = theme.load().palette(name)
    pairs = [
        (text, ground)
        for text in ("text", "muted", "accent", "danger", "good", "warn")
        for ground in ("ground", "surface", "raised")
    ]
    pairs += [("text", "sea"), ("muted", "sea"), ("text", "unowned"), ("text", "fog")]
    pairs += [(f"number-{n}", "cell-open") for n in range(1, 9)]
    pairs += [(n, n.removeprefix("on-")) for n in NAMES if n.startswith("on-")]
    pairs += [("mine", "cell-open"), ("mine", "exploded"), ("mine", "cell-hidden"), ("text", "cell-hidden")]
    assert {pair: contrast(colour[pair[0]], colour[pair[1]]) for pair in pairs} == pytest.approx(
        {pair: theme.contrast(colour[pair[0]], colour[pair[1]]) for pair in pairs}
    )
    poor = {
        p: contrast(colour[p[0]], colour[p[1]]) for p in pairs if contrast(colour[p[0]], colour[p[1]]) < 4.5
    }
    assert not poor


@pytest.mark.parametrize("name", theme.THEMES)
def test_signs_stand_out(name: str) -> None:
    colour = theme.load().palette(name)
    signs = [("flag", "cell-hidden"), *((f"continent-{n}", "sea") for n in range(6))]
    poor = {
        p: contrast(colour[p[0]], colour[p[1]]) for p in signs if contrast(colour[p[0]], colour[p[1]]) < 3
    }
    assert not poor


@pytest.mark.parametrize("eyes", [np.eye(3), PROTANOPIA, DEUTERANOPIA], ids=["all", "no red", "no green"])
@pytest.mark.parametrize("name", theme.THEMES)
def test_players_are_told_apart_by_all_eyes(name: str, eyes: NDArray[np.float64]) -> None:
    colour = theme.load().palette(name)
    players = [f"player-{n}" for n in range(6)]
    pairs = [*combinations(players, 2), *product(players, ("neutral", "sea", "unowned"))]
    apart = {
        (one, other): float(np.linalg.norm(seen(colour[one], eyes) - seen(colour[other], eyes)))
        for one, other in pairs
    }
    # Two colours 0.02 apart can just be told from each other side by side (Ottosson 2020).
    assert min(apart.values()) > 0.1, min(apart, key=lambda pair: apart[pair])
    assert min(d for (_, other), d in apart.items() if other.startswith("player")) > 0.14


@pytest.mark.parametrize("name", theme.THEMES)
def test_risk_grows_in_even_steps(name: str) -> None:
    colour = theme.load().palette(name)
    lightness = [seen(colour[f"risk-{n}"], np.eye(3))[0] for n in range(9)]
    steps = np.diff(lightness)
    assert steps.min() > 0.05 and steps.max() < 0.12


def test_each_player_has_a_pattern_of_its_own() -> None:
    patterns = theme.load().patterns
    assert len({pattern.name for pattern in patterns}) == 6
    assert len({(pattern.stroke, pattern.fill) for pattern in patterns}) == 6
    for pattern in patterns:
        element = ElementTree.fromstring(pattern.svg("p", "#ffffff", "currentColor"))
        assert element.get("id") == "p"
        assert len(element) == 1 + bool(pattern.stroke) + bool(pattern.fill)


def test_the_style_sheet_has_light_dark_and_the_users_choice() -> None:
    sheet = theme.css()
    light, media, dark = sheet.splitlines()
    assert light.startswith(":root{--font:system-ui")
    assert media.startswith("@media (prefers-color-scheme: dark){:root:not([data-theme=light]){")
    assert dark.startswith(":root[data-theme=dark]{")
    for rule, name in (light, "light"), (media, "dark"), (dark, "dark"):
        found = dict(re.findall(r"--([a-z0-9-]+):(#[0-9a-f]{6});", rule))
        assert found == dict(theme.load().palette(name))
        assert rule.count("{") == rule.count("}")


def test_an_unknown_theme_is_named() -> None:
    with pytest.raises(FormatError, match="unknown theme 'sepia'"):
        theme.load().palette("sepia")
