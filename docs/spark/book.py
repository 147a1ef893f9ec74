#!/usr/bin/env python3
"""Makes an opening book from a table of analyse.py, of a collection of games.

Of the positions that occur in enough games, the moves that score close to the best enter the book: the best of the
search (as many as `analyse.py --multipv` says), and those played in the games, whose score is that of the position
after them. A move's weight falls with its score below the best. The moves are written as text, which `chuhe book
import` makes a book of. See docs/collections.md.

    spark-submit book.py table.parquet --output book.dat
"""

import argparse
import subprocess

from pyspark.sql import SparkSession

# A position is known by board and side to move. Mates have no `cp`, and are no opening moves.
ENTRIES = """
with scored as (
    select *, substring_index(fen, ' ', 2) position, array_max(transform(lines, line -> line.cp)) best
    from answers where ply is not null and ply <= {plies}
), games as (
    select *, lead(best) over (partition by id order by ply) next_best from scored
), positions as (
    select position, count(distinct id) games, min_by(lines, struct(id, ply)) lines
    from games where ply < {plies} group by position
), moves as (
    select position, line.pv[0] mv, line.cp cp from positions lateral view explode(lines) as line
    union all
    select position, played mv, -next_best cp from games where ply < {plies}
), rated as (
    select position, mv, max(cp) cp, max(max(cp)) over (partition by position) best
    from moves where mv is not null and cp is not null group by position, mv
)
select mv, cast(greatest(1, round(1000 * exp((cp - best) / {margin} * 2))) as int) weight, position
from rated join positions using (position)
where games >= {games} and best - cp <= {margin} order by position, weight desc, mv
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--output", required=True, help="the book to write; its text is written beside it")
    parser.add_argument("--chuhe", default="chuhe", help="the program")
    parser.add_argument("--games", type=int, default=2, help="least number of games with a position")
    parser.add_argument("--plies", type=int, default=24, help="only positions of the first plies of each game")
    parser.add_argument("--margin", type=int, default=30, help="greatest difference to the best, in centipawns")
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
