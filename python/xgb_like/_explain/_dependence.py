# SPDX-License-Identifier: Apache-2.0
"""Partial dependence and individual conditional expectation."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from reprlib import repr as shortened
from typing import Any

import numpy as np

from .._base._checks import whole
from .._base._exceptions import ParameterError
from .._base._typing import Array, ArrayLike, Integer
from .._data._matrix import DMatrix
from ._subject import Features, Method, Scale, Subject, check_method


@dataclass(frozen=True)
class PartialDependence:
    """How predictions depend on one feature or two.

    Attributes
    ----------
    features : tuple of str
        Their names.
    grid : tuple of ndarray
        The values that each was set to; for categories their names.
    average : ndarray
        Mean predictions, of shape (grid,), or (first grid, second grid) for two features. With several outputs, a first
        axis for outputs comes before these.
    individual : ndarray or None
        The predictions of each row, if requested. The shape is the same with a further first axis for rows.
    """

    features: tuple[str, ...]
    grid: tuple[Array, ...]
    average: Array
    individual: Array | None


def partial_dependence(
    model: Any,
    X: ArrayLike | DMatrix,
    features: Features,
    *,
    method: Method = "brute",
    scale: Scale = "margin",
    grid: Sequence[ArrayLike] | ArrayLike | None = None,
    grid_size: Integer = 50,
    individual: bool = False,
) -> PartialDependence:
    """Return how the prediction depends on one or two features, with all others averaged out.

    Parameters
    ----------
    model
        A booster, or an estimator that has one.
    X
        Rows to average over. They also determine the values of the features. The base margins of a DMatrix count.
    features
        One feature or two, by name or number.
    method
        ``brute`` sets the features of every row to each point of the grid, and predicts. ``weighted`` goes through the
        trees once per point. At a split on another feature it goes both ways, as often as the training data did. It
        needs no rows and is fast, but gives other results if features depend on each other.
    scale
        ``margin``; ``centred``, for models of several classes: margins minus their mean over the classes, which are
        logarithms of probabilities minus their mean; or ``value``, with the objective's last step (brute only).
    grid
        The values, or the names of categories; a pair of arrays for two features. By default the values of the data, or
        quantiles if there are more than `grid_size`.
    grid_size
        The largest number of values of a feature without categories.
    individual
        Whether the curves of single rows are kept (individual conditional expectation; brute only).

    Returns
    -------
    PartialDependence

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> from xgb_like.explain import partial_dependence
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    >>> booster = xgb.train({"min_child_weight": 0, "lambda": 0}, xgb.DMatrix(X, X[:, 0] + 2 * X[:, 1]), 50)
    >>> found = partial_dependence(booster, X, 1)
    >>> found.grid[0].tolist(), found.average.round(2).tolist()
    ([0.0, 1.0], [0.5, 2.5])
    """
    if individual and method != "brute":
        raise ParameterError("`individual` needs `method` brute: the other one knows no rows.")
    subject = Subject(model, X)
    check_method(subject, method, scale)
    indices = subject.indices(features)
    axes, shown = _axes(subject, indices, grid, whole(grid_size, "grid_size"))
    points = _points(subject, indices, axes)
    curves = None
    if method == "weighted":
        average = subject.marginals(points, indices, scale)
    elif individual:
        curves = _curves(subject, indices, points, scale)
        average = curves.mean(axis=1)
        curves = _shaped(curves, axes)
    else:
        average = subject.means(points, indices, scale)
    names = tuple(subject.names[i] for i in indices)
    return PartialDependence(names, shown, _shaped(average, axes), curves)


def category_names(subject: Subject, index: int) -> Array | None:
    """Return the names, or numbers, of a feature's categories by their codes; None if it has none."""
    known = subject.handle.categories
    found = known[index] if any(known) else None
    if isinstance(found, tuple):
        return np.asarray(found[0]).astype(found[1])
    return None if found is None else np.asarray(found)


def _decoded(axis: Array, names: Array | None) -> Array:
    return axis if names is None else np.asarray(names[axis.astype(np.int64)])


def _coded(given: Array, names: Array | None, feature: str) -> Array:
    """Return values of a grid as numbers; for categories that are texts, their codes will do, too."""
    if names is None or (names.dtype.kind == "U" and given.dtype.kind in "iuf"):
        return given.astype(np.float64)
    codes = {name: float(code) for code, name in enumerate(names.tolist())}
    found = [np.nan if value != value else codes.get(value) for value in given.tolist()]  # noqa: PLR0124  NaN: missing
    if None in found:
        raise ParameterError(
            f"`grid` has {given.tolist()[found.index(None)]!r}, which is no category of {feature!r}. They are "
            f"{shortened(list(codes))}."
        )
    return np.array(found)


def _axes(subject: Subject, indices: list[int], grid: Any, size: int) -> tuple[list[Array], tuple[Array, ...]]:
    """Return the values of each feature as numbers, and as users know them."""
    names = [category_names(subject, i) for i in indices]
    if size < 1:
        raise ParameterError(f"`grid_size` must be at least 1; got {size}.")
    if grid is None:
        axes = [_observed(subject, i, size) for i in indices]
        return axes, tuple(map(_decoded, axes, names))
    given = [np.asarray(axis) for axis in ([grid] if len(indices) == 1 and np.ndim(grid) == 1 else list(grid))]
    if len(given) != len(indices) or any(axis.ndim != 1 or not len(axis) for axis in given):
        raise ParameterError(f"`grid` must have {len(indices)} lists of values, one per feature, none of them empty.")
    axes = [_coded(axis, known, subject.names[i]) for axis, known, i in zip(given, names, indices, strict=True)]
    return axes, tuple(axis if known is None else own for axis, known, own in zip(axes, names, given, strict=True))


def _observed(subject: Subject, index: int, size: int) -> Array:
    column = subject.rows[:, index]
    values = np.unique(column[np.isfinite(column)]).astype(np.float64)
    if not len(values):
        raise ParameterError(f"Feature {subject.names[index]!r} has no finite value in the data. Give a `grid`.")
    types = subject.handle.feature_types
    if len(values) <= size or (types and types[index] == "c"):  # there is nothing between two categories
        return values
    return np.unique(np.quantile(column[np.isfinite(column)].astype(np.float64), np.linspace(0, 1, size)))


def _points(subject: Subject, indices: list[int], axes: list[Array]) -> Array:
    """Return a row for each point of the grid; other features are missing."""
    values = np.array(list(itertools.product(*axes)))
    points = np.full((len(values), len(subject.names)), np.nan, dtype=np.float32)
    points[:, indices] = values
    return points


def _curves(subject: Subject, indices: list[int], points: Array, scale: Scale) -> Array:
    """Return points x rows x outputs."""
    found = []
    rows = subject.rows.copy()
    for point in points:
        rows[:, indices] = point[indices]
        found.append(subject.predict(rows, scale))
    return np.stack(found)


def _shaped(values: Array, axes: list[Array]) -> Array:
    """Turn points [x rows] x outputs into [rows x] [outputs x] grid; one output has no axis."""
    turned = np.moveaxis(values, 0, -1)
    turned = turned.reshape(*turned.shape[:-1], *(len(axis) for axis in axes))
    outputs_axis = turned.ndim - len(axes) - 1
    return turned.squeeze(outputs_axis) if turned.shape[outputs_axis] == 1 else turned
