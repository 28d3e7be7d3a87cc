// The bar below the map: what is to be done now, and the controls to do it with.
//
// Its forms are made once and shown in turn, so that a slider keeps its place and the keyboard its focus
// while the game goes on around them.

import { button, h, segmented, setText } from "../dom.js";
import { remember, remembered } from "../settings.js";
import { amount } from "./amount.js";
import { odds } from "./chances.js";
import { armies, percent, switchOf } from "./words.js";

/** The preset whose battles are coins though its text does not say so. */
const COIN_PRESET = /^document-program\b/;

/**
 * `act(text)` plays an action; `undo()`, `mode(name)` and `finish()` are what their buttons do; `keyOf` and
 * `nameOf` take the number of a territory.
 */
export function actionBar({ act, undo, mode, finish, keyOf, nameOf }) {
  const prompt = h("p", { class: "bar-prompt", role: "status" });
  const claim = h("div", { class: "bar-form" });
  const draft = draftForm();
  const attack = attackForm();
  const fortify = amountForm("Move", (number, { offer, pick }) => `fortify ${keyOf(pick.from)} ${keyOf(pick.to)} ${number}`);
  const occupy = amountForm("Move in", (number) => `occupy ${number}`);
  const modes = segmented("What to do", [["attack", "Attack"], ["fortify", "Fortify"]], "attack", mode);
  const end = button("End turn", () => finish(), { key: "E", class: "button bar-end-turn" });
  const back = button("Undo", undo, { key: "U", kind: "quiet" });
  const forms = { claim, draft: draft.element, attack: attack.element, fortify: fortify.element, occupy: occupy.element };
  const element = h(
    "section",
    { class: "action-bar", "aria-label": "Your move" },
    prompt,
    h("div", { class: "bar-forms" }, Object.values(forms)),
    h("div", { class: "bar-ends" }, modes.element, back, end),
  );
  let now = null;

  function draw(view, offer, pick) {
    const place = offer.kind === "turn" ? (pick.to === null ? null : pick.mode) : offer.kind;
    now = { view, offer, pick };
    for (const [name, form] of Object.entries(forms)) form.hidden = name !== place;
    element.classList.toggle("nobody", view.seats.every((seat) => seat.player !== "human"));
    modes.element.hidden = offer.kind !== "turn" || !(offer.attacks.size && offer.fortifies.size);
    modes.set(pick.mode);
    end.hidden = !offer.end;
    end.firstChild.textContent = goesOnToFortify(offer, pick) ? "Done attacking" : "End turn";
    end.classList.toggle("button-primary", offer.end && place === null && !lastingOffers(offer, pick));
    back.hidden = !view.choices;
    back.disabled = !view.undo;
    setText(prompt, promptOf(view, offer, pick, nameOf));
    if (place === "draft") draft.draw(now);
    if (place === "attack") attack.draw(now);
    if (place === "fortify") fortify.draw(now, { least: 1, most: offer.fortifies.get(pick.from).get(pick.to).most, key: `${pick.from} ${pick.to}` });
    if (place === "occupy") occupy.draw(now, { least: offer.occupy[0], most: offer.occupy[1], key: `${view.moves}` });
  }

  /** Do what stands ready; whether anything did. */
  function confirm() {
    const ready = { attack, fortify, occupy, draft };
    for (const [name, form] of Object.entries(ready)) if (!forms[name].hidden) return form.confirm();
    return false;
  }

  function draftForm() {
    const words = h("span", { class: "bar-what" });
    const one = button("+1", () => place(1));
    const five = button("+5", () => place(5));
    const all = button("Place all", () => place(Infinity), { kind: "primary", key: "↵" });
    const place = (number) => {
      const { view, pick } = now;
      if (pick.from !== null) act(`draft ${keyOf(pick.from)} ${Math.min(number, view.to_place)}`);
    };
    return {
      element: h("div", { class: "bar-form" }, words, one, five, all),
      draw: ({ view, pick }) => {
        const chosen = pick.from !== null;
        setText(words, chosen ? nameOf(pick.from) : "");
        one.hidden = five.hidden = all.hidden = !chosen;
        five.disabled = view.to_place < 5;
      },
      confirm: () => now.pick.from !== null && (place(Infinity), true),
    };
  }

  function amountForm(label, actionOf) {
    const range = amount(label);
    const go = button(label, () => confirmed(), { kind: "primary", key: "↵" });
    const confirmed = () => (act(actionOf(range.value(), now)), true);
    return {
      element: h("div", { class: "bar-form" }, range.element, go),
      draw: (_, { least, most, key }) => range.limit(least, most, key),
      confirm: confirmed,
    };
  }

  function attackForm() {
    const range = amount("Armies", () => ask());
    const stop = h("input", { type: "number", class: "stop-at", min: 1, value: remembered("risk.stop", 3), "aria-label": "Stop when so many are left", oninput: () => ask(), onchange: () => remember("risk.stop", Number(stop.value)) });
    const ways = { decided: "Until decided", stop: "Stop at", roll: "One roll" };
    let way = remembered("risk.way", "decided");
    let choice = null;
    let allowed = "";
    const choicePlace = h("div", { class: "row bar-ways" });
    const words = h("output", { class: "bar-odds tabular" });
    const go = button("Attack", () => confirmed(), { kind: "primary", key: "↵" });

    function offered(blitz) {
      if (blitz === allowed) return;
      allowed = blitz;
      const names = blitz === "must" ? ["decided"] : blitz === "never" ? ["roll"] : ["decided", "stop", "roll"];
      if (!names.includes(way)) way = names[0];
      choice = segmented("How long to attack", names.map((name) => [name, ways[name]]), way, (chosen) => {
        way = chosen;
        remember("risk.way", way);
        ask();
      });
      choicePlace.replaceChildren(choice.element, stop);
      choice.element.hidden = names.length < 2;
    }

    const until = () => (way === "stop" ? Math.min(Math.max(Math.floor(Number(stop.value)) || 1, 1), range.value() - 1) : 0);

    function text() {
      const { view, pick } = now;
      const committed = way === "roll" ? Math.min(range.value(), view.dice) : range.value();
      const tail = way === "roll" ? " roll" : way === "stop" && until() > 0 ? ` until ${until()}` : "";
      return `attack ${keyOf(pick.from)} ${keyOf(pick.to)} ${committed}${tail}`;
    }

    async function ask() {
      stop.hidden = way !== "stop";
      const { view, pick } = now;
      const question = {
        attackers: range.value(),
        path: [view.armies[pick.to]],
        ...(until() > 0 ? { until: until() } : {}),
        defence_dice: Number(switchOf(view.rules, "defence_dice") ?? 2),
        battles: switchOf(view.rules, "battles") ?? (COIN_PRESET.test(view.rules) ? "coin" : "dice"),
      };
      const asked = (ask.last = JSON.stringify(question));
      try {
        const { win, mean_left: mean } = await odds(question);
        if (ask.last !== asked) return;
        const end = way === "roll" ? "fought to the end: " : "";
        words.replaceChildren(end, h("b", {}, percent(win, 1)), mean === null ? "" : `, ${mean.toFixed(1)} left`);
      } catch (error) {
        if (ask.last === asked) words.textContent = error.message;
      }
    }

    const confirmed = () => (act(text()), true);
    return {
      element: h("div", { class: "bar-form" }, range.element, choicePlace, words, go),
      draw: ({ view, offer, pick }) => {
        offered(view.blitz);
        const { most } = offer.attacks.get(pick.from).get(pick.to);
        range.limit(1, most, `${pick.from} ${pick.to} ${view.armies[pick.from]}`);
        ask();
      },
      confirm: confirmed,
    };
  }

  return { element, draw, confirm };
}

/** Whether ending the attacks leads to fortifying rather than to the end of the turn. */
export function goesOnToFortify(offer, pick) {
  return offer.kind === "turn" && pick.mode === "attack" && offer.attacks.size > 0 && offer.fortifies.size > 0;
}

function lastingOffers(offer, pick) {
  return offer.kind === "turn" && (pick.mode === "fortify" ? offer.fortifies.size : offer.attacks.size) > 0;
}

function promptOf(view, offer, pick, nameOf) {
  const turn = view.seats[view.turn]?.name ?? "";
  if (offer.kind === "over") {
    return view.winner === null ? "The last round is over; nobody has won." : `${view.seats[view.winner].name} ${view.seats[view.winner].name === "You" ? "have" : "has"} won.`;
  }
  if (offer.kind === "watch") {
    if (view.human) return `${turn} to move.`;
    return view.pace.ended ?? (view.pace.running ? `${turn} plays.` : `${turn} waits: the game is paused.`);
  }
  if (offer.kind === "claim") return view.phase === "capital" ? "Choose your capital." : "Take a free land.";
  if (view.must_trade) return "Trade in a set of cards first.";
  if (offer.kind === "draft") return `Place ${armies(view.to_place)}: click a land of yours.`;
  if (offer.kind === "occupy") return `${nameOf(view.attack[1])} is taken. How many move in?`;
  if (pick.to !== null) return `${nameOf(pick.from)} → ${nameOf(pick.to)}`;
  if (pick.from !== null) return pick.mode === "fortify" ? `Move armies from ${nameOf(pick.from)} to …` : `Attack from ${nameOf(pick.from)}: click a lit land.`;
  if (pick.mode === "fortify" && offer.fortifies.size) return "Move armies once, or end the turn.";
  return offer.attacks.size ? "Attack: click a land of yours, then a neighbour; or end the turn." : "Nothing to attack from: end the turn.";
}
