# SPDX-License-Identifier: Apache-2.0
"""What users' own objectives and metrics return, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._exceptions import DataError, ParameterError
from ._fields import to_array
from ._typing import Floats


def derivatives(grad: Any, hess: Any, num_rows: int) -> tuple[Floats, Floats]:
    """Return gradient and hessian as float32 matrices of rows x outputs."""
    gradient, hessian = _derivative("grad", grad, num_rows), _derivative("hess", hess, num_rows)
    if gradient.shape != hessian.shape:
        raise DataError(f"`grad` and `hess` must have the same shape; got {gradient.shape} and {hessian.shape}.")
    return gradient, hessian


def _derivative(name: str, values: Any, num_rows: int) -> Floats:
    array = to_array(name, values)
    if array.ndim not in (1, 2) or array.shape[0] != num_rows:
        raise DataError(
            f"`{name}` must have the shape ({num_rows},) or ({num_rows}, outputs): one row for each row of the data; "
            f"got {array.shape}."
        )
    with np.errstate(over="ignore"):
        matrix = array.astype(np.float32).reshape(num_rows, -1 if num_rows else 1)
    if not np.isfinite(matrix).all():
        row = int(np.flatnonzero(~np.isfinite(matrix).all(axis=1))[0])
        raise DataError(f"`{name}` must be finite float32 numbers; got {array[row]} in row {row}.")
    return np.ascontiguousarray(matrix)


def scores_of(returned: Any) -> list[tuple[str, float]]:
    """Return what a custom metric gave as a list of names and values."""
    pairs = returned if isinstance(returned, list) else [returned]
    return [_score(pair) for pair in pairs]


def _score(pair: Any) -> tuple[str, float]:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[0], str):
        raise ParameterError(f"A custom metric must return a name and a number, or a list of such pairs; got {pair!r}.")
    name, value = pair
    if isinstance(value, str):
        raise ParameterError(f"The value of metric {name!r} must be a number; got {value!r}.")
    try:
        return name, float(value)
    except (TypeError, ValueError):
        raise ParameterError(f"The value of metric {name!r} must be a number; got {value!r}.") from None
