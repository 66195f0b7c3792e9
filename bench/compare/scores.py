"""Qualities of predictions on held-out rows, by objective, computed in one way for all libraries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .data import Part

TOP = 10  # ranks that count
SMALLEST = 1e-9  # a mean of 0 would make a likelihood infinite
SMALLEST_CHANCE = 1e-15  # as would a chance of 0

Array = npt.NDArray[Any]
Params = dict[str, Any]


@dataclass(frozen=True)
class Score:
    """`compute(part, predictions, params)`, for all rows; predictions are those of `Peer.predict`, in double."""

    name: str
    compute: Callable[[Part, Array, Params], float]
    higher_is_better: bool = False


def scores_of(objective: str) -> tuple[Score, ...]:
    """The qualities that count for an objective, the one that it optimises first."""
    if objective not in SCORES:
        raise ValueError(f"No score is known for objective {objective!r}")
    return SCORES[objective]


def loss(part: Part, predictions: Array, params: Params) -> float:
    """The quality that the objective optimises, as a number of which less is better."""
    score = scores_of(params["objective"])[0]
    value = score.compute(part, np.asarray(predictions, dtype=np.float64), params)
    return 1 - value if score.higher_is_better else value


def _mean(part: Part, losses: Array) -> float:
    return float(np.average(losses, weights=part.weights))


def _of_cells(loss: Callable[[Array, Array], Array]) -> Callable[[Part, Array, Params], float]:
    def compute(part: Part, predictions: Array, params: Params) -> float:  # noqa: ARG001
        return _mean(part, loss(part.labels.astype(np.float64), predictions))

    return compute


def _auc(part: Part, predictions: Array, params: Params) -> float:  # noqa: ARG001
    _, place, ties = np.unique(predictions, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(ties) - (ties - 1) / 2)[place]
    positive = part.labels > 0
    count = positive.sum()
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (len(ranks) - count)))


def _log_loss(chances: Array) -> Array:
    """What a predicted chance of the thing that happened costs."""
    return np.asarray(-np.log(np.clip(chances, SMALLEST_CHANCE, 1.0)))


def _class_error(labels: Array, predictions: Array) -> Array:
    taken_for = predictions.argmax(axis=1) if predictions.ndim > 1 else predictions
    return np.asarray(taken_for != labels, dtype=np.float64)


def _class_log_loss(labels: Array, predictions: Array) -> Array:
    return _log_loss(predictions[np.arange(len(labels)), labels.astype(np.intp)])


def _poisson_deviance(labels: Array, means: Array) -> Array:
    means = np.maximum(means, SMALLEST)
    ratio = np.where(labels > 0, labels, 1.0) / means
    return np.asarray(2 * (np.where(labels > 0, labels * np.log(ratio), 0.0) - labels + means))


def _gamma_deviance(labels: Array, means: Array) -> Array:
    ratio = np.maximum(labels, SMALLEST) / np.maximum(means, SMALLEST)
    return np.asarray(2 * (ratio - 1 - np.log(ratio)))


def _tweedie_deviance(part: Part, predictions: Array, params: Params) -> float:
    power = params.get("tweedie_variance_power", 1.5)
    labels, means = part.labels.astype(np.float64), np.maximum(predictions, SMALLEST)
    own = labels ** (2 - power) / ((1 - power) * (2 - power))
    rest = means ** (2 - power) / (2 - power) - labels * means ** (1 - power) / (1 - power)
    return _mean(part, 2 * (own + rest))


def _pinball(part: Part, predictions: Array, params: Params) -> float:
    alpha = np.atleast_1d(params["quantile_alpha"])
    above = part.labels[:, None] - predictions.reshape(len(predictions), -1)
    return _mean(part, (above * np.where(above >= 0, alpha, alpha - 1)).mean(axis=1))


def _expectile(part: Part, predictions: Array, params: Params) -> float:
    alpha = np.atleast_1d(params["expectile_alpha"])
    above = part.labels[:, None] - predictions.reshape(len(predictions), -1)
    return _mean(part, (above**2 * np.where(above >= 0, alpha, 1 - alpha)).mean(axis=1))


def _of_queries(value: Callable[[Array, Array], float]) -> Callable[[Part, Array, Params], float]:
    """The mean over queries of `value(labels in the order of predictions, best labels first)`, where there are any."""

    def compute(part: Part, predictions: Array, params: Params) -> float:  # noqa: ARG001
        queries = part.queries if part.queries is not None else np.zeros(len(predictions))
        borders = np.flatnonzero(np.diff(queries)) + 1
        values = []
        for labels, scores in zip(np.split(part.labels, borders), np.split(predictions, borders), strict=True):
            if (labels > 0).any():
                order = np.argsort(-scores, kind="stable")
                values.append(value(labels[order], np.sort(labels)[::-1]))
        return float(np.mean(values))

    return compute


def _ndcg(labels: Array, best: Array) -> float:
    discounts = 1 / np.log2(np.arange(2, TOP + 2))

    def gain(ranked: Array) -> float:
        top = ranked[:TOP]
        return float(((2.0**top - 1) * discounts[: len(top)]).sum())

    return gain(labels) / gain(best)


def _average_precision(labels: Array, best: Array) -> float:  # noqa: ARG001
    hits = labels > 0
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())


def _concordance(part: Part, predictions: Array, params: Params) -> float:
    """Share of pairs, the earlier of which had the event, whose risks are in the right order; ties count half."""
    risk = -predictions if params["objective"] == "survival:aft" else predictions
    ends = part.ends if part.ends is not None else part.labels
    right = pairs = 0.0
    for i in np.flatnonzero(np.isfinite(ends)):
        later = (part.labels > part.labels[i]) | ((part.labels == part.labels[i]) & np.isinf(ends))
        pairs += later.sum()
        right += (risk[later] < risk[i]).sum() + (risk[later] == risk[i]).sum() / 2
    return float(right / pairs)


RMSE = Score("rmse", lambda part, x, params: float(np.sqrt(_of_cells(lambda y, p: (y - p) ** 2)(part, x, params))))
MAE = Score("mae", _of_cells(lambda y, p: np.abs(y - p)))
RMSLE = Score(
    "rmsle",
    lambda part, x, params: float(
        np.sqrt(_of_cells(lambda y, p: (np.log1p(y) - np.log1p(np.maximum(p, 0))) ** 2)(part, x, params))
    ),
)
LOG_LOSS = Score("logloss", _of_cells(lambda y, p: _log_loss(np.where(y > 0, p, 1 - p))))
AUC = Score("auc", _auc, higher_is_better=True)
ERROR = Score("error", _of_cells(lambda y, p: np.asarray((p > 0.5) != (y > 0), dtype=np.float64)))
CLASS_ERROR = Score("merror", _of_cells(_class_error))
NDCG = Score(f"ndcg@{TOP}", _of_queries(_ndcg), higher_is_better=True)
MAP = Score("map", _of_queries(_average_precision), higher_is_better=True)
CONCORDANCE = Score("cindex", _concordance, higher_is_better=True)

SCORES = {
    "binary:logistic": (LOG_LOSS, AUC),
    "binary:logitraw": (AUC,),
    "binary:hinge": (ERROR,),
    "reg:logistic": (LOG_LOSS,),
    "multi:softprob": (Score("mlogloss", _of_cells(_class_log_loss)), CLASS_ERROR),
    "multi:softmax": (CLASS_ERROR,),
    "reg:squarederror": (RMSE,),
    "reg:squaredlogerror": (RMSLE,),
    "reg:pseudohubererror": (MAE,),
    "reg:absoluteerror": (MAE,),
    "reg:quantileerror": (Score("pinball", _pinball),),
    "reg:expectileerror": (Score("expectile", _expectile),),
    "reg:gamma": (Score("gamma deviance", _of_cells(_gamma_deviance)),),
    "reg:tweedie": (Score("tweedie deviance", _tweedie_deviance),),
    "count:poisson": (Score("poisson deviance", _of_cells(_poisson_deviance)),),
    "rank:ndcg": (NDCG, MAP),
    "rank:pairwise": (NDCG, MAP),
    "rank:map": (MAP,),
    "survival:cox": (CONCORDANCE,),
    "survival:aft": (CONCORDANCE,),
}
