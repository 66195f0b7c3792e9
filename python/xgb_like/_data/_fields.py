# SPDX-License-Identifier: Apache-2.0
"""Labels, weights, margins and query groups: converts anything like a column to the arrays that the engine takes."""

from collections import Counter
from contextlib import suppress
from typing import Any

import numpy as np

from .. import _core
from .._base._exceptions import DataError, UnsupportedDataError
from .._base._libraries import is_instance, require
from .._base._typing import Array, Counts, Floats, Integers
from ._arrays import buffer_array, is_buffer, real_array
from ._categories import Refused
from ._labels import plain_array

MATRICES = ("label", "base_margin")
_MOST_ROWS = np.iinfo(np.uint32).max
FLOAT_FIELDS = ("label", "weight", "base_margin", "label_lower_bound", "label_upper_bound", "feature_weights")


def float_field(name: str, data: Any, num_rows: int) -> Floats:
    """Return a field as float32: rows x outputs for labels and margins, one dimension for the others."""
    with np.errstate(over="ignore"):  # what overflows is inf, and refused as that where inf is not allowed
        values = to_array(name, data).astype(np.float32, copy=False)
    if name in MATRICES:
        return np.ascontiguousarray(_matrix(name, values, num_rows))
    return np.ascontiguousarray(_vector(name, values))


def copy_info(source: _core.DMatrix, target: _core.DMatrix) -> None:
    """Copy what one matrix knows about its rows, and its weights of columns, to another of the same rows."""
    target.set_group_ptr(source.get_group_ptr())
    for field in FLOAT_FIELDS:
        target.set_float_info(field, source.get_float_info(field))


def group_starts(sizes: Any) -> Counts:
    """Return where each query group begins, and where the last one ends, from the groups' sizes."""
    counts = _whole("group", sizes)
    if (counts < 0).any():
        raise DataError(f"Invalid group structure: sizes in `group` must be >= 0; got {counts[counts < 0][0]}.")
    if not len(counts):
        return np.empty(0, np.uint32)
    total = sum(counts.tolist())  # of Python's ints, which do not wrap
    if total > _MOST_ROWS:
        raise DataError(f"Invalid group structure: sizes in `group` add up to {total}; the most is {_MOST_ROWS}.")
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)


def query_starts(qid: Any, num_rows: int) -> Counts:
    """Return where each query group begins, and the number of rows, from the query of each row: a number or a text."""
    queries = _queries(qid)
    if not len(queries):
        return np.empty(0, np.uint32)
    if len(queries) != num_rows:
        raise DataError(f"`qid` must have one entry per row; got {len(queries)} for {num_rows} rows.")
    starts = np.flatnonzero(queries[1:] != queries[:-1]) + 1
    if queries.dtype == object:  # texts, whose order says nothing
        firsts = queries[np.concatenate([[0], starts])].tolist()
        if twice := [query for query, times in Counter(firsts).items() if times > 1]:
            raise DataError(
                f"`qid` must have the rows of each query one after the other; {twice[0]!r} comes again after others. "
                "Sort the rows by it."
            )
    elif (np.diff(queries) < 0).any():
        raise DataError("`qid` must be sorted in non-decreasing order along with data. Sort the rows by it.")
    return np.concatenate([[0], starts, [num_rows]]).astype(np.uint32)


def _queries(qid: Any) -> Array:
    """Return queries as whole numbers, or as objects if they are texts."""
    if getattr(getattr(qid, "dtype", None), "kind", None) not in ("O", "S", "U"):
        with suppress(DataError):
            return _whole("qid", qid)
    values = plain_array(qid)
    texts = np.array([isinstance(value, (str, bytes)) for value in values.flat], dtype=bool)
    if not texts.any():
        return _whole("qid", qid)
    if not texts.all():
        row = int(np.flatnonzero(~texts)[0])
        raise DataError(f"`qid` must be all numbers or all texts; got {values.flat[row]!r} in row {row}.")
    return _vector("qid", values).astype(object)


def _whole(name: str, data: Any) -> Integers:
    return whole_numbers(f"`{name}`", _vector(name, to_array(name, data)))


def whole_numbers(what: str, values: Array) -> Integers:
    """Return an array of whole numbers as int64; `what` is named if one is not."""
    with np.errstate(invalid="ignore"):  # of NaN, which is refused below
        whole = values.astype(np.int64)
    if not np.array_equal(whole, values):
        raise DataError(f"{what} must be integers; got {values[whole != values][0]}.")
    return whole


def to_array(name: str, data: Any) -> Array:
    """Return anything like a column or a table of numbers as an array; `name` is what errors call it."""
    if isinstance(data, np.ndarray):
        array = data
    elif isinstance(data, (list, tuple, range)):
        array = _from_list(name, data)
    elif is_instance(data, "pandas", "Series", "DataFrame"):
        array = _from_pandas(name, data)
    elif is_instance(data, "pyarrow", "Array", "ChunkedArray"):
        array = _from_other(name, require("pyarrow", name).table({name: data}))[:, 0]
    elif is_buffer(data):
        array = buffer_array(data, f"`{name}`")
    else:
        array = _from_other(name, data)
    return real_array(array, f"`{name}`")


def _from_list(name: str, data: Any) -> Array:
    try:
        return np.asarray(data) if len(data) else np.empty(0, np.float32)
    except ValueError as error:
        raise DataError(f"`{name}` must be a list of numbers or of rows of equal length: {error}") from None


def _from_pandas(name: str, data: Any) -> Array:
    dtypes = [data.dtype] if data.ndim == 1 else list(data.dtypes)
    if all(isinstance(dtype, np.dtype) for dtype in dtypes):
        return np.asarray(data)
    try:
        return np.asarray(data.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError):
        shown = ", ".join(str(dtype) for dtype in dict.fromkeys(dtypes))
        raise DataError(f"`{name}` must be real numbers; got dtype {shown}.") from None


def _from_other(name: str, data: Any) -> Array:
    from ._narwhals import columns_of, frame_of  # noqa: PLC0415  narwhals takes long to import

    frame = frame_of(data)
    if frame is None:
        if hasattr(data, "__array__") and not isinstance(data, np.generic):
            return np.asarray(data)
        raise UnsupportedDataError(
            f"Unsupported type for `{name}`: {type(data).__name__}. Pass an array, a list, a series or a data frame."
        )
    found = []
    for column in columns_of(frame):
        if isinstance(column, Refused) or column.kind == "c":
            shown = column.dtype if isinstance(column, Refused) else "category"
            raise DataError(f"`{name}` must be real numbers; got a column of type {shown}.")
        found.append(column.values)
    return np.column_stack(found)


def _vector(name: str, values: Array) -> Array:
    if values.ndim == 2 and 1 in values.shape:
        values = values.reshape(-1)
    if values.ndim != 1:
        raise DataError(f"Invalid shape for `{name}`: {values.shape}. It must have one dimension.")
    return values


def _matrix(name: str, values: Array, num_rows: int) -> Array:
    if values.ndim not in (1, 2):
        raise DataError(f"Invalid shape for `{name}`: {values.shape}. It must have one or two dimensions.")
    if values.size == 0:
        return values.reshape(0, 1)
    if values.ndim == 2 and values.shape[0] == num_rows:
        return values
    if num_rows == 0 or values.size % num_rows:
        raise DataError(
            f"Invalid size for `{name}`: {values.size} values for {num_rows} rows. Give one per row, or one per row "
            "and output."
        )
    return values.reshape(num_rows, -1)
