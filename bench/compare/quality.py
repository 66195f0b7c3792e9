"""The loss on held-out rows, computed in one way for all libraries; less is better."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

SMALLEST = 1e-15  # a chance of zero would cost infinity

Array = npt.NDArray[Any]


def loss(objective: str, labels: Array, predictions: Array) -> float:
    """Log loss of chances; root mean squared error of values."""
    values = predictions.astype(np.float64)
    if objective == "binary:logistic":
        return float(log_loss(np.where(labels > 0, values, 1.0 - values)).mean())
    if objective == "multi:softprob":
        return float(log_loss(values[np.arange(len(labels)), labels.astype(np.intp)]).mean())
    if objective == "reg:squarederror":
        return float(np.sqrt(np.mean((values - labels) ** 2)))
    raise ValueError(f"No loss is known for objective {objective!r}")


def log_loss(chances: Array) -> Array:
    """What a predicted chance of the thing that happened costs."""
    return np.asarray(-np.log(np.clip(chances, SMALLEST, 1.0)))
