# SPDX-License-Identifier: Apache-2.0
"""A limit of the time that training takes."""

import time
from collections.abc import Callable
from typing import Any

from .._base._exceptions import real
from .._base._typing import EvalsLog
from ._callbacks import TrainingCallback


class TimeLimit(TrainingCallback):
    """Stops training when the time is up.

    At least one round is trained. Training stops before a round that would end too late if it took as long as the
    longest so far. After a resumed checkpoint, the time of earlier runs counts.

    Parameters
    ----------
    seconds
        How long training may take.
    clock
        A function that returns the time in seconds.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> dtrain = xgb.DMatrix(np.eye(9), np.arange(9))
    >>> limit = xgb.callback.TimeLimit(0)
    >>> xgb.train({}, dtrain, 100, callbacks=[limit]).num_boosted_rounds()
    1
    """

    def __init__(self, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = real(seconds, "seconds", 0)
        self._clock = clock
        self._begin = self._previous = 0.0
        self._longest = 0.0

    def before_training(self, model: Any) -> Any:
        """Start the clock."""
        self._begin = self._previous = self._clock()
        self._longest = 0.0
        return model

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Stop if another round would end too late."""
        now = self._clock()
        self._longest = max(self._longest, now - self._previous)
        self._previous = now
        return self.still_stops()

    def save_state(self) -> dict[str, Any]:
        """Return the time that is used up."""
        return {"elapsed": self._previous - self._begin, "longest": self._longest}

    def load_state(self, state: dict[str, Any]) -> None:
        """Count the time of an earlier run, too."""
        self._begin -= state["elapsed"]
        self._longest = state["longest"]

    def still_stops(self) -> bool:
        """Tell whether there is no time for another round."""
        return self._previous - self._begin + self._longest > self.seconds
