// How studies, counts, rates and times are said.

const NUMBER = new Intl.NumberFormat("en");

export const count = (number) => NUMBER.format(number);
export const games = (number) => `${count(number)} ${number === 1 ? "game" : "games"}`;
export const percent = (share) => `${(100 * share).toFixed(share > 0.0995 && share < 0.9995 ? 1 : 2)} %`;
export const signed = (share) => `${share < 0 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(1)} %`;
export const spaced = (word) => word.replaceAll("_", " ");

export const FORMATS = {
  worlds: "all play the same",
  "round-robin": "every two meet",
  gauntlet: "the first against each other",
  sprt: "is the second better than the first?",
};
export const STATES = { running: "Running", stopped: "Stopped", complete: "Complete", failed: "Failed" };

/** A study in a few words: its game and its board or map. */
export function title(study) {
  const parts = study.game === "minesweeper" ? ["Minesweeper", study.map ?? study.rules ?? "expert"] : ["Risk", study.map ?? "classic"];
  return `${parts[0]}, ${parts[1]}`;
}

/** "continent, killer and 3 more". */
export function who(agents, most = 4) {
  if (agents.length <= most) return agents.join(", ");
  return `${agents.slice(0, most).join(", ")} and ${agents.length - most} more`;
}

/** A time to wait, as a person says it. */
export function wait(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** A moment in the user's own time and form. */
export function moment(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/** How far a run is, how fast, and how long it will take. */
export function progressWords(run) {
  const parts = [`${count(run.played)} of ${games(run.games)}`];
  if (run.rate) parts.push(`${count(Number(run.rate.toPrecision(3)))} a second`);
  else if (run.state === "running") parts.push("getting ready");
  if (run.seconds_left) parts.push(`${wait(run.seconds_left)} left`);
  return parts.join(" · ");
}
