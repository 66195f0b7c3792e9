# SPDX-License-Identifier: Apache-2.0
"""What is known of rows and columns: checks arguments, and converts anything like a column to what the engine takes."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from .. import _core
from .._base._config import get_config
from .._base._exceptions import DataError, ParameterError, UnsupportedDataError, whole
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


_INFO = ("group", "qid", *FLOAT_FIELDS, "feature_names", "feature_types")
_MOST_THREADS = np.iinfo(np.int32).max


def info_among(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a function's arguments that say something of rows or columns, query groups first."""
    return {name: arguments[name] for name in _INFO}


def refuse_info(info: dict[str, Any]) -> None:
    """Raise if something is given that must come with the batches of an iterator."""
    given = [name for name, value in info.items() if value is not None]
    if given:
        raise ParameterError(
            f"With a DataIter as `data`, `{given[0]}` must be specified as batch argument: pass it to input_data() in "
            "the iterator's next()."
        )


def rows_are_split(data_split_mode: Any) -> None:
    """Raise unless rows are what is distributed."""
    if whole(data_split_mode, "data_split_mode") != 0:
        raise ParameterError(
            f"`data_split_mode` must be 0 (by rows); got {data_split_mode!r}. Column-wise data split has been removed "
            "from XGBoost, and is not here."
        )


def missing_value(missing: Any) -> float:
    """Return the value that stands for missing; NaN for None."""
    if missing is None:
        return np.nan
    try:
        given = np.asarray(missing)
        if given.ndim == 0 and given.dtype.kind in "iufO":  # objects: decimals and fractions
            return float(missing)
    except (OverflowError, TypeError, ValueError):
        pass
    raise ParameterError(f"`missing` must be a number or None; got {missing!r}.")


def thread_count(nthread: Any) -> int:
    """Return the threads to use, 0 for all; None is what set_config() says."""
    value = get_config()["nthread"] if nthread is None else nthread
    try:
        count = max(int(value), 0)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"`nthread` must be an int; got {nthread!r}. Use 0 for all threads.") from None
    if count > _MOST_THREADS:
        raise ParameterError(f"`nthread` must be <= {_MOST_THREADS}; got {nthread!r}. Use 0 for all threads.")
    return count


def texts(argument: str, values: Any, num_columns: int) -> list[str]:
    """Return names or types of features as a list, empty for None; the engine checks what they say."""
    if values is None:
        return []
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ParameterError(
            f"Expecting a sequence of strings for `{argument}`, or None; got {values!r} of type "
            f"{type(values).__name__}."
        )
    items = list(values)
    for item in items:
        if not isinstance(item, str):
            raise ParameterError(f"`{argument}` must be strings; got {item!r} of type {type(item).__name__}.")
    if len(items) != num_columns:
        raise DataError(
            f"`{argument}` must have the same length as the number of data columns: expected {num_columns}, "
            f"got {len(items)}."
        )
    return [str(item) for item in items]
