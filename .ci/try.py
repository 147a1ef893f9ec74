#!/usr/bin/env python3
"""Tries a program of a release, natively or under an emulator.

    .ci/try.py --name NAME --reference PROGRAM PROGRAM [RUNNER…]

Checks the greetings of both protocols, the bench signature against that of the reference program, a game through the
pipe whose moves the reference program judges, lines that end in CR LF, paths in GBK, a book and an endgame table that
lie beside the program, and that the end of the input ends the process. Prints the nodes a second of both programs.
"""

import argparse
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

TIMEOUT = 120
# Moves of the two books that are tried, with their mirror images: no search would choose them.
BOOK_MOVES = ("a0a1", "i0i1")
OTHER_BOOK_MOVES = ("e0e1",)


class Engine:
    """A running program; lines are read by a thread, so that each wait can time out."""

    def __init__(self, command, folder, environment):
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        self.lines.put(None)

    def send(self, line, end="\n"):
        data = line if isinstance(line, bytes) else line.encode()
        self.process.stdin.write(data + end.encode())
        self.process.stdin.flush()

    def until(self, word):
        """The lines up to one that begins with a word."""
        lines = []
        while True:
            line = self.lines.get(timeout=TIMEOUT)
            if line is None:
                raise AssertionError(f"the program ended before {word!r}; it said {lines[-5:]}")
            lines.append(line)
            if line.split(" ")[0] == word:
                return lines

    def close(self):
        self.process.stdin.close()
        return self.process.wait(timeout=TIMEOUT)


class Trial:
    def __init__(self, command, folder, environment):
        self.command, self.folder, self.environment = command, folder, environment

    def start(self):
        return Engine(self.command, self.folder, self.environment)

    def run(self, *arguments):
        done = subprocess.run(
            self.command + list(arguments), cwd=self.folder, env=self.environment, capture_output=True, timeout=1_200
        )
        return done.returncode, done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")

    def bench(self):
        status, text = self.run("bench")
        words = text.split("\n")[-2].split()
        assert status == 0 and words[1] == "nodes", text[-300:]
        return int(words[0]), int(words[2])


def greetings(trial):
    for protocol in ("ucci", "uci"):
        engine = trial.start()
        engine.send(protocol)
        lines = engine.until(protocol + "ok")
        assert any(line.startswith("id name") for line in lines) and len(lines) > 20, lines
        assert engine.close() == 0, "the end of the input ends the process"


def carriage_returns(trial):
    answers = set()
    for end in ("\n", "\r\n"):
        engine = trial.start()
        for line in ("ucci", "isready", "setoption usebook false", "position startpos moves h2e2", "go depth 5"):
            engine.send(line, end)
        answers.add(engine.until("bestmove")[-1])
        engine.send("quit", end)
        engine.until("bye")
        assert engine.close() == 0
    assert len(answers) == 1, answers


def game(trial, reference):
    """Forty plies against itself; then the reference program must find all moves legal."""
    engine = trial.start()
    moves = []
    engine.send("ucci")
    engine.until("ucciok")
    for _ in range(40):
        engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        engine.send("go nodes 3000")
        moves.append(engine.until("bestmove")[-1].split()[1])
    assert engine.close() == 0
    status, text = reference.run("judge", "startpos", "moves", *moves)
    assert status == 0, (moves, text)


def files(trial, reference):
    """A book and a table beside the program, found by their names alone; a book whose name is in GBK."""
    engine = trial.start()
    engine.send("ucci")
    engine.until("ucciok")
    engine.send("setoption bookfiles BOOK.DAT")
    engine.send("setoption usebook true")
    engine.send("position startpos")
    engine.send("go depth 1")
    assert engine.until("bestmove")[-1].split()[1] in BOOK_MOVES, "the book beside the program"
    engine.send("setoption bookfiles 库.dat".encode("gbk"))
    engine.send("position startpos")
    engine.send("go depth 1")
    assert engine.until("bestmove")[-1].split()[1] in OTHER_BOOK_MOVES, "the book with a name in GBK"
    assert engine.close() == 0
    position = "3k5/9/9/9/9/9/9/9/9/2C1KC3 w"
    expected = reference.run("egtb", "probe", position)
    assert expected[0] == 0 and trial.run("egtb", "probe", position) == expected, expected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("program")
    parser.add_argument("runner", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    environment = dict(os.environ, LC_ALL="C.UTF-8", WINEDEBUG="-all")
    # Wine's server may still write to its folder at the end.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        folder = pathlib.Path(folder)
        reference = Trial([str(pathlib.Path(arguments.reference).resolve())], folder, environment)
        # The program does not run in its own folder: what lies beside it must be found nevertheless.
        elsewhere = folder / "elsewhere"
        elsewhere.mkdir()
        program = folder / pathlib.Path(arguments.program).name
        shutil.copy(arguments.program, program)
        prepare_wine(arguments.runner, folder, environment)
        trial = Trial(arguments.runner + [str(program)], elsewhere, environment)
        for name, move in (("BOOK.DAT", BOOK_MOVES[0]), ("库.dat", OTHER_BOOK_MOVES[0])):
            (folder / "moves.txt").write_text(f"{move}\n")
            status, text = reference.run("book", "build", "--games", "1", "--output", name, "moves.txt")
            assert status == 0, text
        status, text = reference.run("egtb", "build", "KCCk", "--folder", "egtb")
        assert status == 0, text
        checks = (greetings, carriage_returns, lambda trial: game(trial, reference), lambda trial: files(trial, reference))
        for check in checks:
            check(trial)
        signature, speed = trial.bench()
        expected, reference_speed = reference.bench()
        assert signature == expected, f"bench {signature}, expected {expected}"
        size = program.stat().st_size
        print(
            f"{arguments.name}: all checks passed; {size} bytes; bench {signature}; {speed} nodes/s "
            f"(Linux x86-64: {reference_speed})"
        )


def prepare_wine(runner, folder, environment):
    """Wine before 9 has no bcryptprimitives.dll, from which Rust programs take random numbers: real Windows has it."""
    if not runner or "wine" not in runner[0]:
        return
    source = folder / "random.c"
    source.write_text(
        "#include <windows.h>\n"
        "BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);\n"
        "__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {\n"
        "    return SystemFunction036(data, (ULONG)length);\n}\n"
    )
    command = ["x86_64-w64-mingw32-gcc", "-shared", "-o", "bcryptprimitives.dll", source.name, "-ladvapi32"]
    subprocess.run(command, cwd=folder, check=True)
    environment["WINEPREFIX"] = str(folder / "wine")
    environment["WINEDLLOVERRIDES"] = "mscoree,mshtml="


if __name__ == "__main__":
    try:
        main()
    except (AssertionError, queue.Empty, subprocess.TimeoutExpired) as error:
        sys.exit(f"failed: {error!r}")
