// A replay as frames that can be walked both ways; pure.

import { HIDDEN } from "./words.js";

// Chances that differ by less are the same but for rounding.
const SAME = 1e-6;

/**
 * `replay` is the answer of /api/minesweeper/replay. A film is at one frame; `seek` goes to another and changes `cells`
 * into a new list.
 */
export class Film {
  constructor({ level, frames }) {
    this.level = level;
    this.frames = frames;
    this.last = frames.length - 1;
    this.cells = Array(level.width * level.height).fill(HIDDEN);
    this.at = -1;
    // What each frame's cells were before, noted when it is first reached.
    this.before = [];
    this.seek(0);
  }

  /** Go to a frame; what is out of range is the first or the last. */
  seek(frame) {
    const to = Math.min(Math.max(frame, 0), this.last);
    if (to === this.at) return;
    const cells = this.cells.slice();
    while (this.at < to) {
      this.at += 1;
      const { changed } = this.frames[this.at];
      this.before[this.at] ??= changed.map(([cell]) => [cell, cells[cell]]);
      for (const [cell, code] of changed) cells[cell] = code;
    }
    while (this.at > to) {
      for (const [cell, code] of this.before[this.at]) cells[cell] = code;
      this.at -= 1;
    }
    this.cells = cells;
  }

  /** The frame shown. */
  get frame() {
    return this.frames[this.at];
  }

  /** The action that is played next, or null. */
  get next() {
    return this.at < this.last ? this.frames[this.at + 1].action : null;
  }
}

/** The numbers 0 to `last`, the ends first and then ever finer between them. */
export function coarseToFine(last) {
  const order = [...new Set([0, last])];
  const seen = new Set(order);
  for (let step = 2 ** Math.ceil(Math.log2(Math.max(last, 1))); step >= 1; step /= 2) {
    for (let place = 0; place <= last; place += step) {
      if (!seen.has(place)) {
        seen.add(place);
        order.push(place);
      }
    }
  }
  return order;
}

/** An action's text as {kind, cell}; cell null for leaving. */
export function readAction(text, width) {
  const match = /^(\w+)(?: (\d+),(\d+))?$/.exec(text ?? "");
  return match === null ? null : { kind: match[1], cell: match[2] === undefined ? null : Number(match[2]) * width + Number(match[3]) };
}

/**
 * How good it is to open a cell, with `help` as in overlay.js; null when there is nothing to judge.
 *
 * `wins` and `bestWins` are the chances to win, or null where a guess was not among those weighed: then only its risk
 * tells that it is worse.
 */
export function judge(help, cell) {
  const risk = help?.risks[cell] ?? null;
  if (risk === null) return null;
  const safe = [...help.marks.values()].includes("safe");
  const bestRisk = help.best === null ? null : help.risks[help.best];
  const wins = winsOf(help, cell);
  const bestWins = winsOf(help, help.best);
  return { verdict: verdictOf(), risk, bestRisk, wins, bestWins };

  function verdictOf() {
    if (risk === 0) return "safe";
    if (risk === 1) return "mistake";
    if (safe) return "needless";
    if (cell === help.best) return "best";
    if (wins !== null && bestWins !== null) return wins >= bestWins - SAME ? "equal" : "worse";
    return bestRisk !== null && risk <= bestRisk ? "unlisted" : "riskier";
  }
}

const winsOf = (help, cell) => help.guesses.find((one) => one.cell === cell)?.wins ?? null;
