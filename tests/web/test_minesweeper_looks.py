"""How the Minesweeper pages look: they fit, they can be read by all, and nothing jumps."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import (  # the fixtures are taken by name
    DESK,
    PHONE,
    SIZES,
    Opener,
    accessibility_faults,
    browser,
    open_page,
    overflow,
    page,
)
from tests.web.minesweeper_driver import (
    BOARD,
    RECORD,
    begin,
    cell,
    open_game,
    paste,
    remember,
    says,
    write,
)

__all__ = ["browser", "open_page", "page"]


def playing(page: Page) -> None:
    remember(page, **{"minesweeper.overlays": {"risks": True, "proved": True, "best": True, "curve": True}})
    open_game(page, BOARD)
    cell(page, "0,4").click()
    says(page, "2,4", "proved mine")


def expert(page: Page) -> None:
    remember(page, **{"minesweeper.game": {"preset": "expert"}})
    begin(page)
    expect(page.get_by_role("gridcell")).to_have_count(480)


def editing(page: Page) -> None:
    page.goto("/#/minesweeper/editor")
    write(page, "5x4x3\nH1000\nH1011\nH112H\nHHHHH")
    says(page, "2,4", "proved mine")


def contradicting(page: Page) -> None:
    page.goto("/#/minesweeper/editor")
    write(page, "4x2x1\nH200\nH100")
    says(page, "0,1", "contradiction")


def replaying(page: Page) -> None:
    paste(page, RECORD)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".judgement")).to_contain_text("A needless guess")


def nothing_to_replay(page: Page) -> None:
    page.goto("/#/minesweeper/replay")
    expect(page.get_by_role("heading", name="Replay a game")).to_be_visible()


SCENES: list[Callable[[Page], None]] = [
    playing,
    expert,
    editing,
    contradicting,
    replaying,
    nothing_to_replay,
]


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_every_page_fits_and_is_accessible(
    open_page: Opener, scene: Callable[[Page], None], size: tuple[int, int], dark: bool
) -> None:
    page = open_page(size=size, dark=dark)
    scene(page)
    assert overflow(page) <= 0
    assert accessibility_faults(page) == []
    if size != PHONE:  # there the page scrolls
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


def test_board_fills_its_place_and_scrolls_on_a_phone(open_page: Opener) -> None:
    desk = open_page(size=DESK)
    expert(desk)
    area, board = desk.locator(".board-area").bounding_box(), desk.locator(".board").first.bounding_box()
    assert area is not None and board is not None
    assert area["width"] - 8 <= board["width"] <= area["width"]
    phone = open_page(size=PHONE)
    expert(phone)
    first = cell(phone, "0,0").bounding_box()
    assert first is not None and first["width"] >= 23.4
    assert phone.locator(".board-area").evaluate("(area) => area.scrollWidth > area.clientWidth")
    begin(phone, "?seed=1")
