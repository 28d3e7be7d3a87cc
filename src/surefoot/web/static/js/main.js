// The shell: which page is shown for the address, the bar, the colours, and the one connection.

import { get } from "./api.js";
import { fill, h, toast } from "./dom.js";
import { remember, remembered } from "./settings.js";
import { Connection } from "./socket.js";

const KEY = "[A-Za-z0-9_-]{16,64}";
const ROUTES = [
  { path: /^\/$/, title: "Surefoot", load: () => import("./home.js") },
  { path: /^\/minesweeper\/editor$/, title: "Minesweeper editor", styles: "minesweeper", load: () => import("./minesweeper/editor.js") },
  { path: /^\/minesweeper\/replay$/, title: "Minesweeper replay", styles: "minesweeper", load: () => import("./minesweeper/replay.js") },
  { path: new RegExp(`^/minesweeper(?:/(?<session>${KEY}))?$`), title: "Minesweeper", styles: "minesweeper", load: () => import("./minesweeper/play.js") },
  { path: /^\/arena(?:\/(?<run>[0-9a-f]{16}))?$/, title: "Arena", styles: "arena", load: () => import("./arena/arena.js") },
  { path: /^\/risk\/replay$/, title: "Risk replay", styles: "risk", load: () => import("./risk/replay.js") },
  { path: /^\/risk\/odds$/, title: "Risk odds", styles: "risk", load: () => import("./risk/odds.js") },
  { path: new RegExp(`^/risk(?:/(?<session>${KEY}))?$`), title: "Risk", styles: "risk", load: () => import("./risk/play.js") },
];
const LINKS = [
  ["#/minesweeper", "Minesweeper", [["#/minesweeper", "Play"], ["#/minesweeper/editor", "Editor"], ["#/minesweeper/replay", "Replay"]]],
  ["#/risk", "Risk", [["#/risk", "Play"], ["#/risk/replay", "Replay"], ["#/risk/odds", "Odds"]]],
  ["#/arena", "Arena", [["#/arena", "Runs"]]],
];

const main = document.getElementById("main");
const connection = new Connection();
const about = get("/api/about");
let unmount = null;
let shown = null;
let navigation = 0;

/** Go to a page; `replace` leaves no step to go back to, and `quiet` keeps the page that is shown. */
function navigate(hash, { replace = false, quiet = false } = {}) {
  if (quiet) shown = hash;
  if (replace) {
    history.replaceState(null, "", hash);
    if (!quiet) show();
  } else if (quiet) history.pushState(null, "", hash);
  else location.hash = hash;
  drawLinks();
}

async function show() {
  if (location.hash === shown) return;
  const turn = ++navigation;
  const [path, query = ""] = (location.hash.slice(1) || "/").split("?", 2);
  const route = ROUTES.find((one) => one.path.test(path));
  drawLinks();
  if (route === undefined) {
    shown = location.hash;
    leave();
    fill(main, h("div", { class: "welcome" }, h("h1", {}, "There is no such page"), h("p", {}, h("a", { href: "#/" }, "Back to the start"))));
    return;
  }
  const slow = setTimeout(() => main.setAttribute("aria-busy", "true"), 150);
  try {
    const [page, facts] = await Promise.all([route.load(), about, styles(route.styles)]);
    if (turn !== navigation) return;
    shown = location.hash;
    leave();
    main.replaceChildren();
    main.className = "";
    document.title = route.title === "Surefoot" ? route.title : `${route.title} · Surefoot`;
    const params = { ...path.match(route.path).groups, ...Object.fromEntries(new URLSearchParams(query)) };
    unmount = page.mount(main, { connection, about: facts, params, navigate }) ?? null;
  } catch (error) {
    if (turn !== navigation) return;
    leave();
    fill(
      main,
      h("div", { class: "welcome" }, h("h1", {}, "The page could not be loaded"), h("p", {}, error.message), h("p", {}, h("button", { class: "button button-primary", onclick: () => location.reload() }, "Try again"))),
    );
  } finally {
    clearTimeout(slow);
    if (turn === navigation) main.removeAttribute("aria-busy");
  }
}

function leave() {
  const last = unmount;
  unmount = null;
  last?.();
}

const sheets = new Map();

/** The styles of a game, loaded before its page is shown so that nothing jumps. */
function styles(name) {
  if (name === undefined) return null;
  if (!sheets.has(name)) {
    sheets.set(
      name,
      new Promise((resolve, reject) => {
        const link = h("link", { rel: "stylesheet", href: `/static/css/${name}.css`, onload: resolve });
        link.addEventListener("error", () => reject(new Error("The server does not answer.")));
        document.head.append(link);
      }),
    );
  }
  return sheets.get(name);
}

function drawLinks() {
  const here = (location.hash || "#/").split("?")[0];
  const group = LINKS.find(([start]) => here.startsWith(start));
  const last = group?.[2].slice(1).find(([href]) => here === href);
  const current = (yes) => (yes ? "page" : null);
  fill(
    document.getElementById("nav"),
    LINKS.map(([href, label, pages]) => [
      h("a", { href, class: "nav-game", "aria-current": current(group?.[0] === href && !last) }, label),
      group?.[0] === href && h("span", { class: "nav-pages" }, pages.slice(1).map(([to, words]) => h("a", { href: to, "aria-current": current(last?.[0] === to) }, words))),
    ]),
  );
}

const THEMES = [
  ["system", "as the system has them", "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 0v18m3-16v14m3-11v8"],
  ["light", "light", "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10M12 1v3m0 16v3M1 12h3m16 0h3M4.2 4.2l2 2m11.6 11.6 2 2m0-15.6-2 2M6.2 17.8l-2 2"],
  ["dark", "dark", "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5"],
];

function drawTheme() {
  const chosen = remembered("theme", "system");
  const [name, words, path] = THEMES.find(([one]) => one === chosen) ?? THEMES[0];
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  const control = document.getElementById("theme");
  control.setAttribute("aria-label", `Colours: ${words}`);
  control.title = `Colours: ${words}`;
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "path");
  drawn.setAttribute("d", path);
  icon.append(drawn);
  control.replaceChildren(icon);
}

document.getElementById("theme").addEventListener("click", () => {
  const place = THEMES.findIndex(([name]) => name === remembered("theme", "system"));
  remember("theme", THEMES[(place + 1) % THEMES.length][0]);
  drawTheme();
});

const STATES = { connecting: "Connecting …", lost: "No connection; trying again …", starting: "Getting ready …", open: "" };
connection.addEventListener("state", () => {
  const element = document.getElementById("link-state");
  element.textContent = STATES[connection.state] ?? "";
  element.dataset.state = connection.state;
});

about.catch((error) => toast(error.message, "danger"));
window.addEventListener("hashchange", show);
drawTheme();
drawLinks();
connection.connect();
show();
