// A land in words: for the card beside the pointer, and for those who hear the page.

import { armies, percent } from "./words.js";

/** `{ title, lines }` of a land in a view. */
export function landCard(view, world, place) {
  const territory = world.territories[place];
  const continent = world.continents[territory.continent];
  const lines = [`${continent.name}, +${continent.bonus}`];
  if (view) {
    lines.push(ownerWords(view, place));
    if (isCapital(view, place)) lines.push("A capital");
  }
  return { title: territory.name, lines };
}

function ownerWords(view, place) {
  const owner = view.owners[place];
  if (owner === -3) return "Hidden in fog";
  if (owner < 0) return "Nobody's";
  return `${view.seats[owner].name}, ${armies(view.armies[place])}`;
}

function isCapital(view, place) {
  return view.seats.some((seat) => seat.capital === place);
}

/** One sentence: "Alaska, North America, yours, 5 armies, can be attacked from Kamchatka, 83 %". */
export function describe(view, world, offer, place) {
  const territory = world.territories[place];
  const owner = view.owners[place];
  const own = view.choices !== null && owner === view.turn;
  const whose = owner === -3 ? "hidden in fog" : owner < 0 ? "nobody's" : own ? "yours" : view.seats[owner].name;
  const parts = [territory.name, world.continents[territory.continent].name, whose];
  if (owner >= 0) parts.push(armies(view.armies[place]));
  if (isCapital(view, place)) parts.push("a capital");
  if (offer.places.has(place)) parts.push(offer.kind === "claim" ? "can be taken" : "armies can be placed");
  const from = [...offer.attacks].filter(([, targets]) => targets.has(place));
  if (from.length) {
    parts.push(`can be attacked from ${from.map(([source, targets]) => `${world.territories[source].name}, ${percent(targets.get(place).win / 10000)}`).join("; ")}`);
  }
  if (offer.attacks.has(place)) parts.push("can attack");
  return parts.join(", ");
}
