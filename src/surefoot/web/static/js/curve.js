// A line chart of win chances over a game's moves, with a band for each line's error.
//
//   const chart = curve({height, series, marks, cursor, last, onseek, label})
//   parent.append(chart.element); chart.update({series, cursor, last}); chart.close() when it is not needed any more
//
// series: [{name, colorVar, points: [[x, y, error], ...]}]   y and error are chances, 0 to 1; x counts moves
// marks: [x, ...] that are pointed out along the axis
// cursor: the x that is looked at, or null;  last: the largest x of the axis, by default that of the points
// onseek(x): the reader points at, or moves with the arrow keys to, another x; without it nothing can be moved

import { h, s } from "./dom.js";

// The chart brings its looks along, as both games' pages draw it.
const LOOKS = {
  grid: { stroke: "var(--line)", "stroke-width": "1" },
  text: { fill: "var(--muted)", "font-size": ".72rem", "font-family": "var(--font)", "font-variant-numeric": "tabular-nums" },
  band: { "fill-opacity": ".18" },
  line: { fill: "none", "stroke-width": "2", "stroke-linejoin": "round" },
  mark: { fill: "var(--accent)" },
  cursor: { stroke: "var(--text)", "stroke-width": "1.5" },
};
const MARGIN = { left: 48, right: 10, top: 10, bottom: 24 };
const MARKS = [0, 0.25, 0.5, 0.75, 1];
const MOST_TICKS = 6;

export function curve({ width = 320, height = 140, series = [], marks = [], cursor = null, last = null, onseek = null, label = "Win chance" }) {
  const svg = s("svg", { class: "curve-chart", height, role: onseek ? "slider" : "img", style: { display: "block", "max-width": "100%", "touch-action": "pan-y", cursor: onseek ? "pointer" : "default" } });
  const note = h("figcaption", { class: "curve-note small muted tabular", "aria-hidden": "true" });
  const element = h("figure", { class: "curve", style: { margin: "0", "min-width": "0" } }, svg, note);
  let state = { series, marks, cursor, last };
  let drawnWidth = width;
  let queued = 0;

  if (onseek) {
    svg.setAttribute("tabindex", "0");
    listenForSeeks(svg, () => ({ ...extent(state), width: drawnWidth, cursor: state.cursor }), onseek);
  }
  const observer = new ResizeObserver(() => {
    const now = Math.round(element.clientWidth);
    if (now > 0 && now !== drawnWidth) {
      drawnWidth = now;
      draw();
    }
  });
  observer.observe(element);
  draw();

  function draw() {
    queued = 0;
    render(svg, note, state, drawnWidth, height, label, Boolean(onseek));
  }

  function update(changes) {
    state = { ...state, ...changes };
    // Points arrive faster than the screen is painted when agents are watched.
    if (!queued) queued = requestAnimationFrame(draw);
  }

  function close() {
    observer.disconnect();
    cancelAnimationFrame(queued);
  }

  return { element, update, close };
}

// The least and the largest x of the axis.
function extent({ series, last }) {
  const xs = series.flatMap((line) => line.points.map((point) => point[0]));
  return { least: 0, most: xs.reduce((most, x) => Math.max(most, x), Math.max(1, last ?? 0)) };
}

function render(svg, note, state, width, height, label, seekable) {
  const { least, most } = extent(state);
  const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const x = (value) => MARGIN.left + ((value - least) / (most - least)) * inner.width;
  const y = (value) => MARGIN.top + (1 - Math.min(Math.max(value, 0), 1)) * inner.height;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width);

  const parts = [];
  for (const mark of MARKS) {
    parts.push(s("line", { class: "curve-grid", style: LOOKS.grid, x1: MARGIN.left, x2: width - MARGIN.right, y1: y(mark), y2: y(mark) }));
    if (mark % 0.5 === 0) {
      parts.push(text(`${mark * 100} %`, { x: MARGIN.left - 6, y: y(mark), "text-anchor": "end", "dominant-baseline": "central" }));
    }
  }
  for (const tick of ticks(most)) {
    parts.push(text(String(tick), { x: x(tick), y: height - 6, "text-anchor": tick === most ? "end" : "middle" }));
  }
  for (const line of state.series) {
    if (line.points.length > 1 && line.points.some((point) => point[2])) {
      parts.push(s("polygon", { class: "curve-band", style: { ...LOOKS.band, fill: `var(${line.colorVar})` }, points: bandOf(line.points, x, y) }));
    }
  }
  for (const line of state.series) {
    if (line.points.length > 1) {
      const style = { ...LOOKS.line, stroke: `var(${line.colorVar})` };
      parts.push(s("polyline", { class: "curve-line", style, points: line.points.map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(" ") }));
    }
    const end = line.points.at(-1);
    if (end) {
      parts.push(s("circle", { class: "curve-dot", style: { fill: `var(${line.colorVar})` }, cx: x(end[0]), cy: y(end[1]), r: 3 }));
    }
  }
  for (const mark of state.marks) {
    parts.push(s("path", { class: "curve-mark", style: LOOKS.mark, d: `M${x(mark).toFixed(1)} ${height - MARGIN.bottom - 7}l4 7h-8z` }));
  }
  if (state.cursor !== null) {
    parts.push(s("line", { class: "curve-cursor", style: LOOKS.cursor, x1: x(state.cursor), x2: x(state.cursor), y1: MARGIN.top, y2: height - MARGIN.bottom }));
  }
  svg.replaceChildren(...parts);

  const words = summary(state);
  note.textContent = words;
  svg.setAttribute("aria-label", seekable ? label : `${label}: ${words}`);
  if (seekable) {
    svg.setAttribute("aria-valuemin", least);
    svg.setAttribute("aria-valuemax", most);
    svg.setAttribute("aria-valuenow", state.cursor ?? most);
    svg.setAttribute("aria-valuetext", words);
  }
}

function text(words, properties) {
  const element = s("text", { class: "curve-text", style: LOOKS.text, ...properties });
  element.textContent = words;
  return element;
}

function bandOf(points, x, y) {
  const upper = points.map(([px, py, error]) => `${x(px).toFixed(1)},${y(py + (error ?? 0)).toFixed(1)}`);
  const lower = points.map(([px, py, error]) => `${x(px).toFixed(1)},${y(py - (error ?? 0)).toFixed(1)}`);
  return [...upper, ...lower.reverse()].join(" ");
}

// Round numbers along the axis, few enough to be read.
function ticks(most) {
  const rough = most / MOST_TICKS;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? 1;
  const found = [];
  for (let tick = 0; tick <= most; tick += step) found.push(tick);
  return found;
}

// What the lines say where the cursor is, or at their ends.
function summary({ series, cursor }) {
  const parts = [];
  for (const { name, points } of series) {
    const point = cursor === null ? points.at(-1) : nearest(points, cursor);
    if (point) {
      const error = point[2] ? ` ± ${(100 * point[2]).toFixed(1)}` : "";
      parts.push(`${name ? `${name} ` : ""}${(100 * point[1]).toFixed(1)}${error} %`);
    }
  }
  if (!parts.length) return "no figures yet";
  return cursor === null ? parts.join(", ") : `move ${cursor}: ${parts.join(", ")}`;
}

function nearest(points, at) {
  let best = null;
  for (const point of points) if (best === null || Math.abs(point[0] - at) < Math.abs(best[0] - at)) best = point;
  return best;
}

function listenForSeeks(svg, where, onseek) {
  const toX = (event) => {
    const box = svg.getBoundingClientRect();
    const { least, most, width } = where();
    const place = ((event.clientX - box.left) / box.width) * width;
    const share = (place - MARGIN.left) / (width - MARGIN.left - MARGIN.right);
    return Math.round(least + Math.min(Math.max(share, 0), 1) * (most - least));
  };
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    onseek(toX(event));
  });
  svg.addEventListener("pointermove", (event) => {
    if (svg.hasPointerCapture(event.pointerId)) onseek(toX(event));
  });
  svg.addEventListener("keydown", (event) => {
    const { least, most, cursor } = where();
    const from = cursor ?? most;
    const to = { ArrowLeft: from - 1, ArrowDown: from - 1, ArrowRight: from + 1, ArrowUp: from + 1, Home: least, End: most }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onseek(Math.min(Math.max(to, least), most));
  });
}
