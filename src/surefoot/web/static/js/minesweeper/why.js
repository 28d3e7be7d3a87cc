// "Why?": the proof of a cell, step by step, each sentence lit up on the board in turn.

import { post } from "../api.js";
import { append, button, fill, h } from "../dom.js";
import { tossWords } from "./guesses.js";
import { toText } from "./position.js";
import { cellName, percent } from "./words.js";

const VERDICTS = { safe: "is safe", mine: "is a mine", "not proved": "is not proved", open: "is open" };

/**
 * The panel. `board` is lit up; `position()` is what is asked about, as in position.js; `risk(cell)` the chance that
 * is known of a cell, or null.
 */
export function whyPanel({ board, position, risk, idle }) {
  const body = h("div", { class: "why" });
  let turn = 0;
  let steps = [];
  let at = -1;
  clear();

  /** Nothing is asked. */
  function clear() {
    turn += 1;
    steps = [];
    at = -1;
    board.highlight();
    fill(body, h("p", { class: "muted small" }, idle));
  }

  /** Ask about a cell; a later question takes the place of an earlier one. */
  async function ask(cell) {
    const mine = ++turn;
    const asked = position();
    const name = cellName(cell, asked.width);
    steps = [];
    at = -1;
    board.highlight({ cells: [cell] });
    const slow = setTimeout(() => fill(body, h("p", { class: "thinking" }, `Looking for a proof of ${name}`)), 120);
    try {
      const answer = await post("/api/minesweeper/explain", { position: toText(asked), row: Math.floor(cell / asked.width), col: cell % asked.width });
      if (mine === turn) tell(answer, cell, asked.width);
    } catch (error) {
      if (mine === turn) fill(body, h("p", { class: "problem" }, error.message));
    } finally {
      clearTimeout(slow);
    }
  }

  function tell(answer, cell, width) {
    const flat = ([row, col]) => row * width + col;
    const places = new Map(answer.premises.map((premise) => [premise.sentence, placeOf(premise.source, width)]));
    const name = cellName(cell, width);
    const head = h("p", { class: `verdict verdict-${answer.verdict.replace(" ", "-")}` }, h("b", {}, name), ` ${VERDICTS[answer.verdict]}${answer.verdict === "open" ? ` and shows ${answer.number}` : ""}.`);
    steps = answer.steps.map((step) => ({
      words: step.text ?? step.sentence,
      cells: step.cells.map(flat),
      from: step.from.flatMap((earlier) => answer.steps[earlier].cells.map(flat)),
      at: step.rule === "told" ? (places.get(step.sentence) ?? []) : step.from.flatMap((earlier) => places.get(answer.steps[earlier].sentence) ?? []),
    }));
    fill(body, head);
    if (answer.verdict === "not proved") {
      const chance = risk?.(cell) ?? answer.guess?.risk ?? null;
      append(body, [h("p", { class: "small" }, chance === null ? "It may be a mine, and it may be safe." : `It is a mine in ${percent(chance)} of all layouts that fit.`)]);
      append(body, guessWords(answer.guess, flat, width).map((line) => h("p", { class: "small" }, line)));
      return;
    }
    if (answer.supposition) append(body, [h("p", { class: "small" }, `Suppose that it were ${answer.verdict === "mine" ? "safe" : "a mine"}; then:`)]);
    if (!steps.length) return;
    const list = h("ol", { class: "proof", onkeydown: walk }, steps.map((step, place) => h("li", {}, h("button", { type: "button", class: "step", onclick: () => show(place) }, step.words))));
    const ending = answer.supposition ? "These cannot all be true, so the supposition is false." : null;
    append(body, [
      list,
      ending && h("p", { class: "small" }, ending),
      answer.mine_count && h("p", { class: "small muted" }, "This needs the mine count; the numbers alone do not prove it."),
      h("div", { class: "row" }, button("Back", () => show(at - 1), { "aria-label": "Step back" }), button("Next", () => show(at + 1), { "aria-label": "Next step", kind: "primary" }), h("span", { class: "small muted tabular step-count" })),
    ]);
    show(0);
    reveal(body.closest(".side"), body);
  }

  function show(place) {
    if (!steps.length) return;
    at = (place + steps.length) % steps.length;
    const buttons = [...body.querySelectorAll(".step")];
    buttons.forEach((element, index) => (index === at ? element.setAttribute("aria-current", "step") : element.removeAttribute("aria-current")));
    reveal(body.querySelector(".proof"), buttons[at]);
    body.querySelector(".step-count").textContent = `${at + 1} of ${steps.length}`;
    board.highlight(steps[at]);
  }

  function walk(event) {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
    body.querySelectorAll(".step")[at].focus();
  }

  return { element: body, ask, clear, active: () => steps.length > 0 };
}

// What kind of guess a cell is that nothing is proved of.
function guessWords(guess, flat, width) {
  const toss = guess?.toss ?? null;
  return [
    toss && tossWords({ cells: toss.cells.map(flat), cost: toss.cost }, width),
    guess?.dead && !toss?.unavoidable && "If it is safe it shows one number only: opening it tells nothing else, so it can wait.",
  ].filter(Boolean);
}

// Scroll one box, and nothing around it: the board stays where it is.
function reveal(box, element) {
  if (box === null) return;
  const outer = box.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  if (inner.bottom > outer.bottom) box.scrollTop += Math.min(inner.bottom - outer.bottom, inner.top - outer.top);
  else if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
}

// The number that a premise comes from: "the 2 at (0,3)".
function placeOf(source, width) {
  const match = /\((\d+),(\d+)\)/.exec(source ?? "");
  return match === null ? [] : [Number(match[1]) * width + Number(match[2])];
}
