// A game on the screen: the map, the bar below it and the panel beside it, kept up to date view by view.

import { button, dialog, h, setAttribute, setText, toast } from "../dom.js";
import { remembered, remember } from "../settings.js";
import { advicePanel } from "./advice.js";
import { actionBar, goesOnToFortify } from "./bar.js";
import { chancePanel } from "./chance.js";
import { continentsOf, continentsPanel, holders } from "./continents.js";
import { battlePanel } from "./dice.js";
import { best, handPanel, tradeText } from "./hand.js";
import { NO_PICK, click, goOn, lit, offers, settle, stepOf } from "./intent.js";
import { describe, landCard } from "./lands.js";
import { logPanel } from "./log.js";
import { riskMap } from "./map.js";
import { pacePanel } from "./pace.js";
import { ownerMark, patternDefs, swatch } from "./patterns.js";
import { seatsPanel } from "./seats.js";
import { PHASES, arrowsOf, percent } from "./words.js";

/** Up to so many moves a second, what changes is shown changing. */
const LIVELY = 12;

/**
 * Shows a game. `world` is its map, `send(message)` talks to it and resolves when it has answered, `agents` are
 * the names that may play. Returns `{ element, update(view), close() }`.
 */
export function board({ key, world, agents, send, onnew }) {
  const continents = continentsOf(world);
  const nameOf = (place) => world.territories[place].name;
  const cardKey = (card) => world.territories[card]?.key ?? `wild-${card - world.territories.length + 1}`;
  const keyOf = (place) => world.territories[place].key;
  const numbers = new Map(world.territories.map((territory, place) => [territory.key, place]));
  const nameOfKey = (one) => (numbers.has(one) ? nameOf(numbers.get(one)) : one.replace("-", " "));

  let view = null;
  let pick = NO_PICK;
  let offer = null;
  let lastAttack = null;
  let takenFrom = null;
  let shownTo = null;
  let queued = 0;

  const tell = (message) => send(message).then(() => true, (error) => (toast(error.message, "danger"), false));
  const act = (action) => {
    const [verb, from, to] = action.split(" ");
    if (verb === "attack") lastAttack = [numbers.get(from), numbers.get(to)];
    return tell({ type: "act", action });
  };
  const undo = () => view?.undo && tell({ type: "undo" });

  const map = riskMap(world, { onpick, card: (place) => landCard(view, world, place) });
  const bar = actionBar({ act, undo, mode: setMode, finish, keyOf, nameOf });
  const seats = seatsPanel(agents, (seat, player) => tell({ type: "seat", seat, player }));
  const hand = handPanel({ ontrade: act, nameOf, keyOf: cardKey });
  const table = continentsPanel(continents);
  const battle = battlePanel();
  const log = logPanel();
  const pace = pacePanel(tell);
  const advice = advicePanel(agents, { send: tell, act, nameOfKey });
  const chance = chancePanel((on) => {
    remember("risk.curve", on);
    tell({ type: "assist", what: "curve", on });
  });
  const head = heading();
  const cover = h("div", { class: "cover", hidden: true });
  const stage = h("section", { class: "stage risk-stage", "aria-label": "The board" }, head.element, map.element, bar.element);
  const side = h(
    "aside",
    { class: "side risk-side", "aria-label": "The game" },
    seats.element,
    pace.element,
    hand.element,
    advice.element,
    h("section", { class: "section" }, h("h2", {}, "Last attack"), battle.element),
    h("section", { class: "section" }, h("h2", {}, "Log"), log.element),
    chance.element,
    h("section", { class: "section", hidden: continents.length < 2 }, h("h2", {}, "Continents"), table.element),
    menu(),
  );
  const element = h("div", { class: "app risk" }, patternDefs(), stage, side, cover);
  document.addEventListener("keydown", onkey);

  function update(next) {
    const before = view;
    view = next;
    if (before?.moves > 0 && view.moves === 0) [lastAttack, shownTo] = [null, null];
    offer = offers(view);
    if (before?.phase === "occupy" && before.attack && view.phase === "attack" && view.choices) takenFrom = before.attack;
    pick = settle(offer, pick);
    if (takenFrom) {
      const [from, to] = takenFrom;
      takenFrom = null;
      if (offer.kind === "turn" && offer.attacks.size) pick = settle(offer, goOn(offer, from, to));
    } else if (offer.kind === "turn" && pick.to === null && before && before.moves !== view.moves && lastAttack) {
      // A fight that stopped undecided stands ready to go on.
      const [from, to] = lastAttack;
      if (view.battle && !view.battle.won && offer.attacks.get(from)?.has(to)) pick = { mode: "attack", from, to };
    }
    if (before === null && remembered("risk.curve", false) && view.curve === null) tell({ type: "assist", what: "curve", on: true });
    if (!queued) queued = requestAnimationFrame(draw);
  }

  function draw() {
    queued = 0;
    if (mustPass()) return drawCover();
    cover.hidden = true;
    stage.inert = side.inert = false;
    const lively = view.pace.speed > 0 && view.pace.speed <= LIVELY;
    head.draw();
    drawMap(lively);
    bar.draw(view, offer, pick);
    seats.draw(view);
    pace.draw(view);
    drawHand();
    battle.draw(view.battle, nameOf, lively);
    advice.draw(view);
    chance.draw(view);
    log.draw(view.log, view.seats);
    table.draw(view);
  }

  function drawMap(lively) {
    const marks = view.owners.map((owner) => ownerMark(owner, view.seats));
    map.draw({
      marks,
      armies: view.armies,
      lit: lit(offer, pick),
      from: pick.from,
      to: pick.to,
      figures: figures(),
      arrows: arrows(),
      held: holders(continents, view.owners).map((owner) => (owner === null ? null : ownerMark(owner, view.seats))),
      label: (place) => describe(view, world, offer, place),
      lively,
    });
  }

  /** The chance to win, on every land that can be attacked from the one chosen. */
  function figures() {
    if (offer.kind !== "turn" || pick.mode !== "attack" || pick.from === null) return null;
    const targets = [...(offer.attacks.get(pick.from) ?? [])];
    return new Map(targets.map(([place, { win }]) => [place, percent(win / 10000)]));
  }

  function arrows() {
    const mark = ownerMark(view.turn, view.seats);
    if (pick.to !== null) return [{ from: pick.from, to: pick.to, kind: pick.mode === "fortify" ? "move" : "attack", mark, label: null }];
    const advised = advice.current(view);
    const advisedArrows = advised ? arrowsOf(advised.action, (one) => numbers.get(one), "advice", mark) : [];
    if (advisedArrows.length) return advisedArrows;
    const fought = view.battle;
    if (!fought || (view.choices && offer.kind !== "occupy")) return [];
    return [{ from: fought.from, to: fought.to, kind: "battle", mark: ownerMark(fought.seat, view.seats), label: null }];
  }

  /** Show another pick. */
  function redraw() {
    pick = settle(offer, pick);
    if (!queued) queued = requestAnimationFrame(draw);
  }

  function onpick(place, event) {
    if (!view) return;
    // Enter does what stands ready, unless the keyboard has walked on to another land that can be chosen.
    const chosen = offer.kind === "draft" ? pick.from : pick.to;
    if (event.key === "Enter" && (place === chosen || !lit(offer, pick).has(place)) && bar.confirm()) return;
    const { pick: next, act: what } = click(offer, pick, place);
    pick = next;
    if (what === "claim") act(`claim ${keyOf(place)}`);
    if (what === "draft") act(`draft ${keyOf(place)} ${Math.min(stepOf(event), view.to_place)}`);
    if (what === "confirm") bar.confirm();
    redraw();
  }

  function setMode(mode) {
    pick = { ...NO_PICK, mode };
    redraw();
  }

  function finish() {
    if (goesOnToFortify(offer, pick)) setMode("fortify");
    else if (offer.end) act("end");
  }

  /** Attack again where the last attack was, or where one stands ready. */
  function again() {
    if (offer.kind !== "turn") return;
    if (pick.mode === "attack" && pick.to !== null) return void bar.confirm();
    const [from, to] = lastAttack ?? [];
    if (!offer.attacks.get(from)?.has(to)) return;
    pick = { mode: "attack", from, to };
    redraw();
  }

  function onkey(event) {
    if (!view || event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (!cover.hidden || event.target.closest?.("textarea, select, input:not([type=range]):not([type=radio]):not([type=checkbox])")) return;
    const keys = {
      e: () => (offer.kind === "turn" ? finish() : null),
      u: undo,
      a: again,
      f: () => offer.kind === "turn" && setMode(pick.mode === "fortify" ? "attack" : "fortify"),
      t: () => view.sets.length && act(tradeText(best(view.sets)[0], cardKey)),
      p: pace.toggle,
      s: pace.step,
      v: advice.ask,
      g: advice.play,
      w: chance.toggle,
      enter: () => !event.target.closest?.("button, a, summary, [role=button]") && bar.confirm(),
      escape: () => {
        pick = { ...NO_PICK, mode: pick.mode };
        redraw();
      },
    };
    const does = keys[event.key.toLowerCase()];
    if (!does || (event.repeat && event.key !== "Enter")) return;
    event.preventDefault();
    does();
  }

  // Hot seat: what is one player's own is not shown to the next before the screen has been passed on.

  function humans() {
    return view.seats.filter((seat) => seat.player === "human" && seat.alive).length;
  }

  function strange() {
    return humans() > 1 && view.outcome === "running" && view.viewer !== null && view.viewer !== shownTo;
  }

  function mustPass() {
    return strange() && view.owners.includes(-3);
  }

  function lookAway() {
    shownTo = view.viewer;
    draw();
  }

  function drawCover() {
    const name = view.seats[view.viewer].name;
    stage.inert = side.inert = true;
    cover.hidden = false;
    const ready = button(`I am ${name}`, lookAway, { kind: "primary" });
    cover.replaceChildren(h("div", { class: "card stack" }, swatch(ownerMark(view.viewer, view.seats)), h("h2", {}, `Pass the screen to ${name}`), h("p", { class: "muted" }, "The map is covered until then."), ready));
    ready.focus();
  }

  function drawHand() {
    hand.element.hidden = view.viewer === null || (view.next_set === null && !view.hand.length && !view.sets.length);
    const covered = strange() && view.hand.length > 0 ? view.seats[view.viewer].name : null;
    hand.draw(view, { covered, onuncover: lookAway });
  }

  function heading() {
    const mark = h("span", { class: "head-swatch" });
    const words = h("h1", { class: "head-words" });
    const round = h("span", { class: "muted tabular" });
    const steps = ["draft", "attack", "fortify"].map((name) => h("li", { "data-step": name }, name));
    let marked = null;
    return {
      element: h("header", { class: "risk-head" }, mark, words, h("ol", { class: "steps", "aria-label": "Phases of a turn" }, steps), round),
      draw: () => {
        const now = ownerMark(view.turn, view.seats);
        if (now !== marked) mark.replaceChildren(swatch(now));
        marked = now;
        const over = view.outcome !== "running";
        setText(words, over ? "Game over" : `${view.seats[view.turn].name}: ${PHASES[view.phase] ?? view.phase}`);
        setText(round, view.round ? `Round ${view.round}` : "Start");
        const step = over ? null : view.phase === "draft" ? "draft" : view.phase === "attack" || view.phase === "occupy" ? (pick.mode === "fortify" ? "fortify" : "attack") : null;
        steps.forEach((one) => setAttribute(one, "aria-current", one.dataset.step === step ? "step" : null));
      },
    };
  }

  function menu() {
    const record = `/api/sessions/${key}/record`;
    return h(
      "section",
      { class: "section" },
      h("h2", {}, "This game"),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button", href: record, download: "risk.txt" }, "Save"),
        h("a", { class: "button", href: `#/risk/replay?session=${key}` }, "Replay"),
        button("Restart", () => sure("Restart this game?", "What was played is lost unless it was saved.", "Restart", () => tell({ type: "restart" }))),
        button("New game", onnew),
      ),
      h("details", { class: "small" }, h("summary", {}, "Keys"), keyHelp()),
    );
  }

  function close() {
    cancelAnimationFrame(queued);
    document.removeEventListener("keydown", onkey);
    map.close();
    chance.close();
  }

  return { element, update, close };
}

function sure(title, words, label, then) {
  const shown = dialog(title, h("p", {}, words), h("div", { class: "row" }, button(label, () => (shown.close(), then()), { kind: "primary" }), button("Cancel", () => shown.close())));
}

function keyHelp() {
  const keys = [
    ["arrows", "walk over the map"],
    ["Enter", "choose a land, then do what stands ready"],
    ["Space", "choose a land; place one army"],
    ["Shift + click", "place five armies"],
    ["A", "attack again"],
    ["F", "attack or fortify"],
    ["E", "done attacking; end the turn"],
    ["T", "trade in the best set"],
    ["U", "undo"],
    ["Esc", "choose nothing"],
    ["P, S", "pause the agents; one move"],
    ["V, G", "ask for advice; play it"],
    ["W", "win chance"],
  ];
  return h("dl", { class: "keys" }, keys.map(([name, does]) => [h("dt", {}, h("kbd", {}, name)), h("dd", {}, does)]));
}
