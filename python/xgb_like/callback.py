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

__all__ = [
    "CallbackContainer",
    "EarlyStopping",
    "EvaluationMonitor",
    "LearningRateScheduler",
    "TrainingCallback",
    "TrainingCheckPoint",
]
