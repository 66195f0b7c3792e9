# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""From columns of a file to a DMatrix, for a new model or for one that knows its features."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .._booster import Booster
from .._data import DMatrix
from .._exceptions import DataError
from .._typing import CategoryValues
from ._files import Column, Table, format_of, read_table

_USUAL_LABELS = ("label", "target", "y", "class", "outcome")
_FEWEST_ROWS = 20
_IDENTIFIER_SHARE = 0.5  # of the rows: more different texts than that are no categories


@dataclass(frozen=True)
class Known:
    """The features that a file must have: names (none: just their number) and categories."""

    count: int
    names: list[str]
    categories: list[CategoryValues]

    @staticmethod
    def of(source: Booster | DMatrix) -> Known:
        """Return the features of a model or of other data."""
        count = source.num_col() if isinstance(source, DMatrix) else source.num_features()
        return Known(count, source.feature_names or [], list(source._handle.categories))


@dataclass(frozen=True)
class Loaded:
    """A file's rows: features, label and the columns that are neither."""

    matrix: DMatrix
    label: Column | None
    label_name: str
    others: Table


def load(
    path_text: str, args: argparse.Namespace, *, known: Known | None = None, label: str | None = None, required: bool
) -> Loaded:
    """Read a file: its features (those that are known, if some are), and its label if there is one."""
    path = Path(path_text).expanduser()
    kind = format_of(path, args.format)
    if kind == "libsvm":
        return _load_libsvm(path, known)
    table = read_table(path, kind, not args.no_header, args.delimiter)
    if not table or not len(next(iter(table.values())).values):
        raise DataError(f"The file {str(path)!r} has no rows.")
    for name in args.drop:
        del table[column_named(table, name, "--drop")]
    weight, query = (_take(table, getattr(args, name, None), f"--{name}") for name in ("weight", "query"))
    name = _label_name(table, label, required, known)
    label_column = table.pop(name) if name else None
    named = _identifiers(table) if known is None else []
    left_out = {name: table.pop(name) for name in named}
    features, others = _features(table, known, path)
    matrix = matrix_of(features, known)
    _set_info(matrix, weight, query)
    return Loaded(matrix, label_column, name, {**others, **left_out})


def column_named(table: Table, name: str, option: str) -> str:
    """Return the name of a column that is given by name, or by number, negative ones from the last."""
    if name in table:
        return name
    names = list(table)
    if name.lstrip("-").isdecimal() and -len(names) <= int(name) < len(names):
        return names[int(name)]
    raise DataError(f"`{option}`: there is no column {name!r}. The columns are {', '.join(names[:30])}.")


def matrix_of(features: Table, known: Known | None) -> DMatrix:
    """Return the matrix of these columns, in the known types if there are some."""
    told = dict(zip(known.names, known.categories, strict=False)) if known is not None else {}
    columns = {
        name: _in_type_of(name, column, told.get(name)) if known is not None and known.names else column
        for name, column in features.items()
    }
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


def _in_type_of(name: str, column: Column, categories: CategoryValues) -> Column:
    """Return a column as the model knows it: as codes if it has categories there."""
    if not categories and column.labels is not None:
        if not column.labels:
            return Column(np.full(len(column.values), np.nan))
        raise DataError(
            f"Column {name!r} has texts such as {column.labels[0]!r}; the model was trained on numbers there."
        )
    if isinstance(categories, list) and column.labels is None:  # categories that look like numbers in this file
        different = np.unique(column.values[~column.missing])
        texts = [f"{value:.0f}" if float(value).is_integer() else str(value) for value in different]
        return Column(np.where(column.missing, -1, np.searchsorted(different, column.values)), tuple(texts))
    if isinstance(categories, tuple):
        codes = {value: code for code, value in enumerate(categories[0])}
        return Column(np.array([codes.get(value, np.nan) for value in column.values.tolist()], dtype=np.float64))
    return column


def _load_libsvm(path: Path, known: Known | None) -> Loaded:
    matrix = DMatrix(f"{path}?format=libsvm")
    columns = known.count if known is not None else matrix.num_col()
    if matrix.num_col() < columns:  # the last features may be absent from all rows
        matrix = _widened(matrix, columns)
    return Loaded(matrix, Column(matrix.get_label().astype(np.float64)), "label", {})


def _widened(matrix: DMatrix, columns: int) -> DMatrix:
    from .. import _core  # noqa: PLC0415  only used here

    indptr, indices, values = matrix._handle.to_csr()
    wide = DMatrix._of(_core.DMatrix.from_csr(indptr, indices, values, columns, np.nan, 0, "matrix"), matrix)
    wide.set_label(matrix.get_label())
    if len(starts := matrix.get_uint_info("group_ptr")):
        wide.set_group(np.diff(starts.astype(np.int64)))
    return wide


def _label_name(table: Table, wanted: str | None, required: bool, known: Known | None) -> str:
    if wanted is not None:
        return column_named(table, wanted, "--label") if required or wanted in table else ""
    if not required:
        return ""
    features = set(known.names) if known is not None else set()
    usual = [name for name in table if name.lower() in _USUAL_LABELS and name not in features]
    return usual[0] if usual else list(table)[-1]


def _take(table: Table, name: str | None, option: str) -> Column | None:
    return table.pop(column_named(table, name, option)) if name else None


def _features(table: Table, known: Known | None, path: Path) -> tuple[Table, Table]:
    names = list(table) if known is None else known.names
    if known is not None and not names:
        if len(table) != known.count:
            raise DataError(
                f"{str(path)!r} has {len(table)} columns besides the label, the model {known.count} features "
                "without names. Use --drop for columns that are no features."
            )
        names = list(table)
    absent = [name for name in names if name not in table]
    if absent:
        raise DataError(f"{str(path)!r} lacks columns that the model needs: {', '.join(absent[:20])}.")
    if not names:
        raise DataError(f"{str(path)!r} has no column besides the label: there is nothing to learn from.")
    return {name: table[name] for name in names}, {name: table[name] for name in table if name not in set(names)}


def _identifiers(table: Table) -> list[str]:
    """Return columns of text that name or number the rows: from them nothing can be learnt that holds for others."""
    return [
        name
        for name, column in table.items()
        if column.labels is not None
        and len(column.values) > _FEWEST_ROWS
        and len(column.labels) > _IDENTIFIER_SHARE * len(column.values)
    ]


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
