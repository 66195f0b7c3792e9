# SPDX-License-Identifier: Apache-2.0
"""Categories of features: the lists that codes in the data stand for, and changing codes from one list to another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base._exceptions import DataError, names_of
from .._base._libraries import is_instance, require
from .._base._typing import Array, CategoryValues, Floats
from .._base._unseen import UnseenLevels

_MOST = 2**24  # codes are float32: beyond this number neighbours become equal


class Categories:
    """The categories of a matrix or a model, feature by feature.

    Passed as ``feature_types`` of another matrix, it makes that matrix use the same codes. Values that are not among
    the categories are missing there.
    """

    def __init__(
        self,
        names: Sequence[str],
        values: Sequence[CategoryValues],
        exported: bool = True,
        is_category: Sequence[bool] | None = None,
    ) -> None:
        self._values = list(values)
        # Categories that came as codes have no values: only a model knows them.
        self._is_category = [value is not None for value in values] if is_category is None else list(is_category)
        self._exported = exported
        self._names = names_of(names, len(self._values))

    def empty(self) -> bool:
        """Whether no feature has categories."""
        return not any(self._values)

    def to_arrow(self) -> list[tuple[str, Any]]:
        """Return (feature name, pyarrow array or None) for each feature. Needs `export_to_arrow`, as in XGBoost."""
        if not self._exported:
            raise DataError("to_arrow() needs `export_to_arrow`: call get_categories(export_to_arrow=True).")
        pyarrow = require("pyarrow", "Categories.to_arrow()")
        arrays: list[Any] = []
        for value in self._values:
            if isinstance(value, tuple):
                arrays.append(pyarrow.array(np.asarray(value[0]).astype(value[1])))
            else:
                arrays.append(None if value is None else pyarrow.array(value, type=pyarrow.string()))
        return list(zip(self._names, arrays, strict=True))

    @property
    def values(self) -> list[CategoryValues]:
        """Per feature the strings, or numbers with their type, or None."""
        return list(self._values)

    def texts(self) -> dict[str, list[str]]:
        """Return those that are texts, by the names of their features."""
        return texts_of(self._names, self._values)

    def of_columns(self, names: Sequence[str]) -> tuple[list[CategoryValues], list[bool]]:
        """Return `values` and which features are categories, by these names; as they stand if they are others."""
        places = {name: place for place, name in enumerate(self._names)}
        same = len(names) == len(places) and all(name in places for name in names)
        order = [places[name] for name in names] if same else range(len(self._values))
        return [self._values[place] for place in order], [self._is_category[place] for place in order]


def texts_of(names: Sequence[str], values: Sequence[CategoryValues]) -> dict[str, list[str]]:
    """Return the categories that are texts, by the names of their features; no names, no texts."""
    return {name: value for name, value in zip(names, values, strict=False) if isinstance(value, list)}


def as_values(name: str, labels: Sequence[Any] | np.ndarray[Any, Any]) -> CategoryValues:
    """Return the categories of a column in the engine's form, checked."""
    array = np.asarray(labels)
    if len(array) > _MOST:
        raise DataError(f"Column {name!r} has {len(array)} categories; at most {_MOST} can be told apart.")
    if np.issubdtype(array.dtype, np.integer):
        return [float(v) for v in array.tolist()], array.dtype.name
    if all(isinstance(label, str) for label in array.tolist()):
        return [str(label) for label in array.tolist()]
    kind = "floating point dtype " if array.dtype.kind == "f" else ""
    remedy = "Convert them, for example with .astype(str)"
    if array.dtype.kind in "fb":
        remedy += ", or with .astype(float) if the model was trained on numbers"
    raise DataError(
        f"The categories of column {name!r} must be all strings or all integers; got {kind}{array.dtype}. {remedy}."
    )


def recode(codes: Floats, data: CategoryValues, model: CategoryValues, name: str, unseen: UnseenLevels) -> Floats:
    """Return codes of `data`'s categories as codes of `model`'s; missing stays missing, and unseen becomes it.

    Raise DataError if the kinds of categories differ, or the data has one that the model has not and `unseen` is not
    for that.
    """
    if data == model or data is None or model is None:
        return codes
    if isinstance(data, list) != isinstance(model, list):
        raise DataError(
            f"The category index type must match between the training and test set: feature {name!r} has "
            f"{_kind(data)} here and {_kind(model)} in the training set."
        )
    known: dict[Any, int] = {label: code for code, label in enumerate(labels_of(model))}
    changed = looked_up(codes, [known.get(label, np.nan) for label in labels_of(data)])
    lost = codes[~np.isnan(codes) & np.isnan(changed)].astype(np.int64)
    if len(lost):
        unseen.add(name, [labels_of(data)[code] for code in dict.fromkeys(lost.tolist())])
    return changed


def looked_up(codes: Floats, table: Sequence[float]) -> Floats:
    """Return the numbers that codes stand for; missing stays missing."""
    values = np.full_like(codes, np.nan)
    present = ~np.isnan(codes)
    values[present] = np.asarray(table, dtype=np.float32)[codes[present].astype(np.int64)]
    return values


def labels_of(values: CategoryValues) -> Sequence[Any]:
    """Return the labels alone, without the type of numbers."""
    if values is None:
        return ()
    return values if isinstance(values, list) else values[0]


def _kind(values: list[str] | tuple[list[float], str]) -> str:
    return "strings" if isinstance(values, list) else f"numbers ({values[1]})"


@dataclass(frozen=True)
class Column:
    """One feature: values with NaN where missing, its type, and its categories if it has some."""

    values: Array
    kind: str
    categories: CategoryValues = None


@dataclass(frozen=True)
class Refused:
    """A column that is no feature."""

    dtype: str
    kind: str = "rest"  # for what to do about it


def text_column(name: str, items: list[Any], known: list[str]) -> Column | None:
    """Return texts, None where missing, as a column of categories, of the `known` ones if there is no text at all.

    None if some item is neither a text nor None.
    """
    labels = set(items) - {None}
    if not all(isinstance(label, str) for label in labels):
        return None
    listed = sorted(labels) or known
    codes = {label: code for code, label in enumerate(listed)}
    return Column(np.array([codes.get(item, np.nan) for item in items], np.float32), "c", as_values(name, listed))


def dictionary_column(name: str, array: Any) -> Column:
    """Read an Arrow array of dictionary type, in chunks or not."""
    if is_instance(array, "pyarrow", "ChunkedArray"):
        array = array.unify_dictionaries().combine_chunks()
    codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return coded_column(name, codes, array.dictionary.to_numpy(zero_copy_only=False))


def coded_column(name: str, codes: Array, labels: Array) -> Column:
    values = codes.astype(np.float32)
    values[codes < 0] = np.nan
    return Column(values, "c", as_values(name, labels))
