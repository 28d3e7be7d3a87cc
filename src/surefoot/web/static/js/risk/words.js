// How the page speaks of a game of Risk.

export const PHASES = {
  claim: "claim",
  setup: "starting armies",
  capital: "capital",
  draft: "draft",
  attack: "attack",
  occupy: "occupy",
  over: "over",
};

export function percent(share, digits = 0) {
  const shown = (100 * share).toFixed(digits);
  // What is not certain must not look so.
  if (share < 1 && Number(shown) === 100) return `>${(100 - 10 ** -digits).toFixed(digits)} %`;
  if (share > 0 && Number(shown) === 0) return `<${(10 ** -digits).toFixed(digits)} %`;
  return `${shown} %`;
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

export function armies(number) {
  return count(number, "army", "armies");
}

/** An action's text form with the names of the map: "attack Alaska from …". */
export function inWords(action, nameOf) {
  const [verb, ...rest] = action.split(" ");
  if (verb === "claim") return `Take ${nameOf(rest[0])}`;
  if (verb === "draft") return `Place ${armies(Number(rest[1]))} on ${nameOf(rest[0])}`;
  if (verb === "attack") {
    const stop = rest[3] === "roll" ? ", one roll" : rest[3] === "until" ? `, until ${rest[4]} are left` : "";
    return `Attack ${nameOf(rest[1])} from ${nameOf(rest[0])} with ${rest[2]}${stop}`;
  }
  if (verb === "occupy") return `Move ${armies(Number(rest[0]))} in`;
  if (verb === "fortify") return `Move ${armies(Number(rest[2]))} from ${nameOf(rest[0])} to ${nameOf(rest[1])}`;
  if (verb === "trade") return `Trade in ${rest.slice(0, 3).map(nameOf).join(", ")}`;
  return "End the turn";
}

/** The arrows that show an action's text form on the map; `numberOf` is the number of a territory's key. */
export function arrowsOf(action, numberOf, kind, mark) {
  const [verb, ...rest] = action.split(" ");
  if (verb === "attack" || verb === "fortify") return [{ from: numberOf(rest[0]), to: numberOf(rest[1]), kind, mark, label: rest[2] }];
  if (verb === "draft") return [{ from: null, to: numberOf(rest[0]), kind, mark, label: `+${rest[1]}` }];
  if (verb === "claim") return [{ from: null, to: numberOf(rest[0]), kind, mark, label: null }];
  return [];
}

/** The value of one switch in a rules' text such as "modern:max_attacks=3;fog=yes", or undefined. */
export function switchOf(rules, name) {
  const found = rules.split(":")[1]?.split(";").find((part) => part.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}
