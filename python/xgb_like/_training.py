# SPDX-License-Identifier: Apache-2.0
"""Training a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._booster import Booster, check_evals
from ._callbacks import CallbackContainer, EarlyStopping, EvaluationMonitor, TrainingCallback
from ._data import DMatrix
from ._exceptions import ParameterError
from ._keywords import tolerate_positions
from ._quantile import check_references
from ._state import check_matrix, whole
from ._typing import Evals, EvalsLog, Metric, ModelSource, Objective, Params


@tolerate_positions
def train(
    params: Params,
    dtrain: DMatrix,
    num_boost_round: int = 10,
    *,
    evals: Evals | None = None,
    obj: Objective | None = None,
    maximize: bool | None = None,
    early_stopping_rounds: int | None = None,
    evals_result: EvalsLog | None = None,
    verbose_eval: bool | int | None = True,
    xgb_model: ModelSource | None = None,
    callbacks: Sequence[TrainingCallback] | None = None,
    custom_metric: Metric | None = None,
) -> Booster:
    """Train a model.

    Parameters
    ----------
    params : dict or list of pairs
        Parameters; ``xgb-like params`` lists them.
    dtrain
        The training data.
    num_boost_round
        How many rounds.
    evals : list of (DMatrix, str), optional
        Data on which metrics are computed after each round, and their names. Categories that `dtrain` does not have
        are missing there, unless :func:`set_config` says ``on_unseen="error"``.
    obj : callable, optional
        An objective of your own: a function of margins and `dtrain` that returns gradient and hessian, or an instance
        of a class of :mod:`xgb_like.objective`.
    maximize
        Whether more is better, for early stopping; decided by the metric's name if not given.
    early_stopping_rounds
        Stop when the last metric on the last of `evals` has not become better for so many rounds. The model has all
        rounds then, and its best in ``best_iteration``.
    evals_result : dict, optional
        Takes the metrics: ``{name of the data: {metric: [one value a round]}}``.
    verbose_eval
        Whether metrics are printed; a number prints every so many rounds.
    xgb_model : str, path, bytes or Booster, optional
        A model to train further. The result is as if its training had not been interrupted.
    callbacks : list of TrainingCallback, optional
        What else to do between rounds.
    custom_metric : callable, optional
        A metric of your own: a function of predictions and matrix that returns a name and a value, or a list of such
        pairs. It gets margins if `obj` is given.

    Returns
    -------
    Booster
    """
    check_matrix(dtrain, "dtrain")
    rounds = whole(num_boost_round, "num_boost_round")
    pairs = check_evals(evals or ())
    check_references(dtrain, pairs)
    if evals_result is not None and not isinstance(evals_result, dict):
        raise ParameterError(f"`evals_result` must be a dict; got {type(evals_result).__name__}.")
    container = CallbackContainer(
        _with_defaults(callbacks, verbose_eval, early_stopping_rounds, maximize), custom_metric, obj is not None
    )
    booster = Booster(params, [dtrain, *(matrix for matrix, _ in pairs)], xgb_model)
    booster = container.before_training(booster)
    first = booster.num_boosted_rounds()
    for epoch in range(rounds):
        if container.before_iteration(booster, epoch, dtrain, pairs):
            break
        booster.update(dtrain, first + epoch, obj)
        if container.after_iteration(booster, epoch, dtrain, pairs):
            break
    booster = container.after_training(booster)
    if evals_result is not None:
        evals_result.update(container.history)
    return booster.reset()


def _with_defaults(
    callbacks: Any, verbose_eval: Any, early_stopping_rounds: int | None, maximize: bool | None
) -> list[TrainingCallback]:
    if callbacks is not None and (isinstance(callbacks, TrainingCallback) or not hasattr(callbacks, "__iter__")):
        raise ParameterError(f"`callbacks` must be a list of callbacks; got {type(callbacks).__name__}.")
    wanted = list(callbacks or ())
    if verbose_eval:
        wanted.append(EvaluationMonitor(period=1 if verbose_eval is True else verbose_eval))
    if early_stopping_rounds:
        wanted.append(EarlyStopping(rounds=early_stopping_rounds, maximize=maximize))
    return wanted
