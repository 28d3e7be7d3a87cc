// A map before the game: its lands, and what its continents are worth.

import { h, s } from "../dom.js";
import { count } from "./words.js";

export function preview(world) {
  const { geometry } = world;
  const letters = geometry.width / 76;
  const sea = s("rect", { class: "sea", width: geometry.width, height: geometry.height });
  const groups = world.continents.map((_, place) => {
    const shapes = world.territories.flatMap((territory, number) => (territory.continent === place ? [geometry.shapes[number]] : []));
    return s("g", {}, shapes.map((d) => s("path", { class: "land-under", "data-tint": place % 6, d })), shapes.map((d) => s("path", { class: "preview-land", "data-tint": place % 6, d })));
  });
  const labels = world.continents.map(({ name, bonus }, place) =>
    bonus > 0 && s("text", { class: "preview-label", x: geometry.continents[place][0], y: geometry.continents[place][1], "font-size": letters.toFixed(1), "text-anchor": "middle", dy: ".35em" }, `${name} +${bonus}`),
  );
  const words = `${world.name}: ${count(world.territories.length, "territory", "territories")} on ${count(world.continents.length, "continent")}`;
  return h(
    "figure",
    { class: "preview" },
    s(
      "svg",
      { viewBox: `0 0 ${geometry.width} ${geometry.height}`, role: "img", "aria-label": words, class: "risk-map" },
      sea,
      s("g", { class: "links" }, geometry.links.map((link) => s("path", { d: link.path }))),
      groups,
      geometry.divides && s("path", { class: "divides", d: geometry.divides }),
      labels,
    ),
    h("figcaption", { class: "muted" }, words),
  );
}
