// The agent's panel: who plays, how fast, go, stop, one move.

import { button, field, h, segmented, select, setText } from "../dom.js";

const SLOWEST = 1;
const FASTEST = 1000;
const SLIDER = 60;

/** A place of the slider as moves a second; even steps of the slider are even ratios of speed. */
export const speedAt = (place) => {
  const speed = SLOWEST * (FASTEST / SLOWEST) ** (place / SLIDER);
  return speed < 10 ? Math.round(speed * 2) / 2 : Math.round(speed);
};
const placeOf = (speed) => Math.round((SLIDER * Math.log(Math.max(speed, SLOWEST) / SLOWEST)) / Math.log(FASTEST / SLOWEST));

/** `agents` are names; `send` says a message to the game; `initial` is what was chosen last: {name, speed}. */
export function agentPanel({ agents, send, initial, remember }) {
  const chosen = { ...initial };
  const names = select(agents, chosen.name, (name) => change({ name }, { type: "agent", agent: name }));
  const words = h("output", { class: "tabular" });
  const slider = h("input", { type: "range", min: 0, max: SLIDER, value: placeOf(chosen.speed || FASTEST), "aria-label": "Moves a second", oninput: () => setSpeed(speedAt(Number(slider.value))) });
  const limit = segmented("Speed", [["paced", "Paced"], ["max", "As fast as it can"]], chosen.speed ? "paced" : "max", (value) => setSpeed(value === "max" ? 0 : speedAt(Number(slider.value))));
  const play = button("Play", toggle, { kind: "primary", key: "A" });
  const step = button("One move", () => send({ type: "step" }), { key: "S" });
  const state = h("p", { class: "small muted agent-state", role: "status" });
  let running = false;
  // Until there is a game.
  play.disabled = step.disabled = true;
  showSpeed();

  function change(what, message) {
    Object.assign(chosen, what);
    remember({ ...chosen });
    showSpeed();
    send(message);
  }

  let sending = null;
  function setSpeed(speed) {
    Object.assign(chosen, { speed });
    remember({ ...chosen });
    showSpeed();
    // A slider that is drawn says a hundred speeds; the last one counts.
    clearTimeout(sending);
    sending = setTimeout(() => send({ type: "pace", speed }), 80);
  }

  function showSpeed() {
    setText(words, chosen.speed ? `${chosen.speed} move${chosen.speed === 1 ? "" : "s"} a second` : "as fast as it can");
    slider.disabled = !chosen.speed;
    slider.setAttribute("aria-valuetext", words.textContent);
  }

  /** Let it play, or stand still. */
  function toggle() {
    if (!play.disabled) send({ type: "pace", running: !running });
  }

  /** Show the agent of a view, and whether the game is over. */
  function update(agent, over) {
    running = agent.running && !over;
    if (agent.name !== chosen.name) {
      chosen.name = agent.name;
      names.value = agent.name;
    }
    setText(play.firstChild, running ? "Pause" : "Play");
    play.setAttribute("aria-pressed", String(running));
    play.disabled = over;
    step.disabled = over || running;
    const thinking = agent.thinking && !over;
    state.classList.toggle("thinking", Boolean(thinking));
    setText(state, agent.ended ?? (thinking ? `${agent.name} is thinking` : running ? `${agent.name} is playing` : ""));
  }

  const element = h(
    "section",
    { class: "section", "aria-label": "Agent" },
    h("h2", {}, "Let an agent play"),
    field("Agent", names),
    h("div", { class: "row" }, play, step),
    h("div", { class: "row" }, limit.element),
    h("div", { class: "speed" }, slider, h("span", { class: "small muted" }, words)),
    state,
  );
  return { element, update, toggle, step: () => step.disabled || send({ type: "step" }), chosen: () => ({ ...chosen }) };
}
