# SPDX-License-Identifier: Apache-2.0
"""One column of a table, and which of its texts stand for a missing cell."""

import difflib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .._base._exceptions import DataError
from .._base._typing import Array, Bools, Counts, Floats64

# What pandas takes for missing, and a question mark.
MISSING = frozenset(
    ["", "?", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "NaN", "nan", "-NaN", "-nan", "NaT", "NULL",
     "null", "None", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"]
)  # fmt: skip
# Among numbers and dates these, too; elsewhere they may mean something: + and - are answers.
MISSING_NUMBERS = frozenset(("-", "--", "---", ".", "..", "na", "NIL", "nil", "#VALUE!", "#DIV/0!", "#REF!", "#NUM!"))


@dataclass(frozen=True)
class Column:
    """Numbers with NaN where missing; or codes, -1 where missing, and the text that each code stands for."""

    values: Array
    labels: tuple[str, ...] | None = None
    is_time: bool = False  # numbers that are days
    lines: Counts | None = None  # the line of the file that each row begins on, of text files
    has_points: bool = False  # numbers of a text file, some of which have decimal points

    @property
    def missing(self) -> Bools:
        """Which cells are missing."""
        return np.asarray(np.isnan(self.values) if self.labels is None else self.values < 0)

    def place(self, row: int) -> str:
        """Return where a row stands in the file, for people."""
        return f"row {row}" if self.lines is None else f"line {self.lines[row]}"

    def text(self, row: int) -> str:
        return str((self.labels or ())[self.values[row]])

    def texts(self) -> list[str]:
        """Return the text of each row; none is missing."""
        return np.array(self.labels, dtype=object)[self.values].tolist() if self.labels else []

    def numbers(self, values: Floats64, is_time: bool = False) -> "Column":
        """Return a column of numbers in the same rows."""
        return Column(values, None, is_time, self.lines)

    def without(self, missing: Collection[str]) -> "Column":
        """Return the column with some texts missing, and its labels in order."""
        labels = self.labels or ()
        kept = sorted(code for code, label in enumerate(labels) if label.strip() not in missing)
        kept.sort(key=labels.__getitem__)
        table = np.full(len(labels) + 1, -1, dtype=np.int64)  # the last one is for -1
        table[kept] = np.arange(len(kept))
        return replace(self, values=table[self.values], labels=tuple(labels[code] for code in kept))


_NOT_IN_DUMPS = str.maketrans("[]<", "()_")  # what names of features may not contain
_MOST_SHOWN = 30


def name_in_models(name: str) -> str:
    """Return the name that a column has as a feature: without the signs that dumps of models need for themselves."""
    return name.translate(_NOT_IN_DUMPS)


def find_column(names: Sequence[str], wanted: str) -> str | None:
    """Return which of the names is meant by a name, or by a number, negative ones from the last."""
    for name in (wanted, name_in_models(wanted)):
        if name in names:
            return name
    if (number := wanted.lstrip("-")).isdecimal() and number.isascii() and -len(names) <= int(wanted) < len(names):
        return names[int(wanted)]
    return next((name for name in names if name.strip() == wanted.strip()), None)


def column_named(names: Sequence[str], wanted: str, option: str) -> str:
    """Return the name of a column that is given by name, or by number, negative ones from the last."""
    found = find_column(names, wanted)
    if found is None:
        near = difflib.get_close_matches(wanted, names, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        shown = ", ".join(names[:_MOST_SHOWN]) + (", ..." if len(names) > _MOST_SHOWN else "")
        raise DataError(f"`{option}`: there is no column {wanted!r}.{hint} The columns are {shown}.")
    return found


def columns_named(names: Sequence[str], given: Iterable[str], option: str) -> dict[str, str]:
    """Return columns that are given one by one or between commas: what each is called there, and its name."""
    found: dict[str, str] = {}
    for text in given:
        parts = [text] if find_column(names, text) is not None else text.split(",")
        found |= {part: column_named(names, part, option) for part in parts}
    return found
