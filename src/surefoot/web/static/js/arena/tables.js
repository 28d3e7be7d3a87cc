// What a run shows, in tables; intervals are drawn too.

import { h, s } from "../dom.js";
import { count, percent, signed, spaced } from "./words.js";

const NUMBER = { class: "number" };

/** A table that scrolls by itself where it is too wide. Rows are lists of cells; the first one names the row. */
function table(caption, heads, rows) {
  return h(
    "div",
    { class: "arena-scroll", role: "region", "aria-label": caption, tabindex: "0" },
    h(
      "table",
      { class: "arena-table" },
      h("thead", {}, h("tr", {}, heads.map((head, place) => h("th", { scope: "col", class: place ? "number" : "" }, head)))),
      h("tbody", {}, rows.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", NUMBER, cell))))),
    ),
  );
}

/** A share with its interval on a scale from `low` to `high`; the figures stand beside it. */
function bar(value, [from, to], low, high, middle = null) {
  const at = (share) => (100 * (share - low)) / (high - low || 1);
  return s(
    "svg",
    { class: "interval", viewBox: "0 0 100 16", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("path", { class: "interval-ground", d: "M0 8H100" }),
    middle !== null && s("path", { class: "interval-middle", d: `M${at(middle)} 0V16` }),
    s("rect", { class: "interval-range", x: at(from), y: 4, width: Math.max(at(to) - at(from), 0.6), height: 8 }),
    s("path", { class: "interval-point", d: `M${at(value)} 1V15` }),
  );
}

/** The rate of won games, the best agent first. */
export function standings({ standings: rows, study }) {
  const order = [...rows].sort((one, other) => (other.rate ?? 0) - (one.rate ?? 0));
  const most = Math.max(...rows.map((row) => row.ci95?.[1] ?? 0), 0.01);
  const rated = rows.some((row) => row.elo !== undefined);
  const alone = study.game === "minesweeper";
  return table(
    "Standings",
    ["Agent", "Games", "Won", "Rate", "95 %", `0 to ${percent(most)}`, ...(rated ? ["Elo", "95 %"] : []), alone ? "Moves a game" : "Turns a game", ...(alone ? ["Guesses a game"] : [])],
    order.map((row) => [
      row.agent,
      count(row.games),
      count(row.won),
      row.rate === null ? "" : percent(row.rate),
      row.ci95 === null ? "" : `${percent(row.ci95[0])} to ${percent(row.ci95[1])}`,
      row.ci95 === null ? "" : bar(row.rate, row.ci95, 0, most),
      ...(rated ? [Math.round(row.elo), row.elo_ci95.map((elo) => Math.round(elo)).join(" to ")] : []),
      row.games ? (row.moves / row.games).toFixed(1) : "",
      ...(alone ? [row.guesses_per_game === null ? "" : row.guesses_per_game.toFixed(2)] : []),
    ]),
  );
}

/** What the games were: every outcome apart, and the words in which they ended. */
export function outcomes({ standings: rows }) {
  const words = ["won", "lost", "capped", "forfeited", "crashed", "timed_out"];
  const ended = (row) => Object.entries(row.ends).map(([end, often]) => `${spaced(end)} ${count(often)}`).join(", ");
  return table("Outcomes", ["Agent", ...words.map(spaced), "ended as"], rows.map((row) => [row.agent, ...words.map((word) => count(row[word])), ended(row)]));
}

/** Two by two: who won what the other did not, and by how much. */
export function pairs({ pairs: rows, study }) {
  const alone = study.game === "minesweeper";
  const ordered = [...rows].sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
  const most = Math.max(...rows.flatMap(({ interval }) => interval.map(Math.abs)), 0.01);
  return table(
    "Two by two",
    ["Agents", "Games", alone ? "First alone" : "First won", alone ? "Second alone" : "Second won", "Difference", "95 %", `−${percent(most)} to +${percent(most)}`, ...(alone ? ["p"] : [])],
    ordered.map((pair) => [
      `${pair.one} v ${pair.other}`,
      count(pair.games),
      count(pair.one_alone),
      count(pair.other_alone),
      signed(pair.difference),
      pair.interval.map(signed).join(" to "),
      bar(pair.difference, pair.interval, -most, most, 0),
      ...(alone ? [pair.p_value === null ? "" : pair.p_value.toPrecision(2)] : []),
    ]),
  );
}

/** Agents against agents: the share of games that the row's has won and the column's has not. */
export function cross({ pairs: rows, standings: ranks }) {
  const names = [...ranks]
    .sort((one, other) => (other.rate ?? 0) - (one.rate ?? 0))
    .map(({ agent }) => agent)
    .filter((agent) => rows.some((pair) => pair.one === agent || pair.other === agent));
  const share = new Map();
  for (const pair of rows) {
    share.set(`${pair.one} ${pair.other}`, pair.one_alone / pair.games);
    share.set(`${pair.other} ${pair.one}`, pair.other_alone / pair.games);
  }
  const cell = (row, column) => (row === column ? "·" : share.has(`${row} ${column}`) ? percent(share.get(`${row} ${column}`)) : "");
  return table("Won by the row alone", ["", ...names], names.map((row) => [row, ...names.map((column) => cell(row, column))]));
}

/** Risk: wins by seat, of all and of each agent. */
export function seats({ seats: rows, study }) {
  const most = Math.max(...rows.map(({ ci95 }) => ci95?.[1] ?? 0), 0.01);
  return table(
    "Wins by seat",
    ["Seat", "Games", "Won", "Rate", "95 %", `0 to ${percent(most)}`, ...study.agents],
    rows.map((seat, number) => [
      `Seat ${number}`,
      count(seat.games),
      count(seat.won),
      seat.games ? percent(seat.won / seat.games) : "",
      seat.ci95 ? seat.ci95.map(percent).join(" to ") : "",
      seat.ci95 ? bar(seat.won / seat.games, seat.ci95, 0, most, 1 / rows.length) : "",
      ...study.agents.map((agent) => (seat.agents[agent].games ? percent(seat.agents[agent].won / seat.agents[agent].games) : "")),
    ]),
  );
}

/** How a sequential test stands. */
export function test({ sprt, study }) {
  const [base, candidate] = study.agents;
  const words = {
    H1: `H1 accepted: ${candidate} is better than ${base}`,
    H0: `H0 accepted: ${candidate} is not better than ${base} by ${percent(sprt.effect)}`,
  };
  const figures = `after ${count(sprt.pairs)} pairs: log-likelihood ratio ${sprt.llr.toFixed(2)}, bounds ${sprt.lower.toFixed(2)} and ${sprt.upper.toFixed(2)}`;
  return h("p", { class: "arena-test" }, h("b", {}, words[sprt.verdict] ?? "Undecided"), `, ${figures}.`);
}
