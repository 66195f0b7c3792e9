# SPDX-License-Identifier: Apache-2.0
"""A model and the rows that it is explained by, as all functions of :mod:`xgb_like.explain` need them."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from .. import _core
from .._base._exceptions import DataError, ParameterError, names_of, whole
from .._base._libraries import is_foreign_model, model_content
from .._base._typing import Array, ArrayLike, Floats, Integer
from .._base._unseen import UnseenLevels
from .._data._matrix import DMatrix, matrix_for
from .._model._booster import Booster
from .._model._matching import coded, note_margins, validate_names

Feature: TypeAlias = "str | Integer"
Features: TypeAlias = "Feature | Sequence[Feature]"
Method: TypeAlias = Literal["brute", "weighted"]
Scale: TypeAlias = Literal["margin", "centred", "value"]

_SCALES = ("margin", "centred", "value")
_CHUNK_CELLS = 1 << 22


class Subject:
    """The rounds of a booster that predictions use, as it is when this is made, and rows in its codes of categories.

    Missing cells are NaN.
    """

    def __init__(self, model: Any, data: ArrayLike | DMatrix) -> None:
        booster = booster_of(model)._best()
        matrix = rows_for(model, booster, data)
        if matrix.feature_names:
            validate_names(booster, matrix.feature_names)
        self.handle = booster._handle.copy()
        expected = booster.num_features() or matrix.num_col()
        if matrix.num_col() != expected:
            raise DataError(f"The model was trained on {expected} features, but the data have {matrix.num_col()}.")
        unseen = UnseenLevels()
        self.known = coded(booster, matrix._handle, unseen)  # with all that a DMatrix knows of the rows
        self.rows = _dense(self.known)
        self._margins = self.known.get_float_info("base_margin")
        note_margins(booster, self.known, unseen)
        unseen.warn(self.handle)
        if not len(self.rows):
            raise DataError("The data have no rows; at least one is needed.")
        self.names = names_of(booster.feature_names or matrix.feature_names, expected)

    def index(self, feature: Feature) -> int:
        """Return the number of a feature that is given by name or number."""
        if isinstance(feature, str):
            if feature not in self.names:
                raise ParameterError(f"There is no feature {feature!r}. The model's are: {', '.join(self.names)}.")
            return self.names.index(feature)
        number = whole(feature, "features")
        if not 0 <= number < len(self.names):
            raise ParameterError(f"Features are numbered from 0 to {len(self.names) - 1}; got {number}.")
        return number

    def indices(self, features: Features) -> list[int]:
        """Return the numbers of one or two different features."""
        single = isinstance(features, str) or not hasattr(features, "__iter__")
        given: Sequence[Any] = [features] if single else list(features)  # type: ignore[arg-type]
        if len(given) not in (1, 2):
            raise ParameterError(f"`features` must be one feature or two; got {len(given)}.")
        found = [self.index(feature) for feature in given]
        if len(set(found)) < len(found):
            raise ParameterError(f"`features` must be different; got {self.names[found[0]]!r} twice.")
        return found

    def thin(self, chosen: Array) -> None:
        """Keep some of the rows only."""
        self.rows = self.rows[chosen]
        self._margins = self._margins[chosen] if self._margins.size else self._margins

    def predict(self, rows: Array, scale: Scale) -> Array:
        """Return predictions of changed rows, once or several times all of them: rows x outputs, in double."""
        kind = "value" if scale == "value" else "margin"
        matrix = core_matrix(rows)
        if self._margins.size:
            matrix.set_float_info("base_margin", np.tile(self._margins, (len(rows) // len(self.rows), 1)))
        return on_scale(self.handle.predict(matrix, kind, 0, 0, False), scale)

    def marginals(self, rows: Array, known: list[int], scale: Scale) -> Array:
        """Return margins if only some features are known, the others weighed by covers: rows x outputs."""
        return on_scale(self.handle.marginals(core_matrix(rows), sorted(known)), scale)

    def means(self, points: Array, known: list[int], scale: Scale) -> Array:
        """Return the mean prediction over the rows with the known features of each point: points x outputs."""
        found = []
        size = max(_CHUNK_CELLS // max(self.rows.size, 1), 1)
        for begin in range(0, len(points), size):
            chunk = points[begin : begin + size]
            rows = np.repeat(self.rows[np.newaxis], len(chunk), axis=0)
            rows[:, :, known] = chunk[:, np.newaxis, known]
            predicted = self.predict(rows.reshape(-1, rows.shape[2]), scale)
            found.append(predicted.reshape(len(chunk), len(self.rows), -1).mean(axis=1))
        return np.concatenate(found)


def is_model(source: Any) -> bool:
    """Whether :func:`booster_of` takes it for a model: a booster or an estimator, ours or of another library."""
    return isinstance(source, Booster) or callable(getattr(source, "get_booster", None)) or is_foreign_model(source)


def booster_of(model: Any, argument: str = "model") -> Booster:
    """Return the booster of an estimator, or the booster itself."""
    content = model_content(model)
    if content is not None:
        return Booster(model_file=content)
    booster = model.get_booster() if callable(getattr(model, "get_booster", None)) else model
    if not isinstance(booster, Booster):
        raise ParameterError(
            f"`{argument}` must be a Booster, or an estimator whose get_booster() returns one; got "
            f"{type(model).__name__}."
        )
    return booster


def rows_for(model: Any, booster: Booster, data: ArrayLike | DMatrix, missing: float | None = None) -> DMatrix:
    """Return a matrix of rows for a model, whose booster is known; if not told, an estimator says what is missing."""
    marker = getattr(model, "missing", None) if missing is None else missing
    return matrix_for(booster._handle, data, missing=marker)


def check_method(subject: Subject, method: str, scale: str) -> None:
    """Raise unless a method and a scale are known and go together, and with the model and its rows."""
    if method not in ("brute", "weighted"):
        raise ParameterError(f"`method` must be brute or weighted; got {method!r}.")
    if scale not in _SCALES:
        raise ParameterError(f"`scale` must be one of {', '.join(_SCALES)}; got {scale!r}.")
    if method == "weighted" and scale == "value":
        raise ParameterError("`method` weighted averages margins. Use `scale` margin or centred, or `method` brute.")
    if method == "weighted" and subject.known.get_float_info("base_margin").size:
        raise ParameterError(
            "`method` weighted knows no rows, so that the base margins of `X` would not count. Use `method` brute, or "
            "leave `base_margin` out."
        )
    if scale == "centred" and subject.handle.num_outputs() == 1:
        raise ParameterError("`scale` centred is 0 everywhere for a model of one output. Use `scale` margin.")


def on_scale(predictions: Array, scale: Scale) -> Array:
    """Return predictions in double; on the centred scale the outputs of a row add up to 0."""
    values = predictions.astype(np.float64)
    return values - values.mean(axis=-1, keepdims=True) if scale == "centred" else values


def core_matrix(rows: Array) -> _core.DMatrix:
    """Return rows as the engine takes them, for one call."""
    return _core.DMatrix.from_dense(np.ascontiguousarray(rows, dtype=np.float32), np.nan, 0, "call")


def _dense(handle: _core.DMatrix) -> Floats:
    table = handle.to_dense()
    if table is not None:
        return table
    indptr, columns, values = handle.to_csr()
    ends = indptr.astype(np.int64)
    rows = np.full((handle.num_row(), handle.num_col()), np.nan, dtype=np.float32)
    rows[np.repeat(np.arange(len(rows)), ends[1:] - ends[:-1]), columns] = values
    return rows
