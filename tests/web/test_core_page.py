"""In a real browser: the connection that finds its way back, and the page about the API."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import PHONE, Opener, accessibility_faults, browser, open_page, overflow, page

__all__ = ["browser", "open_page", "page"]

# A page of the server's own that keeps no connection itself. `cut` breaks the connection, `heard` holds what
# the server said.
_SETTING = """async () => {
  const Plain = WebSocket;
  const sockets = [];
  window.heard = [];
  window.WebSocket = class extends Plain {
    constructor(url) {
      super(url);
      sockets.push(this);
      this.addEventListener("message", (event) => heard.push(JSON.parse(event.data)));
    }
  };
  window.cut = () => sockets.at(-1).close();
  const { Connection } = await import("/static/js/socket.js");
  window.connection = new Connection();
  window.states = [];
  connection.addEventListener("state", () => states.push(connection.state));
  window.refusals = [];
  connection.addEventListener("refused", (event) => refusals.push(event.detail.code));
  window.until = async (holds) => {
    const end = performance.now() + 15000;
    while (!holds()) {
      if (performance.now() > end) throw new Error(`not within 15 s: ${holds}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  connection.connect();
  await connection.create({ type: "create-minesweeper", preset: "expert", seed: 1 });
}"""


@pytest.fixture
def connected(page: Page) -> Page:
    """A page with `connection`, at a new game."""
    page.goto("/api/docs")
    page.evaluate(_SETTING)
    return page


def test_it_plays(connected: Page) -> None:
    told: Any = connected.evaluate(
        """async () => {
          await connection.send({ type: "act", action: "flag 0,0" });
          await until(() => connection.view.flags === 1);
          return [connection.state, connection.session.length >= 16, connection.view.cells.length];
        }"""
    )
    assert told == ["open", True, 480]


def test_what_is_refused_rejects_with_its_code(connected: Page) -> None:
    told: Any = connected.evaluate(
        """async () => {
          const tell = (message) => connection.send(message).then(() => "ok", (error) => error.code);
          return [
            await tell({ type: "act", action: "dance" }),
            await tell({ type: "undo" }),
            await tell({ type: "nonsense" }),
            await tell({ type: "act", action: "x".repeat(1 << 20) }),
            await connection.join("x".repeat(20)).then(() => "ok", (error) => error.code),
            await tell({ type: "act", action: "flag 3,3" }),
          ];
        }"""
    )
    assert told == ["bad-message", "not-legal", "bad-message", "too-large", "no-session", "ok"]


def test_a_lost_connection_comes_back_to_the_same_game(connected: Page) -> None:
    told: Any = connected.evaluate(
        """async () => {
          await connection.send({ type: "act", action: "flag 0,0" });
          const session = connection.session;
          const flag = (cell) => connection.send({ type: "act", action: `flag ${cell}` });
          const unanswered = flag("0,1").then(() => "ok", (error) => error.code);
          cut();
          const lost = await unanswered;
          await until(() => connection.state === "lost");
          const refused = await flag("0,2").catch((error) => error.code);
          heard.length = 0;
          await until(() => heard.some((one) => one.type === "snapshot"));
          await flag("0,3");
          await until(() => connection.view.cells[3] === -2);
          const { cells } = connection.view;
          return [lost, refused, states.join(" "), connection.session === session, cells[0], cells[2]];
        }"""
    )
    assert told[0] in ("lost", "ok")
    assert told[1:] == ["lost", "open lost open", True, -2, -1]


def test_who_missed_a_delta_asks_for_a_snapshot(connected: Page) -> None:
    told: Any = connected.evaluate(
        """async () => {
          connection.version -= 1;
          heard.length = 0;
          await connection.send({ type: "act", action: "flag 0,0" });
          await until(() => heard.some((one) => one.type === "snapshot"));
          await connection.send({ type: "act", action: "flag 0,1" });
          await until(() => connection.view.flags === 2);
          return heard.filter((one) => one.type === "snapshot").length;
        }"""
    )
    assert told == 1


def test_a_game_asked_for_before_there_is_a_connection_waits(page: Page) -> None:
    page.goto("/api/docs")
    told: Any = page.evaluate(
        """async () => {
          const { Connection } = await import("/static/js/socket.js");
          const connection = new Connection();
          const create = (preset) => connection.create({ type: "create-minesweeper", preset });
          const first = create("beginner").catch((error) => error.code);
          const second = create("expert");
          connection.connect();
          await second;
          return [await first, connection.view.cells.length];
        }"""
    )
    # Of two, the later one is meant.
    assert told == ["lost", 480]


def test_a_game_that_is_gone_is_told_of(connected: Page) -> None:
    told: Any = connected.evaluate(
        """async () => {
          connection.session = "x".repeat(24);
          cut();
          await until(() => refusals.length > 0);
          return [refusals, connection.session, connection.state];
        }"""
    )
    assert told == [["no-session"], None, "open"]


@pytest.mark.parametrize("dark", [False, True])
def test_the_api_is_told_and_tried(open_page: Opener, dark: bool) -> None:
    page = open_page(size=PHONE, dark=dark)
    page.goto("/api/docs")
    page.wait_for_selector(".operation")
    assert page.locator(".operation").count() >= 10
    question = page.locator(".operation", has_text="/api/minesweeper/analyze")
    question.locator("summary").click()
    question.get_by_role("button", name="Ask").click()
    answer = question.locator("pre:not([hidden])")
    answer.wait_for()
    assert '"probabilities"' in answer.inner_text()
    question.locator("textarea").fill('{"position": "<b>bold</b>"}')
    question.get_by_role("button", name="Ask").click()
    expect(answer).to_contain_text("detail")
    assert page.locator("b").count() == 0
    assert overflow(page) == 0
    assert accessibility_faults(page) == []


def test_a_page_of_another_site_opens_no_socket(browser: Browser, server: str) -> None:
    page = browser.new_page()
    page.route(
        "http://evil.example/**", lambda route: route.fulfill(body="<h1>Hello</h1>", content_type="text/html")
    )
    page.goto("http://evil.example/")
    told: Any = page.evaluate(
        """async (server) => {
          const socket = new WebSocket(`ws${server.slice(4)}/ws`);
          const opened = await new Promise((resolve) => {
            socket.onopen = () => resolve("opened");
            socket.onerror = () => resolve("refused");
          });
          const read = await fetch(`${server}/api/about`).then(() => "read", () => "refused");
          return [opened, read];
        }""",
        server,
    )
    assert told == ["refused", "refused"]
    page.close()


def test_what_is_not_there_leads_back(page: Page) -> None:
    page.goto("/nowhere")
    assert "nothing at /nowhere" in page.locator("main").inner_text()
    assert accessibility_faults(page) == []
    page.get_by_role("link", name="Open Surefoot").click()
    page.wait_for_url("**/")
