"""Chooses the files of a corpus: those that together reach most, by libFuzzer's control file of a merge.

choose.py CONTROL COUNT: prints the names of at most COUNT files.
"""

import sys


def main(control: str, count: int) -> None:
    lines = open(control).read().splitlines()
    files = int(lines[0])
    names = lines[2 : 2 + files]
    reached: dict[int, set[int]] = {}
    for line in lines[2 + files :]:
        kind, number, *features = line.split(' ')
        if kind in ('FT', 'COV'):
            # Branches and features are numbered apart.
            reached.setdefault(int(number), set()).update(-1 - int(n) if kind == 'COV' else int(n) for n in features)
    known: set[int] = set()
    for _ in range(count):
        best = max(reached, key=lambda number: len(reached[number] - known), default=None)
        if best is None or not reached[best] - known:
            break
        known |= reached.pop(best)
        print(names[best])


main(sys.argv[1], int(sys.argv[2]))
