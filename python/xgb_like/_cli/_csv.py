# SPDX-License-Identifier: Apache-2.0
"""CSV files: what stands between their cells, reading them with and without pyarrow, and what is wrong with one."""

from __future__ import annotations

import csv
import importlib.util
import io
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from .._exceptions import DataError
from .._names import names_of
from .._optional import require
from ._sources import Source

MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "?")
_SAMPLE_BYTES, _SAMPLE_ROWS = 2**16, 20
_DELIMITERS = (",", ";", "\t", "|")
_LONGEST = 200  # of what pyarrow says about a file: it quotes records as a whole


@dataclass(frozen=True)
class Dialect:
    """How the cells of a file are separated, and the names of its columns as they stand there."""

    delimiter: str
    decimal: str
    header: bool
    names: list[str]


def dialect_of(source: Source, header: bool, delimiter: str | None, decimal: str | None) -> Dialect:
    """Return the dialect of a file, by its first lines where it is not told."""
    for option, sign in (("delimiter", delimiter), ("decimal", decimal)):
        if sign is not None and len(sign) != 1:
            raise DataError(f"`--{option}` must be one character; got {sign!r}.")
    if delimiter is None:
        delimiter = "\t" if source.path.suffix.lower() == ".tsv" else _found_delimiter(source, decimal == ",")
    first = next(iter(_sample(source, delimiter)), [])
    names = first if header else names_of(None, len(first))
    return Dialect(delimiter, decimal or ".", header, names)


def _found_delimiter(source: Source, comma_last: bool) -> str:
    """Return the sign that cuts the first lines into the same number of cells, two at least; a comma if none does."""
    for delimiter in _DELIMITERS[comma_last:] + _DELIMITERS[:comma_last]:
        widths = {len(row) for row in _sample(source, delimiter)}
        if len(widths) == 1 and widths.pop() > 1:
            return delimiter
    return ","


def _sample(source: Source, delimiter: str) -> list[list[str]]:
    with source.path.open("rb") as stream:
        start = stream.read(_SAMPLE_BYTES)
    lines = io.StringIO(start.decode("utf-8-sig", errors="replace"), newline="")
    try:
        rows = [row for row in islice(csv.reader(lines, delimiter=delimiter), _SAMPLE_ROWS) if row]
    except csv.Error:
        return []
    cut = len(start) == _SAMPLE_BYTES and not lines.read(1) and len(rows) > 1
    return rows[:-1] if cut else rows


def read_plainly(source: Source, dialect: Dialect) -> dict[str, list[str]]:
    """Read a CSV file by Python alone."""
    rows = list(_checked_rows(source, dialect))
    if not rows:
        raise DataError(f"The file {source.name!r} is empty.")
    names = rows.pop(0) if dialect.header else dialect.names
    return {name: [row[i] for row in rows] for i, name in enumerate(checked_names(names, source))}


def _checked_rows(source: Source, dialect: Dialect) -> Iterator[list[str]]:
    width, end = 0, 0
    with source.path.open(newline="", encoding="utf-8-sig") as stream:
        reader = csv.reader(stream, delimiter=dialect.delimiter)
        while (row := _next_row(reader, source, end + 1)) is not None:
            begin, end = end + 1, reader.line_num
            width = width or len(row)
            if row and len(row) != width:
                what = f"Line {begin} of {source.name!r} has {len(row)} cells; {width} were expected."
                raise DataError(f"{what} {_advice(dialect, begin, end)}")
            if row:
                yield row


def _next_row(reader: Any, source: Source, line: int) -> list[str] | None:
    try:
        row: list[str] | None = next(reader, None)
    except csv.Error as error:
        raise DataError(f"{source.name!r} cannot be read as CSV from line {line} on: {error}.") from None
    return row


def _advice(dialect: Dialect, begin: int, end: int) -> str:
    if end > begin:
        return f"A quote that is opened there stays open up to line {end}."
    return f"Cells are taken to be separated by {dialect.delimiter!r}: --delimiter tells another sign."


def checked_names(names: list[str], source: Source) -> list[str]:
    """Return the names of columns; raise if two are the same."""
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise DataError(f"Columns of {source.name!r} have the same name: {', '.join(map(repr, twice))}.")
    return names


def read_by_arrow(source: Source, dialect: Dialect, texts: Collection[str]) -> Any:
    """Read a CSV file as a table of pyarrow; of the columns in `texts` the texts are kept."""
    arrow = require("pyarrow.csv", "Reading CSV files quickly")
    strings = require("pyarrow", "Reading CSV files").string()
    # Markers of missing cells count for numbers only: in a column of texts they are told from others when it is used.
    convert = arrow.ConvertOptions(
        null_values=list(MISSING),
        quoted_strings_can_be_null=True,
        column_types=dict.fromkeys(texts, strings),
        decimal_point=dialect.decimal,
    )
    read = arrow.ReadOptions(autogenerate_column_names=not dialect.header)
    parse = arrow.ParseOptions(delimiter=dialect.delimiter, newlines_in_values=True)
    try:
        return arrow.read_csv(source.path, read, parse, convert)
    except ValueError as error:
        if "invalid UTF8" not in str(error):
            for _ in _checked_rows(source, dialect):  # raises where the mistake is, if Python sees it, too
                pass
        raise ValueError(str(error).partition("\n")[0][:_LONGEST]) from None


def has_arrow() -> bool:
    """Whether pyarrow is there."""
    return importlib.util.find_spec("pyarrow") is not None
