// The page about the API: drawn from the server's own description of it, with a form to try each question.

import { get } from "../js/api.js";
import { fill, h } from "../js/dom.js";

const DEEPEST = 3;
const LINE = 90;

let components = {};

async function show() {
  const place = document.getElementById("docs");
  const state = document.getElementById("state");
  let described;
  try {
    described = await get("/api/openapi.json");
  } catch (error) {
    state.textContent = error.message;
    return;
  }
  components = described.components?.schemas ?? {};
  const groups = new Map();
  for (const [path, methods] of Object.entries(described.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "Others";
      groups.set(tag, [...(groups.get(tag) ?? []), { path, method, ...operation }]);
    }
  }
  state.remove();
  for (const [tag, operations] of groups) place.append(h("h2", { id: slug(tag) }, tag), ...operations.map(card));
  fill(
    document.getElementById("nav"),
    [...groups.keys()].map((tag) => h("a", { href: `#${slug(tag)}` }, tag)),
  );
}

const slug = (words) => words.toLowerCase().replace(/[^a-z]+/g, "-");

function card({ path, method, summary, description, parameters = [], requestBody, responses }) {
  const body = requestBody && resolve(requestBody.content["application/json"].schema);
  const answer = responses["200"]?.content?.["application/json"]?.schema;
  const element = h(
    "details",
    { class: "operation card" },
    h("summary", {}, h("span", { class: "method" }, method.toUpperCase()), h("code", {}, path), h("span", { class: "muted" }, summary)),
  );
  // What is not opened need not be drawn.
  element.addEventListener(
    "toggle",
    () =>
      element.append(
        h(
          "div",
          { class: "operation-body" },
          description && h("p", {}, description),
          parameters.length > 0 && fields("In the path", path, parameters.map((one) => ({ ...one, ...one.schema, needed: one.required }))),
          body && fields("Asked with", path, properties(body)),
          answer && fields("Answered with", path, properties(resolve(answer))),
          trial({ path, method, parameters, body }),
        ),
      ),
    { once: true },
  );
  return element;
}

// What a description says of its fields, nested ones below the field that holds them.
function properties(schema, depth = 0) {
  if (depth >= DEEPEST) return [];
  const inner = schema.type === "array" ? resolve(schema.items) : schema;
  return Object.entries(inner.properties ?? {}).flatMap(([name, one]) => {
    const known = resolve(one);
    return [{ ...known, ...one, name, depth, needed: (inner.required ?? []).includes(name) }, ...properties(holder(known), depth + 1)];
  });
}

// The object that a field holds, be it in a list or beside null.
function holder(schema) {
  if (schema.anyOf) return holder(resolve(schema.anyOf.find((one) => resolve(one).type !== "null") ?? {}));
  if (schema.type === "array") return holder(resolve(schema.items ?? {}));
  return schema;
}

function resolve(schema) {
  return schema?.$ref ? resolve(components[schema.$ref.split("/").at(-1)]) : (schema ?? {});
}

function fields(title, path, rows) {
  if (rows.length === 0) return null;
  return h(
    "div",
    { class: "fields-box", tabindex: "0", role: "region", "aria-label": `${title}: ${path}` },
    h(
      "table",
      { class: "fields" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, title), h("th", { scope: "col" }, "is"), h("th", { scope: "col" }, "which is"))),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h("tr", {}, h("th", { scope: "row", class: row.depth > 0 && "nested" }, h("code", {}, row.name)), h("td", {}, kind(row)), h("td", {}, meaning(row))),
        ),
      ),
    ),
  );
}

function kind(schema) {
  const one = resolve(schema);
  if (one.anyOf) return one.anyOf.map(kind).join(" or ");
  if (one.enum) return one.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (one.const !== undefined) return JSON.stringify(one.const);
  if (one.type === "array") return `list of ${one.items ? kind(one.items) : "anything"}`;
  return { integer: "whole number", string: "text", boolean: "true or false" }[one.type] ?? one.type ?? "anything";
}

function meaning(row) {
  const bounds = [row.minimum !== undefined && `at least ${row.minimum}`, row.maximum !== undefined && `at most ${row.maximum}`].filter(Boolean);
  const rest = row.default !== undefined && row.default !== null ? [`${JSON.stringify(row.default)} if left out`] : [];
  return [row.description, ...bounds, ...rest].filter(Boolean).join("; ");
}

function trial({ path, method, parameters, body }) {
  const names = parameters.filter((one) => one.in === "path").map((one) => one.name);
  const inputs = names.map((name) => h("input", { name, required: true, autocomplete: "off" }));
  const text = body && h("textarea", { spellcheck: false, rows: 8, "aria-label": `What is asked of ${path}` }, JSON.stringify(example(body), null, 2));
  const output = h("pre", { hidden: true, tabindex: "0", role: "region", "aria-label": `The answer of ${path}` });
  const send = h("button", { class: "button button-primary", type: "submit" }, "Ask");
  const time = h("span", { class: "muted small tabular", role: "status" });

  async function ask(event) {
    event.preventDefault();
    send.disabled = true;
    time.textContent = "asking …";
    const begun = performance.now();
    const url = inputs.reduce((made, input) => made.replace(`{${input.name}}`, encodeURIComponent(input.value)), path);
    let answer;
    try {
      const response = await fetch(url, {
        method: method.toUpperCase(),
        ...(text && { body: text.value, headers: { "Content-Type": "application/json" } }),
      });
      const said = await response.text();
      answer = (response.headers.get("Content-Type") ?? "").includes("json") ? readable(JSON.parse(said)) : said;
      time.textContent = `${response.status} after ${Math.round(performance.now() - begun)} ms`;
    } catch {
      answer = "No connection to the server.";
      time.textContent = "";
    }
    output.textContent = answer;
    output.hidden = false;
    send.disabled = false;
  }

  return h(
    "form",
    { class: "stack", onsubmit: ask },
    names.map((name, place) => h("label", { class: "field" }, h("span", { class: "field-label" }, name), inputs[place])),
    text,
    h("div", { class: "row" }, send, time),
    output,
  );
}

// A body that can be sent: what is needed, from the description's examples where it has some.
function example(schema) {
  const needed = schema.required ?? [];
  const shown = Object.entries(schema.properties ?? {}).filter(([name, one]) => needed.includes(name) || (needed.length === 0 && sample(resolve(one)) !== null));
  return Object.fromEntries((needed.length === 0 ? shown.slice(0, 1) : shown).map(([name, one]) => [name, sample({ ...resolve(one), ...one })]));
}

function sample(schema) {
  const one = resolve(schema);
  if (one.examples?.length) return one.examples[0];
  if (one.default !== undefined && one.default !== null) return one.default;
  if (one.anyOf) return sample(resolve(one.anyOf.find((option) => resolve(option).type !== "null")));
  if (one.enum) return one.enum[0];
  if (one.type === "array") return Array.from({ length: Math.max(one.minItems ?? 1, 1) }, () => sample(resolve(one.items)));
  return { integer: Math.max(one.minimum ?? 0, 0), number: 0.5, boolean: false, string: "" }[one.type] ?? null;
}

// JSON in which whatever fits on a line is on one.
function readable(value, margin = "") {
  const line = JSON.stringify(value);
  if (line.length + margin.length <= LINE || value === null || typeof value !== "object") return line;
  const deeper = `${margin}  `;
  const inner = Array.isArray(value)
    ? value.map((one) => readable(one, deeper))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${readable(one, deeper)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${inner.map((one) => deeper + one).join(",\n")}\n${margin}${close}`;
}

show();
