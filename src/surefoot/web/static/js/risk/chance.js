// The win-chance curve of a game, a line a seat.

import { curve } from "../curve.js";
import { h, toggle } from "../dom.js";

/** Series for the curve: points are `[x, [value a seat], error, capped]`. */
export function seriesOf(points, seats) {
  return seats
    .map((seat, place) => ({ seat, place }))
    .filter(({ seat }) => seat.player !== "neutral")
    .map(({ seat, place }) => ({
      name: seat.name,
      colorVar: `--player-${place}`,
      points: points.filter(([, values]) => place < values.length).map(([x, values, error]) => [x, values[place], Array.isArray(error) ? error[place] : error]),
    }));
}

export function chancePanel(onswitch) {
  const control = toggle("Win chance", false, onswitch, { key: "W" });
  const chart = curve({ height: 150, series: [], cursor: null, label: "Win chance" });
  const words = h("p", { class: "small muted" });
  const element = h("section", { class: "section chance" }, control.element, chart.element, words);
  let drawn = null;

  function draw(view) {
    const on = view.curve !== null;
    // In fog the chance would tell what lies in it.
    element.hidden = !on && view.owners.includes(-3);
    control.set(on);
    chart.element.hidden = words.hidden = !on;
    if (!on || view.curve === drawn) return;
    drawn = view.curve;
    chart.update({ series: seriesOf(view.curve.points, view.seats), last: Math.max(view.moves, 1) });
    const capped = view.curve.points.at(-1)?.[3] ?? 0;
    words.textContent = `${view.curve.thinking ? "Playing on … " : ""}${capped > 0.005 ? `${(100 * capped).toFixed(0)} % of games undecided.` : ""}`;
  }

  return { element, draw, toggle: () => onswitch(!control.get()), close: chart.close };
}
