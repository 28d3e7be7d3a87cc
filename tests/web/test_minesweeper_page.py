"""Minesweeper in a real browser: whole games by clicks, keys and taps."""

import re

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from surefoot.minesweeper.record import Record
from tests.web.browser import (  # the fixtures are taken by name
    PHONE,
    Opener,
    browser,
    open_page,
    page,
)
from tests.web.minesweeper_driver import (
    BOARD,
    WAIT,
    begin,
    cell,
    message,
    open_game,
    remember,
    says,
    switch,
)

__all__ = ["browser", "open_page", "page"]


SAFE_AFTER_OPENING = ["1,0", "2,0", "3,0", "3,1", "3,3", "3,4"]
# 0,0 or 1,0: nothing tells which.
FIFTY = "4x2x1\nIHHH\nHHHH\n"
WORLD = "4 5\n1 1\n0 0 0 0 1\n0 0 0 0 1\n0 0 0 0 0\n0 0 0 0 0\n"


def test_game_by_clicks(page: Page) -> None:
    open_game(page, BOARD)
    expect(message(page)).to_contain_text("5×4, 3 mines")
    cell(page, "0,4").click()
    says(page, "0,2", "open, no mine around")
    says(page, "2,3", ", 2$")
    cell(page, "0,0").click(button="right")
    says(page, "0,0", "flagged")
    expect(page.locator(".counter").first).to_have_text("2")
    cell(page, "0,0").click()  # a flag protects
    says(page, "0,0", "flagged")
    cell(page, "0,0").click(button="right")
    says(page, "0,0", "hidden")
    for place in SAFE_AFTER_OPENING:
        cell(page, place).click()
    expect(message(page)).to_contain_text("Won!")
    expect(message(page)).to_contain_text(re.compile(r"3BV \d+ · \d+\.\d\d 3BV/s"))
    says(page, "3,2", "mine")


def test_a_mine_ends_the_game_and_shows_wrong_flags(page: Page) -> None:
    open_game(page, BOARD)
    cell(page, "0,4").click()
    cell(page, "3,4").click(button="right")
    says(page, "3,4", "flagged")
    cell(page, "3,2").click()
    expect(message(page)).to_contain_text("A mine.")
    says(page, "3,2", "exploded mine")
    says(page, "3,4", "flag, but no mine")
    says(page, "2,4", "mine")
    page.keyboard.press("n")
    says(page, "3,2", "hidden")
    expect(message(page)).to_contain_text("Open a cell to begin.")


def test_game_by_keys(page: Page) -> None:
    open_game(page, BOARD)
    cell(page, "0,0").focus()
    page.keyboard.press("End")
    expect(cell(page, "0,4")).to_be_focused()
    page.keyboard.press("Space")
    says(page, "0,4", "open")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("f")
    says(page, "2,4", "flagged")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("c")  # its only hidden neighbour is flagged
    page.keyboard.press("PageDown")
    expect(cell(page, "3,4")).to_be_focused()
    page.keyboard.press("Enter")
    says(page, "3,4", ", 1$")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    says(page, "3,3", ", 2$")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("f")
    says(page, "3,2", "flagged")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("c")  # 2,2 has its mine: 3,1 opens
    says(page, "3,1", ", 1$")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")  # on a number that has its flags, it opens around it, too
    expect(message(page)).to_contain_text("Won!")
    assert page.evaluate("document.activeElement.dataset.cell") == "11"


@pytest.mark.parametrize("way", ["middle", "both", "left"])
def test_chords(page: Page, way: str) -> None:
    open_game(page, BOARD)
    cell(page, "0,4").click()
    says(page, "1,4", ", 1$")
    cell(page, "3,2").click(button="right")
    says(page, "3,2", "flagged")
    number = cell(page, "2,2")
    if way == "middle":
        number.click(button="middle")
    elif way == "left":
        number.click()
    else:
        number.hover()
        page.mouse.down(button="left")
        page.mouse.down(button="right")
        page.mouse.up(button="left")
        page.mouse.up(button="right")
    says(page, "3,1", ", 1$")
    says(page, "3,3", ", 2$")
    says(page, "3,2", "flagged")
    cell(page, "2,3").click(button="middle")  # one flag of two: nothing happens
    says(page, "3,4", "hidden")


def test_touch(open_page: Opener) -> None:
    page = open_page(size=PHONE, touch=True)
    open_game(page, BOARD)
    cell(page, "0,4").tap()
    says(page, "0,4", "open")
    hold(page, cell(page, "0,0"))
    says(page, "0,0", "flagged")
    flag = page.get_by_role("button", name="Flag")
    flag.tap()
    expect(flag).to_have_attribute("aria-pressed", "true")
    cell(page, "2,4").tap()
    says(page, "2,4", "flagged")
    flag.tap()
    cell(page, "0,1").tap()  # a number with its flag opens around it
    says(page, "1,0", ", 1$")


def hold(page: Page, place: Locator) -> None:
    """A long press of a finger."""
    box = place.bounding_box()
    assert box is not None
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    client = page.context.new_cdp_session(page)
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_timeout(600)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_board_of_ones_own_is_remembered(page: Page) -> None:
    begin(page)
    page.get_by_role("combobox", name="Board").select_option("custom")
    page.get_by_label("Width").fill("7")
    page.get_by_label("Height").fill("6")
    page.get_by_label("Mines", exact=True).fill("42")
    expect(page.get_by_text("There is room for")).to_be_visible()
    page.get_by_label("Mines", exact=True).fill("8")
    page.get_by_label("The first click").select_option("opening")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("gridcell")).to_have_count(42)
    cell(page, "3,3").click()
    says(page, "3,3", "open, no mine around")
    page.goto("about:blank")
    begin(page)
    expect(page.get_by_role("gridcell")).to_have_count(42)
    expect(page.get_by_label("Mines", exact=True)).to_have_value("8")


def test_seed_in_the_address_gives_the_same_game(open_page: Opener) -> None:
    labels = []
    for _ in range(2):
        page = open_page()
        begin(page, "?seed=7")
        cell(page, "4,4").click()
        expect(cell(page, "4,4")).not_to_have_accessible_name(re.compile("hidden"))
        labels.append([one.get_attribute("aria-label") for one in page.get_by_role("gridcell").all()])
    assert labels[0] == labels[1]


def test_overlays(page: Page) -> None:
    open_game(page, FIFTY)
    cell(page, "0,3").click()
    says(page, "0,1", ", 1$")
    assert "mine" not in str(cell(page, "0,0").get_attribute("aria-label"))
    switch(page, "Chance of a mine")
    says(page, "0,0", "hidden, 50.0 % mine")
    expect(cell(page, "0,0").locator(".figure")).to_have_text("50.0")
    page.keyboard.press("b")
    expect(page.locator(".cell .best-ring:not(.best-case)")).to_have_count(1)
    expect(page.locator(".analysis-words")).to_contain_text("2 layouts")
    expect(page.locator(".guesses tbody tr").first).to_have_text("(0,0)50.0 %50.0 %50.0 %")
    expect(page.locator(".guesses li")).to_have_text("(0,0) (1,0): a 50/50 that nothing can settle")
    page.keyboard.press("p")
    expect(page.locator(".figure")).to_have_count(0)
    page.keyboard.press("b")
    expect(page.locator(".guesses")).to_be_hidden()

    open_game(page, BOARD)
    cell(page, "0,4").click()
    says(page, "0,4", "open")
    page.keyboard.press("h")
    says(page, "2,4", "proved mine")
    says(page, "2,0", "proved safe")
    expect(page.locator(".mark-mine")).to_have_count(1)
    expect(page.locator(".mark-safe")).to_have_count(4)
    cell(page, "2,0").click()
    expect(cell(page, "2,0")).not_to_have_accessible_name(re.compile("proved"))
    page.reload()
    says(page, "2,4", "proved mine")  # what was switched on is remembered


def test_why(page: Page) -> None:
    open_game(page, BOARD)
    cell(page, "0,4").click()
    says(page, "0,4", "open")
    switch(page, "Why? Click a cell")
    cell(page, "2,0").click()
    expect(page.locator(".verdict")).to_have_text("(2,0) is safe.")
    says(page, "2,0", "hidden")  # to ask is not to play
    steps = page.locator(".step")
    assert steps.count() >= 3
    expect(steps.first).to_have_attribute("aria-current", "step")
    expect(page.locator(".light-at")).to_have_count(1)  # the number that says so
    lit = lights(page)
    page.get_by_role("button", name="Next step").click()
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    assert lights(page) != lit
    steps.last.click()
    assert len(lights(page)) == 1
    cell(page, "3,2").click()
    expect(page.locator(".why")).to_contain_text("(3,2) is not proved")
    page.keyboard.press("Escape")
    expect(page.locator(".light")).to_have_count(0)
    cell(page, "2,0").click()
    says(page, "2,0", "no mine around")


def lights(page: Page) -> set[tuple[str | None, str | None]]:
    return {(one.get_attribute("x"), one.get_attribute("y")) for one in page.locator(".light-cells").all()}


def test_agent_plays_pauses_and_steps(page: Page) -> None:
    board = {"preset": "custom", "width": 16, "height": 16, "mines": 40, "first_click": "opening"}
    remember(page, **{"minesweeper.agent": {"name": "exact", "speed": 1}, "minesweeper.game": board})
    begin(page, "?seed=3")
    panel = page.get_by_role("region", name="Agent")
    panel.get_by_role("button", name="One move").click()
    expect(page.locator(".cell-hidden")).not_to_have_count(256)
    hidden = page.locator(".cell-hidden").count()
    panel.get_by_role("button", name="Play").click()
    expect(panel.get_by_text("exact is playing")).to_be_visible()
    panel.get_by_role("button", name="Pause").click()
    expect(panel.get_by_role("button", name="Play")).to_be_visible()
    assert 0 < page.locator(".cell-hidden").count() <= hidden
    panel.get_by_label("As fast as it can").check()
    panel.get_by_role("button", name="Play").click()
    expect(message(page)).to_contain_text(re.compile("Won!|A mine."))
    expect(panel.get_by_role("button", name="Play")).to_be_disabled()


def test_win_chance_curve(page: Page) -> None:
    open_game(page, FIFTY)
    switch(page, "Win chance after every move")
    cell(page, "0,3").click()
    note = page.locator(".curve-note")
    expect(note).to_have_text("50.0 %", timeout=WAIT)
    expect(page.get_by_text("Exact, by perfect play.")).to_be_visible()
    expect(page.locator(".curve-line")).to_have_count(1, timeout=WAIT)
    cell(page, "0,0").click()
    expect(note).to_have_text("0.0 %", timeout=WAIT)


def test_reload_restores_and_two_pages_agree(page: Page) -> None:
    address = open_game(page, BOARD)
    cell(page, "0,4").click()
    says(page, "0,4", "open")
    page.reload()
    says(page, "2,3", ", 2$")
    other = page.context.new_page()
    other.goto(address)
    says(other, "2,3", ", 2$")
    cell(other, "2,4").click(button="right")
    says(page, "2,4", "flagged")
    cell(page, "2,0").click()
    says(other, "2,0", ", 0$|no mine around|, 1$")
    page.get_by_role("button", name="Copy the link").click()
    assert page.evaluate("navigator.clipboard.readText()") == address


def test_two_games_at_once(open_page: Opener) -> None:
    one, other = open_page(), open_page()
    open_game(one, BOARD)
    open_game(other, FIFTY)
    cell(one, "0,4").click()
    says(one, "0,4", "open")
    says(other, "0,3", "hidden")


def test_lost_connection_shows_and_heals(page: Page) -> None:
    routes: list[WebSocketRoute] = []

    def meet(route: WebSocketRoute) -> None:
        route.connect_to_server()
        routes.append(route)

    page.route_web_socket(re.compile("/ws$"), meet)
    open_game(page, BOARD)
    page.evaluate(
        "window.states = [];"
        "new MutationObserver(() => states.push(document.getElementById('link-state').textContent))"
        ".observe(document.getElementById('link-state'), {childList: true})"
    )
    routes[-1].close()
    page.wait_for_function("states.some((words) => words.startsWith('No connection'))")
    expect(page.locator("#link-state")).to_have_text("")
    cell(page, "0,4").click()
    says(page, "0,4", "open")


def test_game_that_is_gone(page: Page) -> None:
    page.goto("/#/minesweeper/AAAAAAAAAAAAAAAAAAAAAAAA")
    expect(message(page)).to_contain_text("not there any more", timeout=WAIT)
    page.get_by_role("button", name="Start").click()
    cell(page, "4,4").click()
    expect(cell(page, "4,4")).not_to_have_accessible_name(re.compile("hidden"))


def test_record_is_saved_and_taken_up_again(page: Page) -> None:
    open_game(page, BOARD)
    cell(page, "0,4").click()
    cell(page, "2,4").click(button="right")
    says(page, "2,4", "flagged")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the record").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert [str(action) for action in Record.parse(text).actions] == ["uncover 0,4", "flag 2,4"]
    open_game(page, text)
    says(page, "2,4", "flagged")
    says(page, "2,3", ", 2$")


def test_min_ai_world(page: Page) -> None:
    open_game(page, WORLD)
    says(page, "3,0", "no mine around")  # the start tile
    says(page, "3,1", "hidden")  # and no more
    finish = page.get_by_role("button", name="Finish")
    places = [f"{row},{col}" for row in range(4) for col in range(5) if (row, col) not in ((0, 4), (1, 4))]
    for place in places[:-1]:
        cell(page, place).click()
    expect(message(page)).not_to_contain_text("All safe cells")
    cell(page, places[-1]).click()
    expect(message(page)).to_contain_text("All safe cells are open.")
    finish.click()
    expect(message(page)).to_contain_text("Won!")


def test_what_cannot_be_opened_is_refused_in_words(page: Page) -> None:
    begin(page)
    for text, words in [("what is this", "line 1"), ("2x2x1\nHH\nHH", "editor")]:
        page.get_by_label("Open a file …").set_input_files(
            {"name": "game.txt", "mimeType": "text/plain", "buffer": text.encode()}
        )
        expect(page.locator(".toast-danger").last).to_contain_text(words)


def test_no_layout_shift_when_the_game_ends(page: Page) -> None:
    open_game(page, FIFTY)
    before = page.locator(".board").first.bounding_box()
    cell(page, "0,3").click()
    cell(page, "0,0").click()
    expect(message(page)).to_contain_text("A mine.")
    assert page.locator(".board").first.bounding_box() == before
