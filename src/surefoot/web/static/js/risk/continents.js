// What the continents are worth, and who is nearest to holding each.

import { h, setAttribute, setText } from "../dom.js";
import { ownerMark } from "./patterns.js";

/** The continents of a map: `[{ name, bonus, members: [territory, ...] }]`. */
export function continentsOf(world) {
  return world.continents.map((continent, place) => ({
    ...continent,
    members: world.territories.flatMap((territory, number) => (territory.continent === place ? [number] : [])),
  }));
}

/** Who holds each continent: a seat, or null. */
export function holders(continents, owners) {
  return continents.map(({ members }) => {
    const [first] = members;
    return owners[first] >= 0 && members.every((one) => owners[one] === owners[first]) ? owners[first] : null;
  });
}

export function continentsPanel(continents) {
  const rows = continents.map(({ name, bonus, members }) => {
    const parts = members.map(() => h("span", { class: "part" }));
    const words = h("td", { class: "small" });
    return { parts, words, seen: "", element: h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "bonus" }, `+${bonus}`), h("td", { class: "parts-cell" }, h("span", { class: "parts", "aria-hidden": "true" }, parts)), words) };
  });
  const element = h(
    "table",
    { class: "continent-table" },
    h("caption", { class: "visually-hidden" }, "The continents"),
    h("thead", { class: "visually-hidden" }, h("tr", {}, ["Continent", "Bonus", "Lands", "Most of it"].map((label) => h("th", { scope: "col" }, label)))),
    h("tbody", {}, rows.map((row) => row.element)),
  );

  function draw(view) {
    continents.forEach(({ members }, place) => {
      const row = rows[place];
      const owners = members.map((one) => view.owners[one]).sort((a, b) => b - a);
      const key = owners.join();
      if (key === row.seen) return;
      row.seen = key;
      const ranked = rank(owners);
      const sorted = ranked.flatMap(([owner, times]) => Array(times).fill(owner));
      sorted.forEach((owner, part) => setAttribute(row.parts[part], "data-owner", ownerMark(owner, view.seats)));
      const [leader, times] = ranked[0];
      setText(row.words, leader < 0 ? "" : times === members.length ? `all: ${view.seats[leader].name}` : `${times} of ${members.length}`);
      setAttribute(row.words, "aria-label", leader < 0 ? "unknown" : `${view.seats[leader].name} has ${times} of ${members.length}`);
    });
  }

  return { element, draw };
}

/** The owners and how often each occurs: seats first, the most frequent before. */
function rank(owners) {
  const times = new Map();
  for (const owner of owners) times.set(owner, (times.get(owner) ?? 0) + 1);
  return [...times].sort(([a, n], [b, m]) => Number(b >= 0) - Number(a >= 0) || m - n || a - b);
}
