// The patterns that tell players apart without colour. Their colours are those of the theme.

import { s } from "../dom.js";

/** The patterns of `surefoot/theme.toml`, seat by seat, in squares of SIZE units; a test holds them to it. */
const SIZE = 8;
const TILES = [
  { name: "plain" },
  { name: "diagonals", stroke: "M-2 2L2 -2M-1 9L9 -1M6 10L10 6" },
  { name: "dots", fill: "M1 2a1 1 0 1 0 2 0a1 1 0 1 0 -2 0zM5 6a1 1 0 1 0 2 0a1 1 0 1 0 -2 0z" },
  { name: "crosshatch", stroke: "M-1 9L9 -1M-1 -1L9 9" },
  { name: "horizontals", stroke: "M0 2H8M0 6H8" },
  { name: "checks", fill: "M0 0h4v4h-4zM4 4h4v4h-4z" },
];

const FOG = "M0 4q3.5-4 7 0t7 0M0 11q3.5-4 7 0t7 0";

/** How a seat is marked in the page: its number, "neutral", "none" for nobody's, or "fog". */
export function ownerMark(owner, seats) {
  if (owner === -3) return "fog";
  if (owner < 0) return "none";
  return seats[owner]?.player === "neutral" ? "neutral" : String(owner);
}

/** What a seat's pattern is called, for those who ask. */
export function patternName(seat) {
  return TILES[seat]?.name ?? "plain";
}

/** The fill of the pattern for a mark, or "none". */
export function patternFill(mark) {
  return TILES[mark]?.stroke || TILES[mark]?.fill ? `url(#seat-pattern-${mark})` : mark === "fog" ? "url(#seat-pattern-fog)" : "none";
}

/** An invisible picture that holds the patterns for every other one on the page; there is one at a time. */
export function patternDefs() {
  return s(
    "svg",
    { class: "pattern-defs", width: 0, height: 0, "aria-hidden": "true", focusable: "false" },
    s("defs", {}, TILES.map(tile), s("pattern", { id: "seat-pattern-fog", width: 14, height: 14, patternUnits: "userSpaceOnUse", class: "tile tile-fog" }, s("path", { class: "tile-stroke", d: FOG }))),
  );
}

function tile({ name, stroke, fill }, seat) {
  return s(
    "pattern",
    { id: `seat-pattern-${seat}`, width: SIZE, height: SIZE, patternUnits: "userSpaceOnUse", class: "tile", "data-owner": seat, "data-name": name },
    stroke && s("path", { class: "tile-stroke", d: stroke }),
    fill && s("path", { class: "tile-fill", d: fill }),
  );
}

/** A small square with a seat's colour and pattern. */
export function swatch(mark) {
  return s(
    "svg",
    { class: "swatch", viewBox: "0 0 18 18", "data-owner": mark, "aria-hidden": "true" },
    s("rect", { class: "swatch-ground", x: 0.5, y: 0.5, width: 17, height: 17, rx: 4 }),
    s("rect", { class: "swatch-pattern", x: 0.5, y: 0.5, width: 17, height: 17, rx: 4, fill: patternFill(mark) }),
  );
}
