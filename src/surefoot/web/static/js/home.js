// The first page: both games and the arena, and the ways into them.

import { h, s } from "./dom.js";

export function mount(root, { about }) {
  root.append(
    h(
      "div",
      { class: "welcome" },
      h("h1", {}, "Two games of hidden danger"),
      h("p", { class: "lede" }, "Play them, watch the agents, and see exactly what each move is worth."),
      h(
        "div",
        { class: "doors" },
        door(
          "Minesweeper",
          "Exact chances on every cell, proofs you can follow step by step, and agents to watch.",
          minesweeper(),
          [["#/minesweeper", "Play"], ["#/minesweeper/editor", "Analyse a position"], ["#/minesweeper/replay", "Replay a game"]],
        ),
        door(
          "Risk",
          "Two to six players, human or agent, with the odds of every attack before you make it.",
          risk(),
          [["#/risk", "Play"], ["#/risk/odds", "Odds of a battle"], ["#/risk/replay", "Replay a game"]],
        ),
        h(
          "section",
          { class: "card door-arena", "aria-label": "The arena" },
          h("div", { class: "grow" }, h("h2", {}, "The arena"), h("p", { class: "muted" }, "Agents against agents, a thousand games at a time: who is better, and how sure that is.")),
          h("a", { class: "button button-primary", href: "#/arena" }, "Runs and studies"),
        ),
      ),
      h("p", { class: "muted small" }, `Surefoot ${about.version} · `, h("a", { href: "/api/docs" }, "for programs: the API")),
    ),
  );
}

function door(title, words, picture, links) {
  const [[href, first], ...others] = links;
  return h(
    "section",
    { class: "card door", "aria-label": title },
    h("div", { class: "door-picture" }, picture),
    h("h2", {}, title),
    h("p", { class: "muted" }, words),
    h("div", { class: "row" }, h("a", { class: "button button-primary", href }, first), others.map(([to, label]) => h("a", { class: "button", href: to }, label))),
  );
}

/** A corner of a board with some of its chances. */
function minesweeper() {
  const rows = ["01HHHH", "012HHH", "0012FH", "00012H"];
  const risks = { "0,2": 3, "0,3": 5, "0,4": 2, "0,5": 4, "1,3": 7, "1,4": 1, "1,5": 2, "2,5": 0, "3,5": 6 };
  return s(
    "svg",
    { viewBox: "0 0 240 160", "aria-hidden": "true" },
    rows.flatMap((row, r) =>
      [...row].map((letter, c) => {
        const risk = risks[`${r},${c}`];
        const open = letter >= "0" && letter <= "8";
        return s(
          "g",
          { transform: `translate(${c * 40} ${r * 40})` },
          s("rect", { x: 1, y: 1, width: 38, height: 38, rx: 5, style: { fill: risk !== undefined ? `var(--risk-${risk})` : open ? "var(--cell-open)" : "var(--cell-hidden)" } }),
          open && letter !== "0" && s("text", { x: 20, y: 27, "text-anchor": "middle", "font-size": 20, "font-weight": 700, style: { fill: `var(--number-${letter})` } }, letter),
          letter === "F" && s("path", { d: "M15 31V9l13 6-13 6", style: { fill: "var(--flag)", stroke: "var(--flag)", "stroke-width": "2" } }),
        );
      }),
    ),
  );
}

/** Some lands with armies on them. */
function risk() {
  const lands = [
    ["M8 20 60 8l40 22-12 40-50 8L6 60z", 0, 50, 44, 7],
    ["m104 32 46-20 36 20 4 44-52 14-46-18z", 1, 142, 54, 3],
    ["m192 36 40 6v60l-34 14-20-34 16-4z", 2, 210, 74, 5],
    ["m10 68 28 14 50-8 46 20 2 34-44 26-56-6-26-34z", 0, 74, 112, 12],
    ["m140 94 34-10 20 36-18 32-56 2 22-26z", 2, 160, 122, 2],
  ];
  return s(
    "svg",
    { viewBox: "0 0 240 160", "aria-hidden": "true" },
    lands.map(([d, player, x, y, armies]) =>
      s(
        "g",
        {},
        s("path", { d, style: { fill: `var(--player-${player})`, stroke: "var(--raised)", "stroke-width": "3", "stroke-linejoin": "round" } }),
        s("circle", { cx: x, cy: y, r: 13, style: { fill: "var(--raised)", stroke: "var(--text)", "stroke-width": "1.5" } }),
        s("text", { x, y: y + 5, "text-anchor": "middle", "font-size": 14, "font-weight": 700, style: { fill: "var(--text)" } }, armies),
      ),
    ),
  );
}
