// What the person at the board may do, and what a click means: worked out from the view alone. Nothing here draws
// or sends.
//
// A pick is what has been chosen so far: `{ mode, from, to }`, where mode is "attack" or "fortify" and the territories
// are numbers or null.

export const NO_PICK = Object.freeze({ mode: "attack", from: null, to: null });

/** From this chance on, an attack is proposed without being asked for. */
const LIKELY = 5000;

/**
 * What the view offers: `{ kind, places, attacks, fortifies, occupy, end }`.
 * kind is "watch", "claim", "draft", "turn", "occupy" or "over"; places is the set of territories that one
 * click acts on; attacks and fortifies are maps from source to a map from target to what is known.
 */
export function offers(view) {
  const choices = view.choices;
  const none = { kind: "watch", places: new Set(), attacks: new Map(), fortifies: new Map(), occupy: null, end: false };
  if (view.outcome !== "running") return { ...none, kind: "over" };
  if (!choices) return none;
  const attacks = bySource(choices.attack, ([, , most, win, left]) => ({ most, win, left }));
  const fortifies = bySource(choices.fortify, ([, , most]) => ({ most }));
  const found = { ...none, attacks, fortifies, occupy: choices.occupy, end: choices.end };
  if (choices.occupy) return { ...found, kind: "occupy" };
  if (choices.claim.length) return { ...found, kind: "claim", places: new Set(choices.claim) };
  if (view.phase === "draft" || view.phase === "setup") {
    return { ...found, kind: "draft", places: new Set(choices.draft) };
  }
  return { ...found, kind: "turn" };
}

function bySource(entries, known) {
  const sources = new Map();
  for (const entry of entries ?? []) {
    const [from, to] = entry;
    if (!sources.has(from)) sources.set(from, new Map());
    sources.get(from).set(to, known(entry));
  }
  return sources;
}

/** The moves of the pick's mode, by source. */
export function moves(offer, pick) {
  return pick.mode === "fortify" ? offer.fortifies : offer.attacks;
}

/** The pick without what is no longer offered, in a mode that has something to offer. */
export function settle(offer, pick) {
  if (offer.kind === "draft") return offer.places.has(pick.from) ? { ...NO_PICK, from: pick.from } : NO_PICK;
  if (offer.kind !== "turn") return NO_PICK;
  const other = { attack: "fortify", fortify: "attack" }[pick.mode];
  const mode = moves(offer, pick).size || !moves(offer, { mode: other }).size ? pick.mode : other;
  const targets = moves(offer, { mode }).get(pick.from);
  return { mode, from: targets ? pick.from : null, to: targets?.has(pick.to) ? pick.to : null };
}

/** What is lit: every place that a click does something to. */
export function lit(offer, pick) {
  if (offer.kind === "claim" || offer.kind === "draft") return offer.places;
  if (offer.kind !== "turn") return new Set();
  const possible = moves(offer, pick);
  return pick.from === null ? new Set(possible.keys()) : new Set(possible.get(pick.from)?.keys() ?? []);
}

/**
 * A click on a territory: `{ pick, act }`, where act is null, "claim", "draft" or "confirm" (the target of
 * a prepared move was clicked once more).
 */
export function click(offer, pick, territory) {
  if (offer.kind === "claim") return { pick, act: offer.places.has(territory) ? "claim" : null };
  if (offer.kind === "draft") {
    const may = offer.places.has(territory);
    return { pick: may ? { ...NO_PICK, from: territory } : pick, act: may ? "draft" : null };
  }
  if (offer.kind !== "turn") return { pick, act: null };
  const possible = moves(offer, pick);
  if (pick.from !== null && possible.get(pick.from)?.has(territory)) {
    return pick.to === territory ? { pick, act: "confirm" } : { pick: { ...pick, to: territory }, act: null };
  }
  if (pick.from === territory) return { pick: { ...pick, from: null, to: null }, act: null };
  if (possible.has(territory)) return { pick: { ...pick, from: territory, to: null }, act: null };
  // A click straight on an enemy attacks him from where it is surest.
  const source = pick.mode === "attack" ? surestSource(possible, territory) : null;
  return { pick: { ...pick, from: source, to: source === null ? null : territory }, act: null };
}

function surestSource(attacks, target) {
  let best = null;
  for (const [from, targets] of attacks) {
    const found = targets.get(target);
    if (found && (best === null || found.win > attacks.get(best).get(target).win)) best = from;
  }
  return best;
}

/** The pick after a territory was taken and occupied: the surest attack from there, or again from behind. */
export function goOn(offer, from, to) {
  for (const source of [to, from]) {
    const target = surestTarget(offer.attacks.get(source));
    if (target !== null) return { mode: "attack", from: source, to: target };
  }
  return NO_PICK;
}

function surestTarget(targets) {
  let best = null;
  for (const [to, found] of targets ?? []) {
    if (found.win >= LIKELY && (best === null || found.win > targets.get(best).win)) best = to;
  }
  return best;
}

/** Armies that one click places. */
export function stepOf(event) {
  return event.shiftKey ? 5 : 1;
}
