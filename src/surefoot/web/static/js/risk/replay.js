// Replays: a record, move by move, with the win chances along it.

import { get, post } from "../api.js";
import { againFromArena } from "../arena/game.js";
import { curve } from "../curve.js";
import { button, field, fill, h, s, setAttribute, setText, toast } from "../dom.js";
import { seriesOf } from "./chance.js";
import { continentsOf, continentsPanel, holders } from "./continents.js";
import { battlePanel } from "./dice.js";
import { spread, timeline } from "./frames.js";
import { landCard } from "./lands.js";
import { logPanel } from "./log.js";
import { riskMap } from "./map.js";
import { reviewPanel } from "./review.js";
import { ownerMark, patternDefs, swatch } from "./patterns.js";
import { sixAgents } from "./setup.js";
import { world } from "./worlds.js";
import { PHASES } from "./words.js";

/** Points of the curve, and games played on for each. */
const MOST_POINTS = 48;
const PLAYOUTS = 200;
const LOG_BEFORE = 60;
/** Moves a second. */
const SPEEDS = [1, 2, 5, 10, 25, 60];

export function mount(root, { connection, about, params }) {
  let player = null;
  let gone = false;
  if (params.session) openSession(params.session);
  else if (params.run) fetched("The game is played again", () => againFromArena(params));
  else empty();

  function empty(text = "") {
    close();
    const words = h("textarea", { rows: 10, spellcheck: false, value: text, placeholder: '[Game "Risk"]\n[Map "classic"]\n…' });
    const file = h("input", { type: "file", accept: ".txt,.risk,text/plain", onchange: async () => file.files[0] && open(await file.files[0].text()) });
    fill(
      root,
      h(
        "div",
        { class: "replay-empty" },
        h("h1", {}, "Replay a game of Risk"),
        h("p", { class: "muted" }, "Open the record of a game, as “Save” writes it and as surefoot risk play and match do."),
        field("A file", file),
        field("Or its text", words),
        h("div", { class: "row" }, button("Show it", () => open(words.value), { kind: "primary" }), button("Let six agents play one", sample)),
      ),
    );
  }

  async function open(text) {
    waiting("Reading the record");
    try {
      const replay = await post("/api/risk/replay", { text });
      const map = await world(replay.map);
      if (gone) return;
      player = show(root, { replay, map, text, onopen: () => empty(text) });
    } catch (error) {
      if (gone) return;
      empty(text);
      toast(error.message, "danger");
    }
  }

  function openSession(key) {
    return fetched("Fetching the game", () => get(`/api/sessions/${encodeURIComponent(key)}/record`));
  }

  async function fetched(doing, record) {
    waiting(doing);
    try {
      const text = await record();
      if (!gone) open(text);
    } catch (error) {
      if (gone) return;
      empty();
      toast(error.message, "danger");
    }
  }

  /** A game that agents play here and now, as fast as they can. */
  async function sample() {
    waiting("Six agents play");
    try {
      await connection.create({ type: "create-risk", map: "classic", rules: "modern", seats: sixAgents(about.risk.agents) });
      const key = connection.session;
      await connection.send({ type: "pace", running: true, speed: 0 });
      await over(connection, key, () => gone, (round) => waiting(`Six agents play: round ${round}`));
      if (!gone) openSession(key);
    } catch (error) {
      if (gone) return;
      empty();
      toast(error.message, "danger");
    }
  }

  function waiting(words) {
    close();
    fill(root, h("div", { class: "replay-empty" }, h("p", { class: "thinking muted", role: "status" }, words)));
  }

  function close() {
    player?.close();
    player = null;
  }

  return () => {
    gone = true;
    close();
  };
}

/** Resolves when a game is over, or when nobody wants to know any more. */
function over(connection, key, unwanted, onround) {
  return new Promise((resolve) => {
    const look = () => {
      const ended = connection.session !== key || connection.view?.outcome !== "running";
      if (!ended && !unwanted()) return onround(connection.view.round);
      connection.removeEventListener("view", look);
      resolve();
    };
    connection.addEventListener("view", look);
    look();
  });
}

/** The replay itself; returns how to end it. */
function show(root, { replay, map, text, onopen }) {
  const { frames } = replay;
  const seats = replay.seats.map((seat) => ({ ...seat, capital: null }));
  const continents = continentsOf(map);
  const states = timeline(frames, map.territories.length);
  const last = frames.length - 1;
  const nameOf = (place) => map.territories[place].name;
  let at = 0;
  let speed = 5;
  let timer = 0;
  let view = null;
  let points = [];
  let tracing = true;
  let ended = false;

  const board = riskMap(map, { onpick: () => {}, card: (place) => landCard(view, map, place) });
  const heading = h("h1", { class: "head-words" });
  const mark = h("span", { class: "head-swatch" });
  const round = h("span", { class: "muted tabular" });
  const said = h("p", { class: "bar-prompt" });
  const slider = h("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Move", oninput: () => seek(Number(slider.value)) });
  const figure = h("output", { class: "tabular muted" });
  const play = button("Play", toggle, { key: "space", kind: "primary" });
  const pace = h("select", { class: "plain", "aria-label": "Speed", onchange: () => ((speed = Number(pace.value)), timer && start()) }, SPEEDS.map((one) => h("option", { value: one, selected: one === speed }, `${one} a second`)));
  const step = (by) => () => (stop(), seek(at + by));
  const chart = curve({ height: 170, series: [], cursor: 0, last, onseek: (x) => (stop(), seek(x)), label: "Win chance along the game" });
  const chartWords = h("p", { class: "small muted" });
  const reviewed = reviewPanel({ text, seats, onseek: (move) => (stop(), seek(move)), onstart: () => (tracing = false), ondrawn: drawReview });
  const standing = h("tbody");
  const table = continentsPanel(continents);
  const battle = battlePanel();
  const log = logPanel();
  const stage = h(
    "section",
    { class: "stage risk-stage", "aria-label": "The board" },
    h("header", { class: "risk-head" }, mark, heading, h("span", { class: "grow" }), round),
    board.element,
    h(
      "section",
      { class: "action-bar replay-controls", "aria-label": "The replay" },
      said,
      slider,
      h("div", { class: "row-between" }, h("div", { class: "row" }, button(icon("M6 5v14M20 5 9 12l11 7z"), step(-Infinity), { "aria-label": "To the start" }), button(icon("M17 5 6 12l11 7z"), step(-1), { "aria-label": "One move back" }), play, button(icon("m7 5 11 7-11 7z"), step(1), { "aria-label": "One move on" }), button(icon("M18 5v14M4 5l11 7-11 7z"), step(Infinity), { "aria-label": "To the end" }), pace), figure),
    ),
  );
  const side = h(
    "aside",
    { class: "side risk-side", "aria-label": "The game" },
    h("table", { class: "seats" }, h("caption", { class: "visually-hidden" }, "The players"), h("thead", {}, h("tr", {}, ["Player", "Lands", "Armies"].map((label) => h("th", { scope: "col" }, label)))), standing),
    h("section", { class: "section" }, h("h2", {}, "Win chance"), chart.element, chartWords, reviewed.element),
    h("section", { class: "section" }, h("h2", {}, "Last attack"), battle.element),
    h("section", { class: "section" }, h("h2", {}, "Log"), log.element),
    h("section", { class: "section" }, h("h2", {}, "Continents"), table.element),
    h("div", { class: "row" }, button("Another game", onopen)),
  );
  fill(root, h("div", { class: "app risk" }, patternDefs(), stage, side));
  const rows = seats.map((seat, place) => standingRow(place, seat, seats));
  standing.append(...rows.map((row) => row.element));
  document.addEventListener("keydown", onkey);
  draw();
  traceCurve();

  function seek(wanted) {
    const next = Math.min(Math.max(wanted, 0), last);
    if (next === at) return;
    at = next;
    draw();
  }

  function draw() {
    const frame = frames[at];
    const { owners, armies } = states.at(at);
    const over = at === last && replay.winner !== null;
    view = { owners, armies, seats, outcome: over ? "won" : "running", choices: null, turn: frame.turn };
    board.draw({
      marks: owners.map((owner) => ownerMark(owner, seats)),
      armies,
      lit: new Set(),
      from: null,
      to: null,
      figures: null,
      arrows: frame.battle ? [{ from: frame.battle.from, to: frame.battle.to, kind: "battle", mark: ownerMark(frame.battle.seat, seats), label: null }] : [],
      held: holders(continents, owners).map((owner) => (owner === null ? null : ownerMark(owner, seats))),
      label: (place) => `${map.territories[place].name}, ${landCard(view, map, place).lines.join(", ")}`,
      lively: timer === 0 || speed <= 10,
    });
    setText(heading, over ? `${seats[replay.winner].name} has won` : `${seats[frame.turn]?.name ?? ""}: ${PHASES[frame.phase] ?? frame.phase}`);
    mark.replaceChildren(swatch(ownerMark(over ? replay.winner : frame.turn, seats)));
    setText(round, frame.round ? `Round ${frame.round}` : "Start");
    setText(said, frame.text);
    slider.value = at;
    setAttribute(slider, "aria-valuetext", `move ${at} of ${last}: ${frame.text}`);
    setText(figure, `move ${at} of ${last}`);
    rows.forEach((row, place) => {
      const held = owners.filter((owner) => owner === place).length;
      setText(row.lands, held);
      setText(row.armies, owners.reduce((sum, owner, land) => sum + (owner === place ? armies[land] : 0), 0));
      setAttribute(row.element, "aria-current", frame.turn === place && !over ? "true" : null);
      row.element.classList.toggle("gone", held === 0 && frame.round > 0);
    });
    battle.draw(lastBattle(), nameOf, false);
    log.draw(frames.slice(Math.max(at - LOG_BEFORE, 0), at + 1).filter((one) => one.text), seats);
    table.draw(view);
    chart.update({ cursor: at });
  }

  function lastBattle() {
    for (let back = at; back >= Math.max(at - LOG_BEFORE, 0); back--) if (frames[back].battle) return frames[back].battle;
    return null;
  }

  function start() {
    clearInterval(timer);
    if (at === last) at = 0;
    timer = setInterval(() => (at === last ? stop() : seek(at + 1)), 1000 / speed);
    setText(play.firstChild, "Pause");
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    setText(play.firstChild, "Play");
  }

  function toggle() {
    if (timer) stop();
    else start();
  }

  function onkey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("textarea, select, input, button, a, .land, [role=slider]")) return;
    const keys = { " ": toggle, ArrowLeft: step(-1), ArrowRight: step(1), Home: step(-Infinity), End: step(Infinity) };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** Fill the curve in, roughly first, until the replay is left. */
  async function traceCurve() {
    for (const number of spread(frames.length, MOST_POINTS)) {
      if (ended || !tracing) return;
      try {
        const found = await post("/api/risk/win-chance", { text, moves: number, playouts: PLAYOUTS, seed: number });
        if (ended || !tracing) return;
        points = [...points, [number, found.values, found.errors]].sort((a, b) => a[0] - b[0]);
        chart.update({ series: seriesOf(points, seats) });
        setText(chartWords, `From ${points.length} of ${Math.min(MOST_POINTS, frames.length)} positions, ${PLAYOUTS} games played on from each.`);
      } catch (error) {
        return setText(chartWords, error.message);
      }
    }
  }

  /** The review's chances in the place of those by playing on. */
  function drawReview({ points, marks, words }) {
    chart.update({ series: seriesOf(points, seats), marks });
    setText(chartWords, words);
  }

  function close() {
    ended = true;
    reviewed.close();
    stop();
    document.removeEventListener("keydown", onkey);
    board.close();
    chart.close();
  }

  return { close };
}

function icon(d) {
  return s("svg", { class: "step-icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d }));
}

function standingRow(place, seat, seats) {
  const [lands, armies] = [h("td"), h("td")];
  return { lands, armies, element: h("tr", { "data-owner": ownerMark(place, seats) }, h("th", { scope: "row" }, h("span", { class: "seat-head" }, swatch(ownerMark(place, seats)), h("span", { class: "seat-name" }, seat.name))), lands, armies) };
}
