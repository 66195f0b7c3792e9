# SPDX-License-Identifier: Apache-2.0
"""From columns of a file to a DMatrix, for a new model or for one that knows its features."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _core
from .._base._exceptions import DataError, XgbLikeError
from .._data._matrix import DMatrix
from ._column import Column, column_named, columns_named, name_in_models
from ._columns import ExpectedFeatures, Found, Wishes, check_finite, known_features, new_features
from ._csv import Options
from ._files import Table, read_table
from ._meanings import decimal_of, meaning_of, settled
from ._sources import Source, opened

_USUAL_LABELS = ("label", "target", "y", "class", "outcome")


@dataclass(frozen=True)
class Loaded:
    """A file's rows: features, label, columns to copy unchanged, messages, and what to remember."""

    matrix: DMatrix
    label: Column | None = None
    label_name: str = ""
    kept: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)
    dates: dict[str, str] = field(default_factory=dict)
    decimal: str = ""


def load(
    name: str,
    args: argparse.Namespace,
    *,
    known: ExpectedFeatures | None = None,
    label: str | None = None,
    label_is_text: bool = False,
    required: bool,
    may_be_empty: bool = False,
) -> Loaded:
    """Read a file: its features (those that are known, if some are), and its label if that is required."""
    wanted = getattr(args, "keep", [])
    as_text = known.of_text() if known is not None else set()
    with opened(name, args.format) as source:
        _check_options(args, source)
        if source.kind == "libsvm":
            return _load_libsvm(source, known, wanted)
        table, notes = read_table(
            source, _options(args, known, [*wanted, *([label] if label and label_is_text else [])])
        )
    if not table or not (may_be_empty or len(next(iter(table.values())))):
        raise DataError(f"The file {name!r} has no rows.")
    kept = {said: table[one].copy() for said, one in columns_named(list(table), wanted, "--keep").items()}
    wishes = _wishes(table, args) if known is None else Wishes()
    roles = _Roles.of(table, args, label, required, known)
    used = roles.features(table, known, name)
    renamed = [(cells.name, one) for one, cells in used.items() if cells.name != one]
    notes += [f"renamed      {before} is {one} in the model" for before, one in renamed]
    in_numbers = [role for role in (roles.label if required else None, roles.weight) if role is not None]
    used |= {role: table[role] for role in in_numbers}
    as_text |= {*wishes.categories} | ({roles.label} if label_is_text and roles.label is not None else set())
    dates = {*wishes.dates, *(known.facts.dates if known is not None else ())}
    columns = {one: cells.column(one in as_text or (one in dates and not cells.is_time)) for one, cells in used.items()}
    texts = {one: column for one, column in columns.items() if column.labels and one not in as_text}
    has_points = bool(texts) and any(column.has_points for column in columns.values())
    decimal = args.decimal or decimal_of(texts, has_points, known.facts.decimal if known is not None else "")
    if decimal == "," and args.decimal is None:
        notes.append("numbers      have decimal commas (--decimal . if these are no decimals)")
    others: dict[str | None, Column] = {role: columns.pop(role) for role in in_numbers}
    others = {
        role: c if role in as_text else _in_numbers(str(role), c, decimal, args.dates) for role, c in others.items()
    }
    check_finite(((table[str(role)].name, column) for role, column in others.items()), name)
    label_name = table[roles.label].name if roles.label is not None else ""
    found = _features(columns, known, decimal or ".", wishes, (name, label_name, args.dates))
    check_finite(((table[one].name, column) for one, column in found.columns.items()), name)
    matrix = matrix_of(found.columns, known)
    query = table[roles.query].column() if roles.query is not None else None
    _set_info(matrix, others.get(roles.weight), query)
    notes += found.notes
    return Loaded(matrix, others.get(roles.label), label_name, kept, notes, found.missing, found.dates, decimal)


def _check_options(args: argparse.Namespace, source: Source) -> None:
    """Raise if there are options that make no difference to files of this kind."""
    if source.kind == "csv" or getattr(args, "valid", None):  # the other file may be of another kind
        return
    for option in ("header", "delimiter", "encoding") + (("na", "decimal", "dates") if source.kind == "libsvm" else ()):
        if getattr(args, option) not in (None, []):
            raise DataError(f"`--{option}` makes no difference to {source.name!r}, which is no CSV file. Leave it out.")


def _options(args: argparse.Namespace, known: ExpectedFeatures | None, as_text: Sequence[str]) -> Options:
    """Return how to read a file, as given now and in training."""
    facts = known.facts if known is not None else None
    texts = {one for option in ("as_category", "as_date") for text in getattr(args, option, ()) for one in _parts(text)}
    parts = {one for text in as_text for one in _parts(text)}
    remembered = {*known.of_text(), *known.facts.dates} if known is not None else set()
    return Options(
        header=args.header,
        delimiter=args.delimiter,
        decimal=args.decimal,
        encoding=args.encoding,
        usual_encoding=facts.encoding if facts is not None else "",
        na=[*args.na, *(facts.na if facts is not None else ())],
        texts={*texts, *parts, *remembered},
        expected=known.names if known is not None else (),
    )


def _parts(text: str) -> list[str]:
    """Return the possible meanings of given columns: one of that name, or several."""
    return [text, *text.split(",")] if "," in text else [text]


def _wishes(table: Table, args: argparse.Namespace) -> Wishes:
    """Return what the user says about columns; raise if one is given two roles."""
    options = ("--as-date", "--as-category", "--as-number")
    said: dict[str, str] = {}
    for option in options:
        for name in columns_named(list(table), getattr(args, option[2:].replace("-", "_"), ()), option).values():
            if name in said:
                raise DataError(f"Column {name!r} cannot be both: it is named by {said[name]} and {option}.")
            said[name] = option
    keep = columns_named(list(table), getattr(args, "learn_from", ()), "--keep").values()
    dates, categories, numbers = ([name for name, told in said.items() if told == option] for option in options)
    return Wishes(list(keep), dates, categories, numbers, args.dates)


def _features(
    columns: dict[str, Column],
    known: ExpectedFeatures | None,
    decimal: str,
    wishes: Wishes,
    said: tuple[str, str, str | None],
) -> Found:
    name, label, order = said
    if known is not None:
        return Found(known_features(columns, known, decimal, name, order))
    found = new_features(columns, decimal, wishes)
    if not found.columns:
        raise DataError(
            f"{name!r} has no column to use besides the label, {label!r}: there is nothing to learn from. If there "
            "should be more, set the delimiter by --delimiter, or keep what would be left out by --keep."
        )
    return found


def _in_numbers(name: str, column: Column, decimal: str, order: str | None) -> Column:
    """Return a column as numbers, or days, if all of its texts mean some."""
    meaning = meaning_of(column, decimal or ".", least=1, order=order or "")
    if meaning is not None and meaning.order and not order:
        order = settled({name: meaning.order}, {name: column}, None)[name]
        meaning = meaning_of(column, decimal or ".", least=1, order=order)
    return column if meaning is None else meaning.numbers


@dataclass(frozen=True)
class _Roles:
    """The columns that are not features."""

    label: str | None
    weight: str | None
    query: str | None
    dropped: set[str]

    @staticmethod
    def of(
        table: Table, args: argparse.Namespace, label: str | None, required: bool, known: ExpectedFeatures | None
    ) -> "_Roles":
        """Return the columns that the arguments name; numbers count all columns of the file."""
        weight, query = (
            column_named(list(table), given, f"--{name}") if (given := getattr(args, name, None)) is not None else None
            for name in ("weight", "query")
        )
        dropped = {*columns_named(list(table), args.drop, "--drop").values()}
        others = [name for name in table if name not in {weight, query, *dropped}]
        return _Roles(_label_name(table, others, label, required, known), weight, query, dropped)

    def features(self, table: Table, known: ExpectedFeatures | None, name: str) -> Table:
        """Return the columns that are features."""
        others = {self.label, self.weight, self.query, *self.dropped}
        left = {one: cells for one, cells in table.items() if one not in others}
        return {one: left[one] for one in _feature_names(left, known, name)}


def matrix_of(columns: dict[str, Column], known: ExpectedFeatures | None) -> DMatrix:
    """Return the matrix of these columns, with the known categories if there are some."""
    told = dict(zip(known.names, known.categories, strict=False)) if known is not None else {}
    cells = np.column_stack([np.where(column.missing, np.nan, column.values) for column in columns.values()])
    own = {name: None if column.labels is None else list(column.labels) for name, column in columns.items()}
    categories = [known_one if isinstance(known_one := told.get(name), tuple) else own[name] for name in columns]
    types = ["q" if values is None else "c" for values in categories]
    matrix = DMatrix(cells.astype(np.float32), feature_names=list(columns), feature_types=types)
    if "c" in types:
        matrix._handle.categories = categories
    return matrix


def _load_libsvm(source: Source, known: ExpectedFeatures | None, wanted: Sequence[str]) -> Loaded:
    try:
        matrix = DMatrix(f"{source.path}?format=libsvm")
    except XgbLikeError as error:  # of what is compressed, a copy was read
        raise DataError(str(error).replace(str(source.path), source.name)) from None
    columns = known.count if known is not None else matrix.num_col()
    if matrix.num_col() < columns:  # the last features may be absent from all rows
        matrix = _widened(matrix, columns)
    label = matrix.get_label()
    kept = dict.fromkeys(columns_named(["label"], wanted, "--keep"), label)
    return Loaded(matrix, Column(label.astype(np.float64)), "label", kept)


def _widened(matrix: DMatrix, columns: int) -> DMatrix:
    indptr, indices, values = matrix._handle.to_csr()
    wide = DMatrix._of(_core.DMatrix.from_csr(indptr, indices, values, columns, np.nan, 0, "matrix"), matrix)
    wide.set_label(matrix.get_label())
    if len(starts := matrix.get_uint_info("group_ptr")):
        wide.set_group(np.diff(starts.astype(np.int64)))
    return wide


def _label_name(
    table: Table, others: Sequence[str], wanted: str | None, required: bool, known: ExpectedFeatures | None
) -> str | None:
    if wanted is not None and required:
        return column_named(list(table), wanted, "--label")
    if not required:
        return name_in_models(wanted) if wanted is not None and name_in_models(wanted) in table else None
    features = set(known.names) if known is not None else set()
    found = {name.strip("_ ").lower(): name for name in others if name not in features}
    return next((found[name] for name in _USUAL_LABELS if name in found), others[-1] if others else None)


def _feature_names(table: Table, known: ExpectedFeatures | None, name: str) -> list[str]:
    if known is None:
        return list(table)
    if not known.names and len(table) != known.count:
        raise DataError(
            f"{name!r} has {len(table)} columns besides the label, the model {known.count} features "
            "without names. Use --drop for columns that are no features."
        )
    absent = [one for one in known.names if one not in table]
    if absent:
        raise DataError(f"{name!r} lacks columns that the model needs: {', '.join(absent[:20])}.")
    return known.names or list(table)


def _set_info(matrix: DMatrix, weight: Column | None, query: Column | None) -> None:
    if query is not None:
        if query.missing.any():
            raise DataError("`--query`: some rows have no query.")
        _, ids = np.unique(query.values, return_inverse=True)
        changes = 1 + np.count_nonzero(ids[1:] != ids[:-1])
        if changes != len(np.unique(ids)):
            raise DataError("`--query`: the rows of a query must be next to each other. Sort the file by that column.")
        matrix.set_group(np.diff(np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1], [True]]))))
    if weight is not None:
        if weight.labels is not None or weight.missing.any():
            raise DataError("`--weight`: the column must have a number in each row.")
        values = weight.values
        if query is not None:  # one per query
            values = values[matrix.get_uint_info("group_ptr")[:-1].astype(np.int64)]
        matrix.set_weight(values)
