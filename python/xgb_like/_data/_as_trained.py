# SPDX-License-Identifier: Apache-2.0
"""Reads data that a model gets instead of a matrix, in the way its training data were read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _core
from .._base._typing import ArrayLike
from ._categories import Categories
from ._matrix import DMatrix
from ._recode import Known


def matrix_for(
    model: _core.Booster,
    data: ArrayLike | DMatrix,
    label: ArrayLike | None = None,
    *,
    feature_types: Sequence[str] | None = None,
    **settings: Any,
) -> DMatrix:
    """Return a matrix of the data: plain texts are categories where the model has some. A matrix stays what it is.

    Parameters
    ----------
    model
        The model that the data are for.
    data
        Data of any kind, or a matrix.
    label
        The labels, if there are some.
    feature_types
        The types of features if the model knows no labels of categories.
    **settings
        Other arguments of :class:`DMatrix`.
    """
    if isinstance(data, DMatrix):
        return data
    known = Known.of_model(model)
    template = Categories(model.feature_names, known.categories, is_category=known.is_category)
    return DMatrix(data, label, feature_types=feature_types if template.empty() else template, **settings)
