// A game as a tree of nodes: the position after a move, or the start position.
//
// `kind` of a node: "game" (the main line, with the review of its position in `data`), "record" (a variation of the record),
// "own" (one made on the board), or "line" (of the engine, or a move tried: not among its parent's children).
function addNode(parent, move, kind, more = {}) {
  return { parent, move, kind, ply: parent ? parent.ply + 1 : 0, children: [], ...more };
}
function positionOf(node) {
  // From the next position known, not by recursion: lines may have thousands of moves.
  const path = [];
  for (let it = node; !it.position; it = it.parent) path.push(it);
  for (const it of path.reverse()) it.position = it.data ? readFen(it.data.fen) : after(it.parent.position, it.move);
  return node.position;
}
function readTree(game) {
  const root = addNode(null, null, "game", { data: game.plies[0], position: readFen(game.plies[0].fen), comment: game.plies[0].comment });
  const main = [root];
  for (const data of game.plies.slice(1)) {
    const parent = main[main.length - 1];
    const { iccs, glyph } = parent.data.move;
    const node = addNode(parent, iccs, "game", { data, comment: data.comment, glyph });
    parent.children.push(node);
    main.push(node);
  }
  // The nodes of each variation, and the ply of the first one.
  const lines = [];
  for (const { of, ply, moves } of game.variations) {
    let node = of === null ? main[ply] : lines[of].nodes[ply - lines[of].ply];
    const nodes = [];
    for (const { iccs, comment, glyph } of moves) {
      const child = addNode(node, iccs, "record", { comment, glyph });
      node.children.push(child);
      nodes.push(node = child);
    }
    lines.push({ nodes, ply: ply + 1 });
  }
  return main;
}
// The nodes of a line of the engine from a node; each has them all in `inLine`.
function engineLine(node, moves) {
  const line = [];
  for (const move of moves) {
    const parent = line.at(-1) ?? node;
    const next = addNode(parent, move, "line", { inLine: line });
    if (parent !== node) parent.children.push(next);
    line.push(next);
  }
  return line;
}
// The engine's best line from a node, made once.
const lineOf = node => (node.line ??= engineLine(node, node.data?.best.iccs ?? []));
// Why the move that led to a node is bad, if that is known; the line that shows it, made once: from the node, or from the
// one before.
const reasonOf = node => (isBad(node) ? node.parent.data.move.reason : undefined);
function reasonLine(node) {
  const { after, line } = reasonOf(node);
  return (node.shown ??= engineLine(after ? node : node.parent, line.iccs));
}
const gameNode = node => { while (node.kind !== "game") node = node.parent; return node; };
// The first node of the line that leaves a game's main line or a variation of another kind.
function lineStart(node) {
  while (node.parent.kind === node.kind && node.parent.children[0] === node) node = node.parent;
  return node;
}
// The node after a move made on the board, which is new unless the tree has it.
function addOwn(node, move) {
  const known = node.children.find(it => it.move === move);
  if (known) return known;
  if (node.kind === "line") {
    // What led here is kept too.
    const base = gameNode(node);
    const path = [];
    for (let it = node; it !== base; it = it.parent) path.push(it);
    delete base.line;
    const at = path.reverse().reduce((parent, it) => addOwn(parent, it.move), base);
    return addOwn(at, move);
  }
  const made = addNode(node, move, "own");
  node.children.push(made);
  return made;
}
function remove(node) {
  node.parent.children = node.parent.children.filter(it => it !== node);
}
const NAGS = ["", "!", "?", "!!", "??", "!?", "?!"];
const BAD = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const classOf = node => (node.kind === "game" ? node.parent?.data.move.class : undefined);
const isBad = node => classOf(node) in BAD;
const glyphText = node => NAGS[node.glyph] ?? "";
// `12.` of Red's moves, `12...` of Black's.
function moveNumber(node) {
  const { isRed } = positionOf(node.parent);
  const blackFirst = (node.ply % 2 === 1) !== isRed;
  return `${Math.floor((node.ply - 1 + blackFirst) / 2) + 1}.${isRed ? "" : ".."}`;
}
const moveText = (node, notation) => written(positionOf(node.parent), node.move, notation);
// What follows in the same line: no line made on the board continues the game.
function nextInLine(node) {
  const next = node.children[0];
  return node.kind === "game" && node.parent && next?.kind !== "game" ? undefined : next;
}

// The game as PGN with its variations, those made on the board, and what the review found.
function writePgn(game, main, notation) {
  const own = ["Game", "Result", "Format", "FEN", "Annotator"];
  const tags = [["Game", "Chinese Chess"], ...Object.entries(game.tags).filter(([name]) => !own.includes(name)),
    ["Result", game.result], ["Format", { iccs: "ICCS", wxf: "WXF" }[notation] ?? "Chinese"], ["Annotator", game.engine]];
  const fen = game.plies[0].fen;
  if (fen !== START_FEN) tags.push(["FEN", fen]);
  const words = [];
  const comment = (...parts) => {
    const text = parts.filter(Boolean).join(" ").replaceAll("{", "(").replaceAll("}", ")");
    if (text) words.push(`{${text}}`);
  };
  const evaluation = ({ cp, mate }) => {
    const value = mate !== undefined ? `#${mate}` : cp !== undefined ? (cp / 100).toFixed(2) : "";
    return value && `[%eval ${value}]`;
  };
  const move = (node, needsNumber, isBare) => {
    if (needsNumber || positionOf(node.parent).isRed) words.push(moveNumber(node));
    words.push(moveText(node, notation));
    if (isBare) return;
    const glyph = { inaccuracy: 6, mistake: 2, blunder: 4 }[classOf(node)] ?? node.glyph;
    if (glyph) words.push("$" + glyph);
    comment(node.comment, node.data && evaluation(node.data));
  };
  const lineFrom = node => { const nodes = []; for (; node; node = nextInLine(node)) nodes.push(node); return nodes; };
  const variation = (nodes, isBare = false) => {
    words.push("(");
    line(nodes, true, isBare);
    words.push(")");
  };
  // `isBare`: the first move is that of the game, repeated since a variation from the end must begin with some move.
  const line = (nodes, isVariation, isBare) => {
    let needsNumber = true;
    nodes.forEach((node, index) => {
      move(node, needsNumber, index === 0 && isBare);
      needsNumber = false;
      if (isVariation && index === 0) return;
      const variations = node.parent.children[0] === node ? node.parent.children.slice(1).map(it => [lineFrom(it)]) : [];
      if (isBad(node)) variations.push([lineOf(node.parent).slice(0, 10)]);
      if (node.kind === "game" && !nextInLine(node)) variations.push(...node.children.map(it => [[node, ...lineFrom(it)], true]));
      variations.forEach(it => variation(...it));
      needsNumber = variations.length > 0;
    });
  };
  comment(main[0].comment);
  line(lineFrom(main[0].children[0]), false);
  words.push(game.result);
  const lines = [""];
  for (const word of words) {
    const last = lines.length - 1;
    if (lines[last].length + word.length > 100) lines.push(word);
    else lines[last] += (/^$|\($/.test(lines[last]) || word === ")" ? "" : " ") + word;
  }
  const value = text => text.replaceAll('"', "'").replaceAll("\\", "/").replace(/[\r\n]/g, " ");
  return `${tags.map(([name, text]) => `[${name} "${value(text)}"]`).join("\n")}\n\n${lines.join("\n")}\n`;
}
