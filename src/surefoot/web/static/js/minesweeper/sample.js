// Records to replay: that of a game on the server, and one that an agent makes on the spot.

import { get } from "../api.js";

/** The record of a game as text. */
export const recordOf = (key) => get(`/api/sessions/${encodeURIComponent(key)}/record`);

const BOARD = { width: 30, height: 16, mines: 99, first_click: "opening" };
// A game that ends after a few moves shows little; most do not.
const TRIES = 8;
const ENOUGH = 60;

/** Let the exact agent play expert boards until a game is worth looking at, and take its record. */
export async function sampleRecord(connection) {
  await connection.create({ type: "create-minesweeper", ...BOARD });
  await connection.send({ type: "agent", agent: "exact" });
  for (let attempt = 1; ; attempt += 1) {
    const ended = over(connection);
    await connection.send({ type: "pace", running: true, speed: 0 });
    await ended;
    if (attempt === TRIES || connection.view.moves >= ENOUGH) return recordOf(connection.session);
    await connection.send({ type: "restart" });
  }
}

function over(connection) {
  return new Promise((resolve, reject) => {
    const look = () => {
      const { view } = connection;
      if (view?.status === "running" && !view.agent.ended) return;
      connection.removeEventListener("view", look);
      if (view?.status === "running") reject(new Error(view.agent.ended));
      else resolve();
    };
    connection.addEventListener("view", look);
  });
}
