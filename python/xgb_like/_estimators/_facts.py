# SPDX-License-Identifier: Apache-2.0
"""What fitted estimators tell of their model, and what its file keeps beside it."""

import json
from typing import Any

import numpy as np

from .._base._exceptions import DataError, XgbLikeError, names_of
from .._base._libraries import require
from .._base._typing import Array, EvalsLog, Floats
from .._data._labels import ClassLabels
from .._model._booster import Booster


class Fitted:
    """The handle of estimators, a booster and its classes once fitted: what they tell, and what scikit-learn asks."""

    _Booster: Booster | None = None
    _classes: ClassLabels | None = None
    importance_type: str | None
    enable_categorical: bool

    def _get_type(self) -> str | None:
        """Return ``classifier``, ``regressor`` or ``ranker``."""
        return getattr(self, "_estimator_type", None)

    def _more_tags(self) -> dict[str, Any]:
        """Return tags in the form that scikit-learn had up to 1.5; programs written for XGBoost still ask for them."""
        categories = bool(self.enable_categorical)
        tags = dict.fromkeys(("allow_nan", "no_validation", "sparse"), True)
        return {**tags, "categorical": categories, "string": categories}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.no_validation = True
        for name in ("allow_nan", "sparse", "categorical", "string"):
            setattr(tags.input_tags, name, self._more_tags()[name])
        return tags

    def _can_use_inplace_predict(self) -> bool:
        """Whether the model is of trees, whose predictions XGBoost makes in place; here, those of all models are."""
        return getattr(self, "booster", None) != "gblinear"

    def __sklearn_is_fitted__(self) -> bool:
        return self._Booster is not None

    def get_booster(self) -> Booster:
        """Return the fitted model.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If there is none.
        """
        if self._Booster is None:
            error = require("sklearn.exceptions", "xgb_like.sklearn").NotFittedError
            name = type(self).__name__
            raise error(f"This {name} is not fitted yet: need to call fit or load_model beforehand.")
        return self._Booster

    def evals_result(self) -> EvalsLog:
        """Return the metrics of each round: ``{name of the set: {metric: [one value per round]}}``."""
        self.get_booster()
        found: EvalsLog | None = getattr(self, "evals_result_", None)
        if found is None:
            raise XgbLikeError(
                "No evaluation result, `eval_set` is not used during training. Pass it to fit() to have metrics."
            )
        return found

    @property
    def n_features_in_(self) -> int:
        """The number of features of the training data."""
        return self.get_booster().num_features()

    @property
    def feature_names_in_(self) -> Array:
        """The names of features; absent if the training data had none."""
        names = self.get_booster().feature_names
        if names is None:
            raise AttributeError(
                "`feature_names_in_` is defined only when `X` has feature names that are all strings. Pass a frame."
            )
        return np.array(names, dtype=object)

    @property
    def best_iteration(self) -> int:
        """The best round, counted from 0, if early stopping is used."""
        return self.get_booster().best_iteration

    @property
    def best_ntree_limit(self) -> Any:
        """Not here any more: see `best_iteration`."""
        return self.get_booster().best_ntree_limit

    @property
    def best_score(self) -> float:
        """The score of the best round, if early stopping is used."""
        return self.get_booster().best_score

    @property
    def feature_importances_(self) -> Floats:
        """The importance of each feature by `importance_type`; the sum is 1. A matrix for linear models of classes."""
        booster = self.get_booster()
        linear = booster._handle.is_linear()
        kind = self.importance_type or ("weight" if linear else "gain")
        score = booster.get_score(importance_type=kind)
        names = names_of(booster.feature_names, booster.num_features())
        outputs = max((len(value) for value in score.values() if isinstance(value, list)), default=0)
        absent: Any = [0.0] * outputs if outputs else 0.0
        values = np.array([score.get(name, absent) for name in names], dtype=np.float32)
        total = values.sum()
        return values / total if total != 0 else values

    @property
    def coef_(self) -> Array:
        """The coefficients of a linear model, of shape (features,) or (outputs, features); absent for trees."""
        weights = self.get_booster()._handle.linear_weights()
        if weights is None:
            kind = getattr(self, "booster", None)
            raise AttributeError(f"Coefficients are not defined for Booster type {kind}: they are of gblinear only.")
        return weights[:-1, 0] if weights.shape[1] == 1 else np.ascontiguousarray(weights[:-1].T)

    @property
    def intercept_(self) -> Floats:
        """The base score of trees, or the biases of a linear model; one for each output."""
        handle = self.get_booster()._handle
        weights = handle.linear_weights()
        return np.asarray(handle.base_score() if weights is None else weights[-1], dtype=np.float32)


# What a model file keeps of an estimator beside the model: its kind, and labels that are not 0, 1, 2...
ATTRIBUTE = "scikit_learn"  # XGBoost's name for it


def description(kind: str | None, classes: ClassLabels | None) -> str:
    known: dict[str, Any] = {"_estimator_type": kind}
    if classes is not None and not classes.are_default():
        known |= {"classes_": _texts(classes), "classes_dtype": classes.values.dtype.str}
    return json.dumps(known)


def read_description(booster: Booster) -> dict[str, Any]:
    """Return what the attribute says; nothing if there is none, as in models that no estimator saved."""
    try:
        found = json.loads(booster.attr(ATTRIBUTE) or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def classes_of(booster: Booster, known: dict[str, Any]) -> ClassLabels:
    """Return the classes of a model: those that were saved with it, or as many numbers as it has classes."""
    labels = known.get("classes_")
    if isinstance(labels, list) and labels:
        kind = known.get("classes_dtype", "|O" if isinstance(labels[0], str) else None)
        return ClassLabels(np.array(labels, dtype=kind))
    params = booster._handle.params()
    count = int(params.get("objective", {}).get("num_class") or params.get("learner", {}).get("num_class") or 0)
    return ClassLabels.numbers(max(count, 2))


def _texts(classes: ClassLabels) -> list[Any]:
    values = classes.values
    if values.dtype.kind == "M":
        return [str(value) for value in values]
    labels: list[Any] = values.tolist()
    wrong = next((label for label in labels if not isinstance(label, (str, int, float))), None)
    if wrong is not None:
        raise DataError(
            f"Model files keep labels that are strings or numbers; got {wrong!r} of type {type(wrong).__name__}. Use "
            "pickle."
        )
    return labels
