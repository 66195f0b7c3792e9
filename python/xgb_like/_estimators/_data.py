# SPDX-License-Identifier: Apache-2.0
"""What the estimators are fitted on and evaluated with, from arguments of ``fit`` to matrices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base._exceptions import DataError, ParameterError, UnsupportedDataError
from .._base._libraries import is_instance, library_of_matrix, named, remedy
from .._data._fields import to_array
from .._data._matrix import DMatrix
from ._peers import pick_ref_categories

_MATRICES = "A DMatrix has labels of its own: give it alone, or with a name"


@dataclass(frozen=True)
class Rows:
    """Features with all that was given for their rows."""

    argument: str  # what errors call the labels: `y`, or `eval_set[0]`
    X: Any
    y: Any
    sample_weight: Any = None
    base_margin: Any = None
    group: Any = None
    qid: Any = None

    def matrix(self, settings: dict[str, Any]) -> DMatrix:
        """Return a matrix; lengths are checked here, where the arguments' names are known."""
        if isinstance(self.X, DMatrix):
            where, advice = ("X", "To train on one use train()") if self.argument == "y" else (self.argument, _MATRICES)
            raise UnsupportedDataError(f"`{where}` must be an array, a data frame or a sparse matrix. {advice}.")
        rows = row_count(self.X)
        if rows is not None:
            self._check_lengths(rows)
        weight = None if self.sample_weight is None else to_array("sample_weight", self.sample_weight)
        given = {"weight": weight, "base_margin": self.base_margin, "group": self.group, "qid": self.qid}
        return DMatrix(data=self.X, label=to_array(self.argument, self.y), **given, **settings)

    def _check_lengths(self, rows: int) -> None:
        features = "X" if self.argument == "y" else f"the features of {self.argument}"
        labels = row_count(self.y)
        if labels is not None and labels != rows:
            raise DataError(
                f"`{self.argument}` must have one label for each row of {features}: inconsistent numbers of samples, "
                f"{labels} labels for {rows} rows."
            )
        weights = row_count(self.sample_weight)
        if self.sample_weight is None or weights is None or self.group is not None or self.qid is not None:
            return
        name = "sample_weight" if self.argument == "y" else self.argument.replace("eval_set", "sample_weight_eval_set")
        shape: tuple[int, ...] = getattr(self.sample_weight, "shape", (weights,))
        if len(shape) > 2 or (len(shape) == 2 and shape[1] != 1):
            raise DataError(
                f"Sample weights must be 1D: `{name}` must have one weight a row; got shape {tuple(shape)}."
            )
        if weights != rows:
            raise DataError(f"`{name}` must have one sample weight for each row; got {weights} for {rows} rows.")

    def is_same(self, other: Rows) -> bool:
        """Whether all of it are the very same objects."""
        fields = ("X", "y", "sample_weight", "base_margin", "group", "qid")
        return all(getattr(self, name) is getattr(other, name) for name in fields)


EvalSet = tuple["Rows | DMatrix", str]


def row_count(data: Any) -> int | None:
    """Return how many rows something has, None if it does not tell."""
    shape = getattr(data, "shape", None)
    if shape is None and hasattr(data, "__len__") and not isinstance(data, (str, bytes)):
        return len(data)
    return int(shape[0]) if isinstance(shape, tuple) and shape else None


def evaluation_sets(eval_set: Any, **info: Any) -> list[EvalSet]:
    """Return the sets to evaluate on and their names, ``validation_0`` and so on.

    They come as pairs of features and labels, as matrices with or without a name, or both; or as one pair. `info` are
    arguments of ``fit`` that have one entry for each set, by the field that they are for.
    """
    given = {name: value for name, value in info.items() if value is not None}
    if eval_set is None:
        if given:
            raise DataError(
                "`eval_set` is not set but one of the other evaluation meta info is not None: "
                f"`{_argument(next(iter(given)))}` tells of the sets in `eval_set`; pass both or none."
            )
        return []
    items = _items(eval_set)
    for name, values in given.items():
        argument, expected = _argument(name), len(items)
        if not isinstance(values, (list, tuple)):
            raise ParameterError(
                f"`{argument}` must be a list with one entry for each set in `eval_set`; got {type(values).__name__}."
            )
        if len(values) != expected:
            raise DataError(
                f"{argument}'s length does not equal `eval_set`'s length, expecting {expected}, got {len(values)}. "
                "Give one entry for each set; None if there is nothing to say of it."
            )
    return [_one_set(item, i, {name: values[i] for name, values in given.items()}) for i, item in enumerate(items)]


def _items(eval_set: Any) -> list[Any]:
    if isinstance(eval_set, DMatrix) or (
        isinstance(eval_set, tuple) and len(eval_set) == 2 and (hasattr(eval_set[0], "shape") or _is_named(eval_set))
    ):
        return [eval_set]
    if isinstance(eval_set, (str, dict)) or hasattr(eval_set, "shape") or not isinstance(eval_set, Iterable):
        raise ParameterError(f"`eval_set` must be a list of pairs (X, y); got {type(eval_set).__name__}.")
    return list(eval_set)


def _one_set(item: Any, number: int, info: dict[str, Any]) -> EvalSet:
    name = f"validation_{number}"
    if isinstance(item, DMatrix):
        return item, name
    if isinstance(item, (tuple, list)) and len(item) == 2:
        if _is_named(item):
            return item[0], item[1]
        if item[1] is None and not isinstance(item[0], DMatrix):
            raise DataError(f"`eval_set[{number}]` has no labels: its second entry is None. Give pairs (X, y).")
        return Rows(f"eval_set[{number}]", *item, **info), name
    size = f" of {len(item)} entries" if isinstance(item, (tuple, list)) else ""
    given = f"{named(item)}. {remedy(item)}" if library_of_matrix(item) else f"a {type(item).__name__}{size}."
    raise ParameterError(f"`eval_set[{number}]` must be a pair (X, y); got {given}")


def _is_named(item: Sequence[Any]) -> bool:
    return isinstance(item[0], DMatrix) and isinstance(item[1], str)


def _argument(field: str) -> str:
    return {"group": "eval_group", "qid": "eval_qid"}.get(field, f"{field}_eval_set")


def matrices(
    train: Rows, evals: list[EvalSet], settings: dict[str, Any], keep: bool
) -> tuple[DMatrix, list[tuple[DMatrix, str]]]:
    """Return the matrices of a fit, made with arguments of DMatrix; the same objects give the same matrix.

    `keep` says whether rows of weight 0 stay in the training data, where the bins of histograms count them.
    """
    dtrain = train.matrix(settings)
    shared = {name: value for name, value in settings.items() if name != "feature_weights"}
    # with the codes of the training data at once, else each round would recode
    shared["feature_types"] = pick_ref_categories(train.X, settings["feature_types"], dtrain.get_categories())
    pairs = [(_evaluated(data, train, dtrain, shared), name) for data, name in evals]
    return dtrain if keep else _weighted_rows(train, dtrain), pairs


def _weighted_rows(train: Rows, dtrain: DMatrix) -> DMatrix:
    """Return the rows that have a weight: so a weight of 0 is the same as leaving a row out."""
    weight = dtrain.get_weight()
    if not len(weight) or weight.all() or train.group is not None or train.qid is not None:
        return dtrain
    if not weight.any():
        raise DataError(
            "`sample_weight` is zero in all rows: none has a positive weight. Leave it out for equal weights."
        )
    return dtrain.slice(np.flatnonzero(weight))


def _evaluated(data: Rows | DMatrix, train: Rows, dtrain: DMatrix, settings: dict[str, Any]) -> DMatrix:
    if isinstance(data, DMatrix):
        return data
    if data.is_same(train):
        return dtrain
    matrix = data.matrix(settings)
    if matrix.num_col() != dtrain.num_col():
        raise DataError(
            f"`{data.argument}` must have the features that `X` has: {dtrain.num_col()} columns; got "
            f"{matrix.num_col()}."
        )
    if (matrix.feature_names is None) != (dtrain.feature_names is None):  # one is a frame, the other is none
        matrix.feature_names, matrix.feature_types = dtrain.feature_names, dtrain.feature_types
    return matrix


def split_queries(X: Any, qid: Any) -> tuple[Any, Any]:
    """Return features and queries; a column `qid` of a data frame is the queries."""
    if is_instance(X, "polars", "LazyFrame"):
        X = X.collect()
    names = X.column_names if is_instance(X, "pyarrow", "Table") else getattr(X, "columns", None)
    if names is None or "qid" not in list(names):
        return X, qid
    if qid is not None:
        raise DataError(
            "Found both the special column `qid` in `X` and the `qid` from the `fit` method. Remove one of them."
        )
    column = X["qid"]
    if is_instance(X, "pandas", "DataFrame"):
        return X.drop(columns="qid"), column
    dropped = X.drop_columns(["qid"]) if is_instance(X, "pyarrow", "Table") else X.drop("qid")
    return dropped, column
