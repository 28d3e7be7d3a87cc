// The cards in hand, as small pictures, and the sets that may be traded in.

import { button, h, s } from "../dom.js";
import { armies } from "./words.js";

const KINDS = {
  infantry: "M12 4.500a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM7 22v-7q0-3.500 5-3.500t5 3.500v7z",
  cavalry: "M6 22v-6l-2-4 4-6 5-3 1 3 4 2v3l-4 1 4 4v6h-3v-5H9v5z",
  artillery: "M3 15 19 7l1.500 3-8 4.500M8 15a4 4 0 1 0 .1 0zM12 19h9v-2h-9z",
  wild: "m12 3 2.600 6.100 6.600.500-5 4.300 1.600 6.500L12 17l-5.800 3.400 1.600-6.500-5-4.300 6.600-.5z",
};

/** `ontrade(action)` is told what to play; `nameOf(territory)` is a land's name, `keyOf(card)` a card's key. */
export function handPanel({ ontrade, nameOf, keyOf }) {
  const pictures = h("ul", { class: "hand", "aria-label": "Cards in hand" });
  const sets = h("div", { class: "stack" });
  const words = h("p", { class: "small muted" });
  const cover = h("div", { class: "stack" });
  const element = h("section", { class: "section" }, h("h2", {}, "Cards"), cover, pictures, words, sets);
  let shown = "";

  /** `covered`: whose turn it is to look, if the screen has to be passed on first; `onuncover` shows the hand. */
  function draw(view, { covered = null, onuncover } = {}) {
    const key = JSON.stringify([view.hand, view.sets, view.must_trade, view.next_set, covered]);
    if (key === shown) return;
    shown = key;
    const may = new Set(view.sets.flatMap((set) => set.cards));
    const hidden = covered !== null;
    cover.replaceChildren(...(hidden ? [h("p", {}, `Pass the screen to ${covered}.`), button("Show my cards", onuncover)] : []));
    pictures.replaceChildren(...(hidden ? [] : view.hand.map((card) => picture(card, may.has(card.card), nameOf))));
    const next = view.next_set === null ? "" : `The next set is worth ${view.next_set}.`;
    const empty = !hidden && view.hand.length === 0 ? "No cards in hand. " : "";
    words.textContent = `${empty}${view.must_trade && !hidden ? "A set has to be traded in first. " : ""}${next}`;
    words.classList.toggle("must", view.must_trade && !hidden);
    sets.replaceChildren(...(hidden ? [] : best(view.sets).map((set, place) => offer(set, place, view))));
  }

  function offer(set, place, view) {
    const kinds = set.cards.map((card) => view.hand.find((one) => one.card === card)?.kind ?? "card").join(", ");
    const on = set.on === null ? "" : `, 2 on ${nameOf(set.on)}`;
    const control = button(`Trade ${kinds} for ${armies(set.worth)}${on}`, () => ontrade(tradeText(set, keyOf)), {
      kind: place === 0 ? "primary" : "",
      key: place === 0 ? "T" : null,
    });
    control.classList.add("trade");
    return control;
  }

  return { element, draw };
}

/** The action of handing in a set. */
export function tradeText(set, keyOf) {
  return `trade ${set.cards.map(keyOf).join(" ")}${set.on === null ? "" : ` on ${keyOf(set.on)}`}`;
}

/** A few of the sets, the most worth first; there may be dozens with wild cards. */
export function best(sets) {
  return [...sets].sort((a, b) => b.worth - a.worth || Number(b.on !== null) - Number(a.on !== null)).slice(0, 4);
}

function picture({ kind, territory }, usable, nameOf) {
  const name = territory === null ? "wild" : nameOf(territory);
  return h(
    "li",
    { class: `playing-card${usable ? " usable" : ""}` },
    s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: KINDS[kind] ?? KINDS.wild })),
    h("span", { class: "card-kind" }, kind),
    territory !== null && h("span", { class: "card-name" }, name),
  );
}
