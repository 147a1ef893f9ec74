// The parts around the board, steps, and the start.

// ── Scores ──
function score({ data }) {
  if (data.mate !== undefined) return text("mate")(data.mate);
  if (data.rule !== undefined) return text("rule")(data.rule);
  return shortScore({ data });
}
function shortScore({ data: { mate, cp } }) {
  if (mate !== undefined) return "#" + String(mate).replace("-", "−");
  return cp === undefined ? "" : (cp >= 0 ? "+" : "−") + (Math.abs(cp) / 100).toFixed(2);
}
const accuracy = side => (side.accuracy === null ? "–" : side.accuracy.toFixed(1) + " %");
const KINDS = { inaccuracies: "inaccuracy", mistakes: "mistake", blunders: "blunder" };

// ── The position ──
function lineButtons(line, label, key) {
  if (!line.length) return [];
  const made = line.map((node, index) => button(`${key}.${index}`, moveText(node, notation()), () => go(node), {
    "aria-current": String(node === state.node), title: moveName(node),
  }));
  return [element("div", { className: "line" }, element("span", { className: "label" }, label), ...made)];
}
function betterLines(before) {
  const position = positionOf(before);
  const others = (before.data.alternatives ?? []).map(({ iccs, loss }) => written(position, iccs, notation()) + (loss < 0.005 ? "" : ` (−${loss.toFixed(2)})`));
  const also = others.length ? [element("p", { className: "label also" }, `${text("also")}  ${others.join(", ")}`)] : [];
  const bad = before.children[0];
  const reason = reasonOf(bad);
  const proof = reason ? lineButtons(reasonLine(bad), text("why"), "why") : [];
  proof[0]?.children[1 + reason.key]?.classList.add("key");
  const why = reason ? [element("p", { className: "reason" }, reason[state.language]), ...proof] : [];
  return [...why, ...lineButtons(lineOf(before), text("better"), before.ply), ...also];
}
function reviewCard() {
  const node = state.node.kind === "line" ? state.origin : state.node;
  const what = element("div", { className: "what" }, element("b", {}, node.move ? moveName(node) + glyphText(node) : text("start")));
  const lines = [];
  if (node.kind !== "game") what.append(element("span", { className: "tag" }, text(node.kind)));
  else if (node.move) {
    const kind = classOf(node);
    what.append(element("span", { className: "tag " + kind }, text(kind) + (BAD[kind] ? " " + BAD[kind] : "")));
    if (isBad(node)) what.append(element("span", { className: "label" }, text("lost")(node.parent.data.move.loss.toFixed(2))));
  }
  const { data } = node;
  if (data) {
    what.append(element("span", { className: "score" }, score(node) + " ", element("small", {}, `${text("red")} ${percent(data.expected)}`)));
    if (isBad(node)) lines.push(...betterLines(node.parent));
    lines.push(...lineButtons(lineOf(node), text("line"), node.ply));
    if (data.depth) lines.push(element("p", { className: "search" }, text("depth")(data.depth, number(data.nodes))));
  }
  const choices = [];
  if (state.node.kind !== "game") choices.push(button("back", text("back"), back));
  if (node.kind === "own") choices.push(button("delete", text("remove"), () => removeLine(lineStart(node))));
  const comment = node.comment ? [element("p", { className: "comment" }, node.comment)] : [];
  return [what, ...comment, ...lines, ...(choices.length ? [buttons(...choices)] : [])];
}
function drawCard() {
  fill($("remark"), ...(state.exercise ? exerciseCard() : reviewCard()));
}
function player(place, side) {
  const isToMove = positionOf(state.node).isRed === (side === "red");
  $(place).className = "player" + (side === "red" ? " is-red" : "");
  $(place).replaceChildren(element("span", { className: "dot" }), element("span", { className: "name" }, name(side)),
    ...(isToMove ? [element("span", { className: "turn" })] : []));
}
// What a screen reader is told.
function say(what) {
  $("status").textContent = what;
}

// ── The game ──
function totals() {
  const bad = (kind, side) => {
    const count = game()[side][kind];
    if (!count) return "0";
    const isOne = node => classOf(node) === KINDS[kind] && positionOf(node.parent).isRed === (side === "red");
    const next = () => {
      const ply = gameNode(state.node).ply;
      go(main().find(node => node.ply > ply && isOne(node)) ?? main().find(isOne));
    };
    return button(side + kind, String(count), next, { className: KINDS[kind], "aria-label": `${count}. ${text("goTo")(text(KINDS[kind]), text(side))}` });
  };
  const head = Object.keys(KINDS).map(kind => element("th", { scope: "col", title: text(kind) }, element("span", { className: "wide" }, text(kind) + " "), element("b", {}, BAD[KINDS[kind]])));
  const row = side => element("tr", {}, element("th", { scope: "row", className: "player" + (side === "red" ? " is-red" : "") },
    element("span", { className: "dot" }), element("span", { className: "name" }, name(side))),
  element("td", {}, element("b", {}, accuracy(game()[side]))), ...Object.keys(KINDS).map(kind => element("td", {}, bad(kind, side))));
  fill($("totals"), element("table", {}, element("thead", {}, element("tr", {}, element("td", {}), element("th", { scope: "col" }, text("accuracy")), ...head)),
    element("tbody", {}, row("red"), row("black"))));
  $("totals").hidden = $("chart").hidden = game().plies.length < 2;
  $("learn").hidden = game().puzzle || !main().some(isBad);
}
function details() {
  const rows = [];
  const row = (label, value, className = "") => {
    if (value) rows.push(element("dt", {}, label), element("dd", { className }, value));
  };
  const { tags, opening, error, engine, plies, over_at: overAt } = game();
  row(text("result"), game().ending[state.language]);
  if (overAt !== null && overAt < plies.length - 1) row(text("verdict"), text("over")(overAt));
  if (error) row(text("problem"), error[state.language], "error");
  if (opening) row(text("opening"), `${opening.code} ${opening[state.language]}`);
  row(text("event"), tags.Event);
  row(text("date"), tags.Date);
  row(text("place"), tags.Site || tags.Place);
  row(text("source"), game().source);
  const depths = plies.map(ply => ply.depth).filter(Boolean);
  const nodes = Math.max(...plies.map(ply => ply.nodes));
  if (depths.length) row(text("searched"), text("searches")(engine, number(nodes), Math.min(...depths), Math.max(...depths)));
  $("about").replaceChildren(...rows);
  $("terms").replaceChildren(...text("terms").flatMap(([term, meaning]) => [element("dt", {}, term), element("dd", {}, meaning)]));
}
function heading() {
  const { tags, ending, source, red, black } = game();
  const names = red.name || black.name ? `${name("red")} – ${name("black")}` : source;
  document.title = `${names} · ChuHe`;
  const facts = [ending[state.language], tags.Event, tags.Date].filter(Boolean).join(" · ");
  $("heading").replaceChildren(element("b", {}, names), element("span", {}, " · " + facts));
}

// ── Curve ──
const EDGES = { left: 44, right: 10, above: 8, below: 22 };
function curve() {
  const [width, height] = [$("curve").clientWidth, $("curve").clientHeight];
  const nodes = main();
  const [inner, tall] = [width - EDGES.left - EDGES.right, height - EDGES.above - EDGES.below];
  const x = ply => EDGES.left + (nodes.length > 1 ? ply / (nodes.length - 1) : 0.5) * inner;
  const y = share => EDGES.above + (1 - share) * tall;
  const points = nodes.map((node, ply) => `${x(ply).toFixed(1)} ${y(node.data.expected).toFixed(1)}`).join("L");
  const dots = nodes.filter(isBad).map(node =>
    shape("circle", { class: classOf(node), cx: x(node.ply), cy: y(node.data.expected), r: 4.5 }));
  const shares = [0, 0.5, 1].map(share => shape("text", { class: "share", x: EDGES.left - 6, y: y(share) }, percent(share)));
  // The numbers of moves, at Red's or else Black's moves, as many as there is room for.
  const moves = nodes.length > 1 ? parseInt(moveNumber(nodes[nodes.length - 1])) : 0;
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find(step => moves / step * 40 <= inner) ?? 1000;
  const numbered = nodes.slice(1).filter((node, index, all) => {
    const now = parseInt(moveNumber(node));
    return (now === 1 || now % step === 0) && (index === 0 || parseInt(moveNumber(all[index - 1])) !== now);
  });
  const numbers = numbered.map(node => shape("text", { x: x(node.ply), y: height - 8 }, String(parseInt(moveNumber(node)))));
  const ply = gameNode(state.node).ply;
  const [right, bottom] = [width - EDGES.right, y(0)];
  $("curve").replaceChildren(shape("svg", { width, height, "aria-hidden": "true" },
    shape("rect", { class: "black", x: EDGES.left, y: EDGES.above, width: Math.max(0, inner), height: Math.max(0, tall) }),
    shape("path", { class: "red", d: `M${x(0)} ${bottom}L${points}L${x(nodes.length - 1)} ${bottom}z` }),
    shape("path", { class: "half", d: `M${EDGES.left} ${y(0.5)}H${right}` }), shape("path", { class: "edge", d: "M" + points }),
    shape("path", { class: "now", d: `M${x(ply)} ${EDGES.above}V${bottom}` }), ...dots, ...shares, ...numbers));
  const it = $("curve");
  it.setAttribute("aria-valuemin", 0);
  it.setAttribute("aria-valuemax", nodes.length - 1);
  it.setAttribute("aria-valuenow", ply);
  it.setAttribute("aria-valuetext", described(nodes[ply]));
}
const described = node => text("afterMove")(node.move ? moveName(node) : text("start"), Math.round(100 * node.data.expected));
function followCurve(event) {
  const box = $("curve").getBoundingClientRect();
  const share = (event.clientX - box.left - EDGES.left) / (box.width - EDGES.left - EDGES.right);
  go(main()[Math.round(Math.min(1, Math.max(0, share)) * (main().length - 1))]);
}
$("curve").addEventListener("pointerdown", event => {
  followCurve(event);
  $("curve").setPointerCapture(event.pointerId);
});
$("curve").addEventListener("pointermove", event => { if (event.buttons) followCurve(event); });

// ── Steps ──
function go(node) {
  if (!node) return;
  if (node.kind === "line" && state.node.kind !== "line") state.origin = state.node;
  // Who goes to another position of the game leaves an exercise, but not the choice of exercises or their end.
  if (state.exercise?.bad && gameNode(node) !== state.exercise.bad.parent) state.exercise = null;
  state.node = node;
  state.selected = null;
  $("untyped").textContent = "";
  draw();
}
const back = () => go(state.node.kind === "line" ? state.origin : gameNode(state.node));
const badAfter = (nodes, test) => go(nodes.find(node => test(node.ply - gameNode(state.node).ply) && isBad(node)));
const steps = {
  first: () => go(main()[0]),
  last: () => go(main()[main().length - 1]),
  before: () => (state.node.kind === "line" && state.node.parent.kind !== "line" ? back() : go(state.node.parent)),
  next: () => go(state.node.children[0]),
  badBefore: () => badAfter([...main()].reverse(), distance => distance < 0),
  badNext: () => badAfter(main(), distance => distance > 0),
};
for (const it of document.querySelectorAll("[data-go]")) it.onclick = () => { steps[it.dataset.go](); announce(); };
const KEYS = { ArrowLeft: "before", ArrowRight: "next", ArrowUp: "badBefore", ArrowDown: "badNext", Home: "first", End: "last" };
document.addEventListener("keydown", event => {
  if (state.game < 0 || event.ctrlKey || event.altKey || event.metaKey || ["SELECT", "INPUT", "SUMMARY"].includes(event.target.tagName)) return;
  if (event.key in KEYS) steps[KEYS[event.key]]();
  else if (event.key === "Escape") back();
  else if (event.key === "f" || event.key === "F") flip();
  else return;
  event.preventDefault();
  announce();
});
function announce() {
  const { node } = state;
  say(node.kind === "game" ? `${described(node)}${isBad(node) ? `, ${text(classOf(node))}` : ""}` : `${moveName(node)}, ${text(node.kind === "line" ? "engine" : node.kind)}`);
}
function flip() {
  state.flipped = !state.flipped;
  coordinates();
  draw();
}
$("flip").onclick = flip;
$("learn").onclick = () => {
  // As in print and on the terminal, where there is one.
  const least = chosen({ side: "both", least: "mistake" }).length ? "mistake" : "inaccuracy";
  state.exercise = { side: "both", least };
  drawCard();
  $("remark").querySelector("select").focus();
};
async function copy(content) {
  try {
    await navigator.clipboard.writeText(content);
    said("copied");
  } catch {
    const area = document.body.appendChild(element("textarea", { value: content }));
    area.select();
    said(document.execCommand("copy") ? "copied" : "notCopied");
    area.remove();
  }
}
let noticeTimer;
function said(what) {
  say(text(what));
  $("notice").textContent = text(what);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { $("notice").textContent = ""; }, 2500);
}
$("copy-fen").onclick = () => copy(writeFen(positionOf(state.node)));
$("copy-pgn").onclick = () => copy(writePgn(game(), main(), notation()));

// ── Page ──
function setAddress(fragment) {
  try { history.replaceState(null, "", fragment); } catch { /* browsers refuse many changes at once */ }
}
function draw() {
  // The rest of the page would tell the solution.
  $("game").classList.toggle("is-hiding", Boolean(game().puzzle && state.exercise?.bad && isAsking()));
  drawBoard();
  player(state.flipped ? "lower" : "upper", "black");
  player(state.flipped ? "upper" : "lower", "red");
  drawCard();
  drawList();
  curve();
  const { node } = state;
  const [base, end] = [gameNode(node), main().length - 1];
  const steps = node.ply - base.ply;
  $("where").textContent = node.kind === "game" ? `${node.ply} / ${end}` : node.inLine ? `${steps} / ${node.inLine.length}` : `+${steps}`;
  for (const it of document.querySelectorAll("[data-go]")) {
    const isBack = ["first", "before", "badBefore"].includes(it.dataset.go);
    it.disabled = isBack ? !node.parent : it.dataset.go === "next" ? !node.children.length : node === main()[end];
  }
  setAddress(`#${state.game + 1}.${base.ply}`);
}
function index() {
  document.title = `${text("games")} · ChuHe`;
  if (!games.length) return $("index").replaceChildren(element("p", { className: "card" }, text("none")));
  const join = state.language === "zh" ? "，" : ", ";
  const counts = (side, it) => {
    if (it[side].accuracy === null) return `${name(side, it)}${state.language === "zh" ? "：" : ": "}${text("noChoice")}`;
    const bad = Object.keys(KINDS).filter(kind => it[side][kind]).map(kind => text("some")[kind](it[side][kind])).join(join);
    return text("counts")(name(side, it), accuracy(it[side]), bad);
  };
  const entries = games.map((it, number) => {
    const names = it.red.name || it.black.name ? `${name("red", it)} – ${name("black", it)}` : it.source;
    const length = text("moveCount")(Math.ceil((it.plies.length - 1) / 2)) + (it.lines > 1 ? join + text("lines")(it.lines - 1) : "");
    const opening = it.opening && `${it.opening.code} ${it.opening[state.language]}`;
    const facts = [it.result === "*" ? it.ending[state.language] : text("results")[it.result], it.tags.Event, it.tags.Date, opening, length];
    return element("li", { className: "card" }, element("a", { href: `#${number + 1}.0` }, names),
      element("p", {}, facts.filter(Boolean).join(" · ")),
      element("p", { className: "label" }, counts("red", it) + (state.language === "zh" ? "；" : "; ") + counts("black", it)));
  });
  return $("index").replaceChildren(element("h1", {}, text("games")), element("ol", {}, ...entries));
}
// Shows a game, or the list of games if there is none of that number; `node` of it, or the position after `ply` moves.
function open(number, ply, node) {
  state.game = games[number] ? number : games.length === 1 ? 0 : -1;
  const isGame = state.game >= 0;
  $("index").hidden = isGame;
  $("game").hidden = !isGame;
  $("to-index").hidden = games.length < 2 || !isGame;
  for (const it of document.querySelectorAll(".of-game")) it.hidden = !isGame;
  if (!isGame) {
    setAddress("#");
    return index();
  }
  state.node = state.origin = node ?? main()[Math.min(main().length - 1, Math.max(0, ply))];
  coordinates();
  heading();
  totals();
  details();
  drawList(true);
  return game().puzzle && !node && !ply && !state.exercise ? solve() : draw();
}
function translate() {
  document.documentElement.lang = state.language === "zh" ? "zh-Hans" : "en";
  for (const it of document.querySelectorAll("[data-text]")) it.textContent = text(it.dataset.text);
  for (const it of document.querySelectorAll("[data-title]")) {
    it.title = text(it.dataset.title);
    it.setAttribute("aria-label", text(it.dataset.title));
  }
  $("typed").placeholder = text("type");
  for (const it of document.querySelectorAll("[data-label]")) it.setAttribute("aria-label", text(it.dataset.label));
  $("language").textContent = text("other");
  $("language").lang = state.language === "zh" ? "en" : "zh-Hans";
  const options = (labels, now) => Object.entries(labels).map(([value, label]) => element("option", { value, selected: value === now }, label));
  $("set").replaceChildren(...options(Object.fromEntries(Object.keys(SETS).map(set => [set, text(set)])), state.set));
  $("notation").replaceChildren(...options(NOTATIONS, notation()));
}
const redraw = () => { const { node, origin } = state; translate(); open(state.game, 0, node); if (node) { state.origin = origin; draw(); } };
$("language").onclick = () => {
  state.language = state.language === "zh" ? "en" : "zh";
  save("language", state.language);
  redraw();
};
$("set").onchange = () => {
  state.set = $("set").value;
  save("set", state.set);
  draw();
};
$("notation").onchange = () => {
  state.notation = $("notation").value;
  save("notation", state.notation);
  redraw();
};
$("theme").onclick = () => {
  const isDark = getComputedStyle(document.documentElement).colorScheme === "dark";
  document.documentElement.dataset.theme = isDark ? "light" : "dark";
  save("theme", document.documentElement.dataset.theme);
};
$("to-index").onclick = () => { state.exercise = null; open(-1); };
if (["light", "dark"].includes(saved("theme"))) document.documentElement.dataset.theme = saved("theme");
new ResizeObserver(() => { if (state.game >= 0) curve(); }).observe($("curve"));
translate();
// `#2.31`: game 2, ply 31.
function follow() {
  const [number, ply] = location.hash.slice(1).split(".").map(Number);
  state.exercise = null;
  window.scrollTo(0, 0);
  open(number - 1, ply || 0);
}
window.addEventListener("hashchange", follow);
follow();
