// The page of Risk: a new game, or the one that the address names.

import { button, fill, h, toast } from "../dom.js";
import { board } from "./board.js";
import { setup } from "./setup.js";
import { world } from "./worlds.js";

export function mount(root, { connection, about, params, navigate }) {
  // The game that is wanted; views of another, which the connection may still be looking at, are not shown.
  let wanted = params.session ?? null;
  let shown = null;
  let shownKey = null;
  let gone = false;
  const onview = () => show();
  const onrefused = (event) => {
    if (event.detail.code === "no-session" && wanted !== null) lost(event.detail.message);
    else toast(event.detail.message, "danger");
  };
  connection.addEventListener("view", onview);
  connection.addEventListener("refused", onrefused);
  if (wanted === null) fill(root, setup({ about, create, seed: params.seed }));
  else join(wanted);

  /** Begin a game; with a speed, agents set out at it. */
  async function create(message, speed) {
    await connection.create(message);
    if (gone) return;
    wanted = connection.session;
    navigate(`#/risk/${wanted}`, { quiet: true });
    await show();
    if (speed !== undefined) await connection.send({ type: "pace", running: true, speed });
  }

  async function join(key) {
    fill(root, h("div", { class: "welcome" }, h("p", { class: "muted thinking" }, "Looking for the game")));
    if (connection.session === key && connection.view) return show();
    try {
      await connection.join(key);
    } catch (error) {
      lost(error.message);
    }
  }

  function lost(words) {
    if (gone) return;
    close();
    wanted = null;
    const again = button("New game", () => navigate("#/risk"), { kind: "primary" });
    fill(root, h("div", { class: "welcome" }, h("h1", {}, "This game is not here"), h("p", { class: "lede" }, words), h("p", {}, again)));
  }

  async function show() {
    const key = connection.session;
    if (gone || key === null || key !== wanted || connection.view?.game !== "risk") return;
    if (key !== shownKey) {
      shownKey = key;
      let map;
      try {
        map = await world(connection.view.map);
      } catch (error) {
        shownKey = null;
        return toast(error.message, "danger");
      }
      if (gone || shownKey !== key) return;
      shown = board({ key, world: map, agents: about.risk.agents, send: (message) => connection.send(message), onnew: () => navigate("#/risk") });
      fill(root, shown.element);
    }
    // While the map was fetched more may have come.
    if (connection.session === key) shown?.update(connection.view);
  }

  function close() {
    shown?.close();
    shown = shownKey = null;
  }

  return () => {
    gone = true;
    connection.removeEventListener("view", onview);
    connection.removeEventListener("refused", onrefused);
    close();
  };
}
