"""XGBoost, and whatever can be imported in its place: ourselves."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from ..data import Part
from .base import Fitted, library, signed_times


@dataclass(frozen=True)
class XgboostInterface:
    """`binned` takes the QuantileDMatrix: the bins are then made with the matrix instead of in the first round.

    `of` is the module where the name is another; `tree_method` stands in place of the case's.
    """

    name: str
    binned: bool = False
    of: str | None = None
    tree_method: str | None = None

    @property
    def module(self) -> Any:
        return library(self.of or self.name)

    def version(self) -> str:
        return str(self.module.__version__)

    def prepare(self, part: Part) -> Part:
        return part

    def fit(self, part: Part, params: dict[str, Any], rounds: int, threads: int) -> Fitted:
        module = self.module
        if self.tree_method is not None:
            params = {**params, "tree_method": self.tree_method}
        start = time.perf_counter()
        options: dict[str, Any] = {"nthread": threads, "enable_categorical": True, **_labels(part, params["objective"])}
        if self.binned:
            matrix = module.QuantileDMatrix(part.features, max_bin=params.get("max_bin", 256), **options)
        else:
            matrix = module.DMatrix(part.features, **options)
        built = time.perf_counter()
        model = module.train({**params, "nthread": threads}, matrix, rounds)
        return Fitted(model, built - start, time.perf_counter() - built)

    def predict(self, model: Any, features: Any) -> Any:
        return model.predict(self.module.DMatrix(features, enable_categorical=True))

    def size(self, model: Any) -> int:
        return len(model.save_raw())

    def explain(self, model: Any, features: Any, kind: str, threads: int) -> Any:
        matrix = self.module.DMatrix(features, enable_categorical=True, nthread=threads)
        return model.predict(matrix, **{"pred_contribs" if kind == "contributions" else "pred_interactions": True})

    def serve(self, model: Any, features: Any, threads: int) -> Any:  # noqa: ARG002  the model has the threads it is made with
        return model.inplace_predict(features)


def _labels(part: Part, objective: str) -> dict[str, Any]:
    """Labels and what goes with them, as `objective` wants them."""
    options = {"weight": part.weights, "qid": part.queries}
    if objective == "survival:aft":
        return {"label_lower_bound": part.labels, "label_upper_bound": part.ends, **options}
    return {"label": signed_times(part), **options}
