# SPDX-License-Identifier: Apache-2.0
"""Callbacks, where programs written for XGBoost look for them."""

from ._callbacks import (
    CallbackContainer,
    EarlyStopping,
    EvaluationMonitor,
    LearningRateScheduler,
    TrainingCallback,
    TrainingCheckPoint,
)
from ._mlflow import MLflowLogging
from ._optuna import OptunaPruning
from ._progress import ProgressBar
from ._tensorboard import TensorBoardLogging
from ._time_limit import TimeLimit

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
