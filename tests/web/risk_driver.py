"""Plays Risk in the browser, by clicks or by keys, and tells what the page shows."""

import json
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np
from playwright.sync_api import Page, expect

from surefoot.risk.cards import sets
from surefoot.risk.game import Game
from surefoot.risk.record import Record
from surefoot.risk.rules import Rules
from surefoot.risk.situation import Phase
from surefoot.risk.worldmap import load
from surefoot.spec import parse

DUEL: Final = load("duel")
PATIENCE: Final = 60_000
"""Milliseconds; workers share the machine with everything else."""


def begin(
    page: Page,
    name: str = "duel",
    seats: tuple[str, ...] = ("human", "human"),
    *,
    rules: str = "standard",
    seed: int = 1,
    **switches: str,
) -> None:
    """Start a game with these settings on the setup page."""
    grid = re.fullmatch("grid-([0-9]+)x([0-9]+)", name)
    chosen = {
        "map": "grid" if grid else name,
        "grid": [int(grid[1]), int(grid[2])] if grid else [6, 6],
        "rules": rules,
        "seats": list(seats),
        "switches": switches,
    }
    page.goto("/")
    page.evaluate(
        "chosen => localStorage.setItem('surefoot.risk.setup', chosen)",
        json.dumps(chosen),
    )
    page.goto(f"/?x={seed}#/risk?seed={seed}")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".risk-head")).to_be_visible(timeout=PATIENCE)


def land(page: Page, key: str) -> None:
    """Click a land where its badge is."""
    page.locator(f'[data-key="{key}"] .land-shape').click(force=True)


def words(page: Page) -> str:
    """Who does what, as the heading says."""
    return page.locator(".head-words").inner_text()


def prompt(page: Page) -> str:
    return page.locator(".bar-prompt").inner_text()


def lit(page: Page) -> set[str]:
    """The keys of the lands that are lit."""
    return set(page.eval_on_selector_all(".land.lit, .land.to", "all => all.map(one => one.dataset.key)"))


def standing(page: Page) -> dict[str, tuple[str, int]]:
    """The owner's mark and the armies of every land, as drawn."""
    seen: list[list[str]] = page.evaluate(
        """() => {
          const badges = [...document.querySelectorAll('.badge-figure')];
          return [...document.querySelectorAll('.land')].map(
            one => [one.dataset.key, one.dataset.owner, badges[one.dataset.territory].textContent]);
        }"""
    )
    return {key: (owner, int(armies or 0)) for key, owner, armies in seen}


class Clicks:
    """Plays by clicks."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def pick(self, key: str) -> None:
        land(self.page, key)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def place_all(self) -> None:
        self.press("Place all")

    def attack(self) -> None:
        self.press("Attack")

    def occupy(self) -> None:
        self.press("Move in")

    def trade(self) -> None:
        if self.page.get_by_role("button", name="Show my cards").is_visible():
            self.press("Show my cards")
        self.page.locator(".trade").first.click()

    def end(self) -> None:
        self.page.locator(".bar-end-turn").click()


class Keys(Clicks):
    """Plays by keys alone."""

    def pick(self, key: str) -> None:
        page = self.page
        if not page.evaluate("() => document.activeElement.matches('.land')"):
            page.locator('.land[tabindex="0"]').focus()
        for arrow in page.evaluate(_WAY, key):
            page.keyboard.press(arrow)
        assert page.evaluate("() => document.activeElement.dataset.key") == key
        page.keyboard.press("Space")

    def place_all(self) -> None:
        self.page.keyboard.press("Enter")

    attack = occupy = place_all

    def trade(self) -> None:
        self.page.keyboard.press("t")

    def end(self) -> None:
        self.page.keyboard.press("e")


_WAY = """async wanted => {
  const { DIRECTIONS, step } = await import('/static/js/risk/compass.js');
  const { geometry, territories } = await (await fetch('/api/risk/maps/duel')).json();
  const from = Number(document.activeElement.dataset.territory);
  const goal = territories.findIndex(one => one.key === wanted);
  const ways = new Map([[from, []]]);
  for (const place of ways.keys()) {
    for (const [arrow, direction] of Object.entries(DIRECTIONS)) {
      const next = step(geometry.anchors, place, direction);
      if (next !== null && !ways.has(next)) ways.set(next, [...ways.get(place), arrow]);
    }
  }
  return ways.get(goal);
}"""


def wait_for(page: Page, act: Callable[[], None]) -> None:
    """Do something, and wait until the page shows what came of it."""
    before = sight(page)
    act()
    page.wait_for_function(f"before => ({_SIGHT})() !== before", arg=before, timeout=PATIENCE)


def sight(page: Page) -> str:
    seen: str = page.evaluate(_SIGHT)
    return seen


_SIGHT = """() => [...document.querySelectorAll('.risk-head, .bar-prompt, .badge-figure')]
.map(one => one.textContent).join('|')"""


def play_out(page: Page, player: Clicks, most: int = 400) -> str:
    """Play both sides of a duel until one has won: they attack wherever the chance is good."""
    for _ in range(most):
        heading = words(page)
        if heading == "Game over":
            return prompt(page)
        if prompt(page).startswith("Trade"):
            wait_for(page, player.trade)
        elif heading.endswith(("starting armies", "draft")):
            wait_for(page, lambda: player.pick(placed_on(page, "01"["Player 2" in words(page)])))
            if words(page) == heading and "draft" in heading:
                # The click has placed one; here goes the rest.
                wait_for(page, player.place_all)
        elif heading.endswith("occupy"):
            wait_for(page, player.occupy)
        elif not _attack(page, player):
            wait_for(page, player.end)
    raise AssertionError(f"not over after {most} steps: {words(page)}")


def placed_on(page: Page, mark: str) -> str:
    """Where a player places: where it is strongest against the weakest enemy beside it."""
    seen = standing(page)
    leads: dict[str, int] = {}
    for number, near in enumerate(DUEL.neighbours):
        owner, armies = seen[DUEL.key_of(number)]
        enemies = [seen[DUEL.key_of(other)] for other in near]
        against = [number for other, number in enemies if other != mark]
        if owner == mark and against:
            leads[DUEL.key_of(number)] = armies - min(against)
    return max(leads, key=lambda key: leads[key])


def _attack(page: Page, player: Clicks) -> bool:
    """Attack from the strongest land where the chance is good; whether it did."""
    if page.locator('.steps [aria-current="step"]').inner_text() == "fortify":
        return False
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('.land.from')")
    seen = standing(page)
    sources = [key for key in lit(page) if seen[key][1] > 1]
    if not sources:
        return False
    player.pick(max(sources, key=lambda key: seen[key][1]))
    page.wait_for_function("() => document.querySelector('.land.from')")
    chances = figures(page)
    target = max(chances, key=lambda key: chances[key])
    if chances[target] < 60:
        return False
    player.pick(target)
    page.wait_for_function("() => document.querySelector('.land.to')")
    wait_for(page, player.attack)
    return True


def figures(page: Page) -> dict[str, int]:
    """The percentages on the lands that can be attacked."""
    seen: dict[str, str] = page.evaluate(
        """() => {
          const badges = [...document.querySelectorAll('.badge-place')];
          const lands = [...document.querySelectorAll('.land')];
          return Object.fromEntries(lands
            .map(one => [one.dataset.key, badges[one.dataset.territory].querySelector('.odds').textContent])
            .filter(([, text]) => text));
        }"""
    )
    return {key: int(re.sub("[^0-9]", "", text)) for key, text in seen.items()}


def key_of(page: Page) -> str:
    """The key of the game that the address names."""
    return page.url.rsplit("/", 1)[1]


def record(page: Page) -> str:
    """The record of the game on the page, as its link saves it."""
    text: str = page.evaluate(
        "key => fetch(`/api/sessions/${key}/record`).then(one => one.text())", key_of(page)
    )
    return text


def to_attack(page: Page) -> None:
    """Place everything of the setup and the first draft on one's strongest lands."""
    player = Clicks(page)
    while not words(page).endswith("attack"):
        mark = "01"["Player 2" in words(page)]
        wait_for(page, lambda mark=mark: player.pick(placed_on(page, mark)))  # type: ignore[misc]
        if page.get_by_role("button", name="Place all").is_visible() and "draft" in words(page):
            wait_for(page, player.place_all)


def prepare(page: Page, *, hard: bool = False) -> tuple[str, str]:
    """Choose the strongest source and the surest target, or the hardest one; what they are."""
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('.land.from')")
    seen = standing(page)
    source = max(lit(page), key=lambda key: seen[key][1])
    land(page, source)
    page.wait_for_function("() => document.querySelector('.land.from')")
    chances = figures(page)
    target = (min if hard else max)(chances, key=lambda key: chances[key])
    land(page, target)
    page.wait_for_function("() => document.querySelector('.land.to')")
    return source, target


def saved_game(folder: Path, *, cards: bool) -> Path:
    """A duel in its middle, before a draft of the first seat; with a set of cards to trade in, if wanted."""
    for seed in count():
        game = Game(DUEL, Rules(), 2, rng=np.random.default_rng(seed))
        agents = [parse("turtle", "risk").make(seed) for _ in range(2)]
        while not game.over and game.round < 12:
            ready = game.turn == 0 and game.phase is Phase.DRAFT and game.round >= 2
            if ready and not game.must_trade and any(True for _ in sets(DUEL, game.hand(0))) == cards:
                path = folder / "game.txt"
                path.write_text(str(Record.of(game)), encoding="utf-8")
                return path
            game.play(agents[game.turn].act(game.observation()))
    raise AssertionError


def load_game(page: Page, path: Path) -> None:
    page.goto("/#/risk")
    page.get_by_label("Open a saved game").set_input_files(path)
    expect(page.locator(".risk-head")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".badge-figure").first).not_to_be_empty()  # its armies are drawn a moment later
