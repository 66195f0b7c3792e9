"""XGBoost, and whatever can be imported in its place: ourselves."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ..data import Part
from .base import Fitted, library


@dataclass(frozen=True)
class XgboostInterface:
    """`binned` takes the QuantileDMatrix: the bins are then made with the matrix instead of in the first round."""

    name: str
    binned: bool = False

    def version(self) -> str:
        return str(library(self.name).__version__)

    def prepare(self, part: Part) -> Part:
        return part

    def fit(self, part: Part, params: dict[str, Any], rounds: int, threads: int) -> Fitted:
        module = library(self.name)
        start = time.perf_counter()
        options: dict[str, Any] = {"nthread": threads, "enable_categorical": True}
        if self.binned:
            matrix = module.QuantileDMatrix(part.features, part.labels, max_bin=params.get("max_bin", 256), **options)
        else:
            matrix = module.DMatrix(part.features, part.labels, **options)
        built = time.perf_counter()
        model = module.train({**params, "nthread": threads}, matrix, rounds)
        return Fitted(model, built - start, time.perf_counter() - built)

    def predict(self, model: Any, features: Any) -> Any:
        return model.predict(library(self.name).DMatrix(features, enable_categorical=True))
