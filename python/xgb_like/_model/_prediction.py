# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""The part of :class:`Booster` that predicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._base._checks import whole
from .._base._exceptions import ParameterError, UnsupportedDataError
from .._base._keywords import tolerate_positions
from .._base._messages import warn
from .._base._typing import ArrayLike, Floats, IterationRange, OnUnseen
from .._base._unseen import UnseenLevels, warn_of_margins
from .._data._arguments import missing_value
from .._data._categories import texts_of
from .._data._fields import float_field
from .._data._ingest import Table, is_column_format, is_path, read_table
from .._data._matrix import DMatrix, check_matrix
from .._data._recode import Known, recode_table
from ._matching import Matching, order_of, reordered_table
from ._similarity import leaf_similarity

_EXPLANATIONS = ("contributions", "path_contributions", "interactions", "path_interactions")
if TYPE_CHECKING:
    from ._predictor import Predictor

_MOST_ROUNDS = np.iinfo(np.int32).max


class Prediction(Matching):
    """Predicts; safe to call from several threads at once."""

    @tolerate_positions
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
        background: DMatrix | None = None,
    ) -> Floats:
        """Predict, or explain predictions.

        Parameters
        ----------
        data
            The rows to predict.
        output_margin
            Return sums of leaves, without the objective's last step.
        pred_leaf
            Return the number of each row's leaf in each tree.
        pred_contribs
            Return what each feature adds to the margin of each row. These are exact Shapley values: an unknown feature
            sends a row both ways at a split, as often as the training data went either way. The last column is the
            bias: what the model predicts when it knows nothing. A row adds up to its margin.
        approx_contribs
            With one of the other two: use Saabas's method, which does not give Shapley values. A feature gets the
            change of the mean of the leaves below at its splits on the row's path.
        pred_interactions
            Return Shapley interaction values of all pairs of features. Either side of the diagonal has half of an
            interaction, and the diagonal has the rest; rows add up to `pred_contribs`.
        validate_features
            Whether the names of the features must be those of the training data. Columns in another order are
            reordered. Without it, columns are taken by position.
        training
            Predict what the next round of training starts from: ``dart`` leaves some trees out. Makes no difference for
            other boosters.
        iteration_range
            The rounds to use, from the first up to but not including the second. ``(0, 0)`` means all of them, or those
            up to the best if training stopped early; ``(0, booster.num_boosted_rounds())`` always means all. It also
            holds for leaves and contributions. A linear model always uses all rounds, and warns about it; the first
            must be 0.
        strict_shape
            Return the same number of dimensions for any model: (rows, outputs), and for leaves (rows, rounds, outputs,
            parallel trees).
        on_unseen
            How to treat categories that the training data did not have: ``missing``, with a warning, or ``error``. With
            ``missing``, unknown codes without labels go where a split sends codes that it does not list, as in XGBoost.
            In models that XGBoost trained, codes up to the highest that a split lists count as known, because their
            files do not say more. None means what :func:`set_config` says, by default ``missing``.
        background
            With `pred_contribs`: a few hundred rows, from which unknown features take their values instead of the rule
            above (interventional Shapley values). The bias is the mean margin of these rows. Their weights count.

        Returns
        -------
        ndarray of float32
            Of shape (rows,), or (rows, outputs) if there are several; for leaves (rows, trees). Contributions have one
            more axis, the last one, of length features + 1; interactions have two. With one output they are (rows,
            features + 1) and (rows, features + 1, features + 1).

        Examples
        --------
        >>> import numpy as np
        >>> import xgb_like as xgb
        >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
        >>> data = xgb.DMatrix(X, X[:, 0] + 2 * X[:, 1])
        >>> booster = xgb.train({"min_child_weight": 0}, data, 10)
        >>> contributions = booster.predict(data, pred_contribs=True)
        >>> contributions.shape
        (4, 3)
        >>> bool(np.allclose(contributions.sum(axis=1), booster.predict(data, output_margin=True)))
        True
        """
        self._check_model()
        asked = {"margin": output_margin, "leaf": pred_leaf}
        explanations = {"contributions": pred_contribs, "interactions": pred_interactions}
        kind = _kind_of(self._handle, asked | explanations, approx_contribs)
        _check_background(background, kind)
        matrix = check_matrix(data, "data")
        for given in (matrix, background):
            if validate_features and given is not None:
                self._validate_names(given.feature_names)
        begin, end = _rounds(iteration_range) if training else self._rounds_of(iteration_range)
        if begin == 0 < end < self._handle.num_boosted_rounds() and self._handle.is_linear():
            warn(f"`iteration_range` {(begin, end)} has no effect on a linear model: rounds change one set of weights.")
        unseen = UnseenLevels(on_unseen)
        handle = self._coded(matrix._handle, unseen, validate_features)
        other = None if background is None else self._coded(background._handle, unseen, validate_features)
        if kind != "leaf":
            self._note_margins(handle, unseen)
        unseen.warn(self._handle)
        if kind in _EXPLANATIONS:
            explained = self._handle.explain(handle, kind, begin, end, other)
            return explained[:, 0] if explained.shape[1] == 1 and not strict_shape else explained
        found = self._handle.predict(handle, kind, begin, end, bool(training))
        if not pred_leaf:
            return _shape(found, strict_shape)
        leaves = found.astype(np.float32)
        return self._by_round(leaves, begin, end) if strict_shape else _shape(leaves, False)

    def inplace_predict(
        self,
        data: ArrayLike,
        *,
        iteration_range: IterationRange = (0, 0),
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
            Anything that a DMatrix can be made from, except files and sparse matrices by column; or a list of dicts, by
            the names of features. If the model has text categories, plain text works.
        iteration_range, strict_shape, on_unseen
            As in :meth:`predict`.
        predict_type
            ``value``, or ``margin`` for the sums of leaves.
        missing
            The value that stands for a missing cell.
        validate_features
            Whether the number of columns, and their names if they have some, must be those of the training data.
            Columns in another order are reordered.
        base_margin
            Where to start, instead of the model's own intercept.

        Returns
        -------
        ndarray of float32
        """
        if not (self._num_columns or self._loaded):  # saves the call, which counts for single rows
            self._check_model()
        if type(data) is np.ndarray and base_margin is None and on_unseen is None:  # as most requests of servers
            begin, end = self._rounds_of(iteration_range)
            cell = missing if type(missing) is float else missing_value(missing)
            margin = _is_margin(predict_type)
            quick = _core.predict_array(self._handle, data, margin, begin, end, cell, bool(strict_shape))
            if quick is not None:
                found, lacks_margins = quick
                if lacks_margins:
                    warn_of_margins(self._handle)
                return found
        margin = _is_margin(predict_type)
        if is_column_format(data) or is_path(data) or isinstance(data, DMatrix):
            raise UnsupportedDataError(
                f"Data type {type(data).__name__} is not supported by inplace prediction. Use predict(DMatrix(data)), "
                "or a CSR matrix in place of CSC and COO."
            )
        unseen = UnseenLevels(on_unseen)
        table = self._read(data, validate_features, unseen)
        if base_margin is None:
            quick = self._quickly(table, margin, iteration_range, missing, strict_shape)
            if quick is not None:
                found, lacks_margins = quick
                if lacks_margins:
                    unseen.add_margins()
                unseen.warn(self._handle)
                return found
        matrix = table.to_core(missing_value(missing), 0, "call")
        if base_margin is not None:
            matrix.set_float_info("base_margin", float_field("base_margin", base_margin, table.shape[0]))
        self._note_codes(matrix, unseen)
        self._note_margins(matrix, unseen)
        unseen.warn(self._handle)
        kind = _kind(margin, False, self._handle)
        return _shape(self._handle.predict(matrix, kind, *self._rounds_of(iteration_range), False), strict_shape)

    def _read(self, data: ArrayLike, validate_features: bool, unseen: UnseenLevels) -> Table:
        """Return rows as the training data were, but for codes without labels."""
        texts = texts_of(self._handle.feature_names, self._handle.categories)
        table = read_table(_as_column(data, self._handle.num_features()), enable_categorical=True, texts=texts)
        if validate_features:
            self._validate_table(table.shape, table.names)
            order = order_of(table.names or [], self._handle.feature_names)
            table = table if order is None else reordered_table(table, order)
        if self._handle.num_features() and (table.categories or any(self._handle.categories)):
            table = recode_table(table, Known.of_model(self._handle), unseen)
        return table

    def _quickly(
        self, table: Table, margin: bool, iteration_range: IterationRange, missing: float, strict_shape: bool
    ) -> tuple[Floats, bool] | None:
        """Predict from the memory of a table as it is; None if that is not possible, or codes are not known.

        The second is whether rows begin without margins, unlike those of the training.
        """
        settings = (margin, *self._rounds_of(iteration_range), missing_value(missing), bool(strict_shape))
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
        """Return the model as it is now, for predictions only. For servers, where the time of each call matters.

        Parameters
        ----------
        iteration_range, predict_type, missing, strict_shape
            As in :meth:`inplace_predict`, for all calls.

        Returns
        -------
        Predictor
        """
        self._check_model()
        from ._predictor import Predictor  # noqa: PLC0415  that module is above this one

        return Predictor(
            self,  # type: ignore[arg-type]
            iteration_range=iteration_range,
            predict_type=predict_type,
            missing=missing,
            strict_shape=strict_shape,
        )

    def compute_leaf_similarity(self, data: DMatrix, reference: DMatrix, weight_type: str = "uniform") -> Floats:
        """Return how alike rows of two matrices are to the model: the share of trees in which they reach the same leaf.

        Parameters
        ----------
        data, reference
            The rows to compare. Give the same matrix twice for all pairs of its rows.
        weight_type
            The weight of a tree: ``uniform`` is the same for each, ``gain`` and ``cover`` are sums over its splits.

        Returns
        -------
        ndarray of float32
            Of shape (rows of data, rows of reference), from 0 to 1. After early stopping, the trees are those that
            :meth:`predict` uses.
        """
        return leaf_similarity(self, data, reference, weight_type)

    def _freeze(
        self, *, iteration_range: tuple[int, int], predict_type: str, missing: float, strict_shape: bool
    ) -> _core.FrozenPredictor | None:
        margin = _is_margin(predict_type)
        return _core.freeze(self._handle, margin, *iteration_range, missing_value(missing), strict_shape)

    def _values(self, coded: _core.DMatrix, output_margin: bool) -> Floats:
        """Return margins or values of all rounds; the matrix has the model's codes of categories."""
        return _shape(self._handle.known_predictions(coded, _kind(output_margin, False, self._handle)), False)

    def _rounds_of(self, iteration_range: Any) -> tuple[int, int]:
        """Return the rounds to use; if none are named, those up to the best one after early stopping."""
        begin, end = _rounds(iteration_range)
        return (begin, end) if begin or end else (0, self._best_rounds())

    def _by_round(self, leaves: Floats, begin: int, end: int) -> Floats:
        """Return leaves of the rounds [begin, end) in the shape (rows, rounds, outputs, parallel trees)."""
        if any(self._handle.vector_trees()):
            raise ParameterError(
                "`strict_shape` with `pred_leaf` is not defined for vector leaf trees, which have one leaf for all "
                "outputs. Use strict_shape=False for leaves of shape (rows, trees)."
            )
        parallel = max(self._handle.num_parallel_tree(), 1)
        sizes = set(self._handle.trees_per_round()[begin : end or None])
        per_round = max(sizes, default=1)
        if len(sizes) > 1 or per_round % parallel:
            raise ParameterError(
                f"`strict_shape` with `pred_leaf` needs rounds of equal size; got {sorted(sizes)} trees a round, "
                f"{parallel} in parallel. Use strict_shape=False for leaves of shape (rows, trees)."
            )
        return leaves.reshape(leaves.shape[0], leaves.shape[1] // per_round, per_round // parallel, parallel)


def _kind_of(handle: _core.Booster, asked: dict[str, bool], approximate: bool) -> str:
    """Return what is asked for, by the engine's name."""
    chosen = [kind for kind, wanted in asked.items() if wanted]
    if len(chosen) > 1:
        raise ParameterError(
            "One type of prediction at a time: choose one of `output_margin`, `pred_leaf`, `pred_contribs` and "
            "`pred_interactions`."
        )
    if chosen and chosen[0] in _EXPLANATIONS:
        return ("path_" if approximate else "") + chosen[0]
    if approximate:
        warn("`approx_contribs` has no effect without `pred_contribs` or `pred_interactions`.")
    return _kind(chosen == ["margin"], chosen == ["leaf"], handle)


def _as_column(data: Any, num_features: int) -> Any:
    """Return values of the only feature of a model as a table."""
    alone = isinstance(data, np.ndarray) and data.ndim == 1 and num_features == 1
    return data.reshape(-1, 1) if alone else data


def _check_background(background: DMatrix | None, kind: str) -> None:
    if background is None:
        return
    check_matrix(background, "background")
    if kind != "contributions":
        raise ParameterError("`background` goes with `pred_contribs=True` alone.")


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
        raise ParameterError(
            f"`iteration_range` must be a pair of ints, such as (0, 10); got {iteration_range!r}."
        ) from None
    first, last = whole(begin, "iteration_range"), whole(end, "iteration_range")
    if first < 0 or last < 0:
        raise ParameterError(f"`iteration_range` must not be negative; got {(first, last)}. Use (0, 0) for all rounds.")
    if max(first, last) > _MOST_ROUNDS:
        raise ParameterError(
            f"`iteration_range` must not go beyond the model's rounds; got {(first, last)}. Use (0, 0) for all."
        )
    return first, last


def _shape(found: Floats, strict: bool) -> Floats:
    return found.reshape(-1) if not strict and found.shape[1] == 1 else found
