// Arrows from land to land: what is planned, what was just fought, what an agent advises.

import { s } from "../dom.js";

/** How far apart, in shares of the map's width, two neighbours must be to be joined round the back. */
const ROUND = 0.55;

/**
 * The shapes of an arrow `{ from, to, kind, mark, label }`. Without `from` it is a mark on one land. kind is
 * "attack", "move", "battle" or "advice".
 */
export function arrowShapes({ from, to, kind, mark = null, label = null }, geometry, size) {
  const end = geometry.anchors[to];
  const group = (...children) => s("g", { class: `arrow arrow-${kind}`, "data-owner": mark }, children);
  if (from === null || from === undefined) {
    return [group(s("circle", { cx: end[0], cy: end[1], r: size.figure * 1.6, class: "arrow-ring" }), caption(label, end[0], end[1] + size.figure * 2.3, size))];
  }
  const start = geometry.anchors[from];
  if (Math.abs(end[0] - start[0]) < geometry.width * ROUND) return [group(...between(start, end, size), caption(label, ...middle(start, end), size))];
  // Such as Alaska and Kamchatka: out over one edge of the map, and in over the other.
  const east = start[0] > end[0];
  const level = (start[1] + end[1]) / 2;
  const out = [east ? geometry.width : 0, level];
  const back = [east ? 0 : geometry.width, level];
  return [group(...between(start, out, size), ...between(back, end, size), caption(label, ...middle(back, end), size))];
}

function middle([ax, ay], [bx, by]) {
  return [(ax + bx) / 2, (ay + by) / 2];
}

/** A line bent a little, ending short of the badges, and its head. */
function between([ax, ay], [bx, by], size) {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const gap = Math.min(size.radius * 1.35, length * 0.25);
  const head = Math.min(size.figure * 0.9, length * 0.3);
  const bend = Math.min(length * 0.12, size.figure * 1.5);
  const [mx, my] = [(ax + bx) / 2 - uy * bend, (ay + by) / 2 + ux * bend];
  const [sx, sy] = [ax + ux * gap, ay + uy * gap];
  // The head points the way that the bent line arrives.
  const arrive = Math.hypot(bx - mx, by - my) || 1;
  const [vx, vy] = [(bx - mx) / arrive, (by - my) / arrive];
  const [tx, ty] = [bx - vx * gap, by - vy * gap];
  const [hx, hy] = [tx - vx * head, ty - vy * head];
  const wing = head * 0.62;
  const round = (number) => number.toFixed(1);
  const line = `M${round(sx)} ${round(sy)}Q${round(mx)} ${round(my)} ${round(hx)} ${round(hy)}`;
  const tip = `M${round(tx)} ${round(ty)}L${round(hx - vy * wing)} ${round(hy + vx * wing)}L${round(hx + vy * wing)} ${round(hy - vx * wing)}Z`;
  const thick = round(size.figure * 0.38);
  return [
    s("path", { class: "arrow-casing", d: line, "stroke-width": round(size.figure * 0.62) }),
    s("path", { class: "arrow-casing arrow-tip", d: tip }),
    s("path", { class: "arrow-line", d: line, "stroke-width": thick }),
    s("path", { class: "arrow-head", d: tip }),
  ];
}

function caption(words, x, y, size) {
  if (!words) return null;
  return s("text", { class: "arrow-label", x: x.toFixed(1), y: y.toFixed(1), "font-size": size.figure.toFixed(1), "text-anchor": "middle", dy: ".35em" }, words);
}
