# SPDX-License-Identifier: Apache-2.0
"""Reading tables: CSV by the engine, Parquet and Arrow by pyarrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base._exceptions import DataError
from ._arrow import column_of, read_arrow
from ._column import MISSING, Column
from ._csv import CsvColumn, Options, read_csv
from ._names import name_in_models
from ._sources import Source

_TRUTH = {"true": 1.0, "True": 1.0, "TRUE": 1.0, "false": 0.0, "False": 0.0, "FALSE": 0.0, "1": 1.0, "0": 0.0}


@dataclass(frozen=True)
class Cells:
    """A column as it is in its file, under its name there, read from a CSV file or by pyarrow."""

    name: str
    raw: Any
    na: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.raw.column.values if isinstance(self.raw, CsvColumn) else self.raw)

    def column(self, as_text: bool = False) -> Column:
        """Return what can be learned from: numbers if all cells are, unless texts are wanted."""
        is_csv = isinstance(self.raw, CsvColumn)
        column = self.raw.column if is_csv else column_of(self.name, self.raw, as_text, self.na)
        if column.labels is None:
            return column
        column = column.without({*MISSING, *self.na})
        return _truth_in(column) if is_csv and not as_text else column

    @property
    def has_points(self) -> bool:
        """Whether it has numbers with decimal points, in a file of texts."""
        return isinstance(self.raw, CsvColumn) and self.raw.has_points

    @property
    def is_time(self) -> bool:
        """Whether its type is one of dates or times."""
        return not isinstance(self.raw, CsvColumn) and str(self.raw.type).startswith(("date", "time", "duration"))

    def copy(self) -> Any:
        """Return the cells unchanged, for another table."""
        return self.raw.column.texts() if isinstance(self.raw, CsvColumn) else self.raw


Table = dict[str, Cells]  # by the names that models know


def _truth_in(column: Column) -> Column:
    """Return 1 and 0 for a column of true and false, and of 1 and 0 among them; others as they are."""
    meanings = [_TRUTH.get(label.strip()) for label in column.labels or ()]
    if not meanings or None in meanings:
        return column
    return column.numbers(np.array([*meanings, np.nan], dtype=np.float64)[column.values])


def read_table(source: Source, options: Options) -> tuple[Table, list[str]]:
    """Read a file into columns, and return messages about it."""
    if source.kind == "csv":
        columns, notes = read_csv(source, options)
        return _by_name((Cells(one.name, one, options.na) for one in columns), source), notes
    return _by_name((Cells(name, raw, options.na) for name, raw in read_arrow(source).items()), source), []


def _by_name(columns: Iterable[Cells], source: Source) -> Table:
    cells = list(columns)
    names = [name_in_models(one.name) for one in cells]
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise DataError(
            f"Columns of {source.name!r} would have the same name in the model, where [ ] < are ( ) _: "
            f"{', '.join(map(repr, twice))}. Rename one."
        )
    return dict(zip(names, cells, strict=True))
