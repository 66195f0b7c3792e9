# SPDX-License-Identifier: Apache-2.0
"""Columns of texts that mean numbers: with decimal commas, signs of money, or a few cells that are something else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .._exceptions import DataError
from ._files import Column
from ._moments import moment

MOST = 0.9  # of the cells of a column that are not empty: if so many are numbers, the others are mistakes
_SAMPLE = 1000
_MONEY = r"[$\u20ac\u00a3\u00a5]?"
_DATE_OF_ANOTHER_FORM = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}")
_Values = npt.NDArray[np.float64]


def _form(decimal: str, grouping: str) -> re.Pattern[str]:
    body = rf"\d{{1,3}}(?:[{grouping}' \u00a0\u202f]\d{{3}})+(?:{decimal}\d*)?|\d+(?:{decimal}\d*)?|{decimal}\d+"
    return re.compile(rf"([-+]?)\s?{_MONEY}\s?([-+]?)({body})((?:[eE][-+]?\d+)?)\s?(?:{_MONEY}|%)")


_FORMS = {".": _form(r"\.", ","), ",": _form(",", r"\.")}


def number(text: str, decimal: str) -> float:
    """Return the number that a text means if the sign before its decimals is this one; NaN if it means none."""
    found = _FORMS[decimal].fullmatch(text.strip())
    if found is None or (found[1] and found[2]):
        return np.nan
    digits = "".join(sign for sign in found[3] if sign.isdigit() or sign == decimal).replace(decimal, ".")
    return float(found[1] + found[2] + digits + found[4])


def _number_with(decimal: str) -> Callable[[str], float]:
    return lambda text: number(text, decimal)


def _days(text: str) -> float:
    try:
        return moment(text)
    except ValueError:
        return np.nan


def _values(column: Column, meaning: Callable[[str], float]) -> _Values:
    """Return what the texts of a column mean, NaN for those that mean nothing and for missing cells."""
    of_labels = np.array([*(meaning(label) for label in column.labels or ()), np.nan])
    return np.asarray(of_labels[column.values])


def _share(column: Column, values: _Values) -> float:
    return float(np.mean(~np.isnan(values[~column.missing]))) if not column.missing.all() else 0.0


def may_be_numbers(column: Column) -> bool:
    """Whether some rows look like it, so that no time is lost on names of rows."""
    rows = np.linspace(0, len(column.values) - 1, min(_SAMPLE, len(column.values))).astype(np.int64)
    codes, part = np.unique(column.values[rows], return_inverse=True)
    labels = tuple(column.labels[code] if code >= 0 else "" for code in codes) if column.labels else ()
    sample = Column(np.where(column.missing[rows], -1, part), labels)
    readers = (_number_with("."), _number_with(","), _days)
    return any(_share(sample, _values(sample, reader)) > MOST / 2 for reader in readers)


def decimal_of(columns: dict[str, Column], has_points: bool, remembered: str = "") -> str:
    """Return the sign before decimals, as columns of texts show it; none if it does not matter.

    Parameters
    ----------
    columns
        By name; those without texts do not matter.
    has_points
        Whether columns of numbers have shown decimal points.
    remembered
        The sign in the training data, for files that do not show theirs.
    """
    shown, doubtful = _signs_in(columns)
    if "," in shown and (has_points or "." in shown):
        raise DataError(
            f"Column {shown[',']!r} has numbers with decimal commas, and other columns have decimal points. Tell which "
            "of them are numbers: --decimal , or --decimal ."
        )
    if doubtful and not (shown or has_points or remembered):
        raise DataError(
            f"Column {doubtful[0]!r} has numbers that may be read in two ways, such as {doubtful[1]}. Tell which sign "
            "stands before decimals: --decimal . or --decimal ,"
        )
    return next(iter(shown), "." if has_points else remembered if doubtful else "")


def _signs_in(columns: dict[str, Column]) -> tuple[dict[str, str], tuple[str, str] | None]:
    """Return the signs that columns show, each with such a column, and a column that may be read in both ways."""
    shown: dict[str, str] = {}
    doubtful = None
    for name, column in columns.items():
        if column.labels is None or not may_be_numbers(column):
            continue
        points, commas = (_values(column, _number_with(sign)) for sign in _FORMS)
        shares = _share(column, points), _share(column, commas)
        if max(shares) < MOST:
            continue
        if shares[0] != shares[1]:
            shown.setdefault("." if shares[0] > shares[1] else ",", name)
        elif any("," in label for label in column.labels) and not np.array_equal(points, commas, equal_nan=True):
            row = int(np.flatnonzero((points != commas) & ~np.isnan(points))[0])
            doubtful = name, f"{cell(column, row)!r} in row {row}"
    return shown, doubtful


@dataclass(frozen=True)
class Meaning:
    """What a column of texts means: numbers, and which rows have texts that are none."""

    numbers: Column
    strangers: npt.NDArray[np.int64]


def meaning_of(column: Column, decimal: str, least: float = MOST) -> Meaning | None:
    """Return the numbers, or the days, that texts mean; None if less than this share of those present mean any."""
    if column.labels is None or (least > 0 and not may_be_numbers(column)):
        return None
    ways = [(_values(column, _number_with(decimal)), False), (_values(column, _days), True)]
    values, is_time = max(ways, key=lambda way: _share(column, way[0]))
    if not 0 < _share(column, values) >= least:
        return None
    return Meaning(Column(values, is_time=is_time), np.flatnonzero(np.isnan(values) & ~column.missing))


def share_of_numbers(column: Column, decimal: str) -> float:
    """Return how many of the cells that are not empty are numbers."""
    return _share(column, _values(column, _number_with(decimal))) if may_be_numbers(column) else 0.0


def not_plain(column: Column, decimal: str) -> str | None:
    """Return a text that is a number, but has more in it than digits and the sign before decimals."""
    plain = re.compile(rf"[-+]?\d*\{decimal}?\d*([eE][-+]?\d+)?")
    marked = (label for label in column.labels or () if not plain.fullmatch(label))
    return next((label for label in marked if not np.isnan(number(label, decimal))), None)


def date_of_another_form(column: Column) -> str | None:
    """Return one of the texts if all are dates, but not in the form that is read as such."""
    labels = column.labels or ()
    return labels[0] if labels and all(_DATE_OF_ANOTHER_FORM.fullmatch(label) for label in labels) else None


def cell(column: Column, row: int) -> str:
    """Return the text in a row."""
    return str((column.labels or ())[column.values[row]])
