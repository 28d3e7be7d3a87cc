// How cells, chances and times are said. Cells are counted from 0, from the top left, as in Surefoot's proofs.

export const HIDDEN = -1;
export const FLAGGED = -2;
export const MINE = 9;
export const EXPLODED = 10;
export const WRONG_FLAG = 11;
// Only in the editor: what a board's text tells of hidden cells.
export const KNOWN_MINE = 12;
export const FLAG_ON_NO_MINE = 13;

const STATES = {
  [HIDDEN]: "hidden",
  [FLAGGED]: "flagged",
  [MINE]: "mine",
  [EXPLODED]: "exploded mine",
  [WRONG_FLAG]: "flag, but no mine",
  [KNOWN_MINE]: "hidden, a mine",
  [FLAG_ON_NO_MINE]: "flagged, no mine",
};

/** Whether a cell is not open. */
export const isHidden = (code) => code === HIDDEN || code === FLAGGED || code === KNOWN_MINE || code === FLAG_ON_NO_MINE;
export const isNumber = (code) => code >= 0 && code <= 8;

/** What a cell shows, in words. */
export const stateWords = (code) => STATES[code] ?? (code === 0 ? "open, no mine around" : String(code));

/** A cell as proofs name it. */
export const cellName = (cell, width) => `(${Math.floor(cell / width)},${cell % width})`;

/** A chance, 0 to 1, in percent: exact ends stay exact, and nothing else is rounded to them. */
export function percent(chance, digits = 1) {
  if (chance <= 0) return "0 %";
  if (chance >= 1) return "100 %";
  return `${percentFigure(chance, digits)} %`;
}

function percentFigure(chance, digits) {
  const least = 10 ** -digits;
  const value = 100 * chance;
  if (value < least / 2) return `<${least}`;
  if (value > 100 - least / 2) return `>${(100 - least).toFixed(digits)}`;
  return value.toFixed(digits);
}

/** A chance as it is printed on a cell, where there is little room. */
export function figure(chance, small) {
  if (chance <= 0) return "0";
  if (chance >= 1) return "100";
  const value = 100 * chance;
  if (value < 0.95) return small ? "<1" : value.toFixed(1).replace(/^0/, "");
  if (value > 99) return ">99";
  return small || value >= 99.95 ? value.toFixed(0) : value.toFixed(1);
}

/** Seconds, as a clock shows them. */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  return whole < 60 ? String(whole) : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Seconds with their hundredths. */
export const exactSeconds = (seconds) => `${seconds.toFixed(2)} s`;

export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number of layouts from its logarithm. */
export function layouts(log10) {
  if (log10 === null || log10 === undefined) return "";
  if (log10 < 6) return plural(Math.round(10 ** log10), "layout").replace(/\d+/, (digits) => Number(digits).toLocaleString("en"));
  const exponent = Math.floor(log10);
  return `${(10 ** (log10 - exponent)).toFixed(1)} · 10${[...String(exponent)].map((digit) => RAISED[digit]).join("")} layouts`;
}

/** A preset's name as a title. */
export const presetTitle = (name) =>
  name === "cs50" ? "CS50 project" : name.startsWith("minai-") ? `Min.AI ${name.slice(6)}` : name[0].toUpperCase() + name.slice(1);
