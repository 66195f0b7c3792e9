# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: SLF001  the classes of this package know the engine objects of each other
"""From columns of a file to a DMatrix, for a new model or for one that knows its features."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .._booster import Booster
from .._data import DMatrix
from .._exceptions import DataError
from .._typing import CategoryValues
from ._files import Cells, Column, Table, format_of, read_table

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

    def of_text(self) -> set[str]:
        """Return the names of the features whose categories are texts, which may look like numbers."""
        pairs = zip(self.names, self.categories, strict=False)
        return {name for name, values in pairs if isinstance(values, list)}


@dataclass(frozen=True)
class Loaded:
    """A file's rows: features, label, columns to copy as they stand there, and the names of those left out."""

    matrix: DMatrix
    label: Column | None = None
    label_name: str = ""
    kept: dict[str, Any] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def load(
    path_text: str,
    args: argparse.Namespace,
    *,
    known: Known | None = None,
    label: str | None = None,
    label_is_text: bool = False,
    required: bool,
) -> Loaded:
    """Read a file: its features (those that are known, if some are), and its label if that is required."""
    path = Path(path_text).expanduser()
    kind = format_of(path, args.format)
    wanted = getattr(args, "keep", [])
    if kind == "libsvm":
        return _load_libsvm(path, known, wanted)
    categories = known.of_text() if known is not None else set()
    texts = categories | set(wanted).difference(known.names if known is not None else [])
    if label is not None and label_is_text:
        texts.add(label)
    table = read_table(path, kind, not args.no_header, args.delimiter, texts)
    if not table or not len(next(iter(table.values())).raw):
        raise DataError(f"The file {str(path)!r} has no rows.")
    kept = _kept(table, wanted)
    for name in args.drop:
        del table[column_named(table, name, "--drop")]
    weight, query = (_take(table, getattr(args, name, None), f"--{name}") for name in ("weight", "query"))
    label_name = _label_name(table, label, required, known)
    label_cells = table.pop(label_name) if label_name else None
    label_column = label_cells.column(label_is_text) if label_cells is not None and required else None
    columns = {name: table[name].column(name in categories) for name in _feature_names(table, known, path)}
    left_out = _identifiers(columns) if known is None else []
    for name in left_out:
        del columns[name]
    if not columns:
        raise DataError(
            f"{str(path)!r} has no column besides the label, {label_name!r}: there is nothing to learn from. If there "
            "should be more, name what stands between cells by --delimiter."
        )
    matrix = matrix_of(columns, known)
    _set_info(matrix, weight, query)
    return Loaded(matrix, label_column, label_name, kept, left_out)


def _kept(table: Table, wanted: Sequence[str]) -> dict[str, Any]:
    absent = [name for name in wanted if name not in table]
    if absent:
        raise DataError(f"`--keep`: there is no column {', '.join(absent)}. The columns are {', '.join(table)}.")
    return {name: table[name].raw for name in wanted}


def column_named(table: Table, name: str, option: str) -> str:
    """Return the name of a column that is given by name, or by number, negative ones from the last."""
    if name in table:
        return name
    names = list(table)
    if name.lstrip("-").isdecimal() and -len(names) <= int(name) < len(names):
        return names[int(name)]
    raise DataError(f"`{option}`: there is no column {name!r}. The columns are {', '.join(names[:30])}.")


def matrix_of(features: dict[str, Column], known: Known | None) -> DMatrix:
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
    if column.labels is not None and not isinstance(categories, list):
        if not column.labels:
            return Column(np.full(len(column.values), np.nan))
        raise DataError(
            f"Column {name!r} has texts such as {column.labels[0]!r}; the model was trained on numbers there."
        )
    if isinstance(categories, tuple):
        codes = {value: code for code, value in enumerate(categories[0])}
        return Column(np.array([codes.get(value, np.nan) for value in column.values.tolist()], dtype=np.float64))
    return column


def _load_libsvm(path: Path, known: Known | None, wanted: Sequence[str]) -> Loaded:
    matrix = DMatrix(f"{path}?format=libsvm")
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


def _label_name(table: Table, wanted: str | None, required: bool, known: Known | None) -> str:
    if wanted is not None:
        return column_named(table, wanted, "--label") if required or wanted in table else ""
    if not required:
        return ""
    features = set(known.names) if known is not None else set()
    found = {name.strip("_ ").lower(): name for name in table if name not in features}
    return next((found[name] for name in _USUAL_LABELS if name in found), list(table)[-1])


def _take(table: Table, name: str | None, option: str) -> Column | None:
    return table.pop(column_named(table, name, option)).column() if name else None


def _feature_names(table: Table, known: Known | None, path: Path) -> list[str]:
    if known is None:
        return list(table)
    if not known.names and len(table) != known.count:
        raise DataError(
            f"{str(path)!r} has {len(table)} columns besides the label, the model {known.count} features "
            "without names. Use --drop for columns that are no features."
        )
    absent = [name for name in known.names if name not in table]
    if absent:
        raise DataError(f"{str(path)!r} lacks columns that the model needs: {', '.join(absent[:20])}.")
    return known.names or list(table)


def _identifiers(columns: dict[str, Column]) -> list[str]:
    """Return columns of text that name or number the rows: from them nothing can be learnt that holds for others."""
    return [
        name
        for name, column in columns.items()
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
