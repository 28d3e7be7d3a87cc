// An agent in JavaScript, for Node 18 or newer: it plays as the one in Python does, move for move.
//
// surefoot minesweeper evaluate 'cmd:node examples/agents/javascript/agent.mjs' --rules beginner --games 100
// surefoot risk evaluate 'cmd:node examples/agents/javascript/agent.mjs' random --games 20

import { createInterface } from "node:readline";

class Minesweeper {
  constructor(told) {
    this.rules = told.switches;
    this.plan = []; // actions that were decided together; each is checked again before it is played
    this.near = null;
    this.guesses = 0;
  }

  act(text) {
    const [header, ...rows] = text.split("\n");
    const [width, height, mines] = header.split("x");
    [this.width, this.height] = [Number(width), Number(height)];
    this.mines = mines === "?" ? null : Number(mines);
    this.cells = rows.join("");
    this.near ??= Array.from(this.cells, (_, cell) => this.neighbours(cell));
    for (;;) {
      while (this.plan.length) {
        const [verb, cell] = this.plan.pop();
        if (this.cells[cell] === (verb === "unflag" ? "F" : "H")) return this.say(verb, cell);
      }
      if (!this.think()) return this.rules.may_leave ? "leave" : this.say("uncover", this.cells.indexOf("H"));
    }
  }

  neighbours(cell) {
    const [row, col] = [Math.floor(cell / this.width), cell % this.width];
    const found = [];
    for (let r = Math.max(row - 1, 0); r < Math.min(row + 2, this.height); r++) {
      for (let c = Math.max(col - 1, 0); c < Math.min(col + 2, this.width); c++) {
        if (r !== row || c !== col) found.push(r * this.width + c);
      }
    }
    return found;
  }

  say(verb, cell) {
    return `${verb} ${Math.floor(cell / this.width)},${cell % this.width}`;
  }

  // Fill the plan; false if there is nothing to be done any more.
  think() {
    const cells = this.cells;
    const isHidden = (cell) => cells[cell] === "H" || cells[cell] === "F";
    const hidden = [];
    const numbers = []; // the mines around a cell, and what is hidden there
    for (let cell = 0; cell < cells.length; cell++) {
      if (isHidden(cell)) {
        hidden.push(cell);
      } else {
        const around = this.near[cell].filter(isHidden);
        if (around.length) numbers.push([Number(cells[cell]), around]);
      }
    }
    let mines = new Set();
    for (const [number, around] of numbers) {
      if (number === around.length) around.forEach((cell) => mines.add(cell));
    }
    if (this.mines === hidden.length) mines = new Set(hidden);
    const safe = new Set();
    for (const [number, around] of numbers) {
      const unknown = around.filter((cell) => !mines.has(cell));
      if (around.length - unknown.length === number) unknown.forEach((cell) => safe.add(cell));
    }
    const backwards = (set) => [...set].sort((a, b) => b - a);
    if (this.rules.goal === "flags") {
      this.plan.push(...backwards(mines).filter((cell) => cells[cell] === "H").map((cell) => ["flag", cell]));
    }
    for (const cell of backwards(safe)) this.open(cell);
    const rest = hidden.filter((cell) => !mines.has(cell));
    if (!this.plan.length && rest.length) this.guess(rest, mines, numbers);
    return this.plan.length > 0;
  }

  open(cell) {
    // The last one is done first: a flag that somebody has put there is taken off before.
    this.plan.push(["uncover", cell]);
    if (this.cells[cell] === "F") this.plan.push(["unflag", cell]);
  }

  // Open the cell whose worst number leaves the best odds, the first one among equals.
  guess(rest, mines, numbers) {
    const left = (this.mines === null ? 0.2 * rest.length : this.mines - mines.size) / rest.length;
    const danger = new Map(rest.map((cell) => [cell, left]));
    const beside = new Set();
    for (const [number, around] of numbers) {
      const unknown = around.filter((cell) => !mines.has(cell));
      for (const cell of unknown) {
        const odds = (number - around.length + unknown.length) / unknown.length;
        danger.set(cell, beside.has(cell) ? Math.max(danger.get(cell), odds) : odds);
        beside.add(cell);
      }
    }
    this.guesses += 1;
    let best = rest[0];
    for (const cell of rest) if (danger.get(cell) < danger.get(best)) best = cell;
    this.open(best);
  }
}

class Risk {
  constructor(told) {
    this.rules = told.switches;
    this.lands = told.territories;
    this.most = this.rules.max_armies || 1e9;
    this.dice = this.rules.battles === "coin" ? 1 : 3;
  }

  act(text) {
    this.read(text);
    switch (this.lines.phase) {
      case "claim":
        return `claim ${this.free.sort()[0]}`;
      case "capital":
        return `claim ${this.mostThreatened([...this.own.keys()])}`;
      case "setup":
        return this.draft();
      case "draft":
        return this.trade() ?? this.draft();
      case "occupy": {
        const [source, target] = this.lines.taken.split(" ");
        return `occupy ${Math.min(this.own.get(source) - 1 + this.own.get(target), this.most)}`;
      }
      default:
        return this.attack() ?? "end";
    }
  }

  // The lines of a position; those of territories say who owns how many armies where.
  read(text) {
    [this.lines, this.own, this.others, this.free] = [{}, new Map(), new Map(), []];
    const lands = [];
    for (const line of text.split("\n").filter(Boolean)) {
      const colon = line.indexOf(":");
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
      if (name === "nobody" || name === "neutral" || /^\d$/.test(name)) lands.push([name, value]);
      else this.lines[name] = value;
    }
    for (const [name, value] of lands) {
      for (const part of value.split(",")) {
        const [land, armies] = part.trim().split(" ");
        if (name === "nobody") this.free.push(land);
        else (name === this.lines.seat ? this.own : this.others).set(land, Number(armies));
      }
    }
  }

  // The enemies beside a territory, as far as they are seen.
  threat(land) {
    return this.lands[land].neighbours.reduce((sum, near) => sum + (this.others.get(near) ?? 0), 0);
  }

  mostThreatened(lands) {
    lands.sort();
    return lands.reduce((best, land) => (this.threat(land) > this.threat(best) ? land : best));
  }

  draft() {
    const land = this.mostThreatened([...this.own.keys()].filter((each) => this.own.get(each) < this.most));
    return `draft ${land} ${Math.min(Number(this.lines["in hand"]), this.most - this.own.get(land))}`;
  }

  // The first set there is, as soon as there is one; in the middle of a turn only when it must be.
  trade() {
    const cards = (this.lines.cards ?? "").split(" ").filter(Boolean);
    if (this.rules.cards === "none" || ("mid-turn" in this.lines && cards.length < 5)) return null;
    const kind = (card) => (card.startsWith("wild-") ? "wild" : this.lands[card].card);
    for (let a = 0; a < cards.length; a++) {
      for (let b = a + 1; b < cards.length; b++) {
        for (let c = b + 1; c < cards.length; c++) {
          const three = [cards[a], cards[b], cards[c]];
          const kinds = three.map(kind);
          const plain = new Set(kinds.filter((each) => each !== "wild"));
          if (plain.size === 2 && !kinds.includes("wild")) continue;
          const pictured = three.find((card) => this.own.has(card));
          return `trade ${three.join(" ")}` + (pictured ? ` on ${pictured}` : "");
        }
      }
    }
    return null;
  }

  // The attack with the most to spare, if there is one with anything to spare.
  attack() {
    const limit = this.rules.max_attacks;
    if (limit && Number(this.lines.attacks ?? 0) >= limit) return null;
    let best = null;
    for (const source of [...this.own.keys()].sort()) {
      if (this.own.get(source) < 2) continue;
      for (const target of this.lands[source].neighbours.filter((near) => this.others.has(near)).sort()) {
        const spare = this.own.get(source) - 1 - this.others.get(target);
        if (spare >= 1 && (best === null || spare > best.spare)) best = { spare, source, target };
      }
    }
    if (best === null) return null;
    const armies = this.own.get(best.source) - 1;
    if (this.rules.blitz === "never") {
      return `attack ${best.source} ${best.target} ${Math.min(armies, this.dice)} roll`;
    }
    return `attack ${best.source} ${best.target} ${armies}`;
  }
}

const games = { minesweeper: Minesweeper, risk: Risk };
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
let game = null;

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello":
      say({ type: "hello", protocol: 1, name: "sample in JavaScript", version: "1", games: Object.keys(games) });
      break;
    case "new_game":
      game = new games[message.game](message);
      break;
    case "observe": {
      const action = game.act(message.observation);
      say({ type: "act", id: message.id, action, guesses: game.guesses });
      break;
    }
    case "error":
      process.stderr.write(`${message.message}\n`);
  }
}
