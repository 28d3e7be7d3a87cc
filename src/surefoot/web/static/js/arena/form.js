// A study to be started; what was chosen last is remembered, game by game.

import { post } from "../api.js";
import { button, field, fill, h, segmented, select, setText } from "../dom.js";
import { presetTitle } from "../minesweeper/words.js";
import { remember, remembered } from "../settings.js";
import { FORMATS } from "./words.js";

const GRID = "grid";
const STANDARD = {
  minesweeper: { agents: ["exact", "sentence"], rules: "expert", format: "worlds", games: 1000, seed: 1 },
  risk: { agents: ["continent", "killer"], rules: "standard", map: "classic", grid: [6, 6], format: "round-robin", games: 200, seed: 1 },
};
const OFFERED = { minesweeper: ["worlds", "sprt"], risk: ["round-robin", "gauntlet", "worlds", "sprt"] };
const HINTS = {
  minesweeper: { worlds: "Worlds that each agent plays.", sprt: "At most so many worlds; it stops when that is decided." },
  risk: {
    "round-robin": "Games of every two, an even number.",
    gauntlet: "Games of the first against each other, an even number.",
    worlds: "Deals at one table, each played once from every seating.",
    sprt: "At most so many games, an even number; it stops when that is decided.",
  },
};

/** The form; `onstart(run)` is told the id of the run that was started. */
export function studyForm({ about, onstart }) {
  const kept = remembered("arena.study", {});
  let game = kept.game === "risk" ? "risk" : "minesweeper";
  const chosen = Object.fromEntries(Object.entries(STANDARD).map(([name, standard]) => [name, recall(standard, kept[name], about[name].agents)]));
  const parts = h("div", { class: "stack" });
  const problem = h("p", { class: "problem small", role: "alert" });
  const start = h("button", { type: "submit", class: "button button-primary button-wide" }, "Start");
  const games = segmented("Game", [["minesweeper", "Minesweeper"], ["risk", "Risk"]], game, (name) => {
    game = name;
    keep();
    draw();
  });
  const form = h("form", { class: "stack", onsubmit: submit }, games.element, parts, problem, start);
  draw();
  return h("section", { class: "section", "aria-label": "A new study" }, h("h2", {}, "A new study"), form);

  function keep() {
    remember("arena.study", { game, ...chosen });
  }

  function change(part) {
    Object.assign(chosen[game], part);
    setText(problem, "");
    keep();
  }

  function draw() {
    const now = chosen[game];
    setText(problem, "");
    fill(
      parts,
      game === "minesweeper" ? boards(now) : maps(now),
      agents(now),
      field("Format", select(OFFERED[game].map((name) => [name, `${name}: ${FORMATS[name]}`]), now.format, (format) => {
        change({ format });
        setText(hint, HINTS[game][format]);
      })),
      h("div", { class: "arena-two" }, number("Games", "games", 1, about.limits.max_study_games), number("Seed", "seed", 0, Number.MAX_SAFE_INTEGER)),
    );
    const hint = h("p", { class: "small muted" }, HINTS[game][now.format]);
    parts.append(hint);
  }

  function boards(now) {
    return field("Board", select(about.minesweeper.presets.map(({ name, width, height, mines }) => [name, `${presetTitle(name)} · ${width}×${height}, ${mines} mines`]), now.rules, (rules) => change({ rules })));
  }

  function maps(now) {
    const size = (place, label) =>
      field(label, h("input", { type: "number", min: 2, max: 20, required: true, value: now.grid[place], oninput: (event) => change({ grid: now.grid.with(place, Math.floor(Number(event.target.value))) }) }));
    const grid = h("div", { class: "arena-two", hidden: now.map !== GRID }, size(0, "Columns"), size(1, "Rows"));
    const chosenMap = select([...about.risk.maps.map(({ name, territories }) => [name, `${name} (${territories})`]), [GRID, "a grid"]], now.map, (map) => {
      change({ map });
      grid.hidden = map !== GRID;
    });
    return [field("Map", chosenMap), grid, field("Rules", select(about.risk.rules.map(({ name }) => name), now.rules, (rules) => change({ rules })))];
  }

  function number(label, name, min, max) {
    return field(label, h("input", { type: "number", inputmode: "numeric", min, max, required: true, value: chosen[game][name], oninput: (event) => change({ [name]: Math.floor(Number(event.target.value)) }) }));
  }

  /** Who plays, in this order, and a list to add one from. */
  function agents(now) {
    const list = h("ol", { class: "arena-agents", "aria-label": "Agents" });
    const adding = h("div", { class: "row arena-add" });
    const show = () => {
      fill(list, now.agents.map((agent) => h("li", {}, h("span", {}, agent), button("×", () => {
        change({ agents: (now.agents = now.agents.filter((one) => one !== agent)) });
        show();
      }, { kind: "quiet", "aria-label": `Remove ${agent}` }))));
      const free = about[game].agents.filter((agent) => !now.agents.includes(agent));
      const next = select(free, free[0], null, { class: "plain", "aria-label": "An agent to add" });
      const add = button("Add", () => {
        change({ agents: (now.agents = [...now.agents, next.value]) });
        show();
        adding.querySelector("select")?.focus();
      });
      fill(adding, free.length > 0 && now.agents.length < about.limits.max_study_agents && [next, add]);
    };
    show();
    return h("fieldset", { class: "arena-who" }, h("legend", { class: "field-label" }, "Agents"), list, adding);
  }

  function study() {
    const { agents: names, rules, format, games: often, seed, map, grid } = chosen[game];
    return { game, agents: names, rules, format, games: often, seed, ...(game === "risk" ? { map: map === GRID ? `grid-${grid[0]}x${grid[1]}` : map } : {}) };
  }

  async function submit(event) {
    event.preventDefault();
    start.disabled = true;
    setText(problem, "");
    try {
      const { run } = await post("/api/arena/runs", study());
      onstart(run);
    } catch (error) {
      setText(problem, error.message);
    } finally {
      start.disabled = false;
    }
  }
}

/** What was chosen last, as far as it is still there. */
function recall(standard, last, known) {
  const found = { ...standard, ...last };
  found.agents = found.agents.filter((agent) => known.includes(agent));
  return found;
}
