# SPDX-License-Identifier: Apache-2.0
"""Explanations, where programs written for XGBoost look for them; :mod:`xgb_like.explain` has more."""

from typing import Any

from ._base._exceptions import DataError
from ._base._typing import ArrayLike, Floats, IterationRange
from ._data._matrix import DMatrix
from ._explain._subject import booster_of, rows_for

__all__ = ["shap_values"]


def shap_values(
    model: Any,
    X: ArrayLike | DMatrix,
    *,
    X_background: ArrayLike | DMatrix | None = None,
    output_margin: bool = False,  # noqa: ARG001  XGBoost has it without an effect, too
    iteration_range: IterationRange | None = None,
    missing: float | None = None,
    validate_features: bool = True,
) -> tuple[Floats, Floats]:
    """Return what each feature adds to the margin of each row, and the bias, which is the same for all rows.

    Parameters
    ----------
    model : Booster or estimator
        The model.
    X
        The rows to explain.
    X_background
        Rows from which unknown features take their values: see `background` of :meth:`Booster.predict`.
    output_margin
        Makes no difference: margins are explained.
    iteration_range
        As in :meth:`Booster.predict`.
    missing
        The value in arrays that stands for a missing cell. By default that of the estimator, or NaN.
    validate_features
        Whether the names of the features must be those of the training data.

    Returns
    -------
    values : ndarray of shape (rows, features) or (rows, outputs, features)
    bias : ndarray of shape (rows,) or (rows, outputs)

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> from xgb_like.interpret import shap_values
    >>> X = np.arange(20.0).reshape(10, 2)
    >>> model = xgb.XGBRegressor(n_estimators=3).fit(X, X[:, 0])
    >>> values, bias = shap_values(model, X)
    >>> bool(np.allclose(values.sum(axis=1) + bias, model.predict(X)))
    True
    """
    booster = booster_of(model)
    if missing is not None and isinstance(X, DMatrix):
        raise DataError("`missing` must not be specified when `X` is a DMatrix: it has one of its own.")
    contributions = booster.predict(
        rows_for(model, booster, X, missing),
        pred_contribs=True,
        iteration_range=iteration_range or (0, 0),
        validate_features=validate_features,
        background=None if X_background is None else rows_for(model, booster, X_background, missing),
    )
    return contributions[..., :-1], contributions[..., -1]
