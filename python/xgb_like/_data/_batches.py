# SPDX-License-Identifier: Apache-2.0
"""Data that come in batches: the iterator that users write, and the code that reads it."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._base._exceptions import DataError, ParameterError, name_of
from .._base._typing import Array, CategoryValues, Counts, Floats
from ._categories import labels_of
from ._fields import FLOAT_FIELDS

if TYPE_CHECKING:
    from ._matrix import Batch, DMatrix


class DataIter(ABC):
    """The base class of iterators over batches of rows.

    A subclass defines :meth:`next` and :meth:`reset`. ``DMatrix(iterator)`` reads all batches once and keeps them in
    memory, as one table or as sparse rows; ``QuantileDMatrix(iterator)`` reads them a few times and keeps their bins
    only, with the values of no more than one batch in memory at a time. The batches must be the same each time.

    Parameters
    ----------
    cache_prefix : str, optional
        Accepted for compatibility: no files are written.
    release_data : bool, default True
        Whether to release a batch after reading it. Otherwise :attr:`proxy` keeps it until the next one.
    on_host : bool
        Accepted for compatibility: there is no other memory.
    min_cache_page_bytes : int, optional
        Accepted for compatibility: there are no cache pages.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> class Halves(xgb.DataIter):
    ...     def __init__(self, features, label):
    ...         self.batches = list(zip(np.array_split(features, 2), np.array_split(label, 2)))
    ...         self.position = 0
    ...         super().__init__()
    ...
    ...     def next(self, input_data):
    ...         if self.position == len(self.batches):
    ...             return False
    ...         features, label = self.batches[self.position]
    ...         input_data(data=features, label=label)
    ...         self.position += 1
    ...         return True
    ...
    ...     def reset(self):
    ...         self.position = 0
    >>> features = np.arange(20.0).reshape(10, 2)
    >>> xgb.QuantileDMatrix(Halves(features, features[:, 0]), max_bin=8)
    <xgb_like.QuantileDMatrix: 10 rows, 2 columns, with label>
    """

    # What holds also for subclasses that do not call __init__
    cache_prefix: str | None = None
    release_data: bool = True
    _latest: DMatrix | None = None

    def __init__(
        self,
        cache_prefix: str | None = None,
        release_data: bool = True,
        *,
        on_host: bool = True,
        min_cache_page_bytes: int | None = None,
    ) -> None:
        self.cache_prefix = cache_prefix
        self.release_data = release_data
        self.on_host = on_host
        self.min_cache_page_bytes = min_cache_page_bytes

    @abstractmethod
    def next(self, input_data: Callable[..., None]) -> bool:
        """Hand over the next batch.

        Parameters
        ----------
        input_data
            Call it once, with ``data`` and whatever else is known about these rows: ``label``, ``weight``,
            ``base_margin``, ``group`` or ``qid``, ``label_lower_bound``, ``label_upper_bound``, ``feature_names``,
            ``feature_types``, ``feature_weights``. Pass all of them by name, as for a :class:`DMatrix`.

        Returns
        -------
        bool
            False if there are no more batches and `input_data` was not called.
        """

    @abstractmethod
    def reset(self) -> None:
        """Go back to the first batch."""

    @property
    def proxy(self) -> DMatrix | None:
        """The last batch that was read, if `release_data` is False."""
        return self._latest

    def get_callbacks(
        self,
        enable_categorical: bool,  # noqa: ARG002
    ) -> tuple[Callable[[], None], Callable[[Callable[..., None]], bool]]:
        """Return :meth:`reset` and :meth:`next`, for programs that drive the iterator themselves."""
        return self.reset, self.next

    def reraise(self) -> None:  # noqa: B027
        """Do nothing: what :meth:`next` raises is not held back here."""

    def _keep(self, batch: DMatrix) -> None:
        self._latest = None if self.release_data else batch


def each_batch(iterator: DataIter) -> Iterator[dict[str, Any]]:
    """Begin anew, and yield what each batch was handed over with."""
    iterator.reset()
    number = 0
    while True:
        given: list[dict[str, Any]] = []
        answer: Any = iterator.next(_receiver(given))
        if not isinstance(answer, (bool, int, np.bool_, np.integer)):
            raise ParameterError(
                "next() must return whether there was a batch, True or False; got "
                f"{answer!r} of type {type(answer).__name__}."
            )
        if not answer:
            return
        number += 1
        if len(given) != 1:
            raise DataError(
                f"next() must call `input_data` once for each batch; it did {len(given)} times for batch {number}. "
                "Return False, without calling it, when there are no more batches."
            )
        yield given.pop()


def _receiver(given: list[dict[str, Any]]) -> Callable[..., None]:
    """Return the function that takes a batch and puts it into the list."""

    def input_data(
        *args: Any,
        data: Any = None,
        label: Any = None,
        weight: Any = None,
        base_margin: Any = None,
        group: Any = None,
        qid: Any = None,
        label_lower_bound: Any = None,
        label_upper_bound: Any = None,
        feature_names: Any = None,
        feature_types: Any = None,
        feature_weights: Any = None,
    ) -> None:
        fields = locals()
        if fields.pop("args"):
            raise TypeError("Keyword argument is required: call input_data(data=..., label=...).")
        if data is None:
            raise TypeError("input_data() needs `data`, the features of the batch.")
        given.append({name: value for name, value in fields.items() if name != "given"})

    input_data.__qualname__ = "input_data"  # what Python says of unknown arguments
    return input_data


_ROW_FIELDS = [field for field in FLOAT_FIELDS if field != "feature_weights"]
_NO_BATCHES = "An iterator must have at least 1 batch; next() returned False at once."
_Csr = tuple[npt.NDArray[np.uint64], Counts, Floats]


def stack(batches: Iterable[Batch], nthread: int) -> _core.DMatrix:
    """Return a matrix of all rows; as a table if all batches are tables."""
    info = _Info()
    parts: list[Floats | _Csr] = []
    for batch in batches:
        info.add(batch)
        table = batch._handle.to_dense()
        parts.append(batch._handle.to_csr() if table is None else table)
    return info.given_to(_join(parts, info.num_columns, nthread))


def quantise(
    passes: Callable[[], Iterable[Batch]], max_bin: int, ref: _core.DMatrix | None, nthread: int
) -> _core.DMatrix:
    """Return a matrix of bins; each of the passes reads all batches."""
    info = _Info()
    builder: _core.QuantileBuilder | None = None
    for batch in passes():
        info.add(batch)
        note_codes(batch, max_bin, ref)
        if builder is None:
            check_kinds(batch._handle, ref)
            builder = _core.QuantileBuilder(batch._handle, max_bin, ref, nthread)
        builder.push(batch._handle)
    if builder is None:
        raise DataError(_NO_BATCHES)
    while builder.end_pass():
        for number, batch in enumerate(passes()):
            info.check_again(number, batch._handle)
            builder.push(batch._handle)
    return info.given_to(builder.finish())


def note_codes(batch: Batch, max_bin: int, ref: _core.DMatrix | None) -> None:
    """Note codes of categories that the reference has no bins for: they will be missing."""
    if ref is None:
        return
    for feature, codes, _ in ref.unseen_codes(batch._matrix, max_bin, batch.nthread):
        batch._unseen.add(name_of(feature, batch._matrix.feature_names), codes)


def check_kinds(data: _core.DMatrix, ref: _core.DMatrix | None) -> None:
    """Raise if a feature is a category and that of the reference a number, or the other way round."""
    here, there = ([kind == "c" for kind in matrix.feature_types] for matrix in (data, ref or data))
    if not here or len(here) != data.num_col() or ref is None or ref.num_col() != data.num_col():
        return  # numbers stand for codes then; or the engine will refuse the widths
    for column, pair in enumerate(zip(here, there or [False] * len(here), strict=True)):
        if pair[0] != pair[1]:
            words = ["category" if category else "number" for category in pair]
            name = name_of(column, data.feature_names)
            raise DataError(
                f"The data type doesn't match: feature {name!r} is a {words[0]} here and a {words[1]} in `ref`."
            )


def _sum_of_rows(handle: _core.DMatrix) -> int:
    """Return a checksum of everything about the rows except the weights, which the engine checks."""
    total = zlib.crc32(handle.get_group_ptr())
    for field in _ROW_FIELDS:
        if field != "weight":
            total = zlib.crc32(np.ascontiguousarray(handle.get_float_info(field)), total)
    return total


class _Info:
    """Everything about the rows and columns of all batches."""

    def __init__(self) -> None:
        self.num_columns = 0
        self._batches = 0
        self._fields: dict[str, list[Array]] = {}
        self._feature_weights: Array = np.empty(0, np.float32)
        self._names: list[str] = []
        self._types: list[str] = []
        self._categories: list[CategoryValues] = []
        self._rows = 0
        self._sums: list[int] = []  # of what is known of the rows of each batch

    def add(self, batch: Batch) -> None:
        handle = batch._handle
        self._batches += 1
        self._sums.append(_sum_of_rows(handle))
        if self._batches == 1:
            self.num_columns = handle.num_col()
            self._types, self._categories = handle.feature_types, handle.categories
        if handle.num_col() != self.num_columns:
            raise self._differ("number of columns", f"{self.num_columns} in the first", str(handle.num_col()))
        self._add_columns(handle)
        if handle.num_row():
            values: dict[str, Array] = {field: handle.get_float_info(field) for field in _ROW_FIELDS}
            values["group"] = np.diff(handle.get_group_ptr())
            self._add_rows(values)
        self._rows += handle.num_row()

    def check_again(self, number: int, handle: _core.DMatrix) -> None:
        """Raise if labels or the like are not those of the first pass; the engine looks at values and weights."""
        if number < len(self._sums) and _sum_of_rows(handle) != self._sums[number]:
            raise DataError(
                f"Batch {number + 1} is not what it was in the first pass: its labels, groups or other facts of its "
                "rows changed. After reset(), next() must hand over the same batches in the same order."
            )

    def given_to(self, handle: _core.DMatrix) -> _core.DMatrix:
        """Set all of it on the matrix of all rows, and return that."""
        sizes = self._fields.get("group")
        if sizes:
            handle.set_group_ptr(np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.uint32))
        for field in _ROW_FIELDS:
            if parts := self._fields.get(field):
                handle.set_float_info(field, np.concatenate(parts))
        handle.set_float_info("feature_weights", self._feature_weights)
        handle.feature_names, handle.feature_types = self._names, self._types
        handle.categories = self._categories
        return handle

    def _add_rows(self, values: dict[str, Array]) -> None:
        first = self._rows == 0
        for field, part in values.items():
            known = self._fields.setdefault(field, [])
            if not first and bool(known) != bool(len(part)):
                has = "it" if len(part) else "none"
                raise DataError(
                    f"Inconsistent `{field}` between batches: batch {self._batches} has {has}, unlike those before. "
                    "Give it with every batch or with none."
                )
            if known and known[0].shape[1:] != part.shape[1:]:
                raise self._differ(f"shape of `{field}`", f"{known[0].shape} in the first", str(part.shape))
            if len(part):
                known.append(part)

    def _add_columns(self, handle: _core.DMatrix) -> None:
        self._names = self._names or handle.feature_names
        if handle.feature_names and handle.feature_names != self._names:
            raise self._differ("feature names", f"{self._names} in the first", str(handle.feature_names))
        weights = handle.get_float_info("feature_weights")
        if not len(self._feature_weights):
            self._feature_weights = weights
        if len(weights) and not np.array_equal(weights, self._feature_weights):
            raise self._differ("`feature_weights`", f"{self._feature_weights} in the first", str(weights))
        self._types = [self._join_types(*pair) for pair in self._pairs(self._types, handle.feature_types, "float")]
        for pair in self._pairs(self._categories, handle.categories, None):
            self._check_categories(*pair)

    def _pairs(self, known: list[Any], given: list[Any], default: Any) -> list[tuple[int, Any, Any]]:
        """Return the number of each column with its values in the first batches and in this one."""
        if not known and not given:
            return []
        blank = [default] * self.num_columns
        return list(zip(range(self.num_columns), known or blank, given or blank, strict=True))

    def _join_types(self, column: int, known: str, given: str) -> str:
        if (known == "c") != (given == "c"):
            words = ["a category" if kind == "c" else "a number" for kind in (known, given)]
            error = self._differ("feature types", f"{self._name(column)} is {words[0]} in the first", words[1])
            raise DataError(
                f"{error} Inconsistent number of categories between batches: give all the same types of columns."
            )
        return known if known == given else "float"

    def _check_categories(self, column: int, known: CategoryValues, given: CategoryValues) -> None:
        counts = [len(labels_of(values)) for values in (known, given)]
        if counts[0] != counts[1]:
            raise self._differ(
                "number of categories", f"{self._name(column)} has {counts[0]} in the first", str(counts[1])
            )
        if known != given:
            raise self._differ("categories", f"those of {self._name(column)} are {known} in the first", str(given))

    def _name(self, column: int) -> str:
        return repr(self._names[column]) if self._names else f"'f{column}'"

    def _differ(self, what: str, known: str, given: str) -> DataError:
        return DataError(f"Inconsistent {what} between batches: {known}, {given} in batch {self._batches}.")


def _join(parts: list[Floats | _Csr], num_columns: int, nthread: int) -> _core.DMatrix:
    if not parts:
        raise DataError(_NO_BATCHES)
    tables = [part for part in parts if isinstance(part, np.ndarray)]
    if len(tables) == len(parts):
        parts.clear()
        return _core.DMatrix.from_dense(_join_tables(tables), np.nan, nthread, "matrix")
    rows = [_to_csr(part) if isinstance(part, np.ndarray) else part for part in parts]
    counts = np.concatenate([np.diff(indptr.astype(np.int64)) for indptr, _, _ in rows])
    indptr = np.concatenate([[0], np.cumsum(counts)])
    indices = np.concatenate([indices for _, indices, _ in rows])
    values = np.concatenate([values for _, _, values in rows])
    return _core.DMatrix.from_csr(indptr, indices, values, num_columns, np.nan, nthread, "matrix")


def _join_tables(tables: list[Floats]) -> Floats:
    """Return one table; the list is emptied on the way, so that little more than one copy is in memory."""
    joined = np.empty((sum(len(table) for table in tables), tables[0].shape[1]), np.float32)
    end = len(joined)
    while tables:
        table = tables.pop()
        joined[end - len(table) : end] = table
        end -= len(table)
    return joined


def _to_csr(table: Floats) -> _Csr:
    present = ~np.isnan(table)
    indptr = np.concatenate([[0], np.cumsum(present.sum(axis=1))]).astype(np.uint64)
    return indptr, np.nonzero(present)[1].astype(np.uint32), table[present]
