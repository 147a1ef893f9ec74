#!/usr/bin/env python3
"""Checks `chuhe find` with boards of its own.

    tests/oracle/find.py --engine target/release/chuhe GAMES.pgn [--queries N] [--seed N]

GAMES.pgn: games from the start position with moves in ICCS, as `chuhe convert` writes them. Positions, moves, pieces on
squares and material are taken at random from the games; every hit, its ply and how it differs must be the same.
"""

import argparse
import json
import random
import re
import subprocess
import sys

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
VIEWS = [(False, False), (True, False), (False, True), (True, True)]


def start():
    board = {}
    for row, rank in enumerate(START.split("/")):
        file = 0
        for letter in rank:
            if letter.isdigit():
                file += int(letter)
            else:
                board[file, 9 - row] = letter
                file += 1
    return board


def fen(board, side):
    ranks = []
    for rank in range(9, -1, -1):
        text = "".join(board.get((file, rank), "1") for file in range(9))
        ranks.append(re.sub("1+", lambda ones: str(len(ones[0])), text))
    return "/".join(ranks) + " " + side


def square(text):
    return ord(text[0]) - ord("a"), int(text[1])


def seen(view, place):
    file, rank = place
    return (8 - file if view[0] else file), (9 - rank if view[1] else rank)


def seen_piece(view, piece):
    return piece.swapcase() if view[1] else piece


def seen_board(view, board):
    return {seen(view, place): seen_piece(view, piece) for place, piece in board.items()}


def seen_move(view, move):
    return tuple(seen(view, place) for place in move)


def replay(moves):
    """The positions of a game: board and side to move."""
    board, side = start(), "w"
    yield board, side
    for origin, target in moves:
        board = dict(board)
        board[target] = board.pop(origin)
        side = "b" if side == "w" else "w"
        yield board, side


def read(path):
    games, text = [], open(path, encoding="utf-8").read()
    for game in re.split(r"\n\n(?=\[)", text):
        words = re.sub(r"\[[^\n]*\]", "", game).split()
        moves = [word for word in words if re.fullmatch(r"[a-i]\d-?[a-i]\d", word, re.I)]
        moves = [move.lower().replace("-", "") for move in moves]
        games.append([(square(move[:2]), square(move[2:])) for move in moves])
    return games


def hits(games, condition):
    """Of each game the first position in which a view of the condition is met."""
    for number, game in enumerate(games, 1):
        for ply, (board, side) in enumerate(replay(game)):
            view = next((view for view in VIEWS if condition(view, board, side, game[ply:])), None)
            if view is not None:
                yield number, ply, *view
                break


def name(place):
    return "abcdefghi"[place[0]] + str(place[1])


def query(games, kind):
    """Arguments, the condition, and the number of moves behind the position."""
    game = random.choice([game for game in games if len(game) > 20])
    positions = list(replay(game))
    early = kind in ("position", "moves")
    ply = random.randrange(12 if early else len(game) // 2, 20 if early else len(game)) if kind != "opening" else 0
    board, side = positions[ply]
    if early or kind == "opening":
        count = {"position": 0, "moves": 2, "opening": 5}[kind]
        moves = game[ply : ply + count]

        def condition(view, there, turn, rest):
            own = {"w": "b", "b": "w"}[turn] if view[1] else turn
            sought = [seen_move(view, move) for move in moves]
            return own == side and rest[:count] == sought and there == seen_board(view, board)

        arguments = [] if kind == "opening" else ["--position", fen(board, side)]
        if moves:
            arguments += ["--moves", " ".join(name(a) + name(b) for a, b in moves)]
        return arguments, condition, count
    if kind == "pieces":
        places = random.sample(sorted(board), 4)
        empty = random.choice([(f, r) for f in range(9) for r in range(10) if (f, r) not in board])
        contents = {place: board[place] for place in places} | {empty: None}

        def condition(view, there, turn, rest):
            wanted = {seen(view, place): piece and seen_piece(view, piece) for place, piece in contents.items()}
            return all(there.get(place) == piece for place, piece in wanted.items())

        return ["--piece", ",".join((piece or ".") + name(place) for place, piece in contents.items())], condition, 0
    is_loose = random.random() < 0.5
    counted = lambda pieces: sorted(p for p in pieces if not (is_loose and p in "ABab"))
    pieces = counted(board.values())

    def condition(view, there, turn, rest):
        return counted(there.values()) == sorted(seen_piece(view, piece) for piece in pieces)

    return ["--material", "".join(pieces) + "+" * is_loose], condition, 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", required=True)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("games")
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    games, total = read(arguments.games), 0
    for number in range(arguments.queries):
        kind = ["position", "moves", "opening", "pieces", "material"][number % 5]
        options, condition, behind = query(games, kind)
        expected = [(game, ply + behind, *view) for game, ply, *view in hits(games, condition)]
        command = [arguments.engine, "find", arguments.games, "--json", *options]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = [json.loads(line) for line in output.splitlines()]
        places = [(int(it["source"].split()[-1]), it["ply"], it["mirrored"], it["swapped"]) for it in found]
        if places != expected:
            sys.exit(f"{options}: {set(places) ^ set(expected)}")
        total += len(places)
    print(f"{len(games)} games, {arguments.queries} queries, {total} hits: equal")


if __name__ == "__main__":
    main()
