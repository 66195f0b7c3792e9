"""One turn: `python -m bench.compare.worker exact dense_1m xgboost 2` prints its figures as JSON."""

from __future__ import annotations

import json
import sys

from . import suite


def main(name: str, case: str, peer: str, threads: str) -> None:
    chosen = suite.load(name)
    figures = chosen.job(chosen.peer(peer), chosen.case(case), int(threads))
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
