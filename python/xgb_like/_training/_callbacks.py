# SPDX-License-Identifier: Apache-2.0
"""Callbacks, which run between rounds of training: reporting, early stopping, schedules, checkpoints."""

from __future__ import annotations

import copy
import os
import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, TypeVar

import numpy as np

from .. import _core
from .._base import _typing
from .._base._exceptions import ParameterError, count, real, yes_or_no
from .._base._keywords import tolerate_positions
from .._base._messages import warn
from .._base._typing import EvalsLog, Metric, Self
from .._base._unseen import UnseenLevels
from .._data._matrix import DMatrix
from .._model._booster import Booster
from .._model._reading import write_model

_Model = TypeVar("_Model")  # a Booster, or the folds of a cross-validation
_MAXIMIZED = ("auc", "map", "ndcg", "pre")  # what names begin with, also of a user's own metrics


class TrainingCallback:
    """The base class of callbacks. Override the methods that you need."""

    EvalsLog: TypeAlias = _typing.EvalsLog
    planned_rounds: int | None = None  # how many are asked for; train() and cv() say so before they begin

    def before_training(self, model: Any) -> Any:
        """Run before the first round; return the model."""
        return model

    def after_training(self, model: Any) -> Any:
        """Run after the last round; return the model."""
        return model

    def before_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Run before each round; return True to stop training."""
        return False

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Run after each round; return True to stop training."""
        return False

    def save_state(self) -> dict[str, Any]:
        """Return the state that a checkpoint of training should keep of this callback: values that JSON can hold."""
        return {}

    def load_state(self, state: dict[str, Any]) -> None:
        """Restore what :meth:`save_state` returned. Called after :meth:`before_training`."""

    def still_stops(self) -> bool:
        """Tell whether a training that this callback stopped is still over. Called after :meth:`load_state`."""
        return True


class OutsideCallback(TrainingCallback):
    """The base class of callbacks that hold a stream or the like. Copies share it, pickles drop it."""

    _outside: ClassVar[tuple[str, ...]]  # the names of such attributes

    def __getstate__(self) -> dict[str, Any]:
        absent = [name for name in self._outside if not _can_be_pickled(getattr(self, name))]
        return {**self.__dict__, **dict.fromkeys(absent)}

    def __copy__(self) -> Self:
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update(self.__dict__)
        return other

    def __deepcopy__(self, memo: Any) -> Self:
        other = self.__copy__()
        memo[id(self)] = other
        own = {name: value for name, value in self.__dict__.items() if name not in self._outside}
        other.__dict__.update(copy.deepcopy(own, memo))
        return other


def _can_be_pickled(value: Any) -> bool:
    try:
        pickle.dumps(value)
    except Exception:  # noqa: BLE001  locks of processes raise RuntimeError, and users' classes what they like
        return False
    return True


def latest(evals_log: EvalsLog) -> Iterator[tuple[str, str, tuple[float, float | None]]]:
    """Yield data, metric, and its latest value with its deviation, which only those of folds have."""
    for data, metrics in evals_log.items():
        for name, log in metrics.items():
            yield data, name, log[-1] if isinstance(log[-1], tuple) else (log[-1], None)


class CallbackContainer:
    """Runs callbacks in their order and keeps the history of metrics.

    Parameters
    ----------
    callbacks
        The callbacks.
    metric
        The user's own metric.
    output_margin
        Whether that metric gets margins instead of predictions.
    is_cv
        Whether the model is all folds of a cross-validation.
    rounds
        How many rounds were requested.
    """

    def __init__(
        self,
        callbacks: Sequence[TrainingCallback],
        metric: Metric | None = None,
        output_margin: bool = True,
        is_cv: bool = False,
        rounds: int | None = None,
    ) -> None:
        self.callbacks = list({id(callback): callback for callback in callbacks}.values())
        # It may be derived from XGBoost's class, as those of other libraries are.
        methods = ("before_training", "after_training", "before_iteration", "after_iteration")
        for callback in self.callbacks:
            if isinstance(callback, type) or not all(callable(getattr(callback, one, None)) for one in methods):
                raise ParameterError(
                    f"Every callback must be an instance of `TrainingCallback`; got {callback!r} of type "
                    f"{type(callback).__name__}. Derive a class from it."
                )
        if metric is not None and not callable(metric):
            raise ParameterError(f"`custom_metric` must be a function; got {metric!r} of type {type(metric).__name__}.")
        self.metric, self.output_margin, self.is_cv = metric, output_margin, is_cv
        for callback in self.callbacks:
            callback.planned_rounds = rounds
        self.history: EvalsLog = OrderedDict()
        self.stopped_by: list[str] = []  # names of the classes that wanted to, after the last round
        self._unseen = UnseenLevels()

    def before_training(self, model: _Model) -> _Model:
        """Run all ``before_training``."""
        for callback in self.callbacks:
            model = self._checked(callback.before_training(model), "before_training")
        return model

    def after_training(self, model: _Model) -> _Model:
        """Run all ``after_training``."""
        for callback in self.callbacks:
            model = self._checked(callback.after_training(model), "after_training")
        return model

    def before_iteration(self, model: Any, epoch: int, dtrain: DMatrix, evals: Any) -> bool:  # noqa: ARG002
        """Run all ``before_iteration``; tell whether one of them wants to stop."""
        wishes = [callback.before_iteration(model, epoch, self.history) for callback in self.callbacks]
        return any(wishes)

    def after_iteration(self, model: Any, epoch: int, dtrain: DMatrix, evals: Any) -> bool:  # noqa: ARG002
        """Compute metrics and run all ``after_iteration``; tell whether one of them wants to stop."""
        scores = model._evaluate(evals or (), self.metric, self.output_margin, self._unseen)
        for data, metric, value in scores:
            self.history.setdefault(data, OrderedDict()).setdefault(metric, []).append(value)
        names = [(data, metric) for data, metric, _ in scores]
        twins = [metric for place, (data, metric) in enumerate(names) if (data, metric) in names[:place]]
        if twins and epoch == 0:
            warn(
                f"`custom_metric` returns {twins[0]!r}, which is the name of another metric, too: the values of both "
                "go into one list, and early stopping looks at the last of them. Give it a name of its own."
            )
        wishes = [callback.after_iteration(model, epoch, self.history) for callback in self.callbacks]
        self.stopped_by = [type(who).__name__ for who, wish in zip(self.callbacks, wishes, strict=True) if wish]
        return bool(self.stopped_by)

    def _checked(self, model: Any, method: str) -> Any:
        good = hasattr(model, "cvfolds") if self.is_cv else isinstance(model, Booster)
        if not good:
            raise ParameterError(f"`{method}` of a callback must return the model; got {type(model).__name__}.")
        return model


class EvaluationMonitor(OutsideCallback):
    """Reports metrics as lines of text.

    Parameters
    ----------
    rank
        The process that reports; there is only 0.
    period
        Report after this number of rounds, and after the last one.
    show_stdv
        Whether to show standard deviations of metrics that have one.
    logger
        Where lines go.
    """

    _outside = ("_logger",)

    def __init__(
        self,
        rank: int = 0,
        period: int = 1,
        show_stdv: bool = False,
        logger: Callable[[str], None] | None = None,
    ) -> None:
        self.rank = rank
        self.period = count(period, "period", 1)
        self.show_stdv = show_stdv
        self._logger = logger
        self._latest: str | None = None

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Report, or remember the line."""
        if not evals_log:
            return False
        scores = (f"\t{data}-{name}:{self._text(*score)}" for data, name, score in latest(evals_log))
        line = f"[{epoch}]" + "".join(scores)
        if epoch % self.period == 0:
            self._report(line)
            self._latest = None
        else:
            self._latest = line
        return False

    def after_training(self, model: Any) -> Any:
        """Report the last round if it was not."""
        if self._latest is not None:
            self._report(self._latest)
            self._latest = None
        return model

    def _report(self, line: str) -> None:
        if self.rank != 0:
            return
        if self._logger is None:
            print(line, flush=True)  # noqa: T201  what XGBoost's users expect, and capture
        else:
            self._logger(line + "\n")

    def _text(self, mean: float, deviation: float | None) -> str:
        return f"{mean:.5f}" + (f"+{deviation:.5f}" if self.show_stdv and deviation is not None else "")


class EarlyStopping(TrainingCallback):
    """Stops training when a metric has not improved for some rounds.

    Parameters
    ----------
    rounds
        How many.
    metric_name, data_name
        Which metric on which data; the last ones if not given.
    maximize
        Whether more is better. If not given, the metric's name decides: custom metrics are maximised if their names
        begin with auc, map (but not mape), ndcg or pre.
    save_best
        Whether training returns the model of the best round instead of the last one.
    min_delta
        The least improvement that counts.
    """

    @tolerate_positions
    def __init__(
        self,
        *,
        rounds: int,
        metric_name: str | None = None,
        data_name: str | None = None,
        maximize: bool | None = None,
        save_best: bool | None = False,
        min_delta: float = 0.0,
    ) -> None:
        self.rounds = count(rounds, "rounds", 1)
        self.metric_name, self.data = metric_name, data_name
        self.maximize, self.save_best = yes_or_no(maximize, "maximize"), yes_or_no(save_best, "save_best")
        self.stopping_history: EvalsLog = {}
        self._min_delta = real(min_delta, "min_delta", 0)
        self._best: float | None = None
        self._since_best = 0
        self._first_round = 0

    def before_training(self, model: Any) -> Any:
        """Begin to count."""
        if self.save_best and hasattr(model, "cvfolds"):
            raise ParameterError("`save_best` is not applicable to cv(): pass `return_boosters=True` to it for models.")
        if self.save_best and model._handle.params()["boosting"]["booster"] == "gblinear":
            raise ParameterError(
                "`save_best` is not applicable to gblinear: rounds change one set of weights. Drop it."
            )
        self._first_round = model.num_boosted_rounds()
        self.stopping_history = {}
        self._best, self._since_best = None, 0
        return model

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:
        """Compare with the best score so far."""
        data, metric = self._watched(evals_log)
        score = evals_log[data][metric][-1]
        self.stopping_history.setdefault(data, {}).setdefault(metric, []).append(score)
        value = float(score[0] if isinstance(score, tuple) else score)
        if self._is_better(value, metric):
            self._best, self._since_best = value, 0
            model.set_attr(best_score=value, best_iteration=self._first_round + epoch)
        else:
            self._since_best += 1
        return self._since_best >= self.rounds

    def after_training(self, model: Any) -> Any:
        """Return the best model if asked for."""
        if self.save_best and self._best is not None:
            best = model[: model.best_iteration + 1]
            best.set_attr(best_score=model.best_score, best_iteration=model.best_iteration)
            return best
        return model

    def save_state(self) -> dict[str, Any]:
        """Return the scores so far, and what they were judged by."""
        return {
            "rules": self._rules(),
            "rounds": self.rounds,
            "best": self._best,
            "since_best": self._since_best,
            "first_round": self._first_round,
            "history": self.stopping_history,
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue with the scores of an earlier run, which must have had the same rules and no more patience."""
        if state["rules"] != self._rules() or state["rounds"] > self.rounds:
            raise ParameterError(
                f"The `checkpoint` was made with early stopping by {state['rules']} and rounds={state['rounds']}; it "
                f"may go on with more rounds, but not with {self._rules()} and rounds={self.rounds}. Use another "
                "folder."
            )
        self._best, self._since_best = state["best"], state["since_best"]
        self._first_round, self.stopping_history = state["first_round"], state["history"]

    def still_stops(self) -> bool:
        """Tell whether the metric has failed to improve for long enough."""
        return self._since_best >= self.rounds

    def _rules(self) -> dict[str, Any]:
        return {
            "metric_name": self.metric_name,
            "data_name": self.data,
            "maximize": self.maximize,
            "min_delta": float(self._min_delta),
        }

    def _watched(self, evals_log: EvalsLog) -> tuple[str, str]:
        if not evals_log:
            raise ParameterError("Must have at least 1 validation dataset for early stopping: pass `evals` to train().")
        data = self.data if self.data is not None else list(evals_log)[-1]
        if data not in evals_log:
            raise ParameterError(f"No dataset named {data!r} for early stopping; there are {', '.join(evals_log)}.")
        metrics = evals_log[data]
        metric = self.metric_name if self.metric_name is not None else list(metrics)[-1]
        if metric not in metrics:
            raise ParameterError(f"No metric named {metric!r} for early stopping; there are {', '.join(metrics)}.")
        return data, metric

    def _is_better(self, value: float, metric: str) -> bool:
        if self._best is None:
            return True
        maximize = is_maximized(metric) if self.maximize is None else self.maximize
        gain = value - self._best if maximize else self._best - value
        return gain > self._min_delta


def is_maximized(metric: str) -> bool:
    """Whether more is better, by the name of a metric."""
    try:
        return _core.metric_is_maximized(metric)
    except ParameterError:
        return metric.startswith(_MAXIMIZED) and not metric.startswith("mape")


class LearningRateScheduler(TrainingCallback):
    """Sets the learning rate for the next round after each round. The first round uses the rate of the parameters.

    Parameters
    ----------
    learning_rates
        A function of the number of the finished round, or one rate per round.
    """

    def __init__(self, learning_rates: Callable[[int], float] | Sequence[float]) -> None:
        if not callable(learning_rates) and not isinstance(learning_rates, (Sequence, np.ndarray)):
            raise ParameterError(
                f"Invalid learning rates: expected a function or a sequence; got {type(learning_rates).__name__}."
            )
        self.learning_rates = learning_rates
        self._used: list[float] = []

    def before_training(self, model: Any) -> Any:
        """Begin to count."""
        self._used = []
        return model

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Set the rate."""
        rate: Any = self._rate(epoch)
        if rate is None:
            raise ParameterError(f"`learning_rates` must give a number for each round; got None for round {epoch}.")
        model.set_param("learning_rate", rate)
        self._used.append(float(rate))
        return False

    def save_state(self) -> dict[str, Any]:
        """Return the rates so far."""
        return {"rates": self._used}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue after an earlier run, whose rates must have been the same."""
        self._used = [float(self._rate(epoch)) for epoch in range(len(state["rates"]))]
        if self._used != state["rates"]:
            raise ParameterError(
                f"The `checkpoint` was made with other `learning_rates`: {state['rates']} so far, and not "
                f"{self._used}. Use another folder."
            )

    def _rate(self, epoch: int) -> float:
        if callable(self.learning_rates):
            return self.learning_rates(epoch)
        if epoch >= len(self.learning_rates):
            raise IndexError(f"`learning_rates` has {len(self.learning_rates)} rates, but there are more rounds.")
        return self.learning_rates[epoch]


class TrainingCheckPoint(TrainingCallback):
    """Saves the model at regular intervals.

    Parameters
    ----------
    directory
        The folder to write to, which must exist.
    name
        Files are called ``name_i.ubj`` or ``name_i.pkl``, where i is the number of the round.
    as_pickle
        Whether to save all parameters, too.
    interval
        Every how many rounds.
    """

    default_format = "ubj"

    def __init__(
        self, directory: str | os.PathLike[str], name: str = "model", as_pickle: bool = False, interval: int = 100
    ) -> None:
        self._folder = Path(os.fspath(directory))
        self._name, self._as_pickle = name, as_pickle
        self._interval = count(interval, "interval", 1)
        self._first_round = 0

    def before_training(self, model: Any) -> Any:
        """Begin to count."""
        if hasattr(model, "cvfolds"):
            raise ParameterError(
                "`TrainingCheckPoint` is not applicable to cv(), which has one model per fold: pass "
                "`return_boosters=True` to it for them."
            )
        self._first_round = model.num_boosted_rounds()
        return model

    def save_state(self) -> dict[str, Any]:
        """Return where the count began."""
        return {"first_round": self._first_round}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue the count of an earlier run."""
        self._first_round = state["first_round"]

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Save the model if it is time to."""
        if epoch == 0 or epoch % self._interval:
            return False
        ending = "pkl" if self._as_pickle else self.default_format
        path = self._folder / f"{self._name}_{self._first_round + epoch}.{ending}"
        if self._as_pickle:
            path.write_bytes(pickle.dumps(model))
        else:
            write_model(model, path)  # which does not tell what XGBoost cannot load
        return False
