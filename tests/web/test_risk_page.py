"""The pages of Risk, played in a real browser by clicks and by keys."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from surefoot import theme
from surefoot.risk.record import Record
from surefoot.risk.review import review
from surefoot.risk.worldmap import load
from tests.web.browser import (
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
from tests.web.risk_driver import (
    DUEL,
    PATIENCE,
    Clicks,
    Keys,
    begin,
    figures,
    key_of,
    land,
    lit,
    load_game,
    placed_on,
    play_out,
    prepare,
    prompt,
    record,
    saved_game,
    sight,
    standing,
    to_attack,
    wait_for,
    words,
)

__all__ = ["browser", "open_page", "page"]


def test_a_whole_game_is_played_by_clicks(page: Page) -> None:
    begin(page, seed=3)
    assert re.fullmatch("Player [12] has won[.]", play_out(page, Clicks(page)))
    assert len({owner for owner, _ in standing(page).values()}) == 1


def test_a_whole_game_is_played_by_keys(page: Page) -> None:
    begin(page, seed=4)
    assert re.fullmatch("Player [12] has won[.]", play_out(page, Keys(page)))


def test_what_was_placed_is_taken_back(page: Page) -> None:
    begin(page, rules="modern", setup_step="0")
    before = standing(page)
    wait_for(page, lambda: land(page, placed_on(page, "0")))
    assert sum(armies for _, armies in standing(page).values()) == 7
    wait_for(page, lambda: page.get_by_role("button", name="Undo").click())
    assert standing(page) == before
    assert page.get_by_role("button", name="Undo").is_disabled()


def test_shift_click_places_five(page: Page) -> None:
    begin(page, "classic", setup_step="0")
    key = next(iter(lit(page)))
    wait_for(page, lambda: page.locator(f'[data-key="{key}"]').dispatch_event("click", {"shiftKey": True}))
    assert standing(page)[key] == ("0", 6)


def test_attacks_stop_where_they_are_told_to(page: Page) -> None:
    begin(page, "duel", setup_step="0", starting_armies="30", seed=2)
    player = Clicks(page)
    for mark in "01":
        wait_for(page, lambda mark=mark: player.pick(placed_on(page, mark)))  # type: ignore[misc]
        wait_for(page, player.place_all)
    to_attack(page)
    source, target = prepare(page, hard=True)
    page.get_by_role("radio", name="One roll").check(force=True)
    wait_for(page, player.attack)
    assert re.search(rf"^attack {source} {target} 3 roll = \d", record(page), re.MULTILINE)

    page.keyboard.press("Escape")
    source, target = prepare(page, hard=True)
    page.get_by_role("radio", name="Stop at").check(force=True)
    page.get_by_label("Stop when so many are left").fill("2")
    expect(page.locator(".bar-odds")).to_contain_text("%")
    wait_for(page, player.attack)
    assert re.search(rf"^attack {source} {target} \d+ until 2 = \d", record(page), re.MULTILINE)
    assert page.locator(".die").count() >= 2


def test_odds_are_shown_before_the_attack_and_follow_the_slider(page: Page) -> None:
    begin(page, seed=5)
    to_attack(page)
    source, _ = prepare(page)
    shown = page.locator(".bar-odds b")
    expect(shown).to_contain_text("%")
    everything = shown.inner_text()
    assert abs(float(everything.split()[0]) - max(figures(page).values())) <= 0.5
    page.get_by_label("Armies", exact=True).fill("1")
    expect(shown).not_to_have_text(everything)
    assert standing(page)[source][1] > 1


def test_armies_are_moved_at_the_end_of_a_turn(page: Page) -> None:
    begin(page, seed=1)
    to_attack(page)
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    expect(page.locator('.steps [aria-current="step"]')).to_have_text("fortify")
    seen = standing(page)
    source = max(lit(page), key=lambda key: seen[key][1])
    land(page, source)
    page.wait_for_function("() => document.querySelector('.land.from')")
    target = next(iter(lit(page) - {source}))
    land(page, target)
    page.wait_for_function("() => document.querySelector('.land.to')")
    wait_for(page, lambda: page.get_by_role("button", name="Move", exact=True).click())
    assert words(page).startswith("Player 2")
    assert standing(page)[source][1] == 1
    assert re.search(rf"^fortify {source} {target} \d+", record(page), re.MULTILINE)


def test_a_reload_in_the_middle_brings_the_game_back(page: Page) -> None:
    begin(page, seed=6)
    to_attack(page)
    page.keyboard.press("Escape")
    before = standing(page), words(page)
    page.reload()
    expect(page.locator(".risk-head")).to_be_visible(timeout=PATIENCE)
    assert (standing(page), words(page)) == before


def test_two_pages_agree_and_two_games_do_not_mix(open_page: Opener) -> None:
    one, other, apart = open_page(), open_page(), open_page()
    begin(one, seed=7)
    begin(apart, seed=8)
    alone = sight(apart)
    other.goto(one.url)
    expect(other.locator(".risk-head")).to_be_visible(timeout=PATIENCE)
    assert sight(one) == sight(other)
    wait_for(other, lambda: land(one, placed_on(one, "0")))
    assert words(one) == words(other)
    assert standing(one) == standing(other)
    assert sight(apart) == alone


def test_a_set_of_cards_is_traded_in(page: Page, tmp_path: Path) -> None:
    load_game(page, saved_game(tmp_path, cards=True))
    page.get_by_role("button", name="Show my cards").or_(page.locator(".playing-card").first).first.click()
    assert page.locator(".playing-card.usable").count() >= 3
    hand = page.locator(".playing-card").count()
    before = prompt(page)
    wait_for(page, lambda: page.locator(".trade").first.click())
    assert page.locator(".playing-card").count() == hand - 3
    assert int(re.sub("[^0-9]", "", prompt(page))) >= int(re.sub("[^0-9]", "", before)) + 4


def test_a_saved_game_is_loaded_again(page: Page, tmp_path: Path) -> None:
    path = saved_game(tmp_path, cards=False)
    load_game(page, path)
    saved = Record.parse(path.read_text(encoding="utf-8")).game()
    owners, armies = saved.owners.tolist(), saved.armies.tolist()
    expected = {DUEL.key_of(place): (str(owners[place]), armies[place]) for place in range(len(owners))}
    assert standing(page) == expected
    with page.expect_download() as download:
        page.get_by_role("link", name="Save").click()
    again = Record.parse(download.value.path().read_text(encoding="utf-8"))
    assert again.history == Record.parse(path.read_text(encoding="utf-8")).history


def test_a_replay_goes_to_and_fro(page: Page, tmp_path: Path) -> None:
    text = saved_game(tmp_path, cards=False).read_text(encoding="utf-8")
    moves = len(Record.parse(text).actions)
    page.goto("/#/risk/replay")
    page.get_by_label("Or its text").fill(text)
    page.get_by_role("button", name="Show it").click()
    figure = page.locator(".replay-controls output")
    expect(figure).to_have_text(f"move 0 of {moves}", timeout=PATIENCE)
    first = standing(page)
    page.get_by_role("button", name="To the end").click()
    expect(figure).to_have_text(f"move {moves} of {moves}")
    saved = Record.parse(text).game()
    owners, armies = saved.owners.tolist(), saved.armies.tolist()
    expected = {DUEL.key_of(place): (str(owners[place]), armies[place]) for place in range(len(owners))}
    assert standing(page) == expected
    page.get_by_label("Move", exact=True).fill("3")
    third = Record.parse(text).game(3)
    assert [armies for _, armies in standing(page).values()] == third.armies.tolist()
    page.get_by_role("button", name="To the start").click()
    assert standing(page) == first
    page.get_by_role("button", name="Play", exact=True).click()
    expect(figure).not_to_have_text(f"move 0 of {moves}")
    expect(page.locator(".curve-line")).to_have_count(2, timeout=PATIENCE)


def test_a_replay_is_reviewed(page: Page, tmp_path: Path) -> None:
    record = Record.parse(saved_game(tmp_path, cards=False).read_text(encoding="utf-8"))
    page.goto("/#/risk/replay")
    page.get_by_label("Or its text").fill(str(record))
    page.get_by_role("button", name="Show it").click()
    page.get_by_role("button", name="Review the game").click(timeout=PATIENCE)
    told = page.locator(".review [role=status]")
    expect(told).to_have_text(re.compile("Choose a turning point|changed much"), timeout=PATIENCE)
    expect(page.locator(".curve-line")).to_have_count(2)
    points = page.locator(".review-points button")
    expect(page.locator(".curve-mark")).to_have_count(points.count())
    found = review(record, 64).turning_points
    assert points.count() == len(found) > 0
    points.first.click()
    expect(told).to_contain_text("% to win")
    figure = page.locator(".replay-controls output")
    expect(figure).to_have_text(f"move {found[0].move + 1} of {len(record.actions)}")
    assert not accessibility_faults(page)


def test_what_is_no_record_is_refused_in_words(page: Page) -> None:
    page.goto("/#/risk/replay")
    page.get_by_label("Or its text").fill("<img src=x onerror=alert(1)>")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator(".toast")).to_contain_text("not a Risk record", timeout=PATIENCE)
    assert page.get_by_label("Or its text").input_value().startswith("<img")


def test_six_agents_are_watched_to_the_end(page: Page) -> None:
    page.goto("/#/risk?seed=3")
    page.get_by_role("button", name="Watch six agents").click()
    expect(page.locator(".risk-head")).to_be_visible(timeout=PATIENCE)
    assert page.locator(".seats tbody tr").count() == 6
    page.get_by_label("Agents' speed").fill("12")
    page.wait_for_function(
        "() => document.querySelector('.head-words').textContent === 'Game over'", timeout=120_000
    )
    assert prompt(page).endswith("has won.")
    assert page.locator(".seats tr.gone").count() == 5
    assert len({owner for owner, _ in standing(page).values()}) == 1


def test_agents_stand_still_and_move_one_by_one(page: Page) -> None:
    begin(page, "delta", ("continent", "killer"), seed=2)
    page.get_by_role("button", name="Pause the agents").click()
    expect(page.get_by_role("button", name="Let the agents play")).to_be_visible()
    page.wait_for_timeout(600)
    still = sight(page)
    page.wait_for_timeout(600)
    assert sight(page) == still
    wait_for(page, lambda: page.get_by_role("button", name="One move").click())


def test_a_seat_changes_hands(page: Page) -> None:
    begin(page, "delta", ("continent", "killer"), seed=2)
    page.get_by_role("button", name="Change").click()
    page.get_by_label("Who plays Killer").select_option("human")
    expect(page.locator(".seats")).to_contain_text("You")
    page.wait_for_function(
        "() => document.querySelector('.head-words').textContent.startsWith('You')", timeout=PATIENCE
    )


def test_advice_is_shown_and_played(page: Page) -> None:
    begin(page, "classic", ("human", "continent"), seed=2)
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".advice-words")).to_contain_text("Place 1 army on", timeout=PATIENCE)
    expect(page.locator(".arrow-advice")).to_have_count(1)
    place = page.locator(".advice-words").inner_text().removeprefix("Place 1 army on ")
    key = next(one for one in standing(page) if one.replace("-", " ") == place.lower())
    page.keyboard.press("g")
    page.wait_for_function(
        """key => {
          const { territory } = document.querySelector(`[data-key=${key}]`).dataset;
          return document.querySelectorAll('.badge-figure')[territory].textContent === '2';
        }""",
        arg=key,
        timeout=PATIENCE,
    )


def test_the_win_chance_is_drawn(page: Page) -> None:
    begin(page, seed=3)
    page.keyboard.press("w")
    expect(page.locator(".chance .curve-dot")).to_have_count(2, timeout=PATIENCE)
    assert page.get_by_role("switch", name="Win chance").is_checked()


def test_the_screen_is_passed_on_under_fog(page: Page) -> None:
    begin(page, "classic", seed=4, fog="yes")
    expect(page.locator(".cover")).to_contain_text("Pass the screen to Player 1")
    assert not page.locator(".land").first.get_attribute("data-owner")
    page.get_by_role("button", name="I am Player 1").click()
    marks = {owner for owner, _ in standing(page).values()}
    assert "0" in marks
    land_of_one = next(iter(lit(page)))
    page.locator(f'[data-key="{land_of_one}"]').dispatch_event("click")
    expect(page.locator(".cover")).to_contain_text("Pass the screen to Player 2")
    assert standing(page)[land_of_one][0] == "0"


def test_the_map_stays_where_it_is(open_page: Opener) -> None:
    for size in (PHONE, DESK):
        page = open_page(size=size)
        begin(page, seed=5)
        boxes = [page.locator(".risk-map-frame").bounding_box()]
        to_attack(page)
        boxes.append(page.locator(".risk-map-frame").bounding_box())
        prepare(page)
        boxes.append(page.locator(".risk-map-frame").bounding_box())
        shapes = [box and (round(box["width"]), round(box["height"])) for box in boxes]
        assert len(set(shapes)) == 1, shapes


def test_the_map_is_looked_at_closely_and_dragged(page: Page) -> None:
    begin(page, "classic", seed=5)
    armies = standing(page)
    picture = page.get_by_role("group", name="Map: classic")
    whole = picture.get_attribute("viewBox")
    page.get_by_role("button", name="Look closer").click()
    closer = picture.get_attribute("viewBox")
    assert closer != whole
    box = picture.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 120, y - 60, steps=4)
    page.mouse.up()
    assert picture.get_attribute("viewBox") != closer
    page.get_by_role("button", name="Show the whole map").click()
    assert picture.get_attribute("viewBox") == whole
    # A drag over lands of one's own has placed nothing.
    page.wait_for_timeout(300)
    assert standing(page) == armies


def test_arrow_keys_reach_every_land(page: Page) -> None:
    page.goto("/")
    for name in ("classic", "archipelago", "grid-6x6"):
        reached = page.evaluate(
            """async name => {
              const { DIRECTIONS, step } = await import('/static/js/risk/compass.js');
              const { geometry } = await (await fetch(`/api/risk/maps/${name}`)).json();
              const reached = new Set([0]);
              for (const place of reached) {
                for (const direction of Object.values(DIRECTIONS)) {
                  const next = step(geometry.anchors, place, direction);
                  if (next !== null) reached.add(next);
                }
              }
              return reached.size;
            }""",
            name,
        )
        assert reached == len(load(name).territories)


def test_patterns_are_those_of_the_theme(page: Page) -> None:
    begin(page)
    drawn = page.evaluate(
        """() => [...document.querySelectorAll('pattern[data-name]')].map(one => [one.dataset.name, Number(
        one.getAttribute('width')), one.querySelector('.tile-stroke')?.getAttribute('d') ?? '',
        one.querySelector('.tile-fill')?.getAttribute('d') ?? ''])"""
    )
    assert drawn == [[one.name, one.size, one.stroke, one.fill] for one in theme.load().patterns]
    opacity = page.evaluate("() => getComputedStyle(document.querySelector('.tile-stroke')).strokeOpacity")
    assert float(opacity) == theme.load().patterns[0].opacity


def test_odds_are_worked_out(page: Page) -> None:
    page.goto("/#/risk/odds")
    expect(page.locator(".odds-win")).to_have_text("81.84 %", timeout=PATIENCE)
    page.get_by_label("Defenders").fill("3, 4, 2")
    page.get_by_label("Attackers").fill("20")
    expect(page.locator(".odds-win")).to_have_text("97.81 %", timeout=PATIENCE)
    assert page.locator(".odds-steps tbody tr").count() == 3
    page.get_by_label("Defenders").fill("three")
    expect(page.locator(".odds-result")).to_contain_text("whole numbers")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_fit_and_can_be_read_by_everybody(open_page: Opener, tmp_path: Path, dark: bool) -> None:
    path = saved_game(tmp_path, cards=True)
    for size in SIZES:
        page = open_page(size=size, dark=dark)
        page.goto("/#/risk")
        expect(page.locator(".preview svg")).to_be_visible(timeout=PATIENCE)
        faults = [overflow(page), *accessibility_faults(page)]
        load_game(page, path)
        faults += [overflow(page), *accessibility_faults(page)]
        page.goto(f"/#/risk/replay?session={key_of(page)}")
        expect(page.locator(".replay-controls")).to_be_visible(timeout=PATIENCE)
        faults += [overflow(page), *accessibility_faults(page)]
        page.goto("/#/risk/odds")
        expect(page.locator(".odds-win")).to_be_visible(timeout=PATIENCE)
        faults += [overflow(page), *accessibility_faults(page)]
        assert set(faults) == {0}, faults
