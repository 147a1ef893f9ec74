#!/usr/bin/env python3
"""Checks opening books of `chuhe book` with an independent reader of ElephantEye's format.

    tests/oracle/book.py --engine target/release/chuhe GAMES…

Builds a book of all moves of the games, exports it as text, and compares both entry by entry: the lock of each line's
position is computed here from the RC4 stream, and the record with that lock and move must have the line's weight.
"""

import argparse
import pathlib
import struct
import subprocess
import tempfile


def stream():
    """The bytes of RC4 with a key of zeros."""
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    while True:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        yield state[(state[i] + state[j]) % 256]


def keys():
    """The third word of each triple: for the side to move, and for each piece on each square."""
    source = stream()
    word = lambda: int.from_bytes(bytes(next(source) for _ in range(4)), "little")
    third = lambda: (word(), word(), word())[2]
    side = third()
    return side, {(piece, square): third() for piece in "KABNRCPkabnrcp" for square in range(256)}


SIDE, PIECES = keys()


def lock(fen, mirrored):
    """The lock of a position, or of its mirror image."""
    board, side = fen.split()[:2]
    value = SIDE if side == "b" else 0
    for row, rank in enumerate(board.split("/")):
        file = 0
        for letter in rank:
            if letter.isdigit():
                file += int(letter)
            else:
                x = 8 - file if mirrored else file
                value ^= PIECES[letter, 16 * (row + 3) + x + 3]
                file += 1
    return value


def bits(move, mirrored):
    """A move as the format has it."""
    square = lambda file, rank: 16 * (12 - int(rank)) + (8 - (ord(file) - 97) if mirrored else ord(file) - 97) + 3
    return square(*move[:2]) + 256 * square(*move[2:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="target/release/chuhe")
    parser.add_argument("games", nargs="+")
    arguments = parser.parse_args()
    assert (lock("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", False)) == 0x052656D5
    with tempfile.TemporaryDirectory() as folder:
        book = pathlib.Path(folder, "book.dat")
        build = [arguments.engine, "book", "build", *arguments.games, "--games", "1", "--loss", "1", "--output", book]
        print(subprocess.run(build, check=True, capture_output=True, text=True).stdout, end="")
        export = [arguments.engine, "book", "export", book]
        text = subprocess.run(export, check=True, capture_output=True, text=True).stdout
        data = book.read_bytes()
    records = [struct.unpack_from("<IHH", data, place) for place in range(0, len(data), 8)]
    assert records == sorted(records), "records are in order"
    assert records, "the book is not empty"
    # All positions are reached from the start, as in the games, but of two positions with one lock only one is named.
    assert text.count("@") <= len(records) // 1000, text
    left = {(place, move): weight for place, move, weight in records}
    assert len(left) == len(records), "no move is repeated"
    for line in text.splitlines():
        move, weight, place = line.split(" ", 2)
        if place.startswith("@"):
            entries = [(int(place[1:], 16), bits(move, False))]
        else:
            entries = [(lock(place, mirrored), bits(move, mirrored)) for mirrored in (False, True)]
            assert entries[0][0] <= entries[1][0], f"the smaller lock is written: {line}"
        assert left.pop(entries[0], None) == int(weight), line
    assert not left, f"{len(left)} records are not in the text"
    print(f"{len(records)} entries are the same")


if __name__ == "__main__":
    main()
