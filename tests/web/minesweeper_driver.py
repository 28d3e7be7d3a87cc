"""Drives the Minesweeper pages in the browser, and tells what they show."""

import json
import re

from playwright.sync_api import Locator, Page, expect

# Mines at 0,0, 2,4 and 3,2. Opening 0,4 leaves the left column, the bottom row and 2,4 hidden.
BOARD = "5x4x3\nIHHHH\nHHHHH\nHHHHI\nHHIHH\n"
RECORD = f"""[Game "Minesweeper"]
[Rules "windows"]
[Player "a student"]
[End "exploded"]

{BOARD.strip()}

; the corner is a good place to begin
uncover 0,4
uncover 3,3
uncover 2,0
uncover 3,2
"""
WAIT = 60_000
"""Milliseconds; workers share the machine with everything else."""


def cell(page: Page, place: str) -> Locator:
    """A cell by its row and column."""
    row, col = place.split(",")
    return page.get_by_role("gridcell", name=re.compile(rf"^row {row}, column {col}, "))


def says(page: Page, place: str, words: str) -> None:
    expect(cell(page, place)).to_have_accessible_name(re.compile(words))


def switch(page: Page, label: str) -> None:
    """Switch something on by its label, as one does who cannot aim at the small control in it."""
    page.get_by_text(label, exact=True).click()
    expect(page.get_by_label(label)).to_be_checked()


def message(page: Page) -> Locator:
    return page.locator(".status-bar .message")


def remember(page: Page, **settings: object) -> None:
    """Have the browser remember settings before a page is opened."""
    lines = [
        f"localStorage.setItem({f'surefoot.{name}'!r}, {json.dumps(json.dumps(value))});"
        for name, value in settings.items()
    ]
    page.add_init_script(f"if (!sessionStorage.told) {{ {''.join(lines)} sessionStorage.told = 1 }}")


def begin(page: Page, query: str = "") -> str:
    """Open the page with a new game; returns the game's address."""
    page.goto(f"/#/minesweeper{query}")
    page.wait_for_url(re.compile("minesweeper/[A-Za-z0-9_-]{16,}"), timeout=WAIT)
    expect(message(page)).not_to_have_text(re.compile("ready"))
    return page.url


def open_game(page: Page, text: str) -> str:
    """Open a game by its text, as a file."""
    before = begin(page)
    page.get_by_label("Open a file …").set_input_files(
        {"name": "game.txt", "mimeType": "text/plain", "buffer": text.encode()}
    )
    expect(page).not_to_have_url(before)
    return page.url


def write(page: Page, text: str) -> None:
    page.get_by_label("As text").fill(text)


def paste(page: Page, text: str) -> None:
    page.goto("/#/minesweeper/replay")
    page.get_by_label("Or paste it").fill(text)
    page.get_by_role("button", name="Replay the text").click()
    expect(page.get_by_role("grid")).to_be_visible(timeout=WAIT)
