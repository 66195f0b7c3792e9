# SPDX-License-Identifier: Apache-2.0
"""What texts mean: dates and times, which become days since 1970-01-01 or the fraction of a day, and numbers."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial
from typing import Any

import numpy as np

from .._base._exceptions import DataError
from .._base._typing import Floats64, Integers
from ._column import MISSING_NUMBERS, Column

ORDERS = ("dmy", "mdy")  # of day, month and year where the year comes last
_NAMES = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTHS = {name: i + 1 for i, name in enumerate(_NAMES.split("|"))}
_NAME = rf"(?P<month>{_NAMES})[a-z]*\.?"
_DAY = r"(?P<day>\d{1,2})"
_FLAGS = re.ASCII | re.IGNORECASE
_YEAR_LAST = re.compile(rf"{_DAY}(?P<sign>[-/.])(?P<month>\d{{1,2}})(?P=sign)(?P<year>\d{{4}}|\d\d)", _FLAGS)
_DATES = (
    re.compile(rf"(?P<year>\d{{4}})(?P<sign>[-/.])(?P<month>\d{{1,2}})(?P=sign){_DAY}", _FLAGS),
    _YEAR_LAST,
    re.compile(r"(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)", _FLAGS),
    re.compile(rf"{_DAY}(?:st|nd|rd|th)?[- /.]\s?{_NAME}[- /.,]\s?(?P<year>\d{{4}}|\d\d)", _FLAGS),
    re.compile(rf"{_NAME}[- ]\s?{_DAY}(?:st|nd|rd|th)?(?:,\s?|\s)(?P<year>\d{{4}})", _FLAGS),
    re.compile(rf"(?P<year>\d{{4}})[- ]{_NAME}[- ]{_DAY}", _FLAGS),
    re.compile(r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)", _FLAGS),  # only where dates are expected
)
_WEEKDAY = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+", _FLAGS)
_CLOCK = re.compile(
    r"(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d+)?))?\s?([ap]\.?m\.?)?\s?(?:(Z|UTC|GMT)|([-+]\d\d):?(\d\d)?)?", _FLAGS
)
_EPOCH = date(1970, 1, 1).toordinal()
_PIVOT = 69  # years of two digits from here on are of the last century, as in POSIX
_IN_A_DAY = {"s": 86_400, "ms": 86_400 * 10**3, "us": 86_400 * 10**6, "ns": 86_400 * 10**9}


def moment(text: str, order: str = "dmy", compact: bool = False) -> float:
    """Return the days of a date, with or without a time, or of a time of day; ValueError for what is neither.

    Texts are such as 2025-01-31, 31.01.2025, 1/31/25, 31 Jan 2025 or January 31, 2025, also with a time:
    23:59:59.5+02:00, 11:59 pm. The order, ``dmy`` or ``mdy``, is for 03/04/2025; if `compact`, 20250131 is a date, too.
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
    for form in _DATES if compact else _DATES[:-1]:
        if found := form.fullmatch(text):
            break
    else:
        raise ValueError(text)
    year, month, day = (found.groupdict().get(part, "1") for part in ("year", "month", "day"))
    if form is _YEAR_LAST and order == "mdy":
        month, day = day, month
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


def days_in(column: Any) -> Floats64:
    """Return the days of a column of pyarrow that holds dates, times or durations; NaN where it has none."""
    kind = str(column.type)
    whole = column.cast("int32").cast("int64") if kind.startswith(("date32", "time32")) else column.cast("int64")
    days = whole.cast("float64", safe=False).fill_null(float("nan")).to_numpy().copy()
    unit = getattr(column.type, "unit", "ms" if kind.startswith("date64") else None)
    return np.asarray(days / (_IN_A_DAY[unit] if unit else 1))


# Columns of texts that are dates: which of day and month comes first.
_UNKNOWN = "dmy?"  # both orders read the column, and differ


def days_of(order: str, compact: bool = False) -> Callable[[str], float]:
    """Return a reader of days, NaN for what is no date, by the order of day and month."""
    wanted = order.rstrip("?") or ORDERS[0]

    def read(text: str) -> float:
        try:
            return moment(text, wanted, compact)
        except ValueError:
            return np.nan

    return read


def iso_days(labels: Sequence[str]) -> Floats64 | None:
    """Return the days of texts that are all like 2025-01-31 or 2025-01-31 23:59:59, by numpy; None for others.

    It gives what :func:`moment` does, and a long column of moments takes a tenth of the time.
    """
    if not labels or not all(map(_is_iso, labels)):
        return None
    try:
        seconds = np.array(labels, dtype="datetime64[s]").astype(np.int64)
    except ValueError:
        return None
    return np.asarray(seconds / 86_400)


def _is_iso(text: str) -> bool:
    if not (text.isascii() and text[:4].isdigit() and text[4:5] == text[7:8] == "-") or text.startswith("0000"):
        return False  # of year 0, which numpy takes, there are no dates
    return len(text) == 10 or (len(text) == 19 and text[13] == text[16] == ":" and text[17:].isdigit())


def order_of(labels: Sequence[str]) -> str:
    """Return the order that dates show: one of `ORDERS`, ``ymd`` if it makes no difference, or that it is unknown."""
    days = {order: np.array([days_of(order)(label) for label in labels], dtype=np.float64) for order in ORDERS}
    counts = {order: int(np.count_nonzero(~np.isnan(found))) for order, found in days.items()}
    if counts["dmy"] != counts["mdy"]:
        return max(counts, key=counts.__getitem__)
    differ = np.flatnonzero(days["dmy"] != days["mdy"])
    differ = differ[~np.isnan(days["dmy"][differ]) | ~np.isnan(days["mdy"][differ])]
    if not len(differ):
        return "ymd"
    # 03.04.2025 has the day first wherever it is written
    return _UNKNOWN if any("." not in labels[row] for row in differ.tolist()) else "dmy"


def settled(orders: Mapping[str, str], columns: Mapping[str, Column], told: str | None) -> dict[str, str]:
    """Return the orders of columns of dates, those that do not show theirs by the others; raise if none does."""
    seen = {order for order in orders.values() if order in ORDERS}
    shown = told or (seen.pop() if len(seen) == 1 else "")
    for name, order in orders.items():
        if order == _UNKNOWN and not shown:
            column, readers = columns[name], [days_of(one) for one in ORDERS]
            doubtful = [len({str(read(label)) for read in readers}) > 1 for label in column.labels or ()]
            row = int(np.flatnonzero(np.array([*doubtful, False])[column.values])[0])
            raise DataError(
                f"Column {name!r} has dates that may be read in two ways, such as {column.text(row)!r} in "
                f"{column.place(row)}. Say which comes first, day or month: --dates dmy or --dates mdy"
            )
    return {
        name: order if order == "ymd" else told or (shown if order == _UNKNOWN else order)
        for name, order in orders.items()
    }


def first_of_other_order(column: Column, order: str, passed: Collection[str]) -> int | None:
    """Return the first row with a date that only the other order of day and month reads; None if there is none.

    `passed` are texts that do not count.
    """
    if order not in ORDERS:
        return None
    ours, other = (days_of(one) for one in sorted(ORDERS, key=order.__ne__))
    only_other = [
        label not in passed and np.isnan(ours(label)) and not np.isnan(other(label)) for label in column.labels or ()
    ]
    rows = np.flatnonzero(np.array([*only_other, False])[column.values])
    return int(rows[0]) if len(rows) else None


# Columns of texts that mean numbers: with decimal commas, signs of money, or a few cells that are something else.
MOST = 0.9  # of the cells of a column that are not empty: if so many are numbers, the others are mistakes
_SAMPLE = 1000
_MONEY = r"[$\u20ac\u00a3\u00a5]?"
_Values = Floats64


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
    readers: list[Callable[[str], float]] = [partial(number, decimal=sign) for sign in _FORMS]
    readers += map(days_of, ORDERS)
    return any(_share(sample, _values(sample, reader)) > MOST / 2 for reader in readers)


def decimal_of(columns: dict[str, Column], has_points: bool, remembered: str = "") -> str:
    """Return the sign before decimals, as columns of texts show it; none if it does not matter.

    `has_points` says whether columns of numbers have shown decimal points; `remembered` is the sign in the training
    data, for files that do not show theirs.
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
        points, commas = (_values(column, partial(number, decimal=sign)) for sign in _FORMS)
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
    strangers: Integers
    order: str = ""


def meaning_of(
    column: Column, decimal: str, least: float = MOST, kinds: str = "numbers dates", order: str = ""
) -> Meaning | None:
    """Return the numbers, or the days, that texts mean; None if less than this share of those present mean any.

    A share of 0 is any at all; `kinds` are those that they may mean; the order is that of dates such as 03/04/2025,
    ``dmy`` or ``mdy``, or empty: as the column shows it.
    """
    column = _candidate(column)
    if column.labels is None or (least > 0 and not may_be_numbers(column)):
        return None
    ways = []
    iso = iso_days(column.labels) if "dates" in kinds else None
    if iso is not None:
        ways.append((np.append(iso, np.nan)[column.values], "ymd"))
    elif "numbers" in kinds:
        ways.append((_values(column, partial(number, decimal=decimal)), ""))
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
