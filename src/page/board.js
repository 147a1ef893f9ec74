// The board: pieces, arrows, and moves made on it.
const shown = [];
function point(square) {
  const [file, rank] = [square % 9, rankOf(square)];
  return state.flipped ? [(8 - file) * 100, rank * 100] : [file * 100, (9 - rank) * 100];
}
function place(position) {
  const wanted = position.board.map((piece, square) => ({ square, piece })).filter(it => it.piece);
  const old = shown.splice(0);
  const take = test => { const index = old.findIndex(test); return index < 0 ? null : old.splice(index, 1)[0]; };
  for (const want of wanted) want.element = take(it => it.square === want.square && it.piece === want.piece)?.element;
  for (const want of wanted) {
    want.element ??= take(it => it.piece === want.piece)?.element ?? $("pieces").appendChild(shape("use", {}));
    want.element.setAttribute("href", "#" + SETS[state.set] + want.piece);
    const [x, y] = point(want.square);
    want.element.style.transform = `translate(${x}px, ${y}px)`;
    want.element.dataset.square = nameOf(want.square);
    want.element.setAttribute("class", isRedPiece(want.piece) === position.isRed ? "movable" : "");
    shown.push(want);
  }
  old.forEach(it => it.element.remove());
}
function arrow(move, kind) {
  const [[x, y], [u, v]] = squaresOf(move).map(point);
  const length = Math.hypot(u - x, v - y);
  if (length === 0) return shape("circle", { class: "arrow " + kind, cx: x, cy: y, r: 50 });
  const [tip, neck, half] = [length - 12, length - 50, kind === "next" ? 8 : 11];
  const path = `M30 ${-half}H${neck}V-28L${tip} 0L${neck} 28V${half}H30z`;
  const turn = Math.atan2(v - y, u - x) * 180 / Math.PI;
  return shape("path", { class: "arrow " + kind, d: path, transform: `translate(${x} ${y}) rotate(${turn})` });
}
function corners(square, size) {
  const [x, y] = point(square);
  const corner = (right, down) => `M${x + right * size} ${y + down * (size - 22)}v${down * 22}h${-right * 22}`;
  return shape("path", { class: "last", d: corner(1, 1) + corner(1, -1) + corner(-1, 1) + corner(-1, -1) });
}
function coordinates() {
  const [red, black] = ["九八七六五四三二一", "123456789"];
  const reds = state.language === "zh" ? red : "987654321";
  const turned = text => [...text].reverse().join("");
  const [above, below] = state.flipped ? [turned(reds), turned(black)] : [black, reds];
  const row = (letters, y) => [...letters].map((letter, file) => shape("text", { x: file * 100, y }, letter));
  $("coordinates").replaceChildren(...row(above, -70), ...row(below, 970));
}
// The arrow for a node: the better move at a bad one, else what the engine would play next.
function hint(node) {
  const asked = state.exercise?.bad;
  if (asked) {
    if (isAsking()) return node === asked.parent && !game().puzzle ? arrow(asked.move, "played") : null;
    if (node === asked.parent) return arrow(node.data.best.iccs[0], "better");
  }
  if (isBad(node)) return arrow(node.parent.data.best.iccs[0], "better");
  const next = node.kind === "line" ? node.children[0]?.move : node.data?.best.iccs[0];
  return next ? arrow(next, "next") : null;
}
// The answer that shows why a bad move is bad.
function refutation(node) {
  const reason = state.exercise?.bad ? undefined : reasonOf(node);
  return reason?.after && reason.line.iccs.length ? arrow(reason.line.iccs[0], "played") : null;
}
function drawBoard() {
  const node = state.node;
  const position = positionOf(node);
  place(position);
  const under = node.move ? squaresOf(node.move).map((square, index) => corners(square, index ? 53 : 34)) : [];
  if (isInCheck(position.board, position.isRed)) {
    const [cx, cy] = point(position.board.indexOf(position.isRed ? "K" : "k"));
    under.push(shape("circle", { class: "check", cx, cy, r: 54 }));
  }
  $("under").replaceChildren(...under);
  const over = [hint(node), refutation(node)].filter(Boolean);
  if (isBad(node)) {
    const [x, y] = point(squaresOf(node.move)[1]);
    const mark = BAD[classOf(node)];
    over.push(shape("g", { class: "badge " + classOf(node), transform: `translate(${x + 34} ${y - 34})` },
      shape("circle", { r: 23 }), shape("text", { "font-size": mark.length > 1 ? 26 : 32 }, mark)));
  }
  if (state.selected !== null) {
    const [cx, cy] = point(state.selected);
    over.push(shape("circle", { class: "selected", cx, cy, r: 49 }));
    for (const move of movesFrom(state.selected)) {
      const to = squaresOf(move)[1];
      const [x, y] = point(to);
      over.push(shape("circle", { class: "target", cx: x, cy: y, r: position.board[to] ? 49 : 15 }));
    }
  }
  $("over").replaceChildren(...over);
  const { expected } = gameNode(node).data;
  $("bar").firstElementChild.style.height = 100 * expected + "%";
  $("bar").classList.toggle("is-flipped", state.flipped);
  $("board").setAttribute("aria-label", `${node.move ? moveName(node) : text("start")}. FEN ${writeFen(position)}`);
}

// ── Moves made on it ──
const movesHere = () => (state.node.moves ??= legalMoves(positionOf(state.node), game().promotion));
const movesFrom = square => movesHere().filter(move => squaresOf(move)[0] === square);
function play(move) {
  state.selected = null;
  if (state.exercise?.bad && isAsking()) answer(move);
  else go(addOwn(state.node, move));
}
// The piece under the pointer, and whether the pointer moved away.
let held = null;
function boardPoint(event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform($("board").getScreenCTM().inverse());
}
function squareAt(event) {
  const { x, y } = boardPoint(event);
  const [column, row] = [Math.round(x / 100), Math.round(y / 100)];
  if (column < 0 || column > 8 || row < 0 || row > 9) return null;
  return state.flipped ? 9 * row + 8 - column : 9 * (9 - row) + column;
}
function tryMove(from, to) {
  const move = nameOf(from) + nameOf(to);
  if (!movesHere().includes(move)) return false;
  play(move);
  return true;
}
$("board").addEventListener("pointerdown", event => {
  const square = squareAt(event);
  if (event.button !== 0 || square === null) return;
  const { selected } = state;
  if (selected !== null && selected !== square && tryMove(selected, square)) return;
  state.selected = movesFrom(square).length ? square : null;
  if (state.selected !== null) {
    const { element } = shown.find(it => it.square === square);
    held = { square, element, x: event.clientX, y: event.clientY, hasMoved: false, isAgain: selected === square };
    $("board").setPointerCapture(event.pointerId);
  }
  drawBoard();
});
$("board").addEventListener("pointermove", event => {
  if (!held) return;
  held.hasMoved ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > 6;
  if (!held.hasMoved) return;
  const { x, y } = boardPoint(event);
  held.element.style.transform = `translate(${x}px, ${y}px)`;
  held.element.classList.add("held");
});
$("board").addEventListener("pointerup", event => {
  if (!held) return;
  const { square, hasMoved, isAgain } = held;
  held = null;
  const target = squareAt(event);
  if (hasMoved && target !== null && target !== square && tryMove(square, target)) return;
  // A second press on the piece: a promotion, or it is let go.
  if (!hasMoved && isAgain) {
    if (tryMove(square, square)) return;
    state.selected = null;
  }
  drawBoard();
});
$("board").addEventListener("pointercancel", () => { held = null; drawBoard(); });
$("type").addEventListener("submit", event => {
  event.preventDefault();
  const plain = text => text.normalize("NFKC").replace(/[\s-](?=[a-z]\d$)|\s/gi, "").replace("=", ".").toLowerCase();
  const typed = plain($("typed").value);
  const position = positionOf(state.node);
  const move = movesHere().find(it => Object.keys(NOTATIONS).some(kind => plain(written(position, it, kind)) === typed));
  $("untyped").textContent = move ? "" : text("illegal")($("typed").value);
  if (!move) return say($("untyped").textContent);
  $("typed").value = "";
  play(move);
});
$("typed").addEventListener("input", () => { $("untyped").textContent = ""; });
