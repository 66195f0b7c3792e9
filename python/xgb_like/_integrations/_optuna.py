# SPDX-License-Identifier: Apache-2.0
"""Pruning of Optuna's trials."""

from __future__ import annotations

from typing import Any

from .._base._exceptions import ParameterError
from .._base._optional import require
from .._base._typing import EvalsLog
from .._training._callbacks import OutsideCallback


class OptunaPruning(OutsideCallback):
    """Reports a metric to an Optuna trial after each round, and ends training when the trial should be pruned.

    Parameters
    ----------
    trial : optuna.trial.Trial
        The trial. An unpickled copy has none, and does nothing.
    observation_key
        Data and metric, as they are printed: ``test-rmse``.

    Examples
    --------
    ::

        def objective(trial):
            params = {"eta": trial.suggest_float("eta", 0.01, 1, log=True)}
            pruning = xgb.callback.OptunaPruning(trial, "test-rmse")
            booster = xgb.train(params, dtrain, 100, evals=[(dtest, "test")], callbacks=[pruning])
            return booster.best_score
    """

    _outside = ("_trial",)

    def __init__(self, trial: Any, observation_key: str) -> None:
        self._trial = trial
        self._key = observation_key

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Report the latest score, and raise ``optuna.TrialPruned`` if it is not good enough."""
        if self._trial is None:
            return False
        scores = {f"{data}-{name}": log[-1] for data, metrics in evals_log.items() for name, log in metrics.items()}
        if self._key not in scores:
            raise ParameterError(
                f"`observation_key` {self._key!r} is not among the metrics: {', '.join(scores) or 'there are none'}. "
                "Name data of `evals` and a metric, such as 'test-rmse'."
            )
        score = scores[self._key]
        self._trial.report(score[0] if isinstance(score, tuple) else score, step=epoch)
        if self._trial.should_prune():
            optuna = require("optuna", "OptunaPruning")
            raise optuna.TrialPruned(f"Trial was pruned at round {epoch}.")
        return False
