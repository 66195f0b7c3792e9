# SPDX-License-Identifier: Apache-2.0
"""The data of one training or evaluation set."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum, unique
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._base._exceptions import DataError, ParameterError, UnsupportedDataError
from .._base._keywords import tolerate_positions
from .._base._libraries import named, remedy, require
from .._base._typing import ArrayLike, CategoryValues, Counts, Floats, Integers, PathLike
from .._base._unseen import UnseenLevels
from ._arrays import real_array
from ._batches import DataIter, each_batch, stack
from ._categories import Categories
from ._fields import (
    FLOAT_FIELDS,
    MATRICES,
    float_field,
    group_starts,
    info_among,
    missing_value,
    query_starts,
    refuse_info,
    rows_are_split,
    texts,
    thread_count,
    whole_numbers,
)
from ._ingest import is_path, read_table
from ._recode import Known, recode_table
from ._summaries import matrix_html, matrix_line
from ._text_files import read_file


@unique
class DataSplitMode(IntEnum):
    """How data is spread over processes; rows are what this package knows."""

    ROW = 0
    COL = 1


class DMatrix:
    """Features, labels and everything else about the rows.

    Parameters
    ----------
    data
        A numpy array, a list of rows, a scipy sparse matrix, a data frame of pandas, polars, pyarrow or any other
        library that narwhals knows, or the name of a file: ``path?format=libsvm``, ``path?format=csv&label_column=0``
        or one that :meth:`save_binary` wrote. Or a :class:`DataIter`, all of whose batches are then kept in memory;
        labels and other fields come with the batches.
    label : optional
        What to predict: one value per row, or a matrix for several targets.
    weight : optional
        One weight per row, or one per query group if there are groups.
    base_margin : optional
        Where boosting starts: one value per row, or one per row and output.
    missing : float, default nan
        The value that stands for a missing cell; NaN always does.
    silent : bool
        Accepted for compatibility; nothing is printed.
    feature_names : list of str, optional
        Names of the columns; a data frame brings its own.
    feature_types : list of str or Categories, optional
        For each column one of ``int``, ``float``, ``i`` (indicator), ``q`` (quantitative) and ``c`` (category). Or what
        :meth:`get_categories` of another matrix or a booster returns: this matrix then uses the same codes, also for
        columns of plain text. Categories that are not among them are missing, unless :func:`set_config` says
        ``on_unseen="error"``.
    nthread : int, optional
        Threads for reading; 0, -1 or None is all of them.
    group, qid : optional
        Query groups for ranking: the sizes of the groups, or the query of each row. Queries are numbers in rising
        order, or texts with equal ones next to each other.
    label_lower_bound, label_upper_bound : optional
        Bounds of the label for survival analysis.
    feature_weights : optional
        One weight per column for drawing columns.
    enable_categorical : bool, default True
        Whether columns of categories are allowed in data frames.
    data_split_mode : int
        Must be 0, which means that rows are distributed.
    """

    _matrix: _core.DMatrix
    _unfit_groups: Counts | None = None  # query groups that do not cover the rows; see set_group()
    _use = "matrix"  # what the engine is told of the arrays' life
    _waiting: Floats | None = None  # fewer weights than rows: of query groups that are still to come

    @tolerate_positions
    def __init__(
        self,
        data: ArrayLike | DataIter,
        label: ArrayLike | None = None,
        *,
        weight: ArrayLike | None = None,
        base_margin: ArrayLike | None = None,
        missing: float | None = None,
        silent: bool = False,
        feature_names: Iterable[str] | None = None,
        feature_types: Iterable[str] | Categories | None = None,
        nthread: int | None = None,
        group: ArrayLike | None = None,
        qid: ArrayLike | None = None,
        label_lower_bound: ArrayLike | None = None,
        label_upper_bound: ArrayLike | None = None,
        feature_weights: ArrayLike | None = None,
        enable_categorical: bool = True,
        data_split_mode: int = 0,
    ) -> None:
        info = info_among(locals())
        rows_are_split(data_split_mode)
        self.missing = missing_value(missing)
        self.nthread = thread_count(nthread)
        unseen = UnseenLevels()
        if isinstance(data, DataIter):
            refuse_info(info)
            settings = {"missing": self.missing, "nthread": self.nthread, "enable_categorical": enable_categorical}
            self._handle = stack(read_batches(data, unseen=unseen, **settings), self.nthread)
        else:
            template = feature_types if isinstance(feature_types, Categories) else None
            self._handle = self._read(data, enable_categorical, template, unseen)
            self.set_info(**{**info, "feature_types": None} if template is not None else info)
            self._check_groups()
        unseen.warn()

    @property
    def _handle(self) -> _core.DMatrix:
        """The engine's matrix, for all that does more than to look at it."""
        self._check()
        return self._matrix

    @_handle.setter
    def _handle(self, matrix: _core.DMatrix) -> None:
        self._matrix = matrix

    def _check(self) -> None:
        """Raise if query groups do not cover the rows, or there are too few weights and no groups that they are for."""
        self._check_groups()
        if self._waiting is not None:
            self._matrix.set_float_info("weight", self._waiting)

    def _check_groups(self) -> None:
        if self._unfit_groups is not None:
            raise DataError(
                f"Invalid group structure: sizes in `group` add up to {self._unfit_groups[-1]}, but the data has "
                f"{self.num_row()} rows."
            )

    def _read(
        self, data: Any, enable_categorical: bool, template: Categories | None, unseen: UnseenLevels
    ) -> _core.DMatrix:
        if isinstance(data, DMatrix):
            raise UnsupportedDataError("`data` is a DMatrix already; use it as it is, or slice() for some of its rows.")
        if is_path(data):
            return read_file(data, self.missing, self.nthread)
        table = read_table(data, enable_categorical, {} if template is None else template.texts())
        categories: Sequence[CategoryValues] = table.categories
        if template is not None:
            known = Known(*template.of_columns(table.names or ()))
            table = recode_table(table, known, unseen)
            categories = known.categories if categories else []
        handle = table.to_core(self.missing, self.nthread, self._use)
        handle.feature_names = table.names or []
        handle.feature_types = table.types or []
        if categories:
            handle.categories = list(categories)
        return handle

    @classmethod
    def _of(cls, handle: _core.DMatrix, like: "DMatrix") -> "DMatrix":
        matrix = cls.__new__(cls)
        matrix._handle, matrix.missing, matrix.nthread = handle, like.missing, like.nthread
        return matrix

    def __repr__(self) -> str:
        return f"<xgb_like.{type(self).__name__}: {matrix_line(self._matrix)}>"

    def _repr_html_(self) -> str:
        return matrix_html(self._matrix, f"xgb_like.{type(self).__name__}")

    # What it holds

    def num_row(self) -> int:
        """Return the number of rows."""
        return self._matrix.num_row()

    def num_col(self) -> int:
        """Return the number of columns."""
        return self._matrix.num_col()

    def num_nonmissing(self) -> int:
        """Return the number of cells that are not missing."""
        return self._matrix.num_nonmissing()

    def data_split_mode(self) -> DataSplitMode:
        """Return how data are spread over processes: by rows."""
        return DataSplitMode.ROW

    def get_data(self) -> Any:
        """Return the features as a scipy CSR matrix of float32, without missing cells, columns in rising order.

        Categories are their codes.
        """
        sparse = require("scipy.sparse", "DMatrix.get_data()")
        indptr, indices, values = self._matrix.to_csr()
        narrow = np.int32 if len(values) < np.iinfo(np.int32).max else np.int64
        shape = (self.num_row(), self.num_col())
        return sparse.csr_matrix((values, indices.astype(narrow), indptr.astype(narrow)), shape=shape)

    def get_quantile_cut(self) -> tuple[npt.NDArray[np.uint64], Floats]:
        """Return the cuts between the bins of histogram training, once it has made them.

        Returns
        -------
        indptr : ndarray of uint64
            Where the values of each feature begin, and their total number.
        values : ndarray of float32
            For a numeric feature a number below all its values, then the exclusive upper end of each bin. For a
            categorical one the categories.
        """
        return self._matrix.quantile_cut()

    def get_categories(self, export_to_arrow: bool = False) -> Categories:
        """Return the categories of the features; `export_to_arrow` enables ``to_arrow()``."""
        values = self._matrix.categories or [None] * self.num_col()
        return Categories(self._matrix.feature_names, values, export_to_arrow)

    def slice(self, rindex: ArrayLike, allow_groups: bool = False) -> "DMatrix":
        """Return a matrix of some rows, with their labels, weights and margins.

        Parameters
        ----------
        rindex
            Row numbers in any order, or one bool per row.
        allow_groups
            Whether query groups are allowed; they are cut to the chosen rows.
        """
        return self._of(self._handle.slice(self._row_numbers(rindex), allow_groups), self)

    def _row_numbers(self, rindex: Any) -> Integers:
        rows = np.asarray(rindex).reshape(-1)
        if rows.dtype == bool:
            if len(rows) != self.num_row():
                raise DataError(f"A mask must have one bool per row; got {len(rows)} for {self.num_row()} rows.")
            return np.flatnonzero(rows).astype(np.int64)
        whole = whole_numbers("`rindex`", real_array(rows, "`rindex`"))
        outside = whole[(whole < 0) | (whole >= self.num_row())]
        if len(outside):
            raise DataError(f"`rindex` must be in [0, {self.num_row()}); got {outside[0]}.")
        return whole

    def save_binary(self, fname: PathLike, silent: bool = True) -> None:  # noqa: ARG002
        """Write the matrix to a file that ``DMatrix(fname)`` reads; equal data give equal files."""
        self._handle.save_binary(str(Path(fname).expanduser()))

    # Names and types of features

    @property
    def feature_names(self) -> list[str] | None:
        """Names of the columns, or None. Setting None removes them."""
        return list(self._matrix.feature_names) or None

    @feature_names.setter
    def feature_names(self, names: Iterable[str] | None) -> None:
        self._matrix.feature_names = texts("feature_names", names, self.num_col())

    @property
    def feature_types(self) -> list[str] | None:
        """Types of the columns (``int``, ``float``, ``i``, ``q``, ``c``), or None. Setting None removes them."""
        return list(self._matrix.feature_types) or None

    @feature_types.setter
    def feature_types(self, types: Iterable[str] | None) -> None:
        self._matrix.feature_types = texts("feature_types", types, self.num_col())

    # What is known of the rows

    def set_info(
        self,
        *,
        label: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        base_margin: ArrayLike | None = None,
        group: ArrayLike | None = None,
        qid: ArrayLike | None = None,
        label_lower_bound: ArrayLike | None = None,
        label_upper_bound: ArrayLike | None = None,
        feature_names: Iterable[str] | None = None,
        feature_types: Iterable[str] | None = None,
        feature_weights: ArrayLike | None = None,
    ) -> None:
        """Set several fields at once; see the class for what they are. None leaves a field as it is."""
        info = {name: value for name, value in info_among(locals()).items() if value is not None}
        if group is not None and qid is not None:
            raise ParameterError("Either one of `group` or `qid` should be None: they say the same.")
        with self._unless_wrong(info.keys()):
            if weight is not None and (group is not None or qid is not None):
                self._waiting = None  # the old ones need not fit the new groups
                self._matrix.set_float_info("weight", np.empty(0, np.float32))
            for name, value in info.items():
                if name == "qid":
                    self._set_starts(query_starts(value, self.num_row()))
                elif name in ("feature_names", "feature_types"):
                    setattr(self, name, value)
                else:
                    self.set_float_info(name, value)

    @contextmanager
    def _unless_wrong(self, fields: Collection[str]) -> Iterator[None]:
        """Set some fields; if one of them is refused, all are again what they were."""
        matrix, own = self._matrix, (self._unfit_groups, self._waiting)
        starts, names, types = matrix.get_group_ptr(), matrix.feature_names, matrix.feature_types
        # Other groups may take weights along.
        kept = {name: matrix.get_float_info(name) for name in FLOAT_FIELDS if name in {*fields, "weight"}}
        try:
            yield
        except BaseException:
            matrix.set_float_info("weight", np.empty(0, np.float32))  # how many are right is up to the groups
            matrix.set_group_ptr(starts)
            for name, values in kept.items():
                matrix.set_float_info(name, values)
            matrix.feature_names, matrix.feature_types = names, types
            self._unfit_groups, self._waiting = own
            raise

    def get_float_info(self, field: str) -> Floats:
        """Return a field: label, weight, base_margin, label_lower_bound, label_upper_bound or feature_weights."""
        _check_field(field, FLOAT_FIELDS)
        waits = field == "weight" and self._waiting is not None
        values: Floats = np.array(self._waiting) if waits else self._matrix.get_float_info(field)
        return values.reshape(-1) if field in MATRICES and (values.ndim == 1 or values.shape[1] <= 1) else values

    def set_float_info(self, field: str, data: ArrayLike) -> None:
        """Set a field of numbers; an empty list removes it."""
        if field == "group":
            self.set_group(data)
            return
        _check_field(field, FLOAT_FIELDS)
        values = float_field(field, data, self.num_row())
        if field == "weight":
            self._check_groups()  # how many are right is up to them
            waits = 0 < len(values) < self.num_row() and not len(self._matrix.get_group_ptr())
            self._waiting = values if waits else None
            values = values[:0] if waits else values
        self._matrix.set_float_info(field, values)

    def set_float_info_npy2d(self, field: str, data: ArrayLike) -> None:
        """Set a field from a matrix: as :meth:`set_float_info`, which takes them, too."""
        self.set_float_info(field, data)

    def get_uint_info(self, field: str) -> Counts:
        """Return ``group_ptr``: the first row of each query group, then the number of rows."""
        _check_field(field, ("group_ptr",))
        return self._matrix.get_group_ptr() if self._unfit_groups is None else self._unfit_groups

    def set_uint_info(self, field: str, data: ArrayLike) -> None:
        """Set a field from whole numbers: ``group``, or any that :meth:`set_float_info` takes."""
        self.set_float_info(field, data)

    def get_label(self) -> Floats:
        """Return the labels; several targets form a matrix."""
        return self.get_float_info("label")

    def set_label(self, label: ArrayLike) -> None:
        """Set the labels."""
        self.set_info(label=label)

    def get_weight(self) -> Floats:
        """Return the weights."""
        return self.get_float_info("weight")

    def set_weight(self, weight: ArrayLike) -> None:
        """Set the weights: one per row, or one per query group. The groups may be set later."""
        self.set_info(weight=weight)

    def get_base_margin(self) -> Floats:
        """Return the base margins; several outputs form a matrix."""
        return self.get_float_info("base_margin")

    def set_base_margin(self, margin: ArrayLike) -> None:
        """Set where boosting and prediction start."""
        self.set_info(base_margin=margin)

    def get_group(self) -> Counts:
        """Return the sizes of the query groups."""
        return np.diff(self.get_uint_info("group_ptr")).astype(np.uint32)

    def set_group(self, group: ArrayLike) -> None:
        """Set the sizes of the query groups.

        Sizes that do not add up to the number of rows are stored, but using the matrix raises an error until others are
        set.
        """
        self._set_starts(group_starts(group))

    def _set_starts(self, starts: Counts) -> None:
        fit = not len(starts) or starts[-1] == self.num_row()
        self._unfit_groups = None if fit else starts
        if not fit:
            return
        self._matrix.set_group_ptr(starts)
        if self._waiting is not None and len(starts):
            self._matrix.set_float_info("weight", self._waiting)
            self._waiting = None


class Batch(DMatrix):
    """Rows that are read while their owner does not change them.

    `unseen` takes the categories that are not among those whose codes are used: those of `template`, if the batch does
    not name others.
    """

    _use = "batch"

    def __init__(self, unseen: UnseenLevels, template: Categories | None = None, **fields: Any) -> None:
        self._unseen, self._template = unseen, template
        super().__init__(**fields)

    def _read(
        self,
        data: Any,
        enable_categorical: bool,
        template: Categories | None,
        unseen: UnseenLevels,  # noqa: ARG002  the owner warns once, not each batch
    ) -> _core.DMatrix:
        return super()._read(data, enable_categorical, template or self._template, self._unseen)


def read_batches(iterator: DataIter, **settings: Any) -> Iterator[Batch]:
    """Read all batches from the first; `settings` are arguments of each :class:`Batch`."""
    for fields in each_batch(iterator):
        batch = Batch(**settings, **fields)
        iterator._keep(batch)
        yield batch


def checked_texts(argument: str, values: Any, num_columns: int) -> list[str]:
    """Return names or types of features as the engine would take them for a matrix of so many columns."""
    scratch = _core.DMatrix.from_dense(np.empty((0, num_columns), np.float32), np.nan, 1, "matrix")
    setattr(scratch, argument, texts(argument, values, num_columns))
    return list(getattr(scratch, argument))


def _check_field(field: str, known: Iterable[str]) -> None:
    if field not in known:
        raise ParameterError(f"Unknown field {field!r}; it must be one of {', '.join(known)}.")


def check_matrix(data: Any, argument: str, part: str = "") -> DMatrix:
    """Return data if it is a DMatrix; `part` says where in the argument it stands."""
    if not isinstance(data, DMatrix):
        where, source = (f" in {part}", "data, label") if part else ("", argument)
        raise UnsupportedDataError(f"`{argument}` must be a DMatrix; got {named(data)}{where}. {remedy(data, source)}")
    data._check()
    return data


def matrix_for(
    model: _core.Booster,
    data: ArrayLike | DMatrix,
    label: ArrayLike | None = None,
    *,
    feature_types: Sequence[str] | None = None,
    **settings: Any,
) -> DMatrix:
    """Return a matrix of the data: plain texts are categories where the model has some. A matrix stays what it is.

    `feature_types` are for a model that knows no labels of categories; `settings` are arguments of :class:`DMatrix`.
    """
    if isinstance(data, DMatrix):
        return data
    known = Known.of_model(model)
    template = Categories(model.feature_names, known.categories, is_category=known.is_category)
    return DMatrix(data, label, feature_types=feature_types if template.empty() else template, **settings)
