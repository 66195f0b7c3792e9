# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""What the columns of a file are: guessed for a new model, and said; as the model says for one that knows them."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from .._booster import Booster
from .._data import DMatrix
from .._exceptions import DataError
from .._messages import warn
from .._typing import CategoryValues
from ._files import Column
from ._numbers import MOST, Meaning, cell, date_of_another_form, meaning_of, not_plain, share_of_numbers
from ._task import Facts

_FEWEST_ROWS = 20
_IDENTIFIER_SHARE = 0.5  # of the rows: more different texts than that are no categories
_MOST_REMEMBERED = 100


@dataclass(frozen=True)
class Known:
    """The features that a file must have: names (none: just their number) and categories; and what training met."""

    count: int
    names: list[str]
    categories: list[CategoryValues]
    facts: Facts

    @staticmethod
    def of(source: Booster | DMatrix, facts: Facts) -> Known:
        """Return the features of a model or of other data."""
        count = source.num_col() if isinstance(source, DMatrix) else source.num_features()
        return Known(count, source.feature_names or [], list(source._handle.categories), facts)

    def of_text(self) -> set[str]:
        """Return the names of the features whose categories are texts, which may look like numbers."""
        pairs = zip(self.names, self.categories, strict=False)
        return {name for name, values in pairs if isinstance(values, list)}


@dataclass
class Found:
    """The features of a new model, what is to be said about them, and the texts that count as missing in some."""

    columns: dict[str, Column] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)

    def note(self, head: str, text: str) -> None:
        """Add a line."""
        self.notes.append(f"{head:<12} {text}")


def new_features(columns: dict[str, Column], decimal: str) -> Found:
    """Decide what columns are: numbers if nearly all cells are, else categories, unless they name the rows."""
    found = Found()
    for name, column in columns.items():
        meaning = meaning_of(column, decimal)
        if meaning is not None:
            found.columns[name] = meaning.numbers
            _note_meaning(found, name, column, meaning, decimal)
        elif _names_rows(column):
            example = f"such as {cell_of(column)!r}, which only names the row"
            found.note("left out", f"{name}: nearly every row has a text of its own there, {example}")
        else:
            found.columns[name] = column
            _note_categories(found, name, column, decimal)
    for name, column in found.columns.items():
        if column.is_time and name not in found.missing:
            found.note("dates", f"{name}: taken as days since 1970-01-01")
        elif _numbers_rows(column):
            found.note(
                "beware",
                f"{name or 'the column without a name'}: each row has a whole number of its own there; if it only "
                f"numbers the rows, leave it out: --drop {shlex.quote(name)}",
            )
    return found


def cell_of(column: Column) -> str:
    """Return some text of a column."""
    return cell(column, int(np.flatnonzero(~column.missing)[0]))


def _note_meaning(found: Found, name: str, column: Column, meaning: Meaning, decimal: str) -> None:
    if len(meaning.strangers):
        found.note("missing", f"{name}: {_strangers_text(column, meaning.strangers, meaning.numbers.is_time)}")
        texts = {cell(column, row): None for row in meaning.strangers}
        found.missing[name] = list(texts)[:_MOST_REMEMBERED]
    elif not meaning.numbers.is_time and (text := not_plain(column, decimal)) is not None:
        found.note("numbers", f"{name}: texts such as {text!r} are read as numbers")


def _strangers_text(column: Column, rows: npt.NDArray[np.int64], is_time: bool) -> str:
    kind, total = "date" if is_time else "number", int(np.count_nonzero(~column.missing))
    first = f"the first is {cell(column, int(rows[0]))!r} in row {rows[0]}"
    return f"what is no {kind} counts as missing, {len(rows)} of {total} cells; {first}"


def _note_categories(found: Found, name: str, column: Column, decimal: str) -> None:
    if column.labels is None:
        return
    if (text := date_of_another_form(column)) is not None:
        found.note("categories", f"{name}: dates such as {text!r}; if written like 2025-01-31 they would be numbers")
    elif (share := share_of_numbers(column, decimal)) > MOST / 2:
        found.note("categories", f"{name}: {100 * share:.0f} % of the cells are numbers, too few to take it as such")


def _names_rows(column: Column) -> bool:
    """Whether texts name or number the rows: from them nothing can be learnt that holds for others."""
    rows = len(column.values)
    return column.labels is not None and rows > _FEWEST_ROWS and len(column.labels) > _IDENTIFIER_SHARE * rows


def _numbers_rows(column: Column) -> bool:
    """Whether each row has a whole number of its own: it may number them."""
    values = column.values
    if column.labels is not None or column.is_time or len(values) <= _FEWEST_ROWS:
        return False
    return bool((values == np.floor(values)).all()) and len(np.unique(values)) == len(values)


def known_features(columns: dict[str, Column], known: Known, decimal: str) -> dict[str, Column]:
    """Return columns in the types that the model knows."""
    told = dict(zip(known.names or columns, known.categories, strict=False))
    missing = known.facts.missing
    return {
        name: _in_type_of(name, column, told.get(name), decimal, missing.get(name, []))
        for name, column in columns.items()
    }


def _in_type_of(name: str, column: Column, categories: CategoryValues, decimal: str, missing: list[str]) -> Column:
    """Return a column as the model knows it: as codes if it has categories there."""
    if column.labels is not None and not isinstance(categories, list):
        column = _numbers_of(name, column, decimal, missing)
    if isinstance(categories, tuple):
        codes = {value: code for code, value in enumerate(categories[0])}
        return Column(np.array([codes.get(value, np.nan) for value in column.values.tolist()], dtype=np.float64))
    return column


def _numbers_of(name: str, column: Column, decimal: str, missing: list[str]) -> Column:
    """Return the numbers that texts mean; those that training counted as missing are, others too, with a warning."""
    strange = [text for text in column.labels or () if text not in missing]
    meaning = meaning_of(column, decimal, least=0)
    if not strange and meaning is None:
        return Column(np.full(len(column.values), np.nan))
    if meaning is None:
        raise DataError(f"Column {name!r} has texts such as {strange[0]!r}; the model was trained on numbers there.")
    rows = np.array([row for row in meaning.strangers if cell(column, row) not in missing], dtype=np.int64)
    if len(rows):
        warn(f"Column {name!r}: {_strangers_text(column, rows, meaning.numbers.is_time)}.")
    return meaning.numbers
