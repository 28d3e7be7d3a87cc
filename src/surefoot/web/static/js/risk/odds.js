// What an attack is worth: the chance to take one land or several in a row, and what is left.

import { field, fill, h, s, segmented } from "../dom.js";
import { remember, remembered } from "../settings.js";
import { odds } from "./chances.js";
import { percent } from "./words.js";

const FIRST = { attackers: 8, path: "5", dice: "2", until: 0 };
const MOST_BARS = 60;

/** The defenders in a text such as "3, 4 2"; null if it is something else. */
export function pathOf(text) {
  const parts = text.trim().split(/[\s,;]+/).filter(Boolean);
  return parts.length && parts.every((part) => /^[0-9]{1,5}$/.test(part) && Number(part) > 0) ? parts.map(Number) : null;
}

export function mount(root) {
  let chosen = { ...FIRST, ...remembered("risk.odds", {}) };
  let asked = 0;
  const result = h("section", { class: "odds-result", "aria-live": "polite" });
  const number = (name, least, label, hint) =>
    field(label, h("input", { type: "number", min: least, max: 10000, value: chosen[name], inputMode: "numeric", oninput: (event) => change({ [name]: Number(event.target.value) }) }), hint);
  const dice = segmented("Defender's dice", [["2", "Two dice"], ["3", "Three (Italian)"], ["coin", "Coins"]], chosen.dice, (value) => change({ dice: value }));
  root.append(
    h(
      "div",
      { class: "odds-page" },
      h("h1", {}, "The odds of an attack"),
      h(
        "form",
        { class: "card odds-form", onsubmit: (event) => event.preventDefault() },
        number("attackers", 1, "Attackers", "armies that can fight: the stack less one"),
        field("Defenders", h("input", { type: "text", value: chosen.path, inputMode: "text", autocomplete: "off", oninput: (event) => change({ path: event.target.value }) }), "one number, or a path such as 3, 4, 2"),
        number("until", 0, "Stop when left", "0: fight until it is decided"),
        h("div", { class: "field" }, h("span", { class: "field-label" }, "The defender rolls"), dice.element),
      ),
      result,
    ),
  );
  ask();

  function change(part) {
    chosen = { ...chosen, ...part };
    remember("risk.odds", chosen);
    ask();
  }

  async function ask() {
    const turn = ++asked;
    const path = pathOf(chosen.path);
    if (path === null) return fill(result, h("p", { class: "muted" }, "Defenders are one or more whole numbers, such as 3, 4, 2."));
    if (!Number.isInteger(chosen.attackers) || chosen.attackers < 1) return fill(result, h("p", { class: "muted" }, "Attackers are a whole number, 1 or more."));
    const until = Math.max(Math.floor(chosen.until) || 0, 0);
    const question = { attackers: chosen.attackers, path, until, ...(chosen.dice === "coin" ? { battles: "coin" } : { defence_dice: Number(chosen.dice) }) };
    try {
      const answer = await odds(question);
      if (turn === asked) fill(result, shown(answer, question));
    } catch (error) {
      if (turn === asked) fill(result, h("p", { class: "error" }, error.message));
    }
  }
}

function shown(answer, { path, attackers, until }) {
  const march = path.length > 1;
  const mean = answer.mean_left;
  return [
    h(
      "p",
      { class: "odds-line" },
      h("b", { class: "odds-win tabular" }, percent(answer.win, 2)),
      h("span", {}, march ? "to take all of them" : "to take it", mean === null ? "" : `, with ${mean.toFixed(2)} ${march ? "in the last" : "left"} on average`),
    ),
    march && steps(answer.taken, path),
    chart(answer.left.filter((entry) => entry.attackers > (march ? 0 : until)), attackers, march),
  ];
}

/** The chance to get so far, land by land; `taken[n]` is the chance to take at least n. */
function steps(taken, path) {
  return h(
    "table",
    { class: "odds-steps" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Land"), h("th", { scope: "col" }, "Defenders"), h("th", { scope: "col" }, "Taken"))),
    h("tbody", {}, path.map((defenders, place) => h("tr", {}, h("th", { scope: "row" }, place + 1), h("td", {}, defenders), h("td", { class: "tabular" }, percent(taken[place + 1], 2))))),
  );
}

/** Bars of how many are left, when it is taken. */
function chart(left, attackers, march) {
  const bars = left.filter((entry) => entry.chance >= 0.00005).sort((a, b) => a.attackers - b.attackers).slice(-MOST_BARS);
  if (!bars.length) return null;
  const most = Math.max(...bars.map((entry) => entry.chance));
  const width = 640;
  const height = 220;
  const floor = height - 34;
  const step = width / bars.length;
  const every = Math.ceil(26 / step);
  const figures = step >= 34;
  const words = `Armies left ${march ? "in the last land" : ""} when it is taken, of ${attackers}: ${bars.map((entry) => `${entry.attackers}: ${percent(entry.chance, 1)}`).join(", ")}`;
  return h(
    "figure",
    { class: "odds-chart" },
    h("figcaption", { class: "muted" }, `Armies left ${march ? "in the last land " : ""}when it is taken`),
    s(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words },
      s("line", { class: "odds-axis", x1: 0, x2: width, y1: floor, y2: floor }),
      bars.map((entry, place) => {
        const tall = (entry.chance / most) * (floor - 24);
        const x = place * step;
        return s(
          "g",
          {},
          s("rect", { class: "odds-bar", x: (x + step * 0.12).toFixed(1), y: (floor - tall).toFixed(1), width: (step * 0.76).toFixed(1), height: Math.max(tall, 0.5).toFixed(1), rx: Math.min(step * 0.15, 4).toFixed(1) }),
          figures && s("text", { class: "odds-figure", x: (x + step / 2).toFixed(1), y: (floor - tall - 6).toFixed(1), "text-anchor": "middle" }, percent(entry.chance, step > 52 ? 1 : 0)),
          place % every === 0 && s("text", { class: "odds-tick", x: (x + step / 2).toFixed(1), y: floor + 20, "text-anchor": "middle" }, entry.attackers),
        );
      }),
    ),
  );
}
