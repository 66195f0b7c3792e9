# SPDX-License-Identifier: Apache-2.0
"""Labels of classes: converts any kind of value to the numbers 0, 1, 2... that the engine is trained on, and back."""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import repr as shortened
from typing import Any

import numpy as np

from .._base._exceptions import DataError, ParameterError, UnsupportedDataError
from .._base._libraries import is_instance
from .._base._typing import Array, Integers

_FEW = 4096  # integers up to here are counted in place of sorted


class ClassLabels:
    """The classes of a classifier, sorted, and the codes of labels."""

    def __init__(self, values: Array) -> None:  # the different labels in rising order
        self.values = values
        self._codes: dict[Any, int] | None = None

    @classmethod
    def numbers(cls, count: int) -> ClassLabels:
        """Return the classes 0, 1, 2..."""
        return cls(np.arange(count))

    @classmethod
    def of(cls, labels: Array) -> tuple[ClassLabels, Array]:
        """Return the classes among labels, and the codes of these."""
        values, codes = _sorted(labels)
        if np.issubdtype(values.dtype, np.floating) and not np.array_equal(values, np.floor(values)):
            raise DataError(
                "Invalid classes: Unknown label type: continuous. `y` of a classifier has classes; got "
                f"{float(values[values != np.floor(values)][0])!r} in it. Use XGBRegressor, or cut the values into "
                "classes."
            )
        if len(values) == 1 and values.dtype.kind in "biuf" and values[0] in (0, 1):  # half of a yes-or-no question
            return (cls(np.array([False, True])) if values.dtype.kind == "b" else cls.numbers(2)), labels
        own = cls(values)
        return (cls.numbers(len(values)), codes) if own.are_default() else (own, codes)

    def are_numbers(self) -> bool:
        """Whether the labels are their own codes."""
        return self.values.dtype.kind in "biuf" and np.array_equal(self.values, np.arange(len(self.values)))

    def are_default(self) -> bool:
        """Whether they are what is taken for the classes where none are known: booleans are not."""
        return self.values.dtype.kind != "b" and self.are_numbers()

    def encode(self, labels: Array, argument: str, source: str = "`y` of the training data") -> Array:
        """Return the codes of labels; if one is not among the classes, `argument` and their `source` are named."""
        if self.are_numbers() and labels.dtype.kind in "biuf":
            known = (labels >= 0) & (labels < len(self.values)) & (labels == np.floor(labels))
            if known.all():
                return labels
            self._refuse(labels[~known][0], argument, source)
        if self._codes is None:
            self._codes = {value: code for code, value in enumerate(self.values.tolist())}
        codes = [self._codes.get(label, -1) for label in labels.tolist()]
        if -1 in codes:
            self._refuse(labels[codes.index(-1)], argument, source)
        return np.asarray(codes, dtype=np.int64)

    def decode(self, codes: Integers) -> Array:
        """Return the labels that codes stand for."""
        return self.values[codes]

    def weights(self, class_weight: Any, codes: Array, sample_weight: Array | None) -> Array:
        """Return the weights of rows, times the factor of their class."""
        return self._factors(class_weight, codes, sample_weight)[codes.astype(np.int64)] * (
            1.0 if sample_weight is None else sample_weight
        )

    def _factors(self, class_weight: Any, codes: Array, sample_weight: Array | None) -> Array:
        count = len(self.values)
        if isinstance(class_weight, str) and class_weight == "balanced":
            sums = np.bincount(codes.astype(np.int64), weights=sample_weight, minlength=count)
            present = sums > 0
            factors = np.ones(count)
            factors[present] = sums.sum() / (present.sum() * sums[present])
            return factors
        if not isinstance(class_weight, Mapping):
            raise ParameterError(f"`class_weight` must be 'balanced', a dict or None; got {class_weight!r}.")
        given = {label.item() if isinstance(label, np.generic) else label: f for label, f in class_weight.items()}
        known = self.values.tolist()
        unknown = next((label for label in given if label not in known), None)
        if unknown is not None and not set(known) <= set(given):  # some class is misspelt
            self._refuse(unknown, "class_weight")
        return np.array([_factor(value, given.get(value, 1.0)) for value in known])

    def _refuse(self, label: Any, argument: str, source: str = "`y` of the training data") -> None:
        value = label.item() if isinstance(label, np.generic) else label
        raise DataError(
            f"Invalid classes: `{argument}` has the label {value!r}, which {source} does not have. The classes are "
            f"{shortened(self.values.tolist())}."
        )


def _factor(label: Any, factor: Any) -> float:
    try:
        return float(factor)
    except (TypeError, ValueError):
        raise ParameterError(f"`class_weight` of {label!r} must be a number; got {factor!r}.") from None


def label_array(y: Any, argument: str) -> Array:
    """Return labels of any kind as an array of one or two dimensions, without missing ones."""
    if y is None:
        raise DataError(
            "Invalid classes: the estimator requires y to be passed, but the target y is None. Pass labels as "
            f"`{argument}`."
        )
    if isinstance(y, str) or not (hasattr(y, "__len__") or hasattr(y, "__array__")):
        raise UnsupportedDataError(f"`{argument}` must be an array of labels; got {type(y).__name__}.")
    array = plain_array(y)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.reshape(-1)
    if array.ndim not in (1, 2):
        raise DataError(
            f"`{argument}` must have one label per row, or one per row and output; got shape {array.shape}."
        )
    if not len(array):
        raise DataError(f"`{argument}` has no labels: found array with 0 sample(s), and a classifier needs some.")
    _refuse_missing(array, argument)
    return array


def plain_array(y: Any) -> Array:
    """Return values of any kind, in any container, as an array; of objects that are all numbers, one of numbers."""
    if is_instance(y, "pyarrow", "Array", "ChunkedArray"):
        return plain_array(np.asarray(y.to_pylist(), dtype=object))
    if is_instance(y, "scipy.sparse", "spmatrix", "sparray"):
        return np.asarray(y.todense())
    try:
        array = np.asarray(y)
    except ValueError:
        array = np.asarray(y, dtype=object)
    if (
        array.dtype.kind == "U"
        and isinstance(y, (list, tuple))
        and not all(isinstance(item, (str, list)) for item in y)
    ):
        return np.asarray(y, dtype=object)  # numbers among strings, which numpy has made strings
    if array.dtype == object and array.size:
        kinds = set(map(type, array.ravel().tolist()))
        if all(issubclass(kind, (bool, int, float, np.bool_, np.number)) for kind in kinds):
            return np.asarray(array.tolist())
    return array


def _refuse_missing(array: Array, argument: str) -> None:
    if array.dtype.kind == "f":
        bad = ~np.isfinite(array)
    elif array.dtype == object:
        if not _some_missing(array):
            return
        bad = np.array([item is None or not _is_itself(item) for item in array.flat], dtype=bool)
    elif array.dtype.kind == "M":
        bad = np.isnat(array)
    elif array.dtype.kind == "c":
        raise DataError(f"Complex data not supported: `{argument}` must be labels; got dtype {array.dtype}.")
    else:
        return
    if bad.any():
        position = int(np.flatnonzero(bad.reshape(array.shape).reshape(len(array), -1).any(axis=1))[0])
        raise DataError(
            f"Label contains NaN, infinity or no value: `{argument}` has {array[position]!r} in row {position}. Input "
            "y contains NaN or infinity, which is no class. Remove such rows."
        )


def _some_missing(array: Array) -> bool:
    """Whether objects may have a missing one among them: only different ones are looked at."""
    try:
        different = set(array.ravel().tolist())
    except TypeError:  # not hashable
        return True
    return any(item is None or not _is_itself(item) for item in different)


def _is_itself(item: Any) -> bool:
    """Whether a label equals itself, as NaN does not; of pandas' NA that is missing, too."""
    try:
        return bool(item == item)  # noqa: PLR0124
    except (TypeError, ValueError):
        return not type(item).__name__.startswith("NA")


def _sorted(labels: Array) -> tuple[Array, Array]:
    if labels.dtype.kind in "iu" and labels.size and labels.min() >= 0 and labels.max() < _FEW:
        counts = np.bincount(labels)
        values = np.flatnonzero(counts).astype(labels.dtype)
        return values, labels if len(values) == len(counts) else np.searchsorted(values, labels)
    if labels.dtype != object:
        values, codes = np.unique(labels, return_inverse=True)
        return values, codes.reshape(labels.shape)
    items = labels.tolist()
    try:
        different = sorted(set(items))
    except TypeError:
        kinds = sorted({type(item).__name__ for item in items})
        raise DataError(
            f"Unknown label type: `y` must have labels of one kind; got {', '.join(kinds)}. Convert them, for example "
            "with .astype(str)."
        ) from None
    table = {value: code for code, value in enumerate(different)}
    values = np.empty(len(different), dtype=object)
    values[:] = different
    return values, np.fromiter(map(table.__getitem__, items), dtype=np.int64, count=len(items))
