# SPDX-License-Identifier: Apache-2.0
"""Reading tables: CSV with or without pyarrow, Parquet and Arrow with it."""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .._exceptions import DataError
from .._optional import require

FORMATS = {
    "csv": (".csv", ".tsv", ".txt"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
    "libsvm": (".libsvm", ".svm", ".svmlight"),
}
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


Table = dict[str, Column]


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


def read_table(path: Path, kind: str, header: bool, delimiter: str | None) -> Table:
    """Read a file into columns."""
    if kind == "csv":
        comma = delimiter or ("\t" if path.suffix.lower() == ".tsv" else ",")
        if len(comma) != 1:
            raise DataError(f"`--delimiter` must be one character; got {delimiter!r}.")
        if importlib.util.find_spec("pyarrow") is None:
            return read_csv_plainly(path, header, comma)
        return _from_arrow(_read_csv_by_arrow(path, header, comma))
    if kind == "parquet":
        return _from_arrow(require("pyarrow.parquet", "Reading Parquet files").read_table(path))
    return _from_arrow(require("pyarrow.feather", "Reading Arrow files").read_table(path))


def read_csv_plainly(path: Path, header: bool, delimiter: str) -> Table:
    """Read a CSV file by Python alone."""
    with path.open(newline="", encoding="utf-8-sig") as stream:
        rows = [row for row in csv.reader(stream, delimiter=delimiter) if row]
    if not rows:
        raise DataError(f"The file {str(path)!r} is empty.")
    names = rows.pop(0) if header else [f"f{i}" for i in range(len(rows[0]))]
    for number, row in enumerate(rows, start=2 if header else 1):
        if len(row) != len(names):
            raise DataError(f"Line {number} of {str(path)!r} has {len(row)} cells; {len(names)} were expected.")
    return {name: _column([row[i] for row in rows]) for i, name in enumerate(_unique(names, path))}


def _column(cells: Sequence[str]) -> Column:
    present = [cell for cell in cells if cell not in _MISSING]
    if present and all(cell in _BOOL for cell in present):
        return Column(np.array([_BOOL.get(cell, np.nan) for cell in cells]))
    try:
        return Column(np.array([np.nan if cell in _MISSING else float(cell) for cell in cells], dtype=np.float64))
    except ValueError:
        labels = sorted(set(present))
        codes = {label: code for code, label in enumerate(labels)}
        return Column(np.array([codes.get(cell, -1) for cell in cells], dtype=np.int64), tuple(labels))


def _unique(names: Sequence[str], path: Path) -> Sequence[str]:
    twice = sorted({name for name in names if list(names).count(name) > 1})
    if twice:
        raise DataError(f"Columns of {str(path)!r} have the same name: {', '.join(twice)}.")
    return names


def _read_csv_by_arrow(path: Path, header: bool, delimiter: str) -> Any:
    arrow = require("pyarrow.csv", "Reading CSV files quickly")
    convert = arrow.ConvertOptions(
        null_values=list(_MISSING), strings_can_be_null=True, quoted_strings_can_be_null=True
    )
    read = arrow.ReadOptions(autogenerate_column_names=not header)
    try:
        return arrow.read_csv(path, read, arrow.ParseOptions(delimiter=delimiter), convert)
    except ValueError as error:
        raise DataError(f"{str(path)!r} cannot be read as CSV: {error}") from None


def _from_arrow(table: Any) -> Table:
    names = _unique([str(name) for name in table.column_names], Path("the table"))
    return {name: _from_chunks(name, column) for name, column in zip(names, table.columns, strict=True)}


def _from_chunks(name: str, column: Any) -> Column:
    arrow, compute = require("pyarrow", "Reading tables"), require("pyarrow.compute", "Reading tables")
    types, kind = arrow.types, column.type
    if types.is_null(kind):
        return Column(np.full(len(column), np.nan))
    if types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind):
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
