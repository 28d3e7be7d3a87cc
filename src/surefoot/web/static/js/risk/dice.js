// Dice as pictures, and the battle they were thrown in.

import { h, s } from "../dom.js";
import { count } from "./words.js";

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** One die; `side` is "attack" or "defence". */
export function die(face, side, lost = false) {
  return s(
    "svg",
    { class: `die die-${side}${lost ? " die-lost" : ""}`, viewBox: "0 0 24 24", role: "img", "aria-label": String(face) },
    s("rect", { x: 1, y: 1, width: 22, height: 22, rx: 5 }),
    PIPS[face].map(([x, y]) => s("circle", { cx: 12 + 5.6 * x, cy: 12 + 5.6 * y, r: 2.2 })),
  );
}

/** The last battle: its last roll as dice, and what the whole of it cost. */
export function battlePanel() {
  const dice = h("div", { class: "dice-row" });
  const words = h("p", { class: "small" });
  const element = h("div", { class: "battle" }, dice, words);
  let shown = null;

  function draw(battle, nameOf, lively) {
    const key = JSON.stringify(battle);
    if (key === shown) return;
    const first = shown === null;
    shown = key;
    element.classList.toggle("no-battle", !battle);
    dice.replaceChildren();
    if (!battle) {
      words.textContent = "No attack yet.";
      return;
    }
    const last = battle.rolls.at(-1);
    if (last?.length === 2) dice.append(...rolled(last));
    else if (last) dice.append(h("span", { class: "coin" }, `attacker loses ${last[0]}`));
    if (lively && !first) dice.animate([{ transform: "rotate(-4deg) scale(.9)", opacity: 0.4 }, {}], { duration: 160, easing: "ease-out" });
    words.textContent = summary(battle, nameOf);
  }

  return { element, draw };
}

function rolled([attack, defence]) {
  const high = [...attack].sort((a, b) => b - a);
  const low = [...defence].sort((a, b) => b - a);
  const pairs = Math.min(high.length, low.length);
  return [
    h("span", { class: "dice", "aria-label": "Attacker's dice", role: "group" }, high.map((face, place) => die(face, "attack", place < pairs && face <= low[place]))),
    h("span", { class: "muted small" }, "v"),
    h("span", { class: "dice", "aria-label": "Defender's dice", role: "group" }, low.map((face, place) => die(face, "defence", place < pairs && high[place] > face))),
  ];
}

function summary({ from, to, committed, attackers, defenders, won, rolls }, nameOf) {
  const lost = committed - attackers;
  const cost = `after ${count(rolls.length, "roll")}, ${lost} of ${committed} lost`;
  const end = won ? "taken" : defenders ? `${defenders} still defend` : "";
  return `${nameOf(from)} → ${nameOf(to)}: ${[end, cost].filter(Boolean).join(", ")}`;
}
