"""The arena's pages in a real browser: a study is started, watched, stopped, and looked into."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import (  # the fixtures are taken by name
    PHONE,
    SIZES,
    Opener,
    accessibility_faults,
    browser,
    open_page,
    overflow,
    page,
)
from tests.web.serving import Running, serving

__all__ = ["browser", "open_page", "page"]

SECONDS = 1000.0
PATIENCE = 120 * SECONDS
"""A run is played at low priority, on a machine that may be busy."""

RUNS = "/api/arena/runs"
Runs = dict[str, str]
"""Where each run's page is, by the game."""


@pytest.fixture(scope="module")
def running_server() -> Iterator[Running]:
    """A server with a store of its own, in which nobody else starts studies."""
    with serving() as server:
        server.wait_until_ready()
        yield server
        assert "Traceback" not in server.said(), server.said()


@pytest.fixture(scope="module")
def server(running_server: Running) -> str:
    return running_server.url


def fill_in(page: Page, *, games: int, seed: int, board: str = "beginner") -> None:
    """Choose Minesweeper's study of `exact` and `sentence` in the form."""
    page.goto("/#/arena")
    page.get_by_role("radio", name="Minesweeper").check()
    page.get_by_label("Board").select_option(board)
    page.get_by_label("Games", exact=True).fill(str(games))
    page.get_by_label("Seed").fill(str(seed))


def start(page: Page, *, games: int, seed: int, board: str = "beginner") -> None:
    fill_in(page, games=games, seed=seed, board=board)
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile("#/arena/[0-9a-f]{16}$"))


def state(page: Page, word: str) -> None:
    # The run's own word: for a moment the list of runs, where each has one, may still stand there.
    expect(page.get_by_role("main").locator(".badge[role=status]")).to_have_text(word, timeout=PATIENCE)


@pytest.fixture(scope="module")
def runs(server: str) -> Runs:
    """Two small runs that are over; three agents, every two of which meet, in Risk's."""
    worlds = {"game": "minesweeper", "rules": "beginner", "agents": ["exact", "sentence"], "games": 40}
    pairs = {"game": "risk", "rules": None, "map": "duel", "agents": ["killer", "continent", "random"]}
    studies = {"minesweeper": worlds, "risk": pairs | {"format": "round-robin", "games": 10}}
    with httpx.Client(base_url=server, timeout=PATIENCE / SECONDS) as asking:
        return {name: f"/#/arena/{played(asking, study)}" for name, study in studies.items()}


def played(asking: httpx.Client, study: dict[str, Any]) -> str:
    """The id of a study's run, once it is over; a server plays few at the same time."""
    run: str = asking.post(RUNS, json=study).raise_for_status().json()["run"]
    end = time.monotonic() + PATIENCE / SECONDS
    while asking.get(f"{RUNS}/{run}").json()["state"] != "complete":
        assert time.monotonic() < end
        time.sleep(0.2)
    return run


def finished(page: Page, runs: Runs) -> None:
    page.goto(runs["minesweeper"])
    state(page, "Complete")


def risk(page: Page, runs: Runs) -> None:
    page.goto(runs["risk"])
    state(page, "Complete")


def listed(page: Page, runs: Runs) -> None:
    page.goto("/#/arena")
    expect(page.get_by_role("link", name=re.compile("exact, sentence")).first).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("killer, continent, random")).first).to_be_visible()


def test_a_study_is_started_watched_and_reloaded(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Runs and studies").click()
    expect(page.get_by_role("heading", name="The arena")).to_be_visible()
    start(page, games=400_000, seed=7, board="expert")
    state(page, "Running")
    words = page.locator("#arena-words")
    expect(words).to_contain_text(re.compile(r"of 800,000 games · .* a second · .* left"), timeout=PATIENCE)
    before = words.text_content() or ""
    expect(words).not_to_have_text(before, timeout=PATIENCE)  # it goes on by itself
    rows = page.get_by_role("region", name="Standings").get_by_role("row")
    expect(rows).to_have_count(3)
    # The count of games is always new; the standings may be as old as four times what it took to make them.
    expect(rows.nth(1).locator("svg.interval")).to_be_visible(timeout=PATIENCE)
    page.reload()
    state(page, "Running")
    page.get_by_role("button", name="Stop").click()
    state(page, "Stopped")
    stopped = words.text_content() or ""
    assert " a second" not in stopped
    played = int(stopped.partition(" of ")[0].replace(",", ""))
    assert played > 0
    page.get_by_role("button", name="Resume").click()
    state(page, "Running")
    page.wait_for_function(
        "(before) => Number(document.getElementById('arena-words').textContent.split(' of ')[0]"
        ".replaceAll(',', '')) > before",
        arg=played,
        timeout=PATIENCE,
    )
    page.get_by_role("button", name="Stop").click()
    state(page, "Stopped")
    page.get_by_role("link", name="All runs").click()
    expect(page.locator(".arena-run").first).to_contain_text("Stopped")


def test_a_game_opens_in_the_replay(page: Page, runs: Runs) -> None:
    finished(page, runs)
    page.get_by_label("World number").fill("5")
    page.get_by_label("Played by").select_option("sentence")
    page.get_by_role("button", name="Open the game").click()
    facts = page.get_by_role("region", name="The game")
    expect(facts).to_contain_text("sentence", timeout=PATIENCE)
    expect(facts).to_contain_text("9×9, 10 mines")
    assert page.get_by_role("gridcell").count() == 81
    page.reload()  # the address is enough
    expect(facts).to_contain_text("sentence", timeout=PATIENCE)
    page.go_back()
    last = page.get_by_role("region", name="Games").get_by_role("link").first
    words = last.text_content() or ""
    last.click()
    agent = words.partition(", ")[2]
    assert agent in ("exact", "sentence")
    expect(facts).to_contain_text(agent, timeout=PATIENCE)


def test_a_game_of_risk_opens_in_the_replay(page: Page) -> None:
    page.goto("/#/arena")
    page.get_by_role("radio", name="Risk").check()
    page.get_by_label("Map").select_option("duel")
    page.get_by_label("An agent to add").select_option("random")
    page.get_by_role("button", name="Add").click()
    page.get_by_label("Games", exact=True).fill("10")
    page.get_by_label("Seed").fill("5")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile("#/arena/[0-9a-f]{16}$"))
    state(page, "Complete")
    expect(page.get_by_role("region", name="Wins by seat").last).to_contain_text("Seat 1")
    table = page.get_by_role("region", name="Won by the row alone").get_by_role("row")
    expect(table.first).to_be_visible()
    expect(page.get_by_role("link", name="Game 9", exact=True)).to_have_count(1)
    page.get_by_label("Game number").fill("3")
    page.get_by_role("button", name="Open the game").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible(timeout=PATIENCE)


def test_figures_are_shown(page: Page, runs: Runs) -> None:
    pytest.importorskip("matplotlib")
    finished(page, runs)
    page.get_by_role("button", name="Draw the figures").click()
    pictures = page.locator("figure img")
    expect(pictures).to_have_count(3)
    pictures.last.scroll_into_view_if_needed()
    page.wait_for_function(
        "() => [...document.querySelectorAll('figure img')].every((one) => one.naturalWidth > 0)",
        timeout=PATIENCE,
    )


def test_what_was_chosen_is_remembered(page: Page) -> None:
    fill_in(page, games=123, seed=45, board="intermediate")
    page.get_by_role("button", name="Remove sentence").click()
    page.get_by_label("An agent to add").select_option("random")
    page.get_by_role("button", name="Add").click()
    page.reload()
    expect(page.get_by_label("Games", exact=True)).to_have_value("123")
    expect(page.get_by_label("Seed")).to_have_value("45")
    expect(page.get_by_label("Board")).to_have_value("intermediate")
    expect(page.get_by_role("list", name="Agents").get_by_role("listitem")).to_have_text(
        [re.compile("exact"), re.compile("random")]
    )


def test_what_cannot_be_is_said(page: Page) -> None:
    fill_in(page, games=1_000_000, seed=1)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_have_text(
        "games: 2,000,000 in all; at most 1,000,000 are played here"
    )
    page.goto("/#/arena/0123456789abcdef")
    expect(page.get_by_role("alert")).to_contain_text("there is no run 0123456789abcdef")


SCENES: list[Callable[[Page, Runs], None]] = [listed, finished, risk]


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_every_page_fits_and_is_accessible(
    open_page: Opener, runs: Runs, scene: Callable[[Page, Runs], None], size: tuple[int, int], dark: bool
) -> None:
    page = open_page(size=size, dark=dark)
    scene(page, runs)
    assert overflow(page) <= 0
    assert accessibility_faults(page) == []


def test_it_fits_a_phone(open_page: Opener, runs: Runs) -> None:
    page = open_page(size=PHONE, touch=True)
    for scene in SCENES:
        scene(page, runs)
        assert overflow(page) <= 0
        assert accessibility_faults(page) == []
