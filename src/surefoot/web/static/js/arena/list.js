// The arena's first page: the runs that there are, and a form to start one.

import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { studyForm } from "./form.js";
import { poll } from "./poll.js";
import { STATES, moment, progressWords, title, who } from "./words.js";

export function listPage(root, { about, navigate }) {
  const rows = h("div", { class: "arena-runs", "aria-live": "off" }, h("p", { class: "muted thinking" }, "Looking"));
  let gone = false;
  let drawn = "";
  root.append(
    h(
      "div",
      { class: "app" },
      h("section", { class: "stage arena-stage", "aria-label": "Runs" }, h("h1", {}, "The arena"), h("p", { class: "muted" }, "Agents play many games; here is what came of them. Runs of the command line are here too."), rows),
      h("aside", { class: "side", "aria-label": "Start" }, studyForm({ about, onstart: (run) => navigate(`#/arena/${run}`) })),
    ),
  );
  const asking = poll(async () => {
    let runs;
    try {
      runs = await get("/api/arena/runs");
    } catch (error) {
      if (!gone) fill(rows, h("p", { class: "problem" }, error.message));
      drawn = "";
      return true;
    }
    const now = JSON.stringify(runs);
    if (!gone && now !== drawn) draw(runs);
    drawn = now;
    return runs.some(({ state }) => state === "running");
  });

  function draw(runs) {
    // The one that has the focus keeps it: all are drawn anew.
    const focused = document.activeElement?.getAttribute("href");
    fill(rows, runs.length ? runs.map(row) : h("p", { class: "muted" }, "There is no run yet. Start a study, and watch it being played."));
    if (focused) [...rows.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
  }

  return () => {
    gone = true;
    asking.close();
  };
}

function row(run) {
  const { study } = run;
  return h(
    "a",
    { class: "card arena-run", href: `#/arena/${run.run}` },
    h("span", { class: "row-between" }, h("b", {}, title(study)), h("span", { class: "badge", "data-state": run.state }, STATES[run.state])),
    h("span", {}, who(study.agents)),
    h("progress", { max: run.games, value: run.played, "aria-label": "Games played" }),
    h("span", { class: "row-between small muted tabular" }, h("span", {}, progressWords(run)), h("span", {}, `${study.format} · ${moment(run.begun)}`)),
  );
}
