// Replaying a game: a slider, the notes, the analysis of every position, the win chance's curve.

import { post } from "../api.js";
import { againFromArena } from "../arena/game.js";
import { curve } from "../curve.js";
import { append, button, field, fill, h, setText, toast, toggle } from "../dom.js";
import { remember, remembered } from "../settings.js";
import { speedAt } from "./agent.js";
import { Board } from "./board.js";
import { acceptFiles } from "./files.js";
import { guessPanel } from "./guesses.js";
import { Film, coarseToFine, judge, readAction } from "./film.js";
import { OVERLAYS, drawn, ofAnswer } from "./overlay.js";
import { ofGame, toText } from "./position.js";
import { recordOf, sampleRecord } from "./sample.js";
import { whyPanel } from "./why.js";
import { cellName, layouts, percent, plural } from "./words.js";

const DEBOUNCE = 90;
const SPEEDS = 60;
const VERDICTS = {
  safe: "Safe.",
  mistake: "A mistake: that is a mine.",
  needless: "A needless guess: there is a safe cell.",
  best: "The best guess.",
  equal: "As good as the best guess.",
  worse: "Not the best guess.",
  unlisted: "Not the best guess: it promises less.",
  riskier: "A riskier guess than needed.",
};

export function mount(root, { connection, params, navigate }) {
  let shown = null;
  let gone = false;
  const element = h("div", { class: "app ms" });
  root.append(element);
  const stopDrops = acceptFiles(element, open);
  if (params.session) fetched("Loading the record", () => recordOf(params.session));
  else if (params.run) fetched("The game is played again", () => againFromArena(params));
  else empty();

  async function fetched(doing, record) {
    empty(doing);
    try {
      await open(await record());
    } catch (error) {
      if (!gone) empty();
      toast(error.message, "danger");
    }
  }

  async function open(text) {
    try {
      const replay = await post("/api/minesweeper/replay", { text });
      if (gone) return;
      shown?.close();
      shown = player(element, replay, empty);
    } catch (error) {
      if (!gone) toast(`That cannot be replayed. ${error.message}`, "danger");
    }
  }

  // Nothing is open yet.
  function empty(doing = "") {
    shown?.close();
    shown = null;
    const text = h("textarea", { rows: 8, spellcheck: false, placeholder: '[Game "Minesweeper"]\n[Rules "windows"]\n…' });
    const input = h("input", { type: "file", class: "visually-hidden", accept: ".txt,text/plain", onchange: async () => input.files[0] && open(await input.files[0].text()) });
    const words = h("p", { class: doing ? "muted thinking" : "muted", role: "status" }, doing);
    const sample = button("Let the exact agent play one", async () => {
      sample.disabled = true;
      words.className = "muted thinking";
      setText(words, "An expert board is being played");
      try {
        const record = await sampleRecord(connection);
        if (!gone) await open(record);
      } catch (error) {
        if (!gone) setText(words, error.message);
        words.className = "problem";
        sample.disabled = false;
      }
    });
    fill(
      element,
      h(
        "section",
        { class: "empty", "aria-label": "Open a game" },
        h("h1", {}, "Replay a game"),
        h("p", { class: "muted" }, "Open a Surefoot record, a Min.AI world or the text of a board; or drop the file here."),
        h("div", { class: "row" }, h("label", { class: "button button-primary file-button" }, "Open a file …", input), sample),
        field("Or paste it", text),
        button("Replay the text", () => (text.value.trim() ? open(text.value) : text.focus())),
        words,
      ),
    );
    element.classList.add("app-empty");
  }

  return () => {
    gone = true;
    shown?.close();
    stopDrops();
  };
}

/** The page with a game in it; `again` goes back to opening another. */
function player(element, replay, again) {
  const { level, rules, headers } = replay;
  const film = new Film(replay);
  const shown = { risks: false, proved: false, best: true, ...remembered("minesweeper.replay.overlays", {}) };
  const known = new Map();
  let help = null;
  let problem = "";
  let turn = 0;
  let waiting = 0;
  let playing = null;
  let chances = new Map();
  let counting = null;
  let asking = false;
  const minesKnown = !/cs50|mines_known=no/.test(rules);

  const board = new Board({ label: "Replay", onprimary: (cell) => asking && why.ask(cell), onkey: (event, cell) => {
    if (event.key.toLowerCase() !== "w") return;
    event.preventDefault();
    why.ask(cell);
  } });
  const position = () => ofGame({ level, switches: { mines_known: minesKnown }, cells: film.cells });
  const why = whyPanel({ board, position, risk: (cell) => help?.risks[cell] ?? null, idle: "Switch on, then choose a cell; or press W on it." });
  const slider = h("input", { type: "range", min: 0, max: film.last, value: 0, "aria-label": "Move", oninput: () => go(Number(slider.value)) });
  const place = h("output", {});
  const playButton = button("Play", togglePlaying, { kind: "primary" });
  const speed = h("input", { type: "range", min: 0, max: SPEEDS, value: remembered("minesweeper.replay.speed", 18), "aria-label": "Moves a second", oninput: () => {
    remember("minesweeper.replay.speed", Number(speed.value));
    showSpeed();
  } });
  const speedWords = h("span", { class: "small muted tabular" });
  const message = h("div", { class: "message", role: "status" });
  const bar = h("div", { class: "status-bar editor-bar" }, message);
  const controls = h("div", { class: "player" }, button("‹", () => go(film.at - 1), { "aria-label": "One move back" }), playButton, button("›", () => go(film.at + 1), { "aria-label": "One move on" }), slider, place);
  const note = h("p", { class: "note", hidden: true });
  const nextMove = h("p", { class: "small" });
  const judgement = h("p", { class: "small judgement", role: "status" });
  const words = h("p", { class: "small muted analysis-words" });
  const guesses = guessPanel();
  const switches = OVERLAYS.map(([name, label, key]) => toggle(label, shown[name], (on) => setShown(name, on), { key }));
  const whySwitch = toggle("Why? Click a cell", false, setAsking);
  const chart = curve({ height: 140, last: film.last, cursor: 0, onseek: go, label: "Win chance after each move" });
  const countButton = button("Work out the win chances", toggleCounting);
  const countWords = h("p", { class: "small muted", role: "status" });

  element.classList.remove("app-empty");
  fill(
    element,
    h("section", { class: "stage", "aria-label": "The board" }, bar, board.element, controls),
    h(
      "aside",
      { class: "side", "aria-label": "Controls" },
      h(
        "section",
        { class: "section", "aria-label": "The game" },
        h("h2", {}, "The game", button("Another", again)),
        h("dl", { class: "facts" }, factsOf().map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
        note,
      ),
      h("hr"),
      h("section", { class: "section", "aria-label": "The next move" }, h("h2", {}, "The next move"), nextMove, judgement),
      h("hr"),
      h("section", { class: "section", "aria-label": "Analysis" }, h("h2", {}, "Analysis"), switches.map((one) => one.element), words, guesses.element, whySwitch.element, why.element),
      h("hr"),
      h("section", { class: "section", "aria-label": "Win chance" }, h("h2", {}, "Win chance"), chart.element, h("div", { class: "row" }, countButton), countWords),
      h("hr"),
      h("section", { class: "section", "aria-label": "Speed" }, h("h2", {}, "Speed"), speed, speedWords),
    ),
  );
  document.addEventListener("keydown", onkey);
  showSpeed();
  arrived();

  function factsOf() {
    const own = [["Board", `${level.width}×${level.height}, ${plural(level.mines, "mine")}`], ["Rules", rules], ["Moves", film.frames.at(-1).moves]];
    return [...own, ...Object.entries(headers ?? {})];
  }

  // ── Walking ─────────────────────────────────────────────────────────────────────────────────────────────────────

  function go(frame) {
    const from = film.at;
    film.seek(frame);
    if (film.at !== from) arrived();
  }

  function arrived() {
    const { frame } = film;
    slider.value = film.at;
    slider.setAttribute("aria-valuetext", `${film.at} of ${film.last}${frame.action ? `, ${frame.action}` : ""}`);
    setText(place, `${film.at} / ${film.last}`);
    note.hidden = !frame.note;
    setText(note, frame.note ?? "");
    const words = { won: "Won.", lost: "Lost." }[frame.status] ?? (film.at === 0 ? "The start" : "");
    message.dataset.kind = frame.status === "running" ? "" : frame.status;
    fill(message, h("b", {}, words), h("span", {}, frame.action ? ` ${frame.action}` : ""));
    fill(nextMove, film.next ? [h("b", {}, film.next), h("span", { class: "muted" }, ", ringed on the board")] : "The game ends here.");
    chart.update({ cursor: film.at });
    why.clear();
    look();
  }

  // The analysis of the position, from what is known already or asked for once the slider rests.
  function look() {
    turn += 1;
    problem = "";
    clearTimeout(waiting);
    help = known.get(film.at) ?? null;
    draw();
    if (help === null && film.frame.status === "running") waiting = setTimeout(analyse, DEBOUNCE);
  }

  async function analyse() {
    const mine = turn;
    const { at } = film;
    try {
      const answer = await post("/api/minesweeper/analyze", { position: toText(position()), rules });
      if (answer.contradiction) throw new Error(answer.contradiction.text);
      const found = { ...ofAnswer(answer, level.width), why: answer.why, layouts: answer.log10_layouts };
      known.set(at, found);
      if (mine === turn) help = found;
    } catch (error) {
      if (mine === turn) problem = error.message;
    }
    if (mine === turn) draw();
  }

  function draw() {
    const next = readAction(film.next, level.width);
    board.show({ width: level.width, height: level.height, cells: film.cells, ...drawn(help, shown) });
    if (!why.active()) board.highlight({ at: next?.cell !== undefined && next?.cell !== null ? [next.cell] : [] });
    setText(words, problem || (help ? [layouts(help.layouts), help.best === null ? "" : `Best: ${cellName(help.best, level.width)}${help.why ? ` — ${help.why}` : ""}`].filter(Boolean).join(". ") : ""));
    guesses.show(shown.best ? help : null, level.width);
    judgement.replaceChildren();
    const found = next?.kind === "uncover" ? judge(help, next.cell) : null;
    if (found === null) return;
    append(judgement, [h("b", {}, VERDICTS[found.verdict]), ` ${cellName(next.cell, level.width)} ${found.risk === 0 ? "is safe" : `is a mine with ${percent(found.risk)}`}`]);
    if (found.wins !== null) append(judgement, [` and wins ${percent(found.wins)}`]);
    if (found.verdict !== "safe" && found.verdict !== "best" && help.best !== null) {
      append(judgement, [`; the best cell was ${cellName(help.best, level.width)} with ${percent(found.bestRisk)}${found.bestWins === null ? "" : `, which wins ${percent(found.bestWins)}`}`]);
    }
    append(judgement, ["."]);
  }

  function setShown(name, on) {
    shown[name] = on;
    remember("minesweeper.replay.overlays", shown);
    switches[OVERLAYS.findIndex(([one]) => one === name)].set(on);
    draw();
  }

  function setAsking(on) {
    asking = on;
    whySwitch.set(on);
    element.classList.toggle("asking", on);
    if (!on) {
      why.clear();
      draw();
    }
  }

  // ── Playing ─────────────────────────────────────────────────────────────────────────────────────────────────────

  function togglePlaying() {
    if (playing !== null) {
      stop();
      return;
    }
    if (film.at === film.last) go(0);
    setText(playButton, "Pause");
    let due = performance.now();
    const tick = (now) => {
      const step = 1000 / speedAt(Number(speed.value));
      // A page in the background wakes up late; it goes on from where it is.
      due = Math.max(due, now - 1000);
      const moves = Math.floor((now - due) / step);
      due += moves * step;
      if (moves > 0) go(film.at + moves);
      if (film.at === film.last) stop();
      else playing = requestAnimationFrame(tick);
    };
    playing = requestAnimationFrame(tick);
  }

  function stop() {
    cancelAnimationFrame(playing);
    playing = null;
    setText(playButton, "Play");
  }

  function showSpeed() {
    const moves = speedAt(Number(speed.value));
    setText(speedWords, `${plural(moves, "move")} a second`);
    speed.setAttribute("aria-valuetext", speedWords.textContent);
  }

  function onkey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY)$/.test(event.target.tagName) && event.target.type !== "checkbox" && event.target.type !== "radio") return;
    const overlay = OVERLAYS.find(([, , letter]) => letter === event.key.toUpperCase());
    const steps = { ArrowLeft: film.at - 1, ArrowRight: film.at + 1, Home: 0, End: film.last };
    if (event.key in steps) go(steps[event.key]);
    else if (event.key === " ") togglePlaying();
    else if (overlay) setShown(overlay[0], !shown[overlay[0]]);
    else if (event.key.toLowerCase() === "w") setAsking(!asking);
    else if (event.key === "Escape") setAsking(false);
    else return;
    event.preventDefault();
  }

  // ── The curve ───────────────────────────────────────────────────────────────────────────────────────────────────

  async function toggleCounting() {
    if (counting !== null) {
      counting.abort();
      return;
    }
    const stopping = new AbortController();
    counting = stopping;
    setText(countButton, "Stop");
    const walker = new Film(replay);
    const order = coarseToFine(film.last).filter((frame) => !chances.has(frame));
    try {
      for (const frame of order) {
        setText(countWords, `${chances.size} of ${film.frames.length} positions`);
        walker.seek(frame);
        const { status } = walker.frame;
        const asked = ofGame({ level, switches: { mines_known: minesKnown }, cells: walker.cells });
        const found = status === "running" ? await post("/api/minesweeper/win-probability", { position: toText(asked), rules }, { signal: stopping.signal }) : { value: status === "won" ? 1 : 0, error: 0 };
        chances = new Map([...chances, [frame, [frame, found.value, found.error]]]);
        drawChances();
      }
      setText(countWords, "Exact where few layouts are left, else estimated; the band is the standard error.");
      countButton.hidden = true;
    } catch (error) {
      setText(countWords, stopping.signal.aborted ? `Stopped at ${plural(chances.size, "position")}.` : error.message);
    } finally {
      counting = null;
      setText(countButton, "Go on");
    }
  }

  function drawChances() {
    const points = [...chances.values()].sort((one, other) => one[0] - other[0]);
    chart.update({ series: [{ name: "", colorVar: "--accent", points }] });
  }

  return {
    close() {
      stop();
      counting?.abort();
      clearTimeout(waiting);
      turn += 1;
      document.removeEventListener("keydown", onkey);
      board.close();
      chart.close();
    },
  };
}
