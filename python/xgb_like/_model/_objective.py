# SPDX-License-Identifier: Apache-2.0
"""Custom objectives as classes, for those that need more than margins and data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from .._base._typing import ArrayLike, Floats

if TYPE_CHECKING:
    from .._data._matrix import DMatrix

__all__ = ["Objective", "TreeObjective"]


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
