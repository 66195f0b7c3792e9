# SPDX-License-Identifier: Apache-2.0
"""Brings data in line with the training data: the same codes of categories, or numbers where training had some."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from .. import _core
from .._base._exceptions import DataError, name_of
from .._base._typing import CategoryValues, Floats
from .._base._unseen import UnseenLevels
from ._arrays import Table
from ._categories import labels_of, looked_up, recode
from ._fields import copy_info

_MOST_SHOWN = 5


@dataclass(frozen=True)
class Known:
    """What the training data say of their columns: which ones are categories, and of which those have labels."""

    categories: Sequence[CategoryValues]
    is_category: Sequence[bool]

    @classmethod
    def of_model(cls, handle: _core.Booster) -> "Known":
        """Tell the columns of a model that has trees or weights."""
        return cls(handle.categories or [None] * handle.num_features(), kinds_of_model(handle))


def kinds_of_model(handle: _core.Booster) -> list[bool]:
    """Return of each column of a model that has trees or weights whether it is a category."""
    count = handle.num_features()
    labelled = handle.labelled() or [False] * count
    types = handle.feature_types
    split = [*handle.split_by_sets(), *[False] * count] if not types else []
    found = [kind == "c" for kind in types] or split[:count]
    return [here or has_labels for here, has_labels in zip(found, labelled, strict=True)]


def recode_table(table: Table, known: Known, unseen: UnseenLevels) -> Table:
    """Return a table whose categories have the codes of the training data, or are numbers as they were there."""
    changes = _changes(table.categories, table.types or [], known, table.names or [], unseen)
    for column, change in changes.items():
        table = table.with_column(column, change(table.arrays[0][:, column]))
    return replace(table, types=_types(table.types or [], known) or None)


def recode_matrix(matrix: _core.DMatrix, known: Known, unseen: UnseenLevels) -> _core.DMatrix:
    """Return the matrix itself if nothing is to be changed, else a new one that knows the same of its rows."""
    names, types = matrix.feature_names, matrix.feature_types
    changes = _changes(matrix.categories, types, known, names, unseen)
    if not changes:
        return matrix
    indptr, indices, values = matrix.to_csr()
    values = values.copy()
    for column, change in changes.items():
        cells = indices == column
        values[cells] = change(values[cells])
    changed = _core.DMatrix.from_csr(indptr, indices, values, matrix.num_col(), np.nan, 0, "call")
    copy_info(matrix, changed)
    changed.feature_names, changed.feature_types = names, _types(types, known)
    return changed


def check_kinds(matrix: _core.DMatrix, is_category: Sequence[bool]) -> None:
    """Raise unless the features that are categories are those that were so before, for training on."""
    labelled = matrix.labelled() or [False] * matrix.num_col()
    types = matrix.feature_types or [""] * matrix.num_col()
    here = [kind == "c" or has_labels for kind, has_labels in zip(types, labelled, strict=True)]
    pairs = list(enumerate(zip(here, is_category, strict=False)))
    more = [column for column, (ours, theirs) in pairs if ours and not theirs]
    fewer = [column for column, (ours, theirs) in pairs if theirs and not ours]
    _refuse(more, fewer, matrix.feature_names, "Give the types that the model knows: `feature_types` of the booster.")


def _changes(
    data: Sequence[CategoryValues], types: Sequence[str], known: Known, names: Sequence[str], unseen: UnseenLevels
) -> dict[int, Callable[[Floats], Floats]]:
    """Return by column what is to be done to its values."""
    labelled = [column for column, labels in enumerate(data[: len(known.is_category)]) if labels is not None]
    numbers = [column for column in labelled if not known.is_category[column]]
    texts = [column for column in numbers if isinstance(data[column], list)]
    pairs = enumerate(zip(types, known.categories, strict=False))
    absent = [column for column, (kind, labels) in pairs if labels is not None and kind != "c"]
    remedy = "Pass columns of the kinds that the model was trained on"
    if texts and all(_spells_numbers(labels_of(data[column])) for column in texts):
        remedy += ": pd.to_numeric() turns texts that spell numbers into them"
    _refuse(texts, absent, names, f"{remedy}.")
    changes: dict[int, Callable[[Floats], Floats]] = {}
    for column in labelled:
        ours, theirs, name = data[column], known.categories[column], name_of(column, names)
        if column in numbers:
            unseen.add_numbers(name)
            changes[column] = partial(looked_up, table=labels_of(ours))
        elif theirs is not None and ours != theirs:
            changes[column] = partial(recode, data=ours, model=theirs, name=name, unseen=unseen)
    return changes


def _spells_numbers(labels: Sequence[str]) -> bool:
    try:
        [float(label) for label in labels]
    except ValueError:
        return False
    return True


def _types(types: Sequence[str], known: Known) -> list[str]:
    """Return types of columns where those that were numbers in training are so."""
    category = [*known.is_category, *[True] * len(types)]
    return ["int" if kind == "c" and not category[column] else kind for column, kind in enumerate(types)]


def _refuse(more: Sequence[int], fewer: Sequence[int], names: Sequence[str], remedy: str) -> None:
    """Raise if there are columns that are categories here and not in training, or the other way round."""
    parts = []
    for columns, here, there in ((more, "category", "number"), (fewer, "number", "category")):
        shown = [
            f"feature {name_of(column, names)!r} is a {here} here and a {there} in the training set"
            for column in columns[:_MOST_SHOWN]
        ]
        rest = len(columns) - _MOST_SHOWN
        parts += [", ".join(shown) + (f", and so are {rest} more" if rest > 0 else "")] if shown else []
    if parts:
        raise DataError(f"The data type doesn't match: {'; '.join(parts)}. {remedy}")
