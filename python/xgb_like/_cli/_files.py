# SPDX-License-Identifier: Apache-2.0
"""Tables in files: CSV, and Parquet and Arrow, which pyarrow reads."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base._exceptions import DataError
from .._base._libraries import require
from ._column import MISSING, Column, name_in_models
from ._csv import Options, read_csv
from ._meanings import days_in
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
        whole = column.cast(arrow.int8()) if types.is_boolean(kind) else column
        numbers = whole.cast(arrow.float64(), safe=False).fill_null(float("nan")).to_numpy().copy()
        for text in na:
            with suppress(ValueError):  # of texts that are no numbers
                numbers[numbers == float(text)] = np.nan
        return Column(numbers)
    if types.is_temporal(kind) and not as_text:
        return Column(days_in(column), is_time=True)
    if types.is_nested(kind) or types.is_binary(kind):
        raise DataError(f"Column {name!r} is of type {kind}, which cannot be a feature. Leave it out: --drop {name}")
    if types.is_dictionary(kind):
        column = column.cast(kind.value_type)
    texts = column.cast(arrow.string()).fill_null("")
    labels = compute.unique(texts)
    return Column(compute.index_in(texts, value_set=labels).to_numpy().astype(np.int64), tuple(labels.to_pylist()))


_TRUTH = {"true": 1.0, "True": 1.0, "TRUE": 1.0, "false": 0.0, "False": 0.0, "FALSE": 0.0, "1": 1.0, "0": 0.0}


@dataclass(frozen=True)
class Cells:
    """A column as it is in its file, under its name there, read from a CSV file or by pyarrow."""

    name: str
    raw: Any
    na: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.raw.values if isinstance(self.raw, Column) else self.raw)

    def column(self, as_text: bool = False) -> Column:
        """Return what can be learned from: numbers if all cells are, unless texts are wanted."""
        is_csv = isinstance(self.raw, Column)
        column = self.raw if is_csv else column_of(self.name, self.raw, as_text, self.na)
        if column.labels is None:
            return column
        column = column.without({*MISSING, *self.na})
        truth = [_TRUTH.get(label.strip()) for label in column.labels or ()]
        if not is_csv or as_text or not truth or None in truth:
            return column
        # 1 and 0 for a column of true and false, and of 1 and 0 among them
        return column.numbers(np.array([*truth, np.nan], dtype=np.float64)[column.values])

    @property
    def is_time(self) -> bool:
        """Whether its type is one of dates or times."""
        return not isinstance(self.raw, Column) and str(self.raw.type).startswith(("date", "time", "duration"))

    def copy(self) -> Any:
        """Return the cells unchanged, for another table."""
        return self.raw.texts() if isinstance(self.raw, Column) else self.raw


Table = dict[str, Cells]  # by the names that models know


def read_table(source: Source, options: Options) -> tuple[Table, list[str]]:
    """Read a file into columns, and return messages about it."""
    notes: list[str] = []
    if source.kind == "csv":
        columns, notes = read_csv(source, options)
        cells = [Cells(*column, options.na) for column in columns]
    else:
        cells = [Cells(*column, options.na) for column in read_arrow(source).items()]
    names = [name_in_models(one.name) for one in cells]
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise DataError(
            f"Columns of {source.name!r} would have the same name in the model, where [ ] < are ( ) _: "
            f"{', '.join(map(repr, twice))}. Rename one."
        )
    return dict(zip(names, cells, strict=True)), notes
