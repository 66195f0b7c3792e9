# SPDX-License-Identifier: Apache-2.0
"""Reading tables: CSV with or without pyarrow, Parquet and Arrow with it."""

from __future__ import annotations

import csv
import importlib.util
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .._exceptions import DataError, XgbLikeError
from .._names import names_of
from .._optional import require

FORMATS = {
    "csv": (".csv", ".tsv", ".txt"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
    "libsvm": (".libsvm", ".svm", ".svmlight"),
}
_NAMES = {"csv": "CSV", "parquet": "Parquet", "arrow": "Arrow"}
_MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "?")
_BOOL = {"true": 1.0, "True": 1.0, "TRUE": 1.0, "false": 0.0, "False": 0.0, "FALSE": 0.0}


@dataclass(frozen=True)
class Column:
    """Numbers with NaN where missing; or codes, -1 where missing, and the text that each code stands for."""

    values: npt.NDArray[Any]
    labels: tuple[str, ...] | None = None

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """Which cells are missing."""
        return np.asarray(np.isnan(self.values) if self.labels is None else self.values < 0)


@dataclass(frozen=True)
class Cells:
    """A column as it stands in its file: a list of texts, or what pyarrow read."""

    name: str
    raw: Any

    def column(self, as_text: bool = False) -> Column:
        """Return what can be learnt from: numbers if all are, unless the texts are wanted."""
        return _column(self.raw, as_text) if isinstance(self.raw, list) else _from_arrow(self.name, self.raw, as_text)


Table = dict[str, Cells]


def format_of(path: Path, wanted: str | None) -> str:
    """Return what kind of file it is, by the name unless told."""
    if not path.is_file():
        raise DataError(f"There is no file {str(path)!r}.")
    if wanted is not None:
        return wanted
    ending = path.suffix.lower()
    for name, endings in FORMATS.items():
        if ending in endings:
            return name
    known = ", ".join(one for endings in FORMATS.values() for one in endings)
    raise DataError(
        f"The name {str(path)!r} does not tell its format: it should end in one of {known}. Or use --format."
    )


def read_table(
    path: Path, kind: str, header: bool = True, delimiter: str | None = None, texts: Collection[str] = ()
) -> Table:
    """Read a file into columns; of those in `texts` the text of each cell is kept, also if it looks like a number."""
    try:
        if kind == "csv":
            comma = delimiter or ("\t" if path.suffix.lower() == ".tsv" else ",")
            if len(comma) != 1:
                raise DataError(f"`--delimiter` must be one character; got {delimiter!r}.")
            if importlib.util.find_spec("pyarrow") is None:
                return read_csv_plainly(path, header, comma)
            return _read_csv_by_arrow(path, header, comma, texts)
        module = {"parquet": "pyarrow.parquet", "arrow": "pyarrow.feather"}[kind]
        table = require(module, f"Reading {_NAMES[kind]} files").read_table(path)
    except UnicodeDecodeError:
        raise _not_utf8(path) from None
    except XgbLikeError:
        raise
    except (ValueError, OSError, csv.Error) as error:  # pyarrow's own are kinds of these
        if "invalid UTF8" in str(error):
            raise _not_utf8(path) from None
        raise DataError(f"{str(path)!r} cannot be read as {_NAMES[kind]}: {error}") from None
    return _cells_of(table, path)


def read_csv_plainly(path: Path, header: bool, delimiter: str) -> Table:
    """Read a CSV file by Python alone."""
    with path.open(newline="", encoding="utf-8-sig") as stream:
        rows = [row for row in csv.reader(stream, delimiter=delimiter) if row]
    if not rows:
        raise DataError(f"The file {str(path)!r} is empty.")
    names = rows.pop(0) if header else names_of(None, len(rows[0]))
    for number, row in enumerate(rows, start=2 if header else 1):
        if len(row) != len(names):
            raise DataError(f"Line {number} of {str(path)!r} has {len(row)} cells; {len(names)} were expected.")
    return {name: Cells(name, [row[i] for row in rows]) for i, name in enumerate(_unique(names, path))}


def _column(cells: Sequence[str], as_text: bool) -> Column:
    present = [cell for cell in cells if cell not in _MISSING]
    if present and all(cell in _BOOL for cell in present) and not as_text:
        return Column(np.array([_BOOL.get(cell, np.nan) for cell in cells]))
    try:
        if not as_text:
            return Column(np.array([np.nan if cell in _MISSING else float(cell) for cell in cells], dtype=np.float64))
    except ValueError:
        pass  # texts
    labels = sorted(set(present))
    codes = {label: code for code, label in enumerate(labels)}
    return Column(np.array([codes.get(cell, -1) for cell in cells], dtype=np.int64), tuple(labels))


def _unique(names: Sequence[str], path: Path) -> Sequence[str]:
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise DataError(f"Columns of {str(path)!r} have the same name: {', '.join(twice)}.")
    return names


def _read_csv_by_arrow(path: Path, header: bool, delimiter: str, texts: Collection[str]) -> Table:
    arrow, strings = (
        require("pyarrow.csv", "Reading CSV files quickly"),
        require("pyarrow", "Reading CSV files").string(),
    )
    # Markers of missing cells count for numbers only: in a column of texts they are told from others when it is used.
    convert = arrow.ConvertOptions(
        null_values=list(_MISSING), quoted_strings_can_be_null=True, column_types=dict.fromkeys(texts, strings)
    )
    read = arrow.ReadOptions(autogenerate_column_names=not header)
    table = arrow.read_csv(path, read, arrow.ParseOptions(delimiter=delimiter, newlines_in_values=True), convert)
    if any(str(kind) == "binary" for kind in table.schema.types):
        raise _not_utf8(path)
    columns = _cells_of(table, path)
    return {n: Cells(n, _numbers_if_same(c.raw)) if n in texts else c for n, c in columns.items()}


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


def _not_utf8(path: Path) -> DataError:
    return DataError(
        f"{str(path)!r} is not encoded in UTF-8. Convert it, for example: iconv -f LATIN1 -t UTF-8 OLD.csv > NEW.csv"
    )


def _cells_of(table: Any, path: Path) -> Table:
    names = _unique([str(name) for name in table.column_names], path)
    return {name: Cells(name, column) for name, column in zip(names, table.columns, strict=True)}


def _from_arrow(name: str, column: Any, as_text: bool) -> Column:
    arrow, compute = require("pyarrow", "Reading tables"), require("pyarrow.compute", "Reading tables")
    types, kind = arrow.types, column.type
    if types.is_null(kind) and not as_text:
        return Column(np.full(len(column), np.nan))
    numeric = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind)
    if numeric and not as_text:
        numbers = column.cast(arrow.int8()) if types.is_boolean(kind) else column
        return Column(numbers.cast(arrow.float64(), safe=False).fill_null(float("nan")).to_numpy().copy())
    if types.is_nested(kind) or types.is_binary(kind):
        raise DataError(f"Column {name!r} is of type {kind}, which is no feature. Leave it out: --drop {name}")
    if types.is_dictionary(kind):
        column = column.cast(kind.value_type)
    texts = column.cast(arrow.string())
    texts = compute.if_else(compute.is_in(texts, value_set=arrow.array(_MISSING)), None, texts)
    labels = sorted(label for label in compute.unique(texts).to_pylist() if label is not None)
    codes = compute.index_in(texts, value_set=arrow.array(labels, arrow.string())).fill_null(-1)
    return Column(codes.to_numpy().astype(np.int64), tuple(labels))
