# SPDX-License-Identifier: Apache-2.0
"""Brings data in line with a model: names and order of features, codes of categories, and the rounds that count."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

import numpy as np

from .. import _core
from .._base._exceptions import DataError, listed, name_of
from .._base._typing import Array
from .._base._unseen import UnseenLevels
from .._data._arrays import Table
from .._data._fields import copy_info
from .._data._matrix import DMatrix
from .._data._recode import Known, check_kinds, kinds_of_model, recode_matrix
from ._state import BoosterState

_MOST_SHOWN = 5
_OF_EARLY_STOPPING = {"best_iteration", "best_score"}
_T = TypeVar("_T")


def best_rounds(booster: BoosterState) -> int:
    """Return how many rounds count after early stopping; 0 is all."""
    found = None if booster._growing else booster._handle.attributes().get("best_iteration")
    if found is None or booster._handle.is_linear():
        return 0
    rounds = int(found) + 1 if found.isdecimal() else 0
    if rounds < 1:
        raise DataError(
            f"The attribute `best_iteration` of the booster must be the number of a round; got {found!r}. Remove "
            "it with set_attr(best_iteration=None), or pass `iteration_range`."
        )
    return rounds if rounds < booster._handle.num_boosted_rounds() else 0


def coded(booster: BoosterState, matrix: _core.DMatrix, unseen: UnseenLevels, by_name: bool = True) -> _core.DMatrix:
    """Return the matrix as the training data were: in the order of columns, codes of categories, and kinds."""
    is_first = unseen.is_first_look(matrix)
    order = order_of(matrix.feature_names, booster._handle.feature_names) if by_name else None
    if order is not None:
        matrix = reordered_matrix(matrix, order)
    if booster._handle.num_features() and not _same_labels(booster._handle, matrix):
        matrix = recode_matrix(matrix, Known.of_model(booster._handle), unseen)
    if is_first:
        note_codes(booster, matrix, unseen)
    return matrix


def _same_labels(model: _core.Booster, matrix: _core.DMatrix) -> bool:
    """Whether the categories have the codes that they have in the model, as those of most matrices do."""
    ours, theirs = model.labelled(), matrix.labelled()
    if not any(ours) and not any(theirs):
        return True
    typed = all(kind == "c" for kind, labelled in zip(matrix.feature_types, theirs, strict=False) if labelled)
    return typed and ours == theirs and model.has_labels_of(matrix)


def note_codes(booster: BoosterState, matrix: _core.DMatrix, unseen: UnseenLevels) -> None:
    """Note codes of categories that the model does not know."""
    for feature, values, certain in booster._handle.unseen_codes(matrix):
        names = booster._handle.feature_names or matrix.feature_names
        unseen.add_codes(name_of(feature, names), values, certain)


def note_margins(booster: BoosterState, matrix: _core.DMatrix, unseen: UnseenLevels) -> None:
    """Note that rows begin without margins, unlike those of the training."""
    if booster._handle.began_from_margins() and not matrix.get_float_info("base_margin").size:
        unseen.add_margins()


def validate_table(booster: BoosterState, shape: tuple[int, int], names: Sequence[str] | None) -> None:
    if names is not None:
        validate_names(booster, names)
    expected = booster._handle.num_features()
    if expected and shape[1] != expected:  # 0: before the first round, any will do
        raise DataError(
            f"Feature shape mismatch, expected: {expected}, got {shape[1]}. Give the columns that the model was "
            "trained with."
        )


def validate_names(booster: BoosterState, names: Sequence[str] | None) -> None:
    """Raise unless the names are those of the model, in any order; a model without names takes any."""
    ours = booster._named().feature_names
    if not ours or list(names or []) == ours:
        return
    if not names:
        raise DataError(
            "The data did not contain feature names, but the following fields are expected: "
            f"{listed(ours, _MOST_SHOWN)}. Name the columns or pass `validate_features=False`."
        )
    known, given = set(ours), set(names)
    absent, unknown = [n for n in ours if n not in given], [n for n in names if n not in known]
    if absent or unknown:
        text = f"feature_names mismatch: the model has {len(ours)} features, the data {len(names)}."
        if absent:
            text += f"\nMissing: expected {listed(absent, _MOST_SHOWN)} in the data."
        if unknown:
            text += f"\nExtra: the training data did not have the following fields: {listed(unknown, _MOST_SHOWN)}."
        raise DataError(
            f"{text}\nSelect the columns by `booster.feature_names`; `validate_features=False` goes by position."
        )


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


def adopt(booster: BoosterState, matrix: DMatrix) -> list[str]:
    """Take names and types of features from the first matrix, and return which; all others must agree with them."""
    handle = booster._named()
    own = {"feature_names": handle.feature_names, "feature_types": handle.feature_types}
    if own["feature_names"]:
        validate_names(booster, matrix.feature_names)
        if matrix.feature_names != own["feature_names"]:
            raise DataError(
                "feature_names mismatch: the features are the same, in another order. Train on "
                "data[booster.feature_names], or by train(), which puts them in order."
            )
    columns = matrix.num_col()
    known = handle.num_features() or columns
    for field, values in own.items():
        if len(values) not in (0, known):
            raise DataError(f"`{field}` of the booster must fit the data: it has {len(values)} for {columns} columns.")
    if not handle.has_labels_of(matrix._handle):
        raise DataError(
            "The categories of `dtrain` are not those of the model, or stand in another order. Build it as "
            "DMatrix(..., feature_types=booster.get_categories())."
        )
    # Another number of columns is for the engine to judge: there is nothing to take then.
    adopted = [field for field, values in own.items() if not values and getattr(matrix, field) and columns == known]
    for field in adopted:
        setattr(handle, field, getattr(matrix, field))
    booster._num_columns = booster._num_columns or columns
    return adopted


@contextmanager
def adopting(booster: BoosterState, matrix: DMatrix) -> Iterator[None]:
    """Adopt a matrix for a call of the engine; if that fails, give back what was taken from it."""
    if not matrix.num_col():
        raise DataError("`dtrain` has no columns: 0 feature is supplied, and training needs at least one.")
    if booster._handle.num_boosted_rounds() and matrix.num_col() == booster._handle.num_features():
        check_kinds(matrix._handle, kinds_of_model(booster._handle))
    columns, adopted = booster._num_columns, []
    try:
        adopted = adopt(booster, matrix)
        yield
    except BaseException:
        for field in adopted:
            setattr(booster._handle, field, [])
        booster._num_columns = columns
        raise


def has_grown(booster: BoosterState) -> None:
    """Forget the best round of an earlier training, unless train() is at it, which looks after that itself."""
    booster._has_drawn = True
    attributes = booster._handle.attributes()
    if not booster._growing and attributes.keys() & _OF_EARLY_STOPPING:
        kept = {name: value for name, value in attributes.items() if name not in _OF_EARLY_STOPPING}
        booster._handle.set_attributes(kept)
