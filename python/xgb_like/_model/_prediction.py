# SPDX-License-Identifier: Apache-2.0
"""Predictions: what is asked for, of which rounds, and in what shape it is returned."""

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._base._exceptions import DataError, ParameterError, whole
from .._base._messages import warn
from .._base._typing import Array, ArrayLike, Floats, IterationRange
from .._base._unseen import MARGINS, UnseenLevels
from .._data._arrays import Table
from .._data._categories import texts_of
from .._data._fields import missing_value
from .._data._ingest import read_table
from .._data._matrix import DMatrix, check_matrix
from .._data._recode import Known, recode_table
from ._matching import best_rounds, order_of, reordered_table, validate_table
from ._state import BoosterState

if TYPE_CHECKING:
    from ._reading import Model


EXPLANATIONS = ("contributions", "path_contributions", "interactions", "path_interactions")

_MOST_ROUNDS = np.iinfo(np.int32).max


def read_rows(booster: BoosterState, data: ArrayLike, validate_features: bool, unseen: UnseenLevels) -> Table:
    """Return rows as the training data were, but for codes without labels."""
    texts = texts_of(booster._handle.feature_names, booster._handle.categories)
    if isinstance(data, np.ndarray) and data.ndim == 1 and booster._handle.num_features() == 1:
        data = data.reshape(-1, 1)  # values of the only feature
    table = read_table(data, enable_categorical=True, texts=texts)
    if validate_features:
        validate_table(booster, table.shape, table.names)
        order = order_of(table.names or [], booster._handle.feature_names)
        table = table if order is None else reordered_table(table, order)
    if booster._handle.num_features() and (table.categories or any(booster._handle.categories)):
        table = recode_table(table, Known.of_model(booster._handle), unseen)
    return table


def quickly(
    booster: BoosterState, table: Table, settings: tuple[bool, int, int, float, bool]
) -> tuple[Floats, bool] | None:
    """Predict from the memory of a table as it is; None if that is not possible, or codes are not known.

    The settings are whether margins are asked for, the rounds, the missing value, and whether shapes are strict. The
    second is whether rows begin without margins, unlike those of the training.
    """
    if table.layout == "csr":
        indptr, indices, values = table.arrays
        return _core.predict_csr(booster._handle, (indptr, indices, values), table.shape[1], *settings)
    return _core.predict_array(booster._handle, table.arrays[0], *settings) if table.layout == "dense" else None


def freeze(
    booster: BoosterState, *, iteration_range: tuple[int, int], predict_type: str, missing: float, strict_shape: bool
) -> _core.FrozenPredictor | None:
    margin = is_margin(predict_type)
    return _core.freeze(booster._handle, margin, *iteration_range, missing_value(missing), strict_shape)


def known_values(booster: BoosterState, coded: _core.DMatrix, output_margin: bool) -> Floats:
    """Return margins or values of all rounds; the matrix has the model's codes of categories."""
    return shaped(
        booster._handle.known_predictions(coded, kind_of_values(output_margin, False, booster._handle)), False
    )


def rounds_of(booster: BoosterState, iteration_range: Any) -> tuple[int, int]:
    """Return the rounds to use; if none are named, those up to the best one after early stopping."""
    begin, end = rounds_in(iteration_range)
    return (begin, end) if begin or end else (0, best_rounds(booster))


def by_round(booster: BoosterState, leaves: Floats, begin: int, end: int) -> Floats:
    """Return leaves of the rounds [begin, end) in the shape (rows, rounds, outputs, parallel trees)."""
    if any(booster._handle.vector_trees()):
        raise ParameterError(
            "`strict_shape` with `pred_leaf` is not defined for vector leaf trees, which have one leaf for all "
            "outputs. Use strict_shape=False for leaves of shape (rows, trees)."
        )
    parallel = max(booster._handle.num_parallel_tree(), 1)
    sizes = set(booster._handle.trees_per_round()[begin : end or None])
    per_round = max(sizes, default=1)
    if len(sizes) > 1 or per_round % parallel:
        raise ParameterError(
            f"`strict_shape` with `pred_leaf` needs rounds of equal size; got {sorted(sizes)} trees a round, "
            f"{parallel} in parallel. Use strict_shape=False for leaves of shape (rows, trees)."
        )
    return leaves.reshape(leaves.shape[0], leaves.shape[1] // per_round, per_round // parallel, parallel)


def kind_of(handle: _core.Booster, asked: dict[str, bool], approximate: bool) -> str:
    """Return what is asked for, by the engine's name."""
    chosen = [kind for kind, wanted in asked.items() if wanted]
    if len(chosen) > 1:
        raise ParameterError(
            "One type of prediction at a time: choose one of `output_margin`, `pred_leaf`, `pred_contribs` and "
            "`pred_interactions`."
        )
    if chosen and chosen[0] in EXPLANATIONS:
        return ("path_" if approximate else "") + chosen[0]
    if approximate:
        warn("`approx_contribs` has no effect without `pred_contribs` or `pred_interactions`.")
    return kind_of_values(chosen == ["margin"], chosen == ["leaf"], handle)


def check_background(background: DMatrix | None, kind: str) -> None:
    if background is None:
        return
    check_matrix(background, "background")
    if kind != "contributions":
        raise ParameterError("`background` goes with `pred_contribs=True` alone.")


def kind_of_values(margin: bool, leaf: bool, handle: _core.Booster) -> str:
    if leaf:
        return "leaf"
    if margin:
        return "margin"
    return "class" if handle.predicts_class() else "value"


def is_margin(predict_type: str) -> bool:
    if predict_type not in ("value", "margin"):
        raise ParameterError(f"`predict_type` must be value or margin; got {predict_type!r}.")
    return predict_type == "margin"


def rounds_in(iteration_range: Any) -> tuple[int, int]:
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


def shaped(found: Floats, strict: bool) -> Floats:
    return found.reshape(-1) if not strict and found.shape[1] == 1 else found


# How alike rows are to a model: by the leaves that they share (Breiman's proximity).
_WEIGHTS = ("uniform", "gain", "cover")
_CELLS = 1_000_000  # that are worked on at a time: they stay in the cache, and Ctrl-C is heard between two


def leaf_similarity(booster: "Model", data: DMatrix, reference: DMatrix, weight_type: str) -> Floats:
    """Return the weighted share of trees in which a row of each matrix ends in the same leaf: rows x reference rows."""
    if weight_type not in _WEIGHTS:
        raise ParameterError(
            f"Unknown `weight_type` {weight_type!r}: weight_type must be one of {', '.join(_WEIGHTS)}."
        )
    booster = copy(booster)  # training may go on meanwhile: all that follows is of the same trees
    model = booster._handle
    if model.is_linear():
        raise ParameterError("Leaf similarity is only defined for models of trees; this one is gblinear.")
    if any(model.vector_trees()):
        raise ParameterError(
            "Leaf similarity does not support multi_output_tree, whose leaves are vectors. "
            "Train with multi_strategy=one_output_per_tree."
        )
    for given, name in ((data, "data"), (reference, "reference")):
        check_matrix(given, name)
    # The leaf of each row in each tree: trees x rows.
    leaves, others = (np.atleast_2d(booster.predict(rows, pred_leaf=True).T) for rows in (data, reference))
    weights = _weights(model, len(leaves), weight_type)
    similarity = np.empty((data.num_row(), reference.num_row()), np.float32)
    block = max(1, _CELLS // max(1, reference.num_row()))
    for begin in range(0, data.num_row(), block):
        rows = slice(begin, begin + block)
        sums = np.zeros(similarity[rows].shape)
        for leaf, other, weight in zip(leaves, others, weights, strict=True):
            sums += weight * (leaf[rows, np.newaxis] == other)
        similarity[rows] = sums
    return similarity


def _weights(model: _core.Booster, trees: int, weight_type: str) -> Array:
    """Return the weights of the first trees, which add up to 1: equal ones if no split tells them apart."""
    weights: Array = np.ones(trees)
    if weight_type != "uniform":
        nodes = model.nodes()
        splits = (nodes["left"] >= 0) & (nodes["tree"] < trees)
        sums = np.bincount(nodes["tree"][splits], nodes[weight_type][splits], minlength=trees)
        weights = sums if sums.any() else weights
    weights /= max(weights.sum(), np.finfo(np.float64).tiny)
    return weights


class Predictor:
    """Predicts with a model as it was when this was made. Safe to use from several threads at once.

    Made by :meth:`Booster.predictor`. Later changes to the booster, such as more rounds or other parameters, do not
    affect it. A two-dimensional float32 array is fastest. It can be pickled and copied.

    Parameters
    ----------
    booster
        The model.
    iteration_range, predict_type, missing, strict_shape
        As in :meth:`Booster.inplace_predict`, for all calls.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> rows = np.arange(20, dtype=np.float32).reshape(10, 2)
    >>> booster = xgb.train({"max_depth": 2}, xgb.DMatrix(rows, label=rows[:, 0]), num_boost_round=3)
    >>> predictor = booster.predictor()
    >>> bool(predictor.predict(rows[:1])[0] == booster.inplace_predict(rows)[0])
    True
    >>> buffer = np.empty(10, dtype=np.float32)
    >>> predictor.predict(rows, out=buffer) is buffer
    True
    """

    __slots__ = ("_booster", "_frozen", "_settings")

    def __init__(
        self,
        booster: "Model",
        *,
        iteration_range: IterationRange = (0, 0),
        predict_type: str = "value",
        missing: float = np.nan,
        strict_shape: bool = False,
    ) -> None:
        if not isinstance(booster, BoosterState):
            raise ParameterError(
                f"`booster` must be a Booster; got {booster!r} of type {type(booster).__name__}. "
                "Booster(model_file=…) makes one of estimators, of files and of models of XGBoost and LightGBM."
            )
        self._booster = booster.copy()
        self._settings: dict[str, Any] = {
            "iteration_range": rounds_of(self._booster, iteration_range),
            "predict_type": predict_type,
            "missing": missing,
            "strict_shape": bool(strict_shape),
        }
        self._frozen: _core.FrozenPredictor | None = freeze(self._booster, **self._settings)

    def __getstate__(self) -> dict[str, Any]:
        return {**getattr(self, "__dict__", {}), "_booster": self._booster, "_settings": self._settings}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._frozen = freeze(self._booster, **self._settings)

    def predict(self, data: ArrayLike, *, out: Floats | None = None) -> Floats:
        """Predict.

        Parameters
        ----------
        data
            What :meth:`Booster.inplace_predict` takes.
        out
            Where to write the predictions: a float32 array in C order of their shape. None is a new one.

        Returns
        -------
        ndarray of float32
            `out` if that is given.

        Raises
        ------
        DataError
            If the data or `out` do not fit.
        """
        if self._frozen is not None and type(data) is np.ndarray:  # masked arrays are not
            quick = self._frozen.predict(data, out)
            if quick is not None:
                found, lacks_margins = quick
                if lacks_margins:
                    warn(MARGINS, booster=self._booster._handle)
                return found
        found = self._booster.inplace_predict(data, **self._settings)
        if out is None:
            return found
        given: Any = out
        fits = isinstance(given, np.ndarray) and given.dtype == np.float32 and given.shape == found.shape
        if not fits or not given.flags.c_contiguous or not given.flags.writeable:
            raise DataError(
                f"`out` must be a writable float32 array in C order of shape {found.shape}; got "
                f"{getattr(out, 'dtype', type(out).__name__)} of shape {getattr(out, 'shape', ())}."
            )
        out[...] = found
        return out

    def __repr__(self) -> str:
        return f"<xgb_like.Predictor of {self._booster!r}>"
