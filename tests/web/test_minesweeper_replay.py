"""The replay of Minesweeper games in a real browser."""

from itertools import count

from playwright.sync_api import Page, expect

from tests.web.browser import (  # the fixtures are taken by name
    browser,
    open_page,
    page,
)
from tests.web.minesweeper_driver import (
    BOARD,
    RECORD,
    WAIT,
    cell,
    message,
    open_game,
    paste,
    says,
    switch,
)

__all__ = ["browser", "open_page", "page"]


def test_replay_walks_both_ways(page: Page) -> None:
    paste(page, RECORD)
    expect(page.get_by_text("a student")).to_be_visible()
    says(page, "0,4", "hidden")
    page.keyboard.press("ArrowRight")
    says(page, "0,4", "open")
    expect(page.locator(".note")).to_have_text("the corner is a good place to begin")
    page.keyboard.press("End")
    expect(message(page)).to_contain_text("Lost.")
    says(page, "3,2", "exploded mine")
    says(page, "0,0", "mine")
    slider = page.get_by_role("slider", name="Move", exact=True)
    expect(slider).to_have_value("4")
    page.keyboard.press("ArrowLeft")
    says(page, "0,0", "hidden")
    slider.fill("0")
    expect(page.locator(".cell-hidden")).to_have_count(20)
    page.get_by_role("slider", name="Moves a second").fill("60")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(message(page)).to_contain_text("Lost.")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_replay_judges_the_moves(page: Page) -> None:
    paste(page, RECORD)
    judgement = page.locator(".judgement")
    page.keyboard.press("ArrowRight")
    expect(judgement).to_contain_text("A needless guess: there is a safe cell.")
    expect(judgement).to_contain_text("(3,3) is a mine with 50.0 %; the best cell was")
    page.keyboard.press("ArrowRight")
    expect(judgement).to_contain_text("Safe. (2,0) is safe.")
    page.keyboard.press("ArrowRight")
    expect(judgement).to_contain_text("A mistake: that is a mine.")
    switch(page, "Chance of a mine")
    says(page, "3,2", "100 % mine")
    switch(page, "Why? Click a cell")
    cell(page, "3,2").click()
    expect(page.locator(".verdict")).to_have_text("(3,2) is a mine.")


def test_replay_win_chances(page: Page) -> None:
    paste(page, RECORD)
    page.get_by_role("button", name="Work out the win chances").click()
    expect(page.get_by_text("Exact where few layouts are left")).to_be_visible(timeout=60_000)
    page.keyboard.press("End")
    expect(page.locator(".curve-note")).to_have_text("move 4: 0.0 %")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".curve-note")).to_have_text("move 3: 100.0 %")
    chart = page.get_by_role("slider", name="Win chance after each move")
    chart.focus()
    page.keyboard.press("Home")
    says(page, "0,4", "hidden")


def test_replay_of_a_sample_and_of_the_game_played(page: Page) -> None:
    asked = count()
    # The rest of the answers do not come, so that there is something to stop.
    answers = "**/api/minesweeper/win-probability"
    page.route(answers, lambda route: route.continue_() if next(asked) < 20 else None)
    page.goto("/#/minesweeper/replay")
    page.get_by_role("button", name="Let the exact agent play one").click()
    expect(page.get_by_role("gridcell")).to_have_count(480, timeout=60_000)
    page.get_by_role("button", name="Work out the win chances").click()
    expect(page.locator(".curve-line")).to_have_count(1, timeout=60_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped at")).to_be_visible(timeout=WAIT)
    open_game(page, BOARD)
    cell(page, "0,4").click()
    says(page, "0,4", "open")
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.get_by_role("slider", name="Move", exact=True)).to_have_attribute("max", "1")


def test_replay_refuses_in_words(page: Page) -> None:
    page.goto("/#/minesweeper/replay")
    page.get_by_label("Or paste it").fill(RECORD.replace("exploded", "completed"))
    page.get_by_role("button", name="Replay the text").click()
    expect(page.get_by_text("it replays to exploded")).to_be_visible()
