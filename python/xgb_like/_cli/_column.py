# SPDX-License-Identifier: Apache-2.0
"""One column of a table, and which of its texts stand for a missing cell."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

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

    values: npt.NDArray[Any]
    labels: tuple[str, ...] | None = None
    is_time: bool = False  # numbers that are days
    lines: npt.NDArray[np.uint32] | None = None  # the line of the file that each row begins on, of text files

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """Which cells are missing."""
        return np.asarray(np.isnan(self.values) if self.labels is None else self.values < 0)

    def place(self, row: int) -> str:
        """Return where a row stands in the file, for people."""
        return f"row {row}" if self.lines is None else f"line {self.lines[row]}"

    def text(self, row: int) -> str:
        """Return the text in a row."""
        return str((self.labels or ())[self.values[row]])

    def texts(self) -> list[str]:
        """Return the text of each row; none is missing."""
        return np.array(self.labels, dtype=object)[self.values].tolist() if self.labels else []

    def numbers(self, values: npt.NDArray[np.float64], is_time: bool = False) -> Column:
        """Return a column of numbers in the same rows."""
        return Column(values, None, is_time, self.lines)

    def without(self, missing: Collection[str]) -> Column:
        """Return the column with some texts missing, and its labels in order."""
        labels = self.labels or ()
        kept = sorted(code for code, label in enumerate(labels) if label.strip() not in missing)
        kept.sort(key=labels.__getitem__)
        table = np.full(len(labels) + 1, -1, dtype=np.int64)  # the last one is for -1
        table[kept] = np.arange(len(kept))
        return replace(self, values=table[self.values], labels=tuple(labels[code] for code in kept))
