# SPDX-License-Identifier: Apache-2.0
"""Dates and times as numbers: days since 1970-01-01, or the fraction of a day for times of day."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

ORDERS = ("dmy", "mdy")  # of day, month and year where the year comes last
_NAMES = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTHS = {name: i + 1 for i, name in enumerate(_NAMES.split("|"))}
_NAME = rf"({_NAMES})[a-z]*\.?"
_FLAGS = re.ASCII | re.IGNORECASE
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})", _FLAGS)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)", _FLAGS)
_MONTH_ALONE = re.compile(r"((?:19|20)\d\d)-(\d\d)", _FLAGS)
_DAY_NAME_YEAR = re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th)?[- /.]\s?{_NAME}[- /.,]\s?(\d{{4}}|\d\d)", _FLAGS)
_NAME_DAY_YEAR = re.compile(rf"{_NAME}[- ]\s?(\d{{1,2}})(?:st|nd|rd|th)?(?:,\s?|\s)(\d{{4}})", _FLAGS)
_YEAR_NAME_DAY = re.compile(rf"(\d{{4}})[- ]{_NAME}[- ](\d{{1,2}})", _FLAGS)
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)", _FLAGS)
_WEEKDAY = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+", _FLAGS)
_CLOCK = re.compile(
    r"(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d+)?))?\s?([ap]\.?m\.?)?\s?(?:(Z|UTC|GMT)|([-+]\d\d):?(\d\d)?)?", _FLAGS
)
_EPOCH = date(1970, 1, 1).toordinal()
_PIVOT = 69  # years of two digits from here on are of the last century, as in POSIX
_IN_A_DAY = {"s": 86_400, "ms": 86_400 * 10**3, "us": 86_400 * 10**6, "ns": 86_400 * 10**9}


def moment(text: str, order: str = "dmy", compact: bool = False) -> float:
    """Return the days of a date, with or without a time, or of a time of day; ValueError for what is neither.

    Parameters
    ----------
    text
        Such as 2025-01-31, 31.01.2025, 1/31/25, 31 Jan 2025 or January 31, 2025, also with a time: 23:59:59.5+02:00,
        11:59 pm.
    order
        ``dmy`` or ``mdy``, for dates such as 03/04/2025.
    compact
        Whether 20250131 is a date.
    """
    text = text.strip()
    day, clock = _split(_WEEKDAY.sub("", text, count=1) if text[:1].isalpha() else text)
    if not day and not clock:
        raise ValueError(text)
    seconds = _seconds(clock) if clock else 0.0
    return ((_days(day, order, compact) if day else 0.0) * _IN_A_DAY["s"] + seconds) / _IN_A_DAY["s"]


def is_moment(text: str) -> bool:
    """Whether a text is a date or a time in some order."""
    for order in ORDERS:
        try:
            moment(text, order)
        except ValueError:
            continue
        return True
    return False


def _split(text: str) -> tuple[str, str]:
    """Return the date and the time of day, empty where there is none."""
    colon = text.find(":")
    if colon < 0:
        return text, ""
    begin = max(text.rfind(" ", 0, colon), text.rfind("T", 0, colon), text.rfind("t", 0, colon))
    return text[: max(begin, 0)].rstrip(" ,"), text[begin + 1 :]


@lru_cache(maxsize=1 << 16)  # tables have more times than dates
def _days(text: str, order: str, compact: bool) -> float:
    if found := _YEAR_FIRST.fullmatch(text):
        return _day(found[1], found[3], found[4])
    if found := _YEAR_LAST.fullmatch(text):
        first, second = (found[1], found[3]) if order == "dmy" else (found[3], found[1])
        return _day(found[4], second, first)
    if found := _MONTH_ALONE.fullmatch(text):
        return _day(found[1], found[2], "1")
    if found := _DAY_NAME_YEAR.fullmatch(text):
        return _day(found[3], found[2], found[1])
    if found := _NAME_DAY_YEAR.fullmatch(text):
        return _day(found[3], found[1], found[2])
    if found := _YEAR_NAME_DAY.fullmatch(text):
        return _day(found[1], found[2], found[3])
    if compact and (found := _COMPACT.fullmatch(text)):
        return _day(found[1], found[2], found[3])
    raise ValueError(text)


def _day(year: str, month: str, day: str) -> float:
    number = int(year) + (0 if len(year) == 4 else 1900 if int(year) >= _PIVOT else 2000)
    of_year = _MONTHS[month.lower()] if month.isalpha() else int(month)
    return float(date(number, of_year, int(day)).toordinal() - _EPOCH)


def _seconds(text: str) -> float:
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise ValueError(text)
    hours, minutes, seconds = int(found[1]), int(found[2]), float(found[3] or 0)
    if found[4]:
        if not 1 <= hours <= 12:
            raise ValueError(text)
        hours = hours % 12 + (12 if found[4][0] in "pP" else 0)
    if hours > 23 or minutes > 59 or seconds >= 60:
        raise ValueError(text)
    offset = (-1 if found[6][0] == "-" else 1) * (int(found[6][1:]) * 60 + int(found[7] or 0)) if found[6] else 0
    return hours * 3600 + minutes * 60 + seconds - offset * 60


def days_in(column: Any) -> npt.NDArray[np.float64]:
    """Return the days of a column of pyarrow that holds dates, times or durations; NaN where it has none."""
    kind = str(column.type)
    whole = column.cast("int32").cast("int64") if kind.startswith(("date32", "time32")) else column.cast("int64")
    days = whole.cast("float64", safe=False).fill_null(float("nan")).to_numpy().copy()
    unit = getattr(column.type, "unit", "ms" if kind.startswith("date64") else None)
    return np.asarray(days / (_IN_A_DAY[unit] if unit else 1))
