# SPDX-License-Identifier: Apache-2.0
"""Checks what users' own objectives and metrics return."""

from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Any

import numpy as np

from .._base._exceptions import DataError, ParameterError
from .._base._messages import warn
from .._base._typing import Array, ArrayLike, Floats
from .._data._fields import to_array
from .._data._matrix import DMatrix

__all__ = ["Objective", "TreeObjective"]


Pair = tuple[Floats, Floats]


def derive(fobj: Any, iteration: int, margins: Floats, matrix: DMatrix) -> tuple[Pair, Pair | None]:
    """Return what an objective of the user's makes of margins: derivatives, and those to choose splits by if others."""
    if not callable(fobj):
        raise ParameterError(f"`fobj` must be a function; got {fobj!r} of type {type(fobj).__name__}.")
    given = margins.reshape(-1) if margins.shape[1] == 1 else margins
    is_class = isinstance(fobj, Objective)
    grad, hess = _pair("The objective", fobj(iteration, given, matrix) if is_class else fobj(given, matrix))
    own = derivatives(grad, hess, matrix.num_row())
    chosen_by = fobj.split_grad(iteration, grad, hess) if isinstance(fobj, TreeObjective) else None
    if chosen_by is None:
        return own, None
    return own, derivatives(*_pair("`split_grad`", chosen_by), matrix.num_row(), " of `split_grad`")


def _pair(who: str, returned: Any) -> tuple[Any, Any]:
    if not isinstance(returned, (tuple, list)) or len(returned) != 2:
        raise ParameterError(
            f"{who} must return a gradient and a hessian; got {type(returned).__name__}. Return both: grad, hess."
        )
    return returned[0], returned[1]


def derivatives(grad: Any, hess: Any, num_rows: int, whose: str = "") -> Pair:
    """Return gradient and hessian as float32 matrices of rows x outputs; those that are it already, uncopied."""
    gradient, hessian = _derivative("grad", grad, num_rows, whose), _derivative("hess", hess, num_rows, whose)
    if gradient.shape != hessian.shape:
        raise DataError(f"`grad` and `hess`{whose} must have the same shape; got {gradient.shape} and {hessian.shape}.")
    return gradient, hessian


def _derivative(name: str, values: Any, num_rows: int, whose: str) -> Floats:
    array = _by_row(name, to_array(name, values), num_rows, whose)
    if array.ndim not in (1, 2) or array.shape[0] != num_rows or (num_rows and not array.size):
        raise DataError(
            f"`{name}`{whose} must have the shape ({num_rows},) or ({num_rows}, outputs): one row for each row of the "
            f"data; got {array.shape}."
        )
    with np.errstate(over="ignore"):
        matrix = array.astype(np.float32, order="C", copy=False).reshape(num_rows, -1 if num_rows else 1)
    if not np.isfinite(matrix).all():
        row = int(np.flatnonzero(~np.isfinite(matrix).all(axis=1))[0])
        raise DataError(f"`{name}`{whose} must be finite float32 numbers; got {array[row]} in row {row}.")
    return matrix


def _by_row(name: str, array: Array, num_rows: int, whose: str) -> Array:
    """Return the derivatives of several outputs that came in one row, as XGBoost once wanted them, by rows."""
    flat = array.ndim == 1 or (array.ndim == 2 and 1 in array.shape)
    if not flat or not num_rows or array.size <= num_rows or array.size % num_rows or len(array) == num_rows:
        return array
    warn(
        f"`{name}`{whose} has the shape {array.shape}: it is read as {num_rows} rows of {array.size // num_rows} "
        "outputs. Return that shape.",
        FutureWarning,
    )
    return array.reshape(num_rows, -1)


def scores_of(returned: Any) -> list[tuple[str, float]]:
    """Return what a custom metric gave as a list of names and values."""
    return [_score(pair) for pair in (returned if isinstance(returned, list) else [returned])]


def _score(pair: Any) -> tuple[str, float]:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[0], str):
        raise ParameterError(f"A custom metric must return a name and a number, or a list of such pairs; got {pair!r}.")
    name, value = pair
    with suppress(TypeError, ValueError):
        if not isinstance(value, str):
            return name, float(value)
    raise ParameterError(f"The value of metric {name!r} must be a number; got {value!r}.")


class Objective(ABC):
    """An objective that knows the round. Pass an instance as ``obj`` of :func:`train`."""

    @abstractmethod
    def __call__(self, iteration: int, y_pred: Floats, dtrain: DMatrix) -> tuple[ArrayLike, ArrayLike]:
        """Return gradient and hessian.

        Parameters
        ----------
        iteration
            The number of the round.
        y_pred
            Margins of the training rows, of shape (rows,), or (rows, outputs) if there are several: a separate array,
            which may be written to.
        dtrain
            The training data, with ``get_label()`` and ``get_weight()``: weights are for the objective to apply.

        Returns
        -------
        grad, hess : array_like
            First and second derivatives of the loss by the margins, of their shape. Arrays of float32 in C order are
            read in place.
        """


class TreeObjective(Objective):
    """An objective that may choose splits by other derivatives than those that leaves get their values from."""

    def split_grad(
        self,
        iteration: int,  # noqa: ARG002  for those who override it
        grad: ArrayLike,  # noqa: ARG002
        hess: ArrayLike,  # noqa: ARG002
    ) -> tuple[ArrayLike, ArrayLike] | None:
        """Return a gradient and a hessian to choose splits by, of fewer columns for speed; None: those of the call.

        For ``multi_strategy="multi_output_tree"`` only.

        Parameters
        ----------
        iteration
            The number of the round.
        grad, hess
            What the call returned.
        """
        return None
