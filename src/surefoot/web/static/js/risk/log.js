// What happened, the newest at the bottom; what is there already is not made again.

import { h } from "../dom.js";
import { ownerMark, swatch } from "./patterns.js";

/** A reader at the bottom stays there: the list grows upwards, by its style alone, and nothing is measured. */
export function logPanel() {
  const list = h("ol", { class: "log-lines" });
  const element = h("div", { class: "log", role: "log", "aria-label": "Log", "aria-live": "off", tabindex: "0" }, list);
  let shown = [];

  function draw(entries, seats) {
    if (entries === shown) return;
    const gone = shift(shown, entries);
    for (let n = 0; n < gone; n++) list.firstChild.remove();
    const kept = shown.length - gone;
    list.append(...entries.slice(kept).map((entry) => line(entry, seats)));
    shown = entries;
  }

  return { element, draw };
}

/** How many of the old entries have gone from the front, if the rest begins the new ones; else all of them. */
export function shift(before, after) {
  const same = (a, b) => a.seat === b.seat && a.text === b.text;
  for (let gone = 0; gone <= before.length; gone++) {
    const kept = before.length - gone;
    if (kept <= after.length && before.slice(gone).every((entry, place) => same(entry, after[place]))) return gone;
  }
  return before.length;
}

function line({ seat, text }, seats) {
  const mark = seat === null || seat === undefined ? null : ownerMark(seat, seats);
  return h("li", { class: "log-line" }, mark === null ? h("span", { class: "swatch" }) : swatch(mark), h("span", {}, text));
}
