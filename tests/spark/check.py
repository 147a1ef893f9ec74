#!/usr/bin/env python3
"""Runs the scripts of docs/spark on a Spark cluster of this machine, and compares their tables with what the program
says without Spark.

    pip install pyspark pandas pyarrow          # and Java 17 or newer
    python3 tests/spark/check.py [PATH OF CHUHE]

The cluster has two workers, processes of their own. Five checks: positions, of which some cannot be read; the same, with
a worker killed; games, of which some cannot be read; the book of these games; a program that is not there, which must
end the job. Takes some minutes.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import pyarrow.parquet
import pyspark

REPOSITORY = Path(__file__).resolve().parents[2]
GAMES = REPOSITORY / "tests/data/games.pgn"
CHUHE = str(Path(sys.argv[1] if len(sys.argv) > 1 else REPOSITORY / "target/release/chuhe").resolve())
SPARK = Path(pyspark.__file__).parent

# Each is an error, and looks like the beginning of another kind of input. The first and the last line of the collection.
BAD_FIRST = "1. h2e2 h9g7"
BAD_LAST = "not a fen"
BAD_LINES = ["h2e2", "炮二平五", '[Event "?"]', "1-0", "startpos moves a0a9", "a\0b", "x" * 1_200_000, "9/9 w"]
# No positions, and no errors.
BLANK_LINES = ["", "# a comment"]
# Games of which something is left out.
BAD_GAMES = [
    '[Game "?"]\n\n1. xyzzy h9g7 *\n',
    '[Game "?"]\n\n1. h2e2 a0a9 *\n',
    '[Game "?"]\n[FEN "9/9 w"]\n\n1. h2e2 *\n',
    '[Game "?"]\n\n1. h2e2 {not closed *\n',
    '[Game "?"]\n\n1. h2e2 *\n\n[Site "another game"]\n\n1. c3c4 *\n',
]


def analyse(options, text):
    """The answers of one process."""
    command = [CHUHE, "analyse", "--json", *options, "-"]
    run = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE)
    assert run.returncode in (0, 1), run
    return [json.loads(line) for line in run.stdout.splitlines()]


def descendants(pid):
    """The processes below `pid`, and their command lines."""
    parents, commands = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            commands[int(entry.name)] = (entry / "cmdline").read_bytes()
        except OSError:
            continue  # It has ended meanwhile.
    found = [pid]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return {process: commands[process] for process in found if process in commands}


def submit(script, *arguments, kill_when=None):
    """Runs a script on the cluster. Kills one worker as soon as `kill_when()` holds. Returns status and output."""
    environment = os.environ | {"SPARK_HOME": str(SPARK), "PYSPARK_PYTHON": sys.executable}
    command = [SPARK / "bin/spark-submit", "--master", "local-cluster[2,1,1024]", REPOSITORY / "docs/spark" / script]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [*map(str, command), "--chuhe", CHUHE, *map(str, arguments)],
            env=environment, stdout=output, stderr=subprocess.STDOUT,
        )
        while process.poll() is None and kill_when:
            time.sleep(0.02)
            if kill_when():
                below = descendants(process.pid).items()
                os.kill(next(pid for pid, command in below if b"CoarseGrainedExecutorBackend" in command), signal.SIGKILL)
                kill_when = None
        status = process.wait()
        assert kill_when is None, "the job ended before a worker could be killed"
        output.seek(0)
        return status, output.read().decode(errors="replace")


def rows(table):
    """The rows of the Parquet table, in the order of the collection, without what is absent."""
    found = pyarrow.parquet.read_table(table).to_pylist()
    found.sort(key=lambda row: (row["id"], float("inf") if row["ply"] is None else row["ply"]))
    for row in found:
        row["lines"] = row["lines"] and [{k: v for k, v in line.items() if v is not None} for line in row["lines"]]
    return [{name: value for name, value in row.items() if value is not None} for row in found]


def comparable(answer):
    """An answer or row without `source` and `id`; of an error only the input, because it can name a line of the part."""
    answer = {name: value for name, value in answer.items() if name not in ("source", "id") and value is not None}
    return {"error": "", "input": answer.get("input")} if "error" in answer else answer


def succeed(script, *arguments, **kill):
    status, output = submit(script, *arguments, **kill)
    assert status == 0, output[-6000:]
    return output


def check_positions(folder):
    fens = list(dict.fromkeys(answer["fen"] for answer in analyse(["--nodes", "1"], GAMES.read_text())))
    lines = [BAD_FIRST, *fens[:150], *BAD_LINES, *BLANK_LINES, *fens[150:], BAD_LAST]
    collection = folder / "positions.fen"
    collection.write_text("\n".join(lines) + "\n")
    # `startpos` before all, so that the first line does not make the rest a game.
    expected = analyse(["--nodes", "1000"], "startpos\n" + "\n".join(lines))[1:]
    for answer in expected:
        answer["id"] = int(answer["source"].rpartition(":")[2]) - 1
    for name in "positions", "killed":
        table, kill_when = folder / name, None
        if name == "killed":
            kill_when = lambda: len(list(table.glob("_temporary/0/task_*"))) >= 5
        output = succeed("analyse.py", "--nodes", 1000, collection, table, kill_when=kill_when)
        assert name != "killed" or "Lost executor" in output, output[-6000:]
        got = rows(table)
        assert [row["id"] for row in got] == [answer["id"] for answer in expected]
        for row, answer in zip(got, expected):
            assert comparable(row) == comparable(answer), (row, answer)
        errors = sum("error" in row for row in got)
        assert errors == len(BAD_LINES) + 2, errors
        print(f"{name}: {len(lines)} lines, {len(got)} rows, {errors} errors, as without Spark")


def check_games(folder):
    texts = ["[Game" + text for text in GAMES.read_text().split("[Game")[1:]]
    texts = [*texts[:3], *BAD_GAMES, *texts[3:]]
    collection, table = folder / "games.pgn", folder / "games"
    collection.write_text("\n".join(texts))
    options = ["--nodes", 200, "--multipv", 3]
    succeed("analyse.py", *options, "--first-tag", "Game", collection, table)
    got = rows(table)
    for number, text in enumerate(texts, 1):
        expected = [comparable(answer) for answer in analyse(map(str, options), text)]
        row_of_ply = [comparable(row) for row in got if row["id"] == number]
        if text == BAD_GAMES[-1]:
            # Only the first of the two games was analysed.
            expected = expected[:2] + [{"error": "", "input": None}]
        assert row_of_ply == expected, (number, row_of_ply, expected)
    errors = sum("error" in row for row in got)
    assert errors == len(BAD_GAMES), errors
    print(f"games: {len(texts)} games, {len(got)} rows, {errors} errors, as without Spark")

    book = folder / "book.dat"
    succeed("book.py", "--output", book, table)
    entries = [line.split(maxsplit=2) for line in Path(f"{book}.txt").read_text().splitlines()]
    of_position = {}
    for mv, weight, position in entries:
        of_position.setdefault(position, {})[mv] = int(weight)
    assert all(max(weights.values()) == 1000 for weights in of_position.values()), of_position
    # The moves of the search at the start position, which every game has.
    start = analyse(map(str, options), "startpos\n")[0]
    best = start["lines"][0]["cp"]
    wanted = {line["pv"][0] for line in start["lines"] if best - line["cp"] <= 30}
    assert wanted <= set(of_position[" ".join(start["fen"].split()[:2])]), (wanted, of_position)
    shown = subprocess.run([CHUHE, "book", "show", "startpos", "--book", book], stdout=subprocess.PIPE, check=True)
    assert all(mv.encode() in shown.stdout for mv in wanted), shown.stdout
    print(f"book: {len(entries)} moves of {len(of_position)} positions")


def check_missing_program(folder):
    collection = folder / "one.fen"
    collection.write_text("startpos\n")
    status, output = submit("analyse.py", collection, folder / "none", "--chuhe", "/nonexistent/chuhe")
    assert status != 0 and not (folder / "none/_SUCCESS").exists(), output[-6000:]
    print("missing program: the job fails")


def main():
    print(f"{CHUHE}; Python {sys.version.split()[0]}", *(f"{p} {version(p)}" for p in ("pyspark", "pandas", "pyarrow")))
    with tempfile.TemporaryDirectory(prefix="chuhe-spark-") as folder:
        for check in check_positions, check_games, check_missing_program:
            start = time.monotonic()
            check(Path(folder))
            print(f"    {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
