"""What an adapter is, and the parameters that it has to translate."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ..data import Part


class UnsupportedError(Exception):
    """The library cannot do this case; the message says why."""


@dataclass(frozen=True)
class Fitted:
    """A trained model and what it took: the library's own matrix (None if it has none), then the training."""

    model: Any
    matrix_seconds: float | None
    train_seconds: float

    @property
    def seconds(self) -> float:
        return (self.matrix_seconds or 0.0) + self.train_seconds


class Peer(Protocol):
    """A library. `params` are XGBoost's; `prepare` makes of the features what its user would already have."""

    @property
    def name(self) -> str: ...
    def version(self) -> str: ...
    def prepare(self, part: Part) -> Part: ...
    def fit(self, part: Part, params: dict[str, Any], rounds: int, threads: int) -> Fitted: ...
    def predict(self, model: Any, features: Any) -> Any: ...
    def size(self, model: Any) -> int:
        """Bytes of the file that the library saves the model as."""

    def serve(self, model: Any, features: Any, threads: int) -> Any:
        """Predict from rows as a server has them, in the quickest way that the library documents."""


@runtime_checkable
class Explainer(Protocol):
    """A peer that tells what features add; `kind` is contributions or interactions."""

    def explain(self, model: Any, features: Any, kind: str, threads: int) -> Any: ...


@dataclass(frozen=True)
class Settings:
    """XGBoost's parameters with its defaults; what has no limit is 0."""

    objective: str
    eta: float
    depth: int
    leaves: int
    l2: float
    min_child_weight: float
    bins: int
    classes: int
    alpha: float | list[float]  # of quantiles
    power: float  # of Tweedie's variance

    @staticmethod
    def of(params: dict[str, Any]) -> Settings:
        best_first = params.get("grow_policy") == "lossguide"
        depth = params.get("max_depth", 6)
        return Settings(
            objective=params["objective"],
            eta=params.get("eta", 0.3),
            depth=depth,
            leaves=params["max_leaves"] if best_first else 2**depth,
            l2=params.get("lambda", 1.0),
            min_child_weight=params.get("min_child_weight", 1.0),
            bins=params.get("max_bin", 256),
            classes=params.get("num_class", 0),
            alpha=params.get("quantile_alpha", 0.5),
            power=params.get("tweedie_variance_power", 1.5),
        )


def signed_times(part: Part) -> Any:
    """Survival times as Cox regression takes them: below 0 if the row was censored."""
    return part.labels if part.ends is None else np.where(np.isinf(part.ends), -part.labels, part.labels)


def library(name: str) -> Any:
    """The imported library, of which none has to be installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise UnsupportedError(f"not installed ({error})") from error
