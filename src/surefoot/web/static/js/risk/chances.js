// The odds of a battle, asked of the server and kept: the same question comes again with every move of a slider.

import { post } from "../api.js";

const kept = new Map();
const MOST_KEPT = 500;

/**
 * The answer of `/api/risk/odds` to `question` (`{ attackers, path, until?, defence_dice?, battles? }`).
 */
export function odds(question) {
  const key = JSON.stringify(question);
  if (!kept.has(key)) {
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
    const answer = post("/api/risk/odds", question);
    kept.set(key, answer);
    answer.catch(() => kept.delete(key));
  }
  return kept.get(key);
}
