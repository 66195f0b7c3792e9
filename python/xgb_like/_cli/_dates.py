# SPDX-License-Identifier: Apache-2.0
"""Columns of texts that are dates: which of day and month comes first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from .._base._exceptions import DataError
from ._column import Column
from ._moments import ORDERS, moment

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


def iso_days(labels: Sequence[str]) -> npt.NDArray[np.float64] | None:
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
    slashes = any(
        "." not in labels[row] for row in differ.tolist()
    )  # 03.04.2025 has the day first wherever it is written
    return _UNKNOWN if slashes else "dmy"


def settled(orders: Mapping[str, str], columns: Mapping[str, Column], told: str | None) -> dict[str, str]:
    """Return the orders of columns of dates, those that do not show theirs by the others; raise if none does."""
    shown = told or _only({order for order in orders.values() if order in ORDERS})
    for name, order in orders.items():
        if order == _UNKNOWN and not shown:
            column = columns[name]
            row = _first_doubtful(column)
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

    Parameters
    ----------
    column
        The texts.
    order
        One of `ORDERS`; for other ones there is no such date.
    passed
        Texts that do not count.
    """
    if order not in ORDERS:
        return None
    ours, other = (days_of(one) for one in sorted(ORDERS, key=order.__ne__))
    only_other = [
        label not in passed and np.isnan(ours(label)) and not np.isnan(other(label)) for label in column.labels or ()
    ]
    rows = np.flatnonzero(np.array([*only_other, False])[column.values])
    return int(rows[0]) if len(rows) else None


def _only(values: Iterable[str]) -> str:
    found = list(values)
    return found[0] if len(found) == 1 else ""


def _first_doubtful(column: Column) -> int:
    readers = [days_of(order) for order in ORDERS]
    doubtful = [len({str(read(label)) for read in readers}) > 1 for label in column.labels or ()]
    return int(np.flatnonzero(np.array([*doubtful, False])[column.values])[0])
