// The editor: a position typed, pasted, painted or dropped cell by cell, and what is known of it at once.

import { post } from "../api.js";
import { button, field, fill, h, s, segmented, setText, toast, toggle } from "../dom.js";
import { remember, remembered } from "../settings.js";
import { Board } from "./board.js";
import { SIZE, partsOf } from "./cell.js";
import { OVERLAYS, drawn, ofAnswer } from "./overlay.js";
import { acceptFiles } from "./files.js";
import { guessPanel } from "./guesses.js";
import { anyHidden, emptyPosition, isBoard, minesTold, parse, refuseSize, resize, seen, toText, withCell } from "./position.js";
import { whyPanel } from "./why.js";
import { FLAGGED, FLAG_ON_NO_MINE, HIDDEN, KNOWN_MINE, cellName, layouts, percent } from "./words.js";

const PIECES = [
  [HIDDEN, "H", "hidden"],
  [FLAGGED, "F", "flag"],
  ...Array.from({ length: 9 }, (_, number) => [number, String(number), number === 0 ? "open, no mine around" : `open, ${number}`]),
];
const TRUTHS = [
  [KNOWN_MINE, "I", "hidden, a mine"],
  [FLAG_ON_NO_MINE, "O", "flagged, no mine"],
];
const DEBOUNCE = 120;
const LINK_LENGTH = 2500;
const PLAYOUTS = 400;
const START = "9x9x10\nHHHHHHHHH\nHHHHHHHHH\nHH3211HHH\nHH1001HHH\nHH2112HHH\nHHHHHHHHH\nHHHHHHHHH\nHHHHHHHHH\nHHHHHHHHH";

export function mount(root, { about, params, navigate }) {
  const limits = { side: about.limits.max_side ?? 200, cells: about.limits.max_cells ?? 10000 };
  const shown = { risks: true, proved: true, best: true, ...remembered("minesweeper.editor.overlays", {}) };
  let position = begin();
  let help = null;
  let wrong = null;
  let piece = 3;
  let mode = "paint";
  let turn = 0;
  let waiting = 0;
  let asking = null;
  let gone = false;

  const board = new Board({ label: "Position", onpaint, ondrop, onkey, onflag: (cell) => onpaint(cell, true) });
  const verdict = h("div", { class: "message", role: "status" });
  const bar = h("div", { class: "status-bar editor-bar" }, verdict);
  const text = h("textarea", { class: "position-text", spellcheck: false, rows: 12, oninput: typed, "aria-describedby": "position-problem" });
  const problem = h("p", { class: "problem small", id: "position-problem", role: "status" });
  const width = numberInput(1, limits.side, "Width", () => sized());
  const height = numberInput(1, limits.side, "Height", () => sized());
  const mines = h("input", { inputmode: "numeric", maxlength: 6, placeholder: "?", onchange: () => sized() });
  const why = whyPanel({ board, position: () => seen(position), risk: (cell) => help?.risks[cell] ?? null, idle: "Choose “Ask why” and then a cell, or press W on it: its proof is shown step by step." });
  const pieces = [...PIECES, ...TRUTHS].map(([code, letter, words], index) => pieceButton(code, letter, words, index));
  const palette = h("div", { class: "palette", role: "radiogroup", "aria-label": "What is put on a cell", onkeydown: movePiece }, pieces);
  const modes = segmented("What a click does", [["paint", "Paint"], ["why", "Ask why"]], mode, setMode);
  const switches = OVERLAYS.map(([name, label, key]) => toggle(label, shown[name], (on) => setShown(name, on), { key }));
  const words = h("p", { class: "small muted analysis-words" });
  const guesses = guessPanel();
  const chance = h("p", { class: "small", role: "status" });
  const chanceButton = button("Work out the win chance", askChance);
  const input = h("input", { type: "file", class: "visually-hidden", accept: ".txt,text/plain", onchange: async () => {
    const [file] = input.files;
    input.value = "";
    if (file) open(await file.text());
  } });

  const element = h(
    "div",
    { class: "app ms", onkeydown: onPageKey },
    h("section", { class: "stage", "aria-label": "The position" }, bar, board.element),
    h(
      "aside",
      { class: "side", "aria-label": "Controls" },
      h(
        "section",
        { class: "section", "aria-label": "Pieces" },
        h("h2", {}, "Position"),
        modes.element,
        palette,
        h("p", { class: "small muted" }, "Click, paint or drag onto cells; the right button hides. Keys 0–8, H and F on a cell."),
        h("div", { class: "sizes" }, field("Width", width), field("Height", height), field("Mines", mines)),
        h("div", { class: "row" }, button("Clear", clear), h("label", { class: "button file-button" }, "Open a file …", input), button("Copy the link", share)),
      ),
      h("hr"),
      h("section", { class: "section", "aria-label": "Analysis" }, h("h2", {}, "Analysis"), switches.map((one) => one.element), words, guesses.element, why.element, chanceButton, chance),
      h("hr"),
      h("section", { class: "section", "aria-label": "Text" }, field("As text", text), problem),
    ),
  );
  root.append(element);
  const stopDrops = acceptFiles(element, open);
  choose(piece);
  changed({ typedText: null });

  // ── The position ────────────────────────────────────────────────────────────────────────────────────────────────

  function begin() {
    for (const source of [params.p?.replaceAll("/", "\n"), remembered("minesweeper.position", null), START]) {
      try {
        if (source) return parse(source, limits);
      } catch (error) {
        toast(`The position could not be read. ${error.message}`, "danger");
      }
    }
    return emptyPosition(9, 9, 10);
  }

  // Everything that follows from a change of the position; `typedText` is what the user is just typing.
  function changed({ typedText = null } = {}) {
    const plain = toText(position);
    if (typedText === null && text.value !== plain) text.value = plain;
    setText(problem, "");
    for (const [control, value] of [[width, position.width], [height, position.height], [mines, position.mines ?? ""]]) {
      if (control !== document.activeElement) control.value = value;
    }
    remember("minesweeper.position", plain);
    const link = `#/minesweeper/editor?p=${encodeURIComponent(plain.replaceAll("\n", "/"))}`;
    navigate(link.length <= LINK_LENGTH ? link : "#/minesweeper/editor", { replace: true, quiet: true });
    why.clear();
    help = null;
    wrong = null;
    setText(chance, "");
    say("", "thinking");
    draw();
    clearTimeout(waiting);
    turn += 1;
    waiting = setTimeout(analyse, DEBOUNCE);
  }

  function typed() {
    try {
      position = parse(text.value, limits);
    } catch (error) {
      setText(problem, error.message);
      return;
    }
    changed({ typedText: text.value });
  }

  function open(given) {
    try {
      position = parse(given, limits);
    } catch (error) {
      toast(`That is not a position. ${error.message}`, "danger");
      return;
    }
    changed();
  }

  function sized() {
    const wide = Math.floor(Number(width.value));
    const high = Math.floor(Number(height.value));
    const count = /^\s*(\?|)\s*$/.test(mines.value) ? null : Math.floor(Number(mines.value));
    try {
      if (count !== null && Number.isNaN(count)) throw new Error("mines is a number, or ? when it is not known.");
      refuseSize(wide, high, count, limits);
    } catch (error) {
      setText(problem, `${error.message[0].toUpperCase()}${error.message.slice(1)}`);
      return;
    }
    position = { ...resize(position, wide, high), mines: count };
    changed();
  }

  function clear() {
    position = emptyPosition(position.width, position.height, position.mines);
    changed();
  }

  function put(cell, code) {
    if (position.cells[cell] === code) return;
    position = withCell(position, cell, code);
    // A board's mine count is what its letters say; a position's is given.
    if (isBoard(position) && minesTold(position) > (position.mines ?? Infinity)) position = { ...position, mines: minesTold(position) };
    changed();
  }

  function onpaint(cell, erase) {
    if (mode === "why") why.ask(cell);
    else put(cell, erase ? HIDDEN : codeOf(piece));
  }

  function ondrop(cell, letter) {
    const dropped = [...PIECES, ...TRUTHS].find(([, one]) => one === letter);
    if (dropped) put(cell, dropped[0]);
  }

  function onkey(event, cell) {
    const key = event.key.toUpperCase();
    const pressed = [...PIECES, ...TRUTHS].find(([, letter]) => letter === key);
    // H and B are free here: on a cell H hides it.
    if (pressed) put(cell, pressed[0]);
    else if (key === "W") why.ask(cell);
    else if (key === " " || key === "ENTER") onpaint(cell, false);
    else if (key === "BACKSPACE" || key === "DELETE") put(cell, HIDDEN);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ── The palette ─────────────────────────────────────────────────────────────────────────────────────────────────

  function codeOf(index) {
    return [...PIECES, ...TRUTHS][index][0];
  }

  function pieceButton(code, letter, label, index) {
    const hidden = code < 0 || code > 8;
    const picture = s("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "board", "aria-hidden": "true" }, s("g", { class: hidden ? "cell cell-hidden" : "cell cell-open" }, s("rect", { class: "face", width: SIZE, height: SIZE }), partsOf({ code, risk: null, mark: null, best: false, small: false })));
    return h("button", { type: "button", class: "piece", role: "radio", "aria-label": `${label} (${letter})`, title: `${label} (${letter})`, "aria-checked": "false", draggable: true, onclick: () => choose(index), ondragstart: (event) => event.dataTransfer.setData("text/plain", letter) }, picture);
  }

  function choose(index) {
    piece = index;
    pieces.forEach((one, place) => {
      one.setAttribute("aria-checked", String(place === index));
      one.tabIndex = place === index ? 0 : -1;
    });
    if (mode !== "paint") setMode("paint");
  }

  function movePiece(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    choose((piece + by + pieces.length) % pieces.length);
    pieces[piece].focus();
  }

  function setMode(value) {
    mode = value;
    modes.set(value);
    element.classList.toggle("asking", value === "why");
    if (value !== "why") why.clear();
  }

  // ── The analysis ────────────────────────────────────────────────────────────────────────────────────────────────

  async function analyse() {
    const mine = turn;
    asking?.abort();
    asking = new AbortController();
    const slow = setTimeout(() => say("Counting the layouts", "thinking"), 150);
    try {
      const answer = await post("/api/minesweeper/analyze", { position: toText(seen(position)) }, { signal: asking.signal });
      if (gone || mine !== turn) return;
      tell(answer);
    } catch (error) {
      if (gone || mine !== turn || error.name === "AbortError") return;
      say("No analysis.", "problem", error.message);
    } finally {
      clearTimeout(slow);
    }
  }

  function tell(answer) {
    if (answer.contradiction) {
      help = null;
      wrong = new Set(answer.contradiction.numbers.map(([row, col]) => row * position.width + col));
      say("That cannot be.", "lost", answer.contradiction.text);
    } else {
      help = ofAnswer(answer, position.width);
      wrong = null;
      const safe = [...help.marks.values()].filter((mark) => mark === "safe").length;
      if (!anyHidden(position.cells)) say("Every cell is open.", "won");
      else if (safe) say(`${safe} safe cell${safe === 1 ? "" : "s"}.`, "won", layouts(answer.log10_layouts));
      else say("No cell is sure to be safe.", "", layouts(answer.log10_layouts));
      setText(words, help.best === null ? "" : `Best: ${cellName(help.best, position.width)}${help.risks[help.best] ? `, ${percent(help.risks[help.best])} mine` : ""}${answer.why ? ` — ${answer.why}` : ""}`);
    }
    if (answer.contradiction) setText(words, answer.contradiction.text);
    chanceButton.disabled = Boolean(answer.contradiction);
    draw();
  }

  function draw() {
    board.show({ ...position, ...drawn(help, shown), wrong });
    guesses.show(help, position.width);
  }

  function say(head, kind, detail = "") {
    verdict.dataset.kind = kind;
    verdict.title = detail;
    verdict.classList.toggle("thinking", kind === "thinking" && head !== "");
    fill(verdict, h("b", {}, head), detail && h("span", {}, ` ${detail}`));
  }

  function setShown(name, on) {
    shown[name] = on;
    remember("minesweeper.editor.overlays", shown);
    switches[OVERLAYS.findIndex(([one]) => one === name)].set(on);
    draw();
  }

  async function askChance() {
    const mine = turn;
    chanceButton.disabled = true;
    chance.classList.add("thinking");
    setText(chance, `Playing ${PLAYOUTS} games out from here`);
    try {
      const { value, error, playouts } = await post("/api/minesweeper/win-chance", { position: toText(seen(position)), playouts: PLAYOUTS, seed: 1 });
      if (mine === turn) setText(chance, `Win chance ${percent(value)} ± ${(100 * error).toFixed(1)}, from ${playouts} games of the expert agent.`);
    } catch (error) {
      if (mine === turn) setText(chance, error.message);
    } finally {
      chance.classList.remove("thinking");
      if (mine !== turn) setText(chance, "");
      chanceButton.disabled = false;
    }
  }

  function onPageKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox" && event.target.type !== "radio";
    if (typing) return;
    const overlay = OVERLAYS.find(([, , letter]) => letter === event.key.toUpperCase());
    if (overlay) setShown(overlay[0], !shown[overlay[0]]);
    else if (event.key === "Escape") setMode("paint");
    else if (event.key.toUpperCase() === "W") setMode(mode === "why" ? "paint" : "why");
    else return;
    event.preventDefault();
  }

  async function share() {
    if (!location.hash.includes("?p=")) {
      toast("The position is too large for a link; copy its text.", "danger");
      return;
    }
    try {
      await navigator.clipboard.writeText(location.href);
      toast("The link is copied: it holds the position.", "good");
    } catch {
      toast(`Copy the address of this page: ${location.href}`);
    }
  }

  return () => {
    gone = true;
    clearTimeout(waiting);
    asking?.abort();
    stopDrops();
    board.close();
  };
}

function numberInput(min, max, label, onchange) {
  return h("input", { type: "number", inputmode: "numeric", min, max, "aria-label": label, onchange });
}
