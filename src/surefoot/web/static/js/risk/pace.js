// Agents' pace: let them play or stand still, one move, and how fast.

import { button, h, setAttribute, setText } from "../dom.js";

/** Moves a second that the slider stops at; 0 is as fast as they can. */
const SPEEDS = [0.5, 1, 2, 3, 5, 8, 12, 20, 50, 100, 300, 1000, 0];

export function pacePanel(send) {
  const run = button("Pause", () => send({ type: "pace", running: !running }), { key: "P" });
  const one = button("One move", () => send({ type: "step" }), { kind: "quiet", key: "S" });
  const range = h("input", {
    type: "range",
    min: 0,
    max: SPEEDS.length - 1,
    "aria-label": "Agents' speed",
    oninput: () => setText(words, spoken(SPEEDS[range.value])),
    onchange: () => send({ type: "pace", speed: SPEEDS[range.value] }),
  });
  const words = h("output", { class: "small tabular pace-words" });
  const element = h("section", { class: "section" }, h("h2", {}, "Agents"), h("div", { class: "row" }, run, one), h("div", { class: "amount" }, range, words));
  let running = false;

  function draw(view) {
    element.hidden = view.seats.every((seat) => seat.player === "human" || seat.player === "neutral");
    running = view.pace.running;
    setText(run.firstChild, running ? "Pause" : "Play");
    setAttribute(run, "aria-label", running ? "Pause the agents" : "Let the agents play");
    run.disabled = one.disabled = view.outcome !== "running";
    one.disabled ||= view.human;
    if (document.activeElement !== range) {
      range.value = nearest(view.pace.speed);
      setText(words, spoken(SPEEDS[range.value]));
      setAttribute(range, "aria-valuetext", spoken(SPEEDS[range.value]));
    }
  }

  return { element, draw, toggle: () => run.click(), step: () => one.click() };
}

function nearest(speed) {
  if (speed === 0) return SPEEDS.length - 1;
  let best = 0;
  SPEEDS.forEach((one, place) => {
    if (one && Math.abs(Math.log(one / speed)) < Math.abs(Math.log(SPEEDS[best] / speed))) best = place;
  });
  return best;
}

function spoken(speed) {
  return speed === 0 ? "full speed" : `${speed} a second`;
}
