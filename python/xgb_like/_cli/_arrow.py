# SPDX-License-Identifier: Apache-2.0
"""Parquet and Arrow files, which pyarrow reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._base._exceptions import DataError
from .._base._optional import require
from ._column import Column
from ._moments import days_in
from ._sources import Source

_MODULES = {"parquet": ("pyarrow.parquet", "Parquet"), "arrow": ("pyarrow.feather", "Arrow")}
_FIRST_FEATHER = b"FEA1"  # which pyarrow reads without a check: damaged files end the process
_LONGEST = 200  # of what pyarrow says: it quotes what it read


def read_arrow(source: Source) -> dict[str, Any]:
    """Return the columns of a file as arrays of pyarrow, whose memory is known to be sound."""
    module, kind = _MODULES[source.kind]
    reader = require(module, f"Reading {kind} files")
    with source.path.open("rb") as stream:
        if stream.read(len(_FIRST_FEATHER)) == _FIRST_FEATHER:
            raise DataError(
                f"{source.name!r} is a Feather file of version 1, which is no longer read. Write it again with "
                "version 2, the default of pandas and pyarrow, or as Parquet."
            )
    try:
        table = reader.read_table(source.path, memory_map=False)
        table.validate(full=True)  # else damaged files crash what comes next
        names = [str(name) for name in table.column_names]
    except (ValueError, OSError, TypeError, LookupError, ArithmeticError, MemoryError, NotImplementedError) as error:
        what = str(error).partition("\n")[0][:_LONGEST] or type(error).__name__
        raise DataError(f"{source.name!r} cannot be read as {kind}: {what}") from None
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DataError(f"Columns of {source.name!r} have the same name: {', '.join(map(repr, twice))}.")
    return dict(zip(names, table.columns, strict=True))


def column_of(name: str, column: Any, as_text: bool, na: Sequence[str]) -> Column:
    """Return what can be learned from an array. Among texts, missing cells are not separated yet."""
    arrow, compute = require("pyarrow", "Reading tables"), require("pyarrow.compute", "Reading tables")
    types, kind = arrow.types, column.type
    if types.is_null(kind) and not as_text:
        return Column(np.full(len(column), np.nan))
    numeric = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind)
    if numeric and not as_text:
        numbers = column.cast(arrow.int8()) if types.is_boolean(kind) else column
        return Column(_without(numbers.cast(arrow.float64(), safe=False).fill_null(float("nan")).to_numpy().copy(), na))
    if types.is_temporal(kind) and not as_text:
        return Column(days_in(column), is_time=True)
    if types.is_nested(kind) or types.is_binary(kind):
        raise DataError(f"Column {name!r} is of type {kind}, which cannot be a feature. Leave it out: --drop {name}")
    if types.is_dictionary(kind):
        column = column.cast(kind.value_type)
    texts = column.cast(arrow.string()).fill_null("")
    labels = compute.unique(texts)
    return Column(compute.index_in(texts, value_set=labels).to_numpy().astype(np.int64), tuple(labels.to_pylist()))


def _without(numbers: Any, na: Sequence[str]) -> Any:
    """Return numbers with some missing, given as texts."""
    for value in map(_number, na):
        numbers[numbers == value] = np.nan
    return numbers


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")
