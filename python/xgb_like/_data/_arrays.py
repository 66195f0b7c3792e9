# SPDX-License-Identifier: Apache-2.0
"""Arrays of numbers, and the tables made of them that the engine takes."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from .. import _core
from .._base._exceptions import DataError
from .._base._typing import Array, CategoryValues

_REAL = "biuf"  # numpy's kinds of real numbers


@dataclass(frozen=True)
class Table:
    """Features as arrays, and what their source says of the columns."""

    layout: Literal["dense", "csr", "csc"]
    arrays: tuple[Array, ...]  # dense: the table; csr and csc: indptr, indices, values
    shape: tuple[int, int]
    names: list[str] | None = None
    types: list[str] | None = None
    categories: list[CategoryValues] = field(default_factory=list)  # empty, or one per column

    def with_column(self, column: int, values: Array) -> "Table":
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
