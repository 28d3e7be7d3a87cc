// The maps, each asked for once.

import { get } from "../api.js";

const kept = new Map();

/** What `/api/risk/maps/NAME` answers. */
export function world(name) {
  if (!kept.has(name)) {
    const answer = get(`/api/risk/maps/${encodeURIComponent(name)}`);
    kept.set(name, answer);
    answer.catch(() => kept.delete(name));
  }
  return kept.get(name);
}
