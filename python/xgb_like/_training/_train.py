# SPDX-License-Identifier: Apache-2.0
"""Training a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._base._exceptions import ParameterError, count, yes_or_no
from .._base._keywords import tolerate_positions
from .._base._messages import warn
from .._base._typing import Evals, EvalsLog, Metric, ModelSource, Objective, Params, PathLike
from .._base._unseen import UnseenLevels
from .._data._matrix import DMatrix, check_matrix
from .._data._quantile import check_references
from .._model._booster import Booster, check_evals
from .._model._matching import has_grown, note_margins, order_of, reordered_matrix
from ._callbacks import CallbackContainer, EarlyStopping, EvaluationMonitor, TrainingCallback

if TYPE_CHECKING:
    from ._checkpoint import Checkpoint


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
    checkpoint: PathLike | None = None,
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
        Data on which metrics are computed after each round, and their names. Categories that `dtrain` does not have are
        missing there, unless :func:`set_config` says ``on_unseen="error"``. Named columns may be in another order.
    obj : callable, optional
        A custom objective: a function of margins and `dtrain` that returns gradient and hessian, or an instance of a
        class of :mod:`xgb_like.objective`.
    maximize
        Whether more is better, for early stopping. If not given, the metric's name decides, as in
        :class:`xgb_like.callback.EarlyStopping`.
    early_stopping_rounds
        Stop when the last metric on the last of `evals` has not improved for this number of rounds. The model then has
        all rounds, and the best one in ``best_iteration``. Predictions use the rounds up to that one unless they are
        given an `iteration_range`.
    evals_result : dict, optional
        Receives the metrics: ``{name of the data: {metric: [one value per round]}}``.
    verbose_eval
        Whether metrics are printed; a number prints every so many rounds.
    xgb_model : str, path, bytes, Booster or estimator, optional
        A model to train further, which may be one of XGBoost or LightGBM. The result is as if its training had not been
        interrupted. All its rounds are kept, even those after its best one, which is forgotten.
    callbacks : list of TrainingCallback, optional
        What else to do between rounds.
    custom_metric : callable, optional
        A custom metric: a function of predictions and matrix that returns a name and a value, or a list of such pairs.
        It gets margins if `obj` is given.
    checkpoint : path, optional
        A folder that keeps the state of this training. The same call with the same folder resumes where an earlier one
        was killed, and gives the same model as without the interruption. A finished training is not repeated. You may
        ask for more rounds in total, more patience of early stopping, or more time of a :class:`TimeLimit`. Other
        parameters, data, rules of early stopping or learning rates are refused. Your own functions must return the same
        for the same arguments. For your own callbacks that remember things, see :meth:`TrainingCallback.save_state`.
        Writing takes at most a few per cent of the time.

    Returns
    -------
    Booster

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> features = np.random.default_rng(0).normal(size=(1000, 4))
    >>> dtrain = xgb.DMatrix(features[:800], features[:800, 0] > 0)
    >>> dtest = xgb.DMatrix(features[800:], features[800:, 0] > 0)
    >>> booster = xgb.train(
    ...     {"objective": "binary:logistic", "max_depth": 2},
    ...     dtrain,
    ...     100,
    ...     evals=[(dtest, "test")],
    ...     early_stopping_rounds=5,
    ...     verbose_eval=False,
    ... )
    >>> booster.predict(dtest).shape
    (200,)
    """
    check_matrix(dtrain, "dtrain")
    rounds = count(num_boost_round, "num_boost_round")
    pairs = check_evals(evals or ())
    names = [name for _, name in pairs]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ParameterError(
            f"`evals` has the name {twice!r} twice, and metrics are kept by name. Give each matrix a name of its own."
        )
    check_references(dtrain, pairs)
    check_functions(obj)
    if evals_result is not None and not isinstance(evals_result, dict):
        raise ParameterError(f"`evals_result` must be a dict; got {type(evals_result).__name__}. Pass an empty one.")
    if not dtrain.num_row():
        warn("`dtrain` has no rows: nothing is learnt, and predictions are the intercept that training starts from.")
    start = None if xgb_model is None else Booster(model_file=xgb_model)
    dtrain, pairs = _in_order(dtrain, pairs, None if start is None else start.feature_names)
    wanted = with_defaults(callbacks, verbose_eval, early_stopping_rounds, maximize)
    container = CallbackContainer(wanted, custom_metric, obj is not None, rounds=rounds)
    booster = Booster(params, [dtrain, *(matrix for matrix, _ in pairs)], start)
    if start is not None and rounds:  # which began from base margins, and those to come do not
        unseen = UnseenLevels()
        note_margins(start, dtrain._handle, unseen)
        unseen.warn(start._handle)
    kept = None
    if checkpoint is not None:
        from ._checkpoint import Checkpoint  # noqa: PLC0415  it takes long to import, and few ask for it

        kept = Checkpoint(checkpoint, booster, dtrain, pairs, (obj, custom_metric))
    if rounds:
        has_grown(booster)
    first = booster.num_boosted_rounds()

    def update(model: Booster, done: int) -> None:
        model.update(dtrain, first + done, obj)

    trained: Booster = boost(booster, container, (dtrain, pairs), update, rounds, kept=kept)
    if evals_result is not None:
        evals_result.update(container.history)
    return trained.reset()


def boost(
    model: Any, container: CallbackContainer, data: Any, update: Any, rounds: int, *, kept: Checkpoint | None = None
) -> Any:
    """Run the rounds that are left, with all callbacks, of a booster or of the folds of a cross-validation.

    The data are those to train on, and those to evaluate; `update` adds a round to the model.
    """
    model = container.before_training(model)
    done, stopped = (0, False) if kept is None else kept.resume(model, container, rounds)
    model._growing = True
    try:
        while done < rounds and not stopped:
            if container.before_iteration(model, done, *data):
                break
            update(model, done)
            stopped = container.after_iteration(model, done, *data)
            done += 1
            if kept is not None:
                kept.save(model, container, done, last=stopped or done == rounds)
        model._growing = False
        return container.after_training(model)
    finally:
        model._growing = False


def check_functions(obj: Any) -> None:
    """Raise unless an objective of the user's can be called."""
    if obj is not None and not callable(obj):
        raise ParameterError(
            f"`obj` must be a function or an instance of a class of `objective`; got {obj!r} of type "
            f"{type(obj).__name__}. Name built-in objectives by the parameter `objective`."
        )


def _in_order(
    dtrain: DMatrix, evals: list[tuple[DMatrix, str]], names: list[str] | None
) -> tuple[DMatrix, list[tuple[DMatrix, str]]]:
    """Return all matrices with their columns in the order of `names`, or of those of `dtrain`."""
    wanted = names or dtrain.feature_names
    if not wanted:
        return dtrain, evals
    found = {}
    for matrix in (dtrain, *(matrix for matrix, _ in evals)):
        order = order_of(matrix._handle.feature_names, wanted)
        if order is None or matrix._handle.quantised_with():  # the booster refuses that, as bins cannot be moved
            found[id(matrix)] = matrix
        else:
            found[id(matrix)] = DMatrix._of(reordered_matrix(matrix._handle, order, "matrix"), matrix)
    return found[id(dtrain)], [(found[id(matrix)], name) for matrix, name in evals]


def with_defaults(
    callbacks: Any, verbose_eval: Any, early_stopping_rounds: Any, maximize: Any, show_stdv: bool = False
) -> list[TrainingCallback]:
    """Return the user's callbacks and those that arguments of train() and cv() stand for."""
    if callbacks is not None and (isinstance(callbacks, TrainingCallback) or not hasattr(callbacks, "__iter__")):
        raise ParameterError(
            f"`callbacks` must be a list of callbacks; got {type(callbacks).__name__}. Put it in a list."
        )
    wanted = list(callbacks or ())
    more_is_better = yes_or_no(maximize, "maximize")
    if verbose_eval:
        period = 1 if verbose_eval is True else count(verbose_eval, "verbose_eval")
        wanted.append(EvaluationMonitor(period=period, show_stdv=show_stdv))
    if early_stopping_rounds:
        if any(isinstance(callback, EarlyStopping) for callback in wanted):
            warn(
                "`early_stopping_rounds` is given, and `callbacks` has an EarlyStopping, too: the first of them to "
                "stop ends the training. Give one of them."
            )
        patience = count(early_stopping_rounds, "early_stopping_rounds", 1)
        wanted.append(EarlyStopping(rounds=patience, maximize=more_is_better))
    return wanted
