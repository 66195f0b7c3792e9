# SPDX-License-Identifier: Apache-2.0
"""Matrices that keep bins instead of values."""

import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

from .._base._exceptions import DataError, ParameterError, UnsupportedDataError, real, whole
from .._base._keywords import tolerate_positions
from .._base._typing import ArrayLike, Evals
from .._base._unseen import UnseenLevels
from ._batches import DataIter, check_kinds, note_codes, quantise
from ._categories import Categories
from ._fields import info_among, missing_value, refuse_info, rows_are_split, thread_count
from ._matrix import Batch, DMatrix, check_matrix, read_batches

_DEFAULT_MAX_BIN = 256


class QuantileDMatrix(DMatrix):
    """Data for training with ``tree_method=hist``, in a quarter of the memory or less.

    The values are cut into bins at quantiles, and only the bins are kept. Training gives the same model as on a
    :class:`DMatrix` of the same data with the same `max_bin`.

    Parameters
    ----------
    data
        Anything that a :class:`DMatrix` can be made from, or a :class:`DataIter`. With an iterator, labels and other
        fields come with the batches.
    label, weight, base_margin, group, qid, label_lower_bound, label_upper_bound, feature_weights : optional
        As for a :class:`DMatrix`. The weights count in the quantiles.
    missing : float, default nan
        The value that stands for a missing cell; NaN always does.
    silent : bool
        Accepted for compatibility; nothing is printed.
    feature_names, feature_types : optional
        As for a :class:`DMatrix`.
    nthread : int, optional
        Threads for making the bins; 0, -1 or None is all of them. The bins do not depend on it.
    max_bin : int, optional
        The largest number of bins per feature, from 2 to 65,535. By default 256, or as in `ref`. Training must use the
        same value.
    ref : DMatrix, optional
        The training data. This matrix then shares its cuts and codes of categories. Matrices for evaluation need it.
        Categories that it does not have are missing, unless :func:`set_config` says ``on_unseen="error"``.
    enable_categorical : bool, default True
        Whether columns of categories are allowed in data frames.
    max_quantile_batches : int, optional
        Accepted for compatibility; the quantiles are equally good for any number of batches.
    data_split_mode : int
        Must be 0, which means that rows are distributed.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> features = np.random.default_rng(0).normal(size=(1000, 4))
    >>> train = xgb.QuantileDMatrix(features[:800], features[:800, 0], max_bin=64)
    >>> test = xgb.QuantileDMatrix(features[800:], features[800:, 0], ref=train)
    >>> params = {"tree_method": "hist", "max_bin": 64, "max_depth": 3}
    >>> booster = xgb.train(params, train, 5, evals=[(test, "test")], verbose_eval=False)
    >>> booster.predict(test).shape
    (200,)
    """

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
        max_bin: int | None = None,
        ref: DMatrix | None = None,
        group: ArrayLike | None = None,
        qid: ArrayLike | None = None,
        label_lower_bound: ArrayLike | None = None,
        label_upper_bound: ArrayLike | None = None,
        feature_weights: ArrayLike | None = None,
        enable_categorical: bool = True,
        max_quantile_batches: int | None = None,
        data_split_mode: int = 0,
    ) -> None:
        info = info_among(locals())
        rows_are_split(data_split_mode)
        if max_quantile_batches is not None and whole(max_quantile_batches, "max_quantile_batches") < 1:
            raise ParameterError(f"`max_quantile_batches` must be >= 1 or None; got {max_quantile_batches!r}.")
        self.missing, self.nthread = missing_value(missing), thread_count(nthread)
        self._ref = None if ref is None else weakref.ref(check_matrix(ref, "ref"))
        bins = 0 if ref is None else ref._handle.quantised_with()
        self.max_bin = (bins or _DEFAULT_MAX_BIN) if max_bin is None else whole(max_bin, "max_bin")
        unseen = UnseenLevels()
        known = [] if ref is None else ref._handle.categories
        settings: dict[str, Any] = {
            "unseen": unseen,
            "template": Categories(ref.feature_names or [], known) if ref is not None and any(known) else None,
            "missing": self.missing,
            "nthread": self.nthread,
            "enable_categorical": enable_categorical,
        }
        engine_ref = None if ref is None else ref._handle
        if isinstance(data, DataIter):
            refuse_info(info)
            self._handle = quantise(lambda: read_batches(data, **settings), self.max_bin, engine_ref, self.nthread)
        else:
            batch = Batch(data=data, **settings, **info)
            check_kinds(batch._matrix, engine_ref)
            note_codes(batch, self.max_bin, engine_ref)
            self._handle = batch._matrix.quantise(self.max_bin, engine_ref, self.nthread)
            self._waiting = batch._waiting
        unseen.warn()

    @property
    def ref(self) -> weakref.ReferenceType[DMatrix] | None:
        """A weak reference to the matrix whose cuts this one shares, or None."""
        return self._ref

    def get_data(self) -> Any:
        """Return bins in place of the values, as a scipy CSR matrix of float32; missing cells are left out.

        A bin is represented by its lower end, the first bin of a feature by the last number below its upper end.
        Categories are represented by their codes.
        """
        found = super().get_data()
        begin, cuts = self.get_quantile_cut()
        categorical = np.array([kind == "c" for kind in self.feature_types or [""] * self.num_col()], dtype=bool)
        numeric = np.flatnonzero((np.diff(begin) > 1) & ~categorical)
        below, first = (np.full(self.num_col(), np.nan, np.float32) for _ in range(2))
        below[numeric] = cuts[begin[numeric]]  # the engine's number of the first bin
        first[numeric] = np.nextafter(cuts[begin[numeric] + np.uint64(1)], np.float32(-np.inf))
        found.data = np.where(found.data == below[found.indices], first[found.indices], found.data)
        return found


class ExtMemQuantileDMatrix(QuantileDMatrix):
    """A :class:`QuantileDMatrix` of data that come in batches.

    The bins of all batches are kept in memory, one or two bytes per cell, along with the values of one batch at a time.

    Parameters
    ----------
    data : DataIter
        The batches.
    missing, nthread, max_bin, ref, enable_categorical, max_quantile_batches
        As for a :class:`QuantileDMatrix`.
    cache_host_ratio : float, optional
        Accepted for compatibility: there is only one kind of memory.
    """

    @tolerate_positions
    def __init__(
        self,
        data: DataIter,
        *,
        missing: float | None = None,
        nthread: int | None = None,
        max_bin: int | None = None,
        ref: DMatrix | None = None,
        enable_categorical: bool = True,
        max_quantile_batches: int | None = None,
        cache_host_ratio: float | None = None,
    ) -> None:
        if not isinstance(data, DataIter):
            raise UnsupportedDataError(
                f"`data` must be a DataIter; got {type(data).__name__}. Use QuantileDMatrix for data that are at hand."
            )
        if cache_host_ratio is not None:
            real(cache_host_ratio, "cache_host_ratio", 0, 1)
        super().__init__(
            data,
            missing=missing,
            nthread=nthread,
            max_bin=max_bin,
            ref=ref,
            enable_categorical=enable_categorical,
            max_quantile_batches=max_quantile_batches,
        )


def check_references(dtrain: DMatrix, evals: Evals) -> None:
    """Raise if the cuts of a quantised matrix for evaluation are not those of the training data."""
    for matrix, name in evals:
        if not isinstance(matrix, QuantileDMatrix) or matrix is dtrain:
            continue
        if matrix.ref is None or matrix.ref() is not dtrain:
            raise DataError(
                "Training dataset should be used as a reference when constructing the `QuantileDMatrix` for "
                f"evaluation: make {name!r} with `ref=dtrain`, so that its values are cut as the training data are."
            )
