// From an analysis, in the form of the socket or of the REST API, to what is drawn on a board.

const UNIT = 10000;

/** The help that can be switched: its name, its label, its key. */
export const OVERLAYS = [
  ["risks", "Chance of a mine", "P"],
  ["proved", "Proved cells", "H"],
  ["best", "Best cell", "B"],
];

/** The analysis of a game's view in one form with `ofAnswer`; null when there is none to show. */
export function ofView(analysis) {
  if (analysis === null || analysis === undefined || analysis.state !== "ready") return null;
  const { risks, elsewhere, safe = [], mines = [], best = null, guesses = [], tosses = [], exact = false } = analysis;
  return {
    risks: risks.map((risk) => (risk === -1 ? null : (risk === -2 ? elsewhere : risk) / UNIT)),
    marks: marksOf(safe, mines),
    best,
    guesses: guesses.map(([cell, ...parts]) => guessOf(cell, parts.map((part) => part / UNIT))),
    tosses: tosses.map(([cells, cost]) => ({ cells, cost: cost / UNIT })),
    exact,
  };
}

/** The same of an answer of /api/minesweeper/analyze, in which cells are [row, column]. */
export function ofAnswer(answer, width) {
  const cell = ([row, col]) => row * width + col;
  return {
    risks: (answer.probabilities ?? []).flat(),
    marks: marksOf((answer.safe ?? []).map(cell), (answer.mines ?? []).map(cell)),
    best: answer.best ? cell(answer.best) : null,
    guesses: (answer.candidates ?? []).map((one) => guessOf(cell(one.cell), [one.safety, one.progress, one.win_chance])),
    tosses: (answer.tosses ?? []).map((toss) => ({ cells: toss.cells.map(cell), cost: toss.cost })),
    exact: answer.exact ?? false,
  };
}

const guessOf = (cell, [safety, progress, wins]) => ({ cell, safety, progress, wins });

function marksOf(safe, mines) {
  const marks = new Map(safe.map((cell) => [cell, "safe"]));
  for (const cell of mines) marks.set(cell, "mine");
  return marks;
}

/** What of it is drawn, with `shown` telling which overlays are switched on. */
export function drawn(help, shown) {
  if (help === null) return { risks: null, marks: null, best: null };
  return {
    risks: shown.risks && help.risks.length ? help.risks : null,
    marks: shown.proved ? help.marks : null,
    best: shown.best ? help.best : null,
  };
}
