// Which board is played next: a preset or one of one's own, remembered; or a file.

import { button, field, h, select, setText } from "../dom.js";
import { remember, remembered } from "../settings.js";
import { refuseSize } from "./position.js";
import { presetTitle } from "./words.js";

const CUSTOM = "custom";
const FIRST_CLICKS = [
  ["safe", "is safe"],
  ["opening", "is an opening"],
  ["any", "may be a mine"],
];
// A first click that opens up needs this much room for itself at the most.
const OPENING = 9;

/** The settings chosen last: {preset} or {preset: "custom", width, height, mines, first_click}. */
function recall(presets) {
  const standard = { preset: presets.some(({ name }) => name === "beginner") ? "beginner" : presets[0].name, width: 20, height: 14, mines: 45, first_click: "opening" };
  const chosen = { ...standard, ...remembered("minesweeper.game", {}) };
  if (chosen.preset !== CUSTOM && !presets.some(({ name }) => name === chosen.preset)) chosen.preset = standard.preset;
  return chosen;
}

/** The fewest cells that a first click keeps free of mines whatever cell it is. */
function kept({ width, height, first_click: first }) {
  return { any: 0, safe: 1, opening: Math.min(OPENING, Math.min(width, 3) * Math.min(height, 3)) }[first];
}

/**
 * The panel. `onstart(message)` is given a create-minesweeper message; `onfile(text)` what a file holds.
 */
export function newGame({ presets, limits, onstart, onfile }) {
  const chosen = recall(presets);
  const titles = presets.map(({ name, width, height, mines }) => [name, `${presetTitle(name)} · ${width}×${height}, ${mines} mine${mines === 1 ? "" : "s"}`]);
  const board = select([...titles, [CUSTOM, "A board of my own"]], chosen.preset, (value) => set({ preset: value }));
  const number = (name, label, most) => {
    const input = h("input", { type: "number", inputmode: "numeric", min: name === "mines" ? 0 : 1, max: most, value: chosen[name], required: true, oninput: () => set({ [name]: Math.floor(Number(input.value)) }) });
    return field(label, input);
  };
  const first = select(FIRST_CLICKS, chosen.first_click, (value) => set({ first_click: value }));
  const custom = h(
    "div",
    { class: "custom", onkeydown: (event) => event.key === "Enter" && start() },
    number("width", "Width", limits.side),
    number("height", "Height", limits.side),
    number("mines", "Mines", limits.cells),
    field("The first click", first),
  );
  const problem = h("p", { class: "problem small", role: "status" });
  const input = h("input", { type: "file", class: "visually-hidden", id: "open-game", accept: ".txt,.text,.record,.world,text/plain", onchange: async () => {
    const [file] = input.files;
    input.value = "";
    if (file) onfile(await file.text());
  } });
  const element = h(
    "section",
    { class: "section", "aria-label": "New game" },
    h("h2", {}, "New game"),
    field("Board", board),
    custom,
    problem,
    h("div", { class: "row" }, button("Start", start, { kind: "primary" }), h("label", { class: "button file-button" }, "Open a file …", input)),
  );
  show();

  function set(what) {
    Object.assign(chosen, what);
    remember("minesweeper.game", chosen);
    show();
  }

  function fault() {
    if (chosen.preset !== CUSTOM) return "";
    const { width, height, mines } = chosen;
    try {
      refuseSize(width, height, null, limits);
    } catch (error) {
      return error.message[0].toUpperCase() + error.message.slice(1);
    }
    const room = width * height - kept(chosen);
    return mines >= 0 && mines <= room ? "" : `There is room for 0 to ${Math.max(room, 0)} mines.`;
  }

  function show() {
    custom.hidden = chosen.preset !== CUSTOM;
    setText(problem, fault());
  }

  /** The message that begins the game chosen, or null when it cannot be. */
  function message() {
    if (fault()) return null;
    if (chosen.preset !== CUSTOM) return { type: "create-minesweeper", preset: chosen.preset };
    const { width, height, mines, first_click } = chosen;
    return { type: "create-minesweeper", width, height, mines, first_click };
  }

  function start() {
    const ready = message();
    if (ready) onstart(ready);
  }

  /** The size of the board chosen, to draw it before the game is there. */
  function size() {
    if (chosen.preset === CUSTOM && !fault()) return { width: chosen.width, height: chosen.height, mines: chosen.mines };
    return presets.find(({ name }) => name === chosen.preset) ?? presets[0];
  }

  return { element, start, message, size };
}
