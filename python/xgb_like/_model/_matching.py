# SPDX-License-Identifier: Apache-2.0
"""Brings data in line with a model: names and order of features, codes of categories, and the rounds that count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from .. import _core
from .._base._exceptions import DataError
from .._base._names import name_of
from .._base._typing import Array
from .._base._unseen import UnseenLevels
from .._data._fields import copy_info
from .._data._ingest import Table
from .._data._recode import Known, recode_matrix
from ._state import BoosterState

_MOST_SHOWN = 5
_T = TypeVar("_T")


class Matching(BoosterState):
    """What predicting, refitting and training ask of data before the engine sees them."""

    _growing = False  # while train() adds rounds: the best one is not known yet

    def _best_rounds(self) -> int:
        """Return how many rounds count after early stopping; 0 is all."""
        found = None if self._growing else self._handle.attributes().get("best_iteration")
        if found is None or self._handle.is_linear():
            return 0
        rounds = int(found) + 1 if found.isdecimal() else 0
        if rounds < 1:
            raise DataError(
                f"The attribute `best_iteration` of the booster must be the number of a round; got {found!r}. Remove "
                "it with set_attr(best_iteration=None), or pass `iteration_range`."
            )
        return rounds if rounds < self._handle.num_boosted_rounds() else 0

    def _coded(self, matrix: _core.DMatrix, unseen: UnseenLevels, by_name: bool = True) -> _core.DMatrix:
        """Return the matrix as the training data were: in the order of columns, codes of categories, and kinds."""
        is_first = unseen.is_first_look(matrix)
        order = order_of(matrix.feature_names, self._handle.feature_names) if by_name else None
        if order is not None:
            matrix = reordered_matrix(matrix, order)
        if self._handle.num_features() and (any(matrix.categories) or any(self._handle.categories)):
            matrix = recode_matrix(matrix, Known.of_model(self._handle), unseen)
        if is_first:
            self._note_codes(matrix, unseen)
        return matrix

    def _note_codes(self, matrix: _core.DMatrix, unseen: UnseenLevels) -> None:
        """Note codes of categories that the model does not know."""
        for feature, values, certain in self._handle.unseen_codes(matrix):
            names = self._handle.feature_names or matrix.feature_names
            unseen.add_codes(name_of(feature, names), values, certain)

    def _note_margins(self, matrix: _core.DMatrix, unseen: UnseenLevels) -> None:
        """Note that rows begin without margins, unlike those of the training."""
        if self._handle.began_from_margins() and not matrix.get_float_info("base_margin").size:
            unseen.add_margins()

    def _validate_table(self, shape: tuple[int, int], names: Sequence[str] | None) -> None:
        if names is not None:
            self._validate_names(names)
        expected = self._handle.num_features()
        if expected and shape[1] != expected:  # 0: before the first round, any will do
            raise DataError(
                f"Feature shape mismatch, expected: {expected}, got {shape[1]}. Give the columns that the model was "
                "trained with."
            )

    def _validate_names(self, names: Sequence[str] | None) -> None:
        """Raise unless the names are those of the model, in any order; a model without names takes any."""
        ours = self._named().feature_names
        if not ours or list(names or []) == ours:
            return
        if not names:
            raise DataError(
                f"The data did not contain feature names, but the following fields are expected: {_some(ours)}. "
                "Name the columns or pass `validate_features=False`."
            )
        known, given = set(ours), set(names)
        absent, unknown = [n for n in ours if n not in given], [n for n in names if n not in known]
        if absent or unknown:
            raise DataError(_difference(absent, unknown, len(names), len(ours)))


def _difference(absent: Sequence[str], unknown: Sequence[str], given: int, expected: int) -> str:
    text = f"feature_names mismatch: the model has {expected} features, the data {given}."
    if absent:
        text += f"\nMissing: expected {_some(absent)} in the data."
    if unknown:
        text += f"\nExtra: the training data did not have the following fields: {_some(unknown)}."
    return text + "\nSelect the columns by `booster.feature_names`; `validate_features=False` goes by position."


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_SHOWN
    return ", ".join(names[:_MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")


def order_of(given: Sequence[str], wanted: Sequence[str]) -> list[int] | None:
    """Return where each wanted column is among the given ones; None if nothing is to be moved or names are others."""
    if not given or given == wanted or len(given) != len(wanted):
        return None
    places = {name: place for place, name in enumerate(given)}
    found = [places.get(name, -1) for name in wanted]
    return None if -1 in found else found


def reordered_table(table: Table, order: list[int]) -> Table:
    """Return a table whose columns stand in another order."""
    if table.layout == "dense":
        arrays: tuple[Array, ...] = (table.arrays[0][:, order],)
    else:  # rows: frames, the only ones with names, are dense or have rows
        indptr, indices, values = table.arrays
        arrays = (indptr, np.argsort(order)[indices], values)
    return replace(
        table,
        arrays=arrays,
        names=_picked(table.names, order) or None,
        types=_picked(table.types, order) or None,
        categories=_picked(table.categories, order),
    )


def _picked(values: Sequence[_T] | None, order: list[int]) -> list[_T]:
    return [values[place] for place in order] if values else []


def reordered_matrix(matrix: _core.DMatrix, order: list[int], use: str = "call") -> _core.DMatrix:
    """Return a matrix for a `use` whose columns stand in another order, and that knows the same of its rows."""
    table = matrix.to_dense()
    if table is not None:
        moved = _core.DMatrix.from_dense(table[:, order], np.nan, 0, use)
    else:
        indptr, indices, values = matrix.to_csr()
        places = np.argsort(order).astype(np.uint32)
        moved = _core.DMatrix.from_csr(indptr, places[indices], values, matrix.num_col(), np.nan, 0, use)
    copy_info(matrix, moved)
    weights = matrix.get_float_info("feature_weights")
    moved.set_float_info("feature_weights", weights[order] if len(weights) else weights)
    moved.feature_names = _picked(matrix.feature_names, order)
    moved.feature_types = _picked(matrix.feature_types, order)
    moved.categories = _picked(matrix.categories, order)
    return moved
