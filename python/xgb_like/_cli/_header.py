# SPDX-License-Identifier: Apache-2.0
"""Whether the first line of a CSV file has the names of its columns, or data."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from .._base._names import names_of
from ._moments import is_moment

_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)
_WHOLE = re.compile(r"\s*\d+\s*", re.ASCII)
_YEARS = range(1900, 2100)
_MANY = 5  # rows of data may begin with 1, 2, 3
_NO_HEADER = "so it is data; columns are f0, f1, ... (--header if it has their names)"

Rows = Sequence[Sequence[str]]


def has_header(rows: Rows, expected: Collection[str], missing: Collection[str]) -> tuple[bool, str]:
    """Guess whether the first of some rows has names, and return a message about it.

    Parameters
    ----------
    rows
        The first ones of the file, all of one length.
    expected
        Names of columns that a model knows; none for a new one.
    missing
        Texts that are missing cells, which are no names.
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
    if (text := next((cell for cell in first if _is_value(cell)), None)) is not None:
        return False, f"none: the first line has values such as {text.strip()!r}, {_NO_HEADER}"
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


def _is_value(cell: str) -> bool:
    """Whether a cell is a fraction, a negative number or a date, which no column is called."""
    return bool(_NUMBER.fullmatch(cell) and not _WHOLE.fullmatch(cell)) or is_moment(cell)


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
