#!/usr/bin/env python3
"""Analyses a collection of positions or games with ChuHe on a Spark cluster, into a Parquet table.

COLLECTION is a file of positions, one a line (`FEN`, `FEN moves …`, `startpos moves …`), or of games (PGN; its name ends
with .pgn). Each task pipes its part through `chuhe analyse --json -`. What cannot be read has a row with `error`. Each
position is searched from an empty state, so the answers do not depend on the number of workers. A task that is lost with
its worker is done again by Spark, and its answers enter the table once. See docs/collections.md.

    spark-submit analyse.py --nodes 1000 positions.fen table.parquet
"""

import argparse
import json
import queue
import subprocess
import threading

import pandas
from pyspark.sql import SparkSession

# `id`: the number of the line or game in the collection, from 1.
COLUMNS = {
    "id": "long",
    "ply": "int",
    "input": "string",
    "fen": "string",
    "played": "string",
    "settings": "string",
    "depth": "int",
    "seldepth": "int",
    "nodes": "long",
    "time_ms": "long",
    "lines": "array<struct<depth: int, cp: int, mate: int, rule: int, wdl: array<int>, pv: array<string>>>",
    "error": "string",
}
SCHEMA = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collection", help="a file that every worker can read")
    parser.add_argument("table", help="the Parquet table to write")
    parser.add_argument("--chuhe", default="chuhe", help="the program, at this path on every worker")
    parser.add_argument("--nodes", type=int, default=1000, help="nodes for each position")
    parser.add_argument("--multipv", type=int, default=1, help="number of best moves")
    parser.add_argument("--partitions", type=int, default=64, help="number of tasks; a lost worker costs one of them")
    parser.add_argument("--first-tag", default="Event", help="the tag that begins each game of a PGN file")
    return parser.parse_args()


def items(spark, options):
    """The lines or games of the collection, as `id` and `text`, spread over the tasks."""
    if options.collection.endswith(".pgn"):
        tag = f"[{options.first_tag} "
        parts = spark.read.option("lineSep", tag).text(options.collection).rdd.map(lambda row: row[0])
        # The result at the end makes each text one game at least, whatever it lacks.
        texts = parts.filter(str.strip).map(lambda part: tag + part + "\n*")
    else:
        texts = spark.read.text(options.collection).rdd.map(lambda row: row[0])
    numbered = texts.zipWithIndex().map(lambda pair: (pair[1] + 1, pair[0]))
    return numbered.toDF("id long, text string").repartition(options.partitions, "id")


def table(answers):
    """Answers as a table of SCHEMA."""
    # What is absent must be None: pandas would make it NaN, which is no array.
    rows = [[answer.get(name) for name in COLUMNS] for answer in answers]
    return pandas.DataFrame(rows, columns=list(COLUMNS), dtype=object)


def check(status):
    # 1: some of the input could not be read; its answers say so.
    if status not in (0, 1):
        raise RuntimeError(f"the program ended with status {status}")


def positions(command):
    """The function that analyses one partition of positions: from tables of `id` and `text` to tables of SCHEMA."""

    def analyse(batches):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        lines = queue.SimpleQueue()
        reader = threading.Thread(target=lambda: [lines.put(line) for line in process.stdout])
        reader.start()
        # A first line that looks like a move or a tag would make all that follows a game. Its answer is left out.
        process.stdin.write(b"startpos\n")
        ids = [None]

        def answered():
            """The answers that have come since the last call."""
            answers = []
            while not lines.empty():
                answer = json.loads(lines.get())
                answer["id"] = ids[int(answer["source"].rpartition(":")[2]) - 1]
                if answer["id"] is not None:
                    answers.append(answer)
            return table(answers)

        for batch in batches:
            for number, text in zip(batch["id"], batch["text"]):
                ids.append(number)
                # Waits while the program has enough to do.
                process.stdin.write(text.encode() + b"\n")
            yield answered()
        process.stdin.close()
        reader.join()
        check(process.wait())
        yield answered()

    return analyse


def games(command):
    """The same for games. Each has a run of its own: whatever its text holds, the others keep their numbers."""

    def analyse_game(number, text):
        run = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE)
        check(run.returncode)
        answers, sources = [], []
        for line in run.stdout.splitlines():
            answer = json.loads(line)
            source = answer["source"]
            if "fen" in answer and source not in sources:
                sources.append(source)
            if len(sources) < 2:
                answers.append(answer)
        if len(sources) > 1:
            error = f"{len(sources)} games, of which only the first was analysed; --first-tag must name their first tag"
            answers.append({"source": source, "error": error})
        return table({**answer, "id": number} for answer in answers)

    def analyse(batches):
        for batch in batches:
            yield from map(analyse_game, batch["id"], batch["text"])

    return analyse


def main():
    options = arguments()
    spark = SparkSession.builder.appName("chuhe analyse").getOrCreate()
    command = [options.chuhe, "analyse", "--json", "--nodes", str(options.nodes)]
    command += ["--multipv", str(options.multipv), "-"]
    analyse = games if options.collection.endswith(".pgn") else positions
    items(spark, options).mapInPandas(analyse(command), SCHEMA).write.parquet(options.table)
    table = spark.read.parquet(options.table)
    print(f"{options.table}: {table.count()} answers, {table.where('error is not null').count()} errors")


if __name__ == "__main__":
    main()
