"""Small adapters to the libraries that are compared."""

from __future__ import annotations

import importlib
import time
from dataclasses import dataclass
from typing import Any, Protocol

from .data import Part


@dataclass(frozen=True)
class Fitted:
    """A trained model and what it took: the library's own matrix, then the training."""

    model: Any
    matrix_seconds: float
    train_seconds: float


class Peer(Protocol):
    """A library."""

    @property
    def name(self) -> str: ...
    def version(self) -> str: ...
    def fit(self, part: Part, params: dict[str, Any], rounds: int, threads: int) -> Fitted: ...
    def predict(self, model: Any, features: Any) -> Any: ...


@dataclass(frozen=True)
class XgboostInterface:
    """XGBoost, and whatever can be imported in its place: ourselves."""

    name: str

    def _module(self) -> Any:
        return importlib.import_module(self.name)

    def version(self) -> str:
        return str(self._module().__version__)

    def fit(self, part: Part, params: dict[str, Any], rounds: int, threads: int) -> Fitted:
        module = self._module()
        start = time.perf_counter()
        matrix = module.DMatrix(part.features, part.labels, nthread=threads)
        built = time.perf_counter()
        model = module.train({**params, "nthread": threads}, matrix, rounds)
        return Fitted(model, built - start, time.perf_counter() - built)

    def predict(self, model: Any, features: Any) -> Any:
        return model.predict(self._module().DMatrix(features))


OURS = XgboostInterface("xgb_like")
XGBOOST = XgboostInterface("xgboost")
