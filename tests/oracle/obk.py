#!/usr/bin/env python3
"""Checks opening books in SQLite databases with Python's sqlite3.

    tests/oracle/obk.py --engine target/release/chuhe GAMES…

Books of all moves of the games are written as `.dat`, `.obk` and `.pfBook`. SQLite finds the databases intact, and each line
of the exported text is a row of them: its key is computed here from tests/data/obk-keys.txt. Then the rows are put by SQLite
into databases of other shapes (page sizes, encodings, long remarks, order of columns, with and without an index), all of
which chuhe must read as the same book.
"""

import argparse
import pathlib
import sqlite3
import struct
import subprocess
import tempfile

KEYS = pathlib.Path(__file__).parent.parent / "data" / "obk-keys.txt"
NUMBERS = {tuple(words[:-1]): int(words[-1], 16) for words in map(str.split, open(KEYS)) if words[0] != "#"}
FILES = "abcdefghi"


def key(fen, mirrored):
    """The key of a position, or of its mirror image."""
    board, side = fen.split()[:2]
    value = NUMBERS["red",] if side == "w" else 0
    for row, rank in enumerate(board.split("/")):
        file = 0
        for letter in rank:
            if letter.isdigit():
                file += int(letter)
            else:
                value ^= NUMBERS[letter, f"{FILES[8 - file if mirrored else file]}{9 - row}"]
                file += 1
    return value


def stored(value, table):
    """A key as the table has it."""
    signed = value - (value >> 63 << 64)
    real = struct.unpack(">d", struct.pack(">Q", value))[0]
    return real if table == "bhobk" and signed < 0 and real == real else signed


def vmove(move, mirrored):
    """A move as the tables have it."""
    square = lambda file, rank: 16 * (12 - int(rank)) + (8 - FILES.index(file) if mirrored else FILES.index(file)) + 3
    return square(*move[:2]) << 8 | square(*move[2:])


def lines(text):
    """The lines of an exported book whose positions are known."""
    return [line.split(" ", 2) for line in text.splitlines() if " @" not in line]


NAMES = "vkey vmove vscore vwin vdraw vlost vvalid vmemo vindex".split()
COLUMNS = [name if name == "vkey" else f"{name} integer" for name in NAMES]
# Statements before the table; columns; statements behind it.
SHAPES = {
    "small pages": ("PRAGMA page_size = 512", COLUMNS, "CREATE INDEX i ON {0} (vkey)"),
    "large pages": ("PRAGMA page_size = 65536", COLUMNS, "CREATE INDEX i ON {0} (vkey, vmove)"),
    "UTF-16": ("PRAGMA encoding = 'UTF-16'", COLUMNS, 'CREATE INDEX [i] ON {0} ("vkey" ASC)'),
    "remark first": ("PRAGMA page_size = 1024", COLUMNS[::-1], "CREATE INDEX i ON {0} (vkey, vscore DESC)"),
    "whole numbers": ("", ["vkey integer", *COLUMNS[1:]], "CREATE INDEX i ON {0} (vkey)"),
    "no index": ("", COLUMNS, ""),
    "other indices": ("", COLUMNS, """CREATE INDEX i ON {0} (vmove); CREATE INDEX j ON {0} (vkey) WHERE vscore > 5;
        CREATE INDEX k ON {0} (vkey DESC); CREATE TABLE other (vkey); CREATE INDEX l ON other (vkey)"""),
    "write-ahead log": ("PRAGMA journal_mode = WAL", COLUMNS, "CREATE INDEX i ON {0} (vkey)"),
    "moved pages": ("PRAGMA auto_vacuum = FULL", COLUMNS, "CREATE INDEX i ON {0} (vkey)"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="target/release/chuhe")
    parser.add_argument("games", nargs="+")
    arguments = parser.parse_args()
    start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
    assert key(start, False) == key(start, True) == 7101337512282506414

    def chuhe(*words):
        return subprocess.run([arguments.engine, "book", *words], check=True, capture_output=True, text=True).stdout

    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: pathlib.Path(folder, name)
        for name in ["a.dat", "a.obk", "a.pfBook"]:
            print(chuhe("build", *arguments.games, "--games", "1", "--loss", "1", "--output", path(name)), end="")
        text = chuhe("export", path("a.dat"))
        entries = path("a.dat").stat().st_size // 8
        for name, table in [("a.obk", "bhobk"), ("a.pfBook", "pfBook")]:
            with sqlite3.connect(path(name)) as database:
                assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                plan = database.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {table} WHERE vkey = 1").fetchall()
                assert "USING INDEX vkey" in str(plan), plan
                rows = database.execute(f"SELECT vkey, vmove, vscore FROM {table} WHERE vvalid = 1").fetchall()
                assert len(rows) == len(set(rows)) == entries, "each entry is a row"
                for move, weight, fen in lines(text):
                    wanted = [(stored(key(fen, mirrored), table), vmove(move, mirrored), int(weight)) for mirrored in (False, True)]
                    found = [database.execute(f"SELECT vkey, vmove, vscore FROM {table} WHERE vkey = ? AND vmove = ?", row[:2])
                             .fetchall() for row in wanted]
                    assert any(row in rows for row, rows in zip(wanted, found)), (move, weight, fen)
                # It can be written to.
                database.execute(f"INSERT INTO {table} (vkey, vmove) SELECT vkey + 1, vmove FROM {table}")
                assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                database.rollback()
            database.close()
            # Only what is reached from the start position has a place in the other format.
            assert chuhe("export", path(name)) == "".join(" ".join(line) + "\n" for line in lines(text))
        print(f"{entries} moves are the same; integrity_check: ok")
        for number, (shape, (before, columns, after)) in enumerate(SHAPES.items()):
            for table in ["bhobk", "pfBook"]:
                database = sqlite3.connect(path(f"{number}-{table}"))
                database.execute(before)
                database.execute(f"CREATE TABLE {table} (id integer primary key, {', '.join(columns)}, CHECK (vmove > 0))")
                insert = f"INSERT INTO {table} ({', '.join(NAMES)}) VALUES ({', '.join('?' * len(NAMES))})"
                rows = []
                for place, (move, weight, fen) in enumerate(lines(text)):
                    mirrored = place % 2 == 1 and key(fen, False) != key(fen, True)
                    memo = None if place % 3 else "注" * (place * 7919 % 5000)
                    position = stored(key(fen, mirrored), table)
                    # Both orders of the squares occur.
                    bits = vmove(move, mirrored)
                    bits = bits if place % 5 else (bits & 255) << 8 | bits >> 8
                    rows += [(position, bits, int(weight), 1, 2, 3, 1, memo, None)]
                    rows += [(position, vmove("a0i9", False), 99, 0, 0, 0, 2, memo, place)]
                database.executemany(insert, rows)
                database.executescript(after.format(table))
                database.execute(f"DELETE FROM {table} WHERE id % 16 = 0")
                database.commit()
                assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                database.close()
                verify = chuhe("verify", path(f"{number}-{table}"))
                assert verify.endswith(f"valid, {len(rows) // 2} moves\n"), (shape, verify)
                if chuhe("export", path(f"{number}-{table}")) != chuhe("export", path("a.obk")):
                    raise SystemExit(f"{shape}, {table}: another book")
        print(f"{len(SHAPES)} shapes of databases are read")


if __name__ == "__main__":
    main()
