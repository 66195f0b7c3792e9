"""scikit-learn's HistGradientBoosting."""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..data import Part
from .base import Fitted, Settings, UnsupportedError, library

OBJECTIVES = {
    "binary:logistic": "log_loss",
    "multi:softprob": "log_loss",
    "reg:squarederror": "squared_error",
    "reg:gamma": "gamma",
    "count:poisson": "poisson",
}
MOST_LEVELS = 255


@dataclass(frozen=True)
class HistGradientBoosting:
    """Makes its bins inside of `fit` and takes the number of threads from OpenMP."""

    name: str = "sklearn"

    def version(self) -> str:
        return str(library("sklearn").__version__)

    def prepare(self, part: Part) -> Part:
        features = part.features
        if sp.issparse(features):
            raise UnsupportedError("takes no sparse matrices")
        if hasattr(features, "iloc"):
            coded = [name for name in features if features[name].dtype == "category"]
            if any(len(features[name].cat.categories) > MOST_LEVELS for name in coded):
                raise UnsupportedError(f"takes no categories of more than {MOST_LEVELS} levels")
        return part

    def fit(self, part: Part, params: dict[str, Any], rounds: int, threads: int) -> Fitted:
        module, settings = library("sklearn.ensemble"), Settings.of(params)
        own = translate(settings, rounds)
        classes = own["loss"] == "log_loss"
        kind = module.HistGradientBoostingClassifier if classes else module.HistGradientBoostingRegressor
        with library("threadpoolctl").threadpool_limits(threads):
            start = time.perf_counter()
            model = kind(**own).fit(part.features, part.labels, part.weights)
            return Fitted((model, settings), None, time.perf_counter() - start)

    def predict(self, model: Any, features: Any) -> Any:
        estimator, settings = model
        if not hasattr(estimator, "classes_"):
            return estimator.predict(features)
        chances = estimator.predict_proba(features)
        if settings.objective != "multi:softprob":
            return chances[:, 1]
        all_chances = np.zeros((len(chances), settings.classes))  # it knows nothing of classes that it has not seen
        all_chances[:, estimator.classes_.astype(int)] = chances
        return all_chances

    def size(self, model: Any) -> int:
        return len(pickle.dumps(model[0]))

    def serve(self, model: Any, features: Any, threads: int) -> Any:  # noqa: ARG002  it has no such setting
        return model[0].predict(features)


def translate(settings: Settings, rounds: int) -> dict[str, Any]:
    if settings.objective not in OBJECTIVES:
        raise UnsupportedError("has no equal of the objective")
    return {
        "loss": OBJECTIVES[settings.objective],
        "max_iter": rounds,
        "learning_rate": settings.eta,
        "max_depth": settings.depth or None,
        "max_leaf_nodes": settings.leaves,
        "min_samples_leaf": 1,  # there is no limit of the hessians
        "l2_regularization": settings.l2,
        "max_bins": settings.bins - 1,
        "early_stopping": False,
        "categorical_features": "from_dtype",
    }
