// Before a game: the map, the rules, and who plays. All of it is remembered.

import { button, field, fill, h, select, setText, toast, toggle } from "../dom.js";
import { remember, remembered } from "../settings.js";
import { ownerMark, patternDefs, swatch } from "./patterns.js";
import { preview } from "./preview.js";
import { world } from "./worlds.js";

const GRID = "grid";
const MOST_SEATS = 6;
const LEAST_SEATS = 2;
/** Who sits down for a game to watch, as far as they are there. */
const WATCHED = ["planner", "empire", "continent", "killer", "alphabeta", "aggressive", "turtle", "spread", "pacifist", "random"];
const WATCHED_SPEED = 8;
const SWITCHES = [
  ["cards", "Cards", [["progressive", "worth more and more"], ["fixed", "worth by their kinds"], ["none", "none"]]],
  ["fortify", "Fortify", [["adjacent", "to a neighbour"], ["connected", "through own lands"], ["none", "not at all"]]],
  ["placement", "Territories", [["dealt", "dealt at random"], ["claimed", "claimed in turn"]]],
  ["setup_step", "Starting armies", [["1", "one at a time"], ["3", "three at a time"], ["0", "all at once"]]],
  ["blitz", "Attacks", [["may", "once or until decided"], ["must", "until decided"], ["never", "one roll at a time"]]],
];
const TOGGLES = [
  ["fog", "Fog of war"],
  ["capitals", "Capitals"],
];
const EMPTY = { map: "classic", grid: [6, 6], rules: "standard", switches: { setup_step: "0" }, seats: ["human", "continent", "killer"] };

/** The rules' text: the preset, and what differs from it. */
export function rulesText({ rules, switches, seats }) {
  const parts = Object.entries(switches).filter(([name, value]) => value && (name !== "neutral" || seats.length === LEAST_SEATS));
  return parts.length ? `${rules}:${parts.map(([name, value]) => `${name}=${value}`).join(";")}` : rules;
}

/** `create(message, speed)` begins a game and resolves when it is there; `seed` decides its chance, if given. */
export function setup({ about, create, seed }) {
  const { agents } = about.risk;
  let chosen = { ...EMPTY, ...remembered("risk.setup", {}) };
  chosen.seats = chosen.seats.map((player) => (player === "human" || agents.includes(player) ? player : agents[0]));
  let asked = 0;

  const stage = h("section", { class: "stage risk-stage", "aria-label": "Preview of the map" });
  const seats = h("ol", { class: "setup-seats" });
  const start = button("Start", () => begin(message()), { kind: "primary" });
  start.classList.add("button-wide", "button-big");
  const form = h("form", { class: "stack", onsubmit: (event) => (event.preventDefault(), start.click()) });
  const side = h("aside", { class: "side risk-side", "aria-label": "A new game" }, h("h1", { class: "setup-title" }, "A game of Risk"), form);
  drawForm();
  drawPreview();

  function change(part) {
    chosen = { ...chosen, ...part };
    remember("risk.setup", chosen);
  }

  function mapName() {
    return chosen.map === GRID ? `grid-${chosen.grid[0]}x${chosen.grid[1]}` : chosen.map;
  }

  function message() {
    return { type: "create-risk", map: mapName(), rules: rulesText(chosen), seats: chosen.seats, ...(/^[0-9]{1,15}$/.test(seed) ? { seed: Number(seed) } : {}) };
  }

  async function begin(what, pace) {
    start.disabled = true;
    start.classList.add("thinking");
    try {
      await create(what, pace);
    } catch (error) {
      toast(error.message, "danger");
    } finally {
      start.disabled = false;
      start.classList.remove("thinking");
    }
  }

  function drawForm() {
    const size = (place, label) =>
      field(label, h("input", { type: "number", min: 2, max: 20, value: chosen.grid[place], oninput: (event) => resize(place, event.target.value) }));
    const grid = h("div", { class: "row grid-size", hidden: chosen.map !== GRID }, size(0, "Columns"), size(1, "Rows"));
    const maps = about.risk.maps.map(({ name, territories }) => [name, `${name} (${territories})`]);
    const words = (name) => about.risk.rules.find((one) => one.name === name)?.words ?? "";
    const hint = h("span", {}, words(chosen.rules));
    fill(
      form,
      field(
        "Map",
        select([...maps, [GRID, "a grid"]], chosen.map, (map) => {
          change({ map });
          grid.hidden = map !== GRID;
          drawPreview();
        }),
      ),
      grid,
      h("div", { class: "section" }, h("h2", {}, "Players"), seats),
      field(
        "Rules",
        select(about.risk.rules.map(({ name }) => name), chosen.rules, (rules) => {
          change({ rules });
          setText(hint, words(rules));
        }),
        hint,
      ),
      h("details", { class: "setup-more", open: Object.entries(chosen.switches).some(([name, value]) => value && value !== EMPTY.switches[name]) }, h("summary", {}, "More rules"), switches()),
      start,
      h("div", { class: "row" }, button("Watch six agents", watch), opener()),
    );
    drawSeats();
  }

  function switches() {
    const flip = (name) => (value) => change({ switches: { ...chosen.switches, [name]: value } });
    const lists = SWITCHES.map(([name, label, values]) => field(label, select([["", "as the rules say"], ...values], chosen.switches[name] ?? "", flip(name))));
    const both = [...TOGGLES, ["neutral", "A neutral third, with two players"]];
    const flips = both.map(([name, label]) => toggle(label, chosen.switches[name] === "yes", (on) => flip(name)(on ? "yes" : "")).element);
    return h("div", { class: "stack" }, h("div", { class: "setup-switches" }, lists), flips);
  }

  function drawSeats() {
    const players = [["human", "human"], ...agents.map((name) => [name, name])];
    const set = (place) => (player) => change({ seats: chosen.seats.map((one, other) => (other === place ? player : one)) });
    fill(
      seats,
      chosen.seats.map((player, place) =>
        h(
          "li",
          { class: "setup-seat", "data-owner": ownerMark(place, []) },
          swatch(String(place)),
          select(players, player, set(place), { class: "plain grow", "aria-label": `Player ${place + 1}` }),
          button("×", () => remove(place), { kind: "quiet", disabled: chosen.seats.length <= LEAST_SEATS, "aria-label": `Without player ${place + 1}` }),
        ),
      ),
      h("li", {}, button("Add a player", add, { disabled: chosen.seats.length >= MOST_SEATS, kind: "quiet" })),
    );
  }

  function remove(place) {
    change({ seats: chosen.seats.filter((_, other) => other !== place) });
    drawSeats();
  }

  function add() {
    const free = WATCHED.find((name) => agents.includes(name) && !chosen.seats.includes(name)) ?? agents[0];
    change({ seats: [...chosen.seats, free] });
    drawSeats();
  }

  function resize(place, text) {
    const size = Math.round(Number(text));
    if (size < 2 || size > 20) return;
    change({ grid: chosen.grid.map((one, other) => (other === place ? size : one)) });
    drawPreview();
  }

  function watch() {
    begin({ ...message(), seats: sixAgents(agents) }, WATCHED_SPEED);
  }

  function opener() {
    const input = h("input", { type: "file", accept: ".txt,.risk,text/plain", class: "visually-hidden", "aria-label": "Open a saved game", onchange: open });
    return h("span", {}, button("Open a saved game", () => input.click()), input);
  }

  async function open(event) {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    if (file.size > about.limits.max_message / 2) return toast("That file is too large for a game.", "danger");
    const text = await file.text();
    begin({ type: "create-risk", text, seats: seatsFor(text, chosen.seats, agents) });
  }

  async function drawPreview() {
    const turn = ++asked;
    try {
      const found = await world(mapName());
      if (turn === asked) fill(stage, preview(found));
    } catch (error) {
      if (turn === asked) fill(stage, h("p", { class: "muted" }, error.message));
    }
  }

  return h("div", { class: "app risk" }, patternDefs(), stage, side);
}

/** Six of those who are there, each once if there are enough. */
export function sixAgents(agents) {
  const there = WATCHED.filter((name) => agents.includes(name));
  const pool = there.length ? there : agents;
  return Array.from({ length: MOST_SEATS }, (_, place) => pool[place % pool.length]);
}

/** Who sits where in a record: as it names them, else as chosen, as many as it says play. */
export function seatsFor(text, chosen, agents) {
  const header = (name) => text.match(new RegExp(`^\\[${name} "([^"\\n]{1,80})"\\]`, "m"))?.[1];
  const players = Math.min(Math.max(Number(header("Players")) || chosen.length, LEAST_SEATS), MOST_SEATS);
  const known = (name) => name === "human" || agents.includes(name);
  return Array.from({ length: players }, (_, place) => {
    const named = header(`Seat${place}`);
    if (named && known(named)) return named;
    return chosen[place] ?? agents[0];
  });
}
