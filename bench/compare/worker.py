"""One turn: `python -m bench.compare.worker exact dense_1m xgboost 2 1.0` prints its figures as JSON.

A library that cannot do the case prints `{"left_out": reason}`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from . import suite
from .peers import UnsupportedError


def main(name: str, case: str, peer: str, threads: str, scale: str) -> None:
    chosen = suite.load(name).narrowed([case], [peer], float(scale))
    figures: dict[str, Any]
    try:
        figures = chosen.job(chosen.peers[0], chosen.cases[0], int(threads))
    except UnsupportedError as error:
        figures = {"left_out": str(error)}
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
