# SPDX-License-Identifier: Apache-2.0
"""``xgb-like evaluate``."""

import argparse
import json
from typing import Any

from .. import _core
from .._base._unseen import UnseenLevels
from ._arguments import DATA_HELP, add_data_options, add_threads, command, load_model
from ._columns import ExpectedFeatures
from ._matrices import load
from ._task import TASKS, Facts, encode, need_queries, reports_of

_TEXT = """\
Measure a model on a table.

The columns of label and queries are those of the training, unless told. Metrics are those of the
task: accuracy, AUC and log loss; root mean squared and mean absolute error, and R2; NDCG of the
first 10 and of all. If the objective is about something else, such as quantiles, it has its own.
"""
_EXAMPLES = """\
  xgb-like evaluate model.ubj test.csv
  xgb-like evaluate model.ubj test.csv --metric mape --metric rmse --json
  xgb-like evaluate ranker.ubj test.csv --query other_id
"""


def add_to(commands: Any) -> None:
    parser = command(commands, "evaluate", _TEXT, _EXAMPLES, run)
    add = parser.add_argument
    add("model", metavar="MODEL", help="a model file, .ubj or .json")
    add("data", metavar="DATA", help=DATA_HELP)
    add("--label", metavar="COLUMN", help="by name or number; that of the training unless told")
    add("--metric", action="append", metavar="NAME", help="may be repeated; `xgb-like metrics` lists them")
    add("--weight", metavar="COLUMN", help="weights of the rows")
    text = "for ranking: which rows are ranked together; that of the training unless told"
    add("--query", metavar="COLUMN", help=text)
    add("--json", action="store_true", help="print JSON")
    add_threads(parser)
    add_data_options(parser)


def run(args: argparse.Namespace) -> None:
    model = load_model(args.model, args.nthread)
    facts = Facts.of(model)
    label = args.label or facts.label or None
    args.query = args.query or facts.query or None
    known = ExpectedFeatures.of(model, facts)
    loaded = load(args.data, args, known=known, label=label, label_is_text=facts.label_is_text, required=True)
    if loaded.label is not None:
        loaded.matrix.set_label(encode(loaded.label, facts.task, facts.classes or None)[0])
    if facts.task == "ranking":
        need_queries(loaded.matrix)
    model.set_param({"eval_metric": args.metric or reports_of(model, facts)})
    found = model._evaluate([(loaded.matrix, "data")], None, True, UnseenLevels())
    scores = {metric: value for _, metric, value in found}
    if args.json:
        print(json.dumps({"rows": loaded.matrix.num_row(), **scores}))
        return
    print(f"{TASKS[facts.task].name}, {loaded.matrix.num_row():,} rows, label {loaded.label_name}")
    for name, value in scores.items():
        print(f"  {name:<16} {value:12.6g}   {'more' if _core.metric_is_maximized(name) else 'less'} is better")
