"""The editor of Minesweeper positions in a real browser."""

import re

from playwright.sync_api import Page, expect

from tests.web.browser import (  # the fixtures are taken by name
    browser,
    open_page,
    page,
)
from tests.web.minesweeper_driver import (
    BOARD,
    WAIT,
    cell,
    message,
    open_game,
    says,
    write,
)

__all__ = ["browser", "open_page", "page"]


def test_editor_by_text_clicks_keys_and_dragging(page: Page) -> None:
    page.goto("/#/minesweeper/editor")
    write(page, "3x2x1\n1H\n")
    expect(page.locator("#position-problem")).to_contain_text("Line 2: 2 cells, not 3.")
    write(page, "3x2x1\nHHH\nHHH")
    expect(page.get_by_role("gridcell")).to_have_count(6)
    page.get_by_role("radio", name="open, 1 (1)").click()
    cell(page, "0,0").click()
    says(page, "0,0", ", 1$")
    cell(page, "0,2").focus()
    page.keyboard.press("1")
    says(page, "0,2", ", 1$")
    page.get_by_role("radio", name="flag (F)").drag_to(cell(page, "1,1"))
    says(page, "1,1", "flagged")
    expect(page.get_by_label("As text")).to_have_value("3x2x1\n1H1\nHFH")
    cell(page, "0,2").click(button="right")
    says(page, "0,2", "hidden")
    page.get_by_role("radio", name="open, no mine around (0)").click()
    cell(page, "1,0").hover()
    page.mouse.down()
    cell(page, "1,2").hover(force=True)
    page.mouse.up()
    expect(page.get_by_label("As text")).to_have_value(re.compile("^3x2x1\n1HH\n0[F0]0$"))
    page.get_by_label("Width").fill("4")
    page.get_by_label("Width").press("Enter")
    page.get_by_label("Width").blur()
    expect(page.get_by_role("gridcell")).to_have_count(8)


def test_editor_analyses_and_marks_contradictions(page: Page) -> None:
    page.goto("/#/minesweeper/editor")
    write(page, "4x2x1\nH100\nH100")
    says(page, "0,0", "hidden, 50.0 % mine")
    expect(message(page)).to_contain_text("No cell is sure to be safe.")
    expect(message(page)).to_contain_text("2 layouts")
    write(page, "5x4x3\nH1000\nH1011\nH112H\nHHHHH")
    says(page, "2,4", "proved mine")
    expect(message(page)).to_contain_text("4 safe cells. 2 layouts")
    write(page, "4x2x1\nH200\nH100")
    expect(message(page)).to_contain_text("That cannot be.")
    says(page, "0,1", "contradiction")
    expect(page.locator(".wrong-ring")).not_to_have_count(0)
    expect(page.get_by_role("button", name="Work out the win chance")).to_be_disabled()
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".wrong-ring")).to_have_count(0)


def test_editor_proves_and_plays_out(page: Page) -> None:
    page.goto("/#/minesweeper/editor")
    write(page, "5x4x3\nH1000\nH1011\nH112H\nHHHHH")
    page.get_by_label("Ask why").check()
    cell(page, "2,0").click()
    expect(page.locator(".verdict")).to_have_text("(2,0) is safe.")
    expect(page.locator(".light-cells")).not_to_have_count(0)
    page.get_by_role("button", name="Work out the win chance").click()
    expect(page.get_by_text(re.compile(r"Win chance \d+(\.\d)? % ± \d"))).to_be_visible(timeout=WAIT)


def test_editor_link_file_and_memory(page: Page) -> None:
    page.goto("/#/minesweeper/editor")
    write(page, "3x1x1\n1HH")
    says(page, "0,1", "mine")
    page.get_by_role("button", name="Copy the link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    page.get_by_label("Open a file …").set_input_files(
        {"name": "position.txt", "mimeType": "text/plain", "buffer": b"2x2x?\n1H\nHH\n"}
    )
    expect(page.get_by_role("gridcell")).to_have_count(4)
    expect(page.get_by_label("Mines", exact=True)).to_have_value("")
    page.goto("/#/minesweeper/editor")
    expect(page.get_by_role("gridcell")).to_have_count(4)
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_label("As text")).to_have_value("3x1x1\n1HH")


def test_from_the_game_to_the_editor(page: Page) -> None:
    open_game(page, BOARD)
    cell(page, "0,4").click()
    says(page, "0,4", "open")
    page.get_by_role("button", name="To the editor").click()
    expect(page.get_by_label("As text")).to_have_value("5x4x3\nH1000\nH1011\nH112H\nHHHHH")


def test_nothing_in_a_position_becomes_markup(page: Page) -> None:
    page.goto("/#/minesweeper/editor?p=" + "2x1x0%2F%3Cimg src=x onerror=alert(1)%3E")
    expect(page.get_by_text("The position could not be read.")).to_be_visible()
    assert page.locator("img").count() == 0
