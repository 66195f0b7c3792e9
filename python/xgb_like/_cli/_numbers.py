# SPDX-License-Identifier: Apache-2.0
"""Columns of texts that mean numbers: with decimal commas, signs of money, or a few cells that are something else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .._base._exceptions import DataError
from ._column import MISSING_NUMBERS, Column
from ._dates import days_of, iso_days, order_of

MOST = 0.9  # of the cells of a column that are not empty: if so many are numbers, the others are mistakes
_SAMPLE = 1000
_MONEY = r"[$\u20ac\u00a3\u00a5]?"
_Values = npt.NDArray[np.float64]


def _form(decimal: str, grouping: str) -> re.Pattern[str]:
    body = rf"\d{{1,3}}(?:[{grouping}' \u00a0\u202f]\d{{3}})+(?:{decimal}\d*)?|\d+(?:{decimal}\d*)?|{decimal}\d+"
    return re.compile(rf"([-+]?)\s?{_MONEY}\s?([-+]?)({body})((?:[eE][-+]?\d+)?)\s?(?:{_MONEY}|%)(-?)", re.ASCII)


_FORMS = {".": _form(r"\.", ","), ",": _form(",", r"\.")}
_IN_BRACKETS = re.compile(rf"({_MONEY})\s?\(([^()]*)\)\s?({_MONEY}|%)")  # negative, as accountants write it


def number(text: str, decimal: str) -> float:
    """Return the number that a text means if the sign before its decimals is this one; NaN if it means none."""
    text = text.strip().replace("\u2212", "-")
    brackets = _IN_BRACKETS.fullmatch(text)
    found = _FORMS[decimal].fullmatch(brackets[1] + brackets[2].strip() + brackets[3] if brackets else text)
    if found is None or sum(map(bool, (brackets, found[1], found[2], found[5]))) > 1:
        return np.nan
    digits = "".join(sign for sign in found[3] if sign.isdigit() or sign == decimal).replace(decimal, ".")
    size = float(found[1] + found[2] + digits + found[4])
    return -size if brackets or found[5] else size


def _number_with(decimal: str) -> Callable[[str], float]:
    return lambda text: number(text, decimal)


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
    readers = (_number_with("."), _number_with(","), days_of("dmy"), days_of("mdy"))
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
    shown, doubtful, any_numbers = _signs_in(columns)
    if "," in shown and (has_points or "." in shown):
        raise DataError(
            f"Column {shown[',']!r} has numbers with decimal commas, and other columns have decimal points. Say which "
            "of them are numbers: --decimal , or --decimal ."
        )
    if doubtful and not (shown or has_points or remembered):
        raise DataError(
            f"Column {doubtful[0]!r} has numbers that may be read in two ways, such as {doubtful[1]}. Say which sign "
            "comes before decimals: --decimal . or --decimal ,"
        )
    return next(iter(shown), "." if has_points and any_numbers else remembered if doubtful else "")


def _signs_in(columns: dict[str, Column]) -> tuple[dict[str, str], tuple[str, str] | None, bool]:
    """Return the signs that columns show, a column that may be read in both ways, and whether any has numbers."""
    shown: dict[str, str] = {}
    doubtful = None
    any_numbers = False
    for name, raw in columns.items():
        column = _candidate(raw)
        if column.labels is None or iso_days(column.labels[:_SAMPLE]) is not None or not may_be_numbers(column):
            continue
        points, commas = (_values(column, _number_with(sign)) for sign in _FORMS)
        shares = _share(column, points), _share(column, commas)
        if max(shares) < MOST:
            continue
        any_numbers = True
        if shares[0] != shares[1]:
            shown.setdefault("." if shares[0] > shares[1] else ",", name)
        elif any("," in label for label in column.labels) and not np.array_equal(points, commas, equal_nan=True):
            row = int(np.flatnonzero((points != commas) & ~np.isnan(points))[0])
            doubtful = name, f"{column.text(row)!r} in {column.place(row)}"
    return shown, doubtful, any_numbers


@dataclass(frozen=True)
class Meaning:
    """What a column of texts means: numbers, and which rows have texts that are none; of dates their order."""

    numbers: Column
    strangers: npt.NDArray[np.int64]
    order: str = ""


def meaning_of(
    column: Column, decimal: str, least: float = MOST, kinds: str = "numbers dates", order: str = ""
) -> Meaning | None:
    """Return the numbers, or the days, that texts mean; None if less than this share of those present mean any.

    Parameters
    ----------
    column
        The texts.
    decimal
        The sign before decimals.
    least
        The share; 0 is any at all.
    kinds
        Which of both they may mean.
    order
        Of dates such as 03/04/2025: ``dmy`` or ``mdy``; empty is as the column shows it.
    """
    column = _candidate(column)
    if column.labels is None or (least > 0 and not may_be_numbers(column)):
        return None
    ways = []
    iso = iso_days(column.labels) if "dates" in kinds else None
    if iso is not None:
        ways.append((np.append(iso, np.nan)[column.values], "ymd"))
    elif "numbers" in kinds:
        ways.append((_values(column, _number_with(decimal)), ""))
    if "dates" in kinds and iso is None:
        shown = order or order_of(column.labels)
        ways.append((_values(column, days_of(shown, compact=kinds == "dates")), shown))
    values, order = max(ways, key=lambda way: _share(column, way[0]))
    if not 0 < _share(column, values) >= least:
        return None
    strangers = np.flatnonzero(np.isnan(values) & ~column.missing)
    return Meaning(column.numbers(values, is_time=bool(order)), strangers, order)


def _candidate(column: Column) -> Column:
    """Return a column of texts without what stands for a missing number."""
    return column if column.labels is None else column.without(MISSING_NUMBERS)


def not_plain(column: Column, decimal: str) -> str | None:
    """Return a text that is a number, but has more in it than digits and the sign before decimals."""
    plain = re.compile(rf"[-+]?\d*\{decimal}?\d*([eE][-+]?\d+)?", re.ASCII)
    marked = (label for label in column.labels or () if not plain.fullmatch(label))
    return next((label for label in marked if not np.isnan(number(label, decimal))), None)
