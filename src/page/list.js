// The list of moves with its variations.

// Positions and variations that are shown in full though the game has many variations.
const opened = new Set();
const MANY_LINES = 30;
const FEW = 4;
const FEW_MOVES = 8;
// The buttons of the moves that the list shows.
const listed = new Map();

function moveButton(node, number) {
  const mark = BAD[classOf(node)];
  const glyph = glyphText(node) === mark ? "" : glyphText(node);
  const it = button("", number + moveText(node, notation()) + glyph, () => go(node), { tabIndex: -1 });
  if (node.kind === "game") it.dataset.ply = node.ply;
  if (mark) it.append(element("span", { className: "mark " + classOf(node) }, mark));
  if (node.comment && node.kind === "game") it.append(element("span", { className: "has-comment", title: node.comment }, "✎"));
  if (node.kind === "game") it.append(element("span", { className: "value" }, shortScore(node)));
  listed.set(node, it);
  return it;
}
// The variations that begin where `parent` is.
function variations(others, parent, path, isCrowded) {
  if (!others.length) return [];
  const isOpen = !isCrowded || opened.has(parent) || others.length <= FEW;
  const few = isOpen ? others : others.filter((it, index) => index < FEW || path.has(it));
  const blocks = few.map(it => variation(it, path, isCrowded));
  if (few.length < others.length) blocks.push(moreButton(parent, "moreLines", others.length - few.length));
  return blocks;
}
function moreButton(node, what, count) {
  const label = text(what)(count);
  const more = () => { opened.add(node); drawList(true); };
  return button("more", what === "moreLines" ? `(+${count})` : "…", more, { className: "more", title: label, "aria-label": label });
}
function variation(first, path, isCrowded) {
  const box = element("div", { className: "variation " + first.kind });
  let needsNumber = true;
  let count = 0;
  for (let node = first; node; node = nextInLine(node)) {
    if (isCrowded && count === FEW_MOVES && !opened.has(first) && !path.has(node)) {
      let rest = 0;
      for (let it = node; it; it = nextInLine(it)) rest++;
      box.append(moreButton(first, "moreMoves", rest));
      break;
    }
    if (!path.has(node)) count++;
    box.append(moveButton(node, needsNumber || positionOf(node.parent).isRed ? moveNumber(node) + " " : ""));
    if (node.comment) box.append(element("span", { className: "note" }, node.comment));
    const others = node === first ? [] : node.parent.children.slice(1);
    // Of crowded ones what lies deeper is shown where it is wanted.
    const isHidden = isCrowded && others.length > 0 && !opened.has(node.parent) && !others.some(it => path.has(it));
    box.append(...(isHidden ? [moreButton(node.parent, "moreLines", others.length)] : variations(others, node.parent, path, isCrowded)));
    needsNumber = others.length > 0;
  }
  if (first.kind === "own") {
    box.append(button("delete", "×", () => removeLine(first), { className: "delete", title: text("remove"), "aria-label": text("remove") }));
  }
  return box;
}
function removeLine(first) {
  const isInside = first === state.node || pathTo(state.node).has(first);
  remove(first);
  if (isInside) state.node = first.parent;
  drawList(true);
  go(state.node);
}
function pathTo(node) {
  const path = new Set();
  for (; node; node = node.parent) path.add(node);
  return path;
}
function makeList() {
  const isCrowded = game().lines > MANY_LINES;
  const path = pathTo(state.node);
  listed.clear();
  const cells = [];
  let isInRow = false;
  for (const node of main().slice(1)) {
    const { isRed } = positionOf(node.parent);
    if (isRed || !isInRow) cells.push(element("span", { className: "number" }, parseInt(moveNumber(node)) + "."));
    if (!isRed && !isInRow) cells.push(element("span", { className: "gap" }, "…"));
    cells.push(moveButton(node, ""));
    const blocks = variations(node.parent.children.slice(1), node.parent, path, isCrowded);
    if (blocks.length) cells.push(element("div", { className: "variations" }, ...blocks));
    isInRow = isRed && !blocks.length;
  }
  const last = main()[main().length - 1];
  const blocks = variations(last.children, last, path, isCrowded);
  if (blocks.length) cells.push(element("div", { className: "variations" }, ...blocks));
  $("moves").replaceChildren(...cells);
}
// Marks the move shown, the only one that the tab key reaches; makes the list anew where it lacks it.
function drawList(isNew = false) {
  const list = $("moves");
  const hasFocus = list.contains(document.activeElement);
  const wanted = state.node.kind === "line" ? state.origin : state.node;
  if (isNew || (wanted.move && !listed.has(wanted))) makeList();
  for (const it of list.querySelectorAll("[aria-current]")) { it.removeAttribute("aria-current"); it.tabIndex = -1; }
  const now = listed.get(wanted) ?? listed.get(main()[1]);
  if (!now) return;
  now.tabIndex = 0;
  if (hasFocus) now.focus({ preventScroll: true });
  if (!wanted.move) { list.scrollTop = 0; return; }
  now.setAttribute("aria-current", "true");
  const [box, { top, bottom }] = [list.getBoundingClientRect(), now.getBoundingClientRect()];
  if (top < box.top || bottom > box.bottom) list.scrollTop += top - box.top - box.height / 2;
}
