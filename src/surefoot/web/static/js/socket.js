// The one connection to the server: it finds its way back by itself, to the game that it was looking at.

import { apply } from "./delta.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
// A connection that does not come about within this time is given up for the next one.
const PATIENCE = 10000;
// As MAX_MESSAGE in src/surefoot/web/limits.py; what is longer is refused unsent.
const LONGEST_MESSAGE = 1 << 20;

/**
 * Events: "view" when there is something new to see (`detail` is {view, change, fresh}: `change` is null and `fresh`
 * true when it is not made from the view before), "state" when `state` changes, "refused" when the server refuses
 * something that nobody waits for (`detail` is an Error with a `code`).
 *
 * `state` is "connecting", "starting" (connected; games cannot be played yet), "open" or "lost".
 */
export class Connection extends EventTarget {
  constructor(url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`) {
    super();
    this.url = url;
    this.state = "connecting";
    this.session = null;
    this.version = 0;
    this.view = null;
    this.#whenReady();
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
  }

  #socket = null;
  #ref = 0;
  #waiting = new Map();
  #wait = FIRST_WAIT;
  #timer = 0;
  #asked = false;
  #ready;
  #setReady;
  #entering = 0;

  /** Connect now, and again whenever the connection is lost. */
  connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    const slow = setTimeout(() => socket.close(), PATIENCE);
    socket.addEventListener("message", (event) => this.#socket === socket && this.#hear(JSON.parse(event.data)));
    socket.addEventListener("open", () => clearTimeout(slow));
    socket.addEventListener("close", () => {
      clearTimeout(slow);
      if (this.#socket === socket) this.#lose();
    });
  }

  /** Begin a game; resolves when its view is there. Waits until the server is ready. */
  create(message) {
    return this.#enter(message);
  }

  /** Look at a game that exists; resolves when its view is there. */
  join(session) {
    return this.#enter({ type: "join", session });
  }

  /**
   * Say something; resolves when it was carried out, and rejects with an Error whose `code` tells the kind of
   * trouble: those of the protocol, or "lost" when the connection was.
   */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.reject(refusal("lost", "No connection to the server."));
    const ref = ++this.#ref;
    // The number goes first, where the server finds it even in what it cannot read.
    const text = JSON.stringify({ ref, ...message });
    if (new Blob([text]).size > LONGEST_MESSAGE) return Promise.reject(refusal("too-large", "That is too large to be sent."));
    return new Promise((resolve, reject) => {
      this.#waiting.set(ref, { resolve, reject });
      this.#socket.send(text);
    });
  }

  async #enter(message) {
    // Of two that are asked for while there is no connection, the later one is meant.
    const turn = ++this.#entering;
    for (;;) {
      await this.#ready;
      if (turn !== this.#entering) throw refusal("lost", "Something else was opened.");
      try {
        await this.send(message);
        return;
      } catch (error) {
        if (error.code !== "lost") throw error;
        await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT));
      }
    }
  }

  #whenReady() {
    this.#ready = new Promise((resolve) => (this.#setReady = resolve));
  }

  #setState(state) {
    if (state === this.state) return;
    if (this.state === "open") this.#whenReady();
    this.state = state;
    if (state === "open") this.#setReady();
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
  }

  #lose() {
    this.#socket = null;
    this.#asked = false;
    for (const { reject } of this.#waiting.values()) reject(refusal("lost", "The connection was lost; it is being restored."));
    this.#waiting.clear();
    this.#setState("lost");
    // Somewhat at random, so that many pages do not come back all at once.
    this.#timer = setTimeout(() => this.connect(), this.#wait * (0.5 + Math.random()));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #hurry() {
    if (this.#socket === null && this.state === "lost") {
      this.#wait = FIRST_WAIT;
      this.connect();
    }
  }

  #hear(message) {
    switch (message.type) {
      case "hello":
        this.#wait = FIRST_WAIT;
        this.#setState(message.ready ? "open" : "starting");
        if (message.ready) this.#comeBack();
        break;
      case "ready":
        this.#setState("open");
        this.#comeBack();
        break;
      case "snapshot":
        this.#asked = false;
        this.session = message.session;
        this.#show(message.version, message.view, null);
        break;
      case "delta":
        this.#change(message);
        break;
      case "ok":
        this.#take(message.ref)?.resolve();
        break;
      case "error":
        this.#refuse(message);
        break;
    }
  }

  #comeBack() {
    if (this.session === null || this.view === null) return;
    const session = this.session;
    this.send({ type: "join", session }).catch((error) => {
      if (error.code === "no-session" && this.session === session) this.session = this.view = null;
      this.dispatchEvent(new CustomEvent("refused", { detail: error }));
    });
  }

  #change({ from, to, change }) {
    if (this.#asked) return;
    let view = null;
    if (from === this.version && this.view !== null) {
      try {
        view = apply(this.view, change);
      } catch {
        // It does not fit, so something was missed.
      }
    }
    if (view === null) this.#askForSnapshot();
    else this.#show(to, view, change);
  }

  #askForSnapshot() {
    this.#asked = true;
    this.send({ type: "snapshot" }).catch(() => (this.#asked = false));
  }

  #show(version, view, change) {
    this.version = version;
    this.view = view;
    this.dispatchEvent(new CustomEvent("view", { detail: { view, change, fresh: change === null } }));
  }

  #refuse({ ref, code, message }) {
    const error = refusal(code, message);
    const waiting = this.#take(ref);
    if (waiting === undefined) this.dispatchEvent(new CustomEvent("refused", { detail: error }));
    else waiting.reject(error);
  }

  #take(ref) {
    const waiting = this.#waiting.get(ref);
    this.#waiting.delete(ref);
    return waiting;
  }
}

function refusal(code, message) {
  return Object.assign(new Error(message), { code });
}
