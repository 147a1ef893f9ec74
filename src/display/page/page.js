"use strict";
(() => {
  const TEXTS = {
    en: {
      games: "Games", pieces: "Pieces", flip: "Flip the board (F)", theme: "Light or dark", curve: "Red's expected points",
      moves: "Moves", first: "First position (Home)", last: "Last position (End)", before: "Back (←)", next: "Forward (→)",
      badBefore: "Previous bad move (↑)", badNext: "Next bad move (↓)", red: "Red", black: "Black", accuracy: "Accuracy",
      inaccuracy: "Inaccuracy", mistake: "Mistake", blunder: "Blunder", best: "Best move", forced: "Only move", good: "Good move", unknown: "Not judged",
      inaccuracies: "Inaccuracies", mistakes: "Mistakes", blunders: "Blunders", better: "Better", line: "Best line",
      back: "Back to the game", start: "Start position", lost: "loses", points: "points", opening: "Opening", result: "Result",
      verdict: "By the rules", over: "Over by the rules after ply", event: "Event", date: "Date", place: "Place", source: "Source",
      problem: "Error", mate: n => (n > 0 ? "Red mates in " : "Black mates in ") + Math.abs(n), rule: n => (n > 0 ? "Red" : "Black") + " wins by the rules",
      keys: "Keys: ← → step, ↑ ↓ to the bad moves, Home End, F flips the board, Esc leaves a line.",
      traditional: "Traditional", simplified: "Simplified", letters: "Letters", other: "中文", none: "There is no game.", notation: "wxf",
      results: { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "*": "" },
    },
    zh: {
      games: "对局列表", pieces: "棋子", flip: "翻转棋盘（F）", theme: "浅色或深色", curve: "红方期望得分", moves: "着法",
      first: "开局局面（Home）", last: "最后局面（End）", before: "上一着（←）", next: "下一着（→）", badBefore: "上一个坏着（↑）",
      badNext: "下一个坏着（↓）", red: "红方", black: "黑方", accuracy: "准确率", inaccuracy: "缓着", mistake: "失误", blunder: "漏着",
      best: "最佳着法", forced: "唯一着法", good: "正常着法", unknown: "未评价", inaccuracies: "缓着", mistakes: "失误", blunders: "漏着", better: "应走",
      line: "最佳变例", back: "回到对局", start: "开局局面", lost: "损失", points: "分", opening: "开局", result: "结果", verdict: "规则裁决",
      over: "按规则已在此半回合后终局：", event: "赛事", date: "日期", place: "地点", source: "来源", problem: "错误",
      mate: n => (n > 0 ? "红方" : "黑方") + Math.abs(n) + "步成杀", rule: n => (n > 0 ? "红方" : "黑方") + "按规则胜",
      keys: "按键：← → 前后一着，↑ ↓ 跳到坏着，Home End 首尾，F 翻转棋盘，Esc 离开变例。",
      traditional: "繁体", simplified: "简体", letters: "字母", other: "English", none: "没有对局。", notation: "zh",
      results: { "1-0": "红胜", "0-1": "黑胜", "1/2-1/2": "和棋", "*": "" },
    },
  };
  const BAD = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  const SETS = { traditional: "t", simplified: "s", letters: "l" };
  const SVG = "http://www.w3.org/2000/svg";
  const games = JSON.parse(document.getElementById("games").textContent);
  const $ = id => document.getElementById(id);

  // Preferences are kept where the browser allows it.
  const saved = name => { try { return localStorage.getItem("chuhe." + name); } catch { return null; } };
  const save = (name, value) => { try { localStorage.setItem("chuhe." + name, value); } catch { /* not kept */ } };

  const given = document.body.dataset.language;
  const state = {
    language: given || saved("language") || (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en"),
    set: saved("set") in SETS ? saved("set") : "traditional",
    flipped: false,
    game: games.length === 1 ? 0 : -1,
    ply: 0,
    // Number of moves of the line that are made, and the ply from which it starts; 0: the game itself.
    depth: 0,
    from: 0,
  };
  const text = name => TEXTS[state.language][name];
  const game = () => games[state.game];

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

  // ── Positions ──
  function squares(fen) {
    const board = new Map();
    fen.split(" ")[0].split("/").forEach((row, index) => {
      let file = 0;
      for (const letter of row) {
        if (letter >= "1" && letter <= "9") file += Number(letter);
        else board.set("abcdefghi"[file++] + (9 - index), letter);
      }
    });
    return board;
  }
  function make(board, move) {
    const [from, to] = [move.slice(0, 2), move.slice(2)];
    const piece = board.get(from);
    board.delete(from);
    // A move to its own square is a promotion to a pawn.
    board.set(to, from !== to ? piece : piece === piece.toUpperCase() ? "P" : "p");
  }
  function point(square) {
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1])];
    return state.flipped ? [(8 - file) * 100, rank * 100] : [file * 100, (9 - rank) * 100];
  }
  const isRedToMove = ply => game().plies[ply].fen.split(" ")[1] === "w";
  const moveNumber = ply => {
    const first = isRedToMove(0) ? 0 : 1;
    return Math.floor((ply + first) / 2) + 1;
  };
  // The move that led to a ply.
  const moveBefore = ply => (ply > 0 ? game().plies[ply - 1].move : undefined);

  // ── Board ──
  const shown = [];
  function place(board) {
    const wanted = [...board].map(([square, piece]) => ({ square, piece }));
    const old = shown.splice(0);
    const take = (test) => { const index = old.findIndex(test); return index < 0 ? null : old.splice(index, 1)[0]; };
    for (const want of wanted) want.element = take(it => it.square === want.square && it.piece === want.piece)?.element;
    for (const want of wanted) {
      want.element ??= take(it => it.piece === want.piece)?.element ?? $("pieces").appendChild(shape("use", {}));
      want.element.setAttribute("href", "#" + SETS[state.set] + want.piece);
      const [x, y] = point(want.square);
      want.element.style.transform = `translate(${x}px, ${y}px)`;
      want.element.dataset.square = want.square;
      shown.push(want);
    }
    old.forEach(it => it.element.remove());
  }
  function arrow(move) {
    const [[x, y], [u, v]] = [point(move.slice(0, 2)), point(move.slice(2))];
    const length = Math.hypot(u - x, v - y);
    if (length === 0) return [];
    const [tip, neck] = [length - 14, length - 54];
    const path = `M40 -7H${neck}V-25L${tip} 0L${neck} 25V7H40z`;
    const turn = Math.atan2(v - y, u - x) * 180 / Math.PI;
    return [shape("path", { class: "arrow", d: path, transform: `translate(${x} ${y}) rotate(${turn})` })];
  }
  function coordinates() {
    const [red, black] = ["九八七六五四三二一", "123456789"];
    const reds = state.language === "zh" ? red : "987654321";
    const turned = text => [...text].reverse().join("");
    const [above, below] = state.flipped ? [turned(reds), turned(black)] : [black, reds];
    const row = (letters, y) => [...letters].map((letter, file) => shape("text", { x: file * 100, y }, letter));
    $("coordinates").replaceChildren(...row(above, -70), ...row(below, 970));
  }
  function drawBoard() {
    const base = game().plies[state.depth ? state.from : state.ply];
    const board = squares(base.fen);
    const line = base.best.iccs.slice(0, state.depth);
    line.forEach(move => make(board, move));
    place(board);
    const last = state.depth ? line[line.length - 1] : moveBefore(state.ply)?.iccs;
    const under = [];
    if (last) {
      for (const [square, r] of [[last.slice(0, 2), 24], [last.slice(2), 53]]) {
        const [cx, cy] = point(square);
        under.push(shape("circle", { class: "last", cx, cy, r }));
      }
    }
    if (!state.depth && base.check) {
      const [cx, cy] = point(base.check);
      under.push(shape("circle", { class: "check", cx, cy, r: 54 }));
    }
    $("under").replaceChildren(...under);
    const over = [];
    const next = base.best.iccs[state.depth];
    if (next) over.push(...arrow(next));
    const mark = !state.depth && BAD[moveBefore(state.ply)?.class];
    if (mark) {
      const [x, y] = point(last.slice(2));
      over.push(shape("g", { class: "badge " + moveBefore(state.ply).class, transform: `translate(${x + 34} ${y - 34})` },
        shape("circle", { r: 23 }), shape("text", { "font-size": mark.length > 1 ? 26 : 32 }, mark)));
    }
    $("over").replaceChildren(...over);
    const red = 100 * base.expected;
    $("bar").firstElementChild.style.height = red + "%";
    $("bar").classList.toggle("is-flipped", state.flipped);
    $("board").setAttribute("aria-label", base.fen);
  }

  // ── Texts around it ──
  function score(ply) {
    const at = game().plies[ply];
    if (at.mate !== undefined) return text("mate")(at.mate);
    if (at.rule !== undefined) return text("rule")(at.rule);
    if (at.cp === undefined) return "";
    return (at.cp >= 0 ? "+" : "−") + (Math.abs(at.cp) / 100).toFixed(2);
  }
  function shortScore(ply) {
    const at = game().plies[ply];
    return at.mate !== undefined ? "#" + at.mate : at.rule !== undefined ? "" : score(ply);
  }
  const percent = side => (side.accuracy === null ? "–" : side.accuracy.toFixed(1) + "%");
  const name = side => game().tags[side === "red" ? "Red" : "Black"] || text(side);
  function player(place, side) {
    const isToMove = !state.depth && isRedToMove(state.ply) === (side === "red");
    $(place).className = "player" + (side === "red" ? " is-red" : "");
    $(place).replaceChildren(element("span", { className: "dot" }), element("span", { className: "name" }, name(side)),
      ...(isToMove ? [element("span", { className: "turn" })] : []),
      element("span", { className: "accuracy" }, text("accuracy") + " ",
        element("b", {}, percent(game()[side]))));
  }
  function lineButtons(from, label) {
    const best = game().plies[from].best;
    const buttons = best[text("notation")].map((move, index) => {
      const made = index + 1;
      const isNow = state.depth === made && state.from === from;
      return element("button", { type: "button", "aria-current": String(isNow), onclick: () => go(state.ply, made, from) }, move);
    });
    if (!buttons.length) return [];
    const row = element("div", { className: "line" }, element("span", { className: "label" }, label), ...buttons);
    if (state.depth && state.from === from) {
      row.append(element("button", { type: "button", className: "back", onclick: () => go(state.ply) }, text("back")));
    }
    return [row];
  }
  function remark() {
    const played = moveBefore(state.ply);
    const what = element("div", { className: "what" });
    if (played) {
      const number = moveNumber(state.ply - 1) + (isRedToMove(state.ply - 1) ? "." : "…");
      what.append(element("b", {}, number + " " + played[text("notation")]));
      const isBad = played.class in BAD;
      what.append(element("span", { className: "tag " + played.class }, text(played.class) + (isBad ? " " + BAD[played.class] : "")));
      if (isBad) {
        what.append(element("span", { className: "label" }, `${text("lost")} ${played.loss.toFixed(2)} ${text("points")}`));
      }
    } else {
      what.append(element("b", {}, text("start")));
    }
    const expected = Math.round(100 * game().plies[state.ply].expected) + "%";
    what.append(element("span", { className: "score" }, score(state.ply) + " ", element("small", {}, `${text("red")} ${expected}`)));
    const lines = [];
    const comment = game().plies[state.ply].comment;
    if (comment) lines.push(element("p", { className: "comment" }, comment));
    if (played && played.class in BAD) lines.push(...lineButtons(state.ply - 1, text("better")));
    lines.push(...lineButtons(state.ply, text("line")));
    $("remark").replaceChildren(what, ...lines);
  }
  function moves() {
    const cells = [];
    game().plies.forEach((ply, index) => {
      if (!ply.move) return;
      if (isRedToMove(index) || index === 0) cells.push(element("span", { className: "number" }, moveNumber(index) + "."));
      if (index === 0 && !isRedToMove(0)) cells.push(element("span", {}, ""));
      const mark = BAD[ply.move.class];
      cells.push(element("button", { type: "button", "data-ply": index + 1, onclick: () => go(index + 1) },
        ply.move[text("notation")], ...(mark ? [element("span", { className: "mark " + ply.move.class }, mark)] : []),
        element("span", { className: "value" }, shortScore(index + 1))));
    });
    $("moves").replaceChildren(...cells);
  }
  function summary() {
    const rows = [];
    const row = (label, value, className = "") => {
      if (value) rows.push(element("dt", {}, label), element("dd", { className }, value));
    };
    const { tags, opening, error } = game();
    if (opening) row(text("opening"), opening.code + " " + opening[state.language]);
    row(text("result"), text("results")[game().result]);
    row(text("verdict"), game().verdict[state.language]);
    if (game().over_at !== null && game().over_at < game().plies.length - 1) row("", text("over") + " " + game().over_at);
    if (error) row(text("problem"), error[state.language], "error");
    row(text("event"), tags.Event);
    row(text("date"), tags.Date);
    row(text("place"), tags.Site || tags.Place);
    row(text("source"), game().source);
    const cell = (name, value) => element(name, { className: "number-cell" }, value);
    const line = (kind, values) =>
      element("tr", {}, element("th", {}, text(kind)), ...values.map(value => cell("td", value)));
    const sides = [game().red, game().black];
    const kinds = ["inaccuracies", "mistakes", "blunders"].map(kind => line(kind, sides.map(side => String(side[kind]))));
    $("summary").replaceChildren(element("dl", {}, ...rows), element("table", {},
      element("thead", {}, element("tr", {}, element("th", {}), cell("th", text("red")), cell("th", text("black")))),
      element("tbody", {}, line("accuracy", sides.map(percent)), ...kinds)));
  }

  // ── Curve ──
  function curve() {
    const [width, height] = [$("curve").clientWidth, $("curve").clientHeight];
    const plies = game().plies;
    const x = ply => (plies.length > 1 ? ply / (plies.length - 1) : 0.5) * width;
    const y = ply => (1 - plies[ply].expected) * (height - 8) + 4;
    const points = plies.map((_, ply) => `${x(ply).toFixed(1)} ${y(ply).toFixed(1)}`).join("L");
    const dots = plies.slice(1).map((_, index) => index + 1).filter(ply => moveBefore(ply).class in BAD)
      .map(ply => shape("circle", { class: moveBefore(ply).class, cx: x(ply), cy: y(ply), r: 4.5 }));
    $("curve").replaceChildren(shape("svg", { width, height },
      shape("path", { class: "red", d: `M0 ${height}L${points}L${width} ${height}z` }),
      shape("path", { class: "half", d: `M0 ${height / 2}H${width}` }), shape("path", { class: "edge", d: "M" + points }),
      shape("path", { class: "now", d: `M${x(state.ply)} 0V${height}` }), ...dots));
    $("curve").setAttribute("aria-valuemin", 0);
    $("curve").setAttribute("aria-valuemax", plies.length - 1);
    $("curve").setAttribute("aria-valuenow", state.ply);
  }
  function followCurve(event) {
    const box = $("curve").getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    go(Math.round(share * (game().plies.length - 1)));
  }
  $("curve").addEventListener("pointerdown", event => {
    followCurve(event);
    $("curve").setPointerCapture(event.pointerId);
  });
  $("curve").addEventListener("pointermove", event => { if (event.buttons) followCurve(event); });

  // ── Steps ──
  function go(ply, depth = 0, from = ply) {
    state.ply = Math.min(game().plies.length - 1, Math.max(0, ply));
    state.from = Math.min(game().plies.length - 1, Math.max(0, from));
    state.depth = Math.min(game().plies[state.from].best.iccs.length, Math.max(0, depth));
    draw();
  }
  const isBadAt = ply => moveBefore(ply)?.class in BAD;
  const steps = {
    first: () => go(0),
    last: () => go(game().plies.length - 1),
    before: () => (state.depth ? go(state.ply, state.depth - 1, state.depth > 1 ? state.from : state.ply) : go(state.ply - 1)),
    next: () => (state.depth ? go(state.ply, state.depth + 1, state.from) : go(state.ply + 1)),
    badBefore: () => { for (let ply = state.ply - 1; ply > 0; ply--) if (isBadAt(ply)) return go(ply); },
    badNext: () => { for (let ply = state.ply + 1; ply < game().plies.length; ply++) if (isBadAt(ply)) return go(ply); },
  };
  for (const button of document.querySelectorAll("[data-go]")) button.onclick = () => steps[button.dataset.go]();
  const KEYS = { ArrowLeft: "before", ArrowRight: "next", ArrowUp: "badBefore", ArrowDown: "badNext", Home: "first", End: "last" };
  document.addEventListener("keydown", event => {
    if (state.game < 0 || event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.key in KEYS) steps[KEYS[event.key]]();
    else if (event.key === "Escape") go(state.ply);
    else if (event.key === "f" || event.key === "F") flip();
    else return;
    event.preventDefault();
  });
  function flip() {
    state.flipped = !state.flipped;
    coordinates();
    draw();
  }
  $("flip").onclick = flip;

  // ── Page ──
  function draw() {
    drawBoard();
    player(state.flipped ? "lower" : "upper", "black");
    player(state.flipped ? "upper" : "lower", "red");
    remark();
    curve();
    for (const button of $("moves").querySelectorAll("button")) {
      const isNow = Number(button.dataset.ply) === state.ply;
      if (isNow !== (button.getAttribute("aria-current") === "true")) button.setAttribute("aria-current", String(isNow));
      if (isNow) {
        const [top, height] = [button.offsetTop, $("moves").clientHeight];
        if (top < $("moves").scrollTop || top + button.offsetHeight > $("moves").scrollTop + height) {
          $("moves").scrollTop = top - height / 2;
        }
      }
    }
    if (state.ply === 0) $("moves").scrollTop = 0;
    $("where").textContent = state.depth ? `${state.depth} / ${game().plies[state.from].best.iccs.length}`
      : `${state.ply} / ${game().plies.length - 1}`;
    const isFirst = !state.depth && state.ply === 0;
    const isLast = !state.depth && state.ply === game().plies.length - 1;
    for (const button of document.querySelectorAll("[data-go]")) {
      button.disabled = ["first", "before", "badBefore"].includes(button.dataset.go) ? isFirst : isLast;
    }
    history.replaceState(null, "", `#${state.game + 1}.${state.ply}`);
  }
  function heading() {
    const { tags, result } = game();
    const names = tags.Red || tags.Black ? `${name("red")} – ${name("black")}` : game().source;
    document.title = `${names} · ChuHe`;
    $("heading").textContent = [names, text("results")[result], tags.Event, tags.Date].filter(Boolean).join(" · ");
  }
  function index() {
    document.title = `${text("games")} · ChuHe`;
    if (!games.length) return $("index").replaceChildren(element("p", { className: "card" }, text("none")));
    const bad = side => `${side.inaccuracies} / ${side.mistakes} / ${side.blunders}`;
    const rows = games.map((it, number) => {
      const names = `${it.tags.Red || text("red")} – ${it.tags.Black || text("black")}`;
      const open = element("button", { type: "button" }, it.tags.Red || it.tags.Black ? names : it.source);
      return element("tr", { onclick: () => show(number) }, element("td", { className: "number-cell" }, String(number + 1)),
        element("td", {}, open), element("td", { className: "wide" }, it.opening ? `${it.opening.code} ${it.opening[state.language]}` : ""),
        element("td", {}, text("results")[it.result]), element("td", { className: "number-cell" }, `${percent(it.red)} · ${percent(it.black)}`),
        element("td", { className: "wide number-cell" }, `${bad(it.red)} · ${bad(it.black)}`));
    });
    const kinds = ["inaccuracies", "mistakes", "blunders"].map(text).join(" / ");
    const head = [["", ""], [text("games"), ""], [text("opening"), "wide"], [text("result"), ""],
      [`${text("accuracy")} (${text("red")} · ${text("black")})`, "number-cell"], [kinds, "wide number-cell"]];
    return $("index").replaceChildren(element("div", { className: "card" }, element("table", {},
      element("thead", {}, element("tr", {}, ...head.map(([label, className]) => element("th", { className }, label)))),
      element("tbody", {}, ...rows))));
  }
  function show(number, ply = 0) {
    state.game = games[number] ? number : games.length === 1 ? 0 : -1;
    $("index").hidden = state.game >= 0;
    $("game").hidden = state.game < 0;
    $("to-index").hidden = games.length < 2 || state.game < 0;
    $("flip").hidden = $("set").hidden = state.game < 0;
    document.querySelector("footer").hidden = state.game < 0;
    window.scrollTo(0, 0);
    if (state.game < 0) {
      history.replaceState(null, "", "#");
      return index();
    }
    coordinates();
    heading();
    moves();
    summary();
    return go(ply);
  }
  function translate() {
    document.documentElement.lang = state.language === "zh" ? "zh-Hans" : "en";
    for (const it of document.querySelectorAll("[data-text]")) it.textContent = text(it.dataset.text);
    for (const it of document.querySelectorAll("[data-title]")) {
      it.title = text(it.dataset.title);
      it.setAttribute("aria-label", text(it.dataset.title));
    }
    $("language").textContent = text("other");
    $("set").replaceChildren(...Object.keys(SETS).map(set => element("option", { value: set, selected: set === state.set }, text(set))));
    $("set").setAttribute("aria-label", text("pieces"));
  }
  $("language").onclick = () => {
    state.language = state.language === "zh" ? "en" : "zh";
    save("language", state.language);
    const { ply, depth, from } = state;
    translate();
    show(state.game, ply);
    if (state.game >= 0) go(ply, depth, from);
  };
  $("set").onchange = () => {
    state.set = $("set").value;
    save("set", state.set);
    draw();
  };
  $("theme").onclick = () => {
    const isDark = getComputedStyle(document.documentElement).colorScheme === "dark";
    document.documentElement.dataset.theme = isDark ? "light" : "dark";
    save("theme", document.documentElement.dataset.theme);
  };
  $("to-index").onclick = () => show(-1);
  if (["light", "dark"].includes(saved("theme"))) document.documentElement.dataset.theme = saved("theme");
  new ResizeObserver(() => { if (state.game >= 0) curve(); }).observe($("curve"));
  translate();
  // `#2.31`: game 2, ply 31.
  function follow() {
    const [number, ply] = location.hash.slice(1).split(".").map(Number);
    show(number - 1, ply || 0);
  }
  window.addEventListener("hashchange", follow);
  follow();
})();
