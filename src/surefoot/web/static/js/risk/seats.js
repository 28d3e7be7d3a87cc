// Who plays: colour and pattern, name, and how each stands.

import { h, select, setAttribute, setText } from "../dom.js";
import { ownerMark, patternName, swatch } from "./patterns.js";

const COLUMNS = [
  ["territories", "Lands"],
  ["armies", "Armies"],
  ["cards", "Cards"],
  ["income", "Income"],
];

/** `players` are the names to choose from; `onplayer(seat, player)` is told of a change. */
export function seatsPanel(players, onplayer) {
  const body = h("tbody");
  const table = h(
    "table",
    { class: "seats" },
    h("caption", { class: "visually-hidden" }, "The players"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Player"), COLUMNS.map(([, label]) => h("th", { scope: "col" }, label)))),
    body,
  );
  const change = h("button", { type: "button", class: "button button-quiet small", "aria-pressed": "false", onclick: () => showChoices(!table.classList.contains("changing")) }, "Change");
  const element = h("section", { class: "section" }, h("h2", {}, "Players", change), table);
  let rows = [];

  /** Whether who plays is to be chosen. */
  function showChoices(on) {
    table.classList.toggle("changing", on);
    change.setAttribute("aria-pressed", String(on));
  }

  function draw(view) {
    if (rows.length !== view.seats.length) {
      rows = view.seats.map((seat, place) => row(place, ownerMark(place, view.seats), seat.player === "neutral"));
      body.replaceChildren(...rows.map((one) => one.element));
    }
    view.seats.forEach((seat, place) => {
      const one = rows[place];
      const turn = view.outcome === "running" && view.turn === place;
      setAttribute(one.element, "aria-current", turn ? "true" : null);
      one.element.classList.toggle("gone", !seat.alive);
      one.element.classList.toggle("winner", view.winner === place);
      setText(one.name, seat.name);
      one.name.classList.toggle("thinking", view.pace.thinking === place);
      const state = view.winner === place ? "has won" : seat.alive ? "" : "eliminated";
      setText(one.state, state);
      one.state.hidden = state === "";
      if (one.player) {
        one.player.hidden = state !== "";
        if (one.player.value !== seat.player) one.player.value = seat.player;
        setAttribute(one.player, "aria-label", `Who plays ${seat.name}`);
      }
      COLUMNS.forEach(([key], column) => setText(one.cells[column], seat[key] ?? "–"));
    });
  }

  function row(seat, mark, neutral) {
    const name = h("span", { class: "seat-name" });
    const state = h("span", { class: "seat-state" });
    const player = neutral
      ? null
      : select([["human", "human"], ...players.map((one) => [one, one])], "human", (chosen) => onplayer(seat, chosen), { class: "seat-player" });
    const cells = COLUMNS.map(() => h("td"));
    const said = mark === "neutral" ? "plain" : patternName(seat);
    return {
      name,
      state,
      player,
      cells,
      element: h("tr", { "data-owner": mark, title: `Pattern: ${said}` }, h("th", { scope: "row" }, h("span", { class: "seat-head" }, swatch(mark), name), player, state), cells),
    };
  }

  return { element, draw };
}
