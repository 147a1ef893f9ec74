#!/usr/bin/env python3
"""Makes an opening book from a table of analyse.py.

Of the positions that occur in enough games of the collection, the moves that score close to the best enter the book:
those of the search with `--multipv`, and those played in the games. A move's weight falls with its score below the best.
The moves are written as text, which `chuhe book import` makes a book of. See docs/collections.md.

    spark-submit book.py table.parquet --output book.dat
"""

import argparse
import subprocess

from pyspark.sql import SparkSession

# A position is known by board and side to move. The first line's score is the best, or that of the mate.
ENTRIES = """
with positions as (
    select substring_index(fen, ' ', 2) position, count(*) games, min_by(lines, struct(id, ply)) lines
    from answers where ply < {plies} and size(lines) > 0 group by position
), moves as (
    select position, games, lines[0].cp best, line.pv[0] mv, line.cp cp
    from positions lateral view explode(lines) as line where games >= {games}
)
select mv, cast(greatest(1, round(1000 * exp((cp - best) / {margin} * 2))) as int) weight, position
from moves where best - cp <= {margin} order by position, weight desc, mv
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--output", required=True, help="the book to write; its text is written beside it")
    parser.add_argument("--chuhe", default="chuhe", help="the program")
    parser.add_argument("--games", type=int, default=2, help="least number of games with a position")
    parser.add_argument("--plies", type=int, default=24, help="only positions of the first plies of each game")
    parser.add_argument("--margin", type=int, default=20, help="greatest difference to the best, in centipawns")
    return parser.parse_args()


def main():
    options = arguments()
    spark = SparkSession.builder.appName("chuhe book").getOrCreate()
    spark.read.parquet(options.table).createOrReplaceTempView("answers")
    query = ENTRIES.format(plies=options.plies, games=options.games, margin=max(options.margin, 1))
    text = options.output + ".txt"
    with open(text, "w", encoding="ascii") as file:
        for mv, weight, position in spark.sql(query).collect():
            print(mv, weight, position, file=file)
    subprocess.run([options.chuhe, "book", "import", text, "--output", options.output], check=True)


if __name__ == "__main__":
    main()
