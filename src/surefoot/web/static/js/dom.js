// Making elements. Text only ever becomes text: nothing here reads markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Of the properties, `class`, `for`, `role`, `aria-*` and `data-*` are attributes, `on*` are
 * listeners, `style` is an object of CSS properties, and everything else is set on the element.
 */
export function h(tag, properties, ...children) {
  return furnish(document.createElement(tag), properties, children);
}

/** An SVG element; its properties are attributes, but for listeners and style. */
export function s(tag, properties, ...children) {
  return furnish(document.createElementNS(SVG, tag), properties, children);
}

function furnish(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else if (element.namespaceURI === SVG || !(name in element) || /^(class|role|aria-|data-)/.test(name)) {
      if (value !== false) element.setAttribute(name, value === true ? "" : value);
    } else element[name] = value;
  }
  append(element, children);
  return element;
}

/** Put children into an element: elements, text, numbers, or lists of these; null and false are nothing. */
export function append(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/** Replace all that is in an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

/** Set an attribute or text only when it differs: what is not touched is not painted again. */
export function setAttribute(element, name, value) {
  if (value === null || value === false || value === undefined) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

export function setText(element, text) {
  const wanted = String(text);
  if (element.textContent !== wanted) element.textContent = wanted;
}

/** One line at the edge of the screen that goes away by itself; `kind` is "info", "good" or "danger". */
export function toast(message, kind = "info") {
  const place = document.getElementById("toasts");
  for (const old of place.children) if (old.dataset.message === message) old.remove();
  const element = h("div", { class: `toast toast-${kind}`, "data-message": message }, message);
  element.append(
    h("button", { class: "toast-close", type: "button", "aria-label": "Close", onclick: () => element.remove() }, "×"),
  );
  place.append(element);
  while (place.children.length > 3) place.firstChild.remove();
  setTimeout(() => element.remove(), kind === "danger" ? 9000 : 5000);
}

/** A labelled on-off switch; `onchange` is told the new state. */
export function toggle(label, on, onchange, { key, id } = {}) {
  const input = h("input", { type: "checkbox", role: "switch", checked: on, id, onchange: () => onchange(input.checked) });
  const element = h("label", { class: "switch" }, input, h("span", { class: "switch-track", "aria-hidden": "true" }), h("span", {}, label), key && h("kbd", {}, key));
  return { element, set: (value) => (input.checked = value), get: () => input.checked };
}

/** A row of choices of which one holds; `choices` are [value, label]. */
export function segmented(legend, choices, chosen, onchange) {
  const name = `choice-${(segmented.count = (segmented.count ?? 0) + 1)}`;
  const inputs = choices.map(([value]) => h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }));
  const element = h(
    "fieldset",
    { class: "segmented" },
    h("legend", { class: "visually-hidden" }, legend),
    choices.map(([, label], place) => h("label", {}, inputs[place], h("span", {}, label))),
  );
  return { element, set: (value) => inputs.forEach((input) => (input.checked = input.value === String(value))) };
}

/** A labelled input, select or other control. */
export function field(label, control, hint) {
  return h("label", { class: "field" }, h("span", { class: "field-label" }, label), control, hint && h("span", { class: "field-hint" }, hint));
}

/** A list to choose from; `choices` are [value, label] or plain values. */
export function select(choices, chosen, onchange, properties) {
  const element = h(
    "select",
    { ...properties, onchange: () => onchange?.(element.value) },
    choices.map((choice) => {
      const [value, label] = Array.isArray(choice) ? choice : [choice, choice];
      return h("option", { value, selected: value === chosen }, label);
    }),
  );
  return element;
}

/** A button. */
export function button(label, onclick, { kind = "", key, ...properties } = {}) {
  return h("button", { type: "button", class: `button ${kind && `button-${kind}`}`, onclick, ...properties }, label, key && h("kbd", { "aria-hidden": "true" }, key));
}

/** A modal dialog that closes by Escape or a click outside, and is gone then. */
export function dialog(title, ...children) {
  const element = h("dialog", { class: "dialog", "aria-label": title }, h("h2", {}, title), children);
  element.addEventListener("click", (event) => event.target === element && element.close());
  element.addEventListener("close", () => element.remove());
  document.body.append(element);
  element.showModal();
  return element;
}
