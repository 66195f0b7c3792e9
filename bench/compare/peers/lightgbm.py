"""LightGBM."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import Part
from .base import Fitted, Settings, UnsupportedError, library

OBJECTIVES = {
    "binary:logistic": "binary",
    "multi:softprob": "multiclass",
    "multi:softmax": "multiclass",
    "reg:squarederror": "regression",
    "reg:absoluteerror": "regression_l1",
    "reg:quantileerror": "quantile",
    "reg:gamma": "gamma",
    "reg:tweedie": "tweedie",
    "count:poisson": "poisson",
    "rank:ndcg": "lambdarank",
}


@dataclass(frozen=True)
class LightGBM:
    """Its trees grow best-first: with 2^depth leaves at most, the depth alone limits them."""

    name: str = "lightgbm"

    def version(self) -> str:
        return str(library("lightgbm").__version__)

    def prepare(self, part: Part) -> Part:
        return part

    def fit(self, part: Part, params: dict[str, Any], rounds: int, threads: int) -> Fitted:
        module, own = library("lightgbm"), translate(Settings.of(params), threads)
        start = time.perf_counter()
        sizes = None if part.queries is None else np.unique(part.queries, return_counts=True)[1]
        matrix = module.Dataset(part.features, part.labels, weight=part.weights, group=sizes, params=own).construct()
        built = time.perf_counter()
        model = module.train(own, matrix, rounds)
        return Fitted(model, built - start, time.perf_counter() - built)

    def predict(self, model: Any, features: Any) -> Any:
        return model.predict(features)

    def size(self, model: Any) -> int:
        return len(model.model_to_string().encode())

    def explain(self, model: Any, features: Any, kind: str, threads: int) -> Any:
        if kind == "interactions":
            raise UnsupportedError("has no interaction values")
        return model.predict(features, pred_contrib=True, num_threads=threads)

    def serve(self, model: Any, features: Any, threads: int) -> Any:
        return model.predict(features, num_threads=threads)


def translate(settings: Settings, threads: int) -> dict[str, Any]:
    if settings.objective not in OBJECTIVES:
        raise UnsupportedError("has no equal of the objective")
    if isinstance(settings.alpha, list):
        raise UnsupportedError("predicts one quantile")
    return {
        "objective": OBJECTIVES[settings.objective],
        "num_class": settings.classes or 1,
        "learning_rate": settings.eta,
        "max_depth": settings.depth or -1,
        "num_leaves": settings.leaves,
        "lambda_l2": settings.l2,
        "min_sum_hessian_in_leaf": settings.min_child_weight,
        "min_data_in_leaf": 1,  # XGBoost has no such limit
        "alpha": settings.alpha,
        "tweedie_variance_power": settings.power,
        "max_bin": settings.bins - 1,  # it counts a bin of its own for what is missing
        "num_threads": threads,
        "verbosity": -1,
    }
