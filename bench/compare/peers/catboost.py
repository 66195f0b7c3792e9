"""CatBoost."""

from __future__ import annotations

import dataclasses
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..data import Part
from .base import Fitted, Settings, UnsupportedError, library, signed_times

OBJECTIVES = {  # not LambdaMart: its Newton steps have no limit of the hessians and soon lose what was learned
    "binary:logistic": "Logloss",
    "multi:softprob": "MultiClass",
    "reg:squarederror": "RMSE",
    "count:poisson": "Poisson",
    "survival:aft": "SurvivalAft:dist=Normal;scale=1.0",
    "survival:cox": "Cox",
}
AVERAGED = ("binary:logistic", "reg:squarederror")  # can begin from the mean
KINDS = {"binary:logistic": "Probability", "multi:softprob": "Probability", "count:poisson": "Exponent"}
DEEPEST = 16  # CatBoost's own limit, also of trees that the number of leaves limits


@dataclass(frozen=True)
class CatBoost:
    """Trees of the shape that XGBoost grows or, `symmetric`, CatBoost's usual ones with one condition per level."""

    name: str
    symmetric: bool = False

    def version(self) -> str:
        return str(library("catboost").__version__)

    def prepare(self, part: Part) -> Part:
        """Name what is missing in category columns, where CatBoost takes no NaN."""
        if not _categories(part.features):
            return part
        frame = part.features.copy()
        for name in _categories(frame):
            if frame[name].hasnans:
                frame[name] = frame[name].cat.add_categories("missing").fillna("missing")
        return dataclasses.replace(part, features=frame)

    def fit(self, part: Part, params: dict[str, Any], rounds: int, threads: int) -> Fitted:
        module, settings = library("catboost"), Settings.of(params)
        own = translate(settings, self.symmetric, rounds, threads)
        start = time.perf_counter()
        coded = _categories(part.features)
        labels = _labels(part, settings.objective)
        matrix = module.Pool(part.features, labels, coded, weight=part.weights, thread_count=threads)
        matrix.quantize(border_count=settings.bins - 2)
        built = time.perf_counter()
        model = module.CatBoost(own).fit(matrix)
        return Fitted((model, settings.objective), built - start, time.perf_counter() - built)

    def predict(self, model: Any, features: Any) -> Any:
        booster, objective = model
        predictions = booster.predict(features, prediction_type=KINDS.get(objective, "RawFormulaVal"))
        return predictions[:, 1] if objective == "binary:logistic" else predictions

    def size(self, model: Any) -> int:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.cbm"
            model[0].save_model(path)
            return path.stat().st_size

    def serve(self, model: Any, features: Any, threads: int) -> Any:
        return model[0].predict(features, prediction_type="RawFormulaVal", thread_count=threads)


def translate(settings: Settings, symmetric: bool, rounds: int, threads: int) -> dict[str, Any]:
    """Plain boosting on all rows with one Newton step per leaf, as everywhere else."""
    if settings.objective not in OBJECTIVES:
        raise UnsupportedError("has no equal of the objective")
    growth: dict[str, Any] = {"grow_policy": "SymmetricTree" if symmetric else "Depthwise", "depth": settings.depth}
    if not settings.depth:
        growth = {"grow_policy": "Lossguide", "depth": DEEPEST, "max_leaves": settings.leaves}
    if settings.objective in AVERAGED:
        growth["boost_from_average"] = True
    return {
        **growth,
        "loss_function": OBJECTIVES[settings.objective],
        **({"classes_count": settings.classes} if settings.classes else {}),
        "iterations": rounds,
        "learning_rate": settings.eta,
        "l2_leaf_reg": settings.l2,
        "border_count": settings.bins - 2,
        "boosting_type": "Plain",
        "bootstrap_type": "No",
        "random_strength": 0,
        "score_function": "L2",
        "leaf_estimation_method": "Newton",
        "leaf_estimation_iterations": 1,
        "max_ctr_complexity": 1,  # no combinations of categories
        "thread_count": threads,
        "allow_writing_files": False,
        "logging_level": "Silent",
    }


def _labels(part: Part, objective: str) -> Any:
    if objective == "survival:aft" and part.ends is not None:
        return np.column_stack([part.labels, np.where(np.isinf(part.ends), -1.0, part.ends)])  # -1: no end
    return signed_times(part)


def _categories(features: Any) -> list[str]:
    return [name for name in features if features[name].dtype == "category"] if hasattr(features, "iloc") else []
