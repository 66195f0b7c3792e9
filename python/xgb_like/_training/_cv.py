# SPDX-License-Identifier: Apache-2.0
"""Cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base._exceptions import DataError, ParameterError, UnsupportedDataError, count
from .._base._keywords import tolerate_positions
from .._base._libraries import require
from .._base._typing import ArrayLike, EvalsLog, Floats, Metric, Objective, Params
from .._data._matrix import DMatrix, check_matrix
from .._model._booster import Booster
from .._model._params import metric_names, to_pairs
from ._callbacks import CallbackContainer, TrainingCallback
from ._folds import CVPack, Fold, PackedBooster, make_folds
from ._train import boost, check_functions, with_defaults

Preprocess = Callable[[DMatrix, DMatrix, dict[str, Any]], tuple[DMatrix, DMatrix, Params]]


@dataclass
class CVResult:
    """What :func:`cv` returns if boosters or predictions were requested.

    Attributes
    ----------
    history
        The table that :func:`cv` returns otherwise.
    boosters
        The model of each fold, if requested.
    predictions
        The prediction of each row by the fold that tested it, if requested. NaN for rows that were never tested, the
        mean for rows that were tested several times.
    folds
        The training and the test rows of each fold.
    """

    history: Any
    boosters: list[Booster] | None
    predictions: Floats | None
    folds: list[Fold]


@tolerate_positions
def cv(
    params: Params,
    dtrain: DMatrix,
    num_boost_round: int = 10,
    *,
    nfold: int = 3,
    stratified: bool = False,
    folds: Any = None,
    metrics: str | Sequence[str] | None = (),
    obj: Objective | None = None,
    maximize: bool | None = None,
    early_stopping_rounds: int | None = None,
    fpreproc: Preprocess | None = None,
    as_pandas: bool = True,
    verbose_eval: bool | int | None = None,
    show_stdv: bool = True,
    seed: int | None = 0,
    callbacks: Sequence[TrainingCallback] | None = None,
    shuffle: bool = True,
    custom_metric: Metric | None = None,
    groups: ArrayLike | None = None,
    return_boosters: bool = False,
    return_predictions: bool = False,
) -> Any:
    """Cross-validate: for each fold, train on the others and test on it.

    A fold copies its rows only if something looks at their values: exact training, `gblinear`, `dart` without `hist`,
    `updater` and `process_type`, or a function of yours. Test rows are copied, once each over all folds.

    Parameters
    ----------
    params : dict or list of pairs
        Parameters, as in :func:`train`.
    dtrain
        The data. A QuantileDMatrix is refused, because its bins come from the rows of all folds.
    num_boost_round
        How many rounds.
    nfold
        How many folds. Query groups stay together.
    stratified
        Whether each fold has the same shares of the labels; needs scikit-learn.
    folds : splitter or list of pairs, optional
        A splitter of scikit-learn, or the row numbers of each fold for training and for testing.
    metrics : str or list of str
        Metrics that replace those of `params`.
    obj, maximize, custom_metric : optional
        As in :func:`train`.
    early_stopping_rounds : int, optional
        Stop when the mean of the last metric on test data has not improved for this number of rounds. The table then
        ends with the best round.
    fpreproc : callable, optional
        A function that takes training data, test data and parameters of a fold and returns all three, changed.
    as_pandas
        Whether to return a data frame, if pandas is installed; otherwise a dict.
    verbose_eval
        Whether metrics are printed; a number prints every so many rounds.
    show_stdv
        Whether standard deviations are printed. The table always has them.
    seed
        The seed for drawing folds. None draws different ones each time.
    callbacks : list of TrainingCallback, optional
        What else to do between rounds. The model they get has all folds in ``model.cvfolds``, each with ``bst``,
        ``dtrain`` and ``dtest``.
    shuffle
        Whether to deal rows to the folds at random.
    groups : array_like, optional
        The group of each row: rows of one group stay together.
    return_boosters, return_predictions
        Whether to return the models, and predictions of all rows by models that were not trained on them.

    Returns
    -------
    DataFrame, dict or CVResult
        Columns such as ``test-rmse-mean`` and ``test-rmse-std`` with one value per round. A :class:`CVResult` if
        boosters or predictions were requested.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> features = np.random.default_rng(0).normal(size=(300, 4))
    >>> dtrain = xgb.DMatrix(features, features[:, 0])
    >>> table = xgb.cv({"max_depth": 2}, dtrain, 5, nfold=4, as_pandas=False)
    >>> list(table)
    ['train-rmse-mean', 'train-rmse-std', 'test-rmse-mean', 'test-rmse-std']
    >>> result = xgb.cv({"max_depth": 2}, dtrain, 5, return_boosters=True, return_predictions=True)
    >>> len(result.boosters), result.predictions.shape
    (3, (300,))
    """
    check_functions(obj)
    if check_matrix(dtrain, "dtrain")._handle.quantised_with():
        raise UnsupportedDataError(
            "`QuantileDMatrix` is not yet supported by cv(), as its bins were made of the rows of all folds. Pass a "
            "DMatrix."
        )
    rounds = count(num_boost_round, "num_boost_round")
    rows = make_folds(
        dtrain, count(nfold, "nfold", 2), folds, groups, stratified=stratified, shuffle=shuffle, seed=seed
    )
    every = with_defaults(callbacks, verbose_eval, early_stopping_rounds, maximize, show_stdv)
    container = CallbackContainer(every, custom_metric, obj is not None, is_cv=True, rounds=rounds)
    # Functions of the user's may look at values.
    lean = all(it is None for it in (obj, custom_metric, fpreproc)) and not callbacks
    pairs = to_pairs(params)
    wanted = metric_names(() if metrics is None else metrics, "metrics")
    for value in [value for name, value in pairs if name == "eval_metric"] if not wanted else ():
        wanted += metric_names(value)
    own = {name: value for name, value in pairs if name != "eval_metric"}
    packs = make_packs(dtrain, rows, own, wanted, fpreproc, lean=lean)
    if not (return_boosters or return_predictions):
        rows = []  # of many rows their numbers are no small part of what is kept
    boost(PackedBooster(packs), container, (dtrain, None), lambda model, done: model.update(done, obj), rounds)
    frame: Any = _table(container.history, packs[0].bst, bool(container.stopped_by))
    if as_pandas:
        with suppress(ImportError):
            frame = require("pandas", "cv(as_pandas=True)").DataFrame(frame)
    if not (return_boosters or return_predictions):
        return frame
    predictions = _predict(packs, rows, dtrain.num_row()) if return_predictions else None
    return CVResult(frame, [pack.bst.reset() for pack in packs] if return_boosters else None, predictions, rows)


def make_packs(
    data: DMatrix, folds: Sequence[Fold], params: Any, metrics: Sequence[str], fpreproc: Any, *, lean: bool = False
) -> list[CVPack]:
    """Return the folds with their data and boosters; `lean` as of :class:`CVPack`."""
    packs = []
    for fold in folds:
        # Rows whose values are not copied before somebody looks at them.
        parts = (data._handle.refer(data._row_numbers(rows), True) for rows in fold)
        dtrain, dtest = (DMatrix._of(part, data) for part in parts)
        own: Params = params
        if fpreproc is not None:
            returned: Any = fpreproc(dtrain, dtest, dict(params))
            if not isinstance(returned, (tuple, list)) or len(returned) != 3:
                raise ParameterError(
                    f"`fpreproc` must return training data, test data and parameters; got {type(returned).__name__}."
                )
            dtrain, dtest, own = check_matrix(returned[0], "dtrain"), check_matrix(returned[1], "dtest"), returned[2]
        pairs = [*to_pairs(own), *(("eval_metric", name) for name in metrics)]
        packs.append(CVPack(dtrain, dtest, pairs, lean))
    return packs


def _table(log: EvalsLog, model: Booster, stopped: bool) -> dict[str, list[float]]:
    """Return the columns of the table; up to the best round if early stopping knows one. Metrics of users are last."""
    best = model.attr("best_iteration") if stopped else None
    end = None if best is None else int(best) + 1
    built_in = model._handle.metric_names()
    pairs = [(data, name) for data, metrics in log.items() for name in metrics]
    columns = {}
    for data, name in sorted(pairs, key=lambda pair: pair[1] not in built_in):
        scores = log[data][name][:end]
        columns[f"{data}-{name}-mean"] = [mean for mean, _ in scores]
        columns[f"{data}-{name}-std"] = [deviation for _, deviation in scores]
    return columns


def _predict(packs: list[CVPack], folds: list[Fold], num_rows: int) -> Floats:
    """Return the mean prediction of each row by the folds that it was a test row of."""
    total: Any = None
    times = np.zeros(num_rows)
    for pack, (_, rows) in zip(packs, folds, strict=True):
        found = pack.bst.predict(pack.dtest)
        if len(found) != len(rows):
            raise DataError(
                f"`return_predictions` needs the test rows of each fold, but `fpreproc` made {len(found)} of "
                f"{len(rows)}. Leave rows where they are."
            )
        total = np.zeros((num_rows, *found.shape[1:])) if total is None else total
        np.add.at(total, rows, found)
        np.add.at(times, rows, 1)
    with np.errstate(invalid="ignore"):
        mean: Floats = (total / times.reshape(-1, *[1] * (total.ndim - 1))).astype(np.float32)
    return mean
