# SPDX-License-Identifier: Apache-2.0
"""Partial dependence, individual conditional expectation, and how strongly features interact."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from reprlib import repr as shortened
from typing import Any

import numpy as np

from .. import _core
from .._base._exceptions import ParameterError, name_of, whole
from .._base._typing import Array, ArrayLike, Integer
from .._data._matrix import DMatrix
from ._subject import Features, Method, Scale, Subject, booster_of, check_method


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
    names, curves = tuple(subject.names[i] for i in indices), None
    if individual:
        curves = _curves(subject, indices, points, scale)
        average = curves.mean(axis=1)
    else:
        average = (subject.marginals if method == "weighted" else subject.means)(points, indices, scale)
    return PartialDependence(names, shown, _shaped(average, axes), None if curves is None else _shaped(curves, axes))


def category_names(subject: Subject, index: int) -> Array | None:
    """Return the names, or numbers, of a feature's categories by their codes; None if it has none."""
    known = subject.handle.categories
    found = known[index] if any(known) else None
    if isinstance(found, tuple):
        return np.asarray(found[0]).astype(found[1])
    return None if found is None else np.asarray(found)


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
        pairs = zip(axes, names, strict=True)
        return axes, tuple(axis if known is None else known[axis.astype(np.int64)] for axis, known in pairs)
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


@dataclass(frozen=True)
class DependenceSteps:
    """How the margin depends on one feature, with the others averaged out by the covers of splits.

    Attributes
    ----------
    feature : str
        Its name.
    edges : ndarray or None
        Where it changes, in rising order. An edge belongs to the step above it. None for categories.
    values : ndarray
        Of shape (edges + 1,): the margin on each step. For categories, values by code; the last one stands for all
        higher codes. With several outputs of shape (outputs, edges + 1).
    missing : float or ndarray
        The margin where the feature is missing; one for each output if there are several.
    """

    feature: str
    edges: Array | None
    values: Array
    missing: Any

    def at(self, x: ArrayLike) -> Array:
        """Return the margin at some values of the feature, of shape (values,) or (outputs, values).

        Parameters
        ----------
        x
            Values, or codes of categories; NaN is missing.
        """
        points = np.atleast_1d(np.asarray(x, dtype=np.float32))
        absent = np.isnan(points)
        last = self.values.shape[-1] - 1
        if self.edges is not None:
            steps = np.searchsorted(self.edges, points, side="right")
        else:  # what is no category counts as one that no split knows
            known = (points >= 0) & (points < last)
            steps = np.where(known, np.where(known, points, 0).astype(np.int64), last)
        found = self.values[..., np.where(absent, 0, steps)]
        return np.where(absent, np.asarray(self.missing)[..., np.newaxis], found)


def dependence_steps(model: Any) -> dict[str, DependenceSteps]:
    """Return how the margin depends on each feature that trees split on. Takes one pass over the model.

    These are the exact functions that :func:`partial_dependence` with ``method="weighted"`` gives at single points. No
    data are needed.

    Parameters
    ----------
    model
        A booster of trees, or an estimator that has one.

    Returns
    -------
    dict of str to DependenceSteps
        By name.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> from xgb_like.explain import dependence_steps
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    >>> booster = xgb.train({"min_child_weight": 0, "lambda": 0}, xgb.DMatrix(X, X[:, 0] + 2 * X[:, 1]), 50)
    >>> found = dependence_steps(booster)["f1"]
    >>> found.at([0.0, 1.0]).round(2).tolist()
    [0.5, 2.5]
    """
    booster = booster_of(model)._best()
    handle = booster._handle.copy()
    names = booster.feature_names
    # A row without values, which takes no memory for columns.
    nothing = np.zeros(2, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32)
    row = _core.DMatrix.from_csr(*nothing, booster.num_features(), np.nan, 0, "call")
    means = handle.marginals(row, [])[0].astype(np.float64)
    found = {}
    for feature, categorical, edges, values, missing in handle.dependence_steps():
        name = name_of(feature, names)
        ours = None if categorical else edges
        found[name] = DependenceSteps(name, ours, _by_output((values + means).T), _by_output(missing + means))
    return found


def _by_output(values: Array) -> Any:
    return values[0] if len(values) == 1 else values


def h_statistic(
    model: Any,
    X: ArrayLike | DMatrix,
    features: Features,
    *,
    method: Method = "brute",
    scale: Scale = "margin",
    max_rows: Integer = 200,
    seed: Integer = 0,
) -> float | Array:
    """Return how much of the effect of features is interaction: 0 for none, 1 for all of it.

    Parameters
    ----------
    model
        A booster, or an estimator that has one.
    X
        Rows at which, and over which, partial dependence is taken.
    features
        Two features by name or number, or one, which is compared with all others together.
    method, scale
        As in :func:`partial_dependence`.
    max_rows
        Rows are drawn if there are more: the brute method predicts the square of their number.
    seed
        Of the draw.

    Returns
    -------
    float or ndarray
        H, the square root of Friedman and Popescu's H squared: the share of the variance of partial dependence on both
        that partial dependence on each does not explain. One for each output if there are several. 0 if the features
        have no effect at all.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> from xgb_like.explain import h_statistic
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 3)).astype(float)
    >>> booster = xgb.train({"base_score": 0, "max_depth": 2}, xgb.DMatrix(X, X[:, 0] + X[:, 1] * X[:, 2]), 50)
    >>> h_statistic(booster, X, [0, 1]) < 0.05 < h_statistic(booster, X, [1, 2])
    True
    """
    if whole(max_rows, "max_rows") < 1:
        raise ParameterError(f"`max_rows` must be at least 1; got {max_rows}.")
    subject = Subject(model, X)
    check_method(subject, method, scale)
    indices = subject.indices(features)
    if len(subject.rows) > max_rows:
        drawn = np.random.default_rng(whole(seed, "seed")).choice(len(subject.rows), int(max_rows), replace=False)
        subject.thin(np.sort(drawn))
    others = [i for i in range(len(subject.names)) if i != indices[0]]
    parts = [[i] for i in indices] if len(indices) == 2 else [indices, others]
    whole_effect = _effect(subject, sorted({i for part in parts for i in part}), method, scale)
    rest = whole_effect - sum(_effect(subject, part, method, scale) for part in parts)
    total = (whole_effect**2).sum(axis=0)
    share = np.divide((rest**2).sum(axis=0), total, out=np.zeros_like(total), where=total > 0)
    found = np.sqrt(share)
    return float(found[0]) if len(found) == 1 else found


def _effect(subject: Subject, known: list[int], method: Method, scale: Scale) -> Array:
    """Return partial dependence at each row, with a mean of 0: rows x outputs."""
    if not known:
        return np.zeros((len(subject.rows), subject.handle.num_outputs()))
    if len(known) == len(subject.names):
        values = subject.predict(subject.rows, scale)
    else:
        values = (subject.marginals if method == "weighted" else subject.means)(subject.rows, known, scale)
    return values - values.mean(axis=0)
