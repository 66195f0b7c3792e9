# SPDX-License-Identifier: Apache-2.0
"""``xgb-like demo``."""

from __future__ import annotations

from typing import Any

from .._demo import run_demo
from ._arguments import add_threads, whole_from


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    demo = commands.add_parser("demo", help="train, evaluate, save and reload a model on generated data")
    demo.add_argument(
        "--rows",
        type=whole_from(100),
        default=20_000,
        metavar="N",
        help="rows of the table, at least 100 (%(default)s)",
    )
    demo.add_argument("--rounds", type=whole_from(1), default=100, metavar="N", help="rounds of boosting (%(default)s)")
    add_threads(demo)
    demo.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the table (%(default)s)")
    demo.set_defaults(run=lambda args: run_demo(args.rows, args.rounds, args.nthread, args.seed))
