// The guesses that were weighed: a table of them, and the 50/50s.

import { fill, h } from "../dom.js";
import { cellName, percent } from "./words.js";

const MOST = 6;

/** The panel; `show` takes help as in overlay.js, or null for nothing. */
export function guessPanel() {
  const element = h("div", { class: "guesses", hidden: true });
  let last = "[[],[],false]";

  function show(help, width) {
    const { guesses = [], tosses = [], exact = false } = help ?? {};
    // A view comes many times a second; what is not new is not made anew.
    const now = JSON.stringify([guesses, tosses, exact]);
    if (now === last) return;
    last = now;
    element.hidden = guesses.length === 0 && tosses.length === 0;
    fill(element, guesses.length > 0 && table(guesses, exact, width), tosses.length > 0 && list(tosses, width));
  }

  return { element, show };
}

function table(guesses, exact, width) {
  const heads = [["Guess", ""], ["Safe", "That it is no mine"], ["Leads on", "That it leaves a cell that is proved safe and may tell more"], ["Wins", exact ? "By perfect play" : "As estimated from the numbers it may show"]];
  return h(
    "table",
    { class: "small tabular" },
    h("thead", {}, h("tr", {}, heads.map(([head, title]) => h("th", { scope: "col", title }, head)))),
    h("tbody", {}, guesses.slice(0, MOST).map(({ cell, safety, progress, wins }) => h("tr", {}, h("th", { scope: "row" }, cellName(cell, width)), [safety, progress, wins].map((chance) => h("td", {}, percent(chance)))))),
  );
}

function list(tosses, width) {
  return h("ul", { class: "small muted" }, tosses.slice(0, MOST).map((toss) => h("li", {}, tossWords(toss, width))));
}

/** A 50/50 in words; `cost` is the share of all games that it costs. */
export function tossWords({ cells, cost }, width) {
  const names = cells.map((cell) => cellName(cell, width)).join(" ");
  return cost >= 0.49995 ? `${names}: a 50/50 that nothing can settle` : `${names}: a possible 50/50, which costs ${percent(cost)} of all games`;
}
