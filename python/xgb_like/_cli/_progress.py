# SPDX-License-Identifier: Apache-2.0
"""A table of metrics while a model is trained."""

from __future__ import annotations

import sys
import time

from .._base._typing import EvalsLog
from .._model._booster import Booster
from .._training._callbacks import TrainingCallback

_STEPS = (1, 2, 5)
_REDRAW_SECONDS = 0.2


class Progress(TrainingCallback):
    """Prints rounds 1, 2, 5, 10, 20, 50, ...; on a terminal the newest round is always to be seen below them."""

    def __init__(self, metrics: list[str]) -> None:
        self._metrics, self._live, self._drawn = metrics, sys.stdout.isatty(), 0.0
        self._last = ""

    def before_training(self, model: Booster) -> Booster:
        """Print the table's head."""
        columns = [f"{data} {metric}" for metric in self._metrics for data in ("train", "held-out")]
        self._widths = [max(len(column), 10) for column in columns]
        print("  round  " + "  ".join(f"{c:>{w}}" for c, w in zip(columns, self._widths, strict=True)))
        return model

    def after_iteration(self, model: Booster, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Print a line, or draw it in place of the last one."""
        scores = [log[metric][-1] for metric in self._metrics for log in evals_log.values()]
        cells = (f"{score:{width}.5g}" for score, width in zip(scores, self._widths, strict=True))
        self._last = f"{epoch + 1:7}  " + "  ".join(cells)
        if _is_shown(epoch + 1):
            print(("\r" if self._live else "") + self._last, flush=True)
            self._last = ""
        elif self._live and time.monotonic() - self._drawn > _REDRAW_SECONDS:
            print(f"\r{self._last}", end="", flush=True)
            self._drawn = time.monotonic()
        return False

    def after_training(self, model: Booster) -> Booster:
        """Print the last round if it was not printed."""
        if self._last:
            print(("\r" if self._live else "") + self._last)
        return model


def _is_shown(number: int) -> bool:
    while number % 10 == 0:
        number //= 10
    return number in _STEPS
