// "Learn from the mistakes": the positions before bad moves as exercises.
//
// `state.exercise`: null; the choice of moves, `{ side, least }`; or with it the bad moves (`list`), how many are done
// (`index`), the one asked for (`bad`, null at the end), `phase` ("ask", "wrong", "right" or "shown"), those found.
const LEAST = ["inaccuracy", "mistake", "blunder"];
const isAsking = () => ["ask", "wrong"].includes(state.exercise.phase);

function chosen({ side, least }) {
  const classes = LEAST.slice(LEAST.indexOf(least));
  const isOf = node => side === "both" || (side === "red") === positionOf(node.parent).isRed;
  return main().filter(node => classes.includes(classOf(node)) && isOf(node));
}
function ask(index) {
  const exercise = state.exercise;
  Object.assign(exercise, { index, bad: exercise.list[index] ?? null, phase: "ask", verdict: null });
  if (!exercise.bad) return go(main()[0]);
  state.flipped = !positionOf(exercise.bad.parent).isRed;
  coordinates();
  say(askText());
  go(exercise.bad.parent);
  // On a phone the buttons are below the board.
  return document.querySelector(".table").scrollIntoView({ block: "nearest" });
}
// The exercise of a game that is one: the solver's moves, all but the first move and the replies.
function solve() {
  const list = main().filter((node, index) => index % 2 === 0 && index > 0);
  state.exercise = { side: "both", least: "inaccuracy", list, found: new Set() };
  ask(0);
}
function askText() {
  if (game().puzzle) return text("solve")(name(positionOf(state.exercise.bad.parent).isRed ? "red" : "black"));
  const { bad } = state.exercise;
  return text("ask")(moveName(bad), text(classOf(bad)), name(positionOf(bad.parent).isRed ? "red" : "black"));
}
// What a move answers: right are the engine's move, those known to be about as good, and mate.
function verdictOf(bad, move) {
  const { best, alternatives = [] } = bad.parent.data;
  if (move === best.iccs[0]) return "best";
  if (alternatives.some(it => it.iccs === move)) return "good";
  const reached = after(positionOf(bad.parent), move);
  if (isInCheck(reached.board, reached.isRed) && !legalMoves(reached, game().promotion).length) return "mates";
  return move === bad.move ? "played" : "other";
}
function answer(move) {
  const exercise = state.exercise;
  exercise.verdict = verdictOf(exercise.bad, move);
  const isRight = ["best", "good", "mates"].includes(exercise.verdict);
  // Found is what was right at once.
  if (isRight && exercise.phase === "ask") exercise.found.add(exercise.bad);
  exercise.phase = isRight ? "right" : "wrong";
  say(text("answers")[exercise.verdict]);
  // The reply is made at once.
  if (isRight && game().puzzle && exercise.index + 1 < exercise.list.length) return ask(exercise.index + 1);
  const tried = addNode(exercise.bad.parent, move, "line");
  go(exercise.verdict === "best" ? lineOf(exercise.bad.parent)[0] : tried);
}
function show() {
  Object.assign(state.exercise, { phase: "shown", verdict: "shown" });
  say(`${text("answers").shown} ${moveText(lineOf(state.exercise.bad.parent)[0], notation())}`);
  go(state.exercise.bad.parent);
}
function leave() {
  const { bad } = state.exercise;
  state.exercise = null;
  go(bad ?? main()[0]);
}
const buttons = (...all) => element("div", { className: "buttons" }, ...all);

// What the card says in place of the position's review.
function exerciseCard() {
  const exercise = state.exercise;
  if (!exercise.list) return choiceCard();
  const { bad, list, found, phase, index, verdict } = exercise;
  const leaving = button("leave", text("leave"), leave);
  if (!bad) {
    const { puzzle } = game();
    const facts = puzzle ? [element("p", {}, text("solved")(puzzle[state.language], puzzle.level))] : [];
    const after = puzzle && games[state.game + 1] ? [button("after", text("nextPuzzle"), () => { state.exercise = null; open(state.game + 1, 0); }, { className: "main" })] : [];
    return [element("p", { className: "task" }, element("b", {}, text("done")(found.size, list.length))), ...facts,
      buttons(...after, button("go", text("repeat"), () => { found.clear(); ask(0); }, { className: after.length ? "" : "main" }), leaving)];
  }
  const card = [element("p", { className: "task" }, element("b", {}, text("task")(index + 1, list.length, found.size))),
    element("p", {}, askText())];
  if (verdict) card.push(element("p", { className: "verdict " + phase }, text("answers")[verdict]));
  const next = button("go", text(index + 1 < list.length ? "skip" : "finish"), () => ask(index + 1), { className: isAsking() ? "" : "main" });
  const again = button("again", text("again"), () => { exercise.phase = "wrong"; exercise.verdict = null; go(bad.parent); });
  const showing = button("show", text("show"), show);
  if (!isAsking()) card.push(...betterLines(bad.parent));
  card.push(buttons(...(verdict && phase === "wrong" ? [again] : []), ...(isAsking() ? [showing] : []), next, leaving));
  return card;
}
function choiceCard() {
  const exercise = state.exercise;
  const select = (key, label, options) => element("label", {}, label + " ", element("select", {
    "data-key": key, onchange: event => { exercise[key] = event.target.value; drawCard(); },
  }, ...options.map(([value, label]) => element("option", { value, selected: exercise[key] === value }, label))));
  const list = chosen(exercise);
  const begin = () => { Object.assign(exercise, { list, found: new Set() }); ask(0); };
  return [element("p", { className: "task" }, element("b", {}, text("learn"))), element("p", {}, text("learnWhat")),
    element("div", { className: "choices" },
      select("side", text("whose"), [["both", text("both")], ["red", name("red")], ["black", name("black")]]),
      select("least", text("which"), LEAST.map(it => [it, text("least")[it]]))),
    buttons(...(list.length ? [button("go", text("begin")(list.length), begin, { className: "main" })] : [text("nothing")]),
      button("leave", text("cancel"), leave))];
}
