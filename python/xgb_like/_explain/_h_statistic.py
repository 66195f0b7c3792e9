# SPDX-License-Identifier: Apache-2.0
"""Friedman and Popescu's statistic of how strongly features interact."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._base._checks import whole
from .._base._exceptions import ParameterError
from .._base._typing import Array, ArrayLike, Integer
from .._data._matrix import DMatrix
from ._subject import Features, Method, Scale, Subject, check_method


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
    elif method == "weighted":
        values = subject.marginals(subject.rows, known, scale)
    else:
        values = subject.means(subject.rows, known, scale)
    return values - values.mean(axis=0)
