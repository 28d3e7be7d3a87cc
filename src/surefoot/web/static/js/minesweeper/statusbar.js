// The bar above the board: mines left, what is going on, the clock. Its height never changes.

import { h, s, setText } from "../dom.js";
import { clock, exactSeconds } from "./words.js";

const TICK = 200;

export function statusBar(...buttons) {
  const mines = h("output", { class: "counter" });
  const time = h("output", { class: "counter" });
  const minesBox = h("div", { class: "counter-box", title: "Mines without a flag" }, h("span", { class: "visually-hidden" }, "Mines left"), icon("mine"), mines);
  const timeBox = h("div", { class: "counter-box", title: "Seconds played" }, h("span", { class: "visually-hidden" }, "Time"), icon("clock"), time);
  const message = h("div", { class: "message", role: "status" });
  const element = h("div", { class: "status-bar" }, minesBox, message, timeBox, h("div", { class: "status-buttons" }, buttons));
  let base = null;
  const timer = setInterval(tick, TICK);

  function tick() {
    if (base === null) return;
    const seconds = base.seconds + (base.running ? (performance.now() - base.at) / 1000 : 0);
    setText(time, base.over ? exactSeconds(seconds) : clock(seconds));
  }

  /** Show a game's view. */
  function update({ level, flags, clock: now, status, switches }) {
    setText(mines, switches?.mines_known === false ? `${flags} / ?` : level.mines - flags);
    const over = status !== "running";
    if (base === null || base.seconds !== now.seconds || base.running !== now.running || base.over !== over) {
      base = { ...now, over, at: performance.now() };
    }
    tick();
  }

  /** One line: `kind` is "", "won", "lost", "waiting" or "problem". */
  function say(words, kind = "", detail = "") {
    message.dataset.kind = kind;
    if (message.dataset.words === `${words}\n${detail}`) return;
    message.dataset.words = `${words}\n${detail}`;
    message.replaceChildren(h("b", {}, words), detail ? h("span", {}, ` ${detail}`) : "");
  }

  return { element, update, say, close: () => clearInterval(timer) };
}

function icon(name) {
  const shapes = {
    mine: [s("circle", { cx: 8, cy: 8, r: 4 }), s("path", { d: "M8 1v14M1 8h14M3 3l10 10M13 3 3 13" })],
    clock: [s("circle", { cx: 8, cy: 8, r: 6, fill: "none" }), s("path", { d: "M8 4.500V8l2.500 1.800" })],
  }[name];
  return s("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, shapes);
}
