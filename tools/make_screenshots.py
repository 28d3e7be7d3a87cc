"""Take the pictures of the page that README and docs show, into docs/pictures/.

    python tools/make_screenshots.py

They are of real games on a real server, reduced to 128 colours so that they stay small.
"""

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
SIZE = (1280, 800)
COLOURS = 128
PATIENCE = 120_000

sys.path.insert(0, str(ROOT))

from tests.web.browser import launch  # noqa: E402 - the tests' own tools are found from the root
from tests.web.serving import serving  # noqa: E402

EXPERT = """
localStorage.setItem("surefoot.minesweeper.game", JSON.stringify({ preset: "expert" }));
const overlays = { risks: true, proved: true, best: true, curve: true };
localStorage.setItem("surefoot.minesweeper.overlays", JSON.stringify(overlays));
"""


def main() -> None:
    with serving() as server, sync_playwright() as playwright:
        server.wait_until_ready()
        browser = launch(playwright)
        minesweeper(page_of(browser, server.url, dark=False, script=EXPERT))
        editor(page_of(browser, server.url, dark=True))
        watching(page_of(browser, server.url, dark=False))
        attacking(page_of(browser, server.url, dark=True))
        browser.close()


def page_of(browser: Browser, url: str, *, dark: bool, script: str = "") -> Page:
    context = browser.new_context(
        viewport={"width": SIZE[0], "height": SIZE[1]},
        color_scheme="dark" if dark else "light",
        base_url=url,
    )
    context.add_init_script(script)
    return context.new_page()


def minesweeper(page: Page) -> None:
    """An expert game half way, with every chance on the board."""
    page.goto("/#/minesweeper?seed=11")
    step = page.get_by_role("button", name="One move")
    for _ in range(70):
        step.click(timeout=PATIENCE)
        page.wait_for_timeout(60)
    page.wait_for_timeout(2000)
    keep(page, "page-minesweeper")


def editor(page: Page) -> None:
    """A position of one's own, and what follows from it."""
    page.goto("/#/minesweeper/editor?p=9x6x8/000000000/001221100/012HH2HHH/1HHHHHHHH/HHHHHHHHH/HHHHHHHHH")
    page.wait_for_timeout(3000)
    keep(page, "page-editor")


def watching(page: Page) -> None:
    """Six agents on the world."""
    page.goto("/#/risk?seed=4")
    page.get_by_role("button", name="Watch six agents").click(timeout=PATIENCE)
    page.get_by_role("slider", name="Agents' speed").press("End")
    page.wait_for_timeout(700)
    page.keyboard.press("p")
    page.wait_for_timeout(1500)
    keep(page, "page-risk")


def attacking(page: Page) -> None:
    """A person's attack: where it can go, and with which odds."""
    page.goto("/#/risk?seed=2")
    page.get_by_role("button", name="Start", exact=True).click(timeout=PATIENCE)
    land = page.locator("[data-key=north-africa]")
    for _ in range(30):
        page.wait_for_timeout(700)
        if page.locator("[data-step=attack][aria-current]").count():
            break
        if page.get_by_text("Place ").count():
            land.click(modifiers=["Shift"], timeout=PATIENCE)
    page.wait_for_timeout(700)
    if not page.locator(".land.from").count():
        land.click()
    page.wait_for_timeout(500)
    page.locator("[data-key=egypt]").hover()
    page.wait_for_timeout(500)
    keep(page, "page-attack")


def keep(page: Page, name: str) -> None:
    """Save what the page shows."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
