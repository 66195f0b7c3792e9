# SPDX-License-Identifier: Apache-2.0
"""Reads anything that holds a table into one of the three shapes that the engine takes.

A dense table stays the user's own memory where it can (a float32 array, or a frame that is one float32 block); sparse
stays sparse; frames of mixed columns become one float32 table, column by column, without a second copy in between.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from numbers import Number
from typing import Any, Literal

import numpy as np

from .. import _core
from .._base._exceptions import DataError, UnsupportedDataError
from .._base._messages import warn
from .._base._optional import is_instance, loaded
from .._base._other_libraries import library_of_matrix, named, remedy
from .._base._typing import Array, CategoryValues

_REAL = "biuf"  # numpy's kinds of real numbers
_TAKEN = "a numpy array, a list of rows, a scipy sparse matrix, or a pandas, polars or pyarrow table"


@dataclass(frozen=True)
class Table:
    """Features as arrays, and what their source says of the columns."""

    layout: Literal["dense", "csr", "csc"]
    arrays: tuple[Array, ...]  # dense: the table; csr and csc: indptr, indices, values
    shape: tuple[int, int]
    names: list[str] | None = None
    types: list[str] | None = None
    categories: list[CategoryValues] = field(default_factory=list)  # empty, or one per column

    def with_column(self, column: int, values: Array) -> Table:
        """Return a dense table in which one column is another."""
        table = np.array(self.arrays[0], dtype=np.float32, order="F")
        table[:, column] = values
        return replace(self, arrays=(table,))

    def to_core(self, missing: float, nthread: int, use: str) -> _core.DMatrix:
        """Hand the arrays to the engine for a `use`: matrix, batch or call."""
        if self.layout == "dense":
            return _core.DMatrix.from_dense(self.arrays[0], missing, nthread, use)
        indptr, indices, values = self.arrays
        if self.layout == "csr":
            return _core.DMatrix.from_csr(indptr, indices, values, self.shape[1], missing, nthread, use)
        return _core.DMatrix.from_csc(indptr, indices, values, self.shape[0], missing, nthread, use)


def read_table(data: Any, enable_categorical: bool, texts: Mapping[str, list[str]] = {}) -> Table:
    """Read features.

    Parameters
    ----------
    data
        An array, a list of rows, which may be dicts, a sparse matrix or a data frame.
    enable_categorical
        Whether columns of categories are allowed.
    texts
        The columns whose texts are categories, and the categories that are known of them; elsewhere text is refused.

    Raises
    ------
    DataError
        If it is no table of numbers and categories.
    UnsupportedDataError
        If it is of a type that cannot be read.
    """
    if isinstance(data, np.ndarray):
        return _array_table(data)
    if is_buffer(data):
        return _buffer_table(data)
    sparse = loaded("scipy.sparse")
    if sparse is not None and sparse.issparse(data):
        return _sparse_table(data)
    records = isinstance(data, (list, tuple)) and bool(data) and all(isinstance(row, Mapping) for row in data)
    if isinstance(data, (list, tuple)) and not records:
        return _array_table(_rows(data))
    from . import _frames  # noqa: PLC0415  it imports narwhals

    if records:
        return _frames.read_records(data, enable_categorical, texts)
    table = _frames.read_frame(data, enable_categorical, texts)
    if table is not None:
        return table
    if hasattr(data, "__array__") and not isinstance(data, np.generic):
        return _array_table(np.asarray(data))
    return _unknown_table(data)


def dense_table(array: Array) -> Table:
    """Return a two-dimensional array of real numbers as a table."""
    return Table("dense", (array,), (array.shape[0], array.shape[1]))


def real_array(array: Array, what: str) -> Array:
    """Return an array of a dtype that the engine reads, native in byte order; `what` is named if it is not one."""
    if isinstance(array, np.ma.MaskedArray):
        array = np.ma.filled(array.astype(np.float64), np.nan)
    if array.dtype == object:
        array = _numbers_of_objects(array, what)
    if array.dtype.kind not in _REAL:
        raise DataError(f"{what} must be real numbers; got dtype {array.dtype}. Convert it, for example by encoding.")
    if array.dtype.itemsize > np.dtype(np.float64).itemsize:
        array = array.astype(np.float64)
    if array.dtype == np.float16:
        array = array.astype(np.float32)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _numbers_of_objects(array: Array, what: str) -> Array:
    wrong = next((item for item in array.flat if isinstance(item, (str, bytes, complex))), None)
    if wrong is None:
        try:
            return array.astype(np.float64)
        except (TypeError, ValueError):
            wrong = next((item for item in array.flat if not _is_number(item)), None)
    raise DataError(f"{what} must be real numbers; got an object array with {wrong!r} in it.")


def _is_number(item: Any) -> bool:
    try:
        np.float64(item)
    except (TypeError, ValueError):
        return False
    return True


def _rows(data: list[Any] | tuple[Any, ...]) -> Array:
    try:
        return np.asarray(data)
    except ValueError as error:
        raise DataError(f"`data` must have rows of equal length: {error}") from None


def _unknown_table(data: Any) -> Table:
    """Read data of a class that none of the libraries brings as what it may be all the same: a sequence of rows."""
    kind = type(data).__name__
    unsupported = UnsupportedDataError(f"Not supported type for `data`: {kind}. Pass {_TAKEN}.")
    if library_of_matrix(data) is not None:
        raise UnsupportedDataError(f"Not supported type for `data`: {named(data)}. {remedy(data)}")
    if data is None or isinstance(data, (Number, bytes, bytearray, Mapping)):
        raise unsupported
    warn(f"`data` is of type {kind}, which is unknown: trying to read it as a sequence of rows.")
    if not (hasattr(data, "__len__") and hasattr(data, "__getitem__")):
        raise unsupported
    try:
        rows = list(data)
    except (LookupError, TypeError) as error:  # its items are not numbered
        raise unsupported from error
    return _array_table(_rows(rows))


def is_buffer(data: Any) -> bool:
    """Whether data is a range, or exports its memory to numpy, as array.array, memoryview and arrays of ctypes do."""
    if isinstance(data, (memoryview, range)):
        return True
    if isinstance(data, (bytes, bytearray)) or hasattr(data, "__array__"):  # text, most likely; and what knows better
        return False
    try:
        memoryview(data)
    except (TypeError, BufferError):
        return False
    return True


def buffer_array(data: Any, what: str) -> Array:
    """Return what `is_buffer` is true of as an array; `what` is named if it is not of numbers."""
    try:
        array = np.asarray(data)
    except (TypeError, ValueError) as error:
        raise DataError(f"{what} is a {type(data).__name__} that cannot be read: {error}") from None
    return real_array(array, what)


def _buffer_table(data: Any) -> Table:
    array = buffer_array(data, "`data`")
    if array.ndim == 1 and not isinstance(data, memoryview):
        warn(f"`data` is of type {type(data).__name__}, which has one dimension: it is read as one row.")
        array = array.reshape(1, -1)
    return _array_table(array)


def _array_table(array: Array) -> Table:
    if array.ndim < 2 and not array.size:
        raise DataError(
            "`data` is empty. Please reshape the input data into a 2-dimensional matrix: 0 rows have columns, too, as "
            "in np.empty((0, 3))."
        )
    if array.ndim != 2:
        raise DataError(
            f"Please reshape the input data into a 2-dimensional matrix: `data` has shape {array.shape}. "
            "Use data.reshape(-1, 1) for one feature or data.reshape(1, -1) for one row."
        )
    return dense_table(np.asarray(real_array(array, "`data`")))


def _sparse_table(data: Any) -> Table:
    if data.ndim != 2:
        raise DataError(f"`data` must be 2-dimensional; got a sparse array of shape {data.shape}.")
    if data.format not in ("csr", "csc", "coo"):
        warn(f"`data` is a {type(data).__name__}: it is converted to CSR, which costs time and memory.")
    layout: Literal["csr", "csc"] = "csc" if data.format == "csc" else "csr"
    matrix = data if data.format == layout else _to_csr(data)
    lines = matrix.shape[layout == "csc"]
    if len(matrix.indptr) != lines + 1:
        raise DataError(
            f"`indptr` of sparse data must have {lines + 1} entries, one more than there are "
            f"{'columns' if layout == 'csc' else 'rows'}; got {len(matrix.indptr)}."
        )
    values = real_array(matrix.data, "`data`")
    return Table(layout, (matrix.indptr, matrix.indices, values), (matrix.shape[0], matrix.shape[1]))


def _to_csr(data: Any) -> Any:
    """Convert to CSR by way of COO; checked before, as scipy writes out of bounds if data contradict themselves."""
    try:
        _check_lists(data)
        listed = data if data.format == "coo" else data.tocoo()
        for index, length, what in zip((listed.row, listed.col), listed.shape, ("row", "column"), strict=True):
            _check_indices(np.asarray(index), length, what)
        return listed.tocsr()
    except DataError:
        raise
    except (IndexError, TypeError, ValueError) as error:
        raise DataError(f"`data` is a {type(data).__name__} that contradicts itself: {error}") from None


def _check_lists(data: Any) -> None:
    if data.format == "lil" and [len(row) for row in data.rows] != [len(row) for row in data.data]:
        raise DataError("`data` is a lil_matrix that contradicts itself: a row has not as many values as indices.")


def _check_indices(index: Array, length: int, what: str) -> None:
    outside = index[(index < 0) | (index >= length)]
    if len(outside):
        raise DataError(f"Sparse data has the {what} index {outside[0]}, but only {length} {what}s.")


def is_path(data: Any) -> bool:
    """Whether data is the name of a file."""
    return isinstance(data, (str, os.PathLike))


def is_column_format(data: Any) -> bool:
    """Whether data is a sparse matrix that has no cheap access by row."""
    return is_instance(data, "scipy.sparse", "csc_matrix", "csc_array", "coo_matrix", "coo_array")
