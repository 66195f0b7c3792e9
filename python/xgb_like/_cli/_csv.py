# SPDX-License-Identifier: Apache-2.0
"""CSV files: their encoding, their delimiter, and whether their first line has names."""

import codecs
import io
import math
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from .. import _core
from .._base._exceptions import DataError, names_of
from ._column import MISSING, MISSING_NUMBERS, Column, find_column, name_in_models
from ._meanings import is_moment
from ._sources import Source

# Whether the first line of a CSV file has the names of its columns, or data.

_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)
_WHOLE = re.compile(r"\s*\d+\s*", re.ASCII)
_YEARS = range(1900, 2100)
_MANY = 5  # rows of data may begin with 1, 2, 3
_NO_HEADER = "so it is data; columns are f0, f1, ... (--header if it has their names)"

Rows = Sequence[Sequence[str]]


def has_header(rows: Rows, expected: Collection[str], missing: Collection[str]) -> tuple[bool, str]:
    """Guess whether the first of some rows, all of one length, has names, and return a message about it.

    `expected` are names of columns that a model knows, none for a new one; `missing` are texts of missing cells, which
    are no names.
    """
    first, others = rows[0], rows[1:]
    if any(name in expected for name in first):
        return True, ""
    if expected and set(expected) <= set(names_of(None, len(first) + len(expected))):  # trained on data without names
        return False, ""
    numbers = [cell for cell in first if _NUMBER.fullmatch(cell)]
    gaps = [cell for cell in first if cell.strip() and cell not in numbers and cell.strip() in missing]
    if (numbers or gaps) and not any(cell.strip() for cell in first if cell not in numbers and cell not in gaps):
        if _is_counted(numbers) and others and not (gaps and _again(numbers, first, others)):
            return True, f"the first line, {', '.join(first[:3])}, ..., is taken as names (--no-header if it is data)"
        what = f"only numbers and missing cells such as {gaps[0].strip()!r}" if gaps else "numbers only"
        return False, f"none: the first line has {what}, {_NO_HEADER}"
    for cell in first:  # fractions, negative numbers and dates, which no column is called
        if (_NUMBER.fullmatch(cell) and not _WHOLE.fullmatch(cell)) or is_moment(cell):
            return False, f"none: the first line has values such as {cell.strip()!r}, {_NO_HEADER}"
    if (text := _recurring(first, others)) is not None:
        return False, f"none: texts of the first line, such as {text!r}, come again below it, {_NO_HEADER}"
    if numbers:
        return True, f"the first line is taken as names, {numbers[0].strip()!r} among them (--no-header if it is data)"
    return True, ""


def _is_counted(numbers: Sequence[str]) -> bool:
    """Whether numbers count the columns, or are years: 0, 1, 2 or 2019, 2020."""
    if len(numbers) < 2 or not all(_WHOLE.fullmatch(text) for text in numbers):
        return False
    begin = int(numbers[0])
    likely = begin == 0 or begin in _YEARS or (begin == 1 and len(numbers) >= _MANY)
    return likely and all(int(after) == int(before) + 1 for before, after in pairwise(numbers))


def _recurring(first: Sequence[str], others: Rows) -> str | None:
    """Return a text of the first row if most of its texts occur again in their columns, which names do not."""
    if list(first) in [list(row) for row in others]:  # files that were joined, with their headers
        return None
    texts = [cell for cell in first if cell.strip() and not _NUMBER.fullmatch(cell)]
    again = _again(texts, first, others)
    return again[0] if texts and len(again) >= math.ceil(len(texts) / 2) else None


def _again(cells: Sequence[str], first: Sequence[str], others: Rows) -> list[str]:
    """Return which cells of the first row occur again in their columns."""
    places = [(place, cell) for place, cell in enumerate(first) if cell in cells]
    return [cell for place, cell in places if any(row[place] == cell for row in others if place < len(row))]


_SAMPLE_ROWS = 20
_DELIMITERS = (",", ";", "\t", "|")
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip


@dataclass(frozen=True)
class Options:
    """How a file is to be read; None is as the file shows it.

    Of the columns in `texts`, by name or number, the text of each cell is kept; `na` are texts, and numbers, that are
    missing cells, beside the usual ones; `expected` are names of columns that a model knows, and `usual_encoding` is
    what a file has that is not in UTF-8.
    """

    header: bool | None = None
    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    usual_encoding: str = ""
    na: Sequence[str] = ()
    texts: Collection[str] = ()
    expected: Collection[str] = ()


def read_csv(source: Source, options: Options) -> tuple[list[tuple[str, Column]], list[str]]:
    """Return the columns of a file by name, and messages about it. Missing cells are not yet separated from texts."""
    for option, sign in (("delimiter", options.delimiter), ("decimal", options.decimal)):
        if sign is not None and (len(sign) != 1 or not sign.isascii() or sign in '"\r\n'):
            raise DataError(f"`--{option}` must be one character; got {sign!r}.")
    with source.path.open("rb") as stream:
        start = stream.read(4)
    marked = next((name for mark, name in _BYTE_ORDER_MARKS if start.startswith(mark)), None)
    wanted = options.encoding or marked  # None: UTF-8
    try:
        with _in_utf8(source, wanted) as path:
            return _read(path, source, options)
    except UnicodeDecodeError:
        if wanted is not None or not options.usual_encoding:
            raise _wrong_encoding(source, wanted) from None
    with _in_utf8(source, options.usual_encoding) as path:
        return _read(path, source, options)


@contextmanager
def _in_utf8(source: Source, encoding: str | None) -> Iterator[Path]:
    """Give a file in UTF-8: the one that there is, or a copy."""
    if encoding is None or _codec(encoding) in ("utf-8", "utf-8-sig"):
        yield source.path
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "data"
        try:
            with (
                source.path.open(encoding=encoding, newline="") as old,
                copy.open("w", encoding="utf-8", newline="") as new,
            ):
                shutil.copyfileobj(old, new)
        except UnicodeError:
            raise _wrong_encoding(source, encoding) from None
        yield copy


def _codec(encoding: str) -> str:
    """Return the usual name of an encoding; raise if it is not one for text, such as base64."""
    try:
        io.TextIOWrapper(io.BytesIO(), encoding)
        return codecs.lookup(encoding).name
    except (LookupError, UnicodeError):
        raise DataError(f"`--encoding` must be one that Python knows, such as cp1252; got {encoding!r}.") from None


def _wrong_encoding(source: Source, encoding: str | None) -> DataError:
    return DataError(
        f"{source.name!r} is not encoded in {encoding or 'UTF-8'}. Give its encoding: --encoding cp1252 for files from "
        "Windows in Western Europe, latin-1, utf-16, or another that Python knows."
    )


def _read(path: Path, source: Source, options: Options) -> tuple[list[tuple[str, Column]], list[str]]:
    with _advice("Name the encoding by --encoding, such as utf-16."):
        table = _core.TextTable(str(path), repr(source.name))
    delimiter = options.delimiter or _delimiter_of(table, source, options.decimal == ",")
    sample = table.sample(delimiter, _SAMPLE_ROWS)
    if not sample:
        raise DataError(f"The file {source.name!r} is empty.")
    missing = sorted({*MISSING, *MISSING_NUMBERS, *options.na})
    header, note = options.header, ""
    if header is None:
        header, note = has_header(sample, options.expected, missing)
    notes = [f"header       {note}"] if note else []
    names = _names(sample[0], header, notes)
    _check_names(names, source)
    in_models = [name_in_models(name) for name in names]
    texts = sorted(
        {in_models.index(one) for text in options.texts if (one := find_column(in_models, text)) is not None}
    )
    decimal = options.decimal or "."
    with _advice("If another sign stands between cells, name it by --delimiter."):
        columns, lines = table.read(delimiter, decimal, header, missing, texts, 0)
    found = []
    for name, (cells, more) in zip(names, columns, strict=True):
        if isinstance(more, bool):
            found.append((name, Column(cells, lines=lines, has_points=more and decimal == ".")))
        else:
            found.append((name, Column(cells.astype(np.int64), tuple(more), lines=lines)))
    return found, notes


@contextmanager
def _advice(text: str) -> Iterator[None]:
    """Add advice to an error of the engine, which knows no options."""
    try:
        yield
    except DataError as error:
        raise DataError(f"{error} {text}") from None


def _delimiter_of(table: _core.TextTable, source: Source, comma_last: bool) -> str:
    """Return the delimiter that cuts the first lines into equally many cells, at least two; a comma if none does."""
    if source.path.suffix.lower() == ".tsv":
        return "\t"
    for delimiter in _DELIMITERS[comma_last:] + _DELIMITERS[:comma_last]:
        widths = {len(row) for row in table.sample(delimiter, _SAMPLE_ROWS)}
        if len(widths) == 1 and widths.pop() > 1:
            return delimiter
    return ","


def _names(first: Sequence[str], header: bool, notes: list[str]) -> list[str]:
    """Return the names of columns; those that have none are numbered."""
    numbered = names_of(None, len(first))
    if not header:
        return numbered
    unnamed = [place for place, name in enumerate(first) if not name.strip()]
    notes += [f"unnamed      column {place} has no name: it is {numbered[place]}" for place in unnamed]
    return [number if not name.strip() else name for name, number in zip(first, numbered, strict=True)]


def _check_names(names: Sequence[str], source: Source) -> None:
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        name, places = twice[0], [str(place) for place, one in enumerate(names) if one == twice[0]]
        which = ", ".join(places[:-1]) + f" and {places[-1]}"
        raise DataError(
            f"Columns of {source.name!r} have the same name: {name!r} is that of columns {which}, counted from 0. "
            "Rename all but one, or say --no-header if the first line is data."
        )
