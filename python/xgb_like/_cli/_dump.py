# SPDX-License-Identifier: Apache-2.0
"""``xgb-like dump``."""

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from .._base._exceptions import ParameterError
from .._model._inspection import joined
from ._arguments import command, load_model

_TEXT = """\
Print the trees of a model.

As text, as JSON (one list of all trees), or for graphviz. All rounds are shown, or some: 3 is one
round, 2:5 are three, 10: all from the tenth on.
"""
_EXAMPLES = """\
  xgb-like dump model.ubj --stats | less
  xgb-like dump model.ubj --as json -o trees.json
  xgb-like dump model.ubj --as dot --rounds 0 | dot -Tsvg > tree.svg
"""


def add_to(commands: Any) -> None:
    parser = command(commands, "dump", _TEXT, _EXAMPLES, run)
    add = parser.add_argument
    add("model", metavar="MODEL", help="a model file, .ubj or .json")
    add("-o", "--output", metavar="FILE", help="in place of the standard output")
    add("--as", dest="form", choices=("text", "json", "dot"), default="text", help="(%(default)s)")
    add("--stats", action="store_true", help="with gain and cover")
    add("--rounds", metavar="A:B", help="only these rounds")
    add("--feature-map", default="", metavar="FILE", help="lines of number, name and type of the features")


def run(args: argparse.Namespace) -> None:
    model = load_model(args.model)
    if args.rounds is not None:
        model = model[_rounds(args.rounds, model.num_boosted_rounds())]
    trees = model.get_dump(args.feature_map, args.stats, args.form)
    text = "\n".join(trees) if args.form == "dot" else joined(trees, args.form)
    text = text.rstrip("\n") + "\n"
    if args.output is None:
        sys.stdout.write(text)
    else:
        Path(args.output).expanduser().write_text(text, encoding="utf-8")


def _rounds(text: str, total: int) -> slice:
    if not re.fullmatch(r"\d+|\d*:\d*", text):
        raise ParameterError(f"`--rounds` takes a round such as 3, or a range such as 2:5; got {text!r}.")
    begin, colon, end = text.partition(":")
    first = int(begin or 0)
    stop = int(end or total) if colon else first + 1
    if not first < stop <= total:
        raise ParameterError(f"`--rounds` must be among the rounds 0 to {total - 1} of the model; got {text!r}.")
    return slice(first, stop)
