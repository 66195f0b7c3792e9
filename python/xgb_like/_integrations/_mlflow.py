# SPDX-License-Identifier: Apache-2.0
"""Metrics of each round in MLflow."""

from __future__ import annotations

from typing import Any

from .._base._optional import require
from .._base._typing import EvalsLog
from .._training._callbacks import OutsideCallback


class MLflowLogging(OutsideCallback):
    """Logs the metrics of each round to the active MLflow run, and the number of rounds at the end.

    Parameters
    ----------
    prefix
        A prefix for the names of metrics.
    client : optional
        An object with the functions ``log_metrics`` and ``log_param``. The default is the module ``mlflow``.

    Examples
    --------
    ::

        with mlflow.start_run():
            xgb.train(params, dtrain, 100, evals=[(dtest, "test")], callbacks=[xgb.callback.MLflowLogging()])
    """

    _outside = ("_client",)

    def __init__(self, prefix: str = "", *, client: Any = None) -> None:
        self._prefix = prefix
        self._client = client

    def before_training(self, model: Any) -> Any:
        """Look for MLflow."""
        self._client = self._client or require("mlflow", "MLflowLogging")
        return model

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Log the latest values."""
        values: dict[str, float] = {}
        for data, metrics in evals_log.items():
            for name, log in metrics.items():
                key = f"{self._prefix}{data}-{name}".replace("@", "_at_")  # MLflow takes no @
                mean, *deviation = log[-1] if isinstance(log[-1], tuple) else (log[-1],)
                values[key] = float(mean)
                values.update({f"{key}-std": float(value) for value in deviation})
        if values:
            self._client.log_metrics(values, step=epoch)
        return False

    def after_training(self, model: Any) -> Any:
        """Log how many rounds there are, and which was the best if training was to stop early."""
        self._client.log_param(f"{self._prefix}num_boosted_rounds", model.num_boosted_rounds())
        best = model.attr("best_iteration")
        if best is not None:
            self._client.log_param(f"{self._prefix}best_iteration", int(best))
        return model
