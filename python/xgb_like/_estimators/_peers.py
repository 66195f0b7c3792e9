# SPDX-License-Identifier: Apache-2.0
"""Names that programs which extend XGBoost's estimators import from its module ``sklearn``."""

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .._base._libraries import require
from .._base._typing import Array
from .._data._categories import Categories
from .._model._booster import Booster
from ._params import DEFAULTS, document

if TYPE_CHECKING:
    from sklearn.base import ClassifierMixin, RegressorMixin
else:
    base = require("sklearn.base", "xgb_like.sklearn")
    ClassifierMixin, RegressorMixin = base.ClassifierMixin, base.RegressorMixin

TDoc = TypeVar("TDoc", bound=type)
PredtT = TypeVar("PredtT", bound=Array)


class XGBClassifierMixIn(ClassifierMixin):  # type: ignore[misc]
    """Tells scikit-learn that an estimator classifies, also by several labels a row."""

    _estimator_type = "classifier"

    def _more_tags(self) -> dict[str, Any]:
        return {**super()._more_tags(), "multilabel": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    @property
    def classes_(self) -> Array:
        """The numbers of the classes, of which there are ``n_classes_``."""
        require("sklearn.utils.validation", "xgb_like.sklearn").check_is_fitted(self, "n_classes_")
        return np.arange(self.n_classes_)


class XGBRegressorMixIn(RegressorMixin):  # type: ignore[misc]
    """Tells scikit-learn that an estimator predicts numbers, also several a row."""

    _estimator_type = "regressor"

    def _more_tags(self) -> dict[str, Any]:
        return {**super()._more_tags(), "multioutput": True, "multioutput_only": False}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


class XGBRankerMixIn:
    """Tells scikit-learn that an estimator ranks."""

    _estimator_type = "ranker"


def xgboost_model_doc(
    header: str, items: Sequence[str], extra_parameters: str | None = None, end_note: str | None = None
) -> Callable[[TDoc], TDoc]:
    """Return a decorator that writes the docstring of an estimator.

    Parameters
    ----------
    header
        What the class is.
    items
        Which parameters are told of: ``estimators`` for `n_estimators`, ``objective``, and ``model`` for all others.
    extra_parameters, end_note
        Text to follow the parameters.
    """
    single = {"estimators": "n_estimators", "objective": "objective"}
    names = [single[item] for item in items if item in single]
    if "model" in items:
        names += [name for name in DEFAULTS if name not in single.values()]

    def decorate(cls: TDoc) -> TDoc:
        parts = [document(inspect.cleandoc(header), {name: DEFAULTS[name] for name in names})]
        parts += [inspect.cleandoc(text) for text in (extra_parameters, end_note) if text]
        cls.__doc__ = "\n\n".join(part.rstrip("\n") for part in parts) + "\n"
        return cls

    return decorate


def get_model_categories(X: Any, model: Any, feature_types: Any) -> tuple[Booster | None, Any]:  # noqa: ARG001
    """Return a model to train further, loaded, and what ``feature_types`` of the training data have to be for it."""
    if model is None:
        return None, feature_types
    booster = model if isinstance(model, Booster) else Booster(model_file=model)
    categories = booster.get_categories()
    return booster, categories if feature_types is None and not categories.empty() else feature_types


def pick_ref_categories(X: Any, model_cats: Any, Xy_cats: Categories | None) -> Any:  # noqa: ARG001
    """Return what ``feature_types`` of data for evaluation have to be: categories of the training data, if any."""
    return model_cats if Xy_cats is None or Xy_cats.empty() else Xy_cats
