// Looking closer at a picture: wheel, pinch, drag, and buttons, by way of its viewBox.

const MOST = 8;
const STEP = 1.5;
/** Pixels that a finger or mouse may wander in a click. */
const CLICK_SLACK = 7;

/**
 * Makes SVGs of `width` by `height` units, one above the other, zoomable together; the first of them is what
 * fingers touch. `onchange(pixelsAUnit)` is told how large things appear. A drag is no click.
 */
export function zoomable([svg, ...others], { width, height }, onchange) {
  let view = { x: 0, y: 0, zoom: 1 };
  const fingers = new Map();
  let dragged = false;
  let start = null;

  function apply() {
    view.zoom = Math.min(Math.max(view.zoom, 1), MOST);
    const w = width / view.zoom;
    const h = height / view.zoom;
    view.x = Math.min(Math.max(view.x, 0), width - w);
    view.y = Math.min(Math.max(view.y, 0), height - h);
    const box = `${view.x.toFixed(2)} ${view.y.toFixed(2)} ${w.toFixed(2)} ${h.toFixed(2)}`;
    for (const one of [svg, ...others]) one.setAttribute("viewBox", box);
    // On a page that scrolls, one finger moves the page until something is zoomed.
    svg.style.setProperty("touch-action", view.zoom > 1 ? "none" : "pan-x pan-y");
    tell();
  }

  function tell() {
    const scale = pixelsAUnit();
    if (scale > 0) onchange(scale);
  }

  function pixelsAUnit() {
    const box = svg.getBoundingClientRect();
    return Math.min(box.width / width, box.height / height) * view.zoom;
  }

  /** The unit under a point of the window. */
  function unitAt(clientX, clientY) {
    const matrix = svg.getScreenCTM();
    const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  }

  function zoomAt(factor, clientX, clientY) {
    const [x, y] = unitAt(clientX, clientY);
    const zoom = Math.min(Math.max(view.zoom * factor, 1), MOST);
    const share = view.zoom / zoom;
    view = { x: x - (x - view.x) * share, y: y - (y - view.y) * share, zoom };
    apply();
  }

  function zoomBy(factor) {
    const box = svg.getBoundingClientRect();
    zoomAt(factor, box.left + box.width / 2, box.top + box.height / 2);
  }

  svg.addEventListener("wheel", (event) => {
    // Without zoom a plain wheel scrolls the page where there is one to scroll.
    if (!event.ctrlKey && document.documentElement.scrollHeight > window.innerHeight + 1) return;
    event.preventDefault();
    zoomAt(Math.exp(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 60) * 0.004), event.clientX, event.clientY);
  }, { passive: false });

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (fingers.size === 0) dragged = false;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    start = [event.clientX, event.clientY];
    if (fingers.size > 1) dragged = true;
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    if (fingers.size === 1) {
      if (!dragged && Math.hypot(now[0] - start[0], now[1] - start[1]) < CLICK_SLACK) return;
      if (view.zoom === 1) return;
      if (!dragged) svg.setPointerCapture(event.pointerId);
      dragged = true;
      const scale = pixelsAUnit();
      view = { ...view, x: view.x - (now[0] - before[0]) / scale, y: view.y - (now[1] - before[1]) / scale };
      fingers.set(event.pointerId, now);
      apply();
    } else {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const grown = Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(Math.hypot(before[0] - other[0], before[1] - other[1]), 1);
      fingers.set(event.pointerId, now);
      zoomAt(grown, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    }
  });
  for (const type of ["pointerup", "pointercancel", "pointerleave"]) {
    svg.addEventListener(type, (event) => {
      if (type !== "pointerleave" || !svg.hasPointerCapture(event.pointerId)) fingers.delete(event.pointerId);
    });
  }
  svg.addEventListener("click", (event) => {
    if (!dragged) return;
    event.stopPropagation();
    event.preventDefault();
    dragged = false;
  }, { capture: true });

  const observer = new ResizeObserver(tell);
  observer.observe(svg);
  apply();
  return {
    closer: () => zoomBy(STEP),
    farther: () => zoomBy(1 / STEP),
    whole: () => {
      view = { x: 0, y: 0, zoom: 1 };
      apply();
    },
    /** Bring a point into view if it is not there. */
    reveal: ([x, y]) => {
      if (view.zoom === 1) return;
      const w = width / view.zoom;
      const h = height / view.zoom;
      const inside = x > view.x + w * 0.08 && x < view.x + w * 0.92 && y > view.y + h * 0.08 && y < view.y + h * 0.92;
      if (inside) return;
      view = { ...view, x: x - w / 2, y: y - h / 2 };
      apply();
    },
    close: () => observer.disconnect(),
  };
}
