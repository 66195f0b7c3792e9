# SPDX-License-Identifier: Apache-2.0
"""Curves that show how good predictions are: calibration, lift, and the Lorenz curve with its Gini coefficient.

Rows with equal predictions always stay together, so nothing depends on the order of rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._base._exceptions import DataError, ParameterError, count
from .._base._typing import Array, Floats64
from .._data._matrix import DMatrix
from .._explain._subject import booster_of, is_model

# Labels, predictions and weights of rows, prepared for curves of how good predictions are.


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
    given = y_true if matrix is None else matrix.get_label()
    if matrix is not None and not given.size:
        raise DataError("`y_true` is a DMatrix without labels. Set them by `label`, or pass the labels in its place.")
    label = _column(given if pos_label is None else np.asarray(given) == pos_label, "y_true")
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


def _predictions(values: Any, name: str, matrix: DMatrix | None) -> Floats64:
    if not is_model(values):
        return _column(values, name)
    if matrix is None:
        raise ParameterError(
            f"`{name}` is a model: `y_true` must be a DMatrix with labels then, whose rows it predicts for; got "
            f"{type(values).__name__} and no DMatrix."
        )
    return _column(booster_of(values, name)._best().predict(matrix), name)


def _column(values: Any, name: str) -> Floats64:
    """Return one finite number for each row."""
    try:
        found = np.asarray(values).astype(np.float64)
    except (TypeError, ValueError):
        advice = " Of classes, say which one is predicted by `pos_label`." if name == "y_true" else ""
        raise DataError(f"`{name}` must be numbers; got {type(values).__name__} of other things.{advice}") from None
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim != 1:
        raise DataError(f"`{name}` must have one number for each row; got the shape {found.shape}. Choose one column.")
    bad = ~np.isfinite(found)
    if bad.any():
        row = int(np.argmax(bad))
        raise DataError(f"`{name}` must be finite numbers; got {found[row]} in row {row}. Leave such rows out.")
    return found


class CalibrationCurve(NamedTuple):
    """Observed and predicted values in bins of rising predictions.

    Attributes
    ----------
    observed, predicted : ndarray
        The weighted mean of the labels and of the predictions of each bin.
    weight : ndarray
        The sum of the weights of each bin.
    """

    observed: Floats64
    predicted: Floats64
    weight: Floats64


class DoubleLift(NamedTuple):
    """Observed values and predictions of two models, in bins of the ratio of the second model to the first.

    Attributes
    ----------
    observed, first, second : ndarray
        The weighted mean of the labels and of the predictions of each bin.
    ratio : ndarray
        The weighted mean of the second model's predictions divided by that of the first model's.
    weight : ndarray
        The sum of the weights of each bin.
    """

    observed: Floats64
    first: Floats64
    second: Floats64
    ratio: Floats64
    weight: Floats64


class LorenzCurve(NamedTuple):
    """The share of the observed total in the rows with the lowest predictions.

    Attributes
    ----------
    population : ndarray
        The share of the weight of the rows up to each prediction, from 0 to 1.
    observed : ndarray
        Their share of the weighted labels, from 0 to 1.
    gini : float
        One minus twice the area below the curve; 0 for uninformative predictions.
    """

    population: Floats64
    observed: Floats64
    gini: float


def calibration_curve(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    n_bins: int = 10,
    strategy: str = "quantile",
    pos_label: Any = None,
) -> CalibrationCurve:
    """Return observed and predicted values in bins of rising predictions.

    Parameters
    ----------
    y_true
        Labels: 0 and 1, or numbers such as claims per year; or a DMatrix with labels and perhaps weights.
    y_pred
        Predictions: probabilities, or means; or a model that predicts for the DMatrix.
    sample_weight
        Weights of rows, such as the years that they were insured for; those of the DMatrix unless given.
    n_bins
        How many bins. Equal predictions share a bin, so there may be fewer; empty ones are left out.
    strategy
        ``quantile``: bins of about equal weight; ``uniform``: bins of equal width from the least prediction to the
        largest.
    pos_label
        The label whose probability `y_pred` is, if labels are not numbers.

    Returns
    -------
    CalibrationCurve

    Examples
    --------
    >>> from xgb_like import plotting
    >>> curve = plotting.calibration_curve([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.8], n_bins=2)
    >>> curve.observed.tolist(), curve.predicted.round(3).tolist()
    ([0.0, 1.0], [0.2, 0.7])
    """
    data = scored(y_true, {"y_pred": y_pred}, sample_weight, pos_label=pos_label)
    prediction = data.predictions["y_pred"]
    return CalibrationCurve(*_means(_bins(data, prediction, n_bins, strategy), data.weight, data.label, prediction))


def double_lift(
    y_true: Any, y_pred: Any, y_pred_other: Any, *, sample_weight: Any = None, n_bins: int = 10
) -> DoubleLift:
    """Return observed values and predictions of two models, in bins of the ratio of the second model to the first.

    Parameters
    ----------
    y_true, sample_weight, n_bins
        As in :func:`calibration_curve`; bins have about equal weight.
    y_pred, y_pred_other
        Predictions of the first and the second model, all above 0; or models that predict for the DMatrix `y_true`.

    Returns
    -------
    DoubleLift

    Examples
    --------
    >>> from xgb_like import plotting
    >>> found = plotting.double_lift([1, 3], [2, 2], [1, 3], n_bins=2)
    >>> found.ratio.tolist(), found.observed.tolist()
    ([0.5, 1.5], [1.0, 3.0])
    """
    data = scored(y_true, {"y_pred": y_pred, "y_pred_other": y_pred_other}, sample_weight)
    first, second = data.predictions.values()
    for name, values in data.predictions.items():
        if np.min(values) <= 0:
            raise DataError(f"`{name}` must be above 0, because rows are ordered by a ratio; got {np.min(values):g}.")
    bins = _bins(data, second / first, n_bins, "quantile")
    observed, of_first, of_second, weight = _means(bins, data.weight, data.label, first, second)
    return DoubleLift(observed, of_first, of_second, of_second / of_first, weight)


def lorenz_curve(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> LorenzCurve:
    """Return the share of the observed total in the rows with the lowest predictions.

    Parameters
    ----------
    y_true
        Labels, none below 0, such as claims per year; or a DMatrix with labels and perhaps weights.
    y_pred
        Predictions, of which only the order counts; or a model that predicts for the DMatrix.
    sample_weight
        As in :func:`calibration_curve`.

    Returns
    -------
    LorenzCurve
        A point for each distinct prediction, after (0, 0).

    Examples
    --------
    >>> from xgb_like import plotting
    >>> curve = plotting.lorenz_curve([0, 1, 3], [0.1, 0.2, 0.3])
    >>> curve.observed.tolist(), round(curve.gini, 3)
    ([0.0, 0.0, 0.25, 1.0], 0.5)
    """
    data = scored(y_true, {"y_pred": y_pred}, sample_weight)
    return lorenz_of(data, data.predictions["y_pred"])


def gini_coefficient(y_true: Any, y_pred: Any, *, sample_weight: Any = None, normalized: bool = False) -> float:
    """Return how well predictions tell rows with high labels from those with low ones.

    Parameters
    ----------
    y_true, y_pred, sample_weight
        As in :func:`lorenz_curve`.
    normalized
        Whether to divide the coefficient by that of perfect predictions. For labels 0 and 1 it is then twice the area
        under the ROC curve minus one.

    Returns
    -------
    float
        From -1 to 1; 0 for uninformative predictions.

    Examples
    --------
    >>> from xgb_like import plotting
    >>> round(plotting.gini_coefficient([0, 1, 3], [0.1, 0.2, 0.3], normalized=True), 3)
    1.0
    """
    data = scored(y_true, {"y_pred": y_pred}, sample_weight)
    gini = lorenz_of(data, data.predictions["y_pred"]).gini
    if not normalized:
        return gini
    perfect = lorenz_of(data, data.label).gini
    if perfect == 0:
        raise DataError(
            "`y_true` is the same in all rows: no order is better than another, so `normalized` has no use."
        )
    return gini / perfect


def lorenz_of(data: Scored, prediction: Array) -> LorenzCurve:
    """Return the Lorenz curve of rows in the order of some prediction."""
    if np.min(data.label) < 0:
        raise DataError(f"`y_true` must not be negative, because its shares are drawn; got {np.min(data.label):g}.")
    if np.max(data.label) == 0:
        raise DataError("`y_true` is 0 in all rows that have a weight: there is nothing to take shares of.")
    _, places = np.unique(prediction, return_inverse=True)
    weight, label = np.bincount(places, data.weight), np.bincount(places, data.weight * data.label)
    population = np.concatenate([[0.0], np.cumsum(weight)])
    observed = np.concatenate([[0.0], np.cumsum(label)])
    population, observed = population / population[-1], observed / observed[-1]
    area = float(np.sum(np.diff(population) * (observed[1:] + observed[:-1])) / 2)
    return LorenzCurve(population, observed, 1 - 2 * area)


def _bins(data: Scored, values: Array, n_bins: Any, strategy: str) -> Array:
    """Return the number of the bin of each row."""
    bins = count(n_bins, "n_bins", 1)
    if strategy not in ("quantile", "uniform"):
        raise ParameterError(f"`strategy` must be one of quantile, uniform; got {strategy!r}.")
    if strategy == "uniform":
        edges = np.linspace(np.min(values), np.max(values), bins + 1)
        return np.searchsorted(edges[1:-1], values)
    _, places = np.unique(values, return_inverse=True)
    weight = np.bincount(places, data.weight)
    middle = np.cumsum(weight) - weight / 2  # of the rows of each value, among all
    found: Array = np.minimum((middle / weight.sum() * bins).astype(np.int64), bins - 1)[places]
    return found


def _means(bins: Array, weight: Array, *values: Array) -> list[Array]:
    """Return the weighted means of values by bins that have rows, and the weights of these."""
    total = np.bincount(bins, weight)
    held = total > 0
    means = [np.bincount(bins, weight * column)[held] / total[held] for column in values]
    return [*means, total[held]]
