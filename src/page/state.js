// What the page shows, and helpers to make elements.
const SVG = "http://www.w3.org/2000/svg";
const SETS = { traditional: "t", simplified: "s", letters: "l" };
const NOTATIONS = { wxf: "C2.5 WXF", chinese: "马八进七", traditional: "馬八進七", iccs: "h2e2 ICCS" };
const $ = id => document.getElementById(id);
const games = JSON.parse($("games").textContent);
// The main lines of the games, made when they are first shown.
const trees = [];

// Preferences are kept where the browser allows it.
const saved = name => { try { return localStorage.getItem("chuhe." + name); } catch { return null; } };
const save = (name, value) => { try { localStorage.setItem("chuhe." + name, value); } catch { /* not kept */ } };
const known = (value, names) => (value in names ? value : undefined);

const state = {
  language: document.body.dataset.language || known(saved("language"), TEXTS) || (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en"),
  // Undefined: that of the language.
  notation: document.body.dataset.notation || known(saved("notation"), NOTATIONS),
  set: known(saved("set"), SETS) ?? "traditional",
  flipped: false,
  // −1: the list of games.
  game: -1,
  node: null,
  // Where a line of the engine was entered.
  origin: null,
  // The square of the piece to be moved.
  selected: null,
  // See exercises.js.
  exercise: null,
};
const text = name => TEXTS[state.language][name];
const notation = () => state.notation ?? (state.language === "zh" ? "chinese" : "wxf");
const game = () => games[state.game];
const main = () => (trees[state.game] ??= readTree(game()));
const name = (side, it = game()) => it[side].name || text(side);
const moveName = node => `${moveNumber(node)} ${moveText(node, notation())}`;
const number = value => value.toLocaleString(state.language);
const percent = share => `${Math.round(100 * share)} %`;

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value; else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}
function shape(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
// `key`: what tells the button from others where it stands, so that it keeps the focus when it is made anew.
function button(key, label, onclick, properties = {}) {
  return element("button", { type: "button", "data-key": key, onclick, ...properties }, label);
}
// Replaces what is in a part of the page; the focus stays where it is, or goes to the first button.
function fill(part, ...children) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  part.replaceChildren(...children);
  if (!focused) return;
  const again = [...part.querySelectorAll("[data-key]")].find(it => it.dataset.key === focused.dataset.key);
  (again ?? part.querySelector("button"))?.focus({ preventScroll: true });
}
