# SPDX-License-Identifier: Apache-2.0
"""Columns of frames that narwhals knows: polars, pyarrow, modin, cudf, and lazy ones such as duckdb and ibis."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import narwhals as nw
import numpy as np

from .._base._exceptions import DataError
from .._base._libraries import is_instance, loaded
from ._categories import Column, Refused, as_values, dictionary_column, text_column


def frame_of(data: Any) -> Any | None:
    """Return a narwhals frame of `data`, evaluated if it was lazy; None if narwhals does not know it."""
    try:
        known = nw.from_native(data, pass_through=True, allow_series=True)
        if isinstance(known, nw.LazyFrame):
            return known.collect()
    except nw.exceptions.DuplicateError:
        names = getattr(data, "column_names", None) or data.columns
        twice = sorted(name for name, count in Counter(map(str, names)).items() if count > 1)
        raise DataError(f"`feature_names` must be unique. Duplicates found: {twice}.") from None
    if isinstance(known, nw.Series):
        return known.to_frame()
    return known if isinstance(known, nw.DataFrame) else None


def columns_of(frame: Any, texts: Mapping[str, list[str]] = {}) -> Iterator[Column | Refused]:
    """Yield the columns; those of `texts`, as categories if they are texts."""
    return (_column(series, texts) for series in frame.iter_columns())


def _column(series: Any, texts: Mapping[str, list[str]]) -> Column | Refused:
    dtype = series.dtype
    if series.name in texts and (dtype in (nw.String, nw.Object) or series.null_count() == len(series)):
        column = text_column(series.name, series.to_list(), texts[series.name])
        if column is not None:
            return column
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        return _category(series)
    if dtype.is_decimal() or dtype in (nw.Int128, nw.UInt128):
        return Column(_numbers(series.cast(nw.Float64), 0.0), "float" if dtype.is_decimal() else "int")
    if dtype.is_integer():
        return Column(_numbers(series, 0), "int")
    if dtype.is_float():
        return Column(_numbers(series, 0.0), "float")
    if dtype == nw.Boolean:
        return Column(_numbers(series, False), "i")
    if series.null_count() == len(series):
        return Column(np.full(len(series), np.nan, dtype=np.float32), "float")
    return Refused(str(dtype), "text" if dtype == nw.String else "times" if dtype.is_temporal() else "rest")


def _numbers(series: Any, filler: float) -> Any:
    """Return the values; a float32 copy with NaN if some are null, which no library does alike for all types."""
    if not series.null_count():
        return series.to_numpy()
    with np.errstate(over="ignore"):
        values = series.fill_null(filler).to_numpy().astype(np.float32)
    values[series.is_null().to_numpy()] = np.nan
    return values


def _category(series: Any) -> Column:
    native = series.to_native()
    if is_instance(native, "pyarrow", "ChunkedArray"):
        return dictionary_column(series.name, native)
    if isinstance(series.dtype, nw.Enum):
        known = getattr(series.dtype, "categories", None)  # in older versions of narwhals it has none
        labels = [str(label) for label in (series.cat.get_categories() if known is None else known)]
    else:  # a Categorical, whose codes depend on its history
        labels = sorted(series.drop_nulls().unique().to_list())
    polars = loaded("polars")
    if polars is not None and isinstance(native, polars.Series):  # codes of a Categorical may be any: of an Enum not
        codes = native.cast(polars.Enum(labels)).to_physical().cast(polars.Float32).fill_null(float("nan"))
        return Column(codes.to_numpy(), "c", as_values(series.name, labels))
    table = {label: code for code, label in enumerate(labels)}
    coded = [table.get(item, np.nan) for item in series.to_list()]
    return Column(np.asarray(coded, dtype=np.float32), "c", as_values(series.name, labels))
