// The REST API: one line of words for whatever goes wrong.

/** What a GET of `path` answers. */
export function get(path) {
  return ask(path, {});
}

/** What a POST of `body`, as JSON, to `path` answers; `signal` of an AbortController gives it up. */
export function post(path, body, { signal } = {}) {
  return ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: { Accept: "application/json", ...options.headers } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw refusal("No connection to the server.", 0);
  }
  const json = (response.headers.get("Content-Type") ?? "").includes("json");
  const answer = json ? await response.json().catch(() => null) : await response.text();
  if (response.ok) return answer;
  const detail = json && typeof answer?.detail === "string" ? answer.detail : `The server answered ${response.status}.`;
  throw refusal(detail, response.status);
}

function refusal(message, status) {
  return Object.assign(new Error(message), { status });
}
