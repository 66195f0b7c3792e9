# SPDX-License-Identifier: Apache-2.0
"""Dates and times as numbers: days since 1970-01-01, of times of day the part of a day."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt

_DAY = r"(\d{4})-(\d\d)-(\d\d)"
_CLOCK = r"(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?"
_ZONE = r"(?:Z|([-+]\d\d):?(\d\d))"
_MOMENT = re.compile(rf"{_DAY}(?:[ T]{_CLOCK}{_ZONE}?)?")
_TIME_OF_DAY = re.compile(_CLOCK)
_EPOCH = date(1970, 1, 1).toordinal()
_IN_A_DAY = {"s": 86_400, "ms": 86_400 * 10**3, "us": 86_400 * 10**6, "ns": 86_400 * 10**9}


def moment(text: str) -> float:
    """Return the days of a date such as 2025-01-31, with or without a time, or of a time; ValueError for others."""
    if found := _MOMENT.fullmatch(text):
        year, month, day, *clock, zone_hours, zone_minutes = found.groups()
        days = date(int(year), int(month), int(day)).toordinal() - _EPOCH
        part = _part_of_day(*clock) if clock[0] else 0.0
        return days + part - (_offset(zone_hours, zone_minutes) if zone_hours else 0.0)
    if found := _TIME_OF_DAY.fullmatch(text):
        return _part_of_day(*found.groups())
    raise ValueError(text)


def _part_of_day(hours: str, minutes: str, seconds: str | None = None) -> float:
    if int(hours) > 23 or int(minutes) > 59 or float(seconds or 0) >= 60:
        raise ValueError(hours)
    return (int(hours) * 3600 + int(minutes) * 60 + float(seconds or 0)) / _IN_A_DAY["s"]


def _offset(hours: str, minutes: str) -> float:
    return (-1 if hours[0] == "-" else 1) * _part_of_day(hours[1:], minutes)


def days_in(column: Any) -> npt.NDArray[np.float64]:
    """Return the days of a column of pyarrow that holds dates, times or durations; NaN where it has none."""
    kind = str(column.type)
    whole = column.cast("int32").cast("int64") if kind.startswith(("date32", "time32")) else column.cast("int64")
    days = whole.cast("float64", safe=False).fill_null(float("nan")).to_numpy().copy()
    unit = getattr(column.type, "unit", "ms" if kind.startswith("date64") else None)
    return np.asarray(days / (_IN_A_DAY[unit] if unit else 1))
