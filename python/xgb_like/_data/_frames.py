# SPDX-License-Identifier: Apache-2.0
"""Data frames of any library: pandas by its own rules, all others through narwhals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from .._base._exceptions import DataError
from .._base._messages import warn
from .._base._optional import is_instance, loaded, require
from .._base._typing import Array, CategoryValues
from ._categories import as_values
from ._ingest import Table, dense_table

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


@dataclass(frozen=True)
class Column:
    """One feature: values with NaN where missing, its type, and its categories if it has some."""

    values: Array
    kind: str
    categories: CategoryValues = None


@dataclass(frozen=True)
class Refused:
    """A column that is no feature."""

    dtype: str
    kind: str = "rest"  # for what to do about it


def read_frame(data: Any, enable_categorical: bool, texts: Mapping[str, list[str]] = {}) -> Table | None:
    """Read a data frame or a series; None if `data` is neither. In columns of `texts`, texts are categories."""
    if is_instance(data, "pandas", "DataFrame", "Series"):
        return _pandas_table(data, enable_categorical, texts)
    native = _arrow_table(data)
    from ._narwhals import columns_of, frame_of  # noqa: PLC0415  narwhals takes long to import

    frame = frame_of(native)
    if frame is None:
        return None
    columns = columns_of(frame, texts)
    library = "polars" if frame.implementation.is_polars() else "other"
    return _assemble(len(frame), list(frame.columns), columns, enable_categorical, library)


def _arrow_table(data: Any) -> Any:
    pyarrow = loaded("pyarrow")
    if pyarrow is not None and isinstance(data, pyarrow.RecordBatch):
        return pyarrow.Table.from_batches([data])
    if pyarrow is not None and isinstance(data, (pyarrow.Array, pyarrow.ChunkedArray)):
        return pyarrow.table({"0": data})
    return data


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
        raise DataError(_refusal(refused, _ADVICE[library]))
    return Table("dense", (table,), table.shape, list(names), types, categories if any(categories) else [])


def _refusal(columns: Sequence[tuple[str, Refused]], advice: Mapping[str, str]) -> str:
    shown = ", ".join(f"{name}: {column.dtype}" for name, column in columns)
    kinds = dict.fromkeys(column.kind for _, column in columns)
    remedies = " ".join(advice[kind] for kind in kinds if kind in advice) or "Convert them to numbers, or drop them."
    return f"The columns of `data` must be int, float, bool or category. Invalid columns: {shown}. {remedies}"


def read_records(rows: Sequence[Mapping[Any, Any]], enable_categorical: bool, texts: Mapping[str, list[str]]) -> Table:
    """Read rows that are dicts, such as those of a web service; None, and what a row does not have, is missing."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = (_record_column(str(name), [row.get(name) for row in rows], texts) for name in names)
    return _assemble(len(rows), [str(name) for name in names], columns, enable_categorical, "other")


def _record_column(name: str, items: list[Any], texts: Mapping[str, list[str]]) -> Column | Refused:
    if name in texts and (column := text_column(name, items, texts[name])) is not None:
        return column
    wrong = next((item for item in items if not (item is None or isinstance(item, (Real, np.bool_)))), None)
    if wrong is not None:
        return Refused(type(wrong).__name__, "text" if isinstance(wrong, str) else "rest")
    return Column(np.array([np.nan if item is None else float(item) for item in items]), "float")


def text_column(name: str, items: list[Any], known: list[str]) -> Column | None:
    """Return texts, None where missing, as a column of categories, of the `known` ones if there is no text at all.

    None if some item is neither a text nor None.
    """
    labels = set(items) - {None}
    if not all(isinstance(label, str) for label in labels):
        return None
    listed = sorted(labels) or known
    codes = {label: code for code, label in enumerate(listed)}
    return Column(np.array([codes.get(item, np.nan) for item in items], np.float32), "c", as_values(name, listed))


def _pandas_table(data: Any, enable_categorical: bool, texts: Mapping[str, list[str]]) -> Table:
    frame = data.to_frame() if data.ndim == 1 else data
    names = _pandas_names(frame.columns)
    whole = _pandas_block(frame)
    if whole is not None:
        types = [_TYPE_OF_KIND[whole.dtype.kind]] * len(names)
        table = dense_table(whole)
        return Table(table.layout, table.arrays, table.shape, names, types)
    if any(is_instance(dtype, "pandas", "SparseDtype") for dtype in frame.dtypes):
        warn("Sparse arrays from pandas are converted into dense columns; pass a scipy sparse matrix to avoid that.")
    columns = (_pandas_column(name, frame.iloc[:, position], texts) for position, name in enumerate(names))
    return _assemble(len(frame), names, columns, enable_categorical, "pandas")


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


def _pandas_column(name: str, series: Any, texts: Mapping[str, list[str]]) -> Column | Refused:
    dtype = series.dtype
    if is_instance(dtype, "pandas", "CategoricalDtype"):
        return _coded(name, series.cat.codes.to_numpy(), series.cat.categories.to_numpy())
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
        return Refused(str(dtype), _kind_of_objects(series))
    if isinstance(dtype, np.dtype):
        return Column(series.to_numpy(), kind)
    return Column(series.to_numpy(dtype=np.float32, na_value=np.nan), kind)


def _kind_of_objects(series: Any) -> str:
    """Return what the values of a column are that is neither numbers nor categories."""
    found = require("pandas", "A column of pandas").api.types.infer_dtype(series, skipna=True)
    return next((kind for kind, names in _INFERRED.items() if found in names), "rest")


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
