# SPDX-License-Identifier: Apache-2.0
"""Reads anything that holds a table into one of the three shapes that the engine takes.

A dense table stays the user's own memory where it can (a float32 array, or a frame that is one float32 block); sparse
stays sparse; frames of mixed columns become one float32 table, column by column, without a second copy in between.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Number, Real
from typing import Any, Literal

import numpy as np

from .._base._exceptions import DataError, UnsupportedDataError
from .._base._libraries import is_instance, library_of_matrix, loaded, named, remedy, require
from .._base._messages import warn
from .._base._typing import Array, CategoryValues
from ._arrays import Table, buffer_array, dense_table, is_buffer, real_array
from ._categories import Column, Refused, coded_column, dictionary_column, text_column

# Data frames of any library: pandas by its own rules, all others through narwhals.

_TYPE_OF_KIND = {"b": "i", "i": "int", "u": "int", "f": "float"}
_TIMES = "Turn times into numbers, such as the month or the days since some date ({})."
_ADVICE = {  # what to do with columns that are no features, by their kind
    "pandas": {
        "category": "Set `enable_categorical` to True.",
        "numbers": "Convert objects that are numbers by `astype(float)`.",
        "text": "Convert text by `astype('category')`, which `enable_categorical` allows, or by `pd.to_numeric` if it "
        "spells numbers.",
        "times": _TIMES.format("`t.dt.month`, `(t - t.min()).dt.days`"),
    },
    "polars": {
        "category": "Set `enable_categorical` to True.",
        "text": "Cast text to `pl.Categorical`, or to `pl.Float32` if it spells numbers.",
        "times": _TIMES.format("`t.dt.month()`, `(t - t.min()).dt.total_days()`"),
    },
    "other": {
        "category": "Set `enable_categorical` to True.",
        "text": "Turn text into categories, or into floats if it spells numbers.",
        "times": _TIMES.format("their library has functions for it"),
    },
}

_INFERRED = {  # what pandas says of the values of a column, by the kind above
    "numbers": ("integer", "floating", "mixed-integer-float", "decimal", "boolean", "empty"),
    "text": ("string", "mixed-integer"),
    "times": ("date", "datetime", "datetime64", "period", "time", "timedelta", "timedelta64"),
}


def read_frame(data: Any, enable_categorical: bool, texts: Mapping[str, list[str]] = {}) -> Table | None:
    """Read a data frame or a series; None if `data` is neither. In columns of `texts`, texts are categories."""
    if is_instance(data, "pandas", "DataFrame", "Series"):
        return _pandas_table(data, enable_categorical, texts)
    pyarrow, native = loaded("pyarrow"), data
    if pyarrow is not None and isinstance(data, pyarrow.RecordBatch):
        native = pyarrow.Table.from_batches([data])
    elif pyarrow is not None and isinstance(data, (pyarrow.Array, pyarrow.ChunkedArray)):
        native = pyarrow.table({"0": data})
    from ._narwhals import columns_of, frame_of  # noqa: PLC0415  narwhals takes long to import

    frame = frame_of(native)
    if frame is None:
        return None
    columns = columns_of(frame, texts)
    library = "polars" if frame.implementation.is_polars() else "other"
    return _assemble(len(frame), list(frame.columns), columns, enable_categorical, library)


def _assemble(
    num_rows: int, names: Sequence[str], columns: Iterable[Column | Refused], enable_categorical: bool, library: str
) -> Table:
    """Join columns of a frame of some library into one table."""
    table = np.empty((num_rows, len(names)), dtype=np.float32, order="F")
    types: list[str] = []
    categories: list[CategoryValues] = []
    refused: list[tuple[str, Refused]] = []
    for position, (name, column) in enumerate(zip(names, columns, strict=True)):
        if isinstance(column, Refused) or (column.kind == "c" and not enable_categorical):
            refused.append((name, column if isinstance(column, Refused) else Refused("category", "category")))
            continue
        with np.errstate(over="ignore"):  # what overflows is inf, and refused as that
            table[:, position] = column.values
        types.append(column.kind)
        categories.append(column.categories)
    if refused:
        shown = ", ".join(f"{name}: {column.dtype}" for name, column in refused)
        kinds = dict.fromkeys(column.kind for _, column in refused)
        advice = _ADVICE[library]
        remedies = (
            " ".join(advice[kind] for kind in kinds if kind in advice) or "Convert them to numbers, or drop them."
        )
        raise DataError(
            f"The columns of `data` must be int, float, bool or category. Invalid columns: {shown}. {remedies}"
        )
    return Table("dense", (table,), table.shape, list(names), types, categories if any(categories) else [])


def _record_column(name: str, items: list[Any], texts: Mapping[str, list[str]]) -> Column | Refused:
    if name in texts and (column := text_column(name, items, texts[name])) is not None:
        return column
    wrong = next((item for item in items if not (item is None or isinstance(item, (Real, np.bool_)))), None)
    if wrong is not None:
        return Refused(type(wrong).__name__, "text" if isinstance(wrong, str) else "rest")
    return Column(np.array([np.nan if item is None else float(item) for item in items]), "float")


def _pandas_table(data: Any, enable_categorical: bool, texts: Mapping[str, list[str]]) -> Table:
    frame = data.to_frame() if data.ndim == 1 else data
    labels = ([label] if frame.columns.nlevels == 1 else label for label in frame.columns)
    names = [" ".join(map(str, parts)) for parts in labels]
    whole = _pandas_block(frame)
    if whole is not None:
        return replace(dense_table(whole), names=names, types=[_TYPE_OF_KIND[whole.dtype.kind]] * len(names))
    if any(is_instance(dtype, "pandas", "SparseDtype") for dtype in frame.dtypes):
        warn("Sparse arrays from pandas are converted into dense columns; pass a scipy sparse matrix to avoid that.")
    columns = (_pandas_column(name, frame.iloc[:, position], texts) for position, name in enumerate(names))
    return _assemble(len(frame), names, columns, enable_categorical, "pandas")


def _pandas_block(frame: Any) -> Array | None:
    """Return the memory behind a frame if it is one block of numbers."""
    kinds = set(frame.dtypes)
    if len(kinds) != 1 or not isinstance(kind := kinds.pop(), np.dtype) or kind.kind not in _TYPE_OF_KIND:
        return None
    if kind.itemsize > 8 or kind == np.float16:
        return None
    first, last = (frame.iloc[:, position].to_numpy() for position in (0, -1))
    one_block = first.base is not None and first.base is last.base
    return np.asarray(frame.to_numpy()) if one_block or frame.shape[1] == 1 else None


def _pandas_column(name: str, series: Any, texts: Mapping[str, list[str]]) -> Column | Refused:
    dtype = series.dtype
    if is_instance(dtype, "pandas", "CategoricalDtype"):
        return coded_column(name, series.cat.codes.to_numpy(), series.cat.categories.to_numpy())
    if is_instance(dtype, "pandas", "SparseDtype"):
        return _pandas_column(name, series.sparse.to_dense(), texts)
    if is_instance(dtype, "pandas", "ArrowDtype") and str(dtype).startswith("dictionary"):
        return dictionary_column(name, series.array.__arrow_array__())
    kind = _TYPE_OF_KIND.get(getattr(dtype, "kind", "O"))
    if name in texts and (kind is None or series.isna().all()):
        items = series.astype(object).where(series.notna(), None).tolist()
        if (column := text_column(name, items, texts[name])) is not None:
            return column
    if kind is None:
        found = require("pandas", "A column of pandas").api.types.infer_dtype(series, skipna=True)
        return Refused(str(dtype), next((kind for kind, values in _INFERRED.items() if found in values), "rest"))
    if isinstance(dtype, np.dtype):
        return Column(series.to_numpy(), kind)
    return Column(series.to_numpy(dtype=np.float32, na_value=np.nan), kind)


_TAKEN = "a numpy array, a list of rows, a scipy sparse matrix, or a pandas, polars or pyarrow table"


def read_table(data: Any, enable_categorical: bool, texts: Mapping[str, list[str]] = {}) -> Table:
    """Read features: an array, a list of rows, which may be dicts, a sparse matrix or a data frame.

    `texts` are the columns whose texts are categories, and the categories that are known; elsewhere text is refused.
    """
    if isinstance(data, np.ndarray):
        return _array_table(data)
    if is_buffer(data):
        array = buffer_array(data, "`data`")
        if array.ndim == 1 and not isinstance(data, memoryview):
            warn(f"`data` is of type {type(data).__name__}, which has one dimension: it is read as one row.")
            array = array.reshape(1, -1)
        return _array_table(array)
    sparse = loaded("scipy.sparse")
    if sparse is not None and sparse.issparse(data):
        return _sparse_table(data)
    if isinstance(data, (list, tuple)):
        if not data or not all(isinstance(row, Mapping) for row in data):
            return _array_table(_rows(data))
        # Rows such as those of a web service: None, and what a row does not have, is missing.
        names = list(dict.fromkeys(name for row in data for name in row))
        columns = (_record_column(str(name), [row.get(name) for row in data], texts) for name in names)
        return _assemble(len(data), [str(name) for name in names], columns, enable_categorical, "other")
    table = read_frame(data, enable_categorical, texts)
    if table is not None:
        return table
    if hasattr(data, "__array__") and not isinstance(data, np.generic):
        return _array_table(np.asarray(data))
    return _unknown_table(data)


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
