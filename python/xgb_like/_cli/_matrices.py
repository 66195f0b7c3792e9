# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""From columns of a file to a DMatrix, for a new model or for one that knows its features."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._data import DMatrix
from .._exceptions import DataError
from .._typing import CategoryValues
from ._columns import Found, Known, known_features, new_features
from ._files import Cells, Column, Options, Table, find_column, name_in_models, read_table
from ._numbers import decimal_of, meaning_of
from ._sources import Source, opened

_USUAL_LABELS = ("label", "target", "y", "class", "outcome")


@dataclass(frozen=True)
class Loaded:
    """A file's rows: features, label, columns to copy as they stand there, and what is to be said and remembered."""

    matrix: DMatrix
    label: Column | None = None
    label_name: str = ""
    kept: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)
    decimal: str = ""


def load(
    name: str,
    args: argparse.Namespace,
    *,
    known: Known | None = None,
    label: str | None = None,
    label_is_text: bool = False,
    required: bool,
    may_be_empty: bool = False,
) -> Loaded:
    """Read a file: its features (those that are known, if some are), and its label if that is required."""
    wanted = getattr(args, "keep", [])
    categories = known.of_text() if known is not None else set()
    texts = {*categories, *set(wanted).difference(known.names if known is not None else [])}
    if label is not None and label_is_text:
        texts.add(label)
    with opened(name, args.format) as source:
        if source.kind == "libsvm":
            return _load_libsvm(source, known, wanted)
        table = read_table(source, Options(not args.no_header, args.delimiter, args.decimal, texts))
    if not table or not (may_be_empty or len(next(iter(table.values())).raw)):
        raise DataError(f"The file {name!r} has no rows.")
    kept = _kept(table, wanted)
    roles = _Roles.of(table, args, label, required, known)
    used = roles.features(table, known, name)
    notes = _notes_of_names(used)
    in_numbers = [role for role in (roles.label if required else None, roles.weight) if role is not None]
    used |= {role: table[role] for role in in_numbers}
    categories |= {roles.label} if label_is_text and roles.label is not None else set()
    columns = {one: cells.column(one in categories) for one, cells in used.items()}
    decimal = args.decimal or _decimal(columns, used, categories, known.facts.decimal if known is not None else "")
    if decimal == "," and args.decimal is None:
        notes.append("numbers      have decimal commas (--decimal . if these are no decimals)")
    others: dict[str | None, Column] = {role: columns.pop(role) for role in in_numbers}
    others = {role: c if role in categories else _in_numbers(c, decimal) for role, c in others.items()}
    label_name = table[roles.label].name if roles.label is not None else ""
    matrix, found = _features(columns, known, decimal or ".", name, label_name)
    query = table[roles.query].column() if roles.query is not None else None
    _set_info(matrix, others.get(roles.weight), query)
    return Loaded(matrix, others.get(roles.label), label_name, kept, [*notes, *found.notes], found.missing, decimal)


def _decimal(columns: dict[str, Column], cells: Table, categories: set[str], remembered: str) -> str:
    """Return the sign before decimals that columns show; those of categories do not."""
    texts = {name: column for name, column in columns.items() if column.labels and name not in categories}
    has_points = bool(texts) and any(cells[name].has_points(column) for name, column in columns.items())
    return decimal_of(texts, has_points, remembered)


def _features(
    columns: dict[str, Column], known: Known | None, decimal: str, name: str, label: str
) -> tuple[DMatrix, Found]:
    if known is not None:
        return matrix_of(known_features(columns, known, decimal), known), Found()
    found = new_features(columns, decimal)
    if not found.columns:
        raise DataError(
            f"{name!r} has no column besides the label, {label!r}: there is nothing to learn from. If there "
            "should be more, name what stands between cells by --delimiter."
        )
    return matrix_of(found.columns, None), found


def _in_numbers(column: Column, decimal: str) -> Column:
    """Return a column as numbers if all of its texts mean some."""
    meaning = meaning_of(column, decimal or ".", least=1)
    return column if meaning is None or meaning.numbers.is_time else meaning.numbers


def _notes_of_names(features: Table) -> list[str]:
    renamed = [(name, cells.name) for name, cells in features.items() if cells.name != name]
    return [f"renamed      {before} is {name} in the model" for name, before in renamed]


def _kept(table: Table, wanted: Sequence[str]) -> dict[str, Any]:
    places = {name: name_in_models(name) for name in wanted}
    absent = [name for name, place in places.items() if place not in table]
    if absent:
        raise DataError(f"`--keep`: there is no column {', '.join(absent)}. The columns are {', '.join(table)}.")
    return {name: table[place].raw for name, place in places.items()}


@dataclass(frozen=True)
class _Roles:
    """The columns that are no features."""

    label: str | None
    weight: str | None
    query: str | None
    dropped: set[str]

    @staticmethod
    def of(table: Table, args: argparse.Namespace, label: str | None, required: bool, known: Known | None) -> _Roles:
        """Return the columns that the arguments name; numbers count all columns of the file."""
        weight, query = (_optional(table, getattr(args, name, None), f"--{name}") for name in ("weight", "query"))
        dropped = {column_named(table, name, "--drop") for name in args.drop}
        others = [name for name in table if name not in {weight, query, *dropped}]
        return _Roles(_label_name(table, others, label, required, known), weight, query, dropped)

    def features(self, table: Table, known: Known | None, name: str) -> Table:
        """Return the columns that are features."""
        others = {self.label, self.weight, self.query, *self.dropped}
        left = {one: cells for one, cells in table.items() if one not in others}
        return {one: left[one] for one in _feature_names(left, known, name)}


def column_named(table: Table, name: str, option: str) -> str:
    """Return the name of a column that is given by name, or by number, negative ones from the last."""
    found = find_column(list(table), name)
    if found is None:
        raise DataError(f"`{option}`: there is no column {name!r}. The columns are {', '.join(list(table)[:30])}.")
    return found


def _optional(table: Table, name: str | None, option: str) -> str | None:
    return column_named(table, name, option) if name is not None else None


def matrix_of(columns: dict[str, Column], known: Known | None) -> DMatrix:
    """Return the matrix of these columns, with the known categories if there are some."""
    told = dict(zip(known.names, known.categories, strict=False)) if known is not None else {}
    cells = np.column_stack([np.where(column.missing, np.nan, column.values) for column in columns.values()])
    categories = [_categories(column, told.get(name)) for name, column in columns.items()]
    types = ["q" if values is None else "c" for values in categories]
    matrix = DMatrix(cells.astype(np.float32), feature_names=list(columns), feature_types=types)
    if "c" in types:
        matrix._handle.categories = categories
    return matrix


def _categories(column: Column, known: CategoryValues) -> CategoryValues:
    if isinstance(known, tuple):
        return known
    return None if column.labels is None else list(column.labels)


def _load_libsvm(source: Source, known: Known | None, wanted: Sequence[str]) -> Loaded:
    matrix = DMatrix(f"{source.path}?format=libsvm")
    columns = known.count if known is not None else matrix.num_col()
    if matrix.num_col() < columns:  # the last features may be absent from all rows
        matrix = _widened(matrix, columns)
    label = matrix.get_label()
    kept = _kept({"label": Cells("label", label)}, wanted)
    return Loaded(matrix, Column(label.astype(np.float64)), "label", kept)


def _widened(matrix: DMatrix, columns: int) -> DMatrix:
    from .. import _core  # noqa: PLC0415  only used here

    indptr, indices, values = matrix._handle.to_csr()
    wide = DMatrix._of(_core.DMatrix.from_csr(indptr, indices, values, columns, np.nan, 0, "matrix"), matrix)
    wide.set_label(matrix.get_label())
    if len(starts := matrix.get_uint_info("group_ptr")):
        wide.set_group(np.diff(starts.astype(np.int64)))
    return wide


def _label_name(
    table: Table, others: Sequence[str], wanted: str | None, required: bool, known: Known | None
) -> str | None:
    if wanted is not None and required:
        return column_named(table, wanted, "--label")
    if not required:
        return name_in_models(wanted) if wanted is not None and name_in_models(wanted) in table else None
    features = set(known.names) if known is not None else set()
    found = {name.strip("_ ").lower(): name for name in others if name not in features}
    return next((found[name] for name in _USUAL_LABELS if name in found), others[-1] if others else None)


def _feature_names(table: Table, known: Known | None, name: str) -> list[str]:
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
            raise DataError("`--query`: the rows of a query must stand together. Sort the file by that column.")
        matrix.set_group(np.diff(np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1], [True]]))))
    if weight is not None:
        if weight.labels is not None or weight.missing.any():
            raise DataError("`--weight`: the column must have a number in each row.")
        values = weight.values
        if query is not None:  # one a query
            values = values[matrix.get_uint_info("group_ptr")[:-1].astype(np.int64)]
        matrix.set_weight(values)
