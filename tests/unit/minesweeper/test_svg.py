import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from surefoot import minesweeper as ms
from surefoot import theme as themes
from surefoot.errors import FormatError
from surefoot.minesweeper.svg import MARKS, percent, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
ALL = ms.Observation.parse("9x2x?\n012345678\nHFHHHHHHF")
PICTURES = Path(__file__).parents[3] / "docs" / "pictures"


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{NAMESPACE}text")]


def keys(picture: str, fill: str) -> int:
    """How many squares are drawn in a colour."""
    paths = ElementTree.fromstring(picture).iter(f"{NAMESPACE}path")
    return sum(path.get("d", "").count("M") for path in paths if path.get("fill") == fill)


@pytest.mark.parametrize("theme", themes.THEMES)
def test_every_cell_is_drawn(theme: str) -> None:
    picture = svg(ALL, theme=theme)
    colour = themes.load().palette(theme)
    assert texts(picture) == list("12345678")
    inks = [e.get("fill") for e in ElementTree.fromstring(picture).iter(f"{NAMESPACE}text")]
    assert inks == [colour[f"number-{n}"] for n in range(1, 9)]
    assert keys(picture, colour["cell-hidden"]) == 9
    assert keys(picture, colour["flag"]) == 2


def test_chances_are_coloured_and_printed() -> None:
    chances = np.full((2, 9), np.nan)
    chances[1] = [0, 0.001, 0.125, 0.25, 0.333, 0.5, 0.75, 0.9999, 1]
    picture = svg(ALL, probabilities=chances)
    colour = themes.load().light
    # A flag hides the figure, not the colour.
    assert texts(picture) == ["0", "12", "25", "33", "50", "75", ">99", *"12345678"]
    steps = Counter({f"risk-{n}": keys(picture, colour[f"risk-{n}"]) for n in range(9)})
    assert steps == {
        "risk-0": 2,
        "risk-1": 1,
        "risk-2": 1,
        "risk-3": 1,
        "risk-4": 1,
        "risk-6": 1,
        "risk-8": 2,
    } | {
        "risk-5": 0,
        "risk-7": 0,
    }


def test_open_cells_take_no_chance() -> None:
    analysis = ms.analyze(ms.Observation.parse("5x2x2\nH121H\nHHHHH"))
    picture = svg(analysis.observation, probabilities=analysis.probabilities)
    assert texts(picture) == ["0", "0", "0", "100", "0", "100", "0", "1", "2", "1"]


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0, "0"),
        (1e-9, "<1"),
        (0.005, "<1"),
        (0.006, "1"),
        (0.5, "50"),
        (0.994, "99"),
        (0.996, ">99"),
        (1, "100"),
    ],
)
def test_nothing_is_certain_but_what_is(chance: float, text: str) -> None:
    assert percent(chance) == text


def test_marks_frame_their_cells() -> None:
    colour = themes.load().dark
    picture = svg(ALL, marks={(1, 0): "safe", (1, 2): "mine", (1, 3): "best"}, theme="dark")
    frames = [
        e.get("stroke") for e in ElementTree.fromstring(picture).iter(f"{NAMESPACE}rect") if e.get("stroke")
    ]
    assert frames == [c for ink in ("good", "danger", "accent") for c in (colour["surface"], colour[ink])]
    assert len(MARKS) == 3


def test_what_cannot_be_drawn_is_named() -> None:
    with pytest.raises(FormatError, match=r"shape \(2, 9\), the probabilities \(9, 2\)"):
        svg(ALL, probabilities=np.zeros((9, 2)))
    with pytest.raises(FormatError, match=r"unknown mark '<script>' \(known: safe, mine, best\)"):
        svg(ALL, marks={(0, 0): "<script>"})
    with pytest.raises(FormatError, match=r"cell \(2, 0\) is not on the board"):
        svg(ALL, marks={(2, 0): "best"})
    with pytest.raises(FormatError, match="unknown theme 'sepia'"):
        svg(ALL, theme="sepia")


def test_the_picture_stands_alone() -> None:
    picture = svg(ALL)
    assert re.findall(r"https?://[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
    assert "<script" not in picture and "url(" not in picture
    title = ElementTree.fromstring(picture).findtext(f"{NAMESPACE}title")
    assert title == "Minesweeper, 9x2 with an unknown number of mines"


@pytest.mark.parametrize("name", ["minesweeper", "risk"])
def test_the_pictures_in_the_documents_are_small(name: str) -> None:
    path = PICTURES / f"{name}.svg"
    ElementTree.parse(path)
    assert path.stat().st_size < 60_000
