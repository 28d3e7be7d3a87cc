// What an agent would play: in words, and as an arrow on the map, with a button to play it.

import { button, h, select, setText } from "../dom.js";
import { remember, remembered } from "../settings.js";
import { inWords } from "./words.js";

/** `send` talks to the game; `act(text)` plays; `nameOfKey(key)` is the name behind a key. */
export function advicePanel(agents, { send, act, nameOfKey }) {
  let agent = remembered("risk.adviser", agents.includes("planner") ? "planner" : agents[0]);
  if (!agents.includes(agent)) agent = agents[0];
  const choice = select(agents, agent, (chosen) => remember("risk.adviser", (agent = chosen)), { class: "plain", "aria-label": "Who is asked" });
  const ask = button("Ask", () => send({ type: "advise", agent }), { key: "V" });
  const words = h("p", { class: "advice-words" });
  const why = h("p", { class: "small muted" });
  const play = button("Play it", () => act(shown.action), { key: "G" });
  const element = h("section", { class: "section" }, h("h2", {}, "Advice"), h("div", { class: "row" }, choice, ask, play), words, why);
  let shown = null;

  /** The advice that holds for the view, or null. */
  function current(view) {
    const advice = view.advice;
    return advice && !advice.thinking && advice.action && advice.moves === view.moves && view.choices ? advice : null;
  }

  function draw(view) {
    element.hidden = !view.choices && !view.advice?.thinking;
    shown = current(view);
    ask.disabled = !view.choices || Boolean(view.advice?.thinking);
    play.hidden = shown === null;
    words.classList.toggle("thinking", Boolean(view.advice?.thinking));
    setText(words, view.advice?.thinking ? `${view.advice.agent} thinks` : shown ? inWords(shown.action, nameOfKey) : "");
    const refused = view.advice && !view.advice.thinking && !view.advice.action;
    setText(why, shown?.why ?? (refused ? view.advice.why : ""));
  }

  return { element, draw, current, ask: () => ask.click(), play: () => shown && play.click() };
}
