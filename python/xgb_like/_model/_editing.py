# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""The part of :class:`Booster` that makes models of models, without training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._base._checks import real, whole
from .._base._exceptions import ParameterError
from .._base._typing import ArrayLike, Integer
from .._base._unseen import UnseenLevels
from .._data._as_trained import matrix_for
from .._data._matrix import DMatrix
from ._files import ModelFiles
from ._matching import Matching

if TYPE_CHECKING:
    from typing_extensions import Self


class Editing(Matching, ModelFiles):
    """Merges, refits and corrects models."""

    def merge(self, other: Any, *, add_intercept: bool = True) -> Self:
        """Return a model whose margins are the sum of the margins of this model and another.

        Parameters
        ----------
        other : Booster
            A model with the same objective, outputs and features. Its rounds come after those of this model.
        add_intercept
            Whether the intercept of `other` counts. It then becomes part of its first trees. It must not count if
            `other` was trained with the margins of this model as ``base_margin``.
        """
        if not isinstance(other, Editing):
            raise ParameterError(f"`other` must be a Booster; got {type(other).__name__}.")
        return self._like_this(self._handle.merge(other._handle, bool(add_intercept)))

    def refit(self, data: DMatrix | ArrayLike, label: ArrayLike | None = None, decay: float = 0.9) -> Self:
        """Return a model with the same trees and leaves fitted to other data.

        All rounds are refitted. The best round of early stopping stays the same.

        Parameters
        ----------
        data
            A DMatrix with labels, or data that it can be made from.
        label
            The labels, if `data` is not a DMatrix.
        decay
            The share of a leaf's old value that is kept. The rest comes from the data, round after round.
        """
        if isinstance(data, DMatrix) and label is not None:
            raise ParameterError("`label` must be part of `data` if that is a DMatrix: use data.set_label().")
        matrix = matrix_for(self._handle, data, label, feature_types=self._types())
        self._validate_names(matrix.feature_names)
        unseen = UnseenLevels()
        coded = self._coded(matrix._handle, unseen)
        self._note_margins(coded, unseen)
        unseen.warn(self._handle)
        return self._like_this(self._handle.refit(coded, real(decay, "decay", 0, 1)))

    def _types(self) -> list[str] | None:
        return list(self._handle.feature_types) or None

    def rollback_one_iter(self) -> Self:
        """Take back the last round, and return the booster.

        This includes what the objective learned in that round, such as the position bias of ``lambdarank_unbiased``,
        unless the round comes from a file: files have only the last state.
        """
        self._handle.roll_back()
        return self

    def set_leaf_output(self, tree_id: Integer, leaf_id: Integer, value: ArrayLike) -> Self:
        """Set the value of a leaf, and return the booster.

        Parameters
        ----------
        tree_id
            The number of the tree.
        leaf_id
            The number of the leaf, as ``predict(pred_leaf=True)`` gives it.
        value
            A number, or one for each output of a tree with vector leaves.
        """
        tree, leaf = whole(tree_id, "tree_id"), whole(leaf_id, "leaf_id")
        if tree < 0 or leaf < 0:
            raise ParameterError(f"`tree_id` and `leaf_id` must not be negative; got {tree} and {leaf}.")
        values = np.atleast_1d(np.asarray(value, dtype=np.float32))
        self._handle.set_leaf(tree, leaf, values.tolist())
        return self
