// What has changed between two views, and how it is put into effect; src/surefoot/web/delta.py tells the form.

/**
 * `old` with a change; `old` itself stays as it was, and what has not changed is the same object in both.
 * Throws when the change is of another view.
 */
export function apply(old, change) {
  const kinds = Object.keys(change);
  if (kinds.length !== 1) throw new Error("a change has one kind");
  const what = change[kinds[0]];
  switch (kinds[0]) {
    case "=":
      return what;
    case "o":
      return applyToObject(old, what);
    case "+":
      check(Array.isArray(old) && what[0] <= old.length);
      return old.slice(0, what[0]).concat(what.slice(1));
    case "<":
      check(Array.isArray(old) && what[0] <= old.length);
      return old.slice(what[0]).concat(what.slice(1));
    case "l":
      return applyToList(old, what);
    default:
      throw new Error(`no such kind of change: ${kinds[0]}`);
  }
}

function applyToObject(old, changes) {
  check(old !== null && typeof old === "object" && !Array.isArray(old));
  const made = { ...old };
  for (const [key, inner] of Object.entries(changes)) {
    if ("-" in inner) delete made[key];
    else made[key] = "=" in inner ? inner["="] : apply(old[key], inner);
  }
  return made;
}

function applyToList(old, runs) {
  check(Array.isArray(old));
  const made = old.slice();
  for (const [start, ...values] of runs) {
    check(start + values.length <= made.length);
    values.forEach((value, offset) => (made[start + offset] = value));
  }
  return made;
}

function check(fits) {
  if (!fits) throw new Error("the change is of another view");
}
