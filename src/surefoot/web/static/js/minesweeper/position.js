// Position text: "WxHxM" or "WxHx?", then a line of letters a row; docs/position-text.md tells the whole of it.
// The letters I and O make it a board, which tells where mines are.

import { EXPLODED, FLAGGED, FLAG_ON_NO_MINE, HIDDEN, KNOWN_MINE, MINE, WRONG_FLAG, isHidden } from "./words.js";

const LETTERS = new Map([
  ["H", HIDDEN],
  [".", HIDDEN],
  ["F", FLAGGED],
  ["I", KNOWN_MINE],
  ["O", FLAG_ON_NO_MINE],
  ...Array.from({ length: 9 }, (_, number) => [String(number), number]),
]);
const NAMES = new Map([...LETTERS].filter(([letter]) => letter !== ".").map(([letter, code]) => [code, letter]));
const HEADER = /^([0-9]{1,4})x([0-9]{1,4})x([0-9]{1,8}|\?)$/;

/** What a player sees of a board: {width, height, mines, cells}, mines null when not known. */
export function toText({ width, height, mines, cells }) {
  const rows = [`${width}x${height}x${mines ?? "?"}`];
  for (let row = 0; row < height; row += 1) {
    rows.push(cells.slice(row * width, (row + 1) * width).map((code) => NAMES.get(code)).join(""));
  }
  return rows.join("\n");
}

/** The position without what only a board tells, for an analysis. */
export function seen(position) {
  const hide = (code) => ({ [KNOWN_MINE]: HIDDEN, [FLAG_ON_NO_MINE]: FLAGGED })[code] ?? code;
  return { ...position, cells: position.cells.map(hide) };
}

/** The position of a game that may be over: mines shown at the end count as hidden. */
export function ofGame({ level, switches, cells }) {
  const hide = (code) => (code === WRONG_FLAG ? FLAGGED : code === MINE || code === EXPLODED ? HIDDEN : code);
  return { width: level.width, height: level.height, mines: switches?.mines_known === false ? null : level.mines, cells: cells.map(hide) };
}

/** Whether a text tells where mines are. */
export const isBoard = (position) => position.cells.some((code) => code === KNOWN_MINE || code === FLAG_ON_NO_MINE);

/**
 * Read position text. `limits` bounds it: {side, cells}.
 *
 * Throws an Error of one line that names the line at fault.
 */
export function parse(text, limits) {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  while (lines.length && lines.at(-1) === "") lines.pop();
  let first = 0;
  while (first < lines.length && lines[first] === "") first += 1;
  if (first >= lines.length) throw new Error("There is nothing here yet: begin with a line such as 9x9x10.");
  const header = HEADER.exec(lines[first].replaceAll(" ", ""));
  if (header === null) throw new Error(`Line ${first + 1}: not a size such as 9x9x10 (width x height x mines, ? when not known).`);
  const width = Number(header[1]);
  const height = Number(header[2]);
  const mines = header[3] === "?" ? null : Number(header[3]);
  refuseSize(width, height, mines, limits, first + 1);
  const rows = lines.slice(first + 1);
  const cells = [];
  for (let row = 0; row < height; row += 1) {
    if (row >= rows.length) throw new Error(`There are ${rows.length} of ${height} rows.`);
    cells.push(...readRow(rows[row], width, first + 2 + row));
  }
  if (rows.length > height) throw new Error(`Line ${first + 2 + height}: the board has only ${height} rows.`);
  return { width, height, mines, cells };
}

function readRow(line, width, number) {
  const letters = [...line.replaceAll(/\s/g, "").toUpperCase()];
  const wrong = letters.findIndex((letter) => !LETTERS.has(letter));
  if (wrong >= 0) throw new Error(`Line ${number}, column ${wrong + 1}: “${letters[wrong]}” is not a cell (0–8, H hidden, F flagged).`);
  if (letters.length !== width) throw new Error(`Line ${number}: ${letters.length} cells, not ${width}.`);
  return letters.map((letter) => LETTERS.get(letter));
}

/** Refuse a size that the page does not take; `line` is where it stands, if anywhere. */
export function refuseSize(width, height, mines, limits, line = null) {
  const place = line === null ? "" : `Line ${line}: `;
  if (!(width >= 1 && height >= 1)) throw new Error(`${place}a board has rows and columns.`);
  if (width > limits.side || height > limits.side) throw new Error(`${place}a board is at most ${limits.side} cells wide and high.`);
  if (width * height > limits.cells) throw new Error(`${place}a board has at most ${limits.cells.toLocaleString("en")} cells.`);
  if (mines !== null && !(mines >= 0 && mines <= width * height)) throw new Error(`${place}${mines} mines do not fit on ${width * height} cells.`);
}

/** The position in another size: cells that stay keep what they show, new ones are hidden. */
export function resize(position, width, height) {
  const cells = [];
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      cells.push(row < position.height && col < position.width ? position.cells[row * position.width + col] : HIDDEN);
    }
  }
  const mines = position.mines === null ? null : Math.min(position.mines, width * height);
  return { width, height, mines, cells };
}

/** The same position with one cell changed. */
export function withCell(position, cell, code) {
  const cells = position.cells.slice();
  cells[cell] = code;
  return { ...position, cells };
}

/** How many mines a board's letters tell: known mines and flags, which on a board stand on mines. */
export const minesTold = (position) => position.cells.filter((code) => code === KNOWN_MINE || code === FLAGGED).length;

export const emptyPosition = (width, height, mines) => ({ width, height, mines, cells: Array(width * height).fill(HIDDEN) });
export const anyHidden = (cells) => cells.some(isHidden);
