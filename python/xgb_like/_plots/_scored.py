# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""Labels, predictions and weights of rows, prepared for curves of how good predictions are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base._exceptions import DataError, ParameterError
from .._base._typing import Floats64
from .._data._matrix import DMatrix
from .._explain._subject import booster_of, is_model


@dataclass(frozen=True)
class Scored:
    """Rows that have a weight: what was observed, and what was predicted under several names."""

    label: Floats64
    predictions: dict[str, Floats64]
    weight: Floats64


def scored(y_true: Any, y_pred: Mapping[str, Any], sample_weight: Any, pos_label: Any = None) -> Scored:
    """Read labels, predictions and weights, and check that they are numbers and of one length.

    Labels may be a DMatrix that has them, and predictions models, which then predict for its rows.
    """
    matrix = y_true if isinstance(y_true, DMatrix) else None
    label = _labels(y_true if matrix is None else _label_of(matrix), pos_label)
    if not len(label):
        raise DataError("`y_true` has no rows; at least one is needed.")
    if sample_weight is None and matrix is not None and matrix._handle.get_float_info("weight").size:
        sample_weight = matrix.get_weight()
    weight = np.ones(len(label)) if sample_weight is None else _column(sample_weight, "sample_weight")
    predictions = {name: _predictions(values, name, matrix) for name, values in y_pred.items()}
    for name, values in {**predictions, "sample_weight": weight}.items():
        if len(values) != len(label):
            raise DataError(f"`{name}` has {len(values)} rows, but `y_true` has {len(label)}.")
    if np.min(weight) < 0:
        raise DataError(f"`sample_weight` must not be negative; got {np.min(weight):g}.")
    held = weight > 0
    if not held.any():
        raise DataError("`sample_weight` is 0 in all rows; at least one must have a weight.")
    return Scored(label[held], {name: values[held] for name, values in predictions.items()}, weight[held])


def named_predictions(y_pred: Any) -> dict[str, Any]:
    """Return predictions by name, which are given as a dict if there are several."""
    if not isinstance(y_pred, Mapping):
        return {"model": y_pred}
    if not y_pred:
        raise ParameterError("`y_pred` is empty; it must have at least one prediction.")
    return {str(name): values for name, values in y_pred.items()}


def _label_of(matrix: DMatrix) -> Any:
    label = matrix.get_label()
    if not label.size:
        raise DataError("`y_true` is a DMatrix without labels. Set them by `label`, or pass the labels in its place.")
    return label


def _predictions(values: Any, name: str, matrix: DMatrix | None) -> Floats64:
    if not is_model(values):
        return _column(values, name)
    if matrix is None:
        raise ParameterError(
            f"`{name}` is a model: `y_true` must be a DMatrix with labels then, whose rows it predicts for; got "
            f"{type(values).__name__} and no DMatrix."
        )
    return _column(booster_of(values, name)._best().predict(matrix), name)


def _labels(values: Any, pos_label: Any) -> Floats64:
    return _column(values if pos_label is None else np.asarray(values) == pos_label, "y_true")


def _column(values: Any, name: str) -> Floats64:
    """Return one finite number for each row."""
    try:
        found = np.asarray(values).astype(np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"`{name}` must be numbers; got {type(values).__name__} of other things. Of classes, say which one is "
            "predicted by `pos_label`."
            if name == "y_true"
            else f"`{name}` must be numbers; got {type(values).__name__} of other things."
        ) from None
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim != 1:
        raise DataError(f"`{name}` must have one number for each row; got the shape {found.shape}. Choose one column.")
    bad = ~np.isfinite(found)
    if bad.any():
        row = int(np.argmax(bad))
        raise DataError(f"`{name}` must be finite numbers; got {found[row]} in row {row}. Leave such rows out.")
    return found
