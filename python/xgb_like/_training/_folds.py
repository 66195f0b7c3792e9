# SPDX-License-Identifier: Apache-2.0
"""The folds of a cross-validation: which rows each trains and tests on, and how they train in step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._base._exceptions import DataError, ParameterError, count
from .._base._libraries import require
from .._base._typing import Array, Integers, Metric, Objective, Params
from .._base._unseen import UnseenLevels
from .._data._fields import to_array
from .._data._matrix import DMatrix
from .._model._booster import Booster

Rows = Integers
Fold = tuple[Rows, Rows]
_HIGHEST_SEED = 2**32 - 1  # of numpy's RandomState


def make_folds(
    data: DMatrix, nfold: int, folds: Any, groups: Any, *, stratified: bool, shuffle: bool, seed: int | None
) -> list[Fold]:
    """Return the training and the test rows of each fold; arguments are those of cv().

    The folds are those that XGBoost makes with the same seed. Numpy's global generator is not touched.
    """
    seed = None if seed is None else count(seed, "seed", 0, _HIGHEST_SEED)
    members = None if groups is None else np.asarray(groups)
    if members is not None and members.shape != (data.num_row(),):
        raise DataError(
            f"`groups` must name the group of each row; got shape {members.shape} for {data.num_row()} rows."
        )
    if folds is not None:
        return _given(data, folds, members)
    if data.num_row() < nfold:
        raise DataError(f"`nfold` must not be more than the rows; got {nfold} for {data.num_row()} rows.")
    bounds = data.get_uint_info("group_ptr")
    if stratified:
        if len(bounds):
            raise ParameterError("`stratified` would split query groups. Drop it, or pass your own `folds`.")
        selection = require("sklearn.model_selection", "cv(stratified=True)")
        kind = selection.StratifiedKFold if members is None else selection.StratifiedGroupKFold
        splitter = kind(n_splits=nfold, shuffle=shuffle, random_state=seed if shuffle else None)
        label = _label(data, "stratified")
        return list(splitter.split(X=label, y=label, groups=members))
    if members is None and len(bounds) > 1:
        members = np.repeat(np.arange(len(bounds) - 1), data.get_group().astype(np.int64))
    if members is None:
        return _joined(None, data.num_row(), nfold, shuffle, seed)
    _, numbers = np.unique(members, return_inverse=True)
    by_group = np.argsort(numbers, kind="stable")
    blocks = np.split(by_group, np.flatnonzero(np.diff(numbers[by_group])) + 1)
    return _joined(blocks, len(blocks), nfold, shuffle, seed)


def _joined(blocks: Sequence[Rows] | None, units: int, nfold: int, shuffle: bool, seed: int | None) -> list[Fold]:
    """Deal rows, or blocks of rows that stay together, to the folds."""
    if units < nfold:
        raise DataError(f"`nfold` must not be more than the groups; got {nfold} for {units} groups.")
    order = np.random.RandomState(seed).permutation(units) if shuffle else np.arange(units)
    parts = np.array_split(order, nfold)
    if blocks is not None:
        parts = [np.concatenate([blocks[number] for number in part]) for part in parts]
    rest = [np.concatenate([part for other, part in enumerate(parts) if other != fold]) for fold in range(nfold)]
    return list(zip(rest, parts, strict=True))


def _label(data: DMatrix, argument: str) -> Array:
    label = data.get_label()
    if not len(label):
        raise DataError(f"`{argument}` needs labels: give `dtrain` some by set_label().")
    return label


def _given(data: DMatrix, folds: Any, members: Any) -> list[Fold]:
    if hasattr(folds, "split") and not isinstance(folds, str):
        label = _label(data, "folds")
        pairs = list(folds.split(X=label, y=label, groups=members))
    else:
        pairs = _listed(folds)
    return [(_checked(train, data.num_row()), _checked(test, data.num_row())) for train, test in pairs]


def _listed(folds: Any) -> list[Any]:
    wrong = "`folds` must be a splitter of scikit-learn or a list of pairs of row numbers (train, test)"
    if isinstance(folds, (str, int)) or not hasattr(folds, "__iter__"):
        raise ParameterError(f"{wrong}; got {type(folds).__name__}.")
    pairs = list(folds)
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ParameterError(f"{wrong}; got {type(pair).__name__} in it.")
    if not pairs:
        raise ParameterError(f"{wrong}; got none.")
    return pairs


def _checked(rows: Any, num_rows: int) -> Rows:
    """Return row numbers; masks and negative numbers are what they are in numpy."""
    numbers = to_array("folds", rows).reshape(-1)
    if numbers.dtype == bool:
        if len(numbers) != num_rows:
            raise DataError(f"A mask in `folds` must have one bool per row; got {len(numbers)} for {num_rows} rows.")
        return np.flatnonzero(numbers)
    if not len(numbers):
        raise DataError("A fold in `folds` has no rows: give each some to train and some to test on.")
    outside = numbers[(numbers < -num_rows) | (numbers >= num_rows)]
    if len(outside) or numbers.dtype.kind not in "iu":
        shown = outside[0] if len(outside) else numbers.dtype
        raise DataError(f"`folds` must have row numbers below {num_rows}; got {shown}.")
    return np.where(numbers < 0, numbers + num_rows, numbers)


class CVPack:
    """One fold.

    Parameters
    ----------
    dtrain, dtest
        Its data.
    param
        Parameters.
    lean
        Whether nobody looks at the values of the training data.
    """

    def __init__(self, dtrain: DMatrix, dtest: DMatrix, param: Params | None, lean: bool = False) -> None:
        self.bst = Booster(param, [dtrain, dtest])
        self.dtrain = _quantised(dtrain, self.bst) if lean else dtrain
        self.dtest = dtest
        self.watchlist = [(self.dtrain, "train"), (dtest, "test")]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "bst":
            raise AttributeError(name)
        return getattr(self.bst, name)

    def update(self, iteration: int, fobj: Objective | None) -> None:
        """Train one round."""
        self.bst.update(self.dtrain, iteration, fobj)

    def eval(self, iteration: int, feval: Metric | None, output_margin: bool) -> str:
        """Return the metrics on both data sets as text."""
        return self.bst.eval_set(self.watchlist, iteration, feval, output_margin)


def _quantised(matrix: DMatrix, booster: Booster) -> DMatrix:
    """Return the matrix with bins in place of values for `dart`, which predicts in each round, if bins are enough.

    Other boosters do not look at values when they train on histograms.
    """
    params = booster._handle.params()
    boosting = params["boosting"]
    predicts_by_bins = boosting["booster"] == "dart" and boosting["tree_method"] in ("auto", "hist")
    if not predicts_by_bins or boosting["updater"] or boosting["process_type"] != "default" or not matrix.num_row():
        return matrix
    max_bin = int(params["tree"]["max_bin"])
    return DMatrix._of(matrix._handle.quantise(max_bin, None, matrix.nthread), matrix)


class PackedBooster:
    """All folds, in the place of a model."""

    def __init__(self, cvfolds: list[CVPack]) -> None:
        self.cvfolds = cvfolds

    def update(self, iteration: int, obj: Objective | None) -> None:
        """Train one round of each fold."""
        for fold in self.cvfolds:
            fold.update(iteration, obj)

    def eval(self, iteration: int, feval: Metric | None, output_margin: bool) -> list[str]:
        """Return the metrics of each fold as text."""
        return [fold.eval(iteration, feval, output_margin) for fold in self.cvfolds]

    def _evaluate(
        self,
        evals: Any,  # noqa: ARG002  each fold has its own
        feval: Metric | None,
        output_margin: bool,
        unseen: UnseenLevels,
    ) -> list[tuple[str, str, tuple[float, float]]]:
        """Return (name of the data, metric, (mean, standard deviation)) of all folds."""
        by_fold = [fold.bst._evaluate(fold.watchlist, feval, output_margin, unseen) for fold in self.cvfolds]
        found = []
        for scores in zip(*by_fold, strict=True):
            data, metric, _ = scores[0]
            if any(score[:2] != (data, metric) for score in scores):
                raise ParameterError(
                    "All folds must have the same metrics; let `fpreproc` not choose them by the fold."
                )
            values = np.array([value for _, _, value in scores])
            found.append((data, metric, (float(np.mean(values)), float(np.std(values)))))
        return found

    @property
    def _growing(self) -> bool:
        return self.cvfolds[0].bst._growing

    @_growing.setter
    def _growing(self, growing: bool) -> None:
        for fold in self.cvfolds:
            fold.bst._growing = growing

    def set_attr(self, **kwargs: Any) -> None:
        """Set attributes of all folds."""
        for fold in self.cvfolds:
            fold.bst.set_attr(**kwargs)

    def attr(self, key: str) -> str | None:
        """Return an attribute of the first fold."""
        return self.cvfolds[0].bst.attr(key)

    def set_param(self, params: Params | str, value: Any = None) -> None:
        """Set parameters of all folds."""
        for fold in self.cvfolds:
            fold.bst.set_param(params, value)

    def num_boosted_rounds(self) -> int:
        """Return the number of rounds."""
        return self.cvfolds[0].bst.num_boosted_rounds()

    # By the means over all folds, which are attributes of each.
    best_iteration, best_score = Booster.best_iteration, Booster.best_score
