// What the user has chosen, remembered in this browser; without storage it lasts as long as the page.

const PREFIX = "surefoot.";
const held = new Map();

/** The value remembered under a name, or what it is when nothing is. */
export function remembered(name, otherwise) {
  if (held.has(name)) return held.get(name);
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Remember a JSON value. */
export function remember(name, value) {
  held.set(name, value);
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Full, or switched off: it lasts as long as the page.
  }
}
