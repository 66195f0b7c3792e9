# SPDX-License-Identifier: Apache-2.0
"""What a model has learned: importance of features, partial dependence, strength of interactions.

All functions take a :class:`Booster`, or an estimator that has ``get_booster()``. They use the same rounds as
predictions, those up to the best one after early stopping. Only :func:`relative_importance` uses all. For what each
feature adds to single predictions, use :meth:`Booster.predict` with ``pred_contribs=True``.
"""

from ._explain._dependence import DependenceSteps, PartialDependence, dependence_steps, h_statistic, partial_dependence
from ._explain._importance import PermutationImportance, permutation_importance, relative_importance
from ._explain._shap_explainer import TreeExplainer

__all__ = [
    "DependenceSteps",
    "PartialDependence",
    "PermutationImportance",
    "TreeExplainer",
    "dependence_steps",
    "h_statistic",
    "partial_dependence",
    "permutation_importance",
    "relative_importance",
]
