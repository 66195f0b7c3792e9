# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""The part of :class:`Booster` that predicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._data import DMatrix, missing_value
from ._exceptions import DataError, ParameterError, UnsupportedDataError
from ._fields import float_field
from ._ingest import Table, is_column_format, is_path, read_table
from ._messages import warn
from ._recode import recode_matrix, recode_table
from ._state import BoosterState, check_matrix, whole
from ._typing import ArrayLike, Floats, IterationRange, OnUnseen
from ._unseen import UnseenLevels

if TYPE_CHECKING:
    from ._predictor import Predictor

_ALL_ROUNDS = (0, 0)
_MOST_ROUNDS = np.iinfo(np.int32).max


class Prediction(BoosterState):
    """Predictions of a model; safe to call from several threads at once."""

    def predict(
        self,
        data: DMatrix,
        *,
        output_margin: bool = False,
        pred_leaf: bool = False,
        pred_contribs: bool = False,
        approx_contribs: bool = False,
        pred_interactions: bool = False,
        validate_features: bool = True,
        training: bool = False,
        iteration_range: IterationRange = (0, 0),
        strict_shape: bool = False,
        on_unseen: OnUnseen | None = None,
    ) -> Floats:
        """Predict.

        Parameters
        ----------
        data
            The rows to predict.
        output_margin
            Return sums of leaves, without the objective's last step.
        pred_leaf
            Return the number of each row's leaf in each tree.
        pred_contribs, approx_contribs, pred_interactions
            Not computed by this version.
        validate_features
            Whether the names of the features must be those of the training data.
        training
            Predict what the next round of training starts from: a booster of kind ``dart`` leaves some trees out. Makes
            no difference otherwise.
        iteration_range
            The rounds to use, from the first up to, without, the second; ``(0, 0)`` is all of them. A linear model uses
            all of them in any case, and warns of it; the first must be 0.
        strict_shape
            Return the same number of dimensions for any model: (rows, outputs), and for leaves (rows, rounds, outputs,
            parallel trees).
        on_unseen
            What categories are that the training data did not have: ``missing``, with a warning, or ``error``. None is
            what :func:`set_config` says, which is ``missing`` at first.

        Returns
        -------
        ndarray of float32
            Of shape (rows,), or (rows, outputs) if there are several; for leaves (rows, trees).
        """
        _refuse_explanations(pred_contribs or approx_contribs, pred_interactions)
        matrix = check_matrix(data, "data")
        if validate_features:
            self._validate_names(matrix.feature_names)
        begin, end = _rounds(iteration_range)
        if begin == 0 < end < self._handle.num_boosted_rounds() and self._handle.is_linear():
            warn(f"`iteration_range` {(begin, end)} has no effect on a linear model: rounds change one set of weights.")
        kind = _kind(output_margin, pred_leaf, self._handle)
        unseen = UnseenLevels(on_unseen)
        handle = self._coded(matrix._handle, unseen)
        unseen.warn(self._handle)
        found = self._handle.predict(handle, kind, begin, end, bool(training))
        if not pred_leaf:
            return _shape(found, strict_shape)
        leaves = found.astype(np.float32)
        return self._by_round(leaves, begin, end) if strict_shape else _shape(leaves, False)

    def inplace_predict(
        self,
        data: ArrayLike,
        *,
        iteration_range: IterationRange = _ALL_ROUNDS,
        predict_type: str = "value",
        missing: float = np.nan,
        validate_features: bool = True,
        base_margin: ArrayLike | None = None,
        strict_shape: bool = False,
        on_unseen: OnUnseen | None = None,
    ) -> Floats:
        """Predict from an array or a data frame, without making a DMatrix.

        Parameters
        ----------
        data
            What a DMatrix can be made of, but for files and sparse matrices by column.
        iteration_range, strict_shape, on_unseen
            As in :meth:`predict`.
        predict_type
            ``value``, or ``margin`` for the sums of leaves.
        missing
            The value that stands for a missing cell.
        validate_features
            Whether the number of columns, and names if the data has some, must be those of the training data.
        base_margin
            Where to start from, in place of the model's own intercept.

        Returns
        -------
        ndarray of float32
        """
        if type(data) is np.ndarray and base_margin is None and on_unseen is None:  # as most requests of servers
            begin, end = (0, 0) if iteration_range is _ALL_ROUNDS else _rounds(iteration_range)
            cell = missing if type(missing) is float else missing_value(missing)
            margin = _is_margin(predict_type)
            quick = _core.predict_array(self._handle, data, margin, begin, end, cell, bool(strict_shape))
            if quick is not None:
                return quick
        margin = _is_margin(predict_type)
        if is_column_format(data) or is_path(data) or isinstance(data, DMatrix):
            raise UnsupportedDataError(
                f"Data type {type(data).__name__} is not supported by inplace prediction. Use predict(DMatrix(data)), "
                "or a CSR matrix in place of CSC and COO."
            )
        unseen = UnseenLevels(on_unseen)
        table = read_table(data, enable_categorical=True)
        if validate_features:
            self._validate_table(table.shape, table.names)
        categories = self._handle.categories
        if table.names and not table.categories:  # a frame, all of whose columns are numbers
            table = replace(table, categories=[None] * table.shape[1])
        if table.categories and any(categories):
            table = recode_table(table, categories, unseen)
            unseen.warn(self._handle)
        quick = (
            None if base_margin is not None else self._quickly(table, margin, iteration_range, missing, strict_shape)
        )
        if quick is not None:
            return quick
        matrix = table.to_core(missing_value(missing), 0, "call")
        if base_margin is not None:
            matrix.set_float_info("base_margin", float_field("base_margin", base_margin, table.shape[0]))
        kind = _kind(margin, False, self._handle)
        return _shape(self._handle.predict(matrix, kind, *_rounds(iteration_range), False), strict_shape)

    def _quickly(
        self, table: Table, margin: bool, iteration_range: IterationRange, missing: float, strict_shape: bool
    ) -> Floats | None:
        """Predict from the memory of a table as it is; None if that is not possible."""
        settings = (margin, *_rounds(iteration_range), missing_value(missing), bool(strict_shape))
        if table.layout == "csr":
            indptr, indices, values = table.arrays
            return _core.predict_csr(self._handle, (indptr, indices, values), table.shape[1], *settings)
        return _core.predict_array(self._handle, table.arrays[0], *settings) if table.layout == "dense" else None

    def predictor(
        self,
        *,
        iteration_range: IterationRange = (0, 0),
        predict_type: str = "value",
        missing: float = np.nan,
        strict_shape: bool = False,
    ) -> Predictor:
        """Return the model as it is now, for predictions only: for servers, where each call counts.

        Parameters
        ----------
        iteration_range, predict_type, missing, strict_shape
            As in :meth:`inplace_predict`, for all calls.

        Returns
        -------
        Predictor
        """
        from ._predictor import Predictor  # noqa: PLC0415  that module is above this one

        settings = {"iteration_range": _rounds(iteration_range), "predict_type": predict_type, "missing": missing}
        return Predictor(self, **settings, strict_shape=bool(strict_shape))  # type: ignore[arg-type]

    def _freeze(
        self, *, iteration_range: tuple[int, int], predict_type: str, missing: float, strict_shape: bool
    ) -> _core.FrozenPredictor | None:
        margin = _is_margin(predict_type)
        return _core.freeze(self._handle, margin, *iteration_range, missing_value(missing), strict_shape)

    def _coded(self, matrix: _core.DMatrix, unseen: UnseenLevels) -> _core.DMatrix:
        """Return the matrix with the model's codes of categories, if both have categories."""
        ours, theirs = matrix.categories, self._handle.categories
        return recode_matrix(matrix, theirs, unseen) if any(ours) and any(theirs) else matrix

    def _values(self, coded: _core.DMatrix, output_margin: bool) -> Floats:
        """Return margins or values of all rounds; the matrix has the model's codes of categories."""
        return _shape(self._handle.predict(coded, _kind(output_margin, False, self._handle), 0, 0, False), False)

    def _validate_table(self, shape: tuple[int, int], names: Sequence[str] | None) -> None:
        expected = self._handle.num_features()
        if expected and shape[1] != expected:  # 0: before the first round, any will do
            raise DataError(f"Feature shape mismatch, expected: {expected}, got {shape[1]}.")
        if names is not None:
            self._validate_names(names)

    def _validate_names(self, names: Sequence[str] | None) -> None:
        """Raise unless the names are those of the model; a model without names takes any."""
        ours = list(self._handle.feature_names)
        if not ours or list(names or []) == ours:
            return
        if not names:
            raise DataError(
                f"The data does not contain feature names, but these fields are expected: {', '.join(ours)}. "
                "Name the columns or pass `validate_features=False`."
            )
        text = f"feature_names mismatch: {ours} {list(names)}"
        absent, unknown = sorted(set(ours) - set(names)), sorted(set(names) - set(ours))
        if absent:
            text += f"\nexpected {', '.join(absent)} in the data"
        if unknown:
            text += f"\nthe training data did not have the following fields: {', '.join(unknown)}"
        if not absent and not unknown:
            text += "\nthe fields are the same, in another order"
        raise DataError(text)

    def _by_round(self, leaves: Floats, begin: int, end: int) -> Floats:
        """Return leaves of the rounds [begin, end) in the shape (rows, rounds, outputs, parallel trees)."""
        parallel = max(self._handle.num_parallel_tree(), 1)
        sizes = set(self._handle.trees_per_round()[begin : end or None])
        per_round = max(sizes, default=1)
        if len(sizes) > 1 or per_round % parallel:
            raise ParameterError(
                f"`strict_shape` with `pred_leaf` needs rounds of equal size; got {sorted(sizes)} trees a round, "
                f"{parallel} in parallel. Use strict_shape=False for leaves of shape (rows, trees)."
            )
        return leaves.reshape(leaves.shape[0], leaves.shape[1] // per_round, per_round // parallel, parallel)


def _refuse_explanations(contributions: bool, interactions: bool) -> None:
    if contributions or interactions:
        wanted = "pred_contribs" if contributions else "pred_interactions"
        raise NotImplementedError(
            f"`{wanted}`: this version does not compute contributions of features. Save the model and use the shap "
            "package, which reads its files."
        )


def _kind(margin: bool, leaf: bool, handle: _core.Booster) -> str:
    if leaf:
        return "leaf"
    if margin:
        return "margin"
    return "class" if handle.predicts_class() else "value"


def _is_margin(predict_type: str) -> bool:
    if predict_type not in ("value", "margin"):
        raise ParameterError(f"`predict_type` must be value or margin; got {predict_type!r}.")
    return predict_type == "margin"


def _rounds(iteration_range: Any) -> tuple[int, int]:
    try:
        begin, end = iteration_range
    except (TypeError, ValueError):
        raise ParameterError(f"`iteration_range` must be a pair of ints; got {iteration_range!r}.") from None
    first, last = whole(begin, "iteration_range"), whole(end, "iteration_range")
    if first < 0 or last < 0:
        raise ParameterError(f"`iteration_range` must not be negative; got {(first, last)}.")
    if max(first, last) > _MOST_ROUNDS:
        raise ParameterError(
            f"`iteration_range` must not go beyond the model's rounds; got {(first, last)}. Use (0, 0) for all."
        )
    return first, last


def _shape(found: Floats, strict: bool) -> Floats:
    return found.reshape(-1) if not strict and found.shape[1] == 1 else found
