// A game of a run: where it is replayed, and its record.

import { get } from "../api.js";
import { toast } from "../dom.js";

/** The address of the replay of a game; an agent is named in Minesweeper alone. */
export function replayOf(study, run, number, agent) {
  const query = new URLSearchParams({ run, number, ...(study.game === "minesweeper" ? { agent } : {}) });
  return `#/${study.game}/replay?${query}`;
}

/** The record of the game that such an address names, played again from its seed. */
export async function againFromArena({ run, number, agent }) {
  const query = agent === undefined ? "" : `?${new URLSearchParams({ agent })}`;
  const game = await get(`/api/arena/runs/${encodeURIComponent(run)}/games/${encodeURIComponent(number)}${query}`);
  if (!game.same) toast(`This is not how the game went when the run was played${game.changed ? ": Surefoot has changed since" : ""}.`, "danger");
  return game.record;
}
