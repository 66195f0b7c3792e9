# SPDX-License-Identifier: Apache-2.0
"""Data whose categories stand in another order than the training set's, brought to the same codes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from . import _core
from ._categories import recode
from ._exceptions import DataError
from ._fields import copy_info
from ._ingest import Table
from ._names import name_of
from ._typing import CategoryValues
from ._unseen import UnseenLevels


def recode_table(table: Table, model: Sequence[CategoryValues], unseen: UnseenLevels) -> Table:
    """Return a dense table with the codes of `model`."""
    _check(table.categories, model, table.names or [])
    for column in _columns_to_change(table.categories, model):
        name = name_of(column, table.names)
        codes = table.arrays[0][:, column]
        table = table.with_column(column, recode(codes, table.categories[column], model[column], name, unseen))
    return table


def recode_matrix(matrix: _core.DMatrix, model: Sequence[CategoryValues], unseen: UnseenLevels) -> _core.DMatrix:
    """Return the matrix itself if its codes are those of `model`, else a new one that knows the same of its rows."""
    data = matrix.categories
    _check(data, model, matrix.feature_names)
    columns = _columns_to_change(data, model)
    if not columns:
        return matrix
    indptr, indices, values = matrix.to_csr()
    values = values.copy()
    names = matrix.feature_names
    for column in columns:
        cells = indices == column
        name = name_of(column, names)
        values[cells] = recode(values[cells], data[column], model[column], name, unseen)
    changed = _core.DMatrix.from_csr(indptr, indices, values, matrix.num_col(), np.nan, 0, "call")
    copy_info(matrix, changed)
    changed.feature_names, changed.feature_types = names, matrix.feature_types
    return changed


def _check(data: Sequence[CategoryValues], model: Sequence[CategoryValues], names: Sequence[str]) -> None:
    for column, (ours, theirs) in enumerate(zip(data, model, strict=False)):
        if (ours is None) != (theirs is None):
            name = name_of(column, names)
            here, there = ("number", "category") if ours is None else ("category", "number")
            raise DataError(
                f"The data type doesn't match: feature {name!r} is a {here} here and a {there} in the training set."
            )


def _columns_to_change(data: Sequence[CategoryValues], model: Sequence[CategoryValues]) -> list[int]:
    pairs = enumerate(zip(data, model, strict=False))
    return [column for column, (ours, theirs) in pairs if ours is not None and ours != theirs]
