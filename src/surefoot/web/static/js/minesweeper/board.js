// A board on the screen: one SVG whose cells are made once and changed only where they differ.
//
//   const board = new Board({label, onprimary, onflag, onchord, onkey, onpaint, ondrop})
//   board.show({width, height, cells, risks, marks, best, wrong})
//   board.highlight({cells, from, at})
//
// Cells are numbers, row * width + column; what they show is as in words.js.

import { h, s, setAttribute, setText } from "../dom.js";
import { SIZE, classOf, differOnlyInFigure, figureOf, labelOf, partsOf, shapeFace } from "./cell.js";
import { isHidden } from "./words.js";

// Pixels of a cell: what a finger can hit at the least.
const LARGEST = 96;
const SMALLEST = 25;
const SMALL_FIGURES = 30;
const LONG_PRESS = 380;
const SLOP = 10;
const ZOOMS = [1, 1.35, 1.8, 2.4];
const SPREAD = { step: 14, most: 90 };

export class Board {
  /**
   * `onprimary(cell)` a click or a tap; `onflag(cell)`, `onchord(cell)`; `onkey(event, cell)` a key that the board
   * does not use; with `onpaint(cell, erase)` dragging paints cells instead; `ondrop(cell, text)` something was dropped.
   */
  constructor(listeners) {
    this.listeners = listeners;
    this.width = 0;
    this.height = 0;
    this.looks = [];
    this.keys = [];
    this.focused = 0;
    this.zoom = 0;
    this.pixels = 0;
    this.small = false;
    this.rows = s("g", { role: "grid", "aria-label": listeners.label ?? "Board" });
    this.lights = s("g", { class: "lights", "aria-hidden": "true" });
    this.ring = s("rect", { class: "focus-ring", x: 1.5, y: 1.5, width: SIZE - 3, height: SIZE - 3, rx: 4, display: "none", "aria-hidden": "true" });
    this.svg = s("svg", { class: "board", focusable: "false" }, this.rows, this.lights, this.ring);
    this.element = h("div", { class: "board-area" }, this.svg);
    this._listen();
    this._observer = new ResizeObserver(() => this.fit());
    this._observer.observe(this.element);
    this._refit = () => this.fit();
    window.addEventListener("resize", this._refit);
  }

  /** Stop watching the window. */
  close() {
    this._observer.disconnect();
    window.removeEventListener("resize", this._refit);
    clearTimeout(this._pressing);
  }

  /**
   * Draw a position. `risks` has a chance or null a cell, or is null; `marks` maps cells to "safe" or "mine"; `best`
   * is a cell or null; `wrong` a set of cells; `origin` the cell from which an opening spreads, or null.
   */
  show(position) {
    const { width, height, cells, risks = null, marks = null, best = null, wrong = null, origin = null } = position;
    if (width !== this.width || height !== this.height) this._make(width, height);
    this.position = { ...position, origin: null };
    const opened = [];
    for (let cell = 0; cell < cells.length; cell += 1) {
      const look = {
        code: cells[cell],
        risk: risks === null ? null : risks[cell],
        mark: marks?.get(cell) ?? null,
        best: cell === best,
        wrong: wrong?.has(cell) ?? false,
        small: this.small,
      };
      const key = `${look.code}/${look.risk}/${look.mark}/${look.best}/${look.wrong}/${look.small}`;
      if (key === this.keys[cell]) continue;
      const before = this.looks[cell].code;
      this._draw(cell, look, key);
      if (origin !== null && before !== undefined && isHidden(before) && !isHidden(look.code)) opened.push(cell);
    }
    if (opened.length > 1) this._spread(opened, origin);
  }

  /** Light up cells: `cells` of a sentence, those of the sentences it comes `from`, and the number `at` its source. */
  highlight({ cells = [], from = [], at = [] } = {}) {
    const lit = { cells, from: from.filter((cell) => !cells.includes(cell)), at };
    this.lights.replaceChildren(
      ...lit.from.map((cell) => this._light(cell, "light light-from")),
      ...lit.cells.map((cell) => this._light(cell, "light light-cells")),
      ...lit.at.map((cell) => this._light(cell, "light light-at")),
    );
  }

  /** Put the keyboard's focus on a cell. */
  focus(cell = this.focused) {
    this._move(cell);
    this.groups[this.focused]?.focus({ preventScroll: false });
  }

  /** Larger or smaller; tells whether it can go on in each direction. */
  zoomBy(step) {
    this.zoom = Math.min(Math.max(this.zoom + step, 0), ZOOMS.length - 1);
    this.fit();
    return { smaller: this.zoom > 0, larger: this.zoom < ZOOMS.length - 1 };
  }

  /** Make the board as large as its place allows. */
  fit() {
    if (!this.width) return;
    const style = getComputedStyle(this.element);
    // Below the breakpoint of base.css the page scrolls, and the board's place has the height that the board gives it.
    const flowing = matchMedia("(max-width: 52rem)").matches;
    const across = this.element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const down = flowing ? innerHeight * 0.74 : this.element.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    if (across <= 0 || down <= 0) return;
    const fitting = Math.min(across / this.width, down / this.height, LARGEST);
    const pixels = Math.floor(Math.max(fitting, SMALLEST) * ZOOMS[this.zoom] * 100) / 100;
    if (pixels === this.pixels && this.fitted === this.groups) return;
    this.pixels = pixels;
    this.fitted = this.groups;
    this.svg.setAttribute("width", pixels * this.width);
    this.svg.setAttribute("height", pixels * this.height);
    const small = pixels < SMALL_FIGURES;
    if (small !== this.small) {
      this.small = small;
      if (this.position) this.show(this.position);
    }
  }

  _make(width, height) {
    this.width = width;
    this.height = height;
    this.looks = Array.from({ length: width * height }, () => ({}));
    this.keys = Array(width * height).fill("");
    this.groups = [];
    this.faces = [];
    const rows = [];
    for (let row = 0; row < height; row += 1) {
      const line = s("g", { role: "row", "aria-rowindex": row + 1 });
      for (let col = 0; col < width; col += 1) {
        const edge = s("rect", { class: "edge", x: 1, y: 1, width: 30, height: 30, rx: 3.5 });
        const face = s("rect", { class: "face" });
        const group = s("g", { role: "gridcell", tabindex: -1, "aria-colindex": col + 1, "data-cell": row * width + col, transform: `translate(${col * SIZE} ${row * SIZE})` }, edge, face);
        this.groups.push(group);
        this.faces.push([face, edge]);
        line.append(group);
      }
      rows.push(line);
    }
    this.rows.replaceChildren(...rows);
    setAttribute(this.rows, "aria-rowcount", height);
    setAttribute(this.rows, "aria-colcount", width);
    this.svg.setAttribute("viewBox", `0 0 ${width * SIZE} ${height * SIZE}`);
    this.focused = 0;
    this.groups[0]?.setAttribute("tabindex", 0);
    this.ring.setAttribute("display", "none");
    this.highlight();
    this.fit();
  }

  _draw(cell, look, key) {
    const before = this.looks[cell];
    const [face, edge] = this.faces[cell];
    const group = this.groups[cell];
    if (before.code === undefined || isHidden(before.code) !== isHidden(look.code)) shapeFace(face, edge, isHidden(look.code));
    setAttribute(group, "class", classOf(look));
    group.setAttribute("aria-label", labelOf(look, Math.floor(cell / this.width), cell % this.width));
    // After most moves nothing but the figure of most cells is another one.
    if (differOnlyInFigure(before, look)) setText(group.lastChild, figureOf(look));
    else group.replaceChildren(edge, face, ...partsOf(look));
    this.looks[cell] = look;
    this.keys[cell] = key;
  }

  _spread(opened, origin) {
    const row = Math.floor(origin / this.width);
    const col = origin % this.width;
    for (const cell of opened) {
      const distance = Math.max(Math.abs(Math.floor(cell / this.width) - row), Math.abs((cell % this.width) - col));
      const group = this.groups[cell];
      group.style.setProperty("--delay", `${Math.min(distance * SPREAD.step, SPREAD.most)}ms`);
      group.classList.add("just-opened");
    }
  }

  _light(cell, name) {
    const x = (cell % this.width) * SIZE + 2;
    const y = Math.floor(cell / this.width) * SIZE + 2;
    return s("rect", { class: name, x, y, width: SIZE - 4, height: SIZE - 4, rx: 4 });
  }

  _at(event) {
    const box = this.svg.getBoundingClientRect();
    const col = Math.floor(((event.clientX - box.left) / box.width) * this.width);
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.height);
    return row < 0 || col < 0 || row >= this.height || col >= this.width ? null : row * this.width + col;
  }

  _listen() {
    const { svg } = this;
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    svg.addEventListener("mousedown", (event) => this._mouseDown(event));
    svg.addEventListener("keydown", (event) => this._keyDown(event));
    svg.addEventListener("focusin", (event) => {
      const cell = Number(event.target.dataset?.cell ?? NaN);
      if (Number.isNaN(cell)) return;
      this._move(cell);
      this.ring.setAttribute("display", event.target.matches(":focus-visible") ? "inline" : "none");
    });
    svg.addEventListener("focusout", () => this.ring.setAttribute("display", "none"));
    this._listenToTouches();
    if (this.listeners.ondrop) this._listenToDrops();
  }

  _mouseDown(event) {
    const cell = this._at(event);
    if (cell === null) return;
    // The middle button would scroll, a press would select text; the focus is moved by hand.
    event.preventDefault();
    this._move(cell);
    this.groups[cell].focus({ preventScroll: true });
    if (this.listeners.onpaint) {
      this._paint(event, cell);
      return;
    }
    if (this._armed === "chord") return;
    const both = (event.buttons & 3) === 3;
    if (both || event.button === 1 || (event.button === 0 && event.shiftKey)) this._arm("chord", cell);
    else if (event.button === 0) this._arm("primary", cell);
    else if (event.button === 2) this.listeners.onflag?.(cell);
  }

  _arm(what, cell) {
    const armed = this._armed !== undefined;
    this._armed = what;
    this._press(cell);
    if (armed) return;
    const move = (event) => this._press(this._at(event));
    const up = (event) => {
      const done = this._armed;
      const at = this._at(event);
      if (done && at !== null) {
        if (done === "chord") this.listeners.onchord?.(at);
        else if (event.button === 0) this.listeners.onprimary?.(at);
      }
      // After both buttons the second to come up means nothing any more.
      this._armed = event.buttons ? "" : undefined;
      this._press(null);
      if (event.buttons) return;
      removeEventListener("mousemove", move);
      removeEventListener("mouseup", up);
    };
    addEventListener("mousemove", move);
    addEventListener("mouseup", up);
  }

  // Show as pressed what would be opened if the button were let go here.
  _press(cell) {
    for (const pressed of this._pressed ?? []) this.groups[pressed]?.classList.remove("pressed");
    const cells = cell === null || !this._armed ? [] : this._armed === "chord" ? [cell, ...this.neighbours(cell)] : [cell];
    this._pressed = cells;
    for (const pressed of cells) this.groups[pressed].classList.add("pressed");
  }

  /** The cells around a cell. */
  neighbours(cell) {
    const row = Math.floor(cell / this.width);
    const col = cell % this.width;
    const found = [];
    for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, this.height - 1); r += 1) {
      for (let c = Math.max(col - 1, 0); c <= Math.min(col + 1, this.width - 1); c += 1) {
        if (r !== row || c !== col) found.push(r * this.width + c);
      }
    }
    return found;
  }

  _paint(event, cell) {
    const erase = event.button === 2;
    let last = cell;
    this.listeners.onpaint(cell, erase);
    const move = (moved) => {
      const at = this._at(moved);
      if (at === null || at === last) return;
      last = at;
      this.listeners.onpaint(at, erase);
    };
    const up = () => {
      removeEventListener("mousemove", move);
      removeEventListener("mouseup", up);
    };
    addEventListener("mousemove", move);
    addEventListener("mouseup", up);
  }

  // A tap opens, a long press flags; a finger that moves scrolls the board.
  _listenToTouches() {
    const { svg } = this;
    let touch = null;
    const cancel = () => {
      clearTimeout(this._pressing);
      touch = null;
    };
    svg.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse") return;
      event.preventDefault();
      const cell = this._at(event);
      if (touch !== null || cell === null) {
        cancel();
        return;
      }
      touch = { id: event.pointerId, x: event.clientX, y: event.clientY, cell };
      this._pressing = setTimeout(() => {
        const held = touch;
        touch = null;
        if (held === null || !this.listeners.onflag) return;
        navigator.vibrate?.(20);
        this.listeners.onflag(held.cell);
      }, LONG_PRESS);
    });
    svg.addEventListener("pointermove", (event) => {
      if (touch?.id === event.pointerId && Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > SLOP) cancel();
    });
    svg.addEventListener("pointercancel", cancel);
    svg.addEventListener("pointerup", (event) => {
      if (touch?.id !== event.pointerId) return;
      const { cell } = touch;
      cancel();
      this._move(cell);
      if (this.listeners.onpaint) this.listeners.onpaint(cell, false);
      else this.listeners.onprimary?.(cell);
    });
    // What the browser would make of the same touch as a mouse has been done already.
    svg.addEventListener("touchend", (event) => event.cancelable && event.preventDefault());
  }

  _listenToDrops() {
    this.svg.addEventListener("dragover", (event) => {
      event.preventDefault();
      const cell = this._at(event);
      this.highlight({ cells: cell === null ? [] : [cell] });
    });
    this.svg.addEventListener("dragleave", () => this.highlight());
    this.svg.addEventListener("drop", (event) => {
      event.preventDefault();
      this.highlight();
      const cell = this._at(event);
      if (cell !== null) this.listeners.ondrop(cell, event.dataTransfer.getData("text/plain"));
    });
  }

  _keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { width, height, focused } = this;
    const row = Math.floor(focused / width);
    const col = focused % width;
    const to = {
      ArrowUp: [row - 1, col],
      ArrowDown: [row + 1, col],
      ArrowLeft: [row, col - 1],
      ArrowRight: [row, col + 1],
      Home: [row, 0],
      End: [row, width - 1],
      PageUp: [0, col],
      PageDown: [height - 1, col],
    }[event.key];
    if (to) {
      event.preventDefault();
      this.focus(Math.min(Math.max(to[0], 0), height - 1) * width + Math.min(Math.max(to[1], 0), width - 1));
      return;
    }
    this.listeners.onkey?.(event, focused);
  }

  _move(cell) {
    if (!this.groups.length) return;
    this.groups[this.focused]?.setAttribute("tabindex", -1);
    this.focused = Math.min(Math.max(cell, 0), this.groups.length - 1);
    this.groups[this.focused].setAttribute("tabindex", 0);
    const x = (this.focused % this.width) * SIZE + 1.5;
    const y = Math.floor(this.focused / this.width) * SIZE + 1.5;
    setAttribute(this.ring, "x", x);
    setAttribute(this.ring, "y", y);
  }
}
