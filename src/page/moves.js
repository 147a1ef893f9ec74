// The rules of movement and the notations of moves. Nothing here depends on the page.
//
// A position: `board`, the FEN letters by square (9 * rank + file, "" on empty ones), `isRed`, whether Red is to move, and
// the counters of a FEN: `quiet`, plies without a capture, and `number`, the number of the move.
const START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const LINES = [[0, 1], [0, -1], [1, 0], [-1, 0]];
const DIAGONALS = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const rankOf = square => Math.floor(square / 9);
const nameOf = square => "abcdefghi"[square % 9] + rankOf(square);
const squareOf = name => name.charCodeAt(0) - 97 + 9 * Number(name[1]);
const squaresOf = move => [squareOf(move.slice(0, 2)), squareOf(move.slice(2))];
const isRedPiece = piece => piece !== "" && piece < "a";

function readFen(fen) {
  const [rows, side, , , quiet, number] = fen.split(" ");
  const board = Array(90).fill("");
  rows.split("/").forEach((row, index) => {
    let square = 9 * (9 - index);
    for (const letter of row) {
      if (letter >= "1" && letter <= "9") square += Number(letter);
      else board[square++] = letter;
    }
  });
  return { board, isRed: side !== "b", quiet: Number(quiet) || 0, number: Number(number) || 1 };
}
function writeFen({ board, isRed, quiet, number }) {
  const row = rank => board.slice(9 * rank, 9 * rank + 9).map(piece => piece || "1").join("").replace(/1+/g, it => it.length);
  return `${[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map(row).join("/")} ${isRed ? "w" : "b"} - - ${quiet} ${number}`;
}

// The position after a move. A move to its own square makes an advisor or bishop a pawn (the promotion variant).
function after(position, move) {
  const [from, to] = squaresOf(move);
  const board = [...position.board];
  const quiet = board[to] ? 0 : position.quiet + 1;
  board[to] = from === to ? (position.isRed ? "P" : "p") : board[from];
  if (from !== to) board[from] = "";
  return { board, isRed: !position.isRed, quiet, number: position.number + (position.isRed ? 0 : 1) };
}

// The squares to which a piece can move or that it attacks, whatever this means for its king.
function targets(board, from) {
  const [piece, file, rank] = [board[from], from % 9, rankOf(from)];
  const isRed = isRedPiece(piece);
  const found = [];
  // The square at a distance; undefined outside the board.
  const next = (files, ranks) => {
    const [x, y] = [file + files, rank + ranks];
    return x >= 0 && x < 9 && y >= 0 && y < 10 ? 9 * y + x : undefined;
  };
  const isEmpty = square => square !== undefined && board[square] === "";
  const add = (square, isInZone = true) => {
    if (square !== undefined && isInZone && (board[square] === "" || isRedPiece(board[square]) !== isRed)) found.push(square);
  };
  const ownRank = square => (isRed ? rankOf(square) : 9 - rankOf(square));
  const inPalace = square => Math.abs(square % 9 - 4) < 2 && ownRank(square) < 3;
  switch (piece.toUpperCase()) {
    case "K":
      for (const [x, y] of LINES) add(next(x, y), inPalace(next(x, y)));
      break;
    case "A":
      for (const [x, y] of DIAGONALS) add(next(x, y), inPalace(next(x, y)));
      break;
    case "B":
      for (const [x, y] of DIAGONALS) add(next(2 * x, 2 * y), isEmpty(next(x, y)) && ownRank(next(2 * x, 2 * y)) < 5);
      break;
    case "N":
      for (const [x, y] of LINES) {
        if (isEmpty(next(x, y))) for (const side of [1, -1]) add(next(2 * x + side * y, 2 * y + side * x));
      }
      break;
    case "P":
      add(next(0, isRed ? 1 : -1));
      for (const x of [1, -1]) add(next(x, 0), ownRank(from) > 4);
      break;
    default:
      for (const [x, y] of LINES) {
        let length = 1;
        for (; isEmpty(next(length * x, length * y)); length++) found.push(next(length * x, length * y));
        // A cannon captures beyond the next piece.
        if (piece.toUpperCase() === "C") do length++; while (isEmpty(next(length * x, length * y)));
        const square = next(length * x, length * y);
        if (square !== undefined) add(square, board[square] !== "");
      }
  }
  return found;
}
function isInCheck(board, isRed) {
  const king = board.indexOf(isRed ? "K" : "k");
  // The kings must not face each other.
  let ahead = king;
  do ahead += isRed ? 9 : -9; while (board[ahead] === "");
  if (board[ahead] === (isRed ? "k" : "K")) return true;
  return board.some((piece, square) => piece && isRedPiece(piece) !== isRed && targets(board, square).includes(king));
}

// The legal moves in coordinates. `promotes`: whether advisors and bishops may become pawns, see the crate's `Variant`.
function legalMoves(position, promotes) {
  const { board, isRed } = position;
  const moves = [];
  board.forEach((piece, from) => {
    if (!piece || isRedPiece(piece) !== isRed) return;
    for (const to of targets(board, from)) {
      const move = nameOf(from) + nameOf(to);
      if (!isInCheck(after(position, move).board, isRed)) moves.push(move);
    }
  });
  const pawns = board.filter(piece => piece === (isRed ? "P" : "p")).length;
  if (promotes && pawns < 5 && !isInCheck(board, isRed)) {
    board.forEach((piece, square) => {
      const isOwn = (isRed ? "AB" : "ab").includes(piece || "?");
      if (isOwn && rankOf(square) === (isRed ? 0 : 9)) moves.push(nameOf(square).repeat(2));
    });
  }
  return moves;
}

// A legal move in a notation: iccs, wxf, chinese or traditional. A promotion is written in coordinates.
function written(position, move, notation) {
  const [from, to] = squaresOf(move);
  if (notation === "iccs" || from === to) return move;
  const { board, isRed } = position;
  const kind = board[from].toUpperCase();
  const fileOf = square => (isRed ? 9 - square % 9 : square % 9 + 1);
  const ownRank = square => (isRed ? rankOf(square) : 9 - rankOf(square));
  // Such pieces from the player's right, and on each file from the front.
  const same = [...board.keys()].filter(square => board[square] === board[from])
    .sort((one, other) => fileOf(one) - fileOf(other) || ownRank(other) - ownRank(one));
  const on = square => same.filter(other => fileOf(other) === fileOf(square));
  const shared = same.filter(square => on(square).length > 1);
  const sharedFiles = new Set(shared.map(fileOf)).size;
  const [file, count, ahead] = [fileOf(from), on(from).length, on(from).indexOf(from)];
  const behind = count - 1 - ahead;
  const isMiddle = ahead === behind;
  const isNamedByFile = count === 1 || kind === "A" || kind === "B";
  const steps = ownRank(to) - ownRank(from);
  const number = steps === 0 || "ABN".includes(kind) ? fileOf(to) : Math.abs(steps);
  if (notation === "wxf") {
    const letter = "KAEHRCP"["KABNRCP".indexOf(kind)];
    const sign = isMiddle ? file : ahead < behind ? "+" : "-";
    let origin = letter + sign;
    if (isNamedByFile) origin = letter + file;
    else if (sharedFiles > 1) origin = ahead === 0 ? file + "+" : behind === 0 ? file + "-" : `${ahead + 1}${file}`;
    else if (count > 3 && (ahead === 0 || behind === 0)) origin = `${sign}${sign}`;
    return origin + (steps === 0 ? "." : steps > 0 ? "+" : "-") + number;
  }
  const isTraditional = notation === "traditional";
  const pieces = isTraditional ? ["帥仕相馬車炮兵", "將士象馬車砲卒"] : ["帅仕相马车炮兵", "将士象马车炮卒"];
  const piece = pieces[isRed ? 0 : 1]["KABNRCP".indexOf(kind)];
  const digit = value => (isRed ? "一二三四五六七八九" : "１２３４５６７８９")[value - 1];
  const [front, rear, forward] = isTraditional ? "前後進" : "前后进";
  let origin = (isMiddle ? "中" : ahead === 0 ? front : rear) + piece;
  if (isNamedByFile) origin = piece + digit(file);
  else if (sharedFiles > 1 || count > 3) origin = digit(shared.indexOf(from) + 1) + piece;
  return origin + (steps === 0 ? "平" : steps > 0 ? forward : "退") + digit(number);
}
