# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""How predictions depend on one or two features while all others stay as they are, by predicting again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from .._booster import Booster
from .._data import DMatrix
from .._exceptions import DataError, ParameterError
from .._typing import Array, Floats
from .._unseen import UnseenLevels

_TAIL = 0.02  # of the values at either end, where a grid does not reach: there is hardly any data


@dataclass(frozen=True)
class Dependence:
    """Predictions over a grid of one or two features.

    `grids` has the values of each feature, `individual` predictions of shape (rows, points of the first
    feature[, of the second]), `observed` the values of each feature in the data.
    """

    grids: tuple[Floats, ...]
    individual: npt.NDArray[np.float64]
    observed: tuple[Floats, ...]

    @property
    def average(self) -> npt.NDArray[np.float64]:
        """The mean over the rows."""
        mean: npt.NDArray[np.float64] = self.individual.mean(axis=0)
        return mean


def table_of(model: Booster, data: Any, max_rows: int) -> Floats:
    """Return data as a dense table with the model's codes for categories, of so many rows, evenly taken."""
    matrix = data if isinstance(data, DMatrix) else DMatrix(data)
    model._validate_names(matrix.feature_names)
    if matrix.num_row() == 0:
        raise DataError("`data` has no rows.")
    if matrix.num_row() > max_rows:
        rows = np.linspace(0, matrix.num_row() - 1, max_rows).astype(np.int64)
        matrix = matrix.slice(rows, allow_groups=True)
    handle = model._coded(matrix._handle, UnseenLevels())
    dense = handle.to_dense()
    if dense is not None:
        return dense
    indptr, indices, values = handle.to_csr()
    table = np.full((handle.num_row(), handle.num_col()), np.nan, np.float32)
    starts = indptr.astype(np.int64)
    counts = starts[1:] - starts[:-1]
    table[np.repeat(np.arange(len(table)), counts), indices.astype(np.int64)] = values
    return table


def dependence(
    model: Booster, table: Floats, columns: Sequence[int], *, points: int, margin: bool, output: int
) -> Dependence:
    """Predict every row with each combination of the grid's values in place of its own."""
    grids = tuple(_grid(model, table[:, column], column, points) for column in columns)
    changed = np.array(table, order="F")
    cells = []
    for values in product(*grids):
        changed[:, list(columns)] = values
        cells.append(_predict(model, changed, margin, output))
    shape = (len(table), *(len(grid) for grid in grids))
    observed = tuple(table[:, column] for column in columns)
    return Dependence(grids, np.stack(cells, axis=1).reshape(shape).astype(np.float64), observed)


def _grid(model: Booster, values: Array, column: int, points: int) -> Floats:
    present = values[~np.isnan(values)]
    if not len(present):
        raise DataError(f"All values of feature {column} are missing in `data`.")
    different = np.unique(present)
    if len(different) <= points or (any(model._handle.categories) and model._handle.categories[column]):
        return different
    low, high = np.quantile(present, [_TAIL, 1 - _TAIL])
    return np.linspace(low, high, points).astype(np.float32) if low < high else different[[0, -1]]


def _predict(model: Booster, table: Floats, margin: bool, output: int) -> Array:
    handle = DMatrix(table)._handle
    found = model._handle.predict(handle, "margin" if margin else "value", 0, 0, False)
    if not 0 <= output < found.shape[1]:
        raise ParameterError(f"`output` must be from 0 to {found.shape[1] - 1}; got {output}.")
    column: Array = found[:, output]
    return column
