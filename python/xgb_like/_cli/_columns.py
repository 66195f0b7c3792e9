# SPDX-License-Identifier: Apache-2.0
"""What the columns of a file are. For a new model this is guessed and reported; a trained model knows them."""

import re
import shlex
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np

from .._base._exceptions import DataError
from .._base._messages import warn
from .._base._typing import CategoryValues, Integers
from .._data._matrix import DMatrix
from .._model._booster import Booster
from ._column import MISSING_NUMBERS, Column
from ._meanings import MOST, Meaning, first_of_other_order, meaning_of, not_plain, settled
from ._task import Facts

_FEWEST_ROWS = 20
_IDENTIFIER_SHARE = 0.5  # of the cells that are not empty: more different texts than that are no categories
_MOST_REMEMBERED = 100
_MOST_NA = 3
_DIGITS = re.compile(r"[-+\d.,\s]", re.ASCII)
_FIRST = {"dmy": ", the day first", "mdy": ", the month first"}


@dataclass(frozen=True)
class ExpectedFeatures:
    """The features that a file must have: names (none: just their number) and categories; and what training met."""

    count: int
    names: list[str]
    categories: list[CategoryValues]
    facts: Facts

    @staticmethod
    def of(source: Booster | DMatrix, facts: Facts) -> "ExpectedFeatures":
        """Return the features of a model or of other data."""
        count = source.num_col() if isinstance(source, DMatrix) else source.num_features()
        return ExpectedFeatures(count, source.feature_names or [], list(source._handle.categories), facts)

    def of_text(self) -> set[str]:
        """Return the names of the features whose categories are texts, which may look like numbers."""
        pairs = zip(self.names, self.categories, strict=False)
        return {name for name, values in pairs if isinstance(values, list)}


@dataclass(frozen=True)
class Wishes:
    """What the user says of columns of a new model: names, and which of day and month comes first."""

    keep: Collection[str] = ()
    dates: Collection[str] = ()
    categories: Collection[str] = ()
    numbers: Collection[str] = ()
    order: str | None = None


@dataclass
class Found:
    """The features of a new model, what is to be said about them, and what later files need: see `Facts`."""

    columns: dict[str, Column] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)
    dates: dict[str, str] = field(default_factory=dict)

    def note(self, head: str, text: str) -> None:
        self.notes.append(f"{head:<12} {text}")


def new_features(columns: dict[str, Column], decimal: str, wishes: Wishes = Wishes()) -> Found:
    """Decide what columns are: numbers if nearly all cells are, else categories, unless they name the rows."""
    found = Found()
    meanings = _meanings(columns, decimal, wishes)
    kept = {*wishes.keep, *wishes.categories}
    for name, column in columns.items():
        meaning = meanings.get(name)
        if meaning is not None:
            found.columns[name] = meaning.numbers
            if meaning.order:
                found.dates[name] = meaning.order
            _note_meaning(found, name, column, meaning, decimal)
        elif name not in kept and _names_rows(column):
            found.note("left out", _why_left_out(name, column, decimal))
        else:
            found.columns[name] = column
            told = column.labels is None or name in wishes.categories
            if not told and (text := _part_of_numbers(name, column, decimal)):
                found.note("categories", text)
    for name, column in found.columns.items():
        if column.is_time:
            found.dates.setdefault(name, "ymd")
            found.note("dates", f"{name}: taken as days since 1970-01-01{_FIRST.get(found.dates.get(name, ''), '')}")
        elif name not in kept and _numbers_rows(column):
            found.note(
                "beware",
                f"{name}: each row has a whole number of its own there; if it only numbers the rows, leave it out: "
                f"--drop {shlex.quote(name)}",
            )
    return found


def _meanings(columns: dict[str, Column], decimal: str, wishes: Wishes) -> dict[str, Meaning]:
    """Return the numbers and days that columns of texts mean, dates in an order that is known."""
    found = {}
    for name, column in columns.items():
        if name not in wishes.categories and (meaning := _meaning(name, column, decimal, wishes)) is not None:
            found[name] = meaning
    orders = settled({name: one.order for name, one in found.items() if one.order}, columns, wishes.order)
    for name, order in orders.items():
        if order != found[name].order:
            least = 0 if name in wishes.dates else MOST
            again = meaning_of(columns[name], decimal, least, "dates", order)
            found = {other: one for other, one in found.items() if other != name}
            found |= {} if again is None else {name: again}
    return found


def _meaning(name: str, column: Column, decimal: str, wishes: Wishes) -> Meaning | None:
    for names, kinds, option in (
        (wishes.numbers, "numbers", "--as-number"), (wishes.dates, "dates", "--as-date"),
    ):  # fmt: skip
        if name in names and column.labels:
            meaning = meaning_of(column, decimal, 0, kinds)
            if meaning is None:
                raise DataError(
                    f"`{option}`: column {name!r} has no {kinds[:-1]}, but texts such as {cell_of(column)!r}."
                )
            return meaning
    return meaning_of(column, decimal)


def _why_left_out(name: str, column: Column, decimal: str) -> str:
    keep = f"(--keep {shlex.quote(name)})"
    if part := _part_of_numbers(name, column, decimal):
        return f"{part}, and too few of the texts come again {keep}"
    different, filled = len(column.labels or ()), int(np.count_nonzero(~column.missing))
    advice = "; if they mean numbers, leave only digits, signs and decimals in the cells" if _have_units(column) else ""
    return (
        f"{name}: {different:,} different texts in {filled:,} cells, such as {cell_of(column)!r}: too few come again "
        f"to learn from them {keep}{advice}"
    )


def _part_of_numbers(name: str, column: Column, decimal: str) -> str:
    """Return what to say of a column in which many, but not most, cells are numbers or dates; otherwise nothing."""
    meaning = meaning_of(column, decimal, MOST / 2)
    if meaning is None:
        return ""
    count = int(np.count_nonzero(~meaning.numbers.missing))
    kind = "date" if meaning.numbers.is_time else "number"
    remedies = f"--as-{kind} {shlex.quote(name)}"
    others = sorted({column.text(row).strip() for row in meaning.strangers})
    if len(others) <= _MOST_NA:
        remedies += ", or " + " ".join(
            shlex.quote(f"--na={text}") if text[0] == "-" else f"--na {shlex.quote(text)}" for text in others
        )
    share = 100 * count / (count + len(meaning.strangers))
    return f"{name}: {share:.0f} % of the cells are {kind}s, too few to take it as such ({remedies})"


def _have_units(column: Column) -> bool:
    """Whether all texts are digits with the same letters or signs, as in 12 kg or 1_234."""
    texts = [label.strip() for label in column.labels or () if label.strip() not in MISSING_NUMBERS]
    if not texts or not all(text[0] in "+-0123456789" for text in texts):
        return False
    others = {frozenset(_DIGITS.sub("", text)) for text in texts}
    return len(others) == 1 and others != {frozenset()}


def cell_of(column: Column) -> str:
    """Return some text of a column, one that is no missing number if there is such a text."""
    filled = column.without(MISSING_NUMBERS)
    some = column if filled.missing.all() else filled
    return some.text(int(np.flatnonzero(~some.missing)[0]))


def _note_meaning(found: Found, name: str, column: Column, meaning: Meaning, decimal: str) -> None:
    if len(meaning.strangers):
        found.note("missing", f"{name}: {_strangers_text(column, meaning.strangers, meaning)}")
        texts = {column.text(row): None for row in meaning.strangers}
        found.missing[name] = list(texts)[:_MOST_REMEMBERED]
    elif not meaning.numbers.is_time and (text := not_plain(column, decimal)) is not None:
        found.note("numbers", f"{name}: texts such as {text!r} are read as numbers")


def _strangers_text(column: Column, rows: Integers, meaning: Meaning) -> str:
    kind = "date" if meaning.numbers.is_time else "number"
    total = int(np.count_nonzero(~meaning.numbers.missing)) + len(meaning.strangers)
    first = f"the first is {column.text(int(rows[0]))!r} in {column.place(int(rows[0]))}"
    return f"what is no {kind} counts as missing, {len(rows)} of {total} cells; {first}"


def _names_rows(column: Column) -> bool:
    """Whether texts name or number the rows, so that nothing general can be learned from them."""
    filled = int(np.count_nonzero(~column.missing))
    return column.labels is not None and filled > _FEWEST_ROWS and len(column.labels) > _IDENTIFIER_SHARE * filled


def _numbers_rows(column: Column) -> bool:
    """Whether each row has a different whole number, which may number the rows."""
    values = column.values
    if column.labels is not None or column.is_time or len(values) <= _FEWEST_ROWS:
        return False
    return bool((values == np.floor(values)).all()) and len(np.unique(values)) == len(values)


def known_features(
    columns: dict[str, Column], known: ExpectedFeatures, decimal: str, file: str, order: str | None = None
) -> dict[str, Column]:
    """Return columns of a file in the types that the model knows; `order` is the order of dates, if given."""
    told = dict(zip(known.names or columns, known.categories, strict=False))
    numbers = {
        name: _numbers_of(name, column, decimal, known.facts, (file, order))
        for name, column in columns.items()
        if column.labels is not None and not isinstance(told.get(name), list)
    }
    found = {**columns, **numbers}
    for name, column in found.items():
        if isinstance(known_there := told.get(name), tuple):  # categories that are numbers, whose codes are wanted
            codes = {value: code for code, value in enumerate(known_there[0])}
            found[name] = Column(np.array([codes.get(value, np.nan) for value in column.values.tolist()], np.float64))
    return found


def _numbers_of(name: str, column: Column, decimal: str, facts: Facts, said: tuple[str, str | None]) -> Column:
    """Return the numbers that texts mean; those that training counted as missing are, others too, with a warning."""
    file, order = said
    missing = facts.missing.get(name, [])
    strange = [text for text in column.labels or () if text not in missing]
    meaning = _known_meaning(name, column, decimal, facts, order)
    if order is None and (meaning is None or len(meaning.strangers)):
        _check_order(name, column, facts, file)
    if not strange and meaning is None:
        return column.numbers(np.full(len(column.values), np.nan))
    if meaning is None:
        kind = "dates" if name in facts.dates else "numbers"
        raise DataError(f"Column {name!r} has texts such as {strange[0]!r}; the model was trained on {kind} there.")
    rows = np.array([row for row in meaning.strangers if column.text(row) not in missing], dtype=np.int64)
    if len(rows):
        warn(f"Column {name!r}: {_strangers_text(column, rows, meaning)}.")
    return meaning.numbers


def _check_order(name: str, column: Column, facts: Facts, file: str) -> None:
    """Raise if a date shows that day and month are in another order than in the training data."""
    order = facts.dates.get(name, "")
    row = first_of_other_order(column, order, facts.missing.get(name, ()))
    if row is not None:
        before = "month" if order == "mdy" else "day"
        raise DataError(
            f"Column {name!r} of {file!r} has {column.text(row)!r} in {column.place(row)}; in the training data the "
            f"{before} came first. Say which comes first in this file: --dates dmy or --dates mdy"
        )


def _known_meaning(name: str, column: Column, decimal: str, facts: Facts, order: str | None) -> Meaning | None:
    remembered = facts.dates.get(name)
    kinds = "numbers dates" if remembered is None else "dates"
    wanted = order or (remembered if remembered != "ymd" else None) or ""
    meaning = meaning_of(column, decimal, 0, kinds, wanted)
    if meaning is None or not meaning.order or wanted:
        return meaning
    order = settled({name: meaning.order}, {name: column}, None)[name]
    return meaning_of(column, decimal, 0, "dates", order)


def check_finite(columns: Iterable[tuple[str, Column]], file: str) -> None:
    """Raise if a number is infinite, or too large for a float of 32 bits."""
    for name, column in columns:
        if column.labels is not None:
            continue
        wrong = np.flatnonzero(np.abs(column.values) > np.finfo(np.float32).max)
        if len(wrong):
            row = int(wrong[0])
            value = f"{column.values[row]:g}"
            raise DataError(
                f"{file!r} has {value} in {column.place(row)} of column {name!r}; numbers must be below 3.4e38. "
                f"Correct or empty the cell, count such cells as missing by --na={value}, or leave the column out by "
                "--drop."
            )
