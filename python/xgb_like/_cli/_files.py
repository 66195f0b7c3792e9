# SPDX-License-Identifier: Apache-2.0
"""Reading tables: CSV with or without pyarrow, Parquet and Arrow with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .._exceptions import DataError, XgbLikeError
from .._optional import require
from ._csv import MISSING, checked_names, dialect_of, has_arrow, read_by_arrow, read_plainly
from ._moments import days_in, moment
from ._sources import Source

_NAMES = {"csv": "CSV", "parquet": "Parquet", "arrow": "Arrow"}
_BOOL = {"true": 1.0, "True": 1.0, "TRUE": 1.0, "false": 0.0, "False": 0.0, "FALSE": 0.0}
_NOT_IN_DUMPS = str.maketrans("[]<", "()_")  # what names of features may not contain


@dataclass(frozen=True)
class Column:
    """Numbers with NaN where missing; or codes, -1 where missing, and the text that each code stands for."""

    values: npt.NDArray[Any]
    labels: tuple[str, ...] | None = None
    is_time: bool = False  # numbers that are days

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """Which cells are missing."""
        return np.asarray(np.isnan(self.values) if self.labels is None else self.values < 0)


@dataclass(frozen=True)
class Cells:
    """A column as it stands in its file, under its name there: a list of texts, or what pyarrow read."""

    name: str
    raw: Any
    decimal: str = ""  # the sign before decimals, of text files

    def column(self, as_text: bool = False) -> Column:
        """Return what can be learnt from: numbers if all are, unless the texts are wanted."""
        if isinstance(self.raw, list):
            return _column(self.raw, as_text, self.decimal)
        return _from_arrow(self.name, self.raw, as_text)

    def has_points(self, column: Column) -> bool:
        """Whether it has numbers with decimal points, in a file of texts; the column is what was made of it."""
        if self.decimal != "." or column.labels is not None or column.is_time:
            return False
        return any("." in cell for cell in self.raw) if isinstance(self.raw, list) else str(self.raw.type) == "double"


Table = dict[str, Cells]  # by the names that models know


@dataclass(frozen=True)
class Options:
    """How a file is to be read; of the columns in `texts`, by name or number, the text of each cell is kept."""

    header: bool = True
    delimiter: str | None = None
    decimal: str | None = None
    texts: Collection[str] = ()


def name_in_models(name: str) -> str:
    """Return the name that a column has as a feature: without the signs that dumps of models need for themselves."""
    return name.translate(_NOT_IN_DUMPS)


def find_column(names: Sequence[str], wanted: str) -> str | None:
    """Return which of the names is meant by a name, or by a number, negative ones from the last."""
    for name in (wanted, name_in_models(wanted)):
        if name in names:
            return name
    if wanted.lstrip("-").isdecimal() and -len(names) <= int(wanted) < len(names):
        return names[int(wanted)]
    return None


def read_table(source: Source, options: Options = Options()) -> Table:
    """Read a file into columns."""
    try:
        if source.kind == "csv":
            return _read_csv(source, options)
        module = {"parquet": "pyarrow.parquet", "arrow": "pyarrow.feather"}[source.kind]
        table = require(module, f"Reading {_NAMES[source.kind]} files").read_table(source.path)
    except UnicodeDecodeError:
        raise _not_utf8(source) from None
    except XgbLikeError:
        raise
    except (ValueError, OSError) as error:  # pyarrow's own are kinds of these
        if "invalid UTF8" in str(error):
            raise _not_utf8(source) from None
        raise DataError(f"{source.name!r} cannot be read as {_NAMES[source.kind]}: {error}") from None
    return _table_of(table, source)


def _read_csv(source: Source, options: Options) -> Table:
    dialect = dialect_of(source, options.header, options.delimiter, options.decimal)
    if not has_arrow():
        return _by_name(
            {n: Cells(n, cells, dialect.decimal) for n, cells in read_plainly(source, dialect).items()}, source
        )
    in_models = {name_in_models(name): name for name in dialect.names}
    texts = [in_models[found] for text in options.texts if (found := find_column(list(in_models), text)) is not None]
    table = read_by_arrow(source, dialect, texts)
    if any(str(kind) == "binary" for kind in table.schema.types):
        raise _not_utf8(source)
    return _table_of(table, source, texts, dialect.decimal)


def _table_of(table: Any, source: Source, texts: Collection[str] = (), decimal: str = "") -> Table:
    names = checked_names([str(name) for name in table.column_names], source)
    columns = zip(names, table.columns, strict=True)
    cells = {n: Cells(n, _numbers_if_same(raw) if n in texts else raw, decimal) for n, raw in columns}
    return _by_name(cells, source)


def _by_name(cells: Table, source: Source) -> Table:
    names = checked_names([name_in_models(name) for name in cells], source)
    return dict(zip(names, cells.values(), strict=True))


def _column(cells: Sequence[str], as_text: bool, decimal: str) -> Column:
    present = [cell for cell in cells if cell not in MISSING]
    if present and all(cell in _BOOL for cell in present) and not as_text:
        return Column(np.array([_BOOL.get(cell, np.nan) for cell in cells]))
    swapped = str.maketrans({decimal: ".", ".": decimal})

    def number(cell: str) -> float:
        return float(cell.translate(swapped))

    for read, is_time in [] if as_text else [(number, False), (moment, True)]:
        try:
            values = np.array([np.nan if cell in MISSING else read(cell) for cell in cells], dtype=np.float64)
        except ValueError:
            continue  # something else
        return Column(values, is_time=is_time)
    labels = sorted(set(present))
    codes = {label: code for code, label in enumerate(labels)}
    return Column(np.array([codes.get(cell, -1) for cell in cells], dtype=np.int64), tuple(labels))


def _numbers_if_same(column: Any) -> Any:
    """Return a column of texts as numbers if these have the same texts: 12 has, 012 and 1.50 have not."""
    for kind in ("int64", "float64"):
        try:
            numbers = column.cast(kind)
        except ValueError:
            continue
        if numbers.cast("string").equals(column):
            return numbers
    return column


def _not_utf8(source: Source) -> DataError:
    return DataError(
        f"{source.name!r} is not encoded in UTF-8. Convert it, for example: iconv -f LATIN1 -t UTF-8 OLD.csv > NEW.csv"
    )


def _from_arrow(name: str, column: Any, as_text: bool) -> Column:
    arrow, compute = require("pyarrow", "Reading tables"), require("pyarrow.compute", "Reading tables")
    types, kind = arrow.types, column.type
    if types.is_null(kind) and not as_text:
        return Column(np.full(len(column), np.nan))
    numeric = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind)
    if numeric and not as_text:
        numbers = column.cast(arrow.int8()) if types.is_boolean(kind) else column
        return Column(numbers.cast(arrow.float64(), safe=False).fill_null(float("nan")).to_numpy().copy())
    if types.is_temporal(kind) and not as_text:
        return Column(days_in(column), is_time=True)
    if types.is_nested(kind) or types.is_binary(kind):
        raise DataError(f"Column {name!r} is of type {kind}, which is no feature. Leave it out: --drop {name}")
    if types.is_dictionary(kind):
        column = column.cast(kind.value_type)
    texts = column.cast(arrow.string())
    texts = compute.if_else(compute.is_in(texts, value_set=arrow.array(MISSING)), None, texts)
    labels = sorted(label for label in compute.unique(texts).to_pylist() if label is not None)
    codes = compute.index_in(texts, value_set=arrow.array(labels, arrow.string())).fill_null(-1)
    return Column(codes.to_numpy().astype(np.int64), tuple(labels))
