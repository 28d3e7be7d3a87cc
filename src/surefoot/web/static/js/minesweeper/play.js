// Playing Minesweeper: the board, the help that can be switched on, and the agents.

import { curve } from "../curve.js";
import { button, h, setText, toast, toggle } from "../dom.js";
import { remember, remembered } from "../settings.js";
import { agentPanel } from "./agent.js";
import { Board } from "./board.js";
import { acceptFiles } from "./files.js";
import { guessPanel } from "./guesses.js";
import { newGame } from "./newgame.js";
import { OVERLAYS, drawn, ofView } from "./overlay.js";
import { emptyPosition, ofGame, toText } from "./position.js";
import { statusBar } from "./statusbar.js";
import { whyPanel } from "./why.js";
import { FLAGGED, HIDDEN, cellName, exactSeconds, isHidden, isNumber, layouts, percent, plural, presetTitle, stateWords } from "./words.js";

// How long the help of the position before stays on the cells that are still hidden, while the new one is on its way.
const PATIENCE = 150;
const KEYS = [
  ["Click, Space, Enter", "open; on a number: open around it"],
  ["Right click, long press, F", "flag"],
  ["Middle or both buttons, C", "open around a number"],
  ["Arrows", "move about the board"],
  ["N", "new game"],
  ["A, S", "agent: play or pause, one move"],
];

export function mount(root, { connection, about, params, navigate }) {
  const facts = about.minesweeper;
  const limits = { side: about.limits.max_side ?? 200, cells: about.limits.max_cells ?? 10000 };
  const shown = { risks: false, proved: false, best: false, curve: false, ...remembered("minesweeper.overlays", {}) };
  let view = null;
  let flagMode = false;
  let whyMode = false;
  let help = null;
  let fading = 0;
  let gone = false;
  let creating = false;
  // The game that has been told what is wanted of it.
  let helped = null;

  const board = new Board({ label: "Minesweeper board", onprimary: primary, onflag: flag, onchord: chord, onkey });
  const speech = h("p", { class: "visually-hidden", role: "log", "aria-live": "polite" });
  const flagButton = button("Flag", () => setFlagMode(!flagMode), { "aria-pressed": "false", title: "A tap or click flags (long press does so, too)", class: "button flag-mode" });
  const smaller = button("−", () => zoom(-1), { "aria-label": "Smaller board", class: "button zoom", disabled: true });
  const larger = button("+", () => zoom(1), { "aria-label": "Larger board", class: "button zoom" });
  const leave = button("Finish", () => act("leave"), { kind: "primary", hidden: true, title: "Under Min.AI's rules the player ends the game" });
  const bar = statusBar(leave, flagButton, smaller, larger, button("New", restart, { key: "N", class: "button" }));
  const chooser = newGame({ presets: facts.presets, limits, onstart: create, onfile: openText });
  const why = whyPanel({
    board,
    position: () => ofGame(view),
    risk: (cell) => help?.risks[cell] ?? null,
    idle: "Switch on, then choose a cell: its proof is shown step by step.",
  });
  const agents = agentPanel({
    agents: facts.agents,
    send: say,
    initial: { name: "exact", speed: 8, ...remembered("minesweeper.agent", {}) },
    remember: (chosen) => remember("minesweeper.agent", chosen),
  });
  const chart = curve({ height: 130, label: "Win chance" });

  const switches = Object.fromEntries(OVERLAYS.map(([name, label, key]) => [name, toggle(label, shown[name], (on) => setShown(name, on), { key })]));
  const whySwitch = toggle("Why? Click a cell", false, setWhy, { key: "W" });
  const curveSwitch = toggle("Win chance after every move", shown.curve, (on) => setShown("curve", on));
  const analysisWords = h("p", { class: "small muted analysis-words" });
  const guesses = guessPanel();
  const curveWords = h("p", { class: "small muted" });
  const curveBox = h("div", { class: "curve-box" }, chart.element, curveWords);
  const saveLink = h("a", { class: "button", download: "" }, "Save the record");
  const replayLink = button("Replay", replay, {});

  const element = h(
    "div",
    { class: "app ms", onkeydown: onPageKey },
    h("section", { class: "stage", "aria-label": "The board" }, bar.element, board.element, speech),
    h(
      "aside",
      { class: "side", "aria-label": "Controls" },
      chooser.element,
      h("hr"),
      h("section", { class: "section", "aria-label": "Help" }, h("h2", {}, "Help"), OVERLAYS.map(([name]) => switches[name].element), analysisWords, guesses.element, whySwitch.element, why.element),
      h("hr"),
      agents.element,
      h("hr"),
      h("section", { class: "section", "aria-label": "Win chance" }, h("h2", {}, "Win chance"), curveSwitch.element, curveBox),
      h("hr"),
      h(
        "section",
        { class: "section", "aria-label": "This game" },
        h("h2", {}, "This game"),
        h("div", { class: "row" }, saveLink, button("Copy the link", share), button("To the editor", edit), replayLink),
        h("details", {}, h("summary", {}, "Keys"), h("dl", { class: "keys" }, KEYS.map(([keys, words]) => [h("dt", {}, keys), h("dd", {}, words)]))),
      ),
    ),
  );
  root.append(element);
  const stopDrops = acceptFiles(element, openText);
  setShownCurve();
  drawEmpty();

  const onview = () => update(connection.view);
  const onstate = () => showState();
  const onrefused = ({ detail }) => (detail.code === "no-session" ? lose() : toast(detail.message, "danger"));
  connection.addEventListener("view", onview);
  connection.addEventListener("state", onstate);
  connection.addEventListener("refused", onrefused);
  enter();

  // ── Coming and going ────────────────────────────────────────────────────────────────────────────────────────────

  async function enter() {
    bar.say("Getting ready …", "waiting");
    if (!params.session) {
      const message = chooser.message();
      await create({ ...(message ?? { type: "create-minesweeper", preset: "beginner" }), ...(params.seed ? { seed: Number(params.seed) } : {}) });
    } else if (connection.session === params.session && connection.view?.game === "minesweeper") {
      update(connection.view);
    } else {
      try {
        await connection.join(params.session);
      } catch (error) {
        if (gone || error.code === "lost") return;
        if (error.code === "no-session") lose();
        else bar.say("The game cannot be shown.", "problem", error.message);
      }
    }
  }

  // The server has been started anew, or the game was left alone for too long.
  function lose() {
    view = null;
    draw();
    bar.say("This game is not there any more.", "problem", "Start a new one.");
  }

  async function create(message) {
    if (creating) return;
    creating = true;
    try {
      await connection.create(message);
      if (gone) return;
      why.clear();
      navigate(`#/minesweeper/${connection.session}`, { replace: !params.session, quiet: true });
      params = { ...params, session: connection.session };
      const { name, speed } = agents.chosen();
      if (name !== view?.agent.name && facts.agents.includes(name)) say({ type: "agent", agent: name });
      if (speed !== view?.agent.speed) say({ type: "pace", speed });
    } catch (error) {
      if (gone) return;
      toast(error.message, "danger");
      if (view === null) bar.say("No game yet.", "problem", error.message);
    } finally {
      creating = false;
    }
  }

  function openText(text) {
    if (!text.trim()) toast("The file is empty.", "danger");
    else create({ type: "create-minesweeper", text });
  }

  function restart() {
    why.clear();
    if (view === null) chooser.start();
    else say({ type: "restart" });
    if (board.element.contains(document.activeElement)) board.focus();
  }

  // What is refused is told in one line; nothing has changed then.
  function say(message) {
    return connection.send(message).catch((error) => {
      if (!gone && error.code !== "lost") toast(error.message, "danger");
    });
  }

  const act = (action) => say({ type: "act", action });

  // ── What the player does on the board ───────────────────────────────────────────────────────────────────────────

  const over = () => view === null || view.status !== "running";
  const place = (cell) => `${Math.floor(cell / view.level.width)},${cell % view.level.width}`;

  function primary(cell) {
    if (view === null) return;
    if (whyMode) why.ask(cell);
    else if (over()) return;
    else if (flagMode && isHidden(view.cells[cell])) flag(cell);
    else if (view.cells[cell] === HIDDEN || (view.cells[cell] === FLAGGED && !view.switches.flags_protect)) act(`uncover ${place(cell)}`);
    else chord(cell);
  }

  function flag(cell) {
    if (over()) return;
    if (view.cells[cell] === HIDDEN) act(`flag ${place(cell)}`);
    else if (view.cells[cell] === FLAGGED) act(`unflag ${place(cell)}`);
  }

  function chord(cell) {
    if (over() || !view.switches.chord || !isNumber(view.cells[cell])) return;
    const around = board.neighbours(cell).map((near) => view.cells[near]);
    // A number without its flags opens nothing; nor is there anything to say to the server then.
    if (around.filter((code) => code === FLAGGED).length === view.cells[cell] && around.includes(HIDDEN)) act(`chord ${place(cell)}`);
  }

  function onkey(event, cell) {
    const key = event.key.toLowerCase();
    if (key === " " || key === "enter") primary(cell);
    else if (key === "f") flag(cell);
    else if (key === "c") chord(cell);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onPageKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && !isSwitch(event.target)) return;
    const key = event.key.toLowerCase();
    const overlay = OVERLAYS.find(([, , letter]) => letter.toLowerCase() === key);
    if (overlay) setShown(overlay[0], !shown[overlay[0]]);
    else if (key === "w") setWhy(!whyMode);
    else if (key === "escape" && whyMode) setWhy(false);
    else if (key === "n") restart();
    else if (key === "a" && !over()) agents.toggle();
    else if (key === "s" && !over()) agents.step();
    else return;
    event.preventDefault();
  }

  // ── What is switched ────────────────────────────────────────────────────────────────────────────────────────────

  function setShown(name, on) {
    shown[name] = on;
    remember("minesweeper.overlays", shown);
    switches[name]?.set(on);
    if (name === "curve") setShownCurve();
    const wanted = name === "curve" ? on : OVERLAYS.some(([one]) => shown[one]);
    const what = name === "curve" ? "curve" : "analysis";
    if (view !== null && (view[what] !== null) !== wanted) say({ type: "assist", what, on: wanted });
    draw();
  }

  function setShownCurve() {
    curveBox.hidden = !shown.curve;
  }

  function setWhy(on) {
    whyMode = on;
    whySwitch.set(on);
    element.classList.toggle("asking", on);
    if (!on) why.clear();
    else if (document.activeElement?.dataset?.cell !== undefined && view !== null) why.ask(board.focused);
  }

  function setFlagMode(on) {
    flagMode = on;
    flagButton.setAttribute("aria-pressed", String(on));
  }

  function zoom(step) {
    const { smaller: less, larger: more } = board.zoomBy(step);
    smaller.disabled = !less;
    larger.disabled = !more;
  }

  // ── What is seen ────────────────────────────────────────────────────────────────────────────────────────────────

  function drawEmpty() {
    const { width, height, mines } = chooser.size();
    if (!params.session) board.show(emptyPosition(width, height, mines));
  }

  function update(next) {
    if (gone || next?.game !== "minesweeper") return;
    const before = view;
    view = next;
    const moved = before === null || before.cells !== view.cells;
    if (moved && before !== null) {
      why.clear();
      announce(before);
    }
    bar.update(view);
    tellState();
    draw(before !== null && before.moves < view.moves ? originOf(view.last, view.level.width) : null);
    agents.update(view.agent, over());
    leave.hidden = !(view.switches.may_leave && !over());
    leave.classList.toggle("button-primary", view.complete);
    if (connection.session) saveLink.href = `/api/sessions/${connection.session}/record`;
    if (view.curve) {
      chart.update({ series: [{ name: "", colorVar: "--accent", points: view.curve.points }] });
      setText(curveWords, curveNote());
    }
    if (helped !== connection.session) {
      helped = connection.session;
      for (const [what, wanted] of [["analysis", OVERLAYS.some(([name]) => shown[name])], ["curve", shown.curve]]) {
        if (wanted && view[what] === null) say({ type: "assist", what, on: true });
      }
    }
    showState();
  }

  function draw(origin = null) {
    if (view === null) return;
    const { analysis, level, cells } = view;
    const ready = ofView(analysis);
    clearTimeout(fading);
    if (ready !== null || analysis?.state !== "thinking") help = ready;
    else {
      fading = setTimeout(() => {
        help = null;
        draw();
      }, PATIENCE);
    }
    const overlays = over() ? drawn(null, shown) : drawn(help, shown);
    // What was said of a cell that has been opened since is not drawn: its look depends on its being hidden.
    board.show({ width: level.width, height: level.height, cells, ...overlays, origin });
    setText(analysisWords, wordsOf(analysis, ready));
    analysisWords.classList.toggle("thinking", analysis?.state === "thinking");
    guesses.show(shown.best && !over() ? help : null, level.width);
  }

  function curveNote() {
    const last = view.curve.points.at(-1);
    if (view.curve.thinking) return "Working it out …";
    if (over() || !last) return "";
    return last[2] === 0 ? "Exact, by perfect play." : "Estimated; the band is the standard error.";
  }

  function wordsOf(analysis, ready) {
    if (!analysis || !OVERLAYS.some(([name]) => shown[name])) return "";
    if (analysis.state === "thinking") return "Counting the layouts";
    if (ready === null) return analysis.state === "over" ? "" : (analysis.text ?? "");
    const parts = [layouts(analysis.layouts)];
    if (shown.best && analysis.best !== null && analysis.best !== undefined) {
      const risk = ready.risks[analysis.best];
      parts.push(`Best: ${cellName(analysis.best, view.level.width)}${risk ? `, ${percent(risk)} mine` : ", safe"}${analysis.why ? ` — ${analysis.why}` : ""}`);
    }
    return parts.filter(Boolean).join(". ");
  }

  function tellState() {
    const { status, end, complete, clock: now, bbbv, moves, level, preset } = view;
    if (status === "running") {
      if (view.agent.ended) bar.say("The agent stopped.", "", view.agent.ended);
      else if (complete && view.switches.may_leave) bar.say("All safe cells are open.", "won", "Finish to win.");
      else if (moves === 0) bar.say(preset ? presetTitle(preset) : `${level.width}×${level.height}, ${plural(level.mines, "mine")}`, "", "Open a cell to begin.");
      else bar.say("", "");
      return;
    }
    const speed = bbbv && now.seconds > 0 ? `3BV ${bbbv.solved === bbbv.total ? bbbv.total : `${bbbv.solved} of ${bbbv.total}`} · ${(bbbv.solved / now.seconds).toFixed(2)} 3BV/s` : bbbv ? `3BV ${bbbv.total}` : "";
    if (status === "won") bar.say("Won!", "won", `${exactSeconds(now.seconds)} · ${speed}`);
    else bar.say({ exploded: "A mine.", left: "Left too early.", move_limit: "Out of moves." }[end] ?? "Lost.", "lost", speed);
  }

  function showState() {
    element.classList.toggle("offline", connection.state === "lost");
  }

  function announce(before) {
    if (before.moves > view.moves || before.level.width !== view.level.width || before.cells.length !== view.cells.length) return;
    if (view.agent.running && view.agent.speed !== 1) return;
    const opened = [];
    for (let cell = 0; cell < view.cells.length; cell += 1) if (isHidden(before.cells[cell]) && isNumber(view.cells[cell])) opened.push(cell);
    const words = [];
    if (opened.length === 1) words.push(`${cellName(opened[0], view.level.width)}: ${stateWords(view.cells[opened[0]])}`);
    else if (opened.length) words.push(`${plural(opened.length, "cell")} opened`);
    else if (view.last?.startsWith("flag")) words.push("flagged");
    else if (view.last?.startsWith("unflag")) words.push("flag taken off");
    if (words.length) speech.textContent = words.join(", ");
  }

  // ── Where else the game can go ──────────────────────────────────────────────────────────────────────────────────

  async function share() {
    try {
      await navigator.clipboard.writeText(location.href);
      toast("The link is copied: whoever opens it sees this game.", "good");
    } catch {
      toast(`Copy the address of this page: ${location.href}`);
    }
  }

  function edit() {
    if (view === null) return;
    navigate(`#/minesweeper/editor?p=${encodeURIComponent(toText(ofGame(view)).replaceAll("\n", "/"))}`);
  }

  function replay() {
    if (connection.session) navigate(`#/minesweeper/replay?session=${connection.session}`);
  }

  return () => {
    gone = true;
    clearTimeout(fading);
    connection.removeEventListener("view", onview);
    connection.removeEventListener("state", onstate);
    connection.removeEventListener("refused", onrefused);
    stopDrops();
    bar.close();
    board.close();
    chart.close();
  };
}

const isSwitch = (element) => element.type === "checkbox" || element.type === "range" || element.type === "radio";

// The cell of an action's text, such as "uncover 3,4".
function originOf(action, width) {
  const match = /(\d+),(\d+)/.exec(action ?? "");
  return match === null ? null : Number(match[1]) * width + Number(match[2]);
}
