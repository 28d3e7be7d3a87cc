// The map: one picture whose lands are buttons. It is made once; afterwards only what differs is touched.

import { button, h, s, setAttribute, setText } from "../dom.js";
import { arrowShapes } from "./arrows.js";
import { DIRECTIONS, step } from "./compass.js";
import { patternFill } from "./patterns.js";
import { zoomable } from "./zoom.js";

/** Pixels below which figures on badges are enlarged, and names are left out. */
const LEAST_FIGURE = 9.5;
const LEAST_NAME = 6.2;
const MOST_GROWTH = 2.1;
/** The theme has so many tints for the coasts of continents. */
const TINTS = 6;

/**
 * `world` is what `/api/risk/maps/NAME` answers. `onpick(territory, event)` is called for a click, Enter or Space;
 * `card(territory)` gives the words shown beside a land that is pointed at: `{ title, lines: [text, ...] }`.
 */
export function riskMap(world, { onpick, card }) {
  const { geometry } = world;
  const size = sizes(geometry);
  const lands = world.territories.map((territory, place) => land(territory, place, geometry, size));
  const continents = world.continents.map((continent, place) => continentLabel(continent, geometry.continents[place], size));
  const arrows = s("g", { class: "arrows" });
  const sea = s("rect", { class: "sea", width: geometry.width, height: geometry.height });
  const svg = s(
    "svg",
    { class: "risk-map", role: "group", "aria-label": `Map: ${world.name}`, focusable: "false" },
    sea,
    s("g", { class: "links", "aria-hidden": "true" }, geometry.links.map((link) => s("path", { d: link.path }))),
    world.continents.map((continent, place) => group(lands.filter((one) => one.continent === place))),
    geometry.divides && s("path", { class: "divides", d: geometry.divides, "aria-hidden": "true" }),
    s("g", { class: "edges", "aria-hidden": "true" }, lands.map((one) => one.edge)),
    s("g", { class: "names", "aria-hidden": "true" }, lands.map((one) => one.name)),
    s("g", { class: "continents", "aria-hidden": "true" }, continents.filter((_, place) => world.continents[place].bonus > 0).map((one) => one.element)),
  );
  // What changes most lies in a picture of its own: painting it again leaves the lands alone.
  const above = s("svg", { class: "risk-map risk-map-above", "aria-hidden": "true", focusable: "false" }, arrows, s("g", { class: "badges" }, lands.map((one) => one.badge)));
  let shownGrowth = 1;
  const hover = h("div", { class: "land-card", "aria-hidden": "true", hidden: true });
  const zoom = zoomable([svg, above], geometry, fitText);
  const element = h(
    "div",
    { class: "risk-map-frame" },
    svg,
    above,
    h(
      "div",
      { class: "map-buttons" },
      button("+", zoom.closer, { kind: "quiet", class: "button map-button", "aria-label": "Look closer" }),
      button("−", zoom.farther, { kind: "quiet", class: "button map-button", "aria-label": "Look from farther away" }),
      button(s("svg", { class: "step-icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: "M4 9V4h5M20 15v5h-5M15 4h5v5M9 20H4v-5", fill: "none" })), zoom.whole, { kind: "quiet", class: "button map-button", "aria-label": "Show the whole map" }),
    ),
    hover,
  );
  let roving = 0;
  let pointed = null;
  let drawnArrows = "";
  lands[roving].element.setAttribute("tabindex", "0");

  function fitText(pixels) {
    const growth = Math.min(Math.max(LEAST_FIGURE / (size.figure * pixels), 1), MOST_GROWTH);
    if (growth !== shownGrowth) for (const one of lands) one.badge.setAttribute("transform", `translate(${one.at}) scale(${growth.toFixed(3)})`);
    shownGrowth = growth;
    svg.classList.toggle("nameless", size.name * pixels < LEAST_NAME);
    svg.classList.toggle("without-continents", size.continent * pixels < LEAST_NAME);
  }

  const territoryOf = (event) => {
    const found = event.target.closest?.(".land");
    return found ? Number(found.dataset.territory) : null;
  };

  svg.addEventListener("click", (event) => {
    const place = territoryOf(event);
    if (place === null) return;
    rove(place);
    onpick(place, event);
  });
  svg.addEventListener("keydown", (event) => {
    const place = territoryOf(event);
    if (place === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      onpick(place, event);
    } else if (event.key in DIRECTIONS) {
      event.preventDefault();
      const next = step(geometry.anchors, place, DIRECTIONS[event.key]);
      if (next !== null) focus(next);
    }
  });
  svg.addEventListener("focusin", (event) => {
    const place = territoryOf(event);
    if (place !== null && event.target.matches(":focus-visible")) point(place);
  });
  svg.addEventListener("focusout", () => point(null));
  svg.addEventListener("pointerover", (event) => event.pointerType === "mouse" && point(territoryOf(event)));
  svg.addEventListener("pointerleave", () => point(null));

  function rove(place) {
    lands[roving].element.setAttribute("tabindex", "-1");
    roving = place;
    lands[place].element.setAttribute("tabindex", "0");
  }

  function focus(place) {
    rove(place);
    zoom.reveal(geometry.anchors[place]);
    lands[place].element.focus();
  }

  function point(place) {
    if (pointed !== null) lands[pointed].edge.classList.remove("pointed");
    pointed = place;
    hover.hidden = place === null;
    if (place === null) return;
    lands[place].edge.classList.add("pointed");
    fillCard();
    const frame = element.getBoundingClientRect();
    const at = new DOMPoint(...geometry.anchors[place]).matrixTransform(svg.getScreenCTM());
    const below = at.y - frame.top < frame.height / 2;
    const half = hover.offsetWidth / 2 + 4;
    const x = Math.min(Math.max(at.x - frame.left, half), Math.max(frame.width - half, half));
    hover.style.setProperty("left", `${x}px`);
    hover.style.setProperty("top", `${at.y - frame.top + (below ? 24 : -24)}px`);
    hover.classList.toggle("above", !below);
  }

  function fillCard() {
    const { title, lines } = card(pointed);
    hover.replaceChildren(h("b", {}, title), ...lines.map((line) => h("span", {}, line)));
  }

  /**
   * Shows a state: `{ marks, armies, lit, from, to, figures, arrows, held, label, lively }`.
   * marks and armies a land; lit: a set of lands; figures: a map from land to a short text beside its badge;
   * arrows: [{ from, to, kind, mark, label }]; held: a mark or null a continent; label(land): its words;
   * lively: whether changes may be seen happening.
   */
  function draw(state) {
    const choosing = state.from !== null && state.from !== undefined;
    svg.classList.toggle("choosing", choosing);
    lands.forEach((one, place) => {
      const figure = state.figures?.get(place) ?? "";
      const role = place === state.from ? "from" : place === state.to ? "to" : state.lit.has(place) ? "lit" : "";
      touch(one, state.marks[place], state.armies[place], role, figure, size, state.lively);
      setAttribute(one.element, "aria-label", state.label(place));
    });
    continents.forEach((one, place) => setAttribute(one.element, "data-owner", state.held[place]));
    const wanted = JSON.stringify(state.arrows);
    if (wanted !== drawnArrows) {
      drawnArrows = wanted;
      arrows.replaceChildren(...state.arrows.flatMap((arrow) => arrowShapes(arrow, geometry, size)));
    }
    if (pointed !== null) fillCard();
  }

  return { element, draw, close: zoom.close };
}

/** How large badges and letters are, in units of the map. */
function sizes({ badge, font }) {
  return { radius: badge, figure: badge * 1.25, name: font, continent: font * 1.25 };
}

function land(territory, place, geometry, size) {
  const d = geometry.shapes[place];
  const [x, y] = geometry.anchors[place];
  const [labelX, labelY] = geometry.labels[place];
  const figure = s("text", { class: "badge-figure", "font-size": size.figure.toFixed(2), dy: ".35em", "text-anchor": "middle" });
  const pill = s("rect", { class: "badge-pill", height: (size.radius * 2).toFixed(2), y: (-size.radius).toFixed(2), rx: size.radius.toFixed(2) });
  const odds = s("g", { class: "odds" });
  const shape = s("path", { class: "land-shape", d });
  const pattern = s("path", { class: "land-pattern", d, fill: "none" });
  const name = s(
    "text",
    { class: "land-name", "font-size": size.name.toFixed(2), "text-anchor": "middle" },
    geometry.names[place].map((line, row) => s("tspan", { x: labelX.toFixed(1), y: (labelY + row * 1.1 * geometry.font).toFixed(1) }, line)),
  );
  return {
    continent: territory.continent,
    under: s("path", { class: "land-under", "data-tint": territory.continent % TINTS, d }),
    shape,
    pattern,
    element: s("g", { class: "land", role: "button", tabindex: "-1", "data-territory": place, "data-key": territory.key }, shape, pattern),
    edge: s("path", { class: "land-edge", d }),
    name,
    at: `${x.toFixed(1)} ${y.toFixed(1)}`,
    badge: s("g", { class: "badge-place", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, pill, figure, odds),
    pill,
    figure,
    odds,
    seen: { mark: null, armies: null, role: "", figure: "" },
  };
}

/** A continent's lands above the heavier line around all of them. */
function group(lands) {
  return s("g", { class: "continent" }, lands.map((one) => one.under), lands.map((one) => one.element));
}

function continentLabel({ name, bonus }, [x, y], size) {
  const words = `${name} +${bonus}`;
  const width = (words.length * 0.56 + 1.2) * size.continent;
  return {
    element: s(
      "g",
      { class: "continent-label", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
      s("rect", { x: (-width / 2).toFixed(1), y: (-size.continent * 0.85).toFixed(1), width: width.toFixed(1), height: (size.continent * 1.7).toFixed(1), rx: (size.continent * 0.5).toFixed(1) }),
      s("text", { "font-size": size.continent.toFixed(2), "text-anchor": "middle", dy: ".35em" }, words),
    ),
  };
}

/** Bring one land up to date, touching what differs. */
function touch(one, mark, armies, role, figure, size, lively) {
  const seen = one.seen;
  if (mark !== seen.mark) {
    for (const element of [one.element, one.badge, one.name]) element.setAttribute("data-owner", mark);
    one.pattern.setAttribute("fill", patternFill(mark));
  }
  if (armies !== seen.armies || mark !== seen.mark) {
    const text = mark === "fog" || mark === "none" ? "" : String(armies);
    setText(one.figure, text);
    one.badge.classList.toggle("empty", text === "");
    const width = 2 * size.radius + 0.56 * size.figure * Math.max(text.length - 1, 0);
    one.pill.setAttribute("width", width.toFixed(2));
    one.pill.setAttribute("x", (-width / 2).toFixed(2));
    if (lively && seen.armies !== null) {
      one.pill.animate([{ strokeWidth: "4px", stroke: "var(--accent)" }, {}], { duration: 180, easing: "ease-out" });
    }
  }
  if (role !== seen.role) {
    for (const element of [one.element, one.edge]) {
      if (seen.role) element.classList.remove(seen.role);
      if (role) element.classList.add(role);
    }
    setAttribute(one.element, "aria-pressed", role === "from" || role === "to" ? "true" : null);
  }
  if (figure !== seen.figure) drawFigure(one.odds, figure, size);
  one.seen = { mark, armies, role, figure };
}

function drawFigure(place, words, size) {
  if (!words) return place.replaceChildren();
  const height = size.figure * 1.35;
  const width = (words.length * 0.58 + 0.8) * size.figure * 0.9;
  const y = -size.figure * 1.65;
  return place.replaceChildren(
    s("rect", { x: (-width / 2).toFixed(2), y: (y - height / 2).toFixed(2), width: width.toFixed(2), height: height.toFixed(2), rx: (height * 0.35).toFixed(2) }),
    s("text", { y: y.toFixed(2), dy: ".35em", "text-anchor": "middle", "font-size": (size.figure * 0.9).toFixed(2) }, words),
  );
}
