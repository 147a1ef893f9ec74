#!/usr/bin/env python3
"""Checks the JSON of `chuhe analyse` against docs/analyse.schema.json with another validator (pip install jsonschema).

    tests/oracle/schema.py --engine target/release/chuhe
"""

import argparse
import json
import pathlib
import subprocess

import jsonschema

ROOT = pathlib.Path(__file__).parents[2]
POSITIONS = """4k4/4a4/3RN4/p7p/4C4/6P2/P7P/4B4/2c1p2r1/5KB2 w - - 0 1
3k5/9/9/9/9/9/9/9/r8/r3K4 w - - 0 1
startpos
bad line
"""
GAMES = "\n\n[".join((ROOT / "tests/data/games.pgn").read_text().split("\n\n[")[:4])
WRONG = [
    {},
    {"source": "-:1", "error": 1},
    {"source": "-:1", "settings": "", "fen": "", "depth": 1, "seldepth": 1, "nodes": 1, "lines": [{"pv": ["h2e2"]}]},
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="target/release/chuhe")
    engine = parser.parse_args().engine
    schema = json.loads((ROOT / "docs/analyse.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    checked = 0
    for limits in (["--nodes", "300", "--multipv", "3"], ["--time", "20"], ["--last", "--depth", "2"]):
        for text in (POSITIONS, GAMES):
            run = subprocess.run([engine, "analyse", "--json", *limits, "-"], input=text, capture_output=True, text=True)
            for line in run.stdout.splitlines():
                validator.validate(json.loads(line))
                checked += 1
    assert checked > 20, checked
    assert not any(map(validator.is_valid, WRONG))
    print(f"{checked} answers are as the schema says")


if __name__ == "__main__":
    main()
