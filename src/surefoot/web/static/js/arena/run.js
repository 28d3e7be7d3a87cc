// One run: how far it is, what it shows, and its games.

import { get, post } from "../api.js";
import { button, field, fill, h, select, setText, toast } from "../dom.js";
import { replayOf } from "./game.js";
import { poll } from "./poll.js";
import { cross, outcomes, pairs, seats, standings, test } from "./tables.js";
import { FORMATS, STATES, games, moment, progressWords, spaced, title } from "./words.js";

const CROSS_FROM = 3;
const PLOTS = { wins: "Wins", outcomes: "Outcomes", pairs: "Two by two", ratings: "Ratings", seats: "Wins by seat", cross: "Agents against agents", test: "The sequential test" };

export function runPage(root, { params, navigate }) {
  const id = params.run;
  const address = `/api/arena/runs/${id}`;
  let gone = false;
  let run = null;
  let drawn = "";
  const heading = h("h1", {}, "A run");
  const state = h("span", { class: "badge", role: "status" });
  const progress = h("progress", { max: 1, value: 0, "aria-label": "Games played" });
  const words = h("p", { class: "tabular", id: "arena-words" });
  const error = h("p", { class: "problem", role: "alert" });
  const found = h("div", { class: "arena-found" }, h("p", { class: "muted thinking" }, "Looking"));
  const plots = h("div", { class: "arena-plots" });
  const controls = h("div", { class: "row" });
  const facts = h("dl", { class: "arena-facts" });
  const opening = h("div", { class: "stack" });
  const last = h("ul", { class: "arena-games" });
  root.append(
    h(
      "div",
      { class: "app" },
      h("section", { class: "stage arena-stage", "aria-label": "The run" }, h("div", { class: "row-between" }, heading, state), progress, words, error, found, plots),
      h(
        "aside",
        { class: "side", "aria-label": "Controls" },
        h("p", {}, h("a", { href: "#/arena" }, "All runs")),
        controls,
        h("section", { class: "section", "aria-label": "The study" }, h("h2", {}, "The study"), facts),
        h("section", { class: "section", "aria-label": "Games" }, h("h2", {}, "Games"), opening, h("h3", {}, "The last ones"), last),
      ),
    ),
  );
  const asking = poll(look);

  async function look() {
    try {
      const told = await get(address);
      if (gone) return false;
      const first = run === null;
      run = told;
      setText(error, run.error ? `It failed: ${run.error}` : "");
      if (first) furnish();
      const now = JSON.stringify(told);
      if (now !== drawn) draw();
      drawn = now;
      return run.state === "running";
    } catch (problem) {
      if (gone) return false;
      setText(error, problem.message);
      if (run === null) fill(found);
      return problem.status !== 404;
    }
  }

  /** What does not change while the run is played. */
  function furnish() {
    const { study } = run;
    setText(heading, title(study));
    const rows = [["Agents", study.agents.join(", ")], ["Format", `${study.format}: ${FORMATS[study.format]}`], ["Rules", study.rules ?? "the usual"], ["Games", games(run.games)], ["Seed", study.seed], ["Begun", moment(run.begun)], ["Run", id]];
    fill(facts, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
    const number = h("input", { type: "number", min: 0, max: study.game === "minesweeper" ? study.games - 1 : run.games - 1, value: 0, required: true });
    const agent = select(study.agents, study.agents[0]);
    const form = h(
      "form",
      { class: "stack", onsubmit: (event) => {
        event.preventDefault();
        navigate(replayOf(study, id, number.value, agent.value));
      } },
      field(study.game === "minesweeper" ? "World number" : "Game number", number),
      study.game === "minesweeper" && field("Played by", agent),
      h("button", { type: "submit", class: "button" }, "Open the game"),
    );
    fill(opening, form);
  }

  function draw() {
    const { study } = run;
    setText(state, STATES[run.state]);
    state.dataset.state = run.state;
    progress.max = run.games;
    progress.value = run.played;
    setText(words, progressWords(run));
    drawControls();
    const many = new Set(run.pairs.flatMap(({ one, other }) => [one, other])).size >= CROSS_FROM;
    const places = scrolled(found);
    fill(
      found,
      run.sprt && test(run),
      section("Standings", standings(run)),
      many && section("Won by the row alone", cross(run)),
      run.pairs.length > 0 && section("Two by two", pairs(run)),
      run.seats.length > 0 && section("Wins by seat", seats(run)),
      section("What the games were", outcomes(run)),
    );
    scrollBack(found, places);
    drawPlots();
    fill(last, lastGames().map(([href, name, came]) => h("li", {}, h("a", { href }, name), h("span", { class: "muted small" }, ` ${came}`))));
    if (!last.firstChild) fill(last, h("li", { class: "muted small" }, "None yet."));
  }

  /** The last games as [address, name, what came of it]; a game of Risk is one for all who played it. */
  function lastGames() {
    const { study, last_games: rows } = run;
    if (study.game === "minesweeper") return rows.map(({ game, agent, outcome, end }) => [replayOf(study, id, game, agent), `World ${game}, ${agent}`, `${spaced(outcome)}, ${spaced(end)}`]);
    return [...new Set(rows.map(({ game }) => game))].map((number) => {
      const mine = rows.filter(({ game }) => game === number);
      const winner = mine.find(({ outcome }) => outcome === "won");
      return [replayOf(study, id, number), `Game ${number}`, winner ? `${winner.agent} won` : `${spaced(mine[0].end)}: ${mine.map(({ agent }) => agent).join(", ")}`];
    });
  }

  function drawControls() {
    if (controls.dataset.state === run.state) return;
    controls.dataset.state = run.state;
    const act = (label, what, kind) =>
      button(label, async (event) => {
        event.target.disabled = true;
        try {
          await post(`${address}/${what}`, {});
        } catch (problem) {
          toast(problem.message, "danger");
        }
        event.target.disabled = false;
        asking.now();
      }, { kind });
    fill(controls, run.state === "running" ? act("Stop", "stop", "danger") : run.state === "complete" ? null : act("Resume", "resume", "primary"));
  }

  // Figures take the server a second: they are drawn when asked for.
  function drawPlots() {
    if (plots.dataset.names === run.plots.join()) return;
    plots.dataset.names = run.plots.join();
    const pictures = h("div", { class: "arena-pictures" });
    const show = () => {
      // The number of games keeps a browser from showing what it had before.
      const { played } = run;
      fill(pictures, run.plots.map((name) => {
        const source = `${address}/plots/${name}.svg?games=${played}`;
        return h("figure", {}, h("img", { src: source, alt: `${PLOTS[name]}, a figure of what the tables tell`, loading: "lazy" }), h("figcaption", { class: "small" }, h("a", { href: source, download: `${id}-${name}.svg` }, `${PLOTS[name]} as SVG`)));
      }));
    };
    fill(plots, run.plots.length > 0 && section("Figures", h("div", { class: "row" }, button("Draw the figures", show)), pictures));
  }

  return () => {
    gone = true;
    asking.close();
  };
}

function section(name, ...children) {
  return h("section", { class: "section", "aria-label": name }, h("h2", {}, name), children);
}

/** How far the tables are scrolled, and which one has the focus, to be the same when they are drawn anew. */
function scrolled(element) {
  return new Map([...element.querySelectorAll(".arena-scroll")].map((one) => [one.getAttribute("aria-label"), [one.scrollLeft, one === document.activeElement]]));
}

function scrollBack(element, places) {
  for (const one of element.querySelectorAll(".arena-scroll")) {
    const [left, focused] = places.get(one.getAttribute("aria-label")) ?? [0, false];
    one.scrollLeft = left;
    if (focused) one.focus({ preventScroll: true });
  }
}
