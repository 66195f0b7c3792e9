# SPDX-License-Identifier: Apache-2.0
"""``xgb-like predict``."""

import argparse
import sys
from typing import Any

import numpy as np

from .._base._exceptions import names_of
from .._data._matrix import DMatrix
from .._model._booster import Booster
from ._arguments import DATA_HELP, add_data_options, add_threads, command, load_model
from ._columns import ExpectedFeatures
from ._matrices import load
from ._output import write_table
from ._task import Facts

_TEXT = """\
Predict for each row of a table.

Columns are found by name, in any order; further ones do no harm. The result is CSV on the
standard output, or a file whose name tells the format. For classes it has the most probable one
and the probability of each.
"""
_EXAMPLES = """\
  xgb-like predict model.ubj new.csv
  xgb-like predict model.ubj new.parquet -o predicted.parquet --keep id --keep name
  xgb-like predict model.ubj new.csv --what contributions | head
"""
_KINDS = ("prediction", "margin", "leaf", "contributions")


def add_to(commands: Any) -> None:
    parser = command(commands, "predict", _TEXT, _EXAMPLES, run)
    add = parser.add_argument
    add("model", metavar="MODEL", help="a model file, .ubj or .json")
    add("data", metavar="DATA", help=DATA_HELP)
    add("-o", "--output", metavar="FILE", help=".csv, .tsv, .parquet or .arrow (CSV on the standard output)")
    add(
        "--what", choices=_KINDS, default="prediction",
        help="prediction; margin: the sum of leaves; leaf: of each tree; contributions: of each feature to the margin",
    )  # fmt: skip
    add("--keep", action="append", default=[], metavar="COLUMN", help="copy a column of DATA; may be repeated")
    add_threads(parser)
    add_data_options(parser)


def run(args: argparse.Namespace) -> None:
    model = load_model(args.model, args.nthread)
    facts = Facts.of(model)
    known = ExpectedFeatures.of(model, facts)
    loaded = load(args.data, args, known=known, label=facts.label or None, required=False, may_be_empty=True)
    columns = {**loaded.kept, **columns_of(model, loaded.matrix, facts, args.what)}
    write_table(columns, args.output)
    if args.output is not None:
        print(f"saved {args.output} ({loaded.matrix.num_row():,} rows)", file=sys.stderr)


def columns_of(model: Booster, matrix: DMatrix, facts: Facts, what: str = "prediction") -> dict[str, Any]:
    """Return the columns that a prediction consists of."""
    if what == "leaf":
        leaves = model.predict(matrix, pred_leaf=True)
        table = leaves.reshape(len(leaves), int(np.prod(leaves.shape[1:]))).astype(np.int64)
        return {f"tree_{number}": column for number, column in enumerate(table.T)}
    if what == "contributions":
        return _contributions(model, matrix, facts)
    found = model.predict(matrix, output_margin=what == "margin")
    if what == "margin" or facts.task in ("regression", "ranking"):
        return _numbered(what, found)
    return _classes(found, facts, model._handle.objective())


def _numbered(name: str, found: Any) -> dict[str, Any]:
    return {name: found} if found.ndim == 1 else {f"{name}_{number}": one for number, one in enumerate(found.T)}


def _classes(found: Any, facts: Facts, objective: str) -> dict[str, Any]:
    """Return the most probable class, and probabilities if the objective gives them."""
    if facts.task == "binary" and found.ndim == 1 and objective.startswith(("binary:", "reg:logistic")):
        names = facts.classes
        limit, shown = (0.0, "margin") if objective == "binary:logitraw" else (0.5, f"p_{names[1]}")
        return {"prediction": [names[int(value > limit)] for value in found], shown: found}
    if facts.task == "multiclass" and found.ndim == 2:
        names = facts.classes
        shares = {f"p_{name}": column for name, column in zip(names, found.T, strict=True)}
        return {"prediction": [names[place] for place in found.argmax(axis=1).tolist()], **shares}
    if facts.classes and found.ndim == 1 and np.isin(found, np.arange(len(facts.classes))).all():
        return {"prediction": [facts.classes[int(place)] for place in found]}
    return _numbered("prediction", found)


def _contributions(model: Booster, matrix: DMatrix, facts: Facts) -> dict[str, Any]:
    found = model.predict(matrix, pred_contribs=True)
    names = [*names_of(model.feature_names, model.num_features()), "intercept"]
    if found.ndim == 2:
        return dict(zip(names, found.T, strict=True))
    outputs = facts.classes or [str(number) for number in range(found.shape[1])]
    return {f"{name}_{output}": found[:, k, i] for k, output in enumerate(outputs) for i, name in enumerate(names)}
