# SPDX-License-Identifier: Apache-2.0
"""Metrics of each round in TensorBoard."""

from __future__ import annotations

import importlib.util
import os
from typing import Any

from .._base._exceptions import ParameterError
from .._base._optional import require
from .._base._typing import EvalsLog
from .._training._callbacks import OutsideCallback


class TensorBoardLogging(OutsideCallback):
    """Writes the metrics of each round for TensorBoard, using tensorboardX or torch.

    Parameters
    ----------
    log_dir : path or SummaryWriter
        The folder to write to, or a writer, which stays open.

    Examples
    --------
    ::

        logging = xgb.callback.TensorBoardLogging("runs/first")
        xgb.train(params, dtrain, 100, evals=[(dtest, "test")], callbacks=[logging])
    """

    _outside = ("_given", "_writer")

    def __init__(self, log_dir: Any) -> None:
        self._given = log_dir
        self._writer: Any = None
        if not isinstance(log_dir, (str, os.PathLike)) and not hasattr(log_dir, "add_scalar"):
            raise ParameterError(f"`log_dir` must be a path or a SummaryWriter; got {type(log_dir).__name__}.")

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        if state["_given"] is None:  # a writer, whose folder will do; the attribute's name depends on the library
            state["_given"] = getattr(self._given, "logdir", None) or getattr(self._given, "log_dir", "runs")
        return state

    def before_training(self, model: Any) -> Any:
        """Open the files."""
        self._writer = self._given if hasattr(self._given, "add_scalar") else _open(os.fspath(self._given))
        return model

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Write the latest values."""
        for data, metrics in evals_log.items():
            for name, log in metrics.items():
                value = log[-1][0] if isinstance(log[-1], tuple) else log[-1]
                self._writer.add_scalar(f"{data}/{name}", float(value), epoch)
        return False

    def after_training(self, model: Any) -> Any:
        """Close the files, or flush a writer of the user's."""
        if self._writer is self._given:
            self._writer.flush()
        else:
            self._writer.close()
        return model


def _open(folder: str) -> Any:
    library = "tensorboardX" if importlib.util.find_spec("tensorboardX") else "torch.utils.tensorboard"
    try:
        return require(library, "TensorBoardLogging").SummaryWriter(folder)
    except ImportError as error:
        raise ImportError(
            "TensorBoardLogging needs tensorboardX or torch. Install it with `pip install tensorboardX`."
        ) from error
