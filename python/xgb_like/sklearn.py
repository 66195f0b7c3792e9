# SPDX-License-Identifier: Apache-2.0
"""Estimators for scikit-learn, where programs written for XGBoost look for them."""

from ._estimators._custom import SklObjective, ltr_metric_decorator
from ._estimators._custom import decorate_metric as _metric_decorator  # noqa: F401  others import it by this name
from ._estimators._custom import decorate_objective as _objective_decorator  # noqa: F401
from ._estimators._estimator import XGBModel
from ._estimators._peers import (
    PredtT,
    TDoc,
    XGBClassifierMixIn,
    XGBRankerMixIn,
    XGBRegressorMixIn,
    get_model_categories,
    pick_ref_categories,
    xgboost_model_doc,
)
from ._estimators._ranker import XGBRanker
from ._estimators._tasks import XGBClassifier, XGBRegressor, XGBRFClassifier, XGBRFRegressor

__all__ = [
    "PredtT",
    "SklObjective",
    "TDoc",
    "XGBClassifier",
    "XGBClassifierMixIn",
    "XGBModel",
    "XGBRFClassifier",
    "XGBRFRegressor",
    "XGBRanker",
    "XGBRankerMixIn",
    "XGBRegressor",
    "XGBRegressorMixIn",
    "get_model_categories",
    "ltr_metric_decorator",
    "pick_ref_categories",
    "xgboost_model_doc",
]
