"""The Minesweeper pages in a real browser: whole games by clicks, keys and taps; the editor; the replay."""

import json
import re
from collections.abc import Callable
from itertools import count

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from surefoot.minesweeper.record import Record
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

__all__ = ["browser", "open_page", "page"]

# Mines at 0,0, 2,4 and 3,2. Opening 0,4 leaves the left column, the bottom row and 2,4 hidden.
BOARD = "5x4x3\nIHHHH\nHHHHH\nHHHHI\nHHIHH\n"
SAFE_AFTER_OPENING = ["1,0", "2,0", "3,0", "3,1", "3,3", "3,4"]
# 0,0 or 1,0: nothing tells which.
FIFTY = "4x2x1\nIHHH\nHHHH\n"
WORLD = "4 5\n1 1\n0 0 0 0 1\n0 0 0 0 1\n0 0 0 0 0\n0 0 0 0 0\n"
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


# The editor


def write(page: Page, text: str) -> None:
    page.get_by_label("As text").fill(text)


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


# The replay


def paste(page: Page, text: str) -> None:
    page.goto("/#/minesweeper/replay")
    page.get_by_label("Or paste it").fill(text)
    page.get_by_role("button", name="Replay the text").click()
    expect(page.get_by_role("grid")).to_be_visible(timeout=WAIT)


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


# Looks


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


def test_no_layout_shift_when_the_game_ends(page: Page) -> None:
    open_game(page, FIFTY)
    before = page.locator(".board").first.bounding_box()
    cell(page, "0,3").click()
    cell(page, "0,0").click()
    expect(message(page)).to_contain_text("A mine.")
    assert page.locator(".board").first.bounding_box() == before
