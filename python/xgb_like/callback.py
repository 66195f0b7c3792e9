# SPDX-License-Identifier: Apache-2.0
"""Callbacks, where programs written for XGBoost look for them."""

from ._integrations._trackers import MLflowLogging, OptunaPruning, ProgressBar, TensorBoardLogging
from ._training._callbacks import (
    CallbackContainer,
    EarlyStopping,
    EvaluationMonitor,
    LearningRateScheduler,
    TrainingCallback,
    TrainingCheckPoint,
)
from ._training._time_limit import TimeLimit

__all__ = [
    "CallbackContainer",
    "EarlyStopping",
    "EvaluationMonitor",
    "LearningRateScheduler",
    "MLflowLogging",
    "OptunaPruning",
    "ProgressBar",
    "TensorBoardLogging",
    "TimeLimit",
    "TrainingCallback",
    "TrainingCheckPoint",
]
