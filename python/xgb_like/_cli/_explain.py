# SPDX-License-Identifier: Apache-2.0
"""``xgb-like explain``."""

import argparse
from typing import Any

import numpy as np

from .._base._exceptions import DataError, ParameterError, names_of
from .._model._booster import Booster
from ._arguments import DATA_HELP, add_data_options, add_threads, command, load_model, whole_from
from ._columns import ExpectedFeatures
from ._matrices import Loaded, load
from ._output import print_bars
from ._predict import columns_of
from ._task import Facts

_TEXT = """\
Show what a model has learnt, or why it predicts what it does.

Without data: how much the splits by each feature gained in training. With data: how much each
feature contributes to predictions, on average over the rows, or to the prediction of one row
(SHAP values, which add up to the margin: log odds for classes, the prediction itself for numbers).
"""
_EXAMPLES = """\
  xgb-like explain model.ubj
  xgb-like explain model.ubj test.csv
  xgb-like explain model.ubj test.csv --row 0
  xgb-like predict model.ubj test.csv --what contributions -o contributions.csv
"""
_IMPORTANCES = ("total_gain", "gain", "weight", "cover", "total_cover")


def add_to(commands: Any) -> None:
    parser = command(commands, "explain", _TEXT, _EXAMPLES, run)
    add = parser.add_argument
    add("model", metavar="MODEL", help="a model file, .ubj or .json")
    add("data", metavar="DATA", nargs="?", help=DATA_HELP)
    add("--row", type=whole_from(0), metavar="N", help="explain the prediction of this row, counted from 0")
    add("--output", type=whole_from(0), default=0, metavar="N", help="which class or target (%(default)s)")
    add("--importance", choices=_IMPORTANCES, help="without data, of trees (total_gain)")
    add("--top", type=whole_from(1), default=20, metavar="N", help="show so many features (%(default)s)")
    add_threads(parser)
    add_data_options(parser)


def run(args: argparse.Namespace) -> None:
    model = load_model(args.model, args.nthread)
    if args.data is None:
        if args.row is not None:
            raise ParameterError("`--row` is a row of DATA: name the file, too.")
        _print_importance(model, args)
        return
    facts = Facts.of(model)
    loaded = load(args.data, args, known=ExpectedFeatures.of(model, facts), label=facts.label or None, required=False)
    if args.row is None:
        contributions = _contributions(model, loaded, args.output)
        sizes = {name: float(np.abs(column).mean()) for name, column in contributions.items() if name != "intercept"}
        print(f"Mean absolute contribution to the margin, {loaded.matrix.num_row():,} rows")
        print_bars(sizes, args.top)
    else:
        _print_row(model, loaded, facts, args)


def _print_importance(model: Booster, args: argparse.Namespace) -> None:
    if model._handle.is_linear():
        if args.importance is not None:
            raise ParameterError("`--importance` is about splits of trees, and a linear model has none. Drop it.")
        kind, title = "weight", "Weights of the features, without their signs"
    else:
        kind = args.importance or "total_gain"
        title = f"Importance of the features ({kind})"
    scores = model.get_score(importance_type=kind)
    if not scores:
        raise DataError("No feature is used: the model's trees have no splits.")
    print(title)
    print_bars({name: float(np.abs(value).sum()) for name, value in scores.items()}, args.top)


def _contributions(model: Booster, loaded: Loaded, output: int) -> dict[str, Any]:
    found = model.predict(loaded.matrix, pred_contribs=True)
    found = found if found.ndim == 3 else found[:, np.newaxis]
    if output >= found.shape[1]:
        raise ParameterError(f"`--output` must be from 0 to {found.shape[1] - 1}; got {output}.")
    found = found[:, output]
    names = [*names_of(model.feature_names, model.num_features()), "intercept"]
    return dict(zip(names, found.T, strict=True))


def _print_row(model: Booster, loaded: Loaded, facts: Facts, args: argparse.Namespace) -> None:
    if args.row >= loaded.matrix.num_row():
        raise ParameterError(f"`--row` must be from 0 to {loaded.matrix.num_row() - 1}; got {args.row}.")
    row = Loaded(loaded.matrix.slice([args.row], allow_groups=True))
    contributions = {name: float(column[0]) for name, column in _contributions(model, row, args.output).items()}
    predicted = {name: values[0] for name, values in columns_of(model, row.matrix, facts).items()}
    texts = (f"{name} {v if isinstance(v, str) else f'{v:.5g}'}" for name, v in predicted.items())
    print(f"Row {args.row}: " + ", ".join(texts))
    print("Contributions to the margin")
    print(f"  {sum(contributions.values()):12.5g}  all together")
    print(f"  {contributions.pop('intercept'):12.5g}  what the model starts from")
    ranking = sorted(contributions.items(), key=lambda pair: -abs(pair[1]))
    for name, value in ranking[: args.top]:
        print(f"  {value:+12.5g}  {name} = {_cell(row, name)}")
    rest = sum(value for _, value in ranking[args.top :])
    if len(ranking) > args.top:
        print(f"  {rest:+12.5g}  {len(ranking) - args.top} more features")


def _cell(row: Loaded, name: str) -> str:
    """Return a feature's value as the file has it."""
    names = names_of(row.matrix.feature_names, row.matrix.num_col())
    place = names.index(name)
    cells = row.matrix.get_data()
    if place not in cells.indices:
        return "missing"
    value = float(cells[0, place])
    labels = row.matrix._handle.categories[place] if row.matrix._handle.categories else None
    return str(labels[int(value)]) if isinstance(labels, list) else f"{value:g}"
