# SPDX-License-Identifier: Apache-2.0
"""Data frames of any library: pandas by its own rules, all others through narwhals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._categories import as_values
from ._exceptions import DataError
from ._ingest import Table, dense_table
from ._messages import warn
from ._optional import is_instance, loaded
from ._typing import Array, CategoryValues

_TYPE_OF_KIND = {"b": "i", "i": "int", "u": "int", "f": "float"}


@dataclass(frozen=True)
class Column:
    """One feature: values with NaN where missing, its type, and its categories if it has some."""

    values: Array
    kind: str
    categories: CategoryValues = None


def read_frame(data: Any, enable_categorical: bool) -> Table | None:
    """Read a data frame or a series; None if `data` is neither."""
    if is_instance(data, "pandas", "DataFrame", "Series"):
        return _pandas_table(data, enable_categorical)
    native = _arrow_table(data)
    from ._narwhals import columns_of, frame_of  # noqa: PLC0415  narwhals takes long to import

    frame = frame_of(native)
    if frame is None:
        return None
    columns = columns_of(frame)
    return _assemble(len(frame), list(frame.columns), columns, enable_categorical)


def _arrow_table(data: Any) -> Any:
    pyarrow = loaded("pyarrow")
    if pyarrow is not None and isinstance(data, pyarrow.RecordBatch):
        return pyarrow.Table.from_batches([data])
    if pyarrow is not None and isinstance(data, (pyarrow.Array, pyarrow.ChunkedArray)):
        return pyarrow.table({"0": data})
    return data


def _assemble(num_rows: int, names: Sequence[str], columns: Iterable[Column | str], enable_categorical: bool) -> Table:
    """Join columns into one table; a string in place of one says what it is that cannot be read."""
    table = np.empty((num_rows, len(names)), dtype=np.float32, order="F")
    types: list[str] = []
    categories: list[CategoryValues] = []
    refused: list[str] = []
    for position, (name, column) in enumerate(zip(names, columns, strict=True)):
        if isinstance(column, str) or (column.kind == "c" and not enable_categorical):
            refused.append(f"{name}: {column if isinstance(column, str) else 'category'}")
            continue
        with np.errstate(over="ignore"):  # what overflows is inf, and refused as that
            table[:, position] = column.values
        types.append(column.kind)
        categories.append(column.categories)
    if refused:
        raise DataError(_refusal(refused))
    return Table("dense", (table,), table.shape, list(names), types, categories if any(categories) else [])


def _refusal(columns: Sequence[str]) -> str:
    return (
        "The columns of `data` must be int, float, bool or category, and categories need `enable_categorical=True`. "
        f"Invalid columns: {', '.join(columns)}. Convert text by `astype('category')`, or drop them."
    )


def _pandas_table(data: Any, enable_categorical: bool) -> Table:
    frame = data.to_frame() if data.ndim == 1 else data
    names = _pandas_names(frame.columns)
    whole = _pandas_block(frame)
    if whole is not None:
        types = [_TYPE_OF_KIND[whole.dtype.kind]] * len(names)
        table = dense_table(whole)
        return Table(table.layout, table.arrays, table.shape, names, types)
    if any(is_instance(dtype, "pandas", "SparseDtype") for dtype in frame.dtypes):
        warn("Sparse arrays from pandas are converted into dense columns; pass a scipy sparse matrix to avoid that.")
    columns = (_pandas_column(name, frame.iloc[:, position]) for position, name in enumerate(names))
    return _assemble(len(frame), names, columns, enable_categorical)


def _pandas_names(columns: Any) -> list[str]:
    if columns.nlevels > 1:
        return [" ".join(str(part) for part in label) for label in columns]
    return [str(label) for label in columns]


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


def _pandas_column(name: str, series: Any) -> Column | str:
    dtype = series.dtype
    if is_instance(dtype, "pandas", "CategoricalDtype"):
        return _coded(name, series.cat.codes.to_numpy(), series.cat.categories.to_numpy())
    if is_instance(dtype, "pandas", "SparseDtype"):
        return _pandas_column(name, series.sparse.to_dense())
    if is_instance(dtype, "pandas", "ArrowDtype") and str(dtype).startswith("dictionary"):
        return dictionary_column(name, series.array.__arrow_array__())
    kind = _TYPE_OF_KIND.get(getattr(dtype, "kind", "O"))
    if kind is None:
        return str(dtype)
    if isinstance(dtype, np.dtype):
        return Column(series.to_numpy(), kind)
    return Column(series.to_numpy(dtype=np.float32, na_value=np.nan), kind)


def dictionary_column(name: str, array: Any) -> Column:
    """Read an Arrow array of dictionary type, in chunks or not."""
    if is_instance(array, "pyarrow", "ChunkedArray"):
        array = array.unify_dictionaries().combine_chunks()
    codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return _coded(name, codes, array.dictionary.to_numpy(zero_copy_only=False))


def _coded(name: str, codes: Array, labels: Array) -> Column:
    values = codes.astype(np.float32)
    values[codes < 0] = np.nan
    return Column(values, "c", as_values(name, labels))
