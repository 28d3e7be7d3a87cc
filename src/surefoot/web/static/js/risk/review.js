// The review of a recorded game: chances along it, its turning points, and what was missed there.

import { post } from "../api.js";
import { button, fill, h, setAttribute, setText } from "../dom.js";
import { ownerMark, swatch } from "./patterns.js";

/** Turns of one request, so that each is answered soon. */
const TURNS = 2;
const MOST_MARKS = 6;

/**
 * A button, and what it finds: `onseek(move)` when a turning point is chosen, `onstart()` when the work begins,
 * `ondrawn({points, marks, words})` as it goes on.
 */
export function reviewPanel({ text, seats, onseek, onstart, ondrawn }) {
  const begin = button("Review the game", run);
  const list = h("ol", { class: "review-points" });
  const words = h("p", { class: "small", role: "status" });
  const sums = h("p", { class: "small muted tabular" });
  const element = h("div", { class: "stack review" }, h("div", { class: "row" }, begin), list, words, sums);
  const work = new AbortController();

  async function run() {
    begin.disabled = true;
    onstart();
    const turns = [];
    let found = [];
    let total = 1;
    while (turns.length < total) {
      setText(words, turns.length ? `Weighing turn ${turns.length + 1} of ${total} …` : "Weighing the starting armies …");
      try {
        const part = await post("/api/risk/review", { text, first_turn: turns.length, turns: TURNS }, { signal: work.signal });
        total = part.total_turns;
        if (!part.turns.length) break;
        turns.push(...part.turns);
        found = largest([...found, ...part.turning_points]);
      } catch (error) {
        if (error.name === "AbortError") return;
        begin.disabled = false;
        draw(turns, found);
        return setText(words, error.message);
      }
      draw(turns, found);
    }
    begin.hidden = true;
    setText(words, found.length ? "Choose a turning point." : "No decision and no dice changed much.");
  }

  function draw(turns, found) {
    if (!turns.length) return;
    const end = turns.at(-1);
    const points = [...turns.map((turn) => [turn.move, turn.before, 0]), [end.move + end.moves, end.after, 0]];
    ondrawn({ points, marks: found.map((point) => point.move + 1), words: `From ${turns.length} turns, weighed by the planner.` });
    fill(list, found.map(entry));
    setText(sums, seats.map((seat, place) => [seat, total(turns, place)]).filter(([, sum]) => sum !== null).map(([seat, sum]) => `${seat.name}: ${sum}`).join(". "));
  }

  function entry(point) {
    const kind = point.kind === "loss" ? "decision" : "luck";
    const one = button(`Round ${point.round}, ${kind} ${hundredths(point.change)}`, choose);
    one.prepend(swatch(ownerMark(point.seat, seats)), " ");
    function choose() {
      for (const other of list.querySelectorAll("[aria-current]")) setAttribute(other, "aria-current", null);
      setAttribute(one, "aria-current", "true");
      setText(words, `${seats[point.seat].name}: ${point.text}.`);
      onseek(point.move + 1);
    }
    return h("li", {}, one);
  }

  return { element, close: () => work.abort() };
}

function largest(points) {
  const kept = [...points].sort((a, b) => Math.abs(b.change) - Math.abs(a.change)).slice(0, MOST_MARKS);
  return kept.sort((a, b) => a.move - b.move);
}

/** What a seat's decisions cost it and what its dice brought, in words; null for a seat without chances. */
function total(turns, place) {
  if (place >= turns[0].before.length) return null;
  const sum = (name, some) => some.reduce((all, turn) => all + turn[name][place], 0);
  const lost = sum("losses", turns);
  const luck = sum("luck", turns.filter((turn) => turn.seat === place));
  return `decisions ${hundredths(-lost)}, dice ${hundredths(luck)}`;
}

function hundredths(change) {
  const points = Math.round(100 * change);
  return `${points > 0 ? "+" : points < 0 ? "−" : "±"}${Math.abs(points)}`;
}
