# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""Partial dependence on every feature at once. For trees it is a step function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from .._base._names import name_of
from .._base._typing import Array, ArrayLike
from ._subject import booster_of


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
    means = handle.marginals(_empty_row(booster.num_features()), [])[0].astype(np.float64)
    found = {}
    for feature, categorical, edges, values, missing in handle.dependence_steps():
        name = name_of(feature, names)
        ours = None if categorical else edges
        found[name] = DependenceSteps(name, ours, _by_output((values + means).T), _by_output(missing + means))
    return found


def _empty_row(columns: int) -> _core.DMatrix:
    """Return a row without values, which takes no memory for columns."""
    ends, indices, values = np.zeros(2, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32)
    return _core.DMatrix.from_csr(ends, indices, values, columns, np.nan, 0, "call")


def _by_output(values: Array) -> Any:
    return values[0] if len(values) == 1 else values
