// What one cell of a board looks like, in a square of SIZE units; its colours are in css/minesweeper.css.

import { s } from "../dom.js";
import { EXPLODED, FLAGGED, FLAG_ON_NO_MINE, KNOWN_MINE, MINE, WRONG_FLAG, figure, isHidden, isNumber, percent, stateWords } from "./words.js";

export const SIZE = 32;
const SHADES = 9;

const POLE = "M13.500 25.500V6.500M9.500 25.500h9";
const CLOTH = "M13.500 6.500 23.500 11.200 13.500 16z";
const SPIKES = "M16 5.500v21M5.500 16h21M8.600 8.600l14.800 14.800M23.400 8.600 8.600 23.400";

/**
 * The look of a cell.
 *
 * `code` is as in words.js; `risk` a chance or null; `mark` "safe", "mine" or null; `best` and `wrong` are true or
 * false, the latter for a number that contradicts others; `small` says that there is room for few digits.
 */
export function classOf({ code, risk }) {
  const hidden = isHidden(code);
  return [
    "cell",
    hidden ? "cell-hidden" : code === EXPLODED ? "cell-exploded" : "cell-open",
    hidden && risk !== null && `cell-heat heat-${shade(risk)}`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** Which of the shades of the scale stands for a chance. */
export const shade = (risk) => Math.min(SHADES - 1, Math.floor(risk * SHADES));

/** The label that a screen reader reads. */
export function labelOf({ code, risk, mark, best, wrong }, row, col) {
  const words = [`row ${row}`, `column ${col}`, stateWords(code)];
  if (isHidden(code)) {
    if (mark === "safe") words.push("proved safe");
    else if (mark === "mine") words.push("proved mine");
    else if (risk !== null) words.push(`${percent(risk)} mine`);
    if (best) words.push("best cell");
  }
  if (wrong) words.push("contradiction");
  return words.join(", ");
}

/** The shapes and figures on a cell. */
export function partsOf({ code, risk, mark, best, wrong, small }) {
  const parts = [];
  const crowded = isHidden(code) && risk !== null;
  if (isNumber(code) && code > 0) parts.push(s("text", { class: `number number-${code}`, x: 16, y: 17 }, code));
  else if (code === FLAGGED || code === FLAG_ON_NO_MINE) parts.push(flag(crowded || mark !== null), code === FLAG_ON_NO_MINE && cross());
  else if (code === MINE || code === EXPLODED || code === KNOWN_MINE) parts.push(mine(code));
  else if (code === WRONG_FLAG) parts.push(flag(false), cross());
  if (crowded) {
    const low = code === FLAGGED || code === KNOWN_MINE || code === FLAG_ON_NO_MINE;
    if (mark === null) {
      parts.push(s("text", { class: small ? "figure figure-small" : "figure", x: 16, y: low ? 25 : 17 }, figure(risk, small)));
    }
  }
  if (mark !== null && isHidden(code)) parts.push(markOf(mark, code === FLAGGED || code === FLAG_ON_NO_MINE));
  if (best) for (const name of ["best-ring best-case", "best-ring"]) parts.push(s("rect", { class: name, x: 3, y: 3, width: 26, height: 26, rx: 4 }));
  if (wrong) parts.push(s("rect", { class: "wrong-ring", x: 2, y: 2, width: 28, height: 28, rx: 3 }));
  return parts.filter(Boolean);
}

/** Whether one look becomes another by a new figure alone, which is then the last of its parts. */
export function differOnlyInFigure(old, look) {
  const plain = (one) => one.risk !== null && one.risk !== undefined && one.mark === null && !one.best && !one.wrong;
  return plain(old) && plain(look) && isHidden(look.code) && old.code === look.code && old.small === look.small;
}

/** The chance as it is printed on a cell. */
export const figureOf = ({ risk, small }) => figure(risk, small);

const cross = () => s("path", { class: "cross", d: "M7 7l18 18M25 7 7 25" });

function flag(small) {
  return s(
    "g",
    { class: "flag", transform: small ? "translate(5.500 -1) scale(.65)" : null },
    s("path", { class: "flag-pole", d: POLE }),
    s("path", { class: "flag-cloth", d: CLOTH }),
  );
}

function mine(code) {
  return s(
    "g",
    { class: code === KNOWN_MINE ? "mine mine-known" : "mine" },
    s("path", { class: "mine-spikes", d: SPIKES }),
    s("circle", { class: "mine-body", cx: 16, cy: 16, r: 7 }),
    s("circle", { class: "mine-light", cx: 13.5, cy: 13.5, r: 1.8 }),
  );
}

// A tick for safe, a mine's outline for a mine: told apart by shape, not only by colour.
function markOf(mark, low) {
  const place = low ? "translate(16 24) scale(.62)" : "translate(16 16)";
  return mark === "safe"
    ? s("path", { class: "mark mark-safe", transform: place, d: "M-7 .5-2 6 7.500-6" })
    : s("g", { class: "mark mark-mine", transform: place }, s("path", { d: "M0-9V9M-9 0H9M-6.300-6.300 6.300 6.300M6.300-6.300-6.300 6.300" }), s("circle", { r: 5.2 }));
}

/** The plain or raised square under everything else. */
export function shapeFace(face, edge, hidden) {
  const square = hidden ? { x: 1, y: 2.6, width: 30, height: 28.4, rx: 3.5 } : { x: 0, y: 0, width: 32, height: 32, rx: 0 };
  for (const [name, value] of Object.entries(square)) face.setAttribute(name, value);
  edge.setAttribute("display", hidden ? "inline" : "none");
}
